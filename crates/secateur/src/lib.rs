//! The command line and the engine protocol of Secateur, and nothing clever: rules live in
//! `secateur-games`, search in `secateur-search`.
//!
//! | file | idea |
//! |---|---|
//! | [`ablation`] | what an ablation has come to |
//! | [`analysis`] | what a search says about a position, for the eye and as JSON |
//! | [`bench_against`] | the speed of another revision, beside ours |
//! | [`bench_beside`] | the speed under other settings, beside that under these |
//! | [`bench_latency`] | how soon `stop` is obeyed |
//! | [`bench_peers`] | the speed of other engines, beside ours |
//! | [`bench_scaling`] | what several threads are worth beside several processes |
//! | [`calibration`] | what a calibration has found |
//! | [`commands`] | a command is one file: its arguments, its help, its `run` |
//! | [`help`] | paragraphs of help that fit the screen |
//! | [`games`] | which games are compiled in, and the one dispatch from a name to a type |
//! | [`evaluation`] | what the evaluation says of a position, term by term |
//! | [`play`] | a game on the terminal against the engine |
//! | [`thinking`] | a search for the eye: its arguments, a live line, Ctrl-C |
//! | [`tuning`] | what a tuning has come to |
//! | [`live`] | the line that shows a search at work |
//! | [`lines`] | lines of moves in rows that fit the screen |
//! | [`convert`](mod@convert) | from one file format into another |
//! | [`uci`] | the protocol: lines into commands, options, session, thinking thread |
//! | [`uci_peer`] | an engine in a process of its own, to be measured |
//! | [`verdict`] | what a search did with one move |
//! | [`failure`] | errors, one line each, and the exit status |
//! | [`options`] | arguments that several commands share |

pub mod ablation;
pub mod analysis;
pub mod bench_against;
pub mod bench_beside;
pub mod bench_latency;
pub mod bench_peers;
pub mod bench_scaling;
pub mod calibration;
pub mod commands;
pub mod convert;
pub mod evaluation;
pub mod failure;
pub mod games;
pub mod help;
pub mod lines;
pub mod live;
pub mod odds_calibration;
pub mod options;
pub mod play;
pub mod rank_calibration;
pub mod thinking;
pub mod tuning;
pub mod uci;
pub mod uci_peer;
pub mod verdict;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Command, CommandFactory, FromArgMatches};
use commands::Cli;

/// Runs the program with these arguments, the first being its own name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let command = with_negative_numbers(help::reflowed(Cli::command()));
    let given = command.try_get_matches_from(with_boards_named(arguments));
    let outcome = match given.and_then(|given| Cli::from_arg_matches(&given)) {
        Ok(cli) => cli.run(),
        Err(error) => return failure::report_usage(&error),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure::report(&error),
    }
}

/// A number below zero is a value, not a flag, so that what is wrong with it can be said.
fn with_negative_numbers(command: Command) -> Command {
    let command = command.mut_args(|argument| match argument.get_action().takes_values() {
        true => argument.allow_negative_numbers(true),
        false => argument,
    });
    command.mut_subcommands(with_negative_numbers)
}

/// A board of Othello may begin with an empty square, which is written as a hyphen: named, it is not
/// taken for a flag.
fn with_boards_named(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut named: Vec<OsString> = Vec::new();
    for argument in arguments {
        let is_board = argument.to_str().is_some_and(|text| {
            text.len() >= 64 && text.starts_with('-') && !text.contains(|c: char| c.is_lowercase())
        });
        let has_name = named.last().is_some_and(|last| last == "--fen" || last == "--position");
        if is_board && !has_name {
            named.push("--fen".into());
        }
        named.push(argument);
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_that_begins_with_a_hyphen_is_named_once() {
        let board = "---------------------------OX------XO--------------------------- X";
        let given = |words: &[&str]| with_boards_named(words.iter().map(OsString::from));
        assert_eq!(given(&["show", board, "--json"]), ["show", "--fen", board, "--json"]);
        for named in [["show", "--fen", board], ["show", "--position", board]] {
            assert_eq!(given(&named), named);
        }
        let flag = format!("--openings={}", "a".repeat(70));
        assert_eq!(given(&["match", &flag]), ["match", flag.as_str()]);
    }
}
