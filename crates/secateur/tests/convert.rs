//! `secateur convert`, run as a user runs it.

#![cfg(all(feature = "chess", feature = "othello"))]

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;

/// A folder that goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        // What an interrupted run left.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, content).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn convert(arguments: &[&str]) -> (i32, String, String) {
    let output =
        Command::cargo_bin("secateur").unwrap().arg("convert").args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn converted(arguments: &[&str]) -> String {
    let (status, output, complaints) = convert(arguments);
    assert_eq!((status, complaints.as_str()), (0, ""), "{arguments:?}");
    output
}

const GAMES: &str = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 {best by test} e5 (1... c5) 2. Nf3 1-0\n\n\
    [White \"C\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 5 9\"]\n\n9. e4 *\n";

#[test]
fn games_become_lines_of_moves_and_back() {
    let folder = Folder::new("moves");
    let pgn = folder.file("games.pgn", GAMES);
    let lines = converted(&[pgn.to_str().unwrap(), "--to", "uci"]);
    assert_eq!(
        lines,
        "startpos moves e2e4 e7e5 g1f3\nfen 4k3/8/8/8/8/8/4P3/4K3 w - - 5 9 moves e2e4\n"
    );
    let uci = folder.file("games.uci", &lines);
    let back = converted(&[uci.to_str().unwrap(), "--to", "pgn"]);
    assert!(back.contains("1. e4 e5 2. Nf3 *"), "{back}");
    let again = folder.file("again.pgn", &back);
    assert_eq!(converted(&[again.to_str().unwrap(), "--to", "uci"]), lines);
}

#[test]
fn a_game_keeps_its_comments_and_variations() {
    let folder = Folder::new("comments");
    let pgn = folder.file("games.pgn", GAMES);
    let text = converted(&[pgn.to_str().unwrap(), "--to", "pgn"]);
    assert!(text.contains("1. e4 {best by test} 1... e5 (1... c5) 2. Nf3 1-0"), "{text}");
}

#[test]
fn positions_of_a_game_are_chosen() {
    let folder = Folder::new("positions");
    let pgn = folder.file("games.pgn", GAMES);
    let pgn = pgn.to_str().unwrap();
    let count = |which| converted(&[pgn, "--to", "fen", "--positions", which]).lines().count();
    assert_eq!((count("last"), count("all"), count("2"), count("7")), (2, 6, 1, 0));
    let epd = converted(&[pgn, "--to", "epd"]);
    assert!(epd.lines().next().unwrap().contains("id \"A - B, ply 3\";"), "{epd}");
}

#[test]
fn an_epd_keeps_what_is_said_of_it() {
    let folder = Folder::new("epd");
    let line = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"one\";";
    let epd = folder.file("one.epd", format!("# comment\n{line}\n"));
    let epd = epd.to_str().unwrap();
    assert_eq!(converted(&[epd, "--to", "epd"]), format!("{line}\n"));
    assert_eq!(converted(&[epd, "--to", "fen"]), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n");
    let pgn = converted(&[epd, "--to", "pgn"]);
    assert!(pgn.contains("[Event \"one\"]") && pgn.contains("{best: e4}"), "{pgn}");
}

#[test]
fn othello_games_go_through_every_format() {
    let folder = Folder::new("othello");
    let games = "f5d6c3d3c4\nf5f6e6f4g5\n";
    let transcripts = folder.file("games.transcript", games);
    let wtb = folder.0.join("games.wtb");
    converted(&[transcripts.to_str().unwrap(), "--to", "wtb", "--out", wtb.to_str().unwrap()]);
    assert_eq!(fs::read(&wtb).unwrap().len(), 16 + 2 * 68);
    assert_eq!(converted(&[wtb.to_str().unwrap(), "--to", "transcript"]), games);
    let boards = converted(&[wtb.to_str().unwrap(), "--to", "board"]);
    let file = folder.file("boards.board", &boards);
    let problems = converted(&[file.to_str().unwrap(), "--to", "obf"]);
    assert_eq!(problems, boards.replace('\n', ";\n"));
}

#[test]
fn a_broken_record_is_named_by_its_line_and_the_others_are_converted() {
    let folder = Folder::new("broken");
    let text = "4k3/8/8/8/8/8/4P3/4K3 w - -\n4k3/8/8/8/8/8/8 w - -\n8/8/8/4k3/8/8/8/4K3 b - -\n";
    let epd = folder.file("mixed.epd", text);
    let (status, output, complaints) = convert(&[epd.to_str().unwrap(), "--to", "fen"]);
    assert_eq!((status, output.lines().count()), (2, 2));
    let lines: Vec<&str> = complaints.lines().collect();
    assert!(
        lines[0].ends_with("mixed.epd: line 2, column 16: the board has 7 ranks instead of 8"),
        "{lines:?}"
    );
    assert_eq!(lines[1], "error: 1 of 3 records could not be converted");
}

#[test]
fn what_cannot_be_is_refused_in_one_line() {
    let folder = Folder::new("refused");
    let epd = folder.file("one.epd", "4k3/8/8/8/8/8/4P3/4K3 w - -\n");
    let obf = folder.file("one.obf", format!("{} X;\n", "-".repeat(64)));
    let odd = folder.file("one.txt", "e4");
    let f5 = folder.file("one.transcript", "f5");
    let cases = [
        (vec![epd.to_str().unwrap(), "--to", "obf"], "obf is no format of chess"),
        (
            vec![epd.to_str().unwrap(), "--to", "fen", "--game", "othello"],
            "is no format of othello",
        ),
        (vec![obf.to_str().unwrap(), "--to", "wtb"], "one cannot become the other"),
        (vec![f5.to_str().unwrap(), f5.to_str().unwrap(), "--to", "wtb"], "one FILE at a time"),
        (
            vec![epd.to_str().unwrap(), "--to", "fen", "--out", folder.0.to_str().unwrap()],
            "is a folder",
        ),
        (vec![odd.to_str().unwrap(), "--to", "fen"], "give --from FORMAT"),
        (vec!["missing.pgn", "--to", "fen"], "cannot read missing.pgn"),
        (vec![epd.to_str().unwrap(), "--to", "fen", "--positions", "some"], "a number of plies"),
    ];
    for (arguments, message) in cases {
        let (status, output, complaints) = convert(&arguments);
        assert_eq!((status, output.as_str()), (2, ""), "{arguments:?}");
        assert!(complaints.contains(message), "{arguments:?}: {complaints}");
        assert_eq!(complaints.lines().count(), 1, "{complaints}");
    }
}

#[test]
fn a_line_of_moves_may_be_the_whole_uci_command() {
    let folder = Folder::new("position");
    let uci = folder.file("one.uci", "position startpos moves e2e4\nposition fen 4k3/8/8 w - -\n");
    let (status, output, complaints) = convert(&[uci.to_str().unwrap(), "--to", "uci"]);
    assert_eq!((status, output.as_str()), (2, "startpos moves e2e4\n"));
    assert!(
        complaints.contains("one.uci: line 2, column 21: the board has 3 ranks"),
        "{complaints}"
    );
}

#[test]
fn what_was_mended_is_said() {
    let folder = Folder::new("mended");
    let epd = folder.file("one.epd", "4k3/8/8/8/8/8/4P3/4K3 w K e3 150 1\n");
    let (status, output, notes) = convert(&[epd.to_str().unwrap(), "--to", "fen"]);
    assert_eq!((status, output.as_str()), (0, "4k3/8/8/8/8/8/4P3/4K3 w - - 100 1\n"));
    let lines: Vec<&str> = notes.lines().collect();
    assert_eq!(lines.len(), 3, "{notes}");
    assert!(lines.iter().all(|line| line.starts_with("note: ") && line.contains("line 1: ")));
}

#[test]
fn an_output_in_a_folder_that_is_not_there_is_bad_input() {
    let folder = Folder::new("unwritable");
    let epd = folder.file("one.epd", "4k3/8/8/8/8/8/4P3/4K3 w - -\n");
    let out = folder.0.join("no/such/folder");
    let (status, _, complaints) =
        convert(&[epd.to_str().unwrap(), "--to", "fen", "--out", out.to_str().unwrap()]);
    assert!(status == 2 && complaints.contains("cannot be written"), "{complaints}");
}

#[test]
fn the_output_file_is_whole_or_not_there() {
    let folder = Folder::new("whole");
    let wtb = folder.file("broken.wtb", [0; 10]);
    let out = folder.0.join("out.transcript");
    let (status, ..) =
        convert(&[wtb.to_str().unwrap(), "--to", "transcript", "--out", out.to_str().unwrap()]);
    assert_eq!(status, 2);
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1, "only the input is there");
}
