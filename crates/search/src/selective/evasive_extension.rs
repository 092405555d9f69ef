//! Extension of evasive moves (Ye and Marsland, 1992): a quiet move that meets the threat which a pass
//! has shown is searched deeper.
//!
//! Claims that the threat comes back, and that the horizon hides it. It sees threats only through a
//! pass that failed, so it needs null move to be on.

use crate::Ability;

crate::params! {
    /// More depth for quiet moves that meet a threat; only null move finds one.
    pub struct EvasiveExtension in "evasive_extension" needs Ability::PASS_IS_BOUND {
        switch EvasiveExtensionForm = Off {
            /// Never.
            Off = "off",
            /// Where a pass has shown the threat.
            On = "on",
        }
        /// From this depth on.
        depth = 3, in 1..=12, step 1;
        /// How much, in hundredths of a ply.
        amount = 50, in 10..=100, step 10;
    }
}

/// Hundredths of a ply to add to a quiet move, or one that takes something.
#[inline]
pub fn amount(how: &EvasiveExtension, depth: i32, noisy: bool, meets_threat: bool) -> i32 {
    let applies =
        how.form == EvasiveExtensionForm::On && depth >= how.depth && !noisy && meets_threat;
    if applies { how.amount } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quiet_move_that_meets_the_threat_is_worth_depth() {
        let how = EvasiveExtension { form: EvasiveExtensionForm::On, depth: 3, amount: 50 };
        assert_eq!(amount(&how, 3, false, true), 50);
        assert_eq!(amount(&how, 3, true, true), 0);
        assert_eq!(amount(&how, 3, false, false), 0);
        assert_eq!(amount(&how, 2, false, true), 0);
        assert_eq!(amount(&EvasiveExtension::default(), 9, false, true), 0);
    }
}
