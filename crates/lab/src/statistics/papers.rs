//! The two tests that the papers on forward pruning rest on, to print beside our own.
//!
//! * ProbCut and Multi-ProbCut in chess (Jiang and Buro, 2003): of 64 games, a score above 38 (59 %)
//!   is significant at 5 % if at least 30 % of the games are drawn. It is a one-sided test against
//!   equal play; [`equal_play_tail`] is its exact chance for any number of games.
//! * RankCut (Lim and Lee, 2006) uses the test of Heinz (1999): the interval of one side must lie
//!   above that of the other, l = (w1 - z s1) - (w2 + z s2) > 0 with s = sqrt(w (1 - w) / n). The
//!   paper's "95 %" takes z = 1.645, which is the one-sided value; the two-sided one is 1.96. Both
//!   are given. Draws are not taken into account, which makes s too wide.

use super::counts::{Counts, Trinomial};
use super::normal;

/// The share of the points that is significant in a match of 64 games, after the papers.
pub const SIGNIFICANT_SHARE: f64 = 38.0 / 64.0;
/// The games of such a match.
pub const GAMES: u64 = 64;
/// The share of drawn games that the rule assumes.
pub const ASSUMED_DRAWS: f64 = 0.3;

/// Up to here the chances are counted out; beyond it the normal distribution is as good.
const COUNTED_OUT: u64 = 1_000;

/// Whether the first engine made more than 38 points of 64, or that share of another number of
/// games. The rule is meant for 64 games: with more it asks for too much, with fewer for too little.
pub fn more_than_38_of_64(counts: Trinomial) -> bool {
    // In whole numbers: half points / (2 games) > 38 / 64.
    32 * counts.half_points() > 38 * counts.games()
}

/// The chance that one of two equal engines makes at least this many half points in so many
/// independent games of which the given share is drawn.
pub fn equal_play_tail(games: u64, half_points: u64, draw_ratio: f64) -> f64 {
    if half_points == 0 {
        return 1.0;
    }
    if half_points > 2 * games {
        return 0.0;
    }
    let draws = draw_ratio.clamp(0.0, 1.0);
    if games > COUNTED_OUT {
        // In half points a game has the variance 1 - draws; a half is the correction for steps.
        let deviation = (games as f64 * (1.0 - draws)).sqrt();
        let distance = half_points as f64 - 0.5 - games as f64;
        return if deviation > 0.0 {
            normal::below(-distance / deviation)
        } else {
            f64::from(u8::from(distance <= 0.0))
        };
    }
    let decisive = 0.5 * (1.0 - draws);
    let mut chances = vec![1.0];
    for _ in 0..games {
        let mut longer = vec![0.0; chances.len() + 2];
        for (index, chance) in chances.iter().enumerate() {
            longer[index] += chance * decisive;
            longer[index + 1] += chance * draws;
            longer[index + 2] += chance * decisive;
        }
        chances = longer;
    }
    chances[half_points as usize..].iter().sum()
}

