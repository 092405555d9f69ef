//! ael: what adaptive null move, extended futility and limited razoring save, one after the other
//! (Heinz, 1998 to 2000; the figures as Lim and Lee quote them).

use secateur_games::problem::ProblemFiles;
use serde_json::{Value, json};

use super::outcome::{Outcome, Table};
use super::setting::{Sample, Setting};
use super::side_by_side::{SIDE_BY_SIDE, SideBySide};
use crate::statistics::bootstrap::Interval;
use crate::suite::findings::Findings;
use crate::suite::row::Row;

/// Each has what the one before has, and one thing more: futility at the frontier, adaptive null move,
/// extended futility, limited razoring.
const STEPS: [(&str, &str, &str); 5] = [
    ("plain", "null_move=fixed null_move.reduction=2 frontier_futility=off", ""),
    ("+F", "null_move=fixed null_move.reduction=2 frontier_futility=frontier", ""),
    ("+A", "frontier_futility=frontier", ""),
    ("+E", "frontier_futility=extended", "10-30 %"),
    ("+L", "frontier_futility=extended limited_razoring=on", "5-15 %"),
];
/// The host of `+A` and `+E` without futility of any kind.
const NONE: (&str, &str) = ("none", "frontier_futility=off");

/// What extended futility is measured against.
struct Against {
    /// The engine without it.
    name: &'static str,
    /// What that one is.
    words: &'static str,
    /// What the extension saves by the paper, where it has measured the same.
    paper: &'static str,
    /// Whether it is checked what came out; if not, it is only told.
    is_checked: bool,
}

/// Ours is a requirement on futility as a whole; the paper's is a figure for its second half, which is
/// smaller where other techniques have taken the nodes that it would save.
const AGAINST: [Against; 2] = [
    Against { name: NONE.0, words: "beside no futility", paper: "", is_checked: true },
    Against {
        name: "+A",
        words: "beside futility at the frontier alone",
        paper: STEPS[3].2,
        is_checked: false,
    },
];

/// How the two are to be read.
const WHICH_IS_WHICH: &str = "Extended futility stands beside two engines. Beside no futility it has the \
    part of the frontier too: there it must save a tenth of the nodes at every depth and lose no solved \
    positions by the paired test. Beside futility at the frontier alone it has only what the extension \
    adds, which is what the paper's 10-30 % are of: that is told with its interval and not checked.";

/// What it must save at least, as a share.
const TENTH: f64 = 0.1;

fn nodes(row: &Row) -> f64 {
    row.nodes as f64
}

/// How much less than the whole it is, in percent.
fn saved(share: Interval) -> String {
    format!("{:.1} %", 100.0 - 100.0 * share.value)
}

/// The same with its interval, the lower end first.
fn saved_between(share: Interval) -> String {
    let [low, high] = [share.high, share.low].map(|share| 100.0 - 100.0 * share);
    format!("{} ({low:.1} to {high:.1})", saved(share))
}

pub(super) fn run<G: ProblemFiles>(setting: &Setting) -> anyhow::Result<Outcome> {
    let engines: Vec<String> = STEPS
        .iter()
        .map(|(name, settings, _)| (*name, *settings))
        .chain([NONE])
        .map(|(name, settings)| format!("secateur preset=classic {settings} name={name}"))
        .collect();
    let Sample { file, origin } = setting.sample("wac.epd", setting.scaled(100, 5))?;
    let depths = if setting.scale >= 1.0 { 8..=10 } else { 8..=8 };
    let mut outcome = Outcome { notes: vec![origin], ..Outcome::default() };
    let one = |depth| {
        let found = setting.to_depth::<G>(&format!("depth-{depth}"), &file, &engines, depth)?;
        Ok((depth, found))
    };
    let all: Vec<(u32, Findings)> = depths.map(one).collect::<anyhow::Result<_>>()?;
    for (depth, found) in &all {
        steps(*depth, found, &mut outcome);
    }
    let figures: Vec<Value> =
        AGAINST.iter().map(|against| extension(&all, against, &mut outcome)).collect();
    outcome.keys.push(("beside", figures.into()));
    outcome.notes.extend([WHICH_IS_WHICH, SIDE_BY_SIDE].map(String::from));
    Ok(outcome)
}

/// One thing after the other, at one depth.
fn steps(depth: u32, found: &Findings, outcome: &mut Outcome) {
    let mut table = Table::new(
        format!("Depth {depth}: nodes of each, as a share of the one above"),
        &["", "ours", "saves", "paper saves", "solved"],
    );
    for (index, (name, _, paper)) in STEPS.iter().enumerate() {
        let sums = found.sums(name, None);
        let before = index.checked_sub(1).map(|above| STEPS[above].0);
        let share = before.and_then(|before| found.ratio(name, before, nodes));
        table.add(vec![
            name.to_string(),
            share.map_or(String::new(), Interval::text),
            share.map_or(String::new(), saved),
            paper.to_string(),
            format!("{} of {}", sums.solved, sums.positions),
        ]);
        outcome.figures.push(json!({
            "step": name, "depth": depth, "nodes": sums.nodes, "solved": sums.solved,
            "positions": sums.positions, "share_of_step_before": share.map(|share| share.value),
            "paper_saves": paper,
        }));
    }
    outcome.tables.push(table);
}

/// Extended futility in `classic`, beside the same host without it: nodes and solved positions; the latter
/// once more for programs.
fn extension(all: &[(u32, Findings)], against: &Against, outcome: &mut Outcome) -> Value {
    let &Against { name, words, paper, is_checked } = against;
    let beside = SideBySide::of(all, "+E", name);
    let told = if is_checked { "required" } else { "told, not checked" };
    let mut table = beside.table(format!("Extended futility {words} ({told})"));
    table.head.splice(1..1, ["nodes", "saves", "paper saves"].map(String::from));
    let mut seen = Vec::new();
    let mut saves = true;
    for ((depth, found), row) in all.iter().zip(&mut table.rows) {
        let share = found.ratio("+E", name, nodes);
        saves &= share.is_some_and(|share| share.value <= 1.0 - TENTH);
        let shown = |words: fn(Interval) -> String| share.map_or("?".to_string(), words);
        let cells = [shown(Interval::text), shown(saved_between), paper.to_string()];
        seen.push(format!("{} at depth {depth}", cells[1]));
        row.splice(1..1, cells);
        outcome.figures.push(json!({
            "what": "extended", "against": name, "depth": depth,
            "paper_saves": (!paper.is_empty()).then_some(paper), "checked": is_checked,
            "share": share.map(|share| json!({
                "value": share.value, "low": share.low, "high": share.high,
            })),
        }));
    }
    table.remark = beside.seen();
    outcome.tables.push(table);
    if is_checked {
        outcome.check(
            format!("extended futility saves a tenth of the nodes or more {words}"),
            seen.join(", "),
            saves,
        );
        outcome.check(
            format!("and does not lose solved positions {words}"),
            beside.seen(),
            !beside.is_worse(),
        );
    }
    beside.figure("+E", name)
}
