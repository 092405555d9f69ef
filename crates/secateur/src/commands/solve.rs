//! `secateur solve`: the exact values of Othello endings, compared with those of their files.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use clap::Args;
use secateur_games::othello::solver::Solution;
use secateur_games::othello::{
    EndgameSolver, Guide, Othello, OthelloEvaluator, OthelloMove, Problem,
};
use secateur_games::source;
use secateur_lab::progress::Progress;
use secateur_lab::values::{grouped, per_second, short, time};
use secateur_lab::{cuts_file, interrupt};
use secateur_search::alphabeta::Control;
use secateur_search::selective::levels::Level;
use secateur_search::{Game, Notation, Stopped};
use serde_json::{Value, json};

use crate::failure::CheckFailed;

/// Arguments of `solve`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur solve fforum-20-39.obf --only 20-34
  secateur solve fforum-1-19.obf --every-move --concurrency 2
  secateur solve fforum-40-59.obf --only 40-44 --confidence 87
  secateur solve --position \"XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X\"

Positions are numbered from 1. Where the name of the file ends with as many numbers as it has
positions, as in fforum-20-39.obf, from the first of them. The highest score that a file gives for
a position is taken for its value. Exit status 1 if a value is not that of the file.

With --confidence a position is solved again and again, at 73, 87, 95, 98, 99 and 100 percent, up to the
level asked for: below 100, what a shallow search tells surely enough is not searched to the end, and a
value that is not that of the file is counted as an error of that level, not as a failure. Nodes and time
are those of all levels together; 20@87 stands for 20 empty squares at 87 percent.")]
pub(super) struct Arguments {
    /// OBF files, zipped or not
    #[arg(required_unless_present = "position", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A position instead of files: a board string, with or without scores as in a file
    // A board may begin with an empty square, which is written as a hyphen.
    #[arg(
        long,
        visible_alias = "fen",
        value_name = "TEXT",
        allow_hyphen_values = true,
        conflicts_with = "files"
    )]
    position: Option<String>,
    /// Only the positions with these numbers, as 20-34 or 3,5,8-10
    #[arg(long, value_name = "NUMBERS")]
    only: Option<Numbers>,
    /// Find the value of every move instead of one best move, and compare each (slower)
    #[arg(long)]
    every_move: bool,
    /// How sure the value must be, in percent: 73, 87, 95, 98, 99 or 100, through all levels before it
    /// [default: certain at once]
    #[arg(long, visible_alias = "level", value_name = "PERCENT", value_parser = level, conflicts_with = "every_move")]
    confidence: Option<Level>,
    /// Another table of probabilistic cuts for it: a file that `calibrate probcut --game othello` wrote
    #[arg(long, value_name = "FILE", requires = "confidence")]
    cuts_file: Option<String>,
    /// Size of the table of each solver in mebibytes; it is cleared before each position
    #[arg(long, value_name = "MIB", default_value_t = 128, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    /// Positions solved at once, each by a solver with a table of its own
    #[arg(long, value_name = "N", default_value = "1")]
    concurrency: NonZeroUsize,
    /// Print one JSON object, totals first
    #[arg(long)]
    json: bool,
}

fn level(text: &str) -> Result<Level, String> {
    let percents: Vec<String> = Level::all().map(|level| level.percent().to_string()).collect();
    let found = text.trim_end_matches('%').parse().ok().and_then(Level::of_percent);
    found.ok_or_else(|| format!("there are {}", percents.join(", ")))
}

/// What tells of the end, and how sure it must be.
struct Levels {
    guide: Guide,
    last: Level,
}

impl Levels {
    fn of(arguments: &Arguments) -> anyhow::Result<Option<Levels>> {
        let Some(last) = arguments.confidence else { return Ok(None) };
        let path = arguments.cuts_file.as_deref().unwrap_or_default();
        let given = cuts_file::load::<Othello>(path).context("--cuts-file")?;
        let guide = match given {
            Some(cuts) => Guide::new(OthelloEvaluator::new(), &cuts).context("--cuts-file")?,
            None => Guide::embedded()?,
        };
        Ok(Some(Levels { guide, last }))
    }
}

/// Ranges of numbers, both ends included.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Numbers(Vec<(usize, usize)>);

impl FromStr for Numbers {
    type Err = String;

    fn from_str(text: &str) -> Result<Numbers, String> {
        let read = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
            (first <= last).then_some((first, last))
        };
        let ranges = text.split(',').map(|part| {
            read(part).ok_or_else(|| format!("'{}' is neither 20 nor 20-34", part.trim()))
        });
        ranges.collect::<Result<_, _>>().map(Numbers)
    }
}

