//! B\*: search that stops when one move is clearly best, and looks where that is most likely to be
//! brought about (Berliner and McConnell, 1996).
//!
//! | file | idea |
//! |---|---|
//! | [`prober`] | where values of moves come from |
//! | [`how`] | what can be set |
//! | [`search`] | a search: graph, positions, the loop of the phases |
//! | `select`, `verify` | the player looks for a move, the opponent tries to refute it |
//! | `separate` | the same by bounds alone |
//! | [`descent`] | from the root down to where something can be learned |
//! | `expand`, `modern` | what is done there |
//! | `seeded` | a start from iterative deepening, whose move B\* examines |
//! | [`effort`] | how much each phase may spend |
//! | [`graph`], [`step`] | positions, each once, and the changes that can happen to them |
//! | [`values`], [`aim`], [`curve`], [`odds_table`], [`odds_fit`] | what is known of a position; how likely it reaches a target |
//! | [`order`], [`conditional`] | cycles: values that depend on the path |
//! | [`ahead`] | several leaves at a time |
//! | [`think_ahead`] | the tree kept from move to move, and enriched meanwhile |
//! | [`history`], [`tell`] | the record of a search; its log, and why the move was chosen |

pub mod ahead;
pub mod aim;
pub mod conditional;
pub mod curve;
pub mod descent;
pub mod effort;
mod expand;
pub mod graph;
pub mod history;
pub mod how;
mod modern;
pub mod odds_fit;
pub mod odds_table;
pub mod order;
pub mod prober;
pub mod search;
mod seeded;
mod select;
mod separate;
pub mod step;
pub mod tell;
pub mod think_ahead;
pub mod values;
mod verify;

#[cfg(test)]
mod tests;

pub use how::How;
pub use odds_table::{OddsError, OddsTable};
pub use prober::{Hope, Probed, Prober, Why};
pub use search::{Answer, Part, Search, Settled};
