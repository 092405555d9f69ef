//! `secateur tune`: parameters of the search, tuned by play.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail};
use clap::Args;
use secateur_games::playable::Playable;
use secateur_lab::contest::SprtGiven;
use secateur_lab::contest::configuration::ModelGiven;
use secateur_lab::contest::run::Ended;
use secateur_lab::engine::{EngineSettings, EngineSpec, GivenLimits, TimeControl, own};
use secateur_lab::reads::why_unread;
use secateur_lab::tune::run::{check, run as tune};
use secateur_lab::tune::spsa::Spsa;
use secateur_lab::tune::validate::{Validation, validate};
use secateur_lab::tune::{KIND, Order, Parameter, usual_test, usual_validation_games};
use secateur_lab::{cores, interrupt};
use secateur_search::params::{SetError, Value};
use secateur_search::{Kind, Notation, Settings};

use crate::failure::Interrupted;
use crate::games::{GameName, with_game};
use crate::options::GameArguments;
use crate::tuning;

/// Arguments of `tune`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur tune late_moves null_move --nodes 3000 --iterations 5000 --out tuned
  secateur tune futility.base futility.slope --game othello --nodes 1000 --out tuned
  secateur tune clock --tc 2+0.02 --out tuned
  secateur tune --resume tuned
  secateur tune --resume tuned --iterations 10000
  secateur report tuned --open                    walks, landscapes, verdict

A name is a parameter, or a technique with all its numbers. In each iteration all of them are
moved at once, up or down by their steps (--reach), and the two sets play pairs of games; the winner's
direction is followed (simultaneous perturbation). Then the values, rounded, play the untuned ones
under the same conditions until a sequential test decides or --validation-games are over: believe
only that. At fixed nodes each opening is played but once with either colour, for it would be the
same game again.

Ctrl-C, or even a crash, loses only the iteration or the games in progress: --resume goes on. The
folder holds run.toml, iterations.jsonl and, as a match, validation-N for the values after N
iterations.")]
pub(super) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// What to tune
    #[arg(value_name = "NAME", required_unless_present = "resume", conflicts_with = "resume")]
    names: Vec<String>,
    /// Settings of both sides, as in an engine's description
    #[arg(long, value_name = "SETTINGS", default_value = "hash=4", conflicts_with = "resume")]
    each: String,
    /// Nodes for each move [default: 3000]
    #[arg(long, value_name = "N", conflicts_with_all = ["resume", "tc"], value_parser = clap::value_parser!(u64).range(50..=i64::MAX as u64))]
    nodes: Option<u64>,
    /// A clock instead: seconds+increment or moves/seconds, as in 2+0.02
    #[arg(long, value_name = "CLOCK", conflicts_with = "resume")]
    tc: Option<String>,
    /// Iterations in all [default: 5000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    iterations: Option<u64>,
    /// Pairs of games in each iteration
    #[arg(long, value_name = "N", default_value_t = 4, conflicts_with = "resume", value_parser = clap::value_parser!(u64).range(1..=1_000))]
    pairs: u64,
    /// How many of its steps a parameter is moved up and down: more is seen sooner, but less finely
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=20), conflicts_with = "resume")]
    reach: u8,
    /// How far a parameter moves by one won pair at the end, in hundredths of that
    #[arg(long, value_name = "N", default_value_t = 5, conflicts_with = "resume", value_parser = clap::value_parser!(u16).range(1..=200))]
    rate: u16,
    /// Where perturbations and openings come from
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "resume", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: u64,
    /// Games of tuned against untuned at the end, at most; 0 for none [default: 4000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=1_000_000_000))]
    validation_games: Option<u64>,
    /// The test that ends them [default: elo0=0,elo1=5], in normalised Elo
    #[arg(long, value_name = "TEST", allow_hyphen_values = true, conflicts_with = "resume")]
    sprt: Option<String>,
    /// Games at once [default: one for each processor]
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZeroUsize>,
    /// The folder for the run, which must be new or empty
    #[arg(long, value_name = "DIR", required_unless_present = "resume", conflicts_with = "resume")]
    out: Option<PathBuf>,
    /// Go on with the run in this folder
    #[arg(long, value_name = "DIR", conflicts_with = "game")]
    resume: Option<PathBuf>,
    /// With a clock, use more threads than there are cores
    #[arg(long)]
    force: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let (order, folder) = match (&arguments.resume, &arguments.out) {
        (Some(folder), _) => {
            let order = Order::read(folder)?;
            let validation_games = arguments.validation_games.unwrap_or(order.validation_games);
            let iterations = arguments.iterations.unwrap_or(order.iterations);
            if iterations < order.iterations {
                bail!(
                    "{} iterations were asked for before: a run gets longer, not shorter",
                    order.iterations
                );
            }
            (Order { iterations, validation_games, ..order }, folder)
        }
        (None, Some(folder)) => (order(arguments)?, folder),
        (None, None) => bail!("--out says where to keep the run"),
    };
    let game = GameName::called(&order.game)?;
    with_game!(game, G => go::<G>(arguments, &order, folder))
}

