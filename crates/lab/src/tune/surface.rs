//! What the results say of two parameters together: a bent surface, fitted to differences like the
//! [landscape](super::landscape) of one.

use super::Order;
use super::folder::Trial;
use super::landscape::{View, is_told, less, range};
use super::spsa::Spsa;
use crate::statistics::elo::Estimate;
use crate::statistics::least_squares::{self, Fit, Row};

/// With fewer iterations five numbers cannot be told.
const ENOUGH: usize = 60;
/// Cells of the map along each side, at most.
const MOST_CELLS: usize = 14;
/// So many sets should be tried in a cell, if all were tried alike.
const IN_A_CELL: usize = 8;

/// A map of the values of two parameters.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Which parameters: across and up.
    pub parameters: [usize; 2],
    /// The cells in which sets were tried.
    pub cells: Vec<Cell>,
}

/// A cell of the map.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    /// Its lower left corner.
    pub from: [f64; 2],
    /// Its upper right corner.
    pub to: [f64; 2],
    /// The lead of its middle over the untuned values: the score against them less a half.
    pub lead: Estimate,
    /// Whether that is told from no lead at all.
    pub is_told: bool,
    /// Sets that were tried in it.
    pub tried: usize,
}

/// The two parameters that moved the most, counted in their steps.
pub fn most_moved(order: &Order, spsa: &Spsa) -> Option<[usize; 2]> {
    let far = |index: usize| {
        let parameter = &order.parameters[index];
        let moved = spsa.values()[index] - f64::from(parameter.start);
        moved.abs() / f64::from(parameter.step.max(1))
    };
    let mut indices: Vec<usize> = (0..order.parameters.len()).collect();
    indices.sort_by(|a, b| far(*b).total_cmp(&far(*a)));
    match indices[..] {
        [first, second, ..] => Some([first, second]),
        _ => None,
    }
}

/// The map of two parameters; nothing if there are too few iterations to tell.
pub fn surface(order: &Order, trials: &[Trial], parameters: [usize; 2]) -> Option<Surface> {
    if trials.len() < ENOUGH {
        return None;
    }
    let ranges = parameters.map(|index| range(order, trials, index));
    let views = ranges.map(|(low, high)| View::of(low, high));
    let terms = |at: [f64; 2]| {
        let [u, v] = [views[0].see(at[0]), views[1].see(at[1])];
        vec![u, v, u * u, v * v, u * v]
    };
    let place = |set: &[i32]| parameters.map(|index| f64::from(set[index]));
    let row = |trial: &Trial| -> Row {
        let [first, second] = [&trial.first, &trial.second].map(|set| terms(place(set)));
        (less(&first, &second), trial.lead)
    };
    let fit = least_squares::fit(&trials.iter().map(row).collect::<Vec<_>>())?;
    let start = terms(place(&order.start()));
    let cells = cells(trials, ranges, &place, &|at| lead(&fit, &terms(at), &start));
    Some(Surface { parameters, cells })
}

fn lead(fit: &Fit, here: &[f64], start: &[f64]) -> Estimate {
    fit.sum(&less(here, start))
}

