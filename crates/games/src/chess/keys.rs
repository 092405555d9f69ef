//! Hash keys of parts of a position: correction of the evaluation and caches of pawn structure
//! look positions up by them.
//!
//! They are mixed from the bitboards when asked for. Kept in every position, Zobrist keys of pawns
//! and pieces took the node-by-node row of `cargo bench -p secateur-games --bench rules` from 0.90
//! to 0.66, piece counts to 0.80; mixing takes some nanoseconds, once, at the nodes that look.

use cozy_chess::{BitBoard, Board, Color, Piece};

/// One more piece of a kind: four bits for each colour and kind.
#[inline]
const fn one(color: Color, piece: Piece) -> u64 {
    1 << (4 * (color as u64 * Piece::NUM as u64 + piece as u64))
}

/// How many pieces of each kind each side has, in one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts(u64);

impl Counts {
    /// The counts of a board.
    #[inline]
    pub fn of(board: &Board) -> Counts {
        let mut counts = 0;
        for color in Color::ALL {
            let pawns = board.colored_pieces(color, Piece::Pawn).len();
            counts += one(color, Piece::Pawn) * u64::from(pawns);
            for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King] {
                // One by one: there are few, and a portable build has no instruction to count.
                for _ in board.colored_pieces(color, piece) {
                    counts += one(color, piece);
                }
            }
        }
        Counts(counts)
    }

    /// How many pieces of a kind one side has.
    #[inline]
    pub const fn of_kind(self, color: Color, piece: Piece) -> u32 {
        ((self.0 / one(color, piece)) & 15) as u32
    }

    /// A key of the counts.
    #[inline]
    pub const fn key(self) -> u64 {
        mix(self.0, 0)
    }
}

/// A key of the pawns of both sides.
#[inline]
pub fn pawns(board: &Board) -> u64 {
    let pawns = |color| board.colored_pieces(color, Piece::Pawn).0;
    mix(pawns(Color::White), pawns(Color::Black))
}

/// A key of everything but the pawns of one side.
#[inline]
pub fn pieces(board: &Board, color: Color) -> u64 {
    let BitBoard(ours) = board.colors(color);
    let of = |piece| board.pieces(piece).0 & ours;
    let light = mix(of(Piece::Knight), of(Piece::Bishop));
    let heavy = mix(of(Piece::Rook), of(Piece::Queen));
    mix(light ^ of(Piece::King), heavy ^ color as u64)
}

/// Two words folded into one by a long multiplication.
#[inline]
const fn mix(a: u64, b: u64) -> u64 {
    let a = a ^ 0x9e37_79b9_7f4a_7c15;
    let b = b ^ 0xd1b5_4a32_d192_ed03;
    let product = a as u128 * b as u128;
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Chess;
    use secateur_search::testkit::reference::moves as legal;
    use secateur_search::{Game, Notation, Tactics, random::SplitMix};
    use std::collections::HashMap;

    const STARTS: [&str; 4] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "1rkr4/pppppppp/8/8/8/8/PPPPPPPP/R2K3R w HAdb - 0 1",
    ];

    fn random_games(mut see: impl FnMut(&Chess)) {
        let mut random = SplitMix::new(3);
        for start in STARTS {
            for _ in 0..200 {
                let mut position = Chess::read_position(start).unwrap();
                for _ in 0..80 {
                    let moves = legal(&position);
                    if moves.is_empty() {
                        break;
                    }
                    position.play(moves[random.below(moves.len())]);
                    see(&position);
                }
            }
        }
    }

    #[test]
    fn counts_are_those_of_the_sets() {
        random_games(|position| {
            let board = position.board();
            let counts = Counts::of(board);
            for color in Color::ALL {
                for piece in Piece::ALL {
                    let set = board.colored_pieces(color, piece);
                    assert_eq!(counts.of_kind(color, piece), set.len(), "{board}");
                }
            }
        });
    }

    #[test]
    fn different_parts_get_different_keys() {
        let mut seen: [HashMap<u64, Vec<u64>>; 4] = Default::default();
        let key = |position: &Chess, part| match part {
            0..Chess::FACETS => position.facet_key(part),
            _ => Counts::of(position.board()).key(),
        };
        random_games(|position| {
            let board = position.board();
            let parts = |color: Color| -> Vec<u64> {
                Piece::ALL[1..].iter().map(|p| board.colored_pieces(color, *p).0).collect()
            };
            let pawns = Color::ALL.map(|color| board.colored_pieces(color, Piece::Pawn).0);
            let material = vec![Counts::of(board).0];
            let parts = [pawns.to_vec(), parts(Color::White), parts(Color::Black), material];
            for (number, part) in parts.into_iter().enumerate() {
                let known = seen[number].entry(key(position, number)).or_insert(part.clone());
                assert_eq!(*known, part, "part {number} of {board}");
            }
        });
        assert!(seen.iter().all(|keys| keys.len() > 400));
    }

    #[test]
    fn each_key_sees_its_part_and_nothing_else() {
        let keys = |fen: &str| {
            let position = Chess::read_position(fen).unwrap();
            let [pawns, white, black] = [0, 1, 2].map(|facet| position.facet_key(facet));
            [pawns, white, black, Counts::of(position.board()).key()]
        };
        let same = |a: [u64; 4], b: [u64; 4]| [0, 1, 2, 3].map(|facet| a[facet] == b[facet]);
        let base = keys("4k3/pp6/8/8/8/8/PP6/R3K3 w - - 0 1");
        let moved_rook = keys("4k3/pp6/8/8/8/8/PP6/1R2K3 w - - 0 1");
        assert_eq!(same(base, moved_rook), [true, false, true, true]);
        let moved_pawn = keys("4k3/pp6/8/8/8/1P6/P7/R3K3 w - - 0 1");
        assert_eq!(same(base, moved_pawn), [false, true, true, true]);
        let other_piece = keys("4k3/pp6/8/8/8/8/PP6/B3K3 w - - 0 1");
        assert_eq!(same(base, other_piece), [true, false, true, false]);
        let moved_king = keys("3k4/pp6/8/8/8/8/PP6/R3K3 w - - 0 1");
        assert_eq!(same(base, moved_king), [true, true, false, true]);
    }
}
