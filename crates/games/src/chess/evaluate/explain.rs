//! The terms of one position by name, for people to read.

use std::fmt;

use cozy_chess::{Color, Piece};
use secateur_search::Score;

use super::{Classical, FULL_PHASE, Tapered, blend, judge, pawns};
use crate::chess::Chess;

/// One term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// What it is called.
    pub name: &'static str,
    /// What it is worth to White.
    pub white: Tapered,
    /// What it is worth to Black.
    pub black: Tapered,
}

/// Why a position has its value.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// All terms. White's less Black's, summed and blended, make the value.
    pub terms: Vec<Term>,
    /// How much of the middle game is left, from 0 to 24.
    pub phase: i32,
    /// White's less Black's, summed.
    pub total: Tapered,
    /// The total between middle game and endgame, for White: less than it looks if the ending
    /// cannot be won.
    pub blended: i32,
    /// The value for the side to move.
    pub value: Score,
}

impl Classical {
    /// The terms of a position. Nothing that was kept or cached is used.
    pub fn explain(&self, position: &Chess) -> Explanation {
        let board = position.board();
        let weights = &self.weights;
        let each = |value: &dyn Fn(Color, Piece) -> Tapered| {
            Color::ALL.map(|color| Piece::ALL.iter().map(|piece| value(color, *piece)).sum())
        };
        let material = each(&|color, piece| {
            weights.material[piece as usize] * board.colored_pieces(color, piece).len() as i32
        });
        let squares = each(&|color, piece| {
            let squares = board.colored_pieces(color, piece).iter();
            let value = &weights.squares[piece as usize];
            squares.map(|square| value[square.relative_to(color) as usize]).sum()
        });
        let mut terms = Vec::new();
        let mut note = |name, white, black| terms.push(Term { name, white, black });
        for (name, [white, black]) in
            [("material", material), ("squares", squares), ("pawns", pawns::values(board, weights))]
        {
            note(name, white, black);
        }
        let (sums, structure) = (self.sum(board), pawns::Structure::of(board, weights));
        let value = judge(position, sums, &structure, weights, note);
        let total = terms.iter().map(|term| term.white - term.black).sum();
        let blended = blend(position, total, sums.phase, weights);
        Explanation { terms, phase: sums.phase.min(FULL_PHASE), total, blended, value }
    }
}

/// A table of pawns: middle game and endgame, for White, for Black and together.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pair = |value: Tapered| format!("{:>6} {:>6}", value.middle(), value.end());
        writeln!(f, "{:<14}{:>13}   {:>13}   {:>13}", "middle, end", "White", "Black", "together")?;
        for term in &self.terms {
            let together = pair(term.white - term.black);
            let (white, black) = (pair(term.white), pair(term.black));
            writeln!(f, "{:<14}{white}   {black}   {together}", term.name)?;
        }
        writeln!(f, "{:<14}{:>45}", "total", pair(self.total))?;
        write!(f, "phase {} of {FULL_PHASE}: {:+} for White", self.phase, self.blended)
    }
}
