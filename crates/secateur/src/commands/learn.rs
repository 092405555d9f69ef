//! `secateur learn`: games, training and a match in rounds; the better weights are kept.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{ArgGroup, Args};
use secateur_games::packed::Packed;
use secateur_games::playable::Playable;
use secateur_lab::cores;
use secateur_lab::learn::folder::{Folder, Order, Round};
use secateur_lab::learn::round::Circumstances;
use secateur_lab::learn::{Course, go_on};
use secateur_lab::train::fit::Plan;
use secateur_lab::values::grouped;
use serde_json::json;

use super::train::{RESULT_SHARE, command_line, share, start};
use crate::failure::Interrupted;
use crate::games::{GameName, with_game};
use crate::options::GameArguments;

/// Arguments of `learn`.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("where").required(true).args(["out", "resume"]),
    after_help = "\
Examples:
  secateur learn --game othello --rounds 3 --out othello
  secateur learn --rounds 2 --games 20000 --nodes 5000 --match-games 1000 --out chess
  secateur learn --resume othello                go on after Ctrl-C or a crash
  secateur learn --resume othello --rounds 5     two rounds more

Each round plays games with the best weights so far, trains on the games of all rounds, and lets the
new weights play a match against the best: who scores more is the best from then on. Everything is
kept in the folder; its best.weights is the result, for `eval=`, `--eval-file` and EvalFile."
)]
pub(super) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Rounds in all, those of a resumed run included [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    rounds: Option<u32>,
    /// Games to learn from in each round
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Nodes for each of their moves
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(50..=i64::MAX as u64))]
    nodes: u64,
    /// Epochs of training, at most
    #[arg(long, value_name = "N", default_value_t = Plan::default().epochs as u32, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    epochs: u32,
    /// How much the result of a game counts in training, from 0 to 1; the rest is the search's score
    #[arg(long, value_name = "SHARE", default_value_t = RESULT_SHARE, value_parser = share)]
    result_share: f64,
    /// Games of the match at the end of each round
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    match_games: u64,
    /// Nodes for each of their moves [default: as --nodes]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=i64::MAX as u64))]
    match_nodes: Option<u64>,
    /// The weights to start from: a file, `embedded`, `plain` (set by hand) or `zero`
    #[arg(long, value_name = "FILE", default_value = "embedded")]
    start: String,
    /// Where everything that is left to chance comes from
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=(i64::MAX as u64) / 2))]
    seed: u64,
    /// Games, or threads of training, at once [default: one for each processor]
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZeroUsize>,
    /// The folder for the run, which must be new or empty
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with the run in this folder; everything but the rounds is taken from there
    #[arg(
        long, value_name = "DIR",
        conflicts_with_all = [
            "game", "games", "nodes", "epochs", "result_share", "match_games", "match_nodes", "start", "seed",
        ],
    )]
    resume: Option<PathBuf>,
    /// Print one JSON object, totals first
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match (&arguments.out, &arguments.resume) {
        (_, Some(path)) => {
            let (folder, mut order) = Folder::open(path)?;
            if let Some(rounds) = arguments.rounds {
                order.rounds = rounds;
                folder.write_order(&order)?;
            }
            let game = GameName::called(&order.game)?;
            with_game!(game, G => conduct::<G>(arguments, &folder, &order, path))
        }
        (Some(path), None) => with_game!(arguments.game.game, G => begin::<G>(arguments, path)),
        // The argument parser demands one of them.
        (None, None) => Ok(()),
    }
}

fn begin<G: Playable + Packed>(arguments: &Arguments, path: &Path) -> anyhow::Result<()> {
    let weights = start::<G>(&arguments.start)?;
    let order = Order::of::<G>(Order {
        rounds: arguments.rounds.unwrap_or(3),
        seed: arguments.seed,
        games: arguments.games,
        nodes: arguments.nodes,
        epochs: arguments.epochs as usize,
        result_share: arguments.result_share,
        match_games: arguments.match_games,
        match_nodes: arguments.match_nodes.unwrap_or(arguments.nodes),
        command: command_line(),
        ..Order::default()
    });
    let folder = Folder::create(path, &order, &weights.write())?;
    conduct::<G>(arguments, &folder, &order, path)
}

