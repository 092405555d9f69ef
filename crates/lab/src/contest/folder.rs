//! The folder of a run: what is written when, and how it is read again.
//!
//! | file | |
//! |---|---|
//! | `run.toml` | what was asked for, and of what programs; written once, before the first game |
//! | `games.jsonl` | a line for each game, written when it is over; this is what counts |
//! | `games.pgn` | the same games for people; made anew from the lines when a run goes on |
//!
//! A run may be killed at any moment: then the last line may be torn, and is dropped.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use secateur_games::playable::Playable;
use secateur_games::record::Record;
use serde::{Deserialize, Serialize};

use super::configuration::Configuration;
use super::entry::Entry;
use super::prepare::Contest;
use super::{date, sheet};
use crate::engine::Limit;
use crate::{toml_text, whole_file};

const RUN: &str = "run.toml";
const GAMES: &str = "games.jsonl";
const FORMAT: u32 = 1;
const KIND: &str = "match";
/// A power cut loses no more than this.
const SYNC: Duration = Duration::from_secs(2);

/// What `run.toml` holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunFile {
    /// The version of this format.
    pub format: u32,
    /// What kind of run.
    pub kind: String,
    /// Which game.
    pub game: String,
    /// Our own version.
    pub version: String,
    /// When it was begun.
    pub began: String,
    /// Where it was begun: paths in the descriptions of engines are meant from there.
    pub directory: PathBuf,
    /// Everything that was asked for.
    pub configuration: Configuration,
    /// Where games begin.
    pub openings: OpeningsFacts,
    /// The engines as they were found.
    #[serde(rename = "engine")]
    pub engines: Vec<EngineFacts>,
}

/// The openings as they were found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpeningsFacts {
    /// The file, or `built in`.
    pub source: String,
    /// How many there are.
    pub count: usize,
    /// Of their names, positions and moves.
    pub sha256: String,
}

/// An engine as it was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EngineFacts {
    /// What it is called.
    pub name: String,
    /// How long it thinks.
    pub limit: String,
    /// Whether it plays in our own process.
    pub in_process: bool,
    /// Which file it is.
    pub program: PathBuf,
    /// Of that file.
    pub sha256: String,
    /// Of ours, the identity of the weights that it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<String>,
}

/// The folder of a run that goes on.
pub struct Folder {
    path: PathBuf,
    games: File,
    sheet: File,
    limits: HashMap<String, Limit>,
    synced: Instant,
    /// Games that the format of the other file has no words for.
    unwritten: u64,
}

/// Whether a run was begun in this folder.
pub fn is_begun(path: &Path) -> bool {
    path.join(RUN).is_file()
}

/// What `run.toml` in this folder says.
pub fn read_run(path: &Path) -> anyhow::Result<RunFile> {
    let file = path.join(RUN);
    let text = fs::read_to_string(&file)
        .with_context(|| format!("{} holds no run: {RUN} cannot be read", path.display()))?;
    // First what every version has, so that another version is called that.
    let table: toml::Table =
        toml_text::parse(&text).with_context(|| format!("{} is broken", file.display()))?;
    let kind = table.get("kind").and_then(|kind| kind.as_str()).unwrap_or("nothing");
    if kind != KIND {
        bail!("{} is of a run of the kind '{kind}', not of a match", file.display());
    }
    let format = table.get("format").and_then(|format| format.as_integer());
    if format != Some(FORMAT.into()) {
        bail!("{} was written by another version of this program", file.display());
    }
    toml_text::parse(&text).with_context(|| format!("{} is broken", file.display()))
}

/// Writes `run.toml` in this folder.
pub(super) fn write_run(path: &Path, run: &RunFile) -> anyhow::Result<()> {
    let text = toml::to_string(run).context("the configuration cannot be written")?;
    whole_file::write(&path.join(RUN), |output| Ok(output.write_all(text.as_bytes())?))
}

impl Folder {
    /// A folder for a new run, which must be new or empty.
    pub fn create<G: Playable>(path: &Path, contest: &Contest<G>) -> anyhow::Result<Folder> {
        check_empty(path)?;
        fs::create_dir_all(path).with_context(|| format!("{} cannot be made", path.display()))?;
        let configuration = contest.configuration.clone();
        let source = configuration.openings.as_ref();
        let run = RunFile {
            format: FORMAT,
            kind: KIND.to_string(),
            game: G::NAME.to_string(),
            version: env!("CARGO_PKG_VERSION").to_string(),
            began: date::moment(date::now()).stamp(),
            directory: std::env::current_dir()?,
            openings: OpeningsFacts {
                source: source.map_or("built in".to_string(), |path| path.display().to_string()),
                count: contest.openings.len(),
                sha256: contest.openings_fingerprint.clone(),
            },
            configuration,
            engines: facts(contest),
        };
        write_run(path, &run)?;
        let (folder, _) = Folder::open(path, contest)?;
        Ok(folder)
    }

    /// The folder of a run that goes on, and the games it has; refused if an engine or the openings
    /// are not what they were.
    pub fn resume<G: Playable>(
        path: &Path,
        run: &RunFile,
        contest: &Contest<G>,
    ) -> anyhow::Result<(Folder, Vec<Entry>)> {
        for (was, is) in run.engines.iter().zip(facts(contest)) {
            if was.sha256 != is.sha256 {
                bail!(
                    "engine {}: {} is not the program it was when the run began (sha256 {}..., \
                     now {}...); games of two programs are not one match",
                    is.name,
                    is.program.display(),
                    &was.sha256.get(..12).unwrap_or_default(),
                    &is.sha256[..12],
                );
            }
            if was.weights != is.weights {
                bail!("engine {}: its weights are not what they were when the run began", is.name);
            }
            if *was != is {
                bail!("engine {} is not what it was when the run began", is.name);
            }
        }
        if run.openings.sha256 != contest.openings_fingerprint {
            bail!("the openings ({}) are not what they were", run.openings.source);
        }
        Folder::open(path, contest)
    }

