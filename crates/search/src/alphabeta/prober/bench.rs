//! A thread at its probes: searches of single moves that know nothing of what was before.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::alphabeta::audit::Books;
use crate::alphabeta::clock::Clock;
use crate::alphabeta::node::Expected;
use crate::alphabeta::searcher::{RootFacts, Searcher};
use crate::alphabeta::worker::Worker;
use crate::alphabeta::{Control, Shared};
use crate::bstar::{Hope, Probed};
use crate::calibrate::plan::Plan;
use crate::calibrate::rank_plan::RankPlan;
use crate::calibrate::reductions::Reductions;
use crate::observe::Observer;
use crate::optimism::{self, Hopeful, Searched};
use crate::preset::Settings;
use crate::{Depth, Evaluator, Score, Solver, Stopped};

/// What every probe of a search needs, whichever thread makes it.
pub(super) struct Desk<'a> {
    pub(super) shared: &'a Shared,
    pub(super) settings: &'a Settings,
    pub(super) cuts: &'a Plan,
    pub(super) ranks: &'a RankPlan,
    pub(super) reductions: Option<&'a Reductions>,
    pub(super) control: &'a Control,
    pub(super) confidence: u8,
    /// Nodes of all threads together.
    pub(super) nodes: Option<u64>,
    pub(super) counters: &'a [Arc<AtomicU64>],
    pub(super) threads: usize,
    /// Whether probes are made ahead, on the opponent's time.
    pub(super) ahead: AtomicBool,
}

impl Desk<'_> {
    /// Whether what is thought ahead is to end, for the opponent has moved.
    pub(super) fn has_turned(&self) -> bool {
        self.ahead.load(Relaxed) && !self.control.is_pondering()
    }

    pub(super) fn spent(&self) -> u64 {
        self.counters.iter().map(|counter| counter.load(Relaxed)).sum()
    }
}

/// One move to be probed.
pub(super) struct Job<G: Hopeful> {
    pub(super) position: G,
    pub(super) m: G::Move,
    pub(super) from_root: usize,
    pub(super) depth: Depth,
    pub(super) hope: bool,
}

/// One thread that probes.
pub(super) struct Bench<'a, G: Hopeful, E, S, O> {
    pub(super) desk: &'a Desk<'a>,
    pub(super) worker: &'a mut Worker<G, E, S, O>,
    /// The clock, if this thread watches it for all.
    pub(super) clock: Option<Clock>,
}

impl<G: Hopeful, E: Evaluator<G>, S: Solver<G>, O: Observer> Bench<'_, G, E, S, O> {
    /// A search that begins at `position`, and knows nothing of what was before; it makes so many moves
    /// before it first looks at its limits.
    pub(super) fn searcher(
        &mut self,
        position: &G,
        depth: Depth,
        before: u64,
    ) -> Result<Searcher<'_, G, E, S, O>, Stopped> {
        let desk = self.desk;
        if desk.has_turned() {
            return Err(Stopped);
        }
        let left = desk.nodes.map(|nodes| nodes.saturating_sub(desk.spent()));
        let share = left.map_or(u64::MAX, |left| left / desk.threads as u64);
        if share < before {
            desk.shared.stop_all();
            return Err(Stopped);
        }
        self.worker.restart(position);
        let node_limit = self.worker.nodes.saturating_add(share);
        let hits_before = self.worker.solver.table_hits();
        let mut searcher = Searcher {
            worker: &mut *self.worker,
            shared: desk.shared,
            settings: desk.settings,
            cuts: desk.cuts,
            ranks: desk.ranks,
            reductions: desk.reductions,
            confidence: desk.confidence,
            level: None,
            fitted: desk.settings.wants_cuts().any(),
            control: desk.control,
            clock: self.clock.as_ref(),
            // The move itself is a ply; and a probe, unlike a first iteration, is never too short to
            // look at the clock.
            iteration: (depth + 1).max(Depth::new(2)),
            next_look: 0,
            node_limit,
            root: RootFacts { value: None, ask_below: true, hits_before },
            in_company: false,
            selective: desk.settings.is_selective(),
            books: Books::default(),
            yields: true,
            root_material: position.material(),
            no_pass: None,
        };
        searcher.glance(position, None, position.in_check(), depth, 0);
        Ok(searcher)
    }

    /// The value of `m` in the window given, for its mover, and what follows it.
    pub(super) fn real<const PV: bool>(
        &mut self,
        position: &G,
        m: G::Move,
        (alpha, beta): (Score, Score),
        depth: Depth,
    ) -> Result<Valued<G::Move>, Stopped> {
        let child = position.after(m);
        let mut searcher = self.searcher(position, depth, 1)?;
        searcher.enter(0, position, m, &child);
        let value = searcher.node::<PV>(&child, -beta, -alpha, depth, 1, Expected::Cut);
        searcher.worker.publish_nodes();
        Ok((-value?, if PV { self.worker.principal(1).to_vec() } else { Vec::new() }))
    }

    /// The same if the opponent passes after `m`: the mover moves again. `None` where nobody can pass. Who
    /// asks with a closed window mostly hears no.
    pub(super) fn extra<const PV: bool>(
        &mut self,
        position: &G,
        m: G::Move,
        (alpha, beta): (Score, Score),
        depth: Depth,
    ) -> Result<Option<Valued<G::Move>>, Stopped> {
        let child = position.after(m);
        let Some(passed) = child.pass() else { return Ok(None) };
        let mut searcher = self.searcher(position, depth, 2)?;
        searcher.enter(0, position, m, &child);
        searcher.enter_pass(1, &passed);
        let expected = if PV { Expected::Cut } else { Expected::All };
        let value = searcher.node::<PV>(&passed, alpha, beta, depth, 2, expected);
        searcher.worker.publish_nodes();
        let line = if PV { self.worker.principal(2).to_vec() } else { Vec::new() };
        Ok(Some((value?, line)))
    }

    pub(super) fn hope(
        &mut self,
        position: &G,
        searched: Searched<'_, G::Move>,
        depth: Depth,
    ) -> Result<Hope, Stopped> {
        let how = &self.desk.settings.optimism;
        let (m, after) = (searched.m, position.after(searched.m));
        let extra = || self.extra::<true>(position, m, OPEN, depth);
        optimism::hope(how, position, &after, searched, extra)
    }

    pub(super) fn probe(&mut self, job: &Job<G>) -> Result<Probed<G::Move>, Stopped> {
        let Job { position, m, from_root, depth, hope } = job;
        let (real, line) = self.real::<true>(position, *m, OPEN, *depth)?;
        let mut probed = Probed { m: *m, real, line, hope: None };
        if *hope {
            let searched = Searched { m: *m, real, line: &probed.line, from_root: *from_root };
            probed.hope = Some(self.hope(position, searched, *depth)?);
        }
        Ok(probed)
    }
}

/// A value and the line behind it.
pub(super) type Valued<M> = (Score, Vec<M>);

/// The whole window.
pub(super) const OPEN: (Score, Score) = (Score::from_bits(i16::MIN), Score::from_bits(i16::MAX));

/// The closed window of a question. Everything reaches the lowest bound there is.
pub(super) fn against(bound: Score) -> (Score, Score) {
    let bound = bound.max(OPEN.0 + 1);
    (bound - 1, bound)
}
