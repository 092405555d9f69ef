//! rankcut-gather, rankcut-suite, rankcut-match, rankcut-v-mpc: what RankCut saves and gains in the papers'
//! host (Lim and Lee, 2006), and what they could not try: RankCut and Multi-ProbCut in one engine.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::bail;
use secateur_games::playable::Playable;
use secateur_games::problem::ProblemFiles;
use secateur_search::calibrate::ranks::{Bound, Counts, Test};
use serde_json::json;

use super::multi_probcut::{HEAD, HOST, another, figure, row, table as table_of_cuts};
use super::outcome::{Outcome, Table};
use super::setting::{Sample, Setting};
use crate::contest::entry::Entry;
use crate::contest::folder;
use crate::contest::tally::Score;
use crate::ranks::findings::{Coverage, Findings, findings};
use crate::ranks::host::{described, settings_of};
use crate::ranks::play::{Run, play, prepare};
use crate::ranks::{KIND, Order, Thinks};
use crate::statistics::elo::{logistic, superiority};
use crate::statistics::paired::mcnemar;
use crate::statistics::papers::heinz_of_match;
use crate::suite::findings::Findings as Solved;
use crate::suite::folder::Order as SuiteOrder;
use crate::whole_file;

/// What turns it on, with the paper's numbers, which are ours too.
const ON: &str = "rank_cut=on";

/// A row of the paper's Table 1: suite, positions, and by depth 8, 10 and 12 nodes, the change of them in
/// percent, solved, and the change of that.
struct Row {
    suite: &'static str,
    file: &'static str,
    positions: u64,
    depths: [(u64, f64, u64, i64); 3],
}

/// Table 1. The change of nodes of the last row is printed as that of another; this one follows from
/// the sums and the percentage.
const PAPER: [Row; 3] = [
    Row {
        suite: "ECM",
        file: "ecm879.epd",
        positions: 879,
        depths: [
            (1_170_566_012, -8.9, 549, -2),
            (11_641_894_779, -31.2, 620, -7),
            (88_924_232_803, -41.3, 678, -13),
        ],
    },
    Row {
        suite: "WAC",
        file: "wac.epd",
        positions: 300,
        depths: [
            (160_052_139, -7.2, 289, -2),
            (1_961_241_110, -34.0, 294, 0),
            (13_361_000_868, -35.7, 297, -1),
        ],
    },
    Row {
        suite: "WCS",
        file: "wcsac.epd",
        positions: 1_001,
        depths: [
            (914_031_896, -10.6, 840, 1),
            (9_534_443_036, -23.4, 863, 1),
            (77_536_489_398, -36.1, 873, -2),
        ],
    },
];

/// The same of all three together.
const SUM: [(u64, f64, u64, i64); 3] = [
    (2_244_650_047, -9.5, 1_678, -3),
    (23_137_578_925, -28.3, 1_777, -6),
    (179_821_723_069, -38.7, 1_848, -16),
];

/// What is to be saved at each of these depths, in percent: the paper's sums, rounded down.
const AIMS: [f64; 3] = [9.0, 28.0, 38.0];
/// On fewer positions that is not checked.
const ENOUGH: u64 = 100;
/// Positions for the deepest search where not all of them are searched.
const DEEPEST: u64 = 100;

