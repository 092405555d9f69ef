//! Probabilities of leaves as they came out in searches, instead of a straight line.
//!
//! A cell says how often a value turned out at least so far above what a probe had found, given how
//! much was hoped for, how deep the probe was, and what kind of position and move it was. The file is
//! a TOML text; a table is refused unless its probabilities fall as the target rises.

use serde::{Deserialize, Serialize};

/// The form of the file that this version reads.
pub const VERSION: u32 = 1;
/// Kinds of leaf: [`Prober::kind`](super::prober::Prober::kind) is below this.
pub const KINDS: usize = 16;

/// A fitted table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OddsTable {
    /// The form of the file.
    pub version: u32,
    /// The game that it was fitted for.
    pub game: String,
    /// The evaluation that it was fitted for, as the evaluator identifies itself.
    pub evaluation: u64,
    /// Upper ends of the classes of the hope above the real value, rising; one class more follows.
    pub hopes: Vec<i32>,
    /// Upper ends of the classes of the target above the real value, as shares of the hope in
    /// ten-thousandths, rising; one class more follows.
    pub targets: Vec<i32>,
    /// Upper ends of the classes of the depth of the probe; one class more follows.
    pub depths: Vec<i32>,
    /// Kinds that are told apart; greater ones are the last.
    pub kinds: usize,
    /// Probabilities in ten-thousandths: kind by kind, depth by depth, hope by hope, target by target.
    pub odds: Vec<i32>,
}

/// Why a table was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("table of probabilities: {0}")]
pub struct BadOdds(String);

impl OddsTable {
    /// Reads a table.
    pub fn parse(text: &str) -> Result<OddsTable, BadOdds> {
        let table: OddsTable =
            toml::from_str(text).map_err(|error| BadOdds(error.message().to_string()))?;
        table.check()?;
        Ok(table)
    }

    /// The text of the file.
    pub fn to_text(&self) -> String {
        toml::to_string(self).expect("a table is plain numbers")
    }

    /// How many cells there are for one kind and depth.
    fn plane(&self) -> usize {
        (self.hopes.len() + 1) * (self.targets.len() + 1)
    }

    /// Refuses what cannot be looked up.
    pub fn check(&self) -> Result<(), BadOdds> {
        let fail = |what: String| Err(BadOdds(what));
        if self.version != VERSION {
            return fail(format!("version {} instead of {VERSION}", self.version));
        }
        for (name, edges) in
            [("hopes", &self.hopes), ("targets", &self.targets), ("depths", &self.depths)]
        {
            if !edges.windows(2).all(|pair| pair[0] < pair[1]) {
                return fail(format!("{name} do not rise"));
            }
        }
        if self.kinds == 0 || self.kinds > KINDS {
            return fail(format!("kinds must be from 1 to {KINDS}, not {}", self.kinds));
        }
        let cells = self.kinds * (self.depths.len() + 1) * self.plane();
        if self.odds.len() != cells {
            return fail(format!("{} probabilities instead of {cells}", self.odds.len()));
        }
        if let Some(odds) = self.odds.iter().find(|odds| !(0..=10_000).contains(*odds)) {
            return fail(format!("a probability of {odds} ten-thousandths"));
        }
        let row = self.targets.len() + 1;
        if self.odds.chunks(row).any(|row| row.windows(2).any(|pair| pair[0] < pair[1])) {
            return fail("a greater target is more probable than a smaller one".to_string());
        }
        Ok(())
    }

    /// The cell of a leaf.
    pub fn cell(&self, short: f64, reach: f64, depth: i32, kind: u8) -> usize {
        let class = |edges: &[i32], value: f64| {
            edges.iter().position(|edge| value <= f64::from(*edge)).unwrap_or(edges.len())
        };
        let hope = class(&self.hopes, reach);
        let target = class(&self.targets, 10_000.0 * short / reach);
        let depth = class(&self.depths, f64::from(depth));
        let kind = (kind as usize).min(self.kinds - 1);
        let row = self.targets.len() + 1;
        ((kind * (self.depths.len() + 1) + depth) * (self.hopes.len() + 1) + hope) * row + target
    }

    /// The probability that a value `short` above the real one is reached, where `reach` above it is
    /// hoped for.
    pub fn odds(&self, short: f64, reach: f64, depth: i32, kind: u8) -> f64 {
        f64::from(self.odds[self.cell(short, reach, depth, kind)]) / 10_000.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> OddsTable {
        OddsTable {
            version: VERSION,
            game: "toy".to_string(),
            evaluation: 7,
            hopes: vec![100],
            targets: vec![2_500, 5_000],
            depths: vec![3],
            kinds: 2,
            odds: (0..8).flat_map(|row| [9_000 - row, 4_000, 100]).collect(),
        }
    }

    #[test]
    fn a_leaf_finds_its_cell() {
        let table = OddsTable::parse(&table().to_text()).unwrap();
        assert_eq!(table.odds(10.0, 100.0, 3, 0), 0.9);
        assert_eq!(table.odds(26.0, 100.0, 3, 0), 0.4);
        assert_eq!(table.odds(90.0, 100.0, 3, 0), 0.01);
        assert_eq!(table.odds(20.0, 101.0, 3, 0), 0.8999);
        assert_eq!(table.odds(20.0, 101.0, 4, 0), 0.8997);
        assert_eq!(table.odds(20.0, 101.0, 4, 9), 0.8993);
    }

    #[test]
    fn a_table_that_cannot_be_right_is_refused() {
        type Change = fn(&mut OddsTable);
        let refusals: [(Change, &str); 5] = [
            (|table| table.version = 2, "version 2 instead of 1"),
            (|table| table.hopes = vec![9, 9], "hopes do not rise"),
            (|table| table.odds.truncate(9), "9 probabilities instead of 24"),
            (|table| table.odds[0] = 10_001, "a probability of 10001 ten-thousandths"),
            (|table| table.odds[1] = 9_500, "a greater target is more probable than a smaller one"),
        ];
        for (change, why) in refusals {
            let mut broken = table();
            change(&mut broken);
            let error = broken.check().unwrap_err().to_string();
            assert_eq!(error, format!("table of probabilities: {why}"));
        }
        assert!(OddsTable::parse("version = 1").is_err());
    }
}
