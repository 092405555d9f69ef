//! The sequential probability ratio test: play until the results decide between two strengths.
//!
//! The ratio of the generalised test compares how likely the counts are under either hypothesis
//! when everything the hypothesis leaves open (draws, book) is chosen in its favour. This exact
//! form, [`Sprt::llr`], is what decides here; it is what fishtest, OpenBench and fastchess print.
//! [`Sprt::llr_approximate`] is the older formula on mean and variance alone. They agree to a
//! hundredth for a few Elo and part ways when one engine is far stronger: after 1,359 pairs at +29
//! Elo the test \[0, 3\] stands at 2.91 exactly and at 3.00 by the approximation.
//!
//! In the model [`Normalized`](Model::Normalized) the hypotheses are leads in normalised Elo, so the
//! length of a test does not depend on draws and book. In [`Logistic`](Model::Logistic) they are
//! Elo as usual.

use super::counts::Counts;
use super::elo::{NORMALISED_SCALE, expected_score};
use super::likelihood;
use super::walk::walk;

/// In what the hypotheses are measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Model {
    /// Normalised Elo.
    #[default]
    Normalized,
    /// Logistic Elo.
    Logistic,
}

/// A test of H0, the first engine leads by `elo0`, against H1, it leads by `elo1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
}

/// What a test has to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Not decided: play on.
    Continue,
    /// H0 is accepted: the lead is `elo0` rather than `elo1`.
    AcceptH0,
    /// H1 is accepted: the lead is `elo1` rather than `elo0`.
    AcceptH1,
}

/// Where a test stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// The log-likelihood ratio.
    pub llr: f64,
    /// What it means.
    pub verdict: Verdict,
    /// What may still come, if the results go on as they were; nothing without games.
    pub outlook: Option<Outlook>,
}

/// What may still come of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outlook {
    /// Games until the decision, on the average; infinite if the results favour neither.
    pub games: f64,
    /// The chance that H1 will be accepted.
    pub accept_h1: f64,
}

/// Why there is no such test.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are not two numbers in ascending order.
    #[error("elo0 must be less than elo1, both from -{MOST_ELO} to {MOST_ELO}, not {0} and {1}")]
    Hypotheses(f64, f64),
    /// The error rates are not small probabilities.
    #[error("alpha and beta must be greater than 0 and less than 0.5, not {0} and {1}")]
    Rates(f64, f64),
    /// No such results exist.
    #[error("no results have an Elo of {0} and a draw ratio of {1}: it must be from 0 to {2:.3}")]
    Draws(f64, f64, f64),
    /// Beyond what the logistic curve can tell from certainty.
    #[error("the assumed Elo must be from -{MOST_ELO} to {MOST_ELO}, not {0}")]
    Elo(f64),
}

/// Beyond this a score cannot be told from 0 or 1.
const MOST_ELO: f64 = 4_000.0;

impl Sprt {
    /// A test that accepts H1 wrongly with probability `alpha` at most, H0 with `beta`.
    pub fn new(
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
        model: Model,
    ) -> Result<Sprt, SprtError> {
        let sound = |elo: f64| elo.abs() <= MOST_ELO;
        if !(sound(elo0) && sound(elo1) && elo0 < elo1) {
            return Err(SprtError::Hypotheses(elo0, elo1));
        }
        let small = |rate: f64| rate > 0.0 && rate < 0.5;
        if !(small(alpha) && small(beta)) {
            return Err(SprtError::Rates(alpha, beta));
        }
        Ok(Sprt { elo0, elo1, alpha, beta, model })
    }

    /// The ratios at which H0 and H1 are accepted.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The logarithm of the generalised likelihood ratio, exactly; 0 without games.
    pub fn llr(&self, counts: &impl Counts) -> f64 {
        if counts.samples() == 0 {
            return 0.0;
        }
        let (scores, shares, samples) = likelihood::shares(&counts.cells());
        let (first, second) = self.fits(&scores, &shares, counts.games_per_sample());
        samples * likelihood::log_ratio(&shares, &first, &second)
    }

