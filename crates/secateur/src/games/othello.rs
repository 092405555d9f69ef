//! Othello, as the program speaks of it.

use secateur_games::othello::{EndgameSolver, Othello, OthelloEvaluator};
use secateur_search::{Notation, ParseError, Player};

use super::Playable;
use crate::record::How;

/// Positions with so few empty squares are solved instead of searched.
const SOLVED_FROM: u32 = 12;

/// What each thread's solver remembers, in bytes.
const SOLVER_TABLE: usize = 4 << 20;

impl Playable for Othello {
    type Evaluator = OthelloEvaluator;
    type Solver = EndgameSolver;

    fn equip() -> (OthelloEvaluator, EndgameSolver) {
        (OthelloEvaluator::new(), EndgameSolver::new(SOLVED_FROM, SOLVER_TABLE))
    }

    const POSITION_LABEL: &'static str = "Board";
    const HAS_CHESS960: bool = false;

    fn read_with_notes(text: &str) -> Result<(Othello, Vec<String>), ParseError> {
        Othello::read_position(text).map(|position| (position, Vec::new()))
    }

    fn writing_chess960(self, _wanted: bool) -> Othello {
        self
    }

    fn player_name(player: Player) -> &'static str {
        match player {
            Player::First => "Black",
            Player::Second => "White",
        }
    }

    fn ending_name(&self, how: How) -> &'static str {
        match how {
            How::NoMoves => "neither side can move",
            How::Rule => "no disc is left to turn",
            How::Repetition => "repetition",
        }
    }
}
