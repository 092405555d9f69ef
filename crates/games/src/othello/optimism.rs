//! What can be hoped for in Othello: what an extra move is worth, and nothing besides.
//!
//! Nothing is forcing, for who cannot move passes and that is a move of the tree like any other. No disc
//! runs away. An extra move is often a burden here rather than a threat, so the real value stands where it
//! is worse, and that is counted.

use secateur_search::optimism::{Forcing, Hopeful, Illusion, Prospects};

use super::{Othello, OthelloMove};

impl Hopeful for Othello {
    fn forcing(&self, _m: OthelloMove, _after: &Othello) -> Option<Forcing> {
        None
    }

    fn illusion(
        &self,
        _m: OthelloMove,
        _extra: &[OthelloMove],
        _real: &[OthelloMove],
    ) -> Option<Illusion> {
        None
    }

    fn prospects(&self) -> Prospects {
        Prospects::default()
    }

    /// Empty squares: with few of them the endgame solver knows better.
    fn forces(&self) -> i32 {
        64 - self.discs() as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_search::Game;

    #[test]
    fn forces_are_the_squares_left() {
        assert_eq!(Othello::START.forces(), 60);
        let m = secateur_search::testkit::reference::moves(&Othello::START)[0];
        assert_eq!(Othello::START.after(m).forces(), 59);
    }
}
