//! Which file an engine is, and its fingerprint: a run that goes on must go on with the same.

use std::path::{Path, PathBuf, absolute};

use anyhow::{Context, bail};

use crate::binary_hash;
use crate::engine::{EngineKind, EngineSpec};

/// The file that is run for this engine; `ours` is where our own program is.
pub fn find(spec: &EngineSpec, ours: &Path) -> anyhow::Result<PathBuf> {
    let EngineKind::Program { program, .. } = &spec.kind else { return Ok(ours.to_path_buf()) };
    // As `Launch` and the system look for it.
    match binary_hash::find_program(program, spec.settings.directory.as_deref()) {
        Some(found) => Ok(absolute(found)?),
        None => bail!("{}: no program is called {}", spec.name(), program.display()),
    }
}

/// The SHA-256 of a file, in hexadecimal digits.
pub fn fingerprint(path: &Path) -> anyhow::Result<String> {
    binary_hash::of_file(path).with_context(|| format!("{} cannot be read", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_is_the_published_one() {
        let path = std::env::temp_dir().join(format!("secateur-abc-{}", std::process::id()));
        std::fs::write(&path, "abc").unwrap();
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(fingerprint(&path).unwrap(), expected);
        std::fs::remove_file(&path).unwrap();
        assert!(fingerprint(&path).unwrap_err().to_string().ends_with("cannot be read"));
    }

    #[test]
    fn a_program_that_is_nowhere_is_named() {
        let spec = EngineSpec::parse("no-such-engine --uci").unwrap();
        let error = find(&spec, Path::new("/ours")).unwrap_err().to_string();
        assert_eq!(error, "no-such-engine: no program is called no-such-engine");
        let spec = EngineSpec::parse("secateur").unwrap();
        assert_eq!(find(&spec, Path::new("/ours")).unwrap(), Path::new("/ours"));
    }
}
