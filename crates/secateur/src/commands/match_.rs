//! `secateur match`: games between engines, of which nothing is lost when the run is ended.

use std::io::{self, Write};
use std::path::{Path, PathBuf, absolute};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail};
use clap::{ArgGroup, Args, ValueEnum};
use secateur_games::playable::Playable;
use secateur_lab::contest::adjudicate::{DrawRule, ResignRule, Rules};
use secateur_lab::contest::configuration::ModelGiven;
use secateur_lab::contest::team::{NotStarted, rehearse};
use secateur_lab::contest::{
    Configuration, Contest, Ended, Folder, SprtGiven, date, folder, prepare, run as play, summary,
};
use secateur_lab::engine::EngineSettings;
use secateur_lab::interrupt;
use secateur_lab::progress::Progress;

use crate::bench_against;
use crate::failure::{CheckFailed, Interrupted};
use crate::games::{GameName, with_game};
use crate::options::GameArguments;

/// Arguments of `match`.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("what").required(true).multiple(true).args(["engine", "base", "resume"]),
    after_help = "\
Examples:
  secateur match --engine secateur --engine \"gnuchess --uci\" --tc 2+0.02 --games 100
  secateur match --engine \"secateur name=new\" --engine \"secateur preset=bare name=old\" --nodes 5000
  secateur match --base HEAD~1 --tc 8+0.08 --sprt elo0=0,elo1=5   is this version stronger?
  secateur match --resume runs/2026-11-05-secateur-gnuchess       go on after Ctrl-C or a crash

An engine is a program with its arguments, then settings: name= tc= nodes= depth= movetime= threads=
hash= dir= option.NAME=. The program `secateur` is this one, and has preset=, eval= (a file of weights,
or `plain`) and every parameter.
Each opening is played twice, with either colour; results are those of the first engine. Of the
games that are in progress when a run ends nothing is kept; all others are in its folder: run.toml,
games.jsonl and games.pgn."
)]
pub(super) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// An engine: program, arguments, settings; repeat it for each
    #[arg(long, value_name = "SPEC")]
    engine: Vec<String>,
    /// Settings for every engine that has no others, as in `--each "hash=16 threads=1"`
    #[arg(long, value_name = "SETTINGS")]
    each: Option<String>,
    /// Build this git revision of the project and let it be the opponent
    #[arg(long, value_name = "REVISION")]
    base: Option<String>,
    /// The clock: seconds+increment or moves/seconds, as in 8+0.08 or 40/60
    #[arg(long, value_name = "CLOCK")]
    tc: Option<String>,
    /// Nodes for each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=i64::MAX as u64))]
    nodes: Option<u64>,
    /// Plies for each move
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Milliseconds for each move
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    movetime: Option<u64>,
    /// Openings: EPD, FEN or PGN, zipped or not [default: built in]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Games of each pairing, in pairs [default: 100; no end with --sprt]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: Option<u64>,
    /// Stop when this test decides: elo0=0,elo1=5 and perhaps alpha=0.05,beta=0.05
    #[arg(long, value_name = "TEST", allow_hyphen_values = true)]
    sprt: Option<String>,
    /// In what elo0 and elo1 are measured [default: normalized]
    #[arg(long, value_enum, requires = "sprt")]
    model: Option<ModelName>,
    /// The first engine meets all others, which do not meet each other
    #[arg(long)]
    gauntlet: bool,
    /// Games at once [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,
    /// The order of the openings; the same seed is the same order
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: u64,
    /// The folder for the run, which must be new or empty [default: one in runs/]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with the run in this folder; everything else is taken from there
    #[arg(
        long, value_name = "DIR",
        conflicts_with_all = [
            "engine", "each", "base", "tc", "nodes", "depth", "movetime", "openings", "games", "sprt", "model",
            "gauntlet", "seed", "out", "game", "draw_after", "draw_score", "draw_moves", "resign_score",
            "resign_moves", "max_moves", "syzygy", "margin", "patience",
        ],
    )]
    resume: Option<PathBuf>,
    /// A draw is given from this move on, if --draw-score holds
    #[arg(long, value_name = "MOVES", requires = "draw_score")]
    draw_after: Option<u32>,
    /// A draw is given if both engines' scores are within so many hundredths of 0
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(i32).range(0..))]
    draw_score: Option<i32>,
    /// ... for so many moves in a row [default: 8]
    #[arg(long, value_name = "N", requires = "draw_score", value_parser = clap::value_parser!(u32).range(1..))]
    draw_moves: Option<u32>,
    /// A win is given if both engines see the same side ahead by so many hundredths
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(i32).range(1..))]
    resign_score: Option<i32>,
    /// ... for so many moves in a row [default: 3]
    #[arg(long, value_name = "N", requires = "resign_score", value_parser = clap::value_parser!(u32).range(1..))]
    resign_moves: Option<u32>,
    /// A draw is given after so many moves of both sides
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_moves: Option<u32>,
    /// Folders of endgame tables; a game ends as soon as they know its result
    #[arg(long, value_name = "DIRS")]
    syzygy: Option<String>,
    /// How far a clock may be overstepped at each move
    #[arg(long, value_name = "MS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(..=60_000))]
    margin: u64,
    /// An engine without a clock that thinks for so long has lost
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    patience: u64,
    /// Use more threads than there are cores
    #[arg(long)]
    force: bool,
    /// Print one JSON object, totals first
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ModelName {
    /// Normalised Elo: the length of a test does not depend on draws and openings
    Normalized,
    /// Elo as usual
    Logistic,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let ours = std::env::current_exe().context("this program cannot be found")?;
    if let Some(path) = &arguments.resume {
        let path = absolute(path)?;
        let run = folder::read_run(&path)?;
        let game = GameName::called(&run.game)?;
        // What descriptions of engines say of files is meant from there.
        std::env::set_current_dir(&run.directory)
            .with_context(|| format!("{} cannot be entered", run.directory.display()))?;
        return with_game!(game, G => go_on::<G>(arguments, &path, &run, &ours));
    }
    let configuration = configuration(arguments)?;
    with_game!(arguments.game.game, G => begin::<G>(arguments, configuration, &ours))
}

