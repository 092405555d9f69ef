//! The evaluation of chess: material, squares, pawns, mobility, king safety, threats.
//!
//! What is counted is stated once, in `features`, and counted by the files below; the tree adds
//! weights up, the trainer collects the counts.
//!
//! | file | idea |
//! |---|---|
//! | [`features`] | the table of everything that is counted |
//! | [`plain`] | weights set by hand, to compare with |
//! | [`tapered`] | a middle-game and an endgame value in one machine word |
//! | `pawns` | pawn structure and shelter, cached |
//! | `pieces` | attacks, found once: mobility, good places, threats |
//! | `king` | the danger of an attack on the king |
//! | `passed` | what surrounds a passed pawn |
//! | `endings` | what cannot be won, and how to win what can |
//! | [`explain`] | the terms of one position by name |

pub mod explain;
pub mod features;
pub mod plain;
pub mod tapered;

mod endings;
mod king;
mod passed;
mod pawns;
mod pieces;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use cozy_chess::{Board, Color, Move, Piece, Square};
use secateur_search::features::{Blend, WHOLE};
use secateur_search::score::MAX_PLY;
use secateur_search::{Evaluator, Game, Score, Weights};

use super::{Chess, moves};
use features::{BISHOP_PAIR, CASTLING, DANGER, KING_OUT, SQUARES, Seen, Sum, TEMPO, Table, Tally};
use pawns::Facts;
use pieces::Side;

pub use explain::Explanation;
pub use tapered::Tapered;

/// The weights that play: the embedded file.
pub fn embedded() -> &'static Weights<Chess> {
    static WEIGHTS: LazyLock<Weights<Chess>> = LazyLock::new(|| {
        Weights::read(include_bytes!("../../../weights/chess.weights"))
            .expect("a test reads the embedded weights")
    });
    &WEIGHTS
}

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
    table: Table,
    identity: u64,
    /// Negative for Black: by [`Seen`], piece and square.
    placed: [[[Tapered; Square::NUM]; Piece::NUM]; Seen::ALL.len()],
    /// By ply; a few more than the search can reach.
    sums: [Sums; MAX_PLY + 8],
    pawns: pawns::Cache,
}

/// With the [`embedded`] weights.
impl Default for Classical {
    fn default() -> Classical {
        Classical::with_weights(embedded())
    }
}

impl Classical {
    /// An evaluator with these weights. All memory is taken here.
    pub fn with_weights(weights: &Weights<Chess>) -> Classical {
        let table = features::table(weights);
        let placed = Seen::ALL.map(|seen| {
            Piece::ALL.map(|piece| {
                Square::ALL.map(|square| {
                    let place = piece as usize * Square::NUM + seen.square(square);
                    let value = table[SQUARES + place];
                    if seen.color() == Color::White { value } else { -value }
                })
            })
        });
        Classical {
            table,
            identity: fingerprint(weights),
            placed,
            sums: [Sums::default(); MAX_PLY + 8],
            pawns: pawns::Cache::new(&table),
        }
    }

    fn sum(&self, board: &Board) -> Sums {
        let mut sums = Sums::default();
        for (color, piece) in Color::ALL.into_iter().flat_map(|c| Piece::ALL.map(|p| (c, p))) {
            let seen = Seen::by(board, color).number();
            for square in board.colored_pieces(color, piece) {
                sums.value += self.placed[seen][piece as usize][square as usize];
                sums.phase += PHASE[piece as usize];
            }
        }
        sums
    }
}

