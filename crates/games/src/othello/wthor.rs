//! WThor: the binary files (`.wtb`) in which the French federation publishes tournament games.
//!
//! A header of 16 bytes, then 68 bytes for each game: three numbers that point into the files of
//! tournaments and players, two disc counts and 60 moves. Numbers are little-endian. A move is ten
//! times the row plus the column, both from 1; 0 fills up a game that ended early. Passes are not
//! written. (Format: "Format de la base WThor", Fédération Française d'Othello.)

use secateur_search::ParseError;

use super::{Othello, OthelloMove, Transcript};

const HEADER_LENGTH: usize = 16;
const GAME_LENGTH: usize = 68;
const MOVES: usize = 60;

/// What a file says about itself. The number of games is not here: writing counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WthorHeader {
    /// Century (20 for 2018), year of the century, month and day when the file was made.
    pub created: [u8; 4],
    /// A second count, which files of games leave at 0.
    pub records: u16,
    /// The year in which the games were played.
    pub year: u16,
    /// 8, or 0 in older files, which means the same. No other size is read.
    pub board_size: u8,
    /// 1 for a file of generated endings, 0 otherwise.
    pub kind: u8,
    /// How many empty squares from the end the theoretical scores were computed.
    pub depth: u8,
    /// Unused.
    pub reserve: u8,
}

impl WthorHeader {
    /// The header of games played in `year`, without a date of its own.
    pub fn for_year(year: u16) -> WthorHeader {
        WthorHeader {
            created: [0; 4],
            records: 0,
            year,
            board_size: 8,
            kind: 0,
            depth: 0,
            reserve: 0,
        }
    }
}

/// One game of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WthorGame {
    /// The number of the tournament in its own file.
    pub tournament: u16,
    /// The number of Black in the file of players.
    pub black: u16,
    /// The number of White in the file of players.
    pub white: u16,
    /// Black's discs at the end, the empty squares given to the winner.
    pub black_discs: u8,
    /// Black's discs with perfect play by both from [`WthorHeader::depth`] empty squares on.
    pub theoretical_discs: u8,
    /// The moves; always from the usual first position, and without a pass at the end.
    transcript: Transcript,
}

/// A whole file. What is wrong in it stands where the game would be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WthorFile {
    /// The header.
    pub header: WthorHeader,
    /// The games. A broken one is an error that names its number from 1; one more error at the
    /// end tells of missing or surplus bytes.
    pub games: Vec<Result<WthorGame, ParseError>>,
}

impl WthorFile {
    /// Reads a file. Only a broken header is an error of the whole.
    pub fn read(bytes: &[u8]) -> Result<WthorFile, ParseError> {
        let Some((head, body)) = bytes.split_first_chunk::<HEADER_LENGTH>() else {
            let what = format!("a WThor file begins with 16 bytes, this has {}", bytes.len());
            return Err(ParseError::new(what));
        };
        let [c0, c1, c2, c3, n0, n1, n2, n3, r0, r1, y0, y1, board_size, kind, depth, reserve] =
            *head;
        if !matches!(board_size, 0 | 8) {
            let what = format!("a board of size {board_size}; only 8 (or 0 for 8) is read");
            return Err(ParseError::new(what));
        }
        let header = WthorHeader {
            created: [c0, c1, c2, c3],
            records: u16::from_le_bytes([r0, r1]),
            year: u16::from_le_bytes([y0, y1]),
            board_size,
            kind,
            depth,
            reserve,
        };
        let promised = u32::from_le_bytes([n0, n1, n2, n3]) as usize;
        let (records, _) = body.as_chunks::<GAME_LENGTH>();
        let mut games: Vec<_> = (1..=promised)
            .zip(records)
            .map(|(number, record)| WthorGame::read(record).map_err(|error| in_game(number, error)))
            .collect();
        // In 64 bits: a small machine must not overflow on a large promise.
        let expected = promised as u64 * GAME_LENGTH as u64;
        let present = body.len() as u64;
        if present < expected {
            games.push(Err(ParseError::new(format!(
                "the file ends in game {} of {promised}: {} of {expected} bytes are missing",
                games.len() + 1,
                expected - present
            ))));
        } else if present > expected {
            let surplus = present - expected;
            games.push(Err(ParseError::new(format!(
                "{surplus} bytes follow the last of {promised} games"
            ))));
        }
        Ok(WthorFile { header, games })
    }

