//! The likeliest model of what scores mean, by Fisher scoring: Newton's method with the expected
//! instead of the observed curvature, which is never negative, damped as by Marquardt (1963).

use std::collections::HashMap;

use anyhow::bail;
use secateur_search::meaning::{Scale, TERMS, logistic, powers};

use super::Games;

/// Two cubics.
const SIZE: usize = 2 * TERMS;
/// As much as so many positions would say, the model is level and unlike no other: for stretches of
/// the game of which there is no sample.
const PRIOR: f64 = 2.0;
/// A chance is never less, so that one odd result does not outweigh all others.
const LEAST_CHANCE: f64 = 1e-6;
/// Fewer results of a kind make no model.
const FEWEST: u64 = 10;

/// Samples that differ in nothing, as seen by the side that is ahead.
struct Cell {
    powers: [f64; TERMS],
    score: f64,
    /// Won, drawn and lost.
    results: [f64; 3],
}

/// What there is to know of the likelihood at one place.
struct Slope {
    /// Minus its logarithm.
    loss: f64,
    gradient: [f64; SIZE],
    curvature: [[f64; SIZE]; SIZE],
}

/// The two cubics of the model, for what is left of a game between the ends of `range`.
pub fn fit(games: &Games, range: [i32; 2]) -> anyhow::Result<([f64; TERMS], [f64; TERMS])> {
    let cells = cells(games, range);
    let total = |kind: usize| cells.iter().map(|cell| cell.results[kind]).sum::<f64>() as u64;
    let (won, drawn, lost) = (total(0), total(1), total(2));
    if [won, drawn, lost].iter().any(|count| *count < FEWEST) {
        bail!(
            "too few results to learn from: in {won} positions the side ahead won, in {drawn} it \
             drew, in {lost} it lost, and {FEWEST} of each are needed"
        );
    }
    let mean = cells.iter().map(|cell| cell.score * cell.results.iter().sum::<f64>()).sum::<f64>()
        / (won + drawn + lost) as f64;
    let begin = (mean + 1.0).ln();
    let mut start = [0.0; SIZE];
    (start[0], start[TERMS]) = (begin, begin);

    let mut place = start;
    let mut slope = look(&cells, &place, &start);
    let mut damping = 1e-3;
    for _ in 0..200 {
        let mut matrix = slope.curvature;
        (0..SIZE).for_each(|i| matrix[i][i] *= 1.0 + damping);
        let Some(step) = solve(matrix, slope.gradient) else { break };
        let next = std::array::from_fn(|i| place[i] - step[i]);
        let there = look(&cells, &next, &start);
        if there.loss.is_finite() && there.loss < slope.loss {
            let gain = slope.loss - there.loss;
            (place, slope) = (next, there);
            damping = (damping / 5.0).max(1e-9);
            if gain < 1e-7 * slope.loss.abs() {
                break;
            }
        } else {
            damping *= 10.0;
            if damping > 1e9 {
                break;
            }
        }
    }
    let (mut half, mut width) = ([0.0; TERMS], [0.0; TERMS]);
    half.copy_from_slice(&place[..TERMS]);
    width.copy_from_slice(&place[TERMS..]);
    Ok((half, width))
}

/// The model is symmetrical, so a sample of the side behind is one of the side ahead.
fn cells(games: &Games, range: [i32; 2]) -> Vec<Cell> {
    let mut counts: HashMap<(i32, i32), [f64; 3]> = HashMap::new();
    for sample in games.iter().flatten() {
        let result = if sample.score < 0 { 2 - sample.result } else { sample.result };
        let left = sample.left.clamp(range[0], range[1]);
        counts.entry((left, sample.score.abs())).or_default()[result] += 1.0;
    }
    // In order, so that the same samples give the same sums.
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(key, _)| *key);
    let cell = |((left, score), results): ((i32, i32), _)| Cell {
        powers: powers(range, left),
        score: score.into(),
        results,
    };
    counts.into_iter().map(cell).collect()
}

fn look(cells: &[Cell], place: &[f64; SIZE], start: &[f64; SIZE]) -> Slope {
    let mut slope = Slope { loss: 0.0, gradient: [0.0; SIZE], curvature: [[0.0; SIZE]; SIZE] };
    for i in 0..SIZE {
        let away = place[i] - start[i];
        slope.loss += PRIOR * away * away / 2.0;
        slope.gradient[i] += PRIOR * away;
        slope.curvature[i][i] += PRIOR;
    }
    for cell in cells {
        let value = |cubic: &[f64]| -> f64 {
            cubic.iter().zip(cell.powers).map(|(coefficient, power)| coefficient * power).sum()
        };
        let scale =
            Scale { half: value(&place[..TERMS]).exp(), width: value(&place[TERMS..]).exp() };
        let (chances, turns) = turns(scale, cell.score);
        let number: f64 = cell.results.iter().sum();
        let (mut gradient, mut curvature) = ([0.0; 2], [[0.0; 2]; 2]);
        for kind in 0..3 {
            let chance = chances[kind].max(LEAST_CHANCE);
            slope.loss -= cell.results[kind] * chance.ln();
            for i in 0..2 {
                gradient[i] -= cell.results[kind] / chance * turns[kind][i];
                for j in 0..2 {
                    curvature[i][j] += number / chance * turns[kind][i] * turns[kind][j];
                }
            }
        }
        for i in 0..SIZE {
            slope.gradient[i] += gradient[i / TERMS] * cell.powers[i % TERMS];
            for j in 0..SIZE {
                slope.curvature[i][j] += curvature[i / TERMS][j / TERMS]
                    * cell.powers[i % TERMS]
                    * cell.powers[j % TERMS];
            }
        }
    }
    slope
}

