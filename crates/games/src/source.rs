//! Text files as they come: plain or zipped, UTF-8 or Latin-1, with any kind of line end.
//!
//! Opening books and test suites are passed round as zip archives with one file inside, and game
//! collections older than UTF-8 are still in use. A program that asks here need not care.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek};
use std::path::{Path, PathBuf};

use zip::ZipArchive;
use zip::result::ZipError;

/// No file is unpacked or held in memory beyond this: a small archive can claim to hold anything.
const LARGEST: u64 = 4 << 30;

/// File names that are surely meant, when an archive holds several.
const KINDS: [&str; 9] = ["epd", "pgn", "fen", "uci", "perft", "obf", "board", "transcript", "wtb"];

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The operating system refused.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It begins like a zip archive, but is none that can be read.
    #[error("cannot unpack {}: {why}", path.display())]
    Broken {
        /// The archive.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// An archive without any file of a known kind.
    #[error("{} holds no file that ends in .{} or .txt", path.display(), KINDS.join(", ."))]
    NothingInside {
        /// The archive.
        path: PathBuf,
    },
    /// An archive with several files that could be meant.
    #[error("{} holds several files ({names}): unpack it and name the ones you mean", path.display())]
    Several {
        /// The archive.
        path: PathBuf,
        /// The first two of them.
        names: String,
    },
    /// An archive that needs a password.
    #[error("{entry} in {} is encrypted", path.display())]
    Encrypted {
        /// The archive.
        path: PathBuf,
        /// The file inside it.
        entry: String,
    },
    /// Too large to be held in memory.
    #[error("{} is larger than {} GiB when read", path.display(), limit >> 30)]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The limit, in bytes.
        limit: u64,
    },
}

/// The text of a file or of the first suitable file in a zip archive. Bytes that are not UTF-8
/// are taken for Latin-1; a byte order mark is dropped.
pub fn read_text(path: impl AsRef<Path>) -> Result<String, SourceError> {
    read_bytes(path).map(decode)
}

/// Any input, unpacked if it begins like a zip archive; only then is it held in memory. `path` is
/// for messages.
pub fn unpacked(
    mut input: impl BufRead + Send + 'static,
    path: &Path,
) -> Result<Box<dyn BufRead + Send>, SourceError> {
    let failed = |source| SourceError::Io { path: path.to_path_buf(), source };
    if !is_zip(input.fill_buf().map_err(failed)?) {
        return Ok(Box::new(input));
    }
    let bytes = read_up_to(input, LARGEST, path)?;
    Ok(Box::new(Cursor::new(unzip(Cursor::new(bytes), LARGEST, path)?)))
}

/// The bytes of a file or of the first suitable file in a zip archive.
pub fn read_bytes(path: impl AsRef<Path>) -> Result<Vec<u8>, SourceError> {
    let path = path.as_ref();
    match look_at(path)? {
        Found::Plain(file) => read_up_to(file, LARGEST, path),
        Found::Zip(file) => unzip(file, LARGEST, path),
    }
}

/// A file to be read piece by piece, however large. Only a zipped one is held in memory.
pub fn open(path: impl AsRef<Path>) -> Result<Box<dyn BufRead + Send>, SourceError> {
    let path = path.as_ref();
    Ok(match look_at(path)? {
        Found::Plain(file) => Box::new(BufReader::with_capacity(1 << 16, file)),
        Found::Zip(file) => Box::new(Cursor::new(unzip(file, LARGEST, path)?)),
    })
}

/// Bytes as text: UTF-8 with or without a byte order mark, otherwise Latin-1.
pub fn decode(mut bytes: Vec<u8>) -> String {
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect())
}

/// The lines of a text with their numbers from 1, whether they end in `\n`, `\r\n` or `\r`.
/// White space and what old editors left at the end of a file (NUL, Ctrl-Z) are cut from the end
/// of a line.
pub fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = Some(text.strip_prefix('\u{feff}').unwrap_or(text));
    let mut number = 0;
    std::iter::from_fn(move || {
        let text = rest.filter(|text| !text.is_empty())?;
        let (line, after) = match text.find(['\n', '\r']) {
            None => (text, None),
            Some(end) => {
                let step = if text[end..].starts_with("\r\n") { 2 } else { 1 };
                (&text[..end], Some(&text[end + step..]))
            }
        };
        rest = after;
        number += 1;
        Some((number, line.trim_end_matches(|c: char| c.is_whitespace() || c.is_control())))
    })
}

