//! A thread at work on one search: what it has, and what every node needs: going down a ply, the
//! end of the game, a glance at the position, the clock.

use super::audit::Books;
use super::busy::{self, Busy};
use super::clock::Clock;
use super::node::{DrawsForm, TableForm};
use super::table::{Bound, Entry, Keeper};
use super::worker::Worker;
use super::{Control, Shared};
use crate::calibrate::plan::Plan;
use crate::calibrate::rank_plan::RankPlan;
use crate::calibrate::reductions::Reductions;
use crate::observe::{Asked, Observer, Rule};
use crate::preset::Settings;
use crate::selective::correction::CorrectionForm;
use crate::selective::hindsight::{self, HindsightForm};
use crate::selective::levels::Level;
use crate::selective::null_move::Passing;
use crate::solve::Room;
use crate::{Depth, Evaluator, Outcome, Score, Solver, Stopped, Tactics};

/// A thread at work on one search: its own memory, and what it shares with the others.
pub(super) struct Searcher<'a, G: Tactics, E, S, O> {
    pub(super) worker: &'a mut Worker<G, E, S, O>,
    pub(super) shared: &'a Shared,
    pub(super) settings: &'a Settings,
    /// What shallow searches tell of deep ones.
    pub(super) cuts: &'a Plan,
    /// How likely a late move is to be better.
    pub(super) ranks: &'a RankPlan,
    /// How much less deep late moves are best searched, if that goes by a table.
    pub(super) reductions: Option<&'a Reductions>,
    /// How sure what is found must be, as entries of the table count it.
    pub(super) confidence: u8,
    /// The level of the cuts of this iteration, if it goes through levels.
    pub(super) level: Option<Level>,
    /// Whether a technique goes by the stage of the game.
    pub(super) fitted: bool,
    pub(super) control: &'a Control,
    /// The clock, if this thread watches it for all.
    pub(super) clock: Option<&'a Clock>,
    /// The depth of this iteration.
    pub(super) iteration: Depth,
    /// When to look at the clock and the signals again, in nodes.
    pub(super) next_look: u64,
    /// Nodes of this thread at which it must stop.
    pub(super) node_limit: u64,
    /// What the solver said before the search.
    pub(super) root: RootFacts,
    /// Whether other threads search the same tree.
    pub(super) in_company: bool,
    /// Whether any technique asks about an inner node or its moves.
    pub(super) selective: bool,
    /// Whether what is found is kept.
    pub(super) books: Books,
    /// Whether it is a search at less depth beside another one, whose deeper entries of the table stay.
    pub(super) yields: bool,
    /// Material at the root, for the side to move there.
    pub(super) root_material: i32,
    /// Up to this ply the side that moves at such plies may not pass, to verify a pass before.
    pub(super) no_pass: Option<NoPass>,
}

/// Where a side may not pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct NoPass {
    pub(super) until: usize,
    /// Whether the side moves at even plies.
    pub(super) even: bool,
}

/// What is known of the root before it is searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootFacts {
    /// Its value, if the solver knows it.
    pub(super) value: Option<Score>,
    /// Whether the solver is asked below it.
    pub(super) ask_below: bool,
    /// [`Solver::table_hits`] when the search began.
    pub(super) hits_before: u64,
}

/// What had been made and told when a technique began searches of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Since {
    pub(super) rule: Rule,
    nodes: u64,
    told: u64,
}

/// Whether a stage is the last of a game that has several.
pub(super) fn is_last<G: Tactics>(stage: usize) -> bool {
    G::STAGES > 1 && stage + 1 == G::STAGES
}

/// How many nodes pass between two looks at the clock: less than a millisecond.
const NODES_BETWEEN_LOOKS: u64 = 512;

