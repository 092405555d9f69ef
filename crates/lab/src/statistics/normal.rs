//! The normal distribution, to some fourteen digits.

use std::f64::consts::{PI, SQRT_2};

use secateur_search::random::SplitMix;

/// Half-width of a two-sided 95 % interval, in standard errors.
pub const Z95: f64 = 1.959_963_984_540_054;

/// The share of a standard normal variable below `z`; 0 and 1 at the infinities.
pub fn below(z: f64) -> f64 {
    if z.abs() < 2.5 {
        return 0.5 + central_half(z);
    }
    let tail = upper_tail(z.abs());
    if z > 0.0 { 1.0 - tail } else { tail }
}

/// What a standard normal variable lies below with this chance, by halving; at most ten away from 0.
pub fn quantile(share: f64) -> f64 {
    let (mut low, mut high) = (-10.0, 10.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if below(middle) < share { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// The chance to be at least as far from 0 as `z`, on either side.
pub fn two_sided(z: f64) -> f64 {
    2.0 * below(-z.abs())
}

/// Half-width of a two-sided 95 % interval by Student's distribution with so many degrees of freedom, in
/// standard errors: Fisher's expansion about the normal one (Abramowitz and Stegun, 26.7.5). A tenth too
/// small with one degree, right to a hundredth from two on.
pub fn student(free: f64) -> f64 {
    let z = Z95;
    let terms = [
        (z.powi(3) + z) / 4.0,
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
        (79.0 * z.powi(9) + 776.0 * z.powi(7) + 1_482.0 * z.powi(5)
            - 1_920.0 * z.powi(3)
            - 945.0 * z)
            / 92_160.0,
    ];
    (1..).zip(terms).fold(z, |sum, (power, term)| sum + term / free.powi(power))
}

/// A number drawn from the standard normal distribution (Box and Muller, 1958).
pub fn draw(random: &mut SplitMix) -> f64 {
    let mut uniform = || (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    let (first, second) = (uniform().max(1e-12), uniform());
    (-2.0 * first.ln()).sqrt() * (2.0 * PI * second).cos()
}

/// The share between 0 and `z`, by the power series of the error function.
fn central_half(z: f64) -> f64 {
    let x = z / SQRT_2;
    let (mut term, mut sum, mut n) = (x, x, 0.0);
    while term.abs() > 1e-17 * sum.abs() {
        n += 1.0;
        term *= -x * x / n;
        sum += term / (2.0 * n + 1.0);
    }
    sum / PI.sqrt()
}

/// The share above `z > 0`, by Laplace's continued fraction from its 200th term backwards.
fn upper_tail(z: f64) -> f64 {
    let fraction = (1..=200).rev().fold(z, |below, n| z + f64::from(n) / below);
    (-0.5 * z * z).exp() / ((2.0 * PI).sqrt() * fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_are_those_of_the_tables() {
        // Abramowitz and Stegun (1964), table 26.1 and 26.2.
        let table = [
            (0.0, 0.5),
            (0.5, 0.691_462_461_274_013),
            (1.0, 0.841_344_746_068_543),
            (2.0, 0.977_249_868_051_821),
            (3.0, 0.998_650_101_968_370),
            (5.0, 0.999_999_713_348_428),
        ];
        for (z, share) in table {
            assert!((below(z) - share).abs() < 2e-15, "{z}: {}", below(z));
            assert!((below(-z) - (1.0 - share)).abs() < 2e-15, "-{z}");
        }
        assert!((two_sided(Z95) - 0.05).abs() < 1e-15);
    }

    #[test]
    fn the_two_formulas_meet_where_one_takes_over() {
        for z in [2.0_f64, 2.4, 2.5, 3.0] {
            assert!((0.5 - central_half(z) - upper_tail(z)).abs() < 1e-14, "{z}");
        }
    }

    #[test]
    fn a_quantile_is_where_its_share_lies_below() {
        for z in [-4.0, -1.0, 0.0, 0.3, 2.6] {
            assert!((quantile(below(z)) - z).abs() < 1e-9, "{z}");
        }
        assert!(quantile(0.0) < -9.9 && quantile(1.0) > 8.0);
    }

    #[test]
    fn the_infinities_have_shares_too() {
        assert_eq!((below(f64::NEG_INFINITY), below(f64::INFINITY)), (0.0, 1.0));
    }

    #[test]
    fn students_quantiles_are_those_of_the_tables() {
        for (free, quantile) in [(2.0, 4.303), (5.0, 2.571), (10.0, 2.228), (30.0, 2.042)] {
            assert!((student(free) / quantile - 1.0).abs() < 0.01, "{free}: {}", student(free));
        }
        assert!((student(1e9) - Z95).abs() < 1e-6);
    }
}
