//! Time, depth and speed of the engines, move by move.

use super::game::Game;
use super::html;
use super::numbers::{fixed, milliseconds, short};
use super::plot::{Axis, Chart, Mark, Tip};
use super::tally::Match;
use super::{COLOURS, colour};
use crate::values::median;

/// Moves of a game beyond this are not drawn.
const MOST_MOVES: usize = 150;
/// Bands of more engines than this would only hide each other.
const MOST_BANDS: usize = 3;

/// What is drawn by move number.
#[derive(Clone, Copy)]
pub(super) enum What {
    /// Time for a move.
    Time,
    /// Depth reached.
    Depth,
}

impl What {
    fn values(self, game: &Game) -> &[Option<f64>] {
        match self {
            What::Time => &game.times_ms,
            What::Depth => &game.depths,
        }
    }
}

struct Middle {
    number: usize,
    quartiles: [f64; 3],
    count: usize,
}

/// The median with its quartiles by move number, for each engine.
pub(super) fn by_move(played: &Match, what: What) -> String {
    let mut values = vec![vec![Vec::new(); MOST_MOVES]; played.engines.len().min(COLOURS)];
    for (game, side) in played.games.iter().zip(&played.sides) {
        for (ply, mover, value) in game.plies(what.values(game)) {
            if let Some(value) = value.filter(|value| *value >= 0.0)
                && let Some(moves) = values.get_mut(side[mover])
                && let Some(place) = moves.get_mut(ply / 2)
            {
                place.push(value);
            }
        }
    }
    let enough = (played.games.len() / 50).max(4);
    let curves: Vec<Vec<Middle>> = values
        .into_iter()
        .map(|moves| {
            let middles = moves.into_iter().enumerate().filter_map(|(index, mut values)| {
                values.sort_by(f64::total_cmp);
                let at = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
                (values.len() >= enough).then(|| Middle {
                    number: index + 1,
                    quartiles: [at(0.25), at(0.5), at(0.75)],
                    count: values.len(),
                })
            });
            middles.collect()
        })
        .collect();
    let all = || curves.iter().flatten();
    if all().count() < 2 {
        return String::new();
    }
    let first = all().map(|middle| middle.number).min().unwrap_or(1);
    let last = all().map(|middle| middle.number).max().unwrap_or(1);
    let high = all().map(|middle| middle.quartiles[2]).fold(0.0, f64::max);
    let x = Axis::linear("move number", first as f64, last as f64);
    let (title, y) = match what {
        What::Time => {
            let (unit, texts): (&str, fn(f64) -> String) = if high >= 5_000.0 {
                ("time, s", |ms| super::numbers::trimmed(ms / 1e3, 2))
            } else {
                ("time, ms", |ms| super::numbers::trimmed(ms, 2))
            };
            ("Time by move", Axis::linear(unit, 0.0, 1.05 * high).written(texts))
        }
        What::Depth => ("Depth by move", Axis::linear("depth, plies", 0.0, 1.05 * high)),
    };
    let description = "Curves: the median of each engine by move number, with a band from the \
                       lower to the upper quartile";
    let mut chart = Chart::new(title, description, x, y);
    let drawn = |engine: usize| !curves[engine].is_empty();
    if played.engines.len() <= MOST_BANDS {
        for (engine, curve) in curves.iter().enumerate().filter(|curve| drawn(curve.0)) {
            let band =
                curve.iter().map(|m| (m.number as f64, m.quartiles[0], m.quartiles[2])).collect();
            chart.add(Mark::Band(colour(engine), band));
        }
    }
    for (engine, curve) in curves.iter().enumerate().filter(|curve| drawn(curve.0)) {
        let name = html::cut(played.name(engine), 40);
        let line = curve.iter().map(|m| (m.number as f64, m.quartiles[1])).collect();
        chart.add(Mark::Line(colour(engine), line));
        let tips = curve.iter().step_by(last.div_ceil(75)).map(|middle| {
            let [low, mid, high] = middle.quartiles.map(|value| match what {
                What::Time => milliseconds(value),
                What::Depth => fixed(value, 0),
            });
            let text = format!(
                "{name}, move {}: median {mid}, quartiles {low} and {high}, {} games",
                middle.number, middle.count
            );
            Tip { x: middle.number as f64, y: middle.quartiles[1], text }
        });
        chart.add(Mark::Tips(tips.collect()));
        chart.explain(colour(engine), name);
    }
    if played.engines.len() <= MOST_BANDS {
        chart.remark("Median; half of the moves lie within the band.");
    } else if played.engines.len() > COLOURS {
        chart.remark(format!("Median; only the first {COLOURS} engines are drawn."));
    } else {
        chart.remark("Median.");
    }
    chart.render()
}

#[derive(Clone, Default)]
struct Sum {
    moves: u64,
    nodes: f64,
    time: f64,
    timed_nodes: f64,
    timed: f64,
    depths: Vec<f64>,
    times: Vec<f64>,
}

/// Totals of each engine: nodes, time, nodes per second.
pub(super) fn speeds(played: &Match) -> String {
    let mut sums = vec![Sum::default(); played.engines.len()];
    for (game, side) in played.games.iter().zip(&played.sides) {
        let longest = game.times_ms.len().max(game.nodes.len()).max(game.depths.len());
        for index in 0..longest {
            let sum = &mut sums[side[(game.opening_plies + index) % 2]];
            let get = |values: &[Option<f64>]| {
                values.get(index).copied().flatten().filter(|value| *value >= 0.0)
            };
            let (time, nodes) = (get(&game.times_ms), get(&game.nodes));
            sum.moves += 1;
            sum.nodes += nodes.unwrap_or(0.0);
            sum.time += time.unwrap_or(0.0);
            if let (Some(time), Some(nodes)) = (time, nodes) {
                sum.timed += time;
                sum.timed_nodes += nodes;
            }
            sum.depths.extend(get(&game.depths));
            sum.times.extend(time);
        }
    }
    if sums.iter().all(|sum| sum.moves == 0) {
        return String::new();
    }
    let fastest = sums.iter().map(speed).fold(0.0, f64::max);
    let head = [
        "engine",
        "#moves",
        "#nodes",
        "#time",
        "#nodes/s",
        "speed",
        "#median time",
        "#median depth",
    ];
    let rows = sums.iter().enumerate().map(|(engine, sum)| {
        let speed = speed(sum);
        let bar = if fastest > 0.0 { 100.0 * speed / fastest } else { 0.0 };
        let (time, depth) = (median(&sum.times), median(&sum.depths));
        let or_blank = |known: bool, value: f64, text: String| {
            html::number(value, if known { text } else { "–".to_string() })
        };
        vec![
            html::html(format!(
                "<span class=\"key {}\"></span>{}",
                colour(engine),
                html::escape(played.name(engine))
            )),
            html::count(sum.moves),
            or_blank(sum.nodes > 0.0, sum.nodes, short(sum.nodes)),
            or_blank(!sum.times.is_empty(), sum.time, milliseconds(sum.time)),
            or_blank(speed > 0.0, speed, short(speed)),
            html::html(format!(
                "<span class=\"meter\"><span style=\"width:{bar:.1}%\"></span></span>"
            ))
            .by(speed)
            .class("wide"),
            or_blank(!sum.times.is_empty(), time, milliseconds(time)),
            or_blank(!sum.depths.is_empty(), depth, super::numbers::trimmed(depth, 1)),
        ]
    });
    html::table(&head, rows.collect())
}

fn speed(sum: &Sum) -> f64 {
    if sum.timed > 0.0 { 1e3 * sum.timed_nodes / sum.timed } else { 0.0 }
}
