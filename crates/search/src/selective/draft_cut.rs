//! Draft cut: what the transposition table knows from a shallower search decides, if it lies so far
//! beyond the window that a search as deep as wanted will hardly differ. ProbCut (Buro, 1995) whose
//! shallow search has already been made: it costs nothing.
//!
//! Claims what [`probcut`](super::probcut) claims, by the one function of all pairs of depths. Unsound
//! where that is.

use super::levels::Level;
use super::{Answer, Facts};
use crate::alphabeta::table::Bound;
use crate::calibrate::plan::Plan;

crate::params! {
    /// Cuts where the table knows a value of less depth that is far beyond the window.
    pub struct DraftCut in "draft_cut" {
        switch DraftCutForm = Off {
            /// Never.
            Off = "off",
            /// Above the window alone.
            Above = "above",
            /// On both sides.
            On = "on",
        }
        /// How many deviations beyond the window, in hundredths.
        threshold = 150, in 10..=400, step 10;
        /// Not by entries of less depth.
        draft = 1, in 1..=30, step 1;
        /// Not with more plies left.
        depth = 60, in 1..=60, step 1;
    }
}

/// Asks.
#[inline]
pub fn ask(how: &DraftCut, level: Option<Level>, facts: &Facts, plan: &Plan) -> Answer {
    let Some(table) = facts.table else { return Answer::Silent };
    // A search that goes through levels is as bold as its level, and the last makes no cuts.
    let Some(threshold) = level.map_or(Some(how.threshold), Level::threshold) else {
        return Answer::Silent;
    };
    if how.form == DraftCutForm::Off
        || !facts.can_cut()
        || facts.alpha.is_proven()
        || facts.depth > how.depth
        || !(how.draft..facts.depth).contains(&table.draft)
        || table.value.is_proven()
    {
        return Answer::Silent;
    }
    let above = table.value >= facts.beta;
    if !above && how.form == DraftCutForm::Above {
        return Answer::Silent;
    }
    let says = matches!(
        (table.bound, above),
        (Bound::Exact, _) | (Bound::Lower, true) | (Bound::Upper, false)
    );
    // Errors below a value that is too high matter, and those above one that is too low.
    let reach = plan.reach(facts.stage, table.draft, facts.depth, threshold, !above);
    let (true, Some(reach)) = (says, reach) else { return Answer::Silent };
    let value = table.value.value();
    if above && value - reach >= facts.beta.value() {
        Answer::Cut(facts.beta)
    } else if !above && value + reach <= facts.alpha.value() {
        Answer::Cut(facts.alpha)
    } else {
        Answer::No
    }
}

#[cfg(test)]
mod tests {
    use super::super::script::facts;
    use super::*;
    use crate::Score;
    use crate::calibrate::example_cuts::with_function;
    use crate::selective::TableFacts;

    /// Every pair has the deviation 40.
    fn plan() -> Plan {
        with_function(40.0).plan()
    }

    const HOW: DraftCut = DraftCut { form: DraftCutForm::On, threshold: 150, draft: 2, depth: 12 };

    fn known(value: i32, bound: Bound, draft: i32) -> Facts {
        let value = Score::heuristic(value);
        let table = Some(TableFacts { packed_move: 0, noisy: false, value, bound, draft });
        Facts { table, ..facts(6, 100, 0) }
    }

    #[test]
    fn it_cuts_exactly_where_the_errors_end() {
        let plan = plan();
        let ask = |value, bound| ask(&HOW, None, &known(value, bound, 4), &plan);
        let (alpha, beta) = (Score::heuristic(99), Score::heuristic(100));
        assert_eq!(ask(160, Bound::Lower), Answer::Cut(beta));
        assert_eq!(ask(159, Bound::Lower), Answer::No);
        assert_eq!(ask(39, Bound::Upper), Answer::Cut(alpha));
        assert_eq!(ask(40, Bound::Upper), Answer::No);
        assert_eq!(ask(160, Bound::Exact), Answer::Cut(beta));
        assert_eq!(ask(39, Bound::Exact), Answer::Cut(alpha));
        assert_eq!(ask(500, Bound::Upper), Answer::Silent, "it may be anything below");
        assert_eq!(ask(-500, Bound::Lower), Answer::Silent);
    }

    #[test]
    fn a_level_has_its_own_threshold_and_the_last_makes_no_cuts() {
        use crate::selective::levels::{Levels, LevelsForm};
        let plan = plan();
        let mut level = Level::first(&Levels { form: LevelsForm::On }, true);
        let mut cuts = Vec::new();
        while let Some(here) = level {
            // The boldest threshold is 1.1 deviations, 44 beyond the window; then 60, 80, 104, 132.
            let at = |value| ask(&HOW, level, &known(value, Bound::Lower, 4), &plan);
            cuts.push([144, 160, 180, 204, 232, 900].map(|value| at(value) != Answer::No));
            if here.threshold().is_none() {
                assert_eq!(at(900), Answer::Silent);
            }
            level = here.next();
        }
        let least: Vec<usize> =
            cuts.iter().map(|cuts| cuts.iter().filter(|cut| **cut).count()).collect();
        assert_eq!(least, [6, 5, 4, 3, 2, 6], "the last is silent of all");
    }

    #[test]
    fn it_is_silent_where_it_has_nothing_to_go_by() {
        let plan = plan();
        let good = known(900, Bound::Lower, 4);
        assert!(matches!(ask(&HOW, None, &good, &plan), Answer::Cut(_)));
        for not in [
            Facts { principal: true, ..good },
            Facts { in_check: true, ..good },
            Facts { depth: 4, ..good },
            Facts { depth: 13, ..good },
            Facts { table: None, ..good },
            known(900, Bound::Lower, 1),
            known(900, Bound::None, 4),
        ] {
            assert_eq!(ask(&HOW, None, &not, &plan), Answer::Silent, "{not:?}");
        }
        assert_eq!(ask(&HOW, None, &good, Plan::NONE), Answer::Silent, "no function");
        let below = known(-900, Bound::Upper, 4);
        let one_side = DraftCut { form: DraftCutForm::Above, ..HOW };
        assert!(matches!(ask(&one_side, None, &good, &plan), Answer::Cut(_)));
        assert_eq!(ask(&one_side, None, &below, &plan), Answer::Silent);
    }
}
