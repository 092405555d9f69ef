//! Exact answers without the search: an endgame solver, a tablebase.

use crate::{Game, Score, Stopped};

/// Knows the exact value of some positions.
///
/// One solver serves one thread. The search asks [`takes`](Solver::takes) at every node, so that
/// must be cheap; where it is true, the answer of [`solve`](Solver::solve) replaces the search of
/// that node.
pub trait Solver<G: Game>: Send {
    /// Whether this position is one for the solver.
    fn takes(&self, position: &G) -> bool;

    /// Another game begins: whatever was remembered is forgotten, so that a search depends on its
    /// own game only.
    fn forget(&mut self);

    /// The value of `position` for the side to move, exact inside the window and a bound on the
    /// true side outside it (fail-soft). Calls `tick` with the number of nodes made since the last
    /// call, every few thousand nodes and at the end, and passes on its wish to stop.
    fn solve(
        &mut self,
        position: &G,
        alpha: Score,
        beta: Score,
        tick: &mut dyn FnMut(u64) -> Result<(), Stopped>,
    ) -> Result<Score, Stopped>;
}

/// For games that have none: takes nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSolver;

impl<G: Game> Solver<G> for NoSolver {
    #[inline]
    fn takes(&self, _position: &G) -> bool {
        false
    }

    fn forget(&mut self) {}

    fn solve(
        &mut self,
        position: &G,
        _alpha: Score,
        _beta: Score,
        _tick: &mut dyn FnMut(u64) -> Result<(), Stopped>,
    ) -> Result<Score, Stopped> {
        // Never asked by a search; a finished game is all that it could answer.
        Ok(position.without_moves().score(0))
    }
}
