//! How long a sequential test will take: the log-likelihood ratio as Brownian motion with drift
//! between two bounds (Wald, 1945).
//!
//! An approximation: it forgets that the last game overshoots the bound.

/// What a walk between two bounds will do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walk {
    /// The chance to leave by the upper bound.
    pub upward: f64,
    /// The expected number of steps until it leaves.
    pub steps: f64,
}

/// A walk that stands at `position`, where each step has this mean and variance. Outside of the
/// bounds it is over; a walk that does not move never is.
pub fn walk(position: f64, lower: f64, upper: f64, drift: f64, variance: f64) -> Walk {
    if position >= upper {
        return Walk { upward: 1.0, steps: 0.0 };
    }
    if position <= lower {
        return Walk { upward: 0.0, steps: 0.0 };
    }
    let (span, height) = (upper - lower, position - lower);
    // Twice the drift over the variance: the rate at which chances fall off with height.
    let rate = 2.0 * drift / variance;
    if !rate.is_finite() {
        let upward = if drift > 0.0 { 1.0 } else { 0.0 };
        let way = if drift > 0.0 { upper - position } else { -height };
        let steps = if drift == 0.0 || drift.is_nan() { f64::INFINITY } else { way / drift };
        return Walk { upward, steps };
    }
    if (rate * span).abs() < 1e-6 {
        return Walk { upward: height / span, steps: height * (upper - position) / variance };
    }
    let upward = if rate > 0.0 {
        (-rate * height).exp_m1() / (-rate * span).exp_m1()
    } else {
        // The same, written so that nothing overflows.
        ((rate * (span - height)).exp() - (rate * span).exp()) / -(rate * span).exp_m1()
    };
    Walk { upward, steps: (upward * span - height) / drift }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use secateur_search::random::SplitMix;

    #[test]
    fn the_walk_is_that_of_a_simulated_one() {
        for (position, drift) in [(0.0, 0.0), (0.5, 0.01), (-1.0, -0.02), (1.0, -0.005)] {
            let mut random = SplitMix::new(3);
            let (step, rounds) = (0.05_f64, 4_000);
            let (mut up, mut steps) = (0, 0_u64);
            for _ in 0..rounds {
                let mut at = position;
                while at > -2.0 && at < 2.0 {
                    at += drift + if random.next_u64() >> 63 == 0 { step } else { -step };
                    steps += 1;
                }
                up += u32::from(at >= 2.0);
            }
            let told = walk(position, -2.0, 2.0, drift, step * step);
            let share = f64::from(up) / f64::from(rounds);
            let mean = steps as f64 / f64::from(rounds);
            assert!((told.upward - share).abs() < 0.03, "{drift}: {told:?} {share}");
            assert!((told.steps / mean - 1.0).abs() < 0.06, "{drift}: {told:?} {mean}");
        }
    }

    #[test]
    fn a_walk_that_is_over_takes_no_steps_and_one_that_stands_still_never_ends() {
        assert_eq!(walk(3.0, -2.0, 2.0, 0.1, 1.0), Walk { upward: 1.0, steps: 0.0 });
        assert_eq!(walk(-2.0, -2.0, 2.0, 0.1, 1.0), Walk { upward: 0.0, steps: 0.0 });
        assert_eq!(walk(0.0, -2.0, 2.0, 0.0, 0.0).steps, f64::INFINITY);
        assert_eq!(walk(0.0, -2.0, 2.0, 0.5, 0.0), Walk { upward: 1.0, steps: 4.0 });
    }

    proptest! {
        #[test]
        fn upside_down_the_walk_is_the_same(
            position in -1.9..1.9, drift in -3.0..3.0, variance in 1e-6..10.0,
        ) {
            let (a, b) = (
                walk(position, -2.0, 2.0, drift, variance),
                walk(-position, -2.0, 2.0, -drift, variance),
            );
            prop_assert!((0.0..=1.0).contains(&a.upward) && a.steps >= 0.0, "{:?}", a);
            prop_assert!((a.upward + b.upward - 1.0).abs() < 1e-9, "{:?} {:?}", a, b);
            prop_assert!((a.steps - b.steps).abs() < 1e-6 * (1.0 + a.steps), "{:?} {:?}", a, b);
        }
    }
}
