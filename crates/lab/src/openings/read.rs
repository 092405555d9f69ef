//! Files of openings: EPD, FEN and PGN in chess, transcripts and boards in Othello, zipped or not.
//!
//! A file is read whole or not at all: an opening that was quietly left out would make two runs
//! with the same file differ from what their users believe.

use std::path::{Path, PathBuf};

use secateur_games::playable::Playable;
use secateur_games::source::{self, SourceError};
use secateur_search::ParseError;

use super::Opening;

/// Why a file of openings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// It cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// One of its entries is broken; the error names the line.
    #[error("{}: {error}", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        error: ParseError,
    },
    /// There is nothing in it but blank lines and comments.
    #[error("{} holds no opening", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

/// The openings of a file. None of them is over already.
pub fn read<G: Playable>(path: &Path) -> Result<Vec<Opening<G>>, OpeningsError> {
    let text = source::read_text(path)?;
    let openings = read_text(&text)
        .map_err(|error| OpeningsError::Broken { path: path.to_path_buf(), error })?;
    match openings.is_empty() {
        true => Err(OpeningsError::Empty { path: path.to_path_buf() }),
        false => Ok(openings),
    }
}

/// The openings of a text; perhaps none.
pub fn read_text<G: Playable>(text: &str) -> Result<Vec<Opening<G>>, ParseError> {
    let mut openings = Vec::new();
    for written in G::read_openings(text) {
        let written = written?;
        let number = openings.len() + 1;
        if let Some(ending) = written.record.describe_ending() {
            let error = ParseError::new(format!("opening {number} is over already: {ending}"));
            return Err(match written.line {
                Some(line) => error.on_line(line),
                None => error,
            });
        }
        let name = written.name.unwrap_or_else(|| number.to_string());
        // A line keeps room for a search, some 7 KB; its copy does not, and books are long.
        openings.push(Opening { name, record: written.record.clone() });
    }
    Ok(openings)
}

#[cfg(all(test, feature = "chess", feature = "othello"))]
mod tests {
    use super::*;
    use secateur_games::chess::Chess;
    use secateur_games::othello::Othello;
    use secateur_search::{Game, Notation};
    use std::fs;

    /// A file that is gone when the test is.
    struct Temporary(PathBuf);

    impl Temporary {
        fn new(name: &str, text: &str) -> Temporary {
            let name = format!("secateur-openings-{}-{name}", std::process::id());
            let path = std::env::temp_dir().join(name);
            fs::write(&path, text).unwrap();
            Temporary(path)
        }
    }

    impl Drop for Temporary {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.0);
        }
    }

    fn named<G: Playable>(name: &str, text: &str) -> Result<Vec<(String, usize)>, String> {
        let file = Temporary::new(name, text);
        let openings = read::<G>(&file.0).map_err(|error| error.to_string())?;
        Ok(openings.into_iter().map(|o| (o.name, o.record.moves().len())).collect())
    }

    #[test]
    fn openings_are_called_what_the_file_calls_them_or_by_their_number() {
        let text = "4k3/8/8/8/8/8/8/4K2R w K -\n4k3/8/8/8/8/8/8/4K2R w K - id \"rook\";\n";
        let found = named::<Chess>("names.epd", text).unwrap();
        assert_eq!(found, [("1".to_string(), 0), ("rook".to_string(), 0)]);
        let found = named::<Othello>("names.txt", "# XOT\nf5d6c4\n\nf5f6\n").unwrap();
        assert_eq!(found, [("1".to_string(), 3), ("2".to_string(), 2)]);
    }

    #[test]
    fn a_file_that_cannot_be_used_says_which_line_and_why() {
        let cases = [
            ("broken.epd", "\n4k3/8/8/8 w - -\n", "broken.epd: line 2"),
            ("empty.epd", "\n# nothing\n", "empty.epd holds no opening"),
            ("blank.epd", "", "blank.epd holds no opening"),
            (
                "over.epd",
                "4k3/8/8/8/8/8/8/4K2R w K -\n7k/5Q2/8/8/8/8/8/K7 b - -\n",
                "over.epd: line 2: opening 2 is over already: draw: stalemate",
            ),
            (
                "over.pgn",
                "1. f3 e5 2. g4 Qh4# 0-1\n",
                "over.pgn: opening 1 is over already: Black wins: checkmate",
            ),
            ("illegal.pgn", "1. e4 e5 2. Ke3 *\n", "illegal.pgn: line 1, column 13"),
        ];
        for (name, text, message) in cases {
            let error = named::<Chess>(name, text).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
        let missing = read::<Chess>(Path::new("no/such.epd")).map(|_| ()).unwrap_err();
        assert!(missing.to_string().starts_with("cannot read no/such.epd"), "{missing}");
    }

    #[test]
    fn the_record_of_a_game_is_the_game() {
        let found = read_text::<Chess>("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 *").unwrap();
        let mut record = found[0].record.clone();
        assert_eq!((record.moves().len(), record.start().key()), (7, Chess::start().key()));
        // The line is remembered: the next return is the third time.
        record.play_all(["Ng8"]).unwrap();
        assert_eq!(record.describe_ending().as_deref(), Some("draw: threefold repetition"));
    }
}
