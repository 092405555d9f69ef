//! A whole match in a folder: begun there, or gone on with if it was begun before.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, anyhow, bail};
use secateur_games::playable::Playable;

use super::folder::{self, Folder, RunFile};
use super::prepare::{Contest, prepare};
use super::run::{Ended, Finish, run};
use super::team::rehearse;
use super::{Configuration, summary};
use crate::progress::Progress;

/// A match and what became of it.
pub struct Conducted<G: Playable> {
    /// Who played, and how.
    pub contest: Contest<G>,
    /// What became of it.
    pub finish: Finish,
}

/// Plays the match, with a progress bar, and says what became of it. The folder is part of a
/// larger run: one that holds another match is refused, one that was made and not begun is emptied.
pub fn conduct<G: Playable>(
    path: &Path,
    configuration: Configuration,
    ours: &Path,
    interrupt: &Arc<AtomicBool>,
) -> anyhow::Result<Conducted<G>> {
    let contest = prepare::<G>(configuration, ours)?;
    let (mut folder, done) = if folder::is_begun(path) {
        let begun = folder::read_run(path)?;
        if !goes_on_as(&begun.configuration, &contest.configuration) {
            bail!("{} holds another match", path.display());
        }
        let opened = Folder::resume(path, &begun, &contest)?;
        if begun.configuration != contest.configuration {
            let configuration = contest.configuration.clone();
            folder::write_run(path, &RunFile { configuration, ..begun })?;
        }
        opened
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
        _ => Ok(Conducted { contest, finish }),
    }
}

/// Whether a match that was begun can go on as the other one: with more games, or with more of
/// them at once, those that were played stay what they are.
fn goes_on_as(begun: &Configuration, wanted: &Configuration) -> bool {
    let as_long = match (begun.games, wanted.games) {
        (Some(begun), Some(wanted)) => begun <= wanted,
        (_, None) => true,
        (None, Some(_)) => false,
    };
    let same = Configuration {
        games: wanted.games,
        concurrency: wanted.concurrency,
        force: wanted.force,
        ..begun.clone()
    };
    as_long && same == *wanted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::adjudicate::Rules;

    fn configuration() -> Configuration {
        Configuration {
            engines: vec!["secateur name=a".to_string(), "secateur name=b".to_string()],
            each: None,
            tc: None,
            nodes: Some(100),
            depth: None,
            movetime: None,
            openings: None,
            games: Some(40),
            gauntlet: false,
            seed: 1,
            concurrency: 1,
            margin: 10,
            patience: 600,
            force: true,
            sprt: None,
            adjudication: Rules::default(),
            tablebases: None,
        }
    }

    #[test]
    fn a_match_goes_on_with_more_games_or_more_at_once_and_with_no_other_change() {
        let begun = configuration();
        let goes_on = |wanted: &Configuration| goes_on_as(&begun, wanted);
        assert!(goes_on(&begun));
        assert!(goes_on(&Configuration { games: Some(42), concurrency: 2, ..configuration() }));
        assert!(!goes_on(&Configuration { games: Some(38), ..configuration() }));
        assert!(!goes_on(&Configuration { nodes: Some(101), ..configuration() }));
        assert!(!goes_on(&Configuration { seed: 2, ..configuration() }));
    }
}
