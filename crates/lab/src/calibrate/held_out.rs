//! Whether what a line promises holds where it has not been: every game is judged by a line through
//! the others.

use std::collections::BTreeMap;

use super::line::{Line, Point, line, reach_of};
use crate::statistics::normal;

/// Parts into which the games are divided; each is judged by the others.
pub const PARTS: u64 = 5;

/// The thresholds that are looked at.
pub const THRESHOLDS: [f64; 6] = [0.8, 1.0, 1.2, 1.5, 2.0, 2.5];

/// A share with its standard error, games taken whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The share.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
    /// Of so many.
    pub n: usize,
}

/// What a threshold promises and what came of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coverage {
    /// The threshold, in deviations.
    pub threshold: f64,
    /// The share of errors beyond it that is promised, on one side.
    pub promised: f64,
    /// The share below it.
    pub below: Share,
    /// The share above it.
    pub above: Share,
}

/// Of cuts that would be made: what they promise, and how many are wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CutError {
    /// The threshold, in deviations.
    pub threshold: f64,
    /// Questions.
    pub asked: usize,
    /// The mean chance to be wrong that the cuts have by the model.
    pub promised: f64,
    /// The share that is.
    pub wrong: Share,
}

/// All of it for one pair.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeldOut {
    /// By the normal distribution.
    pub normal: Vec<Coverage>,
    /// By the errors that were seen.
    pub empirical: Vec<Coverage>,
    /// Cuts by the normal distribution.
    pub normal_cuts: Vec<CutError>,
    /// Cuts by the errors that were seen.
    pub empirical_cuts: Vec<CutError>,
    /// The mean logarithm of the density of the truth, by the normal distribution.
    pub likelihood: f64,
    /// Points.
    pub n: usize,
    /// What the shares of the errors that were seen are made of, by threshold.
    pub events: Vec<Events>,
}

/// What happened in each game beyond a threshold, by the errors that were seen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Events {
    below: Vec<(u64, bool)>,
    above: Vec<(u64, bool)>,
    cuts: Vec<(u64, bool)>,
    /// The sum of the chances to be wrong of all cuts.
    promised: f64,
}

/// What a threshold promises and what came of it over several pairs: of both sides, and of cuts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pooled {
    /// Errors beyond it.
    pub coverage: Coverage,
    /// Cuts by it.
    pub cuts: CutError,
}

impl Pooled {
    /// Whether all of it holds.
    pub fn holds(&self) -> bool {
        self.coverage.holds() && self.cuts.holds()
    }
}

/// All pairs together, threshold by threshold: games are taken whole, whatever pairs they are in.
pub fn pooled<'a>(all: impl Iterator<Item = &'a HeldOut> + Clone) -> Vec<Pooled> {
    let at = |(index, threshold): (usize, &f64)| {
        let mut sum = Events::default();
        let mut asked = 0;
        for (held, events) in all.clone().filter_map(|held| Some((held, held.events.get(index)?))) {
            sum.below.extend(&events.below);
            sum.above.extend(&events.above);
            sum.cuts.extend(&events.cuts);
            sum.promised += events.promised;
            asked += held.n;
        }
        let (threshold, promised) = (*threshold, normal::below(-threshold));
        let (below, above, wrong) = (share(&sum.below), share(&sum.above), share(&sum.cuts));
        Pooled {
            coverage: Coverage { threshold, promised, below, above },
            cuts: CutError {
                threshold,
                asked,
                promised: sum.promised / sum.cuts.len().max(1) as f64,
                wrong,
            },
        }
    };
    THRESHOLDS.iter().enumerate().map(at).collect()
}

impl Share {
    /// Whether it lies within two standard errors or a point of what was promised.
    pub fn holds(&self, promised: f64) -> bool {
        (self.value - promised).abs() <= (2.0 * self.error).max(0.01)
    }
}

impl CutError {
    /// Whether the cuts are wrong as often as they promise; without cuts there is nothing to break.
    pub fn holds(&self) -> bool {
        self.wrong.n == 0 || self.wrong.holds(self.promised)
    }
}

impl Coverage {
    /// Whether both sides do.
    pub fn holds(&self) -> bool {
        self.below.holds(self.promised) && self.above.holds(self.promised)
    }
}

/// In which part a game stands, of [`PARTS`].
pub fn part(game: u64) -> u64 {
    (game.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33) % PARTS
}

