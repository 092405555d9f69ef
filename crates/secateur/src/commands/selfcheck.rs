//! `secateur selfcheck`: whether the laboratory tells the truth on this machine.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use clap::Args;
use secateur_games::playable::Playable;
use secateur_lab::contest::date;
use secateur_lab::selfcheck::{self, Checked, Job};
use secateur_lab::{cores, interrupt};
use secateur_search::Notation;
use serde_json::json;

use crate::failure::{CheckFailed, Interrupted};
use crate::games::{GameName, with_game};
use crate::options::GameArguments;

/// Arguments of `selfcheck`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur selfcheck                     some minutes, with everything else quiet
  secateur selfcheck --game othello
  secateur selfcheck --resume runs/2026-11-05-selfcheck

The same engine against itself must come out even: exactly at fixed nodes, and on a clock within
what chance does in all but one of a thousand runs. A side with nine tenths of the nodes must be found weaker; the match goes on, in legs with
other nodes, until a sequential test decides or the legs are over. Two searches at once should be as
fast as one; half as fast is an error. Exit status 1 if one of these is not so.")]
pub(super) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Nodes for each move where nodes are fixed
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u64).range(20..))]
    nodes: u64,
    /// Games of the even match at fixed nodes
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(2..))]
    even_games: u64,
    /// The clock of the even match on a clock
    #[arg(long, value_name = "CLOCK", default_value = "1+0.01")]
    tc: String,
    /// Games of the even match on a clock
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u64).range(2..))]
    clock_games: u64,
    /// Legs of the handicap match at most
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u64).range(1..))]
    legs: u64,
    /// Games of each leg
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(2..))]
    leg_games: u64,
    /// Games at once [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,
    /// The folder for the matches, which must be new or empty [default: one in runs/]
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    out: Option<PathBuf>,
    /// Go on with the checks in this folder; everything else is taken from there
    #[arg(
        long, value_name = "DIR",
        conflicts_with_all = [
            "game", "nodes", "even_games", "tc", "clock_games", "legs", "leg_games", "concurrency",
        ],
    )]
    resume: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let (job, folder) = match &arguments.resume {
        Some(folder) => (Job::read(folder)?, folder.clone()),
        None => {
            let job = job(arguments);
            let folder = arguments.out.clone().unwrap_or_else(new_folder);
            job.begin(&folder)?;
            (job, folder)
        }
    };
    let game = GameName::called(&job.game)?;
    with_game!(game, G => check::<G>(&job, &folder, arguments.json))
}

fn job(arguments: &Arguments) -> Job {
    Job {
        kind: selfcheck::KIND.to_string(),
        game: with_game!(arguments.game.game, G => G::NAME).to_string(),
        concurrency: arguments.concurrency.map_or_else(cores::count, usize::from),
        nodes: arguments.nodes,
        even_games: arguments.even_games,
        clock: arguments.tc.clone(),
        clock_games: arguments.clock_games,
        legs: arguments.legs,
        leg_games: arguments.leg_games,
    }
}

fn check<G: Playable>(job: &Job, folder: &Path, as_json: bool) -> anyhow::Result<()> {
    let ours = std::env::current_exe().context("this program cannot be found")?;
    let flag = Arc::new(AtomicBool::new(false));
    interrupt::raises(&flag);
    let mut output = io::stdout();
    let all = selfcheck::run::<G>(job, folder, &ours, &flag, &mut |checked| {
        if !as_json {
            // What is wrong with the output shows when the last line is written.
            let _ = writeln!(output, "{}", line(checked));
        }
    });
    let shown = folder.display();
    let all = match all {
        Err(error) if error.is::<selfcheck::Interrupted>() => {
            let what = format!("interrupted; go on with: secateur selfcheck --resume {shown}");
            return Err(Interrupted(what).into());
        }
        all => all?,
    };
    let wrong = all.iter().filter(|checked| !checked.right).count();
    if as_json {
        let all = json!({ "right": wrong == 0, "checks": all, "folder": folder });
        writeln!(io::stdout(), "{all:#}")?;
    } else {
        writeln!(io::stdout(), "kept in {shown}")?;
    }
    match wrong {
        0 => Ok(()),
        wrong => Err(CheckFailed(format!("{wrong} of {} checks are wrong", all.len())).into()),
    }
}

fn line(checked: &Checked) -> String {
    let verdict = if checked.right { "right" } else { "WRONG" };
    format!("{verdict}  {:<38}  {}", checked.name, checked.saw)
}

/// One in `runs/` that is not there yet.
fn new_folder() -> PathBuf {
    let day = date::moment(date::now()).date('-');
    let first = PathBuf::from(format!("runs/{day}-selfcheck"));
    let numbered = (2..).map(|number| PathBuf::from(format!("runs/{day}-selfcheck-{number}")));
    [first].into_iter().chain(numbered).find(|folder| !folder.exists()).unwrap_or_default()
}
