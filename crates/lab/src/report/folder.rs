//! A run's folder: `run.toml` says what it is, a file of JSON lines says what happened.
//!
//! A run may still be going on, or may have been killed: the last line may be torn. A broken line
//! elsewhere is skipped; both are said.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::de::DeserializeOwned;
use toml::{Table, Value};

use crate::statistics::sprt::{Model, Sprt};
use crate::toml_text;

/// What kind of run it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Engines played each other: `games.jsonl`.
    Match,
    /// Engines solved positions: `results.jsonl`.
    Suite,
    /// Sets of parameters played each other: `iterations.jsonl`.
    Tune,
    /// Sides without some techniques played each other: `pairs.jsonl`.
    Ablate,
    /// Positions were searched to every depth: `rows.csv`.
    Calibrate,
    /// Late moves were counted: `round-1`, ...
    Ranks,
}

/// What `run.toml` says.
pub(super) struct Run {
    pub(super) folder: PathBuf,
    pub(super) kind: Kind,
    /// The file as it is.
    pub(super) text: String,
    table: Table,
}

impl Run {
    /// Reads `run.toml`; only the kind is demanded.
    pub(super) fn read(folder: &Path) -> anyhow::Result<Run> {
        if !folder.is_dir() {
            let what = if folder.exists() { "is no folder" } else { "there is no such folder" };
            bail!("{}: {what}; give the folder of a run", folder.display());
        }
        let path = folder.join("run.toml");
        if !path.exists() {
            bail!("{}: there is no such file, so this is not the folder of a run", path.display());
        }
        let text = fs::read_to_string(&path)
            .map_err(|error| anyhow::anyhow!("{} cannot be read: {error}", path.display()))?;
        let table: Table = toml_text::parse(&text).with_context(|| path.display().to_string())?;
        let place = |key: &str| {
            let line = text.lines().position(|line| line.trim_start().starts_with(key));
            line.map_or(1, |index| index + 1)
        };
        let kind = match table.get("kind") {
            Some(Value::String(kind)) if kind == "match" => Kind::Match,
            Some(Value::String(kind)) if kind == "suite" => Kind::Suite,
            Some(Value::String(kind)) if kind == crate::tune::KIND => Kind::Tune,
            Some(Value::String(kind)) if kind == crate::ablate::KIND => Kind::Ablate,
            Some(Value::String(kind)) if kind == crate::calibrate::KIND => Kind::Calibrate,
            Some(Value::String(kind)) if kind == crate::ranks::KIND => Kind::Ranks,
            Some(other) => bail!(
                "{}: line {}: the kind of run is {other}, which is none of \"match\", \"suite\", \
                 \"tune\", \"ablate\", \"calibrate\" and \"rankcut\"",
                path.display(),
                place("kind")
            ),
            None => bail!("{}: the kind of run is not given (kind = \"match\")", path.display()),
        };
        Ok(Run { folder: folder.to_path_buf(), kind, text, table })
    }

    /// The names of the engines in the order of the configuration, if they can be found.
    pub(super) fn engine_names(&self) -> Vec<String> {
        // First as they were found; what was asked for has settings behind the name.
        let list = ["engine", "engines"].iter().find_map(|key| self.find(key)?.as_array());
        let named = |value: &Value| match value {
            Value::String(name) => Some(name.clone()),
            Value::Table(table) => table.get("name")?.as_str().map(String::from),
            _ => None,
        };
        list.map(|list| list.iter().filter_map(named).collect()).unwrap_or_default()
    }

    /// The sequential test of the configuration, if there is one that can be understood, and in
    /// what its hypotheses are measured.
    pub(super) fn sprt(&self) -> Option<(Sprt, String)> {
        let value = self.find("sprt")?;
        let get = |key: &str| -> Option<Value> {
            match value {
                Value::Table(table) => table.get(key).cloned(),
                // As on the command line: elo0=0,elo1=5
                Value::String(text) => text.split([',', ' ']).find_map(|part| {
                    let (name, value) = part.split_once('=')?;
                    let value = value.trim().to_string();
                    (name.trim() == key).then(|| match value.parse() {
                        Ok(number) => Value::Float(number),
                        Err(_) => Value::String(value),
                    })
                }),
                _ => None,
            }
        };
        let number = |key: &str| match get(key)? {
            Value::Float(value) => Some(value),
            Value::Integer(value) => Some(value as f64),
            _ => None,
        };
        let named = get("model").or_else(|| self.find("model").cloned());
        let (model, unit) = match named.as_ref().and_then(Value::as_str) {
            Some("logistic") => (Model::Logistic, "Elo"),
            _ => (Model::Normalized, "nElo"),
        };
        let (low, high) = (number("elo0")?, number("elo1")?);
        let (alpha, beta) = (number("alpha").unwrap_or(0.05), number("beta").unwrap_or(0.05));
        let test = Sprt::new(low, high, alpha, beta, model).ok()?;
        Some((test, format!("[{low}, {high}] {unit}, alpha {alpha}, beta {beta}")))
    }

