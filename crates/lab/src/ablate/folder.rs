//! The folder of an ablation: `run.toml` says what was asked for, `pairs.jsonl` has a line for each
//! pair that was played. A run goes on from its last whole line.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::design::{Draw, draw};
use super::{KIND, Order};
use crate::run_file;

/// The file of pairs.
pub const PAIRS: &str = "pairs.jsonl";

/// A pair that was played, as a line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// Counted from 0.
    pub pair: u64,
    /// What the first side was without, numbers in the order of `run.toml`.
    pub first: Vec<usize>,
    /// What the second side was without.
    pub second: Vec<usize>,
    /// 1 for two wins of the first side, -1 for two losses.
    pub won: f64,
}

impl Played {
    /// Whether the line is one of this order's.
    pub fn belongs(&self, order: &Order) -> bool {
        let Draw { first, second } = draw(order, self.pair);
        (&self.first, &self.second) == (&first, &second) && self.won.abs() <= 1.0
    }
}

impl Order {
    /// Begins a run in a folder that is new or empty.
    pub fn begin(&self, folder: &Path) -> anyhow::Result<()> {
        run_file::begin(folder, self)
    }

    /// Writes down what is to be done, in place of what was.
    pub fn write(&self, folder: &Path) -> anyhow::Result<()> {
        run_file::write(folder, self)
    }

    /// What a run that was begun there is to do.
    pub fn read(folder: &Path) -> anyhow::Result<Order> {
        run_file::read(folder, Order::parse)
    }

    /// The same from the text of the file.
    pub fn parse(text: &str) -> anyhow::Result<Order> {
        run_file::parse(text, KIND, "an ablation")
    }
}

#[cfg(test)]
mod tests {
    use super::super::order_of;
    use super::*;

    #[test]
    fn an_order_is_read_as_it_was_written_and_no_other_kind_is() {
        let order = order_of(&["null_move", "late_moves"]);
        let text = toml::to_string(&order).unwrap();
        assert_eq!(Order::parse(&text).unwrap(), order);
        let other = text.replace("\"ablate\"", "\"match\"");
        let error = format!("{:#}", Order::parse(&other).unwrap_err());
        assert!(error.contains("of the kind 'match'"), "{error}");
    }

    #[test]
    fn a_line_of_another_draw_does_not_belong() {
        let order = order_of(&["a", "b", "c"]);
        let Draw { first, second } = draw(&order, 7);
        let line = Played { pair: 7, first, second, won: 0.5 };
        assert!(line.belongs(&order));
        assert!(!line.belongs(&Order { seed: 99, ..order.clone() }));
        assert!(!Played { won: 2.0, ..line }.belongs(&order));
    }
}
