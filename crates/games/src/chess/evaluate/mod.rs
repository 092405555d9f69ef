//! The plain evaluation of chess: material, squares, pawns, mobility, king safety, threats.
//!
//! | file | idea |
//! |---|---|
//! | [`weights`] | every number, in one place |
//! | [`tapered`] | a middle-game and an endgame value in one machine word |
//! | `pawns` | pawn structure and shelter, cached |
//! | `pieces` | attacks, found once: mobility, good places, threats |
//! | `king` | the danger of an attack on the king |
//! | `passed` | what surrounds a passed pawn |
//! | `endings` | what cannot be won, and how to win what can |
//! | [`explain`] | the terms of one position by name |

pub mod explain;
pub mod tapered;
pub mod weights;

mod endings;
mod king;
mod passed;
mod pawns;
mod pieces;
#[cfg(test)]
mod tests;

use cozy_chess::{Board, Color, Move, Piece, Square};
use secateur_search::score::MAX_PLY;
use secateur_search::{Evaluator, Game, Score};

use super::{Chess, moves};
use pieces::Side;

pub use explain::Explanation;
pub use tapered::Tapered;
pub use weights::Weights;

/// How much of the middle game each piece carries, by [`Piece`].
const PHASE: [i32; Piece::NUM] = [0, 1, 1, 2, 4, 0];

/// The phase of the start position, and of any with more.
const FULL_PHASE: i32 = 24;

/// What is kept move by move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
struct Sums {
    /// Material and squares, White less Black.
    value: Tapered,
    phase: i32,
}

/// The classical evaluator: a weighted sum of what chess books teach.
#[derive(Clone)]
pub struct Classical {
    weights: Weights,
    identity: u64,
    /// Material and square together, negative for Black: by colour, piece and square.
    placed: [[[Tapered; Square::NUM]; Piece::NUM]; Color::NUM],
    /// By ply; a few more than the search can reach.
    sums: [Sums; MAX_PLY + 8],
    pawns: pawns::Cache,
}

impl Default for Classical {
    fn default() -> Classical {
        Classical::new(Weights::default())
    }
}

impl Classical {
    /// An evaluator with these numbers. All memory is taken here.
    pub fn new(weights: Weights) -> Classical {
        let placed = Color::ALL.map(|color| {
            Piece::ALL.map(|piece| {
                Square::ALL.map(|square| {
                    let square = square.relative_to(color) as usize;
                    let value =
                        weights.material[piece as usize] + weights.squares[piece as usize][square];
                    if color == Color::White { value } else { -value }
                })
            })
        });
        let pawns = pawns::Cache::new(&weights);
        let sums = [Sums::default(); MAX_PLY + 8];
        let mut evaluator = Classical { weights, identity: 0, placed, sums, pawns };
        evaluator.identity = evaluator.fingerprint();
        evaluator
    }

    /// The numbers in force.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// All numbers as text, so that none is forgotten, and the values along one game, so that a
    /// changed rule shows too. FNV-1a (Fowler, Noll and Vo, 1991).
    fn fingerprint(&self) -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        let mut add = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        format!("{:?}", self.weights).bytes().for_each(&mut add);
        let mut position = Chess::new(Board::default(), false);
        for ply in 0..400u16 {
            self.afresh(&position).value().to_le_bytes().into_iter().for_each(&mut add);
            // Some move, whatever the order of generation.
            let mut best = None;
            position.each_move(|m| {
                let lot = (Chess::pack(m) ^ ply).wrapping_mul(40_503).rotate_left(7);
                best = best.max(Some((lot, Chess::pack(m))));
            });
            let Some(m) = best.and_then(|(_, bits)| position.unpack(bits)) else { break };
            position.play(m);
        }
        hash
    }

    fn sum(&self, board: &Board) -> Sums {
        let mut sums = Sums::default();
        for (color, piece) in Color::ALL.into_iter().flat_map(|c| Piece::ALL.map(|p| (c, p))) {
            for square in board.colored_pieces(color, piece) {
                sums.value += self.placed[color as usize][piece as usize][square as usize];
                sums.phase += PHASE[piece as usize];
            }
        }
        sums
    }

    /// The value without anything kept or cached.
    fn afresh(&self, position: &Chess) -> Score {
        let structure = pawns::Structure::of(position.board(), &self.weights);
        let sums = self.sum(position.board());
        judge(position, sums, &structure, &self.weights, |_, _, _| {})
    }
}

