use super::*;
use crate::statistics::counts::{Pentanomial, Trinomial};
use crate::statistics::elo;
use proptest::prelude::*;
use secateur_search::random::SplitMix;

fn games(first: usize, second: usize, wins: u64, draws: u64, losses: u64) -> Meeting {
    Meeting { first, second, results: Results::Games(Trinomial { wins, draws, losses }) }
}

#[test]
fn two_engines_have_the_elo_and_the_error_of_their_match() {
    for results in [
        Results::Games(Trinomial { wins: 8_800, draws: 18_630, losses: 7_590 }),
        Results::Pairs(Pentanomial([840, 2_400, 4_510, 2_740, 1_190])),
    ] {
        let rows = table(2, &[Meeting { first: 1, second: 0, results }]).unwrap();
        let known = elo::logistic(&results).unwrap();
        assert_eq!((rows[0].engine, rows[1].engine), (1, 0));
        assert!((rows[0].elo - rows[1].elo - known.value).abs() < 0.01, "{rows:?} {known:?}");
        // Each stands half of the difference from the mean.
        assert!((2.0 * rows[0].error - known.error).abs() < 0.01, "{rows:?} {known:?}");
        let los = elo::superiority(&results);
        assert!((rows[0].above_next.unwrap() - los).abs() < 0.001, "{rows:?} {los}");
        assert_eq!(rows[1].above_next, None);
        assert_eq!(rows[0].games, results.games());
    }
}

#[test]
fn an_engine_that_won_everything_is_rated_all_the_same() {
    let rows = table(3, &[games(0, 1, 20, 0, 0), games(1, 2, 5, 10, 5), games(0, 2, 20, 0, 0)]);
    let rows = rows.unwrap();
    assert_eq!(rows[0].engine, 0);
    assert!(rows.iter().all(|row| row.elo.is_finite() && row.error.is_finite()), "{rows:?}");
    assert!(rows[0].elo > 300.0 && rows[0].above_next.unwrap() > 0.95, "{rows:?}");
    assert_eq!(rows[0].score, Some(1.0));
}

#[test]
fn groups_that_never_met_and_engines_that_never_played_have_wide_errors() {
    let rows = table(4, &[games(0, 1, 60, 0, 40), games(2, 3, 50, 0, 50)]).unwrap();
    assert!(rows.iter().all(|row| row.error > 100.0 && row.error.is_finite()), "{rows:?}");
    let rows = table(2, &[]).unwrap();
    assert_eq!((rows[0].games, rows[0].score, rows[0].above_next), (0, None, Some(0.5)));
    assert_eq!(table(0, &[]), Ok(vec![]));
    assert_eq!(table(1, &[]).unwrap()[0].elo, 0.0);
}

#[test]
fn bad_meetings_are_named() {
    let said = |meeting| table(2, &[games(0, 1, 1, 0, 0), meeting]).unwrap_err().to_string();
    assert_eq!(said(games(0, 2, 1, 0, 0)), "meeting 2: there is no engine 2 among 2");
    assert_eq!(said(games(1, 1, 1, 0, 0)), "meeting 2: engine 1 plays itself");
}

/// A tournament of four with known strengths, in pairs of which 40 % are level.
fn tournament(strengths: &[f64], pairs: usize, random: &mut SplitMix) -> Vec<Meeting> {
    let mut meetings = Vec::new();
    for first in 0..strengths.len() {
        for second in first + 1..strengths.len() {
            let share = elo::expected_score(strengths[first] - strengths[second]);
            let mut counts = Pentanomial::default();
            for _ in 0..pairs {
                // Level, or won 1½ : ½ often enough that the mean score is the expected one.
                let cell = if random.below(1_000) < 400 {
                    2
                } else if (random.below(1_000_000) as f64) < 1e6 * (0.5 + (share - 0.5) / 0.3) {
                    3
                } else {
                    1
                };
                counts.0[cell] += 1;
            }
            meetings.push(Meeting { first, second, results: Results::Pairs(counts) });
        }
    }
    meetings
}

#[test]
fn simulated_tournaments_are_covered_by_their_errors_nineteen_times_of_twenty() {
    let strengths = [30.0, 10.0, -10.0, -30.0];
    let mut random = SplitMix::new(99);
    let (mut covered, rounds) = (0, 500);
    for _ in 0..rounds {
        for row in table(4, &tournament(&strengths, 200, &mut random)).unwrap() {
            covered += u32::from((row.elo - strengths[row.engine]).abs() < row.error);
        }
    }
    let share = f64::from(covered) / f64::from(4 * rounds);
    assert!((share - 0.95).abs() < 0.02, "{share}");
}

#[test]
fn the_points_made_are_the_points_expected_at_the_likeliest_ratings() {
    // What the derivative of the likelihood says, checked from the printed table.
    let meetings =
        [games(0, 1, 300, 500, 200), games(1, 2, 400, 300, 300), games(0, 2, 500, 300, 200)];
    let rows = table(3, &meetings).unwrap();
    let elo_of = |engine| rows.iter().find(|row| row.engine == engine).unwrap().elo;
    for engine in 0..3 {
        let (games, points) = played(engine, &meetings);
        let expected: f64 = (0..3)
            .filter(|&other| other != engine)
            .map(|other| 1_000.0 * elo::expected_score(elo_of(engine) - elo_of(other)))
            .sum();
        assert_eq!(games, 2_000);
        // The virtual draw is worth less than half a point.
        assert!((points - expected).abs() < 0.5, "{engine}: {points} {expected}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_table_is_finite_ordered_and_has_the_mean_0(
        results in prop::collection::vec((0_usize..5, 0_usize..5, prop::array::uniform5(0_u64..200)), 0..12),
    ) {
        let meetings: Vec<Meeting> = results
            .into_iter()
            .filter(|(first, second, _)| first != second)
            .map(|(first, second, cells)| {
                Meeting { first, second, results: Results::Pairs(Pentanomial(cells)) }
            })
            .collect();
        let rows = table(5, &meetings).unwrap();
        prop_assert!(rows.iter().all(|row| row.elo.is_finite() && row.error.is_finite()));
        prop_assert!(rows.windows(2).all(|pair| pair[0].elo >= pair[1].elo));
        prop_assert!(rows.iter().map(|row| row.elo).sum::<f64>().abs() < 1e-6);
        let chances = rows.iter().filter_map(|row| row.above_next);
        prop_assert!(chances.into_iter().all(|chance| (0.5..=1.0).contains(&chance)));
    }
}
