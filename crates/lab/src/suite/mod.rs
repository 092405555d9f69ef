//! Suites: positions with a known answer, and who finds it, how soon, with how much work.
//!
//! | file | idea |
//! |---|---|
//! | [`files`] | suites as they are read, and what is refused |
//! | [`judge`] | whether a move is right, and what it earns |
//! | [`graded`] | points for the value, the move and the follow-up |
//! | [`settle`] | from when on the right move was never left again |
//! | [`contestant`] | an engine that takes part: its limit, where it runs, which program it is |
//! | [`ask`] | one engine, one position |
//! | [`run`] | all of them, several at once, whatever an engine does |
//! | [`crew`] | threads that take one job after another |
//! | [`row`] | what came out of one position: a line of `results.jsonl` |
//! | [`cost`] | what a miss costs by a judge's values: a line of `judged.jsonl` |
//! | [`appraise`] | the judge at work on all misses |
//! | [`lines`] | a file of lines that grows, and may be torn |
//! | [`folder`] | the folder of a run, from which it goes on after any end |
//! | [`conduct`](mod@conduct) | an order carried out from its files to its findings |
//! | [`sums`], [`compare`], [`lct2`] | what the rows say: totals, two engines, a rating |
//! | [`findings`] | everything that is known at the end |
//! | [`table`], [`json`] | that for the eye, and for programs |

pub mod appraise;
pub mod ask;
pub mod compare;
pub mod conduct;
pub mod contestant;
pub mod cost;
pub mod crew;
pub mod files;
pub mod findings;
pub mod folder;
pub mod graded;
pub mod json;
pub mod judge;
pub mod lct2;
pub mod lines;
pub mod row;
pub mod run;
pub mod settle;
pub mod sums;
pub mod table;

pub use conduct::{Circumstances, conduct};
pub use cost::Judged;
pub use findings::Findings;
pub use folder::{Order, Scoring};
pub use row::Row;
