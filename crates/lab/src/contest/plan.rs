//! Which game is played by whom, from which opening, with which colours.
//!
//! The number of a game decides all of it, so that a run that was ended and goes on, or that plays
//! several games at once, plays the same games.

use secateur_search::random::SplitMix;

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first engine meets each of the others.
    Gauntlet,
}

/// All games of a run.
#[derive(Clone, Debug)]
pub struct Plan {
    pairings: Vec<(usize, usize)>,
    /// Pairs of games of each pairing; no end if `None`.
    pairs: Option<u64>,
    /// The openings, in the order in which they are used.
    order: Vec<usize>,
}

/// One game of the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// From 1; the games `2 n + 1` and `2 n + 2` are a pair.
    pub game: u64,
    /// From 0: the same engines and opening with either colour.
    pub pair: u64,
    /// Which pairing.
    pub pairing: usize,
    /// The engine that has the first move in the usual start, then the other.
    pub engines: [usize; 2],
    /// Which opening.
    pub opening: usize,
}

impl Plan {
    /// `games` of each pairing, rounded up to whole pairs. The same seed is the same order of the
    /// openings; when all have been used it begins anew.
    pub fn new(
        engines: usize,
        shape: Shape,
        games: Option<u64>,
        openings: usize,
        seed: u64,
    ) -> Plan {
        let firsts = match shape {
            Shape::RoundRobin => engines,
            Shape::Gauntlet => engines.min(1),
        };
        let pairings = (0..firsts)
            .flat_map(|first| (first + 1..engines).map(move |second| (first, second)))
            .collect();
        let mut order: Vec<usize> = (0..openings).collect();
        SplitMix::new(seed).shuffle(&mut order);
        Plan { pairings, pairs: games.map(|games| games.div_ceil(2)), order }
    }

    /// Who meets whom: the results of a pairing are told from the side of the first.
    pub fn pairings(&self) -> &[(usize, usize)] {
        &self.pairings
    }

    /// How many games there are in all; `None` if there is no end.
    pub fn games(&self) -> Option<u64> {
        self.pairs.map(|pairs| 2 * pairs * self.pairings.len() as u64)
    }

    /// Whether openings come again, so that engines that never vary play the same games again.
    pub fn repeats_openings(&self) -> bool {
        self.pairs.is_none_or(|pairs| pairs > self.order.len() as u64)
    }

    /// The game of this number, from 1; nothing if there is none.
    pub fn assignment(&self, game: u64) -> Option<Assignment> {
        let index = game.checked_sub(1)?;
        if self.order.is_empty()
            || self.pairings.is_empty()
            || self.games().is_some_and(|games| game > games)
        {
            return None;
        }
        let pair = index / 2;
        let many = self.pairings.len() as u64;
        let (pairing, round) = ((pair % many) as usize, pair / many);
        let (first, second) = self.pairings[pairing];
        let engines = if index.is_multiple_of(2) { [first, second] } else { [second, first] };
        let opening = self.order[(round % self.order.len() as u64) as usize];
        Some(Assignment { game, pair, pairing, engines, opening })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn all(plan: &Plan) -> Vec<Assignment> {
        (1..).map_while(|game| plan.assignment(game)).collect()
    }

    #[test]
    fn each_pairing_plays_each_opening_with_either_colour_once() {
        let plan = Plan::new(4, Shape::RoundRobin, Some(10), 5, 7);
        let games = all(&plan);
        assert_eq!((games.len(), plan.games()), (60, Some(60)));
        let mut seen: HashMap<([usize; 2], usize), u32> = HashMap::new();
        games.iter().for_each(|game| *seen.entry((game.engines, game.opening)).or_default() += 1);
        assert_eq!(seen.len(), 60);
        assert!(seen.values().all(|count| *count == 1));
        for pair in games.chunks(2) {
            assert_eq!(pair[0].opening, pair[1].opening);
            assert_eq!((pair[0].pair, pair[0].pairing), (pair[1].pair, pair[1].pairing));
            assert_eq!([pair[0].engines[1], pair[0].engines[0]], pair[1].engines);
        }
        assert!(!plan.repeats_openings());
        assert!(Plan::new(2, Shape::RoundRobin, Some(11), 5, 7).repeats_openings());
    }

    #[test]
    fn in_a_gauntlet_only_the_first_meets_the_others() {
        let plan = Plan::new(4, Shape::Gauntlet, Some(3), 1, 7);
        assert_eq!(plan.pairings(), [(0, 1), (0, 2), (0, 3)]);
        assert_eq!(plan.games(), Some(12), "an odd number of games is rounded up to pairs");
    }

    #[test]
    fn the_order_of_the_openings_is_that_of_the_seed() {
        let order = |seed| Plan::new(2, Shape::RoundRobin, None, 50, seed).order;
        assert_eq!(order(3), order(3));
        assert_ne!(order(3), order(4));
        let mut sorted = order(3);
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..50));
    }

    #[test]
    fn what_does_not_exist_has_no_assignment() {
        let plan = Plan::new(2, Shape::RoundRobin, Some(2), 1, 0);
        assert_eq!((plan.assignment(0), plan.assignment(3)), (None, None));
        assert_eq!(Plan::new(1, Shape::RoundRobin, None, 1, 0).assignment(1), None);
        assert_eq!(Plan::new(2, Shape::RoundRobin, None, 0, 0).assignment(1), None);
        assert!(Plan::new(2, Shape::RoundRobin, None, 1, 0).assignment(u64::MAX).is_some());
    }
}
