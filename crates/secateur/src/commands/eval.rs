//! `secateur eval`: the terms of a position.

use std::io::{self, Write};

use anyhow::Context;
use clap::Args;
use secateur_games::playable::Playable;
use secateur_lab::weights_file::{self, EMBEDDED};
use serde_json::json;

use crate::evaluation::{as_json, as_text};
use crate::games::with_game;
use crate::options::PositionArguments;

/// Arguments of `eval`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur eval
  secateur eval \"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\"
  secateur eval --game othello --moves \"f5 d6 c3\" --json
  secateur eval --moves \"e4 e5\" --eval-file other.weights

Terms are in the units of the evaluation. The score is what is told everywhere: in chess 100 wins half
of all games against an equal opponent, in Othello it is a disc. Nothing is searched, so what hangs
still counts.")]
pub(super) struct Arguments {
    #[command(flatten)]
    position: PositionArguments,
    /// The position, as an alternative to --fen; quotes are not needed
    #[arg(value_name = "POSITION", conflicts_with = "fen")]
    words: Vec<String>,
    /// Other weights for the evaluation: a file, or `plain` for those set by hand
    #[arg(long, value_name = "FILE")]
    eval_file: Option<String>,
    /// Print one JSON object, totals first
    #[arg(long)]
    json: bool,
}

pub(super) fn run(mut arguments: Arguments) -> anyhow::Result<()> {
    if !arguments.words.is_empty() {
        arguments.position.fen = Some(arguments.words.join(" "));
    }
    with_game!(arguments.position.game.game, G => evaluate::<G>(&arguments))
}

fn evaluate<G: Playable>(arguments: &Arguments) -> anyhow::Result<()> {
    let given = arguments.position.read::<G>()?;
    let file = arguments.eval_file.as_deref().unwrap_or(EMBEDDED);
    let evaluator = G::evaluator(&weights_file::load(file).context("--eval-file")?);
    let position = given.record.position();
    let text = if arguments.json {
        let mut all = as_json(position, &evaluator);
        all["over"] = json!(given.record.describe_ending());
        all["notes"] = json!(given.notes);
        format!("{all:#}\n")
    } else {
        let mut text = format!("{}\n", position.draw());
        text += &match given.record.describe_ending() {
            Some(ending) => format!("over: {ending}; there is nothing to evaluate\n"),
            None => as_text(position, &evaluator),
        };
        given.notes.iter().for_each(|note| text += &format!("note: {note}\n"));
        text
    };
    io::stdout().write_all(text.as_bytes())?;
    Ok(())
}
