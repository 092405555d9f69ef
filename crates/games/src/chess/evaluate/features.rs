//! The table of everything that is counted in chess, and the two ways to count it: into a sum of
//! weights in the tree, and one by one for the trainer. Tables of squares are seen from White's
//! side; ranks count from 0, the own back rank.

use cozy_chess::{Board, Color, File, Piece, Square};
use secateur_search::features::{Blend, Featured, Group};
use secateur_search::{Score, Weights};

use super::pawns::{self, Facts};
use super::{FULL_PHASE, PHASE, Tapered, count, endings};
use crate::chess::Chess;

secateur_search::features! {
    /// Having the move.
    TEMPO "tempo" 1;
    /// Two bishops or more.
    BISHOP_PAIR "bishop pair" 1;
    /// A knight by the number of safe squares it reaches.
    MOBILITY_KNIGHT "mobility: knight" 9;
    /// A bishop by the number of safe squares it reaches.
    MOBILITY_BISHOP "mobility: bishop" 14;
    /// A rook by the number of safe squares it reaches.
    MOBILITY_ROOK "mobility: rook" 15;
    /// A queen by the number of safe squares it reaches.
    MOBILITY_QUEEN "mobility: queen" 28;
    /// A knight, or a bishop, held by a pawn where no enemy pawn can ever drive it off.
    OUTPOST "places: outpost" 2;
    /// A rook on a file without own pawns, and without any.
    ROOK_FILE "places: rook on file" 2;
    /// A rook on the seventh while there are pawns to eat or a king to shut in.
    ROOK_ON_SEVENTH "places: rook on seventh" 1;
    /// For each bishop, the own pawns on squares of its shade.
    BISHOP_PAWNS "places: bishop and own pawns" 1;
    /// For each knight, and for each rook, all own pawns.
    BY_PAWNS "places: with own pawns" 2;
    /// A pawn with another of its own before it.
    DOUBLED "pawns: doubled" 1;
    /// A pawn without neighbours on the files beside it.
    ISOLATED "pawns: isolated" 1;
    /// A pawn that its neighbours have left behind and that cannot advance safely.
    BACKWARD "pawns: backward" 1;
    /// A pawn beside or defended by another, by rank.
    CONNECTED "pawns: connected" 8;
    /// A pawn that enough neighbours can help past the enemy's, by rank.
    CANDIDATE "pawns: candidate" 8;
    /// A passed pawn, by rank.
    PASSED "pawns: passed" 8;
    /// The steps of the enemy king to the square before a passed pawn, by the pawn's rank.
    PASSED_ENEMY_KING "passed pawns: enemy king" 8;
    /// The steps of the own king to the square before a passed pawn, by the pawn's rank.
    PASSED_OWN_KING "passed pawns: own king" 8;
    /// The square before a passed pawn is occupied by an enemy, by the pawn's rank.
    PASSED_BLOCKED "passed pawns: blocked" 8;
    /// The square before a passed pawn is empty and not attacked, by the pawn's rank.
    PASSED_FREE "passed pawns: free" 8;
    /// No square from a passed pawn to its goal is attacked or occupied by an enemy, by its rank.
    PASSED_PATH "passed pawns: open path" 8;
    /// No piece is left to stop the pawn, and the king comes too late.
    PASSED_UNSTOPPABLE "passed pawns: unstoppable" 1;
    /// Each of the king's three files by the rank of the hindmost own pawn on it; 0: there is none.
    SHELTER "shelter: own pawn" 8;
    /// The same files by the rank of the foremost enemy pawn; 0: there is none.
    STORM "shelter: storm" 8;
    /// In place of a storm, if that pawn has run into the own one.
    STORM_BLOCKED "shelter: blocked storm" 8;
    /// A king beyond its second rank, where no pawns shelter it.
    KING_OUT "shelter: king out" 1;
    /// A right to castle on one side; on both.
    CASTLING "shelter: castling" 2;
    /// The danger that the own king is in, two units to a step.
    DANGER "king danger" 32;
    /// A piece attacked by a pawn.
    THREAT_BY_PAWN "threats: by pawn" 1;
    /// A piece that a pawn attacks after a safe step.
    THREAT_BY_STEP "threats: by a pawn's step" 1;
    /// A knight or bishop attacked by a minor piece.
    THREAT_TO_MINOR "threats: to minor piece" 1;
    /// A rook or queen attacked by a minor piece.
    THREAT_BY_MINOR "threats: by minor piece" 1;
    /// A queen attacked by a rook.
    THREAT_BY_ROOK "threats: by rook" 1;
    /// A piece, or a pawn, that is attacked and not defended.
    HANGING "threats: hanging" 2;
    // Games are given up long before these decide, so nothing can be learned of them.
    /// The steps from the centre of a king to be driven to the edge, or to the right corner.
    DRIVE_OUT "drive: to the edge" 1, set by hand;
    /// The steps that the kings are closer than they could be.
    DRIVE_KINGS "drive: kings" 1, set by hand;
    // Last: an index that is a little above its group stays within the table, so that the
    // compiler need not check what it cannot prove.
    /// A piece on a square, by piece and square, the worth of the piece included. The board is
    /// mirrored if the own king is on the left wing, so that it always is on the right one.
    SQUARES "material and squares" 384;
}

