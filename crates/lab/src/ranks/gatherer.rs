//! Watches a search: at each late move of a deep node what was known before it, and when the node is done,
//! whether the move, or any after it, was better.

use std::collections::HashMap;
use std::iter;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use secateur_search::Score;
use secateur_search::calibrate::ranks::{Counts, Edges, INTERVALS, Rank, State};
use secateur_search::observe::Observer;
use secateur_search::score::MAX_PLY;

/// Differences of scores that are kept to find the edges of their intervals.
const MOST_DIFFERENCES: usize = 1 << 20;

/// What the searches of a game have shown.
#[derive(Debug, Default)]
pub struct Collected {
    /// Edges of lead and fall; without them differences are kept and nothing is counted.
    pub edges: Option<[Edges; 2]>,
    /// Counts by state.
    pub tally: HashMap<State, Counts>,
    /// Leads and falls, evenly spread over what was seen.
    pub differences: Vec<[i32; 2]>,
    every: u64,
    met: u64,
}

impl Collected {
    fn keep(&mut self, rank: &Rank) {
        let every = self.every.max(1);
        if self.met.is_multiple_of(every) {
            self.differences.push([rank.lead, rank.fall]);
        }
        self.met += 1;
        if self.differences.len() >= MOST_DIFFERENCES {
            let mut index = 0;
            self.differences.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.every = 2 * every;
        }
    }
}

/// A move of a node.
#[derive(Clone, Copy, Debug)]
struct Tried {
    /// What was known before it, if it is a late one, and the bounds in the order in which they are counted.
    known: Option<(Rank, [i32; 3])>,
    score: i32,
}

/// One for each thread.
#[derive(Debug)]
pub struct Gatherer {
    least_depth: i32,
    margin: i32,
    /// By ply: the moves of the node there.
    tried: Vec<Vec<Tried>>,
    /// By ply: the move that is being searched.
    known: Vec<Option<(Rank, [i32; 3])>>,
    collected: Arc<Mutex<Collected>>,
}

impl Gatherer {
    /// Counts into `collected`.
    pub fn new(least_depth: i32, margin: i32, collected: Arc<Mutex<Collected>>) -> Gatherer {
        let plies = MAX_PLY + 1;
        let (tried, known) = (vec![Vec::new(); plies], vec![None; plies]);
        Gatherer { least_depth, margin, tried, known, collected }
    }
}

impl Observer for Gatherer {
    const RANKS: bool = true;

    fn began_moves(&mut self, ply: usize) {
        self.tried[ply].clear();
        self.known[ply] = None;
    }

    fn ranked(&mut self, ply: usize, rank: &Rank, best: Score, alpha: Score) {
        if rank.depth >= self.least_depth {
            let (best, alpha) = (best.value(), alpha.value());
            self.known[ply] = Some((*rank, [best, alpha, alpha - self.margin]));
        }
    }

    fn valued(&mut self, ply: usize, score: Score) {
        let known = self.known[ply].take();
        // What comes before the first late move is never looked at.
        if known.is_some() || !self.tried[ply].is_empty() {
            self.tried[ply].push(Tried { known, score: score.value() });
        }
    }

    fn ended_moves(&mut self, ply: usize) {
        if self.tried[ply].is_empty() {
            return;
        }
        // Who holds it does nothing that could fail.
        let Ok(mut collected) = self.collected.lock() else { return };
        let mut best = i32::MIN;
        for tried in self.tried[ply].iter().rev() {
            best = best.max(tried.score);
            let Some((rank, bounds)) = &tried.known else { continue };
            let Some([lead, fall]) = &collected.edges else {
                collected.keep(rank);
                continue;
            };
            let state = State::of(rank, lead, fall);
            let counts = collected.tally.entry(state).or_default();
            counts.seen += 1;
            for (index, bound) in bounds.iter().enumerate() {
                counts.each[index] += u64::from(tried.score > *bound);
                counts.rest[index] += u64::from(best > *bound);
            }
        }
    }
}

