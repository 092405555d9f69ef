//! The engine's view of chess.

use cozy_chess::{Color, Move, Piece, Rank, Square, get_between_rays};
use secateur_search::{Ability, Game, Gen, Line, Tactics};

use super::keys;
use super::position::is_drawn_after;
use super::{Chess, checks, evaluate, exchange, generate, moves, returns};

/// Weighted material below which, for both sides, the endgame begins (Jiang and Buro, 2003):
/// queen 9, rook 5, bishop and knight 3, pawns not counted.
const ENDGAME_BELOW: u32 = 15;

/// An exchange that wins less threatens nothing.
const PROFIT: i32 = 100;

/// The facets, in the order of [`Tactics::facet_key`].
const FACET_NAMES: [&str; 3] = ["pawns", "white pieces", "black pieces"];

impl Chess {
    /// The names of the facet keys.
    pub const FACET_NAMES: [&str; 3] = FACET_NAMES;

    /// Queen 9, rook 5, bishop and knight 3, pawns and king 0.
    pub fn weighted_material(&self, color: Color) -> u32 {
        let count = |piece| self.board().colored_pieces(color, piece).iter().count() as u32;
        9 * count(Piece::Queen)
            + 5 * count(Piece::Rook)
            + 3 * (count(Piece::Bishop) + count(Piece::Knight))
    }

    /// The most that the opponent could take with a profit if it were his turn, in score units.
    fn hanging(&self) -> i32 {
        let Some(after) = self.pass() else { return 0 };
        let mut most = 0;
        after.each(Gen::Noisy, |m| {
            let gain = after.gain(m);
            if gain > most && after.exchange_at_least(m, PROFIT) {
                most = gain;
            }
        });
        most
    }

    /// The first of the places of a piece of the side to move.
    #[inline]
    fn places(&self, piece: Piece) -> usize {
        (self.color() as usize * Piece::NUM + piece as usize) * Square::NUM
    }
}

