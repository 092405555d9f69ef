//! Syzygy tablebases (Ronald de Man, 2013): the result of every position with few men.
//!
//! | file | idea |
//! |---|---|
//! | [`material`] | which men are on the board, and what they can become |
//! | [`files`] | a search path becomes a list of checked files |
//! | `header` | whether a file can be what its name says |
//! | [`tables`] | the open tables: results (WDL) and distances (DTZ), by `pyrrhic-rs` |
//! | [`solver`] | what the search is told |
//!
//! A result counts the fifty-move rule from a clock of zero: a *cursed* win and a *blessed* loss
//! are what the rule turns into draws.

pub mod files;
mod header;
pub mod material;
pub mod solver;
pub mod tables;

pub use files::{TableError, TableFiles};
pub use solver::Tablebases;
pub use tables::{Tables, Wdl};