/// Games of the host against itself, counted in the folder of the run.
fn gathered<G: Playable>(setting: &Setting) -> anyhow::Result<(Order, Run, Findings, PathBuf)> {
    setting.demand_time()?;
    let each = "preset=classic";
    let (host, evaluation) = described::<G>(each)?;
    let order = Order {
        kind: KIND.to_string(),
        game: G::NAME.to_string(),
        games: setting.scaled(50, 6),
        rounds: 1,
        stable: 1.0,
        each: each.to_string(),
        host,
        evaluation,
        thinks: Thinks::Nodes(setting.scaled(200_000, 2_000)),
        // Searches of a trial have no deeper nodes worth counting.
        least_depth: if setting.scale >= 0.2 { 7 } else { 4 },
        least_seen: 100,
        margin: 50,
        seed: 1,
        fails: settings_of(each)?.rank_cut_lead.form.fails(),
    };
    let folder = setting.folder.join("ranks");
    let host = prepare::<G>(&order)?;
    if !folder.join("run.toml").is_file() {
        order.begin(&folder)?;
    } else if Order::read(&folder)? != order {
        bail!("{} was begun otherwise, or by another program", folder.display());
    }
    let threads = NonZeroUsize::new(setting.concurrency).unwrap_or(NonZeroUsize::MIN);
    let run = play(&order, &host, &folder, threads)?;
    if run.stopped {
        setting.raise();
    }
    setting.demand_time()?;
    let path = folder.join("ranks.toml");
    let text = run.table(&order, "secateur reproduce rankcut-gather").write();
    whole_file::write(&path, |out| Ok(out.write_all(text.as_bytes())?))?;
    let found = findings(&order, &run, host.settings());
    Ok((order, run, found, path))
}

/// What the engines of an experiment are told beyond their settings: the table of ranks, if the game has
/// none of its own.
pub(super) fn table<G: Playable>(
    setting: &Setting,
    outcome: &mut Outcome,
) -> anyhow::Result<String> {
    if !G::RANKS.is_empty() {
        outcome.notes.push("ranks are those of the table that comes with the program".to_string());
        return Ok(String::new());
    }
    let (order, _, _, path) = gathered::<G>(setting)?;
    outcome.notes.push(format!("ranks were counted in {} games for this run", order.games));
    let depth = order.least_depth.max(2);
    Ok(format!(" rank_cut.depth={depth} ranks='{}'", path.display()))
}

/// rankcut-gather: from games to a table.
pub(super) fn gather<G: Playable>(setting: &Setting) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::default();
    let (order, run, found, _) = gathered::<G>(setting)?;
    let Coverage { met, often, known, below } = found.coverage;
    let percent = |part: u64| format!("{:.1} %", 100.0 * part as f64 / met.max(1) as f64);
    let mut shown = Table::new("Counts of ranks", &["", "paper", "ours"]);
    let thinks = match order.thinks {
        Thinks::Nodes(nodes) => format!("{nodes} nodes a move"),
        Thinks::Movetime(milliseconds) => format!("{milliseconds} ms a move"),
    };
    let rows = [
        ("games", "50".to_string(), found.games.to_string()),
        ("control", "40 moves in 80 minutes".to_string(), thinks),
        ("mean depth", String::new(), format!("{:.1}", found.depth)),
        ("nodes from depth", "7".to_string(), order.least_depth.to_string()),
        ("late moves met", String::new(), met.to_string()),
        ("in a state seen 1000 times", String::new(), percent(often)),
        ("with a chance", String::new(), percent(known)),
        ("with one below the threshold", String::new(), percent(below)),
        ("the same by shares alone", String::new(), percent(found.counted.0.below)),
        ("threshold", "0.75 %".to_string(), "0.75 %".to_string()),
    ];
    for (name, theirs, ours) in rows {
        shown.add(vec![name.to_string(), theirs, ours]);
    }
    outcome.tables.push(shown);
    let mut all: Vec<(u8, Counts)> = Vec::new();
    for (state, counts) in &run.tally() {
        all.push((state.number, *counts));
    }
    let chance = |from: u8, to: u8| {
        let mut sum = Counts::default();
        let inside = all.iter().filter(|(number, _)| (from..=to).contains(number));
        inside.for_each(|(_, counts)| sum.add(counts));
        sum.better(Test::Rest, Bound::Alpha) as f64 / sum.seen.max(1) as f64
    };
    let (early, late) = (chance(2, 8), chance(20, 63));
    outcome.figures.push(json!({
        "games": found.games, "depth": found.depth, "met": met, "seen_often": often,
        "with_a_chance": known, "below_threshold": below, "pull": found.pull,
        "counted_below_threshold": found.counted.0.below, "early": early, "late": late,
        "cuts": found.cuts.map(|cuts| json!({"promised": cuts.promised, "real": cuts.real,
            "between": cuts.between, "met": cuts.met})),
    }));
    outcome.check(
        "a better move is the less likely the later it is",
        format!("{:.2} % from moves 2 to 8 on, {:.2} % from 20 on", 100.0 * early, 100.0 * late),
        late < early,
    );
    match found.cuts {
        Some(cuts) => outcome.check(
            "what would be cut is followed by a better move as rarely as promised, in games not counted",
            format!(
                "{:.3} % promised, {:.3} % real ({:.3}-{:.3})",
                100.0 * cuts.promised,
                100.0 * cuts.real,
                100.0 * cuts.between[0],
                100.0 * cuts.between[1]
            ),
            cuts.real <= cuts.promised || cuts.holds(),
        ),
        None => outcome.notes.push("nothing would be cut: more games, or longer ones".to_string()),
    }
    Ok(outcome)
}

