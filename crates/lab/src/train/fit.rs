//! The fit: weights that make the cross-entropy of chances to win and targets small, in batches, by
//! `adam`, until positions that were kept back are guessed no better.
//!
//! Weights are drawn to those of the start as if some positions had spoken for these, so that what
//! is seldom seen does not go far. For the same seed the result is the same to the last bit,
//! whatever the number of threads: a batch is always cut into the same parts.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use secateur_search::random::SplitMix;

use super::adam::{Adam, Step};
use super::examples::Examples;
use super::parallel;
use super::target::{chance, loss};

/// Parts of a batch, each with a gradient of its own.
const PARTS: usize = 8;
/// The largest batch that is chosen by itself; a small set has smaller ones, to make some steps.
const LARGEST_BATCH: usize = 16_384;
const SMALLEST_BATCH: usize = 256;
const FEWEST_STEPS: usize = 64;
/// It ends after so many epochs without a better one.
const PATIENCE: usize = 4;
/// What is left of the rate in the last epoch.
const LAST_RATE: f64 = 0.05;
/// Positions that one thread judges in one go.
const STRETCH: usize = 8_192;

/// How to go about it.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Times that all positions are seen, at most.
    pub epochs: usize,
    /// The length of the first steps, in parts of the scale; it falls to a twentieth.
    pub rate: f64,
    /// How strongly weights are held to those of the start.
    pub regularise: f64,
    /// Positions for each step.
    pub batch: Option<usize>,
    /// The order of the positions.
    pub seed: u64,
    /// Threads.
    pub threads: NonZeroUsize,
}

impl Default for Plan {
    /// Positions of one game share its result and much of what is counted, so some hundred say as
    /// much as a few that are independent: hence the strong hold.
    // Loss on positions kept back at 10, 100, 1,000: chess, 2,000 games (start 0.4914) 0.4907, 0.4906,
    // 0.4899, 301,145 positions (start 0.4715) 0.4653 at 100 and 0.4654 at 1,000; Othello, 2,000 games
    // (start 0.6551) 0.6369, 0.6369, 0.6416.
    fn default() -> Plan {
        Plan {
            epochs: 30,
            rate: 0.002,
            regularise: 100.0,
            batch: None,
            seed: 1,
            threads: NonZeroUsize::MIN,
        }
    }
}

/// What is to be fitted.
pub struct Problem<'a> {
    /// Positions to learn from.
    pub training: &'a Examples,
    /// Positions that only judge.
    pub validation: &'a Examples,
    /// The weights to start from and to be drawn to.
    pub start: &'a [f32],
    /// The lead that is worth 73 %.
    pub scale: f32,
    /// The places of weights that stay as they are.
    pub fixed: &'a [usize],
}

/// Mean losses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    /// On the positions that were learned from, while they were.
    pub training: f64,
    /// On those that were kept back, afterwards.
    pub validation: f64,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The weights after the best epoch.
    pub weights: Vec<f32>,
    /// Which that was, from 1; 0 if none was better than the start.
    pub best: usize,
    /// The loss of the start on positions that were kept back.
    pub start: f64,
    /// All epochs.
    pub epochs: Vec<Epoch>,
    /// Whether somebody ended it.
    pub interrupted: bool,
}

/// Fits. `watch` is told of each epoch.
pub fn fit(
    problem: &Problem<'_>,
    plan: &Plan,
    interrupt: &AtomicBool,
    watch: &mut dyn FnMut(&Epoch),
) -> Fitted {
    // In units of the scale, so that rates mean the same in every game.
    let scaled = |weights: &[f32]| weights.iter().map(|weight| weight / problem.scale).collect();
    let home: Vec<f32> = scaled(problem.start);
    let mut weights = home.clone();
    let mut adam = Adam::new(weights.len());
    let mut gradients = vec![vec![0.0; weights.len()]; PARTS];
    let count = problem.training.len();
    let mut order: Vec<u32> = (0..count as u32).collect();
    let batch = batch_size(plan, count);
    let mut random = SplitMix::new(plan.seed);
    let judge = |weights: &[f32]| mean_loss(problem.validation, weights, plan.threads);

    let start = judge(&weights);
    let mut best = (0, start, weights.clone());
    let (mut epochs, mut interrupted) = (Vec::<Epoch>::new(), false);
    'epochs: for epoch in 0..plan.epochs {
        random.shuffle(&mut order);
        let done = epoch as f64 / plan.epochs.max(2) as f64;
        let step = Step {
            rate: (plan.rate * (1.0 - done * (1.0 - LAST_RATE))) as f32,
            examples: batch,
            home: &home,
            pull: (plan.regularise / count as f64) as f32,
        };
        let mut sum = 0.0;
        for numbers in order.chunks(batch) {
            if interrupt.load(Relaxed) {
                interrupted = true;
                break 'epochs;
            }
            let step = Step { examples: numbers.len(), ..step };
            sum += slopes(problem.training, numbers, &weights, &mut gradients, plan.threads);
            adam.step(plan.threads, &mut weights, &mut gradients, &step);
            for &index in problem.fixed {
                weights[index] = home[index];
            }
        }
        let epoch = Epoch { training: sum / count as f64, validation: judge(&weights) };
        epochs.push(epoch);
        watch(&epoch);
        if epoch.validation < best.1 {
            best = (epochs.len(), epoch.validation, weights.clone());
        } else if epochs.len() >= best.0 + PATIENCE {
            break;
        }
    }
    let weights = best.2.iter().map(|weight| weight * problem.scale).collect();
    Fitted { weights, best: best.0, start, epochs, interrupted }
}

/// Batches of one length, as near as can be to that wanted.
fn batch_size(plan: &Plan, count: usize) -> usize {
    let by_itself = (count / FEWEST_STEPS).clamp(SMALLEST_BATCH, LARGEST_BATCH);
    let wanted = plan.batch.unwrap_or(by_itself).max(1);
    count.div_ceil(count.div_ceil(wanted).max(1)).max(1)
}

/// Adds to the gradients what these positions say, and gives the sum of their losses.
fn slopes(
    examples: &Examples,
    numbers: &[u32],
    weights: &[f32],
    gradients: &mut [Vec<f32>],
    threads: NonZeroUsize,
) -> f64 {
    let mut losses = [0.0; PARTS];
    let parts = numbers.chunks(numbers.len().div_ceil(PARTS).max(1));
    let tasks = parts.zip(gradients.iter_mut().zip(&mut losses));
    parallel::for_each(threads, tasks, |(numbers, (gradient, sum))| {
        for number in numbers {
            let number = *number as usize;
            let (value, keep) = examples.value(number, weights);
            let target = examples.target(number);
            *sum += f64::from(loss(value, target));
            examples.add_gradient(number, (chance(value) - target) * keep, gradient);
        }
    });
    losses.iter().sum()
}

/// The mean loss with these weights, in units of the scale.
fn mean_loss(examples: &Examples, weights: &[f32], threads: NonZeroUsize) -> f64 {
    let mut losses = vec![0.0; examples.len().div_ceil(STRETCH)];
    parallel::for_each(threads, losses.iter_mut().enumerate(), |(stretch, sum)| {
        let end = ((stretch + 1) * STRETCH).min(examples.len());
        for number in stretch * STRETCH..end {
            let value = examples.value(number, weights).0;
            *sum += f64::from(loss(value, examples.target(number)));
        }
    });
    losses.iter().sum::<f64>() / examples.len().max(1) as f64
}

#[cfg(test)]
mod tests;
