//! Results counted by pairing and pair, and what went wrong by engine.

use std::collections::HashMap;

use super::effort::Effort;
use super::entry::{BstarMoves, Entry};
use super::plan::{Assignment, Plan};
use crate::statistics::counts::{GameResult, Pentanomial, Results, Trinomial};
use crate::statistics::rating::Meeting;

/// What an engine did wrong, in games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// It ended by itself.
    pub crashes: u64,
    /// Its time was over.
    pub time_losses: u64,
    /// It broke the rules.
    pub illegal_moves: u64,
    /// It did not answer, flooded, or broke the protocol.
    pub stalls: u64,
}

impl Faults {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.crashes + self.time_losses + self.illegal_moves + self.stalls
    }
}

/// What two engines made of each other, from the side of the first of the pairing.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// All games.
    pub games: Trinomial,
    /// Complete pairs, in whatever order they were completed.
    pub pairs: Pentanomial,
    /// Games whose partner is not over.
    waiting: HashMap<u64, GameResult>,
}

/// All results of a run.
#[derive(Clone, Debug)]
pub struct Tally {
    pairings: Vec<(usize, usize)>,
    scores: Vec<Score>,
    faults: Vec<Faults>,
    bstar: Vec<BstarMoves>,
    effort: Vec<Effort>,
    games: u64,
}

impl Tally {
    /// Before the first game.
    pub fn new(plan: &Plan, engines: usize) -> Tally {
        let pairings = plan.pairings().to_vec();
        let scores = vec![Score::default(); pairings.len()];
        let (faults, bstar) =
            (vec![Faults::default(); engines], vec![BstarMoves::default(); engines]);
        let effort = vec![Effort::default(); engines];
        Tally { pairings, scores, faults, bstar, effort, games: 0 }
    }

    /// Counts a game.
    pub fn add(&mut self, assignment: &Assignment, entry: &Entry) {
        let Some(result) = entry.outcome() else { return };
        self.games += 1;
        let score = &mut self.scores[assignment.pairing];
        let as_planned = assignment.engines[0] == self.pairings[assignment.pairing].0;
        let result = if as_planned { result } else { result.swapped() };
        score.games.add(result);
        match score.waiting.remove(&assignment.pair) {
            Some(other) => score.pairs.add_pair(other, result),
            None => drop(score.waiting.insert(assignment.pair, result)),
        }
        for (engine, did) in assignment.engines.iter().zip(entry.bstar) {
            self.bstar[*engine] += did.unwrap_or_default();
        }
        for (engine, effort) in assignment.engines.iter().zip(entry.effort) {
            self.effort[*engine] += effort;
        }
        if let Some(fault) = &entry.fault {
            let engine = assignment.engines[usize::from(fault.engine != entry.first)];
            let faults = &mut self.faults[engine];
            match entry.termination.as_str() {
                "time forfeit" => faults.time_losses += 1,
                "illegal move" => faults.illegal_moves += 1,
                "abandoned" => faults.crashes += 1,
                _ => faults.stalls += 1,
            }
        }
    }

    /// Games counted.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Who met whom, and what became of it.
    pub fn scores(&self) -> impl Iterator<Item = ((usize, usize), &Score)> {
        self.pairings.iter().copied().zip(&self.scores)
    }

    /// The only score of a match between two.
    pub fn first_score(&self) -> &Score {
        &self.scores[0]
    }

    /// What each engine did wrong.
    pub fn faults(&self) -> &[Faults] {
        &self.faults
    }

    /// What B\* did for each engine, without where it stopped; nothing for those without it.
    pub fn bstar(&self) -> &[BstarMoves] {
        &self.bstar
    }

    /// What the moves of each engine took.
    pub fn effort(&self) -> &[Effort] {
        &self.effort
    }

    /// For a rating table: by pair where there are only whole pairs, else by game.
    pub fn meetings(&self) -> Vec<Meeting> {
        let meetings = self.scores().map(|((first, second), score)| {
            let results = match score.waiting.is_empty() {
                true => Results::Pairs(score.pairs),
                false => Results::Games(score.games),
            };
            Meeting { first, second, results }
        });
        meetings.collect()
    }
}
