//! What was measured, as a file of comma-separated values: a line for each position and depth.
//!
//! The positions of one game are written in one piece, and games in the order of their numbers. A run
//! that was killed drops the last game, of which it cannot know whether it is whole, and makes it again.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::contest::folder::lock;

/// The file in the folder of a run.
pub const NAME: &str = "rows.csv";

const HEAD: &str = "game,position,stage,category,depth,value,kind,nodes,beta,unrest,text";

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A guess, in score units.
    Guess,
    /// Points that are counted out: better or worse than any guess.
    Final,
    /// A mate, or what a table knows: which side wins, and no number.
    Mate,
    /// The points at the end of the game, by the solver: so many plies deep as the game lasts.
    End,
}

/// The value of a position at a depth.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The game that it is of.
    pub game: u64,
    /// Its number in the game.
    pub position: u32,
    /// The stage.
    pub stage: usize,
    /// The category.
    pub category: usize,
    /// How deep it was searched; 0 is the evaluation without a search.
    pub depth: i32,
    /// The value: in score units of a guess, in points if they are counted out; of a mate only the sign has
    /// a meaning.
    pub value: i32,
    /// What that is.
    pub kind: Kind,
    /// Nodes that this depth took, beyond those before.
    pub nodes: u64,
    /// The window of a node inside a search.
    pub beta: Option<i32>,
    /// How uneasy the position is, by kind, if it is such a node; with the first of its rows alone.
    pub unrest: Vec<i32>,
    /// The position.
    pub text: String,
}

impl Row {
    fn write(&self) -> String {
        let Row { game, position, stage, category, depth, value, nodes, text, .. } = self;
        let kind = match self.kind {
            Kind::Guess => "guess",
            Kind::Final => "final",
            Kind::Mate => "mate",
            Kind::End => "end",
        };
        let beta = self.beta.map_or(String::new(), |beta| beta.to_string());
        let unrest: Vec<String> = self.unrest.iter().map(i32::to_string).collect();
        let unrest = unrest.join(";");
        format!(
            "{game},{position},{stage},{category},{depth},{value},{kind},{nodes},{beta},{unrest},{text}\n"
        )
    }

    fn read(line: &str) -> Option<Row> {
        let mut cells = line.splitn(11, ',');
        let mut next = || cells.next();
        Some(Row {
            game: next()?.parse().ok()?,
            position: next()?.parse().ok()?,
            stage: next()?.parse().ok()?,
            category: next()?.parse().ok()?,
            depth: next()?.parse().ok()?,
            value: next()?.parse().ok()?,
            kind: match next()? {
                "guess" => Kind::Guess,
                "final" => Kind::Final,
                "mate" => Kind::Mate,
                "end" => Kind::End,
                _ => return None,
            },
            nodes: next()?.parse().ok()?,
            beta: match next()? {
                "" => None,
                beta => Some(beta.parse().ok()?),
            },
            unrest: match next()? {
                "" => Vec::new(),
                amounts => {
                    amounts.split(';').map(str::parse).collect::<Result<Vec<i32>, _>>().ok()?
                }
            },
            text: next()?.to_string(),
        })
    }
}

/// The rows of a text, and how many bytes of it hold whole games.
fn read_text(text: &str) -> Result<(Vec<Row>, usize), String> {
    let mut rows: Vec<Row> = Vec::new();
    let mut last_game_at = 0;
    let mut place = 0;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        // A line without an end was torn.
        let Some(whole) = line.strip_suffix('\n') else { break };
        if number == 1 {
            if whole != HEAD {
                return Err("its first line is not that of a calibration".to_string());
            }
        } else {
            let row = Row::read(whole).ok_or_else(|| format!("line {number} is no row"))?;
            if rows.last().is_none_or(|last| last.game != row.game) {
                last_game_at = place;
            }
            rows.push(row);
        }
        place += line.len();
    }
    let last = rows.last().map(|row| row.game);
    rows.retain(|row| Some(row.game) != last);
    Ok((rows, if last.is_some() { last_game_at } else { place }))
}

/// Whether the folder holds a file that is whole, as far as it goes, with so many positions: nothing is
/// left to be measured.
pub fn is_done(folder: &Path, positions: u64) -> bool {
    let whole = fs::read_to_string(folder.join(NAME)).is_ok_and(|text| text.ends_with('\n'));
    let count = |rows: Vec<Row>| rows.iter().filter(|row| row.depth == 0).count() as u64;
    whole && load(folder).is_ok_and(|rows| count(rows) >= positions)
}

/// Every row of a run, done or not.
pub fn load(folder: &Path) -> anyhow::Result<Vec<Row>> {
    let (rows, broken) = readable(folder)?;
    match broken.into_iter().next() {
        Some(what) => bail!(what),
        None => Ok(rows),
    }
}

/// The same, and what is wrong with lines that are none.
pub fn readable(folder: &Path) -> anyhow::Result<(Vec<Row>, Vec<String>)> {
    let path = folder.join(NAME);
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let (mut rows, mut broken) = (Vec::new(), Vec::new());
    for (line, number) in without_torn(&text).lines().skip(1).zip(2..) {
        match Row::read(line) {
            Some(row) => rows.push(row),
            None => broken.push(format!("{}: line {number} is no row", path.display())),
        }
    }
    Ok((rows, broken))
}

