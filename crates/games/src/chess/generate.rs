//! Noisy moves and quiet moves, each made without the other. The generator of `cozy-chess` makes all
//! at once, and most nodes of a search need the noisy ones only.
//!
//! Out of check, that is; in check there are few moves, and those that are not wanted are dropped.

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, PieceMoves, Rank, Square, get_bishop_moves,
    get_king_moves, get_knight_moves, get_line_rays, get_pawn_attacks, get_rook_moves,
};

use super::moves;

pub(super) const UNDERPROMOTIONS: [Piece; 3] = [Piece::Knight, Piece::Bishop, Piece::Rook];

/// Hands out captures and promotions to a queen, with the piece that moves.
#[inline]
pub(super) fn noisy(board: &Board, mut sink: impl FnMut(Piece, Move)) {
    if !board.checkers().is_empty() {
        return evasions(board, true, sink);
    }
    let us = board.side_to_move();
    let side = Side::of(board);
    let targets = board.colors(!us);
    let pawns = board.colored_pieces(us, Piece::Pawn);
    let last = Rank::Eighth.relative_to(us).bitboard();
    for from in pawns & attacked_by_pawns(!us, targets) {
        for to in get_pawn_attacks(from, us) & targets & side.allowed(from) {
            if last.has(to) {
                for piece in UNDERPROMOTIONS {
                    sink(Piece::Pawn, Move { from, to, promotion: Some(piece) });
                }
                sink(Piece::Pawn, Move { from, to, promotion: Some(Piece::Queen) });
            } else {
                sink(Piece::Pawn, Move { from, to, promotion: None });
            }
        }
    }
    let seventh = pawns & Rank::Seventh.relative_to(us).bitboard();
    if !seventh.is_empty() {
        for to in ahead(us, seventh) - board.occupied() {
            let from = to.offset(0, -forward(us));
            if side.allowed(from).has(to) {
                sink(Piece::Pawn, Move { from, to, promotion: Some(Piece::Queen) });
            }
        }
    }
    if let Some(file) = board.en_passant() {
        let to = Square::new(file, Rank::Sixth.relative_to(us));
        for from in get_pawn_attacks(to, !us) & pawns {
            let m = Move { from, to, promotion: None };
            if board.is_legal(m) {
                sink(Piece::Pawn, m);
            }
        }
    }
    side.each_officer(targets, |piece, from, to| {
        sink(piece, Move { from, to, promotion: None });
    });
    for to in get_king_moves(side.king) & targets {
        let m = Move { from: side.king, to, promotion: None };
        if board.is_legal(m) {
            sink(Piece::King, m);
        }
    }
}

/// Hands out all other moves, with the piece that moves.
#[inline]
pub(super) fn quiet(board: &Board, mut sink: impl FnMut(Piece, Move)) {
    if !board.checkers().is_empty() {
        return evasions(board, false, sink);
    }
    let us = board.side_to_move();
    let side = Side::of(board);
    let free = !board.occupied();
    let pawns = board.colored_pieces(us, Piece::Pawn);
    let once = ahead(us, pawns) & free;
    let twice = ahead(us, once & Rank::Third.relative_to(us).bitboard()) & free;
    let last = Rank::Eighth.relative_to(us).bitboard();
    for (steps, targets) in [(1, once - last), (2, twice)] {
        for to in targets {
            let from = to.offset(0, -forward(us) * steps);
            if side.allowed(from).has(to) {
                sink(Piece::Pawn, Move { from, to, promotion: None });
            }
        }
    }
    for to in once & last {
        let from = to.offset(0, -forward(us));
        if side.allowed(from).has(to) {
            for piece in UNDERPROMOTIONS {
                sink(Piece::Pawn, Move { from, to, promotion: Some(piece) });
            }
        }
    }
    side.each_officer(free, |piece, from, to| {
        sink(piece, Move { from, to, promotion: None });
    });
    // With castling, which takes the own rook.
    let theirs = board.colors(!us);
    board.generate_moves_for(side.king.bitboard(), |moves| {
        for to in moves.to - theirs {
            sink(Piece::King, Move { from: side.king, to, promotion: None });
        }
        false
    });
}

/// The side to move, not in check.
pub(super) struct Side<'a> {
    board: &'a Board,
    pub(super) king: Square,
    pinned: BitBoard,
}

