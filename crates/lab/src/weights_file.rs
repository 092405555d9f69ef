//! Weight files on disk, and the names of those that need no file.

use std::fs::File;
use std::io::Read;
use std::path::{Path, absolute};

use anyhow::{Context, anyhow};
use secateur_games::playable::Playable;
use secateur_search::weights::Origin;
use secateur_search::{Featured, Weights};

use crate::whole_file;

/// In place of a file: the weights within the program.
pub const EMBEDDED: &str = "<embedded>";

/// No file is larger than this, whatever the path names.
const MOST_BYTES: u64 = 64 << 20;

/// Weights that need no file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    Embedded,
    Plain,
}

/// What `embedded`, `plain` or nothing means, with or without brackets; a file of such a name has a
/// path, as in `./plain`.
fn named(path: &str) -> Option<Named> {
    match path {
        "" | EMBEDDED | "embedded" => Some(Named::Embedded),
        "<plain>" | "plain" => Some(Named::Plain),
        _ => None,
    }
}

/// The same file, named so that it is found from every folder.
pub fn from_everywhere(path: &str) -> String {
    let found = named(path).is_none().then(|| absolute(path).ok()).flatten();
    let found = found.and_then(|path| path.to_str().map(String::from));
    found.unwrap_or_else(|| path.to_string())
}

/// The weights in a file; those within the program if the path is `embedded` or empty, those set
/// by hand if it is `plain`.
pub fn load<G: Playable>(path: &str) -> anyhow::Result<Weights<G>> {
    match named(path) {
        Some(Named::Embedded) => return Ok(G::embedded_weights().clone()),
        Some(Named::Plain) => return Ok(G::plain_weights()),
        None => {}
    }
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes))
        // In its own words, since a wrong name is bad input and no failure of the machine.
        .map_err(|error| anyhow!("{path}: {error}"))?;
    Weights::read(&bytes).with_context(|| path.to_string())
}

/// Weights that are all zero.
pub fn zero<G: Featured>() -> Weights<G> {
    Weights::from_fn(Origin { command: "all zero".to_string(), ..Origin::default() }, |_, _| 0)
}

/// Writes a file, whole or not at all.
pub fn save<G: Featured>(path: &Path, weights: &Weights<G>) -> anyhow::Result<()> {
    whole_file::write(path, |output| Ok(output.write_all(&weights.write())?))
}
