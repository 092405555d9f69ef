//! `secateur why`: what the search did with one move.

use std::io::{self, Write};
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::Args;
use secateur_games::playable::Playable;
use secateur_lab::interrupt;
use secateur_lab::why::{Terms, why};
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::DEFAULT_TABLE;

use crate::games::with_game;
use crate::options::{CutsArguments, PositionArguments, SettingsArguments};
use crate::thinking::LimitArguments;
use crate::verdict::{as_json, as_text};

/// Milliseconds of the first search, where no limit is given.
const DEFAULT_TIME: i64 = 2_000;

/// Arguments of `why`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur why --moves \"e4 e5 Nf3 Nc6\" Bb5
  secateur why \"r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq -\" Nf6 --depth 12
  secateur why \"FEN\" Nf3 --json
  secateur why --game othello --moves \"f5\" f6 --depth 10

Tells what the move is worth, the best line against it, how far that was looked at, which techniques
reduced, pruned or extended along it, and what the verdict would be with each of them off. It searches
the position, the move alone, and the move alone again without each technique that had a hand in it,
as deep as the position or as far as eight times its nodes go: where they end sooner the depth is said,
and a value may be a bound (`bound`: exact, lower, upper). One thread and an empty table, so that the
answer is always the same.")]
pub(super) struct Arguments {
    #[command(flatten)]
    position: PositionArguments,
    /// The position, unless --fen or --moves gives it, and the move
    #[arg(value_name = "POSITION MOVE", required = true)]
    words: Vec<String>,
    #[command(flatten)]
    limits: LimitArguments,
    /// Size of the transposition table in mebibytes
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_TABLE as u32, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    #[command(flatten)]
    settings: SettingsArguments,
    #[command(flatten)]
    cuts: CutsArguments,
    /// Print one JSON object, totals first
    #[arg(long)]
    json: bool,
}

pub(super) fn run(mut arguments: Arguments) -> anyhow::Result<()> {
    // The last word is the move, those before it are the position.
    let Some(asked) = arguments.words.pop() else { bail!("which move?") };
    if !arguments.words.is_empty() {
        if arguments.position.fen.is_some() {
            bail!("the position is given twice, by --fen and before the move");
        }
        arguments.position.fen = Some(arguments.words.join(" "));
    }
    with_game!(arguments.position.game.game, G => answer::<G>(&arguments, &asked))
}

fn answer<G: Playable>(arguments: &Arguments, asked: &str) -> anyhow::Result<()> {
    let given = arguments.position.read::<G>()?;
    let position = given.record.position();
    let asked = position.read_move(asked).context("the move, which is the last word")?;
    if let Some(ending) = given.record.describe_ending() {
        bail!("the game is over: {ending}");
    }
    let settings = arguments.settings.read()?.served_by::<G>()?;
    let limits = arguments.limits.read(Some(DEFAULT_TIME));
    let control = Arc::new(Control::default());
    interrupt::stops(&control);
    let terms = Terms {
        settings: &settings,
        cuts: arguments.cuts.read::<G>()?,
        ranks: arguments.cuts.read_ranks::<G>()?,
        reductions: arguments.cuts.read_reductions::<G>()?,
        odds: arguments.cuts.read_odds::<G>()?,
        mebibytes: arguments.hash as usize,
    };
    terms.check::<G>()?;
    let found = why::<G>(&given.record, asked, &terms, &limits, &control);
    interrupt::ends();
    let Some(found) = found else { bail!("stopped before anything was known") };
    let text = match arguments.json {
        true => format!("{:#}\n", as_json(position, &given.notes, &found)),
        false => as_text(position, &given.notes, &found),
    };
    io::stdout().write_all(text.as_bytes())?;
    Ok(())
}
