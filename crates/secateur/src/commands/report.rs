//! `secateur report`: a run's folder as one page for a browser.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use secateur_lab::report;
use secateur_lab::whole_file;

use crate::failure::{CheckFailed, one_line};

/// Arguments of `report`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur report runs/null-move                writes runs/null-move/report.html
  secateur report runs/null-move --open         and shows it in the browser
  secateur report runs/wac --out wac.html
  secateur report tuned                         of a tuning: walks, landscapes, validation
  secateur report ablation                      what each technique is worth, with error bars

The folder is one that match, suite, tune, ablate, calibrate probcut or calibrate rankcut wrote, finished
or still going on; of a sweep, a match of its folder. The page is one file that needs no network. Lines that cannot be read are left out and named, on the page and here.")]
pub(super) struct Arguments {
    /// The folder of the run, which holds run.toml
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The file to write instead of DIR/report.html; it appears when it is complete
    #[arg(long, short, value_name = "FILE.html")]
    out: Option<PathBuf>,
    /// Show the page in the browser
    #[arg(long)]
    open: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let page = report::report(&arguments.folder)?;
    let path = arguments.out.clone().unwrap_or_else(|| arguments.folder.join("report.html"));
    whole_file::write(&path, |output| Ok(output.write_all(page.html.as_bytes())?))?;
    for note in &page.notes {
        // A standard error that cannot be written leaves nowhere to complain.
        let _ = writeln!(io::stderr(), "note: {}", one_line(note));
    }
    writeln!(io::stdout(), "{}", path.display())?;
    if arguments.open {
        open(&path)?;
    }
    Ok(())
}

/// Asks the system to show the page.
fn open(path: &Path) -> anyhow::Result<()> {
    let path = std::path::absolute(path)?;
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        Command::new("explorer")
    } else {
        Command::new("xdg-open")
    };
    let quiet = command.arg(&path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let failed = |why: String| {
        CheckFailed(format!(
            "{} is written, but no browser could be started: {why}",
            path.display()
        ))
    };
    let status = quiet.status().map_err(|error| failed(error.to_string()))?;
    // The explorer says 1 when all is well.
    if !status.success() && !cfg!(windows) {
        return Err(failed(status.to_string()).into());
    }
    Ok(())
}