/// The share of those that are `true`. Positions of one game are not independent: the error is that of
/// sums over games.
pub fn share(events: &[(u64, bool)]) -> Share {
    let n = events.len();
    if n == 0 {
        return Share { value: f64::NAN, error: f64::NAN, n };
    }
    let value = events.iter().filter(|(_, held)| *held).count() as f64 / n as f64;
    let mut sums: BTreeMap<u64, f64> = BTreeMap::new();
    for (game, held) in events {
        *sums.entry(*game).or_default() += f64::from(u8::from(*held)) - value;
    }
    let variance = sums.values().map(|sum| sum * sum).sum::<f64>() / (n as f64).powi(2);
    // Where nothing was seen, what might have been is not nothing.
    let least = (1.0 / n as f64) * (1.0 - 1.0 / n as f64) / n as f64;
    Share { value, error: variance.max(least).sqrt(), n }
}

/// Judges every point by a line through those of other games. Of those whose deep value is proven only
/// cuts are judged: no line goes through them. `None` where a line cannot be had.
pub fn held_out(points: &[Point], proven: &[Point]) -> Option<HeldOut> {
    let mut judged: Vec<(&Point, usize)> = Vec::with_capacity(points.len());
    let mut lines = Vec::new();
    for number in 0..PARTS {
        let others: Vec<Point> =
            points.iter().filter(|point| part(point.game) != number).copied().collect();
        lines.push(line(&others)?);
        let own = points.iter().filter(|point| part(point.game) == number);
        judged.extend(own.map(|point| (point, number as usize)));
    }
    let also = proven.iter().map(|point| (point, part(point.game) as usize));
    let with_proven: Vec<(&Point, usize)> = judged.iter().copied().chain(also).collect();
    let density = |(point, number): &(&Point, usize)| {
        let line = &lines[*number];
        let z = line.error_of(point);
        -0.5 * z * z - line.sigma.ln() - 0.5 * std::f64::consts::TAU.ln()
    };
    let mut by_model = [false, true].map(|empirical| {
        let (mut coverages, mut errors, mut all) = (Vec::new(), Vec::new(), Vec::new());
        for threshold in THRESHOLDS {
            let mut events = Events::default();
            coverages.push(cover(&judged, &lines, threshold, empirical, &mut events));
            errors.push(cut(&with_proven, &lines, threshold, empirical, &mut events));
            all.push(events);
        }
        (coverages, errors, all)
    });
    let [(normal, normal_cuts, _), (empirical, empirical_cuts, events)] = &mut by_model;
    Some(HeldOut {
        normal: std::mem::take(normal),
        empirical: std::mem::take(empirical),
        normal_cuts: std::mem::take(normal_cuts),
        empirical_cuts: std::mem::take(empirical_cuts),
        events: std::mem::take(events),
        likelihood: judged.iter().map(density).sum::<f64>() / judged.len() as f64,
        n: judged.len(),
    })
}

/// How far errors reach below and above.
fn reach(line: &Line, threshold: f64, empirical: bool) -> (f64, f64) {
    match empirical {
        false => (threshold, threshold),
        true => {
            let [low, high] = [line.errors_where(true), line.errors_where(false)];
            (reach_of(low, threshold, false), reach_of(high, threshold, true))
        }
    }
}

fn cover(
    judged: &[(&Point, usize)],
    lines: &[Line],
    threshold: f64,
    empirical: bool,
    events: &mut Events,
) -> Coverage {
    let reaches: Vec<_> = lines.iter().map(|line| reach(line, threshold, empirical)).collect();
    let beyond = |above: bool| -> Vec<(u64, bool)> {
        judged
            .iter()
            // Errors below matter where a cut above may be made, and the other way round.
            .filter(|(point, number)| {
                !empirical || lines[*number].is_above(point).is_none_or(|side| side != above)
            })
            .map(|(point, number)| {
                let z = lines[*number].error_of(point);
                let (low, high) = reaches[*number];
                (point.game, if above { z > high } else { z < -low })
            })
            .collect()
    };
    (events.below, events.above) = (beyond(false), beyond(true));
    let promised = normal::below(-threshold);
    Coverage { threshold, promised, below: share(&events.below), above: share(&events.above) }
}

/// The chance that an error lies below, by the model, on a side of the window.
fn chance_below(line: &Line, z: f64, empirical: bool, above: bool) -> f64 {
    match empirical {
        false => normal::below(z),
        true => {
            let errors = line.errors_where(above);
            errors.partition_point(|error| *error < z) as f64 / errors.len() as f64
        }
    }
}

