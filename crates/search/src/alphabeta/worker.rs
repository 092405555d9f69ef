//! What one thread remembers: histories that outlive a search, and arrays indexed by ply that a
//! stopped search may leave as they are, because entering a ply overwrites them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::history::{Back, CONTINUATIONS, History};
use super::list::List;
use super::order::{Hints, Order, Picker};
use crate::observe::{Observer, Rule};
use crate::score::MAX_PLY;
use crate::selective::correction::Correction;
use crate::{Evaluator, Line, Score, Solver, Tactics};

/// No game here has more legal moves in a position; lists are made that long, so that the tree
/// never allocates.
const MANY_MOVES: usize = 256;

/// What is known of one ply of the line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ply {
    /// The place of the move made here.
    pub(super) place: Back,
    /// Whether that was a noisy one.
    pub(super) noisy: bool,
    /// Quiet moves that cut here, packed.
    killers: [u16; 2],
    /// The static evaluation, corrected; none in check.
    pub(super) guess: Option<Score>,
    /// A move that is left out here, packed; 0 for none.
    pub(super) excluded: u16,
    /// Whether the move made here is searched deeper for what it is.
    pub(super) extended: bool,
    /// What extensions on the way here have left over, in hundredths of a ply.
    pub(super) credit: i32,
    /// Whether a technique that was asked here has this node searched again under other terms.
    pub(super) again: bool,
    /// Whether the guess of this node is being measured, so that nothing may go by it.
    pub(super) guess_on_trial: bool,
    /// Plies that the move made here was searched less deep.
    pub(super) reduced: i32,
    /// What holds for everything below.
    pub(super) inherited: Inherited,
    /// A technique whose cut of this node is being audited, and is not believed.
    pub(super) audited: Option<Rule>,
    /// The value of a pass that was tried here, for the side that passed.
    pub(super) after_pass: Option<Score>,
    /// What the opponent did with a pass that failed here, packed for the position after the pass; 0
    /// for nothing.
    pub(super) threat: u16,
}

/// What a node passes on to everything below it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Inherited {
    /// A pass above has failed high and is being verified: one here is believed.
    pub(super) trusted: bool,
    /// Inside how many shallow searches of [`probcut`](crate::selective::probcut) this stands.
    pub(super) probing: i32,
    /// The brothers of a move are being compared with it: nobody asks about theirs.
    pub(super) comparing: bool,
    /// Nodes on the way here that are expected to cut, with this; counted for samples alone.
    pub(super) cuts: u32,
}

/// The memory of one thread.
pub struct Worker<G: Tactics, E, S, O> {
    pub(super) evaluator: E,
    pub(super) solver: S,
    pub(super) observer: O,
    pub(super) history: History,
    pub(super) correction: Correction,
    pub(super) line: Line<G::Mark>,
    pub(super) stack: Vec<Ply>,
    /// Moves made since the search began.
    pub(super) nodes: u64,
    /// The same for the other threads to read, a little behind.
    published: Arc<AtomicU64>,
    /// The longest line of this iteration.
    pub(super) deepest: usize,
    lists: Vec<List<G::Move>>,
    /// Moves tried before the one that cuts.
    tries: Vec<Vec<G::Move>>,
    principal: Vec<Vec<G::Move>>,
    /// Moves that another thread was at, for later.
    deferred: Vec<Vec<G::Move>>,
    /// The moves of a node in their order, where they are gone through more than once.
    pub(super) brothers: Vec<Vec<G::Move>>,
}

impl<G: Tactics, E: Evaluator<G>, S: Solver<G>, O: Observer> Worker<G, E, S, O> {
    /// An empty memory.
    pub fn new(start: &G, evaluator: E, solver: S, observer: O) -> Worker<G, E, S, O> {
        fn rows<T>(length: usize) -> Vec<Vec<T>> {
            (0..=MAX_PLY).map(|_| Vec::with_capacity(length)).collect()
        }
        Worker {
            evaluator,
            solver,
            observer,
            history: History::new::<G>(),
            correction: Correction::new::<G>(),
            line: Line::starting_at(start),
            stack: vec![Ply::default(); MAX_PLY + 1],
            nodes: 0,
            published: Arc::default(),
            deepest: 0,
            lists: (0..=MAX_PLY).map(|_| List::new(MANY_MOVES)).collect(),
            tries: rows(MANY_MOVES),
            principal: rows(MAX_PLY + 1),
            deferred: rows(MANY_MOVES),
            brothers: rows(MANY_MOVES),
        }
    }

    /// What the thread has observed.
    pub fn observer(&self) -> &O {
        &self.observer
    }

    /// Begins a search at the end of `line`.
    pub(super) fn begin(&mut self, root: &G, line: &Line<G::Mark>) {
        self.line.clone_from(line);
        self.evaluator.start(root);
        self.solver.start(root);
        self.stack.fill(Ply::default());
        self.nodes = 0;
        self.publish_nodes();
    }

    /// Begins a search in which nothing was before `root`. Its nodes count on.
    pub(super) fn restart(&mut self, root: &G) {
        self.line.restart_at(root);
        self.evaluator.start(root);
        self.solver.start(root);
        self.stack.fill(Ply::default());
    }

