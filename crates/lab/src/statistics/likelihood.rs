//! The likeliest distribution of results under a hypothesis: the heart of the generalised
//! sequential test, which compares how well two hypotheses can be made to fit.
//!
//! Of all distributions q over the scores a that satisfy the hypothesis, the one is sought that
//! makes the counts likeliest: the maximum of Σ p log q, where p are the measured shares.
//!
//! * A given **mean**: q = p / (1 + x (a - s)), one unknown x by bisection.
//! * A given **lead in standard deviations**, (mean - r) / σ = t, which is not linear in q. It is
//!   made so by σ <= (c + E (a - m)² / c) / 2, an equality where m and c are the mean and deviation
//!   of q itself; so the former problem is solved repeatedly with scores bent by the last q (Van den
//!   Bergh, 2021). We begin at a q that satisfies E a - r >= t σ. Every later q does too, because
//!   the bound is never below σ, and so the bent scores always lie on both sides of 0 and the
//!   bisection has a bracket. That is what fails, and hangs, when the iteration begins just
//!   anywhere and one engine wins everything (fastchess issue 877).

/// A share for what did not happen, in counts: with shares of exactly 0 a hypothesis could be
/// impossible instead of unlikely. fishtest, OpenBench and fastchess use the same number.
pub const UNSEEN: f64 = 1e-3;

/// Bisections: more than the bits of a double.
const HALVINGS: usize = 64;
/// Usually five suffice; the limit is there so that nothing can hang.
const ROUNDS: usize = 200;

/// The scores 0, ..., 1 of the cells, their shares, and how many samples there are, the unseen
/// included.
pub fn shares(cells: &[u64]) -> (Vec<f64>, Vec<f64>, f64) {
    let filled: Vec<f64> =
        cells.iter().map(|&count| if count == 0 { UNSEEN } else { count as f64 }).collect();
    let total: f64 = filled.iter().sum();
    let top = (cells.len() - 1) as f64;
    let scores = (0..cells.len()).map(|index| index as f64 / top).collect();
    (scores, filled.iter().map(|count| count / total).collect(), total)
}

/// Mean and variance of `shares` over `scores`.
pub fn moments(scores: &[f64], shares: &[f64]) -> (f64, f64) {
    let mean = expectation(scores, shares);
    let squares = scores.iter().zip(shares).map(|(a, p)| p * (a - mean) * (a - mean));
    (mean, squares.sum())
}

fn expectation(scores: &[f64], shares: &[f64]) -> f64 {
    scores.iter().zip(shares).map(|(a, p)| a * p).sum()
}

/// The likeliest distribution with the given mean, which must lie strictly between the least and
/// the greatest score; every share must be positive.
pub fn with_mean(scores: &[f64], shares: &[f64], mean: f64) -> Vec<f64> {
    let gaps: Vec<f64> = scores.iter().map(|a| a - mean).collect();
    let least = gaps.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = gaps.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || greatest <= 0.0 {
        // Only where rounding has used up the bracket: the hypothesis holds as it stands.
        return shares.to_vec();
    }
    let (mut low, mut high) = (-1.0 / greatest, -1.0 / least);
    for _ in 0..HALVINGS {
        let x = 0.5 * (low + high);
        let slope: f64 = gaps.iter().zip(shares).map(|(gap, p)| p * gap / (1.0 + x * gap)).sum();
        if slope > 0.0 {
            low = x;
        } else {
            high = x;
        }
    }
    let x = 0.5 * (low + high);
    gaps.iter().zip(shares).map(|(gap, p)| p / (1.0 + x * gap)).collect()
}

/// The likeliest distribution whose mean is `lead` standard deviations above `level`; every share
/// must be positive and `level` strictly between the least and the greatest score.
pub fn with_lead(scores: &[f64], shares: &[f64], level: f64, lead: f64) -> Vec<f64> {
    if lead < 0.0 {
        // From the other side it is a lead.
        let mirrored: Vec<f64> = scores.iter().map(|a| -a).collect();
        return with_lead(&mirrored, shares, -level, -lead);
    }
    if lead == 0.0 {
        return with_mean(scores, shares, level);
    }
    let mut q = beginning(scores, shares, level, lead);
    for _ in 0..ROUNDS {
        let (mean, variance) = moments(scores, &q);
        let deviation = variance.sqrt();
        let bent: Vec<f64> = scores
            .iter()
            .map(|a| a - level - 0.5 * lead * (deviation + (a - mean) * (a - mean) / deviation))
            .collect();
        let next = with_mean(&bent, shares, 0.0);
        let change = next.iter().zip(&q).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        q = next;
        if change < 1e-12 {
            break;
        }
    }
    q
}

/// The measured shares if their lead is great enough, else as little of the best score mixed in as
/// makes it so.
fn beginning(scores: &[f64], shares: &[f64], level: f64, lead: f64) -> Vec<f64> {
    let excess = |q: &[f64]| {
        let (mean, variance) = moments(scores, q);
        mean - level - lead * variance.sqrt()
    };
    if excess(shares) >= 0.0 {
        return shares.to_vec();
    }
    let best = (0..scores.len()).max_by(|&a, &b| scores[a].total_cmp(&scores[b])).unwrap_or(0);
    let mixed = |part: f64| {
        let mut q: Vec<f64> = shares.iter().map(|p| (1.0 - part) * p).collect();
        q[best] += part;
        q
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let part = 0.5 * (low + high);
        if excess(&mixed(part)) < 0.0 {
            low = part;
        } else {
            high = part;
        }
    }
    mixed(high)
}

/// How much better `second` explains samples with these shares than `first` does, in natural
/// logarithms for one sample.
pub fn log_ratio(shares: &[f64], first: &[f64], second: &[f64]) -> f64 {
    shares.iter().zip(first.iter().zip(second)).map(|(p, (a, b))| p * (b / a).ln()).sum()
}

#[cfg(test)]
mod tests;
