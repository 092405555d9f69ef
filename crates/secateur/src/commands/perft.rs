//! `secateur perft`: the leaves below a position.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use secateur_search::Game;
use secateur_search::perft::Perft;
use serde_json::{Map, Value, json};

#[cfg(feature = "chess")]
use super::perft_suite;
#[cfg(feature = "chess")]
use crate::games::GameName;
use crate::games::with_game;
use crate::options::{DEEPEST_COUNT, PositionArguments};
use secateur_games::playable::Playable;
use secateur_lab::progress::Progress;
use secateur_lab::values::per_second;

/// Arguments of `perft`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur perft 6
  secateur perft 4 --fen \"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -\"
  secateur perft 3 --moves \"e4 e5\" --divide
  secateur perft 9 --game othello
  secateur perft 5 --suite standard.epd chess960.epd --concurrency 2

The last line is always `nodes N` (with --json one object instead).")]
pub(super) struct Arguments {
    /// How many plies deep; with --suite, the deepest counts to check
    #[arg(value_parser = clap::value_parser!(u32).range(..=i64::from(DEEPEST_COUNT)))]
    depth: u32,
    #[command(flatten)]
    position: PositionArguments,
    /// Also print the count below each move
    #[arg(long)]
    divide: bool,
    /// Play the moves of the last ply too instead of only counting them (slower, checks more)
    #[arg(long)]
    no_bulk: bool,
    /// Check every position of these files: a FEN and `;D1 20 ;D2 400 ...` on each line
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["fen", "moves", "divide"])]
    suite: Vec<PathBuf>,
    /// Positions of a suite checked at once; all processors unless given
    #[arg(long, value_name = "N", requires = "suite")]
    concurrency: Option<std::num::NonZeroUsize>,
    /// Print one JSON object, totals first
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match arguments.suite.as_slice() {
        [] => with_game!(arguments.position.game.game, G => count::<G>(arguments)),
        files => check_suite(arguments, files),
    }
}

#[cfg(feature = "chess")]
fn check_suite(arguments: &Arguments, files: &[PathBuf]) -> anyhow::Result<()> {
    anyhow::ensure!(arguments.position.game.game == GameName::Chess, "--suite is for chess only");
    perft_suite::run(&perft_suite::Job {
        files,
        depth: arguments.depth,
        bulk: !arguments.no_bulk,
        concurrency: arguments.concurrency,
        json: arguments.json,
    })
}

#[cfg(not(feature = "chess"))]
fn check_suite(_arguments: &Arguments, _files: &[PathBuf]) -> anyhow::Result<()> {
    anyhow::bail!("--suite is for chess only, and this program was built without chess")
}

fn count<G: Playable>(arguments: &Arguments) -> anyhow::Result<()> {
    let given = arguments.position.read::<G>()?;
    for note in &given.notes {
        // Said beside the count, which has a form of its own.
        let _ = writeln!(io::stderr(), "note: {note}");
    }
    let position = given.record.position();
    let perft = Perft {
        bulk: !arguments.no_bulk,
        finished_is_leaf: G::FINISHED_GAMES_ARE_LEAVES,
        stop: None,
    };
    let progress = Progress::new(position.count_moves(), "moves");
    let mut parts: Vec<(G::Move, u64)> = Vec::new();
    let nodes = perft.divide(position, arguments.depth, |m, leaves| {
        progress.advance();
        parts.push((m, leaves));
    })?;
    let elapsed = progress.finish();
    let text = if arguments.json {
        as_json(arguments, position, nodes, elapsed, &parts)
    } else {
        let mut text = String::new();
        if arguments.divide {
            for (m, leaves) in &parts {
                text += &format!("{}: {leaves}\n", position.write_move(*m));
            }
        }
        text + &totals(nodes, elapsed)
    };
    io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

/// The last lines of every count.
pub(super) fn totals(nodes: u64, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    format!("time {seconds:.3} s, {} nodes/s\nnodes {nodes}\n", per_second(nodes, elapsed))
}

fn as_json<G: Playable>(
    arguments: &Arguments,
    position: &G,
    nodes: u64,
    elapsed: Duration,
    parts: &[(<G as Game>::Move, u64)],
) -> String {
    let mut all = Map::new();
    all.insert("nodes".into(), json!(nodes));
    all.insert("seconds".into(), json!(elapsed.as_secs_f64()));
    all.insert("nodes_per_second".into(), json!(per_second(nodes, elapsed)));
    all.insert("game".into(), json!(G::NAME));
    all.insert("position".into(), json!(position.write_position()));
    all.insert("depth".into(), json!(arguments.depth));
    if arguments.divide {
        let divide: Map<_, _> =
            parts.iter().map(|(m, leaves)| (position.write_move(*m), json!(leaves))).collect();
        all.insert("divide".into(), json!(divide));
    }
    format!("{:#}\n", Value::Object(all))
}
