//! The drawings of a tuning: the walk of a parameter, its landscape, the map of two.

use super::html::remark;
use super::numbers::{fixed, signed, trimmed};
use super::plot::scale::{Kind, Scale};
use super::plot::{Axis, Chart, Mark, Tip};
use crate::statistics::elo::{Estimate, from_score};
use crate::tune::folder::{Iteration, Trial};
use crate::tune::landscape::{Landscape, landscape};
use crate::tune::spsa::Spsa;
use crate::tune::surface::{Cell, Surface, most_moved, surface};
use crate::tune::{Order, Parameter};
use crate::values::grouped;

/// More points than this no screen shows.
const POINTS: usize = 300;
/// Pieces of the walk on a map.
const WALK_PIECES: usize = 40;

/// A tuning as far as it has come.
pub(super) struct Tuning {
    pub(super) order: Order,
    /// Those that follow one another.
    pub(super) iterations: Vec<Iteration>,
    /// What was tried in each of them.
    pub(super) trials: Vec<Trial>,
    /// Where it has come to.
    pub(super) spsa: Spsa,
}

impl Tuning {
    /// The value of a parameter before the first iteration and after each.
    fn walk(&self, index: usize) -> Vec<f64> {
        let start = f64::from(self.order.parameters[index].start);
        let after = self.iterations.iter().map(|line| line.values[index]);
        std::iter::once(start).chain(after).collect()
    }

    fn tuned(&self, index: usize) -> i32 {
        self.spsa.rounded()[index]
    }
}

/// Lead in hundredths of the score, with its sign.
fn lead_text(lead: f64) -> String {
    format!("{} %", signed(100.0 * lead, 1))
}

/// A scale of Elo for an axis of leads.
fn elo_ticks(low: f64, high: f64) -> Vec<(f64, String)> {
    let elo = |lead: f64| {
        let elo = from_score(0.5 + lead);
        if elo.is_finite() { signed(elo, 0) } else { String::new() }
    };
    let ticks = Scale::new(Kind::Linear, low, high).ticks(5).into_iter();
    ticks.map(|lead| (lead, elo(lead))).collect()
}

/// The values of a parameter, iteration by iteration.
pub(super) fn walk(tuning: &Tuning, index: usize) -> String {
    let Parameter { name, start, .. } = &tuning.order.parameters[index];
    let values = tuning.walk(index);
    let done = tuning.trials.len();
    if done == 0 {
        return String::new();
    }
    let every = done.div_ceil(POINTS);
    let mut tried = Vec::new();
    for (number, trials) in tuning.trials.chunks(every).enumerate() {
        let sets = || trials.iter().flat_map(|trial| [trial.first[index], trial.second[index]]);
        let (Some(low), Some(high)) = (sets().min(), sets().max()) else { continue };
        let at = (number * every + trials.len()) as f64;
        tried.push((at, f64::from(low), f64::from(high)));
    }
    let low = tried.iter().map(|(_, low, _)| *low).fold(f64::from(*start), f64::min);
    let high = tried.iter().map(|(_, _, high)| *high).fold(f64::from(*start), f64::max);
    let room = 0.06 * (high - low).max(1.0);
    let tuned = tuning.tuned(index);
    let mut chart = Chart::new(
        format!("{name}: {start} → {tuned}"),
        format!(
            "Curve: the value of {name} from {start} before the first of {done} iterations to \
                 {} after the last",
            fixed(values[done], 1)
        ),
        Axis::linear("iteration", 0.0, 1.02 * done as f64).whole().written(|at| grouped(at as u64)),
        Axis::linear("value", low - room, high + room),
    );
    chart.add(Mark::Band("c0", tried));
    chart.add(Mark::Level((*start).into()));
    let points: Vec<(f64, f64)> = (0..=done)
        .filter(|at| at % every == 0 || *at == done)
        .map(|at| (at as f64, values[at]))
        .collect();
    let tips = points.iter().rev().step_by(points.len().div_ceil(60)).map(|(at, value)| Tip {
        x: *at,
        y: *value,
        text: format!("after {} iterations: {}", grouped(*at as u64), fixed(*value, 1)),
    });
    let tips = tips.collect();
    chart.add(Mark::Line("c0", points));
    let end = format!("at the end: {}", fixed(values[done], 1));
    chart.add(Mark::Dots("c1", vec![Tip { x: done as f64, y: values[done], text: end }]));
    chart.add(Mark::Tips(tips));
    chart.explain("c0", "value; the band holds those that were tried");
    chart.explain("c1", format!("tuned: {}", fixed(values[done], 1)));
    chart.remark(format!("Dashed: the untuned value {start}."));
    chart.render()
}

