//! One function that gives the deviation of every pair: a parabola of one sum of the stage and both
//! depths, by the likelihood of all pairs at once (the form is that of Delorme's Edax, 2012).

use std::collections::BTreeMap;

use secateur_search::calibrate::cuts::{Function, REACHES, threshold_of};

use super::curve::{Ahead, Curves};
use super::line::{Point, Values, Window, points, reaches};

/// Errors of the shallow value itself at one stage and pair: how many, and the sum of their squares.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Cell {
    count: f64,
    squares: f64,
}

/// A stage, a shallow depth and a deep one.
type Place = (usize, i32, i32);

/// An error of a shallow value, and its window if it is that of a node.
#[derive(Clone, Copy, Debug)]
struct Wrong {
    shallow: f64,
    deep: f64,
    beta: Option<f64>,
}

impl Wrong {
    fn of(point: &Point) -> Wrong {
        Wrong { shallow: point.shallow, deep: point.deep, beta: point.beta }
    }

    fn error(&self) -> f64 {
        self.deep - self.shallow
    }
}

/// Which pairs the function is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// The shallow value is that of a search.
    Searches,
    /// It is the evaluation without one.
    Guesses,
    /// It is any of both, and the deep one is that at the end of the game.
    End,
}

/// Of fewer solved positions nothing is said about the end of the game. Of 105, all 13 plies or more from it, a function
/// was fitted that knew of no errors nearer to it, and endings solved by it at 95 % were wrong in 16 of 28.
const LEAST_ENDS: usize = 500;

/// The function, by the likelihood of all pairs. `None` where too little was measured.
pub fn fit(positions: &[&Values], from: From, window: Window) -> Option<Function> {
    let errors = match from {
        // Every position gives an error for each of its depths, and they err together.
        From::End if positions.iter().filter(|one| one.end.is_some()).count() < LEAST_ENDS => {
            return None;
        }
        From::End => errors_at_end(positions, window),
        From::Searches | From::Guesses => errors_of_pairs(positions, from, window)?,
    };
    let deepest = errors.iter().map(|((_, _, deep), _)| *deep).max()?;
    let mut cells: BTreeMap<Place, Cell> = BTreeMap::new();
    for (place, wrong) in &errors {
        // One that is proven has no size.
        if wrong.error().is_finite() {
            let cell = cells.entry(*place).or_default();
            cell.count += 1.0;
            cell.squares += wrong.error().powi(2);
        }
    }
    let all = cells.values().fold(Cell::default(), |sum, cell| Cell {
        count: sum.count + cell.count,
        squares: sum.squares + cell.squares,
    });
    if all.count < 100.0 || all.squares <= 0.0 {
        return None;
    }
    let overall = (all.squares / all.count).sqrt();
    // Beginning with the same deviation everywhere; stage, deep, shallow, constant and square.
    let start = [0.0, 0.02 * overall, -0.02 * overall, overall, 0.0];
    let steps = [0.02 * overall, 0.02 * overall, 0.02 * overall, 0.2 * overall, 0.001];
    let least = 0.1 * overall;
    let made = |x: &[f64; 5]| Function {
        // The end is as far as it is, whatever the stage.
        stage: if from == From::End { 0.0 } else { x[0] },
        deep: x[1],
        // Of a guess the shallow depth is always 0.
        shallow: if from == From::Guesses { 0.0 } else { x[2] },
        parabola: [x[3], 1.0, x[4]],
        least,
        deepest,
        below: Vec::new(),
        above: Vec::new(),
    };
    let loss = |x: &[f64; 5]| -> f64 {
        let function = made(x);
        cells
            .iter()
            .map(|((stage, shallow, deep), cell)| {
                let sigma = function.sigma(*stage, *shallow, *deep);
                cell.count * sigma.ln() + cell.squares / (2.0 * sigma * sigma)
            })
            .sum::<f64>()
            / all.count
    };
    let best = lowest(loss, start, steps);
    let mut function = made(&best);
    let sigma = |(stage, shallow, deep): &Place| function.sigma(*stage, *shallow, *deep);
    let ahead = |(place, wrong): &(Place, Wrong)| {
        Some(Ahead::of(wrong.shallow, sigma(place), wrong.deep, wrong.beta?))
    };
    let (below, above) = if errors.iter().any(|(_, wrong)| wrong.beta.is_some()) {
        let all: Vec<Ahead> = errors.iter().filter_map(ahead).collect();
        Curves::fit(all.into_iter())?.reaches((0..REACHES).map(threshold_of))
    } else {
        let mut deviations: Vec<f64> =
            errors.iter().map(|(place, wrong)| wrong.error() / sigma(place)).collect();
        deviations.sort_by(f64::total_cmp);
        reaches(&deviations)
    };
    (function.below, function.above) = (below, above);
    Some(function)
}