/// Everything that was asked for, checked.
fn order(arguments: &Arguments) -> anyhow::Result<Order> {
    let each = EngineSettings::parse(&arguments.each).context("--each")?;
    if each.limits != GivenLimits::default() {
        bail!("--each: how long the sides think is said by --nodes or --tc");
    }
    if let Some(clock) = &arguments.tc
        && TimeControl::parse(clock).context("--tc")?.is_none()
    {
        bail!("--tc: without a clock no game would end");
    }
    // Both sides begin with what their settings give.
    let spec = EngineSpec::parse(&format!("secateur {}", arguments.each)).context("--each")?;
    let overlay = own::overlay(&spec).context("--each")?;
    let settings =
        with_game!(arguments.game.game, G => overlay.served_by::<G>().context("--each")?);
    let timed = arguments.tc.is_some();
    let unread =
        |name: &str| with_game!(arguments.game.game, G => why_unread::<G>(&settings, name, timed));
    let mut parameters: Vec<Parameter> = Vec::new();
    for name in &arguments.names {
        let group = format!("{name}.");
        let mut known = false;
        // Why the first of them that nobody reads is not read, and whether any is.
        let (mut reason, mut any_read) = (None, false);
        for spec in Settings::specs() {
            let Kind::Number { min, max, step, .. } = spec.kind else { continue };
            if spec.name != name && !spec.name.starts_with(&group) {
                continue;
            }
            let Some(Value::Number(start)) = settings.get(spec.name) else { continue };
            known = true;
            if let Some(why) = unread(spec.name) {
                reason.get_or_insert(why);
                continue;
            }
            any_read = true;
            // A parameter may be named by itself and by its technique.
            if !parameters.iter().any(|parameter| parameter.name == spec.name) {
                let step = step * i32::from(arguments.reach);
                parameters.push(Parameter { name: spec.name.to_string(), start, min, max, step });
            }
        }
        if !known {
            return Err(no_number(name));
        }
        // Of a technique, what its form does not read is left as it is.
        if let Some(why) = reason.filter(|_| !any_read) {
            bail!("{name} would change nothing: {why}");
        }
    }
    let sprt = arguments.sprt.as_deref();
    let sprt = sprt.map(|text| SprtGiven::parse(text, ModelGiven::Normalized)).transpose();
    let sprt = sprt.map_err(|what| anyhow::anyhow!("--sprt: {what}"))?;
    Ok(Order {
        kind: KIND.to_string(),
        game: with_game!(arguments.game.game, G => G::NAME).to_string(),
        each: arguments.each.clone(),
        nodes: arguments.nodes.or(arguments.tc.is_none().then_some(3_000)),
        tc: arguments.tc.clone(),
        iterations: arguments.iterations.unwrap_or(5_000),
        pairs: arguments.pairs,
        seed: arguments.seed,
        rate: f64::from(arguments.rate) / 100.0,
        validation_games: arguments.validation_games.unwrap_or(usual_validation_games()),
        sprt: sprt.unwrap_or(usual_test()),
        parameters,
    })
}

/// What is to be said of a name that no number has.
fn no_number(name: &str) -> anyhow::Error {
    let mut others = Settings::default();
    let lists = "`secateur params` lists them all";
    match others.set(name, "") {
        Err(SetError::Unknown { nearest: Some(nearest), .. }) => {
            anyhow::anyhow!("no number is called {name}; did you mean {nearest}? {lists}")
        }
        Err(SetError::Unknown { .. }) | Ok(()) => {
            anyhow::anyhow!("no number is called {name}; {lists}")
        }
        Err(_) => anyhow::anyhow!("{name} is a switch, and has no numbers; {lists}"),
    }
}

fn go<G: Playable>(arguments: &Arguments, order: &Order, folder: &Path) -> anyhow::Result<()> {
    let ours = std::env::current_exe().context("this program cannot be found")?;
    let concurrency = arguments.concurrency.map_or_else(|| usual_concurrency(order), Ok)?;
    let contest = check::<G>(order, concurrency, arguments.force, &ours)?;
    if arguments.resume.is_none() {
        order.begin(folder)?;
    }
    let flag = Arc::new(AtomicBool::new(false));
    interrupt::raises(&flag);
    let spsa = tune::<G>(order, folder, &contest, &flag)?;
    let mut output = io::stdout();
    if !arguments.json {
        output.write_all(tuning::table(order, &spsa).as_bytes())?;
    }
    let validation = match spsa.done() < order.iterations {
        true => None,
        false => {
            if !arguments.json {
                let words = tuning::announcement::<G>(order, &spsa, folder);
                output.write_all(words.as_bytes())?;
            }
            Some(validate::<G>(order, folder, &spsa, concurrency.get(), &ours, &flag)?)
        }
    };
    interrupt::ends();
    if arguments.json {
        let all = tuning::as_json(order, &spsa, folder, validation.as_ref());
        writeln!(output, "{all:#}")?;
    } else {
        if let Some(validation) = &validation {
            let words = tuning::validation_text(order, &spsa, folder, validation);
            output.write_all(words.as_bytes())?;
        }
        writeln!(output, "\nwalks and landscapes: secateur report {} --open", folder.display())?;
    }
    match interrupted(&spsa, validation.as_ref()) {
        None => Ok(()),
        Some(when) => Err(Interrupted(format!(
            "interrupted {when}; go on with: secateur tune --resume {}",
            folder.display()
        ))
        .into()),
    }
}

/// A game for each processor; with a clock, no more than there are processors for.
fn usual_concurrency(order: &Order) -> anyhow::Result<NonZeroUsize> {
    let threads = match order.tc {
        Some(_) => EngineSettings::parse(&order.each).context("each")?.threads.unwrap_or(1),
        None => 1,
    };
    let games = cores::count() / threads.max(1) as usize;
    Ok(NonZeroUsize::new(games).unwrap_or(NonZeroUsize::MIN))
}

/// When somebody ended it, if somebody did.
fn interrupted<G: Playable>(spsa: &Spsa, validation: Option<&Validation<G>>) -> Option<String> {
    match validation {
        None => Some(format!("after {} iterations", spsa.done())),
        Some(Validation::Interrupted) => Some("before the validation".to_string()),
        Some(Validation::Played(played)) if played.finish.ended == Ended::Interrupted => {
            Some(format!("after {} games of the validation", played.finish.tally.games()))
        }
        Some(_) => None,
    }
}
