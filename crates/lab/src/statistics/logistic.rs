//! Scores explained by differences between two sides: how much Elo each difference is worth, and how
//! far that can be trusted.
//!
//! The expected score of the first side is that of a lead in Elo, which is a sum of known terms, each
//! times an unknown worth. The worths are found by Newton's method on the likelihood of a binomial
//! (McCullagh and Nelder, 1989); the scores of pairs of games spread less than that, so the errors are
//! scaled by how much they do.

use std::f64::consts::LN_10;

use super::elo::{Estimate, expected_score};
use super::least_squares::{Row, inverted};
use super::normal::{Z95, two_sided};

/// Natural units of a lead for each Elo.
const UNIT: f64 = LN_10 / 400.0;
/// Newton's method doubles its digits: this is many.
const STEPS: usize = 50;
/// Fewer measurements than this beyond the number of worths tell nothing of their spread.
const LEAST_FREE: usize = 20;
/// Scores spread at least so much: where they seem not to, it is by chance.
const LEAST_SPREAD: f64 = 0.05;
/// A worth is not looked for beyond this, in Elo: scores of 0 and 1 alone would have no bound.
const FAR: f64 = 2_000.0;

/// What each term is worth, in Elo.
#[derive(Clone, Debug)]
pub struct Worths {
    worths: Vec<f64>,
    standard_errors: Vec<f64>,
    /// Degrees of freedom that are left for the spread.
    free: f64,
}

/// The likeliest worths. A row has the terms (what the first side has more than the second) and the
/// score of the first side, from 0 to 1. Nothing if the rows do not determine them.
pub fn fit(rows: &[Row]) -> Option<Worths> {
    let count = rows.first()?.0.len();
    let free = rows.len().checked_sub(count).filter(|free| *free >= LEAST_FREE)? as f64;
    let mut worths = vec![0.0; count];
    for _ in 0..STEPS {
        let (slope, inverse) = slope_and_inverse(rows, &worths)?;
        let steps: Vec<f64> = inverse.iter().map(|row| dot(row, &slope)).collect();
        for (worth, step) in worths.iter_mut().zip(&steps) {
            *worth = (*worth + step).clamp(-FAR, FAR);
        }
        if steps.iter().all(|step| step.abs() < 1e-7) {
            break;
        }
    }
    let (_, inverse) = slope_and_inverse(rows, &worths)?;
    // Pearson's measure of how much the scores spread, 1 for single games without draws.
    let squares: f64 = rows
        .iter()
        .map(|(terms, score)| {
            let expected = expected_score(dot(terms, &worths));
            (score - expected).powi(2) / (expected * (1.0 - expected)).max(1e-9)
        })
        .sum();
    let spread = (squares / free).max(LEAST_SPREAD);
    let standard_errors: Vec<f64> =
        (0..count).map(|index| (spread * inverse[index][index].max(0.0)).sqrt()).collect();
    Some(Worths { worths, standard_errors, free })
}

/// The slope of the likelihood in Elo, and the inverse of its curvature.
fn slope_and_inverse(rows: &[Row], worths: &[f64]) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
    let count = worths.len();
    let mut slope = vec![0.0; count];
    let mut bend = vec![vec![0.0; count]; count];
    for (terms, score) in rows {
        let expected = expected_score(dot(terms, worths));
        let weight = expected * (1.0 - expected) * UNIT * UNIT;
        let missed = (score - expected) * UNIT;
        // Most terms are zero: two sides differ in a few things.
        let present: Vec<usize> = (0..count).filter(|&index| terms[index] != 0.0).collect();
        for &i in &present {
            slope[i] += missed * terms[i];
            for &j in &present {
                bend[i][j] += weight * terms[i] * terms[j];
            }
        }
    }
    Some((slope, inverted(bend)?))
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Worths {
    /// One worth in Elo, with the half-width of its 95 % interval.
    pub fn worth(&self, index: usize) -> Estimate {
        // Student's quantile, nearly (Abramowitz and Stegun, 26.7.5).
        let quantile = Z95 * (1.0 + (Z95 * Z95 + 1.0) / (4.0 * self.free));
        Estimate { value: self.worths[index], error: quantile * self.standard_errors[index] }
    }

    /// The two-sided p-value of "it is worth nothing".
    pub fn p_value(&self, index: usize) -> f64 {
        let t = self.worths[index] / self.standard_errors[index];
        // The normal deviate of a Student's, nearly (26.7.8).
        two_sided(t * (1.0 - 1.0 / (4.0 * self.free)) / (1.0 + t * t / (2.0 * self.free)).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_search::random::SplitMix;

    /// A number from 0 to 1.
    fn uniform(random: &mut SplitMix) -> f64 {
        random.below(1 << 24) as f64 / f64::from(1 << 24)
    }

    #[test]
    fn one_difference_is_worth_the_elo_of_its_score() {
        // 150 of 200 is 75 %: 190.8 Elo, and the error is that of a binomial.
        let rows: Vec<Row> =
            (0..200).map(|game| (vec![1.0], if game < 150 { 1.0 } else { 0.0 })).collect();
        let worth = fit(&rows).unwrap().worth(0);
        assert!((worth.value - 190.848).abs() < 0.01, "{worth:?}");
        let by_hand = Z95 * 1.0 / (200.0 * 0.75 * 0.25_f64).sqrt() / UNIT;
        assert!((worth.error - by_hand).abs() < 0.5, "{worth:?}, not {by_hand}");
    }

    #[test]
    fn many_differences_at_once_are_told_apart_and_their_intervals_hold() {
        let truth = [120.0, -40.0, 0.0, 60.0, 15.0, -150.0];
        let mut random = SplitMix::new(5);
        let (mut inside, mut all) = (0, 0);
        for _ in 0..40 {
            let rows: Vec<Row> = (0..1_500)
                .map(|_| {
                    let term = |random: &mut SplitMix| {
                        let on = |random: &mut SplitMix| f64::from(u8::from(random.below(4) > 0));
                        on(random) - on(random)
                    };
                    let terms: Vec<f64> = truth.iter().map(|_| term(&mut random)).collect();
                    let chance = expected_score(dot(&terms, &truth));
                    let game =
                        |random: &mut SplitMix| f64::from(u8::from(uniform(random) < chance));
                    let score = (game(&mut random) + game(&mut random)) / 2.0;
                    (terms, score)
                })
                .collect();
            let worths = fit(&rows).unwrap();
            for (index, truth) in truth.iter().enumerate() {
                let worth = worths.worth(index);
                all += 1;
                inside += usize::from((worth.value - truth).abs() <= worth.error);
                assert!((worth.value - truth).abs() < 3.0 * worth.error, "{index}: {worth:?}");
            }
        }
        let share = inside as f64 / all as f64;
        assert!((0.91..=0.985).contains(&share), "{inside} of {all} intervals hold the truth");
    }

    #[test]
    fn what_is_not_determined_is_not_told() {
        assert!(fit(&[]).is_none());
        let twice: Vec<Row> = (0..30).map(|n| (vec![1.0, 1.0], f64::from(n % 2))).collect();
        assert!(fit(&twice).is_none(), "two terms that are one");
        let few: Vec<Row> = (0..15).map(|_| (vec![1.0], 1.0)).collect();
        assert!(fit(&few).is_none(), "a few games, however lopsided");
        let never: Vec<Row> = (0..30).map(|n| (vec![1.0, 0.0], f64::from(n % 2))).collect();
        assert!(fit(&never).is_none(), "a term that never differs");
    }
}
