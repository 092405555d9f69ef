//! `run.toml` in the folder of a run: what was asked for, so that a run that was ended goes on with it.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::contest::folder::check_empty;
use crate::{toml_text, whole_file};

const NAME: &str = "run.toml";

/// Whether a run was begun there.
pub fn is_begun(folder: &Path) -> bool {
    folder.join(NAME).is_file()
}

/// Begins a run in a folder that is new or empty.
pub fn begin(folder: &Path, order: &impl Serialize) -> anyhow::Result<()> {
    check_empty(folder)?;
    fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    write(folder, order)
}

/// Writes down what is to be done, in place of what was.
pub fn write(folder: &Path, order: &impl Serialize) -> anyhow::Result<()> {
    let text = toml::to_string(order).context(NAME)?;
    whole_file::write(&folder.join(NAME), |out| Ok(out.write_all(text.as_bytes())?))
}

/// The text of the file there, made into something by `parse`; errors name the file.
pub fn read<T>(folder: &Path, parse: impl FnOnce(&str) -> anyhow::Result<T>) -> anyhow::Result<T> {
    let path = folder.join(NAME);
    if !folder.exists() {
        bail!("{}: there is no such folder", folder.display());
    }
    let text = fs::read_to_string(&path).with_context(|| format!("{}", path.display()))?;
    parse(&text).with_context(|| format!("{}", path.display()))
}

/// What the text says, if it is of a run of this kind; `what` is how people call one.
pub fn parse<T: DeserializeOwned>(text: &str, kind: &str, what: &str) -> anyhow::Result<T> {
    let table = text.parse::<toml::Table>().ok();
    let found = table.as_ref().and_then(|table| table.get("kind")?.as_str());
    if let Some(found) = found
        && found != kind
    {
        bail!("it is of a run of the kind '{found}', not of {what}");
    }
    toml_text::parse(text).with_context(|| format!("it is not of {what}"))
}