/// A new run.
fn begin<G: Playable>(
    arguments: &Arguments,
    configuration: Configuration,
    ours: &Path,
) -> anyhow::Result<()> {
    if let Some(path) = &arguments.out {
        folder::check_empty(path)?;
    }
    let contest = prepare::<G>(configuration, ours)?;
    let path = match &arguments.out {
        Some(path) => path.clone(),
        None => new_folder(&contest.names),
    };
    conduct(arguments, &contest, |contest| Ok((Folder::create(&path, contest)?, Vec::new())))
}

/// A run that was ended.
fn go_on<G: Playable>(
    arguments: &Arguments,
    path: &Path,
    run: &folder::RunFile,
    ours: &Path,
) -> anyhow::Result<()> {
    let mut configuration = run.configuration.clone();
    configuration.force |= arguments.force;
    if let Some(concurrency) = arguments.concurrency {
        configuration.concurrency = concurrency.into();
    }
    let contest = prepare::<G>(configuration, ours)?;
    conduct(arguments, &contest, |contest| Folder::resume(path, run, contest))
}

fn conduct<G: Playable>(
    arguments: &Arguments,
    contest: &Contest<G>,
    open: impl FnOnce(&Contest<G>) -> anyhow::Result<(Folder, Vec<secateur_lab::contest::entry::Entry>)>,
) -> anyhow::Result<()> {
    let flag = Arc::new(AtomicBool::new(false));
    interrupt::raises(&flag);
    let (team, warnings) = rehearse(contest, &flag).map_err(|error| match error {
        NotStarted::Interrupted => Interrupted("interrupted before the first game".into()).into(),
        NotStarted::Settings(what) => anyhow::anyhow!(what),
        NotStarted::Failed(fault) => CheckFailed(fault.to_string()).into(),
    })?;
    let (mut folder, done) = open(contest)?;
    let mut errors = io::stderr();
    for warning in warnings {
        writeln!(errors, "warning: {warning}")?;
    }
    if contest.is_in_process() && contest.plan.repeats_openings() && contest.test.is_none() {
        writeln!(
            errors,
            "warning: {} openings are fewer than the pairs of games: some games will come twice",
            contest.openings.len()
        )?;
    }
    if !arguments.json {
        announce(contest, &folder, done.len())?;
    }
    let progress = Progress::talking(contest.plan.games(), "games");
    progress.resume(done.len() as u64);
    let finish = play(contest, &mut folder, &done, team, &flag, &mut |tally| {
        progress.advance();
        if !progress.is_hidden() {
            progress.say(summary::in_short(contest, tally));
        }
    })?;
    progress.finish();
    let text = match arguments.json {
        true => format!("{:#}\n", summary::json(contest, &finish, folder.path())),
        false => summary::text(contest, &finish),
    };
    io::stdout().write_all(text.as_bytes())?;
    if folder.unwritten() > 0 {
        writeln!(
            errors,
            "warning: {} games do not begin at the usual start and are in games.jsonl only",
            folder.unwritten()
        )?;
    }
    let shown = folder.path().display();
    match finish.ended {
        Ended::Played | Ended::Decided => Ok(()),
        Ended::Interrupted => Err(Interrupted(format!(
            "interrupted after {} games; go on with: secateur match --resume {shown}",
            finish.tally.games()
        ))
        .into()),
        Ended::Failed(what) => Err(CheckFailed(format!(
            "{what}; {} games are kept, go on with: secateur match --resume {shown}",
            finish.tally.games()
        ))
        .into()),
    }
}

/// What will be played, and where it is kept.
fn announce<G: Playable>(contest: &Contest<G>, folder: &Folder, done: usize) -> anyhow::Result<()> {
    let engines: Vec<String> = contest
        .participants
        .iter()
        .map(|engine| format!("{} ({})", engine.name, engine.limit))
        .collect();
    let games = match contest.plan.games() {
        Some(games) => format!("{games} games"),
        None => "games until the test decides".to_string(),
    };
    let before = if done > 0 { format!(", {done} of them played before") } else { String::new() };
    writeln!(
        io::stdout(),
        "{games}{before}: {}\n{} openings, kept in {}\n",
        engines.join(", "),
        contest.openings.len(),
        folder.path().display()
    )?;
    Ok(())
}

