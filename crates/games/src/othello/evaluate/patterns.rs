//! Patterns: small sets of squares, looked up as a whole (Buro, 1997). The filling of a pattern is
//! a number to the base 3 (empty 0, own 1, other 2). All its places on the board share one table of
//! weights, and so does its mirror image.

use std::sync::LazyLock;

/// Bits as a number to the base 3: up to ten squares.
static BASE_3: [u16; 1024] = base_3(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);

/// The nine squares of a corner seen with its rows reversed.
static BASE_3_ROWS_REVERSED: [u16; 512] = base_3(&[2, 1, 0, 5, 4, 3, 8, 7, 6]);

/// Bits as a number to the base 3, each bit with this digit.
const fn base_3<const SIZE: usize>(digits: &[u32]) -> [u16; SIZE] {
    let mut table = [0; SIZE];
    let mut bits = 0;
    while bits < SIZE {
        let mut place = 0;
        while place < digits.len() {
            table[bits] += (bits >> place & 1) as u16 * 3u16.pow(digits[place]);
            place += 1;
        }
        bits += 1;
    }
    table
}

/// A kind of pattern.
pub(super) struct Kind {
    /// Where each square goes in the mirror.
    mirror: &'static [usize],
}

impl Kind {
    /// How many fillings it has.
    const fn fillings(&self) -> usize {
        3usize.pow(self.mirror.len() as u32)
    }

    /// How many remain if mirror images are the same: squares that change places are free once.
    pub(super) const fn distinct(&self) -> usize {
        let (mut orbits, mut square) = (0, 0);
        while square < self.mirror.len() {
            orbits += (self.mirror[square] >= square) as u32;
            square += 1;
        }
        (self.fillings() + 3usize.pow(orbits)) / 2
    }
}

/// Ten squares: an edge from corner to corner, then the two X squares beside it.
const EDGE: usize = 0;
/// Nine squares: a corner.
const CORNER: usize = 1;
/// A line one, two, three steps from the edge.
const LINES: usize = 2;
/// Diagonals of eight, seven, six, five and four squares.
const DIAGONALS: usize = 5;

pub(super) const KINDS: [Kind; 10] = [
    Kind { mirror: &[7, 6, 5, 4, 3, 2, 1, 0, 9, 8] },
    Kind { mirror: &[0, 3, 6, 1, 4, 7, 2, 5, 8] },
    Kind { mirror: &[7, 6, 5, 4, 3, 2, 1, 0] },
    Kind { mirror: &[7, 6, 5, 4, 3, 2, 1, 0] },
    Kind { mirror: &[7, 6, 5, 4, 3, 2, 1, 0] },
    Kind { mirror: &[7, 6, 5, 4, 3, 2, 1, 0] },
    Kind { mirror: &[6, 5, 4, 3, 2, 1, 0] },
    Kind { mirror: &[5, 4, 3, 2, 1, 0] },
    Kind { mirror: &[4, 3, 2, 1, 0] },
    Kind { mirror: &[3, 2, 1, 0] },
];

/// Where the fillings of each kind begin when all are numbered in a row; then the end.
const STARTS: [usize; KINDS.len() + 1] = {
    let mut starts = [0; KINDS.len() + 1];
    let mut kind = 0;
    while kind < KINDS.len() {
        starts[kind + 1] = starts[kind] + KINDS[kind].fillings();
        kind += 1;
    }
    starts
};

/// All fillings of all kinds.
pub(super) const FILLINGS: usize = STARTS[KINDS.len()];

/// The places of a diagonal of one length: its squares, and how far its columns are shifted.
const fn diagonals<const PLACES: usize>(length: i32) -> [(u64, u32); PLACES] {
    let mut places = [(0, 0); PLACES];
    let mut place = 0;
    while place < PLACES {
        // Down to the right and down to the left, below and above the middle.
        let (falling, above) = (place % 2 == 0, place / 2 == 0);
        let (mut squares, mut step) = (0, 0);
        let off = 8 - length;
        let first_column = if above == falling { off } else { 0 };
        while step < length {
            let column = first_column + step;
            let row = match (falling, above) {
                (true, true) => step,
                (true, false) => off + step,
                (false, true) => length - 1 - step,
                (false, false) => 7 - step,
            };
            squares |= 1u64 << (8 * row + column);
            step += 1;
        }
        places[place] = (squares, 56 + first_column as u32);
        place += 1;
    }
    places
}

