//! Which move to try first.
//!
//! Far from the end the candidates are searched a few plies deep with the evaluation; nearer to it
//! the one that leaves the opponent the fewest moves comes first (fastest first: its tree is the
//! smallest, whether or not it is the best move).

use secateur_search::{Player, Stopped};

use super::super::Othello;
use super::super::board::{each_bit, flips, placements};
use super::last_squares::{final_margin, odd_quadrants};
use super::search::Search;

/// A legal placement and the boards after it.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    /// The discs of the side that moves next.
    pub(super) mover: u64,
    /// The discs of the side that made the placement.
    pub(super) waiter: u64,
    /// Candidates with a larger one come first.
    pub(super) weight: i32,
    /// Where the disc was placed.
    pub(super) square: u8,
}

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// With so many empty squares or more, candidates are searched.
// Nodes for FFO 20 to 34, this 1.00: from 11 on 1.03, from 13 on 1.05, never 1.46. Here and below
// one number was changed at a time.
const SEARCH_FROM: u32 = 12;

/// One ply more of that search for so many more empty squares.
// Nodes: 3 squares 1.03 to 1.05, 4 squares 1.11.
const SQUARES_PER_PLY: u32 = 2;

/// The deepest of those searches.
const MOST_PLIES: u32 = 4;

/// What makes a candidate come early.
struct Weights {
    /// For every move that it leaves the opponent; one into a corner counts twice.
    reply: i32,
    /// If it is in a quadrant with an odd number of empty squares.
    odd: i32,
    /// If it takes a corner.
    corner: i32,
}

/// Beside the value of a search, in hundredths of a disc.
// Nodes: reply 50 1.09, 200 1.07, 0 1.21; odd 0 1.03, 200 1.13; corner 0 1.03.
const SEARCHED: Weights = Weights { reply: -100, odd: 100, corner: 200 };

/// Alone.
// Nodes: half as much for a reply 1.05, a quarter 1.21; odd 4 1.01; corner 0 1.03.
const UNSEARCHED: Weights = Weights { reply: -8, odd: 2, corner: 4 };

/// Above every guess.
const GUESS_MOST: i32 = 10_000;

/// More than any other weight: the move that the table remembers.
const KNOWN_BEST: i32 = 1 << 24;

/// Hands out the legal placements on `squares`, with weight 0.
#[inline(always)]
pub(super) fn each_candidate(own: u64, other: u64, squares: u64, mut sink: impl FnMut(Candidate)) {
    each_bit(squares, |square| {
        let turned = flips(own, other, square);
        let (mover, waiter) = (other ^ turned, own ^ turned ^ 1 << square);
        sink(Candidate { mover, waiter, weight: 0, square });
    });
}

impl Search<'_> {
    /// Weighs the candidates on the stack from `base` on, which fill the `empty` squares.
    pub(super) fn weigh(&mut self, base: usize, empty: u64, known_best: u8) -> Result<(), Stopped> {
        let on = self.solver.techniques;
        let empties = empty.count_ones();
        let searched = on.shallow_search && empties >= SEARCH_FROM;
        let plies = (empties.saturating_sub(SEARCH_FROM) / SQUARES_PER_PLY).min(MOST_PLIES);
        let weights = if searched { SEARCHED } else { UNSEARCHED };
        let odd = if on.parity { odd_quadrants(empty) } else { 0 };
        for place in base..self.solver.stack.len() {
            let Candidate { mover, waiter, square, .. } = self.solver.stack[place];
            let mut weight = 0;
            if square == known_best {
                weight = KNOWN_BEST;
            } else {
                if on.fastest_first {
                    let replies = placements(mover, waiter);
                    let count = replies.count_ones() + (replies & CORNERS).count_ones();
                    weight += weights.reply * count as i32;
                }
                weight += weights.odd * (odd >> square & 1) as i32;
                weight += weights.corner * (CORNERS >> square & 1) as i32;
                if searched {
                    weight -= self.guess(mover, waiter, plies, -GUESS_MOST, GUESS_MOST);
                    self.report_if_due()?;
                }
            }
            self.solver.stack[place].weight = weight;
        }
        Ok(())
    }

    /// The value for the owner of `own`, to move, by the evaluation after so many plies. Hundreds
    /// of nodes as a rule, so nobody is told in between.
    fn guess(&mut self, own: u64, other: u64, plies: u32, mut alpha: i32, beta: i32) -> i32 {
        self.solver.last.nodes += 1;
        if plies == 0 {
            let position = Othello::new(own, other, Player::First);
            return position.map_or(0, |position| self.solver.evaluator.value(&position));
        }
        let mut squares = placements(own, other);
        if squares == 0 {
            return if placements(other, own) == 0 {
                final_margin(own, other) * 100
            } else {
                -self.guess(other, own, plies, -beta, -alpha)
            };
        }
        let mut best = -GUESS_MOST;
        while squares != 0 && best < beta {
            let square = squares.trailing_zeros() as u8;
            squares &= squares - 1;
            let turned = flips(own, other, square);
            let (mover, waiter) = (other ^ turned, own ^ turned ^ 1 << square);
            best = best.max(-self.guess(mover, waiter, plies - 1, -beta, -alpha));
            alpha = alpha.max(best);
        }
        best
    }
}
