//! Whether what a line promises holds where it has not been: every game is judged by a line through
//! the others.

use std::collections::BTreeMap;

use super::curve::Curves;
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
    /// Whether anything was seen.
    pub fn is_known(&self) -> bool {
        self.coverage.is_known() || self.cuts.is_known()
    }

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
    /// Whether it lies within two standard errors or a point of what was promised; of nothing it does.
    pub fn holds(&self, promised: f64) -> bool {
        // Of few, one more or less than promised is no sign, however steady the others look.
        let expected = (promised * (1.0 - promised) / self.n.max(1) as f64).sqrt();
        let error = self.error.max(expected);
        self.n == 0 || (self.value - promised).abs() <= (2.0 * error).max(0.01)
    }
}

impl CutError {
    /// Whether there was any cut.
    pub fn is_known(&self) -> bool {
        self.wrong.n > 0
    }

    /// Whether the cuts are wrong as often as they promise.
    pub fn holds(&self) -> bool {
        self.wrong.holds(self.promised)
    }
}

impl Coverage {
    /// Whether anything was seen on either side.
    pub fn is_known(&self) -> bool {
        self.below.n + self.above.n > 0
    }

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
    // Where nothing was seen, what might have been is not nothing: as if one more of each had been.
    let rare = 1.0 / (n as f64 + 2.0);
    let least = rare * (1.0 - rare) / n as f64;
    Share { value, error: variance.max(least).sqrt(), n }
}

/// A line through the points of all parts but one, for each of them. `None` where one cannot be had.
pub fn lines(points: &[Point]) -> Option<Vec<Line>> {
    let without = |number: u64| {
        let others: Vec<Point> =
            points.iter().filter(|point| part(point.game) != number).copied().collect();
        line(&others)
    };
    (0..PARTS).map(without).collect()
}

/// What goes by the errors that were seen.
#[derive(Clone, Copy, Debug)]
pub enum Seen<'a> {
    /// Those of each line.
    Errors,
    /// How often cuts were wrong at nodes of other games, for each part.
    Curves(&'a [Curves]),
}

/// Judges every point by a line through those of other games. Those that no line goes through, such as values that
/// are proven, are errors too and may make a cut wrong.
pub fn held_out(points: &[Point], aside: &[Point], lines: &[Line], seen: Seen<'_>) -> HeldOut {
    let judged: Vec<Judged<'_>> = points
        .iter()
        .chain(aside)
        .map(|point| {
            let number = part(point.game) as usize;
            let curves = match seen {
                Seen::Errors => None,
                Seen::Curves(curves) => curves.get(number),
            };
            Judged { point, line: &lines[number], curves }
        })
        .collect();
    let density = |judged: &Judged<'_>| {
        let (z, sigma) = (judged.line.error_of(judged.point), judged.line.sigma);
        -0.5 * z * z - sigma.ln() - 0.5 * std::f64::consts::TAU.ln()
    };
    let mut by_model = [false, true].map(|empirical| {
        let (mut coverages, mut errors, mut all) = (Vec::new(), Vec::new(), Vec::new());
        for threshold in THRESHOLDS {
            let mut events = Events::default();
            coverages.push(cover(&judged, threshold, empirical, &mut events));
            errors.push(cut(&judged, threshold, empirical, &mut events));
            all.push(events);
        }
        (coverages, errors, all)
    });
    let [(normal, normal_cuts, _), (empirical, empirical_cuts, events)] = &mut by_model;
    let likelihoods = judged[..points.len()].iter().map(density);
    HeldOut {
        normal: std::mem::take(normal),
        empirical: std::mem::take(empirical),
        normal_cuts: std::mem::take(normal_cuts),
        empirical_cuts: std::mem::take(empirical_cuts),
        events: std::mem::take(events),
        likelihood: likelihoods.sum::<f64>() / points.len().max(1) as f64,
        n: points.len(),
    }
}

/// A point, and what has not seen its game.
struct Judged<'a> {
    point: &'a Point,
    line: &'a Line,
    curves: Option<&'a Curves>,
}

