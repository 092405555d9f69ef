//! The value of a position for the side to move, in bands that never overlap.
//!
//! | band | from | meaning |
//! |---|---|---|
//! | heuristic | `0` | a guess, in hundredths of a pawn or of a disc |
//! | final | [`Score::FINAL`] | the game is counted out: won by that many points |
//! | tablebase | [`Score::TABLEBASE`] | a table says it is won, that many plies away at most |
//! | mate | [`Score::MATE`] | won by force in that many plies |
//!
//! A proven win by two discs is worth more than a guess of forty, so the bands are ordered, and
//! a technique that must keep away from proven values asks [`Score::band`] or
//! [`Score::is_proven`], never a literal. Every value fits an `i16`, the form kept in tables.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// The longest line, in plies, that any search follows.
pub const MAX_PLY: usize = 246;

/// A value from the point of view of the side to move. See the [module](self) for the bands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i16);

/// Where a [`Score`] lies and what its number means. Signs are those of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Band {
    /// A guess.
    Heuristic(i32),
    /// The game is over and counted: the margin in points, never zero (a draw is heuristic 0).
    Final(i32),
    /// A tablebase win (positive) or loss (negative) within so many plies.
    Tablebase(i32),
    /// Mate given (positive) or suffered (negative) in so many plies; 0 is "mated now".
    Mate {
        /// Plies until the mate, 0 for a side to move that is mated now.
        plies: i32,
        /// Whether the side to move is the one that mates.
        wins: bool,
    },
}

impl Score {
    /// A draw, and the neutral guess.
    pub const DRAW: Score = Score(0);
    /// Above every value; the upper end of a full window.
    pub const INFINITE: Score = Score(32_001);
    /// Mate now. Mate in n plies is `MATE - n`.
    pub const MATE: Score = Score(32_000);
    /// A tablebase win now; in n plies it is `TABLEBASE - n`.
    pub const TABLEBASE: Score = Score(31_000);
    /// Counted out and won by n points is `FINAL + n`.
    pub const FINAL: Score = Score(20_000);
    /// The largest margin of a finished game.
    pub const FINAL_MARGIN_MAX: i32 = 10_000;
    /// The largest guess. Evaluations are clamped to it.
    pub const HEURISTIC_MAX: Score = Score(19_999);

    /// A guess, clamped into the heuristic band.
    #[inline]
    pub const fn heuristic(value: i32) -> Score {
        let limit = Score::HEURISTIC_MAX.0 as i32;
        if value > limit {
            Score(limit as i16)
        } else if value < -limit {
            Score(-limit as i16)
        } else {
            Score(value as i16)
        }
    }

    /// The side to move mates in `plies`.
    #[inline]
    pub const fn mate_in(plies: usize) -> Score {
        debug_assert!(plies <= MAX_PLY);
        Score(Score::MATE.0 - plies as i16)
    }

    /// The side to move is mated in `plies`; 0 means now.
    #[inline]
    pub const fn mated_in(plies: usize) -> Score {
        Score(-Score::mate_in(plies).0)
    }

    /// The side to move wins by tablebase, `plies` from the root.
    #[inline]
    pub const fn tablebase_win_in(plies: usize) -> Score {
        debug_assert!(plies <= MAX_PLY);
        Score(Score::TABLEBASE.0 - plies as i16)
    }

    /// The game is counted out; the side to move leads by `margin` points (a draw if zero).
    #[inline]
    pub const fn counted(margin: i32) -> Score {
        debug_assert!(margin.abs() <= Score::FINAL_MARGIN_MAX);
        if margin == 0 {
            Score::DRAW
        } else {
            Score((margin + margin.signum() * Score::FINAL.0 as i32) as i16)
        }
    }

    /// The plain number. For tables, messages and arithmetic inside one band.
    #[inline]
    pub const fn value(self) -> i32 {
        self.0 as i32
    }

    /// The number as stored in tables.
    #[inline]
    pub const fn to_bits(self) -> i16 {
        self.0
    }