impl Numbers {
    fn contains(&self, number: usize) -> bool {
        self.0.iter().any(|(first, last)| (first..=last).contains(&&number))
    }
}

/// A position to be solved.
struct Job {
    name: String,
    number: usize,
    problem: Problem,
}

/// What was found.
struct Solved {
    margin: i32,
    /// Moves that reach it: one, or all where every move was valued.
    best: Vec<OthelloMove>,
    /// The value of every move, where that was asked for.
    values: Vec<(OthelloMove, i32)>,
    nodes: u64,
    elapsed: Duration,
    /// What each level has found, where there are levels: its percent, the margin, the nodes and the time
    /// until then.
    levels: Vec<(u32, i32, u64, Duration)>,
}

impl Solved {
    fn percent(&self) -> u32 {
        self.levels.last().map_or(100, |(percent, ..)| *percent)
    }
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let jobs = read(arguments)?;
    let levels = Levels::of(arguments)?;
    let is_certain = levels.as_ref().is_none_or(|levels| levels.last.threshold().is_none());
    let control = Arc::new(Control::default());
    interrupt::stops(&control);
    let table = Table { name_width: jobs.iter().map(|job| job.name.len()).max().unwrap_or(0) };
    let progress = Progress::new(jobs.len(), "positions");
    let mut results: Vec<Option<Solved>> = jobs.iter().map(|_| None).collect();
    let mut shown = 0;
    if !arguments.json {
        io::stdout().write_all(table.head().as_bytes())?;
    }
    solve_all(arguments, levels.as_ref(), &jobs, &control, |index, solved| {
        progress.advance();
        results[index] = Some(solved);
        // Each row as soon as it is known, in the order of the file.
        while let Some(Some(solved)) = results.get(shown) {
            if !arguments.json {
                let row = table.row(&jobs[shown], solved);
                progress.around(|| io::stdout().write_all(row.as_bytes()))?;
            }
            shown += 1;
        }
        Ok(())
    })?;
    let elapsed = progress.finish();
    interrupt::ends();

    let known: Vec<(&Job, &Solved)> = jobs
        .iter()
        .zip(&results)
        .filter_map(|(job, solved)| Some((job, solved.as_ref()?)))
        .collect();
    let totals = Totals::of(&known, jobs.len(), elapsed);
    let text = if arguments.json {
        totals.as_json(&known)
    } else {
        // An interruption may leave gaps, and rows behind them.
        let late = jobs.iter().zip(&results).skip(shown);
        let late: String =
            late.filter_map(|(job, solved)| Some(table.row(job, solved.as_ref()?))).collect();
        late + &totals.as_text()
    };
    io::stdout().write_all(text.as_bytes())?;
    if totals.wrong > 0 && is_certain {
        let wrong = format!("{} of {} positions contradict the file", totals.wrong, known.len());
        return Err(CheckFailed(wrong).into());
    }
    if known.len() < jobs.len() {
        let stopped = format!("stopped with {} of {} positions solved", known.len(), jobs.len());
        return Err(CheckFailed(stopped).into());
    }
    Ok(())
}

/// The positions that the arguments name. A broken one is an error: a file that is read in part
/// would pass without having been checked.
fn read(arguments: &Arguments) -> anyhow::Result<Vec<Job>> {
    let mut jobs = Vec::new();
    if let Some(text) = &arguments.position {
        let problem = Problem::read(text).context("position")?;
        jobs.push(Job { name: "1".to_string(), number: 1, problem });
    }
    for file in &arguments.files {
        // The message of a source error names its cause already.
        let text = source::read_text(file).map_err(|error| anyhow!("{error}"))?;
        let problems: Result<Vec<_>, _> = Problem::read_all(&text).into_iter().collect();
        let problems = problems.map_err(|error| anyhow!("{}: {error}", file.display()))?;
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let first = first_number(&stem, problems.len()).unwrap_or(1);
        for (number, problem) in (first..).zip(problems) {
            let name = if arguments.files.len() > 1 {
                format!("{stem} {number}")
            } else {
                number.to_string()
            };
            jobs.push(Job { name, number, problem });
        }
    }
    if let Some(only) = &arguments.only {
        jobs.retain(|job| only.contains(job.number));
    }
    if jobs.is_empty() {
        bail!("there is no position to solve");
    }
    Ok(jobs)
}

/// The 20 of `fforum-20-39` if there are 20 positions.
fn first_number(stem: &str, positions: usize) -> Option<usize> {
    let mut parts = stem.rsplit('-');
    let last: usize = parts.next()?.parse().ok()?;
    let first: usize = parts.next()?.parse().ok()?;
    (last.checked_sub(first)?.checked_add(1)? == positions).then_some(first)
}

