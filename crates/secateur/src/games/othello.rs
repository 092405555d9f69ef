//! Othello, as the program speaks of it.

use secateur_games::othello::Othello;
use secateur_search::{Notation, ParseError, Player};

use super::Playable;
use crate::record::How;

impl Playable for Othello {
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
