//! Chess and Chess960, on the move generator of `cozy-chess`.
//!
//! | file | idea |
//! |---|---|
//! | [`position`] | the rules: [`Chess`] as a [`Game`](secateur_search::Game) |
//! | [`moves`] | what a move is: packing, captures, castling (king takes own rook) |
//! | [`keys`] | hash keys of parts of the position: pawns, pieces, material |
//! | [`tactics`] | the engine's view: noisy moves, checks, stages, the null move |
//! | `generate` | noisy moves and quiet moves, each made without the other |
//! | `returns` | which move brings an earlier position back, from the keys alone |
//! | [`exchange`] | static exchange as a threshold test |
//! | `optimism` | what can be hoped for: checks, pieces that run away, kings far from home, pins |
//! | [`evaluate`] | the plain evaluation: material, pawns, mobility, king safety |
//! | [`fen`], [`san`], [`notation`] | positions and moves as text |
//! | [`epd`], [`pgn`] | files of positions and of games |
//! | `packed` | a position in 26 bytes |
//! | `playable` | what plays it, what its sides and endings are called |
//! | `problems` | files of positions with a move to be found |
//! | [`perft_suite`] | files of leaf counts |
//! | [`tablebase`] | Syzygy tables: exact results with few men |

mod checks;
pub mod epd;
pub mod evaluate;
pub mod exchange;
pub mod fen;
mod generate;
pub mod keys;
pub mod moves;
pub mod notation;
mod openings;
mod optimism;
mod packed;
pub mod perft_suite;
pub mod pgn;
mod playable;
pub mod position;
mod problems;
mod returns;
pub mod san;
pub mod tablebase;
pub mod tactics;

pub use position::Chess;