/// What the results say of the values of a parameter.
pub(super) fn hills(tuning: &Tuning, index: usize) -> String {
    let Parameter { name, start, .. } = &tuning.order.parameters[index];
    let Some(Landscape { points, parabola }) = landscape(&tuning.order, &tuning.trials, index)
    else {
        return remark(&format!(
            "Too few results, or too few different values, to tell a landscape \
                                of {name}."
        ));
    };
    let tuned = tuning.tuned(index);
    let ends = [*start, tuned].map(f64::from);
    let (first, last) = (points[0].0, points[points.len() - 1].0);
    let (left, right) = (ends[0].min(ends[1]).min(first), ends[0].max(ends[1]).max(last));
    let reach = |(_, lead): &(f64, Estimate)| (lead.value - lead.error, lead.value + lead.error);
    let low = points.iter().map(|point| reach(point).0).fold(0.0, f64::min);
    let high = points.iter().map(|point| reach(point).1).fold(0.0, f64::max);
    let (aside, room) = (0.04 * (right - left), 0.06 * (high - low).max(0.01));
    let (low, high) = (low - room, high + room);
    let mut chart = Chart::new(
        format!("{name}: landscape"),
        format!(
            "Curve: the lead over the untuned value {start} by the value of {name}, with 95 % \
             intervals; {}",
            points.iter().map(said).collect::<Vec<_>>().join("; ")
        ),
        Axis::linear("value", left - aside, right + aside),
        Axis::linear("lead over the untuned value, %", low, high)
            .written(|lead| trimmed(100.0 * lead, 2)),
    );
    chart.right("Elo", elo_ticks(low, high));
    chart.add(Mark::Level(0.0));
    chart.add(Mark::Upright((*start).into()));
    chart.add(Mark::Line("c1", vec![(tuned.into(), low), (tuned.into(), high)]));
    let mut peak = None;
    if let Some(parabola) = &parabola {
        let at = |step: u32| first + (last - first) * f64::from(step) / 40.0;
        let curve = (0..=40).map(|step| (at(step), parabola.lead(at(step)).value));
        chart.add(Mark::Line("c2", curve.collect()));
        let Estimate { value, error } = parabola.peak;
        peak = Some(format!("{} ± {}", fixed(value, 0), fixed(error, 0)));
    }
    for point in &points {
        chart.add(Mark::Whisker("c0", point.0, reach(point).0, reach(point).1));
    }
    chart.add(Mark::Line("c0", points.iter().map(|(at, lead)| (*at, lead.value)).collect()));
    let dots = points.iter().map(|point| Tip { x: point.0, y: point.1.value, text: said(point) });
    chart.add(Mark::Dots("c0", dots.collect()));
    chart.explain("c0", "lead over the untuned value, with its 95 % interval");
    chart.explain("c1", format!("tuned: {tuned}"));
    if let Some(peak) = peak {
        chart.explain("c2", format!("nearest parabola, peak at {peak}"));
    }
    chart.remark(format!("Dashed: the untuned value {start}, where the lead is 0 by definition."));
    chart.render()
}

fn said((at, lead): &(f64, Estimate)) -> String {
    format!("at {}: {} ± {}", fixed(*at, 0), lead_text(lead.value), fixed(100.0 * lead.error, 1))
}