impl Side<'_> {
    #[inline(always)]
    pub(super) fn of(board: &Board) -> Side<'_> {
        Side { board, king: board.king(board.side_to_move()), pinned: board.pinned() }
    }

    /// Where a piece may go for the sake of its king.
    #[inline(always)]
    pub(super) fn allowed(&self, from: Square) -> BitBoard {
        if self.pinned.has(from) { get_line_rays(self.king, from) } else { BitBoard::FULL }
    }

    /// The moves of knights, bishops, rooks and queens to these squares.
    #[inline(always)]
    fn each_officer(&self, targets: BitBoard, mut sink: impl FnMut(Piece, Square, Square)) {
        let board = self.board;
        let occupied = board.occupied();
        let ours = board.colors(board.side_to_move());
        for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
            for from in board.pieces(piece) & ours {
                for to in reached(piece, from, occupied) & targets & self.allowed(from) {
                    sink(piece, from, to);
                }
            }
        }
    }
}

/// Where a knight, bishop, rook or queen would go from a square.
#[inline(always)]
pub(super) fn reached(piece: Piece, from: Square, occupied: BitBoard) -> BitBoard {
    match piece {
        Piece::Knight => get_knight_moves(from),
        Piece::Bishop => get_bishop_moves(from, occupied),
        Piece::Rook => get_rook_moves(from, occupied),
        _ => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
    }
}

#[cold]
#[inline(never)]
fn evasions(board: &Board, wanted: bool, mut sink: impl FnMut(Piece, Move)) {
    board.generate_moves(|evasions: PieceMoves| {
        for m in evasions {
            if moves::is_noisy(board, m) == wanted {
                sink(evasions.piece, m);
            }
        }
        false
    });
}

/// A step of a pawn, in ranks.
#[inline(always)]
pub(super) const fn forward(color: Color) -> i8 {
    match color {
        Color::White => 1,
        Color::Black => -1,
    }
}

/// The squares one step ahead of these.
#[inline(always)]
pub(super) const fn ahead(color: Color, BitBoard(set): BitBoard) -> BitBoard {
    match color {
        Color::White => BitBoard(set << 8),
        Color::Black => BitBoard(set >> 8),
    }
}

/// What pawns of this colour on these squares attack.
#[inline(always)]
const fn attacked_by_pawns(color: Color, pawns: BitBoard) -> BitBoard {
    let BitBoard(reached) = ahead(color, pawns);
    const A: u64 = 0x0101_0101_0101_0101;
    BitBoard((reached & !A) >> 1 | (reached & !(A << 7)) << 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Chess;
    use secateur_search::random::SplitMix;
    use secateur_search::testkit::reference::moves as legal;
    use secateur_search::{Game, Notation};

    const STARTS: [&str; 6] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "1rkr4/pppppppp/8/8/8/8/PPPPPPPP/R2K3R w HAdb - 0 1",
        "4k3/8/4r3/1b6/3PPP2/2QRB3/1q2K2r/8 w - - 0 1",
    ];

    #[test]
    fn noisy_and_quiet_moves_are_the_legal_ones_parted() {
        let mut random = SplitMix::new(19);
        let (mut pins, mut checks) = (0, 0);
        for start in STARTS {
            for _ in 0..300 {
                let mut position = Chess::read_position(start).unwrap();
                for _ in 0..60 {
                    let board = position.board();
                    pins += u32::from(!board.pinned().is_empty());
                    checks += u32::from(!board.checkers().is_empty());
                    let all = legal(&position);
                    for wanted in [true, false] {
                        let mut made = Vec::new();
                        let sink = |piece, m: Move| {
                            assert_eq!(board.piece_on(m.from), Some(piece), "{m} in {board}");
                            made.push(m);
                        };
                        if wanted {
                            noisy(board, sink)
                        } else {
                            quiet(board, sink)
                        }
                        let mut expected = all.clone();
                        expected.retain(|m| moves::is_noisy(board, *m) == wanted);
                        let by_bits = |m: &Move| moves::pack(*m);
                        made.sort_by_key(by_bits);
                        expected.sort_by_key(by_bits);
                        assert_eq!(made, expected, "{board}");
                    }
                    let Some(&m) = all.get(random.below(all.len().max(1))) else { break };
                    position.play(m);
                }
            }
        }
        assert!(pins > 2_000 && checks > 2_000, "{pins} pins and {checks} checks were met");
    }
}
