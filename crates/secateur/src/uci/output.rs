//! The one writer: whole lines, never two threads at once, flushed each time.

use std::fmt::Display;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::failure::one_line;

/// A handle on the writer; its clones share it.
#[derive(Clone)]
pub struct Output {
    writer: Arc<Mutex<dyn Write + Send>>,
    closed: Arc<AtomicBool>,
}

impl Output {
    /// Everything is written to `writer`.
    pub fn new(writer: impl Write + Send + 'static) -> Output {
        Output { writer: Arc::new(Mutex::new(writer)), closed: Arc::new(AtomicBool::new(false)) }
    }

    /// Writes one line, whatever the text holds.
    pub fn line(&self, text: impl Display) {
        self.write(one_line(&text.to_string()) + "\n");
    }

    /// Writes several lines that belong together.
    pub fn lines(&self, text: &str) {
        self.write(text.lines().map(|line| one_line(line) + "\n").collect());
    }

    /// An `info string` line.
    pub fn info(&self, text: impl Display) {
        self.line(format_args!("info string {text}"));
    }

    /// Whether the reader went away, so that there is nobody left to play for.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    fn write(&self, text: String) {
        // A thread that died while writing has at worst left half a line.
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if writer.write_all(text.as_bytes()).and_then(|()| writer.flush()).is_err() {
            self.closed.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{self, BufWriter};

    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_line_is_one_line_and_arrives_at_once() {
        let kept = Kept::default();
        let output = Output::new(BufWriter::new(kept.clone()));
        output.info("a\nb");
        let after_one = kept.0.lock().unwrap().clone();
        output.lines("c\nd\n");
        let after_all = kept.0.lock().unwrap().clone();
        assert_eq!(after_one, b"info string a\\nb\n");
        assert_eq!(after_all, b"info string a\\nb\nc\nd\n");
        assert!(!output.is_closed());
    }

    #[test]
    fn a_reader_that_went_away_is_noticed() {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let output = Output::new(writer);
        output.line("readyok");
        assert!(output.is_closed());
    }
}
