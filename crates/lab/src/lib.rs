//! The laboratory: how an idea becomes a verdict.
//!
//! | folder | idea |
//! |---|---|
//! | [`statistics`] | what counts of results mean: Elo, errors, sequential tests |
//! | [`engine`] | an engine as an opponent, in this process or in one of its own |
//! | [`openings`] | where games begin: read from files, made by search, built in |
//! | [`contest`] | matches between engines, of which nothing is lost |
//! | [`selfplay`] | games of the engine against itself, as data to learn from |
//! | [`train`](mod@train) | weights of an evaluation, learned from such games |
//! | [`learn`] | rounds of games, training and a match; the better weights are kept |
//! | [`weights_file`] | weights of an evaluation, from a file |
//! | [`meaning`] | what scores mean, fitted to those games |
//! | [`in_order`] | numbered tasks on several threads, results in order |
//! | [`suite`] | positions with a known answer: who finds it, how soon |
//! | [`cores`] | whether the machine has a processor for every thread |
//! | [`binary_hash`] | which program was measured |
//! | [`report`](mod@report) | a run's folder as one page for a browser |
//! | [`selfcheck`] | whether all this tells the truth |
//! | [`tune`] | parameters tuned by play |
//! | [`oracle`] | what moves cost, judged by a deeper search |
//! | [`reproduce`] | the papers' experiments, rerun |
//! | [`audit`] | whether what is pruned deserved it |
//! | [`why`](mod@why) | what a search did with one move |
//! | [`ablate`] | what each technique is worth, saves and solves |
//! | [`progress`] | a bar for jobs that take longer than two seconds |
//! | [`interrupt`] | what Ctrl-C does |
//! | [`run_file`] | what was asked of a run, in its folder |
//! | [`whole_file`] | a file that is whole or not there |
//! | [`values`] | scores, counts and times as text and JSON |

pub mod ablate;
pub mod audit;
pub mod binary_hash;
pub mod contest;
pub mod cores;
pub mod engine;
pub mod in_order;
pub mod interrupt;
pub mod learn;
pub mod meaning;
pub mod openings;
pub mod oracle;
pub mod progress;
pub mod report;
pub mod reproduce;
pub mod run_file;
pub mod selfcheck;
pub mod selfplay;
pub mod statistics;
pub mod suite;
pub mod train;
pub mod tune;
pub mod values;
pub mod weights_file;
pub mod whole_file;
pub mod why;
