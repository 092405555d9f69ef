//! A straight line through pairs of values, and the errors about it: v = a v' + b + e.

use std::collections::BTreeMap;

use secateur_search::calibrate::cuts::{REACHES, threshold_of};
use secateur_search::calibrate::unrest::Amounts;

use serde::{Deserialize, Serialize};

use super::rows::{Kind, Row};
use crate::statistics::normal;

/// Two values of one position, in score units. A deep value that is proven is infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The game it is of: those of one game never stand on both sides of a split.
    pub game: u64,
    /// Of the shallow search.
    pub shallow: f64,
    /// Of the deep one.
    pub deep: f64,
    /// The window of the node, if it is one.
    pub beta: Option<f64>,
    /// How uneasy it is, if that is known.
    pub unrest: Option<Amounts>,
}

/// The points of a pair of depths, and what was left out.
#[derive(Clone, Debug, Default)]
pub struct Points {
    /// The points.
    pub points: Vec<Point>,
    /// Those of which the deep search found a proven value and the shallow did not: left out of the line,
    /// but a cut may have been wrong there.
    pub proven: Vec<Point>,
    /// Left out because the shallow search found one.
    pub shallow_proven: usize,
    /// Left out because a value lies beyond the limit.
    pub beyond: usize,
}

/// Which values are left out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Window {
    /// Beyond this, by the deep value: as in the papers, though it selects by what is to be told.
    Deep(f64),
    /// Beyond this, by the shallow value.
    Shallow(f64),
}

/// The values of one position at every depth that was searched.
#[derive(Clone, Debug)]
pub struct Values {
    /// The game.
    pub game: u64,
    /// The stage.
    pub stage: usize,
    /// The category.
    pub category: usize,
    /// The window, if it was a node.
    pub beta: Option<f64>,
    /// How uneasy it is, if that is known.
    pub unrest: Option<Amounts>,
    /// By depth: the value, infinite if it is proven, and the nodes it took.
    pub by_depth: Vec<(f64, u64)>,
    /// How many plies from the end of the game it is, and the value there, if it was solved.
    pub end: Option<(usize, f64)>,
}

/// Rows, gathered by position.
pub fn gather(rows: &[Row]) -> Vec<Values> {
    let mut all: Vec<Values> = Vec::new();
    for row in rows {
        // Every position begins at depth 0.
        if row.depth == 0 {
            all.push(Values {
                game: row.game,
                stage: row.stage,
                category: row.category,
                beta: row.beta.map(f64::from),
                unrest: amounts(&row.unrest),
                by_depth: Vec::new(),
                end: None,
            });
        }
        if let (Some(last), Kind::End) = (all.last_mut(), row.kind) {
            // A point is worth a hundred.
            last.end = Some((row.depth.max(0) as usize, 100.0 * f64::from(row.value)));
        } else if let Some(last) = all.last_mut() {
            let value = match row.kind {
                Kind::Guess => f64::from(row.value),
                Kind::Final if row.value == 0 => 0.0,
                Kind::Final | Kind::Mate | Kind::End => {
                    f64::INFINITY.copysign(f64::from(row.value))
                }
            };
            last.by_depth.push((value, row.nodes));
        }
    }
    all
}

/// As many amounts as there can be; `None` if there are none.
fn amounts(listed: &[i32]) -> Option<Amounts> {
    let amount = |index: usize| listed.get(index).copied().unwrap_or(0);
    (!listed.is_empty()).then(|| std::array::from_fn(amount))
}

