//! What the search is told by the tables.
//!
//! Below the root it asks for the result only, and only where the clock of the fifty-move rule has
//! just been reset, because there the result is exact. At the root the distances decide: a won
//! position is won by moves that bring the next capture, pawn move or mate nearer, so that the win
//! cannot slip away, unless the search has found a mate itself.

use std::sync::Arc;

use cozy_chess::Move;
use secateur_search::score::MAX_PLY;
use secateur_search::solve::{Room, RootVerdict};
use secateur_search::{Game, Line, Score, Solver, Stopped};

use super::tables::{Tables, Wdl};
use crate::chess::Chess;

/// A win or loss that the fifty-move rule turns into a draw is worth that little more or less than
/// one, so that the opponent has to prove it.
const SPOILED: Score = Score::heuristic(1);

/// The tables as one thread sees them; or none.
#[derive(Clone, Default)]
pub struct Tablebases {
    tables: Option<Arc<Tables>>,
    /// Positions with more men are not looked up; 0 without tables.
    men: u32,
    /// Whether the fifty-move rule counts.
    fifty_moves: bool,
}

impl Tablebases {
    /// No tables: nothing is ever known.
    pub fn none() -> Tablebases {
        Tablebases::default()
    }

    /// Looks up positions of at most so many men. Without the fifty-move rule a spoiled win
    /// counts as a win.
    pub fn new(tables: Arc<Tables>, men: u32, fifty_moves: bool) -> Tablebases {
        let men = men.min(tables.files().largest());
        Tablebases { tables: Some(tables), men, fifty_moves }
    }

    /// Lets go of the tables. The limits stay.
    pub fn close(&mut self) -> Option<Arc<Tables>> {
        self.tables.take()
    }

    /// The same limits with these tables.
    pub fn with(&self, tables: Arc<Tables>) -> Tablebases {
        Tablebases::new(tables, self.men, self.fifty_moves)
    }

    /// The tables, if there are any.
    pub fn tables(&self) -> Option<&Arc<Tables>> {
        self.tables.as_ref()
    }

    /// The value of a result for the side to move, seen from the node itself.
    fn value(&self, result: Wdl) -> Score {
        let win = Score::tablebase_win_in(0);
        match result {
            Wdl::Loss => -win,
            Wdl::BlessedLoss if self.fifty_moves => -SPOILED,
            Wdl::BlessedLoss => -win,
            Wdl::Draw => Score::DRAW,
            Wdl::CursedWin if self.fifty_moves => SPOILED,
            Wdl::CursedWin => win,
            Wdl::Win => win,
        }
    }

    /// The root by distances.
    fn by_distance(
        &self,
        tables: &Tables,
        position: &Chess,
        line: &Line<()>,
        moves: &[Move],
    ) -> Option<RootVerdict<Move>> {
        let found = tables.distances(position)?;
        let clock = i32::from(position.board().halfmove_clock());
        let mut ranked = Vec::with_capacity(moves.len());
        for &m in moves {
            let (_, distance) = found.iter().find(|(known, _)| *known == m)?;
            let distance = if is_drawn(position, line, m) { 0 } else { *distance };
            ranked.push((m, distance, self.rank(distance, clock)));
        }
        let best = ranked.iter().map(|(.., rank)| *rank).max()?;
        ranked.retain(|(.., rank)| *rank == best);
        // Of wins the nearest first, of losses the farthest.
        ranked.sort_by_key(|(_, distance, _)| *distance);
        let value = |distance: i32| {
            let proven = Score::tablebase_win_in((distance.unsigned_abs() as usize).min(MAX_PLY));
            match best {
                WON.. => proven,
                1.. => SPOILED,
                0 => Score::DRAW,
                _ if best > LOST_AT_MOST => -SPOILED,
                _ => -proven,
            }
        };
        let moves =
            ranked.iter().map(|&(m, distance, _)| (m, (best >= WON).then(|| value(distance))));
        Some(RootVerdict { value: value(ranked[0].1), moves: moves.collect(), settled: true })
    }

