//! One parameter at several values, each in a match against the same opponent, and one smooth curve
//! through all of them: the best of many noisy matches is never as good as it looks.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::bail;
use secateur_games::playable::Playable;
use secateur_search::random::SplitMix;
use serde::{Deserialize, Serialize};

use crate::contest::{Configuration, conduct};
use crate::run_file;
use crate::statistics::counts::{Counts, Pentanomial, Trinomial};
use crate::statistics::elo::Estimate;
use crate::statistics::least_squares;
use crate::statistics::normal::{self, Z95};

/// What `run.toml` calls these runs.
pub const KIND: &str = "sweep";

/// What is asked for; `run.toml` keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// [`KIND`].
    pub kind: String,
    /// The game.
    pub game: String,
    /// The parameter.
    pub parameter: String,
    /// Its values.
    pub values: Vec<i32>,
    /// The engine whose parameter it is.
    pub engine: String,
    /// Its opponent.
    pub base: String,
    /// What both are told.
    pub each: String,
    /// A clock for both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tc: Option<String>,
    /// Or nodes for each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Games for each value.
    pub games: u64,
    /// The order of the openings.
    pub seed: u64,
}

impl Order {
    /// Begins a run in a folder that is new or empty.
    pub fn begin(&self, folder: &Path) -> anyhow::Result<()> {
        run_file::begin(folder, self)
    }

    /// What a run that was begun there is to do.
    pub fn read(folder: &Path) -> anyhow::Result<Order> {
        run_file::read(folder, |text| run_file::parse(text, KIND, "a sweep"))
    }

    /// The match of one value.
    pub fn configuration<G: Playable>(&self, value: i32, concurrency: usize) -> Configuration {
        let engine = format!("{} {}={value} name=at-{value}", self.engine, self.parameter);
        Configuration {
            each: (!self.each.is_empty()).then(|| self.each.clone()),
            tc: self.tc.clone(),
            nodes: self.nodes,
            games: Some(self.games),
            seed: self.seed,
            concurrency,
            ..Configuration::between::<G>(vec![engine, format!("{} name=base", self.base)])
        }
    }
}

/// Where the match of a value is kept.
pub fn folder(run: &Path, value: i32) -> PathBuf {
    run.join(format!("at-{value}"))
}

/// What became of one value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Played {
    /// The value.
    pub value: i32,
    /// Games.
    pub games: Trinomial,
    /// Pairs of them.
    pub pairs: Pentanomial,
}

impl Played {
    /// The share of points, with the half-width of its 95 % interval.
    pub fn score(&self) -> Option<Estimate> {
        let (mean, variance) = self.pairs.moments()?;
        let samples = self.pairs.samples() as f64;
        // As uncertain as if one pair had gone otherwise, where all went alike.
        let variance = variance.max(0.25 / (samples + 1.0));
        Some(Estimate { value: mean, error: Z95 * (variance / samples).sqrt() })
    }
}