/// The points of a pair of depths among these positions. Of nodes, the deep search is as deep as the
/// node was to be searched, so that only those count that a cut would be asked about.
pub fn points<'a>(
    positions: impl Iterator<Item = &'a Values>,
    shallow: usize,
    deep: usize,
    window: Window,
) -> Points {
    let mut found = Points::default();
    for position in positions {
        let (Some((before, _)), Some((after, _))) =
            (position.by_depth.get(shallow), position.by_depth.get(deep))
        else {
            continue;
        };
        if position.beta.is_some() && position.by_depth.len() != deep + 1 {
            continue;
        }
        let &Values { game, beta, unrest, .. } = position;
        let point = Point { game, shallow: *before, deep: *after, beta, unrest };
        let is_beyond = match window {
            Window::Deep(most) => after.abs() > most,
            Window::Shallow(most) => before.abs() > most,
        };
        if before.is_infinite() {
            found.shallow_proven += 1;
        } else if after.is_infinite() {
            found.proven.push(point);
        } else if is_beyond {
            found.beyond += 1;
        } else {
            found.points.push(point);
        }
    }
    found
}

/// A line and the errors about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The slope.
    pub a: f64,
    /// Its standard error.
    pub a_error: f64,
    /// The offset, in score units.
    pub b: f64,
    /// Its standard error.
    pub b_error: f64,
    /// The deviation of the errors, in score units.
    pub sigma: f64,
    /// The correlation.
    pub r: f64,
    /// Points.
    pub n: usize,
    /// How lopsided the errors are; 0 for the normal distribution.
    pub skew: f64,
    /// How much more of them lie far out than in the normal distribution; 0 for that.
    pub excess: f64,
    /// Errors in deviations, the lowest first.
    errors: Vec<f64>,
    /// The same of nodes that are expected below their window, and of those expected above it.
    ///
    /// A search comes to a node by moves that somebody thought good, so that the truth lies nearer to the
    /// window than a shallow value does: above it errors are lower, below it higher than all together.
    by_side: [Vec<f64>; 2],
}

/// With fewer points there is no line.
pub const FEWEST: usize = 20;

/// The line of least squares. `None` with too few points, or none that differ.
pub fn line(points: &[Point]) -> Option<Line> {
    let n = points.len() as f64;
    if points.len() < FEWEST {
        return None;
    }
    let sum = |of: &dyn Fn(&Point) -> f64| points.iter().map(of).sum::<f64>();
    let (x, y) = (sum(&|point| point.shallow) / n, sum(&|point| point.deep) / n);
    let xx = sum(&|point| (point.shallow - x).powi(2));
    let yy = sum(&|point| (point.deep - y).powi(2));
    let xy = sum(&|point| (point.shallow - x) * (point.deep - y));
    if xx <= 0.0 || yy <= 0.0 {
        return None;
    }
    let a = xy / xx;
    let b = y - a * x;
    let error = |point: &Point| point.deep - a * point.shallow - b;
    let variance = sum(&|point| error(point).powi(2)) / (n - 2.0);
    let sigma = variance.sqrt();
    if sigma <= 0.0 {
        return None;
    }
    let sorted = |wanted: &dyn Fn(&Point) -> bool| {
        let some = points.iter().filter(|point| wanted(point));
        let mut errors: Vec<f64> = some.map(|point| error(point) / sigma).collect();
        errors.sort_by(f64::total_cmp);
        errors
    };
    let errors = sorted(&|_| true);
    let by_side = [false, true].map(|above| {
        let is_there = |beta: f64, point: &Point| (a * point.shallow + b >= beta) == above;
        let there = sorted(&|point| point.beta.is_none_or(|beta| is_there(beta, point)));
        if there.len() < FEWEST { errors.clone() } else { there }
    });
    // Positions of a game are alike: the errors of slope and offset are those of sums over games.
    let mut sums: BTreeMap<u64, [f64; 2]> = BTreeMap::new();
    for point in points {
        let sum = sums.entry(point.game).or_default();
        sum[0] += error(point) * (point.shallow - x);
        sum[1] += error(point) * (1.0 / n - x * (point.shallow - x) / xx);
    }
    let spread = |of: usize| sums.values().map(|sum| sum[of].powi(2)).sum::<f64>().sqrt();
    let moment = |power: i32| errors.iter().map(|z| z.powi(power)).sum::<f64>() / n;
    Some(Line {
        a,
        a_error: spread(0) / xx,
        b,
        b_error: spread(1),
        sigma,
        r: xy / (xx * yy).sqrt(),
        n: points.len(),
        skew: moment(3),
        excess: moment(4) - 3.0,
        errors,
        by_side,
    })
}

