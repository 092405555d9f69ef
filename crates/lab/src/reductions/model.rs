//! The chance of an event by levels of features: its log-odds are a sum of a number for the level of each
//! (logistic regression), and one for every pair of a coarse depth with the number of the move and with the kind
//! of the node, whose effects are others near the leaves. Found by Newton's method, with a pull towards
//! nothing that keeps rare levels in bounds. A depth of which few cases are known is like the nearest of
//! which many are.

use std::collections::BTreeMap;

use secateur_search::calibrate::reductions::LEVELS;

use crate::statistics::least_squares::inverted;

/// Levels of one case.
pub type Levels = [usize; LEVELS.len()];

/// How strongly numbers are pulled towards nothing: as much as so many cases.
const PULL: f64 = 2.0;
/// Newton's method doubles its digits: this is many.
const STEPS: usize = 25;
/// A depth with fewer cases is taken for the nearest with as many.
const FEW: usize = 50;

/// The features that go together with the depth, by their places in [`LEVELS`]: the number of the move, and the
/// kind of the node.
const WITH_DEPTH: [usize; 2] = [1, 2];
/// The first levels of deeper parts of the depth.
const DEEPER: [usize; 2] = [3, 7];

/// Numbers for all levels, and one for all cases.
const ALONE: usize = {
    let (mut sum, mut index) = (1, 0);
    while index < LEVELS.len() {
        sum += LEVELS[index];
        index += 1;
    }
    sum
};
/// And those for pairs.
const SIZE: usize = ALONE + (DEEPER.len() + 1) * (LEVELS[WITH_DEPTH[0]] + LEVELS[WITH_DEPTH[1]]);

/// What was fitted.
#[derive(Clone, Debug)]
pub struct Model {
    numbers: Vec<f64>,
}

/// Where the numbers of a case stand.
fn places(levels: &Levels) -> [usize; LEVELS.len() + WITH_DEPTH.len() + 1] {
    let mut places = [0; LEVELS.len() + WITH_DEPTH.len() + 1];
    let mut first = 1;
    for (index, (level, many)) in levels.iter().zip(LEVELS).enumerate() {
        places[index + 1] = first + level;
        first += many;
    }
    let deep = DEEPER.iter().filter(|part| levels[0] >= **part).count();
    for (index, feature) in WITH_DEPTH.into_iter().enumerate() {
        places[LEVELS.len() + 1 + index] = first + deep * LEVELS[feature] + levels[feature];
        first += (DEEPER.len() + 1) * LEVELS[feature];
    }
    places
}