impl Judged<'_> {
    /// How far errors reach below and above.
    fn reach(&self, threshold: f64, empirical: bool) -> (f64, f64) {
        match (empirical, self.curves) {
            (false, _) => (threshold, threshold),
            (true, Some(curves)) => {
                (curves.side(true).reach(threshold), curves.side(false).reach(threshold))
            }
            (true, None) => {
                let errors = self.line.errors();
                (reach_of(errors, threshold, false), reach_of(errors, threshold, true))
            }
        }
    }

    /// The chance that the truth lies on the other side of a window so many deviations away.
    fn chance(&self, above: bool, far: f64, empirical: bool) -> f64 {
        match (empirical, self.curves) {
            (false, _) => normal::below(-far),
            (true, Some(curves)) => curves.side(above).chance(far),
            (true, None) => {
                let errors = self.line.errors();
                let beyond = match above {
                    true => errors.partition_point(|error| *error < -far),
                    false => errors.len() - errors.partition_point(|error| *error < far),
                };
                beyond as f64 / errors.len().max(1) as f64
            }
        }
    }
}

/// How far from the bound of a cut, in deviations, nodes are looked at.
const NEAR: f64 = 0.4;

fn cover(judged: &[Judged<'_>], threshold: f64, empirical: bool, events: &mut Events) -> Coverage {
    let mut beyond = [Vec::new(), Vec::new()];
    // Reaches of a part are the same for all of its points.
    let mut reaches: BTreeMap<u64, (f64, f64)> = BTreeMap::new();
    for one in judged {
        let number = part(one.point.game);
        let (low, high) = *reaches.entry(number).or_insert_with(|| one.reach(threshold, empirical));
        let z = one.line.error_of(one.point);
        // What nodes promise holds at the bound: errors below matter where a cut above is about to be made, and the
        // other way round.
        let ahead = one.curves.filter(|_| empirical).and_then(|_| one.line.ahead(one.point));
        let at_bound = |above: bool, reach: f64| {
            ahead.is_none_or(|ahead| ahead.above == above && (ahead.far - reach).abs() <= NEAR)
        };
        if at_bound(true, low) {
            beyond[0].push((one.point.game, z < -low));
        }
        if at_bound(false, high) {
            beyond[1].push((one.point.game, z > high));
        }
    }
    [events.below, events.above] = beyond;
    let promised = normal::below(-threshold);
    Coverage { threshold, promised, below: share(&events.below), above: share(&events.above) }
}

/// Cuts in the windows of the nodes; positions of games have the value of another one for a window, half
/// the list further on.
fn cut(judged: &[Judged<'_>], threshold: f64, empirical: bool, events: &mut Events) -> CutError {
    let count = judged.len();
    let mut reaches: BTreeMap<u64, (f64, f64)> = BTreeMap::new();
    for (index, one) in judged.iter().enumerate() {
        let &Judged { point, line, .. } = one;
        let (low, high) =
            *reaches.entry(part(point.game)).or_insert_with(|| one.reach(threshold, empirical));
        let elsewhere = judged[(index + count / 2 + 1) % count].point.shallow;
        let beta = point.beta.unwrap_or(elsewhere);
        let far = (line.expected(point) - beta) / line.sigma;
        if far >= low {
            events.promised += one.chance(true, far, empirical);
            events.cuts.push((point.game, point.deep < beta));
        } else if -far > high {
            events.promised += one.chance(false, -far, empirical);
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

    /// By the errors of the lines; by curves, each of other games, if they are asked for.
    fn judged(points: &[Point], aside: &[Point], by_curves: bool) -> HeldOut {
        let lines = lines(points).unwrap();
        if !by_curves {
            let aside_of = |number: u64| aside.iter().filter(move |p| part(p.game) != number);
            let with = |(number, line): (u64, Line)| line.with_errors_of(aside_of(number));
            let lines: Vec<Line> = (0..).zip(lines).map(with).collect();
            return held_out(points, aside, &lines, Seen::Errors);
        }
        let curves: Vec<Curves> = (0..PARTS)
            .map(|number| {
                let others = points.iter().chain(aside).filter(|point| part(point.game) != number);
                let line = &lines[number as usize];
                Curves::fit(others.filter_map(|point| line.ahead(point))).unwrap()
            })
            .collect();
        held_out(points, aside, &lines, Seen::Curves(&curves))
    }

    #[test]
    fn a_model_that_is_right_holds_and_one_that_is_wrong_does_not() {
        let points = made_up(6_000, 1.0, 5.0, 50.0);
        for by_curves in [false, true] {
            let found = judged(&points, &[], by_curves);
            for coverage in found.normal.iter().chain(&found.empirical) {
                let near = |share: &Share| {
                    (share.value - coverage.promised).abs() <= (3.0 * share.error).max(0.01)
                };
                assert!(near(&coverage.below) && near(&coverage.above), "{coverage:?}");
            }
            for cut in found.normal_cuts.iter().chain(&found.empirical_cuts) {
                let slack = (3.0 * cut.wrong.error).max(0.01);
                assert!((cut.wrong.value - cut.promised).abs() <= slack, "{cut:?}");
                assert!(cut.wrong.n > 500);
            }
        }
        // Errors that are small or large, and seldom in between: the normal distribution is wrong.
        let mut odd = points.clone();
        for (index, point) in odd.iter_mut().enumerate() {
            let error = point.deep - point.shallow - 5.0;
            let factor = if index % 10 == 0 { 4.0 } else { 0.3 };
            point.deep = point.shallow + 5.0 + factor * error;
        }
        let found = judged(&odd, &[], false);
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
    fn errors_that_grow_away_from_the_window_are_told_by_curves_and_not_by_lines() {
        let mut points = made_up(12_000, 1.0, 0.0, 50.0);
        for point in &mut points {
            let far = (point.shallow - point.beta.unwrap()).abs() / 100.0;
            point.deep = point.shallow + (point.deep - point.shallow) * far;
        }
        let wrong = |by_curves: bool| {
            let found = judged(&points, &[], by_curves);
            found.empirical_cuts.iter().filter(|cut| !cut.holds()).count()
        };
        assert!(wrong(false) >= 3 && wrong(true) == 0, "{} {}", wrong(false), wrong(true));
    }

    #[test]
    fn a_proven_value_that_the_shallow_search_missed_makes_a_cut_wrong_and_is_promised() {
        let points = made_up(2_000, 1.0, 0.0, 50.0);
        // Mated, though the shallow value was far above the window.
        let mated: Vec<Point> = (0..30)
            .map(|game| Point {
                game,
                shallow: 400.0,
                deep: f64::NEG_INFINITY,
                beta: Some(0.0),
                ..points[0]
            })
            .collect();
        for by_curves in [false, true] {
            let found = |aside: &[Point]| judged(&points, aside, by_curves).empirical_cuts[1];
            let (without, with) = (found(&[]), found(&mated));
            let wrong = |cut: &CutError| cut.wrong.value * cut.wrong.n as f64;
            assert!(wrong(&with) > wrong(&without) + 20.0, "{with:?} {without:?}");
            assert!(with.promised > without.promised + 0.005, "{with:?} {without:?}");
            // Lines know that it happens, curves also where: they promise no less than comes.
            let slack = (3.0 * with.wrong.error).max(0.01);
            assert!(!by_curves || with.promised > with.wrong.value - slack, "{with:?}");
        }
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

    #[test]
    fn one_more_or_less_of_few_is_no_sign_and_of_many_it_is() {
        let few = |held: u64| share(&(0..21).map(|game| (game, game < held)).collect::<Vec<_>>());
        assert!(few(1).holds(0.16), "1 of 21 where 3.4 are promised");
        assert!(!few(0).holds(0.5) && !few(21).holds(0.5));
        let many = |held: u64| share(&(0..2_100).map(|g| (g, g < held)).collect::<Vec<_>>());
        assert!(!many(100).holds(0.16) && many(330).holds(0.16));
        assert!(share(&[]).holds(0.5), "of nothing nothing is wrong");
    }
}
