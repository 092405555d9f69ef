//! How often a late move turns out better than those before it, counted in games of the engine against
//! itself: from openings to the table that RankCut goes by.
//!
//! | file | idea |
//! |---|---|
//! | [`gatherer`] | watches a search: at each late move what was known, and what came of it |
//! | [`host`] | the engine that plays, and a game of it |
//! | [`each_game`] | the games of a run that are missing, on several threads |
//! | [`play`](mod@play) | games, each with its own counts in the folder; killed at any moment, resumed |
//! | [`game_file`] | the counts of a game, as a file that anyone can open |
//! | [`pull`] | how much the share of a rare state is drawn towards that of coarser ones |
//! | [`findings`] | what they say: coverage, chances by number, whether they hold in games not seen |

pub mod each_game;
pub mod findings;
pub mod game_file;
pub mod gatherer;
pub mod host;
pub mod play;
pub mod pull;

use std::path::Path;

use secateur_search::Settings;
use secateur_search::calibrate::ranks::Fails;
use secateur_search::selective::rank_cut::RankCutLeadForm;
use serde::{Deserialize, Serialize};

use crate::run_file;

/// What `run.toml` calls these runs.
pub const KIND: &str = "rankcut";

/// How long the engine thinks about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Thinks {
    /// So many nodes.
    Nodes(u64),
    /// So many milliseconds.
    Movetime(u64),
}

/// What is asked for; `run.toml` keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// [`KIND`].
    pub kind: String,
    /// The game.
    pub game: String,
    /// Games of each round.
    pub games: u64,
    /// Rounds at most: the first without RankCut, the others with it by the table of the one before.
    pub rounds: u32,
    /// No more rounds once fewer than this share of decisions change, in percent.
    pub stable: f64,
    /// What the engine is told that plays.
    pub each: String,
    /// The preset and the settings that it has then.
    pub host: String,
    /// The identity of its evaluation.
    pub evaluation: String,
    /// How long it thinks.
    pub thinks: Thinks,
    /// Nodes of less depth are not looked at.
    pub least_depth: i32,
    /// States that were met less often do not come into the table.
    pub least_seen: u64,
    /// What the bound `margin` takes off alpha, in score units.
    pub margin: i32,
    /// Where draws come from.
    pub seed: u64,
    /// What scores below alpha count as.
    #[serde(default)]
    pub fails: Fails,
}

impl Order {
    /// Begins a run in a folder that is new or empty.
    pub fn begin(&self, folder: &Path) -> anyhow::Result<()> {
        run_file::begin(folder, self)
    }

    /// These settings, with scores below alpha as this run counts them.
    pub fn as_counted(&self, settings: &Settings) -> Settings {
        let mut counted = settings.clone();
        counted.rank_cut_lead.form = RankCutLeadForm::of(self.fails);
        counted
    }

    /// What a run that was begun there is to do.
    pub fn read(folder: &Path) -> anyhow::Result<Order> {
        run_file::read(folder, |text| run_file::parse(text, KIND, "a count of ranks"))
    }
}
