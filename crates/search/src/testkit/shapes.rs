//! The same search in the shapes in which it is told: alpha-beta fail-hard and fail-soft (Knuth and
//! Moore, 1975; Fishburn, 1983), NegaScout (Reinefeld, 1983), and principal variation search as two
//! procedures (Marsland and Bjornsson, 2000). Short references without tables, order or pruning: what
//! the product does must agree with each of them.

use super::reference::moves;
use crate::{Depth, Evaluator, Game, Score};

/// Positions that a shape has looked at.
pub type Nodes = u64;

/// The value at the end of the game or at the horizon.
fn leaf<G: Game, E: Evaluator<G>>(
    position: &G,
    evaluator: &mut E,
    depth: Depth,
    ply: usize,
) -> Result<Score, Vec<G::Move>> {
    if let Some(outcome) = position.ended() {
        return Ok(outcome.score(ply));
    }
    let all = moves(position);
    if all.is_empty() {
        return Ok(position.without_moves().score(ply));
    }
    if depth == Depth::ZERO {
        evaluator.start(position);
        return Ok(evaluator.evaluate(0, position));
    }
    Err(all)
}

/// A search with its window, where it is and what it has counted.
struct At<'e, E> {
    evaluator: &'e mut E,
    nodes: Nodes,
}

/// Alpha-beta, fail-hard: the value lies within the window.
pub fn fail_hard<G: Game, E: Evaluator<G>>(
    position: &G,
    evaluator: &mut E,
    depth: Depth,
) -> (Score, Nodes) {
    let mut at = At { evaluator, nodes: 0 };
    let value = at.fail_hard(position, -Score::INFINITE, Score::INFINITE, depth, 0);
    (value, at.nodes)
}

/// The same with a window.
pub fn fail_hard_within<G: Game, E: Evaluator<G>>(
    position: &G,
    evaluator: &mut E,
    depth: Depth,
    alpha: Score,
    beta: Score,
) -> Score {
    At { evaluator, nodes: 0 }.fail_hard(position, alpha, beta, depth, 0)
}

/// Alpha-beta, fail-soft: beyond the window the value is a bound.
pub fn fail_soft<G: Game, E: Evaluator<G>>(
    position: &G,
    evaluator: &mut E,
    depth: Depth,
) -> (Score, Nodes) {
    let mut at = At { evaluator, nodes: 0 };
    let value = at.fail_soft(position, -Score::INFINITE, Score::INFINITE, depth, 0);
    (value, at.nodes)
}

/// The same with a window.
pub fn fail_soft_within<G: Game, E: Evaluator<G>>(
    position: &G,
    evaluator: &mut E,
    depth: Depth,
    alpha: Score,
    beta: Score,
) -> Score {
    At { evaluator, nodes: 0 }.fail_soft(position, alpha, beta, depth, 0)
}

/// NegaScout.
pub fn negascout<G: Game, E: Evaluator<G>>(
    position: &G,
    evaluator: &mut E,
    depth: Depth,
) -> (Score, Nodes) {
    let mut at = At { evaluator, nodes: 0 };
    let value = at.negascout(position, -Score::INFINITE, Score::INFINITE, depth, 0);
    (value, at.nodes)
}

/// Principal variation search, and its closed windows in a procedure of their own.
pub fn two_procedures<G: Game, E: Evaluator<G>>(
    position: &G,
    evaluator: &mut E,
    depth: Depth,
) -> (Score, Nodes) {
    let mut at = At { evaluator, nodes: 0 };
    let value = at.principal(position, -Score::INFINITE, Score::INFINITE, depth, 0);
    (value, at.nodes)
}

