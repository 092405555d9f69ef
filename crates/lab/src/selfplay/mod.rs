//! Games of the engine against itself, as data to learn from.
//!
//! | file | idea |
//! |---|---|
//! | [`rows`] | quiet positions with their score and the result of the game, in a file of games |
//! | [`game`] | one game, from a random opening, at a fixed number of nodes |
//! | [`run`] | many games, written in the order of their numbers: killed at any moment, resumed |

pub mod game;
pub mod rows;
pub mod run;

use secateur_games::playable::Playable;
use serde::{Deserialize, Serialize};

/// How the games are made. The same recipe, engine and number give the same game. Scores are in the
/// units of the evaluation, not as they are told: a trainer and a model of scores need them so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    /// Where the random openings come from.
    pub seed: u64,
    /// Nodes for each move.
    pub nodes: u64,
    /// Plies of random moves before the engine takes over; every other game has one more.
    pub random_plies: usize,
    /// An opening after which a side is further ahead, in hundredths, is not used.
    pub widest_start: i32,
    /// Positions with a larger score, in hundredths, are not kept: they are decided.
    pub widest_row: i32,
    /// A side that is so far behind for some moves has lost, in hundredths; 0 for never. Where
    /// points are counted every game is played out.
    pub resign: i32,
    /// After so many plies it is a draw.
    pub longest: usize,
    /// In so many positions of a hundred, what a random move in place of the best would have led to is
    /// looked at too: a search sees far more of what nobody would play than of what is played.
    #[serde(default)]
    pub astray: u32,
}

impl Recipe {
    /// The usual one. Where points are counted, a lead of many of them is no reason to look away.
    pub fn of<G: Playable>() -> Recipe {
        match G::COUNTS_POINTS {
            true => Recipe { widest_start: 1_200, widest_row: 6_400, ..Recipe::default() },
            false => Recipe::default(),
        }
    }
}

impl Default for Recipe {
    fn default() -> Recipe {
        Recipe {
            seed: 1,
            nodes: 5_000,
            random_plies: 8,
            widest_start: 400,
            widest_row: 2_000,
            resign: 1_500,
            longest: 320,
            astray: 0,
        }
    }
}
