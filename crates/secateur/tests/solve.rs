//! `secateur solve`: exact endings of Othello against the values of their files.
#![cfg(feature = "othello")]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use assert_cmd::cargo::CommandCargoExt;

/// The FFO endgame problem 20, with the published values of all its moves.
const FIRST: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X; \
                     H5:+6; G6:-2; F6:-4; H6:-10;";
/// Black must pass, then White takes Black's only disc.
const PASS: &str = "OX-------------------------------------------------------------- X;";

fn secateur(arguments: &[&str]) -> Output {
    Command::cargo_bin("secateur").unwrap().arg("solve").args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A folder with one file, removed with the value.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, content: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("secateur-solve-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(name);
        fs::write(&path, content).unwrap();
        Scratch(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn published_values_come_out_for_the_position_and_for_every_move() {
    let file = Scratch::new("ffo-20-21.obf", &format!("% two\n{FIRST}\n{PASS}\n"));
    let output = secateur(&[file.path(), "--hash", "1"]);
    let said = text(&output.stdout);
    assert!(output.status.success() && output.stderr.is_empty(), "{said}");
    let rows: Vec<Vec<&str>> =
        said.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
    let outline =
        |row: &[&str]| [row[0], row[1], row[2], row[row.len() - 2], row[row.len() - 1]].join(" ");
    assert_eq!(outline(&rows[0]), "20 6 +6 h5 right", "{said}");
    assert!(said.contains("\n2 of 2 positions solved, 1 right, 0 wrong\n"), "{said}");
    assert!(said.lines().last().unwrap().starts_with("nodes "), "{said}");
    let every = secateur(&[file.path(), "--hash", "1", "--every-move", "--concurrency", "2"]);
    let said = text(&every.stdout);
    assert!(said.contains(" h5:+6 g6:-2 f6:-4 h6:-10\n"), "{said}");
    assert!(every.status.success(), "{said}");
}

#[test]
fn a_value_that_is_not_that_of_the_file_fails_the_run() {
    let wrong = Scratch::new("wrong.obf", &FIRST.replace("H5:+6", "H5:+8"));
    let output = secateur(&[wrong.path(), "--hash", "1"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stderr), "error: 1 of 1 positions contradict the file\n");
    assert!(text(&output.stdout).contains("h5           wrong: says +8 h5:+8\n"));
    // A lower move is only looked at where every move is.
    let lower = Scratch::new("lower.obf", &FIRST.replace("H6:-10", "H6:-12"));
    assert!(secateur(&[lower.path(), "--hash", "1"]).status.success());
    let output = secateur(&[lower.path(), "--hash", "1", "--every-move", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&found["wrong"], &found["results"][0]["right"]), (&1.into(), &false.into()));
    assert_eq!(found["results"][0]["move_scores"]["h6"], -10);
}

#[test]
fn a_position_may_stand_on_the_command_line_and_json_has_the_totals_first() {
    let output = secateur(&["--position", PASS, "--json", "--hash", "1"]);
    let said = text(&output.stdout);
    assert!(said.starts_with("{\n  \"nodes\": "), "{said}");
    let found: serde_json::Value = serde_json::from_str(&said).unwrap();
    let row = &found["results"][0];
    assert_eq!((&row["score"], &row["best"][0]), (&(-64).into(), &"pass".into()), "{said}");
    assert_eq!(row["right"], serde_json::Value::Null);
}

#[test]
fn positions_are_chosen_by_number_and_bad_input_is_named() {
    let plain = Scratch::new("plain.obf", &format!("{FIRST}\n{FIRST}\n{PASS}\n"));
    let output = secateur(&[plain.path(), "--only", "2,7-9", "--hash", "1", "--json"]);
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&found["positions"], &found["results"][0]["name"]), (&1.into(), &"2".into()));
    let broken = Scratch::new("broken.obf", &format!("{FIRST}\nXO X;\n"));
    let cases: [(&[&str], &str); 5] = [
        (&[plain.path(), "--only", "7-9"], "there is no position to solve"),
        (&[plain.path(), "--only", "9-7"], "'9-7' is neither 20 nor 20-34"),
        (&[broken.path()], "broken.obf: line 2: the board has 2 squares"),
        (&["--position", &PASS[..64]], "position: column "),
        (&[], "were not provided"),
    ];
    for (arguments, message) in cases {
        let output = secateur(arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(message) && said.lines().count() == 1, "{said}");
    }
    assert_eq!(secateur(&["/no/such/file.obf"]).status.code(), Some(2));
}

#[test]
fn at_less_confidence_every_level_is_told_and_an_error_is_no_failure() {
    let file = Scratch::new("levels-20-20.obf", &format!("{FIRST}\n"));
    let output = secateur(&[file.path(), "--hash", "1", "--confidence", "87"]);
    let said = text(&output.stdout);
    assert!(output.status.success(), "{said}{}", text(&output.stderr));
    assert!(said.contains(" 6@87 ") && said.contains("right"), "{said}");
    let output = secateur(&[file.path(), "--hash", "1", "--confidence", "100", "--json"]);
    let said: serde_json::Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    let levels = said["results"][0]["levels"].as_array().unwrap();
    let percents: Vec<u64> =
        levels.iter().map(|level| level["percent"].as_u64().unwrap()).collect();
    assert_eq!(percents, [73, 87, 95, 98, 99, 100]);
    assert_eq!((&said["results"][0]["score"], &said["right"]), (&6.into(), &1.into()));
    let output = secateur(&[file.path(), "--confidence", "90"]);
    let err = text(&output.stderr);
    assert!(output.status.code() == Some(2) && err.contains("73, 87, 95, 98, 99, 100"), "{err}");
    // With the file's value changed, only certainty contradicts it.
    let wrong = Scratch::new("wrong-20-20.obf", &format!("{}\n", FIRST.replace("H5:+6", "H5:+8")));
    assert_eq!(secateur(&[wrong.path(), "--confidence", "73"]).status.code(), Some(0));
    assert_eq!(secateur(&[wrong.path(), "--confidence", "100"]).status.code(), Some(1));
}
