//! EPD: a position and what is to be known about it, in one line.
//!
//! ```text
//! 1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01";
//! ```
//!
//! A line may also carry the clocks of a FEN before the operations, or have no operations at all,
//! or be one of a perft suite (`FEN ;D1 20 ;D2 400`). Lines that begin with `#`, `%` or `;` are
//! comments: no position begins like that.
//!
//! Moves to be found or avoided (`bm`, `am`), points for moves, the clocks (`hmvc`, `fmvn`) and
//! leaf counts (`D1` ...) decide results, so they must be right or the line is refused. Everything
//! else is kept as it is, and an unreadable number is no number.

mod operation;
mod points;

use cozy_chess::Move;
use secateur_search::ParseError;
use secateur_search::notation::quoted;

use super::fen::{self, Rights};
use super::{Chess, san};
use crate::source;
pub use operation::Operation;
use operation::Placed;

/// One line of an EPD file.
#[derive(Clone, Debug)]
pub struct Epd {
    /// The position, its clocks set by `hmvc` and `fmvn` if they are given.
    pub position: Chess,
    /// What had to be mended in the position, a sentence each.
    pub notes: Vec<String>,
    /// The line of the file, if it came from one.
    pub line: Option<usize>,
    operations: Vec<Operation>,
    best_moves: Vec<Move>,
    avoid_moves: Vec<Move>,
    points: Vec<(Move, u32)>,
}

impl Epd {
    /// A position with nothing said about it.
    pub fn new(position: Chess) -> Epd {
        Epd {
            position,
            notes: Vec::new(),
            line: None,
            operations: Vec::new(),
            best_moves: Vec::new(),
            avoid_moves: Vec::new(),
            points: Vec::new(),
        }
    }

    /// Reads one line.
    pub fn read(line: &str) -> Result<Epd, ParseError> {
        let (start, end) = position_field_range(line);
        let column = |offset: usize| line[..offset].chars().count() + 1;
        let reading = fen::read(&line[start..end])
            .map_err(|error| error.shifted_by(column(start) - 1).at_column(column(start)))?;
        let mut epd = Epd { notes: reading.notes, ..Epd::new(reading.position) };
        let operations = operation::read(&line[end..], column(end))?;
        epd.understand(operations)?;
        Ok(epd)
    }

    /// Adds an operation, or replaces those of the same opcode. Refused, and nothing changed, if
    /// reading it from a line would be.
    pub fn set(&mut self, opcode: &str, operands: &[&str]) -> Result<(), ParseError> {
        let mut changed = Epd { notes: self.notes.clone(), ..Epd::new(self.position.clone()) };
        changed.line = self.line;
        let clean = |text: &&str| text.chars().map(operation::visible).collect();
        let new = Operation {
            opcode: operation::check_opcode(opcode.to_string())?,
            operands: operands.iter().map(clean).collect(),
        };
        let mut operations = self.operations.clone();
        let place = operations.iter().position(|known| known.opcode == opcode);
        operations.retain(|known| known.opcode != opcode);
        operations.insert(place.unwrap_or(operations.len()).min(operations.len()), new);
        let unplaced = |operation| Placed { operation, columns: Vec::new() };
        changed.understand(operations.into_iter().map(unplaced).collect())?;
        *self = changed;
        Ok(())
    }

    /// Takes the operations over, with what the known ones among them mean.
    fn understand(&mut self, mut operations: Vec<Placed>) -> Result<(), ParseError> {
        for placed in &mut operations {
            match placed.operation.opcode.as_str() {
                "bm" => self.best_moves.extend(read_moves(&self.position, placed)?),
                "am" => self.avoid_moves.extend(read_moves(&self.position, placed)?),
                "hmvc" => {
                    let plies = read_number(placed)?.min(100) as u8;
                    self.set_clocks(plies, self.position.board().fullmove_number());
                }
                "fmvn" => {
                    let number = read_number(placed)?.clamp(1, u16::MAX.into()) as u16;
                    self.set_clocks(self.position.board().halfmove_clock(), number);
                }
                opcode if perft_depth(opcode).is_some() => {
                    read_number(placed)?;
                }
                _ => {}
            }
        }
        self.points = points::read(&self.position, &operations)?;
        self.operations = operations.into_iter().map(|placed| placed.operation).collect();
        Ok(())
    }

    fn set_clocks(&mut self, halfmove_clock: u8, fullmove_number: u16) {
        let mut board = self.position.board().clone();
        board.set_halfmove_clock(halfmove_clock);
        board.set_fullmove_number(fullmove_number);
        self.position = Chess::new(board, self.position.is_chess960());
    }

