//! What tests of games and searches are made of. Public, because authors of other games need it.
//!
//! * [`tree`]: a toy game that *is* a tree, written as a text or drawn at random.
//! * [`reference`](mod@reference): short searches that prune nothing, to compare the real ones with.
//! * [`shapes`]: alpha-beta in the shapes in which it is told, as short as they are told.
//! * [`contract`]: what every game must keep, checked on random games.

pub mod contract;
pub mod reference;
pub mod shapes;
pub mod tree;
