//! Games one by one from a stream of any length.
//!
//! A game begins with its tags, or with its moves after the result of the game before. A broken
//! one is an error that names line and column, and reading goes on with the next.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use secateur_search::ParseError;

use super::Pgn;
use super::build::Builder;
use super::lines::Lines;
use super::token::{Lexer, Placed};

/// Why a game could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The stream failed; nothing comes after this.
    #[error("line {line}: cannot read on: {source}")]
    Io {
        /// The line that could not be read.
        line: usize,
        /// What the system said.
        source: io::Error,
    },
    /// The game is broken; the next one may not be.
    #[error(transparent)]
    Broken(#[from] ParseError),
}

/// The games of a stream.
pub struct Reader<R> {
    lines: Lines<R>,
    lexer: Lexer,
    tokens: VecDeque<Placed>,
    game: Builder,
    at_end: bool,
    failure: Option<ReadError>,
}

impl<R: BufRead> Reader<R> {
    /// Reads from any buffered input; [`source::open`](crate::source::open) gives one for a file.
    pub fn new(input: R) -> Reader<R> {
        Reader {
            lines: Lines::new(input),
            lexer: Lexer::default(),
            tokens: VecDeque::new(),
            game: Builder::default(),
            at_end: false,
            failure: None,
        }
    }

    /// How many lines were read so far.
    pub fn lines_read(&self) -> usize {
        self.lines.number
    }

    /// Takes in the next line, or what is left at the end of the stream.
    fn advance(&mut self) {
        let line = self.lines.number + 1;
        match self.lines.next() {
            Ok(Some(text)) => self.lexer.read_line(text, line, &mut self.tokens),
            Ok(None) => {
                self.at_end = true;
                self.lexer.finish(&mut self.tokens);
            }
            Err(source) => {
                self.at_end = true;
                self.failure = Some(ReadError::Io { line, source });
                // Half a game is not a game.
                if !self.game.is_whole() {
                    self.game = Builder::default();
                }
            }
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Pgn, ReadError>;

    fn next(&mut self) -> Option<Result<Pgn, ReadError>> {
        loop {
            while let Some(placed) = self.tokens.pop_front() {
                let ended = self.game.ends_before(&placed.token);
                let before = if ended { Some(std::mem::take(&mut self.game)) } else { None };
                self.game.take(placed);
                if let Some(game) = before.and_then(Builder::finish) {
                    return Some(game.map_err(ReadError::Broken));
                }
            }
            if self.at_end {
                return match std::mem::take(&mut self.game).finish() {
                    Some(last) => Some(last.map_err(ReadError::Broken)),
                    None => self.failure.take().map(Err),
                };
            }
            self.advance();
        }
    }
}

/// All games of a text.
pub fn read_all(text: &str) -> Vec<Result<Pgn, ParseError>> {
    let broken = |error| match error {
        ReadError::Broken(error) => error,
        ReadError::Io { line, source } => ParseError::new(source.to_string()).on_line(line),
    };
    Reader::new(text.as_bytes()).map(|game| game.map_err(broken)).collect()
}

#[cfg(test)]
mod tests;
