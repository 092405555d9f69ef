//! Connect Four, whole: the rules, an evaluation, a game against itself and the tests that every
//! game should have. Copy this crate to begin a game of your own.
//!
//! ```text
//! cargo run --release -p connect-four        # play one game, looking 10 plies ahead
//! cargo test -p connect-four                 # the contract and known leaf counts
//! ```

use secateur_search::alphabeta::engine::{Answer, Limits};
use secateur_search::{Evaluator, Game, Line, Outcome, Player, Score, plain};

/// Seven columns of six places, each column seven bits high so that lines never wrap round.
#[derive(Clone, Default)]
struct ConnectFour {
    /// Stones of the side to move.
    own: u64,
    /// Stones of the side that moved last.
    other: u64,
    stones: u32,
}

const COLUMNS: u32 = 7;
const ROWS: u32 = 6;

/// The lowest place of a column.
const fn bottom(column: u32) -> u64 {
    1 << (column * (ROWS + 1))
}

/// The highest place of a column.
const fn top(column: u32) -> u64 {
    bottom(column) << (ROWS - 1)
}

/// The first place of every possible four in a row.
fn fours(stones: u64) -> u64 {
    [1, ROWS, ROWS + 1, ROWS + 2].iter().fold(0, |found, step| {
        let pairs = stones & stones >> step;
        found | pairs & pairs >> (2 * step)
    })
}

impl ConnectFour {
    fn open(&self, column: u32) -> bool {
        (self.own | self.other) & top(column) == 0
    }

    fn draw(&self) -> String {
        let second = self.turn() == Player::Second;
        let (x, o) = if second { (self.other, self.own) } else { (self.own, self.other) };
        let symbol = |row: u32, column: u32| match bottom(column) << row {
            place if x & place != 0 => " X",
            place if o & place != 0 => " O",
            _ => " .",
        };
        let line = |row| (0..COLUMNS).map(|column| symbol(row, column)).collect::<String>() + "\n";
        (0..ROWS).rev().map(line).collect::<String>() + " 1 2 3 4 5 6 7\n"
    }
}

impl Game for ConnectFour {
    /// The column, from 0.
    type Move = u8;
    /// Nothing ever repeats, so the line needs no facts.
    type Mark = ();

    fn turn(&self) -> Player {
        if self.stones.is_multiple_of(2) { Player::First } else { Player::Second }
    }

    fn play(&mut self, column: u8) {
        let taken = self.own | self.other;
        // Adding the bottom place carries up to the first empty one.
        let column = u32::from(column);
        let place = (taken + bottom(column)) & !taken & (bottom(column + 1) - bottom(column));
        (self.own, self.other) = (self.other, self.own | place);
        self.stones += 1;
    }

    fn each_move(&self, mut sink: impl FnMut(u8)) {
        if self.ended().is_none() {
            // The middle first: it is better more often.
            for column in [3, 2, 4, 1, 5, 0, 6] {
                if self.open(column.into()) {
                    sink(column);
                }
            }
        }
    }

    fn count_moves(&self) -> usize {
        let mut count = 0;
        self.each_move(|_| count += 1);
        count
    }

    fn pack(column: u8) -> u16 {
        u16::from(column) + 1
    }

    fn unpack(&self, bits: u16) -> Option<u8> {
        let column = u8::try_from(bits).ok()?.checked_sub(1)?;
        let legal = u32::from(column) < COLUMNS && self.open(column.into());
        (legal && self.ended().is_none()).then_some(column)
    }

    fn key(&self) -> u64 {
        // Two boards of 49 bits do not fit; multiplying by an odd constant spreads them.
        (self.own.wrapping_mul(0x9e37_79b9_7f4a_7c15)).rotate_left(29) ^ self.other
    }

    fn mark(&self, _before: &Self, _column: u8) {}

    fn irreversible(&self, _column: u8) -> bool {
        true
    }

    fn ended(&self) -> Option<Outcome> {
        if fours(self.other) != 0 {
            Some(Outcome::Loss)
        } else if self.stones == COLUMNS * ROWS {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    fn without_moves(&self) -> Outcome {
        self.ended().expect("only a finished game has no moves")
    }

    fn recurrence(&self, _line: &Line<()>) -> Option<Outcome> {
        None
    }
}

/// Stones near the middle are worth more: they are part of more fours.
#[derive(Clone)]
struct Middle;

impl Evaluator<ConnectFour> for Middle {
    fn start(&mut self, _root: &ConnectFour) {}
    fn advance(&mut self, _ply: usize, _before: &ConnectFour, _m: u8, _after: &ConnectFour) {}
    fn advance_pass(&mut self, _ply: usize, _after: &ConnectFour) {}

    fn evaluate(&mut self, _ply: usize, position: &ConnectFour) -> Score {
        const WORTH: [i32; COLUMNS as usize] = [0, 3, 6, 10, 6, 3, 0];
        let count = |stones: u64| -> i32 {
            let column = |index: u32| stones & (bottom(index + 1) - bottom(index));
            (0..COLUMNS).map(|c| column(c).count_ones() as i32 * WORTH[c as usize]).sum()
        };
        Score::heuristic(count(position.own) - count(position.other))
    }

    fn identity(&self) -> u64 {
        1
    }
}

fn main() {
    let mut position = ConnectFour::default();
    let search = |position: &ConnectFour| plain::search(position, Middle, &Limits::depth(10));
    while let Answer { best: Some(column), score, .. } = search(&position) {
        println!("{:?} plays {} ({score})", position.turn(), column + 1);
        position.play(column);
        println!("{}", position.draw());
    }
    println!("{:?} for the side to move: {:?}", position.without_moves(), position.turn());
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_search::{perft::perft, testkit::contract};

    #[test]
    fn connect_four_keeps_the_contract() {
        let effort = contract::Effort { games: 200, ..Default::default() };
        contract::rules(&[ConnectFour::default()], &effort).unwrap();
        contract::evaluator(&[ConnectFour::default()], &effort, || Middle).unwrap();
    }

    #[test]
    fn the_leaves_are_the_known_ones() {
        // 7 to the 7th less the seven ways to overfill one column.
        assert_eq!(perft(&ConnectFour::default(), 7), 823_536);
    }

    #[test]
    fn a_four_upward_or_sideways_is_found_and_ends_the_game() {
        for columns in [[0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 2, 2]] {
            let mut position = ConnectFour::default();
            columns.iter().for_each(|column| position.play(*column));
            let answer = plain::search(&position, Middle, &Limits::depth(4));
            assert_eq!(answer.score, Score::mate_in(1), "{columns:?}");
            position.play(answer.best.unwrap());
            assert_eq!(position.ended(), Some(Outcome::Loss), "{columns:?}");
        }
    }
}
