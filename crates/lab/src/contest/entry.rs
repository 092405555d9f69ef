//! One game as a line of `games.jsonl`, which is all that a run knows of it.

use std::ops::AddAssign;

use secateur_games::playable::Playable;
use secateur_games::record::{Record, Verdict};
use secateur_search::Player;
use secateur_search::alphabeta::choice::Reason;
use secateur_search::bstar::Part;
use serde::{Deserialize, Serialize};

use super::effort::Effort;
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
    /// What the moves of the first and of the second took in all.
    #[serde(default)]
    pub effort: [Effort; 2],
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
#[serde(default)]
pub struct BstarMoves {
    /// Moves that it decided.
    pub decided: u64,
    /// Of these, moves of iterative deepening that it examined and let stand.
    pub confirmed: u64,
    /// Of these, moves that it played instead.
    pub overruled: u64,
    /// Moves of iterative deepening on which it came to no end.
    pub unfinished: u64,
    /// Moves that iterative deepening found after it had confirmed others.
    pub superseded: u64,
    /// Moves that it handed over to alpha-beta.
    pub handed_over: u64,
    /// Of these, moves with little left to play with.
    pub for_forces: u64,
    /// Of these, moves with too little time or too few nodes.
    pub for_clock: u64,
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
                Some(BstarMove::Searched { expansions, part }) => {
                    all.decided += u64::from(part.decides());
                    all.confirmed += u64::from(part == Part::Confirmed);
                    all.overruled += u64::from(part == Part::Overruled);
                    all.unfinished += u64::from(part == Part::Unfinished);
                    all.superseded += u64::from(part == Part::Superseded);
                    all.expansions += expansions;
                    all.stopped = None;
                }
                Some(BstarMove::HandedOver(reason)) => {
                    all.handed_over += 1;
                    all.for_forces += u64::from(reason == Reason::Forces);
                    all.for_clock += u64::from(reason == Reason::Short);
                    let number = ((opening_plies + index) / 2 + 1) as u64;
                    all.stopped = all.stopped.or(Some(number));
                }
            }
        }
        (all.moves() > 0).then_some(all)
    }

    /// Moves that it was to decide.
    pub fn moves(&self) -> u64 {
        self.decided + self.unfinished + self.superseded + self.handed_over
    }

    /// The share that it decided; of those with enough left to play with if `outside` is set.
    pub fn share(&self, outside: bool) -> Option<f64> {
        let of = self.moves() - if outside { self.for_forces } else { 0 };
        (of > 0).then(|| self.decided as f64 / of as f64)
    }

    /// Positions expanded for a move that was not handed over.
    pub fn expansions_per_move(&self) -> f64 {
        self.expansions as f64 / (self.moves() - self.handed_over).max(1) as f64
    }
}

/// All but where it stopped.
impl AddAssign for BstarMoves {
    fn add_assign(&mut self, other: BstarMoves) {
        self.decided += other.decided;
        self.confirmed += other.confirmed;
        self.overruled += other.overruled;
        self.unfinished += other.unfinished;
        self.superseded += other.superseded;
        self.handed_over += other.handed_over;
        self.for_forces += other.for_forces;
        self.for_clock += other.for_clock;
        self.expansions += other.expansions;
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
            effort: [Player::First, Player::Second].map(|side| Effort::of(plies, side)),
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
        let searched = |expansions, part| BstarMove::Searched { expansions, part };
        let moves = [
            searched(10, Part::Alone),
            BstarMove::HandedOver(Reason::Short),
            searched(30, Part::Alone),
            BstarMove::HandedOver(Reason::Forces),
            BstarMove::HandedOver(Reason::Question),
        ];
        let plies: Vec<Ply> = moves
            .iter()
            .flat_map(|m| [ply(Player::First, Some(*m)), ply(Player::Second, None)])
            .collect();
        let counted = BstarMoves {
            decided: 2,
            handed_over: 3,
            for_forces: 1,
            for_clock: 1,
            expansions: 40,
            stopped: Some(7),
            ..BstarMoves::default()
        };
        assert_eq!(BstarMoves::of(&plies, 6, Player::First), Some(counted));
        assert_eq!(BstarMoves::of(&plies, 6, Player::Second), None);
    }

    #[test]
    fn a_move_on_which_it_came_to_no_end_is_not_one_that_it_decided() {
        let parts = [Part::Confirmed, Part::Overruled, Part::Unfinished, Part::Superseded];
        let mut plies: Vec<Ply> = parts
            .iter()
            .map(|part| {
                ply(Player::First, Some(BstarMove::Searched { expansions: 6, part: *part }))
            })
            .collect();
        let forces = BstarMove::HandedOver(Reason::Forces);
        plies.extend([ply(Player::First, Some(forces)), ply(Player::First, Some(forces))]);
        let did = BstarMoves::of(&plies, 0, Player::First).unwrap();
        assert_eq!((did.decided, did.moves(), did.for_forces), (2, 6, 2));
        assert_eq!((did.share(false), did.share(true)), (Some(2.0 / 6.0), Some(0.5)));
        assert_eq!(did.expansions_per_move(), 6.0);
        let mut twice = did;
        twice += did;
        assert_eq!((twice.confirmed, twice.superseded, twice.expansions), (2, 2, 48));
    }
}
