//! Discs that nobody will ever turn over.
//!
//! An opponent with `n` of them ends with at least `n` discs, so the side to move wins by at most
//! `64 - 2n`. The discs found here are certainly stable; many stable discs are not found.

use std::sync::LazyLock;

/// The four edges with the corners.
const BORDER: u64 = 0xff81_8181_8181_81ff;
const COLUMN_A: u64 = 0x0101_0101_0101_0101;
const COLUMN_H: u64 = COLUMN_A << 7;

/// The stable discs of one side on an edge of eight squares, for every filling of it.
pub(in super::super) struct EdgeTable {
    /// By the discs of both sides as a number to the base 3.
    stable: [u8; 6561],
}

/// Eight bits as a number to the base 3.
static TO_BASE_3: [u16; 256] = {
    let mut table = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut place, mut power) = (0, 1);
        while place < 8 {
            if bits >> place & 1 == 1 {
                table[bits] += power;
            }
            power *= 3;
            place += 1;
        }
        bits += 1;
    }
    table
};

impl EdgeTable {
    /// The one table there is, made when it is first asked for.
    pub(in super::super) fn get() -> &'static EdgeTable {
        static TABLE: LazyLock<EdgeTable> = LazyLock::new(EdgeTable::make);
        &TABLE
    }

    /// Whether a disc may be placed on an edge square depends on the whole board, so a disc
    /// counts as stable only if it survives every order in which the two sides could fill the
    /// edge, legal or not. An edge square lies on one line only: on the others it cannot be
    /// enclosed.
    fn make() -> EdgeTable {
        let mut table = EdgeTable { stable: [0; 6561] };
        // Fillings with fewer empty squares come first; the others look them up.
        for empty_count in 0..=8 {
            for own in 0..=255u8 {
                for other in 0..=255u8 {
                    let empty = !(own | other);
                    if own & other == 0 && empty.count_ones() == empty_count {
                        table.stable[index(own, other)] = table.surviving(own, other);
                    }
                }
            }
        }
        table
    }

    fn surviving(&self, own: u8, other: u8) -> u8 {
        let mut stable = own;
        for place in (0..8).filter(|place| (own | other) >> place & 1 == 0) {
            let bit = 1 << place;
            let won = turned(own, other, place);
            stable &= self.stable[index(own | won | bit, other & !won)];
            let lost = turned(other, own, place);
            stable &= self.stable[index(own & !lost, other | lost | bit)];
        }
        stable
    }

    #[inline(always)]
    fn on_edge(&self, own: u64, other: u64) -> u64 {
        u64::from(self.stable[index(own as u8, other as u8)])
    }

    /// The stable discs of `own` on the four edges, each found along its edge.
    #[inline]
    pub(in super::super) fn on_edges(&self, own: u64, other: u64) -> u64 {
        let north = self.on_edge(own & 0xff, other & 0xff);
        let south = self.on_edge(own >> 56, other >> 56) << 56;
        let west = self.on_edge(lying(own & COLUMN_A), lying(other & COLUMN_A));
        let east = self.on_edge(lying(own >> 7 & COLUMN_A), lying(other >> 7 & COLUMN_A));
        north | south | standing(west) | standing(east) << 7
    }

    /// Discs of `own` that are certainly stable on the whole board.
    ///
    /// A disc off the edge is stable if on each of its four lines it cannot be enclosed: the line
    /// is full, or the next square on it is the edge's or a stable disc of the same side.
    pub(super) fn on_board(&self, own: u64, other: u64) -> u64 {
        let mut stable = self.on_edges(own, other);
        let full = full_lines(own | other);
        let inner = own & !BORDER;
        stable |= inner & full[0] & full[1] & full[2] & full[3];
        if stable == 0 {
            return 0;
        }
        loop {
            // A stable neighbour on either side is enough: nothing on that side can enclose.
            let rows = stable << 1 | stable >> 1 | full[0];
            let columns = stable << 8 | stable >> 8 | full[1];
            let falling = stable << 9 | stable >> 9 | full[2];
            let rising = stable << 7 | stable >> 7 | full[3];
            // Only inner discs: on them no shift wraps round.
            let found = stable | inner & rows & columns & falling & rising;
            if found == stable {
                return stable;
            }
            stable = found;
        }
    }
}

#[inline(always)]
fn index(own: u8, other: u8) -> usize {
    usize::from(TO_BASE_3[usize::from(own)] + 2 * TO_BASE_3[usize::from(other)])
}

/// What a disc of `own` on an empty place of a line of eight turns over; nothing if it encloses
/// nothing.
fn turned(own: u8, other: u8, place: u8) -> u8 {
    let mut turned = 0;
    for up in [true, false] {
        let mut run = 0u8;
        let mut bit = 1u8 << place;
        loop {
            bit = if up { bit << 1 } else { bit >> 1 };
            if bit & other == 0 {
                break;
            }
            run |= bit;
        }
        if bit & own != 0 {
            turned |= run;
        }
    }
    turned
}

