//! The drawings of a suite page: solved over time, nodes side by side.

use super::html;
use super::numbers::{many, milliseconds, round, round_time, short};
use super::plot::{Axis, Chart, Mark, Tip};
use super::position::Tried;
use super::solving::{Row, Solving};
use super::{COLOURS, colour};
use crate::values::grouped;

/// More dots than this are a cloud, and a heavy page.
const DOTS: usize = 1_500;
/// Times below are shown as this: clocks are no finer.
const SHORTEST: f64 = 1.0;

/// How many each engine had solved after a time.
pub(super) fn solved_over_time(solving: &Solving) -> String {
    let when =
        |tried: &Tried| tried.solved.then_some(tried.solution_ms.or(tried.time_ms)).flatten();
    let curves: Vec<Vec<f64>> = (0..solving.engines.len().min(COLOURS))
        .map(|engine| {
            let mut times: Vec<f64> =
                solving.of(engine, None).filter_map(when).map(|ms| ms.max(SHORTEST)).collect();
            times.sort_by(f64::total_cmp);
            times
        })
        .collect();
    let all = || curves.iter().flatten().copied();
    if all().count() < 2 {
        return String::new();
    }
    let tried = (0..curves.len()).map(|engine| solving.of(engine, None).count()).max().unwrap_or(1);
    let longest = solving
        .positions
        .iter()
        .flat_map(|row| row.tried.iter().flatten())
        .filter_map(|tried| tried.time_ms)
        .fold(SHORTEST, f64::max)
        .max(all().fold(SHORTEST, f64::max));
    let shortest = all().fold(longest, f64::min);
    let mut chart = Chart::new(
        "Solved over time",
        "Step curves: how many positions each engine had solved for good after so much time",
        Axis::log("time for a position (log)", shortest, longest * 1.02).written(round_time),
        Axis::linear("positions solved", 0.0, tried as f64 * 1.03).whole(),
    );
    chart.add(Mark::Level(tried as f64));
    for (engine, times) in curves.iter().enumerate().filter(|curve| !curve.1.is_empty()) {
        let name = html::cut(&solving.engines[engine], 40);
        // Steps at the same place are one step, and no screen shows more than a few hundred.
        let every = times.len().div_ceil(400);
        let mut steps = vec![(shortest, 0.0)];
        let mut tips = Vec::new();
        for (index, &at) in times.iter().enumerate() {
            let last = index + 1 == times.len();
            if (index + 1) % every != 0 && !last {
                continue;
            }
            let solved = (index + 1) as f64;
            match steps.last_mut() {
                Some(step) if step.0 == at => step.1 = solved,
                _ => steps.push((at, solved)),
            }
            if (index + 1) % times.len().div_ceil(50) == 0 || last {
                let text = format!("{name}: {} solved after {}", index + 1, milliseconds(at));
                tips.push(Tip { x: at, y: solved, text });
            }
        }
        steps.push((longest * 1.02, times.len() as f64));
        chart.add(Mark::Steps(colour(engine), steps));
        chart.add(Mark::Tips(tips));
        chart.explain(colour(engine), format!("{name}: {}", grouped(times.len() as u64)));
    }
    chart.remark(format!(
        "The dashed line is all {}. Where the time of the solution is not known, that of the search \
         counts.",
        many(tried, "position")
    ));
    chart.render()
}

/// Nodes for each position.
pub(super) fn nodes(solving: &Solving) -> String {
    match solving.engines.len() {
        2 => scatter(solving, "Nodes for each position", "nodes of", |tried| tried.nodes),
        1 => String::new(),
        _ => strips(solving),
    }
}

/// Nodes until the solution stood, where both solved.
pub(super) fn nodes_to_solution(solving: &Solving) -> String {
    if solving.engines.len() != 2 {
        return String::new();
    }
    scatter(solving, "Nodes to the solution, where both found it", "nodes to solution,", |tried| {
        tried.solved.then_some(tried.solution_nodes).flatten()
    })
}

