//! Marsland and Bjornsson (2000): null move, check and forced-reply extensions in Abyss '99 (Tables 1A
//! and 1B), singular extensions in games (Table 2). Theirs is Chinese chess, ours is chess until that
//! exists here: the shape is what can be compared.

use secateur_games::problem::ProblemFiles;
use serde_json::json;

use super::outcome::{Outcome, Table};
use super::setting::{Sample, Setting};
use super::side_by_side::{SIDE_BY_SIDE, SideBySide};
use crate::statistics::bootstrap::Interval;
use crate::statistics::elo::logistic;
use crate::suite::findings::Findings;

/// The presets, the base first, with what the paper calls them.
const PRESETS: [(&str, &str); 4] =
    [("abyss", "base"), ("abyss-null", "-null"), ("abyss+ch", "+ch"), ("abyss+ch+sf", "+ch+sf")];
/// Table 1A at 5 to 8 plies: time and node ratios to the base.
const COSTS: [[(f64, f64); 4]; 4] = [
    [(1.0, 1.0), (1.0, 1.0), (1.0, 1.0), (1.0, 1.0)],
    [(1.56, 1.14), (4.33, 2.59), (3.85, 2.24), (10.50, 6.27)],
    [(1.25, 1.16), (1.32, 1.18), (1.46, 1.29), (1.39, 1.26)],
    [(1.58, 1.42), (1.60, 1.39), (1.93, 1.62), (2.03, 1.74)],
];
/// Table 1B at 5 to 8 plies: percent solved.
const SOLVED: [[u32; 4]; 4] =
    [[38, 50, 56, 64], [36, 50, 56, 64], [52, 62, 74, 80], [60, 68, 80, 86]];
/// Positions of the paper, and depths: its own, and two more where there is time for them.
const POSITIONS: u64 = 50;
const SUITE: &str = "wac.epd";

fn depths(setting: &Setting) -> std::ops::RangeInclusive<u32> {
    5..=if setting.scale >= 1.0 { 10 } else { 8 }
}

/// All presets on the same positions, depth by depth.
fn searched<G: ProblemFiles>(setting: &Setting) -> anyhow::Result<(Vec<(u32, Findings)>, Outcome)> {
    let Sample { file, origin } = setting.sample(SUITE, setting.scaled(POSITIONS, 4))?;
    let outcome = Outcome { notes: vec![origin], ..Outcome::default() };
    let engines: Vec<String> = PRESETS
        .iter()
        .map(|(preset, name)| format!("secateur preset={preset} name={name}"))
        .collect();
    let one = |depth| {
        let found = setting.to_depth::<G>(&format!("depth-{depth}"), &file, &engines, depth)?;
        Ok((depth, found))
    };
    let all = depths(setting).map(one).collect::<anyhow::Result<_>>()?;
    Ok((all, outcome))
}

/// The figure of the paper at a depth, if it has one.
fn of_paper<T: Copy>(row: &[T; 4], depth: u32) -> Option<T> {
    depth.checked_sub(5).and_then(|place| row.get(place as usize)).copied()
}

/// Table 1A.
pub(super) fn costs<G: ProblemFiles>(setting: &Setting) -> anyhow::Result<Outcome> {
    let (all, mut outcome) = searched::<G>(setting)?;
    let mut without = Vec::new();
    for (index, (_, name)) in PRESETS.iter().enumerate().skip(1) {
        let mut table = Table::new(
            format!("{name}: ratios to the base, {}", G::NAME),
            &["depth", "time, ours", "nodes, ours", "time, paper", "nodes, paper"],
        );
        for (depth, found) in &all {
            let time = found.ratio(name, "base", |row| row.time_ms as f64);
            let nodes = found.ratio(name, "base", |row| row.nodes as f64);
            let paper = of_paper(&COSTS[index], *depth);
            if index == 1
                && let Some(nodes) = nodes
            {
                without.push((*depth, nodes));
            }
            let show = |found: Option<Interval>| found.map_or("?".to_string(), Interval::text);
            let plain = |value: Option<f64>| value.map_or("".to_string(), |v| format!("{v:.2}"));
            table.add(vec![
                depth.to_string(),
                show(time),
                show(nodes),
                plain(paper.map(|paper| paper.0)),
                plain(paper.map(|paper| paper.1)),
            ]);
            outcome.figures.push(json!({
                "what": name, "depth": depth,
                "ours": {"time": time.map(|r| r.value), "nodes": nodes.map(|r| r.value)},
                "paper": paper.map(|(time, nodes)| json!({"time": time, "nodes": nodes})),
            }));
        }
        outcome.tables.push(table);
    }
    if let (Some(first), Some(last)) = (without.first(), without.last()) {
        outcome.check(
            "null move saves more the deeper the search",
            format!(
                "without it {:.2} times the nodes at depth {}, {:.2} at {}",
                first.1.value, first.0, last.1.value, last.0
            ),
            last.1.value > first.1.value && last.1.low > 1.0,
        );
    }
    Ok(outcome)
}

