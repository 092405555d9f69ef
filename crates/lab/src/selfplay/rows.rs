//! Files of games as data: each game is one record with its result and its rows, and a checksum,
//! so that a record torn by a kill is seen and dropped.
//!
//! All numbers are little-endian. The file begins with a line of text: `secateur rows`, the
//! version, the game, and the bytes of a position. A record is its length (4 bytes), then the
//! number of the game (4), its points (2), its rows, and the CRC-32 of all that (4). A row is a
//! position, its score (2) and the ply (2), whose highest bit marks a position beside the game.

use std::io::{self, Read, Write};
use std::marker::PhantomData;

use secateur_games::packed::Packed;
use secateur_search::Notation;

/// A position worth learning from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row<G> {
    /// The position.
    pub position: G,
    /// What the search said for the side to move, in the units of the evaluation.
    pub score: i16,
    /// Plies from the start of the game.
    pub ply: u16,
    /// It did not come about in the game, so that the result says nothing of it.
    pub astray: bool,
}

/// A game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRows<G> {
    /// Games are counted from 0 and stand in that order.
    pub number: u32,
    /// The result for the side that began: 1, 0 or -1, or the margin where points are counted.
    pub points: i16,
    /// Its rows, in the order of the game.
    pub rows: Vec<Row<G>>,
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum RowsError {
    /// It cannot be read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It is another kind of file, or of another game or version.
    #[error("these are not rows of {game}: the first line is '{found}'")]
    Foreign {
        /// The game asked for.
        game: &'static str,
        /// What the file says it is.
        found: String,
    },
    /// A record in the middle is broken.
    #[error("record {record} is damaged")]
    Damaged {
        /// Its place, from 1.
        record: usize,
    },
}

const VERSION: u32 = 1;
/// The bit of the ply that marks a position beside the game.
const ASTRAY: u16 = 1 << 15;
/// Number, points and checksum.
const FRAME: usize = 4 + 2 + 4;
/// No game has more: a length beyond is damage, not a reason to take memory.
const LONGEST: usize = 1 << 22;

/// The first line of a file.
pub fn header<G: Packed + Notation>() -> String {
    format!("secateur rows {VERSION} {} {}\n", G::NAME, G::BYTES)
}

fn row_bytes<G: Packed>() -> usize {
    G::BYTES + 4
}

impl<G: Packed> GameRows<G> {
    /// The record, to be written by one call.
    pub fn to_bytes(&self) -> Vec<u8> {
        let length = FRAME + self.rows.len() * row_bytes::<G>();
        let mut bytes = Vec::with_capacity(4 + length);
        bytes.extend((length as u32).to_le_bytes());
        bytes.extend(self.number.to_le_bytes());
        bytes.extend(self.points.to_le_bytes());
        for row in &self.rows {
            let begin = bytes.len();
            bytes.resize(begin + G::BYTES, 0);
            row.position.pack_position(&mut bytes[begin..]);
            bytes.extend(row.score.to_le_bytes());
            let ply = if row.astray { row.ply | ASTRAY } else { row.ply };
            bytes.extend(ply.to_le_bytes());
        }
        let check = crc32fast::hash(&bytes[4..]);
        bytes.extend(check.to_le_bytes());
        bytes
    }

    /// What follows the length; `None` if it is damaged.
    fn from_bytes(bytes: &[u8]) -> Option<GameRows<G>> {
        let (content, check) = bytes.split_at_checked(bytes.len().checked_sub(4)?)?;
        if crc32fast::hash(content) != u32::from_le_bytes(check.try_into().ok()?) {
            return None;
        }
        let (frame, rows) = content.split_at_checked(6)?;
        let number = u32::from_le_bytes(frame[..4].try_into().ok()?);
        let points = i16::from_le_bytes(frame[4..].try_into().ok()?);
        let chunks = rows.chunks_exact(row_bytes::<G>());
        if !chunks.remainder().is_empty() {
            return None;
        }
        let rows = chunks.map(|row| {
            let (position, rest) = row.split_at(G::BYTES);
            let ply = u16::from_le_bytes([rest[2], rest[3]]);
            Some(Row {
                position: G::unpack_position(position)?,
                score: i16::from_le_bytes([rest[0], rest[1]]),
                ply: ply & !ASTRAY,
                astray: ply & ASTRAY != 0,
            })
        });
        Some(GameRows { number, points, rows: rows.collect::<Option<_>>()? })
    }
}

/// The games of a file, one by one.
pub struct Reader<G, R> {
    input: R,
    /// Bytes of whole records read so far, with the header.
    whole: u64,
    record: usize,
    torn: bool,
    game: PhantomData<G>,
}

