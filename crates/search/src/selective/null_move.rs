//! Null move (Beal, 1989; Donninger, 1993): if even passing leaves the opponent unable to bring us
//! down to beta, at less depth, then a real move will not be worse.
//!
//! Claims that having the move is worth something. Unsound in zugzwang: the game says where that is
//! likely (`pass_is_bound`); beyond that `scaled` verifies cuts at great depth by a search without
//! passes, and `verified` believes a pass only where another one has failed high above it.
//!
//! The forms of the papers ask everywhere; `scaled` asks only where the guess is good enough already.

use super::{Answer, Facts, Probe};
use crate::{Ability, Depth, Score, Stopped};

crate::params! {
    /// Cuts where even a free move for the opponent leaves us well off.
    pub struct NullMove in "null_move" needs Ability::PASS_IS_BOUND {
        switch NullMoveForm = Scaled {
            /// Never.
            Off = "off",
            /// The reduction is always the same (Donninger, 1993).
            Fixed = "fixed",
            /// A ply more far from the horizon (Heinz, 1999).
            Adaptive = "adaptive",
            /// The first cut of a line takes off a ply only, the second is believed (David-Tabibi and
            /// Netanyahu, 2002).
            Verified = "verified",
            /// The reduction grows with the depth and with the lead.
            Scaled = "scaled",
        }
        /// From this depth on.
        depth = 2, in 1..=8, step 1;
        /// The reduction, beside the ply of the pass itself.
        reduction = 3, in 1..=8, step 1;
        /// Adaptive: a ply more beyond this depth.
        far = 6, in 2..=20, step 1;
        /// The same where a side has fewer than three pieces.
        far_ending = 8, in 2..=20, step 1;
        /// Scaled: a ply more for so many plies of depth.
        divisor = 4, in 2..=12, step 1;
        /// Scaled: a ply more for so much of a lead, in hundredths.
        lead = 166, in 50..=800, step 25;
        /// Scaled: but no more than so many of these.
        lead_most = 3, in 0..=6, step 1;
        /// Scaled: cuts are verified from this depth on.
        verify = 14, in 4..=40, step 1;
    }
}

/// Adaptive: each side needs so many pieces for the smaller bound.
const ENOUGH_OFFICERS: usize = 3;

/// Whether a pass is allowed here, and what it proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// The game or the way here forbids it.
    Forbidden,
    /// Allowed.
    Allowed,
    /// Allowed, and a pass above has failed high already and is being verified: this one is believed.
    Trusted,
}

/// Asks.
#[inline]
pub fn ask(
    how: &NullMove,
    facts: &Facts,
    passing: Passing,
    probe: &mut impl Probe,
) -> Result<Answer, Stopped> {
    if how.form == NullMoveForm::Off
        || passing == Passing::Forbidden
        || !facts.can_cut()
        || facts.depth < how.depth
    {
        return Ok(Answer::Silent);
    }
    let less = match how.form {
        NullMoveForm::Off => return Ok(Answer::Silent),
        NullMoveForm::Fixed => how.reduction,
        NullMoveForm::Adaptive => adaptive(how, facts.depth, probe),
        // The ply that a first cut takes off must not be the last.
        NullMoveForm::Verified if passing == Passing::Allowed && facts.depth < 2 => {
            return Ok(Answer::Silent);
        }
        NullMoveForm::Verified => how.reduction,
        NullMoveForm::Scaled if !may_hold(facts) => return Ok(Answer::Silent),
        NullMoveForm::Scaled => scaled(how, facts),
    };
    let rest = Depth::new(facts.depth - 1 - less);
    let Some(value) = probe.after_pass(facts.beta, rest)? else { return Ok(Answer::Silent) };
    if value < facts.beta {
        return Ok(Answer::No);
    }
    // A mate found behind a pass is no proof of one.
    let value = if value.is_proven() { facts.beta } else { value };
    let verified = match how.form {
        NullMoveForm::Verified if passing == Passing::Allowed => {
            probe.trusting_passes(facts.beta, Depth::new(facts.depth - 1))?
        }
        NullMoveForm::Scaled if facts.depth >= how.verify && passing == Passing::Allowed => {
            probe.without_passing(facts.beta, rest, 3 * rest.plies() / 4)?
        }
        _ => return Ok(Answer::Cut(value)),
    };
    // Of the two searches the verified form believes the one that tried moves.
    let value = if how.form == NullMoveForm::Verified { verified } else { value };
    Ok(if verified >= facts.beta { Answer::Cut(value) } else { Answer::No })
}

/// Whether a pass has failed here, or cannot be made at all.
#[inline]
pub fn is_refused(how: &NullMove, passing: Passing, answer: Answer) -> bool {
    how.form == NullMoveForm::Off || passing == Passing::Forbidden || answer == Answer::No
}

/// Whether neither the guess nor the table speaks against a cut.
#[inline]
fn may_hold(facts: &Facts) -> bool {
    let fails_low = |value: Score| value < facts.beta;
    !fails_low(facts.guess)
        && !facts.table.is_some_and(|table| {
            table.bound.decides(table.value, facts.beta) && fails_low(table.value)
        })
}

#[inline]
fn scaled(how: &NullMove, facts: &Facts) -> i32 {
    let lead = facts.guess.value() - facts.beta.value();
    how.reduction + facts.depth / how.divisor + (lead / how.lead).min(how.lead_most)
}

