//! The moves of a node where single good ones are looked for as in Marsland and Bjornsson (2000), after
//! Anantharaman, Campbell and Hsu (1988): a move that is better than all its brothers by a margin is
//! searched a ply deeper.
//!
//! It stands beside `moves`, which it replaces at a node: no move is left out or reduced, for the
//! comparison is with all of them. In an open window brothers are compared to their full depth, since one
//! that is clearly worse is not searched again; in a closed one to a part of it. Nobody compares inside
//! such a comparison.

use super::extending::WHOLE;
use super::here::At;
use super::node::{Expected, Found, Node};
use super::order::Picker;
use super::searcher::Searcher;
use crate::observe::{Observer, Rule};
use crate::selective::Facts;
use crate::selective::late_moves::MoveFacts;
use crate::{Ability, Depth, Evaluator, Score, Solver, Stopped, Tactics};

impl<G: Tactics, E: Evaluator<G>, S: Solver<G>, O: Observer> Searcher<'_, G, E, S, O> {
    /// Whether the moves of this node may be compared.
    #[inline]
    pub(super) fn may_compare(&self, node: &Node, ply: usize) -> bool {
        node.depth.plies() >= self.settings.singular.depth
            && node.room > 0
            && node.excluded == 0
            && !self.worker.stack[ply].inherited.comparing
    }

    /// Searches the moves of a node and compares them.
    pub(super) fn singular_moves<const PV: bool>(
        &mut self,
        at: At<'_, G>,
        node: &Node,
    ) -> Result<Found<G::Move>, Stopped> {
        let ply = at.ply;
        let order = &self.settings.order;
        let mut picker = Picker::new(self.worker.hints(ply, node.table_move()), order);
        self.worker.begin_tries(ply, !O::AUDITS || self.books.are_open());
        let mut brothers = std::mem::take(&mut self.worker.brothers[ply]);
        brothers.clear();
        while let Some(m) = self.worker.next_move(&mut picker, at.position, ply, order) {
            brothers.push(m);
        }
        let found = if brothers.is_empty() {
            Ok(Found::nothing())
        } else if PV {
            self.compare_principal(at, node, &brothers)
        } else {
            self.compare_fail_high(at, node, &brothers)
        };
        self.worker.brothers[ply] = brothers;
        found
    }

    /// An open window: is the first move better than all the others?
    fn compare_principal(
        &mut self,
        at: At<'_, G>,
        node: &Node,
        brothers: &[G::Move],
    ) -> Result<Found<G::Move>, Stopped> {
        let how = &self.settings.singular;
        let Facts { alpha, beta, .. } = node.facts;
        let margin = how.principal_margin;
        let mut found = Found { count: brothers.len(), ..Found::nothing() };
        let first = brothers[0];
        let score = self.child::<true>(at, node, first, alpha, beta, 0)?;
        self.take(at, node, first, score, &mut found);
        // A first move that fails low is not singular, and one without brothers is forced, not singular.
        let mut candidate = score > alpha && !score.is_proven() && brothers.len() > 1;
        let mut again = true;
        while again && found.best < beta {
            again = false;
            let since = self.since(Rule::Singular);
            for &m in &brothers[1..] {
                let lower = alpha.max(found.best);
                if candidate {
                    let bar = Score::heuristic(lower.value() - margin);
                    if self.compared(at, m, bar, node.depth - 1)? <= bar {
                        continue;
                    }
                    candidate = false;
                }
                let score = self.child::<false>(at, node, m, lower, lower + 1, 0)?;
                if score > lower {
                    let score = if score < beta {
                        self.child::<true>(at, node, m, lower, beta, 0)?
                    } else {
                        score
                    };
                    self.take(at, node, m, score, &mut found);
                    if found.best >= beta {
                        break;
                    }
                } else {
                    found.best = found.best.max(score);
                }
            }
            self.found_by_search(since, candidate, node.depth, at.ply, G::pack(first));
            if candidate {
                // Singular: one ply deeper. If that costs it its lead, a brother may be better.
                candidate = false;
                let before = found.best;
                let score = self.child::<true>(at, node, first, alpha, beta, 1)?;
                (found.best, found.best_move) = (-Score::INFINITE, None);
                self.take(at, node, first, score, &mut found);
                again = score.value() < before.value() - margin;
            }
        }
        Ok(found)
    }

    /// A closed window: is the move that fails high the only one?
    fn compare_fail_high(
        &mut self,
        at: At<'_, G>,
        node: &Node,
        brothers: &[G::Move],
    ) -> Result<Found<G::Move>, Stopped> {
        let how = &self.settings.singular;
        let Facts { alpha, beta, .. } = node.facts;
        let bar = Score::heuristic(beta.value() - how.fail_high_margin);
        let plies = Depth::new(how.depth_of_brothers(node.depth.plies() - 1));
        let mut found = Found::nothing();
        // Moves before this one are known to be below the bar.
        let mut resume = 0;
        for (index, &m) in brothers.iter().enumerate() {
            found.count += 1;
            let mut score = self.child::<false>(at, node, m, alpha, beta, 0)?;
            if score >= beta && !score.is_proven() {
                let since = self.since(Rule::Singular);
                let mut alone = brothers.len() > 1;
                for (other, &brother) in brothers.iter().enumerate().skip(resume) {
                    if other != index && self.compared(at, brother, bar - 1, plies)? >= bar {
                        alone = false;
                        break;
                    }
                }
                self.found_by_search(since, alone, node.depth, at.ply, G::pack(m));
                if alone {
                    score = self.child::<false>(at, node, m, alpha, beta, 1)?;
                    resume = index;
                }
            }
            self.take(at, node, m, score, &mut found);
            if found.best >= beta {
                break;
            }
            self.worker.remember_try(m, at.ply);
        }
        Ok(found)
    }

    /// The value of a move against `bar`, to compare it.
    fn compared(
        &mut self,
        at: At<'_, G>,
        m: G::Move,
        bar: Score,
        depth: Depth,
    ) -> Result<Score, Stopped> {
        let child = at.position.after(m);
        let before = self.worker.stack[at.ply].inherited;
        self.worker.stack[at.ply].inherited.comparing = true;
        self.worker.stack[at.ply].extended = false;
        self.enter_child(at, m, &child, 0);
        self.worker.stack[at.ply].inherited = before;
        Ok(-self.node::<false>(&child, -bar - 1, -bar, depth, at.ply + 1, Expected::Cut)?)
    }

    /// The value of a move in the window, `more` plies deeper than usual.
    fn child<const PV: bool>(
        &mut self,
        at: At<'_, G>,
        node: &Node,
        m: G::Move,
        alpha: Score,
        beta: Score,
        more: i32,
    ) -> Result<Score, Stopped> {
        let At { position, ply, expected } = at;
        let mut credit = self.worker.stack[ply].credit;
        let facts = MoveFacts {
            depth: node.depth.plies(),
            number: 1,
            principal: node.facts.principal,
            was_principal: node.was_principal(),
            expected_cut: node.facts.expected_cut,
            improving: node.facts.improving,
            noisy_best: false,
            noisy: position.is_noisy(m),
            refutation: false,
            checks: G::ABILITIES.serves(Ability::CHECK) && position.gives_check(m),
            history: 0,
        };
        credit += self.extension(position, m, &facts, ply, node.for_all);
        let gained = (credit / WHOLE + more).min(node.room);
        let rest = node.depth - 1 + gained;
        self.worker.stack[ply].extended = gained > 0;
        let child = position.after(m);
        self.enter_child(at, m, &child, credit % WHOLE);
        let expected = if node.facts.principal { Expected::Cut } else { expected.other() };
        if !PV && node.facts.principal {
            self.worker.clear_principal(ply + 1);
        }
        Ok(-self.node::<PV>(&child, -beta, -alpha, rest, ply + 1, expected)?)
    }

    fn enter_child(&mut self, at: At<'_, G>, m: G::Move, child: &G, credit: i32) {
        self.worker.line.back_to(at.ply);
        self.worker.stack[at.ply + 1].credit = credit;
        self.enter(at.ply, at.position, m, child);
    }

    /// Takes the value of a move into account.
    fn take(
        &mut self,
        at: At<'_, G>,
        node: &Node,
        m: G::Move,
        score: Score,
        found: &mut Found<G::Move>,
    ) {
        let Facts { alpha, beta, principal, .. } = node.facts;
        let is_better = score > found.best;
        found.best = found.best.max(score);
        if is_better && score > alpha {
            found.best_move = Some(m);
            if principal {
                self.worker.set_principal(at.ply, m);
            }
            if score >= beta {
                self.reward(at.position, m, at.ply, node.depth);
            }
        }
    }
}
