//! Openings of Othello, one on a line: a transcript (`f5d6c3`) or a board as in OBF.

use secateur_search::ParseError;

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

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_search::Notation;

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
}
