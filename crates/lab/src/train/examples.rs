//! Positions as the fit sees them: what there is to count, in one long row of numbers. Millions of
//! positions with some fifty counts each have to fit into memory and through it quickly.

use secateur_search::features::{Blend, Featured, WHOLE};

/// One position, but for its counts.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Example {
    /// Where its counts begin.
    begin: usize,
    stages: [u8; 2],
    /// Sum to 1.
    shares: [f32; 2],
    keep: [f32; 2],
    outcome: Outcome,
    target: f32,
}

/// What became of a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What the search said, in hundredths.
    pub score: i16,
    /// How the game ended: 1, 0 or -1, or the margin where points are counted. Nothing if the
    /// position is not of a game.
    pub points: Option<i16>,
}

/// Positions with their counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Examples {
    examples: Vec<Example>,
    /// The counts of all: the feature in the upper 24 bits, how many in the lowest 8.
    counts: Vec<u32>,
    /// Features of the game.
    features: usize,
}

const MOST_FEATURES: usize = 1 << 24;

impl Examples {
    /// None yet, of a game with so many features.
    pub fn new(features: usize) -> Examples {
        assert!(features <= MOST_FEATURES, "an index has 24 bits");
        Examples { features, ..Examples::default() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.examples.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.examples.is_empty()
    }

    /// One more.
    pub fn push<G: Featured>(&mut self, position: &G, outcome: Outcome) {
        let mut counts = Vec::with_capacity(128);
        position.each_feature(|feature, count| counts.push((feature, count)));
        self.push_counts(position.blend(), position.keep(), counts, outcome);
    }

    /// One more, from its counts; those of one feature add up.
    pub fn push_counts(
        &mut self,
        blend: Blend,
        keep: [i32; 2],
        mut counts: Vec<(usize, i32)>,
        outcome: Outcome,
    ) {
        let begin = self.counts.len();
        counts.sort_unstable_by_key(|(feature, _)| *feature);
        for same in counts.chunk_by(|(one, _), (other, _)| one == other) {
            let mut rest: i32 = same.iter().map(|(_, count)| count).sum();
            // A count that is too large for its bits comes in parts.
            while rest != 0 {
                let part = rest.clamp(-127, 127);
                self.counts.push((same[0].0 as u32) << 8 | u32::from(part as i8 as u8));
                rest -= part;
            }
        }
        let whole = blend.shares.iter().sum::<i32>() as f32;
        self.examples.push(Example {
            begin,
            stages: blend.stages.map(|stage| stage as u8),
            shares: blend.shares.map(|share| share as f32 / whole),
            keep: keep.map(|part| part as f32 / WHOLE as f32),
            outcome,
            target: 0.5,
        });
    }

    /// All of the others after these.
    pub fn append(&mut self, others: Examples) {
        let shift = self.counts.len();
        self.counts.extend(others.counts);
        let moved = |example: Example| Example { begin: shift + example.begin, ..example };
        self.examples.extend(others.examples.into_iter().map(moved));
    }

    /// Sets what each is to be fitted to: a chance to win, from its outcome.
    pub fn aim(&mut self, target: impl Fn(Outcome) -> f32) {
        for example in &mut self.examples {
            example.target = target(example.outcome);
        }
    }

    /// The outcome of each.
    pub fn outcomes(&self) -> impl Iterator<Item = Outcome> + '_ {
        self.examples.iter().map(|example| example.outcome)
    }

    /// What this one is to be fitted to.
    pub fn target(&self, number: usize) -> f32 {
        self.examples[number].target
    }

    fn counts_of(&self, number: usize) -> &[u32] {
        let end = self.examples.get(number + 1).map_or(self.counts.len(), |next| next.begin);
        &self.counts[self.examples[number].begin..end]
    }

