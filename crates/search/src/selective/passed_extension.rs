//! Passed-pawn extension (Marsland and Bjornsson, 2000, among the usual ones): more depth for a piece
//! that is about to be promoted and that nothing of its kind can stop.
//!
//! Claims that a race is decided by single moves, just beyond the horizon of everything else.

use crate::Ability;

crate::params! {
    /// More depth for moves that are about to promote.
    pub struct PassedExtension in "passed_extension" needs Ability::PROMOTION {
        switch PassedExtensionForm = Off {
            /// Never.
            Off = "off",
            /// Where the exchange is not lost.
            On = "on",
        }
        /// From this depth on.
        depth = 1, in 1..=12, step 1;
        /// How much, in hundredths of a ply.
        amount = 100, in 10..=100, step 10;
    }
}

/// Hundredths of a ply to add for a move that is about to promote.
#[inline]
pub fn amount(how: &PassedExtension, depth: i32, safe: bool) -> i32 {
    let applies = how.form == PassedExtensionForm::On && safe && depth >= how.depth;
    if applies { how.amount } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_depth_where_the_pawn_is_safe() {
        let how = PassedExtension { form: PassedExtensionForm::On, depth: 3, amount: 70 };
        let by = |depth, safe| amount(&how, depth, safe);
        assert_eq!([by(3, true), by(3, false), by(2, true)], [70, 0, 0]);
        assert_eq!(amount(&PassedExtension::default(), 9, true), 0, "off unless it is wanted");
    }
}
