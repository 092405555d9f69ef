//! Material cut in the manner of Chinook (Schaeffer and others, 1992): a line in which material was
//! lost since the root, without enough in return, is looked at to half the depth; only if that brings
//! it back it is searched in full.
//!
//! Claims that what is not won back soon is lost for good. Unsound for deep sacrifices.

use super::{Answer, Facts, Probe};
use crate::{Ability, Depth, Stopped};

crate::params! {
    /// Gives up lines that have lost material for nothing.
    pub struct MaterialCut in "material_cut" needs Ability::MATERIAL {
        switch MaterialCutForm = Off {
            /// Never.
            Off = "off",
            /// Where half the depth does not win it back.
            On = "on",
        }
        /// From this depth on.
        depth = 4, in 2..=16, step 1;
        /// So much less than at the root, in hundredths.
        deficit = 200, in 50..=1000, step 25;
        /// Not where the guess is above the material by more than this: there is something in return.
        compensation = 50, in -300..=500, step 25;
    }
}

/// Asks.
#[inline]
pub fn ask(how: &MaterialCut, facts: &Facts, probe: &mut impl Probe) -> Result<Answer, Stopped> {
    if how.form == MaterialCutForm::Off || !facts.can_cut() || facts.depth < how.depth {
        return Ok(Answer::Silent);
    }
    let now = probe.material();
    let lost = probe.material_at_root() - now;
    if lost < how.deficit
        || facts.guess.value() - now > how.compensation
        || facts.guess >= facts.beta
    {
        return Ok(Answer::Silent);
    }
    let value = probe.less_deep(facts.beta, Depth::new(facts.depth / 2))?;
    Ok(if value < facts.beta { Answer::Cut(value) } else { Answer::No })
}

#[cfg(test)]
mod tests {
    use super::super::script::{Script, facts};
    use super::*;
    use crate::Score;

    const HOW: MaterialCut =
        MaterialCut { form: MaterialCutForm::On, depth: 4, deficit: 200, compensation: 50 };

    fn asked(facts: &Facts, root: i32, now: i32, answers: &[i32]) -> (Answer, Vec<String>) {
        let mut probe = Script::new(answers);
        (probe.material, probe.material_at_root) = (now, root);
        (ask(&HOW, facts, &mut probe).unwrap(), probe.asked)
    }

    #[test]
    fn what_half_the_depth_does_not_win_back_is_given_up() {
        let node = facts(7, 0, -250);
        let (answer, questions) = asked(&node, 0, -300, &[-1]);
        assert_eq!(
            (answer, &questions[..]),
            (Answer::Cut(Score::heuristic(-1)), &["shallow 0 3".into()][..])
        );
        assert_eq!(asked(&node, 0, -300, &[0]).0, Answer::No, "it comes back");
    }

    #[test]
    fn it_is_silent_without_a_loss_or_with_something_in_return() {
        let node = facts(7, 0, -250);
        assert_eq!(asked(&node, -101, -300, &[]).0, Answer::Silent, "199 is not 200");
        assert_eq!(asked(&node, 0, -301, &[]).0, Answer::Silent, "51 in return");
        assert_eq!(asked(&facts(7, -250, -250), 0, -300, &[]).0, Answer::Silent, "good enough");
        assert_eq!(asked(&Facts { depth: 3, ..node }, 0, -300, &[]).0, Answer::Silent);
    }
}