/// Heinz's rule as it is commonly told: two plies up to depth 6, three beyond 8, and in between three
/// if each side has three pieces.
#[inline]
fn adaptive(how: &NullMove, depth: i32, probe: &impl Probe) -> i32 {
    let far = depth > how.far_ending
        || depth > how.far && probe.officers().iter().all(|&count| count >= ENOUGH_OFFICERS);
    how.reduction + i32::from(far)
}

#[cfg(test)]
mod tests {
    use super::super::script::{Script, facts};
    use super::*;

    const HOW: NullMove = NullMove {
        form: NullMoveForm::Scaled,
        depth: 2,
        reduction: 3,
        far: 6,
        far_ending: 8,
        divisor: 4,
        lead: 200,
        lead_most: 2,
        verify: 12,
    };

    fn asked(facts: &Facts, passing: Passing, answers: &[i32]) -> (Answer, Vec<String>) {
        let mut probe = Script::new(answers);
        (ask(&HOW, facts, passing, &mut probe).unwrap(), probe.asked)
    }

    #[test]
    fn it_cuts_exactly_at_beta_and_the_reduction_grows_with_depth_and_lead() {
        let (answer, questions) = asked(&facts(8, 50, 50), Passing::Allowed, &[50]);
        assert_eq!(
            (answer, &questions[..]),
            (Answer::Cut(Score::heuristic(50)), &["pass 50 2".into()][..])
        );
        let (answer, questions) = asked(&facts(8, 50, 450), Passing::Allowed, &[49]);
        assert_eq!((answer, &questions[..]), (Answer::No, &["pass 50 0".into()][..]));
    }

    #[test]
    fn a_deep_cut_is_verified() {
        let deep = facts(16, 0, 10);
        let (answer, questions) = asked(&deep, Passing::Allowed, &[5, -1]);
        assert_eq!((answer, &questions[1][..]), (Answer::No, "verify 0 8 6"));
        assert_eq!(asked(&deep, Passing::Allowed, &[5, 0]).0, Answer::Cut(Score::heuristic(5)));
    }

    #[test]
    fn it_is_silent_where_its_claim_has_no_ground() {
        let good = facts(8, 0, 100);
        let allowed = Passing::Allowed;
        for (not, passing) in [
            (good, Passing::Forbidden),
            (Facts { in_check: true, ..good }, allowed),
            (Facts { principal: true, ..good }, allowed),
            (Facts { guess: Score::heuristic(-1), ..good }, allowed),
            (Facts { depth: 1, ..good }, allowed),
            (Facts { beta: Score::mate_in(5), guess: Score::mate_in(3), ..good }, allowed),
        ] {
            assert_eq!(asked(&not, passing, &[]), (Answer::Silent, vec![]), "{not:?}");
        }
    }

    #[test]
    fn a_pass_is_refused_where_it_failed_or_cannot_be_made() {
        let off = NullMove { form: NullMoveForm::Off, ..HOW };
        assert!(is_refused(&HOW, Passing::Allowed, Answer::No));
        assert!(is_refused(&HOW, Passing::Forbidden, Answer::Silent));
        assert!(is_refused(&off, Passing::Allowed, Answer::Silent));
        // Nobody asked, for the guess was too low already.
        assert!(!is_refused(&HOW, Passing::Allowed, Answer::Silent));
    }

    /// What the form of a paper asks for and makes of it, at this depth.
    fn paper(
        form: NullMoveForm,
        depth: i32,
        passing: Passing,
        officers: [usize; 2],
        answers: &[i32],
    ) -> (Answer, Vec<String>) {
        let how = NullMove { form, reduction: 2, ..HOW };
        let mut probe = Script::new(answers);
        probe.officers = officers;
        // The guess is bad: the forms of the papers ask all the same.
        (ask(&how, &facts(depth, 0, -300), passing, &mut probe).unwrap(), probe.asked)
    }

    #[test]
    fn the_fixed_form_takes_off_the_same_at_any_depth() {
        for depth in [4, 9, 20] {
            let (answer, questions) =
                paper(NullMoveForm::Fixed, depth, Passing::Allowed, [7, 7], &[0]);
            assert_eq!(answer, Answer::Cut(Score::DRAW));
            assert_eq!(questions, [format!("pass 0 {}", depth - 3)]);
        }
    }

    #[test]
    fn the_adaptive_form_takes_off_more_far_from_the_horizon() {
        let rest = |depth, officers| {
            paper(NullMoveForm::Adaptive, depth, Passing::Allowed, officers, &[-1]).1
        };
        assert_eq!(rest(6, [7, 7]), ["pass 0 3"], "R = 2");
        assert_eq!(rest(7, [3, 3]), ["pass 0 3"], "R = 3");
        assert_eq!(rest(7, [7, 2]), ["pass 0 4"], "one side has too few pieces");
        assert_eq!(rest(8, [2, 7]), ["pass 0 5"]);
        assert_eq!(rest(9, [1, 1]), ["pass 0 5"]);
    }

    #[test]
    fn the_verified_form_believes_the_second_pass_of_a_line_only() {
        let form = NullMoveForm::Verified;
        let zero = Score::DRAW;
        let (answer, questions) = paper(form, 6, Passing::Allowed, [7, 7], &[0, -1]);
        assert_eq!((answer, questions.len()), (Answer::No, 2), "zugzwang");
        assert_eq!(questions, ["pass 0 3", "trust 0 5"]);
        assert_eq!(paper(form, 6, Passing::Allowed, [7, 7], &[0, 0]).0, Answer::Cut(zero));
        let (answer, questions) = paper(form, 6, Passing::Trusted, [7, 7], &[0]);
        assert_eq!((answer, &questions[..]), (Answer::Cut(zero), &["pass 0 3".into()][..]));
    }
}
