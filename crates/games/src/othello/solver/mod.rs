//! The exact end of the game: what the margin will be if both sides play perfectly.
//!
//! | file | idea |
//! |---|---|
//! | `window` | a window of scores as a window of margins; why margins are even |
//! | `search` | alpha-beta with more than a few empty squares |
//! | [`Guide`] | what a shallow search tells of the end: bold answers first, certain ones at last |
//! | `order` | which move to try first |
//! | `table` | what was found before |
//! | `stability` | discs that nobody will turn over bound the margin |
//! | `last_squares` | the last squares, written out |
//! | `last_disc` | what the last disc turns over, without placing it |
//!
//! ```
//! use secateur_games::othello::{EndgameSolver, Othello};
//! use secateur_search::Notation;
//! let text = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
//! let position = Othello::read_position(text).unwrap();
//! let solution = EndgameSolver::default().best(&position, &mut |_nodes| Ok(())).unwrap();
//! assert_eq!(solution.margin, 6);
//! assert_eq!(solution.best.unwrap().to_string(), "h5");
//! ```

mod guide;
mod last_disc;
mod last_squares;
mod order;
mod search;
mod stability;
mod table;
mod window;

use secateur_search::selective::levels::Level;
use secateur_search::solve::{Room, RootVerdict};
use secateur_search::{Game, Line, Score, Solver, Stopped};

use super::evaluate::Counts;
use super::{Othello, OthelloMove};
pub use guide::{Guide, GuideError};
use last_squares::LastSquares;
use order::Candidate;
use search::Search;
pub(super) use stability::EdgeTable;
use table::Table;
use window::{MOST, margins};

/// In place of a square: none.
const NO_SQUARE: u8 = 64;

/// The most candidates of a line together: at each placement no more than empty squares.
const MOST_CANDIDATES: usize = 64 * 65 / 2;

/// The nodes in which nineteen of twenty positions with so many empty squares are solved.
// 300 positions for each number of squares up to 14, 30 at least beyond, of games with some random moves: 204
// nodes with 6, 1,242 with 8, 7,115 with 10, 36,512 with 12, 213,319 with 14, 1.7 million with 16, 54 million
// with 20. The mean is somewhat less than half of that.
fn sure_cost(empties: u32) -> u64 {
    let mut cost: u64 = 250;
    for _ in 6..empties {
        cost = cost.saturating_mul(237) / 100;
    }
    cost
}

/// What may be switched off, to measure what it is worth. No result depends on any of it.
///
/// Nodes for the FFO problems 20 to 34 with one technique off, as a ratio to everything on: table
/// 1.99, enhanced cut-off 1.10, stability 1.01, fastest first 3.11, parity 1.10, shallow search
/// 1.52, null window 1.53. Stability pays where one side is far ahead: 1.11 on positions of random
/// games with 14 empty squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Techniques {
    /// Remember what was found of a position.
    pub table: bool,
    /// Look all children up in the table before searching one.
    pub enhanced_cutoff: bool,
    /// Count the opponent's stable discs for an upper bound.
    pub stability: bool,
    /// First the moves that leave the opponent few moves.
    pub fastest_first: bool,
    /// First the moves into quadrants with an odd number of empty squares.
    pub parity: bool,
    /// Order moves by a short search with the evaluation while many squares are empty.
    pub shallow_search: bool,
    /// After the first move first ask whether another is better.
    pub null_window: bool,
}

impl Techniques {
    /// Everything on.
    pub const ALL: Techniques = Techniques {
        table: true,
        enhanced_cutoff: true,
        stability: true,
        fastest_first: true,
        parity: true,
        shallow_search: true,
        null_window: true,
    };

    /// Everything off: plain alpha-beta.
    pub const NONE: Techniques = Techniques {
        table: false,
        enhanced_cutoff: false,
        stability: false,
        fastest_first: false,
        parity: false,
        shallow_search: false,
        null_window: false,
    };
}

impl Default for Techniques {
    fn default() -> Techniques {
        Techniques::ALL
    }
}

/// How often a technique was asked for a cut and how often it gave one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cuts {
    /// Asked.
    pub tried: u64,
    /// Given.
    pub cut: u64,
}

/// What the techniques did since the solver was made or cleared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// [`Techniques::table`].
    pub table: Cuts,
    /// [`Techniques::enhanced_cutoff`].
    pub enhanced_cutoff: Cuts,
    /// [`Techniques::stability`].
    pub stability: Cuts,
    /// By a [`Guide`].
    pub guide: Cuts,
}

