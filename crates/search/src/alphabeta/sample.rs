//! Late moves searched at every reduction, off the books: what each would cost, and which would miss
//! what the full search sees. On the policy in force: what was searched before has left its table and
//! histories, and nothing of the samples stays.

use super::here::At;
use super::node::Expected;
use super::searcher::Searcher;
use crate::calibrate::reductions::{Class, Kind, Late, MOST};
use crate::observe::{Observer, Sample};
use crate::params::Group;
use crate::selective::Facts;
use crate::selective::exchange::ExchangePruning;
use crate::selective::late_moves::MoveFacts;
use crate::selective::rank_cut::Course;
use crate::{Depth, Evaluator, Score, Solver, Stopped, Tactics};

impl<G: Tactics, E: Evaluator<G>, S: Solver<G>, O: Observer> Searcher<'_, G, E, S, O> {
    /// What is known of a late move.
    #[inline]
    pub(super) fn late(
        &self,
        at: At<'_, G>,
        node: &Facts,
        m: G::Move,
        facts: &MoveFacts,
        course: &Course,
    ) -> Late {
        let exchanges = G::ABILITIES.serves(<ExchangePruning as Group>::NEEDS);
        let (lead, fall, changes) = course.so_far();
        Late {
            depth: facts.depth,
            number: facts.number,
            kind: match (node.principal, node.expected_cut) {
                (true, _) => Kind::Principal,
                (_, true) => Kind::Cut,
                (_, false) => Kind::All,
            },
            even: at.ply.is_multiple_of(2),
            history: facts.history,
            class: match (facts.noisy, facts.checks) {
                (true, _) => Class::Noisy,
                (_, true) => Class::Check,
                (_, false) => Class::Quiet,
            },
            loses: exchanges && !at.position.exchange_at_least(m, 0),
            in_check: node.in_check,
            lead,
            changes,
            fall,
        }
    }

    /// Searches a late move at every reduction against `bound` and tells the observer. `at` says what its
    /// node is expected to be without one.
    pub(super) fn sample(
        &mut self,
        m: G::Move,
        late: Late,
        usual: i32,
        bound: Score,
        rest: Depth,
        at: At<'_, G>,
    ) -> Result<(), Stopped> {
        let child = at.position.after(m);
        let before = [at.ply, at.ply + 1].map(|ply| self.worker.stack[ply]);
        let mut searches = [None; MOST + 1];
        for (less, search) in (0..).zip(&mut searches) {
            if rest.plies() - less < 1 {
                break;
            }
            let expected = if less > 0 { Expected::Cut } else { at.expected };
            let (reply, nodes) = self.off_the_books(|searcher| {
                // As the search itself has it: extensions are settled, and hindsight looks at this.
                searcher.worker.stack[at.ply].reduced = less;
                searcher.enter(at.ply, at.position, m, &child);
                let depth = rest - less;
                searcher.node::<false>(&child, -bound - 1, -bound, depth, at.ply + 1, expected)
            })?;
            [self.worker.stack[at.ply], self.worker.stack[at.ply + 1]] = before;
            self.worker.line.back_to(at.ply);
            *search = Some((-reply > bound, nodes));
        }
        let cuts = before[0].inherited.cuts;
        self.worker.observer.sampled(at.ply, bound, &Sample { late, cuts, usual, searches });
        Ok(())
    }
}
