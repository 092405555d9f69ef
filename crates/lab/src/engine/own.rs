//! Our own engine in this process: no pipe, no clock. At a fixed number of nodes or a fixed depth,
//! with one thread, the same game is the same every time. With a clock ours is a child process
//! like any other, so that a crash is isolated and nobody shares a processor unawares.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use secateur_games::playable::{GameEngine, Playable, new_engine, use_weights};
use secateur_games::record::Record;
use secateur_games::told::told;
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::{Limits, Report};
use secateur_search::alphabeta::table;
use secateur_search::{Depth, Overlay, Weights};

use super::fault::{Evidence, Fault, FaultKind};
use super::{
    Bound, BstarMove, EngineKind, EngineScore, EngineSettings, EngineSpec, GoLimit, Info, OnInfo,
    Opponent, PositionText, ScoreValue, SpecError, Thought,
};
use crate::{cuts_file, odds_file, ranks_file, reductions_file, weights_file};

/// Our own engine, as an opponent.
pub struct OwnEngine<G: Playable> {
    name: String,
    engine: GameEngine<G>,
    /// The position at the end of the last one asked for, so that a game is not replayed at every
    /// move.
    record: Record<G>,
    known: PositionText,
    interrupt: Arc<AtomicBool>,
}

impl<G: Playable> OwnEngine<G> {
    /// The engine that the description asks for; it must be one of ours, with one thread. Once
    /// `interrupt` is set no search begins, and one that runs ends soon.
    pub fn new(
        spec: &EngineSpec,
        name: &str,
        interrupt: Arc<AtomicBool>,
    ) -> Result<OwnEngine<G>, SpecError> {
        debug_assert!(matches!(spec.kind, EngineKind::Ours));
        let mut engine = new_engine::<G>();
        if let Some(weights) = weights(spec)? {
            use_weights(&mut engine, &weights);
        }
        let settings = overlay(spec)?.served_by::<G>();
        engine.set_settings(settings.map_err(|error| SpecError::new(error.to_string()))?);
        give_tables(spec, &mut engine)?;
        debug_assert!(spec.settings.threads.is_none_or(|threads| threads == 1));
        if let Some(mebibytes) = spec.settings.hash {
            engine
                .set_table(mebibytes as usize)
                .map_err(|error| SpecError::new(error.to_string()))?;
        }
        let record = Record::starting_at(G::start());
        let known = PositionText::default();
        Ok(OwnEngine { name: name.to_string(), engine, record, known, interrupt })
    }

    /// Brings the record to the position asked for, playing only what is new.
    fn go_to(&mut self, position: &PositionText) -> Result<(), String> {
        let follows =
            self.known.start == position.start && position.moves.starts_with(&self.known.moves);
        if !follows {
            let start = match &position.start {
                None => G::start(),
                Some(text) => G::read_with_notes(text).map_err(|error| error.to_string())?.0,
            };
            self.record = Record::starting_at(start);
            self.known = PositionText { start: position.start.clone(), moves: Vec::new() };
        }
        for text in &position.moves[self.known.moves.len()..] {
            self.record.play_all([text.as_str()]).map_err(|error| error.to_string())?;
            self.known.moves.push(text.clone());
        }
        Ok(())
    }
}

/// What is in force in one of our engines.
pub fn overlay(spec: &EngineSpec) -> Result<Overlay, SpecError> {
    let mut overlay = Overlay::default();
    if let Some(preset) = &spec.settings.preset {
        overlay.choose(preset).map_err(|error| SpecError::new(error.to_string()))?;
    }
    for (name, value) in &spec.settings.parameters {
        overlay.set(name, value).map_err(|error| SpecError::new(error.to_string()))?;
    }
    Ok(overlay)
}

/// The weights that one of our engines is to play with, if it names any.
pub fn weights<G: Playable>(spec: &EngineSpec) -> Result<Option<Weights<G>>, SpecError> {
    let load = |path: &String| {
        weights_file::load(path).map_err(|error| SpecError::new(format!("eval: {error:#}")))
    };
    spec.settings.eval.as_ref().map(load).transpose()
}

/// Gives one of our engines, with its settings and weights, the tables of cuts, ranks, reductions and
/// probabilities that its description names, and sees whether it has such as fit if it needs any.
fn give_tables<G: Playable>(
    spec: &EngineSpec,
    engine: &mut GameEngine<G>,
) -> Result<(), SpecError> {
    if let Some(path) = &spec.settings.cuts {
        let wrong = |error| SpecError::new(format!("cuts: {error:#}"));
        if let Some(cuts) = cuts_file::load::<G>(path).map_err(wrong)? {
            engine.set_cuts(&cuts);
        }
    }
    if let Some(path) = &spec.settings.ranks {
        let wrong = |error| SpecError::new(format!("ranks: {error:#}"));
        if let Some(ranks) = ranks_file::load::<G>(path).map_err(wrong)? {
            engine.set_ranks(ranks);
        }
    }
    if let Some(path) = &spec.settings.reductions {
        let wrong = |error| SpecError::new(format!("reductions: {error:#}"));
        if let Some(table) = reductions_file::load::<G>(path).map_err(wrong)? {
            engine.set_reductions(table);
        }
    }
    if let Some(path) = &spec.settings.odds {
        let wrong = |error| SpecError::new(format!("odds: {error:#}"));
        if let Some(table) = odds_file::load::<G>(path).map_err(wrong)? {
            engine.set_odds(table);
        }
    }
    engine.check_odds().map_err(|error| SpecError::new(error.to_string()))?;
    engine.check_reductions().map_err(|error| SpecError::new(error.to_string()))?;
    engine.check_ranks().map_err(|error| SpecError::new(error.to_string()))?;
    engine.check_cuts().map_err(|error| SpecError::new(error.to_string()))
}

