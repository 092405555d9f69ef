//! One node of the tree, as numbered questions: the first that has an answer gives the value.
//!
//! Principal variation search (Marsland and Campbell, 1982), fail-soft: the first move of an open
//! window is searched with it, the others are only asked whether they are better. `PV` tells the
//! two procedures apart; a closed window carries what it expects to be, [`Expected`].

use super::busy::{self, Busy};
use super::clock::Clock;
use super::order::Picker;
use super::table::{Bound, Entry};
use super::worker::Worker;
use super::{Control, Shared};
use crate::observe::{NodeKind, Observer};
use crate::preset::Settings;
use crate::score::MAX_PLY;
use crate::{Depth, Evaluator, Outcome, Score, Solver, Stopped, Tactics};

crate::params! {
    /// Whether a repeated position is a draw inside the tree.
    pub struct Draws in "draws" {
        switch DrawsForm = On {
            /// Repetition is not looked at.
            Off = "off",
            /// As the rules of the game say.
            On = "on",
        }
        /// How much of a guess is gone when the move rule is about to end the game, in percent.
        fade = 50, in 0..=100, step 5;
    }
}

crate::params! {
    /// Which entries of the transposition table may answer for a node.
    pub struct TableUse in "table" {
        switch TableForm = Deeper {
            /// None; it only orders moves.
            Off = "off",
            /// Those of exactly the depth asked for, so that the value is that of plain minimax.
            Equal = "equal",
            /// Those of at least the depth asked for.
            Deeper = "deeper",
        }
    }
}

/// What a node with a closed window is expected to become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    /// Some move is too good for the opponent.
    Cut,
    /// No move is good enough.
    All,
}

impl Expected {
    fn other(self) -> Expected {
        match self {
            Expected::Cut => Expected::All,
            Expected::All => Expected::Cut,
        }
    }
}

/// A thread at work on one search: its own memory, and what it shares with the others.
pub(super) struct Searcher<'a, G: Tactics, E, S, O> {
    pub(super) worker: &'a mut Worker<G, E, S, O>,
    pub(super) shared: &'a Shared,
    pub(super) settings: &'a Settings,
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

/// How many nodes pass between two looks at the clock: less than a millisecond.
const NODES_BETWEEN_LOOKS: u64 = 512;

