//! Othello: rules on 64-bit boards, the engine's view of them, texts and files.
//!
//! | file | idea |
//! |---|---|
//! | [`board`] | where a disc may be placed and what it turns over, 64 squares at a time |
//! | [`moves`] | a move: a square or a pass |
//! | [`position`] | whose discs are where and whose turn it is; the rules |
//! | `tactics` | what the engine asks beyond the rules |
//! | `optimism` | what can be hoped for |
//! | [`evaluate`] | a guess at the margin: ten counts weighted by stage |
//! | [`solver`] | the exact margin with few squares left |
//! | `notation` | positions and moves as text, the drawn board |
//! | `packed` | a position in 17 bytes |
//! | `playable` | what plays it, what its sides and endings are called |
//! | [`transcript`] | games as `f5d6c3d3c4` |
//! | [`obf`] | files of problems with the value of each move |
//! | `problems` | those files as suites |
//! | [`wthor`] | the binary files of the WThor database of games |
//!
//! Squares are numbered by rows from the upper left corner: a1 is 0, b1 is 1, a2 is 8, h8 is 63.
//! Black moves first.

pub mod board;
pub mod evaluate;
mod lines;
pub mod moves;
mod notation;
pub mod obf;
mod openings;
mod optimism;
mod packed;
mod playable;
pub mod position;
mod problems;
pub mod solver;
mod tactics;
pub mod transcript;
pub mod wthor;

pub use evaluate::OthelloEvaluator;
pub use moves::OthelloMove;
pub use obf::Problem;
pub use position::Othello;
pub use solver::{EndgameSolver, Guide};
pub use transcript::Transcript;
pub use wthor::{WthorFile, WthorGame, WthorHeader};
