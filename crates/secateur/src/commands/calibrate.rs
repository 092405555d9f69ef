//! `secateur calibrate`: fit a technique to the game and the evaluation at hand.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};
use secateur_games::playable::Playable;
use secateur_lab::calibrate::line::{Window, gather};
use secateur_lab::calibrate::measure::{Host, described, measure};
use secateur_lab::calibrate::table::{Pairs, Recipe, fit};
use secateur_lab::calibrate::{KIND, Order, Source, rows};
use secateur_lab::suite::conduct::from_anywhere;
use secateur_search::Notation;
use secateur_search::calibrate::unrest;

use super::calibration_run::RunArguments;
use super::{calibrate_bstar, calibrate_rankcut, calibrate_reductions};
use crate::calibration::{as_json, as_text};
use crate::games::{GameName, with_game};
use crate::options::GameArguments;

/// Arguments of `calibrate`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur calibrate probcut --positions 200 --max-depth 8 --out cuts
  secateur calibrate probcut games.pgn --each preset=classic --out cuts
  secateur calibrate probcut --source interior --game othello --out cuts
  secateur calibrate probcut --resume cuts --pairs paper --threshold 1.2
  secateur calibrate rankcut --each preset=classic --games 50 --out ranks
  secateur calibrate reductions --games 40 --nodes 20000 --out reductions
  secateur calibrate bstar --games 40 --out odds")]
pub(super) struct Arguments {
    #[command(subcommand)]
    technique: Technique,
}

#[derive(Debug, Subcommand)]
enum Technique {
    /// How the value of a shallow search tells that of a deep one: the table that probcut goes by
    Probcut(Box<Probcut>),
    /// How often a late move turns out better than those before it: the table that rank_cut goes by
    Rankcut(Box<calibrate_rankcut::Arguments>),
    /// How much less deep late moves are best searched: the table that late_moves=learned goes by
    Reductions(Box<calibrate_reductions::Arguments>),
    /// How likely leaves of B* reach their targets: the table that bstar_odds=learned goes by
    Bstar(Box<calibrate_bstar::Arguments>),
}

/// Which positions are searched.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum From {
    /// positions of games, as in the papers
    Paper,
    /// nodes inside searches of such positions, where cuts would be asked about
    Interior,
}

/// Which pairs go into the table.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Chosen {
    /// those of Jiang and Buro: (2, 6), (3, 7), (4, 8), (3, 9), (4, 10)
    Paper,
    /// of each deep depth the one that promises to save most, or two that do
    Best,
}

/// By which value positions are left out.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum By {
    /// by the shallow value, which a cut goes by
    Shallow,
    /// by the deep one, as beside the papers' table
    Deep,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur calibrate probcut --positions 200 --max-depth 8 --out cuts
  secateur calibrate probcut games.pgn --each preset=classic --out cuts
  secateur calibrate probcut --source interior --game othello --out cuts
  secateur calibrate probcut --resume cuts --pairs paper --threshold 1.2
  secateur match --engine \"secateur probcut=multi cuts=cuts/cuts.toml\" --engine secateur --nodes 40000

Every position is searched to every depth; each value is a line of rows.csv. For every pair of depths and
stage of the game the deep value is told from the shallow one by a straight line, v = a v' + b, with errors
of the deviation sigma. Nodes inside searches are measured where they stand, and their windows tell too. cuts.toml is the table for the engine: --cuts-file, cuts= in an engine's
description, or the UCI option CutsFile. It serves the evaluation that searched, and no other.

