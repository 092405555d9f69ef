//! A node measured where it stands: what searches of several depths say of it, with the closed windows, the
//! table and the histories that a probabilistic cut finds there.
//!
//! A closed window tells only on which side of it a value lies. The first question is the one that the
//! search itself would ask; further windows then close in on the value, up to a few units, and never contradict
//! the first. All of it goes by a copy of the table and leaves nothing behind.

use super::Shared;
use super::here::{At, Here};
use super::searcher::Searcher;
use crate::calibrate::unrest::Amounts;
use crate::observe::{Measured, Observer, Searched};
use crate::selective::{Facts, Probe};
use crate::{Depth, Evaluator, Score, Solver, Stopped, Tactics};

/// How near to a value the windows come: a small part of any deviation.
const NEAR: i32 = 8;

/// No value needs more windows.
const MOST: usize = 40;

impl<G: Tactics, E: Evaluator<G>, S: Solver<G>, O: Observer> Searcher<'_, G, E, S, O> {
    /// Has a node measured: what the search of it says, and, if it is `asked` about by a probabilistic cut, what
    /// shallower ones say and how uneasy it is.
    pub(super) fn measure(
        &mut self,
        facts: &Facts,
        at: At<'_, G>,
        asked: bool,
    ) -> Result<(), Stopped> {
        let (mut searches, mut unrest) = (Vec::new(), Amounts::default());
        let above = facts.guess >= facts.beta;
        let least = if asked { 1 } else { facts.depth };
        // Each begins with what is known now: the shallow ones would help the deep one.
        for depths in [least..facts.depth, facts.depth..facts.depth + 1] {
            if depths.is_empty() {
                continue;
            }
            let Some(table) = self.shared.table.copied() else { break };
            let shared = Shared::new(table);
            let worker = &mut *self.worker;
            let (nodes, deepest, stack) = (worker.nodes, worker.deepest, worker.stack.clone());
            let (history, correction) = (worker.history.clone(), worker.correction.clone());
            let mut apart = Searcher {
                worker,
                shared: &shared,
                settings: self.settings,
                cuts: self.cuts,
                ranks: self.ranks,
                reductions: self.reductions,
                confidence: self.confidence,
                level: self.level,
                fitted: self.fitted,
                control: self.control,
                clock: None,
                iteration: self.iteration,
                next_look: self.next_look,
                node_limit: u64::MAX,
                root: self.root,
                in_company: false,
                selective: self.selective,
                books: self.books,
                yields: self.yields,
                root_material: self.root_material,
                no_pass: self.no_pass,
            };
            // What guesses are worth is not told by cuts that believe them.
            apart.worker.stack[at.ply].guess_on_trial = !asked;
            for depth in depths {
                let asked = (depth < facts.depth).then_some(above);
                let (value, nodes) = apart.valued(at, facts.beta, Depth::new(depth), asked)?;
                searches.push(Searched { depth, value, nodes });
            }
            if asked {
                unrest = Here { searcher: &mut apart, at }.unrest()?;
            }
            let worker = &mut *self.worker;
            (worker.nodes, worker.deepest, worker.stack) = (nodes, deepest, stack);
            (worker.history, worker.correction) = (history, correction);
            worker.line.back_to(at.ply);
        }
        let guess = facts.guess;
        self.worker.observer.measured(&Measured { guess, searches, unrest });
        Ok(())
    }

    /// The value of the node, and the nodes of the first question. `asked` as by a probabilistic cut, in the
    /// hope that the value lies above its window or below; else as by the search.
    fn valued(
        &mut self,
        at: At<'_, G>,
        beta: Score,
        depth: Depth,
        asked: Option<bool>,
    ) -> Result<(Score, u64), Stopped> {
        let (mut low, mut high) = (-Score::INFINITE, Score::INFINITE);
        let (mut bound, mut step) = (beta, NEAR);
        let (mut above, mut nodes) = (false, 0);
        for number in 0..MOST {
            let before = self.worker.nodes;
            let value = self.against(at, bound, depth, asked)?;
            if number == 0 {
                (above, nodes) = (value >= beta, self.worker.nodes - before);
            }
            if value.is_distance() {
                // A distance has no neighbourhood. One that contradicts the first answer counts for nothing.
                let known = if (value >= beta) == above { value } else { bound };
                return Ok((known, nodes));
            }
            if value >= bound {
                low = low.max(value)
            } else {
                high = high.min(value)
            }
            let guesses = !low.is_proven() && !high.is_proven();
            if high <= low || (guesses && high - low <= NEAR) {
                break;
            }
            // Further and further away until it lies between two of them.
            bound = if high == Score::INFINITE {
                (low + step).min(Score::INFINITE - 1)
            } else if low == -Score::INFINITE {
                (high - step).max(-Score::INFINITE + 2)
            } else {
                low + (high - low + 1) / 2
            };
            step *= 2;
        }
        let value = if high <= low {
            if above { low } else { high }
        } else if high == Score::INFINITE {
            low
        } else if low == -Score::INFINITE {
            high
        } else {
            low + (high - low) / 2
        };
        Ok((value, nodes))
    }

    /// One question.
    fn against(
        &mut self,
        at: At<'_, G>,
        bound: Score,
        depth: Depth,
        asked: Option<bool>,
    ) -> Result<Score, Stopped> {
        let before = self.worker.stack[at.ply];
        let value = match asked {
            Some(above) => Here { searcher: self, at }.to_depth(bound, depth, above)?,
            None => {
                self.worker.stack[at.ply].again = true;
                self.node::<false>(at.position, bound - 1, bound, depth, at.ply, at.expected)?
            }
        };
        self.worker.stack[at.ply] = before;
        self.worker.line.back_to(at.ply);
        Ok(value)
    }
}
