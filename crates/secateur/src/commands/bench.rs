//! `secateur bench`: a fixed amount of work, as a checksum of the search and a measure of speed.
//!
//! The last line has the form that OpenBench reads: `N nodes M nps`. The number of nodes is the
//! same on every machine and in every run; `bench.toml` holds it for each game and preset, and CI
//! compares.

use std::io::{self, Write};
use std::time::Duration;

use anyhow::Context;
use clap::{ArgGroup, Args};
use secateur_games::playable::{GameEngine, Playable, new_engine, use_weights};
use secateur_lab::values::per_second;
use secateur_lab::weights_file;
use secateur_search::{Notation, Overlay};
use serde_json::json;

use crate::bench_beside::{self, searched};
use crate::games::with_game;
use crate::options::{CutsArguments, GameArguments, SettingsArguments};
use crate::uci_peer::Resources;
use crate::{bench_against, bench_latency, bench_peers, bench_scaling};

/// Arguments of `bench`.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("comparison").args(["against", "beside", "peer", "scaling", "latency"]),
    group = ArgGroup::new("in_rounds").args(["against", "beside", "scaling"]).multiple(true),
    group = ArgGroup::new("by_time").args(["peer", "scaling"]).multiple(true),
)]
#[command(after_help = "\
Examples:
  secateur bench
  secateur bench --game othello
  secateur bench --depth 8 --preset bare
  secateur bench --against HEAD~1        build that revision and compare the speed of both
  secateur bench --preset classic --depth 9 --beside \"rank_cut=on rank_cut.threshold=0\"   what a look-up costs
  secateur bench --peer \"gnuchess --uci\"  the speed of another engine beside ours
  secateur bench --scaling 2             what two threads are worth beside two processes
  secateur bench --latency               how soon stop is obeyed")]
pub(super) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    settings: SettingsArguments,
    #[command(flatten)]
    cuts: CutsArguments,
    /// Plies to search in each position; another depth gives another number of nodes
    #[arg(long, value_name = "PLIES")]
    depth: Option<i32>,
    /// Other weights for the evaluation, a file or `plain`; other weights give other nodes
    #[arg(long, value_name = "FILE", conflicts_with = "comparison")]
    eval_file: Option<String>,
    /// Size of the transposition table in mebibytes; another size may give other nodes
    #[arg(long, value_name = "MIB", default_value_t = 16)]
    hash: usize,
    /// Build this git revision too, run both in turn and print the ratio of their speeds
    #[arg(long, value_name = "REVISION")]
    against: Option<String>,
    /// Search every position under these settings as well, in turn, and print the ratio of the speeds
    #[arg(long, value_name = "SETTINGS")]
    beside: Option<String>,
    /// Another UCI engine to run on the same positions in turn, as a command; may be repeated
    #[arg(long, value_name = "COMMAND")]
    peer: Vec<String>,
    /// Run so many threads in one process and in as many processes: nodes, and time to --depth
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=256))]
    scaling: Option<u16>,
    /// Stop endless searches: how long the answers take
    #[arg(long, conflicts_with = "depth")]
    latency: bool,
    /// How often everything is run with --against or --beside [default: 7] or --scaling [default: 3]
    #[arg(long, value_name = "N", requires = "in_rounds", value_parser = clap::value_parser!(u16).range(1..))]
    rounds: Option<u16>,
    /// How long each position is searched with --peer [default: 2000] or --scaling [default: 1000]
    #[arg(long, value_name = "MS", requires = "by_time", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Print one JSON object, totals first
    #[arg(long, conflicts_with = "comparison")]
    json: bool,
}

impl Arguments {
    /// What decides how much is searched, for another process.
    fn again(&self) -> Vec<String> {
        let game = with_game!(self.game.game, G => <G as Notation>::NAME);
        let mut words = vec![format!("--game={game}"), format!("--hash={}", self.hash)];
        words.extend(self.depth.map(|depth| format!("--depth={depth}")));
        words.extend(self.settings.preset.iter().map(|preset| format!("--preset={preset}")));
        words.extend(self.settings.set.iter().map(|setting| format!("--set={setting}")));
        words.extend(self.cuts.cuts_file.iter().map(|file| format!("--cuts-file={file}")));
        words.extend(self.cuts.ranks_file.iter().map(|file| format!("--ranks-file={file}")));
        let reductions = self.cuts.reductions_file.iter();
        words.extend(reductions.map(|file| format!("--reductions-file={file}")));
        words.extend(self.cuts.odds_file.iter().map(|file| format!("--odds-file={file}")));
        words
    }
}