fn conduct<G: Playable + Packed>(
    arguments: &Arguments,
    folder: &Folder,
    order: &Order,
    path: &Path,
) -> anyhow::Result<()> {
    let concurrency = arguments.concurrency.or(NonZeroUsize::new(cores::count()));
    let how = Circumstances {
        concurrency: concurrency.unwrap_or(NonZeroUsize::MIN),
        ours: std::env::current_exe().context("this program cannot be found")?,
    };
    let mut output = io::stdout();
    if !arguments.json {
        writeln!(output, "{}", heading())?;
    }
    let course = go_on::<G>(folder, order, &how, &mut |round, _| {
        if !arguments.json {
            writeln!(output, "{}", line(round))?;
        }
        Ok(())
    })?;
    if arguments.json {
        let text = as_json(folder, order, &course);
        output.write_all(text.as_bytes())?;
    } else {
        writeln!(output, "\nthe best weights are in {}", folder.best().display())?;
    }
    match course.interrupted {
        false => Ok(()),
        true => Err(Interrupted(format!(
            "interrupted in round {}; go on with: secateur learn --resume {}",
            course.rounds.len() + 1,
            path.display()
        ))
        .into()),
    }
}

fn heading() -> String {
    format!(
        "{:>5}  {:>11}  {:>7}  {:>5} {:>5} {:>5}  {:>14}",
        "round", "positions", "loss", "won", "drawn", "lost", "Elo"
    )
}

/// A round as a row of a table.
fn line(round: &Round) -> String {
    let elo = match (round.elo, round.error) {
        (Some(elo), Some(error)) => format!("{elo:+.0} +/- {error:.0}"),
        (Some(elo), None) => format!("{elo:+.0}"),
        _ => "unknown".to_string(),
    };
    let mut line = format!("{:>5}  {:>11}  ", round.round, grouped(round.positions));
    // Writing to a text does not fail.
    let _ = match round.loss {
        Some(loss) => write!(line, "{loss:>7.5}"),
        None => write!(line, "{:>7}", ""),
    };
    let _ = write!(line, "  {:>5} {:>5} {:>5}  {elo:>14}", round.wins, round.draws, round.losses);
    let met = round.wins + round.draws + round.losses > 0;
    line + match (round.kept, met) {
        (true, _) => "  better, kept",
        (false, true) => "  not better",
        (false, false) => "  nothing new",
    }
}

fn as_json(folder: &Folder, order: &Order, course: &Course) -> String {
    let kept = course.rounds.iter().filter(|round| round.kept).count();
    let all = json!({
        "rounds": course.rounds.len(),
        "planned": order.rounds,
        "kept": kept,
        "interrupted": course.interrupted,
        "best": folder.best().display().to_string(),
        "table": course.rounds,
    });
    format!("{all:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_is_a_row_that_says_what_became_of_it() {
        let round = Round {
            round: 2,
            positions: 12_345,
            loss: Some(0.51234),
            wins: 60,
            draws: 10,
            losses: 30,
            elo: Some(107.5),
            error: Some(60.2),
            kept: true,
        };
        let rows = [heading(), line(&round)];
        assert_eq!(rows[0].len(), rows[1].len() - "  better, kept".len());
        assert!(
            rows[1].ends_with("   60    10    30     +108 +/- 60  better, kept"),
            "{}",
            rows[1]
        );
        let nothing = Round { wins: 0, draws: 0, losses: 0, elo: None, kept: false, ..round };
        assert!(line(&nothing).ends_with("unknown  nothing new"));
    }
}
