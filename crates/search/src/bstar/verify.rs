//! VERIFY: the opponent tries to show that the chosen move is not the best.

use super::prober::Prober;
use super::search::{Rival, Search};
use super::values::better;
use crate::{Game, Player, Stopped};

/// How a VERIFY ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The move is no longer the best.
    Refuted,
    /// No reply is likely enough to refute it.
    Withstood,
    /// What it may spend is spent.
    Effort,
    /// Nothing is left to look at.
    Exhausted,
    /// The memory is full.
    Full,
}

impl<G: Game> Search<G> {
    /// The target is fixed: one less than the best of the other moves, those without a node of their
    /// own among them. The paper's printed loop runs while the value is at the target too, where the move is
    /// refuted already. A move may be given a `lead`: it is not refuted before it has lost as much.
    pub(super) fn verify(
        &mut self,
        prober: &mut impl Prober<G>,
        chosen: &Rival,
        lead: Option<i32>,
    ) -> Result<Verdict, Stopped> {
        let limit = self.effort.verify(&self.how.main);
        self.phase = super::history::Phase::Verify;
        let side = self.player();
        let others = self.rivals().into_iter().filter(|rival| rival.m != chosen.m);
        let others = others.map(|rival| rival.values.real);
        let rest = self.graph.node(self.root).rest.as_ref().map(|rest| rest.real);
        let second = others.chain(rest).reduce(|a, b| better(side, a, b));
        let Some(second) = second else { return Ok(Verdict::Withstood) };
        let step = if side == Player::First { -1.0 } else { 1.0 };
        let mut target = f64::from(second.value()) + step;
        if let Some(lead) = lead {
            let low = f64::from(chosen.values.real.value()) + step * f64::from(lead);
            target = if side == Player::First { target.min(low) } else { target.max(low) };
        }
        self.aim_at(side.other(), target, Some(chosen.child));
        let top = [self.root, chosen.child];
        loop {
            let now = self.graph.under(&top[..1], chosen.child);
            if self.graph.aim().reached(now.real) {
                return Ok(Verdict::Refuted);
            }
            let node = self.graph.node(chosen.child);
            let min_act = self.effort.min_act(&self.how.main);
            if node.is_expanded() && node.hopes_asked && now.odds < min_act {
                return Ok(Verdict::Withstood);
            }
            if self.is_full() {
                return Ok(Verdict::Full);
            }
            if self.effort.spent() >= limit {
                return Ok(Verdict::Effort);
            }
            if !self.work(prober, &top)? {
                return Ok(Verdict::Exhausted);
            }
        }
    }
}
