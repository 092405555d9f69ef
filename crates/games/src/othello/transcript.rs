//! Games as people exchange them: `f5d6c3d3c4`, one square after the other.

use secateur_search::notation::quoted;
use secateur_search::{Game, ParseError};

use super::lines::filled;
use super::{Othello, OthelloMove};

/// A game or the beginning of one: legal moves from a position. Passes are among the moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    start: Othello,
    moves: Vec<OthelloMove>,
    end: Othello,
}

impl Transcript {
    /// A game without moves yet.
    pub fn new(start: Othello) -> Transcript {
        Transcript { start, moves: Vec::new(), end: start }
    }

    /// The position before the first move.
    pub fn start(&self) -> &Othello {
        &self.start
    }

    /// The moves, passes included.
    pub fn moves(&self) -> &[OthelloMove] {
        &self.moves
    }

    /// The position after the last move.
    pub fn end(&self) -> &Othello {
        &self.end
    }

    /// Every position that had a move, with that move.
    pub fn positions(&self) -> impl Iterator<Item = (Othello, OthelloMove)> {
        self.moves.iter().scan(self.start, |position, &m| {
            let before = *position;
            position.play(m);
            Some((before, m))
        })
    }

    /// Adds a move. If the side to move has none and `m` is a placement, its pass comes first.
    /// An illegal move is refused with the reason, and nothing is added.
    pub fn push(&mut self, m: OthelloMove) -> Result<(), ParseError> {
        let passed = self.end.after(OthelloMove::PASS);
        let must_pass = self.end.unpack(Othello::pack(OthelloMove::PASS)).is_some();
        if must_pass && m != OthelloMove::PASS {
            passed.demand_legal(m)?;
            self.add(OthelloMove::PASS);
        } else {
            self.end.demand_legal(m)?;
        }
        self.add(m);
        Ok(())
    }

    fn add(&mut self, m: OthelloMove) {
        self.moves.push(m);
        self.end.play(m);
    }

    /// Reads a game from the usual first position; see [`read_from`](Transcript::read_from).
    pub fn read(text: &str) -> Result<Transcript, ParseError> {
        Transcript::read_from(Othello::START, text)
    }