impl<E> At<'_, E> {
    fn fail_hard<G: Game>(
        &mut self,
        position: &G,
        mut alpha: Score,
        beta: Score,
        depth: Depth,
        ply: usize,
    ) -> Score
    where
        E: Evaluator<G>,
    {
        self.nodes += 1;
        match leaf(position, self.evaluator, depth, ply) {
            Ok(value) => value.clamp(alpha, beta),
            Err(all) => {
                for m in all {
                    let child = position.after(m);
                    let value = -self.fail_hard(&child, -beta, -alpha, depth - 1, ply + 1);
                    if value >= beta {
                        return beta;
                    }
                    alpha = alpha.max(value);
                }
                alpha
            }
        }
    }

    fn fail_soft<G: Game>(
        &mut self,
        position: &G,
        mut alpha: Score,
        beta: Score,
        depth: Depth,
        ply: usize,
    ) -> Score
    where
        E: Evaluator<G>,
    {
        self.nodes += 1;
        match leaf(position, self.evaluator, depth, ply) {
            Ok(value) => value,
            Err(all) => {
                let mut best = -Score::INFINITE;
                for m in all {
                    let child = position.after(m);
                    let value = -self.fail_soft(&child, -beta, -alpha, depth - 1, ply + 1);
                    best = best.max(value);
                    alpha = alpha.max(best);
                    if best >= beta {
                        break;
                    }
                }
                best
            }
        }
    }

    fn negascout<G: Game>(
        &mut self,
        position: &G,
        alpha: Score,
        beta: Score,
        depth: Depth,
        ply: usize,
    ) -> Score
    where
        E: Evaluator<G>,
    {
        self.nodes += 1;
        match leaf(position, self.evaluator, depth, ply) {
            Ok(value) => value,
            Err(all) => {
                let mut best = -Score::INFINITE;
                for (index, m) in all.into_iter().enumerate() {
                    let child = position.after(m);
                    let lower = alpha.max(best);
                    let upper = if index == 0 { beta } else { lower + 1 };
                    let mut value = -self.negascout(&child, -upper, -lower, depth - 1, ply + 1);
                    if index > 0 && value > lower && value < beta {
                        value = -self.negascout(&child, -beta, -value, depth - 1, ply + 1);
                    }
                    best = best.max(value);
                    if best >= beta {
                        break;
                    }
                }
                best
            }
        }
    }

    fn principal<G: Game>(
        &mut self,
        position: &G,
        alpha: Score,
        beta: Score,
        depth: Depth,
        ply: usize,
    ) -> Score
    where
        E: Evaluator<G>,
    {
        self.nodes += 1;
        match leaf(position, self.evaluator, depth, ply) {
            Ok(value) => value,
            Err(all) => {
                let first = position.after(all[0]);
                let mut best = -self.principal(&first, -beta, -alpha, depth - 1, ply + 1);
                for &m in &all[1..] {
                    if best >= beta {
                        break;
                    }
                    let child = position.after(m);
                    let lower = alpha.max(best);
                    // The child fails high: no improvement. It fails low: a new principal variation.
                    let mut value = -self.closed(&child, -lower, depth - 1, ply + 1);
                    if value > lower && value < beta {
                        value = -self.principal(&child, -beta, -value, depth - 1, ply + 1);
                    }
                    best = best.max(value);
                }
                best
            }
        }
    }

    /// Is the value `bound` at least?
    fn closed<G: Game>(&mut self, position: &G, bound: Score, depth: Depth, ply: usize) -> Score
    where
        E: Evaluator<G>,
    {
        self.nodes += 1;
        match leaf(position, self.evaluator, depth, ply) {
            Ok(value) => value,
            Err(all) => {
                let mut best = -Score::INFINITE;
                for m in all {
                    let child = position.after(m);
                    best = best.max(-self.closed(&child, -bound + 1, depth - 1, ply + 1));
                    if best >= bound {
                        break;
                    }
                }
                best
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::reference::negamax;
    use super::super::tree::{Shape, Statics, Tree};
    use super::*;

    const SHAPES: [Shape; 3] = [
        Shape { depth: 6, branching: 4, spread: 60, endings: 0 },
        Shape { depth: 7, branching: 3, spread: 5, endings: 7 },
        Shape { depth: 4, branching: 9, spread: 300, endings: 20 },
    ];

    #[test]
    fn every_shape_has_the_value_of_minimax() {
        for (seed, shape) in (0..20).flat_map(|seed| SHAPES.map(|shape| (seed, shape))) {
            let tree = Tree::random(seed, shape);
            for depth in (1..=shape.depth as i32).map(Depth::new) {
                let wanted = negamax(&tree, &mut Statics, depth);
                let found = [
                    fail_hard(&tree, &mut Statics, depth).0,
                    fail_soft(&tree, &mut Statics, depth).0,
                    negascout(&tree, &mut Statics, depth).0,
                    two_procedures(&tree, &mut Statics, depth).0,
                ];
                assert_eq!(found, [wanted; 4], "seed {seed}, {shape:?}, depth {depth}");
            }
        }
    }

    #[test]
    fn fail_hard_is_fail_soft_cut_to_the_window() {
        for seed in 0..30 {
            let tree = Tree::random(seed, SHAPES[0]);
            let depth = Depth::new(5);
            let value = negamax(&tree, &mut Statics, depth);
            for (low, high) in [(-60, -20), (-10, 10), (0, 1), (30, 90)] {
                let (alpha, beta) = (Score::heuristic(low), Score::heuristic(high));
                let soft = fail_soft_within(&tree, &mut Statics, depth, alpha, beta);
                let hard = fail_hard_within(&tree, &mut Statics, depth, alpha, beta);
                assert_eq!(hard, soft.clamp(alpha, beta), "seed {seed}");
                assert_eq!(hard, value.clamp(alpha, beta), "seed {seed}");
                // A bound beyond the window is a bound on the truth.
                assert!(soft < beta || soft <= value);
                assert!(soft > alpha || soft >= value);
            }
        }
    }
}
