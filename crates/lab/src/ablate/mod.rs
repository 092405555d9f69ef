//! What each technique of an engine is worth: Elo by a randomised factorial design, and what it saves
//! and solves on positions.
//!
//! In each pair of games every technique is off on either side with some chance, drawn apart. One set
//! of games then tells the worth of all techniques, and of pairs of them, with nearly the error that
//! all of these games would have given one of them alone.
//!
//! | file | idea |
//! |---|---|
//! | [`design`] | who is without what in which pair |
//! | [`folder`] | what was asked for, and a line for each pair |
//! | [`run`](mod@run) | pairs until all are played; killed at any moment, resumed |
//! | [`effects`] | from results to Elo, with errors |
//! | [`confirm`](mod@confirm) | the large ones again, one at a time |
//! | [`costs`] | nodes, time and solved positions with and without each |

pub mod confirm;
pub mod costs;
pub mod design;
pub mod effects;
pub mod folder;
pub mod run;

use std::path::PathBuf;

use secateur_games::playable::Playable;
use secateur_search::params::Value;
use secateur_search::{Kind, Settings};
use serde::{Deserialize, Serialize};

use crate::contest::Configuration;

/// What `run.toml` calls these runs.
pub const KIND: &str = "ablate";

/// What is measured and how; `run.toml` keeps it.
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
    /// Games of the design, two for each pair.
    pub games: u64,
    /// The chance that a technique is off, in percent.
    pub off: u8,
    /// Where the draws and the openings come from.
    pub seed: u64,
    /// Games of each one-off match that confirms a large worth; 0 for none.
    pub confirm: u64,
    /// Plies to search positions with and without each technique.
    pub depth: u32,
    /// Files of positions for that.
    pub suites: Vec<PathBuf>,
    /// The switches of the techniques.
    pub techniques: Vec<String>,
}

impl Order {
    /// Pairs of games of the design.
    pub fn pairs(&self) -> u64 {
        self.games.div_ceil(2)
    }

    /// The description of an engine without some techniques; what `each` says lies below it.
    pub fn spec(&self, name: &str, off: impl IntoIterator<Item = usize>) -> String {
        let mut text = format!("secateur name={name}");
        for index in off {
            text += &format!(" {}=off", self.techniques[index]);
        }
        text
    }

    /// A match under the conditions of the design.
    pub fn configuration<G: Playable>(
        &self,
        engines: [String; 2],
        games: u64,
        concurrency: usize,
    ) -> Configuration {
        Configuration {
            each: (!self.each.is_empty()).then(|| self.each.clone()),
            nodes: Some(self.nodes),
            games: Some(games),
            seed: self.seed,
            concurrency,
            ..Configuration::between::<G>(engines.to_vec())
        }
    }
}

/// Every switch that can be off and is not.
pub fn techniques_on(settings: &Settings) -> Vec<&'static str> {
    let on = |name: &str| settings.get(name).is_some_and(|value| value != Value::Form("off"));
    Settings::specs()
        .filter(|spec| matches!(spec.kind, Kind::Switch { forms, .. } if forms.contains(&"off")))
        .map(|spec| spec.name)
        .filter(|name| on(name))
        // Without these the program is broken, not weaker.
        .filter(|name| !["table", "draws", "quiescence"].contains(name))
        .collect()
}

#[cfg(test)]
pub(crate) fn order_of(techniques: &[&str]) -> Order {
    Order {
        kind: KIND.to_string(),
        game: "chess".to_string(),
        each: "hash=1".to_string(),
        nodes: 200,
        games: 40,
        off: 25,
        seed: 3,
        confirm: 0,
        depth: 8,
        suites: Vec::new(),
        techniques: techniques.iter().map(ToString::to_string).collect(),
    }
}
