//! Openings of Othello, one on a line: a transcript (`f5d6c3`) or a board as in OBF.

use secateur_search::{Notation, ParseError};

use super::lines::filled;
use super::{Othello, Problem, Transcript};
use crate::opening::{WrittenOpening, WrittenOpenings};
use crate::record::Record;

pub(super) fn read(text: &str) -> WrittenOpenings<'_, Othello> {
    Box::new(filled(text).map(|(number, line)| {
        let record = read_line(line.trim_start()).map_err(|error| error.on_line(number))?;
        Ok(WrittenOpening { name: None, line: Some(number), record })
    }))
}

fn read_line(line: &str) -> Result<Record<Othello>, ParseError> {
    // No board has a digit, and no move is without.
    let digits = line.chars().take(2).any(|c| c.is_ascii_digit());
    if !digits {
        return Ok(Record::starting_at(Problem::read(line)?.position));
    }
    let transcript = Transcript::read(line)?;
    let mut record = Record::starting_at(*transcript.start());
    transcript.moves().iter().for_each(|m| record.play(*m));
    Ok(record)
}

/// The board string of the position or of one of its seven reflections and rotations, whichever
/// comes first.
pub(super) fn canonical_text(position: &Othello) -> String {
    let text = position.write_position();
    let (board, turn) = text.split_at(64);
    let squares = board.as_bytes();
    let images = (0..8).map(|image| {
        let from = |index: usize| {
            let (mut rank, mut file) = (index / 8, index % 8);
            if image & 1 != 0 {
                rank = 7 - rank;
            }
            if image & 2 != 0 {
                file = 7 - file;
            }
            if image & 4 != 0 {
                (rank, file) = (file, rank);
            }
            char::from(squares[rank * 8 + file])
        };
        (0..64).map(from).collect::<String>()
    });
    images.min().unwrap_or_default() + turn
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opening::Form;
    use crate::playable::Playable;

    const BOARD: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";

    #[test]
    fn transcripts_and_boards_may_stand_in_one_file() {
        let text = format!("% openings\nf5d6c3\n\n{BOARD}; G8:+18;\n{BOARD}\n F5 F6 \n");
        let found: Vec<_> = read(&text).map(Result::unwrap).collect();
        let plies: Vec<_> = found.iter().map(|opening| opening.record.moves().len()).collect();
        assert_eq!(plies, [3, 0, 0, 2]);
        assert_eq!(found[1].record.position().write_position(), BOARD);
        let lines: Vec<_> = found.iter().filter_map(|opening| opening.line).collect();
        assert_eq!(lines, [2, 4, 5, 6]);
    }

    #[test]
    fn a_broken_line_is_named() {
        let errors: Vec<_> = read("f5d6\nf5f5\nXO X\n")
            .filter_map(|opening| opening.err().map(|error| error.to_string()))
            .collect();
        assert_eq!(errors[0], "line 2, column 3: move 2: f5 is occupied");
        assert!(errors[1].starts_with("line 3"), "{errors:?}");
    }

    #[test]
    fn every_image_of_a_game_has_one_canonical_text() {
        // The diagonal opening from each of the four first moves, and the other diagonal.
        let text = |moves: &str| Transcript::read(moves).unwrap().end().canonical_text();
        for moves in ["e6f4", "d3c5", "c4e3"] {
            assert_eq!(text(moves), text("f5d6"), "{moves}");
        }
        assert_ne!(text("f5f6"), text("f5d6"));
        assert_ne!(text("f5f4"), text("f5f6"));
    }

    #[test]
    fn what_is_written_is_read_again() {
        let mut record = Record::starting_at(Othello::START);
        record.play_all(["f5", "d6"]).unwrap();
        for form in [Form::Moves, Form::Positions] {
            let text = Othello::write_opening(&record, form, "name", 0).unwrap();
            let again = read(&text).next().unwrap().unwrap();
            assert_eq!(again.record.position(), record.position(), "{text}");
        }
        assert_eq!(Othello::write_opening(&record, Form::Moves, "", 0).unwrap(), "f5d6");
        let late = Record::starting_at(*record.position());
        assert!(Othello::write_opening(&late, Form::Moves, "", 0).is_err());
    }
}
