//! `go perft`: the leaves below each move, while `stop` and `quit` are obeyed.

use secateur_games::playable::Playable;
use secateur_search::Stopped;
use secateur_search::perft::Perft;

use super::output::Output;
use super::task::Signals;

/// Counts and prints, move by move. A count that was stopped has no sum.
pub fn count<G: Playable>(position: &G, depth: u32, signals: &Signals, output: &Output) {
    let perft = Perft {
        bulk: true,
        finished_is_leaf: G::FINISHED_GAMES_ARE_LEAVES,
        stop: Some(signals.control().stop_flag()),
    };
    let counted = perft.divide(position, depth, |m, leaves| {
        output.line(format_args!("{}: {leaves}", position.write_move(m)));
    });
    match counted {
        Ok(leaves) => output.line(format_args!("Nodes searched: {leaves}")),
        Err(Stopped) => output.info("perft stopped before it was done"),
    }
}
