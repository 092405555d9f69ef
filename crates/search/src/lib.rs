//! Selective search for two-player games of perfect information.
//!
//! This crate knows no game and does no input or output. A game implements [`Game`] (the rules)
//! and may implement [`Tactics`] (what an engine wants to know beyond the rules), [`Notation`]
//! (texts of positions and moves) and [`Evaluator`] (a guess at the value of a position).
//!
//! | file | idea |
//! |---|---|
//! | [`game`] | the two traits of a game, outcomes, abilities |
//! | [`notation`] | positions and moves as text; errors that say what and where |
//! | [`evaluate`] | the value of a position, per thread and indexed by ply |
//! | [`features`](mod@features) | what a learned evaluation counts, stated once for tree and trainer |
//! | [`weights`] | the numbers of an evaluation and their file |
//! | [`meaning`] | what a score is worth in won, drawn and lost games |
//! | [`solve`] | exact answers without the search |
//! | [`score`], [`depth`] | small types with their invariants |
//! | [`line`](mod@line) | the keys on the way to a position: repetition rules |
//! | [`params`](mod@params), [`preset`] | a parameter is declared once; named sets of all of them |
//! | [`overlay`] | what is in force: a preset overlaid by explicit settings |
//! | [`perft`](mod@perft) | counting the leaves of the rules' tree |
//! | [`alphabeta`] | principal variation search, for any game |
//! | [`bstar`] | best-first search by probability, for any game |
//! | [`optimism`] | what a side can hope for from a move |
//! | [`calibrate`] | what was measured of a game and its evaluation |
//! | [`observe`] | what happened at a node |
//! | [`plain`] | the search for a game of which only the rules are known |
//! | [`testkit`] | the toy game, reference searches and the contract every game must pass |

pub mod alphabeta;
pub mod bstar;
pub mod calibrate;
pub mod depth;
pub mod evaluate;
pub mod features;
pub mod game;
pub mod line;
pub mod meaning;
pub mod notation;
pub mod observe;
pub mod optimism;
pub mod overlay;
pub mod params;
pub mod perft;
pub mod plain;
pub mod preset;
pub mod random;
pub mod score;
pub mod selective;
pub mod solve;
pub mod testkit;
pub mod weights;

pub use depth::Depth;
pub use evaluate::Evaluator;
pub use features::Featured;
pub use game::{Ability, Game, Gen, Outcome, Player, Stopped, Tactics};
pub use line::Line;
pub use meaning::{Chances, Meaning};
pub use notation::{Notation, ParseError};
pub use overlay::Overlay;
pub use params::{Kind, SetError, Spec};
pub use preset::Settings;
pub use score::{Band, Score};
pub use solve::Solver;
pub use weights::Weights;
