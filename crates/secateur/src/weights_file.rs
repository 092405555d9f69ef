//! Weight files on disk.

use std::fs::File;
use std::io::Read;

use anyhow::Context;
use secateur_games::playable::Playable;
use secateur_search::Weights;

/// In place of a file: the weights within the program.
pub const EMBEDDED: &str = "<embedded>";

/// No file is larger than this, whatever the path names.
const MOST_BYTES: u64 = 64 << 20;

/// The weights in a file, or those within the program if the path is [`EMBEDDED`] or empty.
pub fn load<G: Playable>(path: &str) -> anyhow::Result<Weights<G>> {
    if path.is_empty() || path == EMBEDDED {
        return Ok(G::embedded_weights().clone());
    }
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes))
        .with_context(|| path.to_string())?;
    Weights::read(&bytes).with_context(|| path.to_string())
}
