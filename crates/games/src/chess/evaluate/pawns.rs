//! Pawn structure, kept in a small cache: pawns move seldom, so nearly every look finds it.

use cozy_chess::{BitBoard, Board, Color, File, Piece, Rank, Square};

use super::Tapered;
use super::features::*;
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

/// What the pawns alone decide, apart from their value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    /// The passed pawns of both sides.
    pub(super) passed: BitBoard,
    /// Squares on the ranks 4 to 6 held by a pawn that no enemy pawn can attack on its way. None
    /// can be both sides', since the pawn that holds it for one takes it from the other.
    pub(super) outposts: BitBoard,
    /// How many of its three files a king on each file finds without a pawn near it.
    missing: [[u8; File::NUM]; Color::NUM],
    /// How many pawns each side has on light and on dark squares.
    pub(super) on_shade: [[u8; 2]; Color::NUM],
}

impl Facts {
    /// The facts alone.
    pub(super) fn of(board: &Board) -> Facts {
        Facts::counted(View::both(board), &mut |_, _| {}, &mut |_, _| {})
    }

    /// The facts; the features of the structure are counted on the way.
    fn counted(views: [View; 2], white: &mut impl Tally, black: &mut impl Tally) -> Facts {
        let [(passed, outposts), (black_passed, black_outposts)] =
            [half(views[0], white), half(views[1], black)];
        Facts {
            passed: passed | black_passed.flip_ranks(),
            outposts: outposts | black_outposts.flip_ranks(),
            missing: views.map(missing),
            on_shade: [on_shade(views[0].own), on_shade(views[0].enemy)],
        }
    }

    /// How many pawns the king of a side lacks before it.
    #[inline(always)]
    pub(super) fn missing(&self, king: Square, color: Color) -> i32 {
        if is_out(king, color) {
            return 3;
        }
        self.missing[color as usize][king.file() as usize].into()
    }
}

fn on_shade(pawns: BitBoard) -> [u8; 2] {
    [BitBoard::LIGHT_SQUARES, BitBoard::DARK_SQUARES].map(|shade| (pawns & shade).len() as u8)
}

/// Whether a king has gone beyond its second rank.
#[inline(always)]
pub(super) fn is_out(king: Square, color: Color) -> bool {
    king.relative_to(color).rank() > Rank::Second
}

/// The value of all that depends on the pawns alone. Two cache lines, the shelters in the second.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Structure {
    key: u64,
    pub(super) facts: Facts,
    /// White less Black.
    pub(super) value: Tapered,
    /// What a king on the lowest two ranks of each file gets from its three files.
    shelter: [[Tapered; File::NUM]; Color::NUM],
}

impl Structure {
    fn of(board: &Board, table: &Table) -> Structure {
        let [mut white, mut black] = [Sum::new(table), Sum::new(table)];
        let views = View::both(board);
        let facts = Facts::counted(views, &mut white, &mut black);
        let shelter = views.map(|view| {
            let alone: [Tapered; File::NUM] = std::array::from_fn(|file| {
                let mut sum = Sum::new(table);
                shelter_of_file(file, &view, &mut sum);
                sum.value
            });
            std::array::from_fn(|file| three_files(file).map(|file| alone[file]).sum())
        });
        let value = white.value - black.value;
        Structure { key: keys::pawns(board), facts, value, shelter }
    }

    /// The value of the pawns around a king; nothing for one that is out.
    #[inline(always)]
    pub(super) fn shelter(&self, king: Square, color: Color) -> Tapered {
        if is_out(king, color) {
            return Tapered::ZERO;
        }
        self.shelter[color as usize][king.file() as usize]
    }
}

/// Counts everything of one side that [`Structure`] adds up.
pub(super) fn each(board: &Board, color: Color, tally: &mut impl Tally) {
    let view = View::of(board, color);
    half(view, tally);
    let king = board.king(color);
    if !is_out(king, color) {
        three_files(king.file() as usize).for_each(|file| shelter_of_file(file, &view, tally));
    }
}

/// Pawns as the side that moves up the board sees them: Black on a flipped one, so that the two
/// sides cannot differ.
#[derive(Clone, Copy)]
struct View {
    own: BitBoard,
    enemy: BitBoard,
    /// The rank of the hindmost own pawn of each file; 0 if there is none.
    shields: [u8; File::NUM],
    /// The rank of the foremost enemy pawn of each file; 0 if there is none.
    storms: [u8; File::NUM],
}

impl View {
    /// White's and Black's.
    fn both(board: &Board) -> [View; 2] {
        Color::ALL.map(|color| View::of(board, color))
    }

