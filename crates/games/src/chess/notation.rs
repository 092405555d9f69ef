//! Positions and moves of chess for protocols, the command line and the eye.

use cozy_chess::{Color, File, Move, Rank, Square};
use secateur_search::{Game, Notation, ParseError, Tactics};

use super::fen::Rights;
use super::keys::Counts;
use super::{Chess, fen, moves, san};

impl Notation for Chess {
    const NAME: &'static str = "chess";
    const FINISHED_GAMES_ARE_LEAVES: bool = false;

    fn start() -> Chess {
        Chess::new(cozy_chess::Board::startpos(), false)
    }

    fn read_position(text: &str) -> Result<Chess, ParseError> {
        fen::read(text).map(|reading| reading.position)
    }

    fn write_position(&self) -> String {
        fen::write(self, Rights::Letters)
    }

    fn read_move(&self, text: &str) -> Result<Move, ParseError> {
        san::read(self, text)
    }

    /// Coordinates; castling as the king's two steps, or as king takes rook in Chess960.
    fn write_move(&self, m: Move) -> String {
        match moves::castling(self.board(), m) {
            Some(castling) if !self.is_chess960() => format!("{}{}", m.from, castling.king),
            _ => m.to_string(),
        }
    }

    fn describe_move(&self, m: Move) -> String {
        san::write(self, m)
    }

    fn draw(&self) -> String {
        let board = self.board();
        let mut text = String::new();
        for rank in Rank::ALL.into_iter().rev() {
            text += &format!("{rank} ");
            for file in File::ALL {
                let square = Square::new(file, rank);
                let letter = board.piece_on(square).map_or('.', char::from);
                text.push(' ');
                text.push(match board.color_on(square) {
                    Some(Color::White) => letter.to_ascii_uppercase(),
                    _ => letter,
                });
            }
            text.push('\n');
        }
        let side = if self.color() == Color::White { "White" } else { "Black" };
        let check = if self.in_check() { ", in check" } else { "" };
        text + &format!("   a b c d e f g h   {side} to move{check}\n")
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let key = |key: u64| format!("{key:016x}");
        let mut facts = vec![("key", key(self.key()))];
        for (facet, name) in Chess::FACET_NAMES.iter().enumerate() {
            facts.push((name, key(self.facet_key(facet))));
        }
        facts.push(("material", key(Counts::of(self.board()).key())));
        facts.push(("stage", ["middle game", "endgame"][self.stage()].to_string()));
        facts.push(("shredder fen", fen::write(self, Rights::Files)));
        facts
    }
}
