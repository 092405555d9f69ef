//! Static exchange evaluation as a threshold test: does the sequence of captures on one square
//! win at least so much?
//!
//! Both sides take with their least valuable piece and may stop when it pays. A piece that would
//! uncover an attack on its own king does not take part; the king takes only what is no longer
//! defended. Pawns that take on the last rank are counted as pawns.

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Square, get_between_rays, get_bishop_moves,
    get_bishop_rays, get_king_moves, get_knight_moves, get_line_rays, get_pawn_attacks,
    get_rook_moves, get_rook_rays,
};

use super::moves;

/// What a piece is worth in exchanges, in score units. Coarse on purpose: knight for bishop is an
/// even trade.
pub const fn worth(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn => 100,
        Piece::Knight | Piece::Bishop => 300,
        Piece::Rook => 500,
        Piece::Queen => 900,
        Piece::King => 0,
    }
}

/// What the legal move `m` wins at once.
#[inline]
pub fn gain(board: &Board, m: Move) -> i32 {
    let taken = moves::victim(board, m).map_or(0, worth);
    let promoted = m.promotion.map_or(0, |piece| worth(piece) - worth(Piece::Pawn));
    taken + promoted
}

/// Whether the exchange begun by the legal move `m` wins at least `bound` for the mover.
#[inline]
pub fn at_least(board: &Board, m: Move, bound: i32) -> bool {
    if moves::castling(board, m).is_some() {
        return bound <= 0;
    }
    // The surplus of the side that took last, if nobody takes back.
    let surplus = gain(board, m) - bound;
    if surplus < 0 {
        return false;
    }
    let Some(standing) = m.promotion.or_else(|| board.piece_on(m.from)) else {
        return false;
    };
    // Its surplus if its piece is taken for nothing.
    let surplus = surplus - worth(standing);
    surplus >= 0 || holds(board, m, surplus)
}

/// Whether the mover, who has made `m` and would fall short by losing the piece for nothing
/// (`surplus` is negative), still holds the bound.
fn holds(board: &Board, m: Move, mut surplus: i32) -> bool {
    let us = board.side_to_move();
    let target = m.to;
    let diagonal = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
    let straight = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    let mut occupied = (board.occupied() - m.from.bitboard()) | target.bitboard();
    if let Some(pawn) = moves::taken_in_passing(board, m) {
        occupied ^= pawn.bitboard();
    }
    let mut attackers = attackers(board, target, occupied);
    let mut side = !us;
    loop {
        attackers &= occupied;
        let Some((piece, from)) = least_valuable(board, side, target, attackers, occupied) else {
            break;
        };
        if piece == Piece::King {
            // The king may take only if nobody can take back.
            if (attackers & board.colors(!side)).is_empty() {
                side = !side;
            }
            break;
        }
        // To win, the taker must beat what the other side had by more than nothing.
        surplus = -surplus - 1 - worth(piece);
        side = !side;
        if surplus >= 0 {
            break;
        }
        occupied ^= from.bitboard();
        // Whoever stood behind can now take.
        if matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Queen) {
            attackers |= get_bishop_moves(target, occupied) & diagonal;
        }
        if matches!(piece, Piece::Rook | Piece::Queen) {
            attackers |= get_rook_moves(target, occupied) & straight;
        }
    }
    // Whoever is to take and cannot, or need not, has lost the argument.
    side != us
}

/// All pieces of both sides that attack `square` on a board occupied like this.
fn attackers(board: &Board, square: Square, occupied: BitBoard) -> BitBoard {
    let queens = board.pieces(Piece::Queen);
    let pawns = board.pieces(Piece::Pawn);
    (get_pawn_attacks(square, Color::White) & pawns & board.colors(Color::Black))
        | (get_pawn_attacks(square, Color::Black) & pawns & board.colors(Color::White))
        | (get_knight_moves(square) & board.pieces(Piece::Knight))
        | (get_bishop_moves(square, occupied) & (board.pieces(Piece::Bishop) | queens))
        | (get_rook_moves(square, occupied) & (board.pieces(Piece::Rook) | queens))
        | (get_king_moves(square) & board.pieces(Piece::King))
}

