//! Results, counted by game ([`Trinomial`]) or by pair of games ([`Pentanomial`]).
//!
//! A pair is one opening played twice with the colours changed. What the opening gives to White in
//! one game it gives to the other engine in the next, so the pairs scatter less than the games and
//! the same number of games says more. Only complete pairs are counted.

use std::fmt;
use std::str::FromStr;

/// What became of a game, from the first engine's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// The first engine lost.
    Loss,
    /// Nobody won.
    Draw,
    /// The first engine won.
    Win,
}

impl GameResult {
    /// Points in halves: 0, 1 or 2.
    pub const fn half_points(self) -> usize {
        self as usize
    }

    /// The same game from the other side.
    pub const fn swapped(self) -> GameResult {
        match self {
            GameResult::Loss => GameResult::Win,
            GameResult::Draw => GameResult::Draw,
            GameResult::Win => GameResult::Loss,
        }
    }
}

/// Counts of equally spaced scores from 0 to 1: what the tests need to know of results.
pub trait Counts {
    /// How often each score came, the worst for the first engine first.
    fn cells(&self) -> Vec<u64>;

    /// 1 if a sample is a game, 2 if it is a pair.
    fn games_per_sample(&self) -> u64;

    /// Games or pairs.
    fn samples(&self) -> u64 {
        self.cells().iter().sum()
    }

    /// Games.
    fn games(&self) -> u64 {
        self.samples() * self.games_per_sample()
    }

    /// Mean and variance (with divisor n) of the scores of the samples; nothing without games.
    fn moments(&self) -> Option<(f64, f64)> {
        let cells = self.cells();
        let total = cells.iter().sum::<u64>();
        if total == 0 {
            return None;
        }
        let top = (cells.len() - 1) as f64;
        let shares = cells
            .iter()
            .enumerate()
            .map(|(index, &count)| (index as f64 / top, count as f64 / total as f64));
        let mean = shares.clone().map(|(score, share)| score * share).sum::<f64>();
        let variance =
            shares.map(|(score, share)| share * (score - mean) * (score - mean)).sum::<f64>();
        // A single kind of result has no spread, whatever the rounding says.
        let kinds = cells.iter().filter(|&&count| count > 0).count();
        Some((mean, if kinds == 1 { 0.0 } else { variance }))
    }

    /// The share of the points that the first engine made.
    fn score(&self) -> Option<f64> {
        self.moments().map(|(mean, _)| mean)
    }

    /// The share of samples in which both made the same: drawn games, or level pairs.
    fn draw_ratio(&self) -> Option<f64> {
        let cells = self.cells();
        let total = cells.iter().sum::<u64>();
        (total > 0).then(|| cells[cells.len() / 2] as f64 / total as f64)
    }
}

/// Wins, draws and losses of the first engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trinomial {
    /// Games that the first engine won.
    pub wins: u64,
    /// Games that nobody won.
    pub draws: u64,
    /// Games that the first engine lost.
    pub losses: u64,
}

impl Trinomial {
    /// Counts one game.
    pub fn add(&mut self, result: GameResult) {
        match result {
            GameResult::Win => self.wins += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Loss => self.losses += 1,
        }
    }

    /// The same games from the other side.
    pub fn swapped(self) -> Trinomial {
        Trinomial { wins: self.losses, losses: self.wins, ..self }
    }

    /// The points of the first engine, in halves.
    pub fn half_points(self) -> u64 {
        2 * self.wins + self.draws
    }
}

impl Counts for Trinomial {
    fn cells(&self) -> Vec<u64> {
        vec![self.losses, self.draws, self.wins]
    }

    fn games_per_sample(&self) -> u64 {
        1
    }
}

