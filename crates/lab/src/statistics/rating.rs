//! More than two engines in one table: the ratings under which all results are likeliest.
//!
//! The model is that of Bradley and Terry (1952) on the logistic curve of Elo, a draw being half a
//! win and half a loss. Every engine is given one virtual draw against an opponent rated 0: so
//! there is an answer when one won everything or when two groups never met. It pulls towards 0,
//! unnoticeably after a few dozen games. Ratings are shifted to a mean of 0.
//!
//! Draws and pairs scatter less than the model's wins and losses. So the errors are not the
//! model's own but those of the measured scatter in each meeting (the "sandwich": White, 1982),
//! with one virtual sample of half a point to each side, lest a few equal results seem certain.

use std::f64::consts::LN_10;

use super::counts::{Counts, Results};
use super::normal::{self, Z95};

/// What two engines made of each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// Number of the engine from whose side the results are told.
    pub first: usize,
    /// Number of its opponent.
    pub second: usize,
    /// What the first made.
    pub results: Results,
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Number of the engine.
    pub engine: usize,
    /// Elo above the mean of all.
    pub elo: f64,
    /// Half of the width of its 95 % interval.
    pub error: f64,
    /// Games played.
    pub games: u64,
    /// The share of the points made; nothing without games.
    pub score: Option<f64>,
    /// The chance to be stronger than the next in the table; nothing in the last row.
    pub above_next: Option<f64>,
}

/// Why there is no table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RatingError {
    /// A number that belongs to no engine.
    #[error("meeting {meeting}: there is no engine {engine} among {engines}")]
    Engine {
        /// Which meeting, from 1.
        meeting: usize,
        /// The number it names.
        engine: usize,
        /// How many engines there are.
        engines: usize,
    },
    /// An engine met itself.
    #[error("meeting {meeting}: engine {engine} plays itself")]
    Itself {
        /// Which meeting, from 1.
        meeting: usize,
        /// The number of the engine.
        engine: usize,
    },
}

/// Ratings are computed in natural units, in which the curve is 1 / (1 + e^-x).
const ELO_PER_UNIT: f64 = 400.0 / LN_10;
const VIRTUAL_GAMES: f64 = 1.0;
/// Newton's method needs a dozen.
const ROUNDS: usize = 200;

/// The table of `engines` engines after these meetings, the strongest first.
pub fn table(engines: usize, meetings: &[Meeting]) -> Result<Vec<Row>, RatingError> {
    for (index, meeting) in meetings.iter().enumerate() {
        for engine in [meeting.first, meeting.second] {
            if engine >= engines {
                return Err(RatingError::Engine { meeting: index + 1, engine, engines });
            }
        }
        if meeting.first == meeting.second {
            return Err(RatingError::Itself { meeting: index + 1, engine: meeting.first });
        }
    }
    let ratings = likeliest(engines, meetings);
    let covariance = covariance(&ratings, meetings);
    let mean = ratings.iter().sum::<f64>() / engines.max(1) as f64;
    let mut order: Vec<usize> = (0..engines).collect();
    order.sort_by(|&a, &b| ratings[b].total_cmp(&ratings[a]));
    let rows = order.iter().enumerate().map(|(rank, &engine)| {
        let (games, points) = played(engine, meetings);
        let above_next = order.get(rank + 1).map(|&next| {
            let spread = covariance[engine][engine] + covariance[next][next]
                - 2.0 * covariance[engine][next];
            normal::below((ratings[engine] - ratings[next]) / spread.max(1e-300).sqrt())
        });
        Row {
            engine,
            elo: ELO_PER_UNIT * (ratings[engine] - mean),
            error: ELO_PER_UNIT * Z95 * from_mean(&covariance, engine).max(0.0).sqrt(),
            games,
            score: (games > 0).then(|| points / games as f64),
            above_next,
        }
    });
    Ok(rows.collect())
}

fn played(engine: usize, meetings: &[Meeting]) -> (u64, f64) {
    let mut total = (0, 0.0);
    for meeting in meetings {
        let games = meeting.results.games();
        let points = meeting.results.score().unwrap_or(0.0) * games as f64;
        if meeting.first == engine {
            total = (total.0 + games, total.1 + points);
        } else if meeting.second == engine {
            total = (total.0 + games, total.1 + games as f64 - points);
        }
    }
    total
}

fn chance(lead: f64) -> f64 {
    1.0 / (1.0 + (-lead).exp())
}

