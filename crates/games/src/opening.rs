//! Where games may begin, as people pass it round: a position, or a game that breaks off.

use secateur_search::{Game, ParseError};

use crate::record::Record;

/// One entry of a file of openings.
#[derive(Clone)]
pub struct WrittenOpening<G: Game> {
    /// What the file calls it.
    pub name: Option<String>,
    /// The line of the file that it stands on, if that is known.
    pub line: Option<usize>,
    /// The moves that were played, or none if the file has only the position.
    pub record: Record<G>,
}

/// The entries of a file, read one by one. A broken one is an error that names its line.
pub type WrittenOpenings<'a, G> =
    Box<dyn Iterator<Item = Result<WrittenOpening<G>, ParseError>> + 'a>;

/// How openings are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// By the moves that lead to them: PGN without tags, transcripts.
    Moves,
    /// By the position alone: EPD, boards.
    Positions,
}

impl Form {
    /// What begins a line that is a comment to every reader of this form.
    pub fn comment_mark(self) -> char {
        match self {
            // The escape of PGN. OBF and transcripts have both.
            Form::Moves => '%',
            Form::Positions => '#',
        }
    }
}
