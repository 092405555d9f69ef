//! A run's folder as one page for a browser: no network, no other file, complete without scripts.
//!
//! | file | idea |
//! |---|---|
//! | `folder` | `run.toml` and files of JSON lines, torn or broken ones included |
//! | `game`, `tally` | a line of `games.jsonl`; all of them, counted |
//! | `match_page` | the parts of a match's page |
//! | `verdict`, `course` | two engines: in words and numbers; the score while it went on |
//! | `tournament` | more engines: ratings, everyone against everyone |
//! | `openings`, `endings` | what the openings did; colours, lengths, reasons |
//! | `effort`, `calibration` | time, depth and speed; what a score was worth |
//! | `games` | the list of games, faults with their evidence |
//! | `position`, `solving` | a line of `results.jsonl`; all of them, side by side |
//! | `suite_page`, `suite_charts` | the page of suites and its drawings |
//! | `tune_page`, `tune_charts` | the page of a tuning and its drawings |
//! | `ablate_page` | the page of an ablation |
//! | `calibrate_page` | the page of a calibration |
//! | `plot` | drawings as SVG |
//! | `html`, `numbers` | the page, its tables, escaping; short numbers |

mod ablate_page;
mod calibrate_page;
mod calibration;
mod course;
mod effort;
mod endings;
mod folder;
mod game;
mod games;
mod html;
mod match_page;
mod numbers;
mod openings;
mod plot;
mod position;
mod rank_page;
mod solving;
mod suite_charts;
mod suite_page;
mod tally;
mod tournament;
mod tune_charts;
mod tune_page;
mod verdict;

use std::path::Path;

/// A page, and what its reader is told about the data.
pub struct Report {
    /// The whole page.
    pub html: String,
    /// Lines that were left out, and the like; they stand on the page too.
    pub notes: Vec<String>,
}

/// Makes the page of the run in a folder, whether the run is finished or not.
pub fn report(folder: &Path) -> anyhow::Result<Report> {
    let run = folder::Run::read(folder)?;
    let page = match run.kind {
        folder::Kind::Match => match_page::page(&run)?,
        folder::Kind::Suite => suite_page::page(&run)?,
        folder::Kind::Tune => tune_page::page(&run)?,
        folder::Kind::Ablate => ablate_page::page(&run)?,
        folder::Kind::Calibrate => calibrate_page::page(&run)?,
        folder::Kind::Ranks => rank_page::page(&run)?,
    };
    Ok(Report { html: page.render(), notes: page.notes })
}

/// Colours that can be told apart; beyond them nothing is drawn.
const COLOURS: usize = 8;

/// The class of an engine's colour.
fn colour(engine: usize) -> &'static str {
    ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"].get(engine).copied().unwrap_or("c8")
}

/// The engines of a run, for its title.
fn names(engines: &[String]) -> String {
    let short: Vec<String> = engines.iter().map(|name| html::cut(name, 60)).collect();
    match short.as_slice() {
        [] => "A run without results".to_string(),
        [one] => one.clone(),
        [first, second] => format!("{first} – {second}"),
        [first, second, rest @ ..] if rest.len() <= 2 => {
            format!("{first}, {second}, {}", rest.join(", "))
        }
        [first, second, rest @ ..] => format!("{first}, {second} and {} more", rest.len()),
    }
}
