//! Where games begin.
//!
//! | file | idea |
//! |---|---|
//! | [`read`](mod@read) | files of openings in any form that a game knows |

pub mod read;

use secateur_games::playable::Playable;
use secateur_games::record::Record;

pub use read::{OpeningsError, read};

/// A beginning from which a game is played on.
#[derive(Clone)]
pub struct Opening<G: Playable> {
    /// What it is called: the name in its file, or else its number there, from 1.
    pub name: String,
    /// The moves that led to it, or none if only the position is known.
    pub record: Record<G>,
}
