//! Limited razoring (Heinz, 1998): three plies before the horizon a node that is a queen behind is
//! searched one ply less deep, where futility then prunes most of it.
//!
//! Claims that such a lag is not made up in three plies. Not where the opponent has few pieces or the
//! line has just been extended.

use super::frontier_futility::is_safe;
use super::{Facts, Probe};
use crate::Ability;

crate::params! {
    /// A ply less where material is far below the window.
    pub struct LimitedRazoring in "limited_razoring" needs Ability::MATERIAL {
        switch LimitedRazoringForm = Off {
            /// Never.
            Off = "off",
            /// Three plies before the horizon.
            On = "on",
        }
        /// Margin, in hundredths.
        margin = 900, in 300..=2000, step 25;
    }
}

/// The only depth at which it asks.
const DEPTH: i32 = 3;

/// Plies to take off the node; `None` if it does not ask here.
#[inline]
pub fn plies(how: &LimitedRazoring, facts: &Facts, probe: &impl Probe) -> Option<i32> {
    let asks = how.form == LimitedRazoringForm::On
        && facts.depth == DEPTH
        && facts.can_cut()
        && is_safe(facts, probe);
    asks.then(|| i32::from(probe.material() + how.margin <= facts.alpha.value()))
}

#[cfg(test)]
mod tests {
    use super::super::script::{Script, facts};
    use super::*;

    #[test]
    fn a_node_that_is_a_queen_behind_loses_a_ply() {
        let how = LimitedRazoring { form: LimitedRazoringForm::On, margin: 900 };
        let asked = |facts: &Facts, material| {
            let mut probe = Script::new(&[]);
            probe.material = material;
            plies(&how, facts, &probe)
        };
        // Alpha is one below beta.
        let node = facts(3, 1, 0);
        assert_eq!([asked(&node, -900), asked(&node, -899)], [Some(1), Some(0)]);
        assert_eq!(asked(&facts(4, 1, 0), -2_000), None);
        assert_eq!(asked(&Facts { after_extension: true, ..node }, -2_000), None);
        assert_eq!(asked(&Facts { in_check: true, ..node }, -2_000), None);
    }
}