/// The parts of the suites that are searched to a depth, with the places of the paper's rows.
fn samples(
    setting: &Setting,
    depth: usize,
    outcome: &mut Outcome,
) -> anyhow::Result<Vec<(PathBuf, usize)>> {
    let all: u64 = PAPER.iter().map(|row| row.positions).sum();
    let mut files: Vec<(PathBuf, usize)> = Vec::new();
    for (index, Row { file, positions, .. }) in PAPER.iter().enumerate() {
        let mut many = setting.scaled(*positions, 3);
        if depth == 12 && setting.scale < 1.0 {
            many = many.min((positions * DEEPEST).div_ceil(all));
        }
        let Sample { file, origin } = setting.sample(file, many)?;
        if !outcome.notes.contains(&origin) {
            outcome.notes.push(origin);
        }
        if !files.iter().any(|(other, _)| *other == file) {
            files.push((file, index));
        }
    }
    Ok(files)
}

/// rankcut-suite: nodes and solved at fixed depths.
pub(super) fn suite<G: ProblemFiles>(setting: &Setting) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::default();
    let ranks = table::<G>(setting, &mut outcome)?;
    let depths: &[usize] = match setting.scale {
        scale if scale >= 0.1 => &[8, 10, 12],
        _ => &[8],
    };
    let engines = [
        format!("{HOST} name=original"),
        format!("{HOST} {ON}{ranks} name=RankCut"),
        format!("{HOST} {ON} rank_cut_estimate=counted{ranks} name=counted"),
    ];
    let mut shown = Table::new(
        "Original and RankCut to fixed depths",
        &[
            "suite",
            "nodes, paper",
            "change",
            "solved",
            "change",
            "nodes, ours",
            "change (95 %)",
            "time",
            "solved",
            "change",
        ],
    );
    shown.remark =
        "Counted: by shares alone, of states seen 1000 times or more, as the paper has it."
            .to_string();
    let mut sums = Table::new(
        "All together",
        &["depth", "with", "only original", "only with", "p", "at equal nodes", "error of solved"],
    );
    sums.remark =
        "p: McNemar's test, two-sided. At equal nodes: solved by each within the nodes of the \
                   thriftier. Error: of the number solved by the original, as in the paper."
            .to_string();
    for (place, &depth) in depths.iter().enumerate() {
        let files = samples(setting, depth, &mut outcome)?;
        let order = SuiteOrder {
            depth: Some(depth as u32),
            files: files.iter().map(|(file, _)| file.clone()).collect(),
            ..setting.order::<G>(&files[0].0, &engines)
        };
        let found = setting.suite::<G>(&format!("depth-{depth}"), &order)?;
        let mut beside = Beside { found: &found, shown: &mut shown, outcome: &mut outcome };
        for ((_, paper), suite) in files.iter().zip(&found.suites) {
            let Row { suite: name, depths, .. } = &PAPER[*paper];
            beside.add("RankCut", &format!("{name}-{depth:02}"), Some(&suite.name), depths[place]);
        }
        let label = format!("Sum-{depth:02}");
        beside.add("RankCut", &label, None, SUM[place]);
        beside.add("counted", &format!("{label} counted"), None, SUM[place]);
        // The paper knows nothing of drawing shares, so its parameters are those of the second.
        for engine in ["RankCut", "counted"] {
            judge(&found, engine, place, depth, &mut sums, &mut outcome);
        }
    }
    outcome.tables.push(shown);
    outcome.tables.push(sums);
    Ok(outcome)
}

