//! What a miss costs by another engine's values: a line of `judged.jsonl`.
//!
//! The judge values the position, and the position after the move that was chosen, each for itself.
//! The cost is the difference, seen from the side that chose. It may be below nothing: a search that
//! begins one ply later sees further, and may like the move better than all that it saw before.

use serde::{Deserialize, Serialize};

use super::row::{Row, Told};
use crate::engine::ScoreValue;

/// What a mate on the board is worth; each ply to it takes one off, so that a slower mate costs
/// the plies it is slower.
const MATE: i32 = 10_000;
/// What anything else is worth at most: a mate that is missed for a won game costs 1,000 to 10,000,
/// never more.
const MOST: i32 = 9_000;

/// What is much, unless the user says otherwise: two pawns, or two discs.
pub const BLUNDER: u32 = 200;

/// A value as a number that can be subtracted.
pub fn worth(value: ScoreValue) -> i32 {
    let mate = |plies: u32| MATE - i32::try_from(plies).unwrap_or(MATE).min(MATE - MOST - 1);
    match value {
        ScoreValue::Centipawns(value) => value.clamp(-MOST, MOST),
        ScoreValue::Mate(moves) if moves > 0 => mate(moves.unsigned_abs().saturating_mul(2) - 1),
        ScoreValue::Mate(moves) => -mate(moves.unsigned_abs().saturating_mul(2)),
    }
}

/// The value of a position for the side that has just moved, told as of the move before.
pub fn before_the_move(value: ScoreValue) -> ScoreValue {
    match value {
        ScoreValue::Centipawns(value) => ScoreValue::Centipawns(value.saturating_neg()),
        // Who mates in n moves mates n moves after the one that allowed it.
        ScoreValue::Mate(moves) if moves > 0 => ScoreValue::Mate(-moves),
        ScoreValue::Mate(moves) => ScoreValue::Mate(moves.saturating_neg().saturating_add(1)),
    }
}

/// What a judge said of one move in one position. The names are those of the file's format and do
/// not change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    /// Who judges, as the user described it.
    pub judge: String,
    /// The SHA-256 of its program: what another program said is not taken for its own.
    pub hash: String,
    /// Which suite.
    pub suite: String,
    /// Which problem of the suite, from 1.
    pub number: usize,
    /// What it is called.
    pub id: String,
    /// The move that was chosen, as in `results.jsonl`.
    #[serde(rename = "move")]
    pub chosen: String,
    /// What the judge would play.
    pub best_move: Option<String>,
    /// The value of the position, for the side to move.
    pub best: Option<Told>,
    /// The value of the move chosen, for the same side.
    pub value: Option<Told>,
    /// By how many hundredths that is worse.
    pub cost: Option<i32>,
    /// Why there is no value.
    pub fault: Option<String>,
}

/// Which line it is: nothing is judged twice.
pub type Key = (String, String, String, usize, String);

impl Judged {
    /// Which line it is.
    pub fn key(&self) -> Key {
        let Judged { judge, hash, suite, number, chosen, .. } = self.clone();
        (judge, hash, suite, number, chosen)
    }

    /// Whether it is about what an engine did.
    pub fn is_about(&self, row: &Row) -> bool {
        self.number == row.number && self.suite == row.suite && self.chosen == row.chosen
    }

    /// Whether the game is won for the side to move whatever it chose, if a value from `decided` on
    /// wins.
    fn is_won_anyway(&self, decided: i32) -> bool {
        let wins = |value: &Option<Told>| {
            value.as_ref().is_some_and(|value| value.hundredths() >= decided)
        };
        wins(&self.best) && wins(&self.value)
    }
}

/// Whether an engine chose a move here that is not the right one: what a judge is asked about.
pub fn is_miss(row: &Row) -> bool {
    !row.solved && row.fault.is_none() && !row.chosen.is_empty()
}

/// What the misses of an engine cost together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// Wrong moves.
    pub misses: u64,
    /// Of these, with a value.
    pub judged: u64,
    /// Of these, those that cost much.
    pub blunders: u64,
    /// Of these, those after which a won game is still won; `None` in a game where only the amount
    /// counts.
    pub still_won: Option<u64>,
}

