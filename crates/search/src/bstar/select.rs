//! SELECT: the player looks for the move that no other can rival.

use super::how::BstarModel;
use super::prober::Prober;
use super::search::{Rival, Search};
use super::values::gain;
use crate::{Game, Player, Stopped};

/// Why a SELECT ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SelectEnd {
    /// No other move is likely enough to become better.
    Clear,
    /// The best moves stayed too close for too long.
    Close,
    /// What it may spend is spent.
    Effort,
    /// Nothing is left to look at.
    Exhausted,
    /// The memory is full.
    Full,
}

impl<G: Game> Search<G> {
    pub(super) fn select(
        &mut self,
        prober: &mut impl Prober<G>,
    ) -> Result<(Rival, SelectEnd), Stopped> {
        self.phase = super::history::Phase::Select;
        let limit = self.effort.select(&self.how.main);
        let mut inputs = None;
        let mut close = 0;
        let end = loop {
            let end = self.retarget(&mut inputs, &mut close);
            if self.history.expansions.last().is_some_and(|last| last.phase == self.phase) {
                self.amend();
            }
            if let Some(end) = end {
                break end;
            }
            if self.is_full() {
                break SelectEnd::Full;
            }
            if self.effort.spent() >= limit {
                break SelectEnd::Effort;
            }
            if !self.work(prober, &[self.root])? {
                break SelectEnd::Exhausted;
            }
        };
        let rivals = self.rivals();
        Ok((self.best_two(&rivals, |_| true).0.clone(), end))
    }

    /// Sets the target anew where what it rests on has changed, and moves it closer where it is too
    /// hard. Tells if there is nothing more to look for.
    ///
    /// The target lies midway between the best real value and the hope of the second best move still
    /// in contention. If no move is likely to reach it while some could still become better, it is
    /// halved towards the best real value. (Of the paper's Figure 20: -1446 becomes -765.)
    fn retarget(&mut self, inputs: &mut Option<(i32, i32)>, close: &mut i32) -> Option<SelectEnd> {
        let side = self.player();
        let sign = if side == Player::First { 1.0 } else { -1.0 };
        let min_act = self.effort.min_act(&self.how.main);
        let fresh = inputs.is_none();
        if fresh {
            // Probabilities left by another phase mean nothing here: every move contends.
            self.aim_at(side, -sign * f64::from(crate::Score::INFINITE.value()), None);
        }
        let rivals = self.rivals();
        let better =
            |rival: &Rival, best: &Rival| gain(side, rival.values.hope(side), best.values.real) > 0;
        let (best, mut second) = self.best_two(&rivals, |rival| rival.values.odds >= min_act);
        if second.is_none() {
            second = self.best_two(&rivals, |rival| better(rival, best)).1;
        }
        let Some(second) = second else { return Some(SelectEnd::Clear) };
        *close = if gain(side, best.values.real, second.values.real) <= self.how.main.close {
            *close + 1
        } else {
            0
        };
        let real = f64::from(best.values.real.value());
        let now = (best.values.real.value(), second.values.hope(side).value());
        let mut target = self.graph.aim().target;
        if *inputs != Some(now) {
            target = match self.how.main.form {
                // Distributions need no target but what there is already.
                BstarModel::Palay => real + sign,
                _ => (f64::from(now.1) + real) / 2.0,
            };
            // Always better than what there is already.
            if sign * (target - real) <= 0.0 {
                target = real + sign;
            }
            *inputs = Some(now);
            self.aim_at(side, target, None);
        }
        loop {
            let rivals = self.rivals();
            let (best, _) = self.best_two(&rivals, |_| true);
            let likely = |rival: &&Rival| rival.values.odds >= min_act;
            let others = rivals.iter().filter(|rival| rival.m != best.m);
            // Moves without a node of their own contend together.
            let root = self.graph.node(self.root);
            let rest = root.rest.as_ref().map(|rest| self.graph.rest_values(root, rest).odds);
            if others.filter(likely).count() > 0 || rest.is_some_and(|odds| odds >= min_act) {
                break;
            }
            let some_hope = rivals.iter().any(|rival| better(rival, best));
            if likely(&best) || (target - real).abs() <= 1.0 || !some_hope {
                return Some(SelectEnd::Clear);
            }
            target = (target + real) / 2.0;
            self.aim_at(side, target, None);
        }
        (*close > self.how.main.close_for).then_some(SelectEnd::Close)
    }
}