/// What was done.
struct Work {
    nodes: u64,
    elapsed: Duration,
    positions: Vec<(String, u64)>,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if let Some(revision) = &arguments.against {
        // In this process only so that what is wrong with them is said here.
        arguments.settings.read()?;
        let rounds = arguments.rounds.unwrap_or(7).into();
        return bench_against::run(revision, rounds, &arguments.again());
    }
    if !arguments.peer.is_empty() || arguments.scaling.is_some() || arguments.latency {
        // In this process only so that what is wrong with them is said here.
        arguments.settings.read()?;
        return with_game!(arguments.game.game, G => compare::<G>(arguments));
    }
    let overlay = arguments.settings.read()?;
    if let Some(settings) = &arguments.beside {
        let other = bench_beside::overlaid(&overlay, settings).context("--beside")?;
        return with_game!(arguments.game.game, G => {
            let (mut engine, depth) = prepared::<G>(arguments, &overlay)?;
            let (mut other, _) = prepared::<G>(arguments, &other).context("--beside")?;
            let rounds = arguments.rounds.unwrap_or(7).into();
            bench_beside::run(&mut engine, &mut other, depth, rounds)
        });
    }
    let work = with_game!(arguments.game.game, G => {
        let (mut engine, depth) = prepared::<G>(arguments, &overlay)?;
        bench(&mut engine, depth)?
    });
    let text = if arguments.json { as_json(&work) } else { as_text(&work) };
    io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

/// An engine as the arguments want it, with these settings, and the depth that it is to search to.
fn prepared<G: Playable>(
    arguments: &Arguments,
    overlay: &Overlay,
) -> anyhow::Result<(GameEngine<G>, i32)> {
    let mut engine = new_engine::<G>();
    if let Some(path) = &arguments.eval_file {
        use_weights(&mut engine, &weights_file::load(path).context("--eval-file")?);
    }
    let settings = overlay.served_by::<G>()?;
    // A whole tree of the usual depth would take days.
    let usual = if settings.is_selective() { G::BENCH_DEPTH } else { G::BENCH_DEPTH / 2 };
    engine.set_settings(settings);
    arguments.cuts.give(&mut engine)?;
    engine.set_table(arguments.hash)?;
    Ok((engine, arguments.depth.unwrap_or(usual)))
}

/// Everything that is measured in processes of their own.
fn compare<G: Playable>(arguments: &Arguments) -> anyhow::Result<()> {
    let (settings, positions) = (&arguments.settings, G::BENCH_POSITIONS);
    if let Some(threads) = arguments.scaling {
        // Some suffice: every one of them is searched four times a round.
        let step = positions.len().div_ceil(6);
        let positions: Vec<&str> = positions.iter().copied().step_by(step).collect();
        return bench_scaling::run(&bench_scaling::Job {
            game: G::NAME,
            settings,
            threads: threads.into(),
            hash: arguments.hash,
            positions: &positions,
            milliseconds: arguments.movetime.unwrap_or(1_000),
            depth: arguments.depth,
            rounds: arguments.rounds.unwrap_or(3).into(),
        });
    }
    if arguments.latency {
        let resources = Resources { hash: arguments.hash, threads: 1 };
        return bench_latency::run(G::NAME, settings, resources, positions);
    }
    let positions = &positions[..positions.len().min(10)];
    let milliseconds = arguments.movetime.unwrap_or(2_000);
    bench_peers::run(G::NAME, settings, &arguments.peer, positions, milliseconds)
}

fn bench<G: Playable>(engine: &mut GameEngine<G>, depth: i32) -> anyhow::Result<Work> {
    let mut work = Work { nodes: 0, elapsed: Duration::ZERO, positions: Vec::new() };
    for text in G::BENCH_POSITIONS {
        let (nodes, elapsed) = searched(engine, text, depth)?;
        work.elapsed += elapsed;
        work.nodes += nodes;
        work.positions.push(((*text).to_string(), nodes));
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
