//! Tablebases as a board program and a person meet them.
#![cfg(all(feature = "chess", feature = "othello"))]

use std::path::PathBuf;

use assert_cmd::Command;

fn secateur(arguments: &[&str], input: &str) -> (String, String, i32) {
    let output = Command::cargo_bin("secateur")
        .unwrap()
        .args(arguments)
        .write_stdin(input)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

fn uci(input: &str) -> Vec<String> {
    let (said, complained, status) = secateur(&[], input);
    assert_eq!((complained.as_str(), status), ("", 0), "{input}");
    said.lines().map(str::to_string).collect()
}

/// The folder of the tables, or `None` with a message that says how to get it.
fn tables() -> Option<String> {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/tablebases");
    let folder = std::env::var_os("SECATEUR_TABLES").map_or(here, PathBuf::from);
    if !folder.join("KQvK.rtbw").is_file() {
        println!(
            "skipped: no tables in {}; scripts/fetch-test-tables fetches them",
            folder.display()
        );
        return None;
    }
    Some(folder.canonicalize().unwrap().to_str().unwrap().to_string())
}

/// The number after a word of the last `info` line with a score.
fn last(lines: &[String], word: &str) -> i64 {
    let line = lines.iter().rev().find(|line| line.contains(" score ")).expect("a score");
    let mut words = line.split(' ').skip_while(|found| *found != word).skip(1);
    words.next().and_then(|number| number.parse().ok()).expect(line)
}

const KNIGHT_AND_BISHOP: &str = "position fen 8/8/8/3k4/8/8/8/BNK5 w - - 0 1";

#[test]
fn the_options_are_those_of_chess_only() {
    let lines = uci("uci\n");
    for option in [
        "option name SyzygyPath type string default <empty>",
        "option name SyzygyProbeLimit type spin default 7 min 0 max 7",
        "option name Syzygy50MoveRule type check default true",
    ] {
        assert!(lines.iter().any(|line| line == option), "{option}");
    }
    let (said, ..) =
        secateur(&["uci", "--game", "othello"], "uci\nsetoption name SyzygyPath value x\n");
    assert!(!said.contains("option name Syzygy"), "{said}");
    assert!(said.contains("info string error: no option is called 'SyzygyPath'"), "{said}");
}

#[test]
fn a_bad_path_is_named_and_the_engine_lives_on() {
    let lines = uci("setoption name SyzygyPath value /no/such folder\n\
         setoption name SyzygyPath\n\
         setoption name SyzygyPath value <empty>\n\
         setoption name SyzygyProbeLimit value 8\n\
         setoption name Syzygy50MoveRule value perhaps\n\
         position startpos\ngo depth 2\n");
    assert_eq!(lines[0], "info string error: there is no folder '/no/such folder'");
    assert_eq!(
        lines[1],
        "info string error: SyzygyProbeLimit is a whole number from 0 to 7, not '8'"
    );
    assert_eq!(lines[2], "info string error: Syzygy50MoveRule is true or false, not 'perhaps'");
    assert!(lines.last().unwrap().starts_with("bestmove "), "{lines:?}");
    assert_eq!(last(&lines, "tbhits"), 0);
}

#[test]
fn tables_are_opened_changed_and_kept_when_another_path_is_bad() {
    let Some(folder) = tables() else { return };
    let lines = uci(&format!(
        "setoption name SyzygyPath value {folder}\n\
         setoption name SyzygyPath value /no/such/folder\n\
         setoption name Threads value 2\n{KNIGHT_AND_BISHOP}\ngo depth 3\n"
    ));
    assert_eq!(lines[0], "info string 70 tablebases, of up to 4 men");
    assert!(lines[1].starts_with("info string error: there is no folder"), "{lines:?}");
    assert!(last(&lines, "cp") > 19_000, "{lines:?}");
    assert!(last(&lines, "tbhits") > 0, "{lines:?}");
    for off in ["SyzygyProbeLimit value 3", "SyzygyPath value <empty>"] {
        let lines = uci(&format!(
            "setoption name SyzygyPath value {folder}\nsetoption name {off}\n\
             {KNIGHT_AND_BISHOP}\ngo depth 3\n"
        ));
        assert!(last(&lines, "cp") < 19_000, "{off}: {lines:?}");
        assert_eq!(last(&lines, "tbhits"), 0, "{off}");
    }
}

#[test]
fn the_fifty_move_rule_can_be_left_out() {
    let Some(folder) = tables() else { return };
    let late = KNIGHT_AND_BISHOP.replace("- - 0 1", "- - 90 99");
    let lines = uci(&format!("setoption name SyzygyPath value {folder}\n{late}\ngo depth 2\n"));
    assert_eq!(last(&lines, "cp"), 1, "{lines:?}");
    let lines = uci(&format!(
        "setoption name Syzygy50MoveRule value false\nsetoption name SyzygyPath value {folder}\n\
         {late}\ngo depth 2\n"
    ));
    assert!(last(&lines, "cp") > 19_000, "{lines:?}");
}

#[test]
fn analyse_and_play_take_a_path() {
    let fen = "8/8/8/3k4/8/8/8/BNK5 w - - 0 1";
    let missing = secateur(&["analyse", fen, "--depth", "1", "--syzygy", "/no/such/folder"], "");
    let complaint = "error: --syzygy: there is no folder '/no/such/folder'\n";
    assert_eq!((missing.1.as_str(), missing.2), (complaint, 2));
    let othello = secateur(&["play", "--game", "othello", "--syzygy", "x"], "");
    let complaint = "error: --syzygy: there are no tablebases of Othello\n";
    assert_eq!((othello.1.as_str(), othello.2), (complaint, 2));
    let Some(folder) = tables() else { return };
    let (said, complained, status) =
        secateur(&["analyse", fen, "--depth", "3", "--syzygy", &folder], "");
    assert_eq!((complained.as_str(), status), ("", 0));
    // As many plies as python-chess says, with its own prober.
    assert!(said.contains("tablebase +56"), "{said}");
}