    /// The order of moves by what they lead to; only the highest are played.
    fn rank(&self, distance: i32, clock: i32) -> i32 {
        let plies = distance.abs();
        // The ply that resets the clock may be the hundredth.
        let in_time = !self.fifty_moves || plies + clock <= 100;
        match distance.signum() {
            1 if in_time => WON,
            1 => (SPOILED_RANK - plies - clock).max(1),
            -1 if in_time => {
                // Where the rule is near, a long resistance may reach it; else let the search
                // choose the move that is the hardest to refute.
                let hope = self.fifty_moves && 2 * plies + clock >= 100;
                LOST + if hope { plies + clock } else { 0 }
            }
            -1 => -(SPOILED_RANK - plies - clock).max(1),
            _ => 0,
        }
    }

    /// The root by results, where distances are missing: nothing is given away, and how to win is
    /// left to the search.
    fn by_result(
        &self,
        tables: &Tables,
        position: &Chess,
        line: &Line<()>,
        moves: &[Move],
    ) -> Option<RootVerdict<Move>> {
        let mut valued = Vec::with_capacity(moves.len());
        for &m in moves {
            let drawn = is_drawn(position, line, m);
            let reply = if drawn { Wdl::Draw } else { tables.result(&position.after(m))? };
            valued.push((m, -self.value(reply)));
        }
        let best = valued.iter().map(|(_, value)| *value).max()?;
        let moves = valued.into_iter().filter(|(_, value)| *value == best).map(|(m, _)| (m, None));
        Some(RootVerdict {
            // One ply below.
            value: best.relative_to_root(1),
            moves: moves.collect(),
            settled: false,
        })
    }
}

/// Ranks: won in time, spoiled by the rule, and lost in time up to the longest resistance.
const WON: i32 = 20_000;
const SPOILED_RANK: i32 = 10_000;
const LOST: i32 = -WON;
const LOST_AT_MOST: i32 = LOST + 200;

/// Whether the game is drawn by a rule of counting once `m` is played.
fn is_drawn(position: &Chess, line: &Line<()>, m: Move) -> bool {
    let after = position.after(m);
    let mut line = line.clone();
    line.play(position, m, &after);
    // In the game itself a position must come for the third time.
    after.ended().is_some() || line.occurrences().in_game > 1
}

impl Solver<Chess> for Tablebases {
    #[inline]
    fn takes(&self, position: &Chess) -> bool {
        let board = position.board();
        self.men != 0 && board.halfmove_clock() == 0 && board.occupied().len() <= self.men
    }

    fn start(&mut self, _root: &Chess) {}

    /// Nobody knows when enough pieces are gone.
    fn plies_to(&self, _position: &Chess, _nodes: u64) -> Option<i32> {
        None
    }

    fn plies_to_end(&self, _position: &Chess) -> Option<i32> {
        None
    }

    fn forget(&mut self) {}

    fn solve(
        &mut self,
        position: &Chess,
        _alpha: Score,
        _beta: Score,
        _room: Room,
        _tick: &mut dyn FnMut(u64) -> Result<(), Stopped>,
    ) -> Result<Option<Score>, Stopped> {
        let Some(result) = self.tables.as_ref().and_then(|tables| tables.result(position)) else {
            return Ok(None);
        };
        // A mate is a mate and not just a lost position.
        let mated = result == Wdl::Loss
            && !position.board().checkers().is_empty()
            && position.count_moves() == 0;
        Ok(Some(if mated { Score::mated_in(0) } else { self.value(result) }))
    }

    fn at_root(
        &mut self,
        position: &Chess,
        line: &Line<()>,
        moves: &[Move],
    ) -> Option<RootVerdict<Move>> {
        let tables = self.tables.as_ref()?;
        if position.board().occupied().len() > self.men || position.ended().is_some() {
            return None;
        }
        self.by_distance(tables, position, line, moves)
            .or_else(|| self.by_result(tables, position, line, moves))
    }

    fn table_hits(&self) -> u64 {
        self.tables.as_ref().map_or(0, |tables| tables.hits())
    }
}
