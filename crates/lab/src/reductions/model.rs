//! The chance of an event by levels of features: its log-odds are a sum of a number for the level of each
//! (logistic regression). Found by Newton's method, with a pull towards nothing that keeps rare levels
//! in bounds.

use secateur_search::calibrate::reductions::LEVELS;

use crate::statistics::least_squares::inverted;

/// Levels of one case.
pub type Levels = [usize; LEVELS.len()];

/// How strongly numbers are pulled towards nothing: as much as so many cases.
const PULL: f64 = 2.0;
/// Newton's method doubles its digits: this is many.
const STEPS: usize = 25;
/// Numbers for all levels, and one for all cases.
const SIZE: usize = {
    let (mut sum, mut index) = (1, 0);
    while index < LEVELS.len() {
        sum += LEVELS[index];
        index += 1;
    }
    sum
};

/// What was fitted.
#[derive(Clone, Debug)]
pub struct Model {
    numbers: Vec<f64>,
}

/// Where the numbers of a case stand.
fn places(levels: &Levels) -> [usize; LEVELS.len() + 1] {
    let mut places = [0; LEVELS.len() + 1];
    let mut first = 1;
    for (index, (level, many)) in levels.iter().zip(LEVELS).enumerate() {
        places[index + 1] = first + level;
        first += many;
    }
    places
}

fn chance(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

impl Model {
    /// The likeliest numbers for cases with their weights, whose mean is best about 1.
    pub fn fit<'a>(cases: impl Iterator<Item = (&'a Levels, f64, bool)> + Clone) -> Model {
        let mut numbers = vec![0.0; SIZE];
        let (mut all, mut held) = (0.0, 0.0);
        for (_, weight, is) in cases.clone() {
            all += weight;
            held += if is { weight } else { 0.0 };
        }
        let share = ((held + 0.5) / (all + 1.0)).clamp(1e-6, 1.0 - 1e-6);
        numbers[0] = (share / (1.0 - share)).ln();
        for _ in 0..STEPS {
            let mut slope: Vec<f64> = numbers.iter().map(|number| -PULL * number).collect();
            // The first number is free.
            slope[0] = 0.0;
            let mut curve = vec![vec![0.0; SIZE]; SIZE];
            (1..SIZE).for_each(|index| curve[index][index] = PULL);
            curve[0][0] = 1e-6;
            for (levels, weight, is) in cases.clone() {
                let places = places(levels);
                let odds: f64 = places.iter().map(|place| numbers[*place]).sum();
                let expected = chance(odds);
                let error = weight * (f64::from(u8::from(is)) - expected);
                let spread = weight * expected * (1.0 - expected);
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
        let model = Model::fit(cases.iter().map(|(levels, is)| (levels, 1.0, *is)));
        for (levels, _) in cases.iter().step_by(997) {
            let (found, wanted) = (model.chance(levels), truth(levels));
            assert!((found - wanted).abs() < 0.03 + 0.15 * wanted, "{levels:?}: {found} {wanted}");
        }
    }

    #[test]
    fn what_never_happens_is_unlikely_and_not_impossible() {
        let levels = [[0; LEVELS.len()]; 500];
        let model = Model::fit(levels.iter().map(|levels| (levels, 1.0, false)));
        let chance = model.chance(&levels[0]);
        assert!(chance > 0.0 && chance < 0.01, "{chance}");
    }
}
