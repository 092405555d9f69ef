//! Where a probabilistic cut begins: one pair of depths in whole numbers, thousandths, and what a shallow
//! search must say for a cut on either side of the window.

use super::cuts::{Function, Pair, REACHES, threshold_of};
use super::unrest::Unrest;

/// How far the truth lies from what a shallow search says.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Errors {
    sigma: i64,
    below: [i64; REACHES],
    above: [i64; REACHES],
}

/// One pair in whole numbers: thousandths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The shallow depth.
    pub shallow: i32,
    a: i64,
    b: i64,
    c: i64,
    /// About its own line.
    own: Errors,
    /// By the function of all pairs; its own where there is none.
    general: Errors,
    /// About its own line, before unrest changes its deviation; its own where nothing is known of that.
    uneasy: Errors,
}

/// How a bound becomes a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest, halves away from zero, as in the papers.
    Nearest,
    /// Against the cut: up for a high one, down for a low one.
    Against,
}

/// How far errors reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// About the line of the pair, as the normal distribution has it.
    Normal,
    /// About the line of the pair, as they did when the table was made.
    Empirical,
    /// About the shallow value itself, as the function of all pairs has it.
    Function,
    /// About the line of the pair, with the deviation that unrest makes of its own.
    Unrest,
}

/// What decides where a cut begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// How many deviations beyond the window, in hundredths.
    pub threshold: i32,
    /// How far errors reach.
    pub model: Model,
    /// How a bound becomes a whole number.
    pub rounding: Rounding,
    /// What unrest multiplies the deviation by, in thousandths.
    pub factor: i64,
}

impl Pair {
    /// The same in whole numbers.
    pub(super) fn step(&self, function: Option<&Function>, unrest: Option<&Unrest>) -> Step {
        let general = function.map(|function| Errors {
            sigma: thousandths(function.sigma_by_share(self.stage, self.shallow, self.deep)),
            below: reaches(&function.below),
            above: reaches(&function.above),
        });
        let own = Errors {
            sigma: thousandths(self.sigma),
            below: reaches(&self.below),
            above: reaches(&self.above),
        };
        let uneasy = unrest.map(|unrest| Errors {
            sigma: own.sigma,
            below: reaches(&unrest.below),
            above: reaches(&unrest.above),
        });
        Step {
            shallow: self.shallow,
            a: thousandths(self.a).max(1),
            b: thousandths(self.b),
            c: thousandths(self.c),
            general: general.unwrap_or_else(|| own.clone()),
            uneasy: uneasy.unwrap_or_else(|| own.clone()),
            own,
        }
    }
}

impl Step {
    /// The value that the shallow search must reach for a cut above `beta`.
    #[inline]
    pub fn high(&self, beta: i32, terms: Terms) -> i32 {
        let reach = self.reach(|errors| &errors.below, terms);
        let (a, b, c) = self.line(terms.model);
        let above = reach + (1_000 - c) * i64::from(beta) - b;
        match terms.rounding {
            Rounding::Nearest => nearest(above, a),
            Rounding::Against => -((-above).div_euclid(a)) as i32,
        }
    }

    /// The value that it must not exceed for a cut below `alpha`.
    #[inline]
    pub fn low(&self, alpha: i32, terms: Terms) -> i32 {
        let reach = self.reach(|errors| &errors.above, terms);
        let (a, b, c) = self.line(terms.model);
        let below = -reach + (1_000 - c) * i64::from(alpha) - b;
        match terms.rounding {
            Rounding::Nearest => nearest(below, a),
            Rounding::Against => below.div_euclid(a) as i32,
        }
    }

    /// The deviation of the error, in score units.
    #[inline]
    pub fn deviation(&self, terms: Terms) -> i32 {
        (self.errors(terms.model).sigma * terms.factor / 1_000_000) as i32
    }

    #[inline]
    fn errors(&self, model: Model) -> &Errors {
        match model {
            Model::Normal | Model::Empirical => &self.own,
            Model::Function => &self.general,
            Model::Unrest => &self.uneasy,
        }
    }

    /// Slope, offset and what the window adds.
    #[inline]
    fn line(&self, model: Model) -> (i64, i64, i64) {
        match model {
            Model::Normal | Model::Empirical | Model::Unrest => (self.a, self.b, self.c),
            Model::Function => (1_000, 0, 0),
        }
    }

    /// How far errors reach on one side, in thousandths of a unit.
    #[inline]
    fn reach(&self, side: impl Fn(&Errors) -> &[i64; REACHES], terms: Terms) -> i64 {
        let errors = self.errors(terms.model);
        let deviations = match terms.model {
            Model::Normal => 10 * i64::from(terms.threshold),
            _ => between(side(errors), terms.threshold),
        };
        // Rounded up, so that no cut is made on the strength of it.
        (deviations * errors.sigma * terms.factor + 999_999) / 1_000_000
    }
}

