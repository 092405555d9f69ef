//! The games of one iteration: pairs from one opening each, between the two sets of a proposal.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use secateur_games::playable::Playable;

use super::Order;
use super::spsa::Proposal;
use crate::contest::Contest;
use crate::contest::pair::Pairs;
use crate::in_order;

/// Where games are played and under which conditions.
pub struct Games<'a, G: Playable> {
    /// What is tuned.
    pub order: &'a Order,
    /// The match of the untuned set against itself: its limits, openings and rules hold here too.
    pub contest: &'a Contest<G>,
    /// Games at once.
    pub concurrency: NonZeroUsize,
    /// Once it is raised, games end without a result.
    pub interrupt: &'a Arc<AtomicBool>,
}

impl<G: Playable> Games<'_, G> {
    /// Pairs won by the first set less those lost, in the iteration of this number from 0; nothing
    /// if it was interrupted.
    pub fn play(&self, iteration: u64, proposal: &Proposal) -> anyhow::Result<Option<f64>> {
        let Games { order, contest, interrupt, .. } = *self;
        let all = Pairs { contest, interrupt };
        let texts = [order.spec("first", &proposal.first), order.spec("second", &proposal.second)];
        let sides = all.sides([&texts[0], &texts[1]], &order.each)?;
        let pairs = order.pairs;
        let (mut won, mut done, mut failed) = (0.0, 0, None);
        let task = |_: &mut (), number: usize| {
            let opening = all.pick(order.seed, iteration * pairs + number as u64);
            all.play(&sides, opening).transpose()
        };
        in_order::run(
            self.concurrency,
            pairs as usize,
            || (),
            task,
            |result: Option<anyhow::Result<f64>>| {
                match result {
                    Some(Ok(result)) => {
                        won += result;
                        done += 1;
                    }
                    Some(Err(error)) => failed = Some(error),
                    None => return ControlFlow::Break(()),
                }
                match failed {
                    Some(_) => ControlFlow::Break(()),
                    None => ControlFlow::Continue(()),
                }
            },
        )?;
        match failed {
            Some(error) => Err(error),
            None => Ok((done == pairs).then_some(won)),
        }
    }
}
