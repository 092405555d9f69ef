//! Samples, as a file of comma-separated values: a line for each. A game whose file is there is done.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use secateur_search::calibrate::reductions::{Class, Kind, Late, MOST};
use secateur_search::observe::Sample;

use crate::whole_file;

const HEAD: &str = "depth,number,kind,even,history,class,loses,check,lead,changes,fall,cuts,usual,weight,\
                    rest,better,nodes";

/// A sample, and of how many it is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// How many it stands for.
    pub weight: u64,
    /// Whether it or a later move of its node was better than the bound, as the search went on.
    pub rest: bool,
    /// What was found.
    pub sample: Sample,
}

/// What a game has given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sampled {
    /// Moves that were thought about.
    pub moves: u64,
    /// The depths that those thoughts came to, in all.
    pub plies: u64,
    /// Nodes that were expected to cut: those that did, and those that did not.
    pub cuts: [u64; 2],
    /// Its samples.
    pub rows: Vec<Row>,
}

fn write_row(row: &Row) -> String {
    let Sample { late, cuts, usual, searches } = &row.sample;
    let kind = ["principal", "cut", "all"][late.kind as usize];
    let class = ["quiet", "check", "noisy"][late.class as usize];
    let yes = |yes: bool| u8::from(yes);
    let made = searches.iter().flatten();
    let better: String = made.clone().map(|(better, _)| if *better { '1' } else { '0' }).collect();
    let nodes: Vec<String> = made.map(|(_, nodes)| nodes.to_string()).collect();
    let Late { depth, number, history, lead, changes, fall, .. } = late;
    format!(
        "{depth},{number},{kind},{},{history},{class},{},{},{lead},{changes},{fall},{cuts},{usual},{},\
         {},{better},{}\n",
        yes(late.even),
        yes(late.loses),
        yes(late.in_check),
        row.weight,
        yes(row.rest),
        nodes.join(" ")
    )
}

fn read_row(line: &str) -> Option<Row> {
    let mut cells = line.split(',');
    let mut next = || cells.next();
    let yes = |cell: &str| match cell {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    };
    let late = Late {
        depth: next()?.parse().ok()?,
        number: next()?.parse().ok()?,
        kind: match next()? {
            "principal" => Kind::Principal,
            "cut" => Kind::Cut,
            "all" => Kind::All,
            _ => return None,
        },
        even: yes(next()?)?,
        history: next()?.parse().ok()?,
        class: match next()? {
            "quiet" => Class::Quiet,
            "check" => Class::Check,
            "noisy" => Class::Noisy,
            _ => return None,
        },
        loses: yes(next()?)?,
        in_check: yes(next()?)?,
        lead: next()?.parse().ok()?,
        changes: next()?.parse().ok()?,
        fall: next()?.parse().ok()?,
    };
    let cuts = next()?.parse().ok()?;
    let usual = next()?.parse().ok()?;
    let weight = next()?.parse().ok()?;
    let rest = yes(next()?)?;
    let (better, nodes) = (next()?, next()?);
    let mut searches = [None; MOST + 1];
    let many = better.len();
    if many == 0 || many > searches.len() || nodes.split(' ').count() != many {
        return None;
    }
    for ((search, better), nodes) in searches.iter_mut().zip(better.chars()).zip(nodes.split(' ')) {
        *search = Some((better == '1', nodes.parse().ok()?));
    }
    Some(Row { weight, rest, sample: Sample { late, cuts, usual, searches } })
}

fn path(run: &Path, game: u64) -> PathBuf {
    run.join("games").join(format!("game-{:04}.csv", game + 1))
}

/// Whether a game is done.
pub fn is_done(run: &Path, game: u64) -> bool {
    path(run, game).is_file()
}

/// Writes the samples of a game.
pub fn write(run: &Path, game: u64, sampled: &Sampled) -> anyhow::Result<()> {
    let Sampled { moves, plies, cuts: [cut, not], rows } = sampled;
    let mut text = format!("# moves {moves} plies {plies} cut {cut} not {not}\n{HEAD}\n");
    rows.iter().for_each(|row| text += &write_row(row));
    let path = path(run, game);
    let folder = path.parent().unwrap_or(run);
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    whole_file::write(&path, |out| Ok(out.write_all(text.as_bytes())?))
}

/// The samples of every game that is done, with its number.
pub fn load(run: &Path, games: u64) -> anyhow::Result<Vec<(u64, Sampled)>> {
    let done = (0..games).filter(|game| is_done(run, *game));
    done.map(|game| {
        let path = path(run, game);
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let sampled = parse(&text)
            .map_err(|line| anyhow::anyhow!("{}: line {line} is no row", path.display()))?;
        Ok((game, sampled))
    })
    .collect()
}

/// The samples of a text, or the number of a line that is wrong.
fn parse(text: &str) -> Result<Sampled, usize> {
    let mut sampled = Sampled::default();
    for (number, line) in (1usize..).zip(text.lines()) {
        match number {
            1 => {
                let words: Vec<&str> = line.split(' ').collect();
                let ["#", "moves", moves, "plies", plies, "cut", cut, "not", not] = words[..]
                else {
                    return Err(1);
                };
                let count = |word: &str| word.parse::<u64>().map_err(|_| 1usize);
                sampled.moves = count(moves)?;
                sampled.plies = count(plies)?;
                sampled.cuts = [count(cut)?, count(not)?];
            }
            2 if line == HEAD => {}
            2 => return Err(2),
            _ => sampled.rows.push(read_row(line).ok_or(number)?),
        }
    }
    Ok(sampled)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::reductions) const LATE: Late = Late {
        depth: 5,
        number: 9,
        kind: Kind::All,
        even: true,
        history: -70,
        class: Class::Quiet,
        loses: false,
        in_check: false,
        lead: -12,
        changes: 1,
        fall: -3,
    };

    #[test]
    fn samples_are_read_as_they_were_written_and_nonsense_is_refused() {
        let mut searches = [None; MOST + 1];
        (searches[0], searches[1]) = (Some((true, 900)), Some((false, 30)));
        let sample = Sample { late: LATE, cuts: 2, usual: 1, searches };
        let noisy = Late { class: Class::Noisy, kind: Kind::Cut, in_check: true, ..LATE };
        let other = Sample { late: noisy, searches: [Some((false, 5)); MOST + 1], ..sample };
        let rows = [sample, other]
            .map(|sample| Row { weight: 32, rest: sample.late.in_check, sample })
            .to_vec();
        let sampled = Sampled { moves: 3, plies: 27, cuts: [90, 10], rows };
        let run = std::env::temp_dir().join(format!("secateur-samples-{}", std::process::id()));
        write(&run, 5, &sampled).unwrap();
        assert!(is_done(&run, 5) && !is_done(&run, 4));
        assert_eq!(load(&run, 9).unwrap(), [(5, sampled)]);
        fs::remove_dir_all(&run).unwrap();
        let good = format!("# moves 1 plies 2 cut 3 not 4\n{HEAD}\n");
        assert!(parse(&good).is_ok());
        assert_eq!(parse(&format!("{good}1,2,3\n")), Err(3));
        assert_eq!(parse("# moves 1\n"), Err(1));
        assert_eq!(
            read_row("5,9,all,1,-70,quiet,0,0,-12,1,-3,2,1,32,1,10,900"),
            None,
            "one is missing"
        );
    }
}
