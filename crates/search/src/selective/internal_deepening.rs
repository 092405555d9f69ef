//! Internal iterative deepening (Scott, 1969; Anantharaman, 1991): a node without a known move is first
//! searched to less depth, to have a good move to begin with.
//!
//! Claims that the order is worth more than the shallower search costs. [`internal_reduction`] takes the
//! depth off instead and leaves the rest to the next iteration.
//!
//! [`internal_reduction`]: super::internal_reduction

use super::Facts;

crate::params! {
    /// Searches a node without a known move to less depth first.
    pub struct InternalDeepening in "internal_deepening" {
        switch InternalDeepeningForm = Off {
            /// Never.
            Off = "off",
            /// In open windows, where the table nearly always knows a move, and where a cut is expected.
            On = "on",
        }
        /// From this depth on.
        depth = 4, in 2..=12, step 1;
        /// Plies less deep.
        less = 2, in 1..=6, step 1;
    }
}

/// Plies less deep for the first search; 0 for none.
#[inline]
pub fn plies(how: &InternalDeepening, facts: &Facts) -> i32 {
    let here = how.form == InternalDeepeningForm::On && (facts.principal || facts.expected_cut);
    let unknown = facts.table.is_none_or(|table| table.packed_move == 0);
    let applies = here && unknown && !facts.without_a_move && facts.depth >= how.depth;
    if applies { how.less.min(facts.depth - 1) } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::super::TableFacts;
    use super::super::script::facts;
    use super::*;
    use crate::Score;
    use crate::alphabeta::table::Bound;

    #[test]
    fn a_node_without_a_known_move_is_searched_to_less_depth_first() {
        let how = InternalDeepening { form: InternalDeepeningForm::On, depth: 4, less: 6 };
        let node = facts(4, 0, 0);
        assert_eq!(plies(&how, &node), 3, "never to no depth at all");
        assert_eq!(plies(&how, &facts(9, 0, 0)), 6);
        assert_eq!(plies(&how, &facts(3, 0, 0)), 0);
        assert_eq!(plies(&how, &Facts { expected_cut: false, ..node }), 0);
        assert_eq!(plies(&how, &Facts { without_a_move: true, ..node }), 0);
        assert_eq!(plies(&how, &Facts { expected_cut: false, principal: true, ..node }), 3);
        assert_eq!(plies(&InternalDeepening::default(), &node), 0);
        let table = TableFacts {
            packed_move: 5,
            noisy: false,
            value: Score::DRAW,
            bound: Bound::Lower,
            draft: 1,
        };
        assert_eq!(plies(&how, &Facts { table: Some(table), ..node }), 0);
    }
}
