//! The search as a library: give it a position and limits, get reports and an answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

use super::choice::{Decided, Thoughts};
pub use super::limits::{Answer, Limits, Report};
use super::root::{Found, RootMove};
use super::searcher::{RootFacts, is_last};
use super::table::Table;
use super::threads::{Job, vote};
use super::worker::Worker;
use super::{Control, Shared};
use crate::bstar::OddsTable;
use crate::calibrate::plan::Plan;
use crate::calibrate::rank_plan::{RankPlan, Terms};
use crate::calibrate::ranks::Ranks;
use crate::calibrate::reductions::Reductions;
use crate::observe::{Observer, Silent};
use crate::preset::Settings;
use crate::selective::draft_cut::{DraftCut, DraftCutForm};
use crate::selective::probcut::{self, ProbCutHost};
use crate::testkit::reference::moves as legal_moves;
use crate::{Depth, Evaluator, Line, Overlay, Score, Solver, Tactics};

/// The size of the table unless set, in mebibytes.
pub const DEFAULT_TABLE: usize = 16;

/// A table that cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no memory for a table of {mebibytes} MiB")]
pub struct OutOfMemory {
    /// The size asked for.
    pub mebibytes: usize,
}

/// Recursion needs room: the deepest line has some hundred plies. Threads of a search get this.
pub const STACK_BYTES: usize = 16 << 20;

/// A searcher with its memory: the table and what each thread has learned.
pub struct Engine<G: Tactics, E, S, O = Silent> {
    pub(super) shared: Shared,
    pub(super) workers: Vec<Worker<G, E, S, O>>,
    make: Box<dyn Fn() -> (E, S, O) + Send>,
    /// Where the evaluators come from since they were replaced.
    make_evaluator: Option<Box<dyn Fn() -> E + Send>>,
    /// Where the solvers come from since they were replaced.
    make_solver: Option<Box<dyn Fn() -> S + Send>>,
    pub(super) settings: Settings,
    pub(super) cuts: Option<Plan>,
    /// Whether that is one of the game's own, and whose searches it was fitted to.
    pub(super) own_cuts: Option<ProbCutHost>,
    pub(super) ranks: Option<Arc<Ranks>>,
    /// What is made of them, and on what terms.
    pub(super) rank_plan: Option<(Terms, RankPlan)>,
    pub(super) reductions: Option<Arc<Reductions>>,
    pub(super) odds: Option<Arc<OddsTable>>,
    start: G,
    pub(super) counters: Vec<Arc<AtomicU64>>,
    /// Whether the table may hold draws that only the moves before a search explain.
    pub(super) history_in_table: bool,
    /// What B\* has thought so far in this game.
    pub(super) thoughts: Option<Box<Thoughts<G>>>,
}

impl<G: Tactics, E: Evaluator<G>, S: Solver<G>, O: Observer> Engine<G, E, S, O> {
    /// An engine with one thread and a table of 16 mebibytes. `make` gives each thread its
    /// evaluator, solver and observer.
    pub fn new(start: G, make: impl Fn() -> (E, S, O) + Send + 'static) -> Engine<G, E, S, O> {
        let mut engine = Engine {
            shared: Shared::new(Table::smallest()),
            workers: Vec::new(),
            make: Box::new(make),
            make_evaluator: None,
            make_solver: None,
            settings: Overlay::default().in_game::<G>().in_force().clone().served_by(G::ABILITIES),
            cuts: None,
            own_cuts: None,
            ranks: None,
            rank_plan: None,
            reductions: None,
            odds: None,
            start,
            counters: Vec::new(),
            history_in_table: false,
            thoughts: None,
        };
        engine.set_threads(1);
        // Where not even this can be had, the smallest table stays.
        let _ = engine.set_table(DEFAULT_TABLE);
        engine
    }

    /// Replaces the settings; what the game cannot serve is off.
    pub fn set_settings(&mut self, settings: Settings) {
        self.settings = settings.served_by(G::ABILITIES);
        self.take_own_tables();
    }

