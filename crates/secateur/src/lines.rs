//! Lines of play for the eye: moves with their numbers, in rows that fit the screen.

use std::io;

use secateur_games::playable::Playable;
use terminal_size::{Height, Width, terminal_size_of};

/// Where nobody looks at a screen, and no wider on one.
const WIDEST: usize = 100;
/// Narrower rows are a pain on every screen.
const NARROWEST: usize = 40;

/// The moves as people write them, each with its number where it needs one: `12. Nf3`, `Nc6`,
/// `13. Bb5`. They must be legal one after the other.
pub fn numbered<G: Playable>(position: &G, moves: &[G::Move]) -> Vec<String> {
    let mut position = position.clone();
    let mut before = None;
    let mut words = Vec::with_capacity(moves.len());
    for &m in moves {
        let text = position.describe_move(m);
        let number = position.move_number();
        words.push(match number {
            None => text,
            // The second of a pair.
            Some(_) if number == before => text,
            Some(number) if position.turn() == secateur_search::Player::First => {
                format!("{number}. {text}")
            }
            Some(number) => format!("{number}... {text}"),
        });
        before = number;
        position.play(m);
    }
    words
}

/// One move as people write it, with its number: `12... Nc6`.
pub fn numbered_move<G: Playable>(position: &G, m: G::Move) -> String {
    numbered(position, &[m]).concat()
}

/// The moves as people write them, without numbers.
pub fn described<G: Playable>(position: &G, moves: &[G::Move]) -> Vec<String> {
    along(position, moves, |position, m| position.describe_move(m))
}

/// The moves as engine protocols write them.
pub fn coordinates<G: Playable>(position: &G, moves: &[G::Move]) -> Vec<String> {
    along(position, moves, |position, m| position.write_move(m))
}

fn along<G: Playable>(
    position: &G,
    moves: &[G::Move],
    write: impl Fn(&G, G::Move) -> String,
) -> Vec<String> {
    let mut position = position.clone();
    let mut words = Vec::with_capacity(moves.len());
    for &m in moves {
        words.push(write(&position, m));
        position.play(m);
    }
    words
}

/// The words in rows of at most `width` columns. The first row stands behind `margin` columns that
/// are written already, the others are indented to match. Ends with a line end.
pub fn wrapped(words: &[String], margin: usize, width: usize) -> String {
    let mut text = String::new();
    let mut column = margin;
    for word in words {
        let length = word.chars().count();
        if column > margin && column + 1 + length > width {
            text.push('\n');
            text += &" ".repeat(margin);
            column = margin;
        }
        if column > margin {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += length;
    }
    text.push('\n');
    text
}

/// How many columns a row on the standard output may have.
pub fn screen_width() -> usize {
    columns(terminal_size_of(io::stdout()))
}

/// The same for the standard error.
pub fn error_width() -> usize {
    columns(terminal_size_of(io::stderr()))
}

/// What is no terminal has no size.
fn columns(size: Option<(Width, Height)>) -> usize {
    size.map_or(WIDEST, |(Width(columns), _)| usize::from(columns).clamp(NARROWEST, WIDEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_string).collect()
    }

    #[cfg(feature = "chess")]
    #[test]
    fn moves_of_chess_are_numbered_as_on_a_score_sheet() {
        use secateur_games::chess::Chess;
        use secateur_games::record::Record;
        use secateur_search::Notation;
        let mut game = Record::starting_at(Chess::start());
        game.play_all(["e4", "e5", "Nf3", "Nc6"]).unwrap();
        let written = numbered(game.start(), game.moves());
        assert_eq!(written, ["1. e4", "e5", "2. Nf3", "Nc6"]);
        let second = game.after_plies(1);
        let written = numbered(second.position(), &game.moves()[1..]);
        assert_eq!(written, ["1... e5", "2. Nf3", "Nc6"]);
        assert_eq!(numbered_move(second.position(), game.moves()[1]), "1... e5");
        assert_eq!(described(game.start(), game.moves())[2], "Nf3");
        assert_eq!(coordinates(game.start(), game.moves())[3], "b8c6");
    }

    #[test]
    fn rows_keep_to_the_width_and_lose_nothing() {
        let all = words("a bb ccc dddd eeeee ffffff");
        let text = wrapped(&all, 4, 12);
        assert_eq!(text, "a bb ccc\n    dddd\n    eeeee\n    ffffff\n");
        assert_eq!(wrapped(&[], 4, 12), "\n");
        assert_eq!(wrapped(&words("longer-than-the-row"), 4, 12), "longer-than-the-row\n");
    }
}
