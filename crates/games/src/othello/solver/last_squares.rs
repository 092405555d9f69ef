//! The last few empty squares, where a node must cost next to nothing.
//!
//! Below the general search there is no table, no sorting and no stop: only the squares, those in
//! quadrants with an odd number of them first. The last four squares are written out one by one,
//! and the last disc is not placed at all: what it turns over is counted.

use super::super::board::{each_bit, flips, placements};
use super::last_disc::turned_by_last;

/// Below every margin: no move was found yet.
const NONE: i32 = -100;

/// The squares next to each square.
static NEIGHBOURS: [u64; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut near = 0;
        while near < 64 {
            let rows: i32 = square / 8 - near / 8;
            let columns: i32 = square % 8 - near % 8;
            if near != square && rows.abs() <= 1 && columns.abs() <= 1 {
                table[square as usize] |= 1 << near;
            }
            near += 1;
        }
        square += 1;
    }
    table
};

/// The quadrant of the board that holds this square.
#[inline(always)]
pub(super) const fn quadrant(square: u8) -> u64 {
    0x0f0f_0f0f << ((square & 4) + (square & 32))
}

/// All squares of the quadrants in which an odd number of `empty` squares is left. Whoever moves
/// first in such a region tends to move last in it too (parity; Brian Rose, "Othello: A Minute to
/// Learn, a Lifetime to Master", 2005).
#[inline]
pub(super) fn odd_quadrants(empty: u64) -> u64 {
    let mut odd = 0;
    each_bit(empty, |square| odd ^= quadrant(square));
    odd
}

/// The lead of the side with the discs `own` in a finished game; empty squares are the winner's.
#[inline]
pub(super) fn final_margin(own: u64, other: u64) -> i32 {
    let (own, other) = (own.count_ones() as i32, other.count_ones() as i32);
    let lead = own - other;
    lead + lead.signum() * (64 - own - other)
}

/// Solves positions with few empty squares and counts its nodes.
pub(super) struct LastSquares {
    /// Positions looked at since somebody set it to 0.
    pub(super) nodes: u64,
    /// Whether squares in odd quadrants come first.
    pub(super) parity: bool,
}

impl LastSquares {
    /// Nothing counted yet, parity on.
    pub(super) fn new() -> LastSquares {
        LastSquares { nodes: 0, parity: true }
    }

    /// The margin for the owner of `own`, to move, exact inside the window, fail-soft outside.
    pub(super) fn solve(&mut self, own: u64, other: u64, alpha: i32, beta: i32) -> i32 {
        let empty = !(own | other);
        match empty.count_ones() {
            0 => {
                self.nodes += 1;
                final_margin(own, other)
            }
            1 => self.one(own, empty.trailing_zeros() as u8),
            2 => self.two(own, other, alpha, beta, self.in_order(empty, odd_quadrants(empty))),
            3 => self.three(own, other, alpha, beta, self.in_order(empty, odd_quadrants(empty))),
            4 => self.four(own, other, alpha, beta, empty, odd_quadrants(empty)),
            _ => self.several(own, other, alpha, beta, odd_quadrants(empty)),
        }
    }

    /// Five empty squares or more. `odd` holds the quadrants with an odd number of them.
    pub(super) fn several(
        &mut self,
        own: u64,
        other: u64,
        mut alpha: i32,
        beta: i32,
        odd: u64,
    ) -> i32 {
        self.nodes += 1;
        let empty = !(own | other);
        let five = empty.count_ones() == 5;
        let odd_first = if self.parity { empty & odd } else { empty };
        let mut best = NONE;
        for mut squares in [odd_first, empty & !odd_first] {
            while squares != 0 {
                let square = squares.trailing_zeros() as u8;
                squares &= squares - 1;
                if NEIGHBOURS[square as usize] & other == 0 {
                    continue;
                }
                let turned = flips(own, other, square);
                if turned == 0 {
                    continue;
                }
                let (mover, waiter) = (other ^ turned, own ^ turned ^ 1 << square);
                let odd = odd ^ quadrant(square);
                let value = if five {
                    -self.four(mover, waiter, -beta, -alpha, empty ^ 1 << square, odd)
                } else {
                    -self.several(mover, waiter, -beta, -alpha, odd)
                };
                if value > best {
                    best = value;
                    if value >= beta {
                        return value;
                    }
                    alpha = alpha.max(value);
                }
            }
        }
        if best > NONE {
            best
        } else if placements(other, own) != 0 {
            -self.several(other, own, -beta, -alpha, odd)
        } else {
            final_margin(own, other)
        }
    }

    /// The squares of `empty` in the order of trying: those in odd quadrants first.
    #[inline(always)]
    fn in_order<const COUNT: usize>(&self, empty: u64, odd: u64) -> [u8; COUNT] {
        let odd_first = if self.parity { empty & odd } else { empty };
        let mut squares = [0; COUNT];
        let (mut first, mut second) = (odd_first, empty & !odd_first);
        for place in &mut squares {
            let from = if first != 0 { &mut first } else { &mut second };
            *place = from.trailing_zeros() as u8;
            *from &= from.wrapping_sub(1);
        }
        squares
    }

