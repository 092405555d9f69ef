//! A node that a shallow search decides: what `selective/probcut` is told, and what the table keeps of
//! its answer.

use super::here::{At, Here};
use super::searcher::{Searcher, is_last};
use super::table::{Bound, Entry};
use crate::observe::{Observer, Rule};
use crate::selective::probcut::{self, ProbCutForm, Standing, Verdict};
use crate::selective::{Answer, Facts};
use crate::{Depth, Evaluator, Score, Solver, Stopped, Tactics};

impl<G: Tactics, E: Evaluator<G>, S: Solver<G>, O: Observer> Searcher<'_, G, E, S, O> {
    /// The value of the node if a shallow search decides it; if it only says that less depth will do, or
    /// has found a move to begin with, the facts have that.
    #[inline]
    pub(super) fn probcut(
        &mut self,
        facts: &mut Facts,
        known: &mut Option<Entry>,
        at: At<'_, G>,
        (key, evaluation): (u64, Option<Score>),
    ) -> Result<Option<Score>, Stopped> {
        let ply = at.ply;
        let depth = Depth::new(facts.depth);
        if O::MEASURES && facts.can_cut() && self.worker.observer.survived(depth, ply, facts.beta) {
            self.measure(facts, at, true)?;
        }
        if self.settings.probcut.form == ProbCutForm::Off {
            return Ok(None);
        }
        // On trial, so not asked.
        if O::AUDITS && self.worker.stack[ply].audited == Some(Rule::ProbCut) {
            return Ok(None);
        }
        let standing = Standing {
            stage: facts.stage,
            last: is_last::<G>(facts.stage),
            category: at.position.category(),
            inside: self.worker.stack[ply].inherited.probing,
        };
        let level = self.level;
        let how = probcut::How { level, ..probcut::How::of(self.settings, self.cuts) };
        // The shallow search leaves a bound in the table that would answer for the deep one.
        let truth = if O::AUDITS && probcut::may_ask(how, facts, standing) {
            self.beforehand(Rule::ProbCut, facts, at)?
        } else {
            None
        };
        let since = self.since(Rule::ProbCut);
        let verdict = probcut::ask(how, facts, standing, &mut Here { searcher: self, at })?;
        self.worker.line.back_to(ply);
        let (rule, nodes) = (Rule::ProbCut, self.spent(since));
        let held = !matches!(verdict, Verdict::Whole(Answer::No));
        if verdict != Verdict::Whole(Answer::Silent) {
            self.found_by_search(since, held, depth, ply, 0);
        }
        let score = match verdict {
            Verdict::Whole(Answer::Silent | Answer::No) => None,
            Verdict::Whole(Answer::Cut(score)) => {
                if let Some(truth) = truth {
                    self.judge_cut(rule, score, facts, truth, nodes);
                }
                Some(score)
            }
            Verdict::Reduce(less) => {
                if let Some(truth) = truth {
                    self.judge_reduction(rule, less, facts, at, truth, nodes)?;
                }
                facts.depth -= less;
                None
            }
        };
        let Some(score) = score else {
            // A question that failed has still searched the node.
            if verdict != Verdict::Whole(Answer::Silent) {
                self.learn_move(key, known, facts, at);
            }
            return Ok(None);
        };
        self.keep_cut(score, facts, key, evaluation, ply);
        Ok(Some(score))
    }

    /// A cut answers for the node again, as surely as it was made and as deep as the node was to be searched.
    fn keep_cut(
        &self,
        score: Score,
        facts: &Facts,
        key: u64,
        evaluation: Option<Score>,
        ply: usize,
    ) {
        // The shallow search has left a move there.
        let known = self.shared.table.probe(key);
        let entry = Entry {
            packed_move: known.map_or(0, |entry| entry.packed_move),
            value: score.relative_to_node(ply),
            evaluation,
            draft: Depth::new(facts.depth),
            bound: if score >= facts.beta { Bound::Lower } else { Bound::Upper },
            was_principal: known.is_some_and(|entry| entry.was_principal),
            confidence: self.confidence,
        };
        self.store(key, entry);
    }

    /// Where no move was known, the table may have one now.
    #[inline]
    fn learn_move(&self, key: u64, known: &mut Option<Entry>, facts: &mut Facts, at: At<'_, G>) {
        if facts.table.is_none_or(|table| table.packed_move == 0) {
            *known = self.shared.table.probe(key);
            facts.table = self.table_facts(at.position, *known, at.ply);
        }
    }
}