impl<G: Tactics, E: Evaluator<G>, S: Solver<G>, O: Observer> Searcher<'_, G, E, S, O> {
    /// Goes one ply down. A node is a move made.
    #[inline]
    pub(super) fn enter(&mut self, ply: usize, position: &G, m: G::Move, child: &G) {
        let worker = &mut *self.worker;
        worker.line.enter(ply, position, m, child);
        self.shared.table.prefetch(worker.line.current().key);
        worker.stack[ply].place = Some(position.place(m));
        worker.stack[ply + 1].inherited = worker.stack[ply].inherited;
        worker.stack[ply].noisy = self.selective && position.is_noisy(m);
        worker.evaluator.advance(ply, position, m, child);
        worker.observer.entered(ply + 1, G::pack(m));
        worker.nodes += 1;
    }

    /// Goes one ply down by a pass.
    #[inline]
    pub(super) fn enter_pass(&mut self, ply: usize, child: &G) {
        let worker = &mut *self.worker;
        worker.line.enter_pass(ply, child);
        self.shared.table.prefetch(worker.line.current().key);
        worker.stack[ply].place = None;
        worker.stack[ply].extended = false;
        worker.stack[ply + 1].credit = worker.stack[ply].credit;
        worker.stack[ply + 1].inherited = worker.stack[ply].inherited;
        worker.stack[ply].noisy = false;
        worker.evaluator.advance_pass(ply, child);
        worker.observer.entered(ply + 1, 0);
        worker.nodes += 1;
    }

    /// Whether the side to move may pass: not twice in a row, nor where a pass proves nothing.
    #[inline]
    pub(super) fn passing(&self, position: &G, ply: usize) -> Passing {
        let forbidden =
            self.no_pass.is_some_and(|no| ply < no.until && ply.is_multiple_of(2) == no.even);
        let stack = &self.worker.stack;
        if ply == 0 || forbidden || stack[ply - 1].place.is_none() || !position.pass_is_bound() {
            return Passing::Forbidden;
        }
        // Inside a search that verifies a pass no other is verified: that would lift its ban.
        let trusted = stack[ply].inherited.trusted || self.no_pass.is_some();
        if trusted { Passing::Trusted } else { Passing::Allowed }
    }

    /// What the table remembers of the reply to a pass here, packed; 0 for nothing.
    pub(super) fn reply_to_pass(&self, position: &G) -> u16 {
        let entry = position.pass().and_then(|after| self.shared.table.probe(after.key()));
        entry.map_or(0, |entry| entry.packed_move)
    }

    /// The static evaluation as the table keeps it, and the guess made of it: corrected by what
    /// was learned, faded by the move rule. There is none in check.
    #[inline]
    pub(super) fn glance(
        &mut self,
        position: &G,
        known: Option<Entry>,
        in_check: bool,
        depth: Depth,
        ply: usize,
    ) -> (Option<Score>, Score) {
        let stored = known.and_then(|entry| entry.evaluation);
        if in_check || !self.selective {
            self.worker.stack[ply].guess = None;
            return (stored, Score::DRAW);
        }
        let evaluation = stored.unwrap_or_else(|| self.worker.evaluator.evaluate(ply, position));
        let guess = self.guess(position, evaluation, ply);
        self.worker.stack[ply].guess = Some(guess);
        if self.settings.correction.form != CorrectionForm::Off {
            let changed = guess != self.faded(position, evaluation);
            self.tell(Rule::Correction, changed, depth, ply, 0);
        }
        (Some(evaluation), guess)
    }

    /// The guess that belongs to a static evaluation.
    #[inline]
    pub(super) fn guess(&self, position: &G, evaluation: Score, ply: usize) -> Score {
        let worker = &*self.worker;
        let how = &self.settings.correction;
        let correction = worker.correction.get(how, position, worker.own_last(ply));
        self.faded(position, Score::heuristic(evaluation.value() + correction))
    }

    /// Whether the guess is better than at our last turn, or the one before if that was in check.
    #[inline]
    pub(super) fn is_improving(&self, ply: usize) -> bool {
        let stack = &self.worker.stack;
        let guess_at = |plies| ply.checked_sub(plies).and_then(|at: usize| stack[at].guess);
        match (stack[ply].guess, guess_at(2).or_else(|| guess_at(4))) {
            (Some(now), Some(before)) => now > before,
            _ => true,
        }
    }

    /// Plies to add by hindsight on the reduction of the move that led here.
    #[inline]
    pub(super) fn hindsight(&mut self, guess: Score, depth: Depth, ply: usize) -> i32 {
        let Some(parent) = ply.checked_sub(1).map(|above| self.worker.stack[above]) else {
            return 0;
        };
        let how = &self.settings.hindsight;
        let (Some(before), 1..) = (parent.guess, parent.reduced) else { return 0 };
        if how.form == HindsightForm::Off {
            return 0;
        }
        let (before, now) = (before.value(), guess.value());
        let more = hindsight::plies(how, depth.plies(), parent.reduced, before, now);
        self.tell(Rule::Hindsight, more != 0, depth, ply, 0);
        more
    }

    /// Tells the observer what a technique said of a move, or of the node if `packed_move` is 0.
    #[inline]
    pub(super) fn tell(
        &mut self,
        rule: Rule,
        held: bool,
        depth: Depth,
        ply: usize,
        packed_move: u16,
    ) {
        self.hear(Asked { rule, held, depth, ply, packed_move, nodes: 0, told: 0 });
    }

    /// Before a technique's own searches.
    #[inline]
    pub(super) fn since(&self, rule: Rule) -> Since {
        let Worker { nodes, observer, .. } = &*self.worker;
        Since { rule, nodes: *nodes, told: observer.nodes_told(rule) }
    }

    /// How many nodes they made.
    #[inline]
    pub(super) fn spent(&self, since: Since) -> u64 {
        self.worker.nodes - since.nodes
    }

    /// Tells the observer what a technique has found by searches of its own.
    #[inline]
    pub(super) fn found_by_search(
        &mut self,
        since: Since,
        held: bool,
        depth: Depth,
        ply: usize,
        packed_move: u16,
    ) {
        let (nodes, Since { rule, told, .. }) = (self.spent(since), since);
        self.hear(Asked { rule, held, depth, ply, packed_move, nodes, told });
    }

    /// Tells the observer what a technique said, unless that is off the books.
    #[inline]
    pub(super) fn hear(&mut self, asked: Asked) {
        if !O::AUDITS || self.books.are_open() {
            self.worker.observer.asked(&asked);
        }
    }

    /// Keeps what was found, unless it was found off the books.
    #[inline]
    pub(super) fn store(&self, key: u64, entry: Entry) {
        if !O::AUDITS || self.books.are_open() {
            let by = Keeper { yields: self.yields, confidence: self.confidence };
            self.shared.table.keep(key, entry, by);
        }
    }

    /// Learns what a search has made of the guess, where its value says on which side that erred.
    #[inline]
    pub(super) fn correct(
        &mut self,
        position: &G,
        evaluation: Option<Score>,
        value: Score,
        bound: Bound,
        depth: Depth,
        ply: usize,
    ) {
        let Some(evaluation) = evaluation else { return };
        if O::AUDITS && !self.books.are_open() {
            return;
        }
        let raw = self.faded(position, evaluation);
        let silent = match bound {
            Bound::Lower => value <= raw,
            Bound::Upper => value >= raw,
            Bound::Exact => false,
            Bound::None => true,
        };
        if !silent {
            let back = self.worker.own_last(ply);
            let how = &self.settings.correction;
            let error = value - raw;
            self.worker.correction.learn(how, position, back, depth.plies(), error);
        }
    }

    /// What tells other threads that this one is at a move of the position with this key; `None`
    /// if there are none or it is not worth it.
    #[inline]
    pub(super) fn note(&self, key: u64, m: G::Move, depth: Depth) -> Option<u64> {
        let worth = self.in_company && depth.plies() >= busy::LEAST_DEPTH;
        worth.then(|| Busy::note(key, G::pack(m), depth.plies()))
    }

    /// The result if the game is over by a rule or by repetition.
    #[inline]
    pub(super) fn over(&self, position: &G) -> Option<Outcome> {
        position.ended().or_else(|| match self.settings.draws.form {
            DrawsForm::On => position.recurrence(&self.worker.line),
            DrawsForm::Off => None,
        })
    }

    /// A guess, smaller the nearer the move rule is to ending the game.
    #[inline]
    pub(super) fn faded(&self, position: &G, guess: Score) -> Score {
        let lost = position.move_rule_spent() * self.settings.draws.fade;
        Score::heuristic(guess.value() * (25_600 - lost) / 25_600)
    }

    /// Whether an entry was found by cuts no bolder than those of now.
    #[inline]
    pub(super) fn is_sure(&self, entry: Entry) -> bool {
        entry.confidence <= self.confidence
    }

    #[inline]
    pub(super) fn may_answer(&self, entry: Entry, depth: Depth) -> bool {
        let deep_enough = match self.settings.table.form {
            TableForm::Off => false,
            TableForm::Equal => entry.draft == depth,
            TableForm::Deeper => entry.draft >= depth,
        };
        deep_enough && self.is_sure(entry)
    }

    pub(super) fn solve(
        &mut self,
        position: &G,
        alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Result<Option<Score>, Stopped> {
        let before = self.worker.nodes;
        let mut made = 0;
        let (shared, control, clock) = (self.shared, self.control, self.clock);
        let limit = self.node_limit;
        let mut tick = |nodes: u64| {
            made += nodes;
            look(shared, control, clock, before + made >= limit)
        };
        let room = Room { nodes: limit, left: limit.saturating_sub(before) };
        let value = self.worker.solver.solve(position, alpha, beta, room, &mut tick);
        self.worker.nodes = before + made;
        Ok(value?.map(|value| value.relative_to_root(ply)))
    }

    /// Looks at the clock and the signals now and then.
    #[inline]
    pub(super) fn look_up(&mut self) -> Result<(), Stopped> {
        if self.worker.nodes < self.next_look {
            return Ok(());
        }
        let nodes = self.worker.nodes;
        self.next_look = (nodes + NODES_BETWEEN_LOOKS).min(self.node_limit);
        self.worker.publish_nodes();
        let out_of_nodes = nodes >= self.node_limit;
        // The first iteration takes no time worth speaking of, and without it the answer would be
        // any move.
        if self.iteration.plies() <= 1 && self.clock.is_some() && !out_of_nodes {
            return Ok(());
        }
        look(self.shared, self.control, self.clock, out_of_nodes)
    }
}

/// Whether to go on. The thread that reaches a limit tells the others.
fn look(
    shared: &Shared,
    control: &Control,
    clock: Option<&Clock>,
    out_of_nodes: bool,
) -> Result<(), Stopped> {
    if out_of_nodes || clock.is_some_and(|clock| clock.is_late(control)) {
        shared.stop_all();
    }
    if shared.is_stopped() || control.is_stopped() { Err(Stopped) } else { Ok(()) }
}
