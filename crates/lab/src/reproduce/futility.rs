//! ael: what adaptive null move, extended futility and limited razoring save, one after the other
//! (Heinz, 1998 to 2000; the figures as Lim and Lee quote them).

use secateur_games::problem::ProblemFiles;
use serde_json::{Value, json};

use super::abyss::{SIDE_BY_SIDE, SideBySide};
use super::outcome::{Outcome, Table};
use super::setting::{Ratio, Sample, Setting, ratio};
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

/// What extended futility is measured against. The paper's figure is what the extension saves beyond the
/// frontier; beside no futility at all it has the frontier's part too.
const AGAINST: [(&str, &str); 2] =
    [("+A", "beside futility at the frontier alone"), (NONE.0, "beside no futility")];

/// What it must save at least, as a share.
const TENTH: f64 = 0.1;

fn nodes(row: &Row) -> f64 {
    row.nodes as f64
}

/// How much less than the whole it is, in percent.
fn saved(share: Ratio) -> String {
    format!("{:.1} %", 100.0 - 100.0 * share.value)
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
    let figures = AGAINST.map(|(against, words)| extension(&all, against, words, &mut outcome));
    outcome.keys.push(("beside", figures.to_vec().into()));
    outcome.notes.push(SIDE_BY_SIDE.to_string());
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
        let share = before.and_then(|before| ratio(found, name, before, nodes));
        table.add(vec![
            name.to_string(),
            share.map_or(String::new(), Ratio::text),
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
fn extension(all: &[(u32, Findings)], against: &str, words: &str, outcome: &mut Outcome) -> Value {
    let beside = SideBySide::of(all, "+E", against);
    let mut table = beside.table(format!("Extended futility {words}: who alone solves it"));
    table.head.splice(1..1, ["nodes", "saves"].map(String::from));
    let mut seen = Vec::new();
    let mut saves = true;
    for ((depth, found), row) in all.iter().zip(&mut table.rows) {
        let share = ratio(found, "+E", against, nodes);
        saves &= share.is_some_and(|share| share.value <= 1.0 - TENTH);
        let shown = |words: fn(Ratio) -> String| share.map_or("?".to_string(), words);
        let cells = [shown(Ratio::text), shown(saved)];
        seen.push(format!("{} at depth {depth}", cells[1]));
        row.splice(1..1, cells);
        outcome.figures.push(json!({
            "what": "extended", "against": against, "depth": depth,
            "share": share.map(|share| json!({
                "value": share.value, "low": share.low, "high": share.high,
            })),
        }));
    }
    outcome.tables.push(table);
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
    beside.figure("+E", against)
}
