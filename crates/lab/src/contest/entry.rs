//! One game as a line of `games.jsonl`, which is all that a run knows of it.

use secateur_games::playable::Playable;
use secateur_games::record::{Record, Verdict};
use secateur_search::Player;
use serde::{Deserialize, Serialize};

use super::game::Played;
use super::plan::Assignment;
use crate::engine::ScoreValue;
use crate::statistics::counts::GameResult;

/// A game that was played. `first` has White in chess, whoever is to move after the opening.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Its number in the plan, from 1.
    pub game: u64,
    /// The number of its pair, from 0.
    pub pair: u64,
    /// Who has the first move in the usual start.
    pub first: String,
    /// Who has not.
    pub second: String,
    /// The name of the opening.
    pub opening: String,
    /// The first position; `null` for the usual one.
    pub start: Option<String>,
    /// All moves, those of the opening included, as engines write them.
    pub moves: Vec<String>,
    /// How many of them are the opening.
    pub opening_plies: usize,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    /// The points of the first and of the second.
    pub points: [f64; 2],
    /// Why it ended.
    pub reason: String,
    /// In which way, in the words of PGN.
    pub termination: String,
    /// Who did what wrong.
    pub fault: Option<FaultEntry>,
    /// The value of each move after the opening as its engine told it, from its own side.
    pub scores: Vec<Option<ScoreEntry>>,
    /// The depth of each.
    pub depths: Vec<Option<u32>>,
    /// What each took, as the clock counts it.
    pub times_ms: Vec<u64>,
    /// Positions searched for each.
    pub nodes: Vec<Option<u64>>,
    /// When the game began, in seconds since 1970.
    pub began: f64,
    /// How long it took.
    pub seconds: f64,
}

/// A fault and the evidence for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultEntry {
    /// Whose.
    pub engine: String,
    /// What.
    pub what: String,
    /// What it was told last.
    #[serde(default)]
    pub told: Vec<String>,
    /// The end of its output.
    pub output: Vec<String>,
    /// The end of its error output.
    pub errors: Vec<String>,
}

/// A score: hundredths as a number, `"mate 3"` as a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ScoreEntry {
    /// Hundredths.
    Centipawns(i32),
    /// `mate 3` or `mate -2`, in moves.
    Mate(String),
}

impl ScoreEntry {
    fn of(score: ScoreValue) -> ScoreEntry {
        match score {
            ScoreValue::Centipawns(value) => ScoreEntry::Centipawns(value),
            ScoreValue::Mate(_) => ScoreEntry::Mate(score.to_string()),
        }
    }
}

impl Entry {
    /// A game that has just been played.
    pub fn new<G: Playable>(
        assignment: &Assignment,
        names: &[String],
        opening: &str,
        played: &Played<G>,
        began: f64,
        seconds: f64,
    ) -> Entry {
        let (result, points) = match played.verdict {
            Verdict::Won(Player::First) => ("1-0", [1.0, 0.0]),
            Verdict::Won(Player::Second) => ("0-1", [0.0, 1.0]),
            Verdict::Draw | Verdict::Open => ("1/2-1/2", [0.5, 0.5]),
        };
        let [first, second] = assignment.engines.map(|engine| names[engine].clone());
        let fault = played.fault.as_ref().map(|(_, fault)| FaultEntry {
            engine: fault.engine.clone(),
            what: fault.kind.to_string(),
            told: fault.evidence.told.iter().cloned().collect(),
            output: fault.evidence.output.iter().cloned().collect(),
            errors: fault.evidence.errors.iter().cloned().collect(),
        });
        let plies = &played.plies;
        Entry {
            game: assignment.game,
            pair: assignment.pair,
            first,
            second,
            opening: opening.to_string(),
            start: played.start.clone(),
            moves: played.moves.clone(),
            opening_plies: played.opening_plies,
            result: result.to_string(),
            points,
            reason: played.reason.clone(),
            termination: played.termination.name().to_string(),
            fault,
            scores: plies.iter().map(|ply| ply.score.map(ScoreEntry::of)).collect(),
            depths: plies.iter().map(|ply| ply.depth).collect(),
            times_ms: plies.iter().map(|ply| ply.time.as_millis() as u64).collect(),
            nodes: plies.iter().map(|ply| ply.nodes).collect(),
            began: (began * 1e3).round() / 1e3,
            seconds: (seconds * 1e3).round() / 1e3,
        }
    }

    /// What `first` made of it; nothing if the line says something else than a result.
    pub fn outcome(&self) -> Option<GameResult> {
        match self.result.as_str() {
            "1-0" => Some(GameResult::Win),
            "0-1" => Some(GameResult::Loss),
            "1/2-1/2" => Some(GameResult::Draw),
            _ => None,
        }
    }

    /// The game played through, or why it cannot be.
    pub fn replay<G: Playable>(&self) -> Result<Record<G>, String> {
        let start = match &self.start {
            None => G::start(),
            Some(text) => G::read_with_notes(text).map_err(|error| error.to_string())?.0,
        };
        let mut record = Record::starting_at(start);
        let played = record.play_all(self.moves.iter().map(String::as_str));
        played.map_err(|error| error.to_string())?;
        Ok(record)
    }
}
