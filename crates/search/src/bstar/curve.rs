//! Palay's distributions (1985): for each of 64 values the probability of reaching it.

use std::sync::Arc;

use crate::{Player, Score};

/// Points of a curve.
pub const BINS: usize = 64;
/// The greatest value with a point; the points lie closer together near zero, where games are decided.
const REACH: f64 = 6_000.0;

/// The probability that the forcer reaches each of [`BINS`] values, the easiest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve([f64; BINS]);

/// The value of a point, for the forcer: a square law, so that 64 points serve from a tenth of a
/// pawn to a mate threat.
fn point(bin: usize) -> f64 {
    let half = (BINS - 1) as f64 / 2.0;
    let t = (bin as f64 - half) / half;
    t * t.abs() * REACH
}

fn for_forcer(forcer: Player, score: Score) -> f64 {
    let value = f64::from(score.value());
    if forcer == Player::First { value } else { -value }
}

impl Curve {
    /// A settled value.
    pub fn step(forcer: Player, score: Score) -> Curve {
        Curve::between(forcer, score, score)
    }

    /// Uniform between what is real and what the forcer hopes for.
    pub fn between(forcer: Player, real: Score, hope: Score) -> Curve {
        let (real, hope) = (for_forcer(forcer, real), for_forcer(forcer, hope));
        let mut odds = [0.0; BINS];
        for (bin, odds) in odds.iter_mut().enumerate() {
            *odds = linear(point(bin), real, hope);
        }
        Curve(odds)
    }

    /// Where the forcer may choose: the better one as a whole, by its mean.
    pub fn best(a: &Arc<Curve>, b: &Arc<Curve>) -> Arc<Curve> {
        if b.mean() > a.mean() { Arc::clone(b) } else { Arc::clone(a) }
    }

    /// Where the other side may choose: both must be reached.
    pub fn times(&self, other: &Curve) -> Curve {
        let mut odds = self.0;
        odds.iter_mut().zip(other.0).for_each(|(odds, other)| *odds *= other);
        Curve(odds)
    }

    /// The probability of reaching a value of the graph.
    pub fn at(&self, forcer: Player, target: f64) -> f64 {
        let target = if forcer == Player::First { target } else { -target };
        let above = (0..BINS).find(|bin| point(*bin) >= target).unwrap_or(BINS - 1);
        if above == 0 {
            return self.0[0];
        }
        let (low, high) = (point(above - 1), point(above));
        let share = ((target - low) / (high - low)).clamp(0.0, 1.0);
        self.0[above - 1] + (self.0[above] - self.0[above - 1]) * share
    }

    /// How much beyond `target` the forcer can expect if he need not go on otherwise.
    pub fn beyond(&self, forcer: Player, target: f64) -> f64 {
        let target = if forcer == Player::First { target } else { -target };
        (1..BINS)
            .map(|bin| {
                let (low, high) = (point(bin - 1).max(target), point(bin));
                if high > low { (high - low) * self.0[bin] } else { 0.0 }
            })
            .sum()
    }

    fn mean(&self) -> f64 {
        (1..BINS).map(|bin| (point(bin) - point(bin - 1)) * self.0[bin]).sum()
    }
}

/// The probability of `target` for a value that lies anywhere between `real` and `hope`, all of them
/// for the forcer.
#[inline]
pub fn linear(target: f64, real: f64, hope: f64) -> f64 {
    if real >= target {
        1.0
    } else if hope <= target {
        0.0
    } else {
        (hope - target) / (hope - real)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figure_16_has_its_probability() {
        assert_eq!((linear(100.0, 20.0, 250.0) * 1000.0).round(), 652.0);
        assert_eq!(linear(20.0, 20.0, 250.0), 1.0);
        assert_eq!(linear(250.0, 20.0, 250.0), 0.0);
    }

    #[test]
    fn a_curve_falls_and_agrees_with_the_rule_it_was_made_by() {
        for forcer in [Player::First, Player::Second] {
            let sign = if forcer == Player::First { 1 } else { -1 };
            let of = |value: i32| Score::heuristic(sign * value);
            let curve = Curve::between(forcer, of(20), of(900));
            assert!(curve.0.windows(2).all(|pair| pair[0] >= pair[1]));
            for target in [60, 150, 400, 880] {
                let found = curve.at(forcer, f64::from(sign * target));
                let wanted = linear(f64::from(target), 20.0, 900.0);
                assert!((found - wanted).abs() < 0.05, "{target}: {found} {wanted}");
            }
        }
    }

    #[test]
    fn three_good_moves_are_told_from_one_though_the_bounds_are_the_same() {
        // Figure 3, where the other side has the choice: it has three ways out, or one.
        let good = Curve::between(Player::First, Score::DRAW, Score::heuristic(99));
        let three = good.times(&good).times(&good);
        assert!(three.at(Player::First, 50.0) < good.at(Player::First, 50.0));
    }
}
