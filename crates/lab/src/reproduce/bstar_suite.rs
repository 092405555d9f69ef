//! bstar-suite: B\* on positions to be solved, with more nodes and with deeper probes, beside alpha-beta
//! (Berliner and McConnell, 1996, Table 2). Their book of positions is under copyright; ours are those of
//! their own games, and tactical ones.

use std::fs;

use anyhow::Context;
use secateur_games::problem::ProblemFiles;
use serde_json::json;

use super::outcome::{Outcome, Table};
use super::setting::{Sample, Setting};
use crate::suite::folder::Order;

/// The paper's own positions.
pub(super) const POSITIONS: &str = include_str!("../../suites/bstar.epd");
/// Nodes a position for the plain engines.
const NODES: u64 = 1_000_000;
/// The columns of Table 2: what they are called, which search, how many times the nodes, what it sets, and
/// the points of the paper in opening, middle game and ending.
const COLUMNS: [(&str, &str, f64, &str, [u32; 3]); 5] = [
    ("alpha-beta", "alphabeta", 1.0, "", [18, 559, 166]),
    ("alpha-beta x4", "alphabeta", 4.0, "", [22, 587, 179]),
    ("B*", "bstar", 1.0, "", [17, 547, 145]),
    ("B* x2", "bstar", 2.0, "", [17, 604, 149]),
    // A ply more costs 4.5 times as much.
    ("B* probe+1", "bstar", 4.5, "bstar.probe=4", [17, 613, 151]),
];
/// What could be had.
const MOST: [u32; 3] = [28, 837, 235];

pub(super) fn run<G: ProblemFiles>(setting: &Setting) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::default();
    let own = setting.folder.join("paper.epd");
    fs::write(&own, POSITIONS).with_context(|| format!("{} cannot be written", own.display()))?;
    let Sample { file, origin } = setting.sample("wac.epd", setting.scaled(100, 4))?;
    outcome.notes.push(format!("the positions of the paper's games, and {origin}"));
    let nodes = setting.scaled(NODES, 120_000);
    let engines: Vec<String> = COLUMNS
        .iter()
        .map(|(name, search, times, settings, _)| {
            let nodes = (nodes as f64 * times) as u64;
            format!(
                "secateur preset=classic search={search} {settings} nodes={nodes} name='{name}'"
            )
        })
        .collect();
    let order = Order { files: vec![own, file], ..setting.order::<G>(&setting.folder, &engines) };
    let found = setting.suite::<G>("suite", &order)?;
    let mut table = Table::new(
        format!("Solved of the positions, at {nodes} nodes; the paper's points in percent"),
        &["", "the paper's games", "tactics", "all", "mean nodes", "paper %"],
    );
    for (name, _, _, _, points) in COLUMNS {
        let of = |suite: Option<&str>| {
            let sums = found.sums(name, suite);
            (sums.solved, sums.positions)
        };
        let show = |(solved, positions): (u64, u64)| format!("{solved} of {positions}");
        let parts: Vec<(u64, u64)> =
            found.suites.iter().map(|suite| of(Some(suite.name.as_str()))).collect();
        let all = of(None);
        let rows: Vec<u64> = found.rows_of(name, None).map(|row| row.nodes).collect();
        let mean = rows.iter().sum::<u64>() / rows.len().max(1) as u64;
        let paper =
            100.0 * f64::from(points.iter().sum::<u32>()) / f64::from(MOST.iter().sum::<u32>());
        let mut row = vec![name.to_string()];
        row.extend(parts.iter().map(|part| show(*part)));
        row.extend([show(all), mean.to_string(), format!("{paper:.0}")]);
        table.add(row);
        outcome.figures.push(json!({
            "version": name, "solved": all.0, "positions": all.1, "nodes": mean,
            "paper": {"points": points, "most": MOST},
        }));
    }
    table.remark =
        "The paper gives points for the value, the move and what follows it, and its sums \
        disagree with its rows: the percentages are those of the rows."
            .to_string();
    outcome.tables.push(table);
    let beside = |name: &str| found.sums(name, None).solved;
    outcome.check(
        "B* solves no fewer with twice the nodes",
        format!("{} with them, {} without", beside("B* x2"), beside("B*")),
        // One position more or less is noise.
        beside("B* x2") + 1 >= beside("B*"),
    );
    Ok(outcome)
}

#[cfg(all(test, feature = "chess"))]
mod tests {
    use super::*;
    use secateur_games::chess::Chess;

    #[test]
    fn every_position_of_the_paper_can_be_read_and_asks_something() {
        let problems = Chess::read_problems(POSITIONS);
        assert_eq!(problems.len(), 11);
        for problem in problems {
            let problem = problem.unwrap();
            assert!(problem.notes.is_empty() && problem.best.len() + problem.avoid.len() == 1);
        }
    }
}