impl<G: Tactics, E: Evaluator<G>, S: Solver<G>, O: Observer> Searcher<'_, G, E, S, O> {
    /// The value of `position`, `depth` plies deep.
    pub(super) fn node<const PV: bool>(
        &mut self,
        position: &G,
        mut alpha: Score,
        mut beta: Score,
        depth: Depth,
        ply: usize,
        expected: Expected,
    ) -> Result<Score, Stopped> {
        debug_assert!(alpha < beta && (PV || beta - alpha == 1));
        // 1. Is this the horizon?
        if depth == Depth::ZERO || ply >= MAX_PLY - 1 {
            return self.quiesce::<PV>(position, alpha, beta, ply);
        }
        self.look_up()?;
        // A search of this position with a closed window may have left its line.
        self.worker.line.back_to(ply);
        if PV {
            self.worker.clear_principal(ply);
        }

        // 2. Is the game over?
        if let Some(outcome) = self.over(position) {
            return Ok(outcome.score(ply));
        }

        // 3. Can the side to move bring an earlier position back, and so have a draw at least?
        if !PV
            && alpha < Score::DRAW
            && self.settings.draws.form == DrawsForm::On
            && position.can_recur(&self.worker.line)
        {
            return Ok(Score::DRAW);
        }

        // 4. Has a quicker mate been found elsewhere?
        alpha = alpha.max(Score::mated_in(ply));
        beta = beta.min(Score::mate_in(ply + 1));
        if alpha >= beta {
            return Ok(alpha);
        }

        // 5. Does the table know?
        let key = self.worker.line.current().key;
        let known = self.shared.table.probe(key);
        if let Some(entry) = known
            && !PV
            && self.may_answer(entry, depth)
        {
            let value = entry.value.relative_to_root(ply);
            if entry.bound.decides(value, beta) {
                self.worker.observer.answered_by_table(depth, ply);
                return Ok(value);
            }
        }

        // 6. Can it be solved without searching?
        if self.root.ask_below
            && self.worker.solver.takes(position)
            && let Some(value) = self.solve(position, alpha, beta, ply)?
        {
            return Ok(value);
        }

        // 7. The moves, the likeliest first.
        let first_alpha = alpha;
        let order = &self.settings.order;
        let table_move = known.map_or(0, |entry| entry.packed_move);
        let mut picker = Picker::new(self.worker.hints(ply, table_move), order);
        self.worker.begin_tries(ply);
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut count = 0;
        loop {
            let fresh = self.worker.next_move(&mut picker, position, ply, order);
            let Some(m) = fresh.or_else(|| self.worker.next_deferred(ply)) else { break };
            let note = self.note(key, m, depth);
            if let Some(note) = note {
                if fresh.is_some() && count > 0 && self.shared.busy.has(note) {
                    self.worker.defer(m, ply);
                    continue;
                }
                self.shared.busy.begin(note);
            }
            count += 1;
            let child = position.after(m);
            self.enter(ply, position, m, &child);
            let score = if PV && count == 1 {
                -self.node::<true>(&child, -beta, -alpha, depth - 1, ply + 1, Expected::Cut)?
            } else {
                let child_expected = if PV { Expected::Cut } else { expected.other() };
                let bound = if PV { alpha } else { beta - 1 };
                if PV {
                    // A closed window leaves no line, and that of a brother is not ours.
                    self.worker.clear_principal(ply + 1);
                }
                let score = -self.node::<false>(
                    &child,
                    -bound - 1,
                    -bound,
                    depth - 1,
                    ply + 1,
                    child_expected,
                )?;
                if PV && score > alpha && score < beta {
                    // Better than what was best: what is it worth?
                    -self.node::<true>(&child, -beta, -alpha, depth - 1, ply + 1, Expected::Cut)?
                } else {
                    score
                }
            };
            if let Some(note) = note {
                self.shared.busy.end(note);
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(m);
                    if PV {
                        self.worker.set_principal(ply, m);
                        alpha = score;
                    }
                    if score >= beta {
                        self.worker.reward(position, m, ply, order.bonus(depth.plies()));
                        break;
                    }
                }
            }
            self.worker.remember_try(m, ply);
        }

        // 8. No move at all: mate, stalemate, a board that is full.
        if count == 0 {
            return Ok(position.without_moves().score(ply));
        }

        // 9. Keep what was found.
        self.worker.observer.left_node(kind::<PV>(best >= beta, expected), depth, ply, count);
        self.shared.table.store(
            key,
            Entry {
                packed_move: best_move.map_or(0, G::pack),
                value: best.relative_to_node(ply),
                evaluation: known.and_then(|entry| entry.evaluation),
                draft: depth,
                bound: Bound::of(best, first_alpha, beta),
                was_principal: PV || known.is_some_and(|entry| entry.was_principal),
                confidence: 0,
            },
        );
        Ok(best)
    }

    /// Goes one ply down. A node is a move made.
    #[inline]
    pub(super) fn enter(&mut self, ply: usize, position: &G, m: G::Move, child: &G) {
        let worker = &mut *self.worker;
        worker.line.enter(ply, position, m, child);
        self.shared.table.prefetch(worker.line.current().key);
        worker.stack[ply].place = Some(position.place(m));
        worker.evaluator.advance(ply, position, m, child);
        worker.nodes += 1;
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

    #[inline]
    fn may_answer(&self, entry: Entry, depth: Depth) -> bool {
        match self.settings.table.form {
            TableForm::Off => false,
            TableForm::Equal => entry.draft == depth,
            TableForm::Deeper => entry.draft >= depth,
        }
    }

    fn solve(
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
        let value = self.worker.solver.solve(position, alpha, beta, &mut tick);
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
        look(self.shared, self.control, self.clock, nodes >= self.node_limit)
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

fn kind<const PV: bool>(cut: bool, expected: Expected) -> NodeKind {
    match (PV, expected, cut) {
        (true, ..) => NodeKind::Principal,
        (_, Expected::Cut, true) => NodeKind::Cut,
        (_, Expected::Cut, false) => NodeKind::CutTurnedAll,
        (_, Expected::All, false) => NodeKind::All,
        (_, Expected::All, true) => NodeKind::AllTurnedCut,
    }
}
