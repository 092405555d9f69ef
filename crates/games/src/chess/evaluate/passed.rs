//! What the pieces around a passed pawn make of it.

use cozy_chess::{BitBoard, Board, Color, Piece, Rank, Square};

use super::pieces::Side;
use super::{Tapered, Weights, pawns};

/// The steps of a king from one square to another.
#[inline]
pub(super) fn distance(a: Square, b: Square) -> i32 {
    let files = (a.file() as i32 - b.file() as i32).abs();
    files.max((a.rank() as i32 - b.rank() as i32).abs())
}

/// What is added to the value that the structure gives these passed pawns of `us`.
#[inline(always)]
pub(super) fn passed(
    passed: BitBoard,
    enemy: &Side,
    board: &Board,
    us: Color,
    weights: &Weights,
) -> Tapered {
    let mut value = Tapered::ZERO;
    for pawn in passed & board.colors(us) {
        let rank = pawn.relative_to(us).rank() as usize;
        let urgency = weights.passed_urgency[rank];
        if urgency == 0 {
            continue;
        }
        let before = pawns::ahead(us, pawn.bitboard());
        let Some(stop) = before.next_square() else { continue };
        let mut around = weights.passed_kings[0] * distance(board.king(!us), stop)
            + weights.passed_kings[1] * distance(board.king(us), stop);
        if board.colors(!us).has(stop) {
            around += weights.passed_blocked;
        } else if !(board.occupied() | enemy.by_army | enemy.by_king).has(stop) {
            around += weights.passed_free;
        }
        value += around * urgency;
        if runs_home(board, us, pawn) {
            value += weights.passed_unstoppable;
        }
    }
    value
}

/// The rule of the square: a bare king with its pawns cannot catch the pawn.
fn runs_home(board: &Board, us: Color, pawn: Square) -> bool {
    let bare = board.pieces(Piece::Pawn) | board.pieces(Piece::King);
    if !board.colors(!us).is_subset(bare) {
        return false;
    }
    let home = Square::new(pawn.file(), Rank::Eighth.relative_to(us));
    let path = cozy_chess::get_between_rays(pawn, home) | home.bitboard();
    let late = i32::from(board.side_to_move() != us);
    path.is_disjoint(board.occupied())
        && distance(board.king(!us), home) - late > distance(pawn, home)
}
