//! `secateur convert`: from one file format into another.

use std::io::{self, BufRead, BufReader, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};
use secateur_games::source;
use secateur_lab::whole_file;

use crate::convert::{Format, Job, Said, Tally, Which, convert};
use crate::failure::one_line;
use crate::games::GameName;

/// Arguments of `convert`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur convert games.pgn --to uci
  secateur convert games.pgn --to epd --positions all --out positions.epd
  secateur convert book.epd.zip --to fen
  secateur convert WTH_2018.wtb --to transcript
  secateur convert --game othello --from transcript --to obf - < games.txt

Records that cannot be read are named on the standard error with their line; the others are
converted all the same, and the exit status is 2. What had to be mended is noted there too.")]
pub(super) struct Arguments {
    /// The files to read, zipped or not; - is the standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The format to write
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Format,
    /// The format to read, if the name of the file does not tell
    #[arg(long, value_enum, value_name = "FORMAT")]
    from: Option<Format>,
    /// The game; the format tells, so this is only a check
    #[arg(long, value_enum, value_name = "GAME")]
    game: Option<GameName>,
    /// Which positions of a game to take: last, all, or the one after so many plies
    #[arg(long, value_name = "WHICH", default_value = "last")]
    positions: Which,
    /// The file to write instead of the standard output; it appears when it is complete
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let jobs: Vec<(&Path, Job)> = arguments
        .files
        .iter()
        .map(|file| Ok((file.as_path(), job(arguments, file)?)))
        .collect::<anyhow::Result<_>>()?;
    if arguments.to.is_binary() && jobs.len() > 1 {
        bail!("{} holds one file's games: give one FILE at a time", name(arguments.to));
    }
    let tally = match &arguments.out {
        None if arguments.to.is_binary() && io::stdout().is_terminal() => {
            bail!("{} is binary: give --out FILE", name(arguments.to))
        }
        None => {
            let mut output = BufWriter::new(io::stdout().lock());
            let tally = convert_all(&jobs, &mut output)?;
            output.flush()?;
            tally
        }
        Some(path) => whole_file::write(path, |output| convert_all(&jobs, output))?,
    };
    if tally.broken > 0 {
        bail!("{} of {} records could not be converted", tally.broken, tally.read + tally.broken);
    }
    Ok(())
}

/// What a value is called on the command line.
fn name(value: impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().to_string())
}

fn job(arguments: &Arguments, file: &Path) -> anyhow::Result<Job> {
    let from = arguments.from.or_else(|| Format::of_file(&file.to_string_lossy()));
    let from = from.ok_or_else(|| {
        anyhow!("{}: the name does not tell the format; give --from FORMAT", file.display())
    })?;
    let job = Job { from, to: arguments.to, which: arguments.positions };
    let game = arguments.game.unwrap_or(from.game());
    for format in [job.from, job.to] {
        if format.game() != game {
            bail!("{} is no format of {}", name(format), name(game));
        }
    }
    if job.from.holds_positions() && job.to.begins_as_usual() {
        bail!(
            "{} holds positions, {} games from the usual start: one cannot become the other",
            name(job.from),
            name(job.to)
        );
    }
    Ok(job)
}

fn convert_all(jobs: &[(&Path, Job)], output: &mut dyn Write) -> anyhow::Result<Tally> {
    let mut sum = Tally::default();
    for (path, job) in jobs {
        let mut say = |what: Said<'_>| {
            let line = match what {
                Said::Broken(error) => format!("broken: {}: {error}", path.display()),
                Said::Mended(note) => format!("note: {}: {note}", path.display()),
            };
            // A standard error that cannot be written leaves nowhere to complain.
            let _ = writeln!(io::stderr(), "{}", one_line(&line));
        };
        let input = open(path)?;
        let tally =
            convert(*job, input, output, &mut say).with_context(|| path.display().to_string())?;
        sum.read += tally.read;
        sum.broken += tally.broken;
    }
    Ok(sum)
}

fn open(path: &Path) -> anyhow::Result<Box<dyn BufRead + Send>> {
    if path == Path::new("-") {
        let input = BufReader::new(io::stdin());
        return source::unpacked(input, Path::new("the standard input"))
            .map_err(|error| anyhow!("{error}"));
    }
    // The message of a source error names its cause already.
    source::open(path).map_err(|error| anyhow!("{error}"))
}
