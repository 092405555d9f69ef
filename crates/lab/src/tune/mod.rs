//! Parameters tuned by play: simultaneous perturbation (Spall, 1992) over the numbers that
//! [`Settings::specs`](secateur_search::Settings::specs) lists.
//!
//! | file | idea |
//! |---|---|
//! | [`spsa`] | the method alone: proposals and what is learned from their results |
//! | [`folder`] | what was asked for, and a line for each iteration |
//! | [`games`] | the games of one iteration |
//! | [`run`](mod@run) | iterations until all are done; killed at any moment, resumed |
//! | [`validate`](mod@validate) | the tuned set against the untuned one, in a sequential test |
//! | [`landscape`], [`surface`] | what the results say of one parameter's values, and of two |

pub mod folder;
pub mod games;
pub mod landscape;
pub mod run;
pub mod spsa;
pub mod surface;
pub mod validate;

use secateur_games::playable::Playable;
use serde::{Deserialize, Serialize};

use crate::contest::Configuration;
use crate::contest::SprtGiven;
use crate::contest::configuration::ModelGiven;

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
    /// Nodes for each move, unless there is a clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The clock of each side, as a match takes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tc: Option<String>,
    /// Iterations in all.
    pub iterations: u64,
    /// Pairs of games in each.
    pub pairs: u64,
    /// Where the perturbations and the openings come from.
    pub seed: u64,
    /// How far a parameter moves by one won pair at the end, as a share of its step.
    pub rate: f64,
    /// Games of the validation at most; without any, there is none.
    #[serde(default = "usual_validation_games")]
    pub validation_games: u64,
    /// When the validation has seen enough.
    #[serde(default = "usual_test")]
    pub sprt: SprtGiven,
    /// What is tuned.
    pub parameters: Vec<Parameter>,
}

/// What `run.toml` calls these runs.
pub const KIND: &str = "tune";

/// Games of a validation, unless something else is asked for.
pub fn usual_validation_games() -> u64 {
    4_000
}

/// The test of a validation, unless something else is asked for.
pub fn usual_test() -> SprtGiven {
    SprtGiven { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: ModelGiven::Normalized }
}

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

impl Order {
    /// The untuned values.
    pub fn start(&self) -> Vec<i32> {
        self.parameters.iter().map(|parameter| parameter.start).collect()
    }

    /// The description of an engine with these values; what `each` says lies below it.
    pub fn spec(&self, name: &str, values: &[i32]) -> String {
        let mut text = format!("secateur name={name}");
        for (parameter, value) in self.parameters.iter().zip(values) {
            text += &format!(" {}={value}", parameter.name);
        }
        text
    }

    /// The match of these values against the untuned ones. Games between proposals are played
    /// under the same conditions.
    pub fn configuration<G: Playable>(&self, values: &[i32], concurrency: usize) -> Configuration {
        let engines = vec![self.spec("tuned", values), self.spec("untuned", &self.start())];
        Configuration {
            each: (!self.each.is_empty()).then(|| self.each.clone()),
            tc: self.tc.clone(),
            nodes: self.nodes,
            games: Some(self.validation_games.max(2)),
            seed: self.seed,
            concurrency,
            sprt: Some(self.sprt),
            ..Configuration::between::<G>(engines)
        }
    }
}

#[cfg(test)]
pub(crate) fn order_of(parameters: Vec<Parameter>) -> Order {
    Order {
        kind: KIND.to_string(),
        game: "chess".to_string(),
        each: String::new(),
        nodes: Some(1_000),
        tc: None,
        iterations: 3_000,
        pairs: 1,
        seed: 7,
        rate: 0.05,
        validation_games: usual_validation_games(),
        sprt: usual_test(),
        parameters,
    }
}
