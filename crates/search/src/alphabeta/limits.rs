//! What a search is asked for, and what it answers.

use super::choice::Decided;
use super::clock::TimeLimits;
use super::table::Bound;
use crate::{Depth, Score, Tactics};

/// When a search ends. Nothing set means: when it is stopped.
#[derive(Clone, Debug)]
pub struct Limits<M> {
    /// The deepest iteration.
    pub depth: Option<Depth>,
    /// So many moves made, by all threads together.
    pub nodes: Option<u64>,
    /// A mate in so many moves is enough.
    pub mate: Option<u32>,
    /// The clock.
    pub time: TimeLimits,
    /// The only moves to consider at the root; all if empty.
    pub allowed: Vec<M>,
    /// How many best lines are wanted.
    pub lines: usize,
}

impl<M> Default for Limits<M> {
    fn default() -> Limits<M> {
        Limits {
            depth: None,
            nodes: None,
            mate: None,
            time: TimeLimits::default(),
            allowed: Vec::new(),
            lines: 1,
        }
    }
}

impl<M> Limits<M> {
    /// To this depth.
    pub fn depth(plies: i32) -> Limits<M> {
        Limits { depth: Some(Depth::new(plies)), ..Limits::default() }
    }

    /// So many nodes.
    pub fn nodes(nodes: u64) -> Limits<M> {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// So many milliseconds.
    pub fn move_time(milliseconds: i64) -> Limits<M> {
        let time = TimeLimits { move_time: Some(milliseconds), ..TimeLimits::default() };
        Limits { time, ..Limits::default() }
    }
}

/// What is known after an iteration, or about a line of it.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a, M> {
    /// The depth of the iteration.
    pub depth: Depth,
    /// The longest line that was looked at.
    pub selective_depth: usize,
    /// 1 for the best line, 2 for the next, ...
    pub line_number: usize,
    /// Its value for the side to move.
    pub score: Score,
    /// Whether that is the value or only a bound so far.
    pub bound: Bound,
    /// The line itself.
    pub line: &'a [M],
    /// How sure the cuts of this iteration are, in percent, if it goes through levels.
    pub percent: Option<u32>,
    /// How full the table is, in thousandths.
    pub fullness: usize,
    /// Positions that this search has found in tables of the solver.
    pub table_hits: u64,
    /// Positions that B\* has expanded, if it is what searches.
    pub expansions: Option<u64>,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Answer<M> {
    /// The best move; `None` if there is none.
    pub best: Option<M>,
    /// The value of the position for the side to move.
    pub score: Score,
    /// The best line.
    pub line: Vec<M>,
    /// The deepest finished iteration.
    pub depth: Depth,
    /// Moves made by all threads.
    pub nodes: u64,
    /// Which search has decided.
    pub decided: Decided,
}

impl<M> Answer<M> {
    /// Of a game that is over.
    pub(super) fn without_moves<G: Tactics<Move = M>>(position: &G) -> Answer<M> {
        let score = position.without_moves().score(0);
        let (line, decided) = (Vec::new(), Decided::AlphaBeta);
        Answer { best: None, score, line, depth: Depth::ZERO, nodes: 0, decided }
    }
}
