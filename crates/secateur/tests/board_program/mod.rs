//! The other end of the pipes: what a board program does, with bounded patience.
#![allow(dead_code)] // Each test program uses a part of it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use assert_cmd::cargo::CommandCargoExt;

/// No answer takes as long on any machine that still works.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);
/// How late an answer to `stop` may be here; at the desk it is below 10 ms.
pub(crate) const PROMPT: Duration = Duration::from_millis(500);

pub(crate) struct Engine {
    process: Child,
    /// Dropped, it is the end of the input.
    pub(crate) input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    pub(crate) fn new(arguments: &[&str]) -> Engine {
        let mut process = Command::cargo_bin("secateur")
            .unwrap()
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines() {
                if line.map(|line| sender.send(line)).is_err() {
                    break;
                }
            }
        });
        Engine { input: process.stdin.take(), process, lines }
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    pub(crate) fn send(&mut self, text: &str) {
        self.send_bytes(format!("{text}\n").as_bytes());
    }

    /// The next line.
    pub(crate) fn next(&mut self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("no answer")
    }

    /// The lines up to and including the first that begins so.
    pub(crate) fn until(&mut self, begins: &str) -> Vec<String> {
        let mut lines = vec![self.next()];
        while !lines.last().unwrap().starts_with(begins) {
            lines.push(self.next());
        }
        lines
    }

    /// Every line that commands cause at once.
    pub(crate) fn ask(&mut self, text: &str) -> Vec<String> {
        self.send(text);
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// The line that says which move was chosen.
    pub(crate) fn best(&mut self, text: &str) -> String {
        self.send(text);
        self.until("bestmove").pop().unwrap()
    }

    pub(crate) fn fen(&mut self) -> String {
        self.ask("d").into_iter().find(|line| line.starts_with("Fen: ")).unwrap()
    }

    /// No answer is given for a while, whatever is reported; the reports.
    pub(crate) fn gives_no_answer(&mut self) -> Vec<String> {
        let mut reports = Vec::new();
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_millis(60) {
            if let Ok(line) = self.lines.recv_timeout(Duration::from_millis(10)) {
                assert!(line.starts_with("info "), "said {line:?} without leave");
                reports.push(line);
            }
        }
        reports
    }

    /// Whether a command causes nothing but reports of a search.
    pub(crate) fn only_reports(&mut self, text: &str) -> bool {
        self.ask(text).iter().all(|line| line.starts_with("info depth "))
    }

    /// Ends by itself, in time, with success.
    pub(crate) fn ends(mut self) -> Vec<String> {
        let begun = Instant::now();
        while self.process.try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < PATIENCE, "does not end");
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(begun.elapsed() < PROMPT, "took {:?} to end", begun.elapsed());
        assert!(self.process.wait().unwrap().success());
        let mut rest = Vec::new();
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            rest.push(line);
        }
        rest
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