    /// What is in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Replaces the table by an empty one of this size in mebibytes. Where the memory cannot be
    /// had, an empty one of the old size stays, or at worst the smallest.
    pub fn set_table(&mut self, mebibytes: usize) -> Result<(), OutOfMemory> {
        let before = self.shared.table.mebibytes();
        // The old one goes first: both at once might not fit.
        self.shared.table = Table::smallest();
        match Table::with_mebibytes(mebibytes) {
            Some(table) => {
                self.shared.table = table;
                Ok(())
            }
            None => {
                if let Some(table) = Table::with_mebibytes(before) {
                    self.shared.table = table;
                }
                Err(OutOfMemory { mebibytes })
            }
        }
    }

    /// Searches with so many threads from now on.
    pub fn set_threads(&mut self, threads: usize) {
        let threads = threads.max(1);
        self.workers.truncate(threads);
        while self.workers.len() < threads {
            let (evaluator, solver, observer) = (self.make)();
            let evaluator = self.make_evaluator.as_ref().map_or(evaluator, |make| make());
            let solver = self.make_solver.as_ref().map_or(solver, |make| make());
            self.workers.push(Worker::new(&self.start, evaluator, solver, observer));
        }
        self.counters = self.workers.iter().map(Worker::node_counter).collect();
    }

    /// Replaces the evaluator of every thread, and of those that come later. What was learned
    /// with the others is forgotten.
    pub fn set_evaluators(&mut self, make: impl Fn() -> E + Send + 'static) {
        self.workers.iter_mut().for_each(|worker| worker.evaluator = make());
        self.make_evaluator = Some(Box::new(make));
        self.new_game();
    }

    /// The evaluator of the first thread.
    pub fn evaluator(&self) -> &E {
        &self.workers[0].evaluator
    }

    /// Replaces the solver of every thread, and of those that come later.
    pub fn set_solvers(&mut self, make: impl Fn() -> S + Send + 'static) {
        self.workers.iter_mut().for_each(|worker| worker.solver = make());
        self.make_solver = Some(Box::new(make));
    }

    /// The solver of the first thread.
    pub fn solver(&self) -> &S {
        &self.workers[0].solver
    }

    /// Forgets everything that was learned: another game begins.
    pub fn new_game(&mut self) {
        self.shared.table.clear();
        self.history_in_table = false;
        self.thoughts = None;
        self.workers.iter_mut().for_each(Worker::forget);
    }

    /// Empties the table if a search with moves behind it has used it.
    pub(super) fn forget_history(&mut self) {
        if std::mem::take(&mut self.history_in_table) {
            self.shared.table.clear();
        }
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.shared.table
    }

    /// What the threads have observed.
    pub fn observers(&self) -> impl Iterator<Item = &O> {
        self.workers.iter().map(Worker::observer)
    }

    /// Counters of the nodes of each thread, readable while it searches.
    pub fn node_counters(&self) -> &[Arc<AtomicU64>] {
        &self.counters
    }

