//! `secateur tune`: parameters of the search, tuned by play.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use secateur_games::playable::Playable;
use secateur_lab::engine::{EngineSpec, own};
use secateur_lab::interrupt;
use secateur_lab::tune::run::run as tune;
use secateur_lab::tune::spsa::Spsa;
use secateur_lab::tune::{KIND, Order, Parameter};
use secateur_search::params::Value;
use secateur_search::{Kind, Notation, Settings};
use serde_json::json;

use crate::failure::Interrupted;
use crate::games::{GameName, with_game};
use crate::options::GameArguments;

/// Arguments of `tune`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur tune late_moves null_move --nodes 3000 --iterations 5000 --out tuned
  secateur tune futility.base futility.slope --game othello --nodes 1000 --out tuned
  secateur tune --resume tuned
  secateur tune --resume tuned --iterations 10000

A name is a parameter, or a technique with all its numbers. In each iteration all of them are moved at
once, up or down by their steps, and the two sets play pairs of games; the winner's direction is
followed (simultaneous perturbation). At the end the values are printed with the match that tells
whether they are better; believe only that.")]
pub(super) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// What to tune
    #[arg(value_name = "NAME", required_unless_present = "resume", conflicts_with = "resume")]
    names: Vec<String>,
    /// Settings of both sides, as in an engine's description
    #[arg(long, value_name = "SETTINGS", default_value = "hash=4", conflicts_with = "resume")]
    each: String,
    /// Nodes for each move
    #[arg(long, value_name = "N", default_value_t = 3_000, conflicts_with = "resume", value_parser = clap::value_parser!(u64).range(50..))]
    nodes: u64,
    /// Iterations in all [default: 5000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    iterations: Option<u64>,
    /// Pairs of games in each iteration
    #[arg(long, value_name = "N", default_value_t = 4, conflicts_with = "resume", value_parser = clap::value_parser!(u64).range(1..=1_000))]
    pairs: u64,
    /// How far a parameter moves by one won pair at the end, in hundredths of its step
    #[arg(long, value_name = "N", default_value_t = 5, conflicts_with = "resume", value_parser = clap::value_parser!(u16).range(1..=200))]
    rate: u16,
    /// Where perturbations and openings come from
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "resume")]
    seed: u64,
    /// Games at once [default: one for each processor]
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZeroUsize>,
    /// The folder for the run, which must be new or empty
    #[arg(long, value_name = "DIR", required_unless_present = "resume", conflicts_with = "resume")]
    out: Option<PathBuf>,
    /// Go on with the run in this folder
    #[arg(long, value_name = "DIR")]
    resume: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let (order, folder) = match (&arguments.resume, &arguments.out) {
        (Some(folder), _) => {
            let mut order = Order::read(folder)?;
            order.iterations = arguments.iterations.unwrap_or(order.iterations);
            (order, folder.clone())
        }
        (None, Some(folder)) => {
            let order = order(arguments)?;
            order.begin(folder)?;
            (order, folder.clone())
        }
        (None, None) => bail!("--out says where to keep the run"),
    };
    let game = GameName::from_str(&order.game, false);
    let game = game.map_err(|_| anyhow::anyhow!("no game is called {}", order.game))?;
    with_game!(game, G => go::<G>(arguments, &order, &folder))
}

/// Everything that was asked for, checked.
fn order(arguments: &Arguments) -> anyhow::Result<Order> {
    // Both sides begin with what their settings give.
    let spec = EngineSpec::parse(&format!("secateur {}", arguments.each)).context("--each")?;
    let settings = own::overlay(&spec).context("--each")?.in_force().clone();
    let mut parameters = Vec::new();
    for name in &arguments.names {
        let group = format!("{name}.");
        let before = parameters.len();
        for spec in Settings::specs() {
            let Kind::Number { min, max, step, .. } = spec.kind else { continue };
            if spec.name != name && !spec.name.starts_with(&group) {
                continue;
            }
            let Some(Value::Number(start)) = settings.get(spec.name) else { continue };
            parameters.push(Parameter { name: spec.name.to_string(), start, min, max, step });
        }
        if parameters.len() == before {
            bail!("no number is called {name}; `secateur params` lists them all");
        }
    }
    Ok(Order {
        kind: KIND.to_string(),
        game: with_game!(arguments.game.game, G => G::NAME).to_string(),
        each: arguments.each.clone(),
        nodes: arguments.nodes,
        iterations: arguments.iterations.unwrap_or(5_000),
        pairs: arguments.pairs,
        seed: arguments.seed,
        rate: f64::from(arguments.rate) / 100.0,
        parameters,
    })
}

fn go<G: Playable>(arguments: &Arguments, order: &Order, folder: &Path) -> anyhow::Result<()> {
    let concurrency = arguments
        .concurrency
        .or_else(|| std::thread::available_parallelism().ok())
        .unwrap_or(NonZeroUsize::MIN);
    let flag = Arc::new(AtomicBool::new(false));
    interrupt::raises(&flag);
    let spsa = tune::<G>(order, folder, concurrency, &flag)?;
    interrupt::ends();
    let text = if arguments.json { as_json(order, &spsa) } else { as_text(order, &spsa) };
    io::stdout().write_all(text.as_bytes())?;
    if spsa.done() < order.iterations {
        let shown = folder.display();
        let what = format!(
            "interrupted after {} iterations; go on with: secateur tune --resume {shown}",
            spsa.done()
        );
        return Err(Interrupted(what).into());
    }
    Ok(())
}

fn as_text(order: &Order, spsa: &Spsa) -> String {
    let mut text = format!("{:<32}{:>10}{:>10}\n", "parameter", "before", "after");
    for (parameter, value) in order.parameters.iter().zip(spsa.values()) {
        text += &format!("{:<32}{:>10}{value:>10.1}\n", parameter.name, parameter.start);
    }
    let start: Vec<i32> = order.parameters.iter().map(|parameter| parameter.start).collect();
    text += &format!(
        "\nto see whether it is better:\n  secateur match --game {} --nodes {} --sprt elo0=0,elo1=5 \\\n    \
         --engine \"{}\" \\\n    --engine \"{}\"\n",
        order.game,
        order.nodes,
        order.spec("tuned", &spsa.rounded()),
        order.spec("before", &start),
    );
    text
}

fn as_json(order: &Order, spsa: &Spsa) -> String {
    let parameters = order.parameters.iter().zip(spsa.values().iter().zip(spsa.rounded()));
    let parameters = parameters.map(|(parameter, (value, rounded))| {
        json!({
            "name": parameter.name,
            "before": parameter.start,
            "after": rounded,
            "value": value,
        })
    });
    let all = json!({
        "iterations": spsa.done(),
        "games": 2 * order.pairs * spsa.done(),
        "parameters": parameters.collect::<Vec<_>>(),
    });
    format!("{all:#}\n")
}
