//! A file of JSON lines that grows, and can be gone on with wherever it was torn.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::hash::Hash;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// An open file.
#[derive(Debug)]
pub struct Lines {
    file: File,
    path: PathBuf,
}

impl Lines {
    /// Opens a file, new or not, with the lines it has, the first of each `key`. A last line that was
    /// torn by the end of its run is dropped.
    pub fn open<T: DeserializeOwned, K: Eq + Hash>(
        path: &Path,
        key: impl Fn(&T) -> K,
    ) -> anyhow::Result<(Lines, Vec<T>)> {
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => bail!("{} cannot be read: {error}", path.display()),
        };
        let (lines, whole) =
            read(&bytes, key).map_err(|what| anyhow!("{}: {what}", path.display()))?;
        let file = OpenOptions::new().create(true).append(true).open(path);
        let cut = file.and_then(|file| file.set_len(whole as u64).map(|()| file));
        let file = cut.with_context(|| format!("{} cannot be written", path.display()))?;
        Ok((Lines { file, path: path.to_path_buf() }, lines))
    }

    /// Writes a line, so that nothing but a power cut can lose it.
    pub fn add(&mut self, line: &impl Serialize) -> anyhow::Result<()> {
        let mut line = serde_json::to_string(line)?;
        line.push('\n');
        // In one piece and without a buffer: it is in the system's hands when this returns.
        let written = self.file.write_all(line.as_bytes());
        written.with_context(|| format!("{} cannot be written", self.path.display()))
    }
}

/// The lines, each once, and how many bytes hold whole lines.
fn read<T: DeserializeOwned, K: Eq + Hash>(
    bytes: &[u8],
    key: impl Fn(&T) -> K,
) -> Result<(Vec<T>, usize), String> {
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let mut known = HashSet::new();
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(bytes[..whole].split_inclusive(|byte| *byte == b'\n')) {
        let line: T = serde_json::from_slice(line)
            .map_err(|error| format!("line {number} is no result: {error}"))?;
        if known.insert(key(&line)) {
            lines.push(line);
        }
    }
    Ok((lines, whole))
}

#[cfg(test)]
mod tests {
    use super::super::row::Row;
    use super::*;

    const LINE: &str = r#"{"engine":"A","suite":"wac","number":1,"id":"WAC.001","position":"8/8","solved":true,"points":10,"most":10,"move":"Qg6","wanted":"Qg6","score":31,"depth":9,"nodes":123,"time_ms":45,"solution_ms":12,"solution_depth":5,"solution_nodes":99,"fault":null}"#;

    #[test]
    fn a_torn_last_line_is_dropped_and_a_row_counts_once() {
        let second = LINE.replace("\"number\":1", "\"number\":2");
        let text = format!("{LINE}\n{second}\n{LINE}\n");
        for end in 0..=text.len() {
            let (rows, whole) = read(&text.as_bytes()[..end], Row::key).unwrap();
            let lines = text[..end].matches('\n').count();
            assert_eq!(rows.len(), lines.min(2), "{end}");
            assert_eq!(text[..whole].matches('\n').count(), lines);
        }
    }

    #[test]
    fn a_broken_line_in_the_middle_is_named() {
        let text = format!("{LINE}\n{{\n{LINE}\n");
        let error = read(text.as_bytes(), Row::key).unwrap_err();
        assert!(error.starts_with("line 2 is no result: "), "{error}");
    }
}
