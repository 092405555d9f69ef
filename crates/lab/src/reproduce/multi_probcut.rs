//! probcut-speed, probcut-match, mpc-tend, mpc-tmid, mpc-third: what ProbCut and Multi-ProbCut gain in
//! the papers' host (Jiang and Buro, 2003).

use secateur_games::playable::Playable;
use secateur_games::problem::ProblemFiles;
use serde_json::json;

use super::mpc_fit;
use super::outcome::{Outcome, Table};
use super::setting::{Sample, Setting};
use crate::contest::tally::Score;
use crate::statistics::counts::Counts;
use crate::statistics::elo::{logistic, superiority};
use crate::sweep::{self, curve, paper};
use crate::values::rounded;

/// The papers' host.
pub(super) const HOST: &str = "secateur preset=classic";
/// One pair, (4, 8), as in the first experiments.
const SINGLE: &str = "probcut=single probcut.least=8 probcut.deepest=8";

/// What the engines of an experiment are told beyond their settings: the table of cuts, if the game has
/// none of its own, fitted in the folder of the run.
pub(super) fn table<G: Playable>(
    setting: &Setting,
    outcome: &mut Outcome,
) -> anyhow::Result<String> {
    if !G::CUTS.is_empty() {
        outcome.notes.push("cuts go by the table that comes with the program".to_string());
        return Ok(String::new());
    }
    let path = mpc_fit::fitted_table::<G>(setting)?;
    outcome.notes.push("cuts go by a table that was fitted for this run".to_string());
    Ok(format!(" cuts='{}'", path.display()))
}

/// How long the engines think: by time as in the paper, or where it is only a trial by nodes. The host looks
/// nine plies deep in this time: where it looks less deep these cuts hardly come to be asked.
fn control(setting: &Setting) -> &'static str {
    if setting.scale >= 0.5 { "movetime=200" } else { "nodes=3000" }
}

/// probcut-speed: mean depth in a fixed time.
pub(super) fn speed<G: ProblemFiles>(setting: &Setting) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::default();
    let cuts = table::<G>(setting, &mut outcome)?;
    let versions = [
        ("plain", String::new(), Some(11.5)),
        (
            "ProbCut T 1.5",
            format!("{SINGLE} probcut.threshold=150 probcut.threshold_end=150"),
            None,
        ),
        (
            "ProbCut T 1.0",
            format!("{SINGLE} probcut.threshold=100 probcut.threshold_end=100"),
            Some(11.6),
        ),
        (
            "Multi-ProbCut T 1.0",
            "probcut=multi probcut.threshold=100 probcut.threshold_end=100".to_string(),
            Some(12.0),
        ),
    ];
    let engines: Vec<String> = versions
        .iter()
        .map(|(name, settings, _)| {
            let cuts = if settings.is_empty() { "" } else { &cuts };
            format!("{HOST} {settings}{cuts} name='{name}'")
        })
        .collect();
    let Sample { file, origin } = setting.sample("ecm879.epd", setting.scaled(300, 4))?;
    outcome.notes.push(origin);
    let mut order = setting.order::<G>(&file, &engines);
    let (time, what) = match setting.scale >= 0.5 {
        true => (Some(2_000), "2 s"),
        false => (Some(50), "50 ms"),
    };
    order.movetime = time;
    let found = setting.suite::<G>("speed", &order)?;
    let mut shown = Table::new(
        format!("Mean depth in {what} a position (the paper: 30 s on machines of 2002)"),
        &["version", "ours", "more than plain", "+-", "paper", "more than plain"],
    );
    let depths = |name: &str| -> Vec<f64> {
        found.rows_of(name, None).map(|row| f64::from(row.depth)).collect()
    };
    let plain = depths("plain");
    let mut gain = None;
    for (name, _, theirs) in &versions {
        let ours = depths(name);
        let count = ours.len().max(1) as f64;
        let mean = ours.iter().sum::<f64>() / count;
        let more: Vec<f64> = ours.iter().zip(&plain).map(|(one, other)| one - other).collect();
        let difference = more.iter().sum::<f64>() / count;
        let variance = more.iter().map(|more| (more - difference).powi(2)).sum::<f64>()
            / (count - 1.0).max(1.0);
        let error = 1.96 * (variance / count).sqrt();
        if *name == "Multi-ProbCut T 1.0" {
            gain = Some((difference, error));
        }
        shown.add(vec![
            name.to_string(),
            format!("{mean:.2}"),
            format!("{:+.2}", rounded(difference, 2)),
            format!("{error:.2}"),
            theirs.map_or(String::new(), |depth| format!("{depth:.1}")),
            theirs.map_or(String::new(), |depth| format!("{:+.1}", depth - 11.5)),
        ]);
        outcome.figures.push(json!({
            "version": name, "depth": mean, "more": difference, "error": error, "paper": theirs,
            "positions": ours.len(),
        }));
    }
    outcome.tables.push(shown);
    if let Some((difference, error)) = gain {
        outcome.check_or_open(
            "Multi-ProbCut looks half a ply deeper or more in the same time",
            format!("{difference:+.2} +- {error:.2} plies"),
            difference >= 0.5,
            difference + error >= 0.5,
        );
    }
    Ok(outcome)
}

