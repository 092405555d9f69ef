//! `secateur oracle`: what an engine's choices cost, judged by a far deeper search.

use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use clap::Args;
use secateur_games::playable::Playable;
use secateur_lab::oracle::ask::{Role, Said};
use secateur_lab::oracle::conduct::{Cast, conduct, prepare};
use secateur_lab::oracle::losses::{Beside, Losses, MUCH, losses};
use secateur_lab::oracle::{KIND, Order};
use secateur_lab::statistics::bootstrap::Interval;
use secateur_lab::suite::conduct::from_anywhere;
use secateur_lab::values::rounded;
use secateur_lab::{cores, interrupt};
use secateur_search::Notation;
use serde_json::{Value, json};

use crate::failure::Interrupted;
use crate::games::{GameName, with_game};
use crate::options::GameArguments;

/// Arguments of `oracle`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur oracle --positions 4
  secateur oracle positions.epd --engine secateur --engine \"secateur null_move=off\" --nodes 5000 --out run
  secateur oracle --judge \"secateur preset=bare depth=10\" --judge \"stockfish nodes=200000\" --out run
  secateur oracle --game othello --positions 100 --out run
  secateur oracle --resume run

A judge values every move of every position: a far deeper search without forward pruning, and perhaps
another program for a second opinion. Each engine then chooses, and its choice costs what it is worth
less than the best. The second engine and those after it are set beside the first on the same
positions; over those where the two choose differently the difference is seen soonest. Intervals are
of 95 %: of shares by Wilson's formula, of differences by bootstrap over positions.

The judge is what takes time. The usual one needs a minute and a half of one processor for a position of
chess (a quarter of an hour for the usual 20 on two), and ten seconds for one of Othello; a ply more takes
three times as long. So many positions show gross differences only: keep a longer run with --out, from
which --resume goes on when it was ended.

Positions are those of files (as for match openings), or the openings that come with the program; of
more than --positions those are taken that are evenly spread over all. Openings are quiet: what is cheap
there may be dear in positions from the middle of games.")]
pub(super) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Files of positions: EPD, FEN or PGN in chess, transcripts or boards in Othello
    #[arg(value_name = "FILE", conflicts_with = "resume")]
    files: Vec<PathBuf>,
    /// No more positions than this, evenly spread over all
    #[arg(long, value_name = "N", default_value_t = 20, conflicts_with = "resume", value_parser = clap::value_parser!(u64).range(1..))]
    positions: u64,
    /// Who values the moves, with a limit; may be repeated [default: secateur preset=bare depth=9, in
    /// Othello depth=13]
    #[arg(long, value_name = "ENGINE", conflicts_with = "resume")]
    judge: Vec<String>,
    /// Who chooses; may be repeated [default: secateur]
    #[arg(long, value_name = "ENGINE", conflicts_with = "resume")]
    engine: Vec<String>,
    /// What all engines are told
    #[arg(long, value_name = "SETTINGS", default_value = "", conflicts_with = "resume")]
    each: String,
    /// Nodes for each choice
    #[arg(long, value_name = "N", default_value_t = 5_000, conflicts_with = "resume", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Positions at once [default: one for each processor]
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZeroUsize>,
    /// The folder for the run, which must be new or empty [default: none is kept]
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    out: Option<PathBuf>,
    /// Go on with the run in this folder
    #[arg(long, value_name = "DIR", conflicts_with = "game")]
    resume: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let temporary = std::env::temp_dir().join(format!("secateur-oracle-{}", std::process::id()));
    let (order, folder) = match (&arguments.resume, &arguments.out) {
        (Some(folder), _) => (Order::read(folder)?, folder),
        (None, Some(folder)) => (order(arguments), folder),
        (None, None) => (order(arguments), &temporary),
    };
    let game = GameName::called(&order.game)?;
    let done = with_game!(game, G => go::<G>(arguments, &order, folder));
    // What was to be kept is somewhere else; what cannot be removed is left to the system.
    let _ = fs::remove_dir_all(&temporary);
    done
}

/// Who judges unless somebody else is to. It prunes nothing and reduces nothing, and every move is searched
/// to this depth: the usual nodes take an engine that prunes to some nine plies, most of them reduced.
fn usual_judge(game: &str) -> &'static str {
    match game {
        "othello" => "secateur preset=bare depth=13",
        _ => "secateur preset=bare depth=9",
    }
}

fn order(arguments: &Arguments) -> Order {
    let game = with_game!(arguments.game.game, G => G::NAME);
    let or = |given: &Vec<String>, usual: &str| match given.is_empty() {
        true => vec![usual.to_string()],
        false => given.clone(),
    };
    Order {
        kind: KIND.to_string(),
        game: game.to_string(),
        files: arguments.files.iter().map(|file| from_anywhere(file)).collect(),
        positions: arguments.positions,
        judges: or(&arguments.judge, usual_judge(game)),
        engines: or(&arguments.engine, "secateur"),
        each: arguments.each.clone(),
        nodes: arguments.nodes,
    }
}

fn go<G: Playable>(arguments: &Arguments, order: &Order, folder: &Path) -> anyhow::Result<()> {
    let ours = std::env::current_exe().context("this program cannot be found")?;
    let cast = prepare::<G>(order, &ours)?;
    if arguments.resume.is_none() {
        order.begin(folder)?;
    }
    let flag = Arc::new(AtomicBool::new(false));
    interrupt::raises(&flag);
    let concurrency = arguments.concurrency.map_or_else(cores::count, NonZeroUsize::get);
    let said = conduct(&cast, folder, concurrency, &flag)?;
    interrupt::ends();
    let tables = tables(&cast, &said);
    let text = match arguments.json {
        true => format!("{:#}\n", as_json(&cast, &tables)),
        false => as_text(&cast, &said, &tables),
    };
    io::stdout().write_all(text.as_bytes())?;
    if flag.load(Ordering::Relaxed) {
        let words = match arguments.out.as_ref().or(arguments.resume.as_ref()) {
            Some(folder) => {
                format!("interrupted; go on with: secateur oracle --resume {}", folder.display())
            }
            None => "interrupted, and nothing was kept: --out keeps it".to_string(),
        };
        return Err(Interrupted(words).into());
    }
    Ok(())
}

