//! Games for `secateur-search`: rules, notation and file formats. Each game is a folder and a
//! cargo feature.
//!
//! | file | idea |
//! |---|---|
//! | [`playable`] | what a program wants to know of a game beyond its rules |
//! | [`packed`] | a position in a few bytes, for files of millions |
//! | [`told`](mod@told) | a score as people and programs are told it |
//! | [`strength`] | playing below full strength, by a measured scale |
//! | [`terms`] | the terms of the value of a position as a table |
//! | [`problem`] | a position with something to be found in it |
//! | [`record`] | a game so far: position, line, how it ended |
//! | [`source`] | files of any kind, zipped or not, as text |

#[cfg(feature = "chess")]
pub mod chess;
pub mod opening;
#[cfg(feature = "othello")]
pub mod othello;
pub mod packed;
pub mod playable;
pub mod problem;
pub mod record;
pub mod source;
pub mod strength;
pub mod terms;
pub mod told;