impl Line {
    /// The error of a point, in deviations.
    pub fn error_of(&self, point: &Point) -> f64 {
        (point.deep - self.a * point.shallow - self.b) / self.sigma
    }

    /// The errors in deviations, the lowest first.
    pub fn errors(&self) -> &[f64] {
        &self.errors
    }

    /// Those of positions that are expected above their window or below it; all where there are no windows.
    pub fn errors_where(&self, above: bool) -> &[f64] {
        &self.by_side[usize::from(above)]
    }

    /// Whether a point is expected above its window; `None` without one.
    pub fn is_above(&self, point: &Point) -> Option<bool> {
        point.beta.map(|beta| self.a * point.shallow + self.b >= beta)
    }

    /// How far errors reach below where a cut above may be made, and above where one below may be, with the
    /// chance that the normal distribution gives each threshold of a table.
    pub fn reaches(&self) -> (Vec<f64>, Vec<f64>) {
        (reaches(self.errors_where(true)).0, reaches(self.errors_where(false)).1)
    }
}

/// How far errors reach below and above with the chance that the normal distribution gives each
/// threshold of a table. `errors` are in deviations, the lowest first.
pub fn reaches(errors: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let side = |above: bool| {
        let reach = |index: usize| reach_of(errors, threshold_of(index), above).max(0.0);
        (0..REACHES).map(reach).collect()
    };
    (side(false), side(true))
}

/// How far errors reach on one side with the chance that the normal distribution gives this threshold.
pub fn reach_of(errors: &[f64], threshold: f64, above: bool) -> f64 {
    // Where fewer than a handful would lie beyond, as many times the threshold as at the last that has
    // them.
    let few = |threshold: f64| normal::below(-threshold) * (errors.len() as f64) < A_HANDFUL;
    let mut known = threshold;
    while few(known) && known > 0.5 {
        known -= 0.1;
    }
    let chance = normal::below(-known);
    let reach = if above { quantile(errors, 1.0 - chance) } else { -quantile(errors, chance) };
    reach * threshold / known
}

/// So many errors beyond it make a quantile known.
const A_HANDFUL: f64 = 5.0;

