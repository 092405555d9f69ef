//! A whole match in a folder: begun there, or gone on with if it was begun before.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, anyhow, bail};
use secateur_games::playable::Playable;

use super::folder::{self, Folder};
use super::prepare::prepare;
use super::run::{Ended, Finish, run};
use super::team::rehearse;
use super::{Configuration, summary};
use crate::progress::Progress;

/// Plays the match, with a progress bar, and says what became of it. The folder is part of a
/// larger run: one that holds another match is refused, one that was made and not begun is emptied.
pub fn conduct<G: Playable>(
    path: &Path,
    configuration: Configuration,
    ours: &Path,
    interrupt: &Arc<AtomicBool>,
) -> anyhow::Result<Finish> {
    let contest = prepare::<G>(configuration, ours)?;
    let (mut folder, done) = if folder::is_begun(path) {
        let begun = folder::read_run(path)?;
        if begun.configuration != contest.configuration {
            bail!("{} holds another match", path.display());
        }
        Folder::resume(path, &begun, &contest)?
    } else {
        if path.exists() {
            fs::remove_dir_all(path).with_context(|| format!("{}", path.display()))?;
        }
        (Folder::create(path, &contest)?, Vec::new())
    };
    let (team, warnings) = rehearse(&contest, interrupt).map_err(|error| anyhow!("{error}"))?;
    for warning in warnings {
        // A standard error that cannot be written leaves nowhere to complain.
        let _ = writeln!(io::stderr(), "warning: {warning}");
    }
    let progress = Progress::talking(contest.plan.games(), "games");
    progress.resume(done.len() as u64);
    let finish = run(&contest, &mut folder, &done, team, interrupt, &mut |tally| {
        progress.advance();
        if !progress.is_hidden() {
            progress.say(summary::in_short(&contest, tally));
        }
    })?;
    progress.finish();
    match &finish.ended {
        Ended::Failed(what) => bail!("{what}"),
        _ => Ok(finish),
    }
}
