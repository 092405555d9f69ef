//! `secateur suite`: positions with a known answer.

use std::io::{self, Write};
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};
use secateur_games::problem::ProblemFiles;
use secateur_lab::engine::{Fault, FaultKind};
use secateur_lab::interrupt;
use secateur_lab::suite::conduct::from_anywhere;
use secateur_lab::suite::folder::RunFile;
use secateur_lab::suite::{Circumstances, Order, Scoring, conduct, json, table};

use crate::failure::{CheckFailed, one_line};
use crate::games::{GameName, with_game};

/// Arguments of `suite`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur suite wac.epd --movetime 1000 --concurrency 2
  secateur suite wac.epd ecm.epd.zip --nodes 100000 --json
  secateur suite wac.epd --depth 10 --engine secateur --engine \"secateur preset=bare\"
  secateur suite lct2.epd --movetime 600000 --engine \"gnuchess --uci\" --out lct2
  secateur suite --resume lct2
  secateur suite wac.epd --nodes 100000 --judge \"stockfish movetime=1000\"
  secateur suite fforum-1-19.obf --nodes 100000

Files are EPD in chess (bm, am, dm, or points as in c0 \"e4=10, Nf3=5\") and OBF in Othello. Where a
line has both bm and am, only bm counts. A mate (dm) is solved by announcing it or a shorter one, or
by playing bm. The time to a solution is that from which on the best move was right to the end.

--judge says how much worse the wrong moves are: it values the position, and the position after the
move, each with its own limit; shown is the difference in hundredths of a pawn or disc. A mate in n
plies counts 10,000 - n and nothing else more than 9,000, so a mate missed in a game that is won all
the same costs much, and the summary says how many such there are. With --resume it may be given to a
run that had no judge, or another; nothing is judged twice by the same.

At fixed nodes or depth ours thinks in this process and finds the same however many think at once;
with --movetime, threads or options it is a program of its own like any other.")]
pub(super) struct Arguments {
    /// Files of problems, zipped or not
    #[arg(value_name = "FILE", required_unless_present = "resume")]
    files: Vec<PathBuf>,
    /// The game; told by the ending of the first file unless given
    #[arg(long, value_enum, value_name = "GAME")]
    game: Option<GameName>,
    /// Search to this depth
    #[arg(long, value_name = "PLIES")]
    depth: Option<NonZeroU32>,
    /// Search so many nodes
    #[arg(long, value_name = "N")]
    nodes: Option<NonZeroU64>,
    /// Search for so many milliseconds
    #[arg(long, value_name = "MS")]
    movetime: Option<NonZeroU64>,
    /// An engine: `secateur` or a program, its arguments, then settings such as nodes=5000,
    /// preset=bare, option.Hash=64; may be repeated, and the first is what others are compared with
    #[arg(long = "engine", value_name = "SPEC")]
    engines: Vec<String>,
    /// Settings for every engine
    #[arg(long, value_name = "SETTINGS")]
    each: Option<String>,
    /// What earns points
    #[arg(long, value_enum, default_value_t = ScoringName::Plain)]
    scoring: ScoringName,
    /// End a search when its answer has been right for K plies
    #[arg(long, value_name = "K")]
    stop_when_solved: Option<NonZeroU32>,
    /// Leave out lines that cannot be read, and say how many
    #[arg(long)]
    skip_broken: bool,
    /// An engine that says what each wrong move costs, described like --engine, with a limit of its own
    #[arg(long, value_name = "SPEC")]
    judge: Option<String>,
    /// From how many hundredths on a cost is counted as much [default: 200]
    #[arg(long, value_name = "N")]
    blunder: Option<NonZeroU32>,
    /// Positions at once [default: 1]
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZeroUsize>,
    /// Use more threads than there are processors
    #[arg(long)]
    force: bool,
    /// Keep the run in this folder: run.toml, results.jsonl with a line for each position, and
    /// judged.jsonl with one for each move judged
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    out: Option<PathBuf>,
    /// Go on with the run in this folder, as it was begun
    #[arg(long, value_name = "DIR", conflicts_with_all = ["files", "game", "depth", "nodes", "movetime", "engines", "each", "stop_when_solved", "skip_broken"])]
    resume: Option<PathBuf>,
    /// List every position that was not solved
    #[arg(short, long)]
    verbose: bool,
    /// Print one JSON object, totals first
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ScoringName {
    /// The move: its points in the file, or 10 for the right one
    Plain,
    /// The value (1), the move (2) and up to two later moves of the file's line (1 each)
    Graded,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let (game, order, concurrency) = match &arguments.resume {
        None => {
            let game = game_of(arguments);
            (game, order_of(arguments, game), 1)
        }
        Some(folder) => {
            let run = RunFile::read(folder)?;
            let game = GameName::from_str(&run.order.game, true)
                .map_err(|_| anyhow!("this program does not know the game {}", run.order.game))?;
            if arguments.scoring == ScoringName::Graded && run.order.scoring == Scoring::Plain {
                bail!("the run was begun with --scoring plain and goes on like that");
            }
            // These decide no result, so they may change.
            let judge = arguments.judge.clone().or(run.order.judge);
            let blunder = arguments.blunder.map(NonZeroU32::get).or(run.order.blunder);
            (game, Order { judge, blunder, ..run.order }, run.concurrency)
        }
    };
    let how = Circumstances {
        concurrency: arguments.concurrency.map_or(concurrency, NonZeroUsize::get),
        force: arguments.force,
        ours: std::env::current_exe().context("this program's own file cannot be found")?,
        out: arguments.out.clone(),
        resume: arguments.resume.clone(),
        interrupt: Arc::new(AtomicBool::new(false)),
    };
    with_game!(game, G => measure::<G>(arguments, &order, &how))
}

fn measure<G: ProblemFiles>(
    arguments: &Arguments,
    order: &Order,
    how: &Circumstances,
) -> anyhow::Result<()> {
    // Beside the results, which have a form of their own; nobody may be there to read it.
    let mut note = |what: String| drop(writeln!(io::stderr(), "note: {}", one_line(&what)));
    interrupt::raises(&how.interrupt);
    let findings = conduct::<G>(order, how, &mut note).map_err(as_failure)?;
    let text = match arguments.json {
        true => format!("{:#}\n", json::object(&findings)),
        false => table::text(&findings, arguments.verbose),
    };
    io::stdout().write_all(text.as_bytes())?;
    if let Some(why) = findings.judge.as_ref().and_then(|judge| judge.failure.as_ref()) {
        return Err(CheckFailed(format!("the judge: {why}")).into());
    }
    let complete = findings.is_complete() && findings.is_judged();
    if how.interrupt.load(Ordering::Relaxed) && !complete {
        let folder = how.resume.as_ref().or(how.out.as_ref());
        let how_on = folder.map(|folder| format!("; --resume {} goes on", folder.display()));
        return Err(CheckFailed(format!("interrupted{}", how_on.unwrap_or_default())).into());
    }
    Ok(())
}

/// An engine that cannot be had is bad input; one that dies is a run that failed.
fn as_failure(error: anyhow::Error) -> anyhow::Error {
    match error.downcast_ref::<Fault>() {
        None => error,
        Some(fault) => match fault.kind {
            FaultKind::DidNotStart(_) | FaultKind::BadOption(_) => error,
            _ => CheckFailed(fault.to_string()).into(),
        },
    }
}

fn order_of(arguments: &Arguments, game: GameName) -> Order {
    Order {
        game: with_game!(game, G => <G as secateur_search::Notation>::NAME).to_string(),
        files: arguments.files.iter().map(|file| from_anywhere(file)).collect(),
        engines: arguments.engines.clone(),
        each: arguments.each.clone(),
        depth: arguments.depth.map(NonZeroU32::get),
        nodes: arguments.nodes.map(NonZeroU64::get),
        movetime: arguments.movetime.map(NonZeroU64::get),
        scoring: match arguments.scoring {
            ScoringName::Plain => Scoring::Plain,
            ScoringName::Graded => Scoring::Graded,
        },
        stop_when_solved: arguments.stop_when_solved.map(NonZeroU32::get),
        skip_broken: arguments.skip_broken,
        judge: arguments.judge.clone(),
        blunder: arguments.blunder.map(NonZeroU32::get),
    }
}

/// The game asked for, or the one whose files end like the first.
fn game_of(arguments: &Arguments) -> GameName {
    let told = || {
        let file = arguments.files.first()?;
        GameName::value_variants().iter().copied().find(|game| {
            with_game!(*game, G => <G as ProblemFiles>::ENDINGS.iter().any(|end| ends(file, end)))
        })
    };
    arguments.game.or_else(told).unwrap_or_default()
}

fn ends(file: &Path, ending: &str) -> bool {
    let name = file.to_string_lossy().to_ascii_lowercase();
    name.strip_suffix(".zip").unwrap_or(&name).ends_with(&format!(".{ending}"))
}
