//! `secateur report` as people type it.

#[path = "../../lab/tests/made_up_run/mod.rs"]
mod made_up_run;

use std::fs;
use std::process::Output;

use assert_cmd::Command;
use made_up_run::{Folder, duel, file, match_toml, suites};

fn report(arguments: &[&str]) -> Output {
    Command::cargo_bin("secateur").unwrap().arg("report").args(arguments).output().unwrap()
}

/// The one line on the standard error of a run that must end with status 2.
fn complains(arguments: &[&str]) -> String {
    let output = report(arguments);
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{complaint}");
    assert_eq!(complaint.lines().count(), 1, "{complaint}");
    assert!(output.stdout.is_empty());
    complaint
}

#[test]
fn the_page_appears_in_the_folder_or_where_it_is_wanted() {
    let folder = Folder::new("report-match");
    folder.write("run.toml", &match_toml(&["Alder", "Birch"], ""));
    folder.write("games.jsonl", &file(&duel(1, 20, ["Alder", "Birch"], 0.0)));
    let path = folder.path().to_str().unwrap();
    let output = report(&[path]);
    assert!(output.status.success() && output.stderr.is_empty());
    let page = folder.path().join("report.html");
    assert_eq!(String::from_utf8(output.stdout).unwrap().trim_end(), page.to_str().unwrap());
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.starts_with("<!DOCTYPE html>") && text.contains("Alder – Birch"));
    let other = folder.path().join("other.html");
    assert!(report(&[path, "--out", other.to_str().unwrap()]).status.success());
    assert_eq!(fs::read_to_string(&other).unwrap(), text);
    folder.write("run.toml", "kind = \"suite\"\n");
    folder.write("results.jsonl", &file(&suites(1, 10, &[("Alder", 1.0)])));
    assert!(report(&[path]).status.success());
    assert!(fs::read_to_string(&page).unwrap().contains("Solved over time"));
}

#[test]
fn lines_that_were_left_out_are_named_and_the_page_is_written_all_the_same() {
    let folder = Folder::new("report-torn");
    folder.write("run.toml", &match_toml(&["Alder", "Birch"], ""));
    let games = file(&duel(1, 4, ["Alder", "Birch"], 0.0));
    folder.write("games.jsonl", &format!("{games}no game\n{{\"game\": 5, \"fir"));
    let output = report(&[folder.path().to_str().unwrap()]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{said}");
    assert!(said.contains("note: games.jsonl, line 5: broken and left out: "), "{said}");
    assert!(said.contains("note: games.jsonl, line 6: the last line is torn"), "{said}");
    assert_eq!(said.lines().count(), 2);
}

#[test]
fn what_is_no_run_is_bad_input() {
    assert!(complains(&["/no/such/folder"]).contains("there is no such folder"));
    let folder = Folder::new("report-none");
    let path = folder.path().to_str().unwrap();
    assert!(complains(&[path]).contains("run.toml: there is no such file"));
    folder.write("run.toml", "kind = \"dance\"\n");
    assert!(complains(&[path]).contains("run.toml: line 1: the kind of run is \"dance\""));
    assert!(!folder.path().join("report.html").exists());
}
