//! The danger a king is in. Attackers alone do little and together much, so what they add up to
//! is looked up in a parabola (the idea is in Fruit and Stockfish; the numbers are ours).

use cozy_chess::{
    BitBoard, Board, Color, Piece, get_bishop_moves, get_knight_moves, get_rook_moves,
};

use super::pieces::{self, Side};
use super::{Tapered, Weights};

/// What the attack of `enemy` on the king of `us` costs: never positive. The worse the shelter,
/// the more it costs.
#[inline(always)]
pub(super) fn danger(
    own: &Side,
    enemy: &Side,
    board: &Board,
    us: Color,
    shelter: Tapered,
    weights: &Weights,
) -> Tapered {
    let has_queen = !board.colored_pieces(!us, Piece::Queen).is_empty();
    let calm = weights.king_calm[usize::from(!has_queen)];
    let open = -shelter.middle() * weights.king_open / 64;
    let mut units = enemy.aim + calm + open;
    // Most of the time nobody looks: then nothing more needs to be asked.
    if units <= weights.king_quiet {
        return Tapered::ZERO;
    }
    let weak = pieces::king_zone(board, us) & (enemy.by_army - own.by_army);
    units += weights.king_weak_square * weak.len() as i32;
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
    for (check, weight) in checks.into_iter().zip(weights.king_check) {
        units += weight * i32::from(check != BitBoard::EMPTY);
    }
    weights.danger[units.clamp(0, 63) as usize]
}