/// The last line of a run that was killed may be torn.
fn without_torn(text: &str) -> &str {
    text.rfind('\n').map_or("", |end| &text[..end])
}

/// An open file.
pub struct RowFile {
    file: File,
    path: PathBuf,
}

impl RowFile {
    /// Opens the file of a folder, new or not, with the rows of all whole games.
    pub fn open(folder: &Path) -> anyhow::Result<(RowFile, Vec<Row>)> {
        let path = folder.join(NAME);
        let unwritable = || format!("{} cannot be written", path.display());
        let opened = OpenOptions::new().create(true).append(true).open(&path);
        let mut file = opened.with_context(unwritable)?;
        if !lock(&file) {
            bail!("{} is being written by another run", folder.display());
        }
        let text = fs::read_to_string(&path)
            .with_context(|| format!("{} cannot be read", path.display()))?;
        let (rows, whole) =
            read_text(&text).map_err(|what| anyhow::anyhow!("{}: {what}", path.display()))?;
        file.set_len(whole as u64).with_context(unwritable)?;
        if whole == 0 {
            file.write_all(format!("{HEAD}\n").as_bytes()).with_context(unwritable)?;
        }
        Ok((RowFile { file, path }, rows))
    }

    /// Writes the rows of a game in one piece.
    pub fn add(&mut self, rows: &[Row]) -> anyhow::Result<()> {
        let text: String = rows.iter().map(Row::write).collect();
        let written = self.file.write_all(text.as_bytes());
        written.with_context(|| format!("{} cannot be written", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(game: u64, position: u32, depth: i32) -> Row {
        Row {
            game,
            position,
            stage: 1,
            category: 0,
            depth,
            value: -31,
            kind: if depth == 3 { Kind::Mate } else { Kind::Guess },
            nodes: 77,
            beta: (depth > 1).then_some(-5),
            unrest: if depth == 0 { vec![12, 0, 300] } else { Vec::new() },
            text: "8/8/8/8/8/8/8/K1k5 w - - 0 1".to_string(),
        }
    }

    #[test]
    fn a_row_is_read_as_it_was_written_and_nonsense_is_none() {
        for depth in 0..4 {
            assert_eq!(Row::read(row(7, 2, depth).write().trim_end()), Some(row(7, 2, depth)));
        }
        assert_eq!(Row::read("1,2,3"), None);
        assert_eq!(Row::read("1,0,0,0,1,5,what,9,,,text"), None);
        assert_eq!(Row::read("1,0,0,0,1,5,guess,9,,3;x,text"), None);
        let end = Row { kind: Kind::End, depth: 18, ..row(7, 2, 1) };
        assert_eq!(Row::read(end.write().trim_end()), Some(end));
    }

    #[test]
    fn a_torn_line_is_not_shown() {
        let text = format!("{HEAD}\n{}{}", row(0, 0, 1).write(), row(0, 0, 2).write());
        assert_eq!(without_torn(&text).lines().count(), 3);
        assert_eq!(without_torn(&text[..text.len() - 5]).lines().count(), 2);
        assert_eq!(without_torn(&HEAD[..9]), "");
    }

    #[test]
    fn a_run_that_was_torn_goes_on_after_the_last_game_that_is_surely_whole() {
        let mut text = format!("{HEAD}\n");
        let head = text.len();
        for game in [0, 2] {
            (1..3).for_each(|depth| text += &row(game, 0, depth).write());
        }
        // Whatever is torn, of the second game nothing is kept, and of the first all if the second began.
        for (end, rows_kept) in [(text.len(), 2), (text.len() - 5, 2), (head + 10, 0)] {
            let (rows, whole) = read_text(&text[..end]).unwrap();
            let kept: Vec<u64> = rows.iter().map(|row| row.game).collect();
            assert_eq!(kept, vec![0; rows_kept], "{end}");
            assert!(whole <= end && text[..whole].ends_with('\n'));
        }
        assert_eq!(read_text("").unwrap().1, 0);
        assert_eq!(read_text(&text[..head]).unwrap().1, head);
        assert!(read_text("what\n").is_err());
        assert!(read_text(&format!("{HEAD}\nnonsense\n")).unwrap_err().contains("line 2"));
    }

    #[test]
    fn a_file_is_written_by_one_run_at_a_time_and_shown_in_spite_of_lines_that_are_none() {
        let folder = std::env::temp_dir().join(format!("secateur-rows-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (mut file, _) = RowFile::open(&folder).unwrap();
        let refused = RowFile::open(&folder).err().unwrap().to_string();
        assert!(refused.ends_with("is being written by another run"), "{refused}");
        file.add(&[row(0, 0, 1), row(0, 0, 2)]).unwrap();
        file.file.write_all(b"nonsense\n").unwrap();
        file.add(&[row(1, 0, 1)]).unwrap();
        let (rows, broken) = readable(&folder).unwrap();
        assert_eq!(rows.len(), 3);
        assert!(broken.len() == 1 && broken[0].ends_with("line 4 is no row"), "{broken:?}");
        assert!(load(&folder).unwrap_err().to_string().ends_with("line 4 is no row"));
        drop(file);
        let _ = fs::remove_file(folder.join(NAME));
        RowFile::open(&folder).expect("whoever wrote has ended");
        fs::remove_dir_all(&folder).unwrap();
    }
}
