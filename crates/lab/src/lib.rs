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
//! | [`cuts_file`], [`ranks_file`], [`reductions_file`], [`odds_file`] | tables of probabilistic cuts, ranks, reductions and of B\*'s probabilities, from a file |
//! | [`weights_file`] | weights of an evaluation, from a file |
//! | [`meaning`] | what scores mean, fitted to those games |
//! | [`in_order`] | numbered tasks on several threads, results in order |
//! | [`suite`] | positions with a known answer: who finds it, how soon |
//! | [`cores`] | whether the machine has a processor for every thread |
//! | [`binary_hash`] | which program was measured |
//! | [`report`](mod@report) | a run's folder as one page for a browser |
//! | [`selfcheck`] | whether all this tells the truth |
//! | [`tune`] | parameters tuned by play |
//! | [`sweep`] | one parameter at several values, and a curve |
//! | [`reads`] | whether a search reads a parameter at all |
//! | [`calibrate`] | what shallow searches tell of deep ones, measured |
//! | [`ranks`] | how often a late move turns out better, counted in games |
//! | [`reductions`] | how much less deep late moves are best searched, learned from samples |
//! | [`odds`] | how likely leaves of B\* reach their targets, fitted to games |
//! | [`oracle`] | what moves cost, judged by a deeper search |
//! | [`reproduce`] | the papers' experiments, rerun |
//! | [`audit`] | whether what is pruned deserved it |
//! | [`why`](mod@why) | what a search did with one move |
//! | [`ablate`] | what each technique is worth, saves and solves |
//! | [`thoughts`] | what B\* has thought, told |
//! | [`progress`] | a bar for jobs that take longer than two seconds |
//! | [`interrupt`] | what Ctrl-C does |
//! | [`run_file`] | what was asked of a run, in its folder |
//! | [`whole_file`] | a file that is whole or not there |
//! | [`values`] | scores, counts and times as text and JSON |

pub mod ablate;
pub mod audit;
pub mod binary_hash;
pub mod calibrate;
pub mod contest;
pub mod cores;
pub mod cuts_file;
pub mod engine;
pub mod in_order;
pub mod interrupt;
pub mod learn;
pub mod meaning;
pub mod odds;
pub mod odds_file;
pub mod openings;
pub mod oracle;
pub mod progress;
pub mod ranks;
pub mod ranks_file;
pub mod reads;
pub mod reductions;
pub mod reductions_file;
pub mod report;
pub mod reproduce;
pub mod run_file;
pub mod selfcheck;
pub mod selfplay;
pub mod statistics;
pub mod suite;
pub mod sweep;
pub mod thoughts;
mod toml_text;
pub mod train;
pub mod tree_file;
pub mod tune;
pub mod values;
pub mod weights_file;
pub mod whole_file;
pub mod why;