    fn of(board: &Board, color: Color) -> View {
        let pawns = |color| board.colored_pieces(color, Piece::Pawn);
        let (own, enemy) = match color {
            Color::White => (pawns(Color::White), pawns(Color::Black)),
            Color::Black => (pawns(Color::Black).flip_ranks(), pawns(Color::White).flip_ranks()),
        };
        View { own, enemy, shields: first_on_files(own), storms: first_on_files(enemy) }
    }
}

/// Counts the structure and finds passed pawns and outposts. Definitions after Kmoch, Pawn Power
/// in Chess (1956).
fn half(View { own, enemy, .. }: View, tally: &mut impl Tally) -> (BitBoard, BitBoard) {
    let enemy_attacks = attacks(Color::Black, enemy);
    // Where enemy pawns can ever take: what they attack, and all that lies before that.
    let reach = enemy_attacks | beyond(enemy_attacks.flip_ranks()).flip_ranks();
    let ranks = Rank::Fourth.bitboard() | Rank::Fifth.bitboard() | Rank::Sixth.bitboard();
    let outposts = attacks(Color::White, own) & (ranks - reach);
    let mut passed = BitBoard::EMPTY;
    for pawn in own {
        let (file, rank) = (pawn.file(), pawn.rank() as usize);
        let (front, flanks) = (beyond(pawn.bitboard()), flanks(pawn));
        let neighbours = own & file.adjacent();
        let defenders = attacks(Color::Black, pawn.bitboard()) & own;
        let beside = neighbours & pawn.rank().bitboard();
        let behind = neighbours - flanks - beside;
        let leads = (own & front).is_empty();
        if !leads {
            tally.add(DOUBLED, 1);
        }
        if neighbours.is_empty() {
            tally.add(ISOLATED, 1);
        } else if (behind | beside).is_empty()
            && !(ahead(Color::White, pawn.bitboard()) & (enemy_attacks | enemy)).is_empty()
        {
            tally.add(BACKWARD, 1);
        }
        if !(defenders | beside).is_empty() {
            tally.add(CONNECTED + rank, 1);
        }
        if leads && (enemy & (front | flanks)).is_empty() {
            passed |= pawn.bitboard();
            tally.add(PASSED + rank, 1);
        } else if leads
            && (enemy & front).is_empty()
            && (behind | beside).len() >= (enemy & flanks).len()
        {
            tally.add(CANDIDATE + rank, 1);
        }
    }
    (passed, outposts)
}

/// The squares beside those before a pawn.
fn flanks(pawn: Square) -> BitBoard {
    beyond(pawn.rank().bitboard()) & pawn.file().adjacent()
}

/// The files that shelter a king. In the corner, too, three count: the attack comes along any.
fn three_files(king: usize) -> std::ops::RangeInclusive<usize> {
    let middle = king.clamp(1, File::NUM - 2);
    middle - 1..=middle + 1
}

/// The rank of the first of these pawns on each file; 0 if there is none.
fn first_on_files(pawns: BitBoard) -> [u8; File::NUM] {
    let mut first = [0; File::NUM];
    for pawn in pawns {
        let rank = &mut first[pawn.file() as usize];
        // From the first rank up, so the first to come stays.
        if *rank == 0 {
            *rank = pawn.rank() as u8;
        }
    }
    first
}

fn shelter_of_file(file: usize, view: &View, tally: &mut impl Tally) {
    let (shield, storm) = (view.shields[file] as usize, view.storms[file] as usize);
    tally.add(SHELTER + shield, 1);
    // A pawn that runs into the shield has stopped storming.
    let blocked = shield != 0 && storm == shield + 1;
    tally.add(if blocked { STORM_BLOCKED } else { STORM } + storm, 1);
}

/// For a king on each file: how many of its files have no pawn on the second or third rank.
fn missing(view: View) -> [u8; File::NUM] {
    let open = |file: usize| u8::from(!(1..=2).contains(&view.shields[file]));
    std::array::from_fn(|king| three_files(king).map(open).sum())
}

/// The structures seen last, by their key.
#[derive(Clone)]
pub(super) struct Cache(Vec<Structure>);

impl Cache {
    /// A power of two; all of it fits the second-level cache.
    const ENTRIES: usize = 2048;

    pub(super) fn new(table: &Table) -> Cache {
        // A true answer to its own key, so that no entry is ever wrong.
        Cache(vec![Structure::of(&Board::default(), table); Cache::ENTRIES])
    }

    #[inline(always)]
    pub(super) fn get(&mut self, board: &Board, table: &Table) -> &Structure {
        let key = keys::pawns(board);
        let entry = &mut self.0[key as usize % Cache::ENTRIES];
        if entry.key != key {
            *entry = Structure::of(board, table);
        }
        entry
    }
}
