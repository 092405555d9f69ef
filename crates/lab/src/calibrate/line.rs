//! A straight line through pairs of values, and the errors about it: v = a v' + b + e; at nodes inside searches
//! the window tells too, v = a v' + c beta + b + e.

use std::collections::BTreeMap;

use secateur_search::calibrate::cuts::{REACHES, threshold_of};
use secateur_search::calibrate::unrest::Amounts;

use serde::{Deserialize, Serialize};

use super::curve::{Ahead, LONGEST};
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
    /// Its number among all.
    pub number: usize,
    /// The value without a search.
    pub guess: f64,
    /// Nodes of the shallow search, with the still shallower one before it, and of the deep one.
    pub nodes: [u64; 2],
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
    /// Left out of the line because a value lies beyond the limit; a cut may be made there all the same.
    pub beyond: Vec<Point>,
}

impl Points {
    /// Those that are left out of the line, though cuts may be made there.
    pub fn aside(&self) -> impl Iterator<Item = &Point> + Clone {
        self.proven.iter().chain(&self.beyond)
    }
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
    /// By depth: the value, infinite if it is a mate or the like and no number if it was not searched so deep,
    /// and the nodes it took.
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
                // Points that are counted out are what guesses guess at: a point is worth a hundred.
                Kind::Final | Kind::End => 100.0 * f64::from(row.value),
                Kind::Mate => f64::INFINITY.copysign(f64::from(row.value)),
            };
            last.by_depth.resize(row.depth.max(0) as usize, (f64::NAN, 0));
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
    for (number, position) in positions.enumerate() {
        let nodes = |depth: usize| position.by_depth.get(depth).map_or(0, |(_, nodes)| *nodes);
        let value = |depth: usize| {
            let value = position.by_depth.get(depth).map(|(value, _)| *value);
            value.filter(|value| !value.is_nan())
        };
        let (Some(before), Some(after)) = (value(shallow), value(deep)) else { continue };
        if position.beta.is_some() && position.by_depth.len() != deep + 1 {
            continue;
        }
        let &Values { game, beta, unrest, .. } = position;
        // Without a known move a search of two plies less comes first.
        let first = shallow.checked_sub(2).filter(|less| *less > 0).map_or(0, nodes);
        let guess = value(0).unwrap_or_default();
        let nodes = [first + nodes(shallow), nodes(deep)];
        let point =
            Point { game, shallow: before, deep: after, beta, unrest, number, guess, nodes };
        let is_beyond = match window {
            Window::Deep(most) => after.abs() > most,
            Window::Shallow(most) => before.abs() > most,
        };
        if before.is_infinite() {
            found.shallow_proven += 1;
        } else if after.is_infinite() {
            found.proven.push(point);
        } else if is_beyond {
            found.beyond.push(point);
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
    /// What the window adds, in parts of it; nothing where there are none.
    pub c: f64,
    /// The deviation of the errors, in score units.
    pub sigma: f64,
    /// The correlation of both values.
    pub r: f64,
    /// Points.
    pub n: usize,
    /// How lopsided the errors are; 0 for the normal distribution.
    pub skew: f64,
    /// How much more of them lie far out than in the normal distribution; 0 for that.
    pub excess: f64,
    /// Errors in deviations, the lowest first.
    errors: Vec<f64>,
}

/// With fewer points there is no line.
pub const FEWEST: usize = 20;

/// With fewer the window is not asked what it adds.
const FEWEST_WITH_WINDOWS: usize = 60;

/// What a window may add at most, and take away.
const WINDOW_ADDS: std::ops::RangeInclusive<f64> = -0.5..=0.9;

/// The line of least squares, with the windows if all points have one. `None` with too few points, or none that
/// differ.
pub fn line(points: &[Point]) -> Option<Line> {
    let windows = points.len() >= FEWEST_WITH_WINDOWS && points.iter().all(|p| p.beta.is_some());
    let with = || fitted::<3>(points).filter(|line| line.a > 0.0 && WINDOW_ADDS.contains(&line.c));
    let found = if windows { with() } else { None };
    found.or_else(|| fitted::<2>(points))
}

/// The line with so many terms: 1, the shallow value, and the window.
fn fitted<const TERMS: usize>(points: &[Point]) -> Option<Line> {
    let n = points.len() as f64;
    if points.len() < FEWEST {
        return None;
    }
    let terms = |point: &Point| -> [f64; TERMS] {
        let all = [1.0, point.shallow, point.beta.unwrap_or_default()];
        std::array::from_fn(|index| all[index])
    };
    let (mut squares, mut products) = ([[0.0; TERMS]; TERMS], [0.0; TERMS]);
    for point in points {
        let terms = terms(point);
        for row in 0..TERMS {
            products[row] += terms[row] * point.deep;
            for column in 0..TERMS {
                squares[row][column] += terms[row] * terms[column];
            }
        }
    }
    let inverse = inverse(squares)?;
    let times = |vector: &[f64; TERMS]| -> [f64; TERMS] {
        std::array::from_fn(|row| (0..TERMS).map(|i| inverse[row][i] * vector[i]).sum())
    };
    let factors = times(&products);
    let told = |point: &Point| -> f64 {
        let terms = terms(point);
        (0..TERMS).map(|index| factors[index] * terms[index]).sum()
    };
    let error = |point: &Point| point.deep - told(point);
    let sum = |of: &dyn Fn(&Point) -> f64| points.iter().map(of).sum::<f64>();
    let sigma = (sum(&|point| error(point).powi(2)) / (n - TERMS as f64)).sqrt();
    let (x, y) = (sum(&|point| point.shallow) / n, sum(&|point| point.deep) / n);
    let xx = sum(&|point| (point.shallow - x).powi(2));
    let yy = sum(&|point| (point.deep - y).powi(2));
    let xy = sum(&|point| (point.shallow - x) * (point.deep - y));
    if sigma <= 1e-9 || xx <= 0.0 || yy <= 0.0 {
        return None;
    }
    // Positions of a game are alike: the errors of slope and offset are those of sums over games.
    let mut sums: BTreeMap<u64, [f64; TERMS]> = BTreeMap::new();
    for point in points {
        let (terms, error) = (terms(point), error(point));
        let moves = times(&terms);
        let sum = sums.entry(point.game).or_insert([0.0; TERMS]);
        (0..TERMS).for_each(|index| sum[index] += moves[index] * error);
    }
    let spread = |of: usize| sums.values().map(|sum| sum[of].powi(2)).sum::<f64>().sqrt();
    let mut errors: Vec<f64> = points.iter().map(|point| error(point) / sigma).collect();
    errors.sort_by(f64::total_cmp);
    let moment = |power: i32| errors.iter().map(|z| z.powi(power)).sum::<f64>() / n;
    Some(Line {
        a: factors[1],
        a_error: spread(1),
        b: factors[0],
        b_error: spread(0),
        c: factors.get(2).copied().unwrap_or(0.0),
        sigma,
        r: xy / (xx * yy).sqrt(),
        n: points.len(),
        skew: moment(3),
        excess: moment(4) - 3.0,
        errors,
    })
}

/// The inverse of a matrix, by Gauss and Jordan. `None` if it has none.
fn inverse<const N: usize>(mut matrix: [[f64; N]; N]) -> Option<[[f64; N]; N]> {
    let mut found: [[f64; N]; N] =
        std::array::from_fn(|row| std::array::from_fn(|column| f64::from(u8::from(row == column))));
    let largest = matrix.iter().flatten().fold(0.0, |most: f64, value| most.max(value.abs()));
    for pivot in 0..N {
        let best = (pivot..N).max_by(|one, other| {
            matrix[*one][pivot].abs().total_cmp(&matrix[*other][pivot].abs())
        })?;
        matrix.swap(pivot, best);
        found.swap(pivot, best);
        let divisor = matrix[pivot][pivot];
        if divisor.abs() <= 1e-12 * largest {
            return None;
        }
        for column in 0..N {
            matrix[pivot][column] /= divisor;
            found[pivot][column] /= divisor;
        }
        for row in (0..N).filter(|row| *row != pivot) {
            let factor = matrix[row][pivot];
            for column in 0..N {
                matrix[row][column] -= factor * matrix[pivot][column];
                found[row][column] -= factor * found[pivot][column];
            }
        }
    }
    Some(found)
}

impl Line {
    /// The deep value that is expected of a point.
    pub fn expected(&self, point: &Point) -> f64 {
        self.a * point.shallow + self.b + self.c * point.beta.unwrap_or_default()
    }

    /// The error of a point, in deviations.
    pub fn error_of(&self, point: &Point) -> f64 {
        (point.deep - self.expected(point)) / self.sigma
    }

    /// The errors in deviations, the lowest first.
    pub fn errors(&self) -> &[f64] {
        &self.errors
    }

    /// How far beyond its window a point is expected; `None` without one.
    pub fn ahead(&self, point: &Point) -> Option<Ahead> {
        let beta = point.beta?;
        Some(Ahead::of(self.expected(point), self.sigma, point.deep, beta))
    }

    /// The same line, of whose errors those of values that were left out of it are a part: one that is proven
    /// is wrong by any amount.
    pub fn with_errors_of<'a>(mut self, aside: impl Iterator<Item = &'a Point>) -> Line {
        let more: Vec<f64> = aside.map(|point| self.error_of(point)).collect();
        self.errors.extend(more);
        self.errors.sort_by(f64::total_cmp);
        self
    }
}

