//! The rules of chess and Chess960.

use cozy_chess::{BitBoard, Board, Color, Move, Piece, Rank, Square, get_pawn_attacks};
use secateur_search::line::Occurrences;
use secateur_search::{Game, Line, Outcome, Player};

use super::moves;

/// A chess position. Copying it is cheap; what happened before lives in a [`Line`].
#[derive(Clone, Debug)]
pub struct Chess {
    board: Board,
    chess960: bool,
}

impl Chess {
    /// A position from the move generator's board.
    pub fn new(board: Board, chess960: bool) -> Chess {
        Chess { board, chess960 }
    }

    /// The move generator's board.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whether castling is written as king takes rook.
    pub fn is_chess960(&self) -> bool {
        self.chess960
    }

    /// The same position, with castling written in the given way.
    pub fn with_chess960(mut self, chess960: bool) -> Chess {
        self.chess960 = chess960;
        self
    }

    /// The colour to move.
    #[inline]
    pub fn color(&self) -> Color {
        self.board.side_to_move()
    }

    /// The square behind a pawn that just moved two squares, if a legal move can take it there.
    /// Only then does the right matter: positions that differ in an unusable one are the same.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        let us = self.color();
        let square = Square::new(self.board.en_passant()?, Rank::Sixth.relative_to(us));
        let takers = get_pawn_attacks(square, !us) & self.board.colored_pieces(us, Piece::Pawn);
        takers
            .iter()
            .any(|from| self.board.is_legal(Move { from, to: square, promotion: None }))
            .then_some(square)
    }

    /// The position after a null move, unless in check.
    #[inline]
    pub fn null_move(&self) -> Option<Chess> {
        let board = self.board.null_move()?;
        Some(Chess { board, chess960: self.chess960 })
    }

    /// Whether no sequence of legal moves can mate: bare kings, one minor piece, or only bishops
    /// of one square colour.
    pub fn is_dead(&self) -> bool {
        let board = &self.board;
        let mating = board.pieces(Piece::Pawn) | board.pieces(Piece::Rook);
        if !(mating | board.pieces(Piece::Queen)).is_empty() {
            return false;
        }
        let minors = board.pieces(Piece::Knight) | board.pieces(Piece::Bishop);
        minors.len() <= 1
            || (board.pieces(Piece::Knight).is_empty()
                && (minors.is_subset(BitBoard::DARK_SQUARES)
                    || minors.is_disjoint(BitBoard::DARK_SQUARES)))
    }

    fn has_moves(&self) -> bool {
        self.board.generate_moves(|_| true)
    }
}

impl Game for Chess {
    type Move = Move;
    type Mark = ();

    #[inline]
    fn turn(&self) -> Player {
        match self.color() {
            Color::White => Player::First,
            Color::Black => Player::Second,
        }
    }

    #[inline]
    fn play(&mut self, m: Move) {
        self.board.play_unchecked(m);
    }

    #[inline]
    fn each_move(&self, mut sink: impl FnMut(Move)) {
        self.board.generate_moves(|moves| {
            for m in moves {
                sink(m);
            }
            false
        });
    }

    #[inline]
    fn count_moves(&self) -> usize {
        let mut count = 0;
        self.board.generate_moves(|moves| {
            count += moves.len();
            false
        });
        count
    }

    #[inline]
    fn pack(m: Move) -> u16 {
        moves::pack(m)
    }

    #[inline]
    fn unpack(&self, bits: u16) -> Option<Move> {
        moves::unpack(bits).filter(|m| self.board.is_legal(*m))
    }

    #[inline]
    fn key(&self) -> u64 {
        if self.board.en_passant().is_some() && self.en_passant().is_none() {
            self.board.hash_without_ep()
        } else {
            self.board.hash()
        }
    }

    #[inline]
    fn mark(&self, _before: &Chess, _m: Move) {}

    #[inline]
    fn irreversible(&self, m: Move) -> bool {
        // Castling is among them: the king has left its first square for good.
        self.board.pieces(Piece::Pawn).has(m.from) || self.board.occupied().has(m.to)
    }

    #[inline]
    fn ended(&self) -> Option<Outcome> {
        if self.board.halfmove_clock() >= 100
            && (self.board.checkers().is_empty() || self.has_moves())
        {
            // A mate by the hundredth ply is still a mate, and stalemate is a draw anyway.
            return Some(Outcome::Draw);
        }
        self.is_dead().then_some(Outcome::Draw)
    }

