//! Bytes become lines, whether they end in `\n`, `\r\n` or `\r`, and whatever encoding they have.

use std::io::{self, BufRead, ErrorKind};

/// No line of a PGN file is so long; without a limit a file of another kind would fill the memory.
const LONGEST: usize = 4 << 20;

pub(super) struct Lines<R> {
    input: R,
    bytes: Vec<u8>,
    text: String,
    /// The last line ended in `\r`: a `\n` that follows belongs to it.
    after_return: bool,
    /// How many lines were read.
    pub(super) number: usize,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Lines<R> {
        Lines { input, bytes: Vec::new(), text: String::new(), after_return: false, number: 0 }
    }

    /// The next line without its end, `None` after the last. A line that is not UTF-8 is Latin-1.
    pub(super) fn next(&mut self) -> io::Result<Option<&str>> {
        self.bytes.clear();
        if !self.fill()? {
            return Ok(None);
        }
        self.number += 1;
        self.text.clear();
        let byte_order_mark: &[u8] = if self.number == 1 { b"\xef\xbb\xbf" } else { b"" };
        let bytes = self.bytes.strip_prefix(byte_order_mark).unwrap_or(&self.bytes);
        match std::str::from_utf8(bytes) {
            Ok(text) => self.text.push_str(text),
            Err(_) => self.text.extend(bytes.iter().copied().map(char::from)),
        }
        Ok(Some(&self.text))
    }

    /// Fills `bytes` with a line; false if there is none.
    fn fill(&mut self) -> io::Result<bool> {
        let mut any = false;
        loop {
            let buffer = match self.input.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if buffer.is_empty() {
                return Ok(any);
            }
            if std::mem::take(&mut self.after_return) && buffer[0] == b'\n' {
                self.input.consume(1);
                continue;
            }
            any = true;
            let end = buffer.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let length = end.unwrap_or(buffer.len());
            if self.bytes.len() + length > LONGEST {
                let what = "a line of more than 4 MiB: this is no PGN file";
                return Err(io::Error::new(ErrorKind::InvalidData, what));
            }
            self.bytes.extend_from_slice(&buffer[..length]);
            let Some(end) = end else {
                self.input.consume(length);
                continue;
            };
            self.after_return = buffer[end] == b'\r';
            self.input.consume(end + 1);
            return Ok(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn lines(bytes: &[u8], capacity: usize) -> Vec<String> {
        let mut lines = Lines::new(BufReader::with_capacity(capacity, bytes));
        let mut found = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            found.push(line.to_string());
        }
        found
    }

    #[test]
    fn every_kind_of_line_end_counts_once_wherever_the_buffer_ends() {
        let bytes = b"a\nbc\r\n\r\nd\re\r\rf";
        for capacity in 1..20 {
            assert_eq!(lines(bytes, capacity), ["a", "bc", "", "d", "e", "", "f"], "{capacity}");
        }
        assert!(lines(b"", 8).is_empty());
        assert_eq!(lines(b"\n", 8), [""]);
    }

    #[test]
    fn each_line_is_utf_8_or_latin_1() {
        let text = b"\xef\xbb\xbfZ\xc3\xbcrich\nZ\xfcrich";
        assert_eq!(lines(text, 8), ["Zürich", "Zürich"]);
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let endless = vec![b'x'; LONGEST + 1];
        let error = Lines::new(endless.as_slice()).next().unwrap_err();
        assert!(error.to_string().contains("no PGN file"));
    }
}
