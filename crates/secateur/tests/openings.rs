//! `secateur openings` as people and scripts use it.
#![cfg(all(feature = "chess", feature = "othello"))]

use std::fs;
use std::process::Output;

use assert_cmd::Command;

fn openings(arguments: &[&str]) -> Output {
    Command::cargo_bin("secateur").unwrap().arg("openings").args(arguments).output().unwrap()
}

fn says(arguments: &[&str]) -> String {
    let output = openings(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty());
    String::from_utf8(output.stdout).unwrap()
}

/// The one line on the standard error of a run that must end with this status.
fn complains(status: i32, arguments: &[&str]) -> String {
    let output = openings(arguments);
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {complaint}");
    assert_eq!(complaint.lines().count(), 1, "{arguments:?}: {complaint}");
    assert!(output.stdout.is_empty());
    complaint
}

/// A name in the folder for temporary files; the file is gone when the test is.
struct Temporary(std::path::PathBuf);

impl Temporary {
    fn new(name: &str) -> Temporary {
        let name = format!("secateur-openings-{}-{name}", std::process::id());
        Temporary(std::env::temp_dir().join(name))
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn the_head_of_a_file_is_the_command_that_makes_it_again() {
    for arguments in [
        &["--count", "6", "--nodes", "1000", "--plies", "5", "--seed", "3"][..],
        &["--count", "3", "--nodes", "1000", "--unbalanced", "-90..-30", "--as", "moves"],
        &["--count", "6", "--nodes", "1000", "--game", "othello", "--set", "develop"],
    ] {
        let made = says(arguments);
        let command = made.lines().nth(1).unwrap();
        let words: Vec<&str> = command.split(' ').collect();
        assert_eq!(words[1..3], ["secateur", "openings"], "{command}");
        let again = [&words[3..], &["--concurrency", "2"]].concat();
        assert_eq!(says(&again), made, "{command}");
    }
}

#[test]
fn what_was_made_can_be_checked() {
    let file = Temporary::new("made.epd");
    let arguments = ["--count", "8", "--nodes", "1000", "--plies", "5", "--set", "tune"];
    let silent = says(&[&arguments[..], &["--out", file.path()]].concat());
    assert_eq!(silent, "");
    let said = says(&["--check", file.path(), "--nodes", "1000", "--concurrency", "2"]);
    let expected = "\
openings    8
duplicates  0 (mirror images count)
plies       0
to move     White in 0.0 %
in check    0
sets        tune 8, develop 0, final 0
lead        White ";
    assert!(said.starts_with(expected), "{said}");
    assert!(said.ends_with("decided     0\n"), "{said}");
}

#[test]
fn the_openings_that_come_with_the_program_can_be_checked() {
    for (game, count) in [("chess", 1000), ("othello", 500)] {
        let said = says(&["--game", game, "--check", "built-in"]);
        let start =
            format!("openings    {count}\nduplicates  0 (mirror images count)\nplies       8\n");
        assert!(said.starts_with(&start), "{said}");
    }
}

#[test]
fn bad_input_is_one_line() {
    let file = Temporary::new("broken.epd");
    fs::write(&file.0, "4k3/8/8/8/8/8/8/4K2R w K -\nnonsense\n").unwrap();
    let complaint = complains(2, &["--check", file.path()]);
    assert!(complaint.contains("broken.epd: line 2"), "{complaint}");
    let narrow = ["--game", "othello", "--plies", "1", "--count", "2", "--nodes", "200"];
    let complaint = complains(1, &narrow);
    assert!(complaint.contains("1 of 2 openings"), "{complaint}");
    for arguments in [
        &["--balance", "40..0"][..],
        &["--balance=-5..5"],
        &["--nodes", "3"],
        &["--plies", "0"],
        &["--count", "0"],
        &["--set", "exam"],
        &["--balance", "0..40", "--unbalanced", "60..120"],
        &["--check", "book.epd", "--seed", "2"],
        &["--check", "no/such/book.epd"],
    ] {
        complains(2, arguments);
    }
}