/// The map of the two parameters that moved the most; nothing where there are no two, or too few
/// iterations.
pub(super) fn map(tuning: &Tuning) -> String {
    let Tuning { order, trials, spsa, .. } = tuning;
    let map = most_moved(order, spsa).and_then(|two| surface(order, trials, two));
    let Some(Surface { parameters, cells }) = map.filter(|map| !map.cells.is_empty()) else {
        return String::new();
    };
    let names = parameters.map(|index| &order.parameters[index].name);
    let ends = |side: usize| {
        let from = cells.iter().map(|cell| cell.from[side]).fold(f64::INFINITY, f64::min);
        let to = cells.iter().map(|cell| cell.to[side]).fold(f64::NEG_INFINITY, f64::max);
        let walk = tuning.walk(parameters[side]);
        (walk.iter().copied().fold(from, f64::min), walk.iter().copied().fold(to, f64::max))
    };
    let [across, up] = [ends(0), ends(1)];
    let most = cells.iter().map(|cell| cell.lead.value.abs()).fold(0.0, f64::max);
    let mut chart = Chart::new(
        format!("{} and {}", names[0], names[1]),
        format!(
            "Map: where sets of {} and {} lead over the untuned set, and the walk",
            names[0], names[1]
        ),
        Axis::linear(names[0], across.0, across.1),
        Axis::linear(names[1], up.0, up.1),
    );
    chart.shape(420.0, 66.0);
    for cell in &cells {
        let class = shade(cell, most);
        let side = |side: usize| {
            format!("{} {} to {}", names[side], fixed(cell.from[side], 1), fixed(cell.to[side], 1))
        };
        let text = format!(
            "{}, {}: {} ± {}, {} sets tried",
            side(0),
            side(1),
            lead_text(cell.lead.value),
            fixed(100.0 * cell.lead.error, 1),
            grouped(cell.tried as u64)
        );
        let corner = |at: [f64; 2]| (at[0], at[1]);
        chart.add(Mark::Box(class, corner(cell.from), corner(cell.to), text));
    }
    let walks = parameters.map(|index| tuning.walk(index));
    let done = trials.len();
    // Every step drawn would hide the map.
    let pieces = [0, 1].map(|side| walks[side][1..].chunks(done.div_ceil(WALK_PIECES)));
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let [x, y] = pieces.map(|pieces| pieces.map(mean));
    let mut path = vec![(walks[0][0], walks[1][0])];
    path.extend(x.zip(y));
    path.push((walks[0][done], walks[1][done]));
    chart.add(Mark::Line("c4", path));
    let dot = |at: usize, name: &str| Tip {
        x: walks[0][at],
        y: walks[1][at],
        text: format!("{name}: {}, {}", fixed(walks[0][at], 1), fixed(walks[1][at], 1)),
    };
    chart.add(Mark::Dots("c7", vec![dot(0, "untuned")]));
    chart.add(Mark::Dots("c1", vec![dot(done, "tuned")]));
    let seen: Vec<&str> = cells.iter().map(|cell| shade(cell, most)).collect();
    let worth = |shades: &[&'static str], what: &str, chart: &mut Chart| {
        for (number, class) in shades.iter().enumerate().filter(|shade| seen.contains(shade.1)) {
            let from = |number: usize| fixed(100.0 * most * number as f64 / shades.len() as f64, 1);
            chart.explain(
                class,
                match number {
                    0 => format!("{what} by less than {} %", from(1)),
                    number => format!("{what} by {} % or more", from(number)),
                },
            );
        }
    };
    worth(&BETTER, "better", &mut chart);
    if seen.contains(&UNTOLD) {
        chart.explain(UNTOLD, "not to be told from the untuned set");
    }
    worth(&WORSE, "worse", &mut chart);
    chart.explain("c4", "the walk, smoothed");
    chart.explain("c7", "untuned");
    chart.explain("c1", "tuned");
    chart.render()
}

/// Shades of a lead over the untuned set, from slight to the most there is.
const BETTER: [&str; 5] = ["w2 s1", "w2 s2", "w2 s3", "w2 s4", "w2"];
const WORSE: [&str; 5] = ["l2 s1", "l2 s2", "l2 s3", "l2 s4", "l2"];
/// A lead that may be none.
const UNTOLD: &str = "d";

fn shade(cell: &Cell, most: f64) -> &'static str {
    let value = cell.lead.value;
    let shades = if value > 0.0 { BETTER } else { WORSE };
    let step = (value.abs() / most * shades.len() as f64) as usize;
    if cell.is_told { shades[step.min(shades.len() - 1)] } else { UNTOLD }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shade_is_that_of_the_lead_and_grey_where_it_may_be_none() {
        let shade_of = |value: f64, is_told: bool| {
            let lead = Estimate { value, error: 0.0 };
            shade(&Cell { from: [0.0; 2], to: [1.0; 2], lead, is_told, tried: 9 }, 0.10)
        };
        assert_eq!([shade_of(0.01, true), shade_of(0.05, true)], ["w2 s1", "w2 s3"]);
        assert_eq!([shade_of(0.10, true), shade_of(-0.10, true)], ["w2", "l2"]);
        assert_eq!([shade_of(0.09, false), shade_of(-0.09, false)], ["d", "d"]);
        assert_eq!(shade_of(-0.03, true), "l2 s2");
    }
}