/// The least valuable of the attackers of one side that may take on `target`.
#[inline]
fn least_valuable(
    board: &Board,
    side: Color,
    target: Square,
    attackers: BitBoard,
    occupied: BitBoard,
) -> Option<(Piece, Square)> {
    let ours = attackers & board.colors(side);
    if ours.is_empty() {
        return None;
    }
    let ours = ours - pinned(board, side, target, occupied);
    Piece::ALL.iter().find_map(|&piece| {
        let square = (ours & board.pieces(piece)).next_square()?;
        Some((piece, square))
    })
}

/// The pieces of one side that may not go to `target` because they shield their king.
fn pinned(board: &Board, side: Color, target: Square, occupied: BitBoard) -> BitBoard {
    let king = board.king(side);
    let queens = board.pieces(Piece::Queen);
    let snipers = ((get_bishop_rays(king) & (board.pieces(Piece::Bishop) | queens))
        | (get_rook_rays(king) & (board.pieces(Piece::Rook) | queens)))
        & board.colors(!side)
        & (occupied - target.bitboard());
    let mut pinned = BitBoard::EMPTY;
    for sniper in snipers {
        let shield = get_between_rays(king, sniper) & occupied;
        if shield.len() == 1 && !get_line_rays(king, sniper).has(target) {
            pinned |= shield;
        }
    }
    pinned
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Chess;
    use secateur_search::testkit::reference::moves as legal;
    use secateur_search::{Game, Notation, random::SplitMix};

    /// The value of the exchange, by recursion over a board of plain squares.
    fn value(board: &Board, m: Move) -> i32 {
        if moves::castling(board, m).is_some() {
            return 0;
        }
        let us = board.side_to_move();
        let mut squares: Vec<Option<(Piece, Color)>> = Square::ALL
            .iter()
            .map(|square| board.piece_on(*square).zip(board.color_on(*square)))
            .collect();
        if let Some(pawn) = moves::taken_in_passing(board, m) {
            squares[pawn as usize] = None;
        }
        let moved = squares[m.from as usize].take().unwrap().0;
        squares[m.to as usize] = Some((m.promotion.unwrap_or(moved), us));
        gain(board, m) - reply(&squares, m.to, !us)
    }

    /// The best that `side` can get by taking on `target`, or by not taking.
    fn reply(squares: &[Option<(Piece, Color)>], target: Square, side: Color) -> i32 {
        let standing = squares[target as usize].unwrap().0;
        let king = find_king(squares, side);
        let exposed_before = sliders(squares, king, side, target);
        let taker = Piece::ALL.iter().find_map(|&piece| {
            Square::ALL.into_iter().find_map(|from| {
                let takes = squares[from as usize] == Some((piece, side))
                    && attacks(squares, piece, side, from, target);
                let mut after = squares.to_vec();
                after[from as usize] = None;
                after[target as usize] = Some((piece, side));
                let allowed = if piece == Piece::King {
                    !Square::ALL.iter().any(|&other| {
                        after[other as usize].is_some_and(|(p, color)| {
                            color != side && attacks(&after, p, color, other, target)
                        })
                    })
                } else {
                    // It may not uncover a slider on its own king.
                    sliders(&after, king, side, target) <= exposed_before
                };
                (takes && allowed).then_some((piece, after))
            })
        });
        match taker {
            None => 0,
            // Nobody can take the king back.
            Some((Piece::King, _)) => worth(standing),
            Some((_, after)) => 0.max(worth(standing) - reply(&after, target, !side)),
        }
    }

    fn find_king(squares: &[Option<(Piece, Color)>], side: Color) -> Square {
        *Square::ALL.iter().find(|s| squares[**s as usize] == Some((Piece::King, side))).unwrap()
    }

    /// How many enemy sliders, not standing on `target`, attack the king.
    fn sliders(
        squares: &[Option<(Piece, Color)>],
        king: Square,
        side: Color,
        target: Square,
    ) -> usize {
        Square::ALL
            .iter()
            .filter(|&&from| {
                from != target
                    && squares[from as usize].is_some_and(|(piece, color)| {
                        color != side
                            && matches!(piece, Piece::Bishop | Piece::Rook | Piece::Queen)
                            && attacks(squares, piece, color, from, king)
                    })
            })
            .count()
    }

    /// Whether a piece attacks a square, by walking.
    fn attacks(
        squares: &[Option<(Piece, Color)>],
        piece: Piece,
        color: Color,
        from: Square,
        to: Square,
    ) -> bool {
        let dx = to.file() as i32 - from.file() as i32;
        let dy = to.rank() as i32 - from.rank() as i32;
        let forward = if color == Color::White { 1 } else { -1 };
        let clear = || {
            let steps = dx.abs().max(dy.abs());
            (1..steps).all(|step| {
                let file = from.file() as i32 + dx.signum() * step;
                let rank = from.rank() as i32 + dy.signum() * step;
                squares[(rank * 8 + file) as usize].is_none()
            })
        };
        let straight = (dx == 0) != (dy == 0);
        let diagonal = dx != 0 && dx.abs() == dy.abs();
        match piece {
            Piece::Pawn => dx.abs() == 1 && dy == forward,
            Piece::Knight => dx.abs() * dy.abs() == 2,
            Piece::Bishop => diagonal && clear(),
            Piece::Rook => straight && clear(),
            Piece::Queen => (diagonal || straight) && clear(),
            Piece::King => dx.abs().max(dy.abs()) == 1,
        }
    }

    #[test]
    fn the_threshold_lies_exactly_at_the_value() {
        let cases = [
            // A free pawn; a defended one; the rook behind the rook.
            ("4k3/8/8/4p3/8/8/8/4RK2 w - - 0 1", "Rxe5+", 100),
            ("4k3/8/3p4/4p3/8/8/8/4RK2 w - - 0 1", "Rxe5+", -400),
            ("3k4/8/3p4/4p3/8/8/4R3/4RK2 w - - 0 1", "Rxe5", -300),
            // A pinned defender does not count.
            ("4k3/4r3/8/3p4/8/8/4RB2/4K3 b - - 0 1", "Rxe2+", 0),
            ("8/8/8/3pP3/8/8/8/k3K3 w - d6 0 1", "exd6", 100),
            ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "axb8=Q+", 1100),
            ("4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1", "O-O-O", 0),
        ];
        for (fen, text, expected) in cases {
            let position = Chess::read_position(fen).unwrap();
            let m = position.read_move(text).unwrap();
            assert_eq!(value(position.board(), m), expected, "oracle: {text} in {fen}");
            assert!(at_least(position.board(), m, expected), "{text} in {fen}");
            assert!(!at_least(position.board(), m, expected + 1), "{text} in {fen}");
        }
    }

    #[test]
    fn the_test_agrees_with_the_recursion_on_random_games() {
        let mut random = SplitMix::new(11);
        let mut lost = 0;
        for game in 0..60 {
            let start = cozy_chess::Board::chess960_startpos(random.below(960) as u32);
            let mut position = Chess::new(start, true);
            for ply in 0..120 {
                let moves = legal(&position);
                if moves.is_empty() {
                    break;
                }
                if ply % 4 == game % 4 {
                    for &m in &moves {
                        let expected = value(position.board(), m);
                        lost += usize::from(expected < 0);
                        let board = position.board();
                        assert!(
                            at_least(board, m, expected) && !at_least(board, m, expected + 1),
                            "{m} in {board} is worth {expected}"
                        );
                    }
                }
                position.play(moves[random.below(moves.len())]);
            }
        }
        assert!(lost > 4_000, "only {lost} losing moves were met");
    }
}