/// A row of a table of matches.
pub(super) fn row(name: &str, score: &Score, paper: &str) -> Vec<String> {
    let games = score.games;
    let share = score.pairs.score().map_or(String::new(), |share| format!("{:.1}", 100.0 * share));
    let elo = logistic(&score.pairs);
    vec![
        name.to_string(),
        format!("+{} ={} -{}", games.wins, games.draws, games.losses),
        share,
        elo.map_or(String::new(), |elo| format!("{:+.0} +- {:.0}", elo.value, elo.error)),
        format!("{:.3}", superiority(&score.pairs)),
        paper.to_string(),
    ]
}

pub(super) fn figure(name: &str, score: &Score) -> serde_json::Value {
    json!({
        "match": name, "won": score.games.wins, "drawn": score.games.draws,
        "lost": score.games.losses, "superiority": superiority(&score.pairs),
    })
}

pub(super) const HEAD: [&str; 6] = ["", "ours +=-", "ours %", "Elo", "superiority", "paper"];

/// A match of probcut-match.
struct Versions {
    name: &'static str,
    /// What the one has that the other has not.
    settings: &'static str,
    /// What both have.
    both: &'static str,
    paper: &'static str,
    /// What must come out, if anything.
    claim: Option<&'static str>,
}

/// T is the paper's, 1.0. Without null move the host looks some four plies less deep than theirs did and hardly
/// ever asks about height 8, so that there the pairs of all heights stand for the paper's one; the table has one a
/// height.
const VERSIONS: [Versions; 3] = [
    Versions {
        name: "ProbCut",
        settings: "probcut=single probcut.least=8 probcut.deepest=8 probcut.threshold=100 probcut.threshold_end=100",
        both: "",
        paper: "not significant in 64",
        claim: None,
    },
    Versions {
        name: "ProbCut, no null move on either side",
        settings: "probcut=single probcut.threshold=100 probcut.threshold_end=100",
        both: " null_move=off",
        paper: "40-24",
        claim: Some("without null move ProbCut wins clearly"),
    },
    Versions {
        name: "Multi-ProbCut",
        settings: "probcut=multi probcut.threshold=100 probcut.threshold_end=100",
        both: "",
        paper: "+22 =32 -10, 59.4 %",
        claim: Some("Multi-ProbCut is stronger than the host without"),
    },
];

/// probcut-match: with and without null move.
pub(super) fn games<G: ProblemFiles>(setting: &Setting) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::default();
    let cuts = table::<G>(setting, &mut outcome)?;
    let control = control(setting);
    let mut shown =
        Table::new(format!("Games at {control} a move against the host without"), &HEAD);
    for Versions { name, settings, both, paper, claim } in VERSIONS {
        let games = 2 * setting.scaled(200, 2);
        let engines = [
            format!("{HOST}{both} {settings}{cuts} {control} name=with"),
            format!("{HOST}{both} {control} name=without"),
        ];
        let folder = name.to_lowercase().replace([' ', ',', '.'], "-");
        let played = setting.games::<G>(&folder, engines, games)?;
        let score = played.finish.tally.first_score();
        shown.add(row(name, score, paper));
        outcome.figures.push(figure(name, score));
        if let [Some(with), Some(without)] =
            [0, 1].map(|engine| played.finish.tally.effort()[engine].depth())
        {
            outcome.notes.push(format!("{name}: {with:.1} plies with, {without:.1} without"));
        }
        if let Some(claim) = claim
            && setting.scale >= 0.5
        {
            let sure = superiority(&score.pairs);
            outcome.check_or_open(
                claim,
                format!("superior with {:.1} %", 100.0 * sure),
                sure >= 0.95,
                sure > 0.05,
            );
        }
    }
    outcome.tables.push(shown);
    Ok(outcome)
}

