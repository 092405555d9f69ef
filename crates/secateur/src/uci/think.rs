//! Where the move comes from: the search, with its reports written as `info` lines.

use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use secateur_games::playable::Playable;
use secateur_games::strength::Candidates;
use secateur_games::told::{chances, told};
use secateur_lab::engine::ScoreValue;
use secateur_lab::engine::info::decided_text;
use secateur_search::alphabeta::choice::{Decided, Thoughts};
use secateur_search::alphabeta::engine::Report;
use secateur_search::alphabeta::table::Bound;
use secateur_search::bstar::Part;
use secateur_search::{Chances, Score};

use super::output::Output;
use super::task::{Answer, Signals, Task};

/// A report that outlives the iteration it was made in, and its line.
type Kept<M> = (Report<'static, M>, Vec<M>);

/// Chooses a move.
pub fn think<G: Playable>(task: &Task<G>, signals: &Signals, output: &Output) -> Answer<G::Move> {
    // A thread that died while thinking has left nothing that the next search trusts.
    let mut engine = task.engine.lock().unwrap_or_else(PoisonError::into_inner);
    engine.set_settings(task.settings.clone());
    let counters = engine.node_counters().to_vec();
    let position = task.record.position();
    let mut silent = true;
    let mut candidates = Candidates::default();
    let counted = || counters.iter().map(|counter| counter.load(Ordering::Relaxed)).sum::<u64>();
    let told = AtomicU64::new(0);
    let tell = |report: &Report<'_, G::Move>| {
        let nodes = counted();
        told.store(nodes, Ordering::Relaxed);
        // The protocol has no word for it.
        if let Some(percent) = report.percent
            && report.line_number == 1
        {
            output.info(format_args!("depth {}@{percent}%", report.depth));
        }
        output.line(info(task, report, nodes, task.begun.elapsed()));
        if let Some(expansions) = report.expansions {
            let so_far = Decided::Bstar { expansions, part: Part::Alone };
            output.info(decided_text(so_far).unwrap_or_default());
        }
    };
    let mut last: Option<Kept<G::Move>> = None;
    let mut report = |report: &Report<'_, G::Move>| {
        if task.held_back.is_some() {
            candidates.take(report);
        }
        // An engine that is held back looks at more lines than it was asked for.
        if report.line_number <= task.limits.lines {
            silent = false;
            tell(report);
            let moves = report.line.to_vec();
            last = Some((Report { line: &[], percent: None, expansions: None, ..*report }, moves));
        }
    };
    let limits = match task.held_back {
        Some((strength, _)) => strength.limit(&task.limits),
        None => task.limits.clone(),
    };
    let line = task.record.line();
    let answer = engine.search(position, line, &limits, task.begun, signals.control(), &mut report);
    // An iteration that came to no end has cost nodes too: whoever counts by the last line is right then.
    if let Some((report, line)) = &last
        && task.limits.lines == 1
        && counted() > told.load(Ordering::Relaxed)
    {
        tell(&Report { line, ..*report });
    }
    if let Some(text) = engine.thoughts().and_then(kept_text) {
        output.info(text);
    }
    if let Some(text) = decided_text(answer.decided) {
        output.info(text);
    }
    if silent {
        // Stopped before the first iteration, or nothing to search: a score is owed all the same.
        let best = answer.best.map(|m| format!(" pv {}", position.write_move(m)));
        let score = if answer.best.is_some() { Score::DRAW } else { answer.score };
        let score = scored(task, score, Bound::Exact);
        output.line(format_args!("info depth 0 score {score}{}", best.unwrap_or_default()));
    }
    if let Some((strength, seed)) = task.held_back
        && let Some((chosen, other)) = candidates.choose(position, strength, seed)
    {
        // The last report is of the move that is played.
        if other {
            tell(&chosen.report());
        }
        let mut moves = chosen.moves.iter().copied();
        return Answer { best: moves.next(), reply: moves.next() };
    }
    Answer { best: answer.best, reply: answer.line.get(1).copied() }
}

/// What B* had to go on with when it began to think of this move; nothing if that was nothing.
fn kept_text<G: Playable>(thoughts: &Thoughts<G>) -> Option<String> {
    let Thoughts { kept, ahead, .. } = thoughts;
    (*kept > 0).then(|| format!("bstar kept {kept} positions, {ahead} expansions ahead"))
}

/// `cp 31`, `mate 2`, `cp 31 lowerbound wdl 450 400 150`.
fn scored<G: Playable>(task: &Task<G>, score: Score, bound: Bound) -> String {
    let position = task.record.position();
    let mut text = ScoreValue::of(told(position, score)).to_string();
    text += match bound {
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
        Bound::Exact | Bound::None => "",
    };
    if task.show_wdl {
        let Chances { win, draw, loss } = chances(position, score);
        text += &format!(" wdl {win} {draw} {loss}");
    }
    text
}

/// One `info` line, in the order that programs expect; whole numbers only.
fn info<G: Playable>(
    task: &Task<G>,
    report: &Report<'_, G::Move>,
    nodes: u64,
    elapsed: Duration,
) -> String {
    let per_second = u128::from(nodes) * 1_000_000 / elapsed.as_micros().max(1);
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {} nodes {nodes} nps {per_second} \
         hashfull {} tbhits {} time {} pv",
        report.depth,
        report.selective_depth,
        report.line_number,
        scored(task, report.score, report.bound),
        report.fullness,
        report.table_hits,
        elapsed.as_millis(),
    );
    let mut position = task.record.position().clone();
    for &m in report.line {
        line += &format!(" {}", position.write_move(m));
        position.play(m);
    }
    line
}
