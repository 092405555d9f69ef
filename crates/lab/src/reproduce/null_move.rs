//! null-variants: what the forms of null move cost and solve at equal depth, and what they miss where
//! having to move is a burden (Heinz, 1999; David-Tabibi and Netanyahu, 2002).

use std::fs;

use anyhow::Context;
use secateur_games::problem::ProblemFiles;
use serde_json::json;

use super::outcome::{Outcome, Table};
use super::setting::{Sample, Setting};
use crate::statistics::paired::mcnemar;
use crate::suite::row::Row;

const FORMS: [(&str, &str); 5] = [
    ("none", "null_move=off"),
    ("fixed-2", "null_move=fixed null_move.reduction=2"),
    ("fixed-3", "null_move=fixed null_move.reduction=3"),
    ("adaptive", "null_move=adaptive null_move.reduction=2"),
    ("verified-3", "null_move=verified null_move.reduction=3"),
];

/// Positions in which passing would be better than any move, for one side somewhere near the root.
const ZUGZWANG: &str = "\
8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - bm Rf1; id \"zugzwang 1\";
1q1k4/2Rr4/8/2Q3K1/8/8/8/8 w - - bm Kh6; id \"zugzwang 2\";
7k/5K2/5P1p/3p4/6P1/3p4/8/8 w - - bm g5; id \"zugzwang 3\";
8/6B1/p5p1/Pp4kp/1P5r/5P1Q/4q1PK/8 w - - bm Qxh4; id \"zugzwang 4\";
8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - bm Nxd5; id \"zugzwang 5\";
";

pub(super) fn run<G: ProblemFiles>(setting: &Setting) -> anyhow::Result<Outcome> {
    let engines: Vec<String> = FORMS
        .iter()
        .map(|(name, form)| format!("secateur preset=classic {form} name={name}"))
        .collect();
    let mut outcome = Outcome::default();
    let Sample { file, origin } = setting.sample("wac.epd", setting.scaled(100, 5))?;
    outcome.notes.push(origin);
    let depth = if setting.scale >= 1.0 { 9 } else { 7 };
    let found = setting.to_depth::<G>("suite", &file, &engines, depth)?;
    let mut table = Table::new(
        format!("On tactical positions, depth {depth}"),
        &["form", "nodes, of none", "time, of none", "solved", "only it / only none", "p"],
    );
    for (name, _) in FORMS {
        let show = |measure: fn(&Row) -> f64| {
            found.ratio(name, "none", measure).map_or(String::new(), |ratio| ratio.text())
        };
        let sums = found.sums(name, None);
        let beside = found.compare(name, None);
        table.add(vec![
            name.to_string(),
            show(|row| row.nodes as f64),
            show(|row| row.time_ms as f64),
            format!("{} of {}", sums.solved, sums.positions),
            format!("{} / {}", beside.only_second, beside.only_first),
            format!("{:.3}", mcnemar(beside.only_first, beside.only_second).mid),
        ]);
        outcome.figures.push(json!({
            "form": name, "depth": depth, "nodes": sums.nodes, "time_ms": sums.time_ms,
            "solved": sums.solved, "positions": sums.positions,
        }));
    }
    outcome.tables.push(table);

    let path = setting.folder.join("zugzwang.epd");
    fs::write(&path, ZUGZWANG).with_context(|| format!("{}", path.display()))?;
    let depth = if setting.scale >= 1.0 { 12 } else { 8 };
    let found = setting.to_depth::<G>("zugzwang", &path, &engines, depth)?;
    let mut table = Table::new(
        format!("Zugzwang, depth {depth}: who finds the move"),
        &["form", "1", "2", "3", "4", "5", "nodes"],
    );
    let solved =
        |name: &str| -> Vec<bool> { found.rows_of(name, None).map(|row| row.solved).collect() };
    for (name, _) in FORMS {
        let mut row = vec![name.to_string()];
        row.extend(solved(name).iter().map(|yes| if *yes { "yes" } else { "-" }.to_string()));
        row.push(found.sums(name, None).nodes.to_string());
        table.add(row);
        outcome.figures.push(json!({"form": name, "depth": depth, "zugzwang": solved(name)}));
    }
    outcome.tables.push(table);
    let missed = solved("fixed-3");
    let finds = solved("verified-3");
    let gained =
        missed.iter().zip(&finds).filter(|(fixed, verified)| !**fixed && **verified).count();
    let lost = missed.iter().zip(&finds).filter(|(fixed, verified)| **fixed && !**verified).count();
    outcome.check_or_open(
        "verified null move finds zugzwang that fixed R = 3 misses",
        format!("{gained} only by verified, {lost} only by fixed"),
        gained > lost,
        mcnemar(lost as u64, gained as u64).mid > 0.05,
    );
    Ok(outcome)
}
