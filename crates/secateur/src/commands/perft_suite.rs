//! `secateur perft --suite`: leaf counts against files of known ones.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use anyhow::{anyhow, bail};
use secateur_games::chess::Chess;
use secateur_games::chess::perft_suite::{PerftCase, read_perft_file};
use secateur_games::source;
use secateur_lab::progress::Progress;
use secateur_lab::values::per_second;
use secateur_search::Notation;
use secateur_search::perft::Perft;
use serde_json::json;

use super::perft::totals;
use crate::failure::CheckFailed;

/// What to check and how.
pub(super) struct Job<'a> {
    pub(super) files: &'a [PathBuf],
    pub(super) depth: u32,
    pub(super) bulk: bool,
    pub(super) concurrency: Option<NonZeroUsize>,
    pub(super) json: bool,
}

/// One count of one position.
struct Check<'a> {
    case: &'a PerftCase,
    file: &'a PathBuf,
    depth: u32,
    expected: u64,
}

/// A check and what was counted instead of what was expected.
struct Mismatch<'a> {
    check: &'a Check<'a>,
    counted: u64,
}

impl Mismatch<'_> {
    fn as_text(&self) -> String {
        let Mismatch { check, counted } = self;
        format!(
            "{}, {}: depth {} has {counted} leaves instead of {}: {}\n",
            check.file.display(),
            check.case.name,
            check.depth,
            check.expected,
            check.case.position.write_position(),
        )
    }
}

pub(super) fn run(job: &Job) -> anyhow::Result<()> {
    let cases = read(job.files)?;
    let mut checks: Vec<Check> = Vec::new();
    for (file, case) in &cases {
        for &(depth, expected) in case.counts.iter().filter(|(depth, _)| *depth <= job.depth) {
            checks.push(Check { case, file, depth, expected });
        }
    }
    if checks.is_empty() {
        bail!("none of the {} positions has a count up to depth {}", cases.len(), job.depth);
    }
    // The largest first, so that no processor begins a long count when the others are done.
    checks.sort_by_key(|check| std::cmp::Reverse(check.expected));

    let progress = Progress::new(checks.len(), "counts");
    let mut nodes = 0;
    let mut mismatches = Vec::new();
    count_all(job, &checks, |check, counted| {
        progress.advance();
        nodes += counted;
        if counted != check.expected {
            let mismatch = Mismatch { check, counted };
            // At once, so that a long run that is interrupted has said what it knew.
            if !job.json {
                let text = mismatch.as_text();
                progress.around(|| io::stdout().write_all(text.as_bytes()))?;
            }
            mismatches.push(mismatch);
        }
        Ok(())
    })?;
    let elapsed = progress.finish();

    let text = if job.json {
        as_json(job, cases.len(), checks.len(), nodes, elapsed, &mismatches)
    } else {
        let wrong = mismatches.len();
        format!("{} positions, {} counts, {wrong} wrong\n", cases.len(), checks.len())
            + &totals(nodes, elapsed)
    };
    io::stdout().write_all(text.as_bytes())?;
    if mismatches.is_empty() {
        return Ok(());
    }
    let wrong = format!("{} of {} counts are wrong", mismatches.len(), checks.len());
    Err(CheckFailed(wrong).into())
}

/// Every case of every file. A broken one is an error: a suite that is read in part would pass
/// without having been checked.
fn read(files: &[PathBuf]) -> anyhow::Result<Vec<(&PathBuf, PerftCase)>> {
    let mut cases = Vec::new();
    for file in files {
        // The message of a source error names its cause already.
        let text = source::read_text(file).map_err(|error| anyhow!("{error}"))?;
        for case in read_perft_file(&text) {
            cases.push((file, case.map_err(|error| anyhow!("{}: {error}", file.display()))?));
        }
    }
    Ok(cases)
}

/// Counts on several threads and hands each result to `each` on this one. An error of `each`
/// ends the counting.
fn count_all<'a>(
    job: &Job,
    checks: &'a [Check<'a>],
    mut each: impl FnMut(&'a Check<'a>, u64) -> io::Result<()>,
) -> io::Result<()> {
    let workers = job
        .concurrency
        .or_else(|| thread::available_parallelism().ok())
        .map_or(1, NonZeroUsize::get)
        .min(checks.len());
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let perft = Perft {
        bulk: job.bulk,
        finished_is_leaf: Chess::FINISHED_GAMES_ARE_LEAVES,
        stop: Some(&stop),
    };
    thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        for _ in 0..workers {
            let sender = sender.clone();
            let next = &next;
            scope.spawn(move || {
                while let Some(check) = checks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let Ok(counted) = perft.count(&check.case.position, check.depth) else { break };
                    if sender.send((check, counted)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (check, counted) in results {
            if let Err(error) = each(check, counted) {
                stop.store(true, Ordering::Relaxed);
                return Err(error);
            }
        }
        Ok(())
    })
}

fn as_json(
    job: &Job,
    positions: usize,
    counts: usize,
    nodes: u64,
    elapsed: Duration,
    mismatches: &[Mismatch],
) -> String {
    let all = json!({
        "nodes": nodes,
        "positions": positions,
        "counts": counts,
        "wrong": mismatches.len(),
        "seconds": elapsed.as_secs_f64(),
        "nodes_per_second": per_second(nodes, elapsed),
        "depth": job.depth,
        "mismatches": mismatches.iter().map(|mismatch| json!({
            "file": mismatch.check.file.display().to_string(),
            "name": mismatch.check.case.name,
            "position": mismatch.check.case.position.write_position(),
            "depth": mismatch.check.depth,
            "expected": mismatch.check.expected,
            "counted": mismatch.counted,
        })).collect::<Vec<_>>(),
    });
    format!("{all:#}\n")
}
