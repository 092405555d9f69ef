//! How strong: Elo, normalised Elo, likelihood of superiority.
//!
//! The definitions are those of fishtest and fastchess, so that the numbers can be compared:
//!
//! * **Elo** is the logistic one, of the score alone: 400 log10(s / (1 - s)).
//! * **Normalised Elo** (Van den Bergh, 2020) is (s - 1/2) / σ times 800 / ln 10, where σ is the
//!   standard deviation of a game. Of pairs, σ² is twice the variance of the mean score of a pair.
//!   It says how many games it takes to see the difference, whatever the draws and the book.
//! * **LOS** is the chance that the first engine is the stronger, by the normal approximation.
//!
//! Nothing here is ever "not a number". Without games there is no estimate. A score of 0 or 1 is an
//! infinite Elo. An error is infinite, which means unknown, where the sample cannot tell it: when
//! all results are the same (one pair, all wins, all draws) or the interval reaches 0 or 1.

use std::f64::consts::LN_10;

use super::counts::Counts;
use super::normal::{self, Z95};

/// Normalised Elo for one standard deviation of a game.
pub const NORMALISED_SCALE: f64 = 800.0 / LN_10;

/// A difference in Elo with the half-width of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The lead of the first engine; infinite if it won or lost everything.
    pub value: f64,
    /// Half of the width of the 95 % interval; infinite if it cannot be told.
    pub error: f64,
}

/// The expected score of an engine that leads by `elo`.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The lead in Elo that a score stands for; infinite at 0 and 1 and beyond.
pub fn from_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
}

/// Logistic Elo; nothing without games.
pub fn logistic(counts: &impl Counts) -> Option<Estimate> {
    let (mean, variance) = counts.moments()?;
    let reach = Z95 * (variance / counts.samples() as f64).sqrt();
    let (low, high) = (from_score(mean - reach), from_score(mean + reach));
    let known = variance > 0.0 && low.is_finite() && high.is_finite();
    let error = if known { (high - low) / 2.0 } else { f64::INFINITY };
    Some(Estimate { value: from_score(mean), error })
}

/// Normalised Elo; nothing without games. The error is that of a small difference, as fishtest
/// has it: the uncertainty of σ is left out.
pub fn normalised(counts: &impl Counts) -> Option<Estimate> {
    let (mean, variance) = counts.moments()?;
    let lead = mean - 0.5;
    if variance == 0.0 {
        let value = if lead == 0.0 { 0.0 } else { lead.signum() * f64::INFINITY };
        return Some(Estimate { value, error: f64::INFINITY });
    }
    let deviation = (variance * counts.games_per_sample() as f64).sqrt();
    Some(Estimate {
        value: lead / deviation * NORMALISED_SCALE,
        error: Z95 * NORMALISED_SCALE / (counts.games() as f64).sqrt(),
    })
}

/// The chance that the first engine is the stronger one; a half without games.
///
/// Where all results are the same there is no spread to go by: n wins (or won pairs) in a row
/// then count as heads of a coin of which nothing was known, 1 - 2^-(n + 1).
pub fn superiority(counts: &impl Counts) -> f64 {
    let Some((mean, variance)) = counts.moments() else { return 0.5 };
    let (lead, samples) = (mean - 0.5, counts.samples() as f64);
    if variance > 0.0 {
        return normal::below(lead / (variance / samples).sqrt());
    }
    let doubt = 0.5_f64.powf(samples + 1.0);
    if lead > 0.0 {
        1.0 - doubt
    } else if lead < 0.0 {
        doubt
    } else {
        0.5
    }
}

#[cfg(test)]
mod tests;
