//! `secateur wdl`: what scores mean, fitted to games of self-play.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use secateur_games::packed::Packed;
use secateur_games::playable::Playable;
use secateur_lab::meaning::quality::{Bin, Quality, bin_end};
use secateur_lab::meaning::{Fitted, learn};
use secateur_lab::values::grouped;
use secateur_lab::whole_file;
use secateur_search::Meaning;
use serde_json::{Value, json};

use crate::games::with_game;
use crate::options::GameArguments;

/// Arguments of `wdl`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur wdl --data data
  secateur wdl --game othello --data data --json
  secateur selfplay --games 2000 --nodes 500 --out data && \\
    secateur wdl --data data --out crates/games/models/chess.toml

The chance to win with a score of x is logistic((x - a) / b), to lose with it logistic((-x - a) / b);
a and b depend on how much of the game is left. The model is fitted to four games of five and judged
by the fifth. A model in crates/games/models is built into the program with the next build.")]
pub(super) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// A folder of `secateur selfplay`
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON object, totals first
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    with_game!(arguments.game.game, G => fit::<G>(arguments))
}

fn fit<G: Playable + Packed>(arguments: &Arguments) -> anyhow::Result<()> {
    let fitted = learn::<G>(&arguments.data)?;
    if let Some(path) = &arguments.out {
        let text = fitted.meaning.write();
        whole_file::write(path, |output| Ok(output.write_all(text.as_bytes())?))?;
    }
    let text = if arguments.json { as_json::<G>(&fitted) } else { as_text::<G>(&fitted) };
    io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

/// Some moments of a game, from its beginning.
fn moments<G: Playable>() -> Vec<i32> {
    const STEPS: i32 = 6;
    let (least, most) = (G::LEFT.least, G::LEFT.most);
    (0..=STEPS).map(|step| most - (most - least) * step / STEPS).collect()
}

fn as_text<G: Playable>(Fitted { meaning, quality }: &Fitted) -> String {
    let list = |cubic: &[f64]| {
        cubic.iter().map(|number| format!("{number:+.4}")).collect::<Vec<_>>().join(" ")
    };
    let mut text = format!(
        "fitted to {} positions of {} games\nln a  {}\nln b  {}\n\n{:>5}  {:>7}  {:>7}  {}\n",
        grouped(meaning.origin.positions),
        grouped(meaning.origin.games),
        list(&meaning.half),
        list(&meaning.width),
        "left",
        "a",
        "b",
        "draws when level"
    );
    for left in moments::<G>() {
        let scale = meaning.at(left);
        text += &format!(
            "{left:>5}  {:>7.1}  {:>7.1}  {:>14.1} %\n",
            scale.half,
            scale.width,
            100.0 * scale.chances(0.0)[1]
        );
    }
    text += &format!("left is {}\n\n{}\n", G::LEFT.what, told_scale::<G>(meaning));
    text += &judged(quality);
    text += &curve("win", &quality.wins);
    text += &curve("draw", &quality.draws);
    text
}

fn told_scale<G: Playable>(meaning: &Meaning) -> String {
    let (usual, half) = (G::LEFT.usual, meaning.at(G::LEFT.usual).half);
    format!("half of all games are won with {half:.1} units where {usual} is left")
        + if G::COUNTS_POINTS { "; points are told as they are" } else { "; this is told as 100" }
}

fn judged(quality: &Quality) -> String {
    format!(
        "\non {} positions of {} games that were kept back\n\
         Brier score  {:.4}   constant forecast {:.4}\n\
         log loss     {:.4}   constant forecast {:.4}\n",
        grouped(quality.positions as u64),
        grouped(quality.games as u64),
        quality.brier,
        quality.brier_constant,
        quality.log_loss,
        quality.log_loss_constant,
    )
}

fn curve(name: &str, bins: &[Bin]) -> String {
    let mut text = format!(
        "\n{:<13}  {:>10}  {:>10}  {:>10}  {:>16}\n",
        format!("chance of {name}"),
        "positions",
        "predicted",
        "observed",
        "error (by game)"
    );
    for bin in bins {
        text += &format!(
            "{:>5.2} .. {:<4.2}  {:>10}  {:>8.1} %  {:>8.1} %  {:>14.1} %\n",
            bin.from,
            bin_end(bin.from),
            bin.positions,
            100.0 * bin.predicted,
            100.0 * bin.observed,
            100.0 * bin.error
        );
    }
    text
}

fn as_json<G: Playable>(Fitted { meaning, quality }: &Fitted) -> String {
    let scale = |left: i32| {
        let scale = meaning.at(left);
        json!({ "left": left, "a": scale.half, "b": scale.width })
    };
    let bins = |bins: &[Bin]| -> Vec<Value> {
        let bin = |bin: &Bin| {
            json!({
                "from": bin.from,
                "to": bin_end(bin.from),
                "positions": bin.positions,
                "predicted": bin.predicted,
                "observed": bin.observed,
                "error": bin.error,
            })
        };
        bins.iter().map(bin).collect()
    };
    let all = json!({
        "games": meaning.origin.games,
        "positions": meaning.origin.positions,
        "brier": quality.brier,
        "brier_constant": quality.brier_constant,
        "log_loss": quality.log_loss,
        "log_loss_constant": quality.log_loss_constant,
        "kept_back": { "games": quality.games, "positions": quality.positions },
        "game": meaning.game,
        "scale": scale(G::LEFT.usual),
        "model": { "least": meaning.range[0], "most": meaning.range[1], "a": meaning.half, "b": meaning.width },
        "moments": moments::<G>().into_iter().map(scale).collect::<Vec<_>>(),
        "calibration": { "win": bins(&quality.wins), "draw": bins(&quality.draws) },
        "command": meaning.origin.command,
    });
    format!("{all:#}\n")
}
