//! A line of `results.jsonl`: what an engine made of a position; and one of `judged.jsonl`: what a
//! judge said of the move.

use serde::Deserialize;
use serde_json::Value;

/// A position that was tried by an engine.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Tried {
    pub(super) engine: String,
    #[serde(default)]
    pub(super) suite: String,
    #[serde(default)]
    pub(super) number: u64,
    #[serde(default)]
    pub(super) id: Option<String>,
    #[serde(default)]
    pub(super) position: String,
    pub(super) solved: bool,
    #[serde(default)]
    pub(super) points: Option<f64>,
    #[serde(default)]
    pub(super) most: Option<f64>,
    #[serde(default, rename = "move")]
    pub(super) played: Option<String>,
    #[serde(default)]
    pub(super) wanted: Option<String>,
    #[serde(default)]
    pub(super) score: Value,
    #[serde(default)]
    pub(super) depth: Option<f64>,
    #[serde(default)]
    pub(super) nodes: Option<f64>,
    #[serde(default)]
    pub(super) time_ms: Option<f64>,
    #[serde(default)]
    pub(super) solution_ms: Option<f64>,
    #[serde(default)]
    pub(super) solution_nodes: Option<f64>,
    #[serde(default)]
    pub(super) fault: Option<String>,
    /// By how many hundredths the move is worse than the best, by a judge.
    #[serde(skip)]
    pub(super) cost: Option<f64>,
}

/// What a judge said of a move.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Costly {
    pub(super) judge: String,
    pub(super) suite: String,
    pub(super) number: u64,
    #[serde(rename = "move")]
    pub(super) chosen: String,
    #[serde(default)]
    pub(super) cost: Option<f64>,
}

impl Tried {
    /// What the position is called.
    pub(super) fn name(&self) -> String {
        match self.id.as_deref() {
            Some(id) if !id.is_empty() => id.to_string(),
            _ => format!("{} {}", self.suite, self.number),
        }
    }

    /// The move that was played, with its score.
    pub(super) fn answer(&self) -> String {
        let score = match &self.score {
            Value::Number(value) => {
                let value = value.as_f64().unwrap_or(0.0) / 100.0;
                format!(" ({})", super::numbers::signed(value, 2))
            }
            Value::String(text) => format!(" ({text})"),
            _ => String::new(),
        };
        let judged = |cost: f64| format!(", judged {}", super::numbers::signed(-cost / 100.0, 2));
        let cost = self.cost.map(judged).unwrap_or_default();
        format!("{}{score}{cost}", self.played.as_deref().unwrap_or("none"))
    }
}