A run that was ended goes on with --resume; one that is done is only fitted anew.")]
struct Probcut {
    #[command(flatten)]
    game: GameArguments,
    /// Files of games or positions; without any, the engine plays against itself
    #[arg(value_name = "FILE", conflicts_with = "resume")]
    files: Vec<PathBuf>,
    /// Which positions are searched
    #[arg(long, value_enum, default_value_t = From::Paper, conflicts_with = "resume")]
    source: From,
    /// How many
    #[arg(long, value_name = "N", default_value_t = 2_700, conflicts_with = "resume", value_parser = clap::value_parser!(u64).range(1..))]
    positions: u64,
    /// No more positions of one game than this, or searches in which nodes are looked for
    #[arg(long, value_name = "N", default_value_t = 4, conflicts_with = "resume", value_parser = clap::value_parser!(u16).range(1..))]
    per_game: u16,
    /// The deepest search
    #[arg(long, value_name = "PLIES", default_value_t = 10, conflicts_with = "resume", value_parser = clap::value_parser!(u8).range(2..=40))]
    max_depth: u8,
    /// What the engine that searches is told
    #[arg(long, value_name = "SETTINGS", default_value = "", conflicts_with = "resume")]
    each: String,
    /// Nodes for each move where it plays against itself
    #[arg(long, value_name = "N", default_value_t = 2_000, conflicts_with = "resume", value_parser = clap::value_parser!(u64).range(1..))]
    play_nodes: u64,
    /// How deep the searches are in which nodes are looked for [default: three plies more than the deepest]
    #[arg(long, value_name = "PLIES", conflicts_with = "resume", value_parser = clap::value_parser!(u8).range(2..=60))]
    root_depth: Option<u8>,
    /// Positions of games so few plies from the end are solved as well, where the game can be: what the
    /// endgame solver of Othello goes by
    #[arg(long, value_name = "PLIES", default_value_t = 18, conflicts_with = "resume", value_parser = clap::value_parser!(u8).range(..=40))]
    ends: u8,
    /// Where draws come from
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "resume")]
    seed: u64,
    /// Which pairs go into the table [default: best, or as before]
    #[arg(long, value_enum)]
    pairs: Option<Chosen>,
    /// How many deviations beyond the window a cut must lie [default: 1, or as before]
    #[arg(long, value_name = "T", value_parser = threshold)]
    threshold: Option<f64>,
    /// Up to this depth the deepest pairs of the table go on, by the function of all pairs; 0 for not at all
    /// [default: 24, with the papers' pairs 0, or as before]
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(i32).range(0..=60))]
    beyond: Option<i32>,
    /// Positions beyond this value are left out, in score units [default: ten pawns or forty discs, or as
    /// before]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=20_000))]
    window: Option<i32>,
    /// By which value they are [default: shallow, or as before]
    #[arg(long, value_enum)]
    window_by: Option<By>,
    #[command(flatten)]
    run: RunArguments,
}

/// No search of a usual game is much deeper.
const BEYOND: i32 = 24;

/// The table in the folder of a run.
const TABLE: &str = "cuts.toml";

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let arguments = match &arguments.technique {
        Technique::Probcut(arguments) => arguments,
        Technique::Rankcut(arguments) => return calibrate_rankcut::run(arguments),
        Technique::Reductions(arguments) => return calibrate_reductions::run(arguments),
        Technique::Bstar(arguments) => return calibrate_bstar::run(arguments),
    };
    let game = with_game!(arguments.game.game, G => G::NAME);
    let (order, folder) =
        arguments.run.order(["probcut", game], Order::read, || order(arguments))?;
    let game = GameName::called(&order.game)?;
    with_game!(game, G => go::<G>(arguments, &order, &folder))
}

fn threshold(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| format!("'{text}' is no number"))?;
    match (0.1..=4.0).contains(&number) {
        true => Ok(number),
        false => Err("it is a number from 0.1 to 4".to_string()),
    }
}

fn order(arguments: &Probcut) -> anyhow::Result<Order> {
    let deepest = i32::from(arguments.max_depth);
    let (host, evaluation) = with_game!(arguments.game.game, G => described::<G>(&arguments.each)?);
    Ok(Order {
        kind: KIND.to_string(),
        game: with_game!(arguments.game.game, G => G::NAME).to_string(),
        source: match arguments.source {
            From::Paper => Source::Paper,
            From::Interior => Source::Interior,
        },
        files: arguments.files.iter().map(|file| from_anywhere(file)).collect(),
        positions: arguments.positions,
        per_game: arguments.per_game.into(),
        max_depth: deepest,
        each: arguments.each.clone(),
        host,
        evaluation,
        play_nodes: arguments.play_nodes,
        root_depth: arguments.root_depth.map_or(deepest + 3, i32::from),
        unrest: match arguments.source {
            From::Paper => Vec::new(),
            From::Interior => with_game!(arguments.game.game, G => unrest::names::<G>())
                .into_iter()
                .map(str::to_string)
                .collect(),
        },
        ends: arguments.ends.into(),
        seed: arguments.seed,
    })
}

