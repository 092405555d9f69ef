//! Probabilities of leaves as they came out in searches, instead of a straight line.
//!
//! A cell says how often a deeper search found at least so much above what a probe had found, given how
//! much was hoped for, how deep the probe was, and what kind of position and move it was. It is made by
//! `secateur calibrate bstar` for one game and one evaluation, and kept as a TOML text. A table whose
//! probabilities do not fall as the target rises is refused; so is, unless any will do, one that does not
//! tell more than the straight line does of games that it was not fitted to.

use serde::{Deserialize, Serialize};

use crate::calibrate::cuts::evaluation_name;

/// The form of the file that this version reads.
pub const VERSION: u32 = 2;
/// Kinds of leaf: [`Prober::kind`](super::prober::Prober::kind) is below this.
pub const KINDS: usize = 16;

/// A fitted table.
#[derive(Clone, Debug, PartialEq)]
pub struct OddsTable {
    /// What it is of.
    pub head: Head,
    /// Probabilities in ten-thousandths: kind by kind, depth by depth, hope by hope, target by target.
    pub odds: Vec<i32>,
}

/// What a table is of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// [`VERSION`].
    pub version: u32,
    /// The game that it was fitted for.
    pub game: String,
    /// The evaluation that it was fitted for, as the evaluator identifies itself.
    pub evaluation: String,
    /// The settings that were searched with.
    pub host: String,
    /// The command that made it.
    pub made_by: String,
    /// Games that it was fitted to.
    pub games: u64,
    /// Leaves with a target in them.
    pub samples: u64,
    /// So many plies deeper than its probe a leaf was searched to see what it came to.
    pub deeper: i32,
    /// Mean logarithmic loss in games not fitted to, of the table and of the straight line.
    pub losses: [f64; 2],
    /// Whether the former is smaller, and not by chance.
    pub better: bool,
    /// What is told apart.
    pub classes: Classes,
}

/// What a table tells apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Classes {
    /// Upper ends of the classes of the hope above the real value, rising; one class more follows.
    pub hopes: Vec<i32>,
    /// The same of the target above the real value.
    pub targets: Vec<i32>,
    /// The same of the depth of the probe.
    pub depths: Vec<i32>,
    /// Kinds that are told apart; greater ones are the last.
    pub kinds: usize,
}

impl Classes {
    /// How many classes of targets there are: those of a row fall.
    pub fn row(&self) -> usize {
        self.targets.len() + 1
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.kinds * (self.depths.len() + 1) * (self.hopes.len() + 1) * self.row()
    }

    /// The cell of a leaf.
    pub fn cell(&self, short: f64, reach: f64, depth: i32, kind: u8) -> usize {
        let class = |edges: &[i32], value: f64| {
            edges.iter().position(|edge| value <= f64::from(*edge)).unwrap_or(edges.len())
        };
        let hope = class(&self.hopes, reach);
        let target = class(&self.targets, short);
        let depth = class(&self.depths, f64::from(depth));
        let kind = (kind as usize).min(self.kinds - 1);
        ((kind * (self.depths.len() + 1) + depth) * (self.hopes.len() + 1) + hope) * self.row()
            + target
    }

    fn check(&self) -> Result<(), OddsError> {
        for (name, edges) in
            [("hopes", &self.hopes), ("targets", &self.targets), ("depths", &self.depths)]
        {
            if !edges.windows(2).all(|pair| pair[0] < pair[1]) {
                return Err(OddsError::Malformed(format!("{name} do not rise")));
            }
        }
        if self.kinds == 0 || self.kinds > KINDS {
            let what = format!("kinds must be from 1 to {KINDS}, not {}", self.kinds);
            return Err(OddsError::Malformed(what));
        }
        Ok(())
    }
}

/// Why a table is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OddsError {
    /// It is no TOML, or not of the expected shape.
    #[error("no table of probabilities: {0}")]
    Malformed(String),
    /// It is for another game.
    #[error("the table of probabilities was fitted in {found}, not in {wanted}")]
    OtherGame {
        /// The game that it is for.
        found: String,
        /// The game at hand.
        wanted: String,
    },
    /// There is none.
    #[error(
        "bstar_odds=learned needs a table of probabilities, and there is none for this game: `secateur calibrate bstar` makes one"
    )]
    Missing,
    /// It was fitted with another evaluation.
    #[error(
        "the table of probabilities was fitted with the evaluation {found}, and this is {wanted} (`secateur calibrate bstar` makes one that fits; bstar_odds_table=any uses this all the same)"
    )]
    OtherEvaluation {
        /// What it was fitted with.
        found: String,
        /// What is at hand.
        wanted: String,
    },
    /// It is no better than the straight line.
    #[error(
        "the table of probabilities tells no more than bstar_odds=linear in games not fitted to (more games may; bstar_odds_table=any uses it all the same)"
    )]
    NotBetter,
    /// Nothing asks for the probability of a leaf.
    #[error("bstar_odds=learned is for bstar=target: the other models know no target")]
    OtherModel,
}

/// As it is written.
#[derive(Deserialize)]
struct Written {
    odds: String,
    #[serde(flatten)]
    head: toml::Table,
}

