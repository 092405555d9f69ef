//! Moves that bring an earlier position back, found from the keys of the two positions alone.
//!
//! Two positions that differ by one reversible move have keys that differ by a number which
//! depends on that move only. There are 3,668 such numbers, kept where one of two hash functions
//! points (Pagh and Rodler's cuckoo hashing, 2001; for repetitions van Kervinck, 2013).

use std::sync::LazyLock;

use cozy_chess::{
    BitBoard, Board, BoardBuilder, Color, Piece, Square, get_between_rays, get_bishop_moves,
    get_king_moves, get_knight_moves, get_rook_moves,
};

/// There are so many pairs of squares between which a piece other than a pawn can go.
#[cfg(test)]
const MOVES: usize = 3_668;

const SIZE: usize = 8_192;

static RETURNS: LazyLock<Returns> = LazyLock::new(Returns::new);

struct Returns {
    keys: Box<[u64; SIZE]>,
    squares: Box<[(Square, Square); SIZE]>,
}

/// The two squares between which a piece must go to change the key by `difference`, if one move
/// can.
#[inline]
pub(super) fn find(difference: u64) -> Option<(Square, Square)> {
    let returns = &*RETURNS;
    let [first, second] = places(difference);
    let place = if returns.keys[first] == difference {
        first
    } else if returns.keys[second] == difference {
        second
    } else {
        return None;
    };
    Some(returns.squares[place])
}

/// Whether the piece of `color` on one of the squares can go to the other.
#[inline]
pub(super) fn can_go(board: &Board, color: Color, (a, b): (Square, Square)) -> bool {
    let (BitBoard(ends), ours) = (a.bitboard() | b.bitboard(), board.colors(color));
    // The other end is empty in any case: the keys differ by nothing else.
    ours.0 & ends != 0 && get_between_rays(a, b).is_disjoint(board.occupied())
}

#[inline]
fn places(key: u64) -> [usize; 2] {
    [key as usize % SIZE, (key >> 16) as usize % SIZE]
}

impl Returns {
    fn new() -> Returns {
        let mut returns = Returns {
            keys: Box::new([0; SIZE]),
            squares: Box::new([(Square::A1, Square::A1); SIZE]),
        };
        for (key, squares) in differences() {
            returns.insert(key, squares);
        }
        returns
    }

    /// Whoever is found in the place is sent to its other one, and so on.
    fn insert(&mut self, mut key: u64, mut squares: (Square, Square)) {
        let mut place = places(key)[0];
        loop {
            std::mem::swap(&mut self.keys[place], &mut key);
            std::mem::swap(&mut self.squares[place], &mut squares);
            if key == 0 {
                return;
            }
            let [first, second] = places(key);
            place = if place == first { second } else { first };
        }
    }
}

/// Every move of a piece to and fro, with what it changes in the key of the position.
fn differences() -> impl Iterator<Item = (u64, (Square, Square))> {
    let pieces = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King];
    let kinds = Color::ALL.into_iter().flat_map(move |color| pieces.map(|piece| (color, piece)));
    kinds.flat_map(|(color, piece)| {
        Square::ALL.into_iter().flat_map(move |a| {
            let reach = match piece {
                Piece::Knight => get_knight_moves(a),
                Piece::Bishop => get_bishop_moves(a, BitBoard::EMPTY),
                Piece::Rook => get_rook_moves(a, BitBoard::EMPTY),
                Piece::Queen => {
                    get_bishop_moves(a, BitBoard::EMPTY) | get_rook_moves(a, BitBoard::EMPTY)
                }
                _ => get_king_moves(a),
            };
            reach.into_iter().filter(move |b| a < *b).map(move |b| {
                let kings = kings_away_from(a, b, color, piece);
                let key = key_with(color, piece, a, kings, color)
                    ^ key_with(color, piece, b, kings, !color);
                (key, (a, b))
            })
        })
    })
}

