//! Checks: whether a move gives one, and the quiet moves that do, made without the others.

use cozy_chess::{
    BitBoard, Board, File, Move, Piece, Rank, Square, get_between_rays, get_bishop_moves,
    get_bishop_rays, get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
    get_rook_rays,
};

use super::generate::{self, Side, ahead, forward, reached};
use super::moves;

/// Whether the legal move gives check.
#[inline]
pub(super) fn gives_check(board: &Board, m: Move) -> bool {
    let us = board.side_to_move();
    let king = board.king(!us);
    let queens = board.pieces(Piece::Queen);
    let ours = board.colors(us) - m.from.bitboard();
    let mut diagonal = (board.pieces(Piece::Bishop) | queens) & ours;
    let mut straight = (board.pieces(Piece::Rook) | queens) & ours;
    let mut occupied = board.occupied() - m.from.bitboard();
    if let Some(castling) = moves::castling(board, m) {
        occupied ^= m.to.bitboard();
        occupied |= castling.king.bitboard() | castling.rook.bitboard();
        straight ^= m.to.bitboard();
        straight |= castling.rook.bitboard();
    } else {
        let Some(moved) = m.promotion.or_else(|| board.piece_on(m.from)) else { return false };
        occupied |= m.to.bitboard();
        if let Some(pawn) = moves::taken_in_passing(board, m) {
            occupied ^= pawn.bitboard();
        }
        match moved {
            Piece::Pawn if get_pawn_attacks(king, !us).has(m.to) => return true,
            Piece::Knight if get_knight_moves(king).has(m.to) => return true,
            Piece::Bishop => diagonal |= m.to.bitboard(),
            Piece::Rook => straight |= m.to.bitboard(),
            Piece::Queen => {
                diagonal |= m.to.bitboard();
                straight |= m.to.bitboard();
            }
            _ => {}
        }
    }
    // The rays are a cheap look before the dearer one. Whatever the move uncovers is seen
    // along with what it attacks.
    let diagonal = diagonal & get_bishop_rays(king);
    let straight = straight & get_rook_rays(king);
    (!diagonal.is_empty() && !(get_bishop_moves(king, occupied) & diagonal).is_empty())
        || (!straight.is_empty() && !(get_rook_moves(king, occupied) & straight).is_empty())
}

/// Hands out the quiet moves that give check.
///
/// A piece gives check from the squares that its kind would reach from the king, or by leaving the
/// line of a piece behind it. The first is told by a look at the squares; what might be the second
/// is rare, and asked of each move.
#[inline]
pub(super) fn quiet(board: &Board, mut sink: impl FnMut(Move)) {
    let mut ask = |m| {
        if gives_check(board, m) {
            sink(m);
        }
    };
    if !board.checkers().is_empty() {
        return generate::quiet(board, |_, m| ask(m));
    }
    let us = board.side_to_move();
    let king = board.king(!us);
    let (occupied, ours) = (board.occupied(), board.colors(us));
    let free = !occupied;
    let uncovering = uncovering(board, king);
    let side = Side::of(board);

    let pawns = board.colored_pieces(us, Piece::Pawn);
    let once = ahead(us, pawns) & free;
    let twice = ahead(us, once & Rank::Third.relative_to(us).bitboard()) & free;
    let last = Rank::Eighth.relative_to(us).bitboard();
    // Those that attack the king, those that leave a line, those that become something else.
    let attacking = get_pawn_attacks(king, !us);
    for (steps, targets) in [(1, once), (2, twice)] {
        let leaving = shifted(uncovering & pawns, forward(us) * steps);
        for to in targets & (attacking | leaving | last) {
            let from = to.offset(0, -forward(us) * steps);
            if !side.allowed(from).has(to) {
                continue;
            }
            if last.has(to) {
                for piece in generate::UNDERPROMOTIONS {
                    ask(Move { from, to, promotion: Some(piece) });
                }
            } else {
                ask(Move { from, to, promotion: None });
            }
        }
    }

    let diagonal = get_bishop_moves(king, occupied);
    let straight = get_rook_moves(king, occupied);
    for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
        let from_here = match piece {
            Piece::Knight => get_knight_moves(king),
            Piece::Bishop => diagonal,
            Piece::Rook => straight,
            _ => diagonal | straight,
        };
        for from in board.pieces(piece) & ours {
            let targets = if uncovering.has(from) { free } else { free & from_here };
            for to in reached(piece, from, occupied) & targets & side.allowed(from) {
                ask(Move { from, to, promotion: None });
            }
        }
    }

    if uncovering.has(side.king) {
        for to in get_king_moves(side.king) & free {
            let m = Move { from: side.king, to, promotion: None };
            if board.is_legal(m) {
                ask(m);
            }
        }
    }
    // Castling checks by the rook, on the d or the f file or along the first rank.
    let rights = board.castle_rights(us);
    let files = File::D.bitboard() | File::F.bitboard() | Rank::First.relative_to(us).bitboard();
    if files.has(king) {
        for file in [rights.short, rights.long].into_iter().flatten() {
            let to = Square::new(file, Rank::First.relative_to(us));
            let m = Move { from: side.king, to, promotion: None };
            if board.is_legal(m) {
                ask(m);
            }
        }
    }
}

