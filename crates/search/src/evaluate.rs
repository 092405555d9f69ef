//! The value of a position without looking ahead.

use crate::{Game, Score};

/// Guesses the value of a position for the side to move.
///
/// One evaluator serves one thread. Its state is indexed by ply, so a stopped search leaves
/// nothing behind: entering a ply overwrites what was there. An evaluator without incremental
/// state leaves [`start`](Evaluator::start), [`advance`](Evaluator::advance) and
/// [`advance_pass`](Evaluator::advance_pass) empty; the calls are always made.
pub trait Evaluator<G: Game>: Send {
    /// A new root: whatever is known of ply 0 is replaced.
    fn start(&mut self, root: &G);

    /// `m` led from `before` at `ply` to `after` at `ply + 1`.
    fn advance(&mut self, ply: usize, before: &G, m: G::Move, after: &G);

    /// A pass led to `after` at `ply + 1`.
    fn advance_pass(&mut self, ply: usize, after: &G);

    /// The value of `position`, which stands at `ply`; always in the heuristic band.
    fn evaluate(&mut self, ply: usize, position: &G) -> Score;

    /// Identifies the evaluation: tables fitted to one are refused by another. Two evaluators
    /// that may give different values differ here.
    fn identity(&self) -> u64;
}
