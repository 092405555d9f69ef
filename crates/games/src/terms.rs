//! The terms of the value of a position, as a table for people and as numbers for programs.

use std::fmt;

use secateur_search::Score;

/// Why a position has its value, term by term, in the units of the evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermTable {
    /// The columns: whose terms they are.
    pub columns: &'static [&'static str],
    /// The numbers within a column: which stage of the game they belong to.
    pub parts: &'static [&'static str],
    /// The terms by name, each with all parts of the first column, then those of the next.
    pub rows: Vec<(&'static str, Vec<i32>)>,
    /// How the value comes from the sums, in one sentence.
    pub remark: String,
    /// The value for the side to move.
    pub value: Score,
}

impl TermTable {
    /// The sum of each column and part.
    pub fn sums(&self) -> Vec<i32> {
        let mut sums = vec![0; self.columns.len() * self.parts.len()];
        for (_, values) in &self.rows {
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        }
        sums
    }
}

impl fmt::Display for TermTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.rows.iter().map(|(name, _)| name.len());
        let parts = self.parts.join(", ");
        let first = names.chain([parts.len()]).max().unwrap_or(0) + 2;
        let width = |column: &str| column.len().max(7 * self.parts.len()) + 2;
        write!(f, "{parts:<first$}")?;
        for column in self.columns {
            write!(f, "{column:>0$}", width(column))?;
        }
        let sums = ("total", self.sums());
        for (name, values) in self.rows.iter().chain([&sums]) {
            write!(f, "\n{name:<first$}")?;
            for (column, values) in self.columns.iter().zip(values.chunks(self.parts.len())) {
                let cells: String = values.iter().map(|value| format!("{value:>7}")).collect();
                write!(f, "{cells:>0$}", width(column))?;
            }
        }
        write!(f, "\n{}", self.remark)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_is_summed_and_every_term_is_named() {
        let table = TermTable {
            columns: &["White", "Black"],
            parts: &["middle", "end"],
            rows: vec![("pawns", vec![1, 2, -30, 4]), ("threats", vec![10, 20, 30, 40])],
            remark: "half of it: +5 for White".into(),
            value: Score::heuristic(5),
        };
        assert_eq!(table.sums(), [11, 22, 0, 44]);
        let text = table.to_string();
        let words: Vec<Vec<&str>> =
            text.lines().map(|line| line.split_whitespace().collect()).collect();
        let expected = [
            "middle, end White Black",
            "pawns 1 2 -30 4",
            "threats 10 20 30 40",
            "total 11 22 0 44",
            "half of it: +5 for White",
        ];
        let expected: Vec<Vec<&str>> =
            expected.iter().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(words, expected, "{text}");
    }
}
