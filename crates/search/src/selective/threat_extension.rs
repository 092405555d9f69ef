//! Extension of threats to the king (Ye and Marsland, 1992): where a pass would be mated, every move is
//! searched deeper, for the mate is only put off by moves that do not meet it.
//!
//! Claims that the horizon hides how such threats end. It sees threats only through a pass that failed,
//! so it needs null move to be on.

use crate::Ability;

crate::params! {
    /// More depth where a pass would be mated; only null move finds out.
    pub struct ThreatExtension in "threat_extension" needs Ability::PASS_IS_BOUND {
        switch ThreatExtensionForm = Off {
            /// Never.
            Off = "off",
            /// Where a pass was tried and mated.
            On = "on",
        }
        /// From this depth on.
        depth = 3, in 1..=12, step 1;
        /// How much, in hundredths of a ply.
        amount = 100, in 10..=100, step 10;
    }
}

/// Hundredths of a ply to add where a pass would be mated.
#[inline]
pub fn amount(how: &ThreatExtension, depth: i32, mated_by_pass: bool) -> i32 {
    let applies = how.form == ThreatExtensionForm::On && depth >= how.depth && mated_by_pass;
    if applies { how.amount } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threatened_mate_is_worth_depth() {
        let how = ThreatExtension { form: ThreatExtensionForm::On, depth: 3, amount: 50 };
        assert_eq!([false, true].map(|mated| amount(&how, 3, mated)), [0, 50]);
        assert_eq!(amount(&how, 2, true), 0);
        assert_eq!(amount(&ThreatExtension::default(), 9, true), 0);
    }
}
