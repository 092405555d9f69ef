//! Errors: one line on the standard error, and what the exit status says.
//!
//! | status | meaning |
//! |---|---|
//! | 0 | done |
//! | 1 | a check or a run failed |
//! | 2 | bad input |
//! | 130 | interrupted |

use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::ErrorKind;
use secateur_lab::interrupt::INTERRUPTED;

/// A check that did not hold, as opposed to input that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CheckFailed(pub String);

/// A run that somebody ended before its end; what is known has been said.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Interrupted(pub String);

const FAILED: u8 = 1;
const BAD_INPUT: u8 = 2;

/// Says what went wrong and gives the exit status for it.
pub fn report(error: &anyhow::Error) -> ExitCode {
    let (status, what) = match error.downcast_ref::<io::Error>() {
        // The reader went away (`| head`): it has what it wanted.
        Some(output) if output.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
        // Whatever was said about it comes along: the path, mostly.
        Some(output) if error.to_string() == output.to_string() => {
            (FAILED, format!("input or output failed: {output}"))
        }
        Some(named) if is_misnamed(named) => (BAD_INPUT, in_full(error)),
        Some(_) => (FAILED, in_full(error)),
        None if error.is::<CheckFailed>() => (FAILED, error.to_string()),
        None if error.is::<Interrupted>() => (INTERRUPTED, error.to_string()),
        None => (BAD_INPUT, in_full(error)),
    };
    complain(&what);
    ExitCode::from(status)
}

/// Whether somebody named a file, a folder or a program that is not there, or is of another kind.
fn is_misnamed(error: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, IsADirectory, NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory | IsADirectory | AlreadyExists)
}

/// An error and its causes. Some name their cause themselves: what was said is not said again.
fn in_full(error: &anyhow::Error) -> String {
    let mut said: Vec<String> = Vec::new();
    for cause in error.chain().map(ToString::to_string) {
        if !said.last().is_some_and(|last| last.ends_with(&cause)) {
            said.push(cause);
        }
    }
    said.join(": ")
}

/// Prints the help that was asked for, or says in one line what is wrong with the arguments.
pub fn report_usage(error: &clap::Error) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // Nothing better can be done if nobody reads it.
            let _ = error.print();
            ExitCode::SUCCESS
        }
        _ => {
            complain(&usage_in_one_line(&error.to_string()));
            ExitCode::from(BAD_INPUT)
        }
    }
}

/// The message of the argument parser without its usage lines, which `--help` shows better.
fn usage_in_one_line(message: &str) -> String {
    let said: Vec<&str> = message
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"))
        .filter(|line| !line.is_empty())
        .collect();
    let said = said.join(" ").replace(" tip: ", "; tip: ");
    format!("{} (see --help)", said.strip_prefix("error: ").unwrap_or(&said))
}

fn complain(what: &str) {
    // A standard error that cannot be written leaves nowhere to complain.
    let _ = writeln!(io::stderr(), "error: {}", one_line(what));
}

/// The text with everything that could break the line, or move the cursor, made visible.
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_complaint_of_the_parser_becomes_one_line() {
        let message = "error: a value is required:\n  <DEPTH>\n\n  tip: give one\n\nUsage: x <DEPTH>\n\nFor more information, try '--help'.\n";
        let line = usage_in_one_line(message);
        assert_eq!(line, "a value is required: <DEPTH>; tip: give one (see --help)");
    }

    #[test]
    fn a_cause_that_was_named_is_not_named_again() {
        let cause = anyhow::anyhow!("no such file").context("x: no such file").context("--suite");
        assert_eq!(in_full(&cause), "--suite: x: no such file");
    }

    #[test]
    fn control_characters_are_made_visible() {
        assert_eq!(one_line("a\nb\0c\u{1b}[2Jä"), "a\\nb\\u{0}c\\u{1b}[2Jä");
    }
}