/// Table 1B.
pub(super) fn solved<G: ProblemFiles>(setting: &Setting) -> anyhow::Result<Outcome> {
    let (all, mut outcome) = searched::<G>(setting)?;
    let mut table = Table::new(
        format!("Solved, percent of the positions; ours in {} / the paper's", G::NAME),
        &["", "5", "6", "7", "8", "9", "10"],
    );
    table.head.truncate(1 + all.len());
    for (index, (_, name)) in PRESETS.iter().enumerate() {
        let mut row = vec![name.to_string()];
        for (depth, found) in &all {
            let sums = found.sums(name, None);
            let percent = 100.0 * sums.solved as f64 / sums.positions.max(1) as f64;
            let paper = of_paper(&SOLVED[index], *depth);
            let beside = paper.map_or(String::new(), |paper| format!(" / {paper}"));
            row.push(format!("{percent:.0}{beside}"));
            outcome.figures.push(json!({
                "what": name, "depth": depth, "ours": percent, "paper": paper,
                "positions": sums.positions,
            }));
        }
        table.add(row);
    }
    outcome.tables.push(table);
    let mut figures = Vec::new();
    for name in ["+ch", "+ch+sf"] {
        let beside = SideBySide::of(&all, name, "base");
        outcome.tables.push(beside.table(format!("{name} beside the base: who alone solves it")));
        figures.push(beside.figure(name, "base"));
        outcome.check(
            format!("{name} solves more than the base at equal depth"),
            beside.seen(),
            beside.with > beside.without && !beside.is_worse(),
        );
    }
    outcome.keys.push(("beside", figures.into()));
    outcome.notes.push(SIDE_BY_SIDE.to_string());
    Ok(outcome)
}

/// Table 2: seconds a move, and won, drawn, lost for the side with singular extensions.
const GAMES: [(&str, u64, [u32; 3]); 3] =
    [("10 s", 10_000, [8, 9, 7]), ("30 s", 30_000, [7, 6, 11]), ("100 s", 100_000, [6, 6, 12])];

/// Table 2.
pub(super) fn games<G: ProblemFiles>(setting: &Setting) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::default();
    let mut table = Table::new(
        "Singular extensions against none (null move, checks, forced replies on both sides)",
        &["paper", "paper +=-", "paper %", "nodes", "games", "ours +=-", "ours %", "Elo"],
    );
    let with = "secateur preset=abyss+ch+sf singular=brothers singular.depth=4 name=singular";
    let without = "secateur preset=abyss+ch+sf name=plain";
    let rows = GAMES.iter().map(|(time, nodes, paper)| (*time, *nodes, *nodes, *paper));
    let more = [("33 s against 30 s", 33_000, 30_000, [10, 5, 9])];
    for (time, ours, theirs, paper) in rows.chain(more) {
        let games = 2 * setting.scaled(100, 4);
        let engines = [format!("{with} nodes={ours}"), format!("{without} nodes={theirs}")];
        let played = setting.games::<G>(&format!("games-{ours}-{theirs}"), engines, games)?;
        let score = played.finish.tally.first_score();
        let [won, drawn, lost] = [score.games.wins, score.games.draws, score.games.losses];
        let points = |won: f64, drawn: f64, lost: f64| {
            100.0 * (won + drawn / 2.0) / (won + drawn + lost).max(1.0)
        };
        let percent = points(won as f64, drawn as f64, lost as f64);
        let [w, d, l] = paper.map(f64::from);
        let elo = logistic(&score.pairs);
        table.add(vec![
            time.to_string(),
            format!("+{} ={} -{}", paper[0], paper[1], paper[2]),
            format!("{:.1}", points(w, d, l)),
            if ours == theirs { ours.to_string() } else { format!("{ours} / {theirs}") },
            (won + drawn + lost).to_string(),
            format!("+{won} ={drawn} -{lost}"),
            format!("{percent:.1}"),
            elo.map_or(String::new(), |elo| format!("{:+.0} +- {:.0}", elo.value, elo.error)),
        ]);
        outcome.figures.push(json!({
            "time": time, "nodes": [ours, theirs],
            "paper": {"won": paper[0], "drawn": paper[1], "lost": paper[2]},
            "ours": {"won": won, "drawn": drawn, "lost": lost, "elo": elo.map(|elo| elo.value),
                "error": elo.map(|elo| elo.error).filter(|error| error.is_finite())},
        }));
    }
    table.remark =
        "24 games of the paper decide nothing by themselves: a 95 % interval is 16 points \
        wide on either side."
            .to_string();
    outcome.tables.push(table);
    Ok(outcome)
}
