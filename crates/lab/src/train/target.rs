//! What a position is fitted to: a chance to win, blended from how its game ended and what the
//! search said.
//!
//! Both need a scale: the lead that makes a win likely. Where points are counted a lead is a number
//! of points already and the scale is a matter of taste, so it is fixed. In other games it is fitted
//! once, with the weights to start from, and then held fixed; what is learned is brought to the
//! size of these in the end, so that its units are theirs: margins of the search and of referees
//! are in these units too.

use secateur_games::playable::Playable;

use super::examples::{Examples, Outcome};

/// Where points are counted: so many hundredths make 73 %. Large enough that a lead of twenty discs
/// in Othello is not yet the same as one of forty.
const SCALE_OF_POINTS: f64 = 1_200.0;

/// No game has a scale beyond these; few or odd games may seem to.
const SCALES: [f64; 2] = [50.0, 2_000.0];

/// More are not needed to fit one number.
const SAMPLE: usize = 400_000;

/// How leads become chances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scales {
    /// Of a score of the search.
    pub score: f64,
    /// Of a value of the evaluation, which knows less and so means less.
    pub value: f64,
}

/// The chance that a lead of `x` scales stands for.
#[inline]
pub fn chance(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The cross-entropy of a chance to win at a lead of `x` scales, where `target` is right.
#[inline]
pub fn loss(x: f32, target: f32) -> f32 {
    x.max(0.0) - x * target + (-x.abs()).exp().ln_1p()
}

/// The loss that remains if everything is guessed as well as can be: results are not certain.
pub fn least_loss(target: f32) -> f64 {
    let target = f64::from(target);
    let part = |share: f64| if share > 0.0 { -share * share.ln() } else { 0.0 };
    part(target) + part(1.0 - target)
}

/// Aims all examples at their targets, with this share of the result, and says by which scales.
pub fn aim<G: Playable>(
    training: &mut Examples,
    validation: &mut Examples,
    start: &[f32],
    result_share: f32,
    given: Option<f64>,
) -> Scales {
    let fixed = given.or(G::COUNTS_POINTS.then_some(SCALE_OF_POINTS));
    let score = fixed.unwrap_or_else(|| {
        let leads =
            training.outcomes().filter_map(|it| Some((f32::from(it.score), result(it.points?))));
        fit(leads, training.len()).unwrap_or(SCALES[1])
    });
    for examples in [&mut *training, validation] {
        examples.aim(|outcome| target(G::COUNTS_POINTS, outcome, result_share, score as f32));
    }
    let value = fixed.unwrap_or_else(|| {
        let values = (0..training.len())
            .map(|number| (training.value(number, start).0, training.target(number)));
        // Weights that are all zero have no units to remain in.
        fit(values, training.len()).unwrap_or(score)
    });
    Scales { score, value }
}

/// What new weights must be multiplied by so that they are on average as large as the old ones.
pub fn unit(examples: &Examples, old: &[f32], new: &[f32]) -> f32 {
    let size = |weights: &[f32]| -> f64 {
        (0..examples.len()).map(|number| f64::from(examples.value(number, weights).0.abs())).sum()
    };
    let (old, new) = (size(old), size(new));
    if old > 0.0 && new > 0.0 { (old / new) as f32 } else { 1.0 }
}

/// A win, draw or loss as a share of the point.
fn result(points: i16) -> f32 {
    f32::from(1 + points.signum()) / 2.0
}

/// The chance to win that this outcome speaks for.
fn target(counts_points: bool, outcome: Outcome, result_share: f32, scale: f32) -> f32 {
    let Outcome { score, points } = outcome;
    let Some(points) = points else { return chance(f32::from(score) / scale) };
    let blend = |result: f32, score: f32| result_share * result + (1.0 - result_share) * score;
    match counts_points {
        true => chance(blend(100.0 * f32::from(points), score.into()) / scale),
        false => blend(result(points), chance(f32::from(score) / scale)),
    }
}

/// The scale by which leads say best what follows, by golden sections of its logarithm (Kiefer,
/// 1953): in it the loss has one valley. Nothing if nobody ever leads.
fn fit(leads: impl Iterator<Item = (f32, f32)>, count: usize) -> Option<f64> {
    let sample: Vec<(f32, f32)> = leads.step_by(count.div_ceil(SAMPLE).max(1)).collect();
    if sample.iter().all(|(lead, _)| *lead == 0.0) {
        return None;
    }
    let loss = |logarithm: f64| -> f64 {
        let scale = logarithm.exp() as f32;
        sample.iter().map(|(lead, target)| f64::from(loss(lead / scale, *target))).sum()
    };
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    let [mut low, mut high] = SCALES.map(f64::ln);
    let inner = |low: f64, high: f64| [high - golden * (high - low), low + golden * (high - low)];
    let mut places = inner(low, high);
    let mut losses = places.map(loss);
    while high - low > 1e-3 {
        if losses[0] <= losses[1] {
            high = places[1];
            places = [inner(low, high)[0], places[0]];
            losses = [loss(places[0]), losses[0]];
        } else {
            low = places[0];
            places = [places[1], inner(low, high)[1]];
            losses = [losses[1], loss(places[1])];
        }
    }
    Some(((low + high) / 2.0).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_search::features::{Blend, WHOLE};
    use secateur_search::random::SplitMix;

    #[test]
    fn the_loss_is_the_cross_entropy_and_least_at_the_target() {
        for (x, aim) in [(0.3f32, 0.7f32), (-4.0, 0.2), (0.0, 0.5), (3.0, 0.0), (-2.0, 1.0)] {
            let p = chance(x);
            let plain = -aim * p.ln() - (1.0 - aim) * (1.0 - p).ln();
            assert!((loss(x, aim) - plain).abs() < 1e-5, "{x} {aim}");
            assert!(f64::from(loss(x, aim)) >= least_loss(aim) - 1e-6);
        }
        assert!(loss(200.0, 0.0).is_finite() && loss(-200.0, 1.0).is_finite());
        assert!((f64::from(loss(0.8, chance(0.8))) - least_loss(chance(0.8))).abs() < 1e-6);
    }

    #[test]
    fn results_and_scores_are_blended_as_chances_or_as_points() {
        let near = |a: f32, b: f32| (a - b).abs() < 1e-6;
        let won = Outcome { score: 0, points: Some(1) };
        let drawn = Outcome { score: 200, points: Some(0) };
        assert!(near(target(false, won, 0.5, 200.0), 0.75));
        assert!(near(target(false, drawn, 0.25, 200.0), 0.125 + 0.75 * chance(1.0)));
        let beside = Outcome { score: 200, points: None };
        assert!(near(target(false, beside, 0.5, 200.0), chance(1.0)));
        assert!(near(target(true, beside, 0.5, 200.0), chance(1.0)));
        let ahead = Outcome { score: 600, points: Some(-6) };
        assert!(near(target(true, ahead, 0.5, 1_200.0), 0.5));
        assert!(near(target(true, ahead, 0.0, 1_200.0), chance(0.5)));
    }

    #[test]
    fn new_weights_are_brought_to_the_size_of_the_old() {
        let mut examples = Examples::new(2);
        for count in [1, -3, 2] {
            let outcome = Outcome { score: 0, points: Some(0) };
            examples.push_counts(Blend::only(0), [WHOLE; 2], vec![(0, count), (1, 1)], outcome);
        }
        assert!((unit(&examples, &[100.0, 0.0], &[150.0, 0.0]) - 2.0 / 3.0).abs() < 1e-6);
        assert_eq!(unit(&examples, &[0.0, 0.0], &[150.0, 7.0]), 1.0, "no old size, no new one");
    }

    #[test]
    fn the_scale_that_made_the_results_is_found_again() {
        let mut random = SplitMix::new(3);
        let mut draw = || random.below(1 << 24) as f32 / (1 << 24) as f32;
        let games: Vec<(f32, f32)> = (0..100_000)
            .map(|_| {
                let lead = 1_200.0 * draw() - 600.0;
                (lead, f32::from(u8::from(draw() < chance(lead / 230.0))))
            })
            .collect();
        let found = fit(games.iter().copied(), games.len()).unwrap();
        assert!((found - 230.0).abs() < 6.0, "{found}");
        assert_eq!(fit([(0.0, 1.0)].into_iter(), 1), None);
        // Leads that say nothing need the largest there is.
        let empty = fit(games.iter().map(|(lead, _)| (*lead, 0.5)), games.len()).unwrap();
        assert!(empty > 1_990.0, "{empty}");
    }
}
