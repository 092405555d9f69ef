//! What was measured of a game and an evaluation, for techniques that go by it.
//!
//! | file | what |
//! |---|---|
//! | [`cuts`] | how the value of a shallow search tells that of a deep one, as it is written |
//! | [`unrest`] | where it tells less: kinds of unrest, and what they do to its errors |
//! | [`plan`] | all of it as the tree goes by it |
//! | `bounds` | where a cut of one pair begins |
//! | [`ranks`] | how often a late move turns out better than those before it, as it is written |
//! | [`rank_plan`] | the same as the tree goes by it |
//! | [`reductions`] | how much less deep a late move is best searched |

mod bounds;
pub mod cuts;
#[cfg(test)]
pub(crate) mod example_cuts;
pub mod plan;
pub mod rank_plan;
pub mod ranks;
pub mod reductions;
pub mod unrest;
