//! Two engines on the same positions at several depths: who solves more, each position counted once.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::outcome::Table;
use crate::statistics::paired::mcnemar;
use crate::suite::findings::Findings;

/// Below this p-value a difference is no chance.
const LEVEL: f64 = 0.05;

/// How [`SideBySide`] is to be read.
pub(super) const SIDE_BY_SIDE: &str = "A position at two depths is not twice the evidence, so each depth \
    has a paired test of its own (McNemar), and all depths together one over positions: solved by one \
    side at more of the depths than by the other.";

/// Two engines on the same positions at several depths.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SideBySide {
    /// Solved over all depths by the first, which has the technique.
    pub(super) with: u64,
    /// By the second, which has not.
    pub(super) without: u64,
    /// Of each depth: solved only with, only without.
    depths: Vec<(u32, u64, u64)>,
    /// Positions that are solved at more depths with, and without.
    more: (u64, u64),
}

impl SideBySide {
    /// Of what was found at each depth.
    pub(super) fn of(all: &[(u32, Findings)], with: &str, without: &str) -> SideBySide {
        let solved = |found: &Findings, name: &str| -> BTreeMap<(String, usize), bool> {
            let rows = found.rows_of(name, None);
            rows.map(|row| ((row.suite.clone(), row.number), row.solved)).collect()
        };
        SideBySide::new(
            all.iter().map(|(depth, found)| (*depth, solved(found, with), solved(found, without))),
        )
    }

    /// Of depths, each with what either side has solved by position.
    fn new<P: Ord>(
        depths: impl Iterator<Item = (u32, BTreeMap<P, bool>, BTreeMap<P, bool>)>,
    ) -> SideBySide {
        let mut found = SideBySide::default();
        let mut leads: BTreeMap<P, i64> = BTreeMap::new();
        for (depth, with, without) in depths {
            let (mut gained, mut lost) = (0, 0);
            for (position, first) in with {
                let Some(&second) = without.get(&position) else { continue };
                found.with += u64::from(first);
                found.without += u64::from(second);
                gained += u64::from(first && !second);
                lost += u64::from(second && !first);
                *leads.entry(position).or_default() += i64::from(first) - i64::from(second);
            }
            found.depths.push((depth, gained, lost));
        }
        let ahead = leads.values().filter(|lead| **lead > 0).count() as u64;
        let behind = leads.values().filter(|lead| **lead < 0).count() as u64;
        found.more = (ahead, behind);
        found
    }

    /// The p-value of "neither solves more", over positions.
    fn p_value(&self) -> f64 {
        mcnemar(self.more.0, self.more.1).mid
    }

    /// Whether the first is worse and that is no chance: over positions, or at a depth, the p-values of
    /// depths being multiplied by their number (Bonferroni).
    pub(super) fn is_worse(&self) -> bool {
        let (more, fewer) = self.more;
        let many = self.depths.len() as f64;
        let at_depth = |&(_, gained, lost): &(u32, u64, u64)| {
            lost > gained && many * mcnemar(lost, gained).mid < LEVEL
        };
        (fewer > more && self.p_value() < LEVEL) || self.depths.iter().any(at_depth)
    }

    /// What was seen, in a line.
    pub(super) fn seen(&self) -> String {
        let (more, fewer) = self.more;
        format!(
            "{} solved over all depths, {} without; {more} positions at more depths, {fewer} at fewer, \
             p = {:.3}",
            self.with,
            self.without,
            self.p_value()
        )
    }

    /// A row for each depth.
    pub(super) fn table(&self, title: String) -> Table {
        let mut table = Table::new(title, &["depth", "only with it", "only without", "p"]);
        for &(depth, gained, lost) in &self.depths {
            table.add(vec![
                depth.to_string(),
                gained.to_string(),
                lost.to_string(),
                format!("{:.3}", mcnemar(lost, gained).mid),
            ]);
        }
        table
    }

    /// The same for programs.
    pub(super) fn figure(&self, with: &str, without: &str) -> Value {
        let depths: Vec<Value> = self
            .depths
            .iter()
            .map(|&(depth, gained, lost)| {
                let p = mcnemar(lost, gained).mid;
                json!({"depth": depth, "only_with": gained, "only_without": lost, "p_value": p})
            })
            .collect();
        json!({
            "beside": [with, without], "solved": [self.with, self.without], "depths": depths,
            "positions_at_more_depths": self.more.0, "positions_at_fewer_depths": self.more.1,
            "p_value": self.p_value(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Depths at which position by position is solved with and without: `+` both, `-` neither, `g` only
    /// with, `l` only without.
    fn side_by_side(depths: &[&str]) -> SideBySide {
        SideBySide::new((5..).zip(depths).map(|(depth, marks)| {
            let side = |solving: &str| -> BTreeMap<usize, bool> {
                marks.chars().map(|mark| solving.contains(mark)).enumerate().collect()
            };
            (depth, side("+g"), side("+l"))
        }))
    }

    #[test]
    fn a_position_counts_once_however_many_depths_there_are() {
        let one = side_by_side(&["g-+"]);
        let many = side_by_side(&["g-+"; 6]);
        assert_eq!((one.more, many.more), ((1, 0), (1, 0)));
        assert_eq!(many.p_value(), one.p_value());
        assert_eq!((many.with, many.without), (12, 6));
        assert_eq!(many.depths[5], (10, 1, 0));
        // Gained at one depth and lost at another, it says nothing.
        assert_eq!(side_by_side(&["g", "l"]).more, (0, 0));
    }

    #[test]
    fn nothing_gained_is_not_more_and_a_clear_loss_is_worse() {
        let same = side_by_side(&["+-+", "+-+"]);
        assert!(same.with == same.without && !same.is_worse());
        assert!(!side_by_side(&["llg"]).is_worse(), "two against one is chance");
        assert!(side_by_side(&["llllllll"]).is_worse());
        // Better on the whole, but clearly worse at one depth.
        assert!(side_by_side(&["gggggggggggg", "gggggggggggg", "llllllllllll"]).is_worse());
    }
}
