//! How much less deep late moves are best searched, learned: in games of the engine against itself some of
//! them are searched at every reduction, off the books, and what each reduction costs and misses is
//! fitted to what was known of the move.
//!
//! | file | idea |
//! |---|---|
//! | [`sampler`] | watches a search and has some late moves searched at every reduction |
//! | [`rows`] | samples, as a file that anyone can open |
//! | [`play`](mod@play) | games, each with its own samples in the folder; killed at any moment, resumed |
//! | [`model`] | the chance of an event by levels of features |
//! | [`learn`] | nodes and errors to be expected of each reduction, and the best of them |

pub mod learn;
pub mod model;
pub mod play;
pub mod rows;
pub mod sampler;

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::ranks::Thinks;
use crate::run_file;

/// What `run.toml` calls these runs.
pub const KIND: &str = "reductions";

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
    /// Of the late moves of shallow nodes one in so many is sampled; of deeper ones more.
    pub every: u64,
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
        run_file::read(folder, |text| run_file::parse(text, KIND, "samples of reductions"))
    }
}