/// The value of a position for the side to move. `note` is told every term but those in `sums`
/// and `structure`: its name and what it is worth to White and to Black.
#[inline(always)]
fn judge(
    position: &Chess,
    sums: Sums,
    structure: &pawns::Structure,
    weights: &Weights,
    mut note: impl FnMut(&'static str, Tapered, Tapered),
) -> Score {
    let board = position.board();
    let mut total = sums.value + structure.value;
    let mut term = |name, white: Tapered, black: Tapered| {
        note(name, white, black);
        total += white - black;
    };
    use Color::{Black, White};
    let white = Side::of(board, White, structure.outposts, weights);
    let black = Side::of(board, Black, structure.outposts, weights);
    term("mobility", white.mobility, black.mobility);
    term("places", white.places, black.places);

    let pair = |color| {
        let bishops = board.colored_pieces(color, Piece::Bishop).0;
        let more_than_one = bishops & bishops.wrapping_sub(1) != 0;
        if more_than_one { weights.bishop_pair } else { Tapered::ZERO }
    };
    term("bishop pair", pair(White), pair(Black));

    let shelters =
        [White, Black].map(|color| Tapered::new(structure.shelter(board, color, weights), 0));
    term("shelter", shelters[0], shelters[1]);
    term(
        "king danger",
        king::danger(&white, &black, board, White, shelters[0], weights),
        king::danger(&black, &white, board, Black, shelters[1], weights),
    );
    term(
        "threats",
        white.threats(&black, board, White, weights),
        black.threats(&white, board, Black, weights),
    );
    if !structure.passed.is_empty() {
        term(
            "passed pawns",
            passed::passed(structure.passed, &black, board, White, weights),
            passed::passed(structure.passed, &white, board, Black, weights),
        );
    }
    if sums.phase <= DRIVE_BELOW {
        term(
            "drive",
            endings::drive(position, White, weights),
            endings::drive(position, Black, weights),
        );
    }
    match position.color() {
        White => term("tempo", weights.tempo, Tapered::ZERO),
        Black => term("tempo", Tapered::ZERO, weights.tempo),
    }
    let value = blend(position, total, sums.phase, weights);
    Score::heuristic(if position.color() == White { value } else { -value })
}

/// No more than this is left on the board when a king can be driven: two queens and a rook.
const DRIVE_BELOW: i32 = 10;

/// The value for White between middle game and endgame, less what cannot be won.
#[inline(always)]
fn blend(position: &Chess, total: Tapered, phase: i32, weights: &Weights) -> i32 {
    let phase = phase.min(FULL_PHASE);
    let value = (total.middle() * phase + total.end() * (FULL_PHASE - phase)) / FULL_PHASE;
    let strong = if value >= 0 { Color::White } else { Color::Black };
    value * endings::scale(position, strong, weights) / endings::WHOLE
}

impl Evaluator<Chess> for Classical {
    fn start(&mut self, root: &Chess) {
        self.sums[0] = self.sum(root.board());
    }

    #[inline]
    fn advance(&mut self, ply: usize, before: &Chess, m: Move, _after: &Chess) {
        let board = before.board();
        let us = before.color();
        let mut sums = self.sums[ply];
        let placed = |color, piece: Piece, square: Square| {
            self.placed[color as usize][piece as usize][square as usize]
        };
        if let Some(castling) = moves::castling(board, m) {
            sums.value += placed(us, Piece::King, castling.king) - placed(us, Piece::King, m.from);
            sums.value += placed(us, Piece::Rook, castling.rook) - placed(us, Piece::Rook, m.to);
        } else if let Some(piece) = board.piece_on(m.from) {
            let put = m.promotion.unwrap_or(piece);
            sums.value += placed(us, put, m.to) - placed(us, piece, m.from);
            sums.phase += PHASE[put as usize] - PHASE[piece as usize];
            if board.colors(!us).has(m.to) {
                if let Some(victim) = board.piece_on(m.to) {
                    sums.value -= placed(!us, victim, m.to);
                    sums.phase -= PHASE[victim as usize];
                }
            } else if let Some(square) = moves::taken_in_passing(board, m) {
                sums.value -= placed(!us, Piece::Pawn, square);
            }
        }
        self.sums[ply + 1] = sums;
    }

    #[inline]
    fn advance_pass(&mut self, ply: usize, _after: &Chess) {
        self.sums[ply + 1] = self.sums[ply];
    }

    #[inline]
    fn evaluate(&mut self, ply: usize, position: &Chess) -> Score {
        let structure = self.pawns.get(position.board(), &self.weights);
        judge(position, self.sums[ply], structure, &self.weights, |_, _, _| {})
    }

    fn identity(&self) -> u64 {
        self.identity
    }
}
