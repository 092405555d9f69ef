//! The evaluation of Othello: counts and patterns, weighted by the stage of the game.
//!
//! | file | idea |
//! |---|---|
//! | [`features`] | the table of everything that is counted |
//! | `counts` | ten counts, and weights set by hand for them alone |
//! | `patterns` | the fillings of lines and corners as numbers |

pub mod features;

mod counts;
mod patterns;
#[cfg(test)]
mod tests;

use std::sync::{Arc, LazyLock};

use secateur_search::features::{Featured, group_of};
use secateur_search::{Evaluator, Score, Tactics, Weights};

use super::{Othello, OthelloMove};
use counts::COUNTS;
use features::{GROUPS, PATTERNS};

pub(super) use counts::Counts;

/// The largest guess, in hundredths of a disc: no game is won by more than 64 discs.
const LIMIT: i32 = 6_400;

/// A power of two not below the number of fillings, so that a mask is enough to stay inside.
const SLOTS: usize = 1 << 17;
const _: () = assert!(patterns::FILLINGS <= SLOTS);

/// The weights that play: the embedded file.
pub fn embedded() -> &'static Weights<Othello> {
    static WEIGHTS: LazyLock<Weights<Othello>> = LazyLock::new(|| {
        Weights::read(include_bytes!("../../../weights/othello.weights"))
            .expect("a test reads the embedded weights")
    });
    &WEIGHTS
}

/// Weights for the ten counts alone, to compare with.
pub fn plain_weights() -> Weights<Othello> {
    counts::plain_weights()
}

/// The weights of one stage as the tree adds them.
struct Stage {
    counts: [i16; COUNTS],
    /// By filling; nothing if all are zero, so that nothing need be looked up.
    patterns: Option<Box<[i16; SLOTS]>>,
}

impl Stage {
    fn new(weights: &[i16]) -> Stage {
        let patterned = weights[PATTERNS..].iter().any(|weight| *weight != 0);
        let patterns = patterned.then(|| {
            let mut slots = vec![0; SLOTS];
            for (slot, class) in slots.iter_mut().zip(patterns::CLASSES.iter()) {
                *slot = weights[PATTERNS + *class as usize];
            }
            slots.into_boxed_slice().try_into().expect("so many slots")
        });
        Stage { counts: std::array::from_fn(|count| weights[count]), patterns }
    }
}

/// Guesses the final margin for the side to move, in hundredths of a disc.
///
/// Everything is counted anew in every position, so there is no state and the updates are empty.
/// Clones share their tables.
#[derive(Clone)]
pub struct OthelloEvaluator {
    counts: Counts,
    stages: Arc<[Stage; Othello::WEIGHT_STAGES]>,
    identity: u64,
}

impl OthelloEvaluator {
    /// The evaluator with the [`embedded`] weights.
    pub fn new() -> OthelloEvaluator {
        static EVALUATOR: LazyLock<OthelloEvaluator> =
            LazyLock::new(|| OthelloEvaluator::with_weights(embedded()));
        EVALUATOR.clone()
    }

    /// An evaluator with these weights.
    pub fn with_weights(weights: &Weights<Othello>) -> OthelloEvaluator {
        OthelloEvaluator {
            counts: Counts::new(),
            stages: Arc::new(std::array::from_fn(|stage| Stage::new(weights.of_stage(stage)))),
            identity: weights.identity(),
        }
    }

    /// The value of a position in hundredths of a disc for the side to move.
    #[inline]
    pub(super) fn value(&self, position: &Othello) -> i32 {
        if let Some(value) = wiped_out(position) {
            return value;
        }
        let (own, other) = (position.own(), position.other());
        let stage = &self.stages[position.stage()];
        let mut sum = self.counts.weighted(own, other, &stage.counts);
        if let Some(weights) = &stage.patterns {
            patterns::each(own, other, |filling| sum += i32::from(weights[filling % SLOTS]));
        }
        sum.clamp(-LIMIT, LIMIT)
    }

    /// The named terms of the value, which is their sum, in hundredths of a disc for the side to
    /// move. The last is what the limit takes away.
    pub fn explain(&self, position: &Othello) -> Vec<(&'static str, i32)> {
        let mut terms: Vec<_> = GROUPS.iter().map(|group| (group.name, 0)).collect();
        if wiped_out(position).is_none() {
            let stage = &self.stages[position.stage()];
            let counts = self.counts.counts(position.own(), position.other());
            for (term, (weight, count)) in terms.iter_mut().zip(stage.counts.iter().zip(counts)) {
                term.1 = i32::from(*weight) * count;
            }
            patterns::each(position.own(), position.other(), |filling| {
                let feature = PATTERNS + patterns::CLASSES[filling] as usize;
                let weight = stage.patterns.as_ref().map_or(0, |weights| weights[filling]);
                let name = group_of(GROUPS, feature).map(|(group, _)| group.name);
                if let Some(term) = terms.iter_mut().find(|term| Some(term.0) == name) {
                    term.1 += i32::from(weight);
                }
            });
        }
        let sum: i32 = terms.iter().map(|term| term.1).sum();
        terms.push(("limit", self.value(position) - sum));
        terms
    }
}

/// The value where a side has no disc left: nothing more can happen.
#[inline(always)]
fn wiped_out(position: &Othello) -> Option<i32> {
    if position.own() == 0 || position.other() == 0 {
        Some(i32::from(position.margin()) * LIMIT / 64)
    } else {
        None
    }
}

impl Default for OthelloEvaluator {
    fn default() -> OthelloEvaluator {
        OthelloEvaluator::new()
    }
}

impl Evaluator<Othello> for OthelloEvaluator {
    fn start(&mut self, _root: &Othello) {}

    fn advance(&mut self, _ply: usize, _before: &Othello, _m: OthelloMove, _after: &Othello) {}

    fn advance_pass(&mut self, _ply: usize, _after: &Othello) {}

    #[inline]
    fn evaluate(&mut self, _ply: usize, position: &Othello) -> Score {
        Score::heuristic(self.value(position))
    }

    fn identity(&self) -> u64 {
        self.identity
    }
}