/// The errors of shallow values themselves at every stage and pair.
fn errors_of_pairs(
    positions: &[&Values],
    from: From,
    window: Window,
) -> Option<Vec<(Place, Wrong)>> {
    let mut errors = Vec::new();
    let deepest = positions.iter().map(|position| position.by_depth.len()).max()?;
    let stages = positions.iter().map(|position| position.stage).max()? + 1;
    for stage in 0..stages {
        let here = || positions.iter().copied().filter(|position| position.stage == stage);
        for deep in 1..deepest {
            let shallows = if from == From::Searches { 1..deep } else { 0..1 };
            for shallow in shallows {
                let place = (stage, shallow as i32, deep as i32);
                let found = points(here(), shallow, deep, window);
                let all = found.points.iter().chain(found.aside());
                errors.extend(all.map(|point| (place, Wrong::of(point))));
            }
        }
    }
    Some(errors)
}

/// The errors of values of any depth that does not reach the end, against the value there.
fn errors_at_end(positions: &[&Values], window: Window) -> Vec<(Place, Wrong)> {
    let most = match window {
        Window::Deep(most) | Window::Shallow(most) => most,
    };
    let mut errors = Vec::new();
    for position in positions {
        let Some((plies, end)) = position.end else { continue };
        for (depth, (value, _)) in position.by_depth.iter().enumerate().take(plies) {
            let by = if matches!(window, Window::Deep(_)) { end } else { *value };
            if value.is_finite() && by.abs() <= most {
                let wrong = Wrong { shallow: *value, deep: end, beta: None };
                errors.push(((0, depth as i32, plies as i32), wrong));
            }
        }
    }
    errors
}

/// Where a function of five numbers is lowest, by the simplex of Nelder and Mead (1965), begun anew
/// where it has come to rest until that helps no more.
fn lowest(of: impl Fn(&[f64; 5]) -> f64, start: [f64; 5], steps: [f64; 5]) -> [f64; 5] {
    let mut best = start;
    for _ in 0..20 {
        let before = of(&best);
        best = descend(&of, best, steps);
        if before - of(&best) < 1e-9 {
            break;
        }
    }
    best
}

