//! Counting the leaves of the rules' tree: the usual proof that a move generator is right.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::game::{Game, Stopped};

/// How to count.
#[derive(Clone, Copy, Debug)]
pub struct Perft<'a> {
    /// Count the last ply with [`Game::count_moves`] instead of playing each move.
    pub bulk: bool,
    /// Count a game that is over early as one leaf, as Othello's published tables do.
    pub finished_is_leaf: bool,
    /// Set to end the count early.
    pub stop: Option<&'a AtomicBool>,
}

/// Leaves so near are counted in less than a millisecond: no need to look at the stop flag.
const LOOK_AT_STOP_FROM: u32 = 3;

impl Perft<'_> {
    /// The leaves `depth` plies below `position`.
    pub fn count<G: Game>(&self, position: &G, depth: u32) -> Result<u64, Stopped> {
        if depth >= LOOK_AT_STOP_FROM && self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
        {
            return Err(Stopped);
        }
        if depth == 0 {
            return Ok(1);
        }
        if depth == 1 && self.bulk {
            let moves = position.count_moves() as u64;
            return Ok(if moves == 0 { self.finished_is_leaf as u64 } else { moves });
        }
        let mut leaves = 0;
        let mut stopped = false;
        let mut moves = 0;
        position.each_move(|m| {
            moves += 1;
            if !stopped {
                match self.count(&position.after(m), depth - 1) {
                    Ok(count) => leaves += count,
                    Err(Stopped) => stopped = true,
                }
            }
        });
        if stopped {
            Err(Stopped)
        } else if moves == 0 {
            Ok(self.finished_is_leaf as u64)
        } else {
            Ok(leaves)
        }
    }

    /// The leaves below each move of `position`, handed out as they are counted; the sum. At
    /// depth 0 the position itself is the only leaf.
    pub fn divide<G: Game>(
        &self,
        position: &G,
        depth: u32,
        mut each: impl FnMut(G::Move, u64),
    ) -> Result<u64, Stopped> {
        if depth == 0 || position.count_moves() == 0 {
            return self.count(position, depth);
        }
        let mut moves = Vec::new();
        position.each_move(|m| moves.push(m));
        let mut sum = 0;
        for m in moves {
            let leaves = self.count(&position.after(m), depth - 1)?;
            each(m, leaves);
            sum += leaves;
        }
        Ok(sum)
    }
}

/// The leaves `depth` plies below `position`, counted in bulk, finished games left out.
pub fn perft<G: Game>(position: &G, depth: u32) -> u64 {
    let perft = Perft { bulk: true, finished_is_leaf: false, stop: None };
    perft.count(position, depth).expect("nobody can stop it")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::tree::Tree;

    fn uneven() -> Tree {
        Tree::parse("((1 2) 3 ((4 5 6) 7))").unwrap()
    }

    #[test]
    fn leaves_above_the_depth_count_only_if_finished_games_do() {
        for bulk in [true, false] {
            let perft = Perft { bulk, finished_is_leaf: false, stop: None };
            let leaves: Vec<_> = (0..5).map(|d| perft.count(&uneven(), d).unwrap()).collect();
            assert_eq!(leaves, [1, 3, 4, 3, 0], "bulk {bulk}");
            let perft = Perft { bulk, finished_is_leaf: true, stop: None };
            let leaves: Vec<_> = (0..5).map(|d| perft.count(&uneven(), d).unwrap()).collect();
            assert_eq!(leaves, [1, 3, 5, 7, 7], "bulk {bulk}");
        }
    }

    #[test]
    fn the_parts_of_a_division_add_up() {
        let perft = Perft { bulk: true, finished_is_leaf: true, stop: None };
        let mut parts = Vec::new();
        let sum = perft.divide(&uneven(), 3, |_, leaves| parts.push(leaves)).unwrap();
        assert_eq!((sum, parts), (7, vec![2, 1, 4]));
        assert_eq!(perft.divide(&uneven(), 0, |_, _| panic!("no move at depth 0")), Ok(1));
    }

    #[test]
    fn a_stopped_count_is_no_count() {
        let stop = AtomicBool::new(true);
        let perft = Perft { bulk: true, finished_is_leaf: true, stop: Some(&stop) };
        assert_eq!(perft.count(&uneven(), 9), Err(Stopped));
    }
}
