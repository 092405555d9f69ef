//! Weights of an evaluation, learned from games of the engine against itself.
//!
//! | file | idea |
//! |---|---|
//! | [`dataset`] | from folders of games to examples, split by game |
//! | [`examples`] | positions as the fit sees them, compact |
//! | [`target`] | what a position is fitted to: result and score as a chance to win |
//! | [`fit`](mod@fit) | batches, epochs, and when it is enough |
//! | `adam` | one step |
//! | `parallel` | independent tasks on several threads |

mod adam;
pub mod dataset;
pub mod examples;
pub mod fit;
mod parallel;
pub mod target;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use secateur_games::packed::Packed;
use secateur_games::playable::Playable;
use secateur_search::weights::Origin;
use secateur_search::{Weights, features};

use self::dataset::Dataset;
use self::fit::{Epoch, Fitted, Plan, Problem, fit};
use self::target::Scales;
use crate::contest::date;
use crate::progress::Progress;

/// What to learn, and from what.
pub struct Job<G> {
    /// Folders of games.
    pub folders: Vec<PathBuf>,
    /// The weights to start from.
    pub start: Weights<G>,
    /// How to go about it.
    pub plan: Plan,
    /// The share of a game's result in the target; the rest is what the search said.
    pub result_share: f64,
    /// The lead, in hundredths, that is worth 73 %, instead of one that fits.
    pub scale: Option<f64>,
    /// What the file shall say of how it was made.
    pub command: String,
}

/// What was learned.
pub struct Learned<G> {
    /// The weights.
    pub weights: Weights<G>,
    /// How it went.
    pub fitted: Fitted,
    /// The loss of the weights as they are, rounded, on positions that were kept back.
    pub loss: f64,
    /// The loss that no evaluation can go below: results are not certain.
    pub least: f64,
    /// How leads become chances.
    pub scales: Scales,
    /// Games.
    pub games: u64,
    /// Positions that were learned from.
    pub training: u64,
    /// Positions that were kept back.
    pub validation: u64,
}

/// Learns. Once `interrupt` is raised it ends soon, with the best so far.
pub fn train<G: Playable + Packed>(
    job: &Job<G>,
    interrupt: &AtomicBool,
) -> anyhow::Result<Learned<G>> {
    let threads = job.plan.threads;
    let mut data: Dataset<G> = dataset::read(&job.folders, threads)?;
    let start: Vec<f32> = job.start.values().iter().map(|weight| f32::from(*weight)).collect();
    let share = job.result_share as f32;
    let mut scales =
        target::aim::<G>(&mut data.training, &mut data.validation, &start, share, job.scale);
    let scale = scales.value as f32;
    let fixed = features::set_by_hand::<G>();
    let problem = Problem {
        training: &data.training,
        validation: &data.validation,
        start: &start,
        scale,
        fixed: &fixed,
    };
    let progress = Progress::talking(Some(job.plan.epochs as u64), "epochs");
    let fitted = fit(&problem, &job.plan, interrupt, &mut |Epoch { training, validation }| {
        progress.advance();
        progress.say(format!("loss {training:.5}, on positions kept back {validation:.5}"));
    });
    progress.finish();
    // An evaluation that knows more dares more. Margins of the search are in the old units.
    let unit = match G::COUNTS_POINTS || job.scale.is_some() {
        true => 1.0,
        false => target::unit(&data.validation, &start, &fitted.weights),
    };
    scales.value *= f64::from(unit);
    let scale = scale * unit;
    let mut rounded: Vec<i16> =
        fitted.weights.iter().map(|weight| (weight * unit).round() as i16).collect();
    for index in fixed {
        rounded[index] = job.start.values()[index];
    }
    let mut weights = Weights::new(rounded, Origin::default())?;
    let loss = exact_loss(&data, &weights, scale, threads);
    let targets = (0..data.validation.len()).map(|number| data.validation.target(number));
    let least = targets.map(target::least_loss).sum::<f64>() / data.validation.len() as f64;
    let (training, validation) = (data.training.len() as u64, data.validation.len() as u64);
    weights.set_origin(Origin {
        command: job.command.clone(),
        seed: job.plan.seed,
        positions: training,
        loss: Some(loss),
        date: date::moment(date::now()).date('-'),
    });
    let games = data.games;
    Ok(Learned { weights, fitted, loss, least, scales, games, training, validation })
}

/// The mean loss of the weights as they play, on positions that were kept back.
fn exact_loss<G: Playable>(
    data: &Dataset<G>,
    weights: &Weights<G>,
    scale: f32,
    threads: NonZeroUsize,
) -> f64 {
    const STRETCH: usize = 4_096;
    let mut losses = vec![0.0; data.kept_back.len().div_ceil(STRETCH)];
    let stretches = data.kept_back.chunks(STRETCH).enumerate().zip(&mut losses);
    parallel::for_each(threads, stretches, |((stretch, positions), sum)| {
        for (index, position) in positions.iter().enumerate() {
            let value = features::value(position, weights) as f32 / scale;
            let target = data.validation.target(stretch * STRETCH + index);
            *sum += f64::from(target::loss(value, target));
        }
    });
    losses.iter().sum::<f64>() / data.kept_back.len() as f64
}
