//! What tests of games and searches are made of. Public, because authors of other games need it.
//!
//! * [`tree`]: a toy game that *is* a tree, written as a text or drawn at random.
//! * [`reference`](mod@reference): short searches that prune nothing, to compare the real ones with.
//! * [`shapes`]: alpha-beta in the shapes in which it is told, as short as they are told.
//! * [`maze`]: a toy game that is a graph, with a prober that answers from it; [`worked_example`] is one.
//! * [`cycles`]: graphs with cycles, and their values along every path.
//! * [`ranks`]: a table of ranks by hand.
//! * [`contract`]: what every game must keep, checked on random games.

pub mod contract;
pub mod cycles;
pub mod maze;
pub mod ranks;
pub mod reference;
pub mod shapes;
pub mod tree;
pub mod worked_example;
