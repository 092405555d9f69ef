//! The search as a library: give it a position and limits, get reports and an answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

use super::audit::Books;
use super::choice::{Decided, Thoughts};
use super::clock::{Clock, TimeLimits};
use super::root::{Found, RootMove};
use super::searcher::{RootFacts, Searcher, is_last};
use super::table::{Bound, Table};
use super::worker::Worker;
use super::{Control, Shared};
use crate::bstar::how::{BstarModel, BstarOddsTableForm};
use crate::bstar::{OddsError, OddsTable};
use crate::calibrate::cuts::{Cuts, CutsError};
use crate::calibrate::plan::Plan;
use crate::calibrate::rank_plan::{RankPlan, Terms};
use crate::calibrate::ranks::{Ranks, RanksError};
use crate::calibrate::reductions::{Reductions, ReductionsError};
use crate::calibrate::unrest;
use crate::observe::{Observer, Silent};
use crate::preset::Settings;
use crate::selective::draft_cut::{DraftCut, DraftCutForm};
use crate::selective::late_moves::LateMovesTableForm;
use crate::selective::probcut::{self, ProbCutHost, ProbCutTableForm};
use crate::selective::rank_cut::{self, RankCutTableForm};
use crate::testkit::reference::moves as legal_moves;
use crate::{Depth, Evaluator, Line, Overlay, Score, Solver, Tactics};

/// When a search ends. Nothing set means: when it is stopped.
#[derive(Clone, Debug)]
pub struct Limits<M> {
    /// The deepest iteration.
    pub depth: Option<Depth>,
    /// So many moves made, by all threads together.
    pub nodes: Option<u64>,
    /// A mate in so many moves is enough.
    pub mate: Option<u32>,
    /// The clock.
    pub time: TimeLimits,
    /// The only moves to consider at the root; all if empty.
    pub allowed: Vec<M>,
    /// How many best lines are wanted.
    pub lines: usize,
}

impl<M> Default for Limits<M> {
    fn default() -> Limits<M> {
        Limits {
            depth: None,
            nodes: None,
            mate: None,
            time: TimeLimits::default(),
            allowed: Vec::new(),
            lines: 1,
        }
    }
}

impl<M> Limits<M> {
    /// To this depth.
    pub fn depth(plies: i32) -> Limits<M> {
        Limits { depth: Some(Depth::new(plies)), ..Limits::default() }
    }

