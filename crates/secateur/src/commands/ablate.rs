//! `secateur ablate`: what each technique is worth.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};
use clap::Args;
use secateur_games::problem::ProblemFiles;
use secateur_lab::ablate::confirm::confirm;
use secateur_lab::ablate::costs::costs;
use secateur_lab::ablate::effects::effects;
use secateur_lab::ablate::run::{check, run as play};
use secateur_lab::ablate::{KIND, Order, techniques_on};
use secateur_lab::engine::{EngineSettings, EngineSpec, GivenLimits, own};
use secateur_lab::suite::conduct::from_anywhere;
use secateur_lab::suite::files;
use secateur_lab::{cores, interrupt};
use secateur_search::Notation;

use crate::ablation::{Ablation, as_json, as_text, not_asked_for};
use crate::failure::Interrupted;
use crate::games::{GameName, with_game};
use crate::options::GameArguments;

/// Arguments of `ablate`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur ablate --each preset=modern --nodes 5000 --games 2000 --out ablation
  secateur ablate --game othello --nodes 2000 --games 4000 --out ablation
  secateur ablate --only null_move --only late_moves --games 1000 --out ablation
  secateur ablate --suite wac.epd --depth 9 --games 2000 --confirm 400 --out ablation
  secateur ablate --resume ablation --games 20000
  secateur ablate --resume ablation --confirm 400 --suite wac.epd
  secateur report ablation --open                 the table with its error bars

In each pair of games every technique is off on either side with some chance (--off), drawn apart, and
the results are explained by what one side had and the other had not. So one set of games tells the
worth of all techniques at once, and of each two together: a negative worth together means that they
do the same work. \"Not decided\" means that more games are needed, not that it is worth nothing. A
technique that does nothing without another (hindsight without late_moves) is told where that is on.

With --confirm, each technique that comes out beyond 10 Elo plays a match of its own, with everything
against without it, from fresh openings: the design begins from those that come with the program, and
as many others are made for the matches. With --suite, positions are searched to --depth with
everything and without each. Either may be asked for later, with --resume.

Ctrl-C, or even a crash, loses only the games in progress: --resume goes on. The folder holds run.toml,
pairs.jsonl, a match for each confirmation with its openings, and the suite.")]
pub(super) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Settings of both sides, as in an engine's description
    #[arg(long, value_name = "SETTINGS", default_value = "hash=4", conflicts_with = "resume")]
    each: String,
    /// Only this technique, and others so named [default: all that are on]
    #[arg(long, value_name = "NAME", conflicts_with = "resume")]
    only: Vec<String>,
    /// Nodes for each move
    #[arg(long, value_name = "N", default_value_t = 5_000, conflicts_with = "resume", value_parser = clap::value_parser!(u64).range(50..=i64::MAX as u64))]
    nodes: u64,
    /// Games in all [default: 2000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=100_000_000))]
    games: Option<u64>,
    /// The chance that a technique is off, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 20, conflicts_with = "resume", value_parser = clap::value_parser!(u8).range(1..=99))]
    off: u8,
    /// Where draws and openings come from
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "resume", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: u64,
    /// Games of a match for each technique that is worth more than 10 Elo [default: none]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=1_000_000))]
    confirm: Option<u64>,
    /// A file of positions with known best moves, to be searched with and without each technique
    #[arg(long, value_name = "FILE")]
    suite: Vec<PathBuf>,
    /// How deep [default: 8]
    #[arg(long, value_name = "PLIES", requires = "suite", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Games at once [default: one for each processor]
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZeroUsize>,
    /// The folder for the run, which must be new or empty
    #[arg(long, value_name = "DIR", required_unless_present = "resume", conflicts_with = "resume")]
    out: Option<PathBuf>,
    /// Go on with the run in this folder
    #[arg(long, value_name = "DIR", conflicts_with = "game")]
    resume: Option<PathBuf>,
    /// Print one JSON object, totals first
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let (order, folder) = match (&arguments.resume, &arguments.out) {
        (Some(folder), _) => {
            let order = Order::read(folder)?;
            let games = arguments.games.unwrap_or(order.games);
            if games < order.games {
                bail!(
                    "{} games were asked for before: a run gets longer, not shorter",
                    order.games
                );
            }
            if !arguments.suite.is_empty() && !order.suites.is_empty() {
                bail!("--suite: the run has positions already, and others would be another run");
            }
            let confirm = arguments.confirm.unwrap_or(order.confirm);
            let (suites, depth) = match arguments.suite.is_empty() {
                true => (order.suites.clone(), order.depth),
                false => positions(arguments),
            };
            (Order { games, confirm, suites, depth, ..order }, folder)
        }
        (None, Some(folder)) => (order(arguments)?, folder),
        (None, None) => bail!("--out says where to keep the run"),
    };
    let game = GameName::called(&order.game)?;
    with_game!(game, G => go::<G>(arguments, &order, folder))
}

