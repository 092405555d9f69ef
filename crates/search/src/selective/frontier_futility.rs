//! Futility at the frontier by material (Schaeffer, 1986), and a ply before it (Heinz, 1998): a move
//! is not tried if material, what it takes and a margin together stay below alpha.
//!
//! Claims that no move changes the position by more than the margin beyond what it takes. Unsound for
//! threats: checks are tried in any case, and a ply before the frontier nothing is left out where the
//! opponent has few pieces or the line has just been extended. The first move is always tried, so that
//! the node has a value.

use super::{Facts, Probe};
use crate::Ability;

crate::params! {
    /// Leaves out moves near the horizon that cannot win enough material.
    pub struct FrontierFutility in "frontier_futility" needs Ability::MATERIAL {
        switch FrontierFutilityForm = Off {
            /// Never.
            Off = "off",
            /// One ply before the horizon.
            Frontier = "frontier",
            /// There and, by a wider margin, a ply before.
            Extended = "extended",
        }
        /// Margin one ply before the horizon, in hundredths.
        margin = 200, in 50..=900, step 25;
        /// Margin two plies before it.
        extended = 500, in 100..=1500, step 25;
    }
}

/// Where the opponent has so few pieces, material says little.
pub(super) const FEW_OFFICERS: usize = 3;

/// What a move that takes nothing could come to at most; `None` where every move is tried.
#[inline]
pub fn ceiling(how: &FrontierFutility, facts: &Facts, probe: &impl Probe) -> Option<i32> {
    let margin = match (how.form, facts.depth) {
        (FrontierFutilityForm::Off, _) => return None,
        (_, 1) => how.margin,
        (FrontierFutilityForm::Extended, 2) => how.extended,
        _ => return None,
    };
    let safe = facts.depth == 1 || is_safe(facts, probe);
    let applies = !facts.in_check && !facts.alpha.is_proven() && safe;
    applies.then(|| probe.material() + margin)
}

/// Whether pruning by material is to be trusted beyond the frontier.
#[inline]
pub(super) fn is_safe(facts: &Facts, probe: &impl Probe) -> bool {
    !facts.after_extension && probe.officers()[1] > FEW_OFFICERS
}

#[cfg(test)]
mod tests {
    use super::super::script::{Script, facts};
    use super::*;

    const HOW: FrontierFutility =
        FrontierFutility { form: FrontierFutilityForm::Extended, margin: 200, extended: 500 };

    fn asked(how: &FrontierFutility, facts: &Facts, officers: usize) -> Option<i32> {
        let mut probe = Script::new(&[]);
        (probe.material, probe.officers) = (-30, [0, officers]);
        ceiling(how, facts, &probe)
    }

    #[test]
    fn the_ceiling_is_material_and_the_margin_of_the_ply() {
        assert_eq!(asked(&HOW, &facts(1, 0, 0), 7), Some(170));
        assert_eq!(asked(&HOW, &facts(2, 0, 0), 7), Some(470));
        assert_eq!(asked(&HOW, &facts(3, 0, 0), 7), None);
        let frontier = FrontierFutility { form: FrontierFutilityForm::Frontier, ..HOW };
        assert_eq!(asked(&frontier, &facts(1, 0, 0), 7), Some(170));
        assert_eq!(asked(&frontier, &facts(2, 0, 0), 7), None);
        assert_eq!(asked(&FrontierFutility::default(), &facts(1, 0, 0), 7), None);
    }

    #[test]
    fn a_ply_before_the_frontier_it_is_careful() {
        let node = facts(2, 0, 0);
        assert_eq!(asked(&HOW, &node, 3), None, "few pieces");
        assert_eq!(asked(&HOW, &facts(1, 0, 0), 3), Some(170), "not at the frontier");
        assert_eq!(asked(&HOW, &Facts { after_extension: true, ..node }, 7), None);
        assert_eq!(asked(&HOW, &Facts { in_check: true, ..node }, 7), None);
    }
}
