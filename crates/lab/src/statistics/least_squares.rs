//! Linear least squares: what a sum of known terms has to weigh to come nearest to what was
//! measured, and how far that can be trusted.

use super::elo::Estimate;
use super::normal::Z95;

/// A measurement: the terms, and what was measured.
pub type Row = (Vec<f64>, f64);

/// Weights of terms, with their errors.
#[derive(Clone, Debug)]
pub struct Fit {
    weights: Vec<f64>,
    /// Of the weights.
    covariance: Vec<Vec<f64>>,
}

/// Below this share of its former size a pivot is nothing but rounding: the terms are not
/// independent.
const NOTHING: f64 = 1e-9;

/// The best weights. Nothing if the measurements do not determine them, or leave no spread from
/// which an error could be told.
pub fn fit(rows: &[Row]) -> Option<Fit> {
    let count = rows.first()?.0.len();
    let free = rows.len().checked_sub(count).filter(|free| *free > 0)? as f64;
    let mut products = vec![vec![0.0; count]; count];
    let mut wanted = vec![0.0; count];
    for (terms, measured) in rows {
        for i in 0..count {
            wanted[i] += terms[i] * measured;
            for j in 0..count {
                products[i][j] += terms[i] * terms[j];
            }
        }
    }
    let inverse = inverted(products)?;
    let times = |row: &Vec<f64>| row.iter().zip(&wanted).map(|(a, b)| a * b).sum();
    let weights: Vec<f64> = inverse.iter().map(times).collect();
    let missed = |(terms, measured): &Row| {
        let sum: f64 = terms.iter().zip(&weights).map(|(a, b)| a * b).sum();
        (measured - sum).powi(2)
    };
    let variance = rows.iter().map(missed).sum::<f64>() / free;
    let scale = |row: Vec<f64>| row.into_iter().map(|entry| variance * entry).collect();
    let covariance = inverse.into_iter().map(scale).collect();
    (variance > 0.0).then_some(Fit { weights, covariance })
}

impl Fit {
    /// A sum of these terms, with the half-width of its 95 % interval.
    pub fn sum(&self, terms: &[f64]) -> Estimate {
        let value = terms.iter().zip(&self.weights).map(|(a, b)| a * b).sum();
        let variance: f64 = terms
            .iter()
            .zip(&self.covariance)
            .map(|(a, row)| a * terms.iter().zip(row).map(|(b, entry)| b * entry).sum::<f64>())
            .sum();
        Estimate { value, error: Z95 * variance.max(0.0).sqrt() }
    }

    /// One weight, with the half-width of its 95 % interval.
    pub fn weight(&self, index: usize) -> Estimate {
        let error = Z95 * self.covariance[index][index].max(0.0).sqrt();
        Estimate { value: self.weights[index], error }
    }
}

/// The inverse of a symmetric matrix that is positive definite, by Gauss and Jordan.
pub(crate) fn inverted(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let count = matrix.len();
    let sizes: Vec<f64> = (0..count).map(|i| matrix[i][i]).collect();
    let unit = |i: usize| (0..count).map(move |j| if i == j { 1.0 } else { 0.0 }).collect();
    let mut inverse: Vec<Vec<f64>> = (0..count).map(unit).collect();
    for pivot in 0..count {
        let size = matrix[pivot][pivot];
        // Not a number is not greater either.
        let sound = size > NOTHING * sizes[pivot];
        if !sound {
            return None;
        }
        for entry in matrix[pivot].iter_mut().chain(&mut inverse[pivot]) {
            *entry /= size;
        }
        for other in (0..count).filter(|other| *other != pivot) {
            let factor = matrix[other][pivot];
            for column in 0..count {
                matrix[other][column] -= factor * matrix[pivot][column];
                inverse[other][column] -= factor * inverse[pivot][column];
            }
        }
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slope is 0.6, the height at 0 is 2.2; the residuals -0.8, 0.6, 1.0, -0.6, -0.2 have
    /// squares of 2.4 in all, so the variance is 0.8, that of the slope 0.8 / 10, that of the
    /// height 0.8 * 11 / 10.
    #[test]
    fn a_line_through_five_points_is_the_one_worked_out_by_hand() {
        let points = [(1.0, 2.0), (2.0, 4.0), (3.0, 5.0), (4.0, 4.0), (5.0, 5.0)];
        let rows: Vec<Row> = points.iter().map(|(x, y)| (vec![1.0, *x], *y)).collect();
        let fit = fit(&rows).unwrap();
        let near = |found: Estimate, value: f64, variance: f64| {
            assert!((found.value - value).abs() < 1e-9, "{found:?}");
            assert!((found.error - Z95 * variance.sqrt()).abs() < 1e-9, "{found:?}");
        };
        near(fit.weight(0), 2.2, 0.88);
        near(fit.weight(1), 0.6, 0.08);
        // At the mean of the points the line is surest: a fifth of the variance.
        near(fit.sum(&[1.0, 3.0]), 4.0, 0.16);
    }

    #[test]
    fn what_is_not_determined_is_not_told() {
        let twice = |x: f64| (vec![x, 2.0 * x], x + (10.0 * x).sin());
        let rows: Vec<Row> = (0..20).map(|x| twice(f64::from(x))).collect();
        assert!(fit(&rows).is_none(), "two terms that are one");
        assert!(fit(&[]).is_none() && fit(&[(vec![1.0], 3.0)]).is_none(), "no spread");
        let level: Vec<Row> = (0..20).map(|x| (vec![f64::from(x)], 0.0)).collect();
        assert!(fit(&level).is_none(), "nothing but draws");
    }
}
