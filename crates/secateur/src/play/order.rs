//! What can be typed during a game.

use secateur_games::playable::Playable;
use secateur_search::notation::quoted;

use crate::options::without_numbers;

/// A line that was typed, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Nothing,
    Help,
    Hint,
    Undo,
    Moves,
    Board,
    Position,
    Switch,
    Save(String),
    New,
    Resign,
    Quit,
    /// Whatever else it is, it might be a move.
    Move(String),
}

impl Order {
    /// Understands a line, or says why it cannot be obeyed.
    pub(super) fn read(line: &str) -> Result<Order, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let order = match word.to_lowercase().as_str() {
            "" => Order::Nothing,
            "help" | "?" => Order::Help,
            "hint" => Order::Hint,
            "undo" => Order::Undo,
            "moves" => Order::Moves,
            "board" => Order::Board,
            "position" | "fen" => Order::Position,
            "switch" => Order::Switch,
            "new" => Order::New,
            "resign" => Order::Resign,
            "quit" | "exit" | "q" => Order::Quit,
            "save" if rest.is_empty() => return Err("save needs the name of a file".into()),
            "save" => return Ok(Order::Save(rest.trim().to_string())),
            _ => {
                let mut words = without_numbers(line);
                return match (words.next(), words.next()) {
                    (Some(m), None) => Ok(Order::Move(m.to_string())),
                    (None, _) => Err(format!("{} is no move", quoted(line))),
                    _ => Err(format!("{} is more than one word", quoted(line))),
                };
            }
        };
        match rest {
            "" => Ok(order),
            _ => Err(format!("nothing may follow {word}")),
        }
    }
}

/// What `help` says; the example of a move is one that can be played.
pub(super) fn help<G: Playable>(position: &G) -> String {
    let mut example = None;
    position.each_move(|m| {
        // The last one: those of the pieces people know come late in most games.
        example = Some((position.describe_move(m), position.write_move(m)));
    });
    let example = match example {
        None => String::new(),
        Some((person, program)) if person == program => format!(": {person}"),
        Some((person, program)) => format!(": {person} or {program}"),
    };
    format!(
        "\
Type a move{example}. Or one of these:
  hint       what the engine would play for you
  undo       take back your last move and the reply
  moves      list the legal moves
  board      draw the board again
  position   the position as text
  switch     swap sides with the engine
  save FILE  write the game to a file
  new        begin again
  resign     give up
  quit       leave
While the engine thinks, Ctrl-C makes it move at once."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_orders_and_the_rest_are_moves() {
        let cases = [
            ("", Order::Nothing),
            ("  HELP ", Order::Help),
            ("?", Order::Help),
            ("save my game.pgn ", Order::Save("my game.pgn".into())),
            ("q", Order::Quit),
            ("e4", Order::Move("e4".into())),
            ("1. e4", Order::Move("e4".into())),
            ("12...Nf6", Order::Move("Nf6".into())),
            ("0-0", Order::Move("0-0".into())),
            ("pass", Order::Move("pass".into())),
        ];
        for (line, order) in cases {
            assert_eq!(Order::read(line), Ok(order), "{line}");
        }
    }

    #[test]
    fn what_cannot_be_obeyed_is_said() {
        let cases = [
            ("save", "save needs the name of a file"),
            ("undo 3", "nothing may follow undo"),
            ("e4 e5", "'e4 e5' is more than one word"),
            ("1.", "'1.' is no move"),
        ];
        for (line, complaint) in cases {
            assert_eq!(Order::read(line), Err(complaint.to_string()), "{line}");
        }
    }
}