    /// The bytes of a file with these games.
    pub fn write(header: &WthorHeader, games: &[WthorGame]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER_LENGTH + games.len() * GAME_LENGTH);
        bytes.extend(header.created);
        // A file of more games would be 292 gigabytes.
        bytes.extend(u32::try_from(games.len()).unwrap_or(u32::MAX).to_le_bytes());
        bytes.extend(header.records.to_le_bytes());
        bytes.extend(header.year.to_le_bytes());
        bytes.extend([header.board_size, header.kind, header.depth, header.reserve]);
        for game in games {
            game.append_to(&mut bytes);
        }
        bytes
    }
}

fn in_game(number: usize, error: ParseError) -> ParseError {
    ParseError::new(format!("game {number}, {}", error.what()))
}

impl WthorGame {
    /// The record of a game from the usual first position, its counts taken from its last
    /// position as if the game ended there, its other numbers 0. A pass at the end is dropped,
    /// since the format has none. Any other first position is refused.
    pub fn from_transcript(transcript: &Transcript) -> Result<WthorGame, ParseError> {
        if *transcript.start() != Othello::START {
            let what = "a WThor game begins at the usual first position, this one elsewhere";
            return Err(ParseError::new(what));
        }
        let mut moves = transcript.moves();
        if let [before @ .., OthelloMove::PASS] = moves {
            moves = before;
        }
        let mut kept = Transcript::new(Othello::START);
        moves.iter().try_for_each(|m| kept.push(*m))?;
        let discs = kept.end().final_black_discs();
        Ok(WthorGame {
            tournament: 0,
            black: 0,
            white: 0,
            black_discs: discs,
            theoretical_discs: discs,
            transcript: kept,
        })
    }

    /// The moves of the game.
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    fn read(record: &[u8; GAME_LENGTH]) -> Result<WthorGame, ParseError> {
        let [t0, t1, b0, b1, w0, w1, black_discs, theoretical_discs, moves @ ..] = record;
        let mut transcript = Transcript::new(Othello::START);
        let end = moves.iter().position(|byte| *byte == 0).unwrap_or(MOVES);
        let (played, unused) = moves.split_at(end);
        for (number, &byte) in (1..).zip(played) {
            let in_move = |what: &str| ParseError::new(format!("move {number}: {what}"));
            let m = read_move(byte).ok_or_else(|| in_move(&format!("{byte} is no square")))?;
            transcript.push(m).map_err(|error| in_move(error.what()))?;
        }
        if let Some(gap) = unused.iter().position(|byte| *byte != 0) {
            let what = format!("move {}: a move after the last one", end + gap + 1);
            return Err(ParseError::new(what));
        }
        Ok(WthorGame {
            tournament: u16::from_le_bytes([*t0, *t1]),
            black: u16::from_le_bytes([*b0, *b1]),
            white: u16::from_le_bytes([*w0, *w1]),
            black_discs: *black_discs,
            theoretical_discs: *theoretical_discs,
            transcript,
        })
    }

    fn append_to(&self, bytes: &mut Vec<u8>) {
        for number in [self.tournament, self.black, self.white] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend([self.black_discs, self.theoretical_discs]);
        let squares = self.transcript.moves().iter().filter_map(|m| m.square());
        let filled = squares.map(|square| (square / 8 + 1) * 10 + square % 8 + 1);
        bytes.extend(filled.chain(std::iter::repeat(0)).take(MOVES));
    }
}