    /// Forgets what was learned.
    pub(super) fn forget(&mut self) {
        self.history.clear();
        self.correction.clear();
        self.solver.forget();
    }

    /// A counter of nodes that other threads may read.
    pub(super) fn node_counter(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.published)
    }

    /// Takes no part in this search.
    pub(super) fn reset_nodes(&self) {
        self.published.store(0, Relaxed);
    }

    #[inline]
    pub(super) fn publish_nodes(&self) {
        self.published.store(self.nodes, Relaxed);
    }

    /// The place of the last move but one, for corrections.
    #[inline]
    pub(super) fn own_last(&self, ply: usize) -> Back {
        ply.checked_sub(2).and_then(|at| self.stack[at].place)
    }

    /// What is known at a node before any move is made.
    #[inline]
    pub(super) fn hints(&self, ply: usize, table: u16) -> Hints {
        let back = self.back(ply);
        Hints {
            table,
            killers: self.stack[ply].killers,
            counter: self.history.counter_move(back[0]),
            threat: self.stack[ply].threat,
            back,
        }
    }

    #[inline]
    fn back(&self, ply: usize) -> [Back; 3] {
        CONTINUATIONS.map(|distance| ply.checked_sub(distance).and_then(|at| self.stack[at].place))
    }

    #[inline]
    pub(super) fn next_move(
        &mut self,
        picker: &mut Picker,
        position: &G,
        ply: usize,
        order: &Order,
    ) -> Option<G::Move> {
        picker.next(position, &mut self.lists[ply], &self.history, order)
    }

    /// Makes the quiet moves that give check, for [`next_safe`](Worker::next_safe).
    pub(super) fn make_checks(&mut self, position: &G, ply: usize) {
        let back = self.back(ply);
        let quiets = self.history.quiets(position.turn(), &back);
        self.lists[ply].refill(|list| {
            position.each_quiet_check(|m, place| list.push(m, quiets.get(place)));
        });
    }

    /// The next of the moves made that loses nothing in the exchange.
    pub(super) fn next_safe(&mut self, position: &G, ply: usize) -> Option<G::Move> {
        loop {
            let (m, _) = self.lists[ply].take_best()?;
            if position.exchange_at_least(m, 0) {
                return Some(m);
            }
        }
    }

    /// How good a move has been elsewhere.
    #[inline]
    pub(super) fn history_of(&self, position: &G, m: G::Move, noisy: bool, picker: &Picker) -> i32 {
        if let Some(known) = picker.known_history() {
            return known;
        }
        let place = position.place(m);
        if noisy {
            self.history.noisy(place, position.victim(m))
        } else {
            self.history.quiet(position.turn(), place, picker.back())
        }
    }

    /// Leaves a move for when all others are done.
    #[inline]
    pub(super) fn defer(&mut self, m: G::Move, ply: usize) {
        self.deferred[ply].push(m);
    }

    /// The move that was left first: the other thread has likely done with it.
    #[inline]
    pub(super) fn next_deferred(&mut self, ply: usize) -> Option<G::Move> {
        let deferred = &mut self.deferred[ply];
        if deferred.is_empty() { None } else { Some(deferred.remove(0)) }
    }

    #[inline]
    pub(super) fn begin_tries(&mut self, ply: usize, new_killers: bool) {
        self.tries[ply].clear();
        self.deferred[ply].clear();
        // Killers of the next ply belong to the brothers of this node only.
        if new_killers {
            self.stack[ply + 1].killers = [0; 2];
        }
    }

    /// A move that did not cut.
    #[inline]
    pub(super) fn remember_try(&mut self, m: G::Move, ply: usize) {
        self.tries[ply].push(m);
    }

    /// `m` cut: it is rewarded, and the moves tried before it in vain are punished.
    pub(super) fn reward(&mut self, position: &G, m: G::Move, ply: usize, bonus: i32) {
        let back = self.back(ply);
        let side = position.turn();
        let place = position.place(m);
        let noisy = position.is_noisy(m);
        if noisy {
            self.history.add_noisy(place, position.victim(m), bonus);
        } else {
            let packed = G::pack(m);
            let killers = &mut self.stack[ply].killers;
            if killers[0] != packed {
                *killers = [packed, killers[0]];
            }
            self.history.set_counter_move(back[0], packed);
            self.history.add_quiet(side, place, &back, bonus);
        }
        for &vain in &self.tries[ply] {
            if position.is_noisy(vain) {
                self.history.add_noisy(position.place(vain), position.victim(vain), -bonus);
            } else if !noisy {
                self.history.add_quiet(side, position.place(vain), &back, -bonus);
            }
        }
    }

    #[inline]
    pub(super) fn clear_principal(&mut self, ply: usize) {
        self.principal[ply].clear();
        self.deepest = self.deepest.max(ply);
    }

    /// The best line from `ply` begins with `m` and goes on with that of the next ply.
    #[inline]
    pub(super) fn set_principal(&mut self, ply: usize, m: G::Move) {
        let (upper, lower) = self.principal.split_at_mut(ply + 1);
        let (here, below) = (&mut upper[ply], &lower[0]);
        here.clear();
        here.push(m);
        here.extend_from_slice(below);
    }

    /// The best line from `ply`.
    pub(super) fn principal(&self, ply: usize) -> &[G::Move] {
        &self.principal[ply]
    }
}
