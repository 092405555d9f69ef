//! What a selective technique may ask for at a node: searches of the same node under other terms.

use super::node::Expected;
use super::order::Picker;
use super::quiesce::Beyond;
use super::searcher::{NoPass, Searcher};
use super::worker::Inherited;
use crate::calibrate::unrest::Amounts;
use crate::observe::Observer;
use crate::selective::Probe;
use crate::{Ability, Depth, Evaluator, Score, Solver, Stopped, Tactics};

/// Where in the tree.
#[derive(Debug)]
pub(super) struct At<'p, G> {
    pub(super) position: &'p G,
    pub(super) ply: usize,
    /// What a closed window is expected to become.
    pub(super) expected: Expected,
}

// Derived, they would ask the same of the game.
impl<G> Clone for At<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<G> Copy for At<'_, G> {}

/// A node, to be asked about.
pub(super) struct Here<'s, 'a, 'p, G: Tactics, E, S, O> {
    pub(super) searcher: &'s mut Searcher<'a, G, E, S, O>,
    pub(super) at: At<'p, G>,
}

impl<G: Tactics, E: Evaluator<G>, S: Solver<G>, O: Observer> Searcher<'_, G, E, S, O> {
    /// The value of a node in a closed window, searched once more within its own search; everything below
    /// inherits what `change` makes of it.
    fn once_more(
        &mut self,
        At { position, ply, .. }: At<'_, G>,
        beta: Score,
        depth: Depth,
        expected: Expected,
        change: impl FnOnce(&mut Inherited),
    ) -> Result<Score, Stopped> {
        let frame = &mut self.worker.stack[ply];
        let (again, inherited) = (frame.again, frame.inherited);
        frame.again = true;
        change(&mut frame.inherited);
        let value = self.node::<false>(position, beta - 1, beta, depth, ply, expected)?;
        let frame = &mut self.worker.stack[ply];
        (frame.again, frame.inherited) = (again, inherited);
        Ok(value)
    }
}

