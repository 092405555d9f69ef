//! The limits of a search, read from the words after `go`.

use std::num::IntErrorKind;

use secateur_search::Player;
use secateur_search::alphabeta::clock::TimeLimits;
use secateur_search::notation::quoted;

/// What `go` asks for. Times are milliseconds and may be negative: a clock can have run out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Only these moves are to be considered; all if empty.
    pub search_moves: Vec<String>,
    /// Think on the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Think until `stop`.
    pub infinite: bool,
    /// Time left to White.
    pub white_time: Option<i64>,
    /// Time left to Black.
    pub black_time: Option<i64>,
    /// Time White gains with each move.
    pub white_increment: Option<i64>,
    /// Time Black gains with each move.
    pub black_increment: Option<i64>,
    /// Moves to the next time control.
    pub moves_to_go: Option<i64>,
    /// Search to this depth only.
    pub depth: Option<u32>,
    /// Search so many positions only.
    pub nodes: Option<u64>,
    /// Think for so long.
    pub move_time: Option<i64>,
    /// Look for a mate in so many moves.
    pub mate: Option<u32>,
    /// Count the leaves so deep instead of thinking.
    pub perft: Option<u32>,
}

/// Why the words after `go` cannot be obeyed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GoError {
    /// A word that means nothing here.
    #[error("{} means nothing here", quoted(.0))]
    UnknownWord(String),
    /// Nothing follows a word that needs something.
    #[error("a value is missing after {0}")]
    Missing(&'static str),
    /// No whole number, or one too small to have a meaning.
    #[error("{name} must be a whole number{}, not {}", .least.map(|least| format!(" from {least}")).unwrap_or_default(), quoted(.value))]
    NotANumber {
        /// The word before it.
        name: &'static str,
        /// The least that is accepted.
        least: Option<i64>,
        /// What was given.
        value: String,
    },
}

/// Words that end a list of moves.
const WORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "infinite",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "movetime",
    "mate",
    "perft",
];

impl Go {
    /// Reads the words after `go`. If one comes twice the last counts.
    pub fn parse(text: &str) -> Result<Go, GoError> {
        let mut go = Go::default();
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            match word {
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "searchmoves" => {
                    go.search_moves.clear();
                    while let Some(m) = words.next_if(|next| !WORDS.contains(next)) {
                        go.search_moves.push(m.to_string());
                    }
                    if go.search_moves.is_empty() {
                        return Err(GoError::Missing("searchmoves"));
                    }
                }
                "wtime" => go.white_time = Some(number("wtime", None, words.next())?),
                "btime" => go.black_time = Some(number("btime", None, words.next())?),
                "winc" => go.white_increment = Some(number("winc", None, words.next())?),
                "binc" => go.black_increment = Some(number("binc", None, words.next())?),
                "movestogo" => go.moves_to_go = Some(number("movestogo", None, words.next())?),
                "movetime" => go.move_time = Some(number("movetime", None, words.next())?),
                "depth" => go.depth = Some(count("depth", words.next())?),
                "mate" => go.mate = Some(count("mate", words.next())?),
                "perft" => go.perft = Some(count("perft", words.next())?),
                "nodes" => go.nodes = Some(number("nodes", Some(0), words.next())? as u64),
                other => return Err(GoError::UnknownWord(other.to_string())),
            }
        }
        Ok(go)
    }
}

impl Go {
    /// Whether nothing but `stop` ends the search: asked for, or because no limit is given.
    pub fn is_infinite(&self) -> bool {
        let limits = [
            self.white_time.is_some(),
            self.black_time.is_some(),
            self.depth.is_some(),
            self.nodes.is_some(),
            self.move_time.is_some(),
            self.mate.is_some(),
        ];
        self.infinite || !limits.contains(&true)
    }

    /// The clock of the side to move. If only the other's is given, that one is better than none.
    pub fn time_limits(&self, turn: Player, overhead: i64) -> TimeLimits {
        if self.infinite {
            return TimeLimits::default();
        }
        let (time, other, increment) = match turn {
            Player::First => (self.white_time, self.black_time, self.white_increment),
            Player::Second => (self.black_time, self.white_time, self.black_increment),
        };
        TimeLimits {
            remaining: time.or(other),
            increment: increment.unwrap_or(0),
            moves_to_go: self.moves_to_go.map(|moves| moves.clamp(1, 1_000) as u32),
            move_time: self.move_time,
            overhead,
        }
    }
}

