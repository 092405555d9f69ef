//! What an engine has said and nobody has read yet: bounded whatever it says.
//!
//! A thread for each of its outputs splits it into lines and stamps them, so that a busy reader
//! is not charged to the engine's clock. A thread that stopped reading would stop the engine, so
//! it never waits: if there is too much, lines that can be missed are thrown away.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::fault::Evidence;

/// More of a line is thrown away. The longest honest lines are principal variations.
const LONGEST_LINE: usize = 16 * 1024;
/// More lines than that are not kept for the reader.
const MOST_LINES: usize = 2_048;
/// More bytes than that are not kept for the reader.
const MOST_BYTES: usize = 2 * 1024 * 1024;
/// So many lines are kept as evidence, and so much of each.
const TAIL_LINES: usize = 24;
const TAIL_LINE: usize = 400;
/// An engine may say so many bytes at once, and so many more in each second. A talkative engine
/// prints some kilobytes a second; a flood hundreds of megabytes.
const BURST: u64 = 16 * 1024 * 1024;
const RATE: u64 = 2 * 1024 * 1024;

/// A line and when it arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Without its end.
    pub text: String,
    /// When it arrived.
    pub at: Instant,
}

/// What there is to hear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// A line.
    Line(Line),
    /// Nothing within the time.
    Silence,
    /// Nothing will come any more.
    Ended,
    /// It said too much, and nobody listens any more.
    Flooded,
}

/// Which output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Output,
    Errors,
}

#[derive(Debug, Default)]
struct State {
    lines: VecDeque<Line>,
    bytes: usize,
    dropped: u64,
    output: VecDeque<String>,
    errors: VecDeque<String>,
    end: Option<Heard>,
    errors_ended: bool,
}

/// The lines that wait.
#[derive(Debug)]
pub(super) struct Inbox {
    state: Mutex<State>,
    arrived: Condvar,
    /// Whether a line must not be thrown away.
    essential: fn(&str) -> bool,
}

