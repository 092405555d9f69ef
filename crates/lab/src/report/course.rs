//! The score with its confidence band while the match went on.
//!
//! The path of a log-likelihood ratio is not drawn: it looks like evidence of a trend and is none
//! (fishtest issue 1556). The band is that of a fixed number of pairs at each point; a reader who
//! waits for it to leave the middle will see it leave too often.

use super::html;
use super::numbers::{percent, signed, trimmed};
use super::plot::scale::{Kind, Scale};
use super::plot::{Axis, Chart, Mark, Tip};
use super::tally::{Match, Pairing};
use crate::statistics::counts::{Counts, Pentanomial, Results, Trinomial};
use crate::statistics::elo::from_score;
use crate::statistics::normal::Z95;
use crate::values::grouped;

/// More points than this no screen shows.
const POINTS: usize = 300;

struct Point {
    at: f64,
    score: f64,
    reach: f64,
}

/// The curve of a match of two engines; nothing before the second sample.
pub(super) fn chart(played: &Match, duel: &Pairing) -> String {
    let by_pair = duel.pairs.samples() > 0;
    let what = if by_pair { "pairs" } else { "games" };
    let points = if by_pair { by_pairs(played) } else { by_games(played, duel) };
    let Some(last) = points.last().filter(|last| last.at >= 2.0) else { return String::new() };
    let first = html::cut(played.name(duel.engines[0]), 24);
    // The wild beginning must not squeeze the rest.
    let calm = (0.08 * last.at).clamp(8.0, 100.0).min(last.at);
    let mut ends = [0.5_f64; 2];
    for point in points.iter().filter(|point| point.at >= calm) {
        ends[0] = ends[0].min(point.score - point.reach);
        ends[1] = ends[1].max(point.score + point.reach);
    }
    let room = 0.08 * (ends[1] - ends[0]).max(0.02);
    let (low, high) = ((ends[0] - room).max(0.0), (ends[1] + room).min(1.0));
    let mut chart = Chart::new(
        "Score while the match went on",
        format!(
            "Curve: the score of {first} after each of {} {what}, with its 95 % interval; at the \
             end {} plus or minus {}",
            last.at,
            percent(last.score),
            percent(last.reach)
        ),
        Axis::linear(format!("{what} completed"), 0.0, last.at)
            .whole()
            .written(|at| grouped(at as u64)),
        Axis::linear(format!("score of {first}, %"), low, high)
            .written(|share| trimmed(100.0 * share, 1)),
    );
    let ticks = Scale::new(Kind::Linear, low, high).ticks(5);
    let elo = |share: f64| {
        let value = from_score(share);
        if value.is_finite() { signed(value, 0) } else { String::new() }
    };
    chart.right("Elo", ticks.into_iter().map(|share| (share, elo(share))).collect());
    let shown = points.iter().filter(|point| point.at >= 2.0);
    chart.add(Mark::Band(
        "c0",
        shown
            .clone()
            .map(|point| {
                let (low, high) = (point.score - point.reach, point.score + point.reach);
                (point.at, low.max(0.0), high.min(1.0))
            })
            .collect(),
    ));
    chart.add(Mark::Level(0.5));
    chart.add(Mark::Line("c0", shown.map(|point| (point.at, point.score)).collect()));
    let every = points.len().div_ceil(60);
    let tips = points.iter().rev().step_by(every).map(|point| Tip {
        x: point.at,
        y: point.score,
        text: format!(
            "{} {what}: {} ± {}",
            grouped(point.at as u64),
            percent(point.score),
            percent(point.reach)
        ),
    });
    chart.add(Mark::Tips(tips.collect()));
    chart.explain("c0", format!("score of {first}, with its 95 % interval"));
    chart.remark(
        "The interval at each point is that of a match which was to end there. Looking until it \
         leaves 50 % finds a winner too often; that is what a sequential test is for.",
    );
    chart.render()
}

fn point(counts: &Results) -> Option<Point> {
    let (score, variance) = counts.moments()?;
    let samples = counts.samples() as f64;
    // Without spread yet, as if one sample had gone the other way.
    let variance = if variance > 0.0 { variance } else { 1.0 / (samples + 1.0) };
    Some(Point { at: samples, score, reach: Z95 * (variance / samples).sqrt() })
}

fn by_pairs(played: &Match) -> Vec<Point> {
    let mut counts = Pentanomial::default();
    let every = played.pairs.len().div_ceil(POINTS);
    let mut points = Vec::new();
    for (index, pair) in played.pairs.iter().enumerate() {
        counts.add_pair(pair.results[0], pair.results[1]);
        if (index + 1) % every == 0 || index + 1 == played.pairs.len() {
            points.extend(point(&Results::Pairs(counts)));
        }
    }
    points
}

fn by_games(played: &Match, duel: &Pairing) -> Vec<Point> {
    let mut counts = Trinomial::default();
    let every = played.games.len().div_ceil(POINTS);
    let mut points = Vec::new();
    for (index, (game, side)) in played.games.iter().zip(&played.sides).enumerate() {
        let own = side[0] == duel.engines[0];
        counts.add(if own { game.result } else { game.result.swapped() });
        if (index + 1) % every == 0 || index + 1 == played.games.len() {
            points.extend(point(&Results::Games(counts)));
        }
    }
    points
}
