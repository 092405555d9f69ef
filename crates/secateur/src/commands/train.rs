//! `secateur train`: weights of the evaluation, learned from games of the engine against itself.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;
use secateur_games::packed::Packed;
use secateur_games::playable::Playable;
use secateur_lab::train::fit::Plan;
use secateur_lab::train::{Job, Learned, train};
use secateur_lab::values::grouped;
use secateur_lab::{cores, interrupt, weights_file};
use secateur_search::Weights;
use serde_json::json;

use crate::failure::Interrupted;
use crate::games::with_game;
use crate::options::GameArguments;

/// Arguments of `train`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur train --game othello --data data --epochs 3 --out othello.weights
  secateur train --data games-1 --data games-2 --out chess.weights
  secateur train --game othello --data data --start zero --result-share 1 --out new.weights --json
  secateur match --engine \"secateur eval=chess.weights\" --engine secateur --nodes 5000

The data are folders written by `secateur selfplay`. Each position is fitted to a chance to win,
blended from the result of its game and what the search said. One game in ten is kept back; the loss
on its positions decides which epoch is the best and when it is enough. Ctrl-C writes the best so
far. The same data, seed and options give the same weights.")]
pub(super) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// A folder of games; repeat it for each
    #[arg(long, value_name = "DIR", required = true)]
    data: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Times that all positions are seen, at most
    #[arg(long, value_name = "N", default_value_t = Plan::default().epochs as u32, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    epochs: u32,
    /// The weights to start from: a file, `embedded`, `plain` (set by hand) or `zero`
    #[arg(long, value_name = "FILE", default_value = "embedded")]
    start: String,
    /// How much of the target is the result of the game, from 0 to 1; the rest is the search's score
    #[arg(long, value_name = "SHARE", default_value_t = RESULT_SHARE, value_parser = share)]
    result_share: f64,
    /// The length of the first steps; it falls to a twentieth
    #[arg(long, value_name = "RATE", default_value_t = Plan::default().rate, value_parser = positive)]
    rate: f64,
    /// How strongly weights are held to those of the start; 0 for not at all
    #[arg(long, value_name = "STRENGTH", default_value_t = Plan::default().regularise, value_parser = not_negative)]
    regularise: f64,
    /// The lead, in hundredths, that is worth 73 % [default: fitted; fixed where points are counted]
    #[arg(long, value_name = "CP", value_parser = positive)]
    scale: Option<f64>,
    /// Positions for each step [default: 16384; fewer where there are few]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    batch: Option<u32>,
    /// The order of the positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads [default: one for each processor]
    #[arg(long, visible_alias = "threads", value_name = "N")]
    concurrency: Option<NonZeroUsize>,
    /// Print one JSON object, totals first
    #[arg(long)]
    json: bool,
}

/// How much of the target is the result of the game, unless the user says otherwise. Results of a
/// few thousand games are noise that fits too well.
// Elo against the plain weights at 400 nodes, by share 0, 0.25, 0.5, 1: chess (5,796 games, 800
// played) 62, 50, 4, -94, all +-23; Othello (2,000 games, 400 played) 147, 214, 174, 61, all +-38.
pub(super) const RESULT_SHARE: f64 = 0.25;

fn number(text: &str, fits: impl Fn(f64) -> bool, what: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && fits(*number));
    number.ok_or_else(|| what.to_string())
}

pub(super) fn share(text: &str) -> Result<f64, String> {
    number(text, |share| (0.0..=1.0).contains(&share), "a share is a number from 0 to 1")
}

fn positive(text: &str) -> Result<f64, String> {
    number(text, |rate| rate > 0.0, "a number above 0 is needed")
}

fn not_negative(text: &str) -> Result<f64, String> {
    number(text, |strength| strength >= 0.0, "a number from 0 is needed")
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    with_game!(arguments.game.game, G => learn::<G>(arguments))
}

/// The weights to start from.
pub(super) fn start<G: Playable>(text: &str) -> anyhow::Result<Weights<G>> {
    match text {
        "zero" => Ok(weights_file::zero()),
        path => weights_file::load(path).context("--start"),
    }
}

