//! Passed-pawn extension (Marsland and Bjornsson, 2000, among the usual ones): a ply more for a piece
//! that is about to be promoted and that nothing of its kind can stop.
//!
//! Claims that a race is decided by single moves, just beyond the horizon of everything else.

use crate::Ability;

crate::params! {
    /// A ply more for moves that are about to promote.
    pub struct PassedExtension in "passed_extension" needs Ability::PROMOTION {
        switch PassedExtensionForm = Off {
            /// Never.
            Off = "off",
            /// Where the exchange is not lost.
            On = "on",
        }
        /// From this depth on.
        depth = 1, in 1..=12, step 1;
    }
}

/// Plies to add for a move that is about to promote.
#[inline]
pub fn plies(how: &PassedExtension, depth: i32, safe: bool) -> i32 {
    i32::from(how.form == PassedExtensionForm::On && safe && depth >= how.depth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_ply_where_the_pawn_is_safe() {
        let how = PassedExtension { form: PassedExtensionForm::On, depth: 3 };
        assert_eq!([plies(&how, 3, true), plies(&how, 3, false), plies(&how, 2, true)], [1, 0, 0]);
        assert_eq!(plies(&PassedExtension::default(), 9, true), 0, "off unless it is wanted");
    }
}
