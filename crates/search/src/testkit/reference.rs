//! Searches that prune nothing, written to be obviously right: the oracles of the real ones.

use crate::{Depth, Evaluator, Game, Score};

/// The value of `position` by plain minimax to `depth`, seen from the side to move. Repetition is
/// not looked at.
pub fn negamax<G: Game, E: Evaluator<G>>(position: &G, evaluator: &mut E, depth: Depth) -> Score {
    evaluator.start(position);
    value(position, evaluator, depth, 0)
}

/// The value of `position` and the first move that reaches it, if there is a move.
pub fn best_move<G: Game, E: Evaluator<G>>(
    position: &G,
    evaluator: &mut E,
    depth: Depth,
) -> (Score, Option<G::Move>) {
    evaluator.start(position);
    if let Some(outcome) = position.ended() {
        return (outcome.score(0), None);
    }
    let mut best = (-Score::INFINITE, None);
    for m in moves(position) {
        let child = position.after(m);
        evaluator.advance(0, position, m, &child);
        let score = -value(&child, evaluator, depth - 1, 1);
        if best.1.is_none() || score > best.0 {
            best = (score, Some(m));
        }
    }
    if best.1.is_none() { (position.without_moves().score(0), None) } else { best }
}

/// The legal moves as a list.
pub fn moves<G: Game>(position: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    position.each_move(|m| moves.push(m));
    moves
}

fn value<G: Game, E: Evaluator<G>>(
    position: &G,
    evaluator: &mut E,
    depth: Depth,
    ply: usize,
) -> Score {
    if let Some(outcome) = position.ended() {
        return outcome.score(ply);
    }
    let moves = moves(position);
    if moves.is_empty() {
        return position.without_moves().score(ply);
    }
    if depth == Depth::ZERO {
        return evaluator.evaluate(ply, position);
    }
    let mut best = -Score::INFINITE;
    for m in moves {
        let child = position.after(m);
        evaluator.advance(ply, position, m, &child);
        best = best.max(-value(&child, evaluator, depth - 1, ply + 1));
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::tree::{Statics, Tree};

    #[test]
    fn minimax_by_hand() {
        // Two plies: the root takes the larger of the smaller.
        let tree = Tree::parse("((3 5) (2 9) (4 4))").unwrap();
        assert_eq!(best_move(&tree, &mut Statics, Depth::new(2)), (Score::counted(4), Some(2)));
        // A quicker mate is better than a slower one, and any mate than a margin.
        let tree = Tree::parse("(((L)) L 30)").unwrap();
        assert_eq!(best_move(&tree, &mut Statics, Depth::new(9)), (Score::mate_in(1), Some(1)));
    }

    #[test]
    fn the_horizon_is_evaluated_and_a_finished_game_is_not() {
        let tree = Tree::parse("(12:(9) -30:(9) 25)").unwrap();
        assert_eq!(negamax(&tree, &mut Statics, Depth::new(1)), Score::heuristic(30));
        let over = Tree::parse("-8").unwrap();
        assert_eq!(best_move(&over, &mut Statics, Depth::new(3)), (Score::counted(-8), None));
        assert_eq!(negamax(&over, &mut Statics, Depth::ZERO), Score::counted(-8));
    }
}
