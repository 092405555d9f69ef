//! Files of positions with known leaf counts: one line each (`FEN ;D1 20 ;D2 400`), or a few
//! lines each:
//!
//! ```text
//! id gentest-1
//! epd rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -
//! perft 1 20
//! ```

use secateur_search::ParseError;
use secateur_search::notation::quoted;

use super::Chess;
use super::epd::{self, Epd};
use crate::source;

/// A position and how many leaves the tree of its moves has.
#[derive(Clone, Debug)]
pub struct PerftCase {
    /// Its name in the file, otherwise its line.
    pub name: String,
    /// The position.
    pub position: Chess,
    /// Depths and leaf counts.
    pub counts: Vec<(u32, u64)>,
}

/// Reads a file of either form, or of both mixed. A broken case is an error that names its line;
/// the cases after it are read all the same.
pub fn read_perft_file(text: &str) -> Vec<Result<PerftCase, ParseError>> {
    let mut reading = Reading::default();
    for (number, line) in source::lines(text).filter(|(_, line)| !epd::is_comment(line)) {
        let line_error = |error: ParseError| error.on_line(number);
        let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        let column = line.chars().count() - rest.chars().count();
        match word {
            "id" => {
                reading.close();
                reading.name = Some((rest.trim().to_string(), number));
            }
            "epd" => {
                reading.close_case();
                let read = Epd::read(rest).map_err(|error| line_error(error.shifted_by(column)));
                reading.begin(read, number);
            }
            "perft" => {
                let count = read_count(rest).map_err(|e| line_error(e.at_column(column + 1)));
                reading.add(count, number);
            }
            _ => {
                reading.close();
                reading.begin(Epd::read(line).map_err(line_error), number);
                reading.close();
            }
        }
    }
    reading.close();
    reading.done
}

/// `3 8902`
fn read_count(text: &str) -> Result<(u32, u64), ParseError> {
    let mut numbers = text.split_whitespace();
    let both = match (numbers.next(), numbers.next(), numbers.next()) {
        (Some(depth), Some(count), None) => depth.parse().ok().zip(count.parse().ok()),
        _ => None,
    };
    both.ok_or_else(|| {
        ParseError::new(format!("perft needs a depth and a count, not {}", quoted(text)))
    })
}

#[derive(Default)]
struct Reading {
    done: Vec<Result<PerftCase, ParseError>>,
    /// A name that waits for its position, and its line.
    name: Option<(String, usize)>,
    /// The case being read, and the line of its position.
    open: Option<(Result<PerftCase, ParseError>, usize)>,
}

impl Reading {
    fn begin(&mut self, read: Result<Epd, ParseError>, line: usize) {
        let name = self.name.take();
        let case = read.map(|epd| PerftCase {
            name: name.map(|(name, _)| name).or(epd.id()).unwrap_or(format!("line {line}")),
            counts: epd.perft(),
            position: epd.position,
        });
        self.open = Some((case, line));
    }

    fn add(&mut self, count: Result<(u32, u64), ParseError>, line: usize) {
        match (&mut self.open, count) {
            // One error a case is enough.
            (Some((Err(_), _)), _) => {}
            (Some((Ok(case), _)), Ok(count)) => case.counts.push(count),
            (Some((open, _)), Err(error)) => *open = Err(error),
            (None, _) => {
                let error = ParseError::new("perft counts without a position before them");
                self.open = Some((Err(error.on_line(line)), line));
            }
        }
    }

    fn close_case(&mut self) {
        if let Some((case, line)) = self.open.take() {
            let counted = |case: &PerftCase| !case.counts.is_empty();
            let empty = || ParseError::new("a position without leaf counts").on_line(line);
            self.done
                .push(case.and_then(|case| if counted(&case) { Ok(case) } else { Err(empty()) }));
        }
    }

    fn close(&mut self) {
        self.close_case();
        if let Some((name, line)) = self.name.take() {
            let what = format!("{} has no position", quoted(&name));
            self.done.push(Err(ParseError::new(what).on_line(line)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BARE: &str = "4k3/8/8/8/8/8/8/4K3 w - -";

    fn summary(text: &str) -> Vec<String> {
        let tell = |case: Result<PerftCase, ParseError>| match case {
            Ok(case) => format!("{} {:?}", case.name, case.counts),
            Err(error) => error.to_string(),
        };
        read_perft_file(text).into_iter().map(tell).collect()
    }

    #[test]
    fn both_forms_are_read() {
        let text = format!(
            "# head\n\nid one\nepd {BARE}\nperft 1 5\nperft 2 25\n\n{BARE} ;D1 5\n\
             {BARE}; D1 5; id \"named\"\r\nepd {BARE}\nperft 1 5"
        );
        let expected =
            ["one [(1, 5), (2, 25)]", "line 8 [(1, 5)]", "named [(1, 5)]", "line 10 [(1, 5)]"];
        assert_eq!(summary(&text), expected);
    }

    #[test]
    fn a_broken_case_is_reported_by_its_line_and_the_next_is_read() {
        let text = format!(
            "perft 1 20\nid broken\nepd 4k3/8 w - -\nperft 1 5\nid odd\nepd {BARE}\nperft 1 x\n\
             perft 2 y\nid alone\nid empty\nepd {BARE}\n{BARE}\nid good\nepd {BARE}\nperft 1 5"
        );
        let expected = [
            "line 1: perft counts without a position before them",
            "line 3, column 10: the board has 2 ranks instead of 8",
            "line 7, column 7: perft needs a depth and a count, not '1 x'",
            "line 9: 'alone' has no position",
            "line 11: a position without leaf counts",
            "line 12: a position without leaf counts",
            "good [(1, 5)]",
        ];
        assert_eq!(summary(&text), expected);
    }
}