/// The least number of half points whose [`equal_play_tail`] is below `level`; nothing if not even
/// all points would do.
pub fn least_significant(games: u64, draw_ratio: f64, level: f64) -> Option<u64> {
    let significant = |half_points: u64| equal_play_tail(games, half_points, draw_ratio) < level;
    if !significant(2 * games) {
        return None;
    }
    let (mut low, mut high) = (0, 2 * games);
    while high - low > 1 {
        let middle = low.midpoint(high);
        if significant(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}

/// The test of Heinz with both values of z; each is passed if it is positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heinz {
    /// With z = 1.645, as RankCut's paper has it.
    pub one_sided: f64,
    /// With z = 1.96.
    pub two_sided: f64,
}

/// The distance of the intervals of two scores, each a share of the points of its own games.
/// Positive if the first lies above; nothing without games.
pub fn heinz(first: (f64, u64), second: (f64, u64)) -> Option<Heinz> {
    if first.1 == 0 || second.1 == 0 {
        return None;
    }
    let deviation = |(score, games): (f64, u64)| (score * (1.0 - score) / games as f64).sqrt();
    let apart = |z: f64| (first.0 - z * deviation(first)) - (second.0 + z * deviation(second));
    Some(Heinz { one_sided: apart(1.645), two_sided: apart(1.96) })
}

/// The same for the two sides of one match.
pub fn heinz_of_match(counts: Trinomial) -> Option<Heinz> {
    let score = counts.score()?;
    heinz((score, counts.games()), (1.0 - score, counts.games()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_search::random::SplitMix;

    #[test]
    fn thirty_eight_of_sixty_four_is_where_chance_falls_below_five_per_cent() {
        assert_eq!(least_significant(64, ASSUMED_DRAWS, 0.05), Some(2 * 38));
        assert!((equal_play_tail(64, 76, ASSUMED_DRAWS) - 0.043).abs() < 0.001);
        assert!(equal_play_tail(64, 75, ASSUMED_DRAWS) > 0.05);
        // More draws, less chance: that is why the rule says "at least".
        assert!(equal_play_tail(64, 76, 0.5) < equal_play_tail(64, 76, 0.3));
    }

    #[test]
    fn the_rule_asks_for_more_than_its_share() {
        let match_of = |wins, draws, losses| more_than_38_of_64(Trinomial { wins, draws, losses });
        assert!(!match_of(28, 20, 16) && match_of(28, 21, 15));
        // ProbCut without null move, 40 - 24.
        assert!(match_of(30, 20, 14));
        assert!(!more_than_38_of_64(Trinomial::default()));
    }

    #[test]
    fn without_draws_the_tail_is_that_of_a_coin() {
        // 9 or 10 heads of 10: 11 / 1024.
        assert!((equal_play_tail(10, 18, 0.0) - 11.0 / 1024.0).abs() < 1e-15);
        assert_eq!(equal_play_tail(10, 0, 0.3), 1.0);
        assert_eq!(equal_play_tail(10, 21, 0.3), 0.0);
        assert_eq!(least_significant(4, 0.0, 0.05), None);
        // Four and a half points cannot be made without a draw, so this asks for all five.
        assert_eq!(least_significant(5, 0.0, 0.05), Some(9));
        assert_eq!(least_significant(0, 0.3, 0.05), None);
    }

    #[test]
    fn the_tail_is_that_of_played_matches() {
        let (mut random, mut reached, rounds) = (SplitMix::new(5), 0, 40_000);
        for _ in 0..rounds {
            let points: usize = (0..64)
                .map(|_| match random.below(100) {
                    0..35 => 0,
                    35..65 => 1,
                    _ => 2,
                })
                .sum();
            reached += u32::from(points >= 76);
        }
        let share = f64::from(reached) / f64::from(rounds);
        assert!((share - equal_play_tail(64, 76, 0.3)).abs() < 0.004, "{share}");
    }

    #[test]
    fn counting_out_and_the_normal_distribution_meet() {
        let (counted, normal) =
            (equal_play_tail(1_000, 1_050, 0.3), equal_play_tail(1_001, 1_051, 0.3));
        assert!((counted - normal).abs() < 2e-4, "{counted} {normal}");
    }

    #[test]
    fn the_match_of_rankcut_passes_with_either_value() {
        // +40 -10 =74, printed there as l = 0.099.
        let heinz = heinz_of_match(Trinomial { wins: 40, draws: 74, losses: 10 }).unwrap();
        assert!((heinz.one_sided - 0.099).abs() < 0.0005, "{heinz:?}");
        assert!((heinz.two_sided - 0.071).abs() < 0.0005, "{heinz:?}");
        assert_eq!(heinz_of_match(Trinomial::default()), None);
    }

    #[test]
    fn two_matches_against_the_same_opponent_are_compared_too() {
        // Against Fruit, 64 games each: 30.5 % with RankCut and 28.1 % without are not apart.
        let heinz = heinz((0.305, 64), (0.281, 64)).unwrap();
        assert!(heinz.one_sided < 0.0 && heinz.two_sided < heinz.one_sided);
    }
}
