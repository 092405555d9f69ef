//! What the results say of the values of one parameter: its landscape.
//!
//! An iteration measures a difference: how much better a parameter's value in the first set was
//! than its value in the second. The mean score by the value that was tried would not be a
//! landscape: the two values lie on either side of the walk, so a value is tried against higher
//! ones when the walk is below it and against lower ones when it is above, and the two cancel. So
//! slopes are fitted to the differences, and added up. All other parameters were moved up or down
//! by chance at the same time: they are noise, not bias.
//!
//! One bias remains. The walk follows its own luck: it goes where chance let a value win, and there
//! the next results disappoint. So even level ground looks a little like a hill, as a random walk
//! looks as if it were drawn back to its middle (Dickey and Fuller, 1979). Intervals do not know of
//! that; what is claimed in words must pass `BEYOND_DOUBT`.

use super::folder::Trial;
use super::{Order, Parameter};
use crate::statistics::elo::Estimate;
use crate::statistics::least_squares::{self, Fit, Row};
use crate::statistics::normal::Z95;

/// With fewer iterations, or fewer to a slope, there is nothing to be seen.
const ENOUGH: usize = 20;
/// More slopes than this no reader wants.
const MOST_SLOPES: usize = 10;
/// Values that few iterations tried say little; this share is left out at either end.
const RARE: f64 = 0.02;

/// Standard errors at which a bend is believed. By the table of Dickey and Fuller a walk on level
/// ground looks so bent once in a hundred times. By that of the normal distribution 1.96 would do,
/// but of 200 simulated walks 68 then showed a hill that was not there; with this, one did.
const BEYOND_DOUBT: f64 = 3.5;

/// Whether an estimate is told from nothing in spite of the bias of a walk.
pub(super) fn is_told(estimate: Estimate) -> bool {
    estimate.value.abs() * Z95 > estimate.error * BEYOND_DOUBT
}

/// A parameter's landscape.
#[derive(Clone, Debug)]
pub struct Landscape {
    /// Values in ascending order, each with its lead over the untuned value: the score against it
    /// less a half.
    pub points: Vec<(f64, Estimate)>,
    /// The parabola that comes nearest, if the results show that it has a peak where values were
    /// tried.
    pub parabola: Option<Parabola>,
}

/// A parabola with its peak among the values that were tried.
#[derive(Clone, Debug)]
pub struct Parabola {
    fit: Fit,
    view: View,
    start: f64,
    /// Where the peak is.
    pub peak: Estimate,
}

/// A range of values, seen as the range from -1 to 1, so that squares stay small.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    middle: f64,
    half: f64,
}

impl View {
    pub(super) fn of(low: f64, high: f64) -> View {
        View { middle: 0.5 * (low + high), half: 0.5 * (high - low).max(1.0) }
    }

    pub(super) fn see(self, value: f64) -> f64 {
        (value - self.middle) / self.half
    }
}

/// The range of the values of a parameter that were tried, but for the rare ones at its ends. The
/// untuned value is in it: everything is told from there, and the way from there must be measured,
/// not guessed, however soon the walk has left it.
pub(super) fn range(order: &Order, trials: &[Trial], index: usize) -> (f64, f64) {
    let start = f64::from(order.parameters[index].start);
    let tried = trials.iter().flat_map(|trial| [trial.first[index], trial.second[index]]);
    let mut tried: Vec<i32> = tried.collect();
    tried.sort_unstable();
    let left_out = (RARE * tried.len() as f64) as usize;
    let (Some(low), Some(high)) = (tried.get(left_out), tried.iter().nth_back(left_out)) else {
        return (start, start);
    };
    (start.min((*low).into()), start.max((*high).into()))
}

/// The landscape of a parameter; nothing if there are too few iterations to tell.
pub fn landscape(order: &Order, trials: &[Trial], index: usize) -> Option<Landscape> {
    let parameter = order.parameters.get(index)?;
    if trials.len() < ENOUGH {
        return None;
    }
    let (low, high) = range(order, trials, index);
    let points = slopes(parameter, trials, index, low, high)?;
    Some(Landscape { points, parabola: parabola(parameter, trials, index, low, high) })
}

/// What was measured, with the difference of these terms of the two values.
fn rows(trials: &[Trial], index: usize, terms: impl Fn(f64) -> Vec<f64>) -> Vec<Row> {
    let row = |trial: &Trial| {
        let [first, second] = [&trial.first, &trial.second].map(|set| terms(set[index].into()));
        (less(&first, &second), trial.lead)
    };
    trials.iter().map(row).collect()
}

