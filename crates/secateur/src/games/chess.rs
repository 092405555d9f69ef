//! Chess, as the program speaks of it.

use secateur_games::chess::evaluate::Classical;
use secateur_games::chess::{Chess, fen};
use secateur_search::solve::NoSolver;
use secateur_search::{ParseError, Player, Tactics};

use super::Playable;
use crate::record::How;

impl Playable for Chess {
    type Evaluator = Classical;
    type Solver = NoSolver;

    fn equip() -> (Classical, NoSolver) {
        (Classical::default(), NoSolver)
    }

    const POSITION_LABEL: &'static str = "Fen";
    const HAS_CHESS960: bool = true;

    fn read_with_notes(text: &str) -> Result<(Chess, Vec<String>), ParseError> {
        fen::read(text).map(|reading| (reading.position, reading.notes))
    }

    fn writing_chess960(self, wanted: bool) -> Chess {
        // A position that only Chess960 can have was recognised when it was read. The king's two
        // steps could be a plain king move there, so it keeps king takes rook in any case.
        if wanted { self.with_chess960(true) } else { self }
    }

    fn player_name(player: Player) -> &'static str {
        match player {
            Player::First => "White",
            Player::Second => "Black",
        }
    }

    fn ending_name(&self, how: How) -> &'static str {
        match how {
            How::NoMoves if self.in_check() => "checkmate",
            How::NoMoves => "stalemate",
            How::Rule if self.is_dead() => "insufficient material",
            How::Rule => "fifty-move rule",
            How::Repetition => "threefold repetition",
        }
    }
}