/// Solves on several threads and hands each result to `each` on this one, until everything is
/// solved or a stop is wished. An error of `each` ends the solving.
fn solve_all(
    arguments: &Arguments,
    levels: Option<&Levels>,
    jobs: &[Job],
    control: &Control,
    mut each: impl FnMut(usize, Solved) -> io::Result<()>,
) -> io::Result<()> {
    let next = &AtomicUsize::new(0);
    thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        for _ in 0..arguments.concurrency.get().min(jobs.len()) {
            let sender = sender.clone();
            scope.spawn(move || {
                let mut solver = EndgameSolver::new(64, (arguments.hash as usize) << 20);
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(index) else { break };
                    let position = &job.problem.position;
                    solver.clear();
                    let solved = match levels {
                        Some(levels) => solve_by_levels(&mut solver, position, levels, control),
                        None => solve(&mut solver, position, arguments.every_move, control),
                    };
                    let Ok(solved) = solved else { break };
                    if sender.send((index, solved)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (index, solved) in results {
            if let Err(error) = each(index, solved) {
                control.stop();
                return Err(error);
            }
        }
        Ok(())
    })
}

fn solve(
    solver: &mut EndgameSolver,
    position: &Othello,
    every_move: bool,
    control: &Control,
) -> Result<Solved, Stopped> {
    let begun = Instant::now();
    let tick = &mut |_| if control.is_stopped() { Err(Stopped) } else { Ok(()) };
    tick(0)?;
    let mut nodes = 0;
    let mut values = Vec::new();
    if every_move {
        let mut moves = Vec::new();
        position.each_move(|m| moves.push(m));
        for m in moves {
            let below = solver.best(&position.after(m), tick)?;
            nodes += below.nodes;
            values.push((m, -below.margin));
        }
        values.sort_by_key(|(_, margin)| -margin);
    }
    let (margin, best) = match values.first() {
        Some(&(_, margin)) => {
            let best = values.iter().filter(|(_, value)| *value == margin);
            (margin, best.map(|(m, _)| *m).collect())
        }
        None => {
            let solution = solver.best(position, tick)?;
            nodes += solution.nodes;
            (solution.margin, solution.best.into_iter().collect())
        }
    };
    let levels = Vec::new();
    Ok(Solved { margin, best, values, nodes, elapsed: begun.elapsed(), levels })
}

fn solve_by_levels(
    solver: &mut EndgameSolver,
    position: &Othello,
    levels: &Levels,
    control: &Control,
) -> Result<Solved, Stopped> {
    let begun = Instant::now();
    let tick = &mut |_| if control.is_stopped() { Err(Stopped) } else { Ok(()) };
    tick(0)?;
    let mut all = Vec::new();
    let mut each = |level: Level, found: &Solution| {
        all.push((level.percent(), found.margin, found.nodes, begun.elapsed()));
    };
    let found = solver.best_by_levels(position, &levels.guide, levels.last, tick, &mut each)?;
    Ok(Solved {
        margin: found.margin,
        best: found.best.into_iter().collect(),
        values: Vec::new(),
        nodes: found.nodes,
        elapsed: begun.elapsed(),
        levels: all,
    })
}

/// What the file says otherwise; `None` if it has no scores.
fn contradictions(problem: &Problem, solved: &Solved) -> Option<Vec<String>> {
    let value = problem.best_score()?;
    let mut said = Vec::new();
    if value != solved.margin {
        said.push(format!("{value:+}"));
    }
    for (m, score) in &problem.scores {
        let found = solved.values.iter().find(|(other, _)| other == m).map(|(_, value)| *value);
        let best = solved.best.contains(m).then_some(solved.margin);
        if found.or(best).is_some_and(|found| found != *score) {
            said.push(format!("{m}:{score:+}"));
        }
    }
    Some(said)
}

/// The columns of the rows.
struct Table {
    name_width: usize,
}

impl Table {
    fn head(&self) -> String {
        let width = self.name_width.max(4);
        format!(
            "{:>width$} {:>7} {:>5} {:>15} {:>9} {:>7}  {:12} file\n",
            "name", "empties", "score", "nodes", "time", "nodes/s", "best"
        )
    }

    fn row(&self, job: &Job, solved: &Solved) -> String {
        let width = self.name_width.max(4);
        let verdict = match contradictions(&job.problem, solved) {
            None => "-".to_string(),
            Some(said) if said.is_empty() => "right".to_string(),
            Some(said) => format!("wrong: says {}", said.join(" ")),
        };
        let mut row = format!(
            "{:>width$} {:>7} {:>+5} {:>15} {:>9} {:>7}  {:12} {verdict}\n",
            job.name,
            match solved.levels.is_empty() {
                true => job.problem.position.empty().count_ones().to_string(),
                false => {
                    format!("{}@{}", job.problem.position.empty().count_ones(), solved.percent())
                }
            },
            solved.margin,
            grouped(solved.nodes),
            time(solved.elapsed),
            short(per_second(solved.nodes, solved.elapsed)),
            moves_text(&solved.best),
        );
        if !solved.values.is_empty() {
            let values = solved.values.iter().map(|(m, value)| format!(" {m}:{value:+}"));
            row += &format!("{:width$}{}\n", "", values.collect::<String>());
        }
        row
    }
}

fn moves_text(moves: &[OthelloMove]) -> String {
    moves.iter().map(OthelloMove::to_string).collect::<Vec<_>>().join(" ")
}

/// What all positions give together.
struct Totals {
    positions: usize,
    solved: usize,
    right: usize,
    wrong: usize,
    nodes: u64,
    elapsed: Duration,
}

impl Totals {
    fn of(known: &[(&Job, &Solved)], positions: usize, elapsed: Duration) -> Totals {
        let verdicts =
            || known.iter().filter_map(|(job, found)| contradictions(&job.problem, found));
        Totals {
            positions,
            solved: known.len(),
            right: verdicts().filter(Vec::is_empty).count(),
            wrong: verdicts().filter(|said| !said.is_empty()).count(),
            nodes: known.iter().map(|(_, solved)| solved.nodes).sum(),
            elapsed,
        }
    }

    fn as_text(&self) -> String {
        format!(
            "{} of {} positions solved, {} right, {} wrong\ntime {:.3} s, {} nodes/s\nnodes {}\n",
            self.solved,
            self.positions,
            self.right,
            self.wrong,
            self.elapsed.as_secs_f64(),
            per_second(self.nodes, self.elapsed),
            self.nodes
        )
    }

    fn as_json(&self, known: &[(&Job, &Solved)]) -> String {
        let results: Vec<Value> = known.iter().map(|(job, solved)| row_json(job, solved)).collect();
        let all = json!({
            "nodes": self.nodes,
            "positions": self.positions,
            "solved": self.solved,
            "right": self.right,
            "wrong": self.wrong,
            "seconds": self.elapsed.as_secs_f64(),
            "nodes_per_second": per_second(self.nodes, self.elapsed),
            "results": results,
        });
        format!("{all:#}\n")
    }
}

fn row_json(job: &Job, solved: &Solved) -> Value {
    let scores = |list: &[(OthelloMove, i32)]| -> serde_json::Map<String, Value> {
        list.iter().map(|(m, score)| (m.to_string(), json!(score))).collect()
    };
    let mut row = json!({
        "name": job.name,
        "position": job.problem.position.write_position(),
        "empties": job.problem.position.empty().count_ones(),
        "score": solved.margin,
        "best": solved.best.iter().map(OthelloMove::to_string).collect::<Vec<_>>(),
        "nodes": solved.nodes,
        "seconds": solved.elapsed.as_secs_f64(),
        "nodes_per_second": per_second(solved.nodes, solved.elapsed),
        "percent": solved.percent(),
        "right": contradictions(&job.problem, solved).map(|said| said.is_empty()),
        "file_scores": scores(&job.problem.scores),
    });
    if !solved.levels.is_empty() {
        let level = |(percent, score, nodes, elapsed): &(u32, i32, u64, Duration)| {
            let seconds = elapsed.as_secs_f64();
            json!({"percent": percent, "score": score, "nodes": nodes, "seconds": seconds})
        };
        row["levels"] = solved.levels.iter().map(level).collect();
    }
    if !solved.values.is_empty() {
        row["move_scores"] = Value::Object(scores(&solved.values));
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_lists_of_ranges() {
        let numbers: Numbers = "3, 5,8-10".parse().unwrap();
        let inside: Vec<usize> = (0..12).filter(|number| numbers.contains(*number)).collect();
        assert_eq!(inside, [3, 5, 8, 9, 10]);
        for broken in ["", "x", "5-3", "1-2-3", "-4"] {
            assert!(broken.parse::<Numbers>().is_err(), "{broken}");
        }
    }

    #[test]
    fn the_name_of_a_file_tells_the_first_number_if_it_fits() {
        assert_eq!(first_number("fforum-20-39", 20), Some(20));
        assert_eq!(first_number("fforum-20-39", 19), None);
        assert_eq!(first_number("games-2018", 1), None);
        assert_eq!(first_number("39-20", 20), None);
    }
}
