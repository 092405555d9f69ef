//! `secateur reproduce`: an experiment of a paper, rerun.

use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};
use clap::Args;
use secateur_games::problem::ProblemFiles;
use secateur_lab::reproduce::setting::{Begun, KIND};
use secateur_lab::reproduce::{EXPERIMENTS, Experiment, Setting, find, run as rerun};
use secateur_lab::suite::conduct::from_anywhere;
use secateur_lab::{cores, interrupt};
use secateur_search::Notation;

use crate::failure::{CheckFailed, Interrupted};
use crate::games::{GameName, with_game};
use crate::options::GameArguments;

/// Arguments of `reproduce`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur reproduce                        list what can be rerun
  secateur reproduce ab-equiv
  secateur reproduce abyss-1a --scale 0.1 --data suites
  secateur reproduce null-variants --data suites --out run --json
  secateur reproduce --resume run

The paper's figures stand beside ours, with their errors, and what must come out the same way is
checked: exit status 1 if it does not. --scale makes positions and games fewer, and below 1 some depths
smaller. Public suites are not part of this program: an experiment says which it is about and where it
looked for it, and where others would do it takes tactical positions that come with the program.")]
pub(super) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Which experiment; without one, they are listed
    #[arg(value_name = "ID", conflicts_with = "resume")]
    id: Option<String>,
    /// How much of it: 1 for all
    #[arg(long, value_name = "SHARE", default_value_t = 1.0, value_parser = share, conflicts_with = "resume")]
    scale: f64,
    /// Where public suites are
    #[arg(long, value_name = "DIR", default_value = "data", conflicts_with = "resume")]
    data: PathBuf,
    /// Positions or games at once [default: one for each processor]
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZeroUsize>,
    /// The folder for the run, which must be new or empty [default: none is kept]
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    out: Option<PathBuf>,
    /// Go on with the run in this folder
    #[arg(long, value_name = "DIR", conflicts_with = "game")]
    resume: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| format!("'{text}' is no number"))?;
    match share > 0.0 && share <= 100.0 {
        true => Ok(share),
        false => Err("it must be above 0 and not above 100".to_string()),
    }
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let begun = match (&arguments.resume, &arguments.id) {
        (Some(folder), _) => Begun::read(folder)?,
        (None, Some(id)) => Begun {
            kind: KIND.to_string(),
            id: id.clone(),
            game: with_game!(arguments.game.game, G => G::NAME).to_string(),
            scale: arguments.scale,
            data: from_anywhere(&arguments.data),
        },
        (None, None) => {
            let list: String = EXPERIMENTS.iter().map(listed).collect();
            io::stdout().write_all(list.as_bytes())?;
            return Ok(());
        }
    };
    let Some(experiment) = find(&begun.id) else {
        let names: Vec<&str> = EXPERIMENTS.iter().map(|known| known.id).collect();
        bail!("no experiment is called {}; there are {}", begun.id, names.join(", "));
    };
    if experiment.game == Some("chess") && begun.game != "chess" {
        bail!("{} is an experiment in chess, not in {}", experiment.id, begun.game);
    }
    let game = GameName::called(&begun.game)?;
    with_game!(game, G => go::<G>(arguments, experiment, &begun))
}

fn listed(experiment: &Experiment) -> String {
    let needs = match experiment.suite {
        None => String::new(),
        Some(file) if experiment.any_will_do => format!(" (best with {file})"),
        Some(file) => format!(" (needs {file})"),
    };
    format!("{:<16}{}{needs}\n", experiment.id, experiment.about)
}

fn go<G: ProblemFiles>(
    arguments: &Arguments,
    experiment: &Experiment,
    begun: &Begun,
) -> anyhow::Result<()> {
    let flag = Arc::new(AtomicBool::new(false));
    let temporary = std::env::temp_dir().join(format!("secateur-reproduce-{}", std::process::id()));
    let kept = arguments.resume.as_ref().or(arguments.out.as_ref());
    let folder = kept.unwrap_or(&temporary);
    let setting = Setting {
        scale: begun.scale,
        data: begun.data.clone(),
        folder: from_anywhere(folder),
        ours: std::env::current_exe().context("this program cannot be found")?,
        concurrency: arguments.concurrency.map_or_else(cores::count, NonZeroUsize::get),
        interrupt: Arc::clone(&flag),
    };
    // What is not there is told before anything is written.
    if let Some(suite) = experiment.suite
        && !experiment.any_will_do
    {
        setting.find(suite)?;
    }
    if arguments.resume.is_none() {
        begun.write(folder)?;
    }
    interrupt::raises(&flag);
    let found = rerun::<G>(experiment, &setting);
    interrupt::ends();
    // What cannot be removed is left to the system.
    let _ = fs::remove_dir_all(&temporary);
    if flag.load(Ordering::Relaxed) {
        let words = match kept {
            Some(folder) => {
                format!("interrupted; go on with: secateur reproduce --resume {}", folder.display())
            }
            None => "interrupted, and nothing was kept: --out keeps it".to_string(),
        };
        return Err(Interrupted(words).into());
    }
    let outcome = found?;
    let text = match arguments.json {
        true => format!("{:#}\n", outcome.as_json(experiment.id)),
        false => outcome.as_text(),
    };
    io::stdout().write_all(text.as_bytes())?;
    match outcome.holds() {
        true => Ok(()),
        false => Err(CheckFailed("what must come out the same way does not".to_string()).into()),
    }
}
