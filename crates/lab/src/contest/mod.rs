//! Matches: many games between engines, of which nothing is lost when the run is killed.
//!
//! | file | idea |
//! |---|---|
//! | [`configuration`] | what was asked for, as `run.toml` keeps it |
//! | [`prepare`](mod@prepare) | from there to engines, limits, openings and a plan that are checked |
//! | [`plan`] | which game is played by whom, from which opening |
//! | [`adjudicate`] | games that are ended before their end |
//! | [`game`] | one game between two engines |
//! | [`pair`] | two games from one opening, colours changed |
//! | [`effort`] | what an engine's moves cost it |
//! | [`entry`] | one game as a line of `games.jsonl` |
//! | [`sheet`] | the same game as people exchange it |
//! | [`folder`] | the folder of a run: what is written when, and read again |
//! | [`program`] | which file an engine is, and its fingerprint |
//! | [`team`] | the engines of one worker, kept alive |
//! | [`run`](mod@run) | workers, collector, and when it is enough |
//! | [`conduct`](mod@conduct) | all of that for a match that is part of something larger |
//! | [`tally`] | results counted by pairing and pair |
//! | [`summary`] | what is said at the end |
//! | [`date`] | days of the calendar |

pub mod adjudicate;
pub mod conduct;
pub mod configuration;
pub mod date;
pub mod effort;
pub mod entry;
pub mod folder;
pub mod game;
pub mod pair;
pub mod plan;
pub mod prepare;
pub mod program;
pub mod run;
pub mod sheet;
pub mod summary;
pub mod tally;
pub mod team;

pub use conduct::{Conducted, conduct};
pub use configuration::{Configuration, SprtGiven};
pub use folder::Folder;
pub use prepare::{Contest, prepare};
pub use run::{Ended, Finish, run};
