//! A search for the eye: its arguments, a live line on the terminal, and Ctrl-C.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Args;
use secateur_games::playable::{GameEngine, Playable, TablesWanted, new_engine, use_weights};
use secateur_games::record::Record;
use secateur_lab::{interrupt, weights_file};
use secateur_search::Depth;
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::clock::TimeLimits;
use secateur_search::alphabeta::engine::{Answer, DEFAULT_TABLE, Limits, Report};
use secateur_search::alphabeta::table::Bound;

use crate::live::{Live, nodes};
use crate::options::{CutsArguments, SettingsArguments};

/// What the engine is made of.
#[derive(Clone, Debug, Args)]
pub struct EngineArguments {
    /// Search threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub threads: u32,
    /// Size of the transposition table in mebibytes
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_TABLE as u32, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub hash: u32,
    /// Folders with Syzygy tablebases, joined by `:` (`;` on Windows); chess only
    #[arg(long, value_name = "PATH")]
    pub syzygy: Option<String>,
    /// Other weights for the evaluation: a file, or `plain` for those set by hand
    #[arg(long, value_name = "FILE")]
    pub eval_file: Option<String>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub cuts: CutsArguments,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub settings: SettingsArguments,
}

impl EngineArguments {
    /// The engine that the arguments describe.
    pub fn build<G: Playable>(&self) -> anyhow::Result<GameEngine<G>> {
        let overlay = self.settings.read()?;
        let mut engine = new_engine::<G>();
        engine.set_settings(overlay.served_by::<G>()?);
        engine.set_threads(self.threads as usize);
        if self.hash as usize != DEFAULT_TABLE {
            engine.set_table(self.hash as usize)?;
        }
        if let Some(path) = &self.eval_file {
            use_weights(&mut engine, &weights_file::load(path).context("--eval-file")?);
        }
        self.cuts.give(&mut engine)?;
        if let Some(path) = &self.syzygy {
            G::open_tables(&mut engine, &TablesWanted::all_in(path)).context("--syzygy")?;
        }
        Ok(engine)
    }
}

/// When a search ends. Where several limits are given, the first that is reached counts.
#[derive(Clone, Debug, Args)]
pub struct LimitArguments {
    /// Search so many plies deep
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u8).range(1..=Depth::MAX.plies() as i64))]
    pub depth: Option<u8>,
    /// Search so many nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Think for so many milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(i64).range(1..))]
    pub movetime: Option<i64>,
}

impl LimitArguments {
    /// Whether there is any.
    pub fn is_given(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.movetime.is_some()
    }

    /// The limits; so many milliseconds if none is given.
    pub fn read<M>(&self, default_time: Option<i64>) -> Limits<M> {
        let move_time = self.movetime.or(default_time.filter(|_| !self.is_given()));
        Limits {
            depth: self.depth.map(|plies| Depth::new(plies.into())),
            nodes: self.nodes,
            time: TimeLimits { move_time, ..TimeLimits::default() },
            ..Limits::default()
        }
    }
}

/// Unlike any other, for draws that shall be new in every game.
pub fn seed() -> u64 {
    RandomState::new().hash_one(0)
}

/// What a search has found, and how it went.
pub struct Thought<M> {
    /// What it has found.
    pub answer: Answer<M>,
    /// How long it took.
    pub elapsed: Duration,
    /// Whether Ctrl-C, or a report that wanted no more, ended it.
    pub stopped: bool,
}

/// A report, and how far the search was when it came.
pub struct Progress<'a, M> {
    /// What the search reports.
    pub report: &'a Report<'a, M>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
    /// To be told to stop.
    pub control: &'a Control,
    /// To be kept out of the way while printing.
    pub live: &'a Live,
}

/// Searches the position at the end of the record. Ctrl-C ends it early; meanwhile a line on the
/// terminal shows that something is going on.
pub fn think<G: Playable>(
    engine: &mut GameEngine<G>,
    record: &Record<G>,
    limits: &Limits<G::Move>,
    report: &mut (dyn FnMut(&Progress<'_, G::Move>) + Send),
) -> Thought<G::Move> {
    let control = Arc::new(Control::default());
    interrupt::stops(&control);
    let counters = engine.node_counters().to_vec();
    let live = Live::new(counters.clone());
    let begun = Instant::now();
    let (position, line) = (record.position(), record.line());
    let mut hand_on = |found: &Report<'_, G::Move>| {
        // Exact values come when an iteration is finished, bounds while it goes on.
        let finished = i32::from(found.bound == Bound::Exact);
        live.reach((found.depth + finished).plies());
        report(&Progress {
            report: found,
            nodes: nodes(&counters),
            elapsed: begun.elapsed(),
            control: &control,
            live: &live,
        });
    };
    let answer = engine.search(position, line, limits, begun, &control, &mut hand_on);
    let elapsed = begun.elapsed();
    drop(live);
    interrupt::ends();
    Thought { answer, elapsed, stopped: control.is_stopped() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_time_counts_only_if_nothing_else_is_given() {
        let none = LimitArguments { depth: None, nodes: None, movetime: None };
        let limits: Limits<()> = none.read(Some(700));
        assert_eq!((limits.depth, limits.nodes, limits.time.move_time), (None, None, Some(700)));
        assert_eq!(none.read::<()>(None).time.move_time, None);
        let deep = LimitArguments { depth: Some(9), ..none.clone() };
        let limits: Limits<()> = deep.read(Some(700));
        assert_eq!((limits.depth, limits.time.move_time), (Some(Depth::new(9)), None));
        let both = LimitArguments { nodes: Some(5), movetime: Some(3), ..none };
        let limits: Limits<()> = both.read(Some(700));
        assert_eq!((limits.nodes, limits.time.move_time), (Some(5), Some(3)));
    }
}
