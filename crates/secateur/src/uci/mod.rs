//! The Universal Chess Interface, for any game that can be written down.
//!
//! | file | idea |
//! |---|---|
//! | [`command`] | a line becomes a command; pure, so that it can be fuzzed |
//! | [`go`] | the limits of a search, read from the words after `go` |
//! | [`options`] | what can be set and what is in force |
//! | [`session`] | what each command does |
//! | [`task`] | one `go`: its thread, its signals, its one answer |
//! | [`think`](mod@think) | where the move comes from: the function that a search replaces |
//! | [`count`] | `go perft` |
//! | [`lines`] | lines from any bytes |
//! | [`output`] | the one writer |
//!
//! The thread that reads never thinks, so `stop`, `isready` and `quit` are obeyed at once.

pub mod command;
pub mod count;
pub mod go;
pub mod lines;
pub mod options;
pub mod output;
pub mod session;
pub mod task;
pub mod think;

use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;

use lines::Lines;
use options::Options;
use output::Output;
use secateur_games::playable::Playable;
use secateur_search::Overlay;

pub use session::Session;

/// Speaks the protocol until `quit` or the end of the input.
pub fn run<G: Playable>(
    input: impl BufRead,
    output: impl Write + Send + 'static,
    overlay: Overlay,
) -> io::Result<()> {
    let output = Output::new(output);
    let mut session = Session::<G>::new(output.clone(), Options::new(overlay.in_game::<G>()));
    let mut lines = Lines::new(input);
    while let Some(line) = lines.next()? {
        let flow = match line {
            Ok(line) => session.handle(&line),
            Err(too_long) => session.complain(&too_long.to_string()),
        };
        if flow == ControlFlow::Break(()) {
            return Ok(());
        }
    }
    session.finish();
    Ok(())
}