/// Pieces of the side to move that stand alone between a piece of theirs and the opponent's king.
#[inline]
fn uncovering(board: &Board, king: Square) -> BitBoard {
    let ours = board.colors(board.side_to_move());
    let queens = board.pieces(Piece::Queen);
    let diagonal = (board.pieces(Piece::Bishop) | queens) & get_bishop_rays(king);
    let straight = (board.pieces(Piece::Rook) | queens) & get_rook_rays(king);
    let mut uncovering = BitBoard::EMPTY;
    for behind in (diagonal | straight) & ours {
        let between = get_between_rays(behind, king) & board.occupied();
        if between.0.is_power_of_two() {
            uncovering |= between & ours;
        }
    }
    uncovering
}

/// Squares moved by so many ranks.
#[inline]
const fn shifted(BitBoard(set): BitBoard, ranks: i8) -> BitBoard {
    if ranks >= 0 { BitBoard(set << (8 * ranks)) } else { BitBoard(set >> (-8 * ranks)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Chess;
    use secateur_search::random::SplitMix;
    use secateur_search::testkit::reference::moves as legal;
    use secateur_search::{Game, Notation, Tactics};

    fn read(fen: &str) -> Chess {
        Chess::read_position(fen).unwrap()
    }

    #[test]
    fn the_odd_checks_are_seen() {
        let checks = [
            ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", true),
            ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O", true),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", false),
            // Both pawns leave the fifth rank and uncover the rook.
            ("8/8/8/R2pP2k/8/8/8/4K3 w - d6 0 1", "exd6", true),
            ("3k4/8/8/3pP3/8/8/1B6/4K3 w - d6 0 1", "exd6", false),
            ("5k2/2P5/8/8/8/8/8/4K3 w - - 0 1", "c8=Q", true),
            ("5k2/2P5/8/8/8/8/8/4K3 w - - 0 1", "c8=N", false),
            ("8/2P1k3/8/8/8/8/8/4K3 w - - 0 1", "c8=N", true),
            ("4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1", "Nc5", true),
            ("4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1", "Nd6", true),
            ("4k3/8/8/8/8/8/4B3/K3R3 w - - 0 1", "Bd3", true),
        ];
        for (fen, text, expected) in checks {
            let position = read(fen);
            let m = position.read_move(text).unwrap();
            assert_eq!(position.gives_check(m), expected, "{text} in {fen}");
            assert_eq!(position.after(m).in_check(), expected, "{text} in {fen}");
        }
    }

    const STARTS: [&str; 6] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "1rkr4/8/8/8/8/8/8/R2K3R w HAdb - 0 1",
        "5k2/8/8/8/8/8/8/4K2R w K - 0 1",
        "8/4k3/3N4/2B1P3/5R2/8/4K3/4R2B w - - 0 1",
        "3q3k/8/8/3K4/8/1N6/Q7/8 w - - 0 1",
    ];

    #[test]
    fn the_quiet_checks_are_the_quiet_moves_after_which_there_is_a_check() {
        let mut random = SplitMix::new(23);
        let mut met = 0;
        for start in STARTS {
            for _ in 0..300 {
                let mut position = read(start);
                for _ in 0..40 {
                    let all = legal(&position);
                    let mut expected = all.clone();
                    expected.retain(|m| !position.is_noisy(*m) && position.after(*m).in_check());
                    let mut made = Vec::new();
                    quiet(position.board(), |m| made.push(m));
                    made.sort_by_key(|m| moves::pack(*m));
                    expected.sort_by_key(|m| moves::pack(*m));
                    assert_eq!(made, expected, "{}", position.board());
                    met += made.len();
                    let Some(&m) = all.get(random.below(all.len().max(1))) else { break };
                    position.play(m);
                }
            }
        }
        assert!(met > 50_000, "{met} were met");
    }
}
