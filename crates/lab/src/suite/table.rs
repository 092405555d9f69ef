//! Findings for the eye.

use std::time::Duration;

use super::compare::Comparison;
use super::cost::is_miss;
use super::findings::{Findings, Judge};
use super::lct2;
use super::row::Row;
use super::sums::Sums;
use crate::values::{grouped, rounded, short, time};

/// Below this a difference is called one (METHOD of the house: 95 %).
const DECIDED: f64 = 0.05;
/// So many positions are listed unless all are asked for.
const LISTED: usize = 12;

/// The whole report. `all` lists every position that somebody failed to solve.
pub fn text(findings: &Findings, all: bool) -> String {
    let mut text = String::new();
    for engine in &findings.engines {
        text += &format!("{}, {}\n", engine.name, engine.limit);
        text += &totals(findings, &engine.name);
        text += &remarks(findings, &engine.name);
        text.push('\n');
    }
    for engine in findings.engines.iter().skip(1) {
        text += &beside(findings, &engine.name);
        text.push('\n');
    }
    text += &faults(findings, all);
    text += &unjudged(findings, all);
    text += &unsolved(findings, all);
    if !findings.is_complete() {
        let (done, expected) = (findings.rows().len(), findings.expected());
        text += &format!("not complete: {done} of {expected} searches are done\n");
    } else if !findings.is_judged() {
        text += "not complete: some misses are not judged yet\n";
    }
    text
}

/// The names of the suites, then of all of them together if there are several.
fn parts(findings: &Findings) -> Vec<(&str, Option<&str>)> {
    let names = findings.suites.iter().map(|suite| suite.name.as_str());
    let mut parts: Vec<_> = names.map(|name| (name, Some(name))).collect();
    if parts.len() > 1 {
        parts.push(("all", None));
    }
    parts
}

fn totals(findings: &Findings, engine: &str) -> String {
    let pointed = findings.has_points();
    let mut head = vec!["suite", "solved", "%", "SE, %", "nodes", "s/pos", "depth", "to solution"];
    if pointed {
        head.insert(4, "points");
    }
    let mut rows = vec![head.into_iter().map(String::from).collect::<Vec<_>>()];
    for (name, suite) in parts(findings) {
        let sums = findings.sums(engine, suite);
        let mut row = vec![
            name.to_string(),
            format!("{}/{}", sums.solved, sums.positions),
            format!("{:.1}", share(sums.solved, sums.positions)),
            format!("{:.1}", sums.standard_error_percent()),
            grouped(sums.nodes),
            format!("{:.2}", sums.seconds_each()),
            sums.depth().map_or("-".into(), |depth| format!("{depth:.1}")),
            to_solution(&sums),
        ];
        if pointed {
            row.insert(4, format!("{}/{}", sums.points, sums.most));
        }
        rows.push(row);
    }
    aligned(&rows)
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 }
}

/// Mean time, depth and nodes.
fn to_solution(sums: &Sums) -> String {
    match (sums.solution_ms(), sums.solution_depth(), sums.solution_nodes()) {
        (Some(ms), Some(depth), Some(nodes)) => {
            let ms = time(Duration::from_micros((ms * 1_000.0) as u64));
            format!("{ms}, depth {depth:.1}, {} nodes", short(nodes as u64))
        }
        _ => "-".to_string(),
    }
}

/// Ratings, errors of values, costs of misses.
fn remarks(findings: &Findings, engine: &str) -> String {
    let mut text = String::new();
    for suite in &findings.suites {
        if let Some(rating) = findings.lct2(engine, suite) {
            text += &format!("LCT II rating of {}: {rating}", suite.name);
            let full = findings.order.movetime.is_some_and(|ms| ms >= lct2::FULL_TIME_MS);
            text += if full { "\n" } else { " or more (the test gives 600 s a position)\n" };
        }
    }
    let errors = findings.value_errors(engine, None);
    if let Some(mean) = errors.mean() {
        let (unit, exact, of) = (findings.unit, errors.exact, errors.positions);
        text +=
            &format!("value off by {mean:.2} {unit} on the average, exact in {exact} of {of}\n");
    }
    text + &costs(findings, engine)
}

