//! One round: games with the best weights so far, training on all games up to now, and a match of
//! the new weights against the best. What is there already is not done again.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};
use secateur_games::packed::Packed;
use secateur_games::playable::Playable;
use secateur_search::{Overlay, Weights};

use super::folder::{Folder, Order, Round};
use crate::contest::adjudicate::{DrawRule, ResignRule, Rules};
use crate::contest::tally::Score;
use crate::contest::{self, Conducted, Configuration, Ended};
use crate::selfplay::Recipe;
use crate::selfplay::run as selfplay;
use crate::statistics::counts::Counts;
use crate::statistics::elo;
use crate::train::fit::Plan;
use crate::train::{Job, train};
use crate::{interrupt, run_file, weights_file};

/// How a run is carried out: what does not decide what comes of it.
pub struct Circumstances {
    /// Games, or threads of training, at once.
    pub concurrency: NonZeroUsize,
    /// Where our own program is.
    pub ours: PathBuf,
}

/// Does what is missing of a round; `best` are the best weights before it. Nothing if somebody
/// ended it.
pub fn conduct<G: Playable + Packed>(
    folder: &Folder,
    order: &Order,
    how: &Circumstances,
    number: u32,
    best: &Path,
) -> anyhow::Result<Option<Round>> {
    let old = load::<G>(best)?;
    if !play(folder, order, how, number, &old)? || !learn(folder, order, how, number, &old)? {
        return Ok(None);
    }
    let path = folder.new_weights(number);
    let new = load::<G>(&path)?;
    let origin = new.origin();
    let mut round = Round {
        round: number,
        positions: origin.positions,
        loss: origin.loss,
        wins: 0,
        draws: 0,
        losses: 0,
        elo: None,
        error: None,
        kept: false,
    };
    // Games of weights against themselves would say nothing.
    if new.identity() != old.identity() {
        let Some(score) = meet::<G>(folder, order, how, number, &path, best)? else {
            return Ok(None);
        };
        let finite = |value: f64| Some(value).filter(|value| value.is_finite());
        let lead = elo::logistic(&score.pairs);
        (round.wins, round.draws, round.losses) =
            (score.games.wins, score.games.draws, score.games.losses);
        round.elo = lead.and_then(|lead| finite(lead.value));
        round.error = lead.and_then(|lead| finite(lead.error));
        round.kept = score.games.half_points() > score.games.games();
    }
    let better = if round.kept { &new } else { &old };
    weights_file::save(&folder.best(), better)?;
    folder.write_round(&round)?;
    Ok(Some(round))
}

fn load<G: Playable>(path: &Path) -> anyhow::Result<Weights<G>> {
    weights_file::load(path.to_str().context("the path of the run is not a text")?)
}

/// The games of the round; whether all are there.
fn play<G: Playable + Packed>(
    folder: &Folder,
    order: &Order,
    how: &Circumstances,
    number: u32,
    weights: &Weights<G>,
) -> anyhow::Result<bool> {
    let data = folder.data(number);
    let overlay = Overlay::default();
    if !run_file::is_begun(&data) {
        let seed = order.seed.wrapping_add(u64::from(number));
        let recipe = Recipe { seed, nodes: order.nodes, ..Recipe::of::<G>() };
        selfplay::begin::<G>(&data, &selfplay::describe(&overlay, &recipe, weights, None))?;
    }
    let job = selfplay::Job {
        folder: data,
        games: order.games,
        concurrency: how.concurrency,
        overlay,
        weights: weights.clone(),
    };
    Ok(selfplay::go_on::<G>(&job)?.games >= order.games)
}

/// The new weights of the round; whether they are there.
fn learn<G: Playable + Packed>(
    folder: &Folder,
    order: &Order,
    how: &Circumstances,
    number: u32,
    start: &Weights<G>,
) -> anyhow::Result<bool> {
    let path = folder.new_weights(number);
    if path.exists() {
        return Ok(true);
    }
    let job = Job {
        folders: (1..=number).map(|number| folder.data(number)).collect(),
        start: start.clone(),
        plan: Plan {
            epochs: order.epochs,
            seed: order.seed,
            threads: how.concurrency,
            ..Plan::default()
        },
        result_share: order.result_share,
        scale: None,
        command: format!("{} (round {number})", order.command),
    };
    let flag = Arc::new(AtomicBool::new(false));
    interrupt::raises(&flag);
    let learned = train(&job, &flag)?;
    interrupt::ends();
    if !learned.fitted.interrupted {
        weights_file::save(&path, &learned.weights)?;
    }
    Ok(!learned.fitted.interrupted)
}

/// The match of the round, from the side of the new weights; nothing if somebody ended it.
fn meet<G: Playable>(
    folder: &Folder,
    order: &Order,
    how: &Circumstances,
    number: u32,
    new: &Path,
    best: &Path,
) -> anyhow::Result<Option<Score>> {
    let configuration = configuration::<G>(order, how, number, new, best)?;
    let flag = Arc::new(AtomicBool::new(false));
    interrupt::raises(&flag);
    let met = contest::conduct::<G>(&folder.contest(number), configuration, &how.ours, &flag);
    interrupt::ends();
    match met {
        Ok(Conducted { finish, .. }) => match finish.ended {
            Ended::Played | Ended::Decided => Ok(Some(finish.tally.first_score().clone())),
            _ => Ok(None),
        },
        Err(_) if flag.load(Ordering::Relaxed) => Ok(None),
        Err(error) => Err(error.context(format!("round {number}"))),
    }
}

fn configuration<G: Playable>(
    order: &Order,
    how: &Circumstances,
    number: u32,
    new: &Path,
    best: &Path,
) -> anyhow::Result<Configuration> {
    let engine = |name: &str, path: &Path| match path.to_str() {
        Some(path) if !path.contains('\'') => Ok(format!("secateur name={name} eval='{path}'")),
        _ => bail!("{}: a path with a ' in it cannot be given to an engine", path.display()),
    };
    // Where nothing but the result counts, nobody need see the end of a won game.
    let adjudication = match G::COUNTS_POINTS {
        true => Rules::default(),
        false => Rules {
            draw: Some(DrawRule { after: 40, score: 10, moves: 8 }),
            resign: Some(ResignRule { score: 1_000, moves: 4 }),
            max_moves: Some(250),
        },
    };
    Ok(Configuration {
        each: Some("hash=4".to_string()),
        nodes: Some(order.match_nodes),
        games: Some(order.match_games),
        seed: order.seed.wrapping_add(number.into()),
        concurrency: how.concurrency.get(),
        adjudication,
        ..Configuration::between::<G>(vec![engine("new", new)?, engine("best", best)?])
    })
}
