//! `secateur selfplay`: games of the engine against itself, as data to learn from.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use clap::Args;
use secateur_games::packed::Packed;
use secateur_games::playable::Playable;
use secateur_lab::selfplay::Recipe;
use secateur_lab::selfplay::run::{Job, RunFile, Totals, begin, describe, go_on, read_run};
use secateur_lab::values::grouped;
use secateur_lab::weights_file;
use secateur_search::Overlay;
use serde_json::json;

use crate::failure::Interrupted;
use crate::games::with_game;
use crate::options::{GameArguments, SettingsArguments};

/// Games unless somebody says otherwise.
const GAMES: u32 = 1_000;

/// Arguments of `selfplay`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur selfplay --game othello --games 200 --nodes 200 --out data
  secateur selfplay --games 20000 --nodes 5000 --concurrency 2
  secateur selfplay --games 5000 --eval-file my.weights --out data-2
  secateur selfplay --resume data                  go on with what was begun
  secateur selfplay --resume data --games 400      or until there are so many

Each game begins with random moves. Quiet positions are kept with what the search said and how the
game ended, each position once. Killed at any moment, a run goes on with --resume.")]
pub(super) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Games in all, those of a resumed run included [default: 1000, or as the run was begun]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// Nodes for each move
    #[arg(long, value_name = "N", default_value_t = Recipe::default().nodes, value_parser = clap::value_parser!(u64).range(50..))]
    nodes: u64,
    /// Plies of random moves at the beginning
    #[arg(long, value_name = "PLIES", default_value_t = Recipe::default().random_plies as u32, value_parser = clap::value_parser!(u32).range(0..=40))]
    random_plies: u32,
    /// Where the random moves come from
    #[arg(long, value_name = "N", default_value_t = Recipe::default().seed)]
    seed: u64,
    /// Of a hundred positions, so many are also looked at after a random move in place of the best
    #[arg(long, value_name = "PERCENT", default_value_t = Recipe::default().astray, value_parser = clap::value_parser!(u32).range(0..=100))]
    astray: u32,
    /// Games at once [default: one for each processor]
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZeroUsize>,
    /// The folder to write [default: one in the user's cache folder]
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    out: Option<PathBuf>,
    /// Go on with the run in this folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["game", "nodes", "random_plies", "astray", "seed", "preset", "set", "eval_file"])]
    resume: Option<PathBuf>,
    /// Weights for the evaluation: a file, or `plain` for those set by hand
    #[arg(long, value_name = "FILE")]
    eval_file: Option<String>,
    #[command(flatten)]
    settings: SettingsArguments,
    /// Print one JSON object, totals first
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut name = arguments.game.game;
    if let Some(folder) = &arguments.resume {
        let game = read_run(folder)?.game;
        name = clap::ValueEnum::from_str(&game, true)
            .map_err(|_| anyhow::anyhow!("{}: there is no game '{game}'", folder.display()))?;
    }
    with_game!(name, G => play::<G>(arguments))
}

fn play<G: Playable + Packed>(arguments: &Arguments) -> anyhow::Result<()> {
    let mut games = arguments.games.unwrap_or(GAMES);
    let (folder, overlay, weights) = match &arguments.resume {
        Some(folder) => {
            let run = read_run(folder)?;
            games = arguments.games.or(run.games).unwrap_or(GAMES);
            let mut overlay = Overlay::default();
            overlay.choose(&run.preset)?;
            for setting in &run.settings {
                let (name, value) = setting.split_once('=').context("run.toml: settings")?;
                overlay.set(name, value)?;
            }
            let path = run.eval_file.unwrap_or_default();
            let weights = weights_file::load::<G>(&path)
                .with_context(|| format!("{}: eval_file", folder.display()))?;
            (folder.clone(), overlay, weights)
        }
        None => {
            let recipe = Recipe {
                seed: arguments.seed,
                nodes: arguments.nodes,
                random_plies: arguments.random_plies as usize,
                astray: arguments.astray,
                ..Recipe::of::<G>()
            };
            let overlay = arguments.settings.read()?;
            let folder = match &arguments.out {
                Some(folder) => folder.clone(),
                None => cache_folder()?.join(format!(
                    "selfplay/{}-{}-{}",
                    G::NAME,
                    recipe.nodes,
                    recipe.seed
                )),
            };
            let weights =
                weights_file::load::<G>(arguments.eval_file.as_deref().unwrap_or_default())
                    .context("--eval-file")?;
            let eval_file = arguments.eval_file.as_deref().map(weights_file::from_everywhere);
            let run = describe::<G>(&overlay, &recipe, &weights, eval_file);
            begin::<G>(&folder, &RunFile { games: Some(games), ..run })?;
            (folder, overlay, weights)
        }
    };
    let concurrency = arguments
        .concurrency
        .or_else(|| std::thread::available_parallelism().ok())
        .unwrap_or(NonZeroUsize::MIN);
    let begun = Instant::now();
    let job = Job { folder, games, concurrency, overlay, weights };
    let totals = go_on::<G>(&job)?;
    let seconds = begun.elapsed().as_secs_f64();
    let text = if arguments.json {
        as_json(&job, totals, seconds)
    } else {
        as_text(&job, totals, seconds)
    };
    io::stdout().write_all(text.as_bytes())?;
    match totals.games < job.games {
        true => Err(Interrupted(format!(
            "stopped after {} of {} games; go on with: secateur selfplay --resume {}",
            totals.games,
            job.games,
            job.folder.display()
        ))
        .into()),
        false => Ok(()),
    }
}

fn per_hour(totals: Totals, seconds: f64) -> u64 {
    (totals.new_positions as f64 / seconds.max(1e-9) * 3_600.0) as u64
}

fn as_text<G>(job: &Job<G>, totals: Totals, seconds: f64) -> String {
    let [won, drawn, lost] = totals.results;
    let mut text = format!(
        "{} games, {} positions in {}\nwon {won}, drawn {drawn}, lost {lost} by the side that began\n",
        grouped(totals.games.into()),
        grouped(totals.positions),
        job.folder.display(),
    );
    if totals.new_games > 0 {
        text += &format!(
            "{} new games in {seconds:.1} s: {} positions an hour, {} left out as seen before\n",
            grouped(totals.new_games.into()),
            grouped(per_hour(totals, seconds)),
            grouped(totals.duplicates),
        );
    }
    text
}

fn as_json<G>(job: &Job<G>, totals: Totals, seconds: f64) -> String {
    let [won, drawn, lost] = totals.results;
    let all = json!({
        "games": totals.games,
        "positions": totals.positions,
        "new_games": totals.new_games,
        "new_positions": totals.new_positions,
        "duplicates": totals.duplicates,
        "won": won,
        "drawn": drawn,
        "lost": lost,
        "seconds": seconds,
        "positions_per_hour": per_hour(totals, seconds),
        "folder": job.folder.display().to_string(),
    });
    format!("{all:#}\n")
}

/// Where this user's programs keep what can be made again.
fn cache_folder() -> anyhow::Result<PathBuf> {
    let from = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let base = from("XDG_CACHE_HOME")
        .or_else(|| from("LOCALAPPDATA"))
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(from("HOME")?).join(".cache")))
        .context("there is no cache folder here; give --out DIR")?;
    Ok(base.join("secateur"))
}
