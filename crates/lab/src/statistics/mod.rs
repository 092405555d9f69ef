//! What counts of results mean.
//!
//! Pure functions on counts; nothing here reads, writes or waits. Everything is said from the
//! first engine's side: a positive Elo is the first engine's lead.
//!
//! | file | idea |
//! |---|---|
//! | [`counts`] | results counted by game or by pair of games |
//! | [`elo`] | how strong: Elo, normalised Elo, likelihood of superiority |
//! | [`likelihood`] | the likeliest distribution of results under a hypothesis |
//! | [`sprt`] | the sequential test: go on, or which hypothesis |
//! | [`walk`] | how long a sequential test will take |
//! | [`papers`] | the two tests of the papers on forward pruning |
//! | [`bootstrap`] | intervals by drawing again and again |
//! | [`share`] | how often something happens, also where it comes in clusters |
//! | [`paired`] | two configurations on the same positions; many tests at once |
//! | [`least_squares`] | a sum of terms fitted to measurements |
//! | [`logistic`] | the same for scores: what differences between two sides are worth in Elo |
//! | [`rating`] | more than two engines in one table |
//! | [`normal`] | the normal distribution, and Student's beside it |

pub mod bootstrap;
pub mod counts;
pub mod elo;
pub mod least_squares;
pub mod likelihood;
pub mod logistic;
pub mod normal;
pub mod paired;
pub mod papers;
pub mod rating;
pub mod share;
pub mod sprt;
pub mod walk;
