//! Watches a search and has some late moves searched at every reduction. Deep nodes are few and shallow
//! ones many, so of deeper ones more are drawn; each sample knows how many it stands for.

use std::sync::{Arc, Mutex};

use secateur_search::observe::{NodeKind, Observer, Sample};
use secateur_search::random::SplitMix;
use secateur_search::score::MAX_PLY;
use secateur_search::{Depth, Score};

use super::rows::Row;

/// Of the moves of deep nodes no more than one in so many is drawn.
const LEAST: u64 = 4;

/// What the searches of a game have shown.
#[derive(Debug, Default)]
pub struct Collected {
    /// Samples.
    pub rows: Vec<Row>,
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
    /// By ply: samples of the node there with their bounds, until its moves are done with.
    waiting: Vec<Vec<(Score, Row)>>,
    collected: Arc<Mutex<Collected>>,
}

impl Sampler {
    /// Collects into `collected`.
    pub fn new(every: u64, seed: u64, collected: Arc<Mutex<Collected>>) -> Sampler {
        let (random, waiting) = (SplitMix::new(seed), vec![Vec::new(); MAX_PLY + 1]);
        Sampler { every, weight: 1, random, cuts: [0; 2], waiting, collected }
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
    // What becomes of later moves.
    const RANKS: bool = true;

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

    fn sampled(&mut self, ply: usize, bound: Score, sample: &Sample) {
        let rest = sample.searches[0].is_some_and(|(better, _)| better);
        self.waiting[ply].push((bound, Row { weight: self.weight, rest, sample: *sample }));
    }

    fn began_moves(&mut self, ply: usize) {
        // What a search that was stopped has left.
        self.waiting[ply].clear();
    }

    fn valued(&mut self, ply: usize, score: Score) {
        self.waiting[ply].iter_mut().for_each(|(bound, row)| row.rest |= score > *bound);
    }

    fn ended_moves(&mut self, ply: usize) {
        if self.waiting[ply].is_empty() {
            return;
        }
        // Who holds it does nothing that could fail.
        let Ok(mut collected) = self.collected.lock() else { return };
        collected.rows.extend(self.waiting[ply].drain(..).map(|(_, row)| row));
        let cuts = std::mem::take(&mut self.cuts);
        (0..2).for_each(|index| collected.cuts[index] += cuts[index]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::tests::LATE;
    use super::*;
    use secateur_search::calibrate::reductions::MOST;

    #[test]
    fn of_deeper_nodes_more_are_drawn_and_each_knows_what_it_stands_for() {
        let rarities: Vec<u64> = [1, 2, 3, 6, 20, 99].map(|depth| rarity(512, depth)).to_vec();
        assert_eq!(rarities, [512, 512, 256, 32, 4, 4]);
        let mut sampler = Sampler::new(64, 1, Arc::default());
        let drawn = (0..64_000).filter(|_| sampler.wants_sample(2)).count();
        assert!((850..1_150).contains(&drawn), "{drawn}");
    }

    #[test]
    fn a_sample_knows_what_became_of_it_and_of_those_after_it() {
        let collected: Arc<Mutex<Collected>> = Arc::default();
        let mut sampler = Sampler::new(64, 1, Arc::clone(&collected));
        let score = Score::heuristic;
        let sample = Sample { late: LATE, cuts: 0, usual: 0, searches: [None; MOST + 1] };
        // A node that is never done with leaves nothing behind.
        sampler.began_moves(3);
        sampler.sampled(3, score(10), &sample);
        // Sampled before the second, third and fourth move, of which the third is better; deeper nodes
        // are none of its business.
        sampler.began_moves(3);
        sampler.valued(3, score(50));
        for value in [5, 11, 10] {
            sampler.sampled(3, score(10), &sample);
            sampler.began_moves(4);
            sampler.valued(4, score(99));
            sampler.ended_moves(4);
            sampler.valued(3, score(value));
        }
        sampler.ended_moves(3);
        let found: Vec<bool> = collected.lock().unwrap().rows.iter().map(|row| row.rest).collect();
        assert_eq!(found, [true, true, false]);
    }
}
