//! Exact answers without the search: an endgame solver, a tablebase.

use crate::{Game, Line, Score, Stopped};

/// What a solver knows of a root: see [`Solver::at_root`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootVerdict<M> {
    /// The value of the position with the moves that were asked about.
    pub value: Score,
    /// The moves that keep it, and never none: the best first. Where one has a value, that is
    /// what it is worth unless the search finds a mate.
    pub moves: Vec<(M, Option<Score>)>,
    /// Whether nothing is gained by asking the solver again below this root.
    pub settled: bool,
}

/// What a search may spend, as far as it matters to a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Nodes that the whole search may make.
    pub nodes: u64,
    /// Those of them that it has left.
    pub left: u64,
}

impl Room {
    /// As much as is needed.
    pub const ANY: Room = Room { nodes: u64::MAX, left: u64::MAX };
}

/// Knows the exact value of some positions.
///
/// One solver serves one thread. The search asks [`takes`](Solver::takes) at every node, so that
/// must be cheap; where it is true, an answer of [`solve`](Solver::solve) replaces the search of
/// that node.
pub trait Solver<G: Game>: Send {
    /// Whether this position is one for the solver.
    fn takes(&self, position: &G) -> bool;

    /// A search begins at this position.
    fn start(&mut self, root: &G);

    /// How deep a search of `position` that may make so many nodes must be so that every line ends where
    /// this takes over; `None` if nobody knows. Deeper there is nothing to be found.
    fn plies_to(&self, position: &G, nodes: u64) -> Option<i32>;

    /// How many plies the game lasts from here at most, passes not counted, if any position can be solved;
    /// `None` if not.
    fn plies_to_end(&self, position: &G) -> Option<i32>;

    /// Another game begins: whatever was remembered is forgotten, so that a search depends on its
    /// own game only.
    fn forget(&mut self);

    /// The value of `position` for the side to move, exact inside the window and a bound on the
    /// true side outside it (fail-soft); `None` if it is not known after all, as where a table is
    /// missing, or where finding out would likely take more nodes than there is room for: then the
    /// position is searched. Calls `tick` with the number of nodes made since the last call, every few
    /// thousand nodes, when those that are left are made and at the end, and passes on its wish to stop.
    fn solve(
        &mut self,
        position: &G,
        alpha: Score,
        beta: Score,
        room: Room,
        tick: &mut dyn FnMut(u64) -> Result<(), Stopped>,
    ) -> Result<Option<Score>, Stopped>;

    /// What is known of the position at the end of `line` before it is searched, if only `moves`
    /// may be played; there is at least one. `None` leaves it all to the search.
    fn at_root(
        &mut self,
        position: &G,
        line: &Line<G::Mark>,
        moves: &[G::Move],
    ) -> Option<RootVerdict<G::Move>>;

    /// How many positions were looked up in tables so far, by all threads that share them.
    fn table_hits(&self) -> u64;
}

/// For games that have none: takes nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSolver;

impl<G: Game> Solver<G> for NoSolver {
    #[inline]
    fn takes(&self, _position: &G) -> bool {
        false
    }

    fn start(&mut self, _root: &G) {}

    fn plies_to(&self, _position: &G, _nodes: u64) -> Option<i32> {
        None
    }

    fn plies_to_end(&self, _position: &G) -> Option<i32> {
        None
    }

    fn forget(&mut self) {}

    fn solve(
        &mut self,
        _position: &G,
        _alpha: Score,
        _beta: Score,
        _room: Room,
        _tick: &mut dyn FnMut(u64) -> Result<(), Stopped>,
    ) -> Result<Option<Score>, Stopped> {
        Ok(None)
    }

    fn at_root(
        &mut self,
        _position: &G,
        _line: &Line<G::Mark>,
        _moves: &[G::Move],
    ) -> Option<RootVerdict<G::Move>> {
        None
    }

    fn table_hits(&self) -> u64 {
        0
    }
}
