//! The games of one iteration: pairs from one opening each, between the two sets of a proposal.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::anyhow;
use secateur_games::playable::Playable;
use secateur_games::record::Verdict;
use secateur_search::Player;
use secateur_search::random::SplitMix;

use super::Order;
use super::spsa::Proposal;
use crate::contest::Contest;
use crate::contest::game::{Conditions, play};
use crate::contest::prepare::Participant;
use crate::contest::team::{NotStarted, start_one};
use crate::engine::{EngineSettings, EngineSpec, Opponent, apply_each};
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
        let sides = self.sides(proposal)?;
        let pairs = self.order.pairs;
        let (mut won, mut done, mut failed) = (0.0, 0, None);
        let task = |_: &mut (), number: usize| {
            self.pair(&sides, iteration * pairs + number as u64).transpose()
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

    /// The two sets as engines.
    fn sides(&self, proposal: &Proposal) -> anyhow::Result<[Participant; 2]> {
        let spec = |name: &str, values: &[i32]| EngineSpec::parse(&self.order.spec(name, values));
        let mut specs = [spec("first", &proposal.first)?, spec("second", &proposal.second)?];
        apply_each(&mut specs, &EngineSettings::parse(&self.order.each)?)?;
        let untuned = &self.contest.participants[0];
        Ok(specs.map(|spec| Participant { name: spec.name(), spec, ..untuned.clone() }))
    }

    /// One pair of games from one opening: 1 for two wins of the first set, -1 for two losses.
    fn pair(&self, sides: &[Participant; 2], place: u64) -> anyhow::Result<Option<f64>> {
        let engine =
            |side: &Participant| match start_one::<G>(side, &self.contest.ours, self.interrupt) {
                Ok((engine, _)) => Ok(Some(engine)),
                Err(NotStarted::Interrupted) => Ok(None),
                Err(error) => Err(anyhow!("{error}")),
            };
        let (Some(mut first), Some(mut second)) = (engine(&sides[0])?, engine(&sides[1])?) else {
            return Ok(None);
        };
        let openings = &self.contest.openings;
        let pick =
            SplitMix::new(self.order.seed ^ place.wrapping_mul(0x2545_f491)).below(openings.len());
        let conditions = Conditions {
            rules: self.contest.configuration.adjudication,
            margin: self.contest.margin(),
            patience: std::time::Duration::from_secs(self.contest.configuration.patience),
            known: None,
        };
        let limits = [sides[0].limit, sides[1].limit];
        let mut won = 0.0;
        for turned in [false, true] {
            let players: [&mut dyn Opponent; 2] = match turned {
                true => [second.as_mut(), first.as_mut()],
                false => [first.as_mut(), second.as_mut()],
            };
            let Ok(played) = play(&openings[pick].record, players, limits, &conditions) else {
                return Ok(None);
            };
            let result = match played.verdict {
                Verdict::Won(Player::First) => 0.5,
                Verdict::Won(Player::Second) => -0.5,
                _ => 0.0,
            };
            won += if turned { -result } else { result };
            if !turned && let Some((player, _)) = played.fault {
                let failed = if player == Player::First { &mut first } else { &mut second };
                failed.restart().map_err(|fault| anyhow!("{fault}"))?;
            }
        }
        Ok(Some(won))
    }
}
