//! Every number of the evaluation, set by hand: round numbers and simple formulas, in hundredths
//! of a pawn, waiting to be replaced by learned ones. Tables of squares are seen from White's
//! side; ranks count from 0, the own back rank.

use cozy_chess::{Piece, Square};

use super::Tapered;

const fn t(middle: i32, end: i32) -> Tapered {
    Tapered::new(middle, end)
}

/// The numbers. [`Weights::default`] is what plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// The bare pieces, by [`Piece`].
    pub material: [Tapered; Piece::NUM],
    /// What the square adds, by piece and square.
    pub squares: [[Tapered; Square::NUM]; Piece::NUM],
    /// Having the move.
    pub tempo: Tapered,
    /// Two bishops or more.
    pub bishop_pair: Tapered,
    /// Knight, bishop, rook, queen by the number of safe squares they reach.
    pub mobility: [[Tapered; 28]; 4],
    /// A knight, or a bishop, held by a pawn where no enemy pawn can ever drive it off.
    pub outpost: [Tapered; 2],
    /// A rook on a file without own pawns, and without any.
    pub rook_file: [Tapered; 2],
    /// A rook on the seventh while there are pawns to eat or a king to shut in.
    pub rook_on_seventh: Tapered,
    /// A pawn with another of its own before it.
    pub doubled: Tapered,
    /// A pawn without neighbours on the files beside it.
    pub isolated: Tapered,
    /// A pawn that its neighbours have left behind and that cannot advance safely.
    pub backward: Tapered,
    /// A pawn beside or defended by another, by rank.
    pub connected: [Tapered; 8],
    /// A pawn that enough neighbours can help past the enemy's, by rank.
    pub candidate: [Tapered; 8],
    /// A passed pawn, by rank.
    pub passed: [Tapered; 8],
    /// How much the next three matter, by rank.
    pub passed_urgency: [i32; 8],
    /// For each step of the enemy king to the square before the pawn, and of the own king.
    pub passed_kings: [Tapered; 2],
    /// The square before the pawn is occupied by an enemy.
    pub passed_blocked: Tapered,
    /// The square before the pawn is empty and not attacked.
    pub passed_free: Tapered,
    /// No piece is left to stop the pawn, and the king comes too late.
    pub passed_unstoppable: Tapered,
    /// A file of the king's, by the rank of the own pawn hindmost on it; 0: there is none.
    pub shelter: [i32; 8],
    /// The same file, by the rank of the enemy pawn foremost on it; 0: there is none.
    pub storm: [i32; 8],
    /// Units of danger for a knight, bishop, rook, queen that looks at the king's zone.
    pub king_attacker: [i32; 4],
    /// Units for each square of the zone that is attacked and held by the king at most.
    pub king_weak_square: i32,
    /// Units for a safe check by knight, bishop, rook, queen.
    pub king_check: [i32; 4],
    /// Units that every king bears, with and without an enemy queen.
    pub king_calm: [i32; 2],
    /// Units for 64 hundredths of missing shelter.
    pub king_open: i32,
    /// Up to so many units nothing more is counted: weak squares and checks alone are cheap.
    pub king_quiet: i32,
    /// What units of danger cost. Attackers multiply each other's force, so it is a parabola.
    pub danger: [Tapered; 64],
    /// A piece attacked by a pawn.
    pub threat_by_pawn: Tapered,
    /// A rook or queen attacked by a minor piece.
    pub threat_by_minor: Tapered,
    /// A queen attacked by a rook.
    pub threat_by_rook: Tapered,
    /// A piece, or a pawn, that is attacked and not defended.
    pub hanging: [Tapered; 2],
    /// Driving a lost king: for each step from the centre, and for each step the kings are closer.
    pub drive: [Tapered; 2],
    /// 64ths of the value that remain to a side a piece ahead without pawns.
    pub keep_pawnless: i32,
    /// 64ths that remain with bishops of opposite colours alone, by pawns of the stronger side.
    pub keep_opposite: [i32; 9],
    /// The same with rooks or knights beside them.
    pub keep_opposite_more: i32,
    /// 64ths that remain against a piece that could be given for the last pawn, by pawns.
    pub keep_pawns: [i32; 9],
}

