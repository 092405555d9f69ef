//! The folder of a run: what is kept where.
//!
//! | file | |
//! |---|---|
//! | `run.toml` | what was asked for |
//! | `start.weights` | what the first round plays with |
//! | `round-1/data/` | games of the first round, as `selfplay` writes them |
//! | `round-1/new.weights` | what was learned from them and from those of earlier rounds |
//! | `round-1/match/` | these weights against the best before, as `match` writes it |
//! | `round-1/round.toml` | what became of it; a round without this file is not over |
//! | `best.weights` | the best after the last round that is over |

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use secateur_search::Notation;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{toml_text, whole_file};

const FORMAT: u32 = 1;
const KIND: &str = "learn";

/// What was asked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// Of this file.
    pub format: u32,
    /// `learn`.
    pub kind: String,
    /// Of the program.
    pub version: String,
    /// The game.
    pub game: String,
    /// Rounds in all.
    pub rounds: u32,
    /// Where everything that is left to chance comes from.
    pub seed: u64,
    /// Games to learn from in each round.
    pub games: u32,
    /// Nodes for each move of theirs.
    pub nodes: u64,
    /// Epochs of training, at most.
    pub epochs: usize,
    /// The share of a game's result in what positions are fitted to.
    pub result_share: f64,
    /// Games of the match at the end of each round.
    pub match_games: u64,
    /// Nodes for each move of theirs.
    pub match_nodes: u64,
    /// The command line.
    pub command: String,
}

impl Order {
    /// The same of this game, with what every order says.
    pub fn of<G: Notation>(order: Order) -> Order {
        let version = env!("CARGO_PKG_VERSION").to_string();
        let game = G::NAME.to_string();
        Order { format: FORMAT, kind: KIND.to_string(), version, game, ..order }
    }
}

/// What became of a round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Round {
    /// Its number, from 1.
    pub round: u32,
    /// Positions that were learned from, those of earlier rounds included.
    pub positions: u64,
    /// The loss of the new weights on positions that were kept back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<f64>,
    /// Games that the new weights won against the best before, ...
    pub wins: u64,
    /// ... drew ...
    pub draws: u64,
    /// ... and lost.
    pub losses: u64,
    /// Their lead, if it can be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elo: Option<f64>,
    /// Half of the width of its 95 % interval, if it can be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// Whether the new weights are the best now.
    pub kept: bool,
}

/// Where everything of a run is.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// A new run: the folder must be new or empty.
    pub fn create(path: &Path, order: &Order, start: &[u8]) -> anyhow::Result<Folder> {
        let folder = Folder(path.to_path_buf());
        if folder.run_file().exists() {
            bail!("{0} holds a run already; --resume {0} goes on with it", path.display());
        }
        fs::create_dir_all(path).with_context(|| format!("{} cannot be made", path.display()))?;
        if fs::read_dir(path)?.next().is_some() {
            bail!("{} is not empty", path.display());
        }
        for copy in [folder.start(), folder.best()] {
            whole_file::write(&copy, |output| Ok(output.write_all(start)?))?;
        }
        folder.write_order(order)?;
        Ok(folder)
    }

    /// A run that goes on, and what was asked for.
    pub fn open(path: &Path) -> anyhow::Result<(Folder, Order)> {
        let folder = Folder(path.to_path_buf());
        let file = folder.run_file();
        let head: toml::Table = read(&file)?
            .with_context(|| format!("{} holds no run: there is no run.toml", path.display()))?;
        let kind = head.get("kind").and_then(|kind| kind.as_str()).unwrap_or("nothing");
        if kind != KIND {
            bail!("{} is of a run of the kind '{kind}', not of rounds of learning", file.display());
        }
        if head.get("format").and_then(|format| format.as_integer()) != Some(FORMAT.into()) {
            bail!("{} was written by another version of this program", file.display());
        }
        let order = read(&file)?.with_context(|| format!("{} is gone", file.display()))?;
        Ok((folder, order))
    }

    /// Writes down what is asked for.
    pub fn write_order(&self, order: &Order) -> anyhow::Result<()> {
        write(&self.run_file(), order)
    }

    fn run_file(&self) -> PathBuf {
        self.0.join("run.toml")
    }

    /// What the first round plays with.
    pub fn start(&self) -> PathBuf {
        self.0.join("start.weights")
    }

    /// The best so far.
    pub fn best(&self) -> PathBuf {
        self.0.join("best.weights")
    }

    fn round(&self, number: u32) -> PathBuf {
        self.0.join(format!("round-{number}"))
    }

    /// The games of a round.
    pub fn data(&self, number: u32) -> PathBuf {
        self.round(number).join("data")
    }

    /// What was learned in a round.
    pub fn new_weights(&self, number: u32) -> PathBuf {
        self.round(number).join("new.weights")
    }

    /// The match of a round.
    pub fn contest(&self, number: u32) -> PathBuf {
        self.round(number).join("match")
    }

    /// What became of a round, if it is over.
    pub fn read_round(&self, number: u32) -> anyhow::Result<Option<Round>> {
        read(&self.round(number).join("round.toml"))
    }

    /// Ends a round.
    pub fn write_round(&self, round: &Round) -> anyhow::Result<()> {
        write(&self.round(round.round).join("round.toml"), round)
    }
}

/// What a file says; nothing if it is not there.
fn read<T: DeserializeOwned>(path: &Path) -> anyhow::Result<Option<T>> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        text => text.with_context(|| format!("{} cannot be read", path.display()))?,
    };
    let content =
        toml_text::parse(&text).with_context(|| format!("{} is broken", path.display()))?;
    Ok(Some(content))
}

fn write(path: &Path, content: &impl Serialize) -> anyhow::Result<()> {
    let text = toml::to_string(content).with_context(|| format!("{}", path.display()))?;
    whole_file::write(path, |output| Ok(output.write_all(text.as_bytes())?))
}