/// What the misses cost, in one line.
fn costs(findings: &Findings, engine: &str) -> String {
    let (Some(judge), Some(costs)) = (&findings.judge, findings.costs(engine, None)) else {
        return String::new();
    };
    let Judge { engine: by, blunder, decided, .. } = judge;
    let mut text = format!(
        "{} of {} misses cost {blunder} or more by {}, {}",
        costs.blunders, costs.misses, by.name, by.limit
    );
    if let (1.., Some(won), Some(decided)) = (costs.blunders, costs.still_won, decided) {
        text += &format!("; after {won} of these the game is still won ({decided} or more)");
    }
    match costs.misses - costs.judged {
        0 => {}
        open => text += &format!("; {open} without a value"),
    }
    text + "\n"
}

/// In the shape of the RankCut paper's table (Lim and Lee, 2006): the first engine, then what the
/// other has more.
fn beside(findings: &Findings, other: &str) -> String {
    let first = findings.engines.first().map_or("", |engine| engine.name.as_str());
    let head = ["suite", "nodes", "s/pos", "solved", "Δnodes", "%", "Δs/pos", "%", "Δsolved"];
    let mut rows = vec![head.map(String::from).to_vec()];
    for (name, suite) in parts(findings) {
        let found = findings.compare(other, suite);
        let Comparison { first, second, .. } = &found;
        let percent = |a: u64, b: u64| {
            Comparison::percent(a, b).map_or("-".to_string(), |percent| format!("{percent:+.1}"))
        };
        rows.push(vec![
            name.to_string(),
            grouped(first.nodes),
            format!("{:.2}", first.seconds_each()),
            first.solved.to_string(),
            signed(first.nodes, second.nodes),
            percent(first.nodes, second.nodes),
            format!("{:+.2}", rounded(second.seconds_each() - first.seconds_each(), 2)),
            percent(first.time_ms, second.time_ms),
            signed(first.solved, second.solved),
        ]);
    }
    let found = findings.compare(other, None);
    let mut text = format!("{other} beside {first}\n{}", aligned(&rows));
    text += &format!(
        "only {first} solved {}, only {other} {}; McNemar mid-p = {:.3} (exact p = {:.3}): {}\n",
        found.only_first,
        found.only_second,
        found.test.mid,
        found.test.exact,
        verdict(&found, first, other),
    );
    let (mine, theirs) = found.at_equal_nodes;
    text +=
        &format!("solved within the nodes of the thriftier: {first} {mine}, {other} {theirs}\n");
    text
}

fn verdict(found: &Comparison, first: &str, other: &str) -> String {
    match found.only_first.cmp(&found.only_second) {
        std::cmp::Ordering::Greater if found.test.mid < DECIDED => format!("{first} solves more"),
        std::cmp::Ordering::Less if found.test.mid < DECIDED => format!("{other} solves more"),
        _ => "not decided".to_string(),
    }
}

fn signed(first: u64, second: u64) -> String {
    let sign = match second.cmp(&first) {
        std::cmp::Ordering::Less => "-",
        std::cmp::Ordering::Equal => "",
        std::cmp::Ordering::Greater => "+",
    };
    format!("{sign}{}", grouped(first.abs_diff(second)))
}

fn faults(findings: &Findings, all: bool) -> String {
    let failed: Vec<&Row> = findings.rows().iter().filter(|row| row.fault.is_some()).collect();
    if failed.is_empty() {
        return String::new();
    }
    let mut text = format!("{} without an answer:\n", failed.len());
    let shown = if all { failed.len() } else { LISTED };
    for row in failed.iter().take(shown) {
        let why = row.fault.as_deref().unwrap_or_default();
        text += &format!("  {}: {why}\n", row.id);
    }
    text + &rest(failed.len(), shown) + "\n"
}

/// What the judge could not tell.
fn unjudged(findings: &Findings, all: bool) -> String {
    let judged = findings.judge.iter().flat_map(|judge| &judge.judged);
    let failed: Vec<String> = judged
        .filter_map(|judged| {
            let why = judged.fault.as_ref()?;
            Some(format!("  {} {}: {why}\n", judged.id, judged.chosen))
        })
        .collect();
    if failed.is_empty() {
        return String::new();
    }
    let shown = if all { failed.len() } else { LISTED };
    let listed: String = failed.iter().take(shown).cloned().collect();
    format!("{} not judged:\n{listed}{}\n", failed.len(), rest(failed.len(), shown))
}

