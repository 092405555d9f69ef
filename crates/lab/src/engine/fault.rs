//! What an opponent can do wrong, in words, and what it said before.

use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

/// Something went wrong with an engine.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Which engine.
    pub engine: String,
    /// What.
    pub kind: FaultKind,
    /// What it said and was told before.
    pub evidence: Box<Evidence>,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// There is no such program, or it may not be run.
    #[error("could not be started: {0}")]
    DidNotStart(String),
    /// It never said `uciok`.
    #[error("did not answer uci within {}", Shown(*.waited))]
    NoHandshake {
        /// How long it was given.
        waited: Duration,
    },
    /// An option was asked for that it does not have, or not with this value.
    #[error("cannot be set up: {0}")]
    BadOption(String),
    /// It does not say that it plays the game.
    #[error("does not play {game}: it offers no option UCI_Variant with that game")]
    OtherGame {
        /// The game.
        game: String,
    },
    /// It ended.
    #[error("ended by itself ({status}) when {awaited} was awaited")]
    Crashed {
        /// How, as the system tells.
        status: String,
        /// What it owed.
        awaited: &'static str,
    },
    /// It lives and says nothing of use.
    #[error("did not say {awaited} within {}", Shown(*.waited))]
    Hung {
        /// What it owed.
        awaited: &'static str,
        /// How long it was given.
        waited: Duration,
    },
    /// It leaves what it is told in the pipe.
    #[error("does not read its input")]
    NotReading,
    /// It says far too much.
    #[error("floods its output")]
    Flooded,
    /// A line that the protocol does not allow.
    #[error("said what the protocol does not allow: '{}'", printable(.0))]
    IllegalOutput(String),
    /// A move that the rules do not allow. Only who knows the rules can tell.
    #[error("made an illegal move: {}", printable(.0))]
    IllegalMove(String),
    /// It moved without a word on what that is worth, where this was asked for.
    #[error("told no value")]
    NoValue,
    /// Its time was over. Only who keeps the clock can tell.
    #[error("lost on time, by {} ms", .by.as_millis())]
    OverTime {
        /// By so much.
        by: Duration,
    },
    /// No fault of the engine: the run was stopped.
    #[error("was interrupted")]
    Interrupted,
}

impl FaultKind {
    /// As match runners say it in the record of a game; tools look for these words.
    pub fn in_record(&self) -> String {
        match self {
            FaultKind::OverTime { .. } => "loses on time".to_string(),
            FaultKind::IllegalMove(m) => format!("makes an illegal move: {}", printable(m)),
            FaultKind::DidNotStart(_) | FaultKind::Crashed { .. } => "disconnects".to_string(),
            FaultKind::Interrupted => "was interrupted".to_string(),
            _ => "connection stalls".to_string(),
        }
    }

    /// Whether the process can be used further.
    pub fn is_survivable(&self) -> bool {
        matches!(self, FaultKind::IllegalMove(_) | FaultKind::NoValue | FaultKind::OverTime { .. })
    }
}

/// One line: who, what, and the last thing it complained of.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", printable(&self.engine), self.kind)?;
        match self.evidence.errors.back() {
            Some(complaint) => write!(f, "; its last complaint: '{}'", printable(complaint)),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Fault {}

/// The last lines to, from and about an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// What it was told last.
    pub told: VecDeque<String>,
    /// The end of its output.
    pub output: VecDeque<String>,
    /// The end of its error output.
    pub errors: VecDeque<String>,
    /// Lines of its output that were thrown away because it said too much.
    pub dropped: u64,
}

/// A report of several lines: `>` to the engine, `<` from it, `!` its error output.
impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (mark, lines) in [('>', &self.told), ('<', &self.output), ('!', &self.errors)] {
            for line in lines {
                writeln!(f, "{mark} {}", printable(line))?;
            }
        }
        match self.dropped {
            0 => Ok(()),
            dropped => writeln!(f, "({dropped} lines of its output were thrown away)"),
        }
    }
}

/// On one line and harmless to a terminal, whatever an engine said.
pub(super) fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character.is_control() {
            true => shown.extend(character.escape_debug()),
            false => shown.push(character),
        }
    }
    shown
}

/// A time as people say it.
struct Shown(Duration);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            short if short < Duration::from_secs(10) => write!(f, "{} ms", short.as_millis()),
            long => write!(f, "{} s", long.as_secs()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_one_line_whatever_the_engine_said() {
        let errors = VecDeque::from(["assertion failed\n\u{1b}[2J".to_string()]);
        let evidence = Box::new(Evidence { errors, dropped: 3, ..Evidence::default() });
        let kind = FaultKind::Crashed { status: "exit status: 3".to_string(), awaited: "bestmove" };
        let fault = Fault { engine: "Mock".to_string(), kind, evidence };
        assert_eq!(
            fault.to_string(),
            "Mock ended by itself (exit status: 3) when bestmove was awaited; its last complaint: \
             'assertion failed\\n\\u{1b}[2J'"
        );
        assert_eq!(
            fault.evidence.to_string(),
            "! assertion failed\\n\\u{1b}[2J\n(3 lines of its output were thrown away)\n"
        );
    }

    #[test]
    fn a_crash_a_stall_and_a_lost_clock_are_told_apart_in_the_record() {
        let waited = Duration::from_secs(1);
        let crash = FaultKind::Crashed { status: String::new(), awaited: "bestmove" };
        assert_eq!(crash.in_record(), "disconnects");
        assert_eq!(FaultKind::Hung { awaited: "x", waited }.in_record(), "connection stalls");
        assert_eq!(FaultKind::OverTime { by: waited }.in_record(), "loses on time");
        let illegal = FaultKind::IllegalMove("e2e5".to_string());
        assert_eq!(illegal.in_record(), "makes an illegal move: e2e5");
    }
}