    /// Every operation in the order of the line.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// The first operation with this opcode.
    pub fn operation(&self, opcode: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.opcode == opcode)
    }

    /// The moves to be found (`bm`).
    pub fn best_moves(&self) -> &[Move] {
        &self.best_moves
    }

    /// The moves to be avoided (`am`). By custom they do not count if there are best moves.
    pub fn avoid_moves(&self) -> &[Move] {
        &self.avoid_moves
    }

    /// Moves and their points, from `c0 "e4=10, Nf3=5"` or from `c8` and `c9`.
    pub fn points(&self) -> &[(Move, u32)] {
        &self.points
    }

    /// The name of the position (`id`).
    pub fn id(&self) -> Option<String> {
        self.operation("id").map(Operation::text)
    }

    /// One of the comments `c0` to `c9`.
    pub fn comment(&self, number: u8) -> Option<String> {
        self.operation(&format!("c{number}")).map(Operation::text)
    }

    /// In how many moves the side to move mates (`dm`).
    pub fn mate_in(&self) -> Option<u32> {
        self.number("dm")
    }

    /// The depth to which it was analysed (`acd`).
    pub fn depth(&self) -> Option<u32> {
        self.number("acd")
    }

    /// The value for the side to move in hundredths of a pawn (`ce`).
    pub fn evaluation(&self) -> Option<i32> {
        self.number("ce")
    }

    /// Depths and leaf counts (`D1 20; D2 400`), in the order of the line.
    pub fn perft(&self) -> Vec<(u32, u64)> {
        let count = |operation: &Operation| {
            Some((perft_depth(&operation.opcode)?, operation.operands.first()?.parse().ok()?))
        };
        self.operations.iter().filter_map(count).collect()
    }

    fn number<T: std::str::FromStr>(&self, opcode: &str) -> Option<T> {
        self.operation(opcode)?.operands.first()?.parse().ok()
    }

    /// The line: four fields, then the operations. Clocks that are not those of a new game are
    /// written as `hmvc` and `fmvn`, so that nothing is lost.
    pub fn write(&self) -> String {
        let board = self.position.board();
        let clocks = [
            ("hmvc", u32::from(board.halfmove_clock()), 0),
            ("fmvn", u32::from(board.fullmove_number()), 1),
        ];
        let mut line = fen::write_four_fields(&self.position, Rights::Letters);
        for operation in &self.operations {
            line.push(' ');
            match clocks.iter().find(|(opcode, ..)| *opcode == operation.opcode) {
                Some((opcode, value, _)) => line += &format!("{opcode} {value};"),
                None => line += &operation.write(),
            }
        }
        for (opcode, value, usual) in clocks {
            if value != usual && self.operation(opcode).is_none() {
                line += &format!(" {opcode} {value};");
            }
        }
        line
    }
}

/// Reads the lines of a file one by one. A broken line is an error that names it; the lines after
/// it are read all the same.
pub fn read_all(text: &str) -> impl Iterator<Item = Result<Epd, ParseError>> {
    source::lines(text).filter(|(_, line)| !is_comment(line)).map(|(number, line)| {
        let mut epd = Epd::read(line).map_err(|error| error.on_line(number))?;
        epd.line = Some(number);
        Ok(epd)
    })
}

/// Whether a line of a file says nothing about a position.
pub(super) fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with(['#', '%', ';'])
}

/// Where the fields of the position begin and end: four words, and up to two more if they are
/// numbers or look like wrong ones, since an opcode begins with a letter.
fn position_field_range(line: &str) -> (usize, usize) {
    let start = line.len() - line.trim_start().len();
    let mut end = start;
    for field in 0..6 {
        let rest = &line[end..];
        let begin = end + (rest.len() - rest.trim_start().len());
        let word = &line[begin..];
        let length = word.find(|c: char| c == ';' || c.is_whitespace()).unwrap_or(word.len());
        let is_clock = word.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+');
        if length == 0 || (field >= 4 && !is_clock) {
            break;
        }
        end = begin + length;
    }
    (start, end)
}

/// The moves of `bm` or `am`; the operands are put into standard notation.
fn read_moves(position: &Chess, placed: &mut Placed) -> Result<Vec<Move>, ParseError> {
    let mut moves = Vec::new();
    for (column, word) in placed.words().filter(|(_, word)| *word != "e.p.") {
        let m = san::read(position, word).map_err(|error| placed.error(error.what(), column))?;
        moves.push(m);
    }
    if moves.is_empty() {
        return Err(placed.error("names no move", None));
    }
    placed.operation.operands = moves.iter().map(|m| san::write(position, *m)).collect();
    placed.columns.clear();
    Ok(moves)
}

fn read_number(placed: &Placed) -> Result<u64, ParseError> {
    match placed.operation.operands.as_slice() {
        [number] if number.bytes().all(|byte| byte.is_ascii_digit()) => number.parse().ok(),
        _ => None,
    }
    .ok_or_else(|| {
        let what = format!("one number is expected, not {}", quoted(&placed.operation.text()));
        placed.error(&what, None)
    })
}

/// The depth of a leaf count: 3 for `D3`.
fn perft_depth(opcode: &str) -> Option<u32> {
    opcode
        .strip_prefix('D')
        .filter(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests;