/// The answer of [`EndgameSolver::best`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solution {
    /// By how many discs the side to move wins, empty squares given to the winner.
    pub margin: i32,
    /// A move that reaches it; a forced pass is one; none if the game is over.
    pub best: Option<OthelloMove>,
    /// Positions looked at, those of the searches that order moves included.
    pub nodes: u64,
}

/// Solves endings exactly.
///
/// What it finds stays in its table from one call to the next; [`clear`](EndgameSolver::clear)
/// makes it answer again like a new one. All memory is allocated when it is made.
pub struct EndgameSolver {
    limit: u32,
    /// Nodes that a search must have from where it began for its positions to be taken.
    least_nodes: u64,
    techniques: Techniques,
    counters: Counters,
    table: Table,
    /// The candidates of all nodes on the line, one after the other.
    stack: Vec<Candidate>,
    last: LastSquares,
    edges: &'static EdgeTable,
    /// Quick, and the same whatever weights the search plays with.
    evaluator: Counts,
    /// How sure what is found must be, as entries of the table count it: 0 is certain.
    confidence: u8,
}

impl EndgameSolver {
    /// Empty squares from which a search hands over, unless told otherwise.
    pub const DEFAULT_LIMIT: u32 = 14;

    /// Bytes of the table, unless told otherwise.
    // Nodes with 1, 4 and 16 MiB against 128: 1.06, 1.02 and 1.00 on FFO 20 to 34, and with 14
    // empty squares the same for all of them.
    pub const DEFAULT_TABLE_BYTES: usize = 4 << 20;

    /// A solver that takes positions with at most `limit` empty squares from a search, and a table
    /// of about `table_bytes`.
    pub fn new(limit: u32, table_bytes: usize) -> EndgameSolver {
        EndgameSolver {
            limit,
            least_nodes: 0,
            techniques: Techniques::ALL,
            counters: Counters::default(),
            table: Table::new(table_bytes),
            stack: Vec::with_capacity(MOST_CANDIDATES),
            last: LastSquares::new(),
            edges: EdgeTable::get(),
            evaluator: Counts::new(),
            confidence: 0,
        }
    }

    /// The same with these techniques only.
    #[must_use]
    pub fn with_techniques(mut self, techniques: Techniques) -> EndgameSolver {
        self.techniques = techniques;
        self.last.parity = techniques.parity;
        self
    }

    /// At most so many empty squares.
    pub fn limit(&self) -> u32 {
        self.limit
    }

    /// Changes the number of empty squares up to which positions are taken.
    pub fn set_limit(&mut self, limit: u32) {
        self.limit = limit;
    }

    /// Forgets what was found and counted.
    pub fn clear(&mut self) {
        self.table.clear();
        self.counters = Counters::default();
    }

    /// What the techniques did since the solver was made or cleared.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// The exact margin of a position with any number of empty squares and a move that reaches
    /// it. `tick` is called as in [`Solver::solve`].
    pub fn best(
        &mut self,
        position: &Othello,
        tick: &mut dyn FnMut(u64) -> Result<(), Stopped>,
    ) -> Result<Solution, Stopped> {
        self.answer(position, None, tick)
    }

    /// The same through rising levels of confidence up to this one: first as a guide says with bold cuts,
    /// then ever safer, at 100 percent without any. What one level has found orders the moves of the next;
    /// `each` hears of all of them.
    pub fn best_by_levels(
        &mut self,
        position: &Othello,
        guide: &Guide,
        last: Level,
        tick: &mut dyn FnMut(u64) -> Result<(), Stopped>,
        each: &mut dyn FnMut(Level, &Solution),
    ) -> Result<Solution, Stopped> {
        let mut nodes = 0;
        for level in Level::all() {
            self.confidence = level.confidence();
            let found = self.answer(position, level.threshold().map(|t| (guide, t)), tick);
            self.confidence = 0;
            let mut found = found?;
            nodes += found.nodes;
            found.nodes = nodes;
            each(level, &found);
            if level == last {
                return Ok(found);
            }
        }
        unreachable!("the last level is one of all")
    }