/// One position, one dot: the nodes of one engine across, of the other up.
fn scatter(
    solving: &Solving,
    title: &str,
    label: &str,
    value: fn(&Tried) -> Option<f64>,
) -> String {
    let found = |row: &Row| {
        let (a, b) = (row.tried[0].as_ref()?, row.tried[1].as_ref()?);
        let place = (value(a)?.max(1.0), value(b)?.max(1.0));
        Some((place, (a.solved, b.solved), a.name()))
    };
    let points: Vec<_> = solving.positions.iter().filter_map(found).collect();
    if points.len() < 2 {
        return String::new();
    }
    let values = || points.iter().flat_map(|point| [point.0.0, point.0.1]);
    let low = values().fold(f64::INFINITY, f64::min) / 1.4;
    let high = values().fold(0.0, f64::max) * 1.4;
    let [first, second] = [0, 1].map(|engine| html::cut(&solving.engines[engine], 24));
    let mut chart = Chart::new(
        title,
        format!("Dots: each position by the nodes of {first} (across) and {second} (up)"),
        Axis::log(format!("{label} {first} (log)"), low, high).written(round),
        Axis::log(format!("{label} {second} (log)"), low, high).written(round),
    );
    chart.add(Mark::Same);
    let every = points.len().div_ceil(DOTS);
    let kinds = [
        ((false, false), "d", "neither solved it".to_string()),
        ((true, true), "both", "both solved it".to_string()),
        ((true, false), "c0", format!("only {first}")),
        ((false, true), "c1", format!("only {second}")),
    ];
    for (solved, class, words) in kinds {
        let dots: Vec<Tip> = points
            .iter()
            .step_by(every)
            .filter(|point| point.1 == solved)
            .map(|((x, y), _, name)| Tip {
                x: *x,
                y: *y,
                text: format!("{}: {} and {} nodes", html::cut(name, 40), short(*x), short(*y)),
            })
            .collect();
        if !dots.is_empty() {
            chart.add(Mark::Dots(class, dots));
            chart.explain(class, words);
        }
    }
    let ratio: f64 =
        points.iter().map(|((x, y), _, _)| (y / x).ln()).sum::<f64>() / points.len() as f64;
    let mut remark = format!(
        "Below the line {second} needed fewer nodes. Geometric mean: {second} needed {} times those \
         of {first}.",
        super::numbers::trimmed(ratio.exp(), 3)
    );
    if every > 1 {
        remark += &format!(" One in {every} positions is drawn.");
    }
    chart.remark(remark);
    chart.render()
}

/// Quartiles of the nodes of more than two engines.
fn strips(solving: &Solving) -> String {
    let count = solving.engines.len().min(24);
    let sorted: Vec<Vec<f64>> = (0..count)
        .map(|engine| {
            let mut nodes: Vec<f64> = solving
                .of(engine, None)
                .filter_map(|tried| tried.nodes)
                .map(|n| n.max(1.0))
                .collect();
            nodes.sort_by(f64::total_cmp);
            nodes
        })
        .collect();
    let all = || sorted.iter().flatten().copied();
    if all().count() < 2 {
        return String::new();
    }
    let place = |engine: usize| (count - engine) as f64;
    let names =
        (0..count).map(|engine| (place(engine), html::cut(&solving.engines[engine], 18))).collect();
    let mut chart = Chart::new(
        "Nodes for each position",
        "Strips: the positions of each engine by nodes, with a box from the lower to the upper quartile",
        Axis::log(
            "nodes (log)",
            all().fold(f64::INFINITY, f64::min) / 1.3,
            all().fold(0.0, f64::max) * 1.3,
        )
        .written(round),
        Axis::linear("", 0.4, count as f64 + 0.6).ticks(names),
    );
    chart.shape(110.0 + 34.0 * count as f64, 150.0);
    for (engine, nodes) in sorted.iter().enumerate().filter(|nodes| !nodes.1.is_empty()) {
        let at = |share: f64| nodes[((nodes.len() - 1) as f64 * share).round() as usize];
        let (y, class) = (place(engine), colour(engine));
        let text = format!(
            "{}: median {}, quartiles {} and {}",
            solving.engines[engine],
            short(at(0.5)),
            short(at(0.25)),
            short(at(0.75))
        );
        chart.add(Mark::Reach(class, y, nodes[0], nodes[nodes.len() - 1]));
        chart.add(Mark::Box(class, (at(0.25), y - 0.22), (at(0.75), y + 0.22), text.clone()));
        chart.add(Mark::Dots("median", vec![Tip { x: at(0.5), y, text }]));
    }
    chart.remark("Box: half of the positions; dot: the median; line: from the least to the most.");
    chart.render()
}
