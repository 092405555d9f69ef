//! A program that is talked to in lines and ended for certain.
//!
//! Nothing here waits without a limit: lines to the program go through a thread that may be left
//! behind in a full pipe, lines from it through the [inbox](super::inbox).

use std::collections::VecDeque;
use std::io::Write;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::time::{Duration, Instant};
use std::{io, thread};

use super::fault::Evidence;
use super::group;
use super::inbox::{Heard, Inbox, Source};

/// Lines that may wait for a program that does not read.
const UNREAD: usize = 256;
/// So many of the last lines to the program are kept as evidence.
const TOLD: usize = 6;
/// What it complained of may arrive after its end.
const LAST_WORDS: Duration = Duration::from_millis(100);
/// After a kill the system needs a moment.
const DYING: Duration = Duration::from_secs(1);

/// A line to the program; who wants to know when it was written listens at the other end.
type Letter = (String, Option<SyncSender<Instant>>);

/// The program leaves its input unread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotReading;

/// A running program. Dropping it ends it.
#[derive(Debug)]
pub struct Process {
    /// `None` once it has been reaped.
    child: Option<Child>,
    number: u32,
    /// How it ended by itself.
    status: Option<ExitStatus>,
    letters: Option<SyncSender<Letter>>,
    inbox: Arc<Inbox>,
    told: VecDeque<String>,
    /// How long it may take to obey `quit` when dropped.
    grace: Duration,
}

impl Process {
    /// Starts a program. Lines that are not `essential` may be thrown away if there are too many.
    pub fn start(
        command: &mut Command,
        grace: Duration,
        essential: fn(&str) -> bool,
    ) -> io::Result<Process> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        group::lead(command);
        let mut child = command.spawn()?;
        let inbox = Arc::new(Inbox::new(essential));
        let (letters, post) = sync_channel(UNREAD);
        let input = child.stdin.take();
        let output = child.stdout.take();
        let errors = child.stderr.take();
        let number = child.id();
        // From here on an early return ends the child.
        let mut process = Process {
            child: Some(child),
            number,
            status: None,
            letters: Some(letters),
            inbox: Arc::clone(&inbox),
            told: VecDeque::new(),
            grace: Duration::ZERO,
        };
        let missing = || io::Error::other("a pipe is missing");
        let (input, output) = (input.ok_or_else(missing)?, output.ok_or_else(missing)?);
        let errors = errors.ok_or_else(missing)?;
        let named = |name: &str| thread::Builder::new().name(format!("{name} of {number}"));
        named("input").spawn(move || deliver(&post, input))?;
        let ear = Arc::clone(&inbox);
        named("output").spawn(move || ear.listen(Source::Output, output))?;
        named("errors").spawn(move || inbox.listen(Source::Errors, errors))?;
        process.grace = grace;
        Ok(process)
    }

    /// Its number in the system.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Sends a line. One that has ended does not mind; that is heard, not felt.
    pub fn send(&mut self, line: &str) -> Result<(), NotReading> {
        self.post(line, None)
    }

    /// Sends a line and tells when: immediately before it was written, within `patience`.
    pub fn send_timed(&mut self, line: &str, patience: Duration) -> Result<Instant, NotReading> {
        let (sender, receiver) = sync_channel(1);
        self.post(line, Some(sender))?;
        match receiver.recv_timeout(patience) {
            Ok(written) => Ok(written),
            // The input was closed. Its end will be heard.
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => Ok(Instant::now()),
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => Err(NotReading),
        }
    }

    fn post(&mut self, line: &str, written: Option<SyncSender<Instant>>) -> Result<(), NotReading> {
        // One line is one command, wherever its parts came from.
        let line: String =
            line.chars().map(|c| if matches!(c, '\n' | '\r') { ' ' } else { c }).collect();
        if self.told.len() == TOLD {
            self.told.pop_front();
        }
        self.told.push_back(line.clone());
        let Some(letters) = &self.letters else { return Ok(()) };
        match letters.try_send((line + "\n", written)) {
            Err(TrySendError::Full(_)) => Err(NotReading),
            Ok(()) | Err(TrySendError::Disconnected(_)) => Ok(()),
        }
    }

    /// The next line it says, waiting for it until `deadline`.
    pub fn hear(&self, deadline: Instant) -> Heard {
        self.inbox.hear(deadline)
    }

    /// Forgets what it has said and nobody has read.
    pub fn forget(&self) {
        self.inbox.clear();
    }

    /// What was said last, on both sides.
    pub fn evidence(&self) -> Evidence {
        Evidence { told: self.told.clone(), ..self.inbox.evidence() }
    }

    /// Whether it runs no more. If it has ended by itself, nothing that it started, and that may
    /// hold its output open, lives on either.
    pub fn is_over(&mut self) -> bool {
        if let Some(child) = &mut self.child
            && group::has_ended(child)
        {
            self.status = self.kill();
        }
        self.child.is_none()
    }

    /// How it ended, if it does so by itself within `patience`. Then all that it complained of has
    /// been heard.
    pub fn ended(&mut self, patience: Duration) -> Option<ExitStatus> {
        self.wait(patience);
        if self.is_over() {
            self.inbox.await_errors(Instant::now() + LAST_WORDS);
        }
        self.status
    }

    /// Asks it to quit and ends it if it does not within `grace`.
    pub fn quit(&mut self, grace: Duration) {
        if !grace.is_zero() {
            let _ = self.post("quit", None);
        }
        // The end of its input is the other sign to quit.
        self.letters = None;
        self.wait(grace);
        self.kill();
    }

    /// Ends it and all that it started, now.
    pub fn kill(&mut self) -> Option<ExitStatus> {
        self.letters = None;
        let mut child = self.child.take()?;
        group::kill(&mut child);
        let begin = Instant::now();
        while begin.elapsed() < DYING {
            match child.try_wait() {
                Ok(None) => thread::sleep(Duration::from_millis(1)),
                Ok(status) => return status,
                Err(_) => return None,
            }
        }
        // Stuck in the system: somebody must wait for it, but not we.
        let _ = thread::Builder::new().spawn(move || child.wait());
        None
    }

    /// Waits for it to end by itself; whether it did.
    fn wait(&mut self, patience: Duration) -> bool {
        let Some(child) = &mut self.child else { return true };
        let deadline = Instant::now() + patience;
        let mut pause = Duration::from_micros(200);
        loop {
            if group::has_ended(child) {
                return true;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            thread::sleep(pause.min(left));
            pause = (pause * 2).min(Duration::from_millis(10));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.child.is_some() {
            self.quit(if thread::panicking() { Duration::ZERO } else { self.grace });
        }
    }
}

fn deliver(post: &Receiver<Letter>, mut input: ChildStdin) {
    for (line, written) in post {
        // Before, not after: the engine may begin at once, and this thread be held up.
        let now = Instant::now();
        if let Some(written) = written {
            let _ = written.send(now);
        }
        if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}
