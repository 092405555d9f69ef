//! Boards, problems, transcripts and WThor files.

use std::io::{BufRead, Write};

use secateur_games::othello::{Othello, Problem, Transcript, WthorFile, WthorGame, WthorHeader};
use secateur_games::source;
use secateur_search::{Notation, ParseError};

use super::{Format, Job, Said, Tally, Which};

/// One record of a file. Every game begins at the usual first position: the formats say so.
enum Item {
    Position(Problem),
    Game(Transcript),
    /// A game with the numbers of its tournament and players.
    Recorded(WthorGame),
}

impl Item {
    fn transcript(&self) -> Option<&Transcript> {
        match self {
            Item::Position(_) => None,
            Item::Game(transcript) => Some(transcript),
            Item::Recorded(game) => Some(game.transcript()),
        }
    }

    /// The positions that the output is to hold, as problems.
    fn problems(self, which: Which) -> Vec<Problem> {
        let positions: Vec<Othello> = match self.transcript() {
            None => Vec::new(),
            Some(game) => {
                game.positions().map(|(position, _)| position).chain([*game.end()]).collect()
            }
        };
        if let Item::Position(problem) = self {
            return vec![problem];
        }
        let last = positions.len() - 1;
        positions
            .into_iter()
            .enumerate()
            .filter(|(ply, _)| which.takes(*ply, last))
            .map(|(_, position)| Problem { position, scores: Vec::new(), comment: String::new() })
            .collect()
    }
}

pub(super) fn convert(
    job: Job,
    mut input: Box<dyn BufRead + Send>,
    output: &mut dyn Write,
    say: &mut dyn FnMut(Said<'_>),
) -> anyhow::Result<Tally> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes)?;
    let (header, items) = read(job.from, bytes)?;
    let mut tally = Tally::default();
    let mut records = Vec::new();
    for item in items {
        let Some(item) = tally.count(item, say) else { continue };
        match job.to {
            Format::Board => {
                for problem in item.problems(job.which) {
                    writeln!(output, "{}", problem.position.write_position())?;
                }
            }
            Format::Obf => {
                for problem in item.problems(job.which) {
                    writeln!(output, "{}", problem.write())?;
                }
            }
            Format::Transcript => {
                if let Some(game) = item.transcript() {
                    writeln!(output, "{}", game.write())?;
                }
            }
            Format::Wtb => match item {
                Item::Position(_) => {}
                Item::Game(game) => records.push(WthorGame::from_transcript(&game)?),
                Item::Recorded(game) => records.push(game),
            },
            #[cfg(feature = "chess")]
            _ => anyhow::bail!("othello is not written like that"),
        }
    }
    if job.to == Format::Wtb {
        output.write_all(&WthorFile::write(&header, &records))?;
    }
    Ok(tally)
}

type Items = Vec<Result<Item, ParseError>>;

fn read(format: Format, bytes: Vec<u8>) -> anyhow::Result<(WthorHeader, Items)> {
    let no_year = WthorHeader::for_year(0);
    let items = match format {
        Format::Wtb => {
            let file = WthorFile::read(&bytes)?;
            let games = file.games.into_iter().map(|game| game.map(Item::Recorded));
            return Ok((file.header, games.collect()));
        }
        Format::Transcript => Transcript::read_all(&source::decode(bytes))
            .into_iter()
            .map(|game| game.map(Item::Game))
            .collect(),
        // A board without values is a problem without values.
        _ => Problem::read_all(&source::decode(bytes))
            .into_iter()
            .map(|problem| problem.map(Item::Position))
            .collect(),
    };
    Ok((no_year, items))
}