/// Squares for the kings, White's first, that make positions with the piece on either square legal.
fn kings_away_from(a: Square, b: Square, color: Color, piece: Piece) -> [Square; 2] {
    let pairs = Square::ALL.into_iter().flat_map(|white| Square::ALL.map(|black| [white, black]));
    let legal = |kings: &[Square; 2]| {
        let sides = [(a, color), (b, !color)];
        sides
            .into_iter()
            .all(|(square, turn)| board_with(color, piece, square, *kings, turn).is_some())
    };
    // The two corners of each pair of rows are enough, but any pair will do.
    pairs.into_iter().find(legal).expect("the board is large enough for two kings and a piece")
}

fn key_with(color: Color, piece: Piece, square: Square, kings: [Square; 2], turn: Color) -> u64 {
    board_with(color, piece, square, kings, turn).map_or(0, |board| board.hash_without_ep())
}

/// The piece on its square and both kings, or the one king that it is not.
fn board_with(
    color: Color,
    piece: Piece,
    square: Square,
    kings: [Square; 2],
    turn: Color,
) -> Option<Board> {
    let mut builder = BoardBuilder::empty();
    for king in Color::ALL {
        let moves_itself = piece == Piece::King && king == color;
        let place = kings[king as usize];
        if !moves_itself {
            if place == square {
                return None;
            }
            *builder.square_mut(place) = Some((Piece::King, king));
        }
    }
    *builder.square_mut(square) = Some((piece, color));
    builder.side_to_move = turn;
    builder.build().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Chess;
    use secateur_search::random::SplitMix;
    use secateur_search::testkit::reference::moves;
    use secateur_search::{Game, Line, Notation, Outcome, Tactics};

    #[test]
    fn every_move_of_every_piece_has_a_number_of_its_own() {
        let mut all: Vec<_> = differences().collect();
        assert_eq!(all.len(), MOVES);
        assert!(all.iter().all(|(key, squares)| find(*key) == Some(*squares)));
        all.sort_unstable_by_key(|(key, _)| *key);
        all.dedup_by_key(|(key, _)| *key);
        assert_eq!(all.len(), MOVES);
        assert_eq!(find(0x1234_5678_9abc_def0), None);
    }

    /// Walks at random, mostly to and fro, and asks before every move, with the root of the search
    /// at various places of the walk.
    #[test]
    fn a_draw_by_returning_is_seen_exactly_where_a_move_brings_it() {
        let starts = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "8/8/4k3/8/2R5/3K4/8/5r2 w - - 0 1",
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
            "4k3/1q6/8/8/5B2/8/1N4P1/4K3 b - - 10 40",
        ];
        let mut random = SplitMix::new(7);
        let (mut draws, mut asked) = (0, 0);
        for start in starts {
            for root in 0..40 {
                let mut position = Chess::read_position(start).unwrap();
                let mut line = Line::starting_at(&position);
                for ply in 0..40usize {
                    let legal = moves(&position);
                    let drawn = legal.iter().any(|m| {
                        let after = position.after(*m);
                        let mut line = line.clone();
                        line.enter(ply.saturating_sub(root), &position, *m, &after);
                        after.recurrence(&line) == Some(Outcome::Draw)
                    });
                    assert_eq!(position.can_recur(&line), drawn, "{}", position.write_position());
                    asked += 1;
                    draws += usize::from(drawn);
                    let pieces: Vec<_> =
                        legal.iter().filter(|m| !position.irreversible(**m)).collect();
                    let Some(m) = pieces.get(random.below(pieces.len().clamp(1, 3))) else {
                        break;
                    };
                    let after = position.after(**m);
                    if ply < root {
                        line.play(&position, **m, &after);
                    } else {
                        line.enter(ply - root, &position, **m, &after);
                    }
                    position = after;
                }
            }
        }
        assert!(draws > 100 && draws < asked, "{draws} of {asked}");
    }
}
