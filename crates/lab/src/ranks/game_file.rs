//! The counts of a game, as a file of comma-separated values: a line for each state. A game whose file is
//! there is done.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use secateur_search::calibrate::ranks::{Tally, read_line, write_line};

use crate::whole_file;

const HEAD: &str = "depth,check,phase,number,changes,lead,fall,seen,each_best,each_alpha,each_margin,\
                    rest_best,rest_alpha,rest_margin";

/// What was counted in a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counted {
    /// Moves that were thought about.
    pub moves: u64,
    /// The depths that those thoughts came to, in all.
    pub plies: u64,
    /// Counts by state.
    pub tally: Tally,
}

/// Where the games of a round are.
pub fn folder_of(run: &Path, round: u32) -> PathBuf {
    run.join(format!("round-{}", round + 1))
}

fn path(run: &Path, round: u32, game: u64) -> PathBuf {
    folder_of(run, round).join(format!("game-{:04}.csv", game + 1))
}

/// Whether a game is done.
pub fn is_done(run: &Path, round: u32, game: u64) -> bool {
    path(run, round, game).is_file()
}

/// Writes the counts of a game.
pub fn write(run: &Path, round: u32, game: u64, counted: &Counted) -> anyhow::Result<()> {
    let Counted { moves, plies, tally } = counted;
    let mut text = format!("# moves {moves} plies {plies}\n{HEAD}\n");
    for (state, counts) in tally {
        text += &write_line(state, counts, ',');
        text.push('\n');
    }
    whole_file::write(&path(run, round, game), |out| Ok(out.write_all(text.as_bytes())?))
}

/// The counts of every game of a round that is done, with the number of the game.
pub fn load(run: &Path, round: u32, games: u64) -> anyhow::Result<Vec<(u64, Counted)>> {
    let done = (0..games).filter(|game| is_done(run, round, *game));
    done.map(|game| {
        let path = path(run, round, game);
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let counted = parse(&text)
            .map_err(|line| anyhow::anyhow!("{}: line {line} is no row", path.display()))?;
        Ok((game, counted))
    })
    .collect()
}

/// The counts of a text, or the number of a line that is wrong.
fn parse(text: &str) -> Result<Counted, usize> {
    let mut counted = Counted::default();
    for (number, line) in (1usize..).zip(text.lines()) {
        match number {
            1 => {
                let words: Vec<&str> = line.split(' ').collect();
                let ["#", "moves", moves, "plies", plies] = words[..] else { return Err(1) };
                counted.moves = moves.parse().map_err(|_| 1usize)?;
                counted.plies = plies.parse().map_err(|_| 1usize)?;
            }
            2 if line == HEAD => {}
            2 => return Err(2),
            _ => {
                let (state, counts) = read_line(line, ',').ok_or(number)?;
                counted.tally.insert(state, counts);
            }
        }
    }
    Ok(counted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_search::calibrate::ranks::{Counts, Phase, State};

    #[test]
    fn counts_are_read_as_they_were_written_and_nonsense_is_refused() {
        let state = State {
            depth: 9,
            in_check: true,
            phase: Phase::Remaining,
            number: 17,
            changes: 2,
            lead: 3,
            fall: 6,
        };
        let counts = Counts { seen: 40, each: [1, 0, 2], rest: [7, 5, 9] };
        let counted = Counted { moves: 3, plies: 27, tally: Tally::from([(state, counts)]) };
        let run = std::env::temp_dir().join(format!("secateur-ranks-{}", std::process::id()));
        fs::create_dir_all(folder_of(&run, 0)).unwrap();
        write(&run, 0, 5, &counted).unwrap();
        assert!(is_done(&run, 0, 5) && !is_done(&run, 0, 4) && !is_done(&run, 1, 5));
        assert_eq!(load(&run, 0, 9).unwrap(), [(5, counted)]);
        fs::remove_dir_all(&run).unwrap();
        let good = format!("# moves 1 plies 2\n{HEAD}\n");
        assert!(parse(&good).is_ok());
        assert_eq!(parse(&format!("{good}1,2,3\n")), Err(3));
        assert_eq!(parse("# moves one plies 2\n"), Err(1));
        assert_eq!(parse("# moves 1 plies 2\nwhat\n"), Err(2));
    }
}
