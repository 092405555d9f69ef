//! Check extension: more depth for a check that costs nothing.
//!
//! Claims that a line with few sensible replies is cheap to follow.

use crate::Ability;

crate::params! {
    /// More depth for moves that give check without losing material.
    pub struct CheckExtension in "check_extension" needs Ability::CHECK {
        switch CheckExtensionForm = On {
            /// Never.
            Off = "off",
            /// Where the exchange is not lost.
            On = "on",
            /// Every check, as in the papers.
            All = "all",
        }
        /// From this depth on.
        depth = 1, in 1..=12, step 1;
        /// How much, in hundredths of a ply.
        amount = 100, in 10..=100, step 10;
    }
}

/// What is asked about a move.
#[derive(Clone, Copy, Debug)]
pub struct MoveFacts {
    /// Whether it gives check.
    pub checks: bool,
    /// Whether the exchange on its target loses nothing.
    pub safe: bool,
    /// Plies to search.
    pub depth: i32,
}

/// Hundredths of a ply to add.
#[inline]
pub fn amount(how: &CheckExtension, facts: MoveFacts) -> i32 {
    let safe = match how.form {
        CheckExtensionForm::Off => return 0,
        CheckExtensionForm::On => facts.safe,
        CheckExtensionForm::All => true,
    };
    let applies = facts.checks && safe && facts.depth >= how.depth;
    if applies { how.amount } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_that_loses_nothing_is_extended() {
        let how = CheckExtension { depth: 3, ..CheckExtension::default() };
        let good = MoveFacts { checks: true, safe: true, depth: 3 };
        assert_eq!(amount(&how, good), 100);
        assert_eq!(amount(&how, MoveFacts { checks: false, ..good }), 0);
        assert_eq!(amount(&how, MoveFacts { safe: false, ..good }), 0);
        assert_eq!(amount(&how, MoveFacts { depth: 2, ..good }), 0);
        let every = CheckExtension { form: CheckExtensionForm::All, ..how };
        assert_eq!(amount(&every, MoveFacts { safe: false, ..good }), 100);
        let never = CheckExtension { form: CheckExtensionForm::Off, ..every };
        assert_eq!(amount(&never, good), 0);
    }
}
