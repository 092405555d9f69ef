//! A line becomes a command. Nothing here reads, writes or knows a position.
//!
//! The protocol allows unknown words before a command. We do not: a mistyped `positon ... go`
//! would begin to think about the wrong position instead of saying what is wrong. Words after a
//! command that takes none are ignored, as everywhere: a `stop` must stop.

use secateur_search::notation::quoted;

use super::go::Go;

/// What a line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Say who you are and what can be set.
    Uci,
    /// Answer as soon as you can.
    IsReady,
    /// What follows belongs to another game.
    NewGame,
    /// Set something.
    SetOption {
        /// What.
        name: String,
        /// To what; a button has no value.
        value: Option<String>,
    },
    /// Set up a position.
    Position {
        /// The text of the first position, `None` for the usual one.
        start: Option<String>,
        /// Moves played from there.
        moves: Vec<String>,
    },
    /// Think.
    Go(Go),
    /// Answer now.
    Stop,
    /// The move that was pondered on was played: think on your own time.
    PonderHit,
    /// End.
    Quit,
    /// Say more, or no more, about what is going on.
    Debug(bool),
    /// Draw the position.
    Draw,
    /// Show the terms of the evaluation.
    Eval,
    /// Say what can be typed.
    Help,
}

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// The first word means nothing.
    #[error("Unknown command: {}. Type help.", quoted(.0))]
    Unknown(String),
    /// A `go` that cannot be obeyed. Somebody waits for its answer all the same.
    #[error("go: {0}")]
    Go(String),
    /// Another command with words that it does not take.
    #[error("{command}: {what}")]
    Malformed {
        /// The command.
        command: &'static str,
        /// What is wrong.
        what: String,
    },
}

fn malformed(command: &'static str, what: impl Into<String>) -> CommandError {
    CommandError::Malformed { command, what: what.into() }
}

/// Reads one line. Blank lines and comments (`# ...`) ask for nothing.
pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
    let line = line.trim();
    let (word, rest) = split_word(line);
    let command = match word {
        "" => return Ok(None),
        _ if word.starts_with('#') => return Ok(None),
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" => Command::Quit,
        "d" => Command::Draw,
        "eval" => Command::Eval,
        "help" => Command::Help,
        "debug" => match rest {
            "on" => Command::Debug(true),
            "off" => Command::Debug(false),
            other => {
                return Err(malformed("debug", format!("say on or off, not {}", quoted(other))));
            }
        },
        "setoption" => set_option(rest)?,
        "position" => position(rest)?,
        "go" => Command::Go(Go::parse(rest).map_err(|error| CommandError::Go(error.to_string()))?),
        _ => return Err(CommandError::Unknown(line.to_string())),
    };
    Ok(Some(command))
}

/// The first word and what follows it, both without the space between.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}

/// `name N [value V]`: both may hold spaces.
fn set_option(rest: &str) -> Result<Command, CommandError> {
    let refuse = |what: &str| Err(malformed("setoption", what));
    let ("name", rest) = split_word(rest) else {
        return refuse("must begin with name");
    };
    let (name, value) = match split_at_word(rest, "value") {
        (name, None) => (name, None),
        (name, Some(value)) => (name, Some(value.to_string())),
    };
    if name.is_empty() {
        return refuse("the name is missing");
    }
    Ok(Command::SetOption { name: name.to_string(), value })
}

/// `startpos | fen TEXT`, then perhaps `moves M ...`.
fn position(rest: &str) -> Result<Command, CommandError> {
    let refuse = |what: String| Err(malformed("position", what));
    let (start, moves) = match split_word(rest) {
        ("startpos", rest) => match split_at_word(rest, "moves") {
            ("", moves) => (None, moves),
            (odd, _) => return refuse(format!("{} after startpos", quoted(odd))),
        },
        ("fen", rest) => match split_at_word(rest, "moves") {
            ("", _) => return refuse("the text after fen is missing".to_string()),
            (text, moves) => (Some(text.to_string()), moves),
        },
        ("", _) => return refuse("say startpos or fen".to_string()),
        (odd, _) => return refuse(format!("say startpos or fen, not {}", quoted(odd))),
    };
    let moves = moves.unwrap_or_default().split_whitespace().map(str::to_string).collect();
    Ok(Command::Position { start, moves })
}

/// What stands before and, if the word is there, after its first occurrence.
fn split_at_word<'a>(text: &'a str, word: &str) -> (&'a str, Option<&'a str>) {
    let mut from = 0;
    // Spaces inside the parts are kept, so that a column in an error is a column of the input.
    while let Some(found) = text[from..].find(word) {
        let (begin, end) = (from + found, from + found + word.len());
        let (before, after) = (&text[..begin], &text[end..]);
        if (before.is_empty() || before.ends_with(char::is_whitespace))
            && (after.is_empty() || after.starts_with(char::is_whitespace))
        {
            return (before.trim(), Some(after.trim()));
        }
        from = end;
    }
    (text.trim(), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Command {
        parse(line).unwrap().expect(line)
    }

    fn error(line: &str) -> String {
        parse(line).unwrap_err().to_string()
    }

    #[test]
    fn blank_lines_and_comments_ask_for_nothing() {
        for line in ["", "   ", "\t", "# go", "  #", "#quit"] {
            assert_eq!(parse(line), Ok(None), "{line}");
        }
    }

    #[test]
    fn words_may_be_any_space_apart() {
        assert_eq!(command("  uci \t"), Command::Uci);
        assert_eq!(command("debug \t on"), Command::Debug(true));
        let moves = vec!["e2e4".to_string(), "e7e5".to_string()];
        assert_eq!(
            command(" position   startpos\tmoves  e2e4   e7e5 "),
            Command::Position { start: None, moves }
        );
    }

    #[test]
    fn names_and_values_of_options_may_hold_spaces() {
        let set = |name: &str, value: Option<&str>| Command::SetOption {
            name: name.to_string(),
            value: value.map(str::to_string),
        };
        assert_eq!(command("setoption name Clear Hash"), set("Clear Hash", None));
        assert_eq!(command("setoption name Book File value a b"), set("Book File", Some("a b")));
        assert_eq!(command("setoption name x value"), set("x", Some("")));
        assert_eq!(command("setoption name values value value"), set("values", Some("value")));
        assert_eq!(error("setoption"), "setoption: must begin with name");
        assert_eq!(error("setoption name value 3"), "setoption: the name is missing");
    }

    #[test]
    fn a_position_is_taken_apart_without_losing_its_columns() {
        let Command::Position { start, moves } = command("position fen 8/8  w - moves e4") else {
            panic!("no position")
        };
        assert_eq!((start.as_deref(), moves.len()), (Some("8/8  w -"), 1));
        assert_eq!(command("position startpos moves"), command("position startpos"));
        assert_eq!(error("position"), "position: say startpos or fen");
        assert_eq!(error("position e2e4"), "position: say startpos or fen, not 'e2e4'");
        assert_eq!(error("position fen moves e4"), "position: the text after fen is missing");
        assert_eq!(error("position startpos e4"), "position: 'e4' after startpos");
    }

    #[test]
    fn what_is_no_command_is_named() {
        assert_eq!(error("joho debug on"), "Unknown command: 'joho debug on'. Type help.");
        assert_eq!(command("stop it"), Command::Stop);
        assert_eq!(error("debug maybe"), "debug: say on or off, not 'maybe'");
        assert!(matches!(parse("go fast"), Err(CommandError::Go(_))));
    }
}
