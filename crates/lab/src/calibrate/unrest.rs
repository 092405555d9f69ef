//! What unrest does to the errors of pairs: for every kind a factor for each of a few amounts of it, by
//! likelihood.
//!
//! The deviation of an error is that of its pair times the factors of all kinds. With those of the others
//! given, the likeliest factor of an amount is the root of the mean square of what they leave over: each kind in turn,
//! until nothing changes.

use secateur_search::calibrate::cuts::{REACHES, threshold_of};
use secateur_search::calibrate::unrest::{Amounts, FACTORS, Kind, Unrest, step};

use super::curve::{Ahead, Curves};
use super::line::reaches;

/// An error in deviations of its pair, and how uneasy the position is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uneasy {
    /// The error.
    pub error: f64,
    /// How far beyond its window the value is expected; `None` without one.
    pub ahead: Option<Ahead>,
    /// The amounts.
    pub amounts: Amounts,
}

/// With fewer errors an amount has no factor of its own.
const FEWEST: usize = 100;

/// Edges are looked for where these shares of the amounts lie below.
const SHARES: [f64; 5] = [0.25, 0.5, 0.75, 0.9, 0.97];

/// The factors of kinds with these names. `None` with too few errors.
pub fn fit(all: &[Uneasy], names: &[&str]) -> Option<Unrest> {
    if all.len() < 2 * FEWEST {
        return None;
    }
    let edges: Vec<Vec<i32>> = (0..names.len()).map(|kind| edges(all, kind)).collect();
    let steps: Vec<Vec<usize>> = (0..names.len())
        .map(|kind| all.iter().map(|one| step(&edges[kind], one.amounts[kind])).collect())
        .collect();
    let mut factors: Vec<Vec<f64>> = edges.iter().map(|edges| vec![1.0; edges.len() + 1]).collect();
    for _ in 0..ROUNDS {
        for kind in 0..names.len() {
            let mut sums = vec![(0.0, 0.0); factors[kind].len()];
            for (index, one) in all.iter().enumerate() {
                let others: f64 = (0..names.len())
                    .filter(|other| *other != kind)
                    .map(|other| factors[other][steps[other][index]])
                    .product();
                let sum = &mut sums[steps[kind][index]];
                // One that is proven has no size.
                if one.error.is_finite() {
                    sum.0 += (one.error / others).powi(2);
                    sum.1 += 1.0;
                }
            }
            factors[kind] = sums
                .iter()
                .map(|(squares, count)| (squares / count).sqrt().clamp(FACTORS[0], FACTORS[1]))
                .collect();
        }
    }
    let rounded = |factor: f64| (factor * 1_000.0).round() / 1_000.0;
    let kinds: Vec<Kind> = names
        .iter()
        .zip(edges)
        .zip(factors)
        .map(|((name, edges), factors)| Kind {
            name: name.to_string(),
            edges,
            factors: factors.into_iter().map(rounded).collect(),
        })
        .collect();
    let nearer = |one: &Uneasy| {
        let ahead = one.ahead?;
        Some(Ahead { far: ahead.far / factor(&kinds, &one.amounts), ..ahead })
    };
    let (below, above) = if all.iter().any(|one| one.ahead.is_some()) {
        Curves::fit(all.iter().filter_map(nearer))?.reaches((0..REACHES).map(threshold_of))
    } else {
        let mut errors: Vec<f64> =
            all.iter().map(|one| one.error / factor(&kinds, &one.amounts)).collect();
        errors.sort_by(f64::total_cmp);
        reaches(&errors)
    };
    Some(Unrest { below, above, kinds })
}

/// Factors of one kind settle long before.
const ROUNDS: usize = 20;

/// Where the amounts of a kind are divided: nowhere if nearly all are the same.
fn edges(all: &[Uneasy], kind: usize) -> Vec<i32> {
    let mut amounts: Vec<i32> = all.iter().map(|one| one.amounts[kind]).collect();
    amounts.sort_unstable();
    let mut edges: Vec<i32> = Vec::new();
    for share in SHARES {
        let edge = amounts[(share * amounts.len() as f64) as usize];
        let below = amounts.partition_point(|amount| *amount < edge);
        let since = edges.last().map_or(0, |last| amounts.partition_point(|a| a < last));
        if below - since >= FEWEST && amounts.len() - below >= FEWEST {
            edges.push(edge);
        }
    }
    edges
}

/// What all kinds together multiply a deviation by.
pub fn factor(kinds: &[Kind], amounts: &Amounts) -> f64 {
    let one = |(kind, amount): (&Kind, &i32)| kind.factors[step(&kind.edges, *amount)];
    kinds.iter().zip(amounts).map(one).product()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::normal;
    use secateur_search::random::SplitMix;

    #[test]
    fn factors_that_made_the_errors_are_found_and_what_does_nothing_has_none() {
        let mut random = SplitMix::new(5);
        let all: Vec<Uneasy> = (0..20_000)
            .map(|_| {
                let (one, other) = (random.below(100) as i32, random.below(2) as i32);
                let deviation = (if one < 50 { 0.5 } else { 1.5 }) * (1.0 + f64::from(other));
                let error = deviation * normal::draw(&mut random);
                Uneasy {
                    error,
                    ahead: None,
                    amounts: [one, other, 7, random.below(50) as i32, 0, 0],
                }
            })
            .collect();
        let found = fit(&all, &["a", "b", "c", "d"]).unwrap();
        let at = |amounts| factor(&found.kinds, &amounts);
        for (amounts, wanted) in [
            ([10, 0, 7, 20, 0, 0], 0.5),
            ([10, 1, 7, 20, 0, 0], 1.0),
            ([90, 0, 7, 20, 0, 0], 1.5),
            ([90, 1, 7, 40, 0, 0], 3.0),
        ] {
            assert!((at(amounts) / wanted - 1.0).abs() < 0.08, "{amounts:?} {}", at(amounts));
        }
        assert!(found.kinds[2].edges.is_empty(), "always the same");
        let nothing = &found.kinds[3].factors;
        let (least, most) = (
            nothing.iter().copied().fold(9.0, f64::min),
            nothing.iter().copied().fold(0.0, f64::max),
        );
        assert!(most / least < 1.1, "{nothing:?}");
        assert!((found.below[5] - 1.0).abs() < 0.05 && (found.above[10] - 1.5).abs() < 0.08);
        assert_eq!(fit(&all[..150], &["a"]), None);
    }
}
