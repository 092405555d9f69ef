//! `secateur bench`: a fixed amount of work, as a checksum of the search and a measure of speed.
//!
//! The last line has the form that OpenBench reads: `N nodes M nps`. The number of nodes is the
//! same on every machine and in every run; `bench.toml` holds it for each game and preset, and CI
//! compares.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use clap::Args;
use secateur_games::playable::{Playable, new_engine};
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::Limits;
use secateur_search::{Line, ParseError, Settings};
use serde_json::json;

use crate::games::with_game;
use crate::options::{GameArguments, SettingsArguments};
use crate::values::per_second;
use crate::{bench_against, bench_peers};

/// Arguments of `bench`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur bench
  secateur bench --game othello
  secateur bench --depth 8 --preset bare
  secateur bench --against HEAD~1        build that revision and compare the speed of both
  secateur bench --peer \"gnuchess --uci\"  the speed of another engine beside ours")]
pub(super) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    settings: SettingsArguments,
    /// Plies to search in each position; another depth gives another number of nodes
    #[arg(long, value_name = "PLIES")]
    depth: Option<i32>,
    /// Size of the transposition table in mebibytes; another size may give other nodes
    #[arg(long, value_name = "MIB", default_value_t = 16)]
    hash: usize,
    /// Build this git revision too, run both in turn and print the ratio of their speeds
    #[arg(long, value_name = "REVISION")]
    against: Option<String>,
    /// How often both are run with --against
    #[arg(long, value_name = "N", default_value_t = 7, requires = "against")]
    rounds: usize,
    /// Another UCI engine to run on the same positions in turn, as a command; may be repeated
    #[arg(long, value_name = "COMMAND", conflicts_with = "against")]
    peer: Vec<String>,
    /// How long each position is searched with --peer
    #[arg(long, value_name = "MS", default_value_t = 2_000, requires = "peer")]
    movetime: u64,
    /// Print one JSON object, totals first
    #[arg(long)]
    json: bool,
}

/// What was done.
struct Work {
    nodes: u64,
    elapsed: Duration,
    positions: Vec<(String, u64)>,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if let Some(revision) = &arguments.against {
        return bench_against::run(revision, arguments.rounds);
    }
    if !arguments.peer.is_empty() {
        return with_game!(arguments.game.game, G => {
            let positions = <G as Playable>::BENCH_POSITIONS;
            bench_peers::run(&arguments.peer, &positions[..positions.len().min(10)], arguments.movetime)
        });
    }
    let overlay = arguments.settings.read()?;
    let work = with_game!(arguments.game.game, G => {
        let depth = arguments.depth.unwrap_or(G::BENCH_DEPTH);
        bench::<G>(depth, arguments.hash, overlay.in_force())?
    });
    let text = if arguments.json { as_json(&work) } else { as_text(&work) };
    io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

fn bench<G: Playable>(depth: i32, hash: usize, settings: &Settings) -> anyhow::Result<Work> {
    let mut engine = new_engine::<G>();
    engine.set_table(hash)?;
    engine.set_settings(settings.clone());
    let mut work = Work { nodes: 0, elapsed: Duration::ZERO, positions: Vec::new() };
    for text in G::BENCH_POSITIONS {
        let position = G::read_position(text).map_err(|error: ParseError| {
            anyhow::anyhow!("the built-in position {text}: {error}")
        })?;
        // Every position alone, so that the order of the list does not matter.
        engine.new_game();
        let begun = Instant::now();
        let line = Line::starting_at(&position);
        let limits = Limits::depth(depth);
        let answer =
            engine.search(&position, &line, &limits, begun, &Control::default(), &mut |_| {});
        work.elapsed += begun.elapsed();
        work.nodes += answer.nodes;
        work.positions.push(((*text).to_string(), answer.nodes));
    }
    Ok(work)
}

fn as_text(work: &Work) -> String {
    let mut text = String::new();
    for (position, nodes) in &work.positions {
        text += &format!("{nodes:>10}  {position}\n");
    }
    text + &format!("{} nodes {} nps\n", work.nodes, per_second(work.nodes, work.elapsed))
}

fn as_json(work: &Work) -> String {
    let positions: Vec<_> = work
        .positions
        .iter()
        .map(|(position, nodes)| json!({ "nodes": nodes, "position": position }))
        .collect();
    let all = json!({
        "nodes": work.nodes,
        "nps": per_second(work.nodes, work.elapsed),
        "time_ms": work.elapsed.as_millis() as u64,
        "positions": positions,
    });
    format!("{all:#}\n")
}