/// What must come out at a depth, and a row of the table of all suites together.
fn judge(
    found: &Solved,
    engine: &str,
    place: usize,
    depth: usize,
    sums: &mut Table,
    outcome: &mut Outcome,
) {
    let beside = found.compare(engine, None);
    let (first, second) = (beside.only_first, beside.only_second);
    let test = mcnemar(first, second).mid;
    sums.add(vec![
        depth.to_string(),
        engine.to_string(),
        first.to_string(),
        second.to_string(),
        format!("{test:.3}"),
        format!("{} / {}", beside.at_equal_nodes.0, beside.at_equal_nodes.1),
        format!("{:.1}", beside.first.standard_error()),
    ]);
    let Some(nodes) = found.ratio(engine, "original", |row| row.nodes as f64) else {
        return;
    };
    let (claim, most) = match beside.first.positions >= ENOUGH {
        true => (format!("{} % of the nodes or more", AIMS[place]), 1.0 - AIMS[place] / 100.0),
        false => ("nodes".to_string(), 1.0),
    };
    outcome.check_or_open(
        format!("{engine} saves {claim}, depth {depth}"),
        nodes.text(),
        nodes.value < 1.0 && nodes.value <= most,
        nodes.low < 1.0 && nodes.low <= most,
    );
    outcome.check(
        format!("{engine} does not solve clearly less, depth {depth}"),
        format!("{first} only by the original, {second} only by it, p {test:.3}"),
        second >= first || test > 0.05,
    );
}

/// Where rows of both tables go.
struct Beside<'a> {
    found: &'a Solved,
    shown: &'a mut Table,
    outcome: &'a mut Outcome,
}

impl Beside<'_> {
    /// The paper's figures and those of an engine, on one suite or on all.
    fn add(
        &mut self,
        engine: &str,
        label: &str,
        suite: Option<&str>,
        (nodes, change, solved, more): (u64, f64, u64, i64),
    ) {
        let [first, second] = ["original", engine].map(|name| self.found.sums(name, suite));
        let percent = |after: u64, before: u64| 100.0 * (after as f64 / before.max(1) as f64 - 1.0);
        let ours = percent(second.nodes, first.nodes);
        // Of all suites only: a bootstrap of each would say little.
        let between =
            suite.is_none().then(|| self.found.ratio(engine, "original", |row| row.nodes as f64));
        let interval = between.flatten().map_or(String::new(), |ratio| {
            format!(" ({:+.1} to {:+.1})", 100.0 * (ratio.low - 1.0), 100.0 * (ratio.high - 1.0))
        });
        let gain = second.solved as i64 - first.solved as i64;
        self.shown.add(vec![
            label.to_string(),
            nodes.to_string(),
            format!("{change:+.1} %"),
            solved.to_string(),
            format!("{more:+}"),
            first.nodes.to_string(),
            format!("{ours:+.1} %{interval}"),
            format!("{:+.1} %", percent(second.time_ms, first.time_ms)),
            format!("{} of {}", first.solved, first.positions),
            format!("{gain:+}"),
        ]);
        self.outcome.figures.push(json!({
            "suite": label, "engine": engine, "paper_change": change, "paper_solved": more,
            "positions": first.positions, "nodes": [first.nodes, second.nodes], "change": ours,
            "time_ms": [first.time_ms, second.time_ms], "solved": [first.solved, second.solved],
        }));
    }
}

/// How long the engines think: as long as it takes to look deep enough for it.
fn control(setting: &Setting) -> &'static str {
    if setting.scale >= 0.5 { "movetime=500" } else { "nodes=20000" }
}

/// How deep an engine has looked on average, where it says so.
fn mean_depth(games: &[Entry], name: &str) -> f64 {
    let (mut plies, mut moves) = (0.0, 0.0);
    for game in games {
        for (index, depth) in (game.opening_plies..).zip(&game.depths) {
            let mover = if index.is_multiple_of(2) { &game.first } else { &game.second };
            if let Some(depth) = depth.filter(|_| mover == name) {
                plies += f64::from(depth);
                moves += 1.0;
            }
        }
    }
    if moves > 0.0 { plies / moves } else { 0.0 }
}