impl<G: Tactics, E: Evaluator<G>, S: Solver<G>, O: Observer> Probe
    for Here<'_, '_, '_, G, E, S, O>
{
    fn after_pass(&mut self, beta: Score, depth: Depth) -> Result<Option<Score>, Stopped> {
        let Here { searcher, at } = self;
        let At { position, ply, expected } = *at;
        let Some(child) = position.pass() else { return Ok(None) };
        searcher.enter_pass(ply, &child);
        let reply =
            searcher.node::<false>(&child, -beta, -beta + 1, depth, ply + 1, expected.other())?;
        searcher.worker.stack[ply].after_pass = Some(-reply);
        Ok(Some(-reply))
    }

    fn without_passing(&mut self, beta: Score, depth: Depth, plies: i32) -> Result<Score, Stopped> {
        let Here { searcher, at } = self;
        let At { ply, expected, .. } = *at;
        let before = searcher.no_pass;
        // At least here, or the question would be asked again.
        let until = ply + plies.max(1) as usize;
        searcher.no_pass = Some(NoPass { until, even: ply.is_multiple_of(2) });
        let value = searcher.once_more(*at, beta, depth, expected, |_| ())?;
        searcher.no_pass = before;
        Ok(value)
    }

    fn trusting_passes(&mut self, beta: Score, depth: Depth) -> Result<Score, Stopped> {
        let Here { searcher, at } = self;
        let At { ply, expected, .. } = *at;
        let before = searcher.no_pass;
        searcher.no_pass = Some(NoPass { until: ply + 1, even: ply.is_multiple_of(2) });
        let value = searcher.once_more(*at, beta, depth, expected, |below| below.trusted = true)?;
        searcher.no_pass = before;
        Ok(value)
    }

    fn beyond_horizon(&mut self, beta: Score) -> Result<Score, Stopped> {
        let checks = self.searcher.settings.quiescence.checks_asked;
        let At { position, ply, .. } = self.at;
        self.searcher.quiesce::<false>(position, beta - 1, beta, ply, Beyond { plies: 0, checks })
    }

    fn without_move(&mut self, packed: u16, beta: Score, depth: Depth) -> Result<Score, Stopped> {
        let Here { searcher, at } = self;
        let At { position, ply, expected } = *at;
        searcher.worker.stack[ply].excluded = packed;
        let value = searcher.node::<false>(position, beta - 1, beta, depth, ply, expected)?;
        searcher.worker.stack[ply].excluded = 0;
        Ok(value)
    }

    fn by_capture(
        &mut self,
        beta: Score,
        exchange: i32,
        depth: Depth,
    ) -> Result<Option<(Score, u16)>, Stopped> {
        let Here { searcher, at } = self;
        let At { position, ply, expected } = *at;
        let order = &searcher.settings.order;
        let mut picker = Picker::noisy(0, exchange, order);
        while let Some(m) = searcher.worker.next_move(&mut picker, position, ply, order) {
            let child = position.after(m);
            searcher.worker.stack[ply].extended = false;
            searcher.worker.stack[ply + 1].credit = 0;
            searcher.enter(ply, position, m, &child);
            let mut value =
                -searcher.quiesce::<false>(&child, -beta, -beta + 1, ply + 1, Beyond::default())?;
            if value >= beta && depth > Depth::ZERO {
                let expected = expected.other();
                value =
                    -searcher.node::<false>(&child, -beta, -beta + 1, depth, ply + 1, expected)?;
            }
            if value >= beta {
                return Ok(Some((value, G::pack(m))));
            }
        }
        Ok(None)
    }

    fn count_cuts(
        &mut self,
        beta: Score,
        depth: Depth,
        moves: usize,
        enough: usize,
    ) -> Result<usize, Stopped> {
        let Here { searcher, at } = self;
        let At { position, ply, expected } = *at;
        let order = &searcher.settings.order;
        searcher.worker.line.back_to(ply);
        let key = searcher.worker.line.current().key;
        let table_move = searcher.shared.table.probe(key).map_or(0, |entry| entry.packed_move);
        let mut picker = Picker::new(searcher.worker.hints(ply, table_move), order);
        let mut cuts = 0;
        for _ in 0..moves {
            let next = searcher.worker.next_move(&mut picker, position, ply, order);
            let Some(m) = next else { break };
            let child = position.after(m);
            searcher.worker.stack[ply].extended = false;
            searcher.worker.stack[ply + 1].credit = 0;
            searcher.enter(ply, position, m, &child);
            let reply = searcher.node::<false>(
                &child,
                -beta,
                -beta + 1,
                depth,
                ply + 1,
                expected.other(),
            )?;
            cuts += usize::from(-reply >= beta);
            if cuts >= enough {
                break;
            }
        }
        searcher.worker.line.back_to(ply);
        Ok(cuts)
    }

    fn less_deep(&mut self, beta: Score, depth: Depth) -> Result<Score, Stopped> {
        self.searcher.once_more(self.at, beta, depth, self.at.expected, |_| ())
    }

    fn to_depth(&mut self, beta: Score, depth: Depth, above: bool) -> Result<Score, Stopped> {
        let expected = if above { Expected::Cut } else { Expected::All };
        self.searcher.once_more(self.at, beta, depth, expected, |below| below.probing += 1)
    }

    fn unrest(&mut self) -> Result<Amounts, Stopped> {
        let At { position, ply, .. } = self.at;
        let searcher = &mut *self.searcher;
        let glance = searcher.worker.stack[ply].guess;
        let evaluation = searcher.worker.evaluator.evaluate(ply, position).value();
        let quiescence = if G::ABILITIES.serves(Ability::NOISY) {
            let (low, high) = (-Score::INFINITE, Score::INFINITE);
            // No principal line: others would go by that.
            let quiet = searcher.quiesce::<false>(position, low, high, ply, Beyond::default())?;
            searcher.worker.line.back_to(ply);
            Some((quiet.value() - evaluation).abs())
        } else {
            None
        };
        let correction = glance.map_or(0, |guess| (guess.value() - evaluation).abs());
        let of_game = (0..G::UNREST.len()).map(|which| position.unrest(which));
        let all = quiescence.into_iter().chain([correction]).chain(of_game);
        let mut amounts = Amounts::default();
        amounts.iter_mut().zip(all).for_each(|(amount, found)| *amount = found);
        Ok(amounts)
    }

    fn material(&self) -> i32 {
        self.at.position.material()
    }

    fn material_at_root(&self) -> i32 {
        let root = self.searcher.root_material;
        if self.at.ply.is_multiple_of(2) { root } else { -root }
    }

    fn officers(&self) -> [usize; 2] {
        self.at.position.officers()
    }
}
