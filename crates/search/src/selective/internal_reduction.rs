//! Internal reduction (Schröder's remedy for nodes without a table move, 2020): what was never
//! searched before is searched a ply less deep, so that the next iteration comes with a move.
//!
//! Claims that a node to which no earlier iteration left a move is not on the way to anything, or
//! will be met again better prepared.

use super::Facts;

crate::params! {
    /// Takes depth from nodes for which the table knows no move.
    pub struct InternalReduction in "internal_reduction" {
        switch InternalReductionForm = On {
            /// Never.
            Off = "off",
            /// Where a move would matter: open windows and expected cuts.
            On = "on",
        }
        /// From this depth on.
        depth = 4, in 2..=10, step 1;
    }
}

/// How many plies to take off.
#[inline]
pub fn plies(how: &InternalReduction, facts: &Facts) -> i32 {
    let known = facts.table.is_some_and(|table| table.packed_move != 0);
    let matters = facts.principal || facts.expected_cut;
    let applies = how.form == InternalReductionForm::On
        && facts.depth >= how.depth
        && matters
        && !known
        && !facts.without_a_move;
    i32::from(applies)
}

#[cfg(test)]
mod tests {
    use super::super::script::facts;
    use super::*;

    #[test]
    fn only_nodes_without_a_move_lose_a_ply_and_only_where_one_would_matter() {
        let how = InternalReduction::default();
        let node = facts(6, 0, 0);
        assert_eq!(plies(&how, &node), 1);
        assert_eq!(plies(&how, &Facts { expected_cut: false, ..node }), 0);
        assert_eq!(plies(&how, &Facts { depth: 3, ..node }), 0);
        let off = InternalReduction { form: InternalReductionForm::Off, ..how };
        assert_eq!(plies(&off, &node), 0);
    }
}
