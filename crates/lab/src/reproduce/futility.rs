//! ael: what adaptive null move, extended futility and limited razoring save, one after the other
//! (Heinz, 1998 to 2000; the figures as Lim and Lee quote them).

use secateur_games::problem::ProblemFiles;
use serde_json::json;

use super::outcome::{Outcome, Table};
use super::setting::{Sample, Setting, ratio};
use crate::statistics::paired::mcnemar;
use crate::suite::row::Row;

/// Each has what the one before has, and one thing more: futility at the frontier, adaptive null move,
/// extended futility, limited razoring.
const STEPS: [(&str, &str, &str); 5] = [
    ("plain", "null_move=fixed null_move.reduction=2 frontier_futility=off", ""),
    ("+F", "null_move=fixed null_move.reduction=2 frontier_futility=frontier", ""),
    ("+A", "frontier_futility=frontier", ""),
    ("+E", "", "10-30 %"),
    ("+L", "limited_razoring=on", "5-15 %"),
];
/// The host without futility of any kind.
const NONE: (&str, &str) = ("none", "frontier_futility=off");

/// A loss of solved positions below this p-value is no chance.
const LEVEL: f64 = 0.05;

pub(super) fn run<G: ProblemFiles>(setting: &Setting) -> anyhow::Result<Outcome> {
    let engines: Vec<String> = STEPS
        .iter()
        .map(|(name, settings, _)| (*name, *settings))
        .chain([NONE])
        .map(|(name, settings)| format!("secateur preset=classic {settings} name={name}"))
        .collect();
    let Sample { file, origin } = setting.sample("wac.epd", setting.scaled(100, 5))?;
    let depths = if setting.scale >= 1.0 { 8..=10 } else { 7..=8 };
    let mut outcome = Outcome { notes: vec![origin], ..Outcome::default() };
    let mut saved_everywhere = true;
    let mut seen = Vec::new();
    let (mut gained, mut lost) = (0, 0);
    for depth in depths {
        let found = setting.to_depth::<G>(&format!("depth-{depth}"), &file, &engines, depth)?;
        let mut table = Table::new(
            format!("Depth {depth}: nodes of each, as a share of the one above"),
            &["", "ours", "saves", "paper saves", "solved"],
        );
        for (index, (name, _, paper)) in STEPS.iter().enumerate() {
            let sums = found.sums(name, None);
            let before = index.checked_sub(1).map(|above| STEPS[above].0);
            let share =
                before.and_then(|before| ratio(&found, name, before, |row: &Row| row.nodes as f64));
            table.add(vec![
                name.to_string(),
                share.map_or(String::new(), |share| share.text()),
                share
                    .map_or(String::new(), |share| format!("{:.1} %", 100.0 - 100.0 * share.value)),
                paper.to_string(),
                format!("{} of {}", sums.solved, sums.positions),
            ]);
            outcome.figures.push(json!({
                "step": name, "depth": depth, "nodes": sums.nodes, "solved": sums.solved,
                "positions": sums.positions, "share_of_step_before": share.map(|share| share.value),
                "paper_saves": paper,
            }));
        }
        let whole = ratio(&found, "+E", NONE.0, |row: &Row| row.nodes as f64);
        if let Some(share) = whole {
            table.remark = format!(
                "+E against the same host without futility: {}, {:.1} % saved",
                share.text(),
                100.0 - 100.0 * share.value
            );
            saved_everywhere &= share.value <= 0.9;
            seen.push(format!("{:.1} % at depth {depth}", 100.0 - 100.0 * share.value));
        }
        let solved =
            |name: &str| -> Vec<bool> { found.rows_of(name, None).map(|row| row.solved).collect() };
        for (without, with) in solved(NONE.0).iter().zip(solved("+E")) {
            gained += u64::from(with && !without);
            lost += u64::from(*without && !with);
        }
        outcome.tables.push(table);
    }
    outcome.check(
        "futility with its extension saves a tenth of the nodes or more",
        seen.join(", "),
        saved_everywhere,
    );
    let p = mcnemar(lost, gained).mid;
    outcome.check(
        "and does not lose solved positions",
        format!("{lost} lost, {gained} gained over all depths, p = {p:.3}"),
        lost <= gained || p >= LEVEL,
    );
    Ok(outcome)
}
