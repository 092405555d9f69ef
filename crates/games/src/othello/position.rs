//! A position of Othello and its rules.

use std::fmt;

use secateur_search::{Game, Line, Outcome, Player};

use super::OthelloMove;
use super::board::{each_bit, flips, placements};

/// Whose discs are where, and whose turn it is. Black is [`Player::First`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Othello {
    own: u64,
    other: u64,
    turn: Player,
}

impl Othello {
    /// The position with four discs: White on d4 and e5, Black on e4 and d5, Black to move.
    pub const START: Othello =
        Othello { own: 1 << 28 | 1 << 35, other: 1 << 27 | 1 << 36, turn: Player::First };

    /// The position with these discs, bit 0 for a1 to bit 63 for h8. None if two discs share a
    /// square; anything else is a position, also one that no game can reach.
    pub const fn new(black: u64, white: u64, turn: Player) -> Option<Othello> {
        if black & white != 0 {
            return None;
        }
        Some(match turn {
            Player::First => Othello { own: black, other: white, turn },
            Player::Second => Othello { own: white, other: black, turn },
        })
    }

    /// The discs of the side to move.
    #[inline]
    pub const fn own(&self) -> u64 {
        self.own
    }

    /// The discs of the side that is not to move.
    #[inline]
    pub const fn other(&self) -> u64 {
        self.other
    }

    /// The discs of one player.
    #[inline]
    pub const fn discs_of(&self, player: Player) -> u64 {
        if player as u8 == self.turn as u8 { self.own } else { self.other }
    }

    /// Whose disc is on a square, 0 for a1 to 63 for h8. None if it is empty or no square.
    pub const fn disc_on(&self, square: u8) -> Option<Player> {
        let bit = if square < 64 { 1 << square } else { 0 };
        if self.own & bit != 0 {
            Some(self.turn)
        } else if self.other & bit != 0 {
            Some(self.turn.other())
        } else {
            None
        }
    }

    /// The squares without a disc.
    #[inline]
    pub const fn empty(&self) -> u64 {
        !(self.own | self.other)
    }

    /// How many discs are on the board.
    #[inline]
    pub const fn discs(&self) -> u32 {
        (self.own | self.other).count_ones()
    }

    /// The squares on which the side to move may place a disc.
    #[inline]
    pub const fn placements(&self) -> u64 {
        placements(self.own, self.other)
    }

    /// The squares on which the other side could place a disc if it were its turn.
    #[inline]
    pub const fn placements_of_other(&self) -> u64 {
        placements(self.other, self.own)
    }

    /// The lead of the side to move if the game ended here: its discs less the opponent's, and
    /// the squares left empty count for the winner. That is the tournament rule and the
    /// convention of the FFO problems and the WThor files; a wiped-out opponent has lost by 64.
    pub const fn margin(&self) -> i16 {
        let lead = self.own.count_ones() as i16 - self.other.count_ones() as i16;
        lead + lead.signum() * self.empty().count_ones() as i16
    }

    /// Black's discs if the game ended here, the empty squares given to the winner (and shared
    /// if there is none). White has the rest of the 64.
    pub const fn final_black_discs(&self) -> u8 {
        let margin = self.margin();
        let black_lead = if matches!(self.turn, Player::First) { margin } else { -margin };
        (32 + black_lead / 2) as u8
    }

    /// Whether neither side has a move.
    pub const fn is_over(&self) -> bool {
        self.placements() == 0 && self.placements_of_other() == 0
    }

    /// The same discs with the other side to move.
    #[inline]
    pub(super) const fn turned(&self) -> Othello {
        Othello { own: self.other, other: self.own, turn: self.turn.other() }
    }
}

/// A hash of two boards: each is multiplied by an odd constant of 64 random bits, and the upper
/// half of the product is folded onto the lower, so that every bit of the boards reaches every bit
/// of the key. That costs two multiplications where it is asked for and nothing elsewhere; keys by
/// exclusive or (Zobrist) would cost a table access for every disc turned in every move.
#[inline]
pub(super) const fn hash(own: u64, other: u64) -> u64 {
    const fn fold(value: u64, factor: u64) -> u64 {
        let product = value as u128 * factor as u128;
        product as u64 ^ (product >> 64) as u64
    }
    let first = fold(own ^ 0x2d35_8dcc_aa6c_78a5, 0x8bb8_4b93_962e_acc9);
    fold(first ^ other ^ 0x4b33_a62e_d433_d4a3, 0x9e6c_63d0_876a_3f6b)
}

impl Game for Othello {
    type Move = OthelloMove;
    /// Nothing ever repeats, so the line needs no facts.
    type Mark = ();

    #[inline]
    fn turn(&self) -> Player {
        self.turn
    }

    #[inline]
    fn play(&mut self, m: OthelloMove) {
        if let Some(square) = m.square() {
            let turned = flips(self.own, self.other, square);
            self.own ^= turned | 1 << square;
            self.other ^= turned;
        }
        *self = self.turned();
    }

    #[inline]
    fn each_move(&self, mut sink: impl FnMut(OthelloMove)) {
        let squares = self.placements();
        if squares != 0 {
            each_bit(squares, |square| sink(OthelloMove::on(square)));
        } else if self.placements_of_other() != 0 {
            sink(OthelloMove::PASS);
        }
    }

    #[inline]
    fn count_moves(&self) -> usize {
        match self.placements() {
            0 => usize::from(self.placements_of_other() != 0),
            squares => squares.count_ones() as usize,
        }
    }

    #[inline]
    fn pack(m: OthelloMove) -> u16 {
        m.index() as u16 + 1
    }

