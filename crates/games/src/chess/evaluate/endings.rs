//! Endings: what cannot be won counts for less, and what is won must make progress.

use cozy_chess::{BitBoard, Color, File, Piece, Rank, Square};
use secateur_search::features::WHOLE;

use super::features::{DRIVE_KINGS, DRIVE_OUT, Tally};
use super::passed::distance;
use crate::chess::Chess;
use crate::chess::keys::Counts;

/// What remains to a side a piece ahead without pawns, in parts of [`WHOLE`] like the others.
const KEEP_PAWNLESS: i32 = 10;
/// What remains with bishops of opposite colours alone, by pawns of the stronger side.
const KEEP_OPPOSITE: [i32; 9] = [10, 20, 28, 34, 38, 40, 40, 40, 40];
/// The same with rooks or knights beside them.
const KEEP_OPPOSITE_MORE: i32 = 56;
/// What remains against a piece that could be given for the last pawn, by pawns.
const KEEP_PAWNS: [i32; 9] = [64, 50, 56, 60, 64, 64, 64, 64, 64];

/// How much of its value the stronger side may hope to keep, in parts of [`WHOLE`].
#[inline]
pub(super) fn scale(position: &Chess, strong: Color) -> i32 {
    // Asked first because it is nearly always so: then nothing else applies.
    let pawns = position.board().colored_pieces(strong, Piece::Pawn);
    if pawns.len() >= 4 && !one_bishop_each(position) {
        return WHOLE;
    }
    closer_look(position, strong)
}

#[inline]
fn one_bishop_each(position: &Chess) -> bool {
    let exactly_one = |BitBoard(set): BitBoard| set != 0 && set & (set - 1) == 0;
    Color::ALL
        .iter()
        .all(|color| exactly_one(position.board().colored_pieces(*color, Piece::Bishop)))
}

fn closer_look(position: &Chess, strong: Color) -> i32 {
    let counts = Counts::of(position.board());
    let pawns = counts.of_kind(strong, Piece::Pawn).min(8) as usize;
    let [ours, theirs] = [strong, !strong].map(|color| position.weighted_material(color));
    if pawns == 0 {
        // A minor piece alone, or two knights, cannot mate; and a piece ahead is seldom enough:
        // rook against bishop, rook and knight against rook, queen against rook and knight.
        let knights = counts.of_kind(strong, Piece::Knight);
        return if ours <= 3 || ours == 6 && knights == 2 {
            0
        } else if ours > theirs + 3 {
            WHOLE
        } else {
            KEEP_PAWNLESS
        };
    }
    let board = position.board();
    let of = |color, piece| board.colored_pieces(color, piece);
    if one_bishop_each(position) {
        let bishops = board.pieces(Piece::Bishop);
        let opposite = !bishops.is_subset(BitBoard::LIGHT_SQUARES)
            && !bishops.is_subset(BitBoard::DARK_SQUARES);
        if opposite && board.pieces(Piece::Queen).is_empty() {
            // Alone they stop all pawns on one shade; with rooks there is more to play for.
            let alone = ours == 3 && theirs == 3;
            return if alone { KEEP_OPPOSITE[pawns] } else { KEEP_OPPOSITE_MORE };
        }
    }
    // Rook pawns whose corner the bishop (if any) does not control, and a king that gets there.
    if ours <= 3 && counts.of_kind(strong, Piece::Knight) == 0 {
        for file in [File::A, File::H] {
            let corner = Square::new(file, Rank::Eighth.relative_to(strong));
            let light = BitBoard::LIGHT_SQUARES.has(corner);
            let shade = if light { BitBoard::LIGHT_SQUARES } else { BitBoard::DARK_SQUARES };
            if of(strong, Piece::Pawn).is_subset(file.bitboard())
                && of(strong, Piece::Bishop).is_disjoint(shade)
                && distance(board.king(!strong), corner) <= 1
            {
                return 0;
            }
        }
    }
    // The fewer pawns, the easier a piece is given for the last of them.
    if theirs == 0 { WHOLE } else { KEEP_PAWNS[pawns] }
}

/// Counts steps to drive the king of a side that has no pawns and is far behind to the edge, and the other
/// king after it. Bishop and knight mate only in the corner of the bishop's colour.
#[inline]
pub(super) fn drive(position: &Chess, strong: Color, tally: &mut impl Tally) {
    if !position.board().colored_pieces(!strong, Piece::Pawn).is_empty()
        || position.weighted_material(strong) < position.weighted_material(!strong) + 4
        || position.weighted_material(!strong) > 5
    {
        return;
    }
    let counts = Counts::of(position.board());
    let board = position.board();
    let (hunter, prey) = (board.king(strong), board.king(!strong));
    let out = |coordinate: i32| (2 * coordinate - 7).abs() / 2;
    let (file, rank) = (prey.file() as i32, prey.rank() as i32);
    let bishops = board.colored_pieces(strong, Piece::Bishop);
    let one_each = [Piece::Bishop, Piece::Knight].iter().all(|p| counts.of_kind(strong, *p) == 1);
    let from_centre = if position.weighted_material(strong) == 6 && one_each {
        // Along the diagonal between the right corners: 7 in them, 0 on the other diagonal.
        let dark = bishops.is_subset(BitBoard::DARK_SQUARES);
        (if dark { file + rank - 7 } else { file - rank }).abs()
    } else {
        out(file) + out(rank)
    };
    tally.add(DRIVE_OUT, from_centre);
    tally.add(DRIVE_KINGS, 7 - distance(hunter, prey));
}