/// The weights as the tree adds them, middle game and endgame together.
pub(super) type Table = [Tapered; COUNT];

/// The table of these weights.
pub(super) fn table(weights: &Weights<Chess>) -> Table {
    let [middle, end] = [0, 1].map(|stage| weights.of_stage(stage));
    std::array::from_fn(|index| Tapered::new(middle[index].into(), end[index].into()))
}

/// How a side sees the board: from its own back rank, its king on the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    color: Color,
    mirrored: bool,
}

impl Seen {
    /// Both ways of both sides, by [`Seen::number`].
    pub(super) const ALL: [Seen; 4] = {
        const fn seen(color: Color, mirrored: bool) -> Seen {
            Seen { color, mirrored }
        }
        use Color::{Black, White};
        [seen(White, false), seen(White, true), seen(Black, false), seen(Black, true)]
    };

    /// Of the side of this colour.
    #[inline]
    pub(super) fn by(board: &Board, color: Color) -> Seen {
        Seen { color, mirrored: is_left(board.king(color)) }
    }

    pub(super) fn color(self) -> Color {
        self.color
    }

    #[inline]
    pub(super) fn number(self) -> usize {
        2 * self.color as usize + usize::from(self.mirrored)
    }

    #[inline]
    pub(super) fn square(self, square: Square) -> usize {
        let square = square.relative_to(self.color);
        if self.mirrored { square.flip_file() as usize } else { square as usize }
    }
}

/// Whether a king there is on the left wing.
#[inline]
pub(super) fn is_left(king: Square) -> bool {
    king.file() <= File::D
}

/// Is told what there is of one side.
pub(super) trait Tally {
    /// So many of a feature.
    fn add(&mut self, feature: usize, count: i32);
}

/// Adds up what it is worth.
pub(super) struct Sum<'a> {
    pub(super) table: &'a Table,
    pub(super) value: Tapered,
}

impl<'a> Sum<'a> {
    #[inline(always)]
    pub(super) fn new(table: &'a Table) -> Sum<'a> {
        Sum { table, value: Tapered::ZERO }
    }
}

impl Tally for Sum<'_> {
    #[inline(always)]
    fn add(&mut self, feature: usize, count: i32) {
        self.value += self.table[feature] * count;
    }
}

impl<F: FnMut(usize, i32)> Tally for F {
    #[inline(always)]
    fn add(&mut self, feature: usize, count: i32) {
        self(feature, count);
    }
}

/// Hands out everything that there is of either side, nothing kept or cached.
pub(super) fn each(position: &Chess, mut sink: impl FnMut(Color, usize, i32)) {
    let board = position.board();
    for color in Color::ALL {
        let seen = Seen::by(board, color);
        for piece in Piece::ALL {
            for square in board.colored_pieces(color, piece) {
                sink(color, SQUARES + piece as usize * Square::NUM + seen.square(square), 1);
            }
        }
        pawns::each(board, color, &mut |feature, count| sink(color, feature, count));
    }
    let facts = Facts::of(board);
    // One at a time, since only one of them can hold the sink.
    let phase = phase(position);
    count(position, &facts, phase, &mut |f, n| sink(Color::White, f, n), &mut |_, _| {});
    count(position, &facts, phase, &mut |_, _| {}, &mut |f, n| sink(Color::Black, f, n));
}

/// How much of the middle game is left, from 0 to [`FULL_PHASE`].
pub(super) fn phase(position: &Chess) -> i32 {
    let pieces = position.board().occupied().iter();
    let phases = pieces.filter_map(|s| position.board().piece_on(s)).map(|p| PHASE[p as usize]);
    phases.sum::<i32>().min(FULL_PHASE)
}

impl Featured for Chess {
    const GAME: &'static str = "chess";
    const GROUPS: &'static [Group] = GROUPS;
    /// Middle game and endgame.
    const WEIGHT_STAGES: usize = 2;
    const LIMIT: i32 = Score::HEURISTIC_MAX.value();

    fn blend(&self) -> Blend {
        let phase = phase(self);
        Blend { stages: [0, 1], shares: [phase, FULL_PHASE - phase] }
    }

    fn each_feature(&self, mut sink: impl FnMut(usize, i32)) {
        let us = self.color();
        each(self, |color, feature, count| sink(feature, if color == us { count } else { -count }));
    }

    fn keep(&self) -> [i32; 2] {
        [self.color(), !self.color()].map(|strong| endings::scale(self, strong))
    }
}
