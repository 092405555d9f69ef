//! What leaves came to, as a file of comma-separated values: a line for each. All values are for the side
//! that tries to reach the target. A game whose file is there is done.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use secateur_search::bstar::odds_fit::Sample;

use crate::whole_file;

const HEAD: &str = "leaf,phase,depth,kind,to_move,real,hope,target,deep";

/// How a leaf was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// It was expanded then.
    Expanded,
    /// Another was.
    Other,
}

/// Who tries to reach the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The player at the root.
    Select,
    /// The opponent.
    Verify,
}

/// A leaf with its target, and what a deeper search came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// How it was met.
    pub which: Which,
    /// Who forces.
    pub phase: Phase,
    /// Plies of its probe.
    pub depth: i32,
    /// What kind of position and move it is: twice the stage, one more for a check or a capture.
    pub kind: u8,
    /// Whether the side that forces is to move there.
    pub forcer_moves: bool,
    /// What its probe found.
    pub real: i32,
    /// What is hoped for.
    pub hope: i32,
    /// What is to be reached.
    pub target: f64,
    /// What the deeper search found.
    pub deep: i32,
}

impl Row {
    /// As it is fitted.
    pub fn sample(&self) -> Sample {
        let real = f64::from(self.real);
        Sample {
            short: self.target - real,
            reach: f64::from(self.hope) - real,
            depth: self.depth,
            kind: self.kind,
            reached: f64::from(self.deep) >= self.target,
        }
    }

    fn write(&self) -> String {
        let Row { which, phase, depth, kind, forcer_moves, real, hope, target, deep } = self;
        let which = ["expanded", "other"][*which as usize];
        let phase = ["select", "verify"][*phase as usize];
        let to_move = if *forcer_moves { "forcer" } else { "obstructor" };
        format!("{which},{phase},{depth},{kind},{to_move},{real},{hope},{target},{deep}\n")
    }

    fn read(line: &str) -> Option<Row> {
        let cells: Vec<&str> = line.split(',').collect();
        let [which, phase, depth, kind, to_move, real, hope, target, deep] = cells[..] else {
            return None;
        };
        let row = Row {
            which: match which {
                "expanded" => Which::Expanded,
                "other" => Which::Other,
                _ => return None,
            },
            phase: match phase {
                "select" => Phase::Select,
                "verify" => Phase::Verify,
                _ => return None,
            },
            depth: depth.parse().ok()?,
            kind: kind.parse().ok()?,
            forcer_moves: match to_move {
                "forcer" => true,
                "obstructor" => false,
                _ => return None,
            },
            real: real.parse().ok()?,
            hope: hope.parse().ok()?,
            target: target.parse().ok()?,
            deep: deep.parse().ok()?,
        };
        let open = f64::from(row.real) < row.target && row.target < f64::from(row.hope);
        open.then_some(row)
    }
}

/// What a game has given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Game {
    /// Moves that were thought about.
    pub moves: u64,
    /// Leaves.
    pub rows: Vec<Row>,
}

fn path(run: &Path, game: u64) -> PathBuf {
    run.join("games").join(format!("game-{:04}.csv", game + 1))
}

/// Whether a game is done.
pub fn is_done(run: &Path, game: u64) -> bool {
    path(run, game).is_file()
}

/// Writes the rows of a game.
pub fn write(run: &Path, number: u64, game: &Game) -> anyhow::Result<()> {
    let mut text = format!("# moves {}\n{HEAD}\n", game.moves);
    game.rows.iter().for_each(|row| text += &row.write());
    let path = path(run, number);
    let folder = path.parent().unwrap_or(run);
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    whole_file::write(&path, |out| Ok(out.write_all(text.as_bytes())?))
}

/// Every game that is done, with its number.
pub fn load(run: &Path, games: u64) -> anyhow::Result<Vec<(u64, Game)>> {
    let done = (0..games).filter(|game| is_done(run, *game));
    done.map(|number| {
        let path = path(run, number);
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let game = parse(&text)
            .map_err(|line| anyhow::anyhow!("{}: line {line} is no row", path.display()))?;
        Ok((number, game))
    })
    .collect()
}

/// The game of a text, or the number of a line that is wrong.
fn parse(text: &str) -> Result<Game, usize> {
    let mut lines = (1usize..).zip(text.lines());
    let first = lines.next().and_then(|(_, line)| line.strip_prefix("# moves ")?.parse().ok());
    let moves = first.ok_or(1usize)?;
    lines.next().filter(|(_, line)| *line == HEAD).ok_or(2usize)?;
    let rows = lines.map(|(number, line)| Row::read(line).ok_or(number)).collect::<Result<_, _>>();
    Ok(Game { moves, rows: rows? })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::odds) const ROW: Row = Row {
        which: Which::Expanded,
        phase: Phase::Verify,
        depth: 4,
        kind: 3,
        forcer_moves: false,
        real: -20,
        hope: 130,
        target: 12.5,
        deep: 13,
    };

    #[test]
    fn rows_are_read_as_they_were_written() {
        let other = Row { which: Which::Other, phase: Phase::Select, forcer_moves: true, ..ROW };
        let game = Game { moves: 7, rows: vec![ROW, other] };
        let folder = std::env::temp_dir().join(format!("secateur-oddsrows-{}", std::process::id()));
        write(&folder, 2, &game).unwrap();
        assert!(is_done(&folder, 2) && !is_done(&folder, 1));
        assert_eq!(load(&folder, 3).unwrap(), [(2, game)]);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_line_that_is_wrong_is_named() {
        let line = ROW.write();
        let text = |line: &str| format!("# moves 3\n{HEAD}\n{line}");
        assert_eq!(parse(&text(&line)).map(|game| game.rows), Ok(vec![ROW]));
        for wrong in [
            line.replace("expanded", "old"),
            line.replace(",4,", ",four,"),
            line.replace("\n", ",1\n"),
            // Reached already, and out of reach.
            line.replace("-20", "13"),
            line.replace("130", "12"),
        ] {
            assert_eq!(parse(&text(&wrong)), Err(3), "{wrong}");
        }
        assert_eq!(parse("# moves x"), Err(1));
        assert_eq!(parse("# moves 3\nleaf"), Err(2));
    }

    #[test]
    fn a_target_is_reached_by_what_is_no_less() {
        let sample = ROW.sample();
        assert_eq!((sample.short, sample.reach, sample.reached), (32.5, 150.0, true));
        assert!(!Row { deep: 12, ..ROW }.sample().reached);
        assert!(Row { target: 13.0, ..ROW }.sample().reached);
    }
}
