//! A position put to a judge, who values every move, or to an engine, which chooses one.

use std::ops::ControlFlow;

use secateur_games::playable::Playable;
use secateur_games::record::Record;
use serde::{Deserialize, Serialize};

use crate::engine::{Fault, FaultKind, Opponent, PositionText, ScoreValue};
use crate::suite::contestant::Contestant;
use crate::suite::cost::{before_the_move, worth};

/// Whether somebody judges or chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Values every move.
    Judge,
    /// Chooses one.
    Engine,
}

/// What somebody said of a position: a line of `answers.jsonl`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// Whether it judged or chose.
    pub role: Role,
    /// Its number among those of its role, from 0.
    pub who: usize,
    /// The position, from 0.
    pub position: usize,
    /// Its text.
    pub text: String,
    /// The moves and what they are worth, in hundredths; of who chooses, the one it chose.
    pub moves: Vec<(String, i32)>,
    /// Why there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

impl Said {
    /// A line about the same question is the same answer.
    pub fn key(&self) -> (Role, usize, usize) {
        (self.role, self.who, self.position)
    }
}

/// Values every move of the position.
pub fn values<G: Playable>(
    record: &Record<G>,
    judge: &Contestant,
    engine: &mut dyn Opponent,
) -> Result<Vec<(String, i32)>, Fault> {
    let position = record.position();
    let mut moves = Vec::new();
    position.each_move(|m| moves.push(m));
    let mut found = Vec::with_capacity(moves.len());
    for m in moves {
        let mut after = record.clone();
        after.play(m);
        let value = match after.ending() {
            // No engine need be asked, and most would not answer.
            Some(ending) => ScoreValue::of(ending.outcome.score(0)),
            None => {
                let text = text_of(&after);
                engine.new_game(false)?;
                let thought =
                    engine.think(&text, &judge.go(), &mut |_, _| ControlFlow::Continue(()))?;
                match thought.score {
                    Some(score) => score.value,
                    None => return Err(engine.blame(FaultKind::NoValue)),
                }
            }
        };
        found.push((position.write_move(m), worth(before_the_move(value))));
    }
    Ok(found)
}

/// The move that the engine chooses.
pub fn choice<G: Playable>(
    record: &Record<G>,
    contestant: &Contestant,
    engine: &mut dyn Opponent,
) -> Result<Vec<(String, i32)>, Fault> {
    engine.new_game(false)?;
    let text = text_of(record);
    let thought = engine.think(&text, &contestant.go(), &mut |_, _| ControlFlow::Continue(()))?;
    match record.position().read_move(&thought.best_move) {
        Ok(m) => Ok(vec![(record.position().write_move(m), 0)]),
        Err(_) => Err(engine.blame(FaultKind::IllegalMove(thought.best_move))),
    }
}

/// A position without the way there: what a judge and an engine see must be the same.
fn text_of<G: Playable>(record: &Record<G>) -> PositionText {
    PositionText { start: Some(record.position().write_position()), moves: Vec::new() }
}
