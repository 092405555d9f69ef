//! One pair of games from one opening, each side having either colour: what tuning and ablation are
//! made of.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::anyhow;
use secateur_games::playable::Playable;
use secateur_games::record::Verdict;
use secateur_search::Player;
use secateur_search::random::SplitMix;

use super::Contest;
use super::game::{Conditions, play};
use super::prepare::Participant;
use super::team::{NotStarted, start_one};
use crate::engine::{EngineSettings, EngineSpec, Opponent, apply_each};

/// Where pairs are played and under which conditions.
pub struct Pairs<'a, G: Playable> {
    /// A match whose limits, openings and rules hold here too.
    pub contest: &'a Contest<G>,
    /// Once it is raised, games end without a result.
    pub interrupt: &'a Arc<AtomicBool>,
}

impl<G: Playable> Pairs<'_, G> {
    /// Two of our engines as the participants of a pair; what `each` says lies below what they say.
    pub fn sides(&self, texts: [&str; 2], each: &str) -> anyhow::Result<[Participant; 2]> {
        let mut specs = [EngineSpec::parse(texts[0])?, EngineSpec::parse(texts[1])?];
        apply_each(&mut specs, &EngineSettings::parse(each)?)?;
        let like = &self.contest.participants[0];
        Ok(specs.map(|spec| Participant { name: spec.name(), spec, ..like.clone() }))
    }

    /// An opening by chance.
    pub fn pick(&self, seed: u64, number: u64) -> usize {
        SplitMix::new(seed ^ number.wrapping_mul(0x2545_f491)).below(self.contest.openings.len())
    }

    /// A pair from the opening with this index: 1 for two wins of the first side, -1 for two losses;
    /// nothing if it was interrupted.
    pub fn play(&self, sides: &[Participant; 2], opening: usize) -> anyhow::Result<Option<f64>> {
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
            let Ok(played) = play(&openings[opening].record, players, limits, &conditions) else {
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