/// An engine by a judge.
struct Row {
    judge: usize,
    engine: usize,
    losses: Losses,
    /// Beside the first engine.
    beside: Option<Beside>,
}

fn tables<G: Playable>(cast: &Cast<G>, said: &[Said]) -> Vec<Row> {
    let positions = cast.positions.len();
    let chosen = |engine: usize, position: usize| {
        let key = (Role::Engine, engine, position);
        said.iter().find(|line| line.key() == key)?.moves.first().map(|(text, _)| text)
    };
    let mut rows = Vec::new();
    for judge in 0..cast.judges.len() {
        let first = losses(said, judge, 0, positions);
        for engine in 0..cast.engines.len() {
            let losses = losses(said, judge, engine, positions);
            let same = |position: usize| chosen(0, position) == chosen(engine, position);
            let beside = match engine {
                0 => None,
                _ => first.beside(&losses, same),
            };
            rows.push(Row { judge, engine, losses, beside });
        }
    }
    rows
}

fn interval(found: Interval) -> String {
    let [value, low, high] = [found.value, found.low, found.high].map(|value| rounded(value, 1));
    format!("{value:+.1} ({low:+.1} to {high:+.1})")
}

/// A share in percent.
fn percent(share: Interval) -> String {
    let Interval { value, low, high } = share.times(100.0);
    format!("{value:.1} % ({low:.1}-{high:.1})")
}

fn as_text<G: Playable>(cast: &Cast<G>, said: &[Said], rows: &[Row]) -> String {
    let mut text = format!("{} positions with a choice: {}\n", cast.positions.len(), cast.origin);
    let faults = said.iter().filter(|line| line.fault.is_some()).count();
    if faults > 0 {
        text += &format!("{faults} questions were not answered: see answers.jsonl\n");
    }
    for (judge, contestant) in cast.judges.iter().enumerate() {
        text += &format!("\njudged by {}\n", contestant.spec.text);
        text += &format!("{:<28}{:>10}{:>20}", "engine", "positions", "mean cost");
        MUCH.iter().for_each(|much| text += &format!("{:>22}", format!("> {much}")));
        text += "\n";
        for row in rows.iter().filter(|row| row.judge == judge) {
            let mean = row.losses.mean().map_or(String::new(), |mean| {
                format!("{:.1} +- {:.1}", mean.value, mean.high - mean.value)
            });
            let name = &cast.engines[row.engine].name;
            text += &format!("{name:<28}{:>10}{mean:>20}", row.losses.count());
            for much in MUCH {
                let share = row.losses.share_beyond(much).map_or(String::new(), percent);
                text += &format!("{share:>22}");
            }
            text += "\n";
        }
        for row in rows.iter().filter(|row| row.judge == judge) {
            let Some(Beside { all, differing, there, beyond }) = row.beside else { continue };
            let (first, name) = (&cast.engines[0].name, &cast.engines[row.engine].name);
            text += &format!("{name} costs {} more than {first}", interval(all));
            if let Some(there) = there {
                text += &format!("; {} where they differ, {differing} positions", interval(there));
            }
            text += if all.excludes(0.0) { "\n" } else { ": not decided\n" };
            let points = |(much, more): (&i32, Option<Interval>)| {
                let more = more.map(|more| interval(more.times(100.0)));
                format!("> {much} {}", more.unwrap_or("never differs".to_string()))
            };
            let points: Vec<String> = MUCH.iter().zip(beyond).map(points).collect();
            text += &format!("    and so much more often, in percent: {}\n", points.join(", "));
        }
    }
    text
}

fn as_json<G: Playable>(cast: &Cast<G>, rows: &[Row]) -> Value {
    let shown =
        |found: Interval| json!({"value": found.value, "low": found.low, "high": found.high});
    let rows: Vec<Value> = rows
        .iter()
        .map(|row| {
            let beyond = |(index, much): (usize, &i32)| {
                let share = row.losses.share_beyond(*much);
                json!({
                    "cost": much,
                    "share": share.map(|share| share.value),
                    "interval": share.map(|share| [share.low, share.high]),
                    "more_than_first": row.beside.and_then(|beside| beside.beyond[index]).map(shown),
                })
            };
            let much: Vec<Value> = MUCH.iter().enumerate().map(beyond).collect();
            json!({
                "judge": cast.judges[row.judge].spec.text,
                "engine": cast.engines[row.engine].name,
                "positions": row.losses.count(),
                "mean_cost": row.losses.mean().map(shown),
                "beyond": much,
                "more_than_first": row.beside.map(|beside| shown(beside.all)),
                "differing": row.beside.map(|beside| beside.differing),
                "more_where_differing": row.beside.and_then(|beside| beside.there).map(shown),
            })
        })
        .collect();
    json!({"positions": cast.positions.len(), "origin": cast.origin, "engines": rows})
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_lab::engine::{EngineSpec, own};

    #[test]
    fn the_usual_judge_prunes_nothing_and_has_a_limit_of_its_own() {
        for game in ["chess", "othello"] {
            let spec = EngineSpec::parse(usual_judge(game)).unwrap();
            assert!(spec.settings.limits.complete().is_ok(), "{game}");
            let overlay = own::overlay(&spec).unwrap();
            assert!(!overlay.in_force().is_selective(), "{game}");
        }
    }
}