/// How far errors reach below and above with the chance that the normal distribution gives each
/// threshold of a table. `errors` are in deviations, the lowest first.
pub fn reaches(errors: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let side = |above: bool| {
        let reach = |index: usize| reach_of(errors, threshold_of(index), above).clamp(0.0, LONGEST);
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
    // Those that are proven are infinite.
    if rest == 0.0 || sorted[index] == sorted[next] {
        return sorted[index];
    }
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
                let (game, number, nodes) = (number / 4, number as usize, [10, 100]);
                let (unrest, guess) = (None, shallow);
                Point { game, shallow, deep, beta, unrest, number, guess, nodes }
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
    fn where_the_truth_is_nearer_to_the_window_the_window_tells() {
        let mut points = made_up(4_000, 1.0, 0.0, 50.0);
        for point in &mut points {
            point.deep += 0.3 * (point.beta.unwrap() - point.shallow);
        }
        let found = line(&points).unwrap();
        assert!((found.a - 0.7).abs() < 0.03 && (found.c - 0.3).abs() < 0.03, "{found:?}");
        assert!((found.sigma - 50.0).abs() < 3.0);
        let ahead = found.ahead(&points[0]).unwrap();
        let expected = found.expected(&points[0]);
        assert_eq!(ahead.above, expected >= points[0].beta.unwrap());
        assert!(
            (ahead.far - (expected - points[0].beta.unwrap()).abs() / found.sigma).abs() < 1e-9
        );
        // Without windows they tell nothing.
        points.iter_mut().for_each(|point| point.beta = None);
        let found = line(&points).unwrap();
        assert_eq!((found.c, found.ahead(&points[0])), (0.0, None));
        // More terms than tell anything apart make no line, and fewer do.
        points.iter_mut().for_each(|point| point.beta = Some(2.0 * point.shallow));
        assert_eq!(line(&points).unwrap().c, 0.0);
    }

    #[test]
    fn a_proven_value_is_an_error_of_any_size() {
        let points = made_up(1_000, 1.0, 0.0, 50.0);
        let found = line(&points).unwrap();
        let mated = Point { deep: f64::NEG_INFINITY, ..points[0] };
        let (before, above) = reaches(found.errors());
        // Twenty of a thousand: one in a hundred reaches as far as anything can, one in six a little further.
        let with = found.with_errors_of([mated; 20].iter());
        let (below, same) = reaches(with.errors());
        assert!(below[5] > before[5] && below[5] < before[5] + 0.3, "{below:?} {before:?}");
        assert_eq!(below[REACHES - 1], LONGEST);
        assert!((same[5] - above[5]).abs() < 0.1);
    }

    #[test]
    fn what_tells_nothing_gives_no_line() {
        assert_eq!(line(&made_up(19, 1.0, 0.0, 10.0)), None);
        let same = Point { shallow: 5.0, deep: 7.0, beta: None, ..made_up(1, 1.0, 0.0, 1.0)[0] };
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
            (found.points.len(), found.shallow_proven, found.proven.len(), found.beyond.len())
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
    fn points_that_are_counted_out_are_values_and_mates_are_not() {
        let row = |depth: i32, value: i32, kind: Kind| Row {
            game: 0,
            position: 0,
            stage: 0,
            category: 0,
            depth,
            value,
            kind,
            nodes: 1,
            beta: None,
            unrest: Vec::new(),
            text: String::new(),
        };
        let rows = [
            row(0, 30, Kind::Guess),
            row(2, -6, Kind::Final),
            row(3, -1, Kind::Mate),
            row(20, 4, Kind::End),
        ];
        let all = gather(&rows);
        assert_eq!((all.len(), all[0].end), (1, Some((20, 400.0))));
        let values: Vec<f64> = all[0].by_depth.iter().map(|(value, _)| *value).collect();
        assert_eq!([values[0], values[2], values[3]], [30.0, -600.0, f64::NEG_INFINITY]);
        assert!(values[1].is_nan() && values.len() == 4, "not searched one ply deep");
        let found = points(all.iter(), 1, 2, Window::Shallow(1_000.0));
        assert!(found.points.is_empty() && found.aside().next().is_none());
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