    fn open<G: Playable>(
        path: &Path,
        contest: &Contest<G>,
    ) -> anyhow::Result<(Folder, Vec<Entry>)> {
        let file = path.join(GAMES);
        let failed = || format!("{} cannot be written", file.display());
        let games = OpenOptions::new().create(true).append(true).read(true).open(&file);
        let games = games.with_context(failed)?;
        if !lock(&games) {
            bail!("{} is being written by another run", path.display());
        }
        let (entries, whole) = read_games(&file, contest)?;
        if games.metadata()?.len() != whole {
            games.set_len(whole).with_context(failed)?;
        }
        let limits = contest.limits();
        let people = path.join(G::GAMES_FILE);
        let mut unwritten = 0;
        whole_file::write(&people, |output| {
            for entry in &entries {
                let record = entry.replay::<G>().map_err(anyhow::Error::msg);
                let record = record.with_context(|| format!("game {}", entry.game))?;
                match sheet::write(entry, &record, &limits) {
                    Ok(text) => output.write_all(text.as_bytes())?,
                    Err(_) => unwritten += 1,
                }
            }
            Ok(())
        })?;
        let sheet = OpenOptions::new().append(true).open(&people);
        let sheet = sheet.with_context(|| format!("{} cannot be written", people.display()))?;
        let path = path.to_path_buf();
        Ok((Folder { path, games, sheet, limits, synced: Instant::now(), unwritten }, entries))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Games that could be written to `games.jsonl` only.
    pub fn unwritten(&self) -> u64 {
        self.unwritten
    }

    /// Writes down a game. Each file gets it in one piece.
    pub fn add<G: Playable>(&mut self, entry: &Entry, record: &Record<G>) -> anyhow::Result<()> {
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        let failed = || format!("{} cannot be written", self.path.display());
        self.games.write_all(&line).with_context(failed)?;
        match sheet::write(entry, record, &self.limits) {
            Ok(text) => self.sheet.write_all(text.as_bytes()).with_context(failed)?,
            Err(_) => self.unwritten += 1,
        }
        if self.synced.elapsed() >= SYNC {
            self.sync()?;
        }
        Ok(())
    }

    /// Lets nothing wait in the memory of the system.
    pub fn sync(&mut self) -> anyhow::Result<()> {
        self.synced = Instant::now();
        self.games.sync_data().with_context(|| format!("{}", self.path.display()))
    }
}

/// Whether a run may begin here.
pub fn check_empty(path: &Path) -> anyhow::Result<()> {
    let mut files = match fs::read_dir(path) {
        Ok(files) => files,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error).with_context(|| format!("{}", path.display())),
    };
    if path.join(RUN).is_file() {
        bail!("{0} holds a run already; --resume {0} goes on with it", path.display());
    }
    match files.next() {
        None => Ok(()),
        Some(_) => bail!("{} is not empty", path.display()),
    }
}

fn facts<G: Playable>(contest: &Contest<G>) -> Vec<EngineFacts> {
    let facts = contest.participants.iter().map(|engine| EngineFacts {
        name: engine.name.clone(),
        limit: engine.limit.to_string(),
        in_process: engine.is_in_process(),
        program: engine.program.clone(),
        sha256: engine.fingerprint.clone(),
        weights: engine.weights.clone(),
    });
    facts.collect()
}

/// The games of a run in its folder.
pub fn games<G: Playable>(folder: &Path, contest: &Contest<G>) -> anyhow::Result<Vec<Entry>> {
    Ok(read_games(&folder.join(GAMES), contest)?.0)
}

/// The games of a file, and how many of its bytes are whole lines.
fn read_games<G: Playable>(path: &Path, contest: &Contest<G>) -> anyhow::Result<(Vec<Entry>, u64)> {
    let bytes = fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
    let mut entries: Vec<Entry> = Vec::new();
    let mut seen = HashSet::new();
    for (index, line) in bytes[..whole].split_inclusive(|byte| *byte == b'\n').enumerate() {
        let place = || format!("{} line {}", path.display(), index + 1);
        let entry: Entry = serde_json::from_slice(line).with_context(place)?;
        let planned = contest.plan.assignment(entry.game);
        let fits = planned.is_some_and(|planned| {
            let [first, second] = planned.engines.map(|engine| &contest.names[engine]);
            (first, second) == (&entry.first, &entry.second)
                && contest.openings[planned.opening].name == entry.opening
                && entry.outcome().is_some()
        });
        if !fits {
            bail!("{}: game {} is not one of this run", place(), entry.game);
        }
        if !seen.insert(entry.game) {
            bail!("{}: game {} is there twice", place(), entry.game);
        }
        entries.push(entry);
    }
    Ok((entries, whole as u64))
}

/// Two runs in one folder would play the same games twice. The system frees the lock of a process
/// that is killed.
pub(crate) fn lock(file: &File) -> bool {
    #[cfg(unix)]
    {
        use rustix::fs::{FlockOperation, flock};
        match flock(file, FlockOperation::NonBlockingLockExclusive) {
            Err(error) if error == rustix::io::Errno::WOULDBLOCK => false,
            // Some file systems know no locks.
            _ => true,
        }
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        true
    }
}