impl Inbox {
    pub(super) fn new(essential: fn(&str) -> bool) -> Inbox {
        Inbox { state: Mutex::default(), arrived: Condvar::new(), essential }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next line, waiting for it until `deadline`.
    pub(super) fn hear(&self, deadline: Instant) -> Heard {
        let mut state = self.state();
        loop {
            if let Some(line) = state.lines.pop_front() {
                state.bytes -= line.text.len();
                return Heard::Line(line);
            }
            if let Some(end) = &state.end {
                return end.clone();
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Heard::Silence;
            }
            let waited = self.arrived.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Forgets what has not been read.
    pub(super) fn clear(&self) {
        let mut state = self.state();
        state.lines.clear();
        state.bytes = 0;
    }

    /// Waits until all complaints have arrived, or until `deadline`.
    pub(super) fn await_errors(&self, deadline: Instant) {
        let mut state = self.state();
        while !state.errors_ended {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            let waited = self.arrived.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    pub(super) fn evidence(&self) -> Evidence {
        let state = self.state();
        Evidence {
            told: VecDeque::new(),
            output: state.output.clone(),
            errors: state.errors.clone(),
            dropped: state.dropped,
        }
    }

    fn add(&self, source: Source, bytes: &[u8], at: Instant) {
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        let mut state = self.state();
        let tail = match source {
            Source::Output => &mut state.output,
            Source::Errors => &mut state.errors,
        };
        if tail.len() == TAIL_LINES {
            tail.pop_front();
        }
        tail.push_back(text.chars().take(TAIL_LINE).collect());
        if source == Source::Errors || state.end.is_some() {
            return;
        }
        state.bytes += text.len();
        state.lines.push_back(Line { text: text.to_string(), at });
        while state.lines.len() > MOST_LINES || state.bytes > MOST_BYTES {
            let victim = state.lines.iter().position(|line| !(self.essential)(&line.text));
            match victim.and_then(|index| state.lines.remove(index)) {
                Some(line) => {
                    state.bytes -= line.text.len();
                    state.dropped += 1;
                }
                None => {
                    state.end = Some(Heard::Flooded);
                    break;
                }
            }
        }
        drop(state);
        self.arrived.notify_one();
    }

    fn end(&self, how: Heard) {
        let mut state = self.state();
        if state.end != Some(Heard::Flooded) {
            state.end = Some(how);
        }
        drop(state);
        self.arrived.notify_all();
    }

    /// Reads to the end, or until it is too much.
    pub(super) fn listen(&self, source: Source, mut from: impl Read) {
        let mut chunk = vec![0; 64 * 1024];
        let mut line: Vec<u8> = Vec::new();
        let mut allowance = Allowance { left: BURST, at: Instant::now() };
        loop {
            let length = match from.read(&mut chunk) {
                Ok(length) => length,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(_) => 0,
            };
            let at = Instant::now();
            if length == 0 {
                self.add(source, &line, at);
                match source {
                    Source::Output => self.end(Heard::Ended),
                    // An engine may close its errors and live on.
                    Source::Errors => {
                        self.state().errors_ended = true;
                        self.arrived.notify_all();
                    }
                }
                return;
            }
            for piece in chunk[..length].split_inclusive(|byte| *byte == b'\n') {
                let room = LONGEST_LINE.saturating_sub(line.len());
                line.extend_from_slice(&piece[..piece.len().min(room)]);
                if piece.ends_with(b"\n") {
                    self.add(source, &line, at);
                    line.clear();
                }
            }
            if !allowance.spend(length as u64, at) || self.state().end == Some(Heard::Flooded) {
                self.end(Heard::Flooded);
                return;
            }
        }
    }
}

/// How much may still be said.
struct Allowance {
    left: u64,
    at: Instant,
}

impl Allowance {
    fn spend(&mut self, bytes: u64, now: Instant) -> bool {
        let gained = now.saturating_duration_since(self.at);
        // Only whole milliseconds are credited, so that frequent calls lose nothing.
        let milliseconds = gained.as_millis().min(60_000) as u64;
        self.at += Duration::from_millis(milliseconds);
        self.left = (self.left + milliseconds * RATE / 1_000).min(BURST);
        match self.left.checked_sub(bytes) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    fn inbox() -> Inbox {
        Inbox::new(|line| line.starts_with("bestmove"))
    }

    fn next(inbox: &Inbox) -> Heard {
        inbox.hear(Instant::now())
    }

    fn text(heard: Heard) -> String {
        match heard {
            Heard::Line(line) => line.text,
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn lines_come_in_order_whatever_ends_them() {
        let inbox = inbox();
        inbox.listen(Source::Output, &b"one\r\n\n  two \nbad \xff utf\nlast"[..]);
        let lines: Vec<String> = (0..5).map(|_| text(next(&inbox))).collect();
        assert_eq!(lines, ["one", "two", "bad \u{fffd} utf", "last", "Ended"]);
    }

    #[test]
    fn too_many_lines_cost_only_those_that_can_be_missed() {
        let inbox = inbox();
        let mut said = String::from("bestmove a\n");
        for number in 0..MOST_LINES + 100 {
            said.push_str(&format!("info {number}\n"));
        }
        said.push_str("bestmove b\n");
        inbox.listen(Source::Output, said.as_bytes());
        assert_eq!(inbox.evidence().dropped, 102);
        let lines: Vec<String> =
            std::iter::from_fn(|| Some(text(next(&inbox))).filter(|text| text != "Ended"))
                .collect();
        assert_eq!(lines.len(), MOST_LINES);
        assert_eq!((lines[0].as_str(), lines[1].as_str()), ("bestmove a", "info 102"));
        assert_eq!(lines.last().unwrap(), "bestmove b");
    }

    #[test]
    fn a_flood_ends_and_is_no_load_on_memory() {
        for (source, piece) in [
            (Source::Output, &b"x"[..]),
            (Source::Output, b"info x\n"),
            (Source::Output, b"bestmove e2e4\n"),
            (Source::Errors, b"x\n"),
        ] {
            let inbox = inbox();
            let endless = io::repeat(0).take(1 << 40);
            inbox.listen(source, Repeat { piece, endless });
            let state = inbox.state();
            assert!(state.lines.len() <= MOST_LINES + 1);
            assert!(state.bytes <= MOST_BYTES + LONGEST_LINE);
            assert_eq!(state.end, Some(Heard::Flooded));
        }
    }

    struct Repeat<R> {
        piece: &'static [u8],
        endless: R,
    }

    impl<R: Read> Read for Repeat<R> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.endless.read(buffer)?;
            buffer.iter_mut().zip(self.piece.iter().cycle()).for_each(|(to, from)| *to = *from);
            Ok(length)
        }
    }

    #[test]
    fn talking_on_at_a_bearable_rate_is_no_flood() {
        let mut now = Instant::now();
        let mut allowance = Allowance { left: BURST, at: now };
        for _ in 0..100_000 {
            now += Duration::from_micros(1_500);
            assert!(allowance.spend(RATE / 1_000, now));
        }
        assert!(!allowance.spend(BURST + 1, now));
    }

    #[test]
    fn silence_lasts_as_long_as_asked_for() {
        let inbox = inbox();
        let start = Instant::now();
        assert_eq!(inbox.hear(start + Duration::from_millis(20)), Heard::Silence);
        assert!(start.elapsed() >= Duration::from_millis(20));
    }
}
