//! What came out: tables with the paper's figures beside ours, and checks.

use serde_json::{Value, json};

/// A table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// The head of each column.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
    /// What one must know to read it.
    pub remark: String,
}

/// Something that must be so.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// What must be so.
    pub claim: String,
    /// What was seen.
    pub seen: String,
    /// Whether it was.
    pub held: bool,
    /// Whether it was not, but by so little that nothing is decided.
    pub open: bool,
}

/// Everything.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The tables.
    pub tables: Vec<Table>,
    /// The checks.
    pub checks: Vec<Check>,
    /// The figures, for programs.
    pub figures: Vec<Value>,
    /// What one must know of it all.
    pub notes: Vec<String>,
    /// More for programs, by name.
    pub keys: Vec<(&'static str, Value)>,
}

impl Outcome {
    /// Notes that something must be so.
    pub fn check(&mut self, claim: impl Into<String>, seen: impl Into<String>, held: bool) {
        self.check_or_open(claim, seen, held, false);
    }

    /// The same of what has an error: where it was not seen, but the error leaves room for it, nothing is
    /// decided.
    pub fn check_or_open(
        &mut self,
        claim: impl Into<String>,
        seen: impl Into<String>,
        held: bool,
        possible: bool,
    ) {
        let open = !held && possible;
        self.checks.push(Check { claim: claim.into(), seen: seen.into(), held, open });
    }

    /// Whether nothing that must be so was seen not to be.
    pub fn holds(&self) -> bool {
        self.checks.iter().all(|check| check.held || check.open)
    }

    /// For the eye.
    pub fn as_text(&self) -> String {
        let mut text: String = self.notes.iter().map(|note| format!("{note}\n\n")).collect();
        self.tables.iter().for_each(|table| text += &(table.as_text() + "\n"));
        for check in &self.checks {
            let mark = match check {
                Check { held: true, .. } => "holds",
                Check { open: true, .. } => "not decided",
                _ => "FAILS",
            };
            text += &format!("{mark}  {} ({})\n", check.claim, check.seen);
        }
        text
    }

    /// For programs.
    pub fn as_json(&self, id: &str) -> Value {
        let checks: Vec<Value> = self
            .checks
            .iter()
            .map(|check| {
                let holds = (!check.open).then_some(check.held);
                json!({"claim": check.claim, "seen": check.seen, "holds": holds})
            })
            .collect();
        let tables: Vec<Value> = self
            .tables
            .iter()
            .map(|table| {
                json!({"title": table.title, "head": table.head, "rows": table.rows,
                    "remark": table.remark})
            })
            .collect();
        let mut all = json!({
            "id": id,
            // Where nothing was checked, nothing is known.
            "holds": (!self.checks.is_empty()).then(|| self.holds()),
            "checks": checks,
            "figures": self.figures,
            "notes": self.notes,
            "tables": tables,
        });
        for (name, value) in &self.keys {
            all[*name] = value.clone();
        }
        all
    }
}

impl Table {
    /// An empty table.
    pub fn new(title: impl Into<String>, head: &[&str]) -> Table {
        let head = head.iter().map(ToString::to_string).collect();
        Table { title: title.into(), head, ..Table::default() }
    }

    /// Adds a row.
    pub fn add(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// In columns, the first on the left, the others on the right.
    fn as_text(&self) -> String {
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            let head = self.head.get(column).into_iter();
            head.chain(cells).map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        let line = |row: &[String]| {
            let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
                if column == 0 { format!("{cell:<width$}") } else { format!("  {cell:>width$}") }
            });
            cells.collect::<String>().trim_end().to_string() + "\n"
        };
        let mut text = format!("{}\n{}", self.title, line(&self.head));
        self.rows.iter().for_each(|row| text += &line(row));
        if !self.remark.is_empty() {
            text += &format!("{}\n", self.remark);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_a_failed_check_is_seen() {
        let mut table = Table::new("Title", &["engine", "ours"]);
        table.add(vec!["a long name".into(), "1.5".into()]);
        table.add(vec!["b".into(), "12.25".into()]);
        let mut outcome = Outcome { tables: vec![table], ..Outcome::default() };
        outcome.check("one is one", "1", true);
        assert!(outcome.holds());
        outcome.check_or_open("one is more", "1 +- 2", false, true);
        assert!(outcome.holds(), "what is not decided does not fail");
        assert_eq!(outcome.as_json("x")["checks"][1]["holds"], Value::Null);
        outcome.check("one is two", "1", false);
        assert!(!outcome.holds());
        let text = outcome.as_text();
        assert_eq!(
            text,
            "Title\nengine        ours\na long name    1.5\nb            12.25\n\n\
             holds  one is one (1)\nnot decided  one is more (1 +- 2)\nFAILS  one is two (1)\n"
        );
        assert_eq!(outcome.as_json("x")["holds"], false);
    }
}