    /// The value of a position as [`features::value`](secateur_search::features::value) defines
    /// it, without rounding and without the limit; and what part of the sum is kept in it.
    #[inline]
    pub fn value(&self, number: usize, weights: &[f32]) -> (f32, f32) {
        let example = &self.examples[number];
        let counts = self.counts_of(number);
        let mut sum = 0.0;
        for (stage, share) in example.stages.into_iter().zip(example.shares) {
            if share != 0.0 {
                let weights = &weights[usize::from(stage) * self.features..][..self.features];
                let stage_sum: f32 =
                    counts.iter().map(|count| many(*count) * weights[feature(*count)]).sum();
                sum += share * stage_sum;
            }
        }
        let keep = example.keep[usize::from(sum < 0.0)];
        (keep * sum, keep)
    }

    /// Adds to the gradient what this position has to say, where the loss grows by `slope` with
    /// each unit of the sum of its weights.
    #[inline]
    pub fn add_gradient(&self, number: usize, slope: f32, gradient: &mut [f32]) {
        let example = &self.examples[number];
        for (stage, share) in example.stages.into_iter().zip(example.shares) {
            if share != 0.0 {
                let gradient = &mut gradient[usize::from(stage) * self.features..][..self.features];
                let slope = slope * share;
                for count in self.counts_of(number) {
                    gradient[feature(*count)] += slope * many(*count);
                }
            }
        }
    }
}

#[inline(always)]
fn feature(count: u32) -> usize {
    (count >> 8) as usize
}

#[inline(always)]
fn many(count: u32) -> f32 {
    f32::from(count as u8 as i8)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Outcome = Outcome { score: 0, points: Some(0) };

    #[test]
    fn counts_add_up_and_none_is_too_large() {
        let mut examples = Examples::new(10);
        let counts = vec![(3, 1), (9, -300), (3, 2), (4, 5), (4, -5)];
        examples.push_counts(Blend::only(1), [WHOLE; 2], counts, NOTHING);
        examples.push_counts(Blend::only(0), [WHOLE; 2], vec![(0, 1)], NOTHING);
        let stored: Vec<_> =
            examples.counts_of(0).iter().map(|count| (feature(*count), many(*count))).collect();
        assert_eq!(stored, [(3, 3.0), (9, -127.0), (9, -127.0), (9, -46.0)]);
        let weights: Vec<f32> = (0..20).map(|index| index as f32).collect();
        assert_eq!(examples.value(0, &weights).0, 3.0 * 13.0 - 300.0 * 19.0);
        assert_eq!(examples.value(1, &weights).0, 0.0);
    }

    #[test]
    fn joined_examples_keep_their_counts() {
        let one = |feature| {
            let mut examples = Examples::new(5);
            examples.push_counts(Blend::only(0), [WHOLE; 2], vec![(feature, 2)], NOTHING);
            examples
        };
        let mut both = one(1);
        both.append(one(3));
        let weights = [0.0, 1.0, 0.0, 10.0, 0.0];
        assert_eq!(
            (both.len(), both.value(0, &weights).0, both.value(1, &weights).0),
            (2, 2.0, 20.0)
        );
    }

    #[cfg(feature = "chess")]
    #[test]
    fn a_value_is_that_of_the_definition_but_for_rounding() {
        use secateur_games::chess::Chess;
        use secateur_games::playable::Playable;
        use secateur_search::random::SplitMix;
        use secateur_search::testkit::reference::moves;
        use secateur_search::{Game, Notation, features};

        let weights = Chess::plain_weights();
        let numbers: Vec<f32> = weights.values().iter().map(|weight| f32::from(*weight)).collect();
        let mut examples = Examples::new(Chess::feature_count());
        let mut positions = Vec::new();
        let mut random = SplitMix::new(7);
        for _ in 0..20 {
            let mut position = Chess::start();
            for _ in 0..120 {
                let legal = moves(&position);
                let Some(m) = legal.get(random.below(legal.len())) else { break };
                position.play(*m);
                examples.push(&position, NOTHING);
                positions.push(position.clone());
            }
        }
        for (number, position) in positions.iter().enumerate() {
            let (exact, guess) =
                (features::value(position, &weights), examples.value(number, &numbers).0);
            assert!((exact as f32 - guess).abs() < 2.0, "{exact} {guess}");
        }
    }
}