    /// So many nodes.
    pub fn nodes(nodes: u64) -> Limits<M> {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// So many milliseconds.
    pub fn move_time(milliseconds: i64) -> Limits<M> {
        let time = TimeLimits { move_time: Some(milliseconds), ..TimeLimits::default() };
        Limits { time, ..Limits::default() }
    }
}

/// What is known after an iteration, or about a line of it.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a, M> {
    /// The depth of the iteration.
    pub depth: Depth,
    /// The longest line that was looked at.
    pub selective_depth: usize,
    /// 1 for the best line, 2 for the next, ...
    pub line_number: usize,
    /// Its value for the side to move.
    pub score: Score,
    /// Whether that is the value or only a bound so far.
    pub bound: Bound,
    /// The line itself.
    pub line: &'a [M],
    /// How sure the cuts of this iteration are, in percent, if it goes through levels.
    pub percent: Option<u32>,
    /// How full the table is, in thousandths.
    pub fullness: usize,
    /// Positions that this search has found in tables of the solver.
    pub table_hits: u64,
    /// Positions that B\* has expanded, if it is what searches.
    pub expansions: Option<u64>,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Answer<M> {
    /// The best move; `None` if there is none.
    pub best: Option<M>,
    /// The value of the position for the side to move.
    pub score: Score,
    /// The best line.
    pub line: Vec<M>,
    /// The deepest finished iteration.
    pub depth: Depth,
    /// Moves made by all threads.
    pub nodes: u64,
    /// Which search has decided.
    pub decided: Decided,
}

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
    own_cuts: Option<ProbCutHost>,
    ranks: Option<Arc<Ranks>>,
    /// What is made of them, and on what terms.
    pub(super) rank_plan: Option<(Terms, RankPlan)>,
    pub(super) reductions: Option<Arc<Reductions>>,
    odds: Option<Arc<OddsTable>>,
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
        let host = &self.settings.probcut_host;
        let is_given = self.cuts.is_some() && self.own_cuts.is_none();
        if self.settings.wants_cuts().any() && !is_given && self.own_cuts.as_ref() != Some(host) {
            self.own_cuts = Some(host.clone());
            self.cuts = own_cuts::<G>(host).map(|own| own.plan());
        }
        if self.settings.wants_ranks() {
            self.plan_ranks();
        }
        if self.settings.wants_reductions() && self.reductions.is_none() {
            self.reductions = Reductions::parse(G::REDUCTIONS).ok().map(Arc::new);
        }
        if self.settings.wants_odds() && self.odds.is_none() {
            self.odds = OddsTable::parse(G::ODDS).ok().map(Arc::new);
        }
    }

    /// Sees to it that the chances of the ranks are those that the settings ask for.
    fn plan_ranks(&mut self) {
        let terms = rank_cut::terms(&self.settings);
        if self.rank_plan.as_ref().is_some_and(|(planned, _)| *planned == terms) {
            return;
        }
        if self.ranks.is_none() {
            self.ranks = Ranks::parse(G::RANKS).ok().map(Arc::new);
        }
        self.rank_plan = self.ranks.as_ref().map(|ranks| (terms, RankPlan::new(ranks, terms)));
    }

    /// What is in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Uses this table of cuts instead of the game's own.
    pub fn set_cuts(&mut self, cuts: &Cuts) {
        (self.cuts, self.own_cuts) = (Some(cuts.plan()), None);
    }

    /// Uses the game's own table of cuts.
    pub fn forget_cuts(&mut self) {
        (self.cuts, self.own_cuts) = (None, None);
        self.set_settings(self.settings.clone());
    }

    /// Uses this table of ranks instead of the game's own.
    pub fn set_ranks(&mut self, ranks: Arc<Ranks>) {
        self.ranks = Some(ranks);
        self.rank_plan = None;
        self.set_settings(self.settings.clone());
    }

    /// Uses the game's own table of ranks.
    pub fn forget_ranks(&mut self) {
        self.ranks = None;
        self.rank_plan = None;
        self.set_settings(self.settings.clone());
    }

    /// Whether there is a table of ranks that fits the evaluation, if settings ask for one.
    pub fn check_ranks(&self) -> Result<(), RanksError> {
        if !self.settings.wants_ranks() {
            return Ok(());
        }
        let fitted = self.settings.rank_cut_table.form == RankCutTableForm::Fitted;
        let evaluation = fitted.then(|| self.evaluator().identity());
        let (_, plan) = self.rank_plan.as_ref().ok_or(RanksError::Missing)?;
        plan.check_for(evaluation)
    }

    /// Uses this table of reductions instead of the game's own.
    pub fn set_reductions(&mut self, reductions: Arc<Reductions>) {
        self.reductions = Some(reductions);
    }

    /// Uses the game's own table of reductions.
    pub fn forget_reductions(&mut self) {
        self.reductions = None;
        self.set_settings(self.settings.clone());
    }

    /// Whether there is a table of reductions that fits the evaluation, if settings ask for one.
    pub fn check_reductions(&self) -> Result<(), ReductionsError> {
        if !self.settings.wants_reductions() {
            return Ok(());
        }
        let fitted = self.settings.late_moves_table.form == LateMovesTableForm::Fitted;
        let evaluation = fitted.then(|| self.evaluator().identity());
        self.reductions.as_ref().ok_or(ReductionsError::Missing)?.check_for(evaluation)
    }

    /// Uses this table of probabilities of B\*'s leaves instead of the game's own.
    pub fn set_odds(&mut self, odds: Arc<OddsTable>) {
        self.odds = Some(odds);
        // What was thought by another table is of no use.
        self.thoughts = None;
    }

    /// Uses the game's own table of probabilities.
    pub fn forget_odds(&mut self) {
        (self.odds, self.thoughts) = (None, None);
        self.set_settings(self.settings.clone());
    }

    /// The table of probabilities that B\* goes by, if it goes by one.
    pub(super) fn odds_in_force(&self) -> Option<Arc<OddsTable>> {
        self.odds.clone().filter(|_| self.settings.wants_odds())
    }

    /// Whether there is a table of probabilities that fits the evaluation and is better than the straight
    /// line, if settings ask for one.
    pub fn check_odds(&self) -> Result<(), OddsError> {
        if !self.settings.wants_odds() {
            return Ok(());
        }
        if self.settings.bstar.form != BstarModel::Target {
            return Err(OddsError::OtherModel);
        }
        let fitted = self.settings.bstar_odds_table.form == BstarOddsTableForm::Fitted;
        let evaluation = fitted.then(|| self.evaluator().identity());
        self.odds.as_ref().ok_or(OddsError::Missing)?.check_for(evaluation)
    }

    /// Whether there is a table of cuts that fits the game and the evaluation, if settings ask for one.
    /// Without [`probcut`] and those like it would be silent, or wrong.
    pub fn check_cuts(&self) -> Result<(), CutsError> {
        let settings = &self.settings;
        let wanted = settings.wants_cuts();
        if !wanted.any() {
            return Ok(());
        }
        let fitted = settings.probcut_table.form == ProbCutTableForm::Fitted;
        let evaluation = fitted.then(|| self.evaluator().identity());
        let plan = self.cuts.as_ref().ok_or(CutsError::Missing)?;
        plan.check_for([G::STAGES, G::CATEGORIES], evaluation, wanted)?;
        if wanted.unrest { plan.check_unrest(&unrest::names::<G>()) } else { Ok(()) }
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

impl<M> Answer<M> {
    fn without_moves<G: Tactics<Move = M>>(position: &G) -> Answer<M> {
        let score = position.without_moves().score(0);
        let (line, decided) = (Vec::new(), Decided::AlphaBeta);
        Answer { best: None, score, line, depth: Depth::ZERO, nodes: 0, decided }
    }
}

/// The table of a game's own that was fitted to this host, or else its first.
fn own_cuts<G: Tactics>(host: &ProbCutHost) -> Option<Cuts> {
    // The contract of games sees to it that they can be read.
    let own = || G::CUTS.iter().filter_map(|text| Cuts::parse(text).ok());
    own().find(|cuts| cuts.preset() == host.preset()).or_else(|| own().next())
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

/// One search, as all its threads see it.
struct Job<'a, G: Tactics> {
    position: &'a G,
    line: &'a Line<G::Mark>,
    limits: &'a Limits<G::Move>,
    moves: &'a [RootMove<G::Move>],
    begun: Instant,
    node_limit: u64,
    in_company: bool,
    shared: &'a Shared,
    settings: &'a Settings,
    cuts: &'a Plan,
    ranks: &'a RankPlan,
    reductions: Option<&'a Reductions>,
    control: &'a Control,
    root: RootFacts,
}

impl<G: Tactics> Job<'_, G> {
    /// Searches, watches the clock, reports, and ends the search of the others.
    fn lead<E: Evaluator<G>, S: Solver<G>, O: Observer>(
        &self,
        worker: &mut Worker<G, E, S, O>,
        report: &mut dyn FnMut(&Report<'_, G::Move>),
    ) -> Found<G::Move> {
        let clock = Clock::new(self.begun, self.limits.time.budget(&self.settings.clock));
        let _ends = StopsAll(self.shared);
        self.work(worker, Some(&clock), Depth::ZERO, report)
    }

    /// Searches until the leader is done. Every other follower is an iteration ahead, so that its
    /// results are there when the leader comes to need them.
    fn follow<E: Evaluator<G>, S: Solver<G>, O: Observer>(
        &self,
        worker: &mut Worker<G, E, S, O>,
        index: usize,
    ) -> Found<G::Move> {
        self.work(worker, None, Depth::new((index % 2) as i32), &mut |_| {})
    }

    fn work<E: Evaluator<G>, S: Solver<G>, O: Observer>(
        &self,
        worker: &mut Worker<G, E, S, O>,
        clock: Option<&Clock>,
        ahead: Depth,
        report: &mut dyn FnMut(&Report<'_, G::Move>),
    ) -> Found<G::Move> {
        worker.begin(self.position, self.line);
        let mut searcher = Searcher {
            worker,
            shared: self.shared,
            settings: self.settings,
            cuts: self.cuts,
            ranks: self.ranks,
            reductions: self.reductions.filter(|_| self.settings.wants_reductions()),
            confidence: confidence::<G>(self.settings, self.cuts),
            level: None,
            fitted: self.settings.wants_cuts().any(),
            control: self.control,
            clock,
            iteration: Depth::ZERO,
            next_look: 0,
            node_limit: self.node_limit,
            root: self.root,
            in_company: self.in_company,
            selective: self.settings.is_selective(),
            books: Books::default(),
            yields: false,
            root_material: self.position.material(),
            no_pass: None,
        };
        let found =
            searcher.iterate(self.position, self.moves.to_vec(), self.limits, ahead, report);
        searcher.worker.publish_nodes();
        found
    }
}

/// Ends the search of all threads when it goes, even by a panic: nobody else would.
struct StopsAll<'a>(&'a Shared);

impl Drop for StopsAll<'_> {
    fn drop(&mut self) {
        self.0.stop_all();
    }
}