    #[inline]
    fn without_moves(&self) -> Outcome {
        if self.board.checkers().is_empty() { Outcome::Draw } else { Outcome::Loss }
    }

    #[inline]
    fn recurrence(&self, line: &Line<()>) -> Option<Outcome> {
        is_drawn_after(line.occurrences()).then_some(Outcome::Draw)
    }
}

/// Whether a position that was seen so often before is a draw now. Once inside the search is
/// enough: if coming back here was best, it will be again.
#[inline]
pub(super) fn is_drawn_after(seen: Occurrences) -> bool {
    seen.in_search > 0 || seen.in_game > 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_search::Notation;

    fn read(fen: &str) -> Chess {
        Chess::read_position(fen).unwrap()
    }

    fn play(position: &Chess, moves: &str) -> (Chess, Line<()>) {
        let mut position = position.clone();
        let mut line = Line::starting_at(&position);
        for text in moves.split_whitespace() {
            let m = position.read_move(text).unwrap();
            let after = position.after(m);
            line.play(&position, m, &after);
            position = after;
        }
        (position, line)
    }

    #[test]
    fn a_position_on_the_board_for_the_third_time_is_drawn() {
        let shuffle = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1";
        let (position, line) = play(&Chess::start(), shuffle);
        assert_eq!(position.recurrence(&line), None);
        let (position, line) = play(&Chess::start(), &format!("{shuffle} Ng8"));
        assert_eq!(position.recurrence(&line), Some(Outcome::Draw));
    }

    #[test]
    fn a_lost_castling_right_makes_another_position() {
        let (position, line) = play(&Chess::start(), "e4 e5 Ke2 Ke7 Ke1 Ke8 Ke2 Ke7 Ke1 Ke8");
        assert_eq!(line.occurrences().in_game, 1, "the first time there were rights");
        assert_eq!(position.recurrence(&line), None);
    }

    #[test]
    fn an_en_passant_right_counts_only_if_it_can_be_used() {
        let usable = read("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
        let without = read("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1");
        assert_ne!(usable.key(), without.key());
        let nobody = read("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1");
        assert_eq!(nobody.key(), read("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1").key());
        let pinned = read("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1");
        assert_eq!(pinned.key(), read("8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1").key());
        assert_eq!(pinned.en_passant(), None);
    }

    #[test]
    fn the_hundredth_quiet_ply_draws_unless_it_mates() {
        assert_eq!(read("7k/8/8/8/8/8/R7/K7 b - - 99 80").ended(), None);
        assert_eq!(read("7k/8/8/8/8/8/R7/K7 b - - 100 80").ended(), Some(Outcome::Draw));
        let mated = read("R6k/6pp/8/8/8/8/8/K7 b - - 100 80");
        assert_eq!((mated.ended(), mated.count_moves()), (None, 0));
        assert_eq!(mated.without_moves(), Outcome::Loss);
        let checked = read("R6k/7p/8/8/8/8/8/K7 b - - 100 80");
        assert_eq!(checked.ended(), Some(Outcome::Draw));
    }

    #[test]
    fn dead_positions_are_the_ones_that_nobody_can_win() {
        let dead = [
            "8/8/4k3/8/8/3K4/8/8",
            "8/8/4k3/8/8/3KN3/8/8",
            "8/8/4kb2/8/8/3K4/8/8",
            "8/8/4kb2/8/8/3KB3/8/8",
            "8/8/4b2k/8/8/3B3K/8/8",
        ];
        let alive = [
            "8/8/4k3/8/8/3KNN2/8/8",
            "8/8/4kb2/8/8/3K1B2/8/8",
            "8/8/4kn2/8/8/3KB3/8/8",
            "8/8/4k3/8/8/3KP3/8/8",
            "8/8/4kr2/8/8/3K4/8/8",
            "8/8/4k3/8/8/3K4/8/7Q",
        ];
        for board in dead {
            assert_eq!(read(&format!("{board} w - - 0 1")).ended(), Some(Outcome::Draw), "{board}");
        }
        for board in alive {
            assert_eq!(read(&format!("{board} w - - 0 1")).ended(), None, "{board}");
        }
    }

    #[test]
    fn stalemate_is_a_draw() {
        let position = read("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
        assert_eq!((position.count_moves(), position.without_moves()), (0, Outcome::Draw));
    }
}