/// Cuts in the windows of the nodes; positions of games have the value of another one for a window, half
/// the list further on.
fn cut(
    judged: &[(&Point, usize)],
    lines: &[Line],
    threshold: f64,
    empirical: bool,
    events: &mut Events,
) -> CutError {
    let reaches: Vec<_> = lines.iter().map(|line| reach(line, threshold, empirical)).collect();
    let count = judged.len();
    for (index, (point, number)) in judged.iter().enumerate() {
        let line = &lines[*number];
        let (low, high) = reaches[*number];
        let elsewhere = judged[(index + count / 2 + 1) % count].0.shallow;
        let beta = point.beta.unwrap_or(elsewhere);
        let expected = line.a * point.shallow + line.b;
        if expected - low * line.sigma >= beta {
            events.promised += chance_below(line, (beta - expected) / line.sigma, empirical, true);
            events.cuts.push((point.game, point.deep < beta));
        } else if expected + high * line.sigma < beta {
            events.promised +=
                1.0 - chance_below(line, (beta - expected) / line.sigma, empirical, false);
            events.cuts.push((point.game, point.deep >= beta));
        }
    }
    let wrong = share(&events.cuts);
    let promised = events.promised / events.cuts.len().max(1) as f64;
    CutError { threshold, asked: count, promised, wrong }
}

#[cfg(test)]
mod tests {
    use super::super::line::tests::made_up;
    use super::*;

    #[test]
    fn a_model_that_is_right_holds_and_one_that_is_wrong_does_not() {
        let points = made_up(6_000, 1.0, 5.0, 50.0);
        let found = held_out(&points, &[]).unwrap();
        assert!(found.normal.iter().chain(&found.empirical).all(Coverage::holds), "{found:?}");
        for cut in found.normal_cuts.iter().chain(&found.empirical_cuts) {
            let slack = (3.0 * cut.wrong.error).max(0.01);
            assert!((cut.wrong.value - cut.promised).abs() <= slack, "{cut:?}");
            assert!(cut.wrong.n > 500);
        }
        // Errors that are small or large, and seldom in between: the normal distribution is wrong.
        let mut odd = points.clone();
        for (index, point) in odd.iter_mut().enumerate() {
            let error = point.deep - point.shallow - 5.0;
            let factor = if index % 10 == 0 { 4.0 } else { 0.3 };
            point.deep = point.shallow + 5.0 + factor * error;
        }
        let found = held_out(&odd, &[]).unwrap();
        assert!(!found.normal.iter().all(Coverage::holds), "{:?}", found.normal);
        // The same pair twice is no more than once: games are taken whole.
        let twice = pooled([&found, &found].into_iter());
        assert!(twice.iter().all(Pooled::holds), "{twice:?}");
        for (two, one) in twice.iter().zip(&found.empirical) {
            assert!((two.coverage.below.value - one.below.value).abs() < 1e-12);
            assert!((two.coverage.below.error / one.below.error - 1.0).abs() < 1e-6);
            assert_eq!(two.coverage.below.n, 2 * one.below.n);
        }
        assert!(found.empirical.iter().all(Coverage::holds), "{:?}", found.empirical);
    }

    #[test]
    fn a_proven_value_that_the_shallow_search_missed_makes_a_cut_wrong() {
        let points = made_up(2_000, 1.0, 0.0, 50.0);
        // Mated, though the shallow value was far above the window.
        let (shallow, deep, beta) = (400.0, f64::NEG_INFINITY, Some(0.0));
        let mated = Point { game: 7, shallow, deep, beta, unrest: None };
        let wrong = |proven: &[Point]| {
            let found = held_out(&points, proven).unwrap().empirical_cuts[1];
            found.wrong.value * found.wrong.n as f64
        };
        assert!((wrong(&[mated; 30]) - wrong(&[]) - 30.0).abs() < 0.5);
    }

    #[test]
    fn a_game_is_taken_whole() {
        // Ten games of a hundred positions each that all agree are ten events, not a thousand.
        let events: Vec<(u64, bool)> =
            (0..1_000).map(|number| (number / 100, number / 100 % 2 == 0)).collect();
        let found = share(&events);
        assert!((found.value - 0.5).abs() < 1e-9);
        assert!((found.error - 0.5 / 10f64.sqrt()).abs() < 1e-9, "{}", found.error);
        assert!(share(&[(0, false); 100]).error > 0.0);
    }

    #[test]
    fn positions_of_a_game_never_stand_on_both_sides() {
        assert!((0..1_000).all(|game| part(game) < PARTS));
        let sizes = (0..1_000).fold([0; 5], |mut sizes, game| {
            sizes[part(game) as usize] += 1;
            sizes
        });
        assert!(sizes.iter().all(|size| (150..250).contains(size)), "{sizes:?}");
    }
}
