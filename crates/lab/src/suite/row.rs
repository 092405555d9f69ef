//! What came out of one position: a line of `results.jsonl`.

use serde::{Deserialize, Serialize};

use crate::engine::ScoreValue;

/// One engine on one position. The names are those of the file's format and do not change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// Which engine.
    pub engine: String,
    /// Which suite.
    pub suite: String,
    /// Which problem of the suite, from 1.
    pub number: usize,
    /// What it is called.
    pub id: String,
    /// The position.
    pub position: String,
    /// Whether the answer is right.
    pub solved: bool,
    /// What it earned.
    pub points: u32,
    /// What can be earned.
    pub most: u32,
    /// The move chosen, as people write it; empty if none came.
    #[serde(rename = "move")]
    pub chosen: String,
    /// What is right: `Qg6 or Rd1`, `not Kb1`, `mate 3`.
    pub wanted: String,
    /// The value told, for the side to move.
    pub score: Option<Told>,
    /// Plies of the last search.
    pub depth: u32,
    /// Nodes spent.
    pub nodes: u64,
    /// Time spent, measured by us.
    pub time_ms: u64,
    /// When the answer was right and stayed so, if it did.
    pub solution_ms: Option<u64>,
    /// At which depth.
    pub solution_depth: Option<u32>,
    /// After how many nodes.
    pub solution_nodes: Option<u64>,
    /// Why there is no answer.
    pub fault: Option<String>,
}

/// A value in a row: hundredths as a number, mates as `mate 3`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Told {
    /// Hundredths of a pawn or disc.
    Hundredths(i32),
    /// `mate 3` or `mate -2`.
    Mate(String),
}

/// What a mate is worth among values.
const MATE: i32 = 30_000;

impl Told {
    /// As a number: a mate is more than anything else.
    pub fn hundredths(&self) -> i32 {
        match self {
            Told::Hundredths(value) => *value,
            Told::Mate(text) => {
                let moves = text.strip_prefix("mate ").and_then(|moves| moves.parse().ok());
                if moves.is_some_and(|moves: i32| moves > 0) { MATE } else { -MATE }
            }
        }
    }
}

impl From<ScoreValue> for Told {
    fn from(value: ScoreValue) -> Told {
        match value {
            ScoreValue::Centipawns(value) => Told::Hundredths(value),
            ScoreValue::Mate(_) => Told::Mate(value.to_string()),
        }
    }
}

/// Which row it is: nothing is counted twice.
pub type Key = (String, String, usize);

impl Row {
    /// Which row it is.
    pub fn key(&self) -> Key {
        (self.engine.clone(), self.suite.clone(), self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_written_in_the_form_that_others_read() {
        let line = r#"{"engine":"A","suite":"wac","number":1,"id":"WAC.001","position":"8/8","solved":true,"points":10,"most":10,"move":"Qg6","wanted":"Qg6","score":31,"depth":9,"nodes":123,"time_ms":45,"solution_ms":12,"solution_depth":5,"solution_nodes":99,"fault":null}"#;
        let row: Row = serde_json::from_str(line).unwrap();
        assert_eq!(serde_json::to_string(&row).unwrap(), line);
        let mate = line.replace("31,\"depth", "\"mate 3\",\"depth");
        let row: Row = serde_json::from_str(&mate).unwrap();
        assert_eq!(row.score, Some(ScoreValue::Mate(3).into()));
        assert_eq!(serde_json::to_string(&row).unwrap(), mate);
    }

    #[test]
    fn a_mate_is_worth_more_than_any_guess() {
        let worth = |value: ScoreValue| Told::from(value).hundredths();
        assert_eq!(worth(ScoreValue::Centipawns(-7)), -7);
        assert!(worth(ScoreValue::Mate(9)) > worth(ScoreValue::Centipawns(20_000)));
        assert!(worth(ScoreValue::Mate(-1)) < 0 && worth(ScoreValue::Mate(0)) < 0);
    }
}
