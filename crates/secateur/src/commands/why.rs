//! `secateur why`: what the search did with one move.

use std::io::{self, Write};
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::Args;
use secateur_games::playable::Playable;
use secateur_lab::interrupt;
use secateur_lab::progress::Progress;
use secateur_lab::why::{Terms, why};
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::DEFAULT_TABLE;

use crate::failure::Interrupted;
use crate::games::with_game;
use crate::options::{CutsArguments, PositionArguments, SettingsArguments, without_numbers};
use crate::thinking::LimitArguments;
use crate::verdict::{as_json, as_text};

/// Nodes of the first search, where no limit is given: a few seconds in all, and always the same answer.
const DEFAULT_NODES: u64 = 100_000;

/// Arguments of `why`.
#[derive(Debug, Args)]
#[command(mut_arg("nodes", |limit| limit.help("Search so many nodes in the first search [default without another limit: 100000]")))]
#[command(after_help = "\
Examples:
  secateur why --moves \"e4 e5 Nf3 Nc6\" Bb5
  secateur why \"r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq -\" Nf6 --depth 12
  secateur why \"FEN\" Nf3 --json
  secateur why --game othello --moves \"f5\" f6 --depth 10

Tells what the move is worth, what the verdict would be with each technique off that had a hand in it,
the best line against it, how far that was looked at, and which techniques reduced, pruned or extended
along it. It searches the position, the move alone, and the move alone again without each technique, as
deep as the position or as far as four times its nodes go: where they end sooner the depth is said, and a
value may be a bound (`bound`: exact, lower, upper). Where the move alone is worth more than what the
search of the position chose, that search has overlooked it, and it is the position that is searched
without each technique (`overlooked`, `hidden_by`). One thread and an empty table, so that the answer is
always the same unless --movetime is given.")]
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
    /// List everything that techniques did along the line
    #[arg(long)]
    all: bool,
    /// Print one JSON object, totals first
    #[arg(long)]
    json: bool,
}

pub(super) fn run(mut arguments: Arguments) -> anyhow::Result<()> {
    // The last word is the move, those before it are the position.
    let Some(asked) = arguments.words.pop() else { bail!("which move?") };
    let asked = without_number(&asked).to_string();
    arguments.words.retain(|word| !without_number(word).is_empty());
    if !arguments.words.is_empty() {
        if arguments.position.fen.is_some() {
            bail!("the position is given twice, by --fen and before the move");
        }
        arguments.position.fen = Some(arguments.words.join(" "));
    }
    with_game!(arguments.position.game.game, G => answer::<G>(&arguments, &asked))
}

/// A word without the number of its move, `1.e4` or `12...Nf6`; nothing of one that is only that.
fn without_number(word: &str) -> &str {
    without_numbers(word).next().unwrap_or_default()
}

/// The error for a position that cannot be read, which may be moves of a game.
fn unreadable<G: Playable>(words: &[String], asked: &str, error: anyhow::Error) -> anyhow::Error {
    let mut position = G::start();
    for word in words {
        match position.read_move(without_number(word)) {
            Ok(m) => position.play(m),
            Err(_) => return error,
        }
    }
    match words.is_empty() {
        true => error,
        false => anyhow::anyhow!(
            "these are moves, not a position: secateur why --moves \"{}\" {asked}",
            words.join(" ")
        ),
    }
}

fn answer<G: Playable>(arguments: &Arguments, asked: &str) -> anyhow::Result<()> {
    let given = arguments.position.read::<G>();
    let given = given.map_err(|error| unreadable::<G>(&arguments.words, asked, error))?;
    let position = given.record.position();
    let asked = position.read_move(asked).context("the move, which is the last word")?;
    if let Some(ending) = given.record.describe_ending() {
        bail!("the game is over: {ending}");
    }
    let settings = arguments.settings.read()?.served_by::<G>()?;
    let mut limits = arguments.limits.read(None);
    if !arguments.limits.is_given() {
        limits.nodes = Some(DEFAULT_NODES);
    }
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
    let progress = Progress::of_steps();
    let mut tell = |step: String| progress.say(format!("searching {step}"));
    let found = why::<G>(&given.record, asked, &terms, &limits, &control, &mut tell);
    progress.finish();
    interrupt::ends();
    let Some(found) = found else {
        return Err(Interrupted("interrupted before anything was known".to_string()).into());
    };
    let text = match arguments.json {
        true => format!("{:#}\n", as_json(position, &given.notes, &found)),
        false => as_text(position, &given.notes, &found, arguments.all),
    };
    io::stdout().write_all(text.as_bytes())?;
    match found.partial {
        false => Ok(()),
        true => Err(Interrupted(
            "interrupted: the answer is partial, not every technique was tried".to_string(),
        )
        .into()),
    }
}
