//! One game between two engines: clocks, rules, and what each of them said on the way.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use secateur_games::playable::{KnownResults, Playable};
use secateur_games::record::{Record, Verdict};
use secateur_search::{Outcome, Player};

use super::adjudicate::{Adjudicator, Rules};
use crate::engine::{
    BstarMove, Clock, Fault, FaultKind, Limit, Opponent, PositionText, ScoreValue, Side,
};

/// What holds for a game whoever plays it.
pub struct Conditions<'a, G> {
    /// When it is ended early.
    pub rules: Rules,
    /// What is forgiven on each move.
    pub margin: Duration,
    /// A side without a clock is given up after so long.
    pub patience: Duration,
    /// What ends it as soon as the result is known.
    pub known: Option<&'a KnownResults<G>>,
}

/// What an engine said about the move it made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The value, from its own side.
    pub score: Option<ScoreValue>,
    /// Plies.
    pub depth: Option<u32>,
    /// As the clock counts it.
    pub time: Duration,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Who made it.
    pub mover: Player,
    /// If B\* was to decide it: whether it did.
    pub bstar: Option<BstarMove>,
}

/// How a game came to its end, in the words of PGN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Termination {
    /// By the rules of the game.
    Normal,
    /// Ended early.
    Adjudication,
    /// By the clock.
    TimeForfeit,
    /// An engine ended by itself.
    Abandoned,
    /// An engine broke the rules of the game.
    IllegalMove,
    /// An engine did not answer, or not in the words of the protocol.
    StalledConnection,
}

impl Termination {
    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Termination::Normal => "normal",
            Termination::Adjudication => "adjudication",
            Termination::TimeForfeit => "time forfeit",
            Termination::Abandoned => "abandoned",
            Termination::IllegalMove => "illegal move",
            Termination::StalledConnection => "stalled connection",
        }
    }

    fn of(fault: &FaultKind) -> Termination {
        match fault {
            FaultKind::OverTime { .. } => Termination::TimeForfeit,
            FaultKind::IllegalMove(_) => Termination::IllegalMove,
            FaultKind::DidNotStart(_) | FaultKind::Crashed { .. } => Termination::Abandoned,
            _ => Termination::StalledConnection,
        }
    }
}

/// A game that is over.
pub struct Played<G: Playable> {
    /// The opening and what was played on it.
    pub record: Record<G>,
    /// All moves, as engines write them.
    pub moves: Vec<String>,
    /// The text of the first position; `None` for the usual one.
    pub start: Option<String>,
    /// How many of the moves are the opening.
    pub opening_plies: usize,
    /// Who has won; never open.
    pub verdict: Verdict,
    /// Why.
    pub reason: String,
    /// In which way.
    pub termination: Termination,
    /// Who did what wrong.
    pub fault: Option<(Player, Fault)>,
    /// What was said about each move after the opening.
    pub plies: Vec<Ply>,
    /// What the engines took: to think, and to make themselves ready.
    pub thinking: Duration,
    /// See `thinking`.
    pub preparing: Duration,
}

/// The run was stopped while the game was played: there is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

/// A game as far as it has come.
struct Table<G: Playable> {
    record: Record<G>,
    position: PositionText,
    opening_plies: usize,
    plies: Vec<Ply>,
    thinking: Duration,
    preparing: Duration,
}