    #[inline]
    fn unpack(&self, bits: u16) -> Option<OthelloMove> {
        let m = OthelloMove::from_index(usize::from(bits).checked_sub(1)?)?;
        let legal = match m.square() {
            Some(square) => {
                self.empty() >> square & 1 == 1 && flips(self.own, self.other, square) != 0
            }
            None => self.placements() == 0 && self.placements_of_other() != 0,
        };
        legal.then_some(m)
    }

    /// The discs as the side to move sees them. Black's position and White's with the colours
    /// exchanged have the same future, so the colours are not part of it.
    #[inline]
    fn key(&self) -> u64 {
        hash(self.own, self.other)
    }

    fn mark(&self, _before: &Othello, _m: OthelloMove) {}

    /// Always: a placement adds a disc for good, and after a pass the other side has to place
    /// one, so the position with the turn given back never comes.
    #[inline]
    fn irreversible(&self, _m: OthelloMove) -> bool {
        true
    }

    #[inline]
    fn ended(&self) -> Option<Outcome> {
        // A side without discs can never turn one over, nor can the other.
        let over = self.empty() == 0 || self.own == 0 || self.other == 0;
        over.then(|| self.without_moves())
    }

    #[inline]
    fn without_moves(&self) -> Outcome {
        Outcome::Margin(self.margin())
    }

    #[inline]
    fn recurrence(&self, _line: &Line<()>) -> Option<Outcome> {
        None
    }
}

/// The position as a line of text.
impl fmt::Debug for Othello {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&secateur_search::Notation::write_position(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_search::Notation;
    use secateur_search::testkit::reference::moves;

    fn position(text: &str) -> Othello {
        Othello::read_position(text).unwrap()
    }

    /// White's disc is in the corner and safe; White threatens to turn over Black's beside it.
    fn black_must_pass() -> Othello {
        position(&format!("OX{} X", "-".repeat(62)))
    }

    #[test]
    fn the_first_moves_are_the_known_ones() {
        let names: Vec<String> = moves(&Othello::START).iter().map(ToString::to_string).collect();
        assert_eq!(names, ["d3", "c4", "f5", "e6"]);
    }

    #[test]
    fn a_side_without_a_placement_passes_and_the_turn_goes_over() {
        let before = black_must_pass();
        assert_eq!(moves(&before), [OthelloMove::PASS]);
        assert_eq!(before.ended(), None);
        let after = before.after(OthelloMove::PASS);
        assert_eq!((after.own(), after.other()), (before.other(), before.own()));
        assert_eq!(after.turn(), Player::Second);
        assert_ne!(after.key(), before.key());
        assert_eq!(moves(&after).len(), 1);
    }

    #[test]
    fn a_pass_is_not_legal_while_there_is_a_placement_nor_when_the_game_is_over() {
        let pass = Othello::pack(OthelloMove::PASS);
        assert_eq!(Othello::START.unpack(pass), None);
        assert_eq!(black_must_pass().unpack(pass), Some(OthelloMove::PASS));
        assert_eq!(position(&format!("X-O{} X", "-".repeat(61))).unpack(pass), None);
    }

    #[test]
    fn the_empty_squares_count_for_the_winner() {
        let wiped_out = position(&format!("XXX{} O", "-".repeat(61)));
        assert_eq!(wiped_out.ended(), Some(Outcome::Margin(-64)));
        assert_eq!(wiped_out.final_black_discs(), 64);
        // Three against one, all too far apart to turn anything over.
        let apart = position(&format!("---XX--XO{} X", "-".repeat(55)));
        assert!(apart.is_over());
        assert_eq!(apart.without_moves(), Outcome::Margin(3 - 1 + 60));
        assert_eq!(apart.final_black_discs(), 63);
    }

    #[test]
    fn equal_discs_are_a_draw_and_the_empty_squares_are_shared() {
        let even = position(&format!("X-O{} X", "-".repeat(61)));
        assert_eq!((even.ended(), even.without_moves()), (None, Outcome::Margin(0)));
        assert_eq!(even.final_black_discs(), 32);
    }

    #[test]
    fn a_full_board_is_over_before_any_move_is_generated() {
        let full = position(&format!("{}{} O", "X".repeat(30), "O".repeat(34)));
        assert_eq!(full.ended(), Some(Outcome::Margin(4)));
        assert_eq!(full.count_moves(), 0);
    }

    #[test]
    fn exchanged_colours_keep_the_key() {
        let black = Othello::START;
        let white = Othello::new(black.other(), black.own(), Player::Second).unwrap();
        assert_eq!(black.key(), white.key());
        assert_ne!(black, white);
    }

    #[test]
    fn two_discs_do_not_share_a_square() {
        assert_eq!(Othello::new(3, 2, Player::First), None);
    }

    #[test]
    fn one_disc_more_changes_about_half_of_the_key() {
        let start = Othello::START;
        let mut changed = [0; 64];
        let mut samples = 0;
        for square in 0..64 {
            for (own, other) in
                [(start.own ^ 1 << square, start.other), (start.own, start.other ^ 1 << square)]
            {
                let difference = hash(own, other) ^ start.key();
                assert!((12..=52).contains(&difference.count_ones()), "{square}: {difference:#x}");
                each_bit(difference, |bit| changed[bit as usize] += 1);
                samples += 1;
            }
        }
        let range = samples / 4..=samples * 3 / 4;
        assert!(changed.iter().all(|count| range.contains(count)), "{changed:?}");
    }

    #[test]
    fn an_illegal_move_panics_nowhere() {
        for index in 0..OthelloMove::COUNT {
            let mut position = Othello::START;
            position.play(OthelloMove::from_index(index).unwrap());
            position.play(OthelloMove::from_index(index).unwrap());
            assert!(moves(&position).len() == position.count_moves());
            assert!(position.margin().abs() <= 64);
        }
    }
}
