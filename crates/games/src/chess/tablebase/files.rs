//! A search path becomes a list of files, each looked at before anything is read from it.
//!
//! The prober takes every name for a table that is there and reads whatever it finds, so all that
//! can be known beforehand is found out here.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use secateur_search::notation::quoted;

use super::header::{self, Kind};
use super::material::Material;

/// Why there are no tables to be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// A folder of the path does not exist, or is none.
    #[error("there is no folder {}", quoted(&.0.to_string_lossy()))]
    NoFolder(PathBuf),
    /// A folder cannot be read.
    #[error("the folder {} cannot be read: {why}", quoted(&.folder.to_string_lossy()))]
    Unreadable {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        why: String,
    },
    /// A folder has no tables.
    #[error("the folder {} holds no Syzygy tables (.rtbw and .rtbz)", quoted(&.0.to_string_lossy()))]
    NoTables(PathBuf),
    /// A file is not what it is called.
    #[error("the table {} {what}", quoted(&.file.to_string_lossy()))]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The prober cannot be told of this path.
    #[error("tables are read from the drive of the current folder only, not from {}", quoted(.0))]
    OtherDrive(String),
    /// Only one set of tables can be open in a process.
    #[error("other tables are open in this program; close them or restart it")]
    InUse,
    /// The prober would not start.
    #[error("the tables cannot be opened")]
    Refused,
}

/// Tables that were found and have passed the checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableFiles {
    folders: Vec<PathBuf>,
    count: usize,
    largest: u32,
    /// Those whose results are known together with all that a capture can lead to.
    results: HashSet<Material>,
    /// Those whose distances are known too, with the results after every promotion.
    distances: HashSet<Material>,
}

impl TableFiles {
    /// Looks for tables in the folders of `path`, joined by `:` (`;` on Windows). No folders, or
    /// `<empty>`, is `None`.
    pub fn find(path: &str) -> Result<Option<TableFiles>, TableError> {
        let path = path.trim();
        if path == "<empty>" {
            return Ok(None);
        }
        let folders: Vec<PathBuf> =
            std::env::split_paths(path).filter(|folder| !folder.as_os_str().is_empty()).collect();
        let mut found =
            HashMap::from([(Kind::Results, HashSet::new()), (Kind::Distances, HashSet::new())]);
        for folder in &folders {
            let tables = tables_in(folder)?;
            if tables.is_empty() {
                return Err(TableError::NoTables(folder.clone()));
            }
            for (file, kind, material) in tables {
                header::check(&file, kind).map_err(|what| TableError::Damaged { file, what })?;
                found.entry(kind).or_default().insert(material);
            }
        }
        let Some(first) = folders.first().cloned() else { return Ok(None) };
        let (results, distances) = (&found[&Kind::Results], &found[&Kind::Distances]);
        if results.is_empty() {
            return Err(TableError::NoTables(first));
        }
        let count = results.len() + distances.len();
        let mut whole = HashMap::new();
        let usable: HashSet<Material> =
            results.iter().copied().filter(|&m| is_whole(m, results, &mut whole)).collect();
        let follows = |m: &Material| m.after_promotions().iter().all(|m| usable.contains(m));
        let distances = distances.intersection(&usable).copied().filter(follows).collect();
        let largest = usable.iter().map(|material| material.men()).max().unwrap_or(0);
        Ok(Some(TableFiles { folders, count, largest, results: usable, distances }))
    }

    /// How many files they are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The most men, kings included, of a position that can be looked up.
    pub fn largest(&self) -> u32 {
        self.largest
    }

    /// Where they are.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    pub(super) fn has_results(&self, material: Material) -> bool {
        self.results.contains(&material)
    }

    pub(super) fn has_distances(&self, material: Material) -> bool {
        self.distances.contains(&material)
    }

    /// The folders as the prober wants them: it parts them at colons, even on Windows.
    pub(super) fn joined(&self) -> Result<String, TableError> {
        let drive = std::env::current_dir().ok().and_then(|folder| drive_of(folder.to_str()?));
        let folders: Result<Vec<String>, TableError> = self
            .folders
            .iter()
            .map(|folder| without_drive(&folder.to_string_lossy(), drive))
            .collect();
        Ok(folders?.join(":"))
    }
}

/// The letter before the colon of a Windows path.
fn drive_of(path: &str) -> Option<char> {
    let (drive, _) = path.split_once(':')?;
    drive.chars().next().map(|letter| letter.to_ascii_uppercase())
}

fn without_drive(folder: &str, current: Option<char>) -> Result<String, TableError> {
    match folder.split_once(':') {
        None => Ok(folder.to_string()),
        Some((_, rest))
            if drive_of(folder) == current
                && rest.starts_with(['\\', '/'])
                && !rest.contains(':') =>
        {
            Ok(rest.to_string())
        }
        Some(_) => Err(TableError::OtherDrive(folder.to_string())),
    }
}

/// Whether everything that a capture can lead to is there as well.
fn is_whole(
    material: Material,
    there: &HashSet<Material>,
    known: &mut HashMap<Material, bool>,
) -> bool {
    if material.is_bare() {
        return true;
    }
    if let Some(&whole) = known.get(&material) {
        return whole;
    }
    let whole = there.contains(&material)
        && material.after_captures().into_iter().all(|left| is_whole(left, there, known));
    known.insert(material, whole);
    whole
}

fn tables_in(folder: &Path) -> Result<Vec<(PathBuf, Kind, Material)>, TableError> {
    let unreadable = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => {
            TableError::NoFolder(folder.to_path_buf())
        }
        _ => TableError::Unreadable { folder: folder.to_path_buf(), why: error.to_string() },
    };
    let mut tables = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let file = entry.map_err(unreadable)?.path();
        let part =
            |part: Option<&std::ffi::OsStr>| part.and_then(|text| text.to_str()).map(str::to_owned);
        let kind = match part(file.extension()).as_deref() {
            Some("rtbw") => Kind::Results,
            Some("rtbz") => Kind::Distances,
            _ => continue,
        };
        if let Some(material) = part(file.file_stem()).and_then(|name| Material::read(&name)) {
            tables.push((file, kind, material));
        }
    }
    // So that the same file is named in a message each time.
    tables.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(tables)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_is_no_tables() {
        for path in ["", " ", "<empty>"] {
            assert_eq!(TableFiles::find(path), Ok(None), "{path:?}");
        }
    }

    #[test]
    fn a_drive_is_left_out_where_it_is_the_current_one() {
        let on = |folder| without_drive(folder, Some('C'));
        assert_eq!(on("tables/five"), Ok("tables/five".to_string()));
        assert_eq!(on(r"c:\tables\five"), Ok(r"\tables\five".to_string()));
        for elsewhere in [r"D:\tables", "C:tables", r"C:\a:b"] {
            assert_eq!(on(elsewhere), Err(TableError::OtherDrive(elsewhere.to_string())));
        }
    }

    #[test]
    fn a_table_counts_only_with_all_that_captures_lead_to() {
        let there =
            |names: &[&str]| names.iter().map(|name| Material::read(name).unwrap()).collect();
        let whole = |names: &[&str]| {
            let material = Material::read("KQvKR").unwrap();
            is_whole(material, &there(names), &mut HashMap::new())
        };
        assert!(whole(&["KQvKR", "KQvK", "KRvK"]));
        assert!(!whole(&["KQvKR", "KQvK"]));
        assert!(!whole(&["KQvK", "KRvK"]));
    }
}