/// Sees whether one of our engines has tables that fit, if it needs any, before it is started as a program of its own: that would only say so, and play without.
pub fn check_tables<G: Playable>(spec: &EngineSpec) -> Result<(), SpecError> {
    let overlay = overlay(spec)?;
    let overlaid = overlay.in_game::<G>();
    let settings = overlaid.in_force();
    let EngineSettings { cuts, ranks, reductions, odds, .. } = &spec.settings;
    let names = [cuts, ranks, reductions, odds].into_iter().any(Option::is_some);
    let wants = settings.wants_cuts().any()
        || settings.wants_ranks()
        || settings.wants_reductions()
        || settings.wants_odds();
    if !names && !wants {
        return Ok(());
    }
    let mut engine = new_engine::<G>();
    if let Some(weights) = weights(spec)? {
        use_weights(&mut engine, &weights);
    }
    let settings = overlay.served_by::<G>();
    engine.set_settings(settings.map_err(|error| SpecError::new(error.to_string()))?);
    give_tables(spec, &mut engine)
}

/// A report as engines tell it, in the same units as ours does through the protocol.
fn info<G: Playable>(
    position: &G,
    found: &Report<'_, G::Move>,
    nodes: u64,
    elapsed: Duration,
) -> Info {
    let bound = match found.bound {
        table::Bound::Lower => Bound::Lower,
        table::Bound::Upper => Bound::Upper,
        table::Bound::Exact | table::Bound::None => Bound::Exact,
    };
    let score = told(position, found.score);
    let mut position = position.clone();
    let write = |m: &G::Move| {
        let text = position.write_move(*m);
        position.play(*m);
        text
    };
    Info {
        depth: Some(found.depth.plies() as u32),
        selective_depth: Some(found.selective_depth as u32),
        multi_pv: Some(found.line_number as u32),
        score: Some(EngineScore { value: ScoreValue::of(score), bound }),
        nodes: Some(nodes),
        time: Some(elapsed.as_millis() as u64),
        table_hits: Some(found.table_hits),
        hash_full: Some(found.fullness as u32),
        line: found.line.iter().map(write).collect(),
        ..Info::default()
    }
}

impl<G: Playable> Opponent for OwnEngine<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, _chess960: bool) -> Result<(), Fault> {
        self.engine.new_game();
        Ok(())
    }

    fn think(
        &mut self,
        position: &PositionText,
        limit: &GoLimit,
        on_info: &mut OnInfo<'_>,
    ) -> Result<Thought, Fault> {
        if self.interrupt.load(Relaxed) {
            return Err(self.blame(FaultKind::Interrupted));
        }
        self.go_to(position).map_err(|why| self.blame(FaultKind::IllegalOutput(why)))?;
        let limits = Limits {
            depth: limit.depth.map(|plies| Depth::new(plies as i32)),
            nodes: limit.nodes,
            ..Limits::default()
        };
        debug_assert!(limits.depth.is_some() || limits.nodes.is_some(), "would never end");
        let begun = Instant::now();
        let control = Control::default();
        let counter = Arc::clone(&self.engine.node_counters()[0]);
        let interrupt = Arc::clone(&self.interrupt);
        let mut thought = Thought::default();
        let (position, line) = (self.record.position(), self.record.line());
        let mut report = |found: &Report<'_, G::Move>| {
            let info = info(position, found, counter.load(Relaxed), begun.elapsed());
            thought.learn(&info);
            if on_info(&info, begun.elapsed()).is_break() || interrupt.load(Relaxed) {
                control.stop();
            }
        };
        let answer = self.engine.search_here(position, line, &limits, begun, &control, &mut report);
        thought.time_spent = begun.elapsed();
        if self.interrupt.load(Relaxed) {
            return Err(self.blame(FaultKind::Interrupted));
        }
        let Some(best) = answer.best else {
            let nothing = "a move was asked for where there is none".to_string();
            return Err(self.blame(FaultKind::IllegalOutput(nothing)));
        };
        thought.best_move = self.record.position().write_move(best);
        thought.nodes = Some(answer.nodes);
        thought.bstar = BstarMove::of(answer.decided);
        thought.own_time = Some(thought.time_spent.as_millis() as u64);
        Ok(thought)
    }

    fn restart(&mut self) -> Result<(), Fault> {
        self.engine.new_game();
        Ok(())
    }

    fn blame(&self, kind: FaultKind) -> Fault {
        Fault { engine: self.name.clone(), kind, evidence: Box::new(Evidence::default()) }
    }
}
