//! Razoring: a guess far below the window at little depth is checked by captures alone; if they do
//! not help either, the node fails low (Birmingham and Kent, 1977, in its modern form).
//!
//! Claims that quiet moves do not win much within a few plies. Unsound before quiet threats.

use super::{Answer, Facts, Probe};
use crate::Stopped;

crate::params! {
    /// Fails low where the guess is far below the window and captures do not help.
    pub struct Razoring in "razoring" {
        switch RazoringForm = On {
            /// Never.
            Off = "off",
            /// Where captures confirm it.
            On = "on",
        }
        /// Not with more plies left.
        depth = 3, in 1..=8, step 1;
        /// Margin with one ply left, in hundredths.
        base = 150, in 50..=800, step 25;
        /// More of it for each further ply.
        slope = 200, in 0..=800, step 25;
    }
}

/// Asks.
#[inline]
pub fn ask(how: &Razoring, facts: &Facts, probe: &mut impl Probe) -> Result<Answer, Stopped> {
    if how.form == RazoringForm::Off || !facts.can_cut() || facts.depth > how.depth {
        return Ok(Answer::Silent);
    }
    let margin = how.base + how.slope * (facts.depth - 1);
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

    const HOW: Razoring = Razoring { form: RazoringForm::On, depth: 2, base: 300, slope: 200 };

    #[test]
    fn captures_are_asked_beyond_the_margin_only_and_have_the_last_word() {
        let mut probe = Script::new(&[-420, 0]);
        assert_eq!(ask(&HOW, &facts(2, 0, -500), &mut probe), Ok(Answer::Silent));
        assert!(probe.asked.is_empty());
        let low = facts(2, 0, -501);
        assert_eq!(ask(&HOW, &low, &mut probe), Ok(Answer::Cut(Score::heuristic(-420))));
        assert_eq!(ask(&HOW, &low, &mut probe), Ok(Answer::No));
        assert_eq!(probe.asked, ["quiesce 0", "quiesce 0"]);
        for not in [Facts { depth: 3, ..low }, Facts { in_check: true, ..low }] {
            assert_eq!(ask(&HOW, &not, &mut probe), Ok(Answer::Silent));
        }
    }
}
