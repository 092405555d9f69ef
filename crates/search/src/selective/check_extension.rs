//! Check extension: a ply more for a check that costs nothing.
//!
//! Claims that a line with few sensible replies is cheap to follow.

use crate::Ability;

crate::params! {
    /// A ply more for moves that give check without losing material.
    pub struct CheckExtension in "check_extension" needs Ability::CHECK {
        switch CheckExtensionForm = On {
            /// Never.
            Off = "off",
            /// Where the exchange is not lost.
            On = "on",
        }
        /// From this depth on.
        depth = 1, in 1..=12, step 1;
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

/// Plies to add.
#[inline]
pub fn plies(how: &CheckExtension, facts: MoveFacts) -> i32 {
    let applies = how.form == CheckExtensionForm::On
        && facts.checks
        && facts.safe
        && facts.depth >= how.depth;
    i32::from(applies)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_ply_for_a_check_that_loses_nothing() {
        let how = CheckExtension { depth: 3, ..CheckExtension::default() };
        let good = MoveFacts { checks: true, safe: true, depth: 3 };
        assert_eq!(plies(&how, good), 1);
        assert_eq!(plies(&how, MoveFacts { checks: false, ..good }), 0);
        assert_eq!(plies(&how, MoveFacts { safe: false, ..good }), 0);
        assert_eq!(plies(&how, MoveFacts { depth: 2, ..good }), 0);
    }
}