enum Found {
    Plain(io::Chain<Cursor<Vec<u8>>, File>),
    Zip(File),
}

/// Whether these are the first bytes of an archive, full or empty.
fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// Tells archives by their first bytes: a book keeps its kind however it is named.
fn look_at(path: &Path) -> Result<Found, SourceError> {
    let failed = |source| SourceError::Io { path: path.to_path_buf(), source };
    let mut file = File::open(path).map_err(failed)?;
    let mut first = Vec::new();
    (&mut file).take(4).read_to_end(&mut first).map_err(failed)?;
    if is_zip(&first) {
        return Ok(Found::Zip(file));
    }
    // The four bytes are put back in front, so that a pipe can be read as well.
    Ok(Found::Plain(Cursor::new(first).chain(file)))
}

fn read_up_to(input: impl Read, limit: u64, path: &Path) -> Result<Vec<u8>, SourceError> {
    let mut bytes = Vec::new();
    input
        .take(limit.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|source| SourceError::Io { path: path.to_path_buf(), source })?;
    if bytes.len() as u64 > limit {
        return Err(SourceError::TooLarge { path: path.to_path_buf(), limit });
    }
    Ok(bytes)
}

fn unzip(file: impl Read + Seek, limit: u64, path: &Path) -> Result<Vec<u8>, SourceError> {
    let broken = |why: String| SourceError::Broken { path: path.to_path_buf(), why };
    let failed = |error: ZipError| broken(error.to_string());
    let mut archive = ZipArchive::new(file).map_err(failed)?;
    let mut best: Option<(u32, usize, String)> = None;
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(failed)?;
        let Ok(name) = entry.name() else { continue };
        let Some(rank) = suitability(&name).filter(|_| !entry.is_dir()) else { continue };
        if let Some((known, _, other)) = &best
            && rank == *known
        {
            let names = format!("{other}, {name}");
            return Err(SourceError::Several { path: path.to_path_buf(), names });
        }
        if best.as_ref().is_none_or(|(known, ..)| rank < *known) {
            if entry.encrypted() {
                let (path, entry) = (path.to_path_buf(), name.into_owned());
                return Err(SourceError::Encrypted { path, entry });
            }
            best = Some((rank, index, name.into_owned()));
        }
    }
    let Some((_, index, name)) = best else {
        return Err(SourceError::NothingInside { path: path.to_path_buf() });
    };
    let entry = archive.by_index(index).map_err(|error| broken(format!("{name}: {error}")))?;
    read_up_to(entry, limit, path).map_err(|error| match error {
        // The file itself was readable: what failed is unpacking.
        SourceError::Io { source, .. } => broken(format!("{name}: {source}")),
        other => other,
    })
}

