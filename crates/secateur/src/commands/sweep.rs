//! `secateur sweep`: one parameter at several values, each in a match, and a curve through them.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};
use clap::Args;
use secateur_games::playable::Playable;
use secateur_lab::contest::prepare;
use secateur_lab::engine::{EngineSettings, EngineSpec, apply_each, own};
use secateur_lab::reads::why_unread;
use secateur_lab::sweep::{
    Curve, FEWEST, KIND, Order, Played, all_alike, curve, paper, play, values,
};
use secateur_lab::{cores, interrupt};
use secateur_search::{Notation, Settings};
use serde_json::{Value, json};

use crate::failure::Interrupted;
use crate::games::{GameName, with_game};
use crate::options::GameArguments;

/// Arguments of `sweep`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur sweep null_move.divisor 3,4,5,6 --nodes 5000 --games 400 --out sweep
  secateur sweep probcut.threshold 80..=130/10 --engine \"secateur probcut=multi\" --each preset=classic --tc 2+0.02 --out sweep
  secateur sweep --resume sweep

Every value plays a match against the same opponent from the same openings. Through all scores goes one
curve, a parabola: its top, not the best of the matches, is what they say, and it is to be confirmed by a
match of its own. Where a paper has swept the same parameter its scores stand beside ours.")]
pub(super) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// The parameter
    #[arg(value_name = "PARAM", required_unless_present = "resume", conflicts_with = "resume")]
    parameter: Option<String>,
    /// Its values: 50,60,80 or 50..=130/10
    #[arg(value_name = "LIST", required_unless_present = "resume", conflicts_with = "resume")]
    list: Option<String>,
    /// The engine whose parameter it is
    #[arg(long, value_name = "ENGINE", default_value = "secateur", conflicts_with = "resume")]
    engine: String,
    /// Its opponent
    #[arg(long, value_name = "ENGINE", default_value = "secateur", conflicts_with = "resume")]
    base: String,
    /// What both are told
    #[arg(long, value_name = "SETTINGS", default_value = "", conflicts_with = "resume")]
    each: String,
    /// A clock: seconds for the game, and seconds added for each move
    #[arg(long, value_name = "TC", conflicts_with_all = ["resume", "nodes"])]
    tc: Option<String>,
    /// Nodes for each move [default without a clock: 5000]
    #[arg(long, value_name = "N", conflicts_with = "resume", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Games for each value
    #[arg(long, value_name = "N", default_value_t = 200, conflicts_with = "resume", value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    games: u64,
    /// The order of the openings
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "resume", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: u64,
    /// Games at once [default: one for each processor]
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZeroUsize>,
    /// The folder for the run, which must be new or empty
    #[arg(long, value_name = "DIR", required_unless_present = "resume", conflicts_with = "resume")]
    out: Option<PathBuf>,
    /// Go on with the run in this folder
    #[arg(long, value_name = "DIR", conflicts_with = "game")]
    resume: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let (order, folder) = match (&arguments.resume, &arguments.out) {
        (Some(folder), _) => (Order::read(folder)?, folder),
        (None, Some(folder)) => (order(arguments)?, folder),
        (None, None) => bail!("--out says where to keep the run"),
    };
    let game = GameName::called(&order.game)?;
    with_game!(game, G => go::<G>(arguments, &order, folder))
}

fn order(arguments: &Arguments) -> anyhow::Result<Order> {
    let (Some(parameter), Some(list)) = (&arguments.parameter, &arguments.list) else {
        bail!("which parameter, and at which values?");
    };
    let values = values(list)?;
    // Every value is tried before anything is played.
    for value in &values {
        Settings::default().set(parameter, &value.to_string())?;
    }
    let by_clock = arguments.tc.is_some();
    with_game!(arguments.game.game, G => demand_read::<G>(arguments, parameter))?;
    Ok(Order {
        kind: KIND.to_string(),
        game: with_game!(arguments.game.game, G => G::NAME).to_string(),
        parameter: parameter.clone(),
        values,
        engine: arguments.engine.clone(),
        base: arguments.base.clone(),
        each: arguments.each.clone(),
        tc: arguments.tc.clone(),
        nodes: arguments.nodes.or((!by_clock).then_some(5_000)),
        games: arguments.games,
        seed: arguments.seed,
    })
}

