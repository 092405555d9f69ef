//! Lines from any bytes: what is not UTF-8 is replaced, what never ends is refused.

use std::io::{self, BufRead, Read};

/// A game of ten thousand plies takes 50,000 bytes.
const LONGEST: usize = 1 << 20;

/// Reads lines.
pub struct Lines<R> {
    input: R,
    bytes: Vec<u8>,
}

/// A line that was longer than any sensible command. It has been skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a line of more than {LONGEST} bytes was ignored")]
pub struct TooLong;

impl<R: BufRead> Lines<R> {
    /// The lines of `input`.
    pub fn new(input: R) -> Lines<R> {
        Lines { input, bytes: Vec::new() }
    }

    /// The next line, without its end; `None` at the end of the input.
    #[allow(clippy::should_implement_trait)] // An iterator could not fail and end in two ways.
    pub fn next(&mut self) -> io::Result<Option<Result<String, TooLong>>> {
        if self.fill()? == 0 {
            return Ok(None);
        }
        if self.bytes.len() > LONGEST {
            while self.bytes.last() != Some(&b'\n') && self.fill()? > 0 {}
            return Ok(Some(Err(TooLong)));
        }
        let text = String::from_utf8_lossy(&self.bytes);
        // Some shells put a byte order mark before the first line they pipe.
        let text = text.trim_start_matches('\u{feff}');
        Ok(Some(Ok(text.trim_end_matches(['\r', '\n']).to_string())))
    }

    fn fill(&mut self) -> io::Result<usize> {
        self.bytes.clear();
        self.input.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', &mut self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_become_lines() {
        let mut lines = Lines::new(&b"\xef\xbb\xbfuci\r\n\xff\0go\n\nlast"[..]);
        let mut texts = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            texts.push(line.unwrap());
        }
        assert_eq!(texts, ["uci", "\u{fffd}\0go", "", "last"]);
    }

    #[test]
    fn a_line_without_end_is_skipped_and_the_next_one_is_read() {
        for length in [LONGEST + 1, LONGEST + 2, 5 * LONGEST] {
            let mut input = vec![b'x'; length];
            input.extend(b"\nisready\n");
            let mut lines = Lines::new(&input[..]);
            assert_eq!(lines.next().unwrap(), Some(Err(TooLong)));
            assert_eq!(lines.next().unwrap(), Some(Ok("isready".to_string())));
            assert_eq!(lines.next().unwrap(), None);
        }
    }
}
