//! The B\* of 1979: only bounds, and an end when one move's lower bound reaches every other's upper.
//!
//! ProveBest raises the lower bound of the most hopeful move, DisproveRest lowers the upper bound of
//! its best rival; the one on which less was spent is tried, as in the first of Berliner's rules.

use super::prober::Prober;
use super::search::{Rival, Search, Settled};
use super::values::gain;
use crate::{Game, Stopped};

impl<G: Game> Search<G> {
    pub(super) fn separate(&mut self, prober: &mut impl Prober<G>) -> Result<Settled, Stopped> {
        let side = self.player();
        // Descents ask for the hopes of whoever moves; the probabilities are not looked at.
        self.aim_at(side, 0.0, None);
        let limit = self.effort.select(&self.how.main) + self.effort.verify(&self.how.main);
        loop {
            let rivals = self.rivals();
            let by_hope = |a: &&Rival, b: &&Rival| {
                gain(side, a.values.hope(side), b.values.hope(side)).cmp(&0)
            };
            let best = rivals.iter().rev().max_by(by_hope).expect("a root has moves");
            let rest: Vec<&Rival> = rivals
                .iter()
                .filter(|rival| rival.m != best.m)
                .filter(|rival| {
                    let floor = best.values.hopes[side.other() as usize];
                    floor.is_none_or(|floor| gain(side, rival.values.hope(side), floor) > 0)
                })
                .collect();
            let Some(rival) = rest.iter().rev().copied().max_by(by_hope) else {
                self.history.kept = Some(best.m);
                return Ok(Settled::Separated);
            };
            if self.is_full() {
                return Ok(Settled::Full);
            }
            if self.effort.spent() >= limit {
                self.history.kept = Some(best.m);
                return Ok(Settled::Effort);
            }
            let visits = |rival: &Rival| self.graph.node(rival.child).visits;
            let prove = visits(best) <= rest.iter().copied().map(visits).sum();
            let (first, other) = if prove { (best, rival) } else { (rival, best) };
            let (first, other) = (first.child, other.child);
            let mut worked = false;
            for child in [first, other] {
                if self.work(prober, &[self.root, child])? {
                    worked = true;
                    break;
                }
            }
            if !worked {
                return Ok(Settled::Exhausted);
            }
        }
    }
}
