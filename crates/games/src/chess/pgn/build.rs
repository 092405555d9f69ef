//! Tokens become a game.

use secateur_search::notation::quoted;
use secateur_search::{Game, Notation, ParseError};

use super::token::{Placed, Token};
use super::{DEEPEST, GameResult, Pgn, PgnMove, Variation, names_chess960};
use crate::chess::{Chess, fen, san};

/// A line of moves that is being read: the game itself, or a variation.
struct Branch {
    variation: Variation,
    position: Chess,
    /// Before the last move: where a variation of it begins.
    previous: Chess,
    /// Where its bracket stands.
    opened: (usize, usize),
}

/// A game that is being read. After the first error it takes tokens only to find its end.
#[derive(Default)]
pub(super) struct Builder {
    pgn: Pgn,
    setup: Option<Chess>,
    chess960: bool,
    branches: Vec<Branch>,
    /// Annotations that stand before the first move of a line.
    waiting_nags: Vec<u8>,
    error: Option<ParseError>,
    /// How many brackets are open, errors or not.
    depth: usize,
    first_tag: Option<String>,
    has_moves: bool,
    has_result: bool,
}

impl Builder {
    /// Whether this token belongs to the next game.
    pub(super) fn ends_before(&self, token: &Token) -> bool {
        match token {
            // A game may consist of tags alone: then its first one comes again.
            Token::Tag { name, .. } => self.has_moves || self.first_tag.as_ref() == Some(name),
            Token::BadTag(_) => self.has_moves,
            // Games without tags follow each other like this.
            Token::Word(_) | Token::Bad(_) => self.is_whole(),
            _ => false,
        }
    }

    /// Whether the game has its result, so that nothing important can follow.
    pub(super) fn is_whole(&self) -> bool {
        self.has_result && self.depth == 0
    }

    /// Takes the next token of this game.
    pub(super) fn take(&mut self, placed: Placed) {
        match &placed.token {
            Token::Tag { name, .. } if self.first_tag.is_none() => {
                self.first_tag = Some(name.clone());
            }
            Token::Tag { .. } | Token::BadTag(_) | Token::Comment(_) => {}
            Token::Open => self.depth += 1,
            Token::Close => self.depth = self.depth.saturating_sub(1),
            _ => self.has_moves = true,
        }
        let is_result = matches!(placed.token, Token::Result(_)) && self.depth == 0;
        if self.error.is_none() {
            self.error = self.understand(placed).err();
        }
        self.has_result |= is_result;
    }

    fn understand(&mut self, placed: Placed) -> Result<(), ParseError> {
        match &placed.token {
            Token::Tag { .. } => return self.take_tag(placed),
            Token::Bad(what) | Token::BadTag(what) => return Err(placed.error(what)),
            Token::Word(word) => {
                if matches!(word.as_str(), "--" | "Z0" | "@@@@") {
                    return Err(placed.error("null moves are not supported"));
                }
                let nags = std::mem::take(&mut self.waiting_nags);
                let branch = self.branch();
                let m = san::read(&branch.position, word)
                    .map_err(|error| placed.error(error.what()))?;
                branch.previous.clone_from(&branch.position);
                branch.position.play(m);
                branch.variation.moves.push(PgnMove { nags, ..PgnMove::new(m) });
            }
            Token::Nag(number) => match self.branch().variation.moves.last_mut() {
                Some(last) => last.nags.push(*number),
                None => self.waiting_nags.push(*number),
            },
            // An empty comment says nothing.
            Token::Comment(text) if text.is_empty() => {}
            Token::Comment(text) => {
                // Before the tags there is no position yet to start a line from.
                if self.branches.is_empty() {
                    self.pgn.comments.push(text.clone());
                } else {
                    self.branch().variation.add_comment(text.clone());
                }
            }
            Token::Open => {
                if self.branches.len() > DEEPEST {
                    let what = format!("variations are nested more than {DEEPEST} deep");
                    return Err(placed.error(what));
                }
                let branch = self.branch();
                if branch.variation.moves.is_empty() {
                    return Err(placed.error("a variation before the first move"));
                }
                let position = branch.previous.clone();
                self.begin(position, (placed.line, placed.column));
            }
            Token::Close => {
                if self.branches.len() < 2 {
                    return Err(placed.error("a closing bracket without an opening one"));
                }
                self.close();
            }
            Token::Result(result) => {
                // Those of variations say nothing about the game, and only the first one counts.
                if self.depth == 0 && !self.has_result {
                    self.pgn.result = *result;
                }
            }
        }
        Ok(())
    }

