//! Which file an engine is, and its fingerprint: a run that goes on must go on with the same.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf, absolute};

use anyhow::{Context, bail};
use sha2::{Digest, Sha256};

use crate::engine::{EngineKind, EngineSpec};

/// The file that is run for this engine; `ours` is where our own program is.
pub fn find(spec: &EngineSpec, ours: &Path) -> anyhow::Result<PathBuf> {
    let EngineKind::Program { program, .. } = &spec.kind else { return Ok(ours.to_path_buf()) };
    // As `Launch` and the system look for it.
    let candidates: Vec<PathBuf> = if program.components().count() > 1 {
        let inside = spec.settings.directory.iter().map(|directory| directory.join(program));
        inside.chain([program.clone()]).collect()
    } else {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).map(|folder| folder.join(program)).collect()
    };
    match candidates.iter().find(|candidate| is_program(candidate)) {
        Some(found) => Ok(absolute(found)?),
        None => bail!("{}: no program is called {}", spec.name(), program.display()),
    }
}

fn is_program(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    {
        path.is_file() || path.with_extension("exe").is_file()
    }
}

/// The SHA-256 of a file, in hexadecimal digits.
pub fn fingerprint(path: &Path) -> anyhow::Result<String> {
    let read = || -> io::Result<String> {
        let mut file = File::open(path)?;
        let mut hash = Sha256::new();
        let mut block = vec![0; 1 << 16];
        loop {
            match file.read(&mut block)? {
                0 => break,
                length => hash.update(&block[..length]),
            }
        }
        Ok(digits(hash))
    };
    read().with_context(|| format!("{} cannot be read", path.display()))
}

/// The SHA-256 of a text.
pub fn fingerprint_of(text: &[u8]) -> String {
    digits(Sha256::new().chain_update(text))
}

fn digits(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
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
