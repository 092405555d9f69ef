//! `secateur uci`: the protocol, and what plain `secateur` does.

use std::io::{self, IsTerminal, Write};

use clap::Args;
use secateur_search::Overlay;

use crate::games::{GameName, with_game};
use crate::options::{GameArguments, SettingsArguments};
use crate::uci;

/// Arguments of `uci`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur uci
  secateur uci --preset bare --set aspiration=off
  secateur uci --game othello
  echo \"go depth 1\" | secateur uci")]
pub(super) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    settings: SettingsArguments,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    speak(arguments.game.game, arguments.settings.read()?)
}

pub(super) fn run_by_default() -> anyhow::Result<()> {
    speak(GameName::default(), Overlay::default())
}

fn speak(game: GameName, overlay: Overlay) -> anyhow::Result<()> {
    if io::stdin().is_terminal() {
        let version = env!("CARGO_PKG_VERSION");
        writeln!(
            io::stdout(),
            "Secateur {version} speaks UCI here: try 'd', 'go' or 'help', end with 'quit'; \
             for all else see 'secateur --help'."
        )?;
    }
    with_game!(game, G => uci::run::<G>(io::stdin().lock(), io::stdout(), overlay))?;
    Ok(())
}
