//! The large worths again, one at a time: with everything against without one technique, in a match of
//! its own within the folder of the run, from openings that the design has not seen.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use secateur_games::playable::Playable;

use super::effects::Effects;
use super::{Order, fresh};
use crate::contest::{Conducted, Configuration, conduct};

/// A worth is large beyond this, in Elo, whichever its sign.
pub const LARGE: f64 = 10.0;

/// Where the match of a technique is kept.
pub fn folder(run: &Path, technique: &str) -> PathBuf {
    run.join(format!("confirm-{technique}"))
}

/// The techniques that are worth a match of their own, the largest first.
pub fn large(effects: &Effects) -> Vec<usize> {
    let mut found: Vec<_> =
        effects.alone.iter().filter(|effect| effect.elo.value.abs() > LARGE).collect();
    found.sort_by(|a, b| b.elo.value.abs().total_cmp(&a.elo.value.abs()));
    found.into_iter().map(|effect| effect.technique).collect()
}

/// Games of such a match. The same opening is the same game again, so there are no more than openings.
pub fn games<G: Playable>(order: &Order) -> u64 {
    order.confirm.min(2 * fresh::count::<G>() as u64)
}

/// Plays the matches that are not played yet, until `interrupt` is raised.
pub fn confirm<G: Playable>(
    order: &Order,
    run: &Path,
    effects: &Effects,
    concurrency: usize,
    ours: &Path,
    interrupt: &Arc<AtomicBool>,
) -> anyhow::Result<Vec<(usize, Conducted<G>)>> {
    let mut done = Vec::new();
    let large = large(effects);
    if order.confirm == 0 || large.is_empty() {
        return Ok(done);
    }
    let openings = fresh::file::<G>(run, order.seed, concurrency)?;
    for technique in large {
        let engines = [order.spec("with", []), order.spec("without", [technique])];
        let configuration = Configuration {
            openings: Some(openings.clone()),
            ..order.configuration::<G>(engines, games::<G>(order), concurrency)
        };
        let path = folder(run, &order.techniques[technique]);
        match conduct::<G>(&path, configuration, ours, interrupt) {
            Ok(conducted) => done.push((technique, conducted)),
            Err(_) if interrupt.load(Ordering::Relaxed) => break,
            Err(error) => return Err(error.context(path.display().to_string())),
        }
        if interrupt.load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(done)
}
