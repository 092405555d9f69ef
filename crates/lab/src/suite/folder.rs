//! The folder of a run, from which it goes on after any end.
//!
//! | file | what |
//! |---|---|
//! | `run.toml` | the order, the suites and the programs, with their hashes |
//! | `results.jsonl` | a row for each engine and position, written at once |
//! | `judged.jsonl` | what a judge said of each wrong move, written at once |
//! | `faults.txt` | what an engine had said before it failed |

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use serde::{Deserialize, Serialize};

use super::cost::Judged;
use super::lines::Lines;
use super::row::Row;
use crate::engine::Evidence;
use crate::{toml_text, whole_file};

/// How points are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scoring {
    /// For the move: those of the file, or 10.
    #[default]
    Plain,
    /// For the value, the move and the follow-up.
    Graded,
}

/// What is asked for: everything that decides the results.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// The game's name.
    pub game: String,
    /// The files.
    pub files: Vec<PathBuf>,
    /// The engines, as described by the user; ours alone if there is none.
    pub engines: Vec<String>,
    /// What all of them are told.
    pub each: Option<String>,
    /// Search to this depth.
    pub depth: Option<u32>,
    /// Search so many nodes.
    pub nodes: Option<u64>,
    /// Search for so many milliseconds.
    pub movetime: Option<u64>,
    /// How points are given.
    pub scoring: Scoring,
    /// A search ends when its answer has been right for so many plies.
    pub stop_when_solved: Option<u32>,
    /// Leave out lines that cannot be read.
    pub skip_broken: bool,
    /// Who says what wrong moves cost, as described by the user. It decides no result, so it may come
    /// to a run later.
    pub judge: Option<String>,
    /// A cost from which on it is much, in hundredths.
    pub blunder: Option<u32>,
}

/// The form of `run.toml`; another is refused.
pub const FORMAT: u32 = 1;
const KIND: &str = "suite";

/// What `run.toml` says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunFile {
    /// The form of this file.
    pub format: u32,
    /// What kind of run it is: `suite`.
    pub kind: String,
    /// The version of this program.
    pub version: String,
    /// Positions at once.
    pub concurrency: usize,
    /// What was asked for.
    pub order: Order,
    /// The files that were read.
    pub suites: Vec<SuiteEntry>,
    /// The engines that take part.
    pub engines: Vec<EngineEntry>,
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuiteEntry {
    /// What it is called.
    pub name: String,
    /// Where it was.
    pub file: PathBuf,
    /// Its problems.
    pub positions: usize,
    /// The SHA-256 of its text.
    pub hash: String,
}

/// An engine that takes part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineEntry {
    /// What it is called.
    pub name: String,
    /// As the user described it.
    pub spec: String,
    /// What ends its searches.
    pub limit: String,
    /// Whether it thinks in this program.
    pub in_process: bool,
    /// The file that is run.
    pub program: PathBuf,
    /// The SHA-256 of that.
    pub hash: String,
}

impl RunFile {
    /// A run that begins now.
    pub fn new(
        order: Order,
        concurrency: usize,
        suites: Vec<SuiteEntry>,
        engines: Vec<EngineEntry>,
    ) -> RunFile {
        let version = env!("CARGO_PKG_VERSION").to_string();
        RunFile { format: FORMAT, kind: KIND.into(), version, concurrency, order, suites, engines }
    }

    /// Reads what a folder says about its run.
    pub fn read(folder: &Path) -> anyhow::Result<RunFile> {
        #[derive(Deserialize)]
        struct Head {
            format: u32,
            kind: String,
        }
        let path = folder.join(RUN);
        let text = fs::read_to_string(&path)
            .map_err(|error| anyhow!("{} cannot be read: {error}", path.display()))?;
        let wrong = || path.display().to_string();
        let head: Head = toml_text::parse(&text).with_context(wrong)?;
        if head.kind != KIND {
            bail!("{} is a run of the kind '{}', not a suite", folder.display(), head.kind);
        }
        if head.format != FORMAT {
            let format = head.format;
            bail!("{} has format {format}; this program knows {FORMAT}", path.display());
        }
        toml_text::parse(&text).with_context(wrong)
    }

    /// Writes it into a folder; one that was there before is replaced in one piece.
    pub fn write(&self, folder: &Path) -> anyhow::Result<()> {
        let text = toml::to_string(self).context("the run cannot be described")?;
        whole_file::write(&folder.join(RUN), |file| Ok(file.write_all(text.as_bytes())?))
    }

