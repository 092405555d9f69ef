//! The laboratory: how an idea becomes a verdict.
//!
//! | folder | idea |
//! |---|---|
//! | [`statistics`] | what counts of results mean: Elo, errors, sequential tests |
//! | [`engine`] | an engine as an opponent, in this process or in one of its own |
//! | [`report`](mod@report) | a run's folder as one page for a browser |
//! | [`progress`] | a bar for jobs that take longer than two seconds |
//! | [`interrupt`] | what Ctrl-C does |
//! | [`whole_file`] | a file that is whole or not there |
//! | [`values`] | scores, counts and times as text and JSON |

pub mod engine;
pub mod interrupt;
pub mod progress;
pub mod report;
pub mod statistics;
pub mod values;
pub mod whole_file;
