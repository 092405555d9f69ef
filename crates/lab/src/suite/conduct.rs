//! An order carried out, from its files to its findings.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context, bail};
use secateur_games::problem::ProblemFiles;

use super::appraise::{Appraisal, Case};
use super::contestant::Contestant;
use super::cost::{self, Judged};
use super::files::{self, Suite};
use super::findings::{Findings, Judge};
use super::folder::{EngineEntry, Folder, Order, RunFile, SuiteEntry};
use super::row::{Key, Row};
use super::run::{Event, Run, is_interruption};
use crate::cores;
use crate::engine::{EngineSettings, EngineSpec, GivenLimits, apply_each};
use crate::progress::Progress;

/// How an order is carried out: what does not decide the results.
pub struct Circumstances {
    /// Positions at once.
    pub concurrency: usize,
    /// More threads than processors are wanted.
    pub force: bool,
    /// Where our own program is.
    pub ours: PathBuf,
    /// Where a new run is kept.
    pub out: Option<PathBuf>,
    /// Where a run is that goes on.
    pub resume: Option<PathBuf>,
    /// Once this is set the run ends soon, with what it has.
    pub interrupt: Arc<AtomicBool>,
}

/// Reads the files, asks the engines, and tells what they found. `note` is told what the user
/// should know beside that.
pub fn conduct<G: ProblemFiles>(
    order: &Order,
    how: &Circumstances,
    note: &mut dyn FnMut(String),
) -> anyhow::Result<Findings> {
    let suites: Vec<Suite<G>> = files::read(&order.files, order.skip_broken, note)?;
    let contestants = Contestant::line_up(&specs(order)?, &how.ours)?;
    let judge = judge(order, &how.ours)?;
    let threads = contestants.iter().chain(&judge).map(Contestant::threads).max().unwrap_or(1);
    cores::demand(how.concurrency, threads, how.force)?;

    if let Some(judge) = &judge {
        demand_start::<G>(judge, how, note)?;
    }

    let engines: Vec<EngineEntry> = contestants.iter().map(engine_entry).collect();
    let entries = suites.iter().map(suite_entry).collect();
    let description = RunFile::new(order.clone(), how.concurrency, entries, engines.clone());
    let (mut folder, mut rows) = open(how, &description)?;
    rows.retain(|row| belongs(row, &suites, &engines));
    let known: HashSet<Key> = rows.iter().map(Row::key).collect();

    let positions: usize = suites.iter().map(|suite| suite.problems.len()).sum();
    let progress = Progress::new(positions * engines.len() - known.len(), "positions");
    let mut warned: HashSet<String> = HashSet::new();
    let run = Run {
        suites: &suites,
        contestants: &contestants,
        scoring: order.scoring,
        stop_when_solved: order.stop_when_solved,
        concurrency: how.concurrency,
        interrupt: Arc::clone(&how.interrupt),
    };
    let outcome = run.run(&known, |event| {
        match event {
            Event::Warning(what) => {
                if warned.insert(what.clone()) {
                    progress.around(|| note(what));
                }
            }
            Event::Done(row, evidence) => {
                if let Some(folder) = &mut folder {
                    folder.add(&row)?;
                    if let Some(evidence) = evidence {
                        let why = row.fault.as_deref().unwrap_or_default();
                        let about = format!("{} {} {}: {why}", row.engine, row.suite, row.id);
                        folder.keep(&about, &evidence)?;
                    }
                }
                rows.push(*row);
                let solved = rows.iter().filter(|row| row.solved).count();
                progress.say(format!(", {solved} solved of {}", rows.len()));
                progress.advance();
            }
        }
        Ok(())
    });
    let elapsed: Duration = progress.finish();
    outcome?;
    let mut findings = Findings::new(order.clone(), engines, &suites, rows, elapsed);
    if let Some(judge) = &judge {
        let interrupt = Arc::clone(&how.interrupt);
        let concurrency = how.concurrency;
        let appraisal = Appraisal { suites: &suites, judge, concurrency, interrupt };
        findings.judge = Some(appraise(&appraisal, &findings, folder.as_ref()));
    }
    Ok(findings)
}

/// Has the misses judged. Whatever fails here, what the engines found stays.
fn appraise<G: ProblemFiles>(
    appraisal: &Appraisal<'_, G>,
    findings: &Findings,
    folder: Option<&Folder>,
) -> Judge {
    let mut judged = Vec::new();
    let outcome = judge_all(appraisal, findings.rows(), folder, &mut judged);
    let place = |judged: &Judged| {
        let suite = appraisal.suites.iter().position(|suite| suite.name == judged.suite);
        (suite, judged.number)
    };
    judged.sort_by_key(place);
    Judge {
        engine: engine_entry(appraisal.judge),
        blunder: findings.order.blunder.unwrap_or(cost::BLUNDER),
        decided: G::JUDGEMENT.decided,
        judged,
        failure: outcome.err().map(|error| format!("{error:#}")),
    }
}

