//! The laboratory: how an idea becomes a verdict.
//!
//! | folder | idea |
//! |---|---|
//! | [`statistics`] | what counts of results mean: Elo, errors, sequential tests |
//! | [`engine`] | an engine as an opponent, in this process or in one of its own |
//! | [`suite`] | positions with a known answer: who finds it, how soon |
//! | [`cores`] | whether the machine has a processor for every thread |
//! | [`binary_hash`] | which program was measured |
//! | [`progress`] | a bar for jobs that take longer than two seconds |
//! | [`interrupt`] | what Ctrl-C does |
//! | [`whole_file`] | a file that is whole or not there |
//! | [`values`] | scores, counts and times as text and JSON |

pub mod binary_hash;
pub mod cores;
pub mod engine;
pub mod interrupt;
pub mod progress;
pub mod statistics;
pub mod suite;
pub mod values;
pub mod whole_file;
