//! What moves cost: positions in which a judge has valued every move, and engines that choose among
//! them (after Junghanns, Schaeffer, Brockington, Bjornsson and Marsland, 1997).
//!
//! A match tells who wins; this tells by how much each choice is worse than the best, which takes far
//! fewer searches to see. The judge is a far deeper search without forward pruning, or another program.
//!
//! | file | idea |
//! |---|---|
//! | [`ask`] | a position put to a judge or to an engine |
//! | [`conduct`](mod@conduct) | all of them, kept in a folder; killed at any moment, resumed |
//! | [`losses`] | what the choices cost, with errors |

pub mod ask;
pub mod conduct;
pub mod losses;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::run_file;

/// What `run.toml` calls these runs.
pub const KIND: &str = "oracle";

/// What is asked for; `run.toml` keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// [`KIND`].
    pub kind: String,
    /// The game.
    pub game: String,
    /// Files of positions; without any, the openings that come with the program.
    pub files: Vec<PathBuf>,
    /// No more positions than this, evenly spread; 0 for all.
    pub positions: u64,
    /// Who values the moves, each with a limit of its own.
    pub judges: Vec<String>,
    /// Who chooses; the first is compared with the others.
    pub engines: Vec<String>,
    /// What all engines are told.
    pub each: String,
    /// Nodes for each choice; 0 where the engines have limits of their own.
    pub nodes: u64,
}

impl Order {
    /// Begins a run in a folder that is new or empty.
    pub fn begin(&self, folder: &Path) -> anyhow::Result<()> {
        run_file::begin(folder, self)
    }

    /// What a run that was begun there is to do.
    pub fn read(folder: &Path) -> anyhow::Result<Order> {
        run_file::read(folder, |text| run_file::parse(text, KIND, "an oracle"))
    }
}
