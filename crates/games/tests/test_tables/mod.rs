//! Where the tables for tests are. They are fetched, never committed.

use std::path::PathBuf;
use std::sync::Arc;

use secateur_games::chess::tablebase::{TableFiles, Tables};

/// The folder, or `None` with a message that says how to get it.
pub(crate) fn folder() -> Option<PathBuf> {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/tablebases");
    let folder = std::env::var_os("SECATEUR_TABLES").map_or(here, PathBuf::from);
    let there = folder.join("KQvK.rtbw").is_file();
    if !there {
        println!(
            "skipped: no tables in {}; scripts/fetch-test-tables fetches them",
            folder.display()
        );
    }
    there.then_some(folder)
}

/// The tables.
#[allow(dead_code)] // Not by every test.
pub(crate) fn tables() -> Option<Arc<Tables>> {
    let files = TableFiles::find(folder()?.to_str().unwrap()).unwrap().unwrap();
    Some(Tables::open(files).unwrap())
}