/// The chances with a score, and how each changes with the logarithms of a and of b.
fn turns(scale: Scale, score: f64) -> ([f64; 3], [[f64; 2]; 3]) {
    let above = (score - scale.half) / scale.width;
    let below = (-score - scale.half) / scale.width;
    let steep = |x: f64| logistic(x) * logistic(-x);
    let ratio = scale.half / scale.width;
    let win = [-steep(above) * ratio, -steep(above) * above];
    let loss = [-steep(below) * ratio, -steep(below) * below];
    let draw = [-win[0] - loss[0], -win[1] - loss[1]];
    // Not 1 less the others, which would be all rounding where a draw is rare.
    let drawn = logistic(-above) - logistic(below);
    ([logistic(above), drawn, logistic(below)], [win, draw, loss])
}

/// The solution of a set of linear equations by elimination; `None` if there is no single one.
fn solve<const N: usize>(mut matrix: [[f64; N]; N], mut right: [f64; N]) -> Option<[f64; N]> {
    for column in 0..N {
        let largest = (column..N)
            .max_by(|i, j| matrix[*i][column].abs().total_cmp(&matrix[*j][column].abs()))?;
        matrix.swap(column, largest);
        right.swap(column, largest);
        let pivot = matrix[column];
        if pivot[column].abs() < 1e-300 {
            return None;
        }
        for row in column + 1..N {
            let times = matrix[row][column] / pivot[column];
            (column..N).for_each(|i| matrix[row][i] -= times * pivot[i]);
            right[row] -= times * right[column];
        }
    }
    for row in (0..N).rev() {
        let known: f64 = (row + 1..N).map(|i| matrix[row][i] * right[i]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right.iter().all(|number| number.is_finite()).then_some(right)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::meaning::Sample;
    use secateur_search::Meaning;
    use secateur_search::random::SplitMix;

    /// Games of ten samples each whose results this model has drawn.
    pub(in crate::meaning) fn made_up(model: &Meaning, games: usize, seed: u64) -> Games {
        let mut random = SplitMix::new(seed);
        let mut sample = || {
            let [least, most] = model.range;
            let left = least + random.below((most - least + 1) as usize) as i32;
            let score = random.below(801) as i32 - 400;
            let [win, draw, _] = model.at(left).chances(score.into());
            let lot = random.below(1_000_000) as f64 / 1e6;
            let result = if lot < win { 0 } else { 1 + usize::from(lot >= win + draw) };
            Sample { left, score, result }
        };
        (0..games).map(|_| (0..10).map(|_| sample()).collect()).collect()
    }

    pub(in crate::meaning) fn model(half: [f64; 4], width: [f64; 4]) -> Meaning {
        Meaning { game: "toy".into(), range: [10, 78], half, width, origin: Default::default() }
    }

    #[test]
    fn a_known_model_is_found_again() {
        let truth = model([5.0, 0.4, -0.2, 0.1], [4.4, -0.3, 0.1, 0.0]);
        let (half, width) = fit(&made_up(&truth, 20_000, 3), truth.range).unwrap();
        let found = model(half, width);
        for left in (10..=78).step_by(4) {
            let (known, found) = (truth.at(left), found.at(left));
            let off = |a: f64, b: f64| (a / b).ln().abs();
            assert!(off(found.half, known.half) < 0.06, "{left}: {found:?} {known:?}");
            assert!(off(found.width, known.width) < 0.06, "{left}: {found:?} {known:?}");
        }
    }

    #[test]
    fn games_with_hardly_a_draw_are_fitted_too() {
        let truth = model([2.0, 0.0, 0.0, 0.0], [5.5, 0.3, 0.0, 0.0]);
        let (half, width) = fit(&made_up(&truth, 5_000, 4), truth.range).unwrap();
        let found = model(half, width);
        assert!(found.is_reasonable(), "{found:?}");
        let chances = found.at(40).chances(200.0);
        let known = truth.at(40).chances(200.0);
        assert!((chances[0] - known[0]).abs() < 0.02, "{chances:?} {known:?}");
    }

    #[test]
    fn the_slope_is_that_of_the_likelihood() {
        let truth = model([4.8, 0.2, 0.1, 0.0], [4.5, 0.1, 0.0, 0.1]);
        let cells = cells(&made_up(&truth, 200, 5), truth.range);
        let start = [5.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0];
        let place = [4.9, 0.1, -0.1, 0.05, 4.2, -0.1, 0.05, 0.0];
        let slope = look(&cells, &place, &start);
        for i in 0..SIZE {
            let (mut more, mut less) = (place, place);
            (more[i], less[i]) = (place[i] + 1e-5, place[i] - 1e-5);
            let measured =
                (look(&cells, &more, &start).loss - look(&cells, &less, &start).loss) / 2e-5;
            let told = slope.gradient[i];
            assert!((measured - told).abs() < 1e-3 * (1.0 + told.abs()), "{i}: {measured} {told}");
        }
    }

    #[test]
    fn too_few_results_are_refused() {
        let truth = model([5.0, 0.0, 0.0, 0.0], [4.4, 0.0, 0.0, 0.0]);
        let error = fit(&made_up(&truth, 2, 1), truth.range).unwrap_err().to_string();
        assert!(error.starts_with("too few results to learn from: in "), "{error}");
    }

    #[test]
    fn equations_are_solved() {
        assert_eq!(solve([[0.0, 2.0], [4.0, 1.0]], [6.0, 7.0]), Some([1.0, 3.0]));
        assert_eq!(solve([[1.0, 2.0], [2.0, 4.0]], [1.0, 1.0]), None);
    }
}
