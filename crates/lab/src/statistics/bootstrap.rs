//! Intervals by drawing as many again and again (Efron, 1979), for numbers whose error has no formula.

use secateur_search::random::SplitMix;

/// How often it is drawn.
const SAMPLES: usize = 2_000;

/// A number with the ends of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The number.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// With two digits, as ratios are written.
    pub fn text(self) -> String {
        format!("{:.2} ({:.2}-{:.2})", self.value, self.low, self.high)
    }

    /// In another unit.
    pub fn times(self, unit: f64) -> Interval {
        Interval { value: unit * self.value, low: unit * self.low, high: unit * self.high }
    }

    /// Whether the interval leaves this out.
    pub fn excludes(self, value: f64) -> bool {
        self.low > value || self.high < value
    }
}

/// The mean; nothing of nothing.
pub fn mean(values: &[f64]) -> Option<Interval> {
    let of = |sample: &mut dyn Iterator<Item = f64>| sample.sum::<f64>() / values.len() as f64;
    again_and_again(values, of)
}

/// The sum of the first numbers over that of the second, drawn in pairs; nothing where there is nothing
/// to divide by.
pub fn ratio(pairs: &[(f64, f64)]) -> Option<Interval> {
    let of = |sample: &mut dyn Iterator<Item = (f64, f64)>| {
        let (above, below) = sample.fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
        above / below
    };
    if pairs.iter().all(|pair| pair.1 == 0.0) {
        return None;
    }
    again_and_again(pairs, of)
}

/// What a sample comes to, over samples as large as the whole, drawn with replacement. The same whole has
/// the same interval.
fn again_and_again<T: Copy>(
    whole: &[T],
    of: impl Fn(&mut dyn Iterator<Item = T>) -> f64,
) -> Option<Interval> {
    if whole.is_empty() {
        return None;
    }
    let value = of(&mut whole.iter().copied());
    let mut random = SplitMix::new(whole.len() as u64);
    let mut drawn: Vec<f64> = (0..SAMPLES)
        .map(|_| of(&mut (0..whole.len()).map(|_| whole[random.below(whole.len())])))
        .filter(|drawn| drawn.is_finite())
        .collect();
    drawn.sort_by(f64::total_cmp);
    let at = |share: f64| drawn.get((drawn.len() as f64 * share) as usize).copied();
    Some(Interval { value, low: at(0.025).unwrap_or(value), high: at(0.975).unwrap_or(value) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_bootstrap_is_that_of_the_normal_distribution_where_that_holds() {
        let mut random = SplitMix::new(4);
        let values: Vec<f64> = (0..400).map(|_| random.below(200) as f64).collect();
        let found = mean(&values).unwrap();
        // Even from 0 to 199: a standard deviation of 57.7, and 2.9 of the mean.
        assert!((found.high - found.low - 2.0 * 1.96 * 2.887).abs() < 1.0, "{found:?}");
        assert!(found.low < found.value && found.value < found.high);
        assert_eq!(mean(&[]), None);
    }

    #[test]
    fn a_ratio_is_one_of_sums_and_what_is_always_the_same_has_no_error() {
        let same = ratio(&[(10.0, 20.0), (3.0, 6.0), (400.0, 800.0)]).unwrap();
        assert_eq!(same, Interval { value: 0.5, low: 0.5, high: 0.5 });
        assert!(same.excludes(1.0) && !same.excludes(0.5));
        let found = ratio(&[(1.0, 10.0), (90.0, 90.0)]).unwrap();
        // One drawn twice, or the other.
        assert_eq!((found.value, found.low, found.high), (0.91, 0.1, 1.0));
        assert_eq!(found.text(), "0.91 (0.10-1.00)");
        assert_eq!((ratio(&[]), ratio(&[(1.0, 0.0)])), (None, None));
    }
}
