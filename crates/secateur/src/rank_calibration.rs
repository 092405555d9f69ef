//! What counts of ranks say, as text and as JSON.

use std::path::Path;

use secateur_lab::ranks::findings::{Change, Coverage, Curve, Findings, Promise};
use secateur_lab::ranks::{Order, Thinks};
use secateur_lab::values::grouped;
use secateur_search::Settings;
use secateur_search::calibrate::ranks::Phase;
use serde_json::{Value, json};

/// Numbers of moves that the short table shows.
const SHOWN: [u8; 9] = [3, 5, 8, 12, 16, 20, 25, 30, 40];

fn percent(part: u64, all: u64) -> f64 {
    100.0 * part as f64 / all.max(1) as f64
}

/// What chances are of, by the settings.
fn meant(settings: &Settings) -> String {
    let form = |name: &str| settings.get(name).map_or(String::new(), |value| value.to_string());
    format!(
        "rank_cut_test={} rank_cut_bound={} rank_cut_lead={} rank_cut_estimate={}",
        form("rank_cut_test"),
        form("rank_cut_bound"),
        form("rank_cut_lead"),
        form("rank_cut_estimate")
    )
}

fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::History => "history",
        Phase::Remaining => "remaining",
    }
}

/// For people.
pub fn as_text(order: &Order, findings: &Findings, settings: &Settings, path: &Path) -> String {
    let settings = &order.as_counted(settings);
    let Findings { games, moves, depth, coverage, .. } = findings;
    let thinks = match order.thinks {
        Thinks::Nodes(nodes) => format!("{} nodes", grouped(nodes)),
        Thinks::Movetime(milliseconds) => format!("{milliseconds} ms"),
    };
    let mut text = format!(
        "{games} games of {}, {} moves of {thinks}, {depth:.1} plies deep on average\n",
        order.game,
        grouped(*moves)
    );
    let Coverage { met, often, known, below } = *coverage;
    let instances = settings.rank_cut.instances as u64;
    text += &format!(
        "{} late moves at nodes of depth {} or more, in {} states, {} of them in the table\n",
        grouped(met),
        order.least_depth,
        grouped(findings.states[0] as u64),
        grouped(findings.states[1] as u64)
    );
    text += &format!(
        "weighted by how often they are met: {:.1} % in a state seen {} times or more, {:.1} % with a \
         chance, {:.1} % below {} %\n",
        percent(often, met),
        grouped(instances),
        percent(known, met),
        percent(below, met),
        f64::from(settings.rank_cut.threshold) / 100.0
    );
    let (counted, _) = &findings.counted;
    text += &format!(
        "by shares alone, as in the paper (rank_cut_estimate=counted): {:.1} % with a chance, {:.1} % below\n",
        percent(counted.known, met),
        percent(counted.below, met)
    );
    text += &drawn(findings);
    text +=
        &format!("\nChance of a better move, in percent, by its number ({}):\n", meant(settings));
    text += &format!("{:>5} {:>9}", "depth", "phase");
    SHOWN.iter().for_each(|number| text += &format!(" {number:>6}"));
    text += "\n";
    for curve in &findings.curves {
        text += &format!("{:>5} {:>9}", curve.depth, phase(curve.phase));
        for number in SHOWN {
            let found = curve.points.iter().find(|(of, seen, _)| *of == number && *seen >= 100);
            let cell =
                found.map_or("-".to_string(), |(.., chance)| format!("{:.2}", 100.0 * chance));
            text += &format!(" {cell:>6}");
        }
        text += "\n";
    }
    text += &promised(findings);
    for (round, change) in (2..).zip(&findings.changes) {
        let Change { chances, decisions } = change;
        text += &format!(
            "\nround {round} against the one before: chances differ by {:.3} points on average, {:.2} % of \
             decisions turn",
            100.0 * chances,
            100.0 * decisions
        );
    }
    if !findings.changes.is_empty() {
        text += "\n";
    }
    text + &format!("\nThe table is {}.\n", path.display())
}

/// How much shares are drawn, and what speaks for it.
fn drawn(findings: &Findings) -> String {
    let best = findings.pulls.iter().find(|(pull, _)| *pull == findings.pull);
    let Some((_, best)) = best else {
        return format!(
            "shares are drawn towards coarser states as by {} instances: too few games to fit it\n",
            grouped(findings.pull)
        );
    };
    let mut text = format!(
        "shares are drawn towards coarser states as by {} instances, which makes games not counted likeliest; \
         less likely, in a millionth of the logarithm for a late move:\n",
        grouped(findings.pull)
    );
    for (pull, likelihood) in &findings.pulls {
        text += &format!(" {}: {:.0}", grouped(*pull), 1e6 * (best - likelihood));
    }
    text + "\n"
}

fn promised(findings: &Findings) -> String {
    let mut text =
        "\nIn games that the chances were not counted in (percent; 95 % interval by games):\n"
            .to_string();
    text += &format!(
        "{:>14} {:>13} {:>9} {:>9} {:>17}\n",
        "chance", "met", "promised", "real", "between"
    );
    let line = |promise: &Promise, name: String| {
        let [low, high] = promise.between.map(|end| 100.0 * end);
        format!(
            "{name:>14} {:>13} {:>9.3} {:>9.3} {:>17} {}\n",
            grouped(promise.met),
            100.0 * promise.promised,
            100.0 * promise.real,
            format!("{low:.3} - {high:.3}"),
            if promise.holds() { "" } else { "!" }
        )
    };
    for promise in &findings.promises {
        let [low, high] = promise.interval.map(|end| 100.0 * end);
        text += line(promise, format!("{low} - {high}")).trim_end();
        text += "\n";
    }
    if let Some(cuts) = &findings.cuts {
        text += line(cuts, "what is cut".to_string()).trim_end();
        text += "\n";
    }
    if let (_, Some(cuts)) = &findings.counted {
        text += line(cuts, "counted".to_string()).trim_end();
        text += "\n";
    }
    text + "! marks what does not hold.\n"
}

/// For programs, the totals first.
pub fn as_json(order: &Order, findings: &Findings, settings: &Settings) -> Value {
    let settings = &order.as_counted(settings);
    let promise = |promise: &Promise| {
        json!({
            "chance": promise.interval, "met": promise.met, "promised": promise.promised,
            "real": promise.real, "between": promise.between, "holds": promise.holds(),
        })
    };
    let curve = |curve: &Curve| json!({"depth": curve.depth, "phase": phase(curve.phase), "points": curve.points});
    let change =
        |change: &Change| json!({"chances": change.chances, "decisions": change.decisions});
    let Coverage { met, often, known, below } = findings.coverage;
    let (counted, counted_cuts) = &findings.counted;
    json!({
        "games": findings.games,
        "moves": findings.moves,
        "depth": findings.depth,
        "met": met,
        "seen_often": often,
        "with_a_chance": known,
        "below_threshold": below,
        "states": findings.states[0],
        "states_in_table": findings.states[1],
        "game": order.game,
        "host": order.host,
        "evaluation": order.evaluation,
        "threshold": settings.rank_cut.threshold,
        "chances_of": meant(settings),
        "pull": findings.pull,
        "pulls": findings.pulls,
        "cuts": findings.cuts.as_ref().map(promise),
        "counted": {
            "with_a_chance": counted.known, "below_threshold": counted.below,
            "cuts": counted_cuts.as_ref().map(promise),
        },
        "promises": findings.promises.iter().map(promise).collect::<Vec<_>>(),
        "changes": findings.changes.iter().map(change).collect::<Vec<_>>(),
        "curves": findings.curves.iter().map(curve).collect::<Vec<_>>(),
    })
}