    /// Reads a game that begins at `start`: squares in capitals or not, with or without white
    /// space between them. A forced pass may be left out or written as `pass`, `pa`, `ps`, `--` or
    /// `@@`. The game may break off anywhere; a text without moves is a game without moves.
    pub fn read_from(start: Othello, text: &str) -> Result<Transcript, ParseError> {
        let mut game = Transcript::new(start);
        let mut number = 1;
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let place = |error: ParseError| {
                let read = &text[..text.len() - rest.len()];
                ParseError::new(format!("move {number}: {}", error.what()))
                    .at_column(read.chars().count() + 1)
            };
            let Some((m, length)) = OthelloMove::read_prefix(rest) else {
                let word = rest.split(char::is_whitespace).next().unwrap_or_default();
                let what = format!("{} is no move: a1 to h8, or pass", quoted(word));
                return Err(place(ParseError::new(what)));
            };
            game.push(m).map_err(place)?;
            // As on score sheets: only discs are numbered.
            number += usize::from(m != OthelloMove::PASS);
            rest = rest[length..].trim_start();
        }
        Ok(game)
    }

    /// Reads a file with a game on each line. Blank lines and lines that begin with `#` or `%` are
    /// skipped; a broken line gives its error, and reading goes on behind it.
    pub fn read_all(text: &str) -> Vec<Result<Transcript, ParseError>> {
        filled(text)
            .map(|(number, line)| Transcript::read(line).map_err(|error| error.on_line(number)))
            .collect()
    }

    /// The moves without passes, which [`read_from`](Transcript::read_from) finds again: `f5d6`.
    /// Only a pass at the very end is written, as `pa`: nothing after it would imply it.
    pub fn write(&self) -> String {
        let mut text: String = self
            .moves
            .iter()
            .filter(|m| **m != OthelloMove::PASS)
            .map(ToString::to_string)
            .collect();
        if self.moves.last() == Some(&OthelloMove::PASS) {
            text += "pa";
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_search::Notation;

    fn error(text: &str) -> String {
        Transcript::read(text).unwrap_err().to_string()
    }

    /// The shortest game, in which White is wiped out.
    const SHORTEST: &str = "e6f4e3f6g5d6e7f5c5";

    #[test]
    fn a_game_is_read_in_any_dress_and_written_plainly() {
        for text in ["f5d6c3d3c4", "F5D6C3D3C4", " f5 d6\tc3\nd3 C4 ", "f5d6 c3d3c4\r\n"] {
            let game = Transcript::read(text).unwrap();
            assert_eq!((game.moves().len(), game.write().as_str()), (5, "f5d6c3d3c4"), "{text:?}");
        }
        assert_eq!(Transcript::read(" ").unwrap(), Transcript::new(Othello::START));
    }

    #[test]
    fn a_forced_pass_may_be_written_or_implied() {
        // White's corner disc is safe, so Black passes; White takes c1 and Black has none left.
        let start = Othello::read_position(&format!("OX{} X", "-".repeat(62))).unwrap();
        let implied = Transcript::read_from(start, "c1").unwrap();
        for text in ["pac1", "PASS c1", "--c1", "@@c1", "psC1"] {
            assert_eq!(Transcript::read_from(start, text).as_ref(), Ok(&implied), "{text}");
        }
        assert_eq!(implied.moves()[0], OthelloMove::PASS);
        assert_eq!(implied.write(), "c1");
        let only = Transcript::read_from(start, "pa").unwrap();
        assert_eq!((only.moves().len(), only.write().as_str()), (1, "pa"));
        assert_ne!(only.end(), &start);
        let game = Transcript::read("f5f6d3g5h5h4f7h6c5").unwrap();
        assert_eq!((game.moves().len(), game.moves()[8]), (10, OthelloMove::PASS));
        assert_eq!(game.write(), "f5f6d3g5h5h4f7h6c5");
    }

    #[test]
    fn a_broken_game_says_which_move_where_and_why() {
        let after_the_end = format!("{SHORTEST} a1");
        let cases = [
            ("f5d6 d6", "column 6: move 3: d6 is occupied"),
            ("f5a1", "column 3: move 2: a1 turns over no disc of O's opponent"),
            ("f5 pa", "column 4: move 2: O may not pass: it has a move"),
            ("f5d", "column 3: move 2: 'd' is no move: a1 to h8, or pass"),
            ("1. f5", "column 1: move 1: '1.' is no move: a1 to h8, or pass"),
            ("f5é6 d6", "column 3: move 2: 'é6' is no move: a1 to h8, or pass"),
            (&after_the_end, "column 20: move 10: a1 comes after the end of the game"),
        ];
        for (text, message) in cases {
            assert_eq!(error(text), message, "{text}");
        }
    }

    #[test]
    fn the_shortest_game_ends_with_all_discs_black() {
        let game = Transcript::read(SHORTEST).unwrap();
        assert!(game.end().is_over());
        assert_eq!(game.end().final_black_discs(), 64);
    }

    #[test]
    fn the_positions_lead_from_the_start_to_the_end() {
        let game = Transcript::read("f5d6c3").unwrap();
        let positions: Vec<_> = game.positions().collect();
        assert_eq!(positions[0].0, *game.start());
        let (last, m) = positions[2];
        assert_eq!(last.after(m), *game.end());
    }

    #[test]
    fn a_file_goes_on_after_a_broken_line() {
        let games = Transcript::read_all("# three\nf5d6\n\nf5f5\n% note\nc4c3\n");
        assert_eq!(games.len(), 3);
        assert_eq!(games[0].as_ref().unwrap().write(), "f5d6");
        let error = games[1].as_ref().unwrap_err().to_string();
        assert_eq!(error, "line 4, column 3: move 2: f5 is occupied");
        assert_eq!(games[2].as_ref().unwrap().write(), "c4c3");
    }
}
