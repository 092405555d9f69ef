//! Ten counts of things on the board, and weights for them that stand on their own: quick, and
//! what the endgame solver orders moves by.

use secateur_search::weights::Origin;
use secateur_search::{Tactics, Weights};

use super::{LIMIT, wiped_out};
use crate::othello::Othello;
use crate::othello::board::placements;
use crate::othello::solver::EdgeTable;

const CORNERS: u64 = 0x8100_0000_0000_0081;
/// The squares of the edges two and three steps from a corner.
const MIDDLE_EDGES: u64 = 0x3c00_8181_8181_003c;
const COLUMN_A: u64 = 0x0101_0101_0101_0101;
const COLUMN_H: u64 = COLUMN_A << 7;

/// How many counts there are.
pub(super) const COUNTS: usize = 10;

/// Hundredths of a disc for one of each count, by stage.
///
/// Fitted by least squares to the theoretical score of 19,527 WThor games (1998, 2004, 2018), all
/// positions of each, a stage with a share of its neighbours; rounded to fives; in the first five
/// stages, where games say little about corners, and for corners at the very end, set by hand (the
/// worth of a late corner is in its stable discs).
// Nodes of the endgame solver on FFO 20 to 34 with all weights 1: 1.68, with these 1.00.
static WEIGHTS: [[i16; COUNTS]; Othello::STAGES] = [
    // corners, x, c, middle, stable, mobility, potential, discs, parity, turn
    [150, -150, -60, 20, 200, 40, 20, -20, 0, 0],
    [150, -150, -60, 20, 200, 45, 30, -30, 0, -60],
    [150, -160, -60, 60, 200, 70, 55, -55, 60, -215],
    [150, -180, -60, 70, 200, 80, 70, -75, 60, -310],
    [150, -215, -70, 55, 240, 110, 60, -90, 60, -315],
    [150, -340, -75, 50, 350, 130, 55, -90, 50, -320],
    [165, -355, -75, 45, 335, 145, 45, -85, 45, -320],
    [155, -360, -75, 35, 285, 155, 35, -80, 45, -310],
    [165, -355, -90, 25, 245, 175, 20, -65, 55, -290],
    [180, -330, -110, 10, 200, 205, 10, -50, 55, -260],
    [160, -285, -110, -15, 160, 225, -5, -25, 50, -195],
    [105, -225, -100, -40, 130, 240, -10, 0, 45, -115],
    [40, -150, -85, -60, 105, 255, -15, 25, 50, -35],
    [0, -95, -60, -80, 85, 275, -15, 45, 60, 20],
    [0, -65, -30, -85, 75, 280, -10, 50, 70, 55],
];

/// Guesses by the counts alone. There is no state, so one serves all.
#[derive(Clone, Copy)]
pub(in super::super) struct Counts {
    edges: &'static EdgeTable,
}

impl Counts {
    pub(in super::super) fn new() -> Counts {
        Counts { edges: EdgeTable::get() }
    }

    /// The value of a position in hundredths of a disc for the side to move, by fixed weights.
    #[inline]
    pub(in super::super) fn value(&self, position: &Othello) -> i32 {
        if let Some(value) = wiped_out(position) {
            return value;
        }
        let sum = self.weighted(position.own(), position.other(), &WEIGHTS[position.stage()]);
        sum.clamp(-LIMIT, LIMIT)
    }

    /// The sum of the counts with these weights.
    #[inline(always)]
    pub(super) fn weighted(&self, own: u64, other: u64, weights: &[i16; COUNTS]) -> i32 {
        weights.iter().zip(self.counts(own, other)).map(|(w, count)| i32::from(*w) * count).sum()
    }

    /// What is counted: own things less the opponent's, except for the last two.
    #[inline(always)]
    pub(super) fn counts(&self, own: u64, other: u64) -> [i32; COUNTS] {
        let empty = !(own | other);
        let open = empty & CORNERS;
        // Next to an empty corner, diagonally and along the edge.
        let beside = (open & COLUMN_A) << 1 | (open & COLUMN_H) >> 1;
        let x_squares = beside << 8 | beside >> 8;
        let c_squares = beside | open << 8 | open >> 8;
        let more = |own: u64, other: u64| own.count_ones() as i32 - other.count_ones() as i32;
        let squares = |which: u64| more(own & which, other & which);
        let stable = more(self.edges.on_edges(own, other), self.edges.on_edges(other, own));
        [
            squares(CORNERS),
            squares(x_squares),
            squares(c_squares),
            squares(MIDDLE_EDGES),
            stable,
            more(placements(own, other), placements(other, own)),
            more(next_to(other) & empty, next_to(own) & empty),
            more(own, other),
            // With an odd number of squares left the side to move makes the last move.
            if empty.count_ones() % 2 == 1 { 1 } else { -1 },
            1,
        ]
    }
}

/// The squares next to a disc, in all eight directions.
#[inline(always)]
const fn next_to(discs: u64) -> u64 {
    let rows = discs | (discs & !COLUMN_H) << 1 | (discs & !COLUMN_A) >> 1;
    rows | rows << 8 | rows >> 8
}

/// These weights, and none for patterns.
pub(super) fn plain_weights() -> Weights<Othello> {
    let origin = Origin { command: "set by hand".to_string(), ..Origin::default() };
    Weights::from_fn(origin, |stage, feature| WEIGHTS[stage].get(feature).copied().unwrap_or(0))
}