    /// The same by mean and variance alone, for comparison; 0 without games.
    pub fn llr_approximate(&self, counts: &impl Counts) -> f64 {
        if counts.samples() == 0 {
            return 0.0;
        }
        let (scores, shares, samples) = likelihood::shares(&counts.cells());
        let (mean, variance) = likelihood::moments(&scores, &shares);
        let deviation = (variance * counts.games_per_sample() as f64).sqrt();
        let hypothesis = |elo: f64| match self.model {
            Model::Normalized => 0.5 + elo / NORMALISED_SCALE * deviation,
            Model::Logistic => expected_score(elo),
        };
        let (low, high) = (hypothesis(self.elo0), hypothesis(self.elo1));
        samples * (high - low) * (mean - 0.5 * (low + high)) / variance
    }

    /// What a log-likelihood ratio means.
    pub fn verdict(&self, llr: f64) -> Verdict {
        let (lower, upper) = self.bounds();
        if llr >= upper {
            Verdict::AcceptH1
        } else if llr <= lower {
            Verdict::AcceptH0
        } else {
            Verdict::Continue
        }
    }

    /// Where the test stands, and what will come if the results go on as they were.
    pub fn standing(&self, counts: &impl Counts) -> Standing {
        let llr = self.llr(counts);
        let outlook = (counts.samples() > 0).then(|| {
            let (scores, shares, _) = likelihood::shares(&counts.cells());
            self.outlook(llr, &scores, &shares, counts.games_per_sample())
        });
        Standing { llr, verdict: self.verdict(llr), outlook }
    }

    /// What is to be expected before the first game if the first engine leads by `elo` (logistic,
    /// whatever the model) and this share of the games is drawn. Each game counts for itself:
    /// pairs of unbalanced openings will need fewer.
    pub fn plan(&self, elo: f64, draw_ratio: f64) -> Result<Outlook, SprtError> {
        if elo.is_nan() || elo.abs() > MOST_ELO {
            return Err(SprtError::Elo(elo));
        }
        let score = expected_score(elo);
        let most = 2.0 * score.min(1.0 - score);
        if !(0.0..=most).contains(&draw_ratio) {
            return Err(SprtError::Draws(elo, draw_ratio, most));
        }
        let halves = 0.5 * draw_ratio;
        // Nothing is impossible, as in `likelihood::shares`.
        let raw = [1.0 - score - halves, draw_ratio, score - halves].map(|share| share.max(1e-9));
        let sum: f64 = raw.iter().sum();
        Ok(self.outlook(0.0, &[0.0, 0.5, 1.0], &raw.map(|share| share / sum), 1))
    }

    /// The likeliest distributions under H0 and H1.
    fn fits(&self, scores: &[f64], shares: &[f64], games: u64) -> (Vec<f64>, Vec<f64>) {
        let fit = |elo: f64| match self.model {
            // A lead is counted in deviations of a game; of pairs, in those of a pair.
            Model::Normalized => {
                let lead = elo / NORMALISED_SCALE * (games as f64).sqrt();
                likelihood::with_lead(scores, shares, 0.5, lead)
            }
            Model::Logistic => likelihood::with_mean(scores, shares, expected_score(elo)),
        };
        (fit(self.elo0), fit(self.elo1))
    }

    fn outlook(&self, llr: f64, scores: &[f64], shares: &[f64], games: u64) -> Outlook {
        let (first, second) = self.fits(scores, shares, games);
        let steps: Vec<f64> = first.iter().zip(&second).map(|(a, b)| (b / a).ln()).collect();
        let (drift, variance) = likelihood::moments(&steps, shares);
        let (lower, upper) = self.bounds();
        let walk = walk(llr, lower, upper, drift, variance);
        Outlook { games: walk.steps.ceil() * games as f64, accept_h1: walk.upward }
    }
}

#[cfg(test)]
mod tests;