/// How well a name inside an archive fits, 0 best; `None` for directories, hidden files and kinds
/// that hold no text. A `.txt` may be a note beside the book, so it comes last.
fn suitability(name: &str) -> Option<u32> {
    let mut parts = name.split(['/', '\\']);
    if parts.any(|part| part.starts_with('.') || part == "__MACOSX") {
        return None;
    }
    let (_, kind) = name.rsplit_once('.')?;
    let kind = kind.to_ascii_lowercase();
    match KINDS.contains(&kind.as_str()) {
        true => Some(0),
        false => (kind == "txt").then_some(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    fn zipped(files: &[(&str, &str)]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in files {
            if name.ends_with('/') {
                writer.add_directory(*name, SimpleFileOptions::default()).unwrap();
            } else {
                writer.start_file(*name, SimpleFileOptions::default()).unwrap();
                writer.write_all(text.as_bytes()).unwrap();
            }
        }
        writer.finish().unwrap().into_inner()
    }

    fn unzipped(bytes: &[u8], limit: u64) -> Result<String, String> {
        unzip(Cursor::new(bytes), limit, Path::new("book.zip"))
            .map(decode)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn the_book_in_an_archive_is_read() {
        let bytes = zipped(&[
            ("games.pgn/", ""),
            ("__MACOSX/book.epd", "no"),
            (".hidden.epd", "no"),
            ("picture.png", "no"),
            ("readme.txt", "no"),
            ("inner/Book.EPD", "yes"),
        ]);
        assert_eq!(unzipped(&bytes, 100).unwrap(), "yes");
        assert_eq!(unzipped(&zipped(&[("readme.txt", "only")]), 100).unwrap(), "only");
    }

    #[test]
    fn an_archive_that_cannot_be_used_says_why() {
        let two = zipped(&[("a.epd", "x"), ("notes.txt", "y"), ("b.pgn", "z")]);
        let several =
            "book.zip holds several files (a.epd, b.pgn): unpack it and name the ones you mean";
        assert_eq!(unzipped(&two, 100).unwrap_err(), several);
        let nothing = unzipped(&zipped(&[("picture.png", "x")]), 100).unwrap_err();
        assert!(nothing.starts_with("book.zip holds no file that ends in .epd"), "{nothing}");
        assert_eq!(unzipped(&zipped(&[]), 100).unwrap_err(), nothing);

        let whole = zipped(&[("book.epd", &"text ".repeat(100))]);
        for end in [4, 40, whole.len() - 1] {
            let error = unzipped(&whole[..end], 1000).unwrap_err();
            assert!(error.starts_with("cannot unpack book.zip: "), "{error}");
        }
        // The packed data begins after the 30 bytes of the local header and the name.
        let mut damaged = whole.clone();
        damaged[40] ^= 0xff;
        assert!(unzipped(&damaged, 1000).unwrap_err().contains("book.epd"), "a broken stream");

        // Bit 0 of the flags, in the local and in the central header.
        let mut locked = whole;
        let central = locked.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
        locked[6] |= 1;
        locked[central + 8] |= 1;
        assert_eq!(unzipped(&locked, 1000).unwrap_err(), "book.epd in book.zip is encrypted");
    }

    #[test]
    fn an_archive_that_unpacks_to_too_much_is_refused() {
        let bomb = zipped(&[("book.epd", &" ".repeat(1_000_000))]);
        assert!(bomb.len() < 5000, "it is small: {}", bomb.len());
        assert!(unzipped(&bomb, 999_999).unwrap_err().contains("is larger than"));
        assert!(unzipped(&bomb, 1_000_000).is_ok());
    }

    #[test]
    fn old_files_are_taken_for_latin_1() {
        assert_eq!(decode(b"Z\xfcrich".to_vec()), "Zürich");
        assert_eq!(decode("Zürich".into()), "Zürich");
        assert_eq!(decode("\u{feff}Zürich".into()), "Zürich");
    }

    #[test]
    fn every_kind_of_line_end_counts_once() {
        let found: Vec<_> = lines("a\nb \r\n\r\nc\rd\u{1a}").collect();
        assert_eq!(found, [(1, "a"), (2, "b"), (3, ""), (4, "c"), (5, "d")]);
        assert_eq!(lines("").count(), 0);
        assert_eq!(lines("\n").collect::<Vec<_>>(), [(1, "")]);
    }

    #[test]
    fn plain_and_zipped_files_are_told_apart_by_their_first_bytes() {
        let folder = std::env::temp_dir().join(format!("secateur-source-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (plain, archive) = (folder.join("plain.zip"), folder.join("archive.epd"));
        std::fs::write(&plain, "plain").unwrap();
        std::fs::write(&archive, zipped(&[("a.epd", "zipped")])).unwrap();
        let opened = |path: &Path| {
            let mut text = String::new();
            open(path).unwrap().read_to_string(&mut text).unwrap();
            text
        };
        assert_eq!((read_text(&plain).unwrap(), opened(&plain)), ("plain".into(), "plain".into()));
        assert_eq!(read_text(&archive).unwrap(), "zipped");
        assert_eq!(opened(&archive), "zipped");
        let missing = read_text(folder.join("none.epd")).unwrap_err().to_string();
        assert!(missing.starts_with("cannot read ") && missing.contains("none.epd"), "{missing}");
        let directory = read_text(&folder).unwrap_err().to_string();
        assert!(directory.starts_with("cannot read "), "{directory}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
