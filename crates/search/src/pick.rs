//! The stand-in player: a legal move without any search.
//!
//! It lets the whole program, from protocol to notation, be used before there is a search.

use crate::Game;
use crate::random::SplitMix;

crate::params! {
    /// Which legal move is played without a search.
    pub struct Pick in "pick" {
        switch PickForm = Random {
            /// One drawn by the seed and the position: the same position gets the same move.
            Random = "random",
            /// The first in the order of generation.
            First = "first",
        }
        /// Another seed draws other moves.
        seed = 1, in 0..=1_000_000, step 1;
    }
}

/// The move to play among `allowed` (all legal moves if that is empty), if there is any.
pub fn pick<G: Game>(position: &G, allowed: &[G::Move], how: &Pick) -> Option<G::Move> {
    let mut moves = Vec::new();
    position.each_move(|m| {
        if allowed.is_empty() || allowed.contains(&m) {
            moves.push(m);
        }
    });
    let index = match how.form {
        PickForm::First => 0,
        PickForm::Random => {
            // The first draw decorrelates seeds that lie close together.
            let seed = SplitMix::new(how.seed as u64).next_u64();
            SplitMix::new(seed ^ position.key()).below(moves.len())
        }
    };
    moves.get(index).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::tree::Tree;

    #[test]
    fn the_pick_is_legal_repeatable_and_moves_with_the_seed() {
        let tree = Tree::parse("(1 2 3 4 5 6 7 8)").unwrap();
        let picks: Vec<_> = (0..100)
            .map(|seed| {
                let how = Pick { seed, ..Pick::default() };
                assert_eq!(pick(&tree, &[], &how), pick(&tree, &[], &how));
                pick(&tree, &[], &how).unwrap()
            })
            .collect();
        for m in 0..8 {
            assert!(picks.contains(&m), "move {m} was never picked");
        }
    }

    #[test]
    fn only_allowed_moves_are_picked_and_a_finished_game_has_none() {
        let tree = Tree::parse("(1 2 3 4)").unwrap();
        let first = Pick { form: PickForm::First, seed: 1 };
        assert_eq!(pick(&tree, &[], &first), Some(0));
        assert_eq!(pick(&tree, &[2], &first), Some(2));
        assert_eq!(pick(&tree, &[9], &Pick::default()), None);
        assert_eq!(pick(&Tree::parse("5").unwrap(), &[], &Pick::default()), None);
    }
}
