//! Two configurations on the same positions, and many tests at once.
//!
//! What both solve or both miss says nothing about which is better; comparing on the same
//! positions removes the difference between positions from the error.

use super::normal::{self, Z95};

/// Up to here the binomial chances are summed; beyond it the chi-squared distribution is as good.
const SUMMED: u64 = 10_000;

/// McNemar's test (1947) of "neither is better", on the positions that only one of them solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct McNemar {
    /// Two-sided and exact: never too bold, a little too careful.
    pub exact: f64,
    /// With half of the chance of what was seen (Fagerland, Lydersen and Laake, 2013): the one to
    /// use unless "never too bold" is demanded.
    pub mid: f64,
}

/// The two p-values; 1 where the two never differed. Above 10,000 differing positions `exact` is
/// the chi-squared approximation with continuity correction and `mid` the one without.
pub fn mcnemar(only_first: u64, only_second: u64) -> McNemar {
    let (less, differing) = (only_first.min(only_second), only_first + only_second);
    if differing == 0 {
        return McNemar { exact: 1.0, mid: 1.0 };
    }
    let n = differing as f64;
    if differing > SUMMED {
        let distance = only_first.abs_diff(only_second) as f64;
        return McNemar {
            exact: normal::two_sided((distance - 1.0).max(0.0) / n.sqrt()),
            mid: normal::two_sided(distance / n.sqrt()),
        };
    }
    // Logarithms, since 2^-n is too small to begin with.
    let mut log_chance = n * 0.5_f64.ln();
    let (mut sum, mut last) = (0.0, 0.0);
    for k in 0..=less {
        last = log_chance.exp();
        sum += last;
        log_chance += ((differing - k) as f64 / (k + 1) as f64).ln();
    }
    McNemar { exact: (2.0 * sum).min(1.0), mid: (2.0 * sum - last).min(1.0) }
}

/// A mean difference and its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// First minus second, on the average.
    pub mean: f64,
    /// Infinite, which means unknown, with a single pair.
    pub standard_error: f64,
}

impl Difference {
    /// Half of the width of the 95 % interval, by the normal distribution.
    pub fn error(&self) -> f64 {
        Z95 * self.standard_error
    }

    /// The two-sided p-value of "there is no difference".
    pub fn p_value(&self) -> f64 {
        if self.mean == 0.0 { 1.0 } else { normal::two_sided(self.mean / self.standard_error) }
    }
}

/// The mean of first minus second over pairs of measurements; nothing without any.
pub fn mean_difference(pairs: &[(f64, f64)]) -> Option<Difference> {
    if pairs.is_empty() {
        return None;
    }
    let n = pairs.len() as f64;
    let mean = pairs.iter().map(|(a, b)| a - b).sum::<f64>() / n;
    let squares = pairs.iter().map(|(a, b)| (a - b - mean) * (a - b - mean)).sum::<f64>();
    let standard_error =
        if pairs.len() == 1 { f64::INFINITY } else { (squares / (n - 1.0) / n).sqrt() };
    Some(Difference { mean, standard_error })
}

/// The p-values adjusted for being many (Benjamini and Hochberg, 1995), in the given order:
/// calling those below q real, at most the share q of the calls is expected to be wrong.
pub fn benjamini_hochberg(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[b].total_cmp(&p_values[a]));
    let many = p_values.len() as f64;
    let (mut adjusted, mut least) = (vec![1.0; p_values.len()], 1.0_f64);
    for (passed, &index) in order.iter().enumerate() {
        let rank = (p_values.len() - passed) as f64;
        least = least.min(p_values[index] * (many / rank));
        adjusted[index] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_published_example_of_mcnemar_comes_out() {
        // Fagerland, Lydersen and Laake (2013): 1 and 7 differing, exact 0.070, mid-p 0.039.
        let test = mcnemar(1, 7);
        assert!((test.exact - 18.0 / 256.0).abs() < 1e-12, "{test:?}");
        assert!((test.mid - 10.0 / 256.0).abs() < 1e-12, "{test:?}");
    }

    #[test]
    fn no_difference_is_no_evidence() {
        assert_eq!(mcnemar(0, 0), McNemar { exact: 1.0, mid: 1.0 });
        assert_eq!(mcnemar(5, 5).exact, 1.0);
        assert_eq!(mcnemar(0, 1), McNemar { exact: 1.0, mid: 0.5 });
        assert!((mcnemar(0, 6).exact - 2.0 / 64.0).abs() < 1e-15);
    }

    #[test]
    fn the_sum_and_the_approximation_meet() {
        let (sum, approximate) = (mcnemar(4_850, 5_150), mcnemar(4_851, 5_151));
        assert!((sum.exact - approximate.exact).abs() < 2e-4, "{sum:?} {approximate:?}");
        assert!((sum.mid - approximate.mid).abs() < 2e-4, "{sum:?} {approximate:?}");
    }

    #[test]
    fn a_paired_difference_has_the_error_of_the_differences() {
        let found = mean_difference(&[(3.0, 1.0), (5.0, 4.0), (9.0, 6.0)]).unwrap();
        assert_eq!(found.mean, 2.0);
        assert!((found.standard_error - (1.0_f64 / 3.0).sqrt()).abs() < 1e-15);
        assert_eq!(mean_difference(&[]), None);
        let lone = mean_difference(&[(1.0, 0.0)]).unwrap();
        assert_eq!((lone.standard_error, lone.p_value()), (f64::INFINITY, 1.0));
        let same = mean_difference(&[(1.0, 1.0), (2.0, 2.0)]).unwrap();
        assert_eq!((same.mean, same.standard_error, same.p_value()), (0.0, 0.0, 1.0));
    }

    #[test]
    fn the_published_example_of_many_tests_comes_out() {
        // Benjamini and Hochberg (1995), section 4.1: four of the fifteen are real at 0.05.
        let p_values = [
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
            0.5719, 0.6528, 0.7590, 1.0,
        ];
        let adjusted = benjamini_hochberg(&p_values);
        assert_eq!(adjusted.iter().filter(|&&p| p <= 0.05).count(), 4);
        assert!((adjusted[3] - 0.0095 * 15.0 / 4.0).abs() < 1e-12);
        let mut backwards = p_values;
        backwards.reverse();
        let mut again = benjamini_hochberg(&backwards);
        again.reverse();
        assert_eq!(again, adjusted);
    }

    proptest! {
        #[test]
        fn an_adjusted_value_is_never_below_the_plain_one(p in prop::collection::vec(0.0..=1.0, 0..30)) {
            let adjusted = benjamini_hochberg(&p);
            prop_assert!(adjusted.iter().zip(&p).all(|(&a, &p)| a >= p && a <= 1.0));
        }

        #[test]
        fn the_middle_value_lies_below_the_exact_one(a in 0_u64..2_000, b in 0_u64..2_000) {
            let (test, other) = (mcnemar(a, b), mcnemar(b, a));
            prop_assert_eq!(test, other);
            prop_assert!(test.mid <= test.exact && test.exact <= 1.0 && test.mid >= 0.0);
        }
    }
}