const DIAGONALS_8: [(u64, u32); 2] = diagonals(8);
const DIAGONALS_7: [(u64, u32); 4] = diagonals(7);
const DIAGONALS_6: [(u64, u32); 4] = diagonals(6);
const DIAGONALS_5: [(u64, u32); 4] = diagonals(5);
const DIAGONALS_4: [(u64, u32); 4] = diagonals(4);

/// The board with rows and columns exchanged, by three exchanges of blocks (Warren, Hacker's
/// Delight, 2002).
#[inline(always)]
const fn transposed(mut board: u64) -> u64 {
    let mut moved = (board ^ board >> 7) & 0x00aa_00aa_00aa_00aa;
    board ^= moved ^ moved << 7;
    moved = (board ^ board >> 14) & 0x0000_cccc_0000_cccc;
    board ^= moved ^ moved << 14;
    moved = (board ^ board >> 28) & 0x0000_0000_f0f0_f0f0;
    board ^ moved ^ moved << 28
}

/// Hands out the filling of every pattern on the board, as its number among all fillings.
#[inline(always)]
pub(super) fn each(own: u64, other: u64, mut sink: impl FnMut(usize)) {
    let mut see = |kind: usize, own: u64, other: u64| {
        let digits = |bits: u64| usize::from(BASE_3[bits as usize % 1024]);
        sink(STARTS[kind] + digits(own) + 2 * digits(other));
    };
    let (own_turned, other_turned) = (transposed(own), transposed(other));
    for (own, other) in [
        (own, other),
        (own.swap_bytes(), other.swap_bytes()),
        (own_turned, other_turned),
        (own_turned.swap_bytes(), other_turned.swap_bytes()),
    ] {
        // The squares b2 and g2 come to lie behind h1.
        let edge = |board: u64| board & 0xff | board >> 1 & 0x100 | board >> 5 & 0x200;
        see(EDGE, edge(own), edge(other));
        see(LINES, own >> 8 & 0xff, other >> 8 & 0xff);
        see(LINES + 1, own >> 16 & 0xff, other >> 16 & 0xff);
        see(LINES + 2, own >> 24 & 0xff, other >> 24 & 0xff);
    }
    // A multiplication brings the columns, each with one square at most, into the top byte.
    let mut cross = |kind: usize, places: &[(u64, u32)]| {
        for (squares, shift) in places {
            let line = |board: u64| (board & squares).wrapping_mul(0x0101_0101_0101_0101) >> shift;
            see(kind, line(own), line(other));
        }
    };
    cross(DIAGONALS, &DIAGONALS_8);
    cross(DIAGONALS + 1, &DIAGONALS_7);
    cross(DIAGONALS + 2, &DIAGONALS_6);
    cross(DIAGONALS + 3, &DIAGONALS_5);
    cross(DIAGONALS + 4, &DIAGONALS_4);
    // The upper left three by three squares: of the board as it is, upside down, ...
    let block = |board: u64| board & 7 | board >> 5 & 0x38 | board >> 10 & 0x1c0;
    see(CORNER, block(own), block(other));
    see(CORNER, block(own.swap_bytes()), block(other.swap_bytes()));
    let [own, other] = [own_turned, other_turned].map(u64::swap_bytes);
    see(CORNER, block(own), block(other));
    let digits = |board| usize::from(BASE_3_ROWS_REVERSED[block(board) as usize % 512]);
    sink(STARTS[CORNER] + digits(own >> 5) + 2 * digits(other >> 5));
}

/// The number of each filling among those that differ by more than a mirror.
pub(super) static CLASSES: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let mut classes = Vec::with_capacity(FILLINGS);
    let mut next = 0;
    for (kind, start) in KINDS.iter().zip(STARTS) {
        for filling in 0..kind.fillings() {
            let mirrored = kind.mirror.iter().enumerate().map(|(square, image)| {
                filling / 3usize.pow(square as u32) % 3 * 3usize.pow(*image as u32)
            });
            let mirrored = mirrored.sum::<usize>();
            if mirrored < filling {
                classes.push(classes[start + mirrored]);
            } else {
                classes.push(next);
                next += 1;
            }
        }
    }
    classes
});