/// The move that most threads believe in, the deeper and the better the louder; of the threads
/// that chose it, the line of the deepest.
fn vote<M: Copy + Eq>(found: &[Found<M>]) -> Option<&RootMove<M>> {
    let worst = found.iter().map(|found| found.moves[0].score).min()?;
    let weight = |found: &Found<M>| {
        i64::from(found.moves[0].score - worst + 10) * i64::from(found.depth.plies() + 1)
    };
    let votes =
        |m: M| -> i64 { found.iter().filter(|found| found.moves[0].m == m).map(weight).sum() };
    // Of equals the first: the leader.
    let mut elected = found.first()?;
    for other in &found[1..] {
        let (theirs, ours) = (votes(other.moves[0].m), votes(elected.moves[0].m));
        let same = other.moves[0].m == elected.moves[0].m;
        if theirs > ours || (same && other.depth > elected.depth) {
            elected = other;
        }
    }
    elected.moves.first()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(m: u16, score: i32, depth: i32) -> Found<u16> {
        let score = Score::heuristic(score);
        Found {
            moves: vec![RootMove { score, ..RootMove::new(m, None) }],
            depth: Depth::new(depth),
        }
    }

    fn elected(found: &[Found<u16>]) -> Option<u16> {
        vote(found).map(|root_move| root_move.m)
    }

    #[test]
    fn the_deeper_and_the_better_are_louder_and_many_outvote_one() {
        assert_eq!(elected(&[]), None);
        assert_eq!(elected(&[found(1, 0, 9), found(2, 0, 9)]), Some(1), "of equals the leader");
        assert_eq!(elected(&[found(1, 0, 8), found(2, 0, 12)]), Some(2), "the deeper");
        assert_eq!(elected(&[found(1, 0, 9), found(2, 40, 9)]), Some(2), "the better");
        let many = [found(1, 5, 9), found(2, 0, 9), found(2, 0, 9), found(2, 0, 9)];
        assert_eq!(elected(&many), Some(2), "the many");
    }

    #[test]
    fn of_those_that_agree_the_deepest_gives_the_line() {
        let agreed = [found(1, 10, 8), found(1, 30, 11)];
        assert_eq!(vote(&agreed).map(|root_move| root_move.score), Some(Score::heuristic(30)));
    }
}
