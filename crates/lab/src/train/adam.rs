//! Adam (Kingma and Ba, 2015): steps by the mean of recent gradients over their size, so that what
//! is seen often and what is seen seldom learn at one rate.

use std::num::NonZeroUsize;

use super::parallel;

const KEEP_FIRST: f32 = 0.9;
const KEEP_SECOND: f32 = 0.999;
const TINY: f32 = 1e-8;

/// Weights that one thread updates in one go.
const STRETCH: usize = 1 << 14;

/// What it remembers of earlier gradients.
pub(super) struct Adam {
    first: Vec<f32>,
    second: Vec<f32>,
    steps: i32,
}

/// How far to step, and what holds the weights back.
pub(super) struct Step<'a> {
    /// The length of a step.
    pub(super) rate: f32,
    /// What the gradients are divided by.
    pub(super) examples: usize,
    /// The weights are drawn to these ...
    pub(super) home: &'a [f32],
    /// ... by this much for each unit of distance.
    pub(super) pull: f32,
}

impl Adam {
    /// For so many weights.
    pub(super) fn new(weights: usize) -> Adam {
        Adam { first: vec![0.0; weights], second: vec![0.0; weights], steps: 0 }
    }

    /// One step against the sum of the gradients, which are cleared. They are added in their
    /// order, so that the sum is the same whoever adds it.
    pub(super) fn step(
        &mut self,
        threads: NonZeroUsize,
        weights: &mut [f32],
        gradients: &mut [Vec<f32>],
        step: &Step<'_>,
    ) {
        self.steps += 1;
        // The means begin at zero and would be too small at first.
        let first_part = 1.0 - KEEP_FIRST.powi(self.steps);
        let second_part = 1.0 - KEEP_SECOND.powi(self.steps);
        let mut parts: Vec<_> =
            gradients.iter_mut().map(|gradient| gradient.chunks_mut(STRETCH)).collect();
        let stretches = weights
            .chunks_mut(STRETCH)
            .zip(step.home.chunks(STRETCH))
            .zip(self.first.chunks_mut(STRETCH).zip(self.second.chunks_mut(STRETCH)))
            .map(|((weights, home), means)| {
                let gradients: Vec<&mut [f32]> =
                    parts.iter_mut().filter_map(Iterator::next).collect();
                (weights, home, means, gradients)
            });
        parallel::for_each(
            threads,
            stretches,
            |(weights, home, (first, second), mut gradients)| {
                for (index, weight) in weights.iter_mut().enumerate() {
                    let mut gradient = 0.0;
                    for part in &mut gradients {
                        gradient += std::mem::take(&mut part[index]);
                    }
                    gradient /= step.examples as f32;
                    gradient += step.pull * (*weight - home[index]);
                    // Most patterns of Othello never come in a small set of games.
                    if gradient == 0.0 && second[index] == 0.0 {
                        continue;
                    }
                    first[index] = KEEP_FIRST * first[index] + (1.0 - KEEP_FIRST) * gradient;
                    second[index] =
                        KEEP_SECOND * second[index] + (1.0 - KEEP_SECOND) * gradient * gradient;
                    let size = (second[index] / second_part).sqrt() + TINY;
                    *weight -= step.rate * first[index] / first_part / size;
                }
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_go_downhill_and_what_has_no_gradient_stays_where_it_was() {
        let home = [0.0, 5.0];
        let mut weights = [0.0, 5.0];
        let mut adam = Adam::new(2);
        let step = Step { rate: 0.05, examples: 2, home: &home, pull: 0.0 };
        let mut gradients = vec![vec![0.0; 2]; 2];
        for _ in 0..400 {
            // The sum of two losses, (w - 3)^2 / 2 each.
            gradients.iter_mut().for_each(|gradient| gradient[0] = weights[0] - 3.0);
            adam.step(NonZeroUsize::MIN, &mut weights, &mut gradients, &step);
        }
        assert!((weights[0] - 3.0).abs() < 0.05, "{weights:?}");
        assert_eq!(weights[1], 5.0);
        assert_eq!(gradients, [[0.0; 2]; 2]);
    }

    #[test]
    fn what_is_drawn_home_stays_between() {
        let (home, mut weights) = ([1.0], [1.0]);
        let mut adam = Adam::new(1);
        let step = Step { rate: 0.02, examples: 1, home: &home, pull: 1.0 };
        for _ in 0..1_000 {
            let mut gradients = [vec![weights[0] - 3.0]];
            adam.step(NonZeroUsize::MIN, &mut weights, &mut gradients, &step);
        }
        assert!((weights[0] - 2.0).abs() < 0.05, "{weights:?}");
    }
}