/// Column a as eight bits, a1 lowest.
#[inline(always)]
const fn lying(column: u64) -> u64 {
    column.wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Eight bits as column a, the lowest on a1.
#[inline(always)]
const fn standing(bits: u64) -> u64 {
    // Seven bits are spread by one multiplication; the eighth would meet the first.
    ((bits & 0x7f).wrapping_mul(0x0002_0408_1020_4081) & COLUMN_A) | (bits & 0x80) << 49
}

/// The squares whose row, column, falling diagonal and rising diagonal have no empty square.
#[inline]
fn full_lines(discs: u64) -> [u64; 4] {
    let mut rows = discs & discs >> 1;
    rows &= rows >> 2;
    rows &= rows >> 4;
    let rows = (rows & COLUMN_A).wrapping_mul(0xff);

    let mut columns = discs & discs.rotate_left(8);
    columns &= columns.rotate_left(16);
    columns &= columns.rotate_left(32);

    // Empty squares spread along their diagonal, by one, two and four steps each way. What steps
    // off the board must not come in on the other side.
    let empty = !discs;
    let mut falling = empty;
    falling |= (falling & !COLUMN_H) << 9 | (falling & !COLUMN_A) >> 9;
    falling |= (falling & !RIGHT_2) << 18 | (falling & !LEFT_2) >> 18;
    falling |= (falling & !RIGHT_4) << 36 | (falling & !LEFT_4) >> 36;
    let mut rising = empty;
    rising |= (rising & !COLUMN_A) << 7 | (rising & !COLUMN_H) >> 7;
    rising |= (rising & !LEFT_2) << 14 | (rising & !RIGHT_2) >> 14;
    rising |= (rising & !LEFT_4) << 28 | (rising & !RIGHT_4) >> 28;
    [rows, columns, !falling, !rising]
}

const LEFT_2: u64 = 0x0303_0303_0303_0303;
const RIGHT_2: u64 = LEFT_2 << 6;
const LEFT_4: u64 = 0x0f0f_0f0f_0f0f_0f0f;
const RIGHT_4: u64 = LEFT_4 << 4;

#[cfg(test)]
mod tests {
    use super::super::super::Othello;
    use super::*;
    use secateur_search::random::SplitMix;
    use secateur_search::testkit::reference::moves;
    use secateur_search::{Game, Player};

    #[test]
    fn a_stable_disc_is_never_turned_over() {
        let edges = EdgeTable::get();
        let mut random = SplitMix::new(8);
        let (mut found, mut off_the_edge) = (0, 0);
        for _ in 0..3_000 {
            let mut position = Othello::START;
            let mut stable = [0, 0];
            loop {
                for (kept, player) in stable.iter_mut().zip([Player::First, Player::Second]) {
                    let own = position.discs_of(player);
                    assert_eq!(*kept & !own, 0, "{position:?}");
                    *kept |= edges.on_board(own, position.discs_of(player.other()));
                    assert_eq!(*kept & !own, 0, "{position:?}");
                }
                match &moves(&position)[..] {
                    [] => break,
                    legal => position.play(legal[random.below(legal.len())]),
                }
                if position.empty() != 0 {
                    found += stable[0].count_ones();
                    off_the_edge += (stable[0] & !BORDER).count_ones();
                }
            }
        }
        assert!(found > 100_000 && off_the_edge > 10_000, "{found}, {off_the_edge}");
    }

    #[test]
    fn a_corner_is_stable_and_so_is_what_stands_on_it() {
        let edges = EdgeTable::get();
        // a1, b1, a2 hold one another; b2 lacks support on its rising diagonal.
        let own = 1 | 1 << 1 | 1 << 8;
        assert_eq!(edges.on_board(own | 1 << 9, 0), own);
        // c1 is that support.
        let supported = own | 1 << 9 | 1 << 2;
        assert_eq!(edges.on_board(supported, 0), supported);
        // Nothing holds a disc beside an empty corner.
        assert_eq!(edges.on_board(1 << 1, 0), 0);
        // A full edge is stable whoever owns it, a full board as well.
        assert_eq!(edges.on_board(0x5a, 0xa5), 0x5a);
        assert_eq!(edges.on_board(0x1234_5678_9abc_def0, !0x1234_5678_9abc_def0), {
            0x1234_5678_9abc_def0
        });
    }

    #[test]
    fn a_line_is_full_when_none_of_its_squares_is_empty() {
        let mut random = SplitMix::new(9);
        for _ in 0..2_000 {
            let discs = random.next_u64() | random.next_u64() | random.next_u64();
            let full = full_lines(discs);
            for square in 0..64i32 {
                let (row, column) = (square / 8, square % 8);
                let without_empty = |on_line: &dyn Fn(i32, i32) -> bool| {
                    (0..64).all(|at| !on_line(at / 8, at % 8) || discs >> at & 1 == 1)
                };
                let expected = [
                    without_empty(&|r, _| r == row),
                    without_empty(&|_, c| c == column),
                    without_empty(&|r, c| r - c == row - column),
                    without_empty(&|r, c| r + c == row + column),
                ];
                assert_eq!(full.map(|squares| squares >> square & 1 == 1), expected, "{square}");
            }
        }
    }

    #[test]
    fn a_column_laid_down_stands_up_again() {
        for bits in 0..=255 {
            assert_eq!(lying(standing(bits)), bits);
            assert_eq!(standing(bits) & !COLUMN_A, 0);
            assert_eq!(standing(bits).count_ones(), bits.count_ones());
        }
        assert_eq!(standing(0b1000_0010), 1 << 8 | 1 << 56);
    }
}
