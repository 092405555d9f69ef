//! A position in 26 bytes: which squares are occupied, what stands on them, and the rest.
//!
//! Each man takes four bits, in the order of the squares: its colour and its kind, where a rook
//! that may castle and a pawn that may be taken in passing are kinds of their own.

use cozy_chess::{BitBoard, Board, BoardBuilder, Color, Piece, Rank, Square};

use super::Chess;
use crate::packed::Packed;

const CASTLING_ROOK: u8 = 6;
const PASSING_PAWN: u8 = 7;
const BLACK: u8 = 8;

/// Where the men begin and end.
const MEN: std::ops::Range<usize> = 8..24;
const FLAGS: usize = 24;
const CLOCK: usize = 25;

const BLACK_TO_MOVE: u8 = 1;
const CHESS960: u8 = 2;

impl Packed for Chess {
    const BYTES: usize = 26;

    fn pack_position(&self, bytes: &mut [u8]) {
        let board = self.board();
        bytes[..8].copy_from_slice(&board.occupied().0.to_le_bytes());
        bytes[MEN].fill(0);
        let passing = self.en_passant().map(|behind| pawn_before(behind, self.color()));
        for (index, square) in board.occupied().iter().enumerate() {
            let code = code(board, square, passing);
            bytes[MEN.start + index / 2] |= code << (4 * (index % 2));
        }
        bytes[FLAGS] = if self.color() == Color::Black { BLACK_TO_MOVE } else { 0 }
            | if self.is_chess960() { CHESS960 } else { 0 };
        bytes[CLOCK] = board.halfmove_clock();
    }

    fn unpack_position(bytes: &[u8]) -> Option<Chess> {
        let occupied = BitBoard(u64::from_le_bytes(bytes.get(..8)?.try_into().ok()?));
        let (men, flags) = (bytes.get(MEN)?, *bytes.get(FLAGS)?);
        if occupied.len() as usize > 2 * men.len() || flags > (BLACK_TO_MOVE | CHESS960) {
            return None;
        }
        let mut builder = BoardBuilder::empty();
        let turn = if flags & BLACK_TO_MOVE == 0 { Color::White } else { Color::Black };
        builder.side_to_move = turn;
        builder.halfmove_clock = *bytes.get(CLOCK)?;
        for (index, square) in occupied.iter().enumerate() {
            let code = men[index / 2] >> (4 * (index % 2)) & 15;
            let color = if code & BLACK == 0 { Color::White } else { Color::Black };
            let piece = match code & 7 {
                CASTLING_ROOK => {
                    let king = king_of(occupied, men, color)?;
                    let rights = &mut builder.castle_rights[color as usize];
                    let side = if square > king { &mut rights.short } else { &mut rights.long };
                    *side = Some(square.file());
                    Piece::Rook
                }
                PASSING_PAWN => {
                    let rank = Rank::Fourth.relative_to(color);
                    if color == turn || square.rank() != rank {
                        return None;
                    }
                    let behind = Rank::Third.relative_to(color);
                    builder.en_passant = Some(Square::new(square.file(), behind));
                    Piece::Pawn
                }
                kind => Piece::ALL[usize::from(kind)],
            };
            *builder.square_mut(square) = Some((piece, color));
        }
        Some(Chess::new(builder.build().ok()?, flags & CHESS960 != 0))
    }
}

/// The pawn that has just passed over the square `behind` it, seen by the side to move.
fn pawn_before(behind: Square, to_move: Color) -> Square {
    Square::new(behind.file(), Rank::Fifth.relative_to(to_move))
}

fn code(board: &Board, square: Square, passing: Option<Square>) -> u8 {
    let (Some(piece), Some(color)) = (board.piece_on(square), board.color_on(square)) else {
        return 0;
    };
    let rights = board.castle_rights(color);
    let home = square.rank() == Rank::First.relative_to(color);
    let castles = |file| rights.short == Some(file) || rights.long == Some(file);
    let kind = if piece == Piece::Rook && home && castles(square.file()) {
        CASTLING_ROOK
    } else if passing == Some(square) {
        PASSING_PAWN
    } else {
        piece as u8
    };
    kind | if color == Color::Black { BLACK } else { 0 }
}

fn king_of(occupied: BitBoard, men: &[u8], color: Color) -> Option<Square> {
    let king = Piece::King as u8 | if color == Color::Black { BLACK } else { 0 };
    occupied
        .iter()
        .enumerate()
        .find(|(index, _)| men[index / 2] >> (4 * (index % 2)) & 15 == king)
        .map(|(_, square)| square)
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_search::random::SplitMix;
    use secateur_search::testkit::reference::moves;
    use secateur_search::{Game, Notation};

    fn packed(position: &Chess) -> [u8; Chess::BYTES] {
        let mut bytes = [0xff; Chess::BYTES];
        position.pack_position(&mut bytes);
        bytes
    }

    #[test]
    fn every_position_of_random_games_comes_back() {
        let starts = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1",
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
        ];
        let mut random = SplitMix::new(11);
        let mut rights = 0;
        for start in starts {
            for _ in 0..30 {
                let mut position = Chess::read_position(start).unwrap();
                for _ in 0..120 {
                    let back = Chess::unpack_position(&packed(&position)).unwrap();
                    assert_eq!(back.key(), position.key(), "{}", position.write_position());
                    assert_eq!(back.board().halfmove_clock(), position.board().halfmove_clock());
                    assert_eq!(back.is_chess960(), position.is_chess960());
                    rights += usize::from(position.en_passant().is_some());
                    let legal = moves(&position);
                    if legal.is_empty() || position.ended().is_some() {
                        break;
                    }
                    position.play(legal[random.below(legal.len())]);
                }
            }
        }
        assert!(rights > 0, "some position had a pawn to be taken in passing");
    }

    #[test]
    fn garbage_is_refused_or_read_as_a_legal_position() {
        let mut random = SplitMix::new(12);
        let good = packed(&Chess::start());
        let mut read = 0;
        for _ in 0..20_000 {
            let mut bytes = good;
            for _ in 0..=random.below(3) {
                bytes[random.below(Chess::BYTES)] = random.next_u64() as u8;
            }
            if let Some(position) = Chess::unpack_position(&bytes) {
                read += 1;
                moves(&position);
            }
        }
        assert!(read > 0);
        assert!(Chess::unpack_position(&[]).is_none());
        assert!(Chess::unpack_position(&[0; Chess::BYTES]).is_none());
        assert!(Chess::unpack_position(&[0xff; Chess::BYTES]).is_none());
    }
}