/// The reach at a threshold in hundredths: between two that are known, on a straight line; beyond the
/// last, as many times the threshold as there.
#[inline]
pub(super) fn between(reaches: &[i64; REACHES], threshold: i32) -> i64 {
    const LAST: i32 = 50 + 10 * (REACHES as i32 - 1);
    if threshold >= LAST {
        return reaches[REACHES - 1] * i64::from(threshold) / i64::from(LAST);
    }
    if threshold <= 50 {
        return reaches[0] * i64::from(threshold) / 50;
    }
    let place = threshold - 50;
    let (index, rest) = ((place / 10) as usize, i64::from(place % 10));
    reaches[index] + (reaches[index + 1] - reaches[index]) * rest / 10
}

/// The nearest whole number, halves away from zero.
fn nearest(above: i64, below: i64) -> i32 {
    let twice = 2 * above.abs() + below;
    (above.signum() * (twice / (2 * below))) as i32
}

pub(super) fn thousandths(value: f64) -> i64 {
    (value * 1_000.0).round() as i64
}

/// Reaches as whole numbers; those of the normal distribution where none are known.
pub(super) fn reaches(known: &[f64]) -> [i64; REACHES] {
    std::array::from_fn(|index| {
        thousandths(known.get(index).copied().unwrap_or(threshold_of(index)))
    })
}

#[cfg(test)]
mod tests {
    use super::super::cuts::{Cuts, CutsError};
    use super::super::example_cuts::{paper, with_unrest};
    use super::super::plan::Wanted;
    use super::super::unrest;
    use super::*;

    #[test]
    fn the_bounds_of_the_paper_come_out_in_both_roundings() {
        let plan = paper().plan();
        // To the nearest as the papers have it, then against the cut.
        let wanted = [
            (0, 5, 100, [63, 163, -49, -149], [63, 164, -49, -150]),
            (0, 5, 150, [91, 191, -77, -177], [91, 192, -77, -178]),
            (1, 5, 100, [54, 152, -46, -144], [55, 152, -47, -144]),
            (1, 5, 150, [80, 177, -72, -169], [80, 178, -72, -170]),
            (0, 8, 100, [78, 176, -83, -181], [79, 177, -83, -181]),
            (0, 8, 150, [118, 216, -123, -221], [119, 217, -123, -221]),
            (1, 8, 100, [66, 156, -69, -159], [66, 157, -70, -160]),
            (1, 8, 150, [100, 190, -103, -193], [100, 190, -103, -194]),
        ];
        for (stage, depth, threshold, nearest, against) in wanted {
            let step = &plan.steps(stage, 0, depth)[0];
            for (rounding, bounds) in [(Rounding::Nearest, nearest), (Rounding::Against, against)] {
                let terms = Terms { threshold, model: Model::Normal, rounding, factor: 1_000 };
                let found = [
                    step.high(0, terms),
                    step.high(100, terms),
                    step.low(0, terms),
                    step.low(-100, terms),
                ];
                assert_eq!(
                    found, bounds,
                    "stage {stage}, depth {depth}, T {threshold}, {rounding:?}"
                );
            }
        }
    }

    #[test]
    fn unrest_makes_the_deviation_of_a_pair_larger_or_smaller() {
        let plan = with_unrest(&[("quiescence", 30, [0.5, 2.0]), ("correction", 10, [0.5, 2.0])]);
        let factor = |amounts: [i32; 2]| plan.factor(&[amounts[0], amounts[1], 0, 0, 0, 0]);
        assert_eq!([[0, 0], [30, 9], [30, 10]].map(factor), [250, 1_000, 4_000]);
        assert_eq!((plan.factors(), paper().plan().factors()), ([250, 4_000], [1_000; 2]));
        assert_eq!(paper().plan().factor(&[0; unrest::MOST]), 1_000);
        let step = &plan.steps(0, 0, 8)[0];
        let at = |factor| {
            let rounding = Rounding::Nearest;
            let terms = Terms { threshold: 100, model: Model::Unrest, rounding, factor };
            (step.high(0, terms), step.low(0, terms), step.deviation(terms))
        };
        // (82 - 2.36) / 1.02 and (-82 - 2.36) / 1.02; with half the deviation, and with twice as much.
        assert_eq!(
            [at(1_000), at(500), at(2_000)],
            [(78, -83, 82), (38, -43, 41), (158, -163, 164)]
        );
        let wanted = Wanted { unrest: true, ..Wanted::default() };
        assert_eq!(plan.check_for([2, 1], Some(7), wanted), Ok(()));
        assert_eq!(plan.check_unrest(&["quiescence", "correction"]), Ok(()));
        let other = plan.check_unrest(&["quiescence"]).unwrap_err().to_string();
        assert!(other.contains("quiescence, correction for unrest"), "{other}");
        let without = paper().plan().check_for([2, 1], Some(7), wanted);
        assert_eq!(without, Err(CutsError::NoUnrest));
    }