impl<G: Packed + Notation, R: Read> Reader<G, R> {
    /// Reads the first line.
    pub fn new(mut input: R) -> Result<Reader<G, R>, RowsError> {
        let expected = header::<G>();
        let mut found = vec![0; expected.len()];
        let length = read_all(&mut input, &mut found)?;
        if found[..length] != *expected.as_bytes() {
            let line = String::from_utf8_lossy(&found[..length]);
            let found = line.lines().next().unwrap_or_default().to_string();
            return Err(RowsError::Foreign { game: G::NAME, found });
        }
        Ok(Reader { input, whole: length as u64, record: 0, torn: false, game: PhantomData })
    }

    /// How many bytes of the file are whole: what follows was torn.
    pub fn whole(&self) -> u64 {
        self.whole
    }

    /// Whether the last record was torn.
    pub fn is_torn(&self) -> bool {
        self.torn
    }

    fn read(&mut self) -> Result<Option<GameRows<G>>, RowsError> {
        let mut length = [0; 4];
        match read_all(&mut self.input, &mut length)? {
            0 => return Ok(None),
            4 => {}
            _ => {
                self.torn = true;
                return Ok(None);
            }
        }
        self.record += 1;
        let damaged = RowsError::Damaged { record: self.record };
        let length = u32::from_le_bytes(length) as usize;
        if !(FRAME..=LONGEST).contains(&length) {
            return Err(damaged);
        }
        let mut bytes = vec![0; length];
        if read_all(&mut self.input, &mut bytes)? < length {
            self.torn = true;
            return Ok(None);
        }
        let game = GameRows::from_bytes(&bytes).ok_or(damaged)?;
        self.whole += 4 + length as u64;
        Ok(Some(game))
    }
}

impl<G: Packed + Notation, R: Read> Iterator for Reader<G, R> {
    type Item = Result<GameRows<G>, RowsError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

/// Fills `bytes` as far as the input goes; how far that was.
fn read_all(input: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < bytes.len() {
        match input.read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(more) => filled += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Appends a game by one call, so that a kill tears at most this record.
pub fn append<G: Packed>(output: &mut impl Write, game: &GameRows<G>) -> io::Result<()> {
    output.write_all(&game.to_bytes())
}

#[cfg(all(test, feature = "chess"))]
mod tests {
    use super::*;
    use secateur_games::chess::Chess;
    use secateur_search::Game;

    fn games() -> Vec<GameRows<Chess>> {
        let start = Chess::start();
        let next = start.after(start.read_move("e4").unwrap());
        let row = |position: &Chess, score, ply| Row {
            position: position.clone(),
            score,
            ply,
            astray: ply == 1,
        };
        vec![
            GameRows { number: 0, points: 1, rows: vec![row(&start, 31, 0), row(&next, -20, 1)] },
            GameRows { number: 1, points: -1, rows: Vec::new() },
            GameRows { number: 2, points: 0, rows: vec![row(&next, i16::MIN, 70)] },
        ]
    }

    fn file(games: &[GameRows<Chess>]) -> Vec<u8> {
        let mut bytes = header::<Chess>().into_bytes();
        games.iter().for_each(|game| append(&mut bytes, game).unwrap());
        bytes
    }

    /// Everything of a game, with the keys of its positions in their place.
    fn facts(game: &GameRows<Chess>) -> String {
        let row = |row: &Row<Chess>| (row.position.key(), row.score, row.ply, row.astray);
        let rows: Vec<_> = game.rows.iter().map(row).collect();
        format!("{} {} {rows:?}", game.number, game.points)
    }

    #[test]
    fn games_come_back_and_a_torn_one_is_dropped_wherever_it_was_torn() {
        let games = games();
        let bytes = file(&games);
        let ends: Vec<usize> = (0..=games.len()).map(|n| file(&games[..n]).len()).collect();
        for cut in ends[0]..=bytes.len() {
            let mut reader = Reader::<Chess, _>::new(&bytes[..cut]).unwrap();
            let read: Vec<_> = reader.by_ref().map(|game| facts(&game.unwrap())).collect();
            let whole = ends.iter().rposition(|end| *end <= cut).unwrap();
            assert_eq!(read, games[..whole].iter().map(facts).collect::<Vec<_>>());
            assert_eq!(reader.whole(), ends[whole] as u64);
            assert_eq!(reader.is_torn(), cut != ends[whole]);
        }
    }

    #[test]
    fn a_damaged_record_is_named_and_a_foreign_file_too() {
        let mut bytes = file(&games());
        let middle = file(&games()[..1]).len() + 6;
        bytes[middle] ^= 1;
        let reader = Reader::<Chess, _>::new(&bytes[..]).unwrap();
        let error = reader.map(Result::err).nth(1).unwrap().unwrap();
        assert_eq!(error.to_string(), "record 2 is damaged");
        let error = Reader::<Chess, _>::new(&b"secateur rows 1 othello 17\n"[..]).err().unwrap();
        let told = "these are not rows of chess: the first line is 'secateur rows 1 othello 17'";
        assert!(error.to_string().starts_with(&told[..60]), "{error}");
    }
}