/// Plays the matches that are not played yet, until `interrupt` is raised; those that were played.
pub fn play<G: Playable>(
    order: &Order,
    run: &Path,
    concurrency: usize,
    ours: &Path,
    interrupt: &Arc<AtomicBool>,
) -> anyhow::Result<Vec<Played>> {
    let mut all = Vec::new();
    for &value in &order.values {
        let path = folder(run, value);
        let configuration = order.configuration::<G>(value, concurrency);
        match conduct::<G>(&path, configuration, ours, interrupt) {
            Ok(conducted) => {
                let score = conducted.finish.tally.first_score();
                all.push(Played { value, games: score.games, pairs: score.pairs });
            }
            Err(_) if interrupt.load(Ordering::Relaxed) => break,
            Err(error) => return Err(error.context(path.display().to_string())),
        }
        if interrupt.load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(all)
}

/// Whether all values did the same, pair for pair: then nothing tells one from another.
pub fn all_alike(played: &[Played]) -> bool {
    let same = |two: &[Played]| (two[0].games, two[0].pairs) == (two[1].games, two[1].pairs);
    played.len() > 1 && played.windows(2).all(same)
}

/// A parabola through the scores.
#[derive(Clone, Debug)]
pub struct Curve {
    /// The value in the middle, and half the range: the parabola is one of (value - middle) / half.
    middle: f64,
    half: f64,
    fit: least_squares::Fit,
    /// Where it is highest within the range, and the ends of the 95 % interval of that.
    pub best: [f64; 3],
}

/// With fewer values there is no curve.
pub const FEWEST: usize = 4;

/// The curve through these, each with the weight of its games.
pub fn curve(played: &[Played]) -> Option<Curve> {
    let points: Vec<(f64, Estimate)> =
        played.iter().filter_map(|one| Some((f64::from(one.value), one.score()?))).collect();
    if points.len() < FEWEST {
        return None;
    }
    let low = points.iter().map(|(x, _)| *x).fold(f64::INFINITY, f64::min);
    let high = points.iter().map(|(x, _)| *x).fold(f64::NEG_INFINITY, f64::max);
    let (middle, half) = ((low + high) / 2.0, ((high - low) / 2.0).max(1e-9));
    let place = |x: f64| (x - middle) / half;
    let fit = |noise: &mut dyn FnMut() -> f64| {
        let rows: Vec<least_squares::Row> = points
            .iter()
            .map(|(x, score)| {
                let weight = Z95 / score.error;
                let (x, y) = (place(*x), score.value + noise() / weight);
                (vec![weight, weight * x, weight * x * x], weight * y)
            })
            .collect();
        least_squares::fit(&rows)
    };
    let highest = |fit: &least_squares::Fit| {
        let [_, linear, square] = [0, 1, 2].map(|index| fit.weight(index).value);
        let at = |x: f64| linear * x + square * x * x;
        let ends = if at(1.0) > at(-1.0) { 1.0 } else { -1.0 };
        let top = -linear / (2.0 * square);
        if square < 0.0 && top.abs() <= 1.0 { top } else { ends }
    };
    let found = fit(&mut || 0.0)?;
    // By drawing every score anew within its error.
    let mut random = SplitMix::new(points.len() as u64);
    let mut gauss = || normal::draw(&mut random);
    let mut drawn: Vec<f64> =
        (0..1_000).filter_map(|_| fit(&mut gauss).map(|fit| highest(&fit))).collect();
    drawn.sort_by(f64::total_cmp);
    let share = |share: f64| drawn.get((drawn.len() as f64 * share) as usize).copied();
    let value = |x: f64| middle + half * x;
    let top = highest(&found);
    let best = [top, share(0.025).unwrap_or(-1.0), share(0.975).unwrap_or(1.0)].map(value);
    Some(Curve { middle, half, fit: found, best })
}

impl Curve {
    /// The score that the curve gives a value, with the half-width of its 95 % interval.
    pub fn at(&self, value: f64) -> Estimate {
        let x = (value - self.middle) / self.half;
        self.fit.sum(&[1.0, x, x * x])
    }
}

/// What a paper found with the same parameter of the same game, in percent of the points.
pub fn paper(game: &str, parameter: &str) -> &'static [(i32, f64)] {
    match parameter {
        _ if game != "chess" => &[],
        // Jiang and Buro, 2003, Table 2: 64 games each, the threshold of the middle game at 1.0.
        "probcut.threshold_end" => &[
            (50, 53.9),
            (60, 59.3),
            (70, 53.1),
            (80, 48.5),
            (90, 51.6),
            (100, 57.8),
            (105, 52.3),
            (110, 54.7),
            (120, 51.6),
            (130, 51.6),
        ],
        // Table 3: 64 games each, the threshold of the endgame at 1.0.
        "probcut.threshold" => {
            &[(80, 54.7), (90, 59.4), (100, 57.8), (110, 58.6), (120, 59.4), (130, 53.1)]
        }
        _ => &[],
    }
}