/// The command line as it was typed.
pub(super) fn command_line() -> String {
    let words = std::env::args().skip(1).map(|word| match word.contains(char::is_whitespace) {
        true => format!("'{word}'"),
        false => word,
    });
    ["secateur".to_string()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

fn learn<G: Playable + Packed>(arguments: &Arguments) -> anyhow::Result<()> {
    // Said before the work, not after it.
    if arguments.out.is_dir() {
        bail!("{} is a folder; give the name of a file", arguments.out.display());
    }
    let threads = arguments.concurrency.or(NonZeroUsize::new(cores::count()));
    let plan = Plan {
        epochs: arguments.epochs as usize,
        rate: arguments.rate,
        regularise: arguments.regularise,
        batch: arguments.batch.map(|batch| batch as usize),
        seed: arguments.seed,
        threads: threads.unwrap_or(NonZeroUsize::MIN),
    };
    let job = Job {
        folders: arguments.data.clone(),
        start: start::<G>(&arguments.start)?,
        plan,
        result_share: arguments.result_share,
        scale: arguments.scale,
        command: command_line(),
    };
    let interrupted = Arc::new(AtomicBool::new(false));
    interrupt::raises(&interrupted);
    let begun = Instant::now();
    let learned = train(&job, &interrupted)?;
    interrupt::ends();
    let epochs = learned.fitted.epochs.len();
    if epochs == 0 {
        return Err(Interrupted("interrupted in the first epoch; nothing is written".into()).into());
    }
    weights_file::save(&arguments.out, &learned.weights)?;
    let seconds = begun.elapsed().as_secs_f64();
    let text = match arguments.json {
        true => as_json(arguments, &learned, seconds),
        false => as_text(arguments, &learned, seconds),
    };
    io::stdout().write_all(text.as_bytes())?;
    match learned.fitted.interrupted {
        false => Ok(()),
        true => Err(Interrupted(format!(
            "interrupted after {epochs} epochs; the best so far is in {}",
            arguments.out.display()
        ))
        .into()),
    }
}

fn as_text<G>(arguments: &Arguments, learned: &Learned<G>, seconds: f64) -> String {
    let mut text = format!(
        "{} games: {} positions to learn from, {} kept back; a lead of {:.0} is worth 73 %\n\n\
         epoch  training  kept back\n{:>5}  {:>8}  {:>9.5}\n",
        grouped(learned.games),
        grouped(learned.training),
        grouped(learned.validation),
        learned.scales.value,
        "start",
        "",
        learned.fitted.start,
    );
    for (index, epoch) in learned.fitted.epochs.iter().enumerate() {
        let best = if index + 1 == learned.fitted.best { "  best" } else { "" };
        text += &format!(
            "{:>5}  {:>8.5}  {:>9.5}{best}\n",
            index + 1,
            epoch.training,
            epoch.validation
        );
    }
    if learned.fitted.best == 0 {
        text += "no epoch was better than the start\n";
    }
    text + &format!(
        "\nloss {:.5} with whole numbers, where {:.5} is the least possible\n\
         {} written after {seconds:.1} s\n",
        learned.loss,
        learned.least,
        arguments.out.display()
    )
}

fn as_json<G: Playable>(arguments: &Arguments, learned: &Learned<G>, seconds: f64) -> String {
    let fitted = &learned.fitted;
    let all = json!({
        "games": learned.games,
        "positions": learned.training,
        "kept_back": learned.validation,
        "epochs": fitted.epochs.len(),
        "best_epoch": fitted.best,
        "loss": learned.loss,
        "start_loss": fitted.start,
        "least_loss": learned.least,
        "scale": learned.scales.value,
        "score_scale": learned.scales.score,
        "seconds": seconds,
        "interrupted": fitted.interrupted,
        "file": arguments.out.display().to_string(),
        "identity": format!("{:016x}", learned.weights.identity()),
        "training": fitted.epochs.iter().map(|epoch| epoch.training).collect::<Vec<_>>(),
        "validation": fitted.epochs.iter().map(|epoch| epoch.validation).collect::<Vec<_>>(),
    });
    format!("{all:#}\n")
}
