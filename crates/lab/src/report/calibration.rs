//! What an engine's scores were worth: the mean result of the games in which it gave such a score.
//!
//! The positions of a game share its result, so they are no independent evidence: the errors are
//! those of games, not of positions.

use super::game::Score;
use super::html;
use super::numbers::{fixed, percent, signed};
use super::plot::{Axis, Chart, Mark, Tip};
use super::tally::Match;
use super::{COLOURS, colour};
use crate::statistics::counts::GameResult;
use crate::statistics::normal::Z95;
use crate::values::grouped;

/// The buckets end here, in hundredths, on either side of 0.
const EDGES: [f64; 9] = [20.0, 50.0, 90.0, 140.0, 200.0, 280.0, 400.0, 600.0, 1_000.0];
/// A bucket with fewer games says nothing.
const ENOUGH_GAMES: usize = 12;
/// A curve with fewer buckets is none.
const ENOUGH_BUCKETS: usize = 4;

/// The scores between two edges.
#[derive(Clone, Copy, Default, Debug)]
struct Bucket {
    positions: f64,
    scores: f64,
    points: f64,
    games: usize,
    /// Sums over games: squares of the number of positions, times 1, the result and its square.
    squares: [f64; 3],
}

impl Bucket {
    fn add(&mut self, positions: f64, scores: f64, result: f64) {
        self.positions += positions;
        self.scores += scores;
        self.points += positions * result;
        self.games += 1;
        let square = positions * positions;
        self.squares[0] += square;
        self.squares[1] += square * result;
        self.squares[2] += square * result * result;
    }

    fn mean(&self) -> f64 {
        self.points / self.positions
    }

    /// The half-width of the 95 % interval, with games as what is drawn at random.
    fn reach(&self) -> f64 {
        let mean = self.mean();
        let [one, result, square] = self.squares;
        let sum = (square - 2.0 * mean * result + mean * mean * one).max(0.0);
        // All games alike: as uncertain as if one had gone the other way.
        let least = 1.0 / (self.games as f64 + 2.0);
        (Z95 * sum.sqrt() / self.positions).max(least)
    }
}

fn bucket_of(score: f64) -> Option<usize> {
    let size = EDGES.iter().position(|edge| score.abs() < *edge)?;
    let middle = EDGES.len() - 1;
    Some(if score < 0.0 { middle - size } else { middle + size })
}

/// The buckets of every engine.
fn buckets(played: &Match) -> Vec<Vec<Bucket>> {
    let count = 2 * EDGES.len() - 1;
    let mut found = vec![vec![Bucket::default(); count]; played.engines.len().min(COLOURS)];
    let mut here = vec![[(0.0, 0.0); 2]; count];
    for (game, side) in played.games.iter().zip(&played.sides) {
        here.fill([(0.0, 0.0); 2]);
        for (_, mover, score) in game.plies(&game.scores) {
            if let Score::Value(score) = score
                && let Some(bucket) = bucket_of(*score)
            {
                let (positions, sum) = &mut here[bucket][mover];
                *positions += 1.0;
                *sum += score;
            }
        }
        for mover in 0..2 {
            let result = if mover == 0 { game.result } else { game.result.swapped() };
            let points = match result {
                GameResult::Win => 1.0,
                GameResult::Draw => 0.5,
                GameResult::Loss => 0.0,
            };
            let Some(engine) = found.get_mut(side[mover]) else { continue };
            for (bucket, sums) in engine.iter_mut().zip(&here) {
                let (positions, scores) = sums[mover];
                if positions > 0.0 {
                    bucket.add(positions, scores, points);
                }
            }
        }
    }
    found
}

