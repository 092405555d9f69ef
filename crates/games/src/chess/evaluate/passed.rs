//! What the pieces around a passed pawn make of it.

use cozy_chess::{BitBoard, Board, Color, Piece, Rank, Square};

use super::features::*;
use super::pawns;
use super::pieces::Side;

/// The steps of a king from one square to another.
#[inline]
pub(super) fn distance(a: Square, b: Square) -> i32 {
    let files = (a.file() as i32 - b.file() as i32).abs();
    files.max((a.rank() as i32 - b.rank() as i32).abs())
}

/// The lowest rank from which what surrounds a passed pawn matters.
const FROM_RANK: usize = Rank::Fourth as usize;

/// Counts what there is around these passed pawns of `us`; the structure has counted the pawns.
#[inline(always)]
pub(super) fn passed(
    passed: BitBoard,
    enemy: &Side,
    board: &Board,
    us: Color,
    tally: &mut impl Tally,
) {
    for pawn in passed & board.colors(us) {
        let rank = pawn.relative_to(us).rank() as usize;
        let before = pawns::ahead(us, pawn.bitboard());
        let Some(stop) = before.next_square().filter(|_| rank >= FROM_RANK) else { continue };
        tally.add(PASSED_ENEMY_KING + rank, distance(board.king(!us), stop));
        tally.add(PASSED_OWN_KING + rank, distance(board.king(us), stop));
        if board.colors(!us).has(stop) {
            tally.add(PASSED_BLOCKED + rank, 1);
        } else if !(board.occupied() | enemy.by_army | enemy.by_king).has(stop) {
            tally.add(PASSED_FREE + rank, 1);
        }
        let path = path(us, pawn);
        if path.is_disjoint(board.colors(!us) | enemy.by_army | enemy.by_king) {
            tally.add(PASSED_PATH + rank, 1);
        }
        if runs_home(board, us, pawn) {
            tally.add(PASSED_UNSTOPPABLE, 1);
        }
    }
}

fn home(us: Color, pawn: Square) -> Square {
    Square::new(pawn.file(), Rank::Eighth.relative_to(us))
}

/// The squares before a pawn.
#[inline]
fn path(us: Color, pawn: Square) -> BitBoard {
    let home = home(us, pawn);
    cozy_chess::get_between_rays(pawn, home) | home.bitboard()
}

/// The rule of the square: a bare king with its pawns cannot catch the pawn.
fn runs_home(board: &Board, us: Color, pawn: Square) -> bool {
    let bare = board.pieces(Piece::Pawn) | board.pieces(Piece::King);
    if !board.colors(!us).is_subset(bare) {
        return false;
    }
    let home = home(us, pawn);
    let late = i32::from(board.side_to_move() != us);
    path(us, pawn).is_disjoint(board.occupied())
        && distance(board.king(!us), home) - late > distance(pawn, home)
}