    /// A score out of a table; anything beyond the infinities is clamped to them.
    #[inline]
    pub const fn from_bits(bits: i16) -> Score {
        let limit = Score::INFINITE.0;
        if bits > limit {
            Score(limit)
        } else if bits < -limit {
            Score(-limit)
        } else {
            Score(bits)
        }
    }

    /// Whether the value is more than a guess: counted out, tablebase or mate.
    #[inline]
    pub const fn is_proven(self) -> bool {
        self.0 > Score::HEURISTIC_MAX.0 || self.0 < -Score::HEURISTIC_MAX.0
    }

    /// Whether the value is a mate or a tablebase result, whose number is a distance.
    #[inline]
    pub const fn is_distance(self) -> bool {
        let magnitude = if self.0 < 0 { -self.0 } else { self.0 };
        magnitude >= Score::TABLEBASE.0 - MAX_PLY as i16
    }

    /// What the number means.
    pub const fn band(self) -> Band {
        let value = self.0 as i32;
        let sign = value.signum();
        let magnitude = value.abs();
        if magnitude >= Score::MATE.0 as i32 - MAX_PLY as i32 {
            Band::Mate { plies: Score::MATE.0 as i32 - magnitude, wins: value > 0 }
        } else if self.is_distance() {
            Band::Tablebase(sign * (Score::TABLEBASE.0 as i32 - magnitude))
        } else if self.is_proven() {
            Band::Final(sign * (magnitude - Score::FINAL.0 as i32))
        } else {
            Band::Heuristic(value)
        }
    }

    /// The value as seen from the node itself, for storing: distances count from `ply`.
    #[inline]
    pub const fn relative_to_node(self, ply: usize) -> Score {
        if !self.is_distance() {
            self
        } else if self.0 > 0 {
            Score(self.0 + ply as i16)
        } else {
            Score(self.0 - ply as i16)
        }
    }