/// The cells in which some set was tried.
fn cells(
    trials: &[Trial],
    ranges: [(f64, f64); 2],
    place: &dyn Fn(&[i32]) -> [f64; 2],
    lead: &dyn Fn([f64; 2]) -> Estimate,
) -> Vec<Cell> {
    // Whole numbers lie in the middles of their cells.
    let most = MOST_CELLS.min((2 * trials.len() / IN_A_CELL).isqrt());
    let counts = ranges.map(|(low, high)| most.min((high - low) as usize + 1));
    let size = |side: usize| {
        let (low, high) = ranges[side];
        (high - low + 1.0) / counts[side] as f64
    };
    let sizes = [size(0), size(1)];
    let mut tried = vec![0; counts[0] * counts[1]];
    for set in trials.iter().flat_map(|trial| [&trial.first, &trial.second]) {
        let at = place(set);
        let cell = [0, 1].map(|side| (at[side] - ranges[side].0 + 0.5) / sizes[side]);
        let inside = (0..2).all(|side| cell[side] >= 0.0 && cell[side] < counts[side] as f64);
        if inside {
            tried[cell[1] as usize * counts[0] + cell[0] as usize] += 1;
        }
    }
    let cell = |(number, tried): (usize, usize)| {
        let numbers = [number % counts[0], number / counts[0]];
        let edge = |more: f64| {
            let edge =
                |side: usize| ranges[side].0 - 0.5 + (numbers[side] as f64 + more) * sizes[side];
            [edge(0), edge(1)]
        };
        let lead = lead(edge(0.5));
        Cell { from: edge(0.0), to: edge(1.0), lead, is_told: is_told(lead), tried }
    };
    tried.into_iter().enumerate().filter(|(_, tried)| *tried > 0).map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::super::landscape::tests::{parameter, tuned_on};
    use super::*;
    use crate::tune::order_of;

    /// A ridge along which the two must move together: best at (120, 80).
    fn height(set: &[i32]) -> f64 {
        let [a, b] = [f64::from(set[0]) - 120.0, f64::from(set[1]) - 80.0].map(|x| x / 60.0);
        -0.1 * a * a - 0.1 * b * b + 0.1 * a * b
    }

    fn tuned() -> (Order, Vec<Trial>, Spsa) {
        let parameters = vec![parameter("a", 60), parameter("b", 120), parameter("c", 100)];
        let order = Order { rate: 0.3, iterations: 5_000, ..order_of(parameters) };
        let (trials, spsa) = tuned_on(&order, height);
        (order, trials, spsa)
    }

    #[test]
    fn the_surface_that_was_played_on_is_found_where_sets_were_tried() {
        let (order, trials, _) = tuned();
        let map = surface(&order, &trials, [0, 1]).unwrap();
        assert!(map.cells.len() > 20, "{}", map.cells.len());
        let start = height(&order.start());
        for cell in &map.cells {
            let middle = [0, 1].map(|side| 0.5 * (cell.from[side] + cell.to[side]));
            let truth = height(&middle.map(|value| value.round() as i32)) - start;
            let Estimate { value, error } = cell.lead;
            assert!((value - truth).abs() < 1.6 * error + 0.01, "{cell:?} {truth}");
        }
        let best = map.cells.iter().filter(|cell| cell.tried > 20);
        let best = best.max_by(|a, b| a.lead.value.total_cmp(&b.lead.value)).unwrap();
        assert!((best.from[0] - 120.0).abs() < 30.0 && (best.from[1] - 80.0).abs() < 30.0);
        assert!(best.is_told, "the untuned set is told from the best");
    }

    #[test]
    fn every_set_in_range_is_counted_in_one_cell_and_empty_cells_are_left_out() {
        let (order, trials, _) = tuned();
        let map = surface(&order, &trials, [0, 2]).unwrap();
        let ranges = [0, 2].map(|index| range(&order, &trials, index));
        let within = |set: &&Vec<i32>| {
            [0, 2]
                .iter()
                .zip(ranges)
                .all(|(index, (low, high))| (low..=high).contains(&f64::from(set[*index])))
        };
        let sets = || trials.iter().flat_map(|trial| [&trial.first, &trial.second]);
        let counted: usize = map.cells.iter().map(|cell| cell.tried).sum();
        assert_eq!(counted, sets().filter(within).count());
        for cell in &map.cells {
            let inside = |set: &&Vec<i32>| {
                let sides = [set[0], set[2]].into_iter().zip(cell.from.iter().zip(&cell.to));
                sides.into_iter().all(|(value, (from, to))| (*from..*to).contains(&value.into()))
            };
            assert_eq!(cell.tried, sets().filter(inside).count(), "{cell:?}");
            assert!(cell.tried > 0);
        }
        assert!(map.cells.len() <= MOST_CELLS * MOST_CELLS);
        assert!(surface(&order, &trials[..59], [0, 2]).is_none(), "too few");
    }

    #[test]
    fn the_two_that_moved_the_most_are_those_by_steps() {
        let (order, _, mut spsa) = tuned();
        spsa.go_on_from(1, &[61.0, 100.0, 130.0]);
        assert_eq!(most_moved(&order, &spsa), Some([2, 1]));
        let one = Order { parameters: vec![parameter("a", 60)], ..order };
        assert_eq!(most_moved(&one, &Spsa::new(&one)), None);
    }
}
