//! Parameters tuned by play: simultaneous perturbation (Spall, 1992) over the numbers that
//! [`Settings::specs`](secateur_search::Settings::specs) lists.
//!
//! | file | idea |
//! |---|---|
//! | [`spsa`] | the method alone: proposals and what is learned from their results |
//! | [`run`](mod@run) | games between proposals, each iteration a line of a file; killed at any moment, resumed |

pub mod run;
pub mod spsa;

use serde::{Deserialize, Serialize};

/// What is tuned and how; `run.toml` keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// [`KIND`].
    pub kind: String,
    /// The game.
    pub game: String,
    /// Settings of both sides, as in an engine's description.
    pub each: String,
    /// Nodes for each move.
    pub nodes: u64,
    /// Iterations in all.
    pub iterations: u64,
    /// Pairs of games in each.
    pub pairs: u64,
    /// Where the perturbations and the openings come from.
    pub seed: u64,
    /// How far a parameter moves by one won pair at the end, as a share of its step.
    pub rate: f64,
    /// What is tuned.
    pub parameters: Vec<Parameter>,
}

/// What `run.toml` calls these runs.
pub const KIND: &str = "tune";

/// A number to be tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Where it begins.
    pub start: i32,
    /// The least value.
    pub min: i32,
    /// The greatest value.
    pub max: i32,
    /// How far it is perturbed at the end.
    pub step: i32,
}
