//! The danger a king is in. Attackers alone do little and together much, so what they add up to
//! is looked up in a curve (the idea is in Fruit and Stockfish; the numbers are ours). The units
//! are fixed: only the curve is learned, so that the whole stays linear.

use cozy_chess::{
    BitBoard, Board, Color, Piece, get_bishop_moves, get_knight_moves, get_rook_moves,
};

use super::features::{DANGER, Tally};
use super::pieces::{self, Side};

/// Units for a knight, bishop, rook, queen that looks at the king's zone.
pub(super) const ATTACKER: [i32; 4] = [6, 5, 7, 9];
/// Units for each square of the zone that is attacked and held by the king at most.
const WEAK_SQUARE: i32 = 3;
/// Units for a safe check by knight, bishop, rook, queen.
const CHECK: [i32; 4] = [6, 4, 6, 6];
/// Units that every king bears, with and without an enemy queen.
const CALM: [i32; 2] = [-9, -20];
/// Units for each of the king's three files without a pawn near it.
const MISSING: i32 = 3;

/// Counts the danger that the attack of `enemy` is to the king of `us`, which lacks so many
/// pawns of its shelter.
#[inline(always)]
pub(super) fn danger(
    own: &Side,
    enemy: &Side,
    board: &Board,
    us: Color,
    missing: i32,
    tally: &mut impl Tally,
) {
    let has_queen = !board.colored_pieces(!us, Piece::Queen).is_empty();
    let mut units = enemy.aim + CALM[usize::from(!has_queen)] + MISSING * missing;
    // Most of the time nobody looks: then nothing more needs to be asked.
    if units <= 0 {
        return;
    }
    let weak = pieces::king_zone(board, us) & (enemy.by_army - own.by_army);
    units += WEAK_SQUARE * weak.len() as i32;
    // A check is safe where neither the army nor the king can take.
    let safe = !(board.colors(!us) | own.by_army | own.by_king);
    let king = board.king(us);
    let straight = get_rook_moves(king, board.occupied()) & safe;
    let diagonal = get_bishop_moves(king, board.occupied()) & safe;
    let checks = [
        get_knight_moves(king) & safe & enemy.by_knights,
        diagonal & enemy.by_bishops,
        straight & enemy.by_rooks,
        (straight | diagonal) & enemy.by_queens,
    ];
    for (check, weight) in checks.into_iter().zip(CHECK) {
        units += weight * i32::from(check != BitBoard::EMPTY);
    }
    tally.add(DANGER + (units as usize / 2).min(31), 1);
}
