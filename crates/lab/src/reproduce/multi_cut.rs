//! multicut: the papers give no figures for chess, so this is a grid of M, C and R in the host of the
//! papers: nodes and solved positions at equal depth, and games at equal nodes for the usual values.

use secateur_games::problem::ProblemFiles;
use serde_json::json;

use super::outcome::{Outcome, Table};
use super::setting::{Sample, Setting};
use crate::statistics::elo::logistic;

/// M, C and R.
const GRID: [[u32; 3]; 6] = [[6, 3, 2], [10, 3, 2], [6, 2, 2], [10, 2, 2], [6, 3, 3], [10, 3, 3]];
/// Nodes a move in the games.
const NODES: u32 = 10_000;

fn settings([m, c, r]: [u32; 3]) -> String {
    format!("multi_cut=on multi_cut.moves={m} multi_cut.cuts={c} multi_cut.reduction={r}")
}

pub(super) fn run<G: ProblemFiles>(setting: &Setting) -> anyhow::Result<Outcome> {
    let mut engines = vec!["secateur preset=classic name=none".to_string()];
    let name = |[m, c, r]: [u32; 3]| format!("{m}-{c}-{r}");
    engines
        .extend(GRID.iter().map(|&grid| {
            format!("secateur preset=classic {} name={}", settings(grid), name(grid))
        }));
    let Sample { file, origin } = setting.sample("wac.epd", setting.scaled(100, 5))?;
    let depth = if setting.scale >= 1.0 { 9 } else { 7 };
    let found = setting.to_depth::<G>("suite", &file, &engines, depth)?;
    let mut outcome = Outcome { notes: vec![origin], ..Outcome::default() };
    let mut table = Table::new(
        format!("Depth {depth}"),
        &["M-C-R", "nodes, of none", "solved", "only it / only none", "p"],
    );
    let mut saving = false;
    for grid in GRID {
        let name = name(grid);
        let nodes = found.ratio(&name, "none", |row| row.nodes as f64);
        let (sums, beside) = (found.sums(&name, None), found.compare(&name, None));
        saving |= nodes.is_some_and(|nodes| nodes.value < 1.0);
        table.add(vec![
            name.clone(),
            nodes.map_or(String::new(), |nodes| nodes.text()),
            format!("{} of {}", sums.solved, sums.positions),
            format!("{} / {}", beside.only_second, beside.only_first),
            format!("{:.3}", beside.test.mid),
        ]);
        outcome.figures.push(json!({
            "grid": grid, "depth": depth, "nodes_of_none": nodes.map(|nodes| nodes.value),
            "solved": sums.solved, "positions": sums.positions,
        }));
    }
    outcome.tables.push(table);
    let games = 2 * setting.scaled(200, 4);
    let engines = [
        format!("secateur preset=classic {} name=multicut nodes={NODES}", settings(GRID[0])),
        format!("secateur preset=classic name=none nodes={NODES}"),
    ];
    let played = setting.games::<G>("games", engines, games)?;
    let score = played.finish.tally.first_score();
    let elo = logistic(&score.pairs);
    let mut table = Table::new(
        format!("Games at {NODES} nodes a move, {} against none", name(GRID[0])),
        &["", "+", "=", "-", "Elo"],
    );
    table.add(vec![
        String::new(),
        score.games.wins.to_string(),
        score.games.draws.to_string(),
        score.games.losses.to_string(),
        elo.map_or(String::new(), |elo| format!("{:+.0} +- {:.0}", elo.value, elo.error)),
    ]);
    outcome.tables.push(table);
    outcome.figures.push(json!({
        "games": {"won": score.games.wins, "drawn": score.games.draws, "lost": score.games.losses},
        "elo": elo.map(|elo| elo.value),
    }));
    outcome.check("some multi-cut makes the tree smaller", "see the table", saving);
    Ok(outcome)
}