pub(super) fn less(first: &[f64], second: &[f64]) -> Vec<f64> {
    first.iter().zip(second).map(|(first, second)| first - second).collect()
}

/// A line of straight pieces, each as long as the usual distance between the two values of an
/// iteration: within shorter ones the results could not tell one slope from the next.
fn slopes(
    parameter: &Parameter,
    trials: &[Trial],
    index: usize,
    low: f64,
    high: f64,
) -> Option<Vec<(f64, Estimate)>> {
    let apart = trials.iter().map(|trial| trial.first[index].abs_diff(trial.second[index]));
    let apart = f64::from(apart.sum::<u32>()) / trials.len() as f64;
    if apart <= 0.0 || high <= low {
        return None;
    }
    let most = MOST_SLOPES.min(trials.len() / ENOUGH);
    let wish = (((high - low) / apart).round() as usize).clamp(1, most);
    (1..=wish).rev().find_map(|count| {
        let edges: Vec<f64> =
            (0..=count).map(|edge| low + (high - low) * edge as f64 / count as f64).collect();
        let terms = |value: f64| along(&edges, value);
        let fit = least_squares::fit(&rows(trials, index, terms))?;
        let start = along(&edges, parameter.start.into());
        let lead = |edge: &f64| (*edge, fit.sum(&less(&along(&edges, *edge), &start)));
        Some(edges.iter().map(lead).collect())
    })
}

/// How far a value has come along each piece; the first and the last have no end.
fn along(edges: &[f64], value: f64) -> Vec<f64> {
    let last = edges.len() - 2;
    let piece = |(number, ends): (usize, &[f64])| {
        let from = if number == 0 { f64::NEG_INFINITY } else { ends[0] };
        let to = if number == last { f64::INFINITY } else { ends[1] };
        value.clamp(from, to) - ends[0]
    };
    edges.windows(2).enumerate().map(piece).collect()
}

/// The parabola, if it is bent downward beyond doubt and its peak is where values were tried.
fn parabola(
    parameter: &Parameter,
    trials: &[Trial],
    index: usize,
    low: f64,
    high: f64,
) -> Option<Parabola> {
    let view = View::of(low, high);
    let fit = least_squares::fit(&rows(trials, index, |value| bend(view, value)))?;
    let (slope, bent) = (fit.weight(0).value, fit.weight(1));
    if bent.value >= 0.0 || !is_told(bent) {
        return None;
    }
    let peak = -slope / (2.0 * bent.value);
    if peak.abs() > 1.0 {
        return None;
    }
    // By how much the peak moves with each weight.
    let moves = [-1.0 / (2.0 * bent.value), slope / (2.0 * bent.value.powi(2))];
    let error = fit.sum(&moves).error * view.half;
    let peak = Estimate { value: view.middle + peak * view.half, error };
    Some(Parabola { fit, view, start: parameter.start.into(), peak })
}

fn bend(view: View, value: f64) -> Vec<f64> {
    let seen = view.see(value);
    vec![seen, seen * seen]
}

