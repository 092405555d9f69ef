//! The laboratory: how an idea becomes a verdict.
//!
//! | folder | idea |
//! |---|---|
//! | [`statistics`] | what counts of results mean: Elo, errors, sequential tests |
//! | [`engine`] | an engine as an opponent, in this process or in one of its own |

pub mod engine;
pub mod statistics;