/// Pairs by the points of the first engine: 0, ½, 1, 1½, 2. In the words of the result blocks: LL,
/// LD, DD + WL, WD, WW.
///
/// It does not tell two draws from a win and a loss, so the single games cannot be had back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts one complete pair: the same opening with either colour.
    pub fn add_pair(&mut self, first: GameResult, second: GameResult) {
        self.0[first.half_points() + second.half_points()] += 1;
    }

    /// The same pairs from the other side.
    pub fn swapped(self) -> Pentanomial {
        let mut cells = self.0;
        cells.reverse();
        Pentanomial(cells)
    }

    /// Pairs won divided by pairs lost; nothing if none was lost.
    pub fn pairs_ratio(self) -> Option<f64> {
        let [lost_both, lost, _, won, won_both] = self.0;
        (lost + lost_both > 0).then(|| (won + won_both) as f64 / (lost + lost_both) as f64)
    }
}

impl FromIterator<(GameResult, GameResult)> for Pentanomial {
    fn from_iter<I: IntoIterator<Item = (GameResult, GameResult)>>(pairs: I) -> Pentanomial {
        let mut counts = Pentanomial::default();
        pairs.into_iter().for_each(|(first, second)| counts.add_pair(first, second));
        counts
    }
}

impl Counts for Pentanomial {
    fn cells(&self) -> Vec<u64> {
        self.0.to_vec()
    }

    fn games_per_sample(&self) -> u64 {
        2
    }
}

/// Either kind of counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Results {
    /// By game.
    Games(Trinomial),
    /// By pair.
    Pairs(Pentanomial),
}

impl Results {
    fn counts(&self) -> &dyn Counts {
        match self {
            Results::Games(counts) => counts,
            Results::Pairs(counts) => counts,
        }
    }
}

impl Counts for Results {
    fn cells(&self) -> Vec<u64> {
        self.counts().cells()
    }

    fn games_per_sample(&self) -> u64 {
        self.counts().games_per_sample()
    }
}

/// Why a text is no list of counts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CountsError {
    /// Not as many numbers as there are kinds of results.
    #[error("expected {expected} counts ({names}), found {found}")]
    Number {
        /// How many there should be.
        expected: usize,
        /// What they are.
        names: &'static str,
        /// How many there are.
        found: usize,
    },
    /// One of them is not a count.
    #[error("count {position}, \"{text}\", is not a whole number from 0 to {MOST}")]
    Count {
        /// Which, from 1.
        position: usize,
        /// As it was written.
        text: String,
    },
}

/// Far more than will ever be played, far less than would overflow a sum.
const MOST: u64 = 1_000_000_000_000;

/// `10,40,120,45,12`, also as result blocks print it: `[10, 40, 120, 45, 12]`.
fn read<const N: usize>(text: &str, names: &'static str) -> Result<[u64; N], CountsError> {
    let text = text.trim();
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    let words: Vec<&str> = bare.split(',').map(str::trim).collect();
    if words.len() != N {
        return Err(CountsError::Number { expected: N, names, found: words.len() });
    }
    let mut counts = [0; N];
    for (index, (count, word)) in counts.iter_mut().zip(words).enumerate() {
        *count = word.parse().ok().filter(|&count| count <= MOST).ok_or_else(|| {
            CountsError::Count { position: index + 1, text: word.chars().take(40).collect() }
        })?;
    }
    Ok(counts)
}

impl FromStr for Trinomial {
    type Err = CountsError;

    fn from_str(text: &str) -> Result<Trinomial, CountsError> {
        let [wins, draws, losses] = read(text, "wins,draws,losses")?;
        Ok(Trinomial { wins, draws, losses })
    }
}

impl FromStr for Pentanomial {
    type Err = CountsError;

    fn from_str(text: &str) -> Result<Pentanomial, CountsError> {
        read(text, "LL,LD,DD+WL,WD,WW").map(Pentanomial)
    }
}

impl fmt::Display for Trinomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{} ={} -{}", self.wins, self.draws, self.losses)
    }
}

impl fmt::Display for Pentanomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

#[cfg(test)]
mod tests;
