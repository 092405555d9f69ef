//! lct2: the LCT II test, by its own formula: 1900 and points for the time to each solution. Lim and Lee
//! give 2575 for Crafty and 2635 for it with RankCut, on a machine of 2005.

use secateur_games::problem::ProblemFiles;
use serde_json::json;

use super::outcome::{Outcome, Table};
use super::rankcut;
use super::setting::Setting;
use crate::suite::folder::Order;

/// The longest time of the test for a position, in milliseconds.
const LONGEST: u64 = 600_000;

pub(super) fn run<G: ProblemFiles>(setting: &Setting) -> anyhow::Result<Outcome> {
    let file = setting.find("lct2.epd")?;
    let mut outcome = Outcome::default();
    let ranks = rankcut::table::<G>(setting, &mut outcome)?;
    let engines = [
        "secateur preset=classic name=classic".to_string(),
        format!("secateur preset=classic rank_cut=on{ranks} name='classic with RankCut'"),
        "secateur preset=modern name=modern".to_string(),
    ];
    let movetime = setting.scaled(LONGEST, 100);
    let order = Order {
        movetime: Some(movetime),
        stop_when_solved: None,
        ..setting.order::<G>(&file, &engines)
    };
    let found = setting.suite::<G>("suite", &order)?;
    let mut table = Table::new(
        format!("LCT II, {:.1} s a position", movetime as f64 / 1_000.0),
        &["", "rating", "solved", "mean depth"],
    );
    for (name, rating, solved, depth) in [
        ("Crafty, paper", "2575", "28 of 35", "15.7"),
        ("with RankCut, paper", "2635", "28 of 35", "16.5"),
    ] {
        table.add([name, rating, solved, depth].map(String::from).to_vec());
    }
    let mut all = true;
    for engine in &found.engines {
        let rating = found.suites.first().and_then(|suite| found.lct2(&engine.name, suite));
        let sums = found.sums(&engine.name, None);
        let depths: Vec<f64> =
            found.rows_of(&engine.name, None).map(|row| f64::from(row.depth)).collect();
        let mean = depths.iter().sum::<f64>() / depths.len().max(1) as f64;
        all &= rating.is_some();
        table.add(vec![
            engine.name.clone(),
            rating.map_or("?".to_string(), |rating| rating.to_string()),
            format!("{} of {}", sums.solved, sums.positions),
            format!("{mean:.1}"),
        ]);
        outcome.figures.push(json!({
            "engine": engine.name, "rating": rating, "solved": sums.solved,
            "positions": sums.positions, "depth": mean,
        }));
    }
    table.remark =
        "With less time than 600 s a position no solution can come later, so ratings of a \
        scaled run are a lower bound."
            .to_string();
    outcome.tables.push(table);
    outcome.check("every position was asked", format!("{} engines", found.engines.len()), all);
    Ok(outcome)
}
