//! Games for `secateur-search`: rules, notation and file formats. Each game is a folder and a
//! cargo feature.

#[cfg(feature = "chess")]
pub mod chess;
#[cfg(feature = "othello")]
pub mod othello;
pub mod source;