    /// The value as seen from the root, out of a table: the inverse of
    /// [`relative_to_node`](Score::relative_to_node). Distances that no longer fit their band at
    /// this ply are pulled back to its end, so that they keep their meaning.
    #[inline]
    pub const fn relative_to_root(self, ply: usize) -> Score {
        if !self.is_distance() {
            return self;
        }
        let floor =
            if self.0.abs() > Score::TABLEBASE.0 { Score::MATE.0 } else { Score::TABLEBASE.0 }
                - MAX_PLY as i16;
        let magnitude = self.0.abs() - ply as i16;
        let magnitude = if magnitude < floor { floor } else { magnitude };
        Score(if self.0 > 0 { magnitude } else { -magnitude })
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

/// A margin above; clamped to the infinities.
impl Add<i32> for Score {
    type Output = Score;
    #[inline]
    fn add(self, margin: i32) -> Score {
        let limit = Score::INFINITE.0 as i32;
        Score((self.0 as i32).saturating_add(margin).clamp(-limit, limit) as i16)
    }
}

/// A margin below; clamped to the infinities.
impl Sub<i32> for Score {
    type Output = Score;
    #[inline]
    fn sub(self, margin: i32) -> Score {
        let limit = Score::INFINITE.0 as i32;
        Score((self.0 as i32).saturating_sub(margin).clamp(-limit, limit) as i16)
    }
}

/// The distance between two values.
impl Sub for Score {
    type Output = i32;
    #[inline]
    fn sub(self, other: Score) -> i32 {
        self.0 as i32 - other.0 as i32
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// `+0.31`, `final +12`, `tablebase +14`, `mate -3` (in plies).
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.band() {
            Band::Heuristic(value) => write!(
                f,
                "{}{}.{:02}",
                if value < 0 { '-' } else { '+' },
                value.abs() / 100,
                value.abs() % 100
            ),
            Band::Final(margin) => write!(f, "final {margin:+}"),
            Band::Tablebase(plies) => write!(f, "tablebase {plies:+}"),
            Band::Mate { plies, wins } => write!(f, "mate {}{plies}", if wins { '+' } else { '-' }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_bands_do_not_overlap_and_are_ordered() {
        let ladder = [
            Score::DRAW,
            Score::heuristic(1),
            Score::HEURISTIC_MAX,
            Score::counted(1),
            Score::counted(Score::FINAL_MARGIN_MAX),
            Score::tablebase_win_in(MAX_PLY),
            Score::tablebase_win_in(0),
            Score::mate_in(MAX_PLY),
            Score::mate_in(1),
            Score::INFINITE,
        ];
        assert!(ladder.windows(2).all(|pair| pair[0] < pair[1]), "{ladder:?}");
        assert!(ladder.windows(2).all(|pair| -pair[0] > -pair[1]), "{ladder:?}");
    }

    #[test]
    fn a_band_gives_back_the_number_it_was_made_from() {
        assert_eq!(Score::heuristic(-37).band(), Band::Heuristic(-37));
        assert_eq!(Score::heuristic(99_999).band(), Band::Heuristic(19_999));
        assert_eq!(Score::counted(-64).band(), Band::Final(-64));
        assert_eq!(Score::counted(0).band(), Band::Heuristic(0));
        assert_eq!((-Score::tablebase_win_in(9)).band(), Band::Tablebase(-9));
        assert_eq!(Score::mate_in(3).band(), Band::Mate { plies: 3, wins: true });
        assert_eq!(Score::mated_in(0).band(), Band::Mate { plies: 0, wins: false });
    }

    #[test]
    fn scores_read_like_scores() {
        let texts = [Score::heuristic(31), Score::heuristic(-5), Score::counted(12)]
            .map(|score| score.to_string());
        assert_eq!(texts, ["+0.31", "-0.05", "final +12"]);
        assert_eq!(Score::mated_in(4).to_string(), "mate -4");
    }

    #[test]
    fn margins_stop_at_the_infinities() {
        assert_eq!(Score::INFINITE + 1, Score::INFINITE);
        assert_eq!(-Score::INFINITE - i32::MAX, -Score::INFINITE);
        assert_eq!(Score::DRAW - i32::MIN, Score::INFINITE);
    }

    #[test]
    fn a_distance_too_long_for_its_ply_stays_in_its_band() {
        let far = Score::mate_in(MAX_PLY);
        assert_eq!(far.relative_to_root(5), far);
        let table = Score::tablebase_win_in(MAX_PLY);
        assert_eq!((-table).relative_to_root(9), -table);
    }

    /// Every value that some constructor makes, either sign.
    fn any_score() -> impl Strategy<Value = Score> {
        let positive = prop_oneof![
            (0..=19_999i32).prop_map(Score::heuristic),
            (1..=Score::FINAL_MARGIN_MAX).prop_map(Score::counted),
            (0..=MAX_PLY).prop_map(Score::tablebase_win_in),
            (0..=MAX_PLY).prop_map(Score::mate_in),
        ];
        (positive, any::<bool>())
            .prop_map(|(score, negative)| if negative { -score } else { score })
    }

    proptest! {
        #[test]
        fn storing_and_loading_at_the_same_ply_is_the_identity(
            score in any_score(), ply in 0..=MAX_PLY,
        ) {
            // A distance counted from the root is at least the ply it is found at.
            let plies = match score.band() {
                Band::Mate { plies, .. } => plies as usize,
                Band::Tablebase(plies) => plies.unsigned_abs() as usize,
                _ => usize::MAX,
            };
            prop_assume!(plies >= ply);
            prop_assert_eq!(score.relative_to_node(ply).relative_to_root(ply), score);
        }

        #[test]
        fn negation_mirrors_the_band(score in any_score()) {
            let mirrored = match score.band() {
                Band::Heuristic(value) => Band::Heuristic(-value),
                Band::Final(margin) => Band::Final(-margin),
                Band::Tablebase(plies) => Band::Tablebase(-plies),
                Band::Mate { plies, wins } => Band::Mate { plies, wins: !wins },
            };
            prop_assert_eq!((-score).band(), mirrored);
        }

        #[test]
        fn a_score_survives_the_table(score in any_score()) {
            prop_assert_eq!(Score::from_bits(score.to_bits()), score);
        }
    }
}
