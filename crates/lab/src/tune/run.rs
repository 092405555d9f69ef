//! Iterations until all are done or somebody ends it; each is one line of a file, from which a run
//! that was ended goes on.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use secateur_games::playable::Playable;

use super::Order;
use super::folder::{Iteration, Log};
use super::games::Games;
use super::spsa::Spsa;
use super::validate::check_length;
use crate::contest::{Contest, prepare};
use crate::cores;
use crate::progress::Progress;

/// Checks the order before anything is written, and makes of it what its games are played by.
/// `force`: engines with clocks may share processors. `ours` is our own program.
pub fn check<G: Playable>(
    order: &Order,
    concurrency: NonZeroUsize,
    force: bool,
    ours: &Path,
) -> anyhow::Result<Contest<G>> {
    let configuration = order.configuration::<G>(&order.start(), concurrency.get());
    let contest = prepare::<G>(configuration, ours)?;
    // Engines that share a processor lose time on their clocks.
    if contest.participants.iter().any(|engine| !engine.limit.is_timeless()) {
        let threads = contest.participants.iter().map(|engine| engine.threads()).max();
        cores::demand(concurrency.get(), threads.unwrap_or(1) as usize, force)?;
    }
    Ok(contest)
}

/// Goes on until all iterations are done or `interrupt` is raised; the state then.
pub fn run<G: Playable>(
    order: &Order,
    folder: &Path,
    contest: &Contest<G>,
    interrupt: &Arc<AtomicBool>,
) -> anyhow::Result<Spsa> {
    let (mut log, done) = Log::open(folder, order)?;
    let mut spsa = Spsa::new(order);
    if let Some(last) = done.last() {
        spsa.go_on_from(last.iteration, &last.values);
    }
    check_length::<G>(order, folder, spsa.done())?;
    // A run that goes on may have been asked for more; only who writes its lines may say so.
    order.write(folder)?;
    let concurrency = NonZeroUsize::new(contest.configuration.concurrency);
    let concurrency = concurrency.unwrap_or(NonZeroUsize::MIN);
    let games = Games { order, contest, concurrency, interrupt };
    let progress = Progress::talking(Some(order.iterations), "iterations");
    progress.resume(spsa.done());
    while spsa.done() < order.iterations && !interrupt.load(Ordering::Relaxed) {
        let proposal = spsa.propose();
        let Some(won) = games.play(spsa.done(), &proposal)? else { break };
        spsa.learn(&proposal, won);
        log.add(&Iteration {
            iteration: spsa.done(),
            won,
            values: spsa.values().to_vec(),
            first: Some(proposal.first),
            second: Some(proposal.second),
        })?;
        progress.advance();
        if !progress.is_hidden() {
            progress.say(shown(order, &spsa));
        }
    }
    progress.finish();
    Ok(spsa)
}

/// The first few values, for a progress bar.
fn shown(order: &Order, spsa: &Spsa) -> String {
    let values = order.parameters.iter().zip(spsa.rounded());
    let values = values.take(4).map(|(parameter, value)| format!("{}={value}", parameter.name));
    values.collect::<Vec<_>>().join(" ")
}