/// The paper's test of a match, with both z.
fn heinz(score: &Score) -> String {
    heinz_of_match(score.games)
        .map_or(String::new(), |found| format!("{:+.3} / {:+.3}", found.one_sided, found.two_sided))
}

fn with_heinz(head: &[&'static str; 6]) -> Vec<&'static str> {
    [&head[..], &["l, z 1.645 / 1.96"]].concat()
}

/// rankcut-match: against the host without, and both against an engine of somebody else if one is at hand.
pub(super) fn games<G: ProblemFiles>(setting: &Setting) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::default();
    let ranks = table::<G>(setting, &mut outcome)?;
    let control = control(setting);
    let mut head = with_heinz(&HEAD);
    head.extend(["mean depth", "without"]);
    let mut shown =
        Table::new(format!("Games at {control} a move against the host without"), &head);
    let engines = [
        format!("{HOST} {ON}{ranks} {control} name=RankCut"),
        format!("{HOST} {control} name=original"),
    ];
    // The paper's 124 games leave 8 points on either side, 400 leave 4.
    let played = setting.games::<G>("original", engines, 2 * setting.scaled(200, 1))?;
    let score = played.finish.tally.first_score();
    let entries = folder::games(&setting.folder.join("original"), &played.contest)?;
    let depths = ["RankCut", "original"].map(|name| mean_depth(&entries, name));
    let mut line = row("RankCut", score, "+40 =74 -10, 62.1 %");
    line.push(heinz(score));
    line.extend(depths.map(|depth| format!("{depth:.1}")));
    shown.add(line);
    shown.remark =
        "l above 0 is what the paper calls significant: it prints 0.099, which is z = 1.645."
            .to_string();
    let mut told = figure("RankCut v original", score);
    told["depths"] = json!(depths);
    outcome.figures.push(told);
    outcome.tables.push(shown);
    if setting.scale >= 0.5 {
        let lead = logistic(&score.pairs);
        let superiority = superiority(&score.pairs);
        outcome.check_or_open(
            "RankCut is stronger than the original, likely by 95 % or more",
            lead.map_or(String::new(), |lead| {
                format!("{:+.0} +- {:.0}, {superiority:.3}", lead.value, lead.error)
            }),
            superiority >= 0.95,
            superiority > 0.05,
        );
        outcome.check(
            "it looks 9 plies deep or more",
            format!("{:.1} on average", depths[0]),
            depths[0] >= 9.0,
        );
    }
    let Some(other) = another() else {
        outcome.notes.push("no engine of somebody else is on the PATH to play against".to_string());
        return Ok(outcome);
    };
    outcome.notes.push(format!("against {other} instead of Fruit 2.1"));
    let time = if setting.scale >= 0.5 { 200 } else { 20 };
    let mut shown = Table::new(format!("Against it, {time} ms a move"), &HEAD);
    let rows = [
        ("original", String::new(), "+11 =14 -39, 28.1 %"),
        ("RankCut", format!(" {ON}{ranks}"), "+15 =9 -40, 30.5 %"),
    ];
    for (name, settings, theirs) in rows {
        let engines = [
            format!("{HOST}{settings} movetime={time} name=ours"),
            format!("{other} movetime={time} name=theirs"),
        ];
        let games = 2 * setting.scaled(32, 1);
        let played = setting.games::<G>(&format!("third-{name}"), engines, games)?;
        let score = played.finish.tally.first_score();
        shown.add(row(name, score, theirs));
        outcome.figures.push(figure(&format!("{name} v {other}"), score));
    }
    outcome.tables.push(shown);
    Ok(outcome)
}

/// rankcut-v-mpc: both in one engine, which the paper could not have, and one against the other.
pub(super) fn against_mpc<G: ProblemFiles>(setting: &Setting) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::default();
    let ranks = table::<G>(setting, &mut outcome)?;
    let cuts = table_of_cuts::<G>(setting, &mut outcome)?;
    let rank = format!("{ON}{ranks}");
    let mpc = format!("probcut=multi{cuts}");
    let control = control(setting);
    let sides = [
        ("RankCut v Multi-ProbCut", rank.clone(), mpc.clone(), "RankCut, at 95 %"),
        ("RankCut v original", rank.clone(), String::new(), ""),
        ("Multi-ProbCut v original", mpc.clone(), String::new(), ""),
        ("both v original", format!("{rank} {mpc}"), String::new(), ""),
    ];
    let mut shown =
        Table::new(format!("Games at {control} a move in one host"), &with_heinz(&HEAD));
    let mut all = true;
    for (name, first, second, theirs) in sides {
        let engines = [
            format!("{HOST} {first} {control} name=first"),
            format!("{HOST} {second} {control} name=second"),
        ];
        let games = 2 * setting.scaled(100, 1);
        let folder = name.to_lowercase().replace([' ', '-'], "_");
        let played = setting.games::<G>(&folder, engines, games)?;
        let score = played.finish.tally.first_score();
        let counts = score.games;
        all &= counts.wins + counts.draws + counts.losses == games;
        let mut line = row(name, score, theirs);
        line.push(heinz(score));
        shown.add(line);
        outcome.figures.push(figure(name, score));
    }
    outcome.tables.push(shown);
    let Sample { file, origin } = setting.sample("wac.epd", setting.scaled(300, 3))?;
    outcome.notes.push(origin);
    let versions = [
        ("original", String::new()),
        ("RankCut", rank.clone()),
        ("MPC", mpc.clone()),
        ("both", format!("{rank} {mpc}")),
    ];
    let engines: Vec<String> =
        versions.iter().map(|(name, settings)| format!("{HOST} {settings} name={name}")).collect();
    let depth = if setting.scale >= 1.0 { 10 } else { 8 };
    let found = setting.to_depth::<G>("suite", &file, &engines, depth)?;
    let mut shown = Table::new(
        format!("On tactical positions, depth {depth}"),
        &["version", "nodes, of original", "solved", "only it / only original", "p"],
    );
    for (name, _) in &versions {
        let nodes = found.ratio(name, "original", |row| row.nodes as f64);
        let (sums, beside) = (found.sums(name, None), found.compare(name, None));
        shown.add(vec![
            name.to_string(),
            nodes.map_or(String::new(), |nodes| nodes.text()),
            format!("{} of {}", sums.solved, sums.positions),
            format!("{} / {}", beside.only_second, beside.only_first),
            format!("{:.3}", mcnemar(beside.only_first, beside.only_second).mid),
        ]);
        outcome.figures.push(json!({
            "version": name, "depth": depth, "nodes": sums.nodes, "solved": sums.solved,
            "positions": sums.positions,
        }));
    }
    outcome.tables.push(shown);
    outcome.check("every game was played to the end", "all matches", all);
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_depth_is_that_of_the_moves_of_one_side_after_the_opening() {
        let game = |first: &str, second: &str, opening_plies: usize| -> Entry {
            serde_json::from_value(json!({
                "game": 1, "pair": 0, "first": first, "second": second, "opening": "", "start": null,
                "moves": [], "opening_plies": opening_plies, "result": "1-0", "points": [1.0, 0.0],
                "reason": "", "termination": "", "fault": null, "scores": [],
                "depths": [10, 4, 12, null, 14], "times_ms": [], "nodes": [], "began": 0.0,
                "seconds": 0.0,
            }))
            .unwrap()
        };
        let games = [game("a", "b", 2), game("a", "b", 3), game("b", "a", 3)];
        assert_eq!(mean_depth(&games[..1], "a"), 12.0);
        assert_eq!(mean_depth(&games[..1], "b"), 4.0);
        assert_eq!(mean_depth(&games[1..2], "b"), 12.0, "the second begins");
        assert_eq!(mean_depth(&games, "a"), (3.0 * 12.0 + 4.0 + 3.0 * 12.0) / 7.0);
        assert_eq!(mean_depth(&games, "c"), 0.0);
    }
}