fn chance(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

impl Model {
    /// The likeliest numbers for cases. How many a case stands for does not matter: it depends on nothing
    /// but the depth, which is a feature.
    pub fn fit<'a>(cases: impl Iterator<Item = (&'a Levels, bool)>) -> Model {
        // Cases of the same levels count together: there are far fewer of such cells than of cases.
        let mut counts: BTreeMap<Levels, [f64; 2]> = BTreeMap::new();
        let mut by_depth = [0; LEVELS[0]];
        for (levels, is) in cases {
            let [all, held] = counts.entry(*levels).or_default();
            (*all, *held) = (*all + 1.0, *held + f64::from(u8::from(is)));
            by_depth[levels[0]] += 1;
        }
        let sum = |index: usize| counts.values().map(|counts| counts[index]).sum::<f64>();
        let (all, held) = (sum(0), sum(1));
        let mut numbers = vec![0.0; SIZE];
        let share = ((held + 0.5) / (all + 1.0)).clamp(1e-6, 1.0 - 1e-6);
        numbers[0] = (share / (1.0 - share)).ln();
        for _ in 0..STEPS {
            let mut slope: Vec<f64> = numbers.iter().map(|number| -PULL * number).collect();
            // The first number is free.
            slope[0] = 0.0;
            let mut curve = vec![vec![0.0; SIZE]; SIZE];
            (1..SIZE).for_each(|index| curve[index][index] = PULL);
            curve[0][0] = 1e-6;
            for (levels, [all, held]) in &counts {
                let places = places(levels);
                let odds: f64 = places.iter().map(|place| numbers[*place]).sum();
                let expected = chance(odds);
                let error = held - all * expected;
                let spread = all * expected * (1.0 - expected);
                for &one in &places {
                    slope[one] += error;
                    for &other in &places {
                        curve[one][other] += spread;
                    }
                }
            }
            let Some(inverse) = inverted(curve) else { break };
            let mut largest: f64 = 0.0;
            for (index, row) in inverse.iter().enumerate() {
                let step: f64 = row.iter().zip(&slope).map(|(a, b)| a * b).sum();
                let step = step.clamp(-2.0, 2.0);
                numbers[index] += step;
                largest = largest.max(step.abs());
            }
            if largest < 1e-6 {
                break;
            }
        }
        let near = |depth: usize| {
            let known = (0..LEVELS[0]).filter(|other| by_depth[*other] >= FEW);
            known.min_by_key(|other| other.abs_diff(depth))
        };
        let own = numbers.clone();
        for depth in 0..LEVELS[0] {
            numbers[1 + depth] = own[1 + near(depth).unwrap_or(depth)];
        }
        Model { numbers }
    }

    /// The chance of the event.
    pub fn chance(&self, levels: &Levels) -> f64 {
        chance(places(levels).iter().map(|place| self.numbers[*place]).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_search::random::SplitMix;

    #[test]
    fn chances_that_add_up_in_log_odds_are_found_again() {
        let mut random = SplitMix::new(5);
        let truth = |levels: &Levels| {
            chance(-3.0 + 0.2 * levels[0] as f64 - 0.4 * levels[1] as f64 + levels[2] as f64)
        };
        let cases: Vec<(Levels, bool)> = (0..60_000)
            .map(|_| {
                let levels: Levels = std::array::from_fn(|index| random.below(LEVELS[index]));
                let is = (random.below(1_000_000) as f64) < 1e6 * truth(&levels);
                (levels, is)
            })
            .collect();
        let model = Model::fit(cases.iter().map(|(levels, is)| (levels, *is)));
        for (levels, _) in cases.iter().step_by(997) {
            let (found, wanted) = (model.chance(levels), truth(levels));
            assert!((found - wanted).abs() < 0.03 + 0.15 * wanted, "{levels:?}: {found} {wanted}");
        }
    }

    #[test]
    fn what_never_happens_is_unlikely_and_not_impossible() {
        let levels = [[0; LEVELS.len()]; 500];
        let model = Model::fit(levels.iter().map(|levels| (levels, false)));
        let chance = model.chance(&levels[0]);
        assert!(chance > 0.0 && chance < 0.01, "{chance}");
    }

    /// Cases whose chance this tells, at depths below a limit.
    fn found(deepest: usize, truth: impl Fn(&Levels) -> f64) -> Model {
        let mut random = SplitMix::new(6);
        let cases: Vec<(Levels, bool)> = (0..60_000)
            .map(|_| {
                let mut levels: Levels = std::array::from_fn(|index| random.below(LEVELS[index]));
                levels[0] = random.below(deepest);
                (levels, (random.below(1_000_000) as f64) < 1e6 * truth(&levels))
            })
            .collect();
        Model::fit(cases.iter().map(|(levels, is)| (levels, *is)))
    }

    #[test]
    fn a_depth_that_was_never_met_is_like_the_deepest_that_was() {
        let model = found(9, |levels| 0.5 * 0.7f64.powi(levels[0] as i32));
        let at = |depth: usize| {
            let mut levels = [0; LEVELS.len()];
            levels[0] = depth;
            model.chance(&levels)
        };
        assert_eq!(at(13), at(8));
        assert!(at(8) < 0.6 * at(5), "{} {}", at(8), at(5));
    }

    #[test]
    fn what_the_number_of_a_move_tells_may_depend_on_the_depth() {
        let model = found(LEVELS[0], |levels| match levels[0] < DEEPER[1] {
            true => 0.2,
            false => 0.4 * 0.5f64.powi(levels[1] as i32),
        });
        let at = |depth: usize, number: usize| {
            let mut levels = [0; LEVELS.len()];
            (levels[0], levels[1]) = (depth, number);
            model.chance(&levels)
        };
        assert!((at(2, 0) / at(2, 6) - 1.0).abs() < 0.35, "{} {}", at(2, 0), at(2, 6));
        assert!(at(9, 0) > 10.0 * at(9, 6), "{} {}", at(9, 0), at(9, 6));
    }
}