/// The values of a list like `50,60,70` or `50..=130/10`.
pub fn values(text: &str) -> anyhow::Result<Vec<i32>> {
    let number = |text: &str| -> anyhow::Result<i32> {
        text.trim().parse().map_err(|_| anyhow::anyhow!("'{}' is no whole number", text.trim()))
    };
    let mut all = match text.split_once("..=") {
        Some((first, rest)) => {
            let (last, step) = rest.split_once('/').unwrap_or((rest, "1"));
            let (first, last, step) = (number(first)?, number(last)?, number(step)?);
            let span = i64::from(last) - i64::from(first);
            if step < 1 || span < 0 || span / i64::from(step) > 1_000 {
                bail!("'{text}' is no range such as 50..=130/10");
            }
            (first..=last).step_by(step as usize).collect()
        }
        None => text.split(',').map(number).collect::<anyhow::Result<Vec<i32>>>()?,
    };
    all.sort_unstable();
    let before = all.len();
    all.dedup();
    if all.len() != before {
        bail!("'{text}' has a value twice");
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A match that went like this: pairs lost, level and won.
    fn played(value: i32, pairs: [u64; 3]) -> Played {
        let [lost, level, won] = pairs;
        let games = Trinomial { losses: 2 * lost, draws: 2 * level, wins: 2 * won };
        Played { value, games, pairs: Pentanomial([lost, 0, level, 0, won]) }
    }

    #[test]
    fn the_top_of_the_curve_is_found_between_the_values() {
        // 45, 52, 55, 54 and 49 percent of 1,000 pairs each: the top is near 115.
        let all =
            [(80, 0.45), (100, 0.52), (120, 0.55), (140, 0.54), (160, 0.49)].map(|(at, score)| {
                let won = (1_000.0 * (score - 0.3)) as u64;
                played(at, [1_000 - 600 - won, 600, won])
            });
        let found = curve(&all).unwrap();
        assert!((found.best[0] - 126.0).abs() < 5.0, "{:?}", found.best);
        assert!(found.best[1] < found.best[0] && found.best[0] < found.best[2]);
        let (there, end) = (found.at(125.0), found.at(80.0));
        assert!(there.value > 0.54 && end.value < 0.47, "{there:?} {end:?}");
        assert!(curve(&all[..3]).is_none());
    }

    #[test]
    fn a_curve_without_a_top_is_highest_at_an_end() {
        let all =
            [1, 2, 3, 4, 5].map(|at| played(at, [300 - 30 * at as u64, 400, 300 + 30 * at as u64]));
        let found = curve(&all).unwrap();
        assert_eq!(found.best[0], 5.0);
    }

    #[test]
    fn values_that_did_the_same_are_told_from_those_that_did_not() {
        let same = [1, 2, 3].map(|at| played(at, [10, 20, 30]));
        assert!(all_alike(&same) && !all_alike(&same[..1]));
        let mut other = same;
        other[2] = played(3, [11, 20, 29]);
        assert!(!all_alike(&other));
    }

    #[test]
    fn values_are_listed_or_counted_and_none_twice() {
        assert_eq!(values("50, 60,55").unwrap(), [50, 55, 60]);
        assert_eq!(values("80..=130/25").unwrap(), [80, 105, 130]);
        assert_eq!(values("1..=3").unwrap(), [1, 2, 3]);
        for odd in ["", "a,b", "5..=1", "1..=9/0", "7,7", "-2000000000..=2000000000/9"] {
            assert!(values(odd).is_err(), "{odd}");
        }
    }

    #[test]
    fn the_papers_tables_are_those_of_its_parameters() {
        assert_eq!(paper("chess", "probcut.threshold_end").len(), 10);
        assert!(paper("chess", "probcut.threshold").contains(&(120, 59.4)));
        assert!(paper("chess", "null_move.reduction").is_empty());
        assert!(paper("othello", "probcut.threshold").is_empty(), "it was about chess");
    }
}
