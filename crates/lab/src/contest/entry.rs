//! One game as a line of `games.jsonl`, which is all that a run knows of it.

use secateur_games::playable::Playable;
use secateur_games::record::{Record, Verdict};
use secateur_search::Player;
use serde::{Deserialize, Serialize};

use super::game::{Played, Ply};
use super::plan::Assignment;
use crate::engine::{BstarMove, ScoreValue};
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
    /// What B\* did for the first and for the second, if it was to decide their moves.
    #[serde(default, skip_serializing_if = "is_nobodys")]
    pub bstar: [Option<BstarMoves>; 2],
    /// When the game began, in seconds since 1970.
    pub began: f64,
    /// How long it took.
    pub seconds: f64,
}

/// What B\* did for one side of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BstarMoves {
    /// Moves that it decided.
    pub decided: u64,
    /// Moves that it handed over to alpha-beta.
    pub handed_over: u64,
    /// Positions that it expanded in all.
    pub expansions: u64,
    /// The move of the game, opening included, from which on it has handed over every one.
    pub stopped: Option<u64>,
}

fn is_nobodys(bstar: &[Option<BstarMoves>; 2]) -> bool {
    bstar.iter().all(Option::is_none)
}

impl BstarMoves {
    /// What it did for a side; `None` if it was not to decide any of its moves.
    fn of(plies: &[Ply], opening_plies: usize, side: Player) -> Option<BstarMoves> {
        let mut all = BstarMoves::default();
        for (index, ply) in plies.iter().enumerate().filter(|(_, ply)| ply.mover == side) {
            match ply.bstar {
                None => {}
                Some(BstarMove::Decided(expansions)) => {
                    all.decided += 1;
                    all.expansions += expansions;
                    all.stopped = None;
                }
                Some(BstarMove::HandedOver) => {
                    all.handed_over += 1;
                    let number = ((opening_plies + index) / 2 + 1) as u64;
                    all.stopped = all.stopped.or(Some(number));
                }
            }
        }
        (all.decided + all.handed_over > 0).then_some(all)
    }
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
            bstar: [Player::First, Player::Second]
                .map(|side| BstarMoves::of(plies, played.opening_plies, side)),
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn ply(mover: Player, bstar: Option<BstarMove>) -> Ply {
        Ply { score: None, depth: None, time: Duration::ZERO, nodes: None, mover, bstar }
    }

    #[test]
    fn what_b_star_did_is_counted_by_side_and_it_stopped_when_it_decided_no_more() {
        use BstarMove::{Decided, HandedOver};
        let moves = [Decided(10), HandedOver, Decided(30), HandedOver, HandedOver];
        let plies: Vec<Ply> = moves
            .iter()
            .flat_map(|m| [ply(Player::First, Some(*m)), ply(Player::Second, None)])
            .collect();
        let counted = BstarMoves { decided: 2, handed_over: 3, expansions: 40, stopped: Some(7) };
        assert_eq!(BstarMoves::of(&plies, 6, Player::First), Some(counted));
        assert_eq!(BstarMoves::of(&plies, 6, Player::Second), None);
    }
}