impl OddsTable {
    /// Reads a table.
    pub fn parse(text: &str) -> Result<OddsTable, OddsError> {
        let malformed = |error: toml::de::Error| {
            let before = error.span().map_or("", |span| &text[..span.start.min(text.len())]);
            let line = before.matches('\n').count() + 1;
            OddsError::Malformed(format!("line {line}: {}", error.message().trim()))
        };
        let written: Written = toml::from_str(text).map_err(malformed)?;
        // Another form need not have the same fields.
        let version = written.head.get("version").and_then(toml::Value::as_integer);
        if version.is_some_and(|version| version != i64::from(VERSION)) {
            let what = format!("version {} instead of {VERSION}", version.unwrap_or_default());
            return Err(OddsError::Malformed(what));
        }
        let head: Head = written.head.try_into().map_err(|error: toml::de::Error| {
            OddsError::Malformed(error.message().trim().to_string())
        })?;
        let wrong = |word: &str| OddsError::Malformed(format!("'{word}' is no probability"));
        let odds = written.odds.split_whitespace();
        let odds = odds.map(|word| word.parse().map_err(|_| wrong(word))).collect::<Result<_, _>>();
        let table = OddsTable { head, odds: odds? };
        table.check()?;
        Ok(table)
    }

    /// Reads a table for this game.
    pub fn parse_for(text: &str, game: &str) -> Result<OddsTable, OddsError> {
        let table = OddsTable::parse(text)?;
        if table.head.game != game {
            let (found, wanted) = (table.head.game, game.to_string());
            return Err(OddsError::OtherGame { found, wanted });
        }
        Ok(table)
    }

    /// The text of the file: a line for each kind, depth and hope.
    pub fn write(&self) -> String {
        let mut rows = String::new();
        for row in self.odds.chunks(self.head.classes.row()) {
            let words: Vec<String> = row.iter().map(i32::to_string).collect();
            rows += &words.join(" ");
            rows.push('\n');
        }
        // Numbers and texts alone: nothing here cannot be written. Tables come last in TOML.
        let head = toml::to_string(&self.head).unwrap_or_default();
        format!("odds = '''\n{rows}'''\n{head}")
    }

    /// Refuses what cannot be looked up.
    fn check(&self) -> Result<(), OddsError> {
        let fail = |what: String| Err(OddsError::Malformed(what));
        let classes = &self.head.classes;
        classes.check()?;
        if self.odds.len() != classes.cells() {
            return fail(format!(
                "{} probabilities instead of {}",
                self.odds.len(),
                classes.cells()
            ));
        }
        if let Some(odds) = self.odds.iter().find(|odds| !(0..=10_000).contains(*odds)) {
            return fail(format!("a probability of {odds} ten-thousandths"));
        }
        let mut rows = self.odds.chunks(classes.row());
        if rows.any(|row| row.windows(2).any(|pair| pair[0] < pair[1])) {
            return fail("a greater target is more probable than a smaller one".to_string());
        }
        Ok(())
    }

    /// Whether it serves an evaluation, and is better than the straight line; any table does if no
    /// evaluation is given.
    pub fn check_for(&self, evaluation: Option<u64>) -> Result<(), OddsError> {
        let Some(wanted) = evaluation.map(evaluation_name) else { return Ok(()) };
        if wanted != self.head.evaluation {
            let found = self.head.evaluation.clone();
            return Err(OddsError::OtherEvaluation { found, wanted });
        }
        if self.head.better { Ok(()) } else { Err(OddsError::NotBetter) }
    }

    /// The probability that a value `short` above the real one is reached, where `reach` above it is
    /// hoped for.
    pub fn odds(&self, short: f64, reach: f64, depth: i32, kind: u8) -> f64 {
        f64::from(self.odds[self.head.classes.cell(short, reach, depth, kind)]) / 10_000.0
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::bstar) fn table() -> OddsTable {
        OddsTable {
            head: Head {
                version: VERSION,
                game: "toy".to_string(),
                evaluation: evaluation_name(7),
                host: "preset=bstar".to_string(),
                made_by: "hand".to_string(),
                games: 2,
                samples: 30,
                deeper: 4,
                losses: [0.5, 0.6],
                better: true,
                classes: Classes {
                    hopes: vec![100],
                    targets: vec![25, 50],
                    depths: vec![3],
                    kinds: 2,
                },
            },
            odds: (0..8).flat_map(|row| [9_000 - row, 4_000, 100]).collect(),
        }
    }

    #[test]
    fn a_leaf_finds_its_cell() {
        let written = table().write();
        let table = OddsTable::parse_for(&written, "toy").unwrap();
        assert_eq!(table, super::tests::table());
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
        let refusals: [(Change, &str); 6] = [
            (|table| table.head.version = 3, "version 3 instead of 2"),
            (|table| table.head.classes.hopes = vec![9, 9], "hopes do not rise"),
            (|table| table.head.classes.kinds = 17, "kinds must be from 1 to 16, not 17"),
            (|table| table.odds.truncate(9), "9 probabilities instead of 24"),
            (|table| table.odds[0] = 10_001, "a probability of 10001 ten-thousandths"),
            (|table| table.odds[1] = 9_500, "a greater target is more probable than a smaller one"),
        ];
        for (change, why) in refusals {
            let mut broken = table();
            change(&mut broken);
            let error = OddsTable::parse(&broken.write()).unwrap_err().to_string();
            assert_eq!(error, format!("no table of probabilities: {why}"));
        }
        assert!(OddsTable::parse("version = 2").is_err());
        let words = table().write().replace("9000", "often");
        let error = OddsTable::parse(&words).unwrap_err().to_string();
        assert_eq!(error, "no table of probabilities: 'often' is no probability");
        let error = OddsTable::parse_for(&table().write(), "chess").unwrap_err();
        assert!(error.to_string().contains("fitted in toy, not in chess"), "{error}");
    }

    #[test]
    fn a_table_serves_its_evaluation_if_it_is_better_or_any_will_do() {
        let mut table = table();
        assert_eq!(table.check_for(Some(7)), Ok(()));
        assert!(matches!(table.check_for(Some(8)), Err(OddsError::OtherEvaluation { .. })));
        table.head.better = false;
        assert_eq!(table.check_for(Some(7)), Err(OddsError::NotBetter));
        assert_eq!(table.check_for(None), Ok(()));
    }
}
