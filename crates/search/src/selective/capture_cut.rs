//! Capture cut (after Garms, 2011, in Stockfish's form): if a good capture holds a raised beta at
//! much less depth, the node would very likely hold beta itself. Not Buro's ProbCut, which asks
//! statistics; the two are two techniques.
//!
//! Claims that a lead by a capture which lasts some plies lasts a few more. Unsound where the
//! capture is poisoned beyond the smaller depth.

use super::{Answer, Facts, Probe};
use crate::alphabeta::table::Bound;
use crate::{Ability, Depth, Stopped};

crate::params! {
    /// Cuts where a good capture holds a raised window at less depth.
    pub struct CaptureCut in "capture_cut" needs Ability::EXCHANGE {
        switch CaptureCutForm = On {
            /// Never.
            Off = "off",
            /// By captures, and by what the table knows.
            On = "on",
        }
        /// From this depth on.
        depth = 5, in 3..=12, step 1;
        /// How far beta is raised, in hundredths.
        margin = 180, in 50..=500, step 10;
        /// Less of it where the guess improves.
        improving = 50, in 0..=200, step 10;
        /// Plies taken off.
        reduction = 4, in 2..=8, step 1;
        /// More of them where the guess improves.
        improving_reduction = 1, in 0..=4, step 1;
        /// How far above beta a bound of the table must lie to answer alone, in hundredths.
        table_margin = 350, in 100..=900, step 25;
        /// How many plies less deep that bound may be.
        table_depth = 4, in 1..=8, step 1;
    }
}

impl CaptureCut {
    /// How much less deep captures are searched.
    #[inline]
    pub fn less(&self, improving: bool) -> i32 {
        self.reduction + if improving { self.improving_reduction } else { 0 }
    }
}

/// Asks. The move that cut comes along, packed; 0 if the table answered.
#[inline]
pub fn ask(
    how: &CaptureCut,
    facts: &Facts,
    probe: &mut impl Probe,
) -> Result<(Answer, u16), Stopped> {
    if how.form == CaptureCutForm::Off || !facts.can_cut() || facts.depth < how.depth {
        return Ok((Answer::Silent, 0));
    }
    let raised = facts.beta + (how.margin - if facts.improving { how.improving } else { 0 });
    let less = how.less(facts.improving);
    if raised.is_proven() {
        return Ok((Answer::Silent, 0));
    }
    if let Some(table) = facts.table {
        let above = facts.beta + how.table_margin;
        let bounds_below = matches!(table.bound, Bound::Lower | Bound::Exact);
        if bounds_below
            && table.draft >= facts.depth - how.table_depth
            && table.value >= above
            && !table.value.is_proven()
        {
            return Ok((Answer::Cut(above), 0));
        }
        // What was searched deep enough does not reach that far.
        let sure = table.bound != Bound::None;
        if sure && table.draft >= facts.depth - less && table.value < raised {
            return Ok((Answer::Silent, 0));
        }
    }
    let exchange = raised.value() - facts.guess.value();
    let rest = Depth::new(facts.depth - less);
    Ok(match probe.by_capture(raised, exchange, rest)? {
        Some((value, packed)) if value.is_proven() => (Answer::Cut(value), packed),
        Some((value, packed)) => (Answer::Cut(value - (raised - facts.beta)), packed),
        None => (Answer::No, 0),
    })
}

#[cfg(test)]
mod tests {
    use super::super::TableFacts;
    use super::super::script::{Script, facts};
    use super::*;
    use crate::Score;

    fn how() -> CaptureCut {
        CaptureCut { margin: 200, improving: 60, ..CaptureCut::default() }
    }

    #[test]
    fn a_capture_must_hold_the_raised_bound_at_less_depth() {
        let mut probe = Script::new(&[260, 199]);
        let answer = ask(&how(), &facts(9, 0, 40), &mut probe);
        assert_eq!(answer, Ok((Answer::Cut(Score::heuristic(60)), 77)));
        assert_eq!(ask(&how(), &facts(9, 0, 40), &mut probe), Ok((Answer::No, 0)));
        assert_eq!(probe.asked, ["capture 200 160 5", "capture 200 160 5"]);
    }

    #[test]
    fn where_the_guess_improves_the_bound_is_raised_less_and_the_search_is_shallower() {
        let how = CaptureCut { reduction: 4, improving_reduction: 1, ..how() };
        let mut probe = Script::new(&[139]);
        let improving = Facts { improving: true, ..facts(9, 0, 40) };
        assert_eq!(ask(&how, &improving, &mut probe), Ok((Answer::No, 0)));
        assert_eq!(probe.asked, ["capture 140 100 4"]);
    }

    #[test]
    fn a_bound_far_above_in_the_table_answers_alone_and_a_deep_low_one_forbids() {
        let table = |value, draft| TableFacts {
            packed_move: 3,
            noisy: false,
            value: Score::heuristic(value),
            bound: Bound::Lower,
            draft,
        };
        let with = |table| Facts { table: Some(table), ..facts(9, 0, 40) };
        let mut probe = Script::new(&[0]);
        let cut = Ok((Answer::Cut(Score::heuristic(350)), 0));
        assert_eq!(ask(&how(), &with(table(350, 5)), &mut probe), cut);
        assert_eq!(ask(&how(), &with(table(150, 5)), &mut probe), Ok((Answer::Silent, 0)));
        assert_eq!(ask(&how(), &with(table(350, 4)), &mut probe), Ok((Answer::No, 0)));
    }
}
