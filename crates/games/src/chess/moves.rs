//! What a move is. `cozy-chess` writes castling as king takes own rook, in Chess960 and out of
//! it, so "is the target occupied" and "is it a capture" are two questions.

use cozy_chess::{Board, File, Move, Piece, Rank, Square};

const PROMOTIONS: [Option<Piece>; 5] =
    [None, Some(Piece::Knight), Some(Piece::Bishop), Some(Piece::Rook), Some(Piece::Queen)];

/// From, to and promotion in 6, 6 and 3 bits. Never 0, since a move leaves its square.
#[inline]
pub fn pack(m: Move) -> u16 {
    let promotion = m.promotion.map_or(0, |piece| piece as u16);
    m.from as u16 | (m.to as u16) << 6 | promotion << 12
}

/// The move of these bits, legal or not; `None` if they are no move at all.
#[inline]
pub fn unpack(bits: u16) -> Option<Move> {
    let from = Square::index(bits as usize & 63);
    let to = Square::index(bits as usize >> 6 & 63);
    let promotion = *PROMOTIONS.get(bits as usize >> 12)?;
    (from != to).then_some(Move { from, to, promotion })
}

/// The squares that king and rook reach by castling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Castling {
    /// Where the king goes.
    pub king: Square,
    /// Where the rook goes.
    pub rook: Square,
    /// Towards the h-file.
    pub short: bool,
}

/// How the legal move `m` castles, if it does.
#[inline]
pub fn castling(board: &Board, m: Move) -> Option<Castling> {
    let us = board.side_to_move();
    if !board.colors(us).has(m.to) {
        return None;
    }
    let short = m.from.file() < m.to.file();
    let (king, rook) = if short { (File::G, File::F) } else { (File::C, File::D) };
    let rank = Rank::First.relative_to(us);
    Some(Castling { king: Square::new(king, rank), rook: Square::new(rook, rank), short })
}

/// Where the pawn stands that the legal move `m` takes in passing, if it does.
#[inline]
pub fn taken_in_passing(board: &Board, m: Move) -> Option<Square> {
    let us = board.side_to_move();
    let file = board.en_passant()?;
    let takes = m.to == Square::new(file, Rank::Sixth.relative_to(us))
        && board.pieces(Piece::Pawn).has(m.from)
        && m.from.file() != file;
    takes.then(|| Square::new(file, Rank::Fifth.relative_to(us)))
}

/// Whether the legal move `m` captures or promotes to a queen.
#[inline]
pub fn is_noisy(board: &Board, m: Move) -> bool {
    board.colors(!board.side_to_move()).has(m.to)
        || m.promotion == Some(Piece::Queen)
        || taken_in_passing(board, m).is_some()
}

/// The piece that the legal move `m` takes, if any.
#[inline]
pub fn victim(board: &Board, m: Move) -> Option<Piece> {
    if board.colors(!board.side_to_move()).has(m.to) {
        board.piece_on(m.to)
    } else {
        taken_in_passing(board, m).map(|_| Piece::Pawn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn promotions_are_packed_by_their_piece() {
        for (code, promotion) in PROMOTIONS.into_iter().enumerate() {
            assert_eq!(promotion.map_or(0, |piece| piece as usize), code);
            let m = Move { from: Square::A7, to: Square::B8, promotion };
            assert_eq!(unpack(pack(m)), Some(m));
        }
    }

    #[test]
    fn bits_that_are_no_move_unpack_to_nothing() {
        assert_eq!(unpack(0), None);
        assert_eq!(unpack(5 << 12 | 1), None);
        assert_eq!(unpack(1 << 15 | 1), None);
    }
}
