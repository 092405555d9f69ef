//! Null move (Beal, 1989; Donninger, 1993): if even passing leaves the opponent unable to bring us
//! down to beta, at less depth, then a real move will not be worse.
//!
//! Claims that having the move is worth something. Unsound in zugzwang: the game says where that is
//! likely (`pass_is_bound`), and at great depth a search without passes verifies the cut.

use super::{Answer, Facts, Probe};
use crate::{Ability, Depth, Stopped};

crate::params! {
    /// Cuts where even a free move for the opponent leaves us well off.
    pub struct NullMove in "null_move" needs Ability::PASS_IS_BOUND {
        switch NullMoveForm = Scaled {
            /// Never.
            Off = "off",
            /// The reduction grows with the depth and with the lead.
            Scaled = "scaled",
        }
        /// From this depth on.
        depth = 2, in 1..=8, step 1;
        /// The reduction, beside the ply of the pass itself.
        reduction = 3, in 1..=8, step 1;
        /// A ply more for so many plies of depth.
        divisor = 4, in 2..=12, step 1;
        /// A ply more for so much of a lead, in hundredths.
        lead = 166, in 50..=800, step 25;
        /// But no more than so many of these.
        lead_most = 3, in 0..=6, step 1;
        /// Cuts are verified from this depth on.
        verify = 14, in 4..=40, step 1;
    }
}

/// Asks; `may_pass` is whether the game and the way here allow it.
#[inline]
pub fn ask(
    how: &NullMove,
    facts: &Facts,
    may_pass: bool,
    probe: &mut impl Probe,
) -> Result<Answer, Stopped> {
    if how.form == NullMoveForm::Off
        || !may_pass
        || !facts.can_cut()
        || facts.depth < how.depth
        || facts.guess < facts.beta
    {
        return Ok(Answer::Silent);
    }
    // The table says that the node fails low: a pass would only confirm it.
    if facts.table.is_some_and(|table| {
        table.bound.decides(table.value, facts.beta) && table.value < facts.beta
    }) {
        return Ok(Answer::Silent);
    }
    let lead = facts.guess.value() - facts.beta.value();
    let less = how.reduction + facts.depth / how.divisor + (lead / how.lead).min(how.lead_most);
    let rest = Depth::new(facts.depth - 1 - less);
    let Some(value) = probe.after_pass(facts.beta, rest)? else { return Ok(Answer::Silent) };
    if value < facts.beta {
        return Ok(Answer::No);
    }
    // A mate found behind a pass is no proof of one.
    let value = if value.is_proven() { facts.beta } else { value };
    if facts.depth < how.verify {
        return Ok(Answer::Cut(value));
    }
    let verified = probe.without_passing(facts.beta, rest, 3 * rest.plies() / 4)?;
    Ok(if verified >= facts.beta { Answer::Cut(value) } else { Answer::No })
}

#[cfg(test)]
mod tests {
    use super::super::script::{Script, facts};
    use super::*;
    use crate::Score;

    const HOW: NullMove = NullMove {
        form: NullMoveForm::Scaled,
        depth: 2,
        reduction: 3,
        divisor: 4,
        lead: 200,
        lead_most: 2,
        verify: 12,
    };

    fn asked(facts: &Facts, may_pass: bool, answers: &[i32]) -> (Answer, Vec<String>) {
        let mut probe = Script::new(answers);
        (ask(&HOW, facts, may_pass, &mut probe).unwrap(), probe.asked)
    }

    #[test]
    fn it_cuts_exactly_at_beta_and_the_reduction_grows_with_depth_and_lead() {
        let (answer, questions) = asked(&facts(8, 50, 50), true, &[50]);
        assert_eq!(
            (answer, &questions[..]),
            (Answer::Cut(Score::heuristic(50)), &["pass 50 2".into()][..])
        );
        let (answer, questions) = asked(&facts(8, 50, 450), true, &[49]);
        assert_eq!((answer, &questions[..]), (Answer::No, &["pass 50 0".into()][..]));
    }

    #[test]
    fn a_deep_cut_is_verified() {
        let deep = facts(16, 0, 10);
        let (answer, questions) = asked(&deep, true, &[5, -1]);
        assert_eq!((answer, &questions[1][..]), (Answer::No, "verify 0 8 6"));
        assert_eq!(asked(&deep, true, &[5, 0]).0, Answer::Cut(Score::heuristic(5)));
    }

    #[test]
    fn it_is_silent_where_its_claim_has_no_ground() {
        let good = facts(8, 0, 100);
        for (not, may_pass) in [
            (good, false),
            (Facts { in_check: true, ..good }, true),
            (Facts { principal: true, ..good }, true),
            (Facts { guess: Score::heuristic(-1), ..good }, true),
            (Facts { depth: 1, ..good }, true),
            (Facts { beta: Score::mate_in(5), guess: Score::mate_in(3), ..good }, true),
        ] {
            assert_eq!(asked(&not, may_pass, &[]), (Answer::Silent, vec![]), "{not:?}");
        }
    }
}
