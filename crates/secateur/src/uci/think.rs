//! Where the move comes from: the search, with its reports written as `info` lines.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use secateur_games::playable::Playable;
use secateur_lab::engine::ScoreValue;
use secateur_search::alphabeta::engine::Report;
use secateur_search::alphabeta::table::Bound;

use super::output::Output;
use super::task::{Answer, Signals, Task};

/// Chooses a move.
pub fn think<G: Playable>(task: &Task<G>, signals: &Signals, output: &Output) -> Answer<G::Move> {
    // A thread that died while thinking has left nothing that the next search trusts.
    let mut engine = task.engine.lock().unwrap_or_else(PoisonError::into_inner);
    engine.set_settings(task.settings.clone());
    let counters = engine.node_counters().to_vec();
    let position = task.record.position();
    let mut silent = true;
    let mut report = |report: &Report<'_, G::Move>| {
        silent = false;
        let nodes = counters.iter().map(|counter| counter.load(Ordering::Relaxed)).sum();
        output.line(info(position, report, nodes, task.begun.elapsed()));
    };
    let (line, limits) = (task.record.line(), &task.limits);
    let answer = engine.search(position, line, limits, task.begun, signals.control(), &mut report);
    if silent {
        // Stopped before the first iteration, or nothing to search: a score is owed all the same.
        let best = answer.best.map(|m| format!(" pv {}", position.write_move(m)));
        let value = if answer.best.is_some() {
            "cp 0".into()
        } else {
            ScoreValue::of(answer.score).to_string()
        };
        output.line(format_args!("info depth 0 score {value}{}", best.unwrap_or_default()));
    }
    Answer { best: answer.best, reply: answer.line.get(1).copied() }
}

/// One `info` line, in the order that programs expect; whole numbers only.
fn info<G: Playable>(
    position: &G,
    report: &Report<'_, G::Move>,
    nodes: u64,
    elapsed: Duration,
) -> String {
    let bound = match report.bound {
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
        Bound::Exact | Bound::None => "",
    };
    let per_second = u128::from(nodes) * 1_000_000 / elapsed.as_micros().max(1);
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {}{bound} nodes {nodes} nps {per_second} \
         hashfull {} tbhits {} time {} pv",
        report.depth,
        report.selective_depth,
        report.line_number,
        ScoreValue::of(report.score),
        report.fullness,
        report.table_hits,
        elapsed.as_millis(),
    );
    let mut position = position.clone();
    for &m in report.line {
        line += &format!(" {}", position.write_move(m));
        position.play(m);
    }
    line
}
