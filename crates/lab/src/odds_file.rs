//! Tables of probabilities of B\*'s leaves on disk.

use std::fs;
use std::sync::Arc;

use anyhow::{Context, anyhow};
use secateur_search::Notation;
use secateur_search::bstar::OddsTable;

use crate::cuts_file::EMBEDDED;

/// The table in a file; `None` for the one within the program, if the path is `embedded` or empty.
pub fn load<G: Notation>(path: &str) -> anyhow::Result<Option<Arc<OddsTable>>> {
    if matches!(path, "" | EMBEDDED | "embedded") {
        return Ok(None);
    }
    // In its own words, since a wrong name is bad input and no failure of the machine.
    let text = fs::read_to_string(path).map_err(|error| anyhow!("{path}: {error}"))?;
    let odds = OddsTable::parse_for(&text, G::NAME).with_context(|| path.to_string())?;
    Ok(Some(Arc::new(odds)))
}