/// The weights, and what there is to count along one game, so that a changed rule shows too.
fn fingerprint(weights: &Weights<Chess>) -> u64 {
    let mut hash = weights.identity();
    let mut position = Chess::new(Board::default(), false);
    for ply in 0..400u16 {
        let value = secateur_search::features::value(&position, weights) as u64;
        hash = (hash ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
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

/// Counts everything but what [`Sums`] and the pawn structure hold.
#[inline(always)]
fn count(
    position: &Chess,
    facts: &Facts,
    phase: i32,
    white: &mut impl Tally,
    black: &mut impl Tally,
) {
    use Color::{Black, White};
    let board = position.board();
    let side = Side::of(board, White, facts, white);
    let enemy = Side::of(board, Black, facts, black);
    // Not a loop: the two tallies may be of two types.
    one_side(position, facts, White, &side, &enemy, white);
    one_side(position, facts, Black, &enemy, &side, black);
    if phase <= DRIVE_BELOW {
        endings::drive(position, White, white);
        endings::drive(position, Black, black);
    }
}

/// No more than this is left on the board when a king can be driven: two queens and a rook.
const DRIVE_BELOW: i32 = 10;

/// Counts what one side has of everything that needs the attacks of both.
#[inline(always)]
fn one_side(
    position: &Chess,
    facts: &Facts,
    us: Color,
    own: &Side,
    enemy: &Side,
    tally: &mut impl Tally,
) {
    let board = position.board();
    if position.color() == us {
        tally.add(TEMPO, 1);
    }
    let bishops = board.colored_pieces(us, Piece::Bishop).0;
    if bishops & bishops.wrapping_sub(1) != 0 {
        tally.add(BISHOP_PAIR, 1);
    }
    let king = board.king(us);
    if pawns::is_out(king, us) {
        tally.add(KING_OUT, 1);
    }
    let rights = board.castle_rights(us);
    let ways = usize::from(rights.short.is_some()) + usize::from(rights.long.is_some());
    if ways != 0 {
        tally.add(CASTLING + ways - 1, 1);
    }
    king::danger(own, enemy, board, us, facts.missing(king, us), tally);
    own.threats(enemy, board, us, tally);
    if !facts.passed.is_empty() {
        passed::passed(facts.passed, enemy, board, us, tally);
    }
}

/// The danger that both kings are in together, in steps of the curve.
pub(super) fn danger(position: &Chess) -> i32 {
    let board = position.board();
    let facts = Facts::of(board);
    let [white, black] =
        [Color::White, Color::Black].map(|us| Side::of(board, us, &facts, &mut |_, _| {}));
    let mut steps = 0;
    let mut tally = |feature: usize, _: i32| steps += 1 + (feature - DANGER) as i32;
    for (us, own, enemy) in [(Color::White, &white, &black), (Color::Black, &black, &white)] {
        king::danger(own, enemy, board, us, facts.missing(board.king(us), us), &mut tally);
    }
    steps
}

/// A sum of White's less Black's between middle game and endgame, less what cannot be won.
#[inline(always)]
fn blend(position: &Chess, total: Tapered, phase: i32) -> i32 {
    let phase = phase.min(FULL_PHASE);
    let blend = Blend { stages: [0, 1], shares: [phase, FULL_PHASE - phase] };
    let value = blend.of([total.middle(), total.end()]);
    let strong = if value >= 0 { Color::White } else { Color::Black };
    value * endings::scale(position, strong) / WHOLE
}

impl Evaluator<Chess> for Classical {
    fn start(&mut self, root: &Chess) {
        self.sums[0] = self.sum(root.board());
    }

    #[inline]
    fn advance(&mut self, ply: usize, before: &Chess, m: Move, after: &Chess) {
        let board = before.board();
        let us = before.color();
        if features::is_left(board.king(us)) != features::is_left(after.board().king(us)) {
            // The king changes wings, and all squares of its side their worth.
            self.sums[ply + 1] = self.sum(after.board());
            return;
        }
        let mut sums = self.sums[ply];
        let seen = Color::ALL.map(|color| Seen::by(board, color).number());
        let placed = |color, piece: Piece, square: Square| {
            self.placed[seen[color as usize]][piece as usize][square as usize]
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
        let structure = self.pawns.get(position.board(), &self.table);
        let sums = self.sums[ply];
        let [mut white, mut black] = [Sum::new(&self.table), Sum::new(&self.table)];
        count(position, &structure.facts, sums.phase, &mut white, &mut black);
        let shelter = |color| structure.shelter(position.board().king(color), color);
        let total = sums.value
            + structure.value
            + (white.value - black.value)
            + (shelter(Color::White) - shelter(Color::Black));
        let value = blend(position, total, sums.phase);
        Score::heuristic(if position.color() == Color::White { value } else { -value })
    }

    fn identity(&self) -> u64 {
        self.identity
    }
}