/// Refuses a parameter that the engine does not read: all matches would be the same.
fn demand_read<G: Playable>(arguments: &Arguments, parameter: &str) -> anyhow::Result<()> {
    let mut specs = [EngineSpec::parse(&arguments.engine).context("--engine")?];
    if !arguments.each.is_empty() {
        let each = EngineSettings::parse(&arguments.each).context("--each")?;
        apply_each(&mut specs, &each).context("--each")?;
    }
    let settings = own::overlay(&specs[0]).context("--engine")?.served_by::<G>()?;
    match why_unread::<G>(&settings, parameter, arguments.tc.is_some()) {
        Some(why) => bail!("{parameter} would change nothing: {why}"),
        None => Ok(()),
    }
}

fn go<G: Playable>(arguments: &Arguments, order: &Order, folder: &Path) -> anyhow::Result<()> {
    let ours = std::env::current_exe().context("this program cannot be found")?;
    let concurrency = arguments.concurrency.map_or_else(cores::count, NonZeroUsize::get);
    for &value in &order.values {
        prepare::<G>(order.configuration::<G>(value, concurrency), &ours)?;
    }
    if arguments.resume.is_none() {
        order.begin(folder)?;
    }
    let flag = Arc::new(AtomicBool::new(false));
    interrupt::raises(&flag);
    let played = play::<G>(order, folder, concurrency, &ours, &flag)?;
    interrupt::ends();
    let curve = curve(&played).filter(|_| !all_alike(&played));
    let text = match arguments.json {
        true => format!("{:#}\n", as_json(order, &played, curve.as_ref())),
        false => as_text(order, &played, curve.as_ref()),
    };
    io::stdout().write_all(text.as_bytes())?;
    if flag.load(Ordering::Relaxed) {
        let folder = folder.display();
        let words = format!("interrupted; go on with: secateur sweep --resume {folder}");
        return Err(Interrupted(words).into());
    }
    Ok(())
}

/// What a paper found at this value.
fn beside(order: &Order, value: i32) -> Option<f64> {
    paper(&order.game, &order.parameter)
        .iter()
        .find(|(known, _)| *known == value)
        .map(|(_, score)| *score)
}

fn as_text(order: &Order, played: &[Played], curve: Option<&Curve>) -> String {
    let mut text = format!("{} against {}\n\n", order.engine, order.base);
    let has_paper = !paper(&order.game, &order.parameter).is_empty();
    text += &format!(
        "{:>24} {:>7} {:>5} {:>5} {:>5} {:>16} {:>16}{}\n",
        order.parameter,
        "games",
        "won",
        "drawn",
        "lost",
        "score, %",
        "curve, %",
        if has_paper { "  paper, % of 64" } else { "" }
    );
    for one in played {
        let games = one.games;
        let shown = |estimate: Option<secateur_lab::statistics::elo::Estimate>| {
            estimate.map_or(String::new(), |score| {
                format!("{:.1} +- {:.1}", 100.0 * score.value, 100.0 * score.error)
            })
        };
        let paper = beside(order, one.value).map_or(String::new(), |score| format!("{score:.1}"));
        let line = format!(
            "{:>24} {:>7} {:>5} {:>5} {:>5} {:>16} {:>16}{:>16}",
            one.value,
            games.wins + games.draws + games.losses,
            games.wins,
            games.draws,
            games.losses,
            shown(one.score()),
            shown(curve.map(|curve| curve.at(f64::from(one.value)))),
            paper
        );
        text += line.trim_end();
        text += "\n";
    }
    text += "\n";
    text += &match curve {
        Some(curve) => {
            let [best, low, high] = curve.best;
            let top = curve.at(best);
            format!(
                "the curve is highest at {best:.0} ({low:.0} to {high:.0}), with {:.1} +- {:.1} %; \
                 confirm it by a match of its own\n",
                100.0 * top.value,
                100.0 * top.error
            )
        }
        None if all_alike(played) => {
            "no difference seen: the games of all values ended alike, so none of them is the best\n"
                .to_string()
        }
        None => format!("for a curve it takes {FEWEST} values\n"),
    };
    text
}

fn as_json(order: &Order, played: &[Played], curve: Option<&Curve>) -> Value {
    let values: Vec<Value> = played
        .iter()
        .map(|one| {
            let score = one.score();
            json!({
                "value": one.value,
                "wins": one.games.wins,
                "draws": one.games.draws,
                "losses": one.games.losses,
                "score": score.map(|score| score.value),
                "error": score.map(|score| score.error),
                "curve": curve.map(|curve| curve.at(f64::from(one.value)).value),
                "paper": beside(order, one.value),
            })
        })
        .collect();
    json!({
        "parameter": order.parameter,
        "best": curve.map(|curve| curve.best[0]),
        "best_interval": curve.map(|curve| [curve.best[1], curve.best[2]]),
        "engine": order.engine,
        "base": order.base,
        "values": values,
    })
}
