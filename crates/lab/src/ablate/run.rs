//! Pairs until all are played or somebody ends it; each is one line of a file, from which a run that
//! was ended goes on.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::bail;
use secateur_games::playable::Playable;

use super::Order;
use super::design::{Draw, Planned, plan};
use super::folder::{PAIRS, Played};
use crate::contest::pair::Pairs;
use crate::contest::{Contest, prepare};
use crate::in_order;
use crate::progress::Progress;
use crate::suite::lines::Lines;

/// Checks the order before anything is written, and makes of it what its games are played by. `ours`
/// is our own program.
pub fn check<G: Playable>(
    order: &Order,
    concurrency: NonZeroUsize,
    ours: &Path,
) -> anyhow::Result<Contest<G>> {
    if order.techniques.is_empty() {
        bail!("there is nothing to leave out: every technique is off already");
    }
    // One that cannot be switched off in this game is told now, not in the middle of the night.
    let engines = [order.spec("on", []), order.spec("off", 0..order.techniques.len())];
    prepare::<G>(order.configuration::<G>(engines, order.games.max(2), concurrency.get()), ours)
}

/// Goes on until all pairs are played or `interrupt` is raised; what was played then, in order. `note`
/// is told what the user should know beside that.
pub fn run<G: Playable>(
    order: &Order,
    folder: &Path,
    contest: &Contest<G>,
    interrupt: &Arc<AtomicBool>,
    note: &mut dyn FnMut(String),
) -> anyhow::Result<Vec<Played>> {
    let (mut log, mut played) = Lines::open(&folder.join(PAIRS), |line: &Played| line.pair)?;
    if let Some(odd) = played.iter().find(|line| !line.belongs(order)) {
        bail!("{PAIRS}: pair {} was drawn for another run", odd.pair);
    }
    let planned = plan(order, contest.openings.len());
    if (planned.len() as u64) < order.pairs() && played.len() < planned.len() {
        note(format!(
            "only {} of {} pairs of games differ from all others: no more are played",
            planned.len(),
            order.pairs()
        ));
    }
    played.retain(|line| planned.iter().any(|planned| planned.pair == line.pair));
    // Who writes its lines may say that there are to be more.
    order.write(folder)?;
    let done: HashSet<u64> = played.iter().map(|line| line.pair).collect();
    let total = planned.len() as u64;
    let missing: Vec<Planned> =
        planned.into_iter().filter(|planned| !done.contains(&planned.pair)).collect();
    let concurrency = NonZeroUsize::new(contest.configuration.concurrency);
    let pairs = Pairs { contest, interrupt };
    let progress = Progress::talking(Some(total), "pairs of games");
    progress.resume(played.len() as u64);
    let mut failed = None;
    let task = |_: &mut (), index: usize| -> anyhow::Result<Option<Played>> {
        let Planned { pair, draw: Draw { first, second }, opening } = missing[index].clone();
        let texts =
            [order.spec("a", first.iter().copied()), order.spec("b", second.iter().copied())];
        let sides = pairs.sides([&texts[0], &texts[1]], &order.each)?;
        let won = pairs.play(&sides, opening)?;
        Ok(won.map(|won| Played { pair, first, second, won }))
    };
    in_order::run(
        concurrency.unwrap_or(NonZeroUsize::MIN),
        missing.len(),
        || (),
        task,
        |result| {
            let kept = result.and_then(|line| match line {
                Some(line) => log.add(&line).map(|()| Some(line)),
                None => Ok(None),
            });
            match kept {
                Ok(Some(line)) => {
                    played.push(line);
                    progress.advance();
                }
                Ok(None) => return ControlFlow::Break(()),
                Err(error) => {
                    failed = Some(error);
                    return ControlFlow::Break(());
                }
            }
            match interrupt.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        },
    )?;
    progress.finish();
    match failed {
        Some(error) => Err(error),
        None => {
            played.sort_by_key(|line| line.pair);
            Ok(played)
        }
    }
}
