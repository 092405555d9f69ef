//! What the rows of one engine say together.

use super::row::Row;

/// Totals over positions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sums {
    /// Positions asked.
    pub positions: u64,
    /// With the right answer.
    pub solved: u64,
    /// Points earned.
    pub points: u64,
    /// Points that could be earned.
    pub most: u64,
    /// Nodes spent.
    pub nodes: u64,
    /// Time spent.
    pub time_ms: u64,
    /// Positions without an answer, because the engine failed.
    pub faults: u64,
    depths: u64,
    solution_ms: u64,
    solution_nodes: u64,
    solution_depths: u64,
}

impl Sums {
    /// Of these.
    pub fn of<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Sums {
        let mut sums = Sums::default();
        for row in rows {
            sums.positions += 1;
            sums.solved += u64::from(row.solved);
            sums.points += u64::from(row.points);
            sums.most += u64::from(row.most);
            sums.nodes += row.nodes;
            sums.time_ms += row.time_ms;
            sums.faults += u64::from(row.fault.is_some());
            sums.depths += u64::from(row.depth);
            sums.solution_ms += row.solution_ms.unwrap_or(0);
            sums.solution_nodes += row.solution_nodes.unwrap_or(0);
            sums.solution_depths += u64::from(row.solution_depth.unwrap_or(0));
        }
        sums
    }

    /// The standard error of the number solved: the root of n p (1 - p).
    pub fn standard_error(&self) -> f64 {
        let (n, solved) = (self.positions as f64, self.solved as f64);
        if n == 0.0 { 0.0 } else { (solved * (n - solved) / n).sqrt() }
    }

    /// The same of the share solved, in percent.
    pub fn standard_error_percent(&self) -> f64 {
        if self.positions == 0 {
            0.0
        } else {
            100.0 * self.standard_error() / self.positions as f64
        }
    }

    /// Mean depth of the positions that were answered.
    pub fn depth(&self) -> Option<f64> {
        mean(self.depths, self.positions - self.faults)
    }

    /// Mean time to the solution of those solved.
    pub fn solution_ms(&self) -> Option<f64> {
        mean(self.solution_ms, self.solved)
    }

    /// Mean nodes to the solution of those solved.
    pub fn solution_nodes(&self) -> Option<f64> {
        mean(self.solution_nodes, self.solved)
    }

    /// Mean depth of the solution of those solved.
    pub fn solution_depth(&self) -> Option<f64> {
        mean(self.solution_depths, self.solved)
    }

    /// Seconds for a position.
    pub fn seconds_each(&self) -> f64 {
        mean(self.time_ms, self.positions).unwrap_or(0.0) / 1_000.0
    }
}

fn mean(sum: u64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum as f64 / count as f64)
}

/// How far values are from the exact ones.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ValueErrors {
    /// Positions with a value told and a value known.
    pub positions: u64,
    /// Whose value was right to the last unit.
    pub exact: u64,
    sum: u64,
}

impl ValueErrors {
    /// Of pairs of a value told and a value known, in hundredths.
    pub fn of(pairs: impl IntoIterator<Item = (i32, i32)>) -> ValueErrors {
        let mut errors = ValueErrors::default();
        for (told, known) in pairs {
            errors.positions += 1;
            errors.exact += u64::from(told == known);
            errors.sum += u64::from(told.abs_diff(known));
        }
        errors
    }

    /// The mean absolute error in whole units.
    pub fn mean(&self) -> Option<f64> {
        mean(self.sum, self.positions).map(|hundredths| hundredths / 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_errors_of_the_paper_come_out() {
        // RankCut (2006): of 2180 positions 1678, 1777 and 1848 solved; printed with one digit, cut
        // off and not rounded: 19.6, 18.1, 16.7.
        for (solved, error) in [(1_678, 19.6), (1_777, 18.1), (1_848, 16.7)] {
            let sums = Sums { positions: 2_180, solved, ..Sums::default() };
            assert_eq!((sums.standard_error() * 10.0).floor() / 10.0, error);
        }
        assert_eq!(Sums::default().standard_error(), 0.0);
    }

    #[test]
    fn errors_of_values_are_in_whole_units() {
        let errors = ValueErrors::of([(600, 600), (-200, 100), (50, 0)]);
        assert_eq!((errors.positions, errors.exact), (3, 1));
        assert!((errors.mean().unwrap() - 3.5 / 3.0).abs() < 1e-12);
        assert_eq!(ValueErrors::of([]).mean(), None);
    }
}
