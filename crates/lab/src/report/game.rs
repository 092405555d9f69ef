//! A line of `games.jsonl`. Whatever is not needed to count the game may be missing.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::statistics::counts::GameResult;

/// A finished game.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Line")]
pub(super) struct Game {
    pub(super) number: u64,
    pub(super) pair: Option<u64>,
    /// Who moved first, and who second.
    pub(super) engines: [String; 2],
    pub(super) opening: String,
    pub(super) start: Option<String>,
    pub(super) moves: Vec<String>,
    pub(super) opening_plies: usize,
    /// From the side of who moved first.
    pub(super) result: GameResult,
    pub(super) reason: String,
    pub(super) termination: String,
    pub(super) fault: Option<Fault>,
    pub(super) scores: Vec<Score>,
    pub(super) depths: Vec<Option<f64>>,
    pub(super) times_ms: Vec<Option<f64>>,
    pub(super) nodes: Vec<Option<f64>>,
    pub(super) seconds: Option<f64>,
}

/// What an engine did wrong, and the evidence.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Fault {
    pub(super) engine: String,
    pub(super) what: String,
    pub(super) output: Vec<String>,
    pub(super) errors: Vec<String>,
}

impl Game {
    /// How it ended, in short: the reason, and the termination if that is not the usual one.
    pub(super) fn ending(&self) -> String {
        match (self.termination.as_str(), self.reason.as_str()) {
            ("" | "normal", "") => "unknown".to_string(),
            ("" | "normal", reason) => reason.to_string(),
            (termination, "") => termination.to_string(),
            (termination, reason) if reason == termination => reason.to_string(),
            (termination, reason) => format!("{termination}: {reason}"),
        }
    }

    /// The value at a ply after the opening, and whether the first engine moved there.
    pub(super) fn plies<'a, T>(
        &'a self,
        values: &'a [T],
    ) -> impl Iterator<Item = (usize, usize, &'a T)> {
        let begin = self.opening_plies;
        values.iter().enumerate().map(move |(index, value)| {
            let ply = begin + index;
            (ply, ply % 2, value)
        })
    }

    pub(super) fn result_text(&self) -> &'static str {
        match self.result {
            GameResult::Win => "1-0",
            GameResult::Draw => "½-½",
            GameResult::Loss => "0-1",
        }
    }
}

/// The line as it is written.
#[derive(Deserialize)]
struct Line {
    game: Option<u64>,
    pair: Option<u64>,
    first: String,
    second: String,
    #[serde(default)]
    opening: Words,
    start: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    #[serde(default)]
    opening_plies: usize,
    #[serde(default)]
    result: Option<String>,
    #[serde(default)]
    points: Option<[f64; 2]>,
    #[serde(default)]
    reason: Option<String>,
    #[serde(default)]
    termination: Option<String>,
    fault: Option<Fault>,
    #[serde(default)]
    scores: Vec<Score>,
    #[serde(default)]
    depths: Vec<Option<f64>>,
    #[serde(default)]
    times_ms: Vec<Option<f64>>,
    #[serde(default)]
    nodes: Vec<Option<f64>>,
    seconds: Option<f64>,
}

impl TryFrom<Line> for Game {
    type Error = String;

    fn try_from(line: Line) -> Result<Game, String> {
        let result = match (line.points, line.result.as_deref()) {
            (Some([1.0, 0.0]), _) | (None, Some("1-0")) => GameResult::Win,
            (Some([0.5, 0.5]), _) | (None, Some("1/2-1/2")) => GameResult::Draw,
            (Some([0.0, 1.0]), _) | (None, Some("0-1")) => GameResult::Loss,
            (Some([a, b]), _) => return Err(format!("the points {a} and {b} are no result")),
            (None, Some(other)) => return Err(format!("\"{other}\" is no result")),
            (None, None) => return Err("the result is missing".to_string()),
        };
        if line.first == line.second {
            return Err(format!("\"{}\" plays itself", line.first));
        }
        Ok(Game {
            number: line.game.ok_or("the number of the game is missing")?,
            pair: line.pair,
            engines: [line.first, line.second],
            opening: line.opening.0,
            start: line.start,
            moves: line.moves,
            opening_plies: line.opening_plies,
            result,
            reason: line.reason.unwrap_or_default(),
            termination: line.termination.unwrap_or_default(),
            fault: line.fault,
            scores: line.scores,
            depths: line.depths,
            times_ms: line.times_ms,
            nodes: line.nodes,
            seconds: line.seconds,
        })
    }
}

/// A name, or a number that serves as one.
#[derive(Default)]
struct Words(String);

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Words, D::Error> {
        Ok(Words(match serde_json::Value::deserialize(deserializer)? {
            serde_json::Value::Null => String::new(),
            serde_json::Value::String(text) => text,
            other => other.to_string(),
        }))
    }
}

/// What a mover thought of the position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Score {
    /// In hundredths.
    Value(f64),
    /// A mate, or anything else that is no number.
    Proven,
    /// Nothing was said.
    Unknown,
}

impl<'de> Deserialize<'de> for Score {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Score, D::Error> {
        deserializer.deserialize_any(ScoreVisitor)
    }
}

struct ScoreVisitor;

impl<'de> Visitor<'de> for ScoreVisitor {
    type Value = Score;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, a text or null")
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Score, E> {
        Ok(Score::Value(value as f64))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Score, E> {
        Ok(Score::Value(value as f64))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Score, E> {
        Ok(Score::Value(value))
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Score, E> {
        Ok(Score::Proven)
    }

    fn visit_unit<E: Error>(self) -> Result<Score, E> {
        Ok(Score::Unknown)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Score, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Score::Proven)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Score, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Score::Unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Game, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    #[test]
    fn a_game_needs_only_its_number_its_sides_and_its_result() {
        let game =
            read(r#"{"game":3,"first":"A","second":"B","result":"0-1","extra":[1]}"#).unwrap();
        assert_eq!((game.number, game.result, game.result_text()), (3, GameResult::Loss, "0-1"));
        assert_eq!(game.ending(), "unknown");
        let cases = [
            (r#"{"game":3,"first":"A","second":"B"}"#, "the result is missing"),
            (r#"{"game":3,"first":"A","second":"A","result":"1-0"}"#, "\"A\" plays itself"),
            (r#"{"first":"A","second":"B","result":"1-0"}"#, "the number of the game is missing"),
            (
                r#"{"game":1,"first":"A","second":"B","points":[1,1]}"#,
                "the points 1 and 1 are no result",
            ),
        ];
        for (line, complaint) in cases {
            assert_eq!(read(line).unwrap_err(), complaint);
        }
    }

    #[test]
    fn scores_may_be_numbers_mates_or_nothing() {
        let game = read(
            r#"{"game":1,"first":"A","second":"B","result":"1-0","opening":7,"opening_plies":3,
               "scores":[31,-2.5,"mate 3",null,{"mate":2}]}"#,
        )
        .unwrap();
        use Score::{Proven, Unknown, Value};
        assert_eq!(game.scores, [Value(31.0), Value(-2.5), Proven, Unknown, Proven]);
        assert_eq!(game.opening, "7");
        // Three plies of opening: the second engine is to move.
        assert_eq!(game.plies(&game.scores).next(), Some((3, 1, &Value(31.0))));
    }
}
