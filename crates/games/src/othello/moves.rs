//! A move of Othello: a disc on a square, or a pass.

use std::fmt;

/// A disc placed on a square, or a pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OthelloMove(u8);

impl OthelloMove {
    /// The turn goes to the other side and no disc is placed.
    pub const PASS: OthelloMove = OthelloMove(64);

    /// The number of different moves: [`index`](OthelloMove::index) is below it.
    pub const COUNT: usize = 65;

    /// The move of a number: 0 for a1, 1 for b1, to 63 for h8, and 64 for a pass.
    #[inline]
    pub const fn from_index(index: usize) -> Option<OthelloMove> {
        if index < OthelloMove::COUNT { Some(OthelloMove(index as u8)) } else { None }
    }

    /// A disc on the square of this row and column, both from 0; row 0 is the upper one, `1`.
    pub const fn at(row: u8, column: u8) -> Option<OthelloMove> {
        if row < 8 && column < 8 { Some(OthelloMove(row * 8 + column)) } else { None }
    }

    /// A disc on the square of one bit of a board.
    #[inline]
    pub(super) const fn on(square: u8) -> OthelloMove {
        debug_assert!(square < 64);
        OthelloMove(square)
    }

    /// The number that [`from_index`](OthelloMove::from_index) reads.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The square on which a disc is placed, 0 for a1 to 63 for h8; none for a pass.
    #[inline]
    pub const fn square(self) -> Option<u8> {
        if self.0 < 64 { Some(self.0) } else { None }
    }

    /// Reads one move at the beginning of `text`, in capitals or not, and says how many bytes it
    /// takes. A pass is `pass`, `pa`, `ps`, `--` or `@@`.
    pub(super) fn read_prefix(text: &str) -> Option<(OthelloMove, usize)> {
        const PASSES: [&str; 5] = ["pass", "pa", "ps", "--", "@@"];
        let bytes = text.as_bytes();
        for pass in PASSES {
            if bytes
                .get(..pass.len())
                .is_some_and(|word| word.eq_ignore_ascii_case(pass.as_bytes()))
            {
                return Some((OthelloMove::PASS, pass.len()));
            }
        }
        let column = bytes.first()?.to_ascii_lowercase().checked_sub(b'a')?;
        let row = bytes.get(1)?.checked_sub(b'1')?;
        Some((OthelloMove::at(row, column)?, 2))
    }

    /// Reads a move that is the whole text.
    pub(super) fn read(text: &str) -> Option<OthelloMove> {
        OthelloMove::read_prefix(text).filter(|(_, length)| *length == text.len()).map(|(m, _)| m)
    }
}

/// `f5`, or `pass`.
impl fmt::Display for OthelloMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.square() {
            None => f.pad("pass"),
            Some(square) => {
                let text = [b'a' + square % 8, b'1' + square / 8].map(char::from);
                f.pad(&String::from_iter(text))
            }
        }
    }
}

impl fmt::Debug for OthelloMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_is_read_as_it_is_written() {
        for index in 0..OthelloMove::COUNT {
            let m = OthelloMove::from_index(index).unwrap();
            assert_eq!(m.index(), index);
            assert_eq!(OthelloMove::read(&m.to_string()), Some(m));
            assert_eq!(OthelloMove::read(&m.to_string().to_uppercase()), Some(m));
        }
        assert_eq!(OthelloMove::from_index(65), None);
        assert_eq!(OthelloMove::at(4, 5).unwrap().to_string(), "f5");
        assert_eq!(OthelloMove::at(8, 0), None);
    }

    #[test]
    fn a_pass_has_five_names_and_the_longest_is_read() {
        for (text, length) in [("PASS", 4), ("pa", 2), ("pass1", 4), ("paf5", 2), ("--", 2)] {
            assert_eq!(OthelloMove::read_prefix(text), Some((OthelloMove::PASS, length)), "{text}");
        }
        assert_eq!(OthelloMove::read("ps"), Some(OthelloMove::PASS));
        assert_eq!(OthelloMove::read("@@"), Some(OthelloMove::PASS));
    }

    #[test]
    fn what_is_no_move_is_not_read() {
        for text in ["", "f", "5", "f9", "f0", "i5", "5f", "f5 ", "f55", "é5", "fé", "p", "-", "@"]
        {
            assert_eq!(OthelloMove::read(text), None, "{text}");
        }
    }
}
