//! `secateur show`: a position for the eye.

use std::io::{self, Write};

use clap::Args;
use secateur_games::playable::Playable;
use secateur_search::Game;
use serde_json::{Map, json};

use crate::games::with_game;
use crate::options::{Given, PositionArguments};

/// Arguments of `show`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur show
  secateur show --moves \"1. e4 e5 2. Nf3\"
  secateur show \"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\"
  secateur show --game othello --moves \"f5 d6 c3\" --json")]
pub(super) struct Arguments {
    #[command(flatten)]
    position: PositionArguments,
    /// The position, as an alternative to --fen; quotes are not needed
    #[arg(value_name = "POSITION", conflicts_with = "fen")]
    words: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(mut arguments: Arguments) -> anyhow::Result<()> {
    if !arguments.words.is_empty() {
        arguments.position.fen = Some(arguments.words.join(" "));
    }
    let text = with_game!(arguments.position.game.game, G => {
        let given = arguments.position.read::<G>()?;
        if arguments.json { as_json(&given) } else { as_text(&given) }
    });
    io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

fn as_text<G: Playable>(given: &Given<G>) -> String {
    let position = given.record.position();
    let mut text = position.draw();
    let moves = described_moves(position);
    text += &match given.record.describe_ending() {
        Some(ending) => format!("\nover: {ending}\n"),
        None => String::new(),
    };
    text += &format!("\n{}\n{}", counted(moves.len(), "legal move"), wrapped(&moves));
    let label = G::POSITION_LABEL.to_lowercase();
    let mut rows = vec![(label.as_str(), position.write_position())];
    rows.extend(position.facts());
    let before = given.record.line().occurrences().in_game;
    if before > 0 {
        rows.push(("seen before", counted(before, "time")));
    }
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    text.push('\n');
    for (name, value) in rows {
        text += &format!("{name:width$}  {value}\n");
    }
    for note in &given.notes {
        text += &format!("note: {note}\n");
    }
    text
}

fn as_json<G: Playable>(given: &Given<G>) -> String {
    let position = given.record.position();
    let moves = moves(position);
    let facts: Map<_, _> = position
        .facts()
        .into_iter()
        .map(|(name, value)| (name.to_string(), json!(value)))
        .collect();
    let all = json!({
        "legal_moves": moves.len(),
        "game": G::NAME,
        "position": position.write_position(),
        "turn": G::player_name(position.turn()),
        "over": given.record.describe_ending(),
        "moves": moves.iter().map(|m| json!({
            "text": position.describe_move(*m),
            "coordinates": position.write_move(*m),
        })).collect::<Vec<_>>(),
        "played": given.record.line().played(),
        "facts": facts,
        "notes": given.notes,
    });
    format!("{all:#}\n")
}

fn moves<G: Game>(position: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    position.each_move(|m| moves.push(m));
    moves
}

/// The moves as people write them, in alphabetical order.
fn described_moves<G: Playable>(position: &G) -> Vec<String> {
    let mut texts: Vec<String> =
        moves(position).into_iter().map(|m| position.describe_move(m)).collect();
    texts.sort();
    texts
}

fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Words in lines of at most 80 columns, indented by two.
fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > 80 {
            text.push('\n');
            column = 0;
        }
        text += if column == 0 { "  " } else { " " };
        column += word.len() + if column == 0 { 2 } else { 1 };
        text += word;
    }
    if !words.is_empty() {
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_of_moves_is_longer_than_the_screen_and_none_is_lost() {
        let words: Vec<String> = (0..218).map(|number| format!("R{number}")).collect();
        let text = wrapped(&words);
        assert!(text.lines().all(|line| line.len() <= 80 && line.starts_with("  R")), "{text}");
        assert!(text.lines().count() < 18, "{text}");
        assert_eq!(text.split_whitespace().count(), 218);
        assert_eq!(wrapped(&[]), "");
    }
}
