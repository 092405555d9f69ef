//! Watches a search and has some late moves searched at every reduction. Deep nodes are few and shallow
//! ones many, so of deeper ones more are drawn; each sample knows how many it stands for.

use std::sync::{Arc, Mutex};

use secateur_search::Depth;
use secateur_search::observe::{NodeKind, Observer, Sample};
use secateur_search::random::SplitMix;

/// Of the moves of deep nodes no more than one in so many is drawn.
const LEAST: u64 = 4;

/// What the searches of a game have shown.
#[derive(Debug, Default)]
pub struct Collected {
    /// Samples, each with how many it stands for.
    pub samples: Vec<(u64, Sample)>,
    /// Nodes that were expected to cut: those that did, and those that did not.
    pub cuts: [u64; 2],
}

/// One for each thread.
#[derive(Debug)]
pub struct Sampler {
    every: u64,
    /// How many the sample that is being made stands for.
    weight: u64,
    random: SplitMix,
    cuts: [u64; 2],
    collected: Arc<Mutex<Collected>>,
}

impl Sampler {
    /// Collects into `collected`.
    pub fn new(every: u64, seed: u64, collected: Arc<Mutex<Collected>>) -> Sampler {
        Sampler { every, weight: 1, random: SplitMix::new(seed), cuts: [0; 2], collected }
    }
}

/// Of the late moves of a node of this depth one in so many is drawn.
fn rarity(every: u64, depth: i32) -> u64 {
    every.checked_shr((depth - 2).max(0) as u32).unwrap_or(0).max(LEAST)
}

impl Observer for Sampler {
    // Off the books nothing is kept; nothing else is audited.
    const AUDITS: bool = true;
    const SAMPLES: bool = true;

    fn left_node(&mut self, kind: NodeKind, _depth: Depth, _ply: usize, _count: usize) {
        match kind {
            NodeKind::Cut => self.cuts[0] += 1,
            NodeKind::CutTurnedAll => self.cuts[1] += 1,
            _ => {}
        }
    }

    fn wants_sample(&mut self, depth: i32) -> bool {
        self.weight = rarity(self.every, depth);
        self.random.below(self.weight as usize) == 0
    }

    fn sampled(&mut self, sample: &Sample) {
        // Who holds it does nothing that could fail.
        if let Ok(mut collected) = self.collected.lock() {
            collected.samples.push((self.weight, *sample));
            let cuts = std::mem::take(&mut self.cuts);
            (0..2).for_each(|index| collected.cuts[index] += cuts[index]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_deeper_nodes_more_are_drawn_and_each_knows_what_it_stands_for() {
        let rarities: Vec<u64> = [1, 2, 3, 6, 20, 99].map(|depth| rarity(512, depth)).to_vec();
        assert_eq!(rarities, [512, 512, 256, 32, 4, 4]);
        let mut sampler = Sampler::new(64, 1, Arc::default());
        let drawn = (0..64_000).filter(|_| sampler.wants_sample(2)).count();
        assert!((850..1_150).contains(&drawn), "{drawn}");
    }
}