    #[inline]
    fn four(&mut self, own: u64, other: u64, alpha: i32, beta: i32, empty: u64, odd: u64) -> i32 {
        // Ordered once for all that follows. With two squares in one quadrant and the others alone
        // in theirs the order stays right: after one of the single squares the other is the only
        // odd one.
        let [a, b, c, d] = self.in_order(empty, odd);
        self.nodes += 1;
        let value = self.four_by_order(own, other, alpha, beta, [a, b, c, d]);
        if value > NONE {
            return value;
        }
        self.nodes += 1;
        let value = self.four_by_order(other, own, -beta, -alpha, [a, b, c, d]);
        if value > NONE { -value } else { final_margin(own, other) }
    }

    /// Tries the four squares; [`NONE`] if no disc can be placed.
    #[inline(always)]
    fn four_by_order(
        &mut self,
        own: u64,
        other: u64,
        mut alpha: i32,
        beta: i32,
        [a, b, c, d]: [u8; 4],
    ) -> i32 {
        let mut best = NONE;
        for (square, rest) in [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])] {
            if NEIGHBOURS[square as usize] & other == 0 {
                continue;
            }
            let turned = flips(own, other, square);
            if turned == 0 {
                continue;
            }
            let value =
                -self.three(other ^ turned, own ^ turned ^ 1 << square, -beta, -alpha, rest);
            if value > best {
                best = value;
                if value >= beta {
                    return value;
                }
                alpha = alpha.max(value);
            }
        }
        best
    }

    fn three(&mut self, own: u64, other: u64, alpha: i32, beta: i32, squares: [u8; 3]) -> i32 {
        self.nodes += 1;
        let value = self.three_by_order(own, other, alpha, beta, squares);
        if value > NONE {
            return value;
        }
        self.nodes += 1;
        let value = self.three_by_order(other, own, -beta, -alpha, squares);
        if value > NONE { -value } else { final_margin(own, other) }
    }

    #[inline(always)]
    fn three_by_order(
        &mut self,
        own: u64,
        other: u64,
        mut alpha: i32,
        beta: i32,
        [a, b, c]: [u8; 3],
    ) -> i32 {
        let mut best = NONE;
        for (square, rest) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
            if NEIGHBOURS[square as usize] & other == 0 {
                continue;
            }
            let turned = flips(own, other, square);
            if turned == 0 {
                continue;
            }
            let value = -self.two(other ^ turned, own ^ turned ^ 1 << square, -beta, -alpha, rest);
            if value > best {
                best = value;
                if value >= beta {
                    return value;
                }
                alpha = alpha.max(value);
            }
        }
        best
    }

    #[inline]
    fn two(&mut self, own: u64, other: u64, alpha: i32, beta: i32, squares: [u8; 2]) -> i32 {
        self.nodes += 1;
        let value = self.two_by_order(own, other, beta, squares);
        if value > NONE {
            return value;
        }
        self.nodes += 1;
        let value = self.two_by_order(other, own, -alpha, squares);
        if value > NONE { -value } else { final_margin(own, other) }
    }

    #[inline(always)]
    fn two_by_order(&mut self, own: u64, other: u64, beta: i32, [a, b]: [u8; 2]) -> i32 {
        let mut best = NONE;
        for (square, last) in [(a, b), (b, a)] {
            if NEIGHBOURS[square as usize] & other == 0 {
                continue;
            }
            let turned = flips(own, other, square);
            if turned == 0 {
                continue;
            }
            best = best.max(-self.one(other ^ turned, last));
            if best >= beta {
                return best;
            }
        }
        best
    }

    /// One empty square: all discs that are not `own` are the opponent's.
    #[inline(always)]
    fn one(&mut self, own: u64, square: u8) -> i32 {
        self.nodes += 1;
        // 63 discs, so the lead is odd and never 0.
        let lead = 2 * own.count_ones() as i32 - 63;
        let turned = turned_by_last(own, square);
        if turned != 0 {
            return lead + 1 + 2 * turned;
        }
        let turned = turned_by_last(!own & !(1 << square), square);
        if turned != 0 { lead - 1 - 2 * turned } else { lead + lead.signum() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corner_has_three_neighbours_an_edge_five_and_the_middle_eight() {
        assert_eq!([0, 3, 63, 27].map(|square| NEIGHBOURS[square].count_ones()), [3, 5, 3, 8]);
        // No wrap from h1 to a2.
        assert_eq!(NEIGHBOURS[7] >> 8 & 1, 0);
    }

    #[test]
    fn odd_quadrants_are_found_and_the_four_cover_the_board() {
        assert_eq!([0, 7, 56, 63].map(quadrant).iter().fold(0, |all, one| all ^ one), u64::MAX);
        // Two squares above left, one below right.
        assert_eq!(odd_quadrants(1 | 1 << 9 | 1 << 63), quadrant(63));
        assert_eq!(odd_quadrants(1 << 27 | 1 << 28), quadrant(27) | quadrant(28));
    }

    #[test]
    fn an_odd_quadrant_comes_first_unless_parity_is_off() {
        let empty = 1 | 1 << 9 | 1 << 63;
        let order =
            |parity| LastSquares { nodes: 0, parity }.in_order::<3>(empty, odd_quadrants(empty));
        assert_eq!(order(true), [63, 0, 9]);
        assert_eq!(order(false), [0, 9, 63]);
    }
}
