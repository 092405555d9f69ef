//! Two engines on the same positions.

use super::row::Row;
use super::sums::Sums;
use crate::statistics::paired::{self, McNemar};

/// The second engine beside the first, on the positions that both have answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The first, on these positions.
    pub first: Sums,
    /// The second, on these positions.
    pub second: Sums,
    /// Solved by the first only.
    pub only_first: u64,
    /// Solved by the second only.
    pub only_second: u64,
    /// Whether the difference can be chance.
    pub test: McNemar,
    /// Solved by each within the nodes that the thriftier of the two spent on the position. Beside
    /// a fixed depth this is the fairer count, since a ply means less once moves are reduced.
    pub at_equal_nodes: (u64, u64),
}

impl Comparison {
    /// Of pairs of rows about the same position.
    pub fn of(pairs: &[(&Row, &Row)]) -> Comparison {
        let count = |which: &dyn Fn(&Row, &Row) -> bool| {
            pairs.iter().filter(|(a, b)| which(a, b)).count() as u64
        };
        let only_first = count(&|a, b| a.solved && !b.solved);
        let only_second = count(&|a, b| b.solved && !a.solved);
        let within = |row: &Row, nodes: u64| {
            row.solved && row.solution_nodes.is_some_and(|found| found <= nodes)
        };
        Comparison {
            first: Sums::of(pairs.iter().map(|(a, _)| *a)),
            second: Sums::of(pairs.iter().map(|(_, b)| *b)),
            only_first,
            only_second,
            test: paired::mcnemar(only_first, only_second),
            at_equal_nodes: (
                count(&|a, b| within(a, a.nodes.min(b.nodes))),
                count(&|a, b| within(b, a.nodes.min(b.nodes))),
            ),
        }
    }

    /// Second less first in percent of the first.
    pub fn percent(first: u64, second: u64) -> Option<f64> {
        (first > 0).then(|| 100.0 * (second as f64 - first as f64) / first as f64)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A row with what comparisons look at.
    pub(crate) fn row(solved: bool, nodes: u64, solution_nodes: Option<u64>) -> Row {
        Row {
            engine: String::new(),
            suite: String::new(),
            number: 1,
            id: String::new(),
            position: String::new(),
            solved,
            points: 0,
            most: 10,
            chosen: String::new(),
            wanted: String::new(),
            score: None,
            depth: 5,
            nodes,
            time_ms: 10,
            solution_ms: solution_nodes,
            solution_depth: None,
            solution_nodes,
            fault: None,
        }
    }

    #[test]
    fn only_what_one_of_them_solved_decides() {
        let (yes, no) = (row(true, 100, Some(50)), row(false, 100, None));
        let mut pairs = vec![(&yes, &yes); 20];
        pairs.extend([(&no, &no); 5]);
        pairs.push((&yes, &no));
        pairs.extend([(&no, &yes); 7]);
        let found = Comparison::of(&pairs);
        assert_eq!((found.only_first, found.only_second), (1, 7));
        assert_eq!((found.first.solved, found.second.solved), (21, 27));
        assert!((found.test.mid - 10.0 / 256.0).abs() < 1e-12);
    }

    #[test]
    fn at_equal_nodes_the_deeper_search_is_cut_where_the_other_ended() {
        let (short, long) = (row(true, 100, Some(80)), row(true, 500, Some(101)));
        assert_eq!(Comparison::of(&[(&short, &long)]).at_equal_nodes, (1, 0));
        let early = row(true, 500, Some(100));
        assert_eq!(Comparison::of(&[(&short, &early)]).at_equal_nodes, (1, 1));
    }

    #[test]
    fn differences_are_in_percent_of_the_first() {
        // RankCut, ECM to depth 8: 1,170,566,012 nodes, 104,561,591 less with it.
        let percent = Comparison::percent(1_170_566_012, 1_170_566_012 - 104_561_591).unwrap();
        assert!((percent + 8.9).abs() < 0.05, "{percent}");
        assert_eq!(Comparison::percent(0, 5), None);
    }
}
