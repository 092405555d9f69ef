//! Multi-cut (Bjornsson and Marsland, 1998): where a cut is expected and several of the first moves
//! hold beta at less depth, one of them will at full depth.
//!
//! Claims that the refutations of a bad move are many, so that they do not all fail at once. A new
//! principal variation needs every expected cut on its path to fail; the opposite of a singular move.

use super::{Answer, Facts, Probe};
use crate::{Depth, Stopped};

crate::params! {
    /// Cuts where several moves hold the window at less depth.
    pub struct MultiCut in "multi_cut" {
        switch MultiCutForm = Off {
            /// Never.
            Off = "off",
            /// Where a cut is expected.
            On = "on",
        }
        /// From this depth on.
        depth = 5, in 2..=16, step 1;
        /// So many moves are tried (M).
        moves = 6, in 2..=20, step 1;
        /// So many of them must hold (C).
        cuts = 3, in 1..=10, step 1;
        /// The reduction (R), beside the ply of the move itself.
        reduction = 2, in 1..=8, step 1;
    }
}

/// Asks.
#[inline]
pub fn ask(how: &MultiCut, facts: &Facts, probe: &mut impl Probe) -> Result<Answer, Stopped> {
    if how.form == MultiCutForm::Off
        || !facts.expected_cut
        || !facts.can_cut()
        || facts.depth < how.depth
    {
        return Ok(Answer::Silent);
    }
    let rest = Depth::new(facts.depth - 1 - how.reduction);
    // More than all cannot hold.
    let (moves, enough) = (how.moves as usize, how.cuts.min(how.moves) as usize);
    let cuts = probe.count_cuts(facts.beta, rest, moves, enough)?;
    // The probes know of no value beyond the window at full depth.
    Ok(if cuts >= enough { Answer::Cut(facts.beta) } else { Answer::No })
}

#[cfg(test)]
mod tests {
    use super::super::script::{Script, facts};
    use super::*;
    use crate::Score;

    const HOW: MultiCut =
        MultiCut { form: MultiCutForm::On, depth: 5, moves: 10, cuts: 3, reduction: 2 };

    #[test]
    fn it_cuts_when_enough_moves_hold_and_not_with_one_fewer() {
        let node = facts(6, 40, 0);
        let mut probe = Script::new(&[2, 3]);
        assert_eq!(ask(&HOW, &node, &mut probe), Ok(Answer::No));
        assert_eq!(ask(&HOW, &node, &mut probe), Ok(Answer::Cut(Score::heuristic(40))));
        assert_eq!(probe.asked, ["cuts 40 3 10 3", "cuts 40 3 10 3"]);
    }

    #[test]
    fn only_expected_cuts_are_asked_about() {
        let good = facts(6, 40, 0);
        for not in [
            Facts { expected_cut: false, ..good },
            Facts { depth: 4, ..good },
            Facts { in_check: true, ..good },
            Facts { principal: true, ..good },
            Facts { without_a_move: true, ..good },
        ] {
            assert_eq!(ask(&HOW, &not, &mut Script::new(&[])), Ok(Answer::Silent), "{not:?}");
        }
    }
}
