//! A file that is whole or not there.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, bail};

/// Whether a file can be written there, as far as can be told before: for a result that takes long to find.
pub fn check(path: &Path) -> anyhow::Result<()> {
    if path.is_dir() {
        bail!("{} is a folder; give the name of a file", path.display());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => {
            bail!("{} cannot be written: there is no folder {}", path.display(), folder.display())
        }
        _ => Ok(()),
    }
}

/// Lets `write` fill a file beside `path`, then renames it, so that nothing half written ever
/// stands at `path`.
pub fn write<T>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    if path.is_dir() {
        bail!("{} is a folder; give the name of a file", path.display());
    }
    let mut name = path.file_name().context("a file needs a name")?.to_os_string();
    name.push(".part");
    let part = path.with_file_name(name);
    let failed = || format!("{} cannot be written", path.display());
    let mut output = BufWriter::new(File::create(&part).with_context(failed)?);
    let written = write(&mut output).and_then(|result| {
        output.flush().with_context(failed)?;
        fs::rename(&part, path).with_context(failed)?;
        Ok(result)
    });
    if written.is_err() {
        // The error that is reported is the one that matters.
        let _ = fs::remove_file(&part);
    }
    written
}
