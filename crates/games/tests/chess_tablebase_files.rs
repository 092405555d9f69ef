//! Folders and files that are not what they should be, and tables that are changed for others.

#![cfg(feature = "chess")]

mod test_tables;

use std::fs;
use std::path::{Path, PathBuf};

use cozy_chess::Move;
use secateur_games::chess::Chess;
use secateur_games::chess::tablebase::{TableError, TableFiles, Tablebases, Tables, Wdl};
use secateur_search::testkit::reference::moves;
use secateur_search::{Game, Line, Notation, Score, Solver};

/// A folder that is gone when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("secateur-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn with(self, name: &str, bytes: &[u8]) -> Folder {
        fs::write(self.0.join(name), bytes).unwrap();
        self
    }

    fn find(&self) -> Result<Option<TableFiles>, TableError> {
        TableFiles::find(self.0.to_str().unwrap())
    }

    /// What is said, without the path.
    fn complaint(&self) -> String {
        let text = self.find().expect_err("an error").to_string();
        text.replace(&*self.0.to_string_lossy(), "FOLDER").replace('\\', "/")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_folder_without_tables_is_named() {
    let missing = Path::new("no").join("such folder");
    let error = TableFiles::find(missing.to_str().unwrap()).unwrap_err();
    assert_eq!(error, TableError::NoFolder(missing));
    let folder = Folder::new("empty").with("readme.txt", b"none").with("other.rtbw", b"none");
    let nothing = "the folder 'FOLDER' holds no Syzygy tables (.rtbw and .rtbz)";
    assert_eq!(folder.complaint(), nothing);
    let file = folder.0.join("readme.txt");
    let error = TableFiles::find(file.to_str().unwrap()).unwrap_err();
    assert_eq!(error, TableError::NoFolder(file));
    assert!(TableFiles::find("a\0b").is_err());
}

#[test]
fn a_file_that_is_no_table_is_named() {
    let not = "the table 'FOLDER/KQvK.rtbw' is not a Syzygy table";
    for (number, bytes) in [&b""[..], b"hello", &[0; 80], &[0xff; 4096]].into_iter().enumerate() {
        let folder = Folder::new(&format!("garbage-{number}")).with("KQvK.rtbw", bytes);
        assert_eq!(folder.complaint(), not);
    }
}

#[test]
fn damage_to_the_length_or_the_header_is_found() {
    let Some(tables) = test_tables::folder() else { return };
    for name in ["KQvK.rtbw", "KRvKP.rtbw", "KPvKP.rtbw", "KQvK.rtbz", "KNvKP.rtbz", "KBvK.rtbw"] {
        let whole = fs::read(tables.join(name)).unwrap();
        let damaged = Folder::new(&format!("damaged-{name}"));
        let refused = |bytes: &[u8], what: &str| {
            fs::write(damaged.0.join(name), bytes).unwrap();
            assert!(damaged.find().is_err(), "{name}: {what}");
        };
        for cut in [1, 16, 64, 80, 1024].into_iter().filter(|&cut| cut < whole.len()) {
            refused(&whole[..whole.len() - cut], &format!("{cut} bytes less"));
        }
        for part in 0..16 {
            let length = whole.len() / 64 * part / 16 * 64 + 16;
            refused(&whole[..length], &format!("only {length} bytes"));
        }
        refused(&[&whole[..], &[0; 64]].concat(), "64 bytes more");
        // Any bytes at all where the header is: an error or not, but no panic.
        for at in 4..whole.len().min(150) {
            for byte in [0, 0x7f, 0xff] {
                let mut changed = whole.clone();
                changed[at] = byte;
                fs::write(damaged.0.join(name), &changed).unwrap();
                let _ = damaged.find();
            }
        }
    }
}

#[test]
fn a_table_under_the_name_of_another_is_found() {
    let Some(tables) = test_tables::folder() else { return };
    for (name, other) in [("KQvK", "KRvK"), ("KQvKR", "KRvKB"), ("KPvK", "KBvK"), ("KBvK", "KPvK")]
    {
        let bytes = fs::read(tables.join(name).with_extension("rtbw")).unwrap();
        let folder = Folder::new(&format!("other-{name}")).with(&format!("{other}.rtbw"), &bytes);
        let complaint = folder.complaint();
        assert!(complaint.contains("it tells of other men"), "{name} {other}: {complaint}");
    }
}

#[test]
fn one_set_is_open_at_a_time_and_can_be_changed_for_another() {
    let Some(all) = test_tables::folder() else { return };
    let few = ["KQvK.rtbw", "KQvKR.rtbw", "KQvKR.rtbz"]
        .into_iter()
        .fold(Folder::new("few"), |folder, name| {
            folder.with(name, &fs::read(all.join(name)).unwrap())
        });
    let few_files = few.find().unwrap().unwrap();
    let all_files = TableFiles::find(all.to_str().unwrap()).unwrap().unwrap();
    assert_eq!((few_files.count(), few_files.largest()), (3, 3), "without KRvK there is no KQvKR");
    let queen = Chess::read_position("8/8/8/3k4/8/8/8/Q1K5 w - - 0 1").unwrap();
    let rook = Chess::read_position("8/8/8/3k4/8/8/8/R1K5 w - - 0 1").unwrap();
    for _ in 0..3 {
        let tables = Tables::open(few_files.clone()).unwrap();
        assert_eq!((tables.result(&queen), tables.result(&rook)), (Some(Wdl::Win), None));
        assert_eq!(tables.distances(&queen), None, "there is no KQvK.rtbz");
        // Then the root goes by results: no move that gives the queen away, and no more is known.
        let near = Chess::read_position("8/8/8/3k4/8/8/2Q5/K7 w - - 0 1").unwrap();
        let mut solver = Tablebases::new(tables.clone(), 7, true);
        let all_moves = moves(&near);
        let verdict = solver.at_root(&near, &Line::starting_at(&near), &all_moves).unwrap();
        assert!(!verdict.settled && verdict.value == Score::tablebase_win_in(1));
        let safe = |m: &&Move| !moves(&near.after(**m)).iter().any(|r| r.to == m.to);
        assert_eq!(verdict.moves.len(), all_moves.iter().filter(safe).count());
        assert!(verdict.moves.len() < all_moves.len());
        drop(solver);
        let shared = Tables::open(few_files.clone()).unwrap();
        assert!(std::sync::Arc::ptr_eq(&tables, &shared));
        assert!(matches!(Tables::open(all_files.clone()), Err(TableError::InUse)));
        drop((tables, shared));
        let tables = Tables::open(all_files.clone()).unwrap();
        assert_eq!(tables.result(&rook), Some(Wdl::Win));
        assert_eq!(tables.distances(&rook).unwrap().len(), rook.count_moves());
    }
    // Several folders count as one.
    let both = std::env::join_paths([&few.0, &all]).unwrap();
    let both = TableFiles::find(both.to_str().unwrap()).unwrap().unwrap();
    assert_eq!((both.folders().len(), both.largest()), (2, 4));
    let tables = Tables::open(both).unwrap();
    assert_eq!(tables.result(&rook), Some(Wdl::Win));
    assert_eq!(tables.result(&queen), Some(Wdl::Win));
}
