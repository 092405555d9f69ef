//! One search by one or more threads, each with what it remembers, all with one table: the first leads,
//! the others follow until it is done, and all of them elect the move.

use std::time::Instant;

use super::audit::Books;
use super::clock::Clock;
use super::engine::{Limits, Report, confidence};
use super::root::{Found, RootMove};
use super::searcher::{RootFacts, Searcher};
use super::worker::Worker;
use super::{Control, Shared};
use crate::calibrate::plan::Plan;
use crate::calibrate::rank_plan::RankPlan;
use crate::calibrate::reductions::Reductions;
use crate::observe::Observer;
use crate::preset::Settings;
use crate::{Depth, Evaluator, Line, Solver, Tactics};

/// One search, as all its threads see it.
pub(super) struct Job<'a, G: Tactics> {
    pub(super) position: &'a G,
    pub(super) line: &'a Line<G::Mark>,
    pub(super) limits: &'a Limits<G::Move>,
    pub(super) moves: &'a [RootMove<G::Move>],
    pub(super) begun: Instant,
    pub(super) node_limit: u64,
    pub(super) in_company: bool,
    pub(super) shared: &'a Shared,
    pub(super) settings: &'a Settings,
    pub(super) cuts: &'a Plan,
    pub(super) ranks: &'a RankPlan,
    pub(super) reductions: Option<&'a Reductions>,
    pub(super) control: &'a Control,
    pub(super) root: RootFacts,
}

impl<G: Tactics> Job<'_, G> {
    /// Searches, watches the clock, reports, and ends the search of the others.
    pub(super) fn lead<E: Evaluator<G>, S: Solver<G>, O: Observer>(
        &self,
        worker: &mut Worker<G, E, S, O>,
        report: &mut dyn FnMut(&Report<'_, G::Move>),
    ) -> Found<G::Move> {
        let clock = Clock::new(self.begun, self.limits.time.budget(&self.settings.clock));
        let _ends = StopsAll(self.shared);
        self.work(worker, Some(&clock), Depth::ZERO, report)
    }

    /// Searches until the leader is done. Every other follower is an iteration ahead, so that its
    /// results are there when the leader comes to need them.
    pub(super) fn follow<E: Evaluator<G>, S: Solver<G>, O: Observer>(
        &self,
        worker: &mut Worker<G, E, S, O>,
        index: usize,
    ) -> Found<G::Move> {
        self.work(worker, None, Depth::new((index % 2) as i32), &mut |_| {})
    }

    fn work<E: Evaluator<G>, S: Solver<G>, O: Observer>(
        &self,
        worker: &mut Worker<G, E, S, O>,
        clock: Option<&Clock>,
        ahead: Depth,
        report: &mut dyn FnMut(&Report<'_, G::Move>),
    ) -> Found<G::Move> {
        worker.begin(self.position, self.line);
        let mut searcher = Searcher {
            worker,
            shared: self.shared,
            settings: self.settings,
            cuts: self.cuts,
            ranks: self.ranks,
            reductions: self.reductions.filter(|_| self.settings.wants_reductions()),
            confidence: confidence::<G>(self.settings, self.cuts),
            level: None,
            fitted: self.settings.wants_cuts().any(),
            control: self.control,
            clock,
            iteration: Depth::ZERO,
            next_look: 0,
            node_limit: self.node_limit,
            root: self.root,
            in_company: self.in_company,
            selective: self.settings.is_selective(),
            books: Books::default(),
            yields: false,
            root_material: self.position.material(),
            no_pass: None,
        };
        let found =
            searcher.iterate(self.position, self.moves.to_vec(), self.limits, ahead, report);
        searcher.worker.publish_nodes();
        found
    }
}

/// Ends the search of all threads when it goes, even by a panic: nobody else would.
struct StopsAll<'a>(&'a Shared);

impl Drop for StopsAll<'_> {
    fn drop(&mut self) {
        self.0.stop_all();
    }
}

/// The move that most threads believe in, the deeper and the better the louder; of the threads
/// that chose it, the line of the deepest.
pub(super) fn vote<M: Copy + Eq>(found: &[Found<M>]) -> Option<&RootMove<M>> {
    let worst = found.iter().map(|found| found.moves[0].score).min()?;
    let weight = |found: &Found<M>| {
        i64::from(found.moves[0].score - worst + 10) * i64::from(found.depth.plies() + 1)
    };
    let votes =
        |m: M| -> i64 { found.iter().filter(|found| found.moves[0].m == m).map(weight).sum() };
    // Of equals the first: the leader.
    let mut elected = found.first()?;
    for other in &found[1..] {
        let (theirs, ours) = (votes(other.moves[0].m), votes(elected.moves[0].m));
        let same = other.moves[0].m == elected.moves[0].m;
        if theirs > ours || (same && other.depth > elected.depth) {
            elected = other;
        }
    }
    elected.moves.first()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Score;

    fn found(m: u16, score: i32, depth: i32) -> Found<u16> {
        let score = Score::heuristic(score);
        Found {
            moves: vec![RootMove { score, ..RootMove::new(m, None) }],
            depth: Depth::new(depth),
        }
    }

    fn elected(found: &[Found<u16>]) -> Option<u16> {
        vote(found).map(|root_move| root_move.m)
    }

    #[test]
    fn the_deeper_and_the_better_are_louder_and_many_outvote_one() {
        assert_eq!(elected(&[]), None);
        assert_eq!(elected(&[found(1, 0, 9), found(2, 0, 9)]), Some(1), "of equals the leader");
        assert_eq!(elected(&[found(1, 0, 8), found(2, 0, 12)]), Some(2), "the deeper");
        assert_eq!(elected(&[found(1, 0, 9), found(2, 40, 9)]), Some(2), "the better");
        let many = [found(1, 5, 9), found(2, 0, 9), found(2, 0, 9), found(2, 0, 9)];
        assert_eq!(elected(&many), Some(2), "the many");
    }

    #[test]
    fn of_those_that_agree_the_deepest_gives_the_line() {
        let agreed = [found(1, 10, 8), found(1, 30, 11)];
        assert_eq!(vote(&agreed).map(|root_move| root_move.score), Some(Score::heuristic(30)));
    }
}
