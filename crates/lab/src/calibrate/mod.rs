//! What shallow searches tell of deep ones, measured: from positions to a table of probabilistic cuts.
//!
//! | file | idea |
//! |---|---|
//! | [`positions`] | games, from files or of the engine against itself, and positions drawn from them |
//! | [`interior`] | nodes inside real searches, measured where they stand, with their windows |
//! | [`measure`](mod@measure) | every position at every depth, kept in a folder; killed at any moment, resumed |
//! | [`rows`] | what was measured, as a file that anyone can open |
//! | [`line`](mod@line) | a straight line through pairs of values, and the errors about it |
//! | [`curve`] | how often a cut is wrong, by how far beyond its window it lies |
//! | [`held_out`] | whether what a line promises holds where it has not been |
//! | [`function`] | one function that gives the deviation of every pair |
//! | [`unrest`] | what makes errors larger or smaller: factors by how much is going on |
//! | [`choose`] | which pairs save most |
//! | [`table`] | all of it as the table that the engine loads |

pub mod choose;
pub mod curve;
pub mod function;
pub mod held_out;
pub mod interior;
pub mod line;
pub mod measure;
pub mod positions;
pub mod rows;
pub mod table;
pub mod unrest;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::run_file;

/// What `run.toml` calls these runs.
pub const KIND: &str = "calibrate";

/// Where positions come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Positions of games, as in the papers.
    Paper,
    /// Nodes inside searches of such positions: where a cut would be asked about.
    Interior,
}

/// What is asked for; `run.toml` keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// [`KIND`].
    pub kind: String,
    /// The game.
    pub game: String,
    /// Where positions come from.
    pub source: Source,
    /// Files of games or positions; without any, the engine plays against itself.
    pub files: Vec<PathBuf>,
    /// Positions wanted.
    pub positions: u64,
    /// No more of one game.
    pub per_game: usize,
    /// The deepest search.
    pub max_depth: i32,
    /// What the engine is told that searches.
    pub each: String,
    /// The preset and the settings that it has then.
    pub host: String,
    /// The identity of its evaluation.
    pub evaluation: String,
    /// Nodes for each move where it plays.
    pub play_nodes: u64,
    /// How deep the searches are in which nodes are looked for.
    pub root_depth: i32,
    /// The kinds of unrest that nodes are asked about.
    #[serde(default)]
    pub unrest: Vec<String>,
    /// Positions so few plies from the end of the game are solved as well, if the game can be.
    #[serde(default)]
    pub ends: i32,
    /// Where draws come from.
    pub seed: u64,
}

impl Order {
    /// Begins a run in a folder that is new or empty.
    pub fn begin(&self, folder: &Path) -> anyhow::Result<()> {
        run_file::begin(folder, self)
    }

    /// What a run that was begun there is to do.
    pub fn read(folder: &Path) -> anyhow::Result<Order> {
        run_file::read(folder, |text| run_file::parse(text, KIND, "a calibration"))
    }
}
