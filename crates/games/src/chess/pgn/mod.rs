//! PGN: whole games with tags, comments and variations.
//!
//! | file | idea |
//! |---|---|
//! | `mod` | what a game is |
//! | [`read`] | games one by one from a stream of any length; broken ones are reported and passed |
//! | [`write`](mod@write) | a game as text |
//! | `build` | tokens become a game |
//! | `token` | lines become tokens |
//! | `lines` | bytes become lines |

mod build;
mod lines;
pub mod read;
mod token;
pub mod write;

use std::fmt;

use cozy_chess::Move;
use secateur_search::{Game, Notation};

use super::Chess;
pub use read::{ReadError, Reader, read_all};

/// Variations within variations, at most so deep. Nobody reads more, and a file of nothing but
/// brackets should not cost memory.
pub const DEEPEST: usize = 100;

/// A game.
#[derive(Clone, Debug)]
pub struct Pgn {
    /// Names and values, in the order of the file.
    pub tags: Vec<(String, String)>,
    /// Where the game began.
    pub start: Chess,
    /// What had to be mended in the position of the FEN tag, a sentence each.
    pub notes: Vec<String>,
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The moves that were played.
    pub moves: Vec<PgnMove>,
    /// Who won. What stands after the moves counts; the tag only if that says nothing (`*`).
    pub result: GameResult,
}

/// A move and what is said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnMove {
    /// The move.
    pub m: Move,
    /// Numeric annotations: `$1` is `!`, `$2` is `?`, and so on.
    pub nags: Vec<u8>,
    /// Comments after the move. White space is one space.
    pub comments: Vec<String>,
    /// What could have been played instead.
    pub variations: Vec<Variation>,
}

/// Moves that could have been played instead of the one they follow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variation {
    /// Comments before the first move.
    pub before: Vec<String>,
    /// The moves.
    pub moves: Vec<PgnMove>,
    /// Comments after the closing bracket.
    pub after: Vec<String>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: unfinished, or not known.
    #[default]
    Unknown,
}

impl GameResult {
    /// Reads `1-0`, `0-1`, `1/2-1/2` (or only `1/2`) and `*`.
    pub fn read(text: &str) -> Option<GameResult> {
        match text {
            "1-0" => Some(GameResult::WhiteWins),
            "0-1" => Some(GameResult::BlackWins),
            "1/2-1/2" | "1/2" => Some(GameResult::Draw),
            "*" => Some(GameResult::Unknown),
            _ => None,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        })
    }
}

impl PgnMove {
    /// A move of which nothing is said.
    pub fn new(m: Move) -> PgnMove {
        PgnMove { m, nags: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }
}

impl Pgn {
    /// A game without moves.
    pub fn new(start: Chess) -> Pgn {
        Pgn {
            tags: Vec::new(),
            start,
            notes: Vec::new(),
            comments: Vec::new(),
            moves: Vec::new(),
            result: GameResult::Unknown,
        }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Sets a tag, in its place if it is there already.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        match self.tags.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = value.into(),
            None => self.tags.push((name.to_string(), value.into())),
        }
    }

    /// The position after the first `plies` moves of the game, or after all if there are fewer.
    pub fn position_after(&self, plies: usize) -> Chess {
        let mut position = self.start.clone();
        for played in self.moves.iter().take(plies) {
            if !position.board().is_legal(played.m) {
                break;
            }
            position.play(played.m);
        }
        position
    }

    /// The position after the last move.
    pub fn end(&self) -> Chess {
        self.position_after(usize::MAX)
    }
}

impl Default for Pgn {
    fn default() -> Pgn {
        Pgn::new(Chess::start())
    }
}

/// Comments and tags are kept without line ends and other control characters.
fn tidy(text: &str) -> String {
    let mut tidied = String::with_capacity(text.len());
    for word in text.split(is_space).filter(|word| !word.is_empty()) {
        if !tidied.is_empty() {
            tidied.push(' ');
        }
        tidied += word;
    }
    tidied
}

/// White space, control characters and stray byte order marks.
fn is_space(c: char) -> bool {
    c.is_whitespace() || c.is_control() || c == '\u{feff}'
}

/// Whether a `Variant` tag names Chess960: `Some(false)` for usual chess, `None` for another game.
fn names_chess960(variant: &str) -> Option<bool> {
    let letters: String =
        variant.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    match letters.as_str() {
        "chess960" | "fischerandom" | "fischerrandom" | "fischerrandomchess" | "frc" => Some(true),
        "" | "standard" | "chess" | "normal" | "orthodox" | "fromposition" => Some(false),
        _ => None,
    }
}
