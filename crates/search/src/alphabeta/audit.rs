//! Audit of what is pruned: some of it is searched all the same, to see whether the technique was right
//! and what it has saved.
//!
//! Such a search is off the books: nothing that it finds is kept in the table or the histories, and its
//! nodes do not count. It asks every technique but the one on trial, and audits nothing itself. For an
//! observer that audits nothing all of this is compiled away.

use super::here::At;
use super::searcher::Searcher;
use crate::observe::{Audit, Observer, Rule};
use crate::selective::Facts;
use crate::{Depth, Evaluator, Score, Solver, Stopped, Tactics};

/// Whether what a search finds is kept.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Books {
    closed: bool,
}

impl Books {
    /// Whether it is.
    #[inline]
    pub(super) fn are_open(self) -> bool {
        !self.closed
    }
}

impl<G: Tactics, E: Evaluator<G>, S: Solver<G>, O: Observer> Searcher<'_, G, E, S, O> {
    /// Searches off the books; how many nodes that took comes along.
    pub(super) fn off_the_books(
        &mut self,
        search: impl FnOnce(&mut Self) -> Result<Score, Stopped>,
    ) -> Result<(Score, u64), Stopped> {
        let (nodes, limit, look) = (self.worker.nodes, self.node_limit, self.next_look);
        self.node_limit = u64::MAX;
        self.books.closed = true;
        let value = search(self)?;
        self.books.closed = false;
        let took = self.worker.nodes - nodes;
        (self.worker.nodes, self.node_limit, self.next_look) = (nodes, limit, look);
        Ok((value, took))
    }

    /// Whether the node at `ply` is to be audited.
    fn audits(&mut self, ply: usize) -> bool {
        self.worker.line.back_to(ply);
        let key = self.worker.line.current().key;
        self.books.are_open() && self.worker.observer.wants_audit(key)
    }

    /// A technique says that the node is worth `score`, on one side of its window: is it?
    #[inline]
    pub(super) fn audit_cut(
        &mut self,
        rule: Rule,
        score: Score,
        facts: &Facts,
        at: At<'_, G>,
        spent: u64,
    ) -> Result<(), Stopped> {
        if let Some(truth) = self.beforehand(rule, facts, at)? {
            self.judge_cut(rule, score, facts, truth, spent);
        }
        Ok(())
    }

    /// What the node is worth and what that costs if this technique is not asked; `None` if the node is
    /// not one to be audited. Whose questions leave something in the table that would answer this search
    /// too must have it made before they are asked.
    #[inline]
    pub(super) fn beforehand(
        &mut self,
        rule: Rule,
        facts: &Facts,
        at: At<'_, G>,
    ) -> Result<Option<(Score, u64)>, Stopped> {
        if !O::AUDITS || !self.audits(at.ply) {
            return Ok(None);
        }
        self.without(rule, facts, Depth::new(facts.depth), at).map(Some)
    }

    /// The node searched to a depth off the books, with every technique but this.
    fn without(
        &mut self,
        rule: Rule,
        facts: &Facts,
        depth: Depth,
        at: At<'_, G>,
    ) -> Result<(Score, u64), Stopped> {
        let beta = facts.beta;
        let before = self.worker.stack[at.ply];
        self.worker.stack[at.ply].audited = Some(rule);
        self.worker.stack[at.ply].again = true;
        let found = self.off_the_books(|searcher| {
            searcher.node::<false>(at.position, beta - 1, beta, depth, at.ply, at.expected)
        })?;
        self.worker.stack[at.ply] = before;
        self.worker.line.back_to(at.ply);
        Ok(found)
    }

    /// Tells how a cut compares with the search that it saved.
    pub(super) fn judge_cut(
        &mut self,
        rule: Rule,
        score: Score,
        facts: &Facts,
        (value, saved): (Score, u64),
        spent: u64,
    ) {
        let beta = facts.beta;
        self.worker.observer.audited(&Audit {
            rule,
            key: self.worker.line.current().key,
            depth: Depth::new(facts.depth),
            margin: Some((score - beta).abs()),
            wrong: (value >= beta) != (score >= beta),
            spent,
            saved,
        });
    }

    /// The same of a node that is to be searched so many plies less deep: wrong if that search says
    /// otherwise.
    pub(super) fn judge_reduction(
        &mut self,
        rule: Rule,
        less: i32,
        facts: &Facts,
        at: At<'_, G>,
        (value, saved): (Score, u64),
        spent: u64,
    ) -> Result<(), Stopped> {
        let depth = Depth::new(facts.depth);
        let (reduced, nodes) = self.without(rule, facts, depth - less, at)?;
        self.worker.observer.audited(&Audit {
            rule,
            key: self.worker.line.current().key,
            depth,
            margin: None,
            wrong: (value >= facts.beta) != (reduced >= facts.beta),
            spent,
            saved: saved.saturating_sub(nodes),
        });
        Ok(())
    }

    /// A technique says that a move, searched `rest` plies deep, is not better than `alpha`: is it? `at`
    /// says what the move's node is expected to be.
    #[inline]
    #[allow(clippy::too_many_arguments, reason = "all of it is what an audit tells")]
    pub(super) fn audit_move(
        &mut self,
        rule: Rule,
        m: G::Move,
        hope: Option<Score>,
        alpha: Score,
        rest: Depth,
        at: At<'_, G>,
        spent: u64,
    ) -> Result<(), Stopped> {
        if !O::AUDITS || !self.audits(at.ply) {
            return Ok(());
        }
        let child = at.position.after(m);
        let before = self.worker.stack[at.ply];
        let (reply, saved) = self.off_the_books(|searcher| {
            searcher.worker.stack[at.ply].extended = false;
            searcher.worker.stack[at.ply + 1].credit = 0;
            searcher.enter(at.ply, at.position, m, &child);
            searcher.node::<false>(&child, -alpha - 1, -alpha, rest, at.ply + 1, at.expected)
        })?;
        self.worker.stack[at.ply] = before;
        self.worker.line.back_to(at.ply);
        self.worker.observer.audited(&Audit {
            rule,
            key: self.worker.line.current().key,
            depth: rest + 1,
            margin: hope.map(|hope| alpha - hope),
            wrong: -reply > alpha,
            spent,
            saved,
        });
        Ok(())
    }
}