/// Edges that part the differences into intervals of about the same size: the largest that can be parted is,
/// as evenly as it goes, until there are enough. A difference that alone would fill an interval comes to have
/// one of its own: where a pass cuts, most moves come to exactly alpha.
pub fn edges(mut differences: Vec<i32>) -> Edges {
    const EDGES: usize = INTERVALS - 1;
    differences.sort_unstable();
    let count_of = |same: &[i32]| (same[0], same.len());
    let counts: Vec<(i32, usize)> =
        differences.chunk_by(|one, other| one == other).map(count_of).collect();
    let size = |part: &Range<usize>| counts[part.clone()].iter().map(|(_, n)| n).sum::<usize>();
    let mut parts: Vec<Range<usize>> = iter::once(0..counts.len()).collect();
    while parts.len() < INTERVALS {
        let largest = (0..parts.len()).filter(|at| parts[*at].len() > 1);
        let Some(at) = largest.max_by_key(|at| size(&parts[*at])) else { break };
        let whole = parts[at].clone();
        let uneven = |cut: usize| size(&(whole.start..cut)).abs_diff(size(&(cut..whole.end)));
        let cut = (whole.start + 1..whole.end).min_by_key(|cut| uneven(*cut)).expect("two values");
        parts.splice(at..=at, [whole.start..cut, cut..whole.end]);
    }
    let mut edges: Vec<i32> = parts[1..].iter().map(|part| counts[part.start].0).collect();
    // Where there are too few differences, edges beyond them part nothing.
    let mut beyond = counts.last().map_or(0, |(most, _)| *most);
    while edges.len() < EDGES {
        beyond += 1;
        edges.push(beyond);
    }
    std::array::from_fn(|index| edges[index])
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_search::calibrate::ranks::Phase;

    fn rank(number: usize) -> Rank {
        let phase = Phase::Remaining;
        Rank { depth: 7, in_check: false, number, changes: 0, lead: 0, fall: 0, phase }
    }

    fn score(value: i32) -> Score {
        Score::heuristic(value)
    }

    /// Moves with these scores, those from the second on late, with the best before each and alpha 50.
    fn node(gatherer: &mut Gatherer, scores: &[i32], ends: bool) {
        gatherer.began_moves(3);
        let mut best = i32::MIN;
        for (number, &value) in (1..).zip(scores) {
            if number > 1 {
                gatherer.ranked(3, &rank(number), score(best), score(50));
            }
            gatherer.valued(3, score(value));
            best = best.max(value);
        }
        if ends {
            gatherer.ended_moves(3);
        }
    }

    #[test]
    fn a_move_and_those_after_it_are_held_against_what_was_best_then() {
        let edges = [-2, -1, 0, 1, 2, 3];
        let collected =
            Arc::new(Mutex::new(Collected { edges: Some([edges; 2]), ..Collected::default() }));
        let mut gatherer = Gatherer::new(7, 20, Arc::clone(&collected));
        // A search that was stopped here leaves nothing behind.
        node(&mut gatherer, &[0, 99], false);
        node(&mut gatherer, &[10, 5, 40, 20, 60], true);
        let collected = collected.lock().unwrap();
        let of = |number: usize| {
            let found = &collected.tally[&State::of(&rank(number), &edges, &edges)];
            assert_eq!(found.seen, 1);
            (found.each, found.rest)
        };
        // Best so far, alpha 50, and 30.
        assert_eq!(of(2), ([0, 0, 0], [1, 1, 1]));
        assert_eq!(of(3), ([1, 0, 1], [1, 1, 1]));
        assert_eq!(of(4), ([0, 0, 0], [1, 1, 1]));
        assert_eq!(of(5), ([1, 1, 1], [1, 1, 1]));
        assert_eq!(collected.tally.len(), 4);
    }

    #[test]
    fn shallow_nodes_are_not_counted() {
        let collected = Arc::new(Mutex::new(Collected::default()));
        let mut gatherer = Gatherer::new(8, 20, Arc::clone(&collected));
        node(&mut gatherer, &[1, 2, 3], true);
        assert!(collected.lock().unwrap().differences.is_empty());
    }

    #[test]
    fn without_edges_differences_are_kept_evenly() {
        let mut collected = Collected::default();
        for number in 0..3_000_000 {
            collected.keep(&Rank { lead: number, ..rank(2) });
        }
        let kept = collected.differences.len();
        assert!((MOST_DIFFERENCES / 2..MOST_DIFFERENCES).contains(&kept), "{kept}");
        let late = collected.differences.iter().filter(|[lead, _]| *lead >= 1_500_000).count();
        assert!(late.abs_diff(kept / 2) < kept / 50, "{late} of {kept}");
    }

    #[test]
    fn edges_part_evenly_and_what_is_common_has_an_interval_of_its_own() {
        let sizes = |differences: &[i32]| {
            let edges = edges(differences.to_vec());
            assert!(edges.is_sorted_by(|one, other| one < other), "{edges:?}");
            let at = |value: i32| edges.partition_point(|edge| *edge <= value);
            let mut sizes = [0; INTERVALS];
            differences.iter().for_each(|value| sizes[at(*value)] += 1);
            (edges, sizes)
        };
        let (_, even) = sizes(&(0..800).collect::<Vec<_>>());
        assert!(even.iter().all(|size| (100..=200).contains(size)), "{even:?}");
        // Most at 0: it begins at 0 and ends before 1; what lies around it is parted evenly.
        let around: Vec<i32> = (-500..500).filter(|value| *value != 0).collect();
        let (around, shares) = sizes(&[around, vec![0; 5_000]].concat());
        assert!(around.contains(&0) && around.contains(&1), "{around:?}");
        assert!(shares.iter().all(|size| *size >= 125), "{shares:?}");
        // Few values, some of them common: each has its own, and none is lost between them.
        let common = [vec![0; 5_000], vec![18; 600], vec![2_000; 50], (1..40).collect()].concat();
        let (edges_of, parted) = sizes(&common);
        assert!(edges_of.contains(&18) && edges_of.contains(&19), "{edges_of:?}");
        assert!(parted.iter().all(|size| *size > 0), "{parted:?}");
        for few in [vec![], vec![3], vec![3; 50], vec![1, 2]] {
            assert!(edges(few).windows(2).all(|two| two[0] < two[1]));
        }
    }
}