impl Tactics for Chess {
    const ABILITIES: Ability = Ability::PASS
        .and(Ability::PASS_IS_BOUND)
        .and(Ability::CHECK)
        .and(Ability::EXCHANGE)
        .and(Ability::NOISY)
        .and(Ability::PROMOTION)
        .and(Ability::MATERIAL);
    const PLACES: usize = Color::NUM * Piece::NUM * Square::NUM;
    const VICTIMS: usize = Piece::NUM;
    const STAGES: usize = 2;
    const CATEGORIES: usize = 1;
    const FACETS: usize = FACET_NAMES.len();
    const CUTS: &'static [&'static str] = &[
        include_str!("../../cuts/chess-modern.toml"),
        include_str!("../../cuts/chess-classic.toml"),
    ];
    /// What the opponent would win by taking if it were his turn, and what the evaluation counts as danger
    /// to either king.
    const UNREST: &'static [&'static str] = &["hanging", "king danger"];
    const RANKS: &'static str = include_str!("../../ranks/chess.toml");
    const ODDS: &'static str = include_str!("../../odds/chess.toml");

    #[inline]
    fn each(&self, which: Gen, mut sink: impl FnMut(Move)) {
        match which {
            Gen::All => self.each_move(sink),
            Gen::Noisy | Gen::Quiet => self.each_placed(which, |m, _| sink(m)),
        }
    }

    #[inline]
    fn each_placed(&self, which: Gen, mut sink: impl FnMut(Move, usize)) {
        let board = self.board();
        let placed = |piece, m: Move| {
            let (places, ours) = (self.places(piece), board.colors(self.color()));
            // A king takes no rook of its own: it castles, and goes elsewhere.
            sink(m, if ours.has(m.to) { self.place(m) } else { places + m.to as usize });
        };
        match which {
            Gen::All => self.each_move(|m| sink(m, self.place(m))),
            Gen::Noisy => generate::noisy(board, placed),
            Gen::Quiet => generate::quiet(board, placed),
        }
    }

    #[inline]
    fn is_noisy(&self, m: Move) -> bool {
        moves::is_noisy(self.board(), m)
    }

    #[inline]
    fn place(&self, m: Move) -> usize {
        let board = self.board();
        let to = moves::castling(board, m).map_or(m.to, |castling| castling.king);
        let piece = board.piece_on(m.from).unwrap_or(Piece::Pawn);
        self.places(piece) + to as usize
    }

    #[inline]
    fn takes_back(&self, m: Move, last: usize) -> bool {
        self.board().colors(!self.color()).has(m.to) && last % Square::NUM == m.to as usize
    }

    #[inline]
    fn about_to_promote(&self, m: Move) -> bool {
        // On the seventh a pawn has passed all others.
        m.to.rank() == Rank::Seventh.relative_to(self.color())
            && self.board().pieces(Piece::Pawn).has(m.from)
    }

    #[inline]
    fn victim(&self, m: Move) -> usize {
        moves::victim(self.board(), m).map_or(0, |piece| piece as usize + 1)
    }

    #[inline]
    fn gain(&self, m: Move) -> i32 {
        exchange::gain(self.board(), m)
    }

    /// As exchanges count it.
    #[inline]
    fn material(&self) -> i32 {
        let board = self.board();
        let count = |color, piece| board.colored_pieces(color, piece).len() as i32;
        Piece::ALL.iter().fold(0, |sum, &piece| {
            let more = count(self.color(), piece) - count(!self.color(), piece);
            sum + more * exchange::worth(piece)
        })
    }

    #[inline]
    fn officers(&self) -> [usize; 2] {
        let board = self.board();
        let lesser = board.pieces(Piece::Pawn) | board.pieces(Piece::King);
        [self.color(), !self.color()].map(|color| (board.colors(color) - lesser).len() as usize)
    }

    /// A threat to take something: by moving that away, taking what would take it, or standing in
    /// between. Any other threat: by taking or standing in between.
    #[inline]
    fn meets(&self, m: Move, threat: Move) -> bool {
        let runs = m.from == threat.to;
        let takes = m.to == threat.from;
        runs || takes || get_between_rays(threat.from, threat.to).has(m.to)
    }

    #[inline]
    fn in_check(&self) -> bool {
        !self.board().checkers().is_empty()
    }

    #[inline]
    fn gives_check(&self, m: Move) -> bool {
        checks::gives_check(self.board(), m)
    }

    #[inline]
    fn each_quiet_check(&self, mut sink: impl FnMut(Move, usize)) {
        checks::quiet(self.board(), |m| sink(m, self.place(m)));
    }

    #[inline]
    fn exchange_at_least(&self, m: Move, bound: i32) -> bool {
        exchange::at_least(self.board(), m, bound)
    }

    #[inline]
    fn pass(&self) -> Option<Chess> {
        self.null_move()
    }

    /// Not in check, and not with pawns alone: there zugzwang is common.
    #[inline]
    fn pass_is_bound(&self) -> bool {
        let board = self.board();
        let pawns_and_king = board.pieces(Piece::Pawn) | board.pieces(Piece::King);
        board.checkers().is_empty() && !(board.colors(self.color()) - pawns_and_king).is_empty()
    }

    /// Fifty moves of each side without a capture or a pawn move draw.
    #[inline]
    fn move_rule_spent(&self) -> i32 {
        i32::from(self.board().halfmove_clock()) * 256 / 100
    }

    #[inline]
    fn can_recur(&self, line: &Line<()>) -> bool {
        let now = line.current().key;
        // Three plies back or five or more: what one move of ours would bring back.
        line.back().skip(2).step_by(2).any(|(distance, earlier)| {
            returns::find(now ^ earlier.key).is_some_and(|squares| {
                returns::can_go(self.board(), self.color(), squares)
                    && is_drawn_after(line.occurrences_on_return(distance))
            })
        })
    }

    /// 0 in the middle game, 1 in the endgame.
    #[inline]
    fn stage(&self) -> usize {
        Color::ALL.iter().all(|color| self.weighted_material(*color) < ENDGAME_BELOW).into()
    }

    #[inline]
    fn category(&self) -> usize {
        0
    }

    fn unrest(&self, which: usize) -> i32 {
        if which == 0 { self.hanging() } else { evaluate::danger(self) }
    }

    #[inline]
    fn facet_key(&self, facet: usize) -> u64 {
        match facet {
            0 => keys::pawns(self.board()),
            1 => keys::pieces(self.board(), Color::White),
            _ => keys::pieces(self.board(), Color::Black),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_search::Notation;

    fn read(fen: &str) -> Chess {
        Chess::read_position(fen).unwrap()
    }

    fn noisy(fen: &str) -> Vec<String> {
        let position = read(fen);
        let mut texts = Vec::new();
        position.each(Gen::Noisy, |m| texts.push(position.describe_move(m)));
        texts.sort();
        texts
    }

    #[test]
    fn captures_and_queening_are_noisy() {
        assert_eq!(
            noisy("1n2k3/P7/8/3pP3/8/8/8/R3K2R w KQ d6 0 1"),
            ["a8=Q", "axb8=B", "axb8=N", "axb8=Q+", "axb8=R+", "exd6"]
        );
    }

    #[test]
    fn castling_is_quiet_takes_nothing_and_goes_where_the_king_goes() {
        let position = read("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
        let castle = position.read_move("O-O").unwrap();
        assert!(!position.is_noisy(castle));
        assert_eq!((position.victim(castle), position.gain(castle)), (0, 0));
        let walk = read("4k3/8/8/8/8/8/8/R4K1R w - - 0 1");
        assert_eq!(position.place(castle), walk.place(walk.read_move("Kg1").unwrap()));
    }

    #[test]
    fn what_has_just_taken_can_be_taken_back() {
        let before = read("4k3/8/2n1b3/3p4/4P3/8/8/3RK3 w - - 0 1");
        let taking = before.read_move("exd5").unwrap();
        let after = before.after(taking);
        let takes =
            |text: &str| after.takes_back(after.read_move(text).unwrap(), before.place(taking));
        assert_eq!(["Bxd5", "Nb4", "Bf7"].map(takes), [true, false, false]);
    }

    #[test]
    fn a_pawn_is_about_to_promote_on_the_seventh() {
        let about = |fen: &str, text: &str| {
            let position = read(fen);
            position.about_to_promote(position.read_move(text).unwrap())
        };
        let white = "4k3/8/P2P2p1/8/8/8/8/R3K3 w - - 0 1";
        assert_eq!(["a7", "d7+", "Ra2"].map(|text| about(white, text)), [true, true, false]);
        assert!(about("4k3/8/8/8/8/3p4/8/6K1 b - - 0 1", "d2"));
        assert!(!about("4k3/8/8/8/8/3p4/4P3/6K1 b - - 0 1", "Kd7"));
        assert!(!about("4k3/8/8/8/3p4/8/8/6K1 b - - 0 1", "d3"));
    }

    #[test]
    fn the_stage_follows_the_weighted_material_of_both_sides() {
        assert_eq!(Chess::start().stage(), 0);
        // Queen and rook make 14; another minor piece makes 17.
        assert_eq!(read("3qr1k1/8/8/8/8/8/8/3QR1K1 w - - 0 1").stage(), 1);
        assert_eq!(read("3qr1k1/8/8/8/8/8/8/2NQR1K1 w - - 0 1").stage(), 0);
    }

    #[test]
    fn a_pass_is_no_bound_in_check_or_with_pawns_alone() {
        assert!(Chess::start().pass_is_bound());
        assert!(!read("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1").pass_is_bound());
        assert!(!read("4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1").pass_is_bound());
    }

    #[test]
    fn the_pieces_of_the_side_to_move_decide_whether_a_pass_is_a_bound() {
        assert!(read("4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1").pass_is_bound());
        assert!(!read("4k3/pppp4/8/8/8/8/PPPP4/R3K3 b - - 0 1").pass_is_bound());
    }

    #[test]
    fn the_move_rule_is_spent_ply_by_ply() {
        let spent =
            |clock: u8| read(&format!("4k3/8/8/8/8/8/8/R3K3 w - - {clock} 60")).move_rule_spent();
        assert_eq!([0, 50, 100].map(spent), [0, 128, 256]);
    }

    #[test]
    fn what_hangs_is_what_the_opponent_could_take_with_a_profit() {
        // The queen on d4 can be taken by the bishop for nothing; protected by a pawn, for a bishop.
        assert_eq!(read("4k3/8/5b2/8/3Q4/8/8/4K3 w - - 0 1").unrest(0), 900);
        assert_eq!(read("4k3/8/5b2/8/3Q4/4P3/8/4K3 w - - 0 1").unrest(0), 900);
        // A protected pawn is not worth a bishop, and what the opponent has hanging is his affair.
        assert_eq!(read("4k3/8/5b2/8/3P4/4P3/8/4K3 w - - 0 1").unrest(0), 0);
        assert_eq!(read("4k3/6p1/5b2/8/3Q4/8/8/4K3 b - - 0 1").unrest(0), 0);
        let (calm, wild) =
            ("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1", "6k1/8/8/8/8/5nq1/8/6K1 w - - 0 1");
        assert!(read(wild).unrest(1) > read(calm).unrest(1));
    }

    #[test]
    fn a_place_is_colour_piece_and_square() {
        let position = read("4k3/8/8/8/8/8/8/R2QK3 w - - 0 1");
        let place =
            |position: &Chess, text: &str| position.place(position.read_move(text).unwrap());
        let mirrored = read("r2qk3/8/8/8/8/8/8/4K3 b - - 0 1");
        let places = [
            place(&position, "Ra4"),
            place(&position, "Qd4"),
            place(&position, "Qa4+"),
            place(&mirrored, "Qa5+"),
            place(&mirrored, "Ra5"),
        ];
        let mut distinct = places.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), places.len(), "{places:?}");
        let same_square = read("r2qk3/8/8/8/8/8/8/4K3 b - - 0 1");
        assert_ne!(place(&position, "Ra4"), place(&same_square, "Ra4"), "another colour");
    }
}
