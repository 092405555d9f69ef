//! Where the move comes from.
//!
//! This is the one function that a search replaces. It may start threads of its own, writes
//! `info` lines while it thinks, and looks at the signals; when it returns, the shell sends its
//! answer as soon as the protocol allows.

use super::output::Output;
use super::score;
use super::task::{Answer, Signals, Task};
use crate::games::Playable;
use secateur_search::Score;
use secateur_search::pick::pick;

/// Chooses a move. The stand-in is done at once, so it need not look at the signals.
pub fn think<G: Playable>(task: &Task<G>, _signals: &Signals, output: &Output) -> Answer<G::Move> {
    let position = task.record.position();
    let how = &task.settings.pick;
    let Some(best) = pick(position, &task.allowed, how) else {
        let score = score::written(position.without_moves().score(0));
        output.line(format_args!("info depth 0 score {score}"));
        return Answer { best: None, reply: None };
    };
    let nodes = 1_u64;
    let elapsed = task.begun.elapsed();
    let per_second = u128::from(nodes) * 1_000_000 / elapsed.as_micros().max(1);
    output.line(format_args!(
        "info depth 1 seldepth 1 multipv 1 score {} nodes {nodes} nps {per_second} time {} pv {}",
        score::written(Score::DRAW),
        elapsed.as_millis(),
        position.write_move(best),
    ));
    Answer { best: Some(best), reply: pick(&position.after(best), &[], how) }
}