/// What the judge says of a row: how much better or worse than its own best.
fn judgement(findings: &Findings, row: &Row) -> String {
    match findings.judged(row).and_then(|judged| judged.cost) {
        Some(0) => "0".to_string(),
        Some(cost) => format!("{:+}", -cost),
        None if is_miss(row) => "?".to_string(),
        None => String::new(),
    }
}

/// Positions that somebody failed to solve, with what each engine played and what that cost.
fn unsolved(findings: &Findings, all: bool) -> String {
    // With a judge every engine has a second column.
    let width = if findings.judge.is_some() { 2 } else { 1 };
    let mut positions: Vec<(&Row, Vec<String>)> = Vec::new();
    let mut some_failed = Vec::new();
    for row in findings.rows() {
        let same = |known: &Row| (&known.suite, known.number) == (&row.suite, row.number);
        if !positions.last().is_some_and(|(known, _)| same(known)) {
            positions.push((row, vec![String::new(); width * findings.engines.len()]));
            some_failed.push(false);
        }
        let column = findings.engines.iter().position(|engine| engine.name == row.engine);
        if let (Some((_, cells)), Some(column), Some(failed)) =
            (positions.last_mut(), column, some_failed.last_mut())
        {
            *failed |= !row.solved;
            cells[width * column] = match (&row.fault, row.solved) {
                (Some(_), _) => "no answer".to_string(),
                (None, true) => "solved".to_string(),
                (None, false) => row.chosen.clone(),
            };
            if width > 1 {
                cells[width * column + 1] = judgement(findings, row);
            }
        }
    }
    let unsolved: Vec<_> =
        positions.iter().zip(&some_failed).filter(|(_, failed)| **failed).map(|(p, _)| p).collect();
    if unsolved.is_empty() {
        return String::new();
    }
    let mut head = vec!["not solved".to_string(), "wanted".to_string()];
    for engine in &findings.engines {
        head.push(engine.name.clone());
        head.extend((width > 1).then(|| "judged".to_string()));
    }
    let mut rows = vec![head];
    let shown = if all { unsolved.len() } else { LISTED };
    for (row, cells) in unsolved.iter().take(shown) {
        let mut line = vec![row.id.clone(), row.wanted.clone()];
        line.extend(cells.iter().cloned());
        rows.push(line);
    }
    // The first two columns are names; numbers stand to the right.
    columns(&rows, |index| width > 1 && index > 2 && index % 2 == 1) + &rest(unsolved.len(), shown)
}

fn rest(all: usize, shown: usize) -> String {
    match all.saturating_sub(shown) {
        0 => String::new(),
        more => format!("  and {more} more (-v lists them)\n"),
    }
}

/// Columns to the right, but for the first.
fn aligned(rows: &[Vec<String>]) -> String {
    columns(rows, |index| index > 0)
}

fn columns(rows: &[Vec<String>], to_the_right: impl Fn(usize) -> bool) -> String {
    let width = |index: usize| {
        let cells = rows.iter().filter_map(|row| row.get(index));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let mut text = String::new();
    for row in rows {
        let mut line = " ".to_string();
        for (index, cell) in row.iter().enumerate() {
            let gap = " ".repeat(width(index) - cell.chars().count());
            let cell = if to_the_right(index) { gap + cell } else { cell.clone() + &gap };
            line += &format!(" {cell} ");
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [vec!["a".to_string(), "Δ10".into()], vec!["long".into(), "5".into()]];
        assert_eq!(aligned(&rows), "  a     Δ10\n  long    5\n");
        assert_eq!(columns(&rows, |_| false), "  a     Δ10\n  long  5\n");
    }

    #[test]
    fn differences_carry_their_sign() {
        assert_eq!([signed(5, 3), signed(3, 3), signed(0, 1_000)], ["-2", "0", "+1,000"]);
    }
}