fn read_move(byte: u8) -> Option<OthelloMove> {
    OthelloMove::at((byte / 10).checked_sub(1)?, (byte % 10).checked_sub(1)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(text: &str) -> WthorGame {
        WthorGame::from_transcript(&Transcript::read(text).unwrap()).unwrap()
    }

    fn file() -> Vec<u8> {
        let numbered = WthorGame {
            tournament: 0x0102,
            black: 3,
            white: 0xffff,
            black_discs: 40,
            theoretical_discs: 36,
            ..game("f5d6c3")
        };
        let header = WthorHeader { created: [20, 18, 7, 27], ..WthorHeader::for_year(2018) };
        WthorFile::write(&header, &[numbered, game("c4c3"), game("")])
    }

    #[test]
    fn the_bytes_are_where_the_format_puts_them() {
        let bytes = file();
        assert_eq!(bytes.len(), 16 + 3 * 68);
        assert_eq!(bytes[..16], [20, 18, 7, 27, 3, 0, 0, 0, 0, 0, 0xe2, 7, 8, 0, 0, 0]);
        assert_eq!(bytes[16..24], [2, 1, 3, 0, 0xff, 0xff, 40, 36]);
        // f5 is row 5, column 6.
        assert_eq!(bytes[24..28], [56, 64, 33, 0]);
    }

    #[test]
    fn a_file_comes_back_as_it_was() {
        let bytes = file();
        let read = WthorFile::read(&bytes).unwrap();
        let games: Vec<WthorGame> = read.games.into_iter().map(Result::unwrap).collect();
        assert_eq!(games[0].transcript().write(), "f5d6c3");
        assert_eq!((games[0].tournament, games[0].white), (0x0102, 0xffff));
        assert_eq!((games[0].black_discs, games[0].theoretical_discs), (40, 36));
        assert_eq!(read.header.year, 2018);
        assert_eq!(WthorFile::write(&read.header, &games), bytes);
    }

    fn errors(bytes: &[u8]) -> Vec<String> {
        let games = WthorFile::read(bytes).unwrap().games;
        games.into_iter().filter_map(Result::err).map(|error| error.to_string()).collect()
    }

    #[test]
    fn a_broken_game_is_named_and_reading_goes_on() {
        for (at, byte, message) in [
            (24, 99, "game 1, move 1: 99 is no square"),
            (25, 56, "game 1, move 2: f5 is occupied"),
            (26, 11, "game 1, move 3: a1 turns over no disc of X's opponent"),
            (24, 0, "game 1, move 2: a move after the last one"),
            (16 + 68 + 8, 10, "game 2, move 1: 10 is no square"),
        ] {
            let mut bytes = file();
            bytes[at] = byte;
            assert_eq!(errors(&bytes), [message]);
            let good = WthorFile::read(&bytes).unwrap().games.iter().flatten().count();
            assert_eq!(good, 2, "{message}");
        }
    }

    #[test]
    fn a_file_cut_short_keeps_the_games_before_the_cut() {
        let bytes = file();
        let cut = &bytes[..16 + 68 + 60];
        assert_eq!(errors(cut), ["the file ends in game 2 of 3: 76 of 204 bytes are missing"]);
        assert!(WthorFile::read(cut).unwrap().games[0].is_ok());
        let longer = [&bytes[..], &[0; 5]].concat();
        assert_eq!(errors(&longer), ["5 bytes follow the last of 3 games"]);
        let mut greedy = bytes;
        greedy[4..8].fill(0xff);
        assert_eq!(errors(&greedy).len(), 1);
    }

    #[test]
    fn a_broken_header_is_an_error_of_the_whole() {
        let mut bytes = file();
        let short = WthorFile::read(&bytes[..9]).unwrap_err().to_string();
        assert_eq!(short, "a WThor file begins with 16 bytes, this has 9");
        bytes[12] = 10;
        let large = WthorFile::read(&bytes).unwrap_err().to_string();
        assert_eq!(large, "a board of size 10; only 8 (or 0 for 8) is read");
    }

    #[test]
    fn only_a_game_from_the_usual_start_fits() {
        let elsewhere = Transcript::new(*Transcript::read("f5").unwrap().end());
        assert!(WthorGame::from_transcript(&elsewhere).is_err());
    }

    #[test]
    fn the_shortest_game_counts_sixty_four() {
        assert_eq!(game("e6f4e3f6g5d6e7f5c5").black_discs, 64);
    }
}