    #[test]
    fn rounding_against_the_cut_never_cuts_where_the_exact_bound_does_not() {
        let plan = paper().plan();
        for (stage, depth) in [(0, 5), (1, 5), (0, 8), (1, 8)] {
            let step = &plan.steps(stage, 0, depth)[0];
            let pair =
                paper().pairs.into_iter().find(|p| (p.stage, p.deep) == (stage, depth)).unwrap();
            for window in (-300..=300).step_by(7) {
                for threshold in [100, 123, 150] {
                    let t = f64::from(threshold) / 100.0;
                    let exact = (t * pair.sigma + f64::from(window) - pair.b) / pair.a;
                    let terms = Terms {
                        threshold,
                        model: Model::Normal,
                        rounding: Rounding::Against,
                        factor: 1_000,
                    };
                    let high = step.high(window, terms);
                    assert!(f64::from(high) >= exact - 1e-6 && f64::from(high) < exact + 1.001);
                    let exact = (-t * pair.sigma + f64::from(window) - pair.b) / pair.a;
                    let low = step.low(window, terms);
                    assert!(f64::from(low) <= exact + 1e-6 && f64::from(low) > exact - 1.001);
                }
            }
        }
    }

    #[test]
    fn real_errors_move_the_bound_on_their_side_alone() {
        let mut cuts = paper();
        // Errors reach half as far again below, and as the normal distribution has it above.
        cuts.pairs[2].below = (0..REACHES).map(|i| 1.5 * (0.5 + 0.1 * i as f64)).collect();
        let plan = cuts.plan();
        let step = &plan.steps(0, 0, 8)[0];
        let terms = |model, threshold| Terms {
            threshold,
            model,
            rounding: Rounding::Nearest,
            factor: 1_000,
        };
        let high = |model, threshold| step.high(0, terms(model, threshold));
        let low = |model| step.low(0, terms(model, 100));
        assert_eq!((high(Model::Normal, 100), high(Model::Empirical, 100)), (78, 118));
        assert_eq!(low(Model::Empirical), low(Model::Normal));
        // Between two thresholds, beyond the last, and before the first.
        assert_eq!(high(Model::Empirical, 105), 124);
        assert_eq!(high(Model::Empirical, 400), high(Model::Normal, 600));
        assert_eq!(high(Model::Empirical, 20), high(Model::Normal, 30));
    }

    #[test]
    fn the_function_gives_every_pair_a_deviation_about_the_shallow_value() {
        let mut cuts = paper();
        // Edax: 0.0759 x^2 + 1.165 x + 5.417 with x = -0.1 E + 0.31 d - 0.578 s, here for E = 0.
        cuts.function = Some(Function {
            stage: 0.0,
            deep: 0.31,
            shallow: -0.578,
            parabola: [5.417, 1.165, 0.0759],
            least: 2.0,
            deepest: 30,
            below: Vec::new(),
            above: Vec::new(),
        });
        let function = cuts.function.clone().unwrap();
        // x = 0.31 * 8 - 0.578 * 4 = 0.168.
        assert!((function.sigma(0, 4, 8) - 5.6149).abs() < 1e-3, "{}", function.sigma(0, 4, 8));
        assert_eq!(function.sigma(0, 20, 21), 2.0, "never below the least");
        let plan = cuts.plan();
        let step = &plan.steps(0, 0, 8)[0];
        let terms = Terms {
            threshold: 200,
            model: Model::Function,
            rounding: Rounding::Nearest,
            factor: 1_000,
        };
        assert_eq!((step.high(100, terms), step.low(100, terms)), (111, 89));
        assert_eq!(step.deviation(terms), 5);
        // The same without a pair of its own: rounded up, and beyond the deepest as there.
        assert_eq!(plan.reach(0, 4, 8, 200, true), Some(12));
        assert_eq!(plan.reach(1, 4, 8, 200, false), Some(12));
        // Deeper than it was fitted to: the same difference at the end of what is known.
        assert_eq!(plan.reach(0, 40, 50, 100, true), plan.reach(0, 20, 30, 100, true));
        assert_eq!(plan.reach_of_guess(0, 8, 200, true), None, "of guesses it says nothing");
        assert_eq!(plan.reach(2, 4, 8, 200, true), None, "no such stage");
        assert_eq!(paper().plan().reach(0, 4, 8, 200, true), None);
        let wanted = Wanted { pairs: true, function: true, ..Wanted::default() };
        assert_eq!(plan.check_for([2, 1], Some(7), wanted), Ok(()));
    }

    #[test]
    fn what_the_window_adds_moves_both_bounds_towards_it() {
        let mut cuts = paper();
        cuts.pairs[2].c = 0.25;
        let plan = Cuts::parse(&cuts.write()).unwrap().plan();
        let terms = Terms {
            threshold: 100,
            model: Model::Normal,
            rounding: Rounding::Nearest,
            factor: 1_000,
        };
        let step = &plan.steps(0, 0, 8)[0];
        // (82 + 0.75 * 100 - 2.36) / 1.02 and (-82 + 0.75 * 100 - 2.36) / 1.02.
        assert_eq!((step.high(100, terms), step.low(100, terms)), (152, -9));
        assert_eq!((step.high(0, terms), step.low(0, terms)), (78, -83), "as without it");
        cuts.pairs[2].c = 1.0;
        let refused = Cuts::parse(&cuts.write()).unwrap_err().to_string();
        assert!(refused.contains("cannot add so much"), "{refused}");
    }
}
