//! Where games begin.
//!
//! | file | idea |
//! |---|---|
//! | [`read`](mod@read) | files of openings in any form that a game knows |
//! | [`generate`](mod@generate) | openings by our own engine, balanced or not |
//! | [`built_in`](built_in()) | openings that come with the program |
//! | [`survey`](mod@survey) | what a list of openings is like |
//! | [`set`] | three sets that never meet: tune, develop, final |

mod built_in;
pub mod generate;
pub mod read;
pub mod set;
pub mod survey;

use secateur_games::playable::Playable;
use secateur_games::record::Record;

pub use built_in::built_in;
pub use generate::{GenerateError, Generated, Leads, Recipe, Wanted, generate};
pub use read::{OpeningsError, read};
pub use set::Set;
pub use survey::{Survey, survey};

/// A beginning from which a game is played on.
#[derive(Clone)]
pub struct Opening<G: Playable> {
    /// What it is called: the name in its file, or else its number there, from 1.
    pub name: String,
    /// The moves that led to it, or none if only the position is known.
    pub record: Record<G>,
}
