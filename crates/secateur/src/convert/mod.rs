//! From one file format into another.
//!
//! A file holds games or positions. A game becomes positions by choosing some of it
//! ([`Which`]); a position becomes a game without moves where the format can begin anywhere.
//! Records that cannot be read are handed to the caller one by one, and the rest goes on.

#[cfg(feature = "chess")]
mod chess;
#[cfg(feature = "othello")]
mod othello;

use std::io::{BufRead, Write};
use std::str::FromStr;

use clap::ValueEnum;
use secateur_search::ParseError;

use crate::games::GameName;

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "lower")]
pub enum Format {
    /// chess: one position a line
    #[cfg(feature = "chess")]
    Fen,
    /// chess: one position a line, with best moves and other operations
    #[cfg(feature = "chess")]
    Epd,
    /// chess: games with comments and variations
    #[cfg(feature = "chess")]
    Pgn,
    /// chess: one game a line, as in the UCI command: `startpos moves e2e4 e7e5`
    #[cfg(feature = "chess")]
    Uci,
    /// othello: one position a line, 64 squares and the side to move
    #[cfg(feature = "othello")]
    Board,
    /// othello: one problem a line, a position with the values of its moves
    #[cfg(feature = "othello")]
    Obf,
    /// othello: one game a line, as in f5d6c3
    #[cfg(feature = "othello")]
    Transcript,
    /// othello: tournament games in the binary form of the WThor database
    #[cfg(feature = "othello")]
    Wtb,
}

impl Format {
    /// The game that is written like this.
    pub fn game(self) -> GameName {
        match self {
            #[cfg(feature = "chess")]
            Format::Fen | Format::Epd | Format::Pgn | Format::Uci => GameName::Chess,
            #[cfg(feature = "othello")]
            Format::Board | Format::Obf | Format::Transcript | Format::Wtb => GameName::Othello,
        }
    }

    /// Whether it is no text, and so not for a terminal.
    pub fn is_binary(self) -> bool {
        match self {
            #[cfg(feature = "othello")]
            Format::Wtb => true,
            _ => false,
        }
    }

    /// Whether its records are games that all begin at the usual first position.
    pub fn begins_as_usual(self) -> bool {
        match self {
            #[cfg(feature = "othello")]
            Format::Transcript | Format::Wtb => true,
            _ => false,
        }
    }

    /// Whether its records are positions.
    pub fn holds_positions(self) -> bool {
        match self {
            #[cfg(feature = "chess")]
            Format::Fen | Format::Epd => true,
            #[cfg(feature = "othello")]
            Format::Board | Format::Obf => true,
            _ => false,
        }
    }

    /// The format that a file name promises, `.zip` left aside.
    pub fn of_file(name: &str) -> Option<Format> {
        let name = name.to_ascii_lowercase();
        let name = name.strip_suffix(".zip").unwrap_or(&name);
        Format::from_str(name.rsplit_once('.')?.1, true).ok()
    }
}

/// Which positions of a game are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The one after the last move.
    Last,
    /// Every one, from the first to the last.
    All,
    /// The one after so many plies; none of a shorter game.
    After(usize),
}

impl FromStr for Which {
    type Err = String;

    fn from_str(text: &str) -> Result<Which, String> {
        match text {
            "last" => Ok(Which::Last),
            "all" => Ok(Which::All),
            number => number
                .parse()
                .map(Which::After)
                .map_err(|_| "it is last, all or a number of plies".to_string()),
        }
    }
}

impl Which {
    /// Whether the position after `ply` of `last` plies is taken.
    pub(self) fn takes(self, ply: usize, last: usize) -> bool {
        match self {
            Which::Last => ply == last,
            Which::All => true,
            Which::After(wanted) => ply == wanted,
        }
    }
}

/// What is to be done with the records of a file.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// The format of the input.
    pub from: Format,
    /// The format of the output; of the same game.
    pub to: Format,
    /// Which positions of a game are taken, where the output holds positions.
    pub which: Which,
}

/// How many records were read well and how many were not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Records read.
    pub read: usize,
    /// Records that could not be read, or not be written in the wanted format.
    pub broken: usize,
}

/// Something to tell the user about a record.
#[derive(Clone, Copy, Debug)]
pub enum Said<'a> {
    /// It could not be read.
    Broken(&'a ParseError),
    /// It was read, but something in it was dropped or changed.
    Mended(&'a str),
}

/// Converts one input. What is wrong with records goes to `say`.
pub fn convert(
    job: Job,
    input: Box<dyn BufRead + Send>,
    output: &mut dyn Write,
    say: &mut dyn FnMut(Said<'_>),
) -> anyhow::Result<Tally> {
    match job.from.game() {
        #[cfg(feature = "chess")]
        GameName::Chess => chess::convert(job, input, output, say),
        #[cfg(feature = "othello")]
        GameName::Othello => othello::convert(job, input, output, say),
    }
}

impl Tally {
    /// Counts a record, and says so if it is broken.
    fn count<T>(
        &mut self,
        record: Result<T, ParseError>,
        say: &mut dyn FnMut(Said<'_>),
    ) -> Option<T> {
        match record {
            Ok(good) => {
                self.read += 1;
                Some(good)
            }
            Err(error) => {
                self.broken += 1;
                say(Said::Broken(&error));
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_promises_a_format() {
        #[cfg(feature = "chess")]
        {
            assert_eq!(Format::of_file("a/b.pgn"), Some(Format::Pgn));
            assert_eq!(Format::of_file("BOOK.EPD.ZIP"), Some(Format::Epd));
        }
        #[cfg(feature = "othello")]
        assert_eq!(Format::of_file("WTH_2018.wtb"), Some(Format::Wtb));
        assert_eq!(Format::of_file("games"), None);
        assert_eq!(Format::of_file("games.txt"), None);
    }

    #[test]
    fn positions_are_chosen_by_ply() {
        let taken = |which: &str| -> Vec<usize> {
            let which: Which = which.parse().unwrap();
            (0..=3).filter(|ply| which.takes(*ply, 3)).collect()
        };
        assert_eq!(taken("last"), [3]);
        assert_eq!(taken("all"), [0, 1, 2, 3]);
        assert_eq!(taken("2"), [2]);
        assert_eq!(taken("9"), [0usize; 0]);
        assert!("some".parse::<Which>().is_err());
    }
}
