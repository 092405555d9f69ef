//! Recapture extension (Marsland and Bjornsson, 2000, among the usual ones): more depth for a move
//! that takes back what has just taken, and so restores the balance: it loses nothing in the exchange.
//!
//! Claims that an exchange half done says nothing of the position, and that taking back is often
//! the only sensible reply. A search that stands beyond the horizon till it is quiet needs it less.

use crate::Ability;

crate::params! {
    /// More depth for moves that take back.
    pub struct RecaptureExtension in "recapture_extension" needs Ability::EXCHANGE {
        switch RecaptureExtensionForm = Off {
            /// Never.
            Off = "off",
            /// In open windows.
            Principal = "principal",
            /// Everywhere.
            On = "on",
        }
        /// From this depth on.
        depth = 1, in 1..=12, step 1;
        /// How much, in hundredths of a ply.
        amount = 100, in 10..=100, step 10;
    }
}

/// Hundredths of a ply to add for a move that takes back, `safe` if without a loss in the exchange.
#[inline]
pub fn amount(how: &RecaptureExtension, depth: i32, principal: bool, safe: bool) -> i32 {
    let applies = match how.form {
        RecaptureExtensionForm::Off => false,
        RecaptureExtensionForm::Principal => principal,
        RecaptureExtensionForm::On => true,
    };
    if applies && safe && depth >= how.depth { how.amount } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_depth_where_it_is_asked_for() {
        use RecaptureExtensionForm::{Off, On, Principal};
        let by = |form, depth, principal| {
            amount(&RecaptureExtension { form, depth: 3, amount: 70 }, depth, principal, true)
        };
        assert_eq!([by(Off, 9, true), by(Principal, 9, false), by(Principal, 9, true)], [0, 0, 70]);
        assert_eq!([by(On, 2, false), by(On, 3, false)], [0, 70]);
        let how = RecaptureExtension { form: On, depth: 3, amount: 70 };
        assert_eq!(amount(&how, 9, true, false), 0, "a queen for a pawn");
    }
}
