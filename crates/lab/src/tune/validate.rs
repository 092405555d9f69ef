//! The tuned set against the untuned one: a match with a sequential test, from openings that the tuning
//! has not seen, in a folder within the run's own, so that it can be killed and gone on with like any
//! match.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::bail;
use secateur_games::playable::Playable;

use super::Order;
use super::spsa::Spsa;
use crate::ablate::fresh;
use crate::contest::folder::{is_begun, read_run};
use crate::contest::{Conducted, conduct};

/// What became of a validation.
pub enum Validation<G: Playable> {
    /// Nobody wants one.
    Off,
    /// The tuned set is the untuned one.
    Nothing,
    /// It was played, or as much of it as somebody let be played.
    Played(Box<Conducted<G>>),
    /// Somebody ended it before its first game.
    Interrupted,
}

/// Where the values after so many iterations are validated: a run that is made longer has other
/// values, and those another match.
pub fn folder(run: &Path, iterations: u64) -> PathBuf {
    run.join(format!("validation-{iterations}"))
}

/// Games that will be played at most. Without a clock the same opening is the same game again, and
/// counted twice it would look like evidence.
pub fn most_games<G: Playable>(order: &Order) -> u64 {
    match order.tc {
        Some(_) => order.validation_games,
        None => order.validation_games.min(2 * fresh::count::<G>() as u64),
    }
}

/// Refuses to make a validation shorter than it was begun: games that were played would not count.
pub fn check_length<G: Playable>(order: &Order, run: &Path, iterations: u64) -> anyhow::Result<()> {
    let path = folder(run, iterations);
    if order.validation_games == 0 || !is_begun(&path) {
        return Ok(());
    }
    let begun = read_run(&path)?.configuration.games.unwrap_or_default();
    if most_games::<G>(order) < begun {
        bail!(
            "the validation was begun with {begun} games: it can be made longer, not shorter (0 \
             leaves it as it is)"
        );
    }
    Ok(())
}

/// Plays what is not played yet.
pub fn validate<G: Playable>(
    order: &Order,
    run: &Path,
    spsa: &Spsa,
    concurrency: usize,
    ours: &Path,
    interrupt: &Arc<AtomicBool>,
) -> anyhow::Result<Validation<G>> {
    if order.validation_games == 0 {
        return Ok(Validation::Off);
    }
    let tuned = spsa.rounded();
    if tuned == order.start() {
        return Ok(Validation::Nothing);
    }
    let mut configuration = order.configuration::<G>(&tuned, concurrency);
    configuration.games = Some(most_games::<G>(order));
    configuration.openings = Some(fresh::file::<G>(run, order.seed, concurrency)?);
    match conduct::<G>(&folder(run, spsa.done()), configuration, ours, interrupt) {
        Ok(conducted) => Ok(Validation::Played(Box::new(conducted))),
        Err(_) if interrupt.load(Ordering::Relaxed) => Ok(Validation::Interrupted),
        Err(error) => Err(error.context("validation")),
    }
}
