//! bstar-ahead: how much of the work is in vain if several leaves are chosen before the first of them is
//! expanded, as many processors would have to (Berliner and McConnell, 1996), and how many expansions and
//! nodes a second make on one thread and on two.

use std::collections::HashSet;
use std::fs;
use std::time::Instant;

use anyhow::{Context, bail};
use secateur_games::playable::new_engine;
use secateur_games::problem::ProblemFiles;
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::choice::Decided;
use secateur_search::alphabeta::engine::Limits;
use secateur_search::{Depth, Line, Overlay};
use serde_json::json;

use super::outcome::{Outcome, Table};
use super::setting::{Sample, Setting};
use crate::statistics::share::{Cluster, effective, wilson};

/// Leaves chosen ahead, and the share that the paper found wasted.
const AHEAD: [(i32, &str); 3] = [(1, ""), (4, "none"), (14, "1 in 5")];
/// The paper's effort for a move.
const EXPANSIONS: u64 = 225;
/// Plies of a probe.
const PROBE: i32 = 4;

/// What a search of one position left.
struct Thought<M> {
    best: M,
    expanded: HashSet<u64>,
    expansions: u64,
    nodes: u64,
    seconds: f64,
}

/// Only expansions are counted, as in the paper.
fn think<G: ProblemFiles>(
    position: &G,
    ahead: i32,
    threads: usize,
) -> anyhow::Result<Thought<G::Move>> {
    let mut overlay = Overlay::default();
    for (parameter, value) in [
        ("search", "bstar".to_string()),
        ("bstar.probe", PROBE.to_string()),
        ("bstar.expansions", EXPANSIONS.to_string()),
        ("bstar.ahead", ahead.to_string()),
        ("hand_over", "off".to_string()),
    ] {
        overlay.set(parameter, &value)?;
    }
    let mut engine = new_engine::<G>();
    engine.set_settings(overlay.served_by::<G>()?);
    engine.set_threads(threads);
    let line = Line::starting_at(position);
    let limits = Limits { depth: Some(Depth::MAX), ..Limits::default() };
    let (control, begun) = (Control::default(), Instant::now());
    let answer = engine.search(position, &line, &limits, begun, &control, &mut |_| {});
    let seconds = begun.elapsed().as_secs_f64();
    let Decided::Bstar { expansions, .. } = answer.decided else { bail!("B* did not decide") };
    let graph = engine.thoughts().context("B* has left nothing")?.search.graph();
    let nodes = (0..graph.len()).map(|id| graph.node(id as _));
    let expanded = nodes.filter(|node| node.is_expanded()).map(|node| node.key).collect();
    let best = answer.best.context("there is no move")?;
    Ok(Thought { best, expanded, expansions, nodes: answer.nodes, seconds })
}

pub(super) fn run<G: ProblemFiles>(setting: &Setting) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::default();
    let Sample { file, origin } = setting.sample("wac.epd", setting.scaled(60, 4))?;
    outcome.notes.push(format!("{origin}; {EXPANSIONS} expansions, probes of {PROBE} plies"));
    let text = fs::read_to_string(&file).with_context(|| format!("{}", file.display()))?;
    let problems = G::read_problems(&text).into_iter().collect::<Result<Vec<_>, _>>()?;
    let positions: Vec<G> = problems.into_iter().map(|problem| problem.position).collect();

    let mut alone = Vec::new();
    let mut wasted = Table::new(
        "Leaves chosen ahead",
        &["ahead", "expansions", "wasted", "95 %", "the same move", "paper: wasted"],
    );
    for (ahead, paper) in AHEAD {
        let (mut clusters, mut same) = (Vec::new(), 0);
        for (index, position) in positions.iter().enumerate() {
            setting.demand_time()?;
            let thought = think(position, ahead, 1)?;
            if ahead == 1 {
                alone.push(thought);
                continue;
            }
            let one: &Thought<G::Move> = &alone[index];
            let lost = thought.expanded.difference(&one.expanded).count();
            clusters.push(Cluster { part: lost as f64, whole: thought.expansions as f64 });
            same += u64::from(thought.best == one.best);
        }
        if ahead == 1 {
            let sum = alone.iter().map(|thought| thought.expansions).sum::<u64>();
            let mut row = vec!["1".to_string(), sum.to_string(), "0 %".to_string()];
            row.resize(6, String::new());
            wasted.add(row);
            continue;
        }
        let sum = |of: fn(&Cluster) -> f64| clusters.iter().map(of).sum::<f64>();
        let (lost, all) = (sum(|cluster| cluster.part), sum(|cluster| cluster.whole).max(1.0));
        // What is wasted comes by positions, not by expansions.
        let within = wilson(lost / all, effective(&clusters).unwrap_or(all));
        wasted.add(vec![
            ahead.to_string(),
            all.to_string(),
            format!("{:.1} %", 100.0 * within.value),
            format!("{:.1} to {:.1}", 100.0 * within.low, 100.0 * within.high),
            format!("{same} of {}", positions.len()),
            paper.to_string(),
        ]);
        outcome.figures.push(json!({
            "ahead": ahead, "expansions": all, "wasted": lost, "same_move": same,
            "positions": positions.len(), "paper": paper,
        }));
    }
    wasted.remark =
        "Wasted is what a search of one leaf at a time did not expand; some of it is merely other \
        work, for both may end elsewhere."
            .to_string();
    outcome.tables.push(wasted);

    let mut speed = Table::new(
        "Expansions and nodes of probes a second",
        &["threads", "expansions/s", "nodes/s", "of one thread"],
    );
    let mut rates = Vec::new();
    for threads in [1, 2] {
        let (mut expansions, mut nodes, mut seconds) = (0, 0, 0.0);
        for position in &positions {
            setting.demand_time()?;
            let thought = think(position, 1, threads)?;
            expansions += thought.expansions;
            nodes += thought.nodes;
            seconds += thought.seconds;
        }
        let rate = expansions as f64 / f64::max(seconds, 1e-9);
        rates.push(rate);
        speed.add(vec![
            threads.to_string(),
            format!("{rate:.0}"),
            format!("{:.0}", nodes as f64 / f64::max(seconds, 1e-9)),
            format!("{:.2}", rate / rates[0]),
        ]);
        outcome.figures.push(json!({
            "threads": threads, "expansions": expansions, "nodes": nodes, "seconds": seconds,
        }));
    }
    outcome.tables.push(speed);
    outcome.check(
        "every position was thought about",
        format!("{} positions", alone.len()),
        alone.iter().all(|thought| thought.expansions > 0),
    );
    Ok(outcome)
}
