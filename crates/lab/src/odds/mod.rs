//! How likely a leaf of B\* reaches its target, fitted to games of B\* against itself: leaves as its
//! searches hold them, with the targets that they had, and what deeper searches of them come to.
//!
//! | file | idea |
//! |---|---|
//! | [`questions`] | leaves of a search and their targets, drawn from its record |
//! | [`rows`] | what they came to, as a file that anyone can open |
//! | [`play`](mod@play) | games, each with its own rows in the folder; killed at any moment, resumed |
//! | [`findings`] | the table, and whether it tells more than the straight line of games not fitted to |

pub mod findings;
pub mod play;
pub mod questions;
pub mod rows;

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::ranks::Thinks;
use crate::run_file;

/// What `run.toml` calls these runs.
pub const KIND: &str = "bstar-odds";

/// What is asked for; `run.toml` keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// [`KIND`].
    pub kind: String,
    /// The game.
    pub game: String,
    /// Games.
    pub games: u64,
    /// What the engine is told that plays.
    pub each: String,
    /// The preset and the settings that it has then.
    pub host: String,
    /// The identity of its evaluation.
    pub evaluation: String,
    /// Plies of the probes, of each game the next of these in turn; those of the engine if there are none.
    pub probes: Vec<i32>,
    /// Leaves of each search, at most.
    pub leaves: usize,
    /// So many plies deeper than its probe a leaf is searched.
    pub deeper: i32,
    /// Where draws come from.
    pub seed: u64,
    /// How long it thinks.
    pub thinks: Thinks,
}

impl Order {
    /// Begins a run in a folder that is new or empty.
    pub fn begin(&self, folder: &Path) -> anyhow::Result<()> {
        run_file::begin(folder, self)
    }

    /// What a run that was begun there is to do.
    pub fn read(folder: &Path) -> anyhow::Result<Order> {
        run_file::read(folder, |text| run_file::parse(text, KIND, "leaves of B*"))
    }
}
