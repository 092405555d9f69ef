//! Tables of probabilistic cuts on disk.

use std::fs;

use anyhow::{Context, anyhow};
use secateur_search::Notation;
use secateur_search::calibrate::cuts::Cuts;

/// In place of a file: the table within the program.
pub const EMBEDDED: &str = "<embedded>";

/// The table in a file; `None` for the one within the program, if the path is `embedded` or empty.
pub fn load<G: Notation>(path: &str) -> anyhow::Result<Option<Cuts>> {
    if matches!(path, "" | EMBEDDED | "embedded") {
        return Ok(None);
    }
    // In its own words, since a wrong name is bad input and no failure of the machine.
    let text = fs::read_to_string(path).map_err(|error| anyhow!("{path}: {error}"))?;
    Cuts::parse_for(&text, G::NAME).map(Some).with_context(|| path.to_string())
}