fn descend(of: impl Fn(&[f64; 5]) -> f64, start: [f64; 5], steps: [f64; 5]) -> [f64; 5] {
    let mut corners: Vec<([f64; 5], f64)> = vec![(start, of(&start))];
    for index in 0..5 {
        let mut corner = start;
        corner[index] += steps[index];
        corners.push((corner, of(&corner)));
    }
    for _ in 0..2_000 {
        corners.sort_by(|one, other| one.1.total_cmp(&other.1));
        let (best, worst) = (corners[0], corners[5]);
        if worst.1 - best.1 < 1e-12 {
            break;
        }
        let middle: [f64; 5] = std::array::from_fn(|i| {
            corners[..5].iter().map(|corner| corner.0[i]).sum::<f64>() / 5.0
        });
        let along = |factor: f64| -> ([f64; 5], f64) {
            let point = std::array::from_fn(|i| middle[i] + factor * (worst.0[i] - middle[i]));
            (point, of(&point))
        };
        let turned = along(-1.0);
        corners[5] = if turned.1 < best.1 {
            let further = along(-2.0);
            if further.1 < turned.1 { further } else { turned }
        } else if turned.1 < corners[4].1 {
            turned
        } else {
            let nearer = if turned.1 < worst.1 { along(-0.5) } else { along(0.5) };
            if nearer.1 < worst.1.min(turned.1) {
                nearer
            } else {
                for corner in &mut corners[1..] {
                    let point = std::array::from_fn(|i| (corner.0[i] + best.0[i]) / 2.0);
                    *corner = (point, of(&point));
                }
                continue;
            }
        };
    }
    corners.sort_by(|one, other| one.1.total_cmp(&other.1));
    corners[0].0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::normal;
    use secateur_search::random::SplitMix;

    #[test]
    fn the_lowest_point_of_a_bowl_is_found() {
        let bowl = |x: &[f64; 5]| -> f64 {
            (0..5).map(|i| (1.0 + i as f64) * (x[i] - i as f64).powi(2)).sum::<f64>() + x[0] * x[1]
        };
        let found = lowest(bowl, [9.0; 5], [1.0; 5]);
        for nearby in 0..5 {
            for step in [-0.01, 0.01] {
                let mut other = found;
                other[nearby] += step;
                assert!(bowl(&other) > bowl(&found), "{found:?}");
            }
        }
    }

    #[test]
    fn deviations_that_grow_with_the_difference_are_found_again() {
        let mut random = SplitMix::new(3);
        // From depth to depth a value takes a step of 20 units, of 30 at the second stage: the deviation
        // of a pair grows with the root of the difference.
        let positions: Vec<Values> = (0..3_000)
            .map(|number| {
                let stage = (number % 2) as usize;
                let step = if stage == 0 { 20.0 } else { 30.0 };
                let mut value = 100.0 * normal::draw(&mut random);
                let by_depth = (0..9)
                    .map(|_| {
                        value += step * normal::draw(&mut random);
                        (value, 1)
                    })
                    .collect();
                Values {
                    game: number,
                    stage,
                    category: 0,
                    beta: None,
                    unrest: None,
                    end: None,
                    by_depth,
                }
            })
            .collect();
        let all: Vec<&Values> = positions.iter().collect();
        let function = fit(&all, From::Searches, Window::Shallow(2_000.0)).unwrap();
        for (stage, shallow, deep, wanted) in
            [(0, 4, 6, 28.3), (0, 4, 8, 40.0), (1, 4, 6, 42.4), (1, 2, 8, 73.5), (0, 2, 8, 49.0)]
        {
            let found = function.sigma(stage, shallow, deep);
            assert!(
                (found / wanted - 1.0).abs() < 0.2,
                "{stage} {shallow} {deep}: {found} {wanted}"
            );
        }
        let (below, above) = (&function.below, &function.above);
        assert!((below[5] - 1.0).abs() < 0.1 && (above[5] - 1.0).abs() < 0.1);
        // From depth 0 as from any other, and apart.
        let guess = fit(&all, From::Guesses, Window::Shallow(2_000.0)).unwrap();
        assert!((guess.sigma(0, 0, 4) / 40.0 - 1.0).abs() < 0.2, "{}", guess.sigma(0, 0, 4));
        assert!(fit(&[], From::Searches, Window::Shallow(1.0)).is_none());
        assert!(fit(&all, From::End, Window::Shallow(2_000.0)).is_none(), "nothing was solved");
    }

    #[test]
    fn the_end_is_the_vaguer_the_further_away() {
        let mut random = SplitMix::new(4);
        let positions: Vec<Values> = (0..4_000)
            .map(|number| {
                let plies = 12 + (number % 8) as usize;
                let mut value = 500.0 * normal::draw(&mut random);
                let mut step = || {
                    value += 50.0 * normal::draw(&mut random);
                    value
                };
                let by_depth = (0..7).map(|_| (step(), 1)).collect();
                for _ in 7..plies {
                    step();
                }
                let end = Some((plies, step()));
                Values {
                    game: number,
                    stage: 3,
                    category: 0,
                    beta: None,
                    unrest: None,
                    by_depth,
                    end,
                }
            })
            .collect();
        let all: Vec<&Values> = positions.iter().collect();
        let of = |count: usize| fit(&all[..count], From::End, Window::Shallow(4_000.0));
        assert_eq!(of(LEAST_ENDS - 1), None, "too few, however many depths each has");
        assert!(of(LEAST_ENDS).is_some());
        let function = of(all.len()).unwrap();
        assert_eq!(function.deepest, 19);
        for (shallow, plies) in [(0, 12), (4, 12), (2, 16), (6, 19)] {
            let wanted = 50.0 * f64::from(plies - shallow).sqrt();
            let found = function.sigma(0, shallow, plies);
            assert!((found / wanted - 1.0).abs() < 0.1, "{shallow} {plies}: {found} {wanted}");
        }
    }
}
