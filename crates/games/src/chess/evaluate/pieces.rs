//! What each side attacks, found once and used thrice: mobility, threats, king safety.

use cozy_chess::{
    BitBoard, Board, Color, Piece, Rank, get_bishop_moves, get_king_moves, get_knight_moves,
    get_rook_moves,
};

use super::features::*;
use super::pawns::Facts;
use super::{king, pawns};

/// One side's attacks.
pub(super) struct Side {
    pub(super) by_pawns: BitBoard,
    pub(super) by_knights: BitBoard,
    pub(super) by_bishops: BitBoard,
    pub(super) by_rooks: BitBoard,
    pub(super) by_queens: BitBoard,
    /// By anything but the king.
    pub(super) by_army: BitBoard,
    pub(super) by_king: BitBoard,
    /// Units of danger to the enemy king from those who look at its zone.
    pub(super) aim: i32,
}

/// The king's neighbourhood and the row before it: what an attack aims at.
#[inline(always)]
pub(super) fn king_zone(board: &Board, color: Color) -> BitBoard {
    let around = get_king_moves(board.king(color));
    around | pawns::ahead(color, around) | board.king(color).bitboard()
}

impl Side {
    /// Finds the attacks; mobility and good places are counted on the way.
    #[inline(always)]
    pub(super) fn of(board: &Board, us: Color, facts: &Facts, tally: &mut impl Tally) -> Side {
        let occupied = board.occupied();
        let all_pawns = board.pieces(Piece::Pawn);
        let (ours, theirs) = (board.colors(us), board.colors(!us));
        let (own_pawns, enemy_pawns) = (all_pawns & ours, all_pawns & theirs);
        let by_pawns = pawns::attacks(us, own_pawns);
        let by_king = get_king_moves(board.king(us));
        // Safe squares: no enemy pawn takes there, and no own blocked pawn or king stands there.
        let stuck = own_pawns & pawns::ahead(!us, occupied);
        let enemy_attacks = pawns::attacks(!us, enemy_pawns);
        let safe = !(enemy_attacks | stuck | board.king(us).bitboard());
        let zone = king_zone(board, !us);
        let queens = board.pieces(Piece::Queen) & ours;
        let rooks = board.pieces(Piece::Rook) & ours;

        let mut side = Side {
            by_pawns,
            by_knights: BitBoard::EMPTY,
            by_bishops: BitBoard::EMPTY,
            by_rooks: BitBoard::EMPTY,
            by_queens: BitBoard::EMPTY,
            by_army: by_pawns,
            by_king,
            aim: 0,
        };
        let mut aim = 0;
        let mut look = |mobility: usize, attacker: i32, attacks: BitBoard, tally: &mut _| {
            Tally::add(tally, mobility + (attacks & safe).len() as usize, 1);
            aim += attacker * i32::from(!(attacks & zone).is_empty());
        };
        let knights = board.pieces(Piece::Knight) & ours;
        let [light, dark] = facts.on_shade[us as usize];
        let (mut knight_count, mut rook_count, mut beside_bishops) = (0, 0, 0);
        for square in knights {
            knight_count += 1;
            let attacks = get_knight_moves(square);
            look(MOBILITY_KNIGHT, king::ATTACKER[0], attacks, tally);
            side.by_knights |= attacks;
        }
        // Sliders look through the own piece that would move on along the same line.
        let bishops = board.pieces(Piece::Bishop) & ours;
        for square in bishops {
            beside_bishops += if BitBoard::LIGHT_SQUARES.has(square) { light } else { dark };
            let attacks = get_bishop_moves(square, occupied ^ queens);
            look(MOBILITY_BISHOP, king::ATTACKER[1], attacks, tally);
            side.by_bishops |= attacks;
        }
        for square in rooks {
            rook_count += 1;
            let attacks = get_rook_moves(square, occupied ^ queens ^ rooks);
            look(MOBILITY_ROOK, king::ATTACKER[2], attacks, tally);
            side.by_rooks |= attacks;
            let file = square.file().bitboard();
            if (own_pawns & file).is_empty() {
                tally.add(ROOK_FILE + usize::from((enemy_pawns & file).is_empty()), 1);
            }
        }
        for square in queens {
            let attacks = get_bishop_moves(square, occupied) | get_rook_moves(square, occupied);
            look(MOBILITY_QUEEN, king::ATTACKER[3], attacks, tally);
            side.by_queens |= attacks;
        }
        side.aim = aim;
        let pawn_count = i32::from(light) + i32::from(dark);
        tally.add(BISHOP_PAWNS, beside_bishops.into());
        tally.add(BY_PAWNS, knight_count * pawn_count);
        tally.add(BY_PAWNS + 1, rook_count * pawn_count);
        let held = facts.outposts & by_pawns;
        if !(held & (knights | bishops)).is_empty() {
            tally.add(OUTPOST, (held & knights).len() as i32);
            tally.add(OUTPOST + 1, (held & bishops).len() as i32);
        }
        let seventh = Rank::Seventh.relative_to(us).bitboard();
        let on_seventh = rooks & seventh;
        if !on_seventh.is_empty() {
            let shut_in = board.king(!us).rank() == Rank::Eighth.relative_to(us);
            if shut_in || !(enemy_pawns & seventh).is_empty() {
                tally.add(ROOK_ON_SEVENTH, on_seventh.len() as i32);
            }
        }
        side.by_army |= side.by_knights | side.by_bishops | side.by_rooks | side.by_queens;
        side
    }

    /// Counts our attacks on the enemy's pieces.
    #[inline(always)]
    pub(super) fn threats(&self, enemy: &Side, board: &Board, us: Color, tally: &mut impl Tally) {
        let theirs = board.colors(!us);
        let their_pawns = board.pieces(Piece::Pawn) & theirs;
        let pieces = theirs ^ their_pawns ^ board.king(!us).bitboard();
        let queens = board.pieces(Piece::Queen) & theirs;
        let heavy = queens | board.pieces(Piece::Rook) & theirs;
        let minors = self.by_knights | self.by_bishops;
        let loose = (self.by_army | self.by_king) & (theirs - (enemy.by_army | enemy.by_king));
        let count = |set: BitBoard| set.len() as i32;
        // Most of these sets are empty most of the time: a test is cheaper than a count.
        if !(self.by_pawns & pieces).is_empty() {
            tally.add(THREAT_BY_PAWN, count(self.by_pawns & pieces));
        }
        let steps = pawns::ahead(us, board.pieces(Piece::Pawn) & board.colors(us));
        let steps = steps - (board.occupied() | enemy.by_pawns);
        let by_step = pawns::attacks(us, steps) & pieces;
        if !by_step.is_empty() {
            tally.add(THREAT_BY_STEP, count(by_step));
        }
        if !(minors & (pieces ^ heavy)).is_empty() {
            tally.add(THREAT_TO_MINOR, count(minors & (pieces ^ heavy)));
        }
        if !(minors & heavy).is_empty() {
            tally.add(THREAT_BY_MINOR, count(minors & heavy));
        }
        if !(self.by_rooks & queens).is_empty() {
            tally.add(THREAT_BY_ROOK, count(self.by_rooks & queens));
        }
        // Not so the loose ones: there a wrong guess of the branch costs more than the counts.
        tally.add(HANGING, count(loose & pieces));
        tally.add(HANGING + 1, count(loose & their_pawns));
    }
}
