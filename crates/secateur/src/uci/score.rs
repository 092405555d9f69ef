//! Values as the protocol writes them: hundredths of a point, or moves to the mate.

use secateur_search::{Band, Score};

/// A tablebase win, which is neither a guess nor a mate, is shown as this less its plies: far
/// beyond any guess that looks natural, and never `mate`, which promises a mating line.
const TABLEBASE_CENTIPAWNS: i32 = 20_000;

/// `cp 35`, `mate 3`, `mate -2`.
pub fn written(score: Score) -> String {
    match score.band() {
        Band::Heuristic(value) => format!("cp {value}"),
        Band::Final(points) => format!("cp {}", points * 100),
        // The sign comes from the score: a win in 0 plies has no sign of its own.
        Band::Tablebase(plies) => {
            format!("cp {}", score.value().signum() * (TABLEBASE_CENTIPAWNS - plies.abs()))
        }
        // The mating side makes the last ply, so it has one move more than it has pairs.
        Band::Mate { plies, wins: true } => format!("mate {}", (plies + 1) / 2),
        Band::Mate { plies, wins: false } => format!("mate {}", -(plies / 2)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_search::Outcome;

    #[test]
    fn mates_are_counted_in_moves_of_the_mating_side() {
        assert_eq!(written(Score::mate_in(1)), "mate 1");
        assert_eq!(written(Score::mate_in(3)), "mate 2");
        assert_eq!(written(Score::mated_in(2)), "mate -1");
        assert_eq!(written(Score::mated_in(4)), "mate -2");
        assert_eq!(written(Outcome::Loss.score(0)), "mate 0");
    }

    #[test]
    fn everything_else_is_in_hundredths() {
        assert_eq!(written(Score::heuristic(-35)), "cp -35");
        assert_eq!(written(Outcome::Draw.score(0)), "cp 0");
        assert_eq!(written(Outcome::Margin(-12).score(0)), "cp -1200");
        assert_eq!(written(Score::tablebase_win_in(5)), "cp 19995");
        assert_eq!(written(-Score::tablebase_win_in(5)), "cp -19995");
        assert_eq!(written(-Score::tablebase_win_in(0)), "cp -20000");
    }
}