    /// The judge of what was not solved, as the user described it.
    pub(super) fn judge(&self) -> Option<&str> {
        self.find("judge")?.as_str()
    }

    /// Whether the folder has such a file.
    pub(super) fn has(&self, name: &str) -> bool {
        self.folder.join(name).exists()
    }

    /// A value by its key, at the top or in a table below it.
    fn find(&self, key: &str) -> Option<&Value> {
        fn within<'a>(table: &'a Table, key: &str, deep: usize) -> Option<&'a Value> {
            table.get(key).or_else(|| {
                let mut tables = table.values().filter_map(Value::as_table);
                if deep == 0 { None } else { tables.find_map(|table| within(table, key, deep - 1)) }
            })
        }
        within(&self.table, key, 2)
    }

    /// The lines of a file of the folder, each with its number; a file that is not there yet has
    /// none. What could not be read is said in the notes.
    pub(super) fn lines<T: DeserializeOwned>(
        &self,
        name: &str,
        notes: &mut Vec<String>,
    ) -> anyhow::Result<Vec<(usize, T)>> {
        let path = self.folder.join(name);
        if !path.exists() {
            notes.push(format!("{name} is not there yet: nothing is finished"));
            return Ok(Vec::new());
        }
        let bytes =
            fs::read(&path).with_context(|| format!("{} cannot be read", path.display()))?;
        let mut found = Vec::new();
        let mut broken = Vec::new();
        for (index, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let number = index + 1;
            match serde_json::from_slice(line) {
                Ok(value) => found.push((number, value)),
                Err(_) if !line.ends_with(b"\n") => notes.push(format!(
                    "{name}, line {number}: the last line is torn (the run goes on, or was ended \
                     while writing); it is left out"
                )),
                Err(error) => broken.push((number, error.to_string())),
            }
        }
        for (number, error) in broken.iter().take(MOST_NOTES) {
            // The place within a line that was read by itself is always in "line 1".
            let error = error.replace(" at line 1 column ", ", column ");
            notes.push(format!("{name}, line {number}: broken and left out: {error}"));
        }
        if broken.len() > MOST_NOTES {
            let more = broken.len() - MOST_NOTES;
            notes.push(format!("{name}: {more} more broken lines are left out"));
        }
        Ok(found)
    }
}

const MOST_NOTES: usize = 10;

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str) -> Run {
        Run {
            folder: PathBuf::new(),
            kind: Kind::Match,
            text: text.to_string(),
            table: text.parse().unwrap(),
        }
    }

    #[test]
    fn names_and_the_test_are_found_wherever_they_are() {
        let nested =
            run("[configuration]\nsprt = { elo0 = 0, elo1 = 5.0, model = \"logistic\" }\n\
                          [[engines]]\nname = \"B\"\n[[engines]]\nname = \"A\"\n");
        assert_eq!(nested.engine_names(), ["B", "A"]);
        let (test, words) = nested.sprt().unwrap();
        assert_eq!(test, Sprt::new(0.0, 5.0, 0.05, 0.05, Model::Logistic).unwrap());
        assert_eq!(words, "[0, 5] Elo, alpha 0.05, beta 0.05");
        let written = run("sprt = \"elo0=-3,elo1=1,alpha=0.1\"\nengines = [\"x\", \"y\"]");
        assert_eq!(written.engine_names(), ["x", "y"]);
        let expected = Sprt::new(-3.0, 1.0, 0.1, 0.05, Model::Normalized).unwrap();
        assert_eq!(written.sprt().unwrap().0, expected);
        let both = run("[configuration]\nengines = [\"secateur name=a\", \"secateur name=b\"]\n\
                        [[engine]]\nname = \"a\"\n[[engine]]\nname = \"b\"\n");
        assert_eq!(both.engine_names(), ["a", "b"], "as they were found, not as asked for");
        assert!(run("sprt = false").sprt().is_none() && run("").engine_names().is_empty());
    }
}