impl Costs {
    /// Counts what the judge said of each miss, if it said anything. A cost from `blunder` on is
    /// much, a value from `decided` on wins.
    pub fn of<'a>(
        misses: impl Iterator<Item = Option<&'a Judged>>,
        blunder: u32,
        decided: Option<i32>,
    ) -> Costs {
        let mut costs = Costs { still_won: decided.map(|_| 0), ..Costs::default() };
        for judged in misses {
            costs.misses += 1;
            let Some((judged, cost)) = judged.and_then(|judged| Some((judged, judged.cost?)))
            else {
                continue;
            };
            costs.judged += 1;
            if i64::from(cost) >= i64::from(blunder) {
                costs.blunders += 1;
                let won = decided.is_some_and(|decided| judged.is_won_anyway(decided));
                costs.still_won = costs.still_won.map(|count| count + u64::from(won));
            }
        }
        costs
    }
}

#[cfg(test)]
mod tests {
    use super::ScoreValue::{Centipawns, Mate};
    use super::*;

    /// What it costs to choose a move after which the opponent is told `after`.
    fn cost(best: ScoreValue, after: ScoreValue) -> i32 {
        worth(best) - worth(before_the_move(after))
    }

    #[test]
    fn the_right_move_costs_nothing() {
        assert_eq!(cost(Centipawns(35), Centipawns(-35)), 0);
        assert_eq!(cost(Mate(1), Mate(0)), 0, "mate on the board");
        assert_eq!(cost(Mate(3), Mate(-2)), 0);
        assert_eq!(cost(Mate(-2), Mate(2)), 0, "mated in two whatever is played");
    }

    #[test]
    fn the_cost_is_the_difference_for_the_side_that_chose() {
        assert_eq!(cost(Centipawns(300), Centipawns(12)), 312);
        assert_eq!(cost(Centipawns(-50), Centipawns(40)), -10, "seen further, liked better");
    }

    #[test]
    fn a_slower_mate_costs_the_plies_it_is_slower() {
        assert_eq!(cost(Mate(1), Mate(-1)), 2);
        assert_eq!(cost(Mate(-4), Mate(1)), 6);
    }

    #[test]
    fn a_mate_is_worth_more_than_any_guess_and_not_without_end() {
        assert_eq!(cost(Mate(1), Centipawns(-900)), 9_999 - 900);
        assert_eq!(cost(Mate(1), Mate(1)), 9_999 + 9_998, "mates and is mated");
        assert!(worth(Mate(i32::MAX)) > worth(Centipawns(i32::MAX)));
        assert!(worth(Mate(i32::MIN)) < worth(Centipawns(i32::MIN)));
        assert_eq!(worth(before_the_move(Mate(i32::MIN))), 9_001);
        assert_eq!(worth(Centipawns(6_400)), 6_400, "a game of Othello won by all discs");
    }

    fn judged(best: i32, value: i32) -> Judged {
        Judged {
            judge: "x nodes=1".into(),
            hash: "00".into(),
            suite: "wac".into(),
            number: 1,
            id: "WAC.001".into(),
            chosen: "Nh5".into(),
            best_move: Some("Qg6".into()),
            best: Some(Told::Hundredths(best)),
            value: Some(Told::Hundredths(value)),
            cost: Some(best - value),
            fault: None,
        }
    }

    #[test]
    fn what_costs_much_is_counted_from_the_bound_on() {
        let lines = [judged(300, 101), judged(300, 100), judged(900, 300), judged(900, 299)];
        let failed = Judged { cost: None, value: None, ..judged(0, 0) };
        let misses = || lines.iter().map(Some).chain([Some(&failed), None]);
        let costs = Costs::of(misses(), 200, Some(300));
        let expected = Costs { misses: 6, judged: 4, blunders: 3, still_won: Some(1) };
        assert_eq!(costs, expected);
        let every = Costs::of(misses(), u32::MAX, None);
        assert_eq!(every, Costs { misses: 6, judged: 4, blunders: 0, still_won: None });
    }

    #[test]
    fn a_line_is_written_in_the_form_that_others_read() {
        let line = r#"{"judge":"x nodes=1","hash":"00","suite":"wac","number":1,"id":"WAC.001","move":"Nh5","best_move":"Qg6","best":"mate 3","value":-12,"cost":10007,"fault":null}"#;
        let read: Judged = serde_json::from_str(line).unwrap();
        assert_eq!(read.best, Some(Mate(3).into()));
        assert_eq!(serde_json::to_string(&read).unwrap(), line);
    }
}