/// mpc-tend and mpc-tmid: the threshold of one stage swept, that of the other at 1.0.
pub(super) fn thresholds<G: ProblemFiles>(
    setting: &Setting,
    parameter: &str,
) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::default();
    let cuts = table::<G>(setting, &mut outcome)?;
    let other = match parameter {
        "probcut.threshold" => "probcut.threshold_end",
        _ => "probcut.threshold",
    };
    let theirs = paper("chess", parameter);
    let control = control(setting);
    let order = sweep::Order {
        kind: sweep::KIND.to_string(),
        game: G::NAME.to_string(),
        parameter: parameter.to_string(),
        values: theirs.iter().map(|(value, _)| *value).collect(),
        engine: format!("{HOST} probcut=multi {other}=100{cuts}"),
        base: HOST.to_string(),
        each: control.to_string(),
        tc: None,
        nodes: None,
        games: 2 * setting.scaled(100, 1),
        seed: 1,
    };
    let run = setting.folder.join("sweep");
    if !run.join("run.toml").is_file() {
        order.begin(&run)?;
    }
    let played =
        sweep::play::<G>(&order, &run, setting.concurrency, &setting.ours, &setting.interrupt)?;
    setting.demand_time()?;
    let through = curve(&played);
    let mut shown = Table::new(
        format!("{parameter}, games at {control} a move against the host without"),
        &["hundredths", "ours +=-", "ours %", "+-", "curve %", "paper % of 64"],
    );
    for one in &played {
        let score = one.score();
        let percent = |value: f64| format!("{:.1}", 100.0 * value);
        let beside = theirs.iter().find(|(value, _)| *value == one.value);
        let curve = through.as_ref().map(|curve| curve.at(f64::from(one.value)).value);
        shown.add(vec![
            one.value.to_string(),
            format!("+{} ={} -{}", one.games.wins, one.games.draws, one.games.losses),
            score.map_or(String::new(), |score| percent(score.value)),
            score.map_or(String::new(), |score| percent(score.error)),
            curve.map_or(String::new(), percent),
            beside.map_or(String::new(), |(_, score)| format!("{score:.1}")),
        ]);
        outcome.figures.push(json!({
            "value": one.value, "ours": score.map(|score| score.value),
            "error": score.map(|score| score.error), "curve": curve,
            "paper": beside.map(|(_, score)| score / 100.0),
        }));
    }
    if let Some(curve) = &through {
        let [best, low, high] = curve.best;
        shown.remark = format!(
            "The curve is highest at {best:.0} ({low:.0} to {high:.0}). Of the paper's 64 games each a 95 % \
             interval is 10 points wide on either side: its best value is not known."
        );
    }
    outcome.tables.push(shown);
    Ok(outcome)
}

/// Table 4: scores against Yace at two controls.
const THIRD: [(&str, [f64; 2]); 3] = [
    ("host", [42.0, 50.8]),
    ("Multi-ProbCut, T 1.2 and 1.0", [53.1, 56.3]),
    ("Multi-ProbCut, T 1.0 and 1.0", [57.0, 55.5]),
];

/// Engines that may be at hand to play against, the likeliest match first.
const OTHERS: [(&str, &str); 3] = [
    ("gnuchess", "gnuchess --uci"),
    ("glaurung", "glaurung option.OwnBook=false option.Ponder=false"),
    ("toga2", "toga2 option.OwnBook=false"),
];

/// The first of them that is on the PATH.
pub(super) fn another() -> Option<&'static str> {
    let places: Vec<_> =
        std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect();
    let is_here = |name: &str| places.iter().any(|place| place.join(name).is_file());
    OTHERS.iter().find(|(name, _)| is_here(name)).map(|(_, words)| *words)
}

/// mpc-third: against an engine of somebody else.
pub(super) fn third<G: ProblemFiles>(setting: &Setting) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::default();
    let Some(other) = another() else {
        let names: Vec<&str> = OTHERS.iter().map(|(name, _)| *name).collect();
        anyhow::bail!("mpc-third needs another engine on the PATH: one of {}", names.join(", "));
    };
    let cuts = table::<G>(setting, &mut outcome)?;
    outcome.notes.push(format!("against {other} instead of Yace"));
    let settings = [
        String::new(),
        format!(" probcut=multi probcut.threshold=120 probcut.threshold_end=100{cuts}"),
        format!(" probcut=multi probcut.threshold=100 probcut.threshold_end=100{cuts}"),
    ];
    let times = if setting.scale >= 0.5 { [100, 400] } else { [20, 40] };
    for (index, time) in times.into_iter().enumerate() {
        let mut shown = Table::new(format!("{time} ms a move"), &HEAD);
        for ((name, theirs), settings) in THIRD.iter().zip(&settings) {
            let engines = [
                format!("{HOST}{settings} movetime={time} name=ours"),
                format!("{other} movetime={time} name=theirs"),
            ];
            let folder =
                format!("third-{time}-{}", name.to_lowercase().replace([' ', ',', '.'], "-"));
            let played = setting.games::<G>(&folder, engines, 2 * setting.scaled(100, 1))?;
            let score = played.finish.tally.first_score();
            shown.add(row(name, score, &format!("{} %", theirs[index])));
            outcome.figures.push(figure(&format!("{name}, {time} ms"), score));
        }
        outcome.tables.push(shown);
    }
    Ok(outcome)
}
