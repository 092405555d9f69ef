//! What the last disc turns over, without placing it.
//!
//! With one empty square all discs that are not own are the opponent's, so the own discs on the four
//! lines through the square decide, and a table knows the count for each line.

/// How many discs a placement turns over on a line of eight squares, by the place of the new disc
/// and the own discs on the line, when all the other squares hold discs of the opponent. A line
/// shorter than eight works too: what lies outside it ends no run, just as the opponent's discs.
static TURNED_ON_LINE: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut own = 0;
        while own < 256 {
            let mut turned = 0;
            let mut step = 1;
            while place + step < 8 {
                if own >> (place + step) & 1 == 1 {
                    turned += step - 1;
                    break;
                }
                step += 1;
            }
            step = 1;
            while step <= place {
                if own >> (place - step) & 1 == 1 {
                    turned += step - 1;
                    break;
                }
                step += 1;
            }
            table[place][own] = turned as u8;
            own += 1;
        }
        place += 1;
    }
    table
};

/// The two diagonals through each square: the one that falls to the right, the one that rises.
static DIAGONALS: [[u64; 2]; 64] = {
    let mut table = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let mut on = 0;
        while on < 64 {
            if square / 8 - square % 8 == on / 8 - on % 8 {
                table[square as usize][0] |= 1 << on;
            }
            if square / 8 + square % 8 == on / 8 + on % 8 {
                table[square as usize][1] |= 1 << on;
            }
            on += 1;
        }
        square += 1;
    }
    table
};

/// How many discs the owner of `own` turns over on `square`, the only empty one.
///
/// Each of the four lines is gathered into eight bits: the row is there, a multiplication stands
/// the column upright, another adds the rows of a diagonal, which has one square in each column.
#[inline(always)]
pub(super) fn turned_by_last(own: u64, square: u8) -> i32 {
    const COLUMN: u64 = 0x0101_0101_0101_0101;
    let (row, column) = ((square >> 3 & 7) as usize, (square & 7) as usize);
    let [falling, rising] = DIAGONALS[(square & 63) as usize];
    let on_row = own >> (8 * row) & 0xff;
    let on_column = (own >> column & COLUMN).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let on_falling = (own & falling).wrapping_mul(COLUMN) >> 56;
    let on_rising = (own & rising).wrapping_mul(COLUMN) >> 56;
    let by_column = &TURNED_ON_LINE[column];
    i32::from(by_column[on_row as usize])
        + i32::from(TURNED_ON_LINE[row][on_column as usize])
        + i32::from(by_column[on_falling as usize])
        + i32::from(by_column[on_rising as usize])
}

#[cfg(test)]
mod tests {
    use super::super::super::board::flips;
    use super::*;
    use secateur_search::random::SplitMix;

    #[test]
    fn the_last_disc_turns_over_as_many_as_the_rules_say() {
        let mut random = SplitMix::new(5);
        for square in 0..64u8 {
            for _ in 0..2_000 {
                let mut own = random.next_u64();
                if random.below(2) == 0 {
                    own &= random.next_u64();
                }
                own &= !(1 << square);
                let other = !own & !(1 << square);
                let expected = flips(own, other, square).count_ones() as i32;
                assert_eq!(turned_by_last(own, square), expected, "{own:#x} {square}");
            }
        }
    }
}