/// How the table is made: as asked for, else as it was made before, else as usual.
fn recipe<G: Playable>(arguments: &Probcut, folder: &Path) -> anyhow::Result<Recipe> {
    let usual = || Recipe {
        pairs: Pairs::Chosen,
        window: Window::Shallow(if G::COUNTS_POINTS { 4_000.0 } else { 1_000.0 }),
        threshold: 1.0,
        beyond: BEYOND,
    };
    let before = match arguments.run.goes_on() && Recipe::is_kept(folder) {
        true => Recipe::read(folder)?,
        false => usual(),
    };
    let (was_deep, most) = match before.window {
        Window::Deep(most) => (true, most),
        Window::Shallow(most) => (false, most),
    };
    let most = arguments.window.map_or(most, f64::from);
    // The papers' pairs end where the papers do.
    let beyond = match (arguments.pairs, before.pairs) {
        (Some(Chosen::Paper), _) => 0,
        (Some(Chosen::Best), Pairs::Paper) => BEYOND,
        _ => before.beyond,
    };
    let is_deep = arguments.window_by.map_or(was_deep, |by| matches!(by, By::Deep));
    Ok(Recipe {
        pairs: match arguments.pairs {
            Some(Chosen::Paper) => Pairs::Paper,
            Some(Chosen::Best) => Pairs::Chosen,
            None => before.pairs,
        },
        window: if is_deep { Window::Deep(most) } else { Window::Shallow(most) },
        threshold: arguments.threshold.unwrap_or(before.threshold),
        beyond: arguments.beyond.unwrap_or(beyond),
    })
}

fn go<G: Playable>(arguments: &Probcut, order: &Order, folder: &Path) -> anyhow::Result<()> {
    let host = Host::<G>::prepare(order)?;
    if !arguments.run.goes_on() {
        order.begin(folder)?;
    }
    let recipe = recipe::<G>(arguments, folder)?;
    recipe.write(folder)?;
    let stopped = measure(order, &host, folder, arguments.run.threads())?;
    let positions = gather(&rows::load(folder)?);
    let findings = fit(&positions, &recipe, &order.unrest);
    let path = folder.join(TABLE);
    let has_table = findings.chosen().next().is_some();
    if has_table {
        let text = findings.table::<G>(order, &recipe, &command::<G>(order, &recipe)).write();
        arguments.run.keep(&path, &text)?;
    } else {
        arguments.run.drop_table(&path)?;
    }
    arguments.run.tell(
        has_table.then_some(path.as_path()),
        || as_json(order, &findings, &recipe),
        || as_text::<G>(order, &findings, &recipe, &path),
    )?;
    arguments.run.end(stopped, "probcut", folder)
}

/// The command that makes the same table.
fn command<G: Playable>(order: &Order, recipe: &Recipe) -> String {
    let mut words = format!("secateur calibrate probcut --game {}", order.game);
    for file in &order.files {
        // What folder it was in is nobody's business.
        let name = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
        words += &format!(" {name}");
    }
    if order.source == Source::Interior {
        words += &format!(" --source interior --root-depth {}", order.root_depth);
    }
    if !order.each.is_empty() {
        words += &format!(" --each \"{}\"", order.each);
    }
    let Order { positions, per_game, max_depth, play_nodes, seed, .. } = order;
    words += &format!(" --positions {positions} --per-game {per_game} --max-depth {max_depth}");
    if order.files.is_empty() {
        words += &format!(" --play-nodes {play_nodes}");
    }
    if G::COUNTS_POINTS {
        words += &format!(" --ends {}", order.ends);
    }
    words += &format!(" --seed {seed}");
    let pairs = match recipe.pairs {
        Pairs::Paper => "paper",
        Pairs::Chosen => "best",
    };
    let (by, window) = match recipe.window {
        Window::Shallow(most) => ("shallow", most),
        Window::Deep(most) => ("deep", most),
    };
    let threshold = recipe.threshold;
    let beyond = recipe.beyond;
    words
        + &format!(
            " --pairs {pairs} --threshold {threshold} --beyond {beyond} --window {window} --window-by {by}"
        )
}
