//! Weights set by hand: round numbers and simple formulas, in hundredths of a pawn. What is learned
//! is compared with them.

use cozy_chess::{Piece, Square};
use secateur_search::Weights;
use secateur_search::weights::Origin;

use super::Tapered;
use super::features::*;
use crate::chess::Chess;

const fn t(middle: i32, end: i32) -> Tapered {
    Tapered::new(middle, end)
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
fn curve<const LENGTH: usize>(low: (i32, i32), high: (i32, i32), most: i32) -> [Tapered; LENGTH] {
    std::array::from_fn(|n| {
        let n = (n as i32).min(most);
        let part = |low: i32, high: i32| low + (high - low) * n * (2 * most - n) / (most * most);
        t(part(low.0, high.0), part(low.1, high.1))
    })
}

/// The weights.
pub fn weights() -> Weights<Chess> {
    let mut table = [Tapered::ZERO; COUNT];
    let mut set = |start: usize, values: &[Tapered]| {
        table[start..start + values.len()].copy_from_slice(values);
    };
    // Two minor pieces outweigh a rook and a pawn until the board is empty.
    let material = [t(88, 108), t(330, 305), t(340, 325), t(470, 530), t(970, 980), t(0, 0)];
    for piece in Piece::ALL {
        let value = |square| material[piece as usize] + square_value(piece, square);
        set(SQUARES + piece as usize * Square::NUM, &Square::ALL.map(value));
    }
    set(TEMPO, &[t(14, 10)]);
    set(BISHOP_PAIR, &[t(28, 48)]);
    set(MOBILITY_KNIGHT, &curve::<9>((-40, -40), (20, 18), 8));
    set(MOBILITY_BISHOP, &curve::<14>((-35, -40), (28, 34), 13));
    set(MOBILITY_ROOK, &curve::<15>((-25, -50), (16, 36), 14));
    set(MOBILITY_QUEEN, &curve::<28>((-15, -30), (14, 36), 24));
    set(OUTPOST, &[t(28, 18), t(14, 6)]);
    set(ROOK_FILE, &[t(12, 8), t(28, 14)]);
    set(ROOK_ON_SEVENTH, &[t(14, 28)]);
    set(DOUBLED, &[t(-8, -20)]);
    set(ISOLATED, &[t(-10, -14)]);
    set(BACKWARD, &[t(-8, -10)]);
    set(CONNECTED, &[0, 3, 5, 8, 16, 30, 50, 0].map(|n| t(n, n / 2)));
    set(CANDIDATE, &[0, 2, 4, 8, 18, 32, 0, 0].map(|n| t(n / 2, n)));
    set(PASSED, &[0, 4, 6, 18, 40, 75, 120, 0].map(|n| t(n * 2 / 3, n * 4 / 3)));
    // The nearer to its goal, the more it matters what surrounds the pawn.
    let urgency = [0, 0, 0, 1, 3, 6, 9, 0];
    set(PASSED_ENEMY_KING, &urgency.map(|n| t(0, 4) * n));
    set(PASSED_OWN_KING, &urgency.map(|n| t(0, -2) * n));
    set(PASSED_BLOCKED, &urgency.map(|n| t(-3, -5) * n));
    set(PASSED_FREE, &urgency.map(|n| t(2, 5) * n));
    set(PASSED_UNSTOPPABLE, &[t(0, 450)]);
    let storm = [-7, -15, -24, -15, -6, 0, 0, 0];
    set(SHELTER, &[-28, 0, -7, -16, -22, -26, -28, -28].map(|n| t(n, 0)));
    set(STORM, &storm.map(|n| t(n, 0)));
    set(STORM_BLOCKED, &storm.map(|n| t(n / 2, 0)));
    set(KING_OUT, &[t(-84, 0)]);
    set(CASTLING, &[t(8, 0), t(12, 0)]);
    // Attackers multiply each other's force, so it is a parabola up to where all is lost.
    let danger = |units: i32| t(-(units * units).min(1600) / 4, -units / 2);
    set(DANGER, &std::array::from_fn::<_, 32, _>(|step| danger(2 * step as i32 + 1)));
    set(THREAT_BY_PAWN, &[t(50, 40)]);
    set(THREAT_BY_MINOR, &[t(32, 32)]);
    set(THREAT_BY_ROOK, &[t(30, 25)]);
    set(HANGING, &[t(28, 24), t(4, 12)]);
    set(DRIVE_OUT, &[t(0, 30)]);
    set(DRIVE_KINGS, &[t(0, 15)]);
    let origin = Origin { command: "set by hand".to_string(), ..Origin::default() };
    Weights::from_fn(origin, |stage, index| {
        let weight = table[index];
        (if stage == 0 { weight.middle() } else { weight.end() }) as i16
    })
}
