//! Reverse futility: a guess that is far above the window at little depth is believed. The survey
//! calls this razoring (Marsland and Björnsson, 2000); today that name means something else.
//!
//! Claims that the side to move, with the move and a lead, keeps it for some plies. Unsound where a
//! threat is on the board that the evaluation does not see, and in zugzwang.

use super::{Answer, Facts};
use crate::Score;
use crate::calibrate::plan::Plan;

crate::params! {
    /// Cuts where the guess is far above the window.
    pub struct ReverseFutility in "reverse_futility" {
        switch ReverseFutilityForm = On {
            /// Never.
            Off = "off",
            /// By a margin for each ply.
            On = "on",
            /// By what a table of cuts says of guesses and searches so deep.
            Fitted = "fitted",
        }
        /// Not with more plies left.
        depth = 8, in 1..=16, step 1;
        /// Margin for each ply, in hundredths.
        margin = 60, in 10..=300, step 5;
        /// Plies that are taken off where the guess improves, in hundredths of one.
        improving = 100, in 0..=200, step 10;
        /// Where it is fitted: how many deviations above the window, in hundredths.
        threshold = 100, in 10..=400, step 10;
    }
}

/// Asks.
#[inline]
pub fn ask(how: &ReverseFutility, facts: &Facts, plan: &Plan) -> Answer {
    if how.form == ReverseFutilityForm::Off
        || !facts.can_cut()
        || facts.depth > how.depth
        || facts.guess.is_proven()
    {
        return Answer::Silent;
    }
    let margin = match how.form {
        ReverseFutilityForm::Fitted => {
            match plan.reach_of_guess(facts.stage, facts.depth, how.threshold, false) {
                Some(reach) => reach,
                None => return Answer::Silent,
            }
        }
        _ => {
            let plies = 100 * facts.depth - if facts.improving { how.improving } else { 0 };
            how.margin * plies.max(0) / 100
        }
    };
    let kept = facts.guess.value() - margin;
    if kept < facts.beta.value() {
        return Answer::No;
    }
    // Not the guess itself: it is higher than anything that was searched.
    Answer::Cut(Score::heuristic((facts.guess.value() + facts.beta.value()) / 2))
}

#[cfg(test)]
mod tests {
    use super::super::script::facts;
    use super::*;

    const HOW: ReverseFutility = ReverseFutility {
        form: ReverseFutilityForm::On,
        depth: 4,
        margin: 50,
        improving: 100,
        threshold: 100,
    };

    #[test]
    fn it_cuts_exactly_at_the_margin_and_less_is_needed_when_things_improve() {
        assert_eq!(ask(&HOW, &facts(3, 100, 249), Plan::NONE), Answer::No);
        assert_eq!(ask(&HOW, &facts(3, 100, 250), Plan::NONE), Answer::Cut(Score::heuristic(175)));
        let improving = Facts { improving: true, ..facts(3, 100, 200) };
        assert_eq!(ask(&HOW, &improving, Plan::NONE), Answer::Cut(Score::heuristic(150)));
    }

    #[test]
    fn it_is_silent_where_its_claim_has_no_ground() {
        let good = facts(3, 100, 2_000);
        assert!(matches!(ask(&HOW, &good, Plan::NONE), Answer::Cut(_)));
        for not in [
            Facts { principal: true, ..good },
            Facts { in_check: true, ..good },
            Facts { without_a_move: true, ..good },
            Facts { depth: 5, ..good },
            Facts { beta: Score::mate_in(9), ..good },
            Facts { guess: Score::mate_in(9), ..good },
        ] {
            assert_eq!(ask(&HOW, &not, Plan::NONE), Answer::Silent, "{not:?}");
        }
        let off = ReverseFutility { form: ReverseFutilityForm::Off, ..HOW };
        assert_eq!(ask(&off, &good, Plan::NONE), Answer::Silent);
    }

    #[test]
    fn fitted_it_goes_by_the_errors_of_guesses() {
        let plan = crate::calibrate::example_cuts::with_function(60.0).plan();
        let how = ReverseFutility { form: ReverseFutilityForm::Fitted, threshold: 150, ..HOW };
        assert_eq!(ask(&how, &facts(3, 100, 189), &plan), Answer::No);
        assert_eq!(ask(&how, &facts(3, 100, 190), &plan), Answer::Cut(Score::heuristic(145)));
        assert_eq!(ask(&how, &facts(3, 100, 900), Plan::NONE), Answer::Silent);
    }
}
