//! An engine as an opponent, in this process or in one of its own.
//!
//! But for `own`, this layer knows texts only: positions and moves are strings, and whether a move
//! is legal is for others to say. Whatever an engine does, it is reported as a [`Fault`] in bounded time and
//! memory, and nothing of it is left running.
//!
//! | file | idea |
//! |---|---|
//! | `spec`, `settings`, `words` | an engine described by the user in one line |
//! | `limit`, `clock` | how long it may think, and what it has left |
//! | `launch`, `uci` | how it is started, and talked to |
//! | `own` | ours in this process: no pipe, no clock, the same every time |
//! | `offer`, `info` | the options it offers; what it says while it thinks |
//! | `process`, `inbox`, `group` | a child process that cannot block, flood or outlive us |
//! | `fault` | what it did wrong, with evidence |

use std::ops::ControlFlow;
use std::time::Duration;

pub mod clock;
pub mod fault;
mod group;
pub mod inbox;
pub mod info;
pub mod launch;
pub mod limit;
pub mod offer;
pub mod own;
pub mod process;
pub mod settings;
pub mod spec;
pub mod uci;
mod words;

pub use clock::{Clock, Side};
pub use fault::{Evidence, Fault, FaultKind};
pub use info::{Bound, BstarMove, EngineScore, Info, ScoreValue, Thought};
pub use launch::{Launch, Patience};
pub use limit::{GivenLimits, Limit, LimitError, TimeControl};
pub use own::OwnEngine;
pub use settings::EngineSettings;
pub use spec::{EngineKind, EngineSpec, SpecError, apply_each, distinct_names};
pub use uci::UciEngine;

/// A position as the line of moves that led to it, so that repetitions are known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PositionText {
    /// The text of the first position, `None` for the usual one.
    pub start: Option<String>,
    /// Moves played from there, in the form that the engine reads.
    pub moves: Vec<String>,
}

/// What a search is told. Without any limit but the deadline it thinks until that.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GoLimit {
    /// Time left to White.
    pub white_time: Option<Duration>,
    /// Time left to Black.
    pub black_time: Option<Duration>,
    /// Time White gains with each move.
    pub white_increment: Option<Duration>,
    /// Time Black gains with each move.
    pub black_increment: Option<Duration>,
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// Think for so long.
    pub move_time: Option<Duration>,
    /// Search so many positions.
    pub nodes: Option<u64>,
    /// Search to this depth.
    pub depth: Option<u32>,
    /// After so long it is told to stop, and counts as hung if it does not do so soon. An answer
    /// after the deadline is an answer; who keeps the clock will see how late it is.
    pub deadline: Duration,
}

impl GoLimit {
    /// No limit but this.
    pub fn until(deadline: Duration) -> GoLimit {
        GoLimit {
            white_time: None,
            black_time: None,
            white_increment: None,
            black_increment: None,
            moves_to_go: None,
            move_time: None,
            nodes: None,
            depth: None,
            deadline,
        }
    }
}

/// Is shown each `info` line and the time since `go`; `Break` tells the engine to stop.
pub type OnInfo<'a> = dyn FnMut(&Info, Duration) -> ControlFlow<()> + 'a;

/// One engine that plays one game at a time.
pub trait Opponent: Send {
    /// What it is called in reports.
    fn name(&self) -> &str;

    /// What follows belongs to another game.
    fn new_game(&mut self, chess960: bool) -> Result<(), Fault>;

    /// Thinks about a position. After a fault that is not
    /// [survivable](FaultKind::is_survivable) it must be restarted.
    fn think(
        &mut self,
        position: &PositionText,
        limit: &GoLimit,
        on_info: &mut OnInfo<'_>,
    ) -> Result<Thought, Fault>;

    /// Ends it, if it still runs, and starts it anew.
    fn restart(&mut self) -> Result<(), Fault>;

    /// A fault that somebody else has found, with what this engine said before.
    fn blame(&self, kind: FaultKind) -> Fault;
}
