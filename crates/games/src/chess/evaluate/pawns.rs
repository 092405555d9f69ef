//! Pawn structure, kept in a small cache: pawns move seldom, so nearly every look finds it.

use cozy_chess::{BitBoard, Board, Color, File, Piece, Rank, Square};

use super::{Tapered, Weights};
use crate::chess::keys;

/// All squares attacked by these pawns.
#[inline]
pub(super) fn attacks(color: Color, BitBoard(pawns): BitBoard) -> BitBoard {
    let (left, right) = (pawns & !File::A.bitboard().0, pawns & !File::H.bitboard().0);
    BitBoard(match color {
        Color::White => left << 7 | right << 9,
        Color::Black => left >> 9 | right >> 7,
    })
}

/// The squares one step ahead.
#[inline]
pub(super) fn ahead(color: Color, BitBoard(set): BitBoard) -> BitBoard {
    BitBoard(match color {
        Color::White => set << 8,
        Color::Black => set >> 8,
    })
}

/// All squares on the files of `set` further on for White.
const fn beyond(BitBoard(mut set): BitBoard) -> BitBoard {
    set |= set << 8;
    set |= set << 16;
    set |= set << 32;
    BitBoard(set << 8)
}

/// All that depends on the pawns alone. Fits a cache line.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct Structure {
    key: u64,
    /// White less Black.
    pub(super) value: Tapered,
    /// The passed pawns of both sides.
    pub(super) passed: BitBoard,
    /// Squares on the ranks 4 to 6 held by a pawn that no enemy pawn can attack on its way. None
    /// can be both sides', since the pawn that holds it for one takes it from the other.
    pub(super) outposts: BitBoard,
    /// What a king on the lowest two ranks of each file gets from its three files.
    shelter: [[i16; File::NUM]; Color::NUM],
}

/// What one side's pawns are worth.
#[derive(Default)]
struct Half {
    value: Tapered,
    passed: BitBoard,
    outposts: BitBoard,
    shelter: [i16; File::NUM],
}

impl Structure {
    pub(super) fn of(board: &Board, weights: &Weights) -> Structure {
        let [white, black] = halves(board, weights);
        Structure {
            key: keys::pawns(board),
            value: white.value - black.value,
            passed: white.passed | black.passed.flip_ranks(),
            outposts: white.outposts | black.outposts.flip_ranks(),
            shelter: [white.shelter, black.shelter],
        }
    }

    /// The middle-game value of the pawns around a king.
    #[inline(always)]
    pub(super) fn shelter(&self, board: &Board, color: Color, weights: &Weights) -> i32 {
        let king = board.king(color).relative_to(color);
        let files = &self.shelter[color as usize];
        if king.rank() > Rank::Second {
            return 3 * weights.shelter[0];
        }
        let here = i32::from(files[king.file() as usize]);
        // A king that may still castle is half as safe as where it would go.
        let rights = board.castle_rights(color);
        let reach = |right: Option<File>, file: File| match right {
            Some(_) => i32::from(files[file as usize]).max(here),
            None => here,
        };
        (here + reach(rights.short, File::G).max(reach(rights.long, File::C))) / 2
    }
}

/// The value of both sides' pawns, White's first.
pub(super) fn values(board: &Board, weights: &Weights) -> [Tapered; 2] {
    halves(board, weights).map(|half| half.value)
}

/// Black's half is found on the flipped board, so that the two cannot differ.
fn halves(board: &Board, weights: &Weights) -> [Half; 2] {
    let [white, black] = Color::ALL.map(|color| board.colored_pieces(color, Piece::Pawn));
    [half(white, black, weights), half(black.flip_ranks(), white.flip_ranks(), weights)]
}

/// The half of the side that moves up the board. Definitions after Kmoch, Pawn Power in Chess (1956).
fn half(own: BitBoard, enemy: BitBoard, weights: &Weights) -> Half {
    let mut half = Half::default();
    let enemy_attacks = attacks(Color::Black, enemy);
    // Where enemy pawns can ever take: what they attack, and all that lies before that.
    let reach = enemy_attacks | beyond(enemy_attacks.flip_ranks()).flip_ranks();
    let ranks = Rank::Fourth.bitboard() | Rank::Fifth.bitboard() | Rank::Sixth.bitboard();
    half.outposts = attacks(Color::White, own) & (ranks - reach);
    for pawn in own {
        let (file, rank) = (pawn.file(), pawn.rank() as usize);
        let (front, flanks) = (beyond(pawn.bitboard()), flanks(pawn));
        let neighbours = own & file.adjacent();
        let defenders = attacks(Color::Black, pawn.bitboard()) & own;
        let beside = neighbours & pawn.rank().bitboard();
        let behind = neighbours - flanks - beside;
        let leads = (own & front).is_empty();
        if !leads {
            half.value += weights.doubled;
        }
        if neighbours.is_empty() {
            half.value += weights.isolated;
        } else if (behind | beside).is_empty()
            && !(ahead(Color::White, pawn.bitboard()) & (enemy_attacks | enemy)).is_empty()
        {
            half.value += weights.backward;
        }
        if !(defenders | beside).is_empty() {
            half.value += weights.connected[rank];
        }
        if leads && (enemy & (front | flanks)).is_empty() {
            half.passed |= pawn.bitboard();
            half.value += weights.passed[rank];
        } else if leads
            && (enemy & front).is_empty()
            && (behind | beside).len() >= (enemy & flanks).len()
        {
            half.value += weights.candidate[rank];
        }
    }
    let alone = File::ALL.map(|file| shelter_of_file(file.bitboard(), own, enemy, weights));
    for file in 0..File::NUM {
        // In the corner, too, three files count: the attack comes along any of them.
        let middle = file.clamp(1, File::NUM - 2);
        half.shelter[file] = alone[middle - 1] + alone[middle] + alone[middle + 1];
    }
    half
}

/// The squares beside those before a pawn.
fn flanks(pawn: Square) -> BitBoard {
    beyond(pawn.rank().bitboard()) & pawn.file().adjacent()
}

fn shelter_of_file(file: BitBoard, own: BitBoard, enemy: BitBoard, weights: &Weights) -> i16 {
    let first = |pawns: BitBoard| (pawns & file).next_square().map_or(0, |s| s.rank() as usize);
    let (shield, storm) = (first(own), first(enemy));
    // A pawn that runs into the shield has stopped storming.
    let blocked = shield != 0 && storm == shield + 1;
    (weights.shelter[shield] + weights.storm[storm] / if blocked { 2 } else { 1 }) as i16
}

/// The structures seen last, by their key.
#[derive(Clone)]
pub(super) struct Cache(Vec<Structure>);

impl Cache {
    /// A power of two; all of it fits the second-level cache.
    const ENTRIES: usize = 4096;

    pub(super) fn new(weights: &Weights) -> Cache {
        // A true answer to its own key, so that no entry is ever wrong.
        Cache(vec![Structure::of(&Board::default(), weights); Cache::ENTRIES])
    }

    #[inline(always)]
    pub(super) fn get(&mut self, board: &Board, weights: &Weights) -> &Structure {
        let key = keys::pawns(board);
        let entry = &mut self.0[key as usize % Cache::ENTRIES];
        if entry.key != key {
            *entry = Structure::of(board, weights);
        }
        entry
    }
}