/// 0 at the edge to 3 in the middle.
const fn inward(coordinate: usize) -> i32 {
    let from_low = coordinate as i32;
    if from_low < 4 { from_low } else { 7 - from_low }
}

fn square_value(piece: Piece, square: Square) -> Tapered {
    let (file, rank) = (inward(square.file() as usize), square.rank() as usize);
    let (centre, up) = (file + inward(rank), rank as i32);
    match piece {
        // Take the centre; leave flank pawns to the shelter; in the endgame go forward.
        Piece::Pawn => {
            let middle = [0, -6 * (file / 3), 3 * file, 7 * file, 8 * file, 9 * file, 9 * file, 0];
            t(middle[rank] - 3 * file.min(2), [0, 0, 2, 6, 12, 20, 28, 0][rank])
        }
        Piece::Knight => t(7 * centre + 2 * up - 34, 6 * centre - 22),
        // Off the back rank, towards the long diagonals.
        Piece::Bishop => t(4 * centre - 10 - if rank == 0 { 6 } else { 0 }, 3 * centre - 9),
        Piece::Rook => t(4 * file - 6, up - 3),
        Piece::Queen => t(centre - 3, 4 * centre - 12),
        // Behind the pawns beside the corner, later to the centre.
        Piece::King => t([20, 28, 6, 0][file as usize] - 20 * up.min(4), 9 * centre - 27),
    }
}

/// Rises from `low` at 0 to `high` at `most`, steeply first: the first free squares matter most.
fn curve(low: (i32, i32), high: (i32, i32), most: i32) -> [Tapered; 28] {
    std::array::from_fn(|n| {
        let n = (n as i32).min(most);
        let part = |low: i32, high: i32| low + (high - low) * n * (2 * most - n) / (most * most);
        t(part(low.0, high.0), part(low.1, high.1))
    })
}

impl Default for Weights {
    fn default() -> Weights {
        Weights {
            // Two minor pieces outweigh a rook and a pawn until the board is empty.
            material: [t(88, 108), t(330, 305), t(340, 325), t(470, 530), t(970, 980), t(0, 0)],
            squares: Piece::ALL.map(|piece| Square::ALL.map(|square| square_value(piece, square))),
            tempo: t(14, 10),
            bishop_pair: t(28, 48),
            mobility: [
                curve((-40, -40), (20, 18), 8),
                curve((-35, -40), (28, 34), 13),
                curve((-25, -50), (16, 36), 14),
                curve((-15, -30), (14, 36), 24),
            ],
            outpost: [t(28, 18), t(14, 6)],
            rook_file: [t(12, 8), t(28, 14)],
            rook_on_seventh: t(14, 28),
            doubled: t(-8, -20),
            isolated: t(-10, -14),
            backward: t(-8, -10),
            connected: [0, 3, 5, 8, 16, 30, 50, 0].map(|n| t(n, n / 2)),
            candidate: [0, 2, 4, 8, 18, 32, 0, 0].map(|n| t(n / 2, n)),
            passed: [0, 4, 6, 18, 40, 75, 120, 0].map(|n| t(n * 2 / 3, n * 4 / 3)),
            passed_urgency: [0, 0, 0, 1, 3, 6, 9, 0],
            passed_kings: [t(0, 4), t(0, -2)],
            passed_blocked: t(-3, -5),
            passed_free: t(2, 5),
            passed_unstoppable: t(0, 450),
            shelter: [-28, 0, -7, -16, -22, -26, -28, -28],
            storm: [-7, -15, -24, -15, -6, 0, 0, 0],
            king_attacker: [6, 5, 7, 9],
            king_weak_square: 3,
            king_check: [6, 4, 6, 6],
            king_calm: [-9, -20],
            king_open: 6,
            king_quiet: 0,
            danger: std::array::from_fn(|n| t(-((n * n) as i32).min(1600) / 4, -(n as i32) / 2)),
            threat_by_pawn: t(50, 40),
            threat_by_minor: t(32, 32),
            threat_by_rook: t(30, 25),
            hanging: [t(28, 24), t(4, 12)],
            drive: [t(0, 14), t(0, 7)],
            keep_pawnless: 10,
            keep_opposite: [10, 20, 28, 34, 38, 40, 40, 40, 40],
            keep_opposite_more: 56,
            keep_pawns: [64, 50, 56, 60, 64, 64, 64, 64, 64],
        }
    }
}
