//! Positions and moves as text, and errors that say what is wrong and where.

use std::fmt;

use crate::Game;

/// How a game is written and read.
pub trait Notation: Game {
    /// The game's name on the command line, in lower case.
    const NAME: &'static str;

    /// Whether published leaf counts (perft) count a game that is over early as one leaf, as in
    /// Othello, or not at all, as in chess.
    const FINISHED_GAMES_ARE_LEAVES: bool;

    /// The usual first position.
    fn start() -> Self;

    /// Reads a position: FEN in chess, a board string in Othello.
    fn read_position(text: &str) -> Result<Self, ParseError>;

    /// Writes a position so that [`read_position`](Notation::read_position) gives it back.
    fn write_position(&self) -> String;

    /// Reads a legal move in any of the usual forms.
    fn read_move(&self, text: &str) -> Result<Self::Move, ParseError>;

    /// The move as engine protocols write it: `g1f3`.
    fn write_move(&self, m: Self::Move) -> String;

    /// The move as people write it: `Nf3`.
    fn describe_move(&self, m: Self::Move) -> String;

    /// The board in a few lines of text.
    fn draw(&self) -> String;

    /// What else is worth knowing, such as hash keys: a name and a value each.
    fn facts(&self) -> Vec<(&'static str, String)>;
}

/// Why a text could not be read. Lines and columns count from 1; columns count characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    what: String,
    line: Option<usize>,
    column: Option<usize>,
}

impl ParseError {
    /// An error without a place.
    pub fn new(what: impl Into<String>) -> ParseError {
        ParseError { what: what.into(), line: None, column: None }
    }

    /// The same error at `column`, unless a column is known already.
    pub fn at_column(mut self, column: usize) -> ParseError {
        self.column.get_or_insert(column);
        self
    }

    /// The same error on `line`, unless a line is known already.
    pub fn on_line(mut self, line: usize) -> ParseError {
        self.line.get_or_insert(line);
        self
    }

    /// The same error in a text that begins `columns` into a longer one.
    pub fn shifted_by(mut self, columns: usize) -> ParseError {
        self.column = self.column.map(|column| column + columns);
        self
    }

    /// What is wrong.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// The line, if known.
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// The column, if known.
    pub fn column(&self) -> Option<usize> {
        self.column
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (Some(line), Some(column)) => write!(f, "line {line}, column {column}: ")?,
            (Some(line), None) => write!(f, "line {line}: ")?,
            (None, Some(column)) => write!(f, "column {column}: ")?,
            (None, None) => {}
        }
        // One error is one line, whatever the bad input held.
        self.what.chars().try_for_each(|c| match c {
            c if c.is_control() => write!(f, "{}", c.escape_default()),
            c => write!(f, "{c}"),
        })
    }
}

impl std::error::Error for ParseError {}

/// A piece of bad input for an error message: quoted, and cut if it is long.
pub fn quoted(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        None => format!("'{text}'"),
        Some((end, _)) => format!("'{}...'", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_line_and_says_where() {
        let error = ParseError::new("bad\nthing").at_column(4).on_line(2).at_column(9);
        assert_eq!(error.to_string(), "line 2, column 4: bad\\nthing");
        assert_eq!(error.clone().shifted_by(10).column(), Some(14));
        assert_eq!(ParseError::new("odd").shifted_by(3).to_string(), "odd");
    }

    #[test]
    fn long_input_is_cut_at_a_character() {
        assert_eq!(quoted("e9"), "'e9'");
        assert_eq!(quoted(&"ä".repeat(60)), format!("'{}...'", "ä".repeat(40)));
    }
}
