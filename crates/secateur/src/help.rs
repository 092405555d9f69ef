//! Paragraphs of help that fit the screen.
//!
//! The source breaks the paragraphs below a command's options where the source ends; on a screen they are broken
//! where that ends. So their lines are joined here, and clap breaks them anew. Lines that begin with a
//! space, as examples do, stay as they are.

use clap::Command;

/// The same command and those below it, their paragraphs joined.
pub fn reflowed(command: Command) -> Command {
    let command = match command.get_after_help().map(|text| joined(&text.to_string())) {
        Some(text) => command.after_help(text),
        None => command,
    };
    command.mut_subcommands(reflowed)
}

/// The lines of each paragraph as one.
fn joined(text: &str) -> String {
    let flows = |line: &str| !line.is_empty() && !line.starts_with(' ');
    let mut out = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        out += line;
        if let Some(next) = lines.peek() {
            out.push(if flows(line) && flows(next) { ' ' } else { '\n' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::Cli;
    use clap::CommandFactory;

    #[test]
    fn a_paragraph_becomes_one_line_and_examples_stay() {
        let text = "Examples:\n  one   a\n  two   b\n\nIt is\nlong.\n\nAnd\nmore.";
        assert_eq!(joined(text), "Examples:\n  one   a\n  two   b\n\nIt is long.\n\nAnd more.");
    }

    #[test]
    fn no_line_of_help_is_cut_short_on_a_wide_screen() {
        for command in reflowed(Cli::command()).get_subcommands_mut() {
            let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let lines: Vec<&str> = text.lines().collect();
            for pair in lines.windows(2) {
                let flow = pair.iter().all(|line| !line.is_empty() && !line.starts_with(' '));
                assert!(!flow, "{}: {pair:?}", command.get_name());
            }
        }
    }
}