/// Newton's method with steps that are halved until they help. The likelihood is concave, and the
/// virtual draws make it strictly so.
fn likeliest(engines: usize, meetings: &[Meeting]) -> Vec<f64> {
    let mut ratings = vec![0.0; engines];
    let mut now = log_likelihood(&ratings, meetings);
    for _ in 0..ROUNDS {
        let mut gradient: Vec<f64> =
            ratings.iter().map(|&rating| VIRTUAL_GAMES * (0.5 - chance(rating))).collect();
        for meeting in meetings {
            let Some(score) = meeting.results.score() else { continue };
            let lead = ratings[meeting.first] - ratings[meeting.second];
            let surplus = meeting.results.games() as f64 * (score - chance(lead));
            gradient[meeting.first] += surplus;
            gradient[meeting.second] -= surplus;
        }
        let step = solve(information(&ratings, meetings), &[gradient]).remove(0);
        let mut part = 1.0;
        let better = loop {
            let tried: Vec<f64> = ratings.iter().zip(&step).map(|(r, s)| r + part * s).collect();
            let then = log_likelihood(&tried, meetings);
            if then > now {
                break Some((tried, then));
            }
            part *= 0.5;
            if part < 1e-9 {
                break None;
            }
        };
        let Some((tried, then)) = better else { break };
        (ratings, now) = (tried, then);
    }
    ratings
}

fn log_likelihood(ratings: &[f64], meetings: &[Meeting]) -> f64 {
    // ln(1 / (1 + e^-x)) without overflow.
    let log_chance = |lead: f64| lead.min(0.0) - (-lead.abs()).exp().ln_1p();
    let both = |lead: f64, score: f64| score * log_chance(lead) + (1.0 - score) * log_chance(-lead);
    let virtual_draws: f64 = ratings.iter().map(|&rating| VIRTUAL_GAMES * both(rating, 0.5)).sum();
    let real = meetings.iter().filter_map(|meeting| {
        let lead = ratings[meeting.first] - ratings[meeting.second];
        Some(meeting.results.games() as f64 * both(lead, meeting.results.score()?))
    });
    virtual_draws + real.sum::<f64>()
}

/// What the games weigh: minus the second derivatives of the likelihood.
fn information(ratings: &[f64], meetings: &[Meeting]) -> Vec<Vec<f64>> {
    let curvature = |lead: f64| chance(lead) * chance(-lead);
    let mut matrix = vec![vec![0.0; ratings.len()]; ratings.len()];
    for (index, &rating) in ratings.iter().enumerate() {
        matrix[index][index] = VIRTUAL_GAMES * curvature(rating);
    }
    for &Meeting { first, second, results } in meetings {
        let weight = results.games() as f64 * curvature(ratings[first] - ratings[second]);
        add_difference(&mut matrix, first, second, weight);
    }
    matrix
}

fn add_difference(matrix: &mut [Vec<f64>], first: usize, second: usize, weight: f64) {
    matrix[first][first] += weight;
    matrix[second][second] += weight;
    matrix[first][second] -= weight;
    matrix[second][first] -= weight;
}

/// The scatter of the ratings: inverse information, measured scatter, inverse information.
fn covariance(ratings: &[f64], meetings: &[Meeting]) -> Vec<Vec<f64>> {
    let size = ratings.len();
    let unit: Vec<Vec<f64>> =
        (0..size).map(|i| (0..size).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    let inverse = solve(information(ratings, meetings), &unit);
    let mut scatter = vec![vec![0.0; size]; size];
    for (index, row) in scatter.iter_mut().enumerate() {
        row[index] = 0.25 * VIRTUAL_GAMES;
    }
    for &Meeting { first, second, results } in meetings {
        let Some((_, variance)) = results.moments() else { continue };
        let (samples, size) = (results.samples() as f64, results.games_per_sample() as f64);
        let smoothed = (samples * variance + 0.25) / (samples + 1.0);
        // A sum of points over the games: of each pair twice its mean score.
        add_difference(&mut scatter, first, second, samples * smoothed * size * size);
    }
    product(&product(&inverse, &scatter), &inverse)
}

fn product(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let entry = |row: &Vec<f64>, j: usize| row.iter().zip(b).map(|(x, other)| x * other[j]).sum();
    a.iter().map(|row| (0..b.len()).map(|j| entry(row, j)).collect()).collect()
}

/// The variance of an engine's distance from the mean of all.
fn from_mean(covariance: &[Vec<f64>], engine: usize) -> f64 {
    let many = covariance.len() as f64;
    let row = covariance[engine].iter().sum::<f64>() / many;
    let all = covariance.iter().flatten().sum::<f64>() / (many * many);
    covariance[engine][engine] - 2.0 * row + all
}

/// The answers of a positive definite system to several right sides, by elimination.
fn solve(mut matrix: Vec<Vec<f64>>, sides: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let mut answers = sides.to_vec();
    for pivot in 0..size {
        let (above, below) = matrix.split_at_mut(pivot + 1);
        let row = &above[pivot];
        for (offset, other) in below.iter_mut().enumerate() {
            let factor = other[pivot] / row[pivot];
            other.iter_mut().zip(row).skip(pivot).for_each(|(x, y)| *x -= factor * y);
            answers.iter_mut().for_each(|side| side[pivot + 1 + offset] -= factor * side[pivot]);
        }
    }
    for side in &mut answers {
        for index in (0..size).rev() {
            let known: f64 = (index + 1..size).map(|j| matrix[index][j] * side[j]).sum();
            side[index] = (side[index] - known) / matrix[index][index];
        }
    }
    answers
}

#[cfg(test)]
mod tests;
