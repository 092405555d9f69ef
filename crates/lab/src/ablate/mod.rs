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
//! | [`fresh`] | the openings for that, which the design has not seen |
//! | [`costs`] | nodes, time and solved positions with and without each |

pub mod confirm;
pub mod costs;
pub mod design;
pub mod effects;
pub mod folder;
pub mod fresh;
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

/// Without these the program is broken, not weaker.
const NEEDED: [&str; 3] = ["table", "draws", "quiescence"];

/// Switches that nothing reads unless another one is on: a design would measure noise.
pub(crate) const ONLY_WITH: [(&str, &str); 5] = [
    ("levels", "probcut"),
    ("rank_cut_again", "rank_cut"),
    // Reductions are what it looks back at.
    ("hindsight", "late_moves"),
    // What the opponent threatens is seen where a pass failed.
    ("threat_extension", "null_move"),
    ("evasive_extension", "null_move"),
];

impl Order {
    /// The technique without which this one does nothing, if that is in the design too.
    fn needed(&self, technique: usize) -> Option<usize> {
        let name = self.techniques[technique].as_str();
        let (_, needed) = ONLY_WITH.iter().find(|(this, _)| *this == name)?;
        self.techniques.iter().position(|other| other == needed)
    }
}

/// Every switch that can be off, is not, and is read by the search that decides.
pub fn techniques_on(settings: &Settings) -> Vec<&'static str> {
    let on = |name: &str| settings.get(name).is_some_and(|value| value != Value::Form("off"));
    let is_bstar = settings.get("search") == Some(Value::Form("bstar"));
    let is_read = |name: &str| match name {
        // Only searches to a depth go on in endings, and here nodes are the limit.
        "endings" => false,
        "hand_over" => is_bstar,
        name if name.starts_with("bstar") => is_bstar,
        name => ONLY_WITH.iter().all(|(this, other)| *this != name || on(other)),
    };
    Settings::specs()
        .filter(|spec| matches!(spec.kind, Kind::Switch { forms, .. } if forms.contains(&"off")))
        .map(|spec| spec.name)
        .filter(|name| on(name) && is_read(name) && !NEEDED.contains(name))
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

#[cfg(all(test, feature = "chess"))]
mod tests {
    use super::*;
    use secateur_games::chess::Chess;
    use secateur_games::playable::new_engine;
    use secateur_search::alphabeta::Control;
    use secateur_search::alphabeta::engine::Limits;
    use secateur_search::{Line, Notation};
    use std::time::Instant;

    fn with(changes: &[(&str, &str)]) -> Settings {
        let mut settings = Settings::default();
        for (name, form) in changes {
            settings.set(name, form).unwrap();
        }
        settings
    }

    /// A form of the switch that is not `off`.
    fn form(name: &str) -> &'static str {
        let spec = Settings::specs().find(|spec| spec.name == name).unwrap();
        let Kind::Switch { forms, .. } = spec.kind else { panic!("{name} is no switch") };
        forms.iter().find(|form| **form != "off").unwrap()
    }

    /// Nodes of a few searches, which no two different trees have in common.
    fn nodes(settings: &Settings) -> Vec<u64> {
        let one = |text: &&str| {
            let position = Chess::read_position(text).unwrap();
            let mut engine = new_engine::<Chess>();
            engine.set_settings(settings.clone());
            let (line, control) = (Line::starting_at(&position), Control::default());
            let limits = Limits::depth(9);
            engine.search(&position, &line, &limits, Instant::now(), &control, &mut |_| {}).nodes
        };
        Chess::BENCH_POSITIONS.iter().take(8).map(one).collect()
    }

    #[test]
    fn what_only_bstar_reads_is_a_technique_only_where_it_searches() {
        let of_bstar = |name: &&str| name.starts_with("bstar") || *name == "hand_over";
        let found = techniques_on(&with(&[]));
        assert!(found.contains(&"null_move") && found.contains(&"late_moves"), "{found:?}");
        assert!(!found.iter().any(of_bstar), "{found:?}");
        let found = techniques_on(&with(&[("search", "bstar")]));
        let theirs: Vec<&str> = found.into_iter().filter(of_bstar).collect();
        assert_eq!(theirs, ["bstar_groups", "hand_over"]);
    }

    #[test]
    fn a_switch_that_needs_another_is_left_out_without_it() {
        for (this, other) in ONLY_WITH {
            let alone = with(&[(this, form(this)), (other, "off")]);
            assert!(!techniques_on(&alone).contains(&this), "{this} without {other}");
            let both = with(&[(this, form(this)), (other, form(other))]);
            assert!(techniques_on(&both).contains(&this), "{this} with {other}");
        }
    }

    #[test]
    fn what_is_left_out_changes_no_search() {
        for (this, other) in ONLY_WITH {
            let without = |form: &str| nodes(&with(&[(other, "off"), (this, form)]));
            assert_eq!(without("off"), without(form(this)), "{this} without {other}");
        }
        let found = nodes(&with(&[]));
        for name in ["hand_over", "bstar_groups"] {
            assert_eq!(nodes(&with(&[(name, "off")])), found, "{name}");
        }
    }

    #[test]
    fn every_technique_of_the_design_changes_some_search() {
        let settings = with(&[]);
        let found = nodes(&settings);
        for name in techniques_on(&settings) {
            assert_ne!(nodes(&with(&[(name, "off")])), found, "{name} does nothing");
        }
    }
}
