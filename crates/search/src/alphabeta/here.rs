//! What a selective technique may ask for at a node: searches of the same node under other terms.

use super::node::Expected;
use super::order::Picker;
use super::searcher::{NoPass, Searcher};
use crate::observe::Observer;
use crate::selective::Probe;
use crate::{Depth, Evaluator, Score, Solver, Stopped, Tactics};

/// A node, to be asked about.
pub(super) struct Here<'s, 'a, G: Tactics, E, S, O> {
    pub(super) searcher: &'s mut Searcher<'a, G, E, S, O>,
    pub(super) position: &'s G,
    pub(super) ply: usize,
    pub(super) expected: Expected,
}

impl<G: Tactics, E: Evaluator<G>, S: Solver<G>, O: Observer> Probe for Here<'_, '_, G, E, S, O> {
    fn after_pass(&mut self, beta: Score, depth: Depth) -> Result<Option<Score>, Stopped> {
        let Some(child) = self.position.pass() else { return Ok(None) };
        self.searcher.enter_pass(self.ply, &child);
        let expected = self.expected.other();
        let searcher = &mut *self.searcher;
        let reply =
            searcher.node::<false>(&child, -beta, -beta + 1, depth, self.ply + 1, expected)?;
        Ok(Some(-reply))
    }

    fn without_passing(&mut self, beta: Score, depth: Depth, plies: i32) -> Result<Score, Stopped> {
        let Here { searcher, position, ply, expected } = self;
        let before = searcher.no_pass;
        // At least here, or the question would be asked again.
        let until = *ply + plies.max(1) as usize;
        searcher.no_pass = Some(NoPass { until, even: ply.is_multiple_of(2) });
        let value = searcher.node::<false>(position, beta - 1, beta, depth, *ply, *expected)?;
        searcher.no_pass = before;
        Ok(value)
    }

    fn beyond_horizon(&mut self, beta: Score) -> Result<Score, Stopped> {
        let checks = self.searcher.settings.quiescence.checks_asked;
        self.searcher.quiesce::<false>(self.position, beta - 1, beta, self.ply, checks)
    }

    fn without_move(&mut self, packed: u16, beta: Score, depth: Depth) -> Result<Score, Stopped> {
        let Here { searcher, position, ply, expected } = self;
        searcher.worker.stack[*ply].excluded = packed;
        let value = searcher.node::<false>(position, beta - 1, beta, depth, *ply, *expected)?;
        searcher.worker.stack[*ply].excluded = 0;
        Ok(value)
    }

    fn by_capture(
        &mut self,
        beta: Score,
        exchange: i32,
        depth: Depth,
    ) -> Result<Option<(Score, u16)>, Stopped> {
        let Here { searcher, position, ply, expected } = self;
        let order = &searcher.settings.order;
        let mut picker = Picker::noisy(0, exchange, order);
        while let Some(m) = searcher.worker.next_move(&mut picker, *position, *ply, order) {
            let child = position.after(m);
            searcher.enter(*ply, position, m, &child);
            let mut value = -searcher.quiesce::<false>(&child, -beta, -beta + 1, *ply + 1, 0)?;
            if value >= beta && depth > Depth::ZERO {
                let expected = expected.other();
                value =
                    -searcher.node::<false>(&child, -beta, -beta + 1, depth, *ply + 1, expected)?;
            }
            if value >= beta {
                return Ok(Some((value, G::pack(m))));
            }
        }
        Ok(None)
    }
}
