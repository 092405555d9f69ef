//! `secateur completions`: scripts for the shell.

use std::io::{self, Write};

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::Cli;

/// Arguments of `completions`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur completions bash > ~/.local/share/bash-completion/completions/secateur
  secateur completions zsh > ~/.zfunc/_secateur
  secateur completions fish > ~/.config/fish/completions/secateur.fish")]
pub(super) struct Arguments {
    /// The shell to write for
    shell: Shell,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    // Into memory first: the generator panics if its writer fails.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "secateur", &mut script);
    io::stdout().write_all(&script)?;
    Ok(())
}