    fn answer(
        &mut self,
        position: &Othello,
        guide: Option<(&Guide, i32)>,
        tick: &mut dyn FnMut(u64) -> Result<(), Stopped>,
    ) -> Result<Solution, Stopped> {
        let mut search = Search::new(self, u64::MAX, tick);
        search.guide = guide;
        let (margin, square) = search.node(position.own(), position.other(), -MOST, MOST)?;
        search.report()?;
        let best = if position.count_moves() == 0 {
            None
        } else {
            // No square is the number of the pass.
            OthelloMove::from_index(square.into())
        };
        Ok(Solution { margin, best, nodes: self.last.nodes })
    }
}

/// With [`DEFAULT_LIMIT`](EndgameSolver::DEFAULT_LIMIT) and
/// [`DEFAULT_TABLE_BYTES`](EndgameSolver::DEFAULT_TABLE_BYTES).
impl Default for EndgameSolver {
    fn default() -> EndgameSolver {
        EndgameSolver::new(EndgameSolver::DEFAULT_LIMIT, EndgameSolver::DEFAULT_TABLE_BYTES)
    }
}

impl Solver<Othello> for EndgameSolver {
    #[inline]
    fn takes(&self, position: &Othello) -> bool {
        position.empty().count_ones() <= self.limit
    }

    fn start(&mut self, root: &Othello) {
        self.least_nodes = sure_cost(root.empty().count_ones());
    }

    fn plies_to(&self, position: &Othello, nodes: u64) -> Option<i32> {
        // Passes take plies and no squares; more than two of them before the ending are not played for.
        const PASSES: i32 = 2;
        let empties = position.empty().count_ones();
        let last = if nodes >= sure_cost(empties) { self.limit as i32 } else { 0 };
        let squares = empties as i32 - last;
        Some(squares.max(0) + PASSES)
    }

    fn plies_to_end(&self, position: &Othello) -> Option<i32> {
        Some(position.empty().count_ones() as i32)
    }

    fn forget(&mut self) {
        self.clear();
    }

    fn solve(
        &mut self,
        position: &Othello,
        alpha: Score,
        beta: Score,
        room: Room,
        tick: &mut dyn FnMut(u64) -> Result<(), Stopped>,
    ) -> Result<Option<Score>, Stopped> {
        // Where the nodes hardly suffice to solve the root, an answer here and there would cost most of them and
        // leave the rest of the tree as it was.
        // Mean loss in discs of modern with 2,000 and 20,000 nodes, of 80 positions (50 with 18 empty squares):
        // with 14 squares 1.35 and 1.28, with 16 1.38 and 0.78, with 18 1.96 and 1.16. If everything up to the
        // limit is taken, 2.43 and 2.18, 1.58 and 1.58, 2.20 and 2.40; if the last four squares are, 1.98 and
        // 1.55, 1.33 and 0.88.
        if room.nodes < self.least_nodes {
            return Ok(None);
        }
        let (alpha, beta) = margins(alpha, beta);
        let mut search = Search::new(self, room.left, tick);
        let margin = search.margin(position.own(), position.other(), alpha, beta)?;
        search.report()?;
        Ok(Some(Score::counted(margin)))
    }

    /// The search asks for each move by itself, in the order that it thinks best.
    fn at_root(
        &mut self,
        _position: &Othello,
        _line: &Line<()>,
        _moves: &[OthelloMove],
    ) -> Option<RootVerdict<OthelloMove>> {
        None
    }

    fn table_hits(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_search::Notation;

    #[test]
    fn the_stack_of_candidates_is_empty_after_a_call_and_never_grows() {
        // The fourth of the FFO endgame problems from 20 on.
        let text = "--O-------OOX---OOOXXXO-OOOOXOXXXXXOOXOXXXXXXOOXX-XXXXOX--XXXX-- X";
        let position = Othello::read_position(text).unwrap();
        let mut solver = EndgameSolver::default();
        let capacity = solver.stack.capacity();
        let mut ticks = 0;
        let stopped = solver.best(&position, &mut |_| {
            ticks += 1;
            if ticks < 5 { Ok(()) } else { Err(Stopped) }
        });
        assert_eq!(stopped, Err(Stopped));
        assert!(!solver.stack.is_empty(), "the stop came in the middle");
        assert_eq!(solver.best(&position, &mut |_| Ok(())).unwrap().margin, 4);
        assert_eq!((solver.stack.len(), solver.stack.capacity()), (0, capacity));
    }
}