/// The curve of every engine with enough data; nothing if there is none.
pub(super) fn chart(played: &Match) -> String {
    let curves: Vec<(usize, Vec<Bucket>)> = buckets(played)
        .into_iter()
        .map(|all| {
            all.into_iter().filter(|bucket| bucket.games >= ENOUGH_GAMES).collect::<Vec<_>>()
        })
        .enumerate()
        .filter(|(_, curve)| curve.len() >= ENOUGH_BUCKETS)
        .collect();
    if curves.is_empty() {
        return String::new();
    }
    let at = |bucket: &Bucket| bucket.scores / bucket.positions / 100.0;
    let all = || curves.iter().flat_map(|(_, curve)| curve.iter().map(at));
    let reach = all().map(f64::abs).fold(1.0, f64::max) * 1.06;
    let mut chart = Chart::new(
        "What a score was worth",
        "Curves: the mean result of the games in which an engine gave such a score, with 95 % \
         intervals",
        Axis::linear("score of the mover", -reach, reach).written(|score| signed(score, 0)),
        Axis::linear("mean result, %", 0.0, 1.0).written(|share| fixed(100.0 * share, 0)),
    );
    chart.add(Mark::Level(0.5));
    chart.add(Mark::Upright(0.0));
    let mut words = Vec::new();
    for (engine, curve) in &curves {
        let (class, name) = (colour(*engine), html::cut(played.name(*engine), 40));
        for bucket in curve {
            let (mean, reach) = (bucket.mean(), bucket.reach());
            let (low, high) = ((mean - reach).max(0.0), (mean + reach).min(1.0));
            chart.add(Mark::Whisker(class, at(bucket), low, high));
        }
        let line: Vec<(f64, f64)> =
            curve.iter().map(|bucket| (at(bucket), bucket.mean())).collect();
        if let Some(worth) = between(&line, 1.0) {
            words.push(format!("{name} {}", percent(worth)));
        }
        chart.add(Mark::Line(class, line));
        let dots = curve.iter().map(|bucket| Tip {
            x: at(bucket),
            y: bucket.mean(),
            text: format!(
                "{name} at {}: {} ± {}, {} positions of {} games",
                signed(at(bucket), 2),
                percent(bucket.mean()),
                percent(bucket.reach()),
                grouped(bucket.positions as u64),
                grouped(bucket.games as u64)
            ),
        });
        chart.add(Mark::Dots(class, dots.collect()));
        chart.explain(class, name);
    }
    let worth = match words.as_slice() {
        [] => String::new(),
        words => format!("A score of +1.00 was worth: {}. ", words.join(", ")),
    };
    chart.remark(format!(
        "{worth}Mates and scores beyond 10 are left out. The intervals count games, not positions."
    ));
    chart.render()
}

/// The height of the curve at `x`.
fn between(line: &[(f64, f64)], x: f64) -> Option<f64> {
    line.windows(2).find(|ends| ends[0].0 <= x && x <= ends[1].0).map(|ends| {
        let part = (x - ends[0].0) / (ends[1].0 - ends[0].0).max(1e-9);
        ends[0].1 + part * (ends[1].1 - ends[0].1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_lie_on_both_sides_of_nothing() {
        assert_eq!(bucket_of(0.0), Some(8));
        assert_eq!([bucket_of(19.0), bucket_of(-19.0)], [Some(8), Some(8)]);
        assert_eq!([bucket_of(20.0), bucket_of(-20.0)], [Some(9), Some(7)]);
        assert_eq!(
            [bucket_of(999.0), bucket_of(-999.0), bucket_of(1_000.0)],
            [Some(16), Some(0), None]
        );
    }

    #[test]
    fn many_positions_of_one_game_are_no_more_evidence_than_one() {
        let (mut once, mut often) = (Bucket::default(), Bucket::default());
        for game in 0..40 {
            let result = f64::from(game % 2);
            once.add(1.0, 100.0, result);
            often.add(9.0, 900.0, result);
        }
        assert_eq!(once.mean(), 0.5);
        assert!((once.reach() - often.reach()).abs() < 1e-12);
        assert!((once.reach() - Z95 * 0.5 / 40_f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn the_height_between_two_points_is_read_off_the_line() {
        assert_eq!(between(&[(0.0, 0.5), (2.0, 0.7)], 1.0), Some(0.6));
        assert_eq!(between(&[(0.0, 0.5), (0.5, 0.7)], 1.0), None);
    }
}