/// Adds to `judged` what is known of these rows already, and what the judge then says.
fn judge_all<G: ProblemFiles>(
    appraisal: &Appraisal<'_, G>,
    rows: &[Row],
    folder: Option<&Folder>,
    judged: &mut Vec<Judged>,
) -> anyhow::Result<()> {
    let mut file = None;
    if let Some(folder) = folder {
        let (lines, known) = folder.judged()?;
        file = Some(lines);
        judged.extend(known.into_iter().filter(|judged| appraisal.is_by_this_judge(judged)));
    }
    let cases = appraisal.cases(rows, &judged.iter().map(Judged::key).collect());
    let misses = cases.iter().map(Case::misses).sum();
    let progress = Progress::new(misses, "misses judged");
    let outcome = appraisal.run(&cases, |(line, evidence)| {
        if let Some(file) = &mut file {
            file.add(&line)?;
        }
        if let (Some(folder), Some(evidence)) = (folder, evidence) {
            let why = line.fault.as_deref().unwrap_or_default();
            let about = format!("{} {} {}: {why}", line.judge, line.suite, line.id);
            folder.keep(&about, &evidence)?;
        }
        judged.push(*line);
        progress.advance();
        Ok(())
    });
    progress.finish();
    outcome
}

/// The engine that says what misses cost, if one is asked for.
fn judge(order: &Order, ours: &Path) -> anyhow::Result<Option<Contestant>> {
    let Some(text) = &order.judge else { return Ok(None) };
    let asked = || format!("--judge '{text}'");
    let spec = EngineSpec::parse(text).with_context(asked)?;
    // Nothing of what the engines are told goes for who judges them.
    if spec.settings.limits.complete().is_err() {
        bail!("{}: give it a limit of its own, such as movetime=5000", asked());
    }
    Ok(Contestant::line_up(&[spec], ours).with_context(asked)?.pop())
}

/// Starts the judge for once, so that one that cannot be had is known before hours are spent.
fn demand_start<G: ProblemFiles>(
    judge: &Contestant,
    how: &Circumstances,
    note: &mut dyn FnMut(String),
) -> anyhow::Result<()> {
    match judge.start::<G>(&how.interrupt) {
        Ok((_, warnings)) => warnings.into_iter().for_each(note),
        Err(error) if is_interruption(&error) => {}
        Err(error) => return Err(error.context("the judge")),
    }
    Ok(())
}

/// The engines with everything that they are told.
fn specs(order: &Order) -> anyhow::Result<Vec<EngineSpec>> {
    let ours = ["secateur".to_string()];
    let texts = if order.engines.is_empty() { &ours[..] } else { &order.engines };
    let mut specs = Vec::new();
    for text in texts {
        specs.push(EngineSpec::parse(text).with_context(|| format!("--engine '{text}'"))?);
    }
    if let Some(each) = &order.each {
        let each = EngineSettings::parse(each).context("--each")?;
        apply_each(&mut specs, &each).context("--each")?;
    }
    let below = EngineSettings {
        limits: GivenLimits {
            clock: None,
            move_time: order.movetime.map(Duration::from_millis),
            nodes: order.nodes,
            depth: order.depth,
        },
        ..EngineSettings::default()
    };
    apply_each(&mut specs, &below)?;
    Ok(specs)
}

fn open(how: &Circumstances, now: &RunFile) -> anyhow::Result<(Option<Folder>, Vec<Row>)> {
    if let Some(path) = &how.resume {
        let begun = RunFile::read(path)?;
        begun.demand_same(now)?;
        let (folder, rows) = Folder::open(path)?;
        if begun.order != now.order {
            // Another judge: the next time it is the one of this run.
            RunFile { order: now.order.clone(), ..begun }.write(path)?;
        }
        return Ok((Some(folder), rows));
    }
    let create = |path: &PathBuf| Folder::create(path, now);
    Ok((how.out.as_ref().map(create).transpose()?, Vec::new()))
}

fn belongs<G: ProblemFiles>(row: &Row, suites: &[Suite<G>], engines: &[EngineEntry]) -> bool {
    let suite = suites.iter().find(|suite| suite.name == row.suite);
    suite.is_some_and(|suite| (1..=suite.problems.len()).contains(&row.number))
        && engines.iter().any(|engine| engine.name == row.engine)
}

fn engine_entry(contestant: &Contestant) -> EngineEntry {
    EngineEntry {
        name: contestant.name.clone(),
        spec: contestant.spec.text.clone(),
        limit: contestant.limit.to_string(),
        in_process: contestant.is_in_process(),
        program: contestant.program.clone(),
        hash: contestant.hash.clone(),
    }
}

fn suite_entry<G: ProblemFiles>(suite: &Suite<G>) -> SuiteEntry {
    SuiteEntry {
        name: suite.name.clone(),
        file: suite.file.clone(),
        positions: suite.problems.len(),
        hash: suite.hash.clone(),
    }
}

/// Where a path leads from anywhere, so that a run can go on from another folder.
pub fn from_anywhere(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}