/// What lies above this share of the sorted values, on a straight line between two of them: so that a new
/// value lies below it with that chance (Weibull, 1939).
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let last = sorted.len() - 1;
    let place = (share * (sorted.len() as f64 + 1.0) - 1.0).clamp(0.0, last as f64);
    let (index, rest) = (place.floor() as usize, place.fract());
    let next = (index + 1).min(last);
    sorted[index] + (sorted[next] - sorted[index]) * rest
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use secateur_search::random::SplitMix;

    /// Points about a line that is known.
    pub(in crate::calibrate) fn made_up(count: u64, a: f64, b: f64, sigma: f64) -> Vec<Point> {
        let mut random = SplitMix::new(11);
        (0..count)
            .map(|number| {
                let shallow = 150.0 * normal::draw(&mut random);
                let deep = a * shallow + b + sigma * normal::draw(&mut random);
                let beta = Some(150.0 * normal::draw(&mut random));
                Point { game: number / 4, shallow, deep, beta, unrest: None }
            })
            .collect()
    }

    #[test]
    fn the_line_that_made_the_points_is_found() {
        let found = line(&made_up(4_000, 1.1, -7.0, 60.0)).unwrap();
        assert!((found.a - 1.1).abs() < 3.0 * found.a_error, "{found:?}");
        assert!((found.b + 7.0).abs() < 3.0 * found.b_error);
        assert!((found.sigma - 60.0).abs() < 3.0);
        assert!(found.skew.abs() < 0.15 && found.excess.abs() < 0.3);
        // r = 1.1 * 150 / sqrt((1.1 * 150)^2 + 60^2).
        assert!((found.r - 0.9398).abs() < 0.01, "{}", found.r);
        let (below, above) = reaches(found.errors());
        assert!((below[5] - 1.0).abs() < 0.08 && (above[10] - 1.5).abs() < 0.12);
    }

    #[test]
    fn where_the_truth_is_nearer_to_the_window_each_side_has_errors_of_its_own() {
        let mut points = made_up(4_000, 1.0, 0.0, 50.0);
        for point in &mut points {
            let beta = point.beta.unwrap();
            point.deep -= if point.shallow >= beta { 40.0 } else { -40.0 };
        }
        let found = line(&points).unwrap();
        let (below, above) = found.reaches();
        let (all_below, all_above) = reaches(found.errors());
        assert!(below[5] > all_below[5] + 0.2 && above[5] > all_above[5] + 0.2, "{below:?}");
        let is_above = |point: &Point| point.shallow >= point.beta.unwrap();
        let agree = points.iter().filter(|p| found.is_above(p) == Some(is_above(p))).count();
        assert!(agree > 3_600, "{agree}");
        // Without windows there are no sides.
        points.iter_mut().for_each(|point| point.beta = None);
        let found = line(&points).unwrap();
        assert_eq!(found.reaches(), reaches(found.errors()));
    }

    #[test]
    fn what_tells_nothing_gives_no_line() {
        assert_eq!(line(&made_up(19, 1.0, 0.0, 10.0)), None);
        let same = Point { game: 0, shallow: 5.0, deep: 7.0, beta: None, unrest: None };
        assert_eq!(line(&[same; 50]), None);
    }

    #[test]
    fn mates_and_what_lies_beyond_the_window_are_left_out_and_counted() {
        let position = |values: &[f64]| Values {
            game: 0,
            stage: 0,
            category: 0,
            beta: None,
            unrest: None,
            end: None,
            by_depth: values.iter().map(|value| (*value, 1)).collect(),
        };
        let mate = f64::INFINITY;
        let all = [
            position(&[0.0, 10.0, 20.0]),
            position(&[0.0, 10.0, -mate]),
            position(&[0.0, mate, mate]),
            position(&[0.0, 10.0, 900.0]),
            position(&[0.0, 900.0, 20.0]),
            position(&[0.0, 10.0]),
        ];
        let by = |window| {
            let found = points(all.iter(), 1, 2, window);
            (found.points.len(), found.shallow_proven, found.proven.len(), found.beyond)
        };
        assert_eq!(by(Window::Deep(300.0)), (2, 1, 1, 1));
        assert_eq!(by(Window::Shallow(300.0)), (2, 1, 1, 1));
        assert_eq!(by(Window::Shallow(1_000.0)), (3, 1, 1, 0));
    }

    #[test]
    fn a_quantile_is_exceeded_as_often_as_it_says_and_the_far_ones_are_not_the_last_error() {
        // Of nineteen values the first is exceeded below by one in twenty new ones.
        let sorted: Vec<f64> = (1..20).map(f64::from).collect();
        assert_eq!(quantile(&sorted, 0.05), 1.0);
        assert_eq!(quantile(&sorted, 0.5), 10.0);
        assert_eq!([quantile(&sorted, 0.0), quantile(&sorted, 1.0)], [1.0, 19.0]);
        // Of 200 errors a handful lies beyond 1.9 deviations; further out their reach is drawn on.
        let fitted = line(&made_up(200, 1.0, 0.0, 50.0)).unwrap();
        let [near, far] = [1.9, 3.0].map(|threshold| reach_of(fitted.errors(), threshold, true));
        assert!((far - near * 3.0 / 1.9).abs() < 1e-6, "{near} {far}");
    }

    #[test]
    fn a_node_counts_only_for_the_depth_at_which_it_was_met() {
        let node = Values {
            game: 0,
            stage: 0,
            category: 0,
            beta: Some(5.0),
            unrest: None,
            end: None,
            by_depth: vec![(1.0, 1); 5],
        };
        let count = |shallow, deep| {
            points([&node].into_iter(), shallow, deep, Window::Shallow(300.0)).points.len()
        };
        assert_eq!([count(2, 4), count(1, 3)], [1, 0]);
    }
}
