//! Which program was measured: its file, and the SHA-256 of that, as `sha256sum` prints it.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::{env, fmt::Write};

use sha2::{Digest, Sha256};

/// The hash of a file in hexadecimal digits.
pub fn of_file(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hexadecimal(&hash.finalize())),
            length => hash.update(&buffer[..length]),
        }
    }
}

/// The hash of bytes in hexadecimal digits.
pub fn of_bytes(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a text does not fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// The file that would be run: a path from `directory` or from here, a bare name from the search
/// path.
pub fn find_program(program: &Path, directory: Option<&Path>) -> Option<PathBuf> {
    let here = |path: PathBuf| is_program(&path).then_some(path);
    if program.components().count() > 1 {
        let inside = directory.and_then(|directory| here(directory.join(program)));
        return inside.or_else(|| here(program.to_path_buf()));
    }
    let ending = env::consts::EXE_SUFFIX;
    env::split_paths(&env::var_os("PATH")?).find_map(|folder| {
        let path = folder.join(program);
        let with_ending = || {
            let mut name = path.clone().into_os_string();
            name.push(ending);
            here(PathBuf::from(name))
        };
        here(path.clone()).or_else(with_ending)
    })
}

fn is_program(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    {
        path.is_file()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_example_comes_out_whole_or_in_pieces() {
        // FIPS 180-4, the message "abc".
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(of_bytes(b"abc"), abc);
        let path = env::temp_dir().join(format!("secateur-hash-{}", std::process::id()));
        let long = vec![b'x'; 200_000];
        std::fs::write(&path, &long).unwrap();
        assert_eq!(of_file(&path).unwrap(), of_bytes(&long));
        std::fs::remove_file(&path).unwrap();
        assert!(of_file(&path).is_err());
    }

    #[test]
    fn a_program_is_found_where_it_would_be_run() {
        let own = env::current_exe().unwrap();
        let (folder, name) = (own.parent().unwrap(), Path::new(own.file_name().unwrap()));
        let beside = Path::new(".").join(name);
        assert_eq!(find_program(&beside, Some(folder)), Some(folder.join(&beside)));
        assert_eq!(find_program(&own, None), Some(own.clone()));
        assert_eq!(find_program(Path::new("no-such-program-anywhere"), None), None);
        if cfg!(unix) {
            assert_eq!(find_program(Path::new("src/lib.rs"), None), None, "it cannot be run");
        }
        if cfg!(unix) {
            assert!(find_program(Path::new("sh"), None).is_some());
        }
    }
}