impl Parabola {
    /// The lead of a value over the untuned one.
    pub fn lead(&self, value: f64) -> Estimate {
        self.fit.sum(&less(&bend(self.view, value), &bend(self.view, self.start)))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::tune::order_of;
    use crate::tune::spsa::Spsa;
    use secateur_search::random::SplitMix;

    pub(in crate::tune) fn parameter(name: &str, start: i32) -> Parameter {
        Parameter { name: name.to_string(), start, min: 0, max: 200, step: 10 }
    }

    /// A tuning on a known landscape: the first set scores a half, its lead in height, and noise.
    pub(in crate::tune) fn tuned_on(
        order: &Order,
        height: impl Fn(&[i32]) -> f64,
    ) -> (Vec<Trial>, Spsa) {
        let (mut spsa, mut random) = (Spsa::new(order), SplitMix::new(order.seed + 5));
        let mut trials = Vec::new();
        for _ in 0..order.iterations {
            let proposal = spsa.propose();
            let noise = random.below(2_001) as f64 / 1_000.0 - 1.0;
            let lead = height(&proposal.first) - height(&proposal.second) + 0.2 * noise;
            spsa.learn(&proposal, 2.0 * lead);
            trials.push(Trial { first: proposal.first, second: proposal.second, lead });
        }
        (trials, spsa)
    }

    /// 0.1 at 120, falling by 0.1 to either side over 60.
    fn hill(value: i32) -> f64 {
        0.1 - 0.1 * ((f64::from(value) - 120.0) / 60.0).powi(2)
    }

    fn wide(rate: f64, start: i32) -> Order {
        let parameters = vec![parameter("a", start), parameter("b", 100)];
        Order { rate, iterations: 4_000, ..order_of(parameters) }
    }

    #[test]
    fn the_landscape_that_was_played_on_is_found_within_its_errors() {
        let order = wide(0.3, 40);
        let (trials, _) = tuned_on(&order, |set| hill(set[0]));
        let found = landscape(&order, &trials, 0).unwrap();
        assert!(found.points.len() >= 4, "{:?}", found.points);
        let truth = |value: f64| hill(value.round() as i32) - hill(40);
        let far = |(value, lead): &&(f64, Estimate)| {
            // Straight pieces cut the corner of a bend a little.
            (lead.value - truth(*value)).abs() > 1.3 * lead.error + 0.01
        };
        let far: Vec<_> = found.points.iter().filter(far).collect();
        assert!(far.is_empty(), "{far:?}");
        let peak = found.parabola.as_ref().unwrap().peak;
        assert!((peak.value - 120.0).abs() < 1.3 * peak.error, "{peak:?}");
        assert!(peak.error < 20.0, "{peak:?}");
        let top = found.parabola.unwrap().lead(120.0);
        assert!((top.value - truth(120.0)).abs() < 1.3 * top.error, "{top:?}");
    }

    #[test]
    fn no_peak_is_drawn_where_there_is_none() {
        let order = wide(0.3, 100);
        // What does not matter has no peak, and neither has what is always better when larger.
        let (trials, _) = tuned_on(&order, |set| f64::from(set[0]) / 1_000.0);
        let [slope, idle] = [0, 1].map(|index| landscape(&order, &trials, index).unwrap());
        assert!(slope.parabola.is_none() && idle.parabola.is_none());
        let (first, last) = (slope.points[0], slope.points[slope.points.len() - 1]);
        assert!(last.1.value - last.1.error > first.1.value, "{first:?} {last:?}");
        // Nothing that does not matter is far from level.
        assert!(idle.points.iter().all(|(_, lead)| lead.value.abs() < 1.5 * lead.error + 1e-9));
    }

    /// With the bound of the normal distribution it would be one walk in three.
    #[test]
    fn level_ground_hardly_ever_shows_a_peak() {
        let peaks = (0..200).filter(|seed| {
            let order = Order { seed: *seed, iterations: 200, ..wide(0.3, 100) };
            let (trials, _) = tuned_on(&order, |_| 0.0);
            landscape(&order, &trials, 0).is_some_and(|found| found.parabola.is_some())
        });
        let count = peaks.count();
        assert!(count <= 6, "{count} of 200");
    }

    #[test]
    fn values_that_hardly_moved_have_one_slope_and_no_more() {
        let order = wide(0.0, 100);
        let (trials, _) = tuned_on(&order, |set| f64::from(set[0]) / 1_000.0);
        let found = landscape(&order, &trials, 0).unwrap();
        assert_eq!(found.points.len(), 2, "{:?}", found.points);
        let [(low, below), (high, above)] = [found.points[0], found.points[1]];
        let slope = (above.value - below.value) / (high - low);
        assert!((slope - 0.001).abs() < 0.000_3, "{slope}");
        assert!(landscape(&order, &trials[..19], 0).is_none(), "too few");
    }

    #[test]
    fn a_value_comes_along_the_pieces_one_after_another() {
        let edges = [0.0, 10.0, 20.0, 30.0];
        assert_eq!(along(&edges, 14.0), [10.0, 4.0, 0.0]);
        assert_eq!(along(&edges, -3.0), [-3.0, 0.0, 0.0]);
        assert_eq!(along(&edges, 37.0), [10.0, 10.0, 17.0]);
        assert_eq!(along(&[0.0, 10.0], 37.0), [37.0]);
    }

    #[test]
    fn the_range_leaves_out_what_was_hardly_tried() {
        let trial = |first: i32| Trial { first: vec![first], second: vec![50], lead: 0.0 };
        let trials: Vec<Trial> = (1..=100).map(trial).collect();
        // Of two hundred values four are left out at either end.
        let from = |start: i32| order_of(vec![parameter("a", start)]);
        assert_eq!(range(&from(50), &trials, 0), (5.0, 96.0));
        assert_eq!(range(&from(98), &trials, 0), (5.0, 98.0), "but never where it began");
        assert_eq!(range(&from(50), &[], 0), (50.0, 50.0));
    }
}