fn count(name: &'static str, value: Option<&str>) -> Result<u32, GoError> {
    Ok(number(name, Some(0), value)?.try_into().unwrap_or(u32::MAX))
}

/// A whole number; one that is too large to hold is as good as the largest that can be held.
fn number(name: &'static str, least: Option<i64>, value: Option<&str>) -> Result<i64, GoError> {
    let value = value.ok_or(GoError::Missing(name))?;
    let number = value.parse().or_else(|error: std::num::ParseIntError| match error.kind() {
        IntErrorKind::PosOverflow => Ok(i64::MAX),
        IntErrorKind::NegOverflow => Ok(i64::MIN),
        _ => Err(()),
    });
    match (number, least) {
        (Ok(number), Some(least)) if number >= least => Ok(number),
        (Ok(number), None) => Ok(number),
        _ => Err(GoError::NotANumber { name, least, value: value.to_string() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        Go::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn every_word_is_understood() {
        let text = "ponder infinite wtime -5 btime 0 winc 3 binc 4 movestogo 5 depth 6 nodes 7 \
                    movetime 8 mate 9 perft 10 searchmoves e2e4 Nf3 depth 11";
        let go = Go {
            search_moves: vec!["e2e4".to_string(), "Nf3".to_string()],
            ponder: true,
            infinite: true,
            white_time: Some(-5),
            black_time: Some(0),
            white_increment: Some(3),
            black_increment: Some(4),
            moves_to_go: Some(5),
            depth: Some(11),
            nodes: Some(7),
            move_time: Some(8),
            mate: Some(9),
            perft: Some(10),
        };
        assert_eq!(Go::parse(text), Ok(go));
        assert_eq!(Go::parse("  "), Ok(Go::default()));
    }

    #[test]
    fn every_word_ends_a_list_of_moves() {
        for word in WORDS {
            let text = format!("searchmoves e4 {word} 1");
            // A word without a value leaves the 1 as a word that means nothing; either way the
            // word itself was not taken for a move.
            if let Ok(go) = Go::parse(&text) {
                assert!(!go.search_moves.iter().any(|m| m == word), "{word}");
            }
        }
        assert_eq!(error("searchmoves depth 3"), "a value is missing after searchmoves");
    }

    #[test]
    fn huge_numbers_are_as_good_as_the_largest() {
        let go = Go::parse("depth 99999999999 nodes 99999999999999999999999").unwrap();
        assert_eq!((go.depth, go.nodes), (Some(u32::MAX), Some(i64::MAX as u64)));
    }

    #[test]
    fn what_cannot_be_obeyed_is_named() {
        assert_eq!(error("fast"), "'fast' means nothing here");
        assert_eq!(error("depth"), "a value is missing after depth");
        assert_eq!(error("depth x"), "depth must be a whole number from 0, not 'x'");
        assert_eq!(error("nodes -1"), "nodes must be a whole number from 0, not '-1'");
        assert_eq!(error("wtime 1.5"), "wtime must be a whole number, not '1.5'");
        assert_eq!(error("wtime 300 depth"), "a value is missing after depth");
    }

    #[test]
    fn the_clock_is_that_of_the_side_to_move() {
        let go = Go::parse("wtime 1000 btime 2000 winc 10 binc 20 movestogo 0").unwrap();
        let white = go.time_limits(Player::First, 5);
        let black = go.time_limits(Player::Second, 5);
        assert_eq!((white.remaining, white.increment, white.overhead), (Some(1000), 10, 5));
        assert_eq!((black.remaining, black.increment), (Some(2000), 20));
        assert_eq!(white.moves_to_go, Some(1));
        let only_white = Go::parse("wtime 1000 winc 10").unwrap().time_limits(Player::Second, 0);
        assert_eq!((only_white.remaining, only_white.increment), (Some(1000), 0));
        let infinite = Go::parse("infinite wtime 1000").unwrap();
        assert_eq!(infinite.time_limits(Player::First, 5), TimeLimits::default());
    }

    #[test]
    fn without_a_limit_only_stop_ends_it() {
        for endless in ["", "infinite", "infinite depth 3", "movestogo 5", "searchmoves e2e4"] {
            assert!(Go::parse(endless).unwrap().is_infinite(), "{endless}");
        }
        for ending in ["depth 3", "nodes 9", "movetime 5", "mate 2", "wtime 5", "btime 5"] {
            assert!(!Go::parse(ending).unwrap().is_infinite(), "{ending}");
        }
    }
}