    /// Refuses to go on with something else than what was begun.
    pub fn demand_same(&self, now: &RunFile) -> anyhow::Result<()> {
        for (then, now) in self.suites.iter().zip(&now.suites) {
            if (&then.name, &then.hash) != (&now.name, &now.hash) {
                bail!("{} has changed since the run began", then.file.display());
            }
        }
        for (then, now) in self.engines.iter().zip(&now.engines) {
            if (&then.spec, &then.limit) != (&now.spec, &now.limit) {
                bail!("{}: the run began with '{}' and {}", now.name, then.spec, then.limit);
            }
            if then.hash != now.hash {
                let (name, program) = (&then.name, then.program.display());
                bail!("{name}: {program} is another program than the one the run began with");
            }
        }
        Ok(())
    }
}

const RUN: &str = "run.toml";
const RESULTS: &str = "results.jsonl";
const JUDGED: &str = "judged.jsonl";
const FAULTS: &str = "faults.txt";

/// An open folder.
#[derive(Debug)]
pub struct Folder {
    results: Lines,
    path: PathBuf,
}

impl Folder {
    /// A new run in a folder that holds none yet.
    pub fn create(folder: &Path, run: &RunFile) -> anyhow::Result<Folder> {
        let failed = || format!("{} cannot be written", folder.display());
        fs::create_dir_all(folder).with_context(failed)?;
        for name in [RUN, RESULTS, JUDGED] {
            if folder.join(name).exists() {
                let path = folder.display();
                bail!("{path} holds a run already; go on with it by --resume {path}");
            }
        }
        // First the results, so that whatever has a description can be gone on with.
        let (opened, _) = Folder::open(folder)?;
        run.write(folder)?;
        Ok(opened)
    }

    /// A run that goes on, with the rows it has. A last line that was torn by its end is dropped.
    pub fn open(folder: &Path) -> anyhow::Result<(Folder, Vec<Row>)> {
        let (results, rows) = Lines::open(&folder.join(RESULTS), Row::key)?;
        Ok((Folder { results, path: folder.to_path_buf() }, rows))
    }

    /// Writes a row, so that nothing but a power cut can lose it.
    pub fn add(&mut self, row: &Row) -> anyhow::Result<()> {
        self.results.add(row)
    }

    /// What judges have said so far, and the file to which they add.
    pub fn judged(&self) -> anyhow::Result<(Lines, Vec<Judged>)> {
        Lines::open(&self.path.join(JUDGED), Judged::key)
    }

    /// Keeps what an engine had said before it failed; `about` says which, where and why.
    pub fn keep(&self, about: &str, evidence: &Evidence) -> anyhow::Result<()> {
        let text = format!("{about}\n{evidence}\n");
        let file = OpenOptions::new().create(true).append(true).open(self.path.join(FAULTS));
        let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
        written.context("faults.txt cannot be written")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_described_and_read_back() {
        let folder = std::env::temp_dir().join(format!("secateur-folder-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let order = Order {
            game: "chess".into(),
            files: vec!["a.epd".into()],
            engines: vec!["secateur preset=bare".into()],
            nodes: Some(5),
            ..Order::default()
        };
        let suite =
            SuiteEntry { name: "a".into(), file: "a.epd".into(), positions: 3, hash: "00".into() };
        let engine = EngineEntry {
            name: "secateur".into(),
            spec: "secateur preset=bare".into(),
            limit: "nodes=5".into(),
            in_process: true,
            program: "/ours".into(),
            hash: "11".into(),
        };
        let run = RunFile::new(order, 2, vec![suite], vec![engine]);
        drop(Folder::create(&folder, &run).unwrap());
        assert_eq!(RunFile::read(&folder).unwrap(), run);
        let again = Folder::create(&folder, &run).unwrap_err().to_string();
        assert!(again.contains("holds a run already"), "{again}");
        let mut other = run.clone();
        other.engines[0].hash = "12".into();
        let refused = run.demand_same(&other).unwrap_err().to_string();
        assert!(refused.starts_with("secateur: /ours is another program"), "{refused}");
        other = run.clone();
        other.suites[0].hash = "01".into();
        assert!(run.demand_same(&other).unwrap_err().to_string().contains("has changed"));
        let path = folder.join(RUN);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("format = 1", "format = 2")).unwrap();
        assert!(RunFile::read(&folder).unwrap_err().to_string().contains("has format 2"));
        fs::write(&path, text.replace("\"suite\"", "\"match\"")).unwrap();
        assert!(RunFile::read(&folder).unwrap_err().to_string().contains("not a suite"));
        fs::remove_dir_all(&folder).unwrap();
    }
}
