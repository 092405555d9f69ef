//! Rounds of learning: play with the best weights so far, train on all games up to now, let new and
//! best play a match, keep the better. Killed at any moment, a run goes on where it was.
//!
//! | file | idea |
//! |---|---|
//! | [`folder`] | what is kept where |
//! | [`round`] | one round: games, training, match |
//! | [`course`] | all rounds, those that are done and those to come |

pub mod course;
pub mod folder;
pub mod round;

pub use course::{Course, go_on};
pub use folder::{Order, Round};