/// Files of positions, and how deep they are to be searched.
fn positions(arguments: &Arguments) -> (Vec<PathBuf>, u32) {
    let files = arguments.suite.iter().map(|file| from_anywhere(file)).collect();
    (files, arguments.depth.unwrap_or(8))
}

/// Everything that was asked for, checked.
fn order(arguments: &Arguments) -> anyhow::Result<Order> {
    let each = EngineSettings::parse(&arguments.each).context("--each")?;
    if each.limits != GivenLimits::default() {
        bail!("--each: how long the sides think is said by --nodes");
    }
    let spec = EngineSpec::parse(&format!("secateur {}", arguments.each)).context("--each")?;
    let overlay = own::overlay(&spec).context("--each")?;
    let settings = with_game!(arguments.game.game, G => overlay.served_by::<G>()?);
    let on = techniques_on(&settings);
    let mut techniques: Vec<String> = Vec::new();
    for name in &arguments.only {
        if !on.contains(&name.as_str()) {
            bail!("--only {name}: it is no technique that is on; those are {}", on.join(", "));
        }
        if !techniques.contains(name) {
            techniques.push(name.clone());
        }
    }
    if arguments.only.is_empty() {
        techniques = on.iter().map(ToString::to_string).collect();
    }
    let (suites, depth) = positions(arguments);
    Ok(Order {
        kind: KIND.to_string(),
        game: with_game!(arguments.game.game, G => G::NAME).to_string(),
        each: arguments.each.clone(),
        nodes: arguments.nodes,
        games: arguments.games.unwrap_or(2_000),
        off: arguments.off,
        seed: arguments.seed,
        confirm: arguments.confirm.unwrap_or(0),
        depth,
        suites,
        techniques,
    })
}

fn go<G: ProblemFiles>(arguments: &Arguments, order: &Order, folder: &Path) -> anyhow::Result<()> {
    let ours = std::env::current_exe().context("this program cannot be found")?;
    let usual = NonZeroUsize::new(cores::count()).unwrap_or(NonZeroUsize::MIN);
    let concurrency = arguments.concurrency.unwrap_or(usual);
    let contest = check::<G>(order, concurrency, &ours)?;
    // They come last: one that cannot be read is told before the first game, not after all of them.
    files::read::<G>(&order.suites, false, &mut |_| {}).context("--suite")?;
    if arguments.resume.is_none() {
        order.begin(folder)?;
    }
    let flag = Arc::new(AtomicBool::new(false));
    interrupt::raises(&flag);
    let stopped = || flag.load(Ordering::Relaxed);
    let mut note = |what: String| {
        // A standard error that cannot be written leaves nowhere to complain.
        let _ = writeln!(io::stderr(), "note: {what}");
    };
    let played = play::<G>(order, folder, &contest, &flag, &mut note)?;
    let effects = effects(order, &played);
    let together = concurrency.get();
    let confirmed = match stopped() {
        true => Vec::new(),
        false => confirm::<G>(order, folder, &effects, together, &ours, &flag)?,
    };
    let costs = match stopped() {
        true => None,
        false => costs::<G>(order, folder, together, &ours, &flag, &mut note)?,
    };
    let ended_early = stopped();
    interrupt::ends();
    let ablation = Ablation::new(order, &played, effects, &confirmed, costs.as_ref());
    let mut output = io::stdout();
    if arguments.json {
        writeln!(output, "{:#}", as_json(&ablation))?;
    } else {
        output.write_all(as_text(&ablation).as_bytes())?;
        writeln!(
            output,
            "\nthe table with its error bars: secateur report {} --open",
            folder.display()
        )?;
        if let Some(words) = not_asked_for(order, folder) {
            writeln!(output, "{words}")?;
        }
    }
    if ended_early {
        let (done, folder) = (2 * played.len(), folder.display());
        let words = format!(
            "interrupted after {done} games; go on with: secateur ablate --resume {folder}"
        );
        return Err(Interrupted(words).into());
    }
    Ok(())
}