/// Plays a game from the end of `opening`. The first of the players has White in chess: `wtime` is
/// his. After a fault that is not survivable the engine must be restarted.
pub fn play<G: Playable>(
    opening: &Record<G>,
    players: [&mut dyn Opponent; 2],
    limits: [Limit; 2],
    conditions: &Conditions<'_, G>,
) -> Result<Played<G>, Interrupted> {
    let mut table = Table::new(opening);
    let [first, second] = players;
    let begun = Instant::now();
    let chess960 = opening.position().writes_chess960();
    for (player, side) in [(&mut *first, Player::First), (&mut *second, Player::Second)] {
        if let Err(fault) = player.new_game(chess960) {
            return table.lost(side, fault);
        }
    }
    table.preparing = begun.elapsed();
    let mut clock = Clock::new(limits[0], limits[1], conditions.margin, conditions.patience);
    let mut adjudicator = Adjudicator::new(conditions.rules);
    loop {
        if let Some(ending) = table.record.ending() {
            let position = table.record.position();
            let verdict = verdict(ending.outcome, position.turn());
            let reason = position.ending_name(ending.how);
            return Ok(table.over(verdict, reason.to_string(), Termination::Normal, None));
        }
        let known = conditions.known.and_then(|known| known(table.record.position()));
        if let Some(outcome) = known {
            let verdict = verdict(outcome, table.record.position().turn());
            let reason = "tablebase".to_string();
            return Ok(table.over(verdict, reason, Termination::Adjudication, None));
        }
        let mover = table.record.position().turn();
        let (player, side): (&mut dyn Opponent, _) = match mover {
            Player::First => (&mut *first, Side::White),
            Player::Second => (&mut *second, Side::Black),
        };
        let begun = Instant::now();
        let thought = player
            .think(&table.position, &clock.start(side), &mut |_, _| ControlFlow::Continue(()));
        table.thinking += begun.elapsed();
        let thought = match thought {
            Ok(thought) => thought,
            Err(fault) => return table.lost(mover, fault),
        };
        // The flag is looked at first: who is late has lost whatever he plays.
        if let Err(by) = clock.finish(side, thought.time_spent) {
            return table.lost(mover, player.blame(FaultKind::OverTime { by }));
        }
        let Ok(m) = table.record.position().read_move(&thought.best_move) else {
            return table.lost(mover, player.blame(FaultKind::IllegalMove(thought.best_move)));
        };
        let score = thought.score.map(|score| score.value);
        table.plies.push(Ply {
            score,
            depth: thought.depth,
            time: thought.time_spent,
            nodes: thought.nodes,
            mover,
            bstar: thought.bstar,
        });
        table.play(m);
        let plies = table.record.moves().len();
        if let Some((verdict, reason)) = adjudicator.after_move(mover, score, plies)
            // A game that is over by the rules needs no judge.
            && table.record.ending().is_none()
        {
            let reason = reason.to_string();
            return Ok(table.over(verdict, reason, Termination::Adjudication, None));
        }
    }
}

/// The text of a first position, unless it is the usual one.
pub fn start_text<G: Playable>(position: &G) -> Option<String> {
    let text = position.write_position();
    (text != G::start().write_position() || position.writes_chess960()).then_some(text)
}

fn verdict(outcome: Outcome, turn: Player) -> Verdict {
    outcome.winner(turn).map_or(Verdict::Draw, Verdict::Won)
}

impl<G: Playable> Table<G> {
    fn new(opening: &Record<G>) -> Table<G> {
        let mut table = Table {
            record: Record::starting_at(opening.start().clone()),
            position: PositionText { start: start_text(opening.start()), moves: Vec::new() },
            opening_plies: opening.moves().len(),
            plies: Vec::new(),
            thinking: Duration::ZERO,
            preparing: Duration::ZERO,
        };
        opening.moves().iter().for_each(|m| table.play(*m));
        table
    }

    fn play(&mut self, m: G::Move) {
        self.position.moves.push(self.record.position().write_move(m));
        self.record.play(m);
    }

    /// This side has lost by a fault, unless it is ours.
    fn lost(self, side: Player, fault: Fault) -> Result<Played<G>, Interrupted> {
        if fault.kind == FaultKind::Interrupted {
            return Err(Interrupted);
        }
        let reason = format!("{} {}", fault.engine, fault.kind.in_record());
        let termination = Termination::of(&fault.kind);
        Ok(self.over(Verdict::Won(side.other()), reason, termination, Some((side, fault))))
    }

    fn over(
        self,
        verdict: Verdict,
        reason: String,
        termination: Termination,
        fault: Option<(Player, Fault)>,
    ) -> Played<G> {
        Played {
            record: self.record,
            moves: self.position.moves,
            start: self.position.start,
            opening_plies: self.opening_plies,
            verdict,
            reason,
            termination,
            fault,
            plies: self.plies,
            thinking: self.thinking,
            preparing: self.preparing,
        }
    }
}