fn configuration(arguments: &Arguments) -> anyhow::Result<Configuration> {
    let mut engines = arguments.engine.clone();
    if let Some(revision) = &arguments.base {
        if engines.len() > 1 {
            bail!("--base is the opponent of one engine, and {} are given", engines.len());
        }
        if engines.is_empty() {
            engines.push("secateur".to_string());
        }
        // These would be given to one side only, unnoticed.
        let each = arguments.each.as_deref().map(EngineSettings::parse).transpose();
        let each = each.context("--each")?.unwrap_or_default();
        if each.preset.is_some() || each.eval.is_some() || !each.parameters.is_empty() {
            bail!(
                "with --base, --each can give presets, weights and parameters only as \
                 option.Preset=..."
            );
        }
        engines.push(base(revision, arguments.game.game)?);
    }
    let model = match arguments.model {
        Some(ModelName::Logistic) => ModelGiven::Logistic,
        Some(ModelName::Normalized) | None => ModelGiven::Normalized,
    };
    let sprt = arguments.sprt.as_deref().map(|text| SprtGiven::parse(text, model));
    let sprt = sprt.transpose().map_err(|what| anyhow::anyhow!("--sprt: {what}"))?;
    let draw = arguments.draw_score.map(|score| DrawRule {
        after: arguments.draw_after.unwrap_or(0),
        score,
        moves: arguments.draw_moves.unwrap_or(8),
    });
    let resign = arguments
        .resign_score
        .map(|score| ResignRule { score, moves: arguments.resign_moves.unwrap_or(3) });
    Ok(Configuration {
        engines,
        each: arguments.each.clone(),
        tc: arguments.tc.clone(),
        nodes: arguments.nodes,
        depth: arguments.depth,
        movetime: arguments.movetime,
        openings: arguments.openings.as_ref().map(absolute).transpose()?,
        games: arguments.games.or(sprt.is_none().then_some(100)),
        gauntlet: arguments.gauntlet,
        seed: arguments.seed,
        concurrency: arguments.concurrency.unwrap_or(1).into(),
        margin: arguments.margin,
        patience: arguments.patience,
        force: arguments.force,
        sprt,
        adjudication: Rules { draw, resign, max_moves: arguments.max_moves },
        tablebases: arguments.syzygy.as_deref().map(absolute_paths).transpose()?,
    })
}

/// The same folders wherever the run goes on.
fn absolute_paths(folders: &str) -> anyhow::Result<String> {
    let folders = std::env::split_paths(folders).map(absolute).collect::<Result<Vec<_>, _>>();
    let joined = std::env::join_paths(folders.context("--syzygy")?).context("--syzygy")?;
    joined.into_string().map_err(|_| anyhow::anyhow!("--syzygy: a folder's name is not text"))
}

/// Another revision of this program, built now, as an engine.
fn base(revision: &str, game: GameName) -> anyhow::Result<String> {
    writeln!(io::stderr(), "building {revision} ...")?;
    let program = bench_against::build(revision)?;
    let program = program.to_str().context("the path of the project is not a text")?;
    let game = with_game!(game, G => <G as secateur_search::Notation>::NAME);
    if program.contains('\'') {
        bail!("{program}: a path with a ' in it cannot be given to an engine");
    }
    Ok(base_spec(program, game, revision))
}

fn base_spec(program: &str, game: &str, revision: &str) -> String {
    let revision = revision.replace('\'', "");
    format!("'{program}' uci --game {game} 'name=base {revision}'")
}

/// A folder that is not there yet, named by the day and the engines.
fn new_folder(names: &[String]) -> PathBuf {
    let day = date::moment(date::now()).date('-');
    let mut words = vec![day];
    words.extend(names.iter().take(3).cloned());
    let plain = |c: char| if c.is_alphanumeric() || "-._".contains(c) { c } else { '-' };
    let name: String = words.join("-").chars().map(plain).take(80).collect();
    let folder = Path::new("runs").join(&name);
    let numbered = (2..).map(|number| Path::new("runs").join(format!("{name}-{number}")));
    [folder].into_iter().chain(numbered).find(|folder| !folder.exists()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_lab::engine::{EngineKind, EngineSpec};

    #[test]
    fn another_revision_is_an_engine_with_a_name_and_a_game() {
        let spec = EngineSpec::parse(&base_spec("/a b/secateur", "othello", "HEAD~1")).unwrap();
        let arguments = ["uci", "--game", "othello"].map(String::from).to_vec();
        let program = PathBuf::from("/a b/secateur");
        assert_eq!(spec.kind, EngineKind::Program { program, arguments });
        assert_eq!(spec.name(), "base HEAD~1");
    }

    #[test]
    fn a_folder_is_named_by_day_and_engines() {
        let folder = new_folder(&["a b".to_string(), "c/d".to_string()]);
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        assert!(name.ends_with("-a-b-c-d") && folder.starts_with("runs"), "{name}");
    }
}
