//! What every calibration is told of its run, whatever it measures: where it is kept, whether it goes on, how
//! much of the machine it may use, and in which form it tells what it found.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use secateur_lab::{cores, whole_file};
use serde_json::Value;

use crate::failure::Interrupted;

#[derive(Debug, Args)]
pub(super) struct RunArguments {
    /// Games or positions at once [default: one for each processor]
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZeroUsize>,
    /// The folder for the run, which must be new or empty [default: runs/TECHNIQUE-GAME]
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    out: Option<PathBuf>,
    /// Go on with the run in this folder, or fit it anew
    #[arg(long, value_name = "DIR", conflicts_with = "game")]
    resume: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl RunArguments {
    /// The folder of the run, and the order that it goes by: the one kept there, or a new one.
    pub(super) fn order<O>(
        &self,
        [technique, game]: [&str; 2],
        kept: impl FnOnce(&Path) -> anyhow::Result<O>,
        new: impl FnOnce() -> anyhow::Result<O>,
    ) -> anyhow::Result<(O, PathBuf)> {
        if let Some(folder) = &self.resume {
            return Ok((kept(folder)?, folder.clone()));
        }
        let usual = || PathBuf::from(format!("runs/{technique}-{game}"));
        Ok((new()?, self.out.clone().unwrap_or_else(usual)))
    }

    /// Whether a run that was begun before goes on.
    pub(super) fn goes_on(&self) -> bool {
        self.resume.is_some()
    }

    /// Jobs at once.
    pub(super) fn threads(&self) -> NonZeroUsize {
        let usual = NonZeroUsize::new(cores::count());
        self.concurrency.or(usual).unwrap_or(NonZeroUsize::MIN)
    }

    /// Writes the table whole or not at all.
    pub(super) fn keep(&self, table: &Path, text: &str) -> anyhow::Result<()> {
        whole_file::write(table, |out| Ok(out.write_all(text.as_bytes())?))
    }

    /// Sees to it that no table of an earlier fit stands for one that could not be made.
    pub(super) fn drop_table(&self, table: &Path) -> anyhow::Result<()> {
        match fs::remove_file(table) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(error).with_context(|| format!("{} cannot be removed", table.display()))
            }
            _ => Ok(()),
        }
    }

    /// Says what was found, as a text or as one object, which also tells the file of the table, if one could
    /// be made.
    pub(super) fn tell(
        &self,
        table: Option<&Path>,
        json: impl FnOnce() -> Value,
        text: impl FnOnce() -> String,
    ) -> anyhow::Result<()> {
        let with_table = |mut found: Value| {
            found["table"] = table.map(|path| path.display().to_string()).into();
            found
        };
        let words = if self.json { format!("{:#}\n", with_table(json())) } else { text() };
        Ok(io::stdout().write_all(words.as_bytes())?)
    }

    /// The end of a run: how to go on if it was stopped before it was done.
    pub(super) fn end(&self, stopped: bool, technique: &str, folder: &Path) -> anyhow::Result<()> {
        if !stopped {
            return Ok(());
        }
        let folder = folder.display();
        let words =
            format!("interrupted; go on with: secateur calibrate {technique} --resume {folder}");
        Err(Interrupted(words).into())
    }
}
