//! Singular search (Anantharaman, Campbell and Hsu, 1988, in its modern form): the node is searched
//! to half its depth without the move of the table. If nothing else comes near, that move decides
//! everything and is searched deeper; if something else holds beta as well, the node is cut; if
//! something comes near, the move is nothing special and is searched less deep.
//!
//! Claims that half the depth shows whether a move has rivals.
//!
//! The forms of Marsland and Bjornsson (2000), after Anantharaman, compare a move with its brothers while
//! they are searched: in open windows the first move, against all others; in closed ones the move that
//! fails high. Their driver is `alphabeta/singular_moves.rs`.

use super::{Facts, Probe};
use crate::alphabeta::table::Bound;
use crate::{Depth, Score, Stopped};

crate::params! {
    /// Searches the node without its table move, to see how much hangs on that.
    pub struct Singular in "singular" {
        switch SingularForm = On {
            /// Never.
            Off = "off",
            /// With all its consequences.
            On = "on",
            /// In open windows the first move is compared with its brothers, none of which is left out or
            /// reduced then; so in the next two.
            Principal = "principal",
            /// In closed windows the move that fails high is.
            FailHigh = "fail_high",
            /// Both of these.
            Brothers = "brothers",
        }
        /// From this depth on.
        depth = 7, in 1..=14, step 1;
        /// How many plies less deep the table may have searched.
        draft = 3, in 1..=6, step 1;
        /// How far below the value of the table the others are asked for, per ply, in 16ths of a
        /// hundredth.
        margin = 11, in 4..=96, step 4;
        /// Two plies where the others are so much further below, in hundredths.
        double = 18, in 0..=100, step 2;
        /// Three where they are so much further below.
        triple = 90, in 10..=400, step 10;
        /// Plies taken off where the table move is not alone in holding beta.
        less = 2, in 0..=3, step 1;
        /// Principal: how far below the best the brothers must be, in hundredths.
        principal_margin = 75, in 0..=400, step 25;
        /// Fail high: how far below beta they must be.
        fail_high_margin = 75, in 0..=400, step 25;
        /// Fail high: how deep they are searched for it, in percent of their depth.
        brothers = 50, in 10..=100, step 10;
    }
}

impl Singular {
    /// Whether the moves of an open or a closed window are compared with their brothers.
    #[inline]
    pub fn drives(&self, principal: bool) -> bool {
        match self.form {
            SingularForm::Off | SingularForm::On => false,
            SingularForm::Principal => principal,
            SingularForm::FailHigh => !principal,
            SingularForm::Brothers => true,
        }
    }

    /// How deep brothers are searched to compare them, of so many plies.
    #[inline]
    pub fn depth_of_brothers(&self, plies: i32) -> i32 {
        plies * self.brothers / 100
    }
}

/// What follows for the table move, or for the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing was asked.
    Silent,
    /// The move is searched so many plies deeper, or less deep.
    Extend(i32),
    /// Several moves hold beta: this is the value of the node.
    MultiCut(Score),
}

/// Asks. `room` is whether the line may grow.
#[inline]
pub fn ask(
    how: &Singular,
    facts: &Facts,
    room: bool,
    probe: &mut impl Probe,
) -> Result<Verdict, Stopped> {
    let Some(table) = facts.table else { return Ok(Verdict::Silent) };
    if how.form != SingularForm::On
        || facts.depth < how.depth
        || facts.without_a_move
        || table.packed_move == 0
        || !matches!(table.bound, Bound::Lower | Bound::Exact)
        || table.draft < facts.depth - how.draft
        || table.value.is_proven()
        || !room
    {
        return Ok(Verdict::Silent);
    }
    let below = Score::heuristic(table.value.value() - how.margin * facts.depth / 16);
    let value = probe.without_move(table.packed_move, below, Depth::new((facts.depth - 1) / 2))?;
    if value < below {
        let gap = below.value() - value.value();
        let deeper = if facts.principal {
            1
        } else {
            1 + i32::from(gap > how.double) + i32::from(gap > how.triple && !table.noisy)
        };
        return Ok(Verdict::Extend(deeper));
    }
    if value >= facts.beta && !facts.principal && !value.is_proven() {
        return Ok(Verdict::MultiCut(value));
    }
    if table.value >= facts.beta {
        return Ok(Verdict::Extend(-how.less));
    }
    Ok(Verdict::Extend(if facts.expected_cut && !facts.principal { -1 } else { 0 }))
}

#[cfg(test)]
mod tests {
    use super::super::TableFacts;
    use super::super::script::{Script, facts};
    use super::*;

    const HOW: Singular = Singular {
        form: SingularForm::On,
        depth: 7,
        draft: 3,
        margin: 24,
        double: 18,
        triple: 90,
        less: 2,
        principal_margin: 75,
        fail_high_margin: 75,
        brothers: 50,
    };

    fn node(value: i32, beta: i32) -> Facts {
        let table = TableFacts {
            packed_move: 9,
            noisy: false,
            value: Score::heuristic(value),
            bound: Bound::Lower,
            draft: 8,
        };
        Facts { table: Some(table), ..facts(10, beta, 0) }
    }

    fn asked(facts: &Facts, answer: i32) -> Verdict {
        ask(&HOW, facts, true, &mut Script::new(&[answer])).unwrap()
    }

    #[test]
    fn the_further_the_others_fall_behind_the_deeper_the_move() {
        // 100 - 24 * 10 / 16 = 85.
        let mut probe = Script::new(&[84]);
        let verdict = ask(&HOW, &node(100, 200), true, &mut probe);
        assert_eq!((verdict, &probe.asked[0][..]), (Ok(Verdict::Extend(1)), "without 9 85 4"));
        assert_eq!(asked(&node(100, 200), 85 - 18), Verdict::Extend(1));
        assert_eq!(asked(&node(100, 200), 85 - 19), Verdict::Extend(2));
        assert_eq!(asked(&node(100, 200), 85 - 91), Verdict::Extend(3));
        let open = Facts { principal: true, ..node(100, 200) };
        assert_eq!(asked(&open, -500), Verdict::Extend(1));
    }

    #[test]
    fn rivals_cut_or_cost_depth() {
        assert_eq!(asked(&node(100, 90), 90), Verdict::MultiCut(Score::heuristic(90)));
        assert_eq!(asked(&node(100, 90), 87), Verdict::Extend(-2));
        assert_eq!(asked(&node(100, 200), 120), Verdict::Extend(-1));
        let all = Facts { expected_cut: false, ..node(100, 200) };
        assert_eq!(asked(&all, 120), Verdict::Extend(0));
    }

    #[test]
    fn it_asks_only_where_the_table_has_something_to_say() {
        let silent = |facts: &Facts, room| {
            ask(&HOW, facts, room, &mut Script::new(&[])) == Ok(Verdict::Silent)
        };
        let good = node(100, 200);
        assert!(silent(&good, false));
        assert!(silent(&Facts { table: None, ..good }, true));
        assert!(silent(&Facts { depth: 6, ..good }, true));
        assert!(silent(&Facts { without_a_move: true, ..good }, true));
        let upper = good.table.map(|table| TableFacts { bound: Bound::Upper, ..table });
        assert!(silent(&Facts { table: upper, ..good }, true));
    }
}
