//! Razoring: a guess far below the window at little depth is checked by captures alone; if they do
//! not help either, the node fails low (Birmingham and Kent, 1977, in its modern form).
//!
//! Claims that quiet moves do not win much within a few plies. Unsound before quiet threats.

use super::{Answer, Facts, Probe};
use crate::Stopped;
use crate::calibrate::plan::Plan;

crate::params! {
    /// Fails low where the guess is far below the window and captures do not help.
    pub struct Razoring in "razoring" {
        switch RazoringForm = On {
            /// Never.
            Off = "off",
            /// Where captures confirm it.
            On = "on",
            /// The same, by what a table of cuts says of guesses and searches so deep.
            Fitted = "fitted",
        }
        /// Not with more plies left.
        depth = 3, in 1..=8, step 1;
        /// Margin with one ply left, in hundredths.
        base = 150, in 50..=800, step 25;
        /// More of it for each further ply.
        slope = 200, in 0..=800, step 25;
        /// Where it is fitted: how many deviations below the window, in hundredths.
        threshold = 150, in 10..=400, step 10;
    }
}

/// Asks.
#[inline]
pub fn ask(
    how: &Razoring,
    facts: &Facts,
    plan: &Plan,
    probe: &mut impl Probe,
) -> Result<Answer, Stopped> {
    if how.form == RazoringForm::Off || !facts.can_cut() || facts.depth > how.depth {
        return Ok(Answer::Silent);
    }
    let margin = match how.form {
        RazoringForm::Fitted => {
            match plan.reach_of_guess(facts.stage, facts.depth, how.threshold, true) {
                Some(reach) => reach,
                None => return Ok(Answer::Silent),
            }
        }
        _ => how.base + how.slope * (facts.depth - 1),
    };
    if facts.guess.value() + margin >= facts.beta.value() {
        return Ok(Answer::Silent);
    }
    let value = probe.beyond_horizon(facts.beta)?;
    Ok(if value < facts.beta { Answer::Cut(value) } else { Answer::No })
}

#[cfg(test)]
mod tests {
    use super::super::script::{Script, facts};
    use super::*;
    use crate::Score;

    const HOW: Razoring =
        Razoring { form: RazoringForm::On, depth: 2, base: 300, slope: 200, threshold: 150 };

    #[test]
    fn captures_are_asked_beyond_the_margin_only_and_have_the_last_word() {
        let mut probe = Script::new(&[-420, 0]);
        assert_eq!(ask(&HOW, &facts(2, 0, -500), Plan::NONE, &mut probe), Ok(Answer::Silent));
        assert!(probe.asked.is_empty());
        let low = facts(2, 0, -501);
        assert_eq!(
            ask(&HOW, &low, Plan::NONE, &mut probe),
            Ok(Answer::Cut(Score::heuristic(-420)))
        );
        assert_eq!(ask(&HOW, &low, Plan::NONE, &mut probe), Ok(Answer::No));
        assert_eq!(probe.asked, ["quiesce 0", "quiesce 0"]);
        for not in [Facts { depth: 3, ..low }, Facts { in_check: true, ..low }] {
            assert_eq!(ask(&HOW, &not, Plan::NONE, &mut probe), Ok(Answer::Silent));
        }
    }

    #[test]
    fn fitted_it_goes_by_the_errors_of_guesses() {
        let plan = crate::calibrate::example_cuts::with_function(60.0).plan();
        let how = Razoring { form: RazoringForm::Fitted, ..HOW };
        let mut probe = Script::new(&[-50]);
        assert_eq!(ask(&how, &facts(2, 0, -90), &plan, &mut probe), Ok(Answer::Silent));
        let found = ask(&how, &facts(2, 0, -91), &plan, &mut probe);
        assert_eq!(found, Ok(Answer::Cut(Score::heuristic(-50))));
    }
}