    fn take_tag(&mut self, placed: Placed) -> Result<(), ParseError> {
        let (line, column) = (placed.line, placed.column);
        let Token::Tag { name, value, value_column } = placed.token else { return Ok(()) };
        match name.as_str() {
            "FEN" if self.setup.is_none() && !value.trim().is_empty() => {
                let reading = fen::read(&value).map_err(|error| {
                    let error = error.shifted_by(value_column - 1).on_line(line);
                    error.at_column(value_column)
                })?;
                self.setup = Some(reading.position);
                self.pgn.notes = reading.notes;
            }
            "Variant" => match names_chess960(&value) {
                Some(chess960) => self.chess960 |= chess960,
                None => {
                    let what = format!("the variant {} is not chess", quoted(&value));
                    return Err(ParseError::new(what).on_line(line).at_column(column));
                }
            },
            _ => {}
        }
        self.pgn.tags.push((name, value));
        Ok(())
    }

    /// The line of moves that is being read; the game itself begins when first asked for.
    fn branch(&mut self) -> &mut Branch {
        if self.branches.is_empty() {
            let start = self.start();
            self.begin(start, (0, 0));
        }
        let last = self.branches.len() - 1;
        &mut self.branches[last]
    }

    fn start(&self) -> Chess {
        let start = self.setup.clone().unwrap_or_else(Chess::start);
        let chess960 = self.chess960 || start.is_chess960();
        start.with_chess960(chess960)
    }

    fn begin(&mut self, position: Chess, opened: (usize, usize)) {
        let previous = position.clone();
        self.branches.push(Branch { variation: Variation::default(), position, previous, opened });
    }

    /// Hangs the innermost variation onto the move that it replaces.
    fn close(&mut self) {
        let Some(Branch { variation, .. }) = self.branches.pop() else { return };
        self.waiting_nags.clear();
        let says_nothing = variation.before.is_empty() && variation.moves.is_empty();
        let parent = self.branches.last_mut().and_then(|parent| parent.variation.moves.last_mut());
        if let (Some(last), false) = (parent, says_nothing) {
            last.variations.push(variation);
        }
    }

    /// The game, or what is wrong with it; `None` if there was nothing but comments.
    pub(super) fn finish(mut self) -> Option<Result<Pgn, ParseError>> {
        if let Some(error) = self.error {
            return Some(Err(error));
        }
        if self.pgn.tags.is_empty() && !self.has_moves {
            return None;
        }
        if self.branches.len() > 1 {
            let (line, column) = self.branches[self.branches.len() - 1].opened;
            let error = ParseError::new("the variation that begins here has no end");
            return Some(Err(error.on_line(line).at_column(column)));
        }
        self.pgn.start = self.start();
        if let Some(game) = self.branches.pop() {
            self.pgn.comments.extend(game.variation.before);
            self.pgn.moves = game.variation.moves;
        }
        if self.pgn.result == GameResult::Unknown {
            self.pgn.result = self.pgn.tag("Result").and_then(GameResult::read).unwrap_or_default();
        }
        Some(Ok(self.pgn))
    }
}

impl Variation {
    /// Hangs a comment onto what it follows.
    fn add_comment(&mut self, text: String) {
        match self.moves.last_mut() {
            None => self.before.push(text),
            Some(last) => match last.variations.last_mut() {
                Some(variation) => variation.after.push(text),
                None => last.comments.push(text),
            },
        }
    }
}