    /// Searches by alpha-beta. Reports come from the leading thread.
    pub(super) fn search_alphabeta(
        &mut self,
        position: &G,
        line: &Line<G::Mark>,
        limits: &Limits<G::Move>,
        begun: Instant,
        control: &Control,
        report: &mut (dyn FnMut(&Report<'_, G::Move>) + Send),
    ) -> Answer<G::Move> {
        let Some((moves, root)) = self.at_root(position, line, limits) else {
            return Answer::without_moves(position);
        };
        let job = Job {
            position,
            line,
            limits,
            moves: &moves,
            begun,
            node_limit: share_of(limits.nodes, self.workers.len()),
            in_company: self.workers.len() > 1,
            shared: &self.shared,
            settings: &self.settings,
            cuts: self.cuts.as_ref().unwrap_or(Plan::NONE),
            ranks: self.rank_plan.as_ref().map_or(RankPlan::NONE, |(_, plan)| plan),
            reductions: self.reductions.as_deref(),
            control,
            root,
        };
        let mut leader_report = Some(report);
        let found: Vec<Found<G::Move>> = thread::scope(|scope| {
            let threads: Vec<_> = self
                .workers
                .iter_mut()
                .enumerate()
                .map(|(index, worker)| {
                    let (job, report) = (&job, leader_report.take());
                    let work = move || match report {
                        Some(report) => job.lead(worker, &mut |line| report(line)),
                        None => job.follow(worker, index),
                    };
                    thread::Builder::new()
                        .name(format!("search {index}"))
                        .stack_size(STACK_BYTES)
                        .spawn_scoped(scope, work)
                })
                .collect();
            threads
                .into_iter()
                // A thread that could not be started, or died, has found nothing.
                .filter_map(|thread| thread.ok()?.join().ok())
                .collect()
        });
        self.answer(&found, &moves, root)
    }

    /// The same on the thread of the caller and by one worker only.
    pub(super) fn search_alphabeta_here(
        &mut self,
        position: &G,
        line: &Line<G::Mark>,
        limits: &Limits<G::Move>,
        begun: Instant,
        control: &Control,
        report: &mut dyn FnMut(&Report<'_, G::Move>),
    ) -> Answer<G::Move> {
        let Some((moves, root)) = self.at_root(position, line, limits) else {
            return Answer::without_moves(position);
        };
        let job = Job {
            position,
            line,
            limits,
            moves: &moves,
            begun,
            node_limit: share_of(limits.nodes, 1),
            in_company: false,
            shared: &self.shared,
            settings: &self.settings,
            cuts: self.cuts.as_ref().unwrap_or(Plan::NONE),
            ranks: self.rank_plan.as_ref().map_or(RankPlan::NONE, |(_, plan)| plan),
            reductions: self.reductions.as_deref(),
            control,
            root,
        };
        let found = [job.lead(&mut self.workers[0], report)];
        self.workers[1..].iter().for_each(Worker::reset_nodes);
        self.answer(&found, &moves, root)
    }

    /// The moves to consider and what is known of them; `None` if there are none.
    fn at_root(
        &mut self,
        position: &G,
        line: &Line<G::Mark>,
        limits: &Limits<G::Move>,
    ) -> Option<(Vec<RootMove<G::Move>>, RootFacts)> {
        let mut moves = legal_moves(position);
        if !limits.allowed.is_empty() {
            moves.retain(|m| limits.allowed.contains(m));
        }
        if moves.is_empty() {
            return None;
        }
        self.shared.begin();
        self.history_in_table |= line.current().reversible > 0;
        let solver = &mut self.workers[0].solver;
        let hits_before = solver.table_hits();
        let verdict = solver.at_root(position, line, &moves);
        let root = RootFacts {
            value: verdict.as_ref().map(|verdict| verdict.value),
            ask_below: verdict.as_ref().is_none_or(|verdict| !verdict.settled),
            hits_before,
        };
        let known: Vec<(G::Move, Option<Score>)> = match verdict {
            Some(verdict) => verdict.moves,
            None => moves.into_iter().map(|m| (m, None)).collect(),
        };
        Some((known.into_iter().map(|(m, known)| RootMove::new(m, known)).collect(), root))
    }

    fn answer(
        &self,
        found: &[Found<G::Move>],
        moves: &[RootMove<G::Move>],
        root: RootFacts,
    ) -> Answer<G::Move> {
        let nodes = self.counters.iter().map(|counter| counter.load(Relaxed)).sum();
        let best = vote(found).unwrap_or(&moves[0]);
        let depth = found.iter().map(|found| found.depth).max().unwrap_or(Depth::ZERO);
        let score = best.shown(root.value);
        let (line, decided) = (best.line.clone(), Decided::AlphaBeta);
        Answer { best: Some(best.m), score, line, depth, nodes, decided }
    }
}

/// What each of `workers` may search of all the nodes.
fn share_of(nodes: Option<u64>, workers: usize) -> u64 {
    nodes.map_or(u64::MAX, |nodes| (nodes / workers as u64).max(1))
}

/// How sure what is found will be, by the boldest cut that may be made.
pub(super) fn confidence<G: Tactics>(settings: &Settings, cuts: &Plan) -> u8 {
    let how = probcut::How::of(settings, cuts);
    let thresholds = (0..G::STAGES).map(|stage| how.threshold(stage, is_last::<G>(stage)));
    let by_probes = probcut::confidence(how.cut.form, thresholds.min().unwrap_or(0));
    let DraftCut { form, threshold, .. } = settings.draft_cut;
    let by_drafts = match form {
        DraftCutForm::Off => 0,
        _ => probcut::confidence_of(threshold),
    };
    by_probes.max(by_drafts)
}
