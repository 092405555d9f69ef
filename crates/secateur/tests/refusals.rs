//! What cannot be done is refused before anything is done, in one line, with status 2.
#![cfg(all(feature = "chess", feature = "othello"))]

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;

fn secateur(line: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("secateur").unwrap().args(line).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

/// The complaint about a line that must be refused.
fn refused(line: &[&str]) -> String {
    let (status, out, err) = secateur(line);
    assert_eq!((status, out.as_str()), (2, ""), "{line:?}: {err}");
    assert!(err.starts_with("error: ") && err.trim_end().lines().count() == 1, "{line:?}: {err}");
    err
}

/// A path in the temporary folder that nobody else uses.
fn place(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("secateur-refusals-{name}-{}", std::process::id()))
}

#[test]
fn a_suite_that_is_not_there_is_told_before_the_first_game_of_an_ablation() {
    let out = place("ablation");
    let folder = out.to_str().unwrap();
    let line =
        ["ablate", "--games", "2", "--nodes", "50", "--suite", "/no/suite.epd", "--out", folder];
    let told = refused(&line);
    assert!(told.contains("--suite") && told.contains("/no/suite.epd"), "{told}");
    assert_eq!(told.matches("No such file").count(), 1, "{told}");
    assert!(!out.exists(), "nothing was begun");
}

#[test]
fn a_folder_that_is_not_there_or_is_a_file_is_bad_input() {
    for command in ["ablate", "tune", "match", "sweep", "suite"] {
        let told = refused(&[command, "--resume", "/no/such/run"]);
        assert!(told.contains("/no/such/run"), "{command}: {told}");
    }
    let file = place("file");
    fs::write(&file, "x").unwrap();
    let path = file.to_str().unwrap();
    for line in [
        &["ablate", "--games", "2", "--out", path][..],
        &["tune", "late_moves", "--out", path],
        &["sweep", "late_moves.base", "1,2", "--out", path],
        &["match", "--engine", "secateur", "--engine", "secateur", "--nodes", "50", "--out", path],
    ] {
        assert!(refused(line).contains(path), "{line:?}");
    }
    fs::remove_file(&file).unwrap();
    let told = refused(&["bench", "--peer", "no-such-engine"]);
    assert!(told.contains("no-such-engine cannot be started"), "{told}");
}

#[test]
fn a_number_below_zero_is_out_of_range_and_no_flag() {
    for line in
        [&["analyse", "--depth", "-1"][..], &["why", "e4", "--nodes", "-5"], &["perft", "-1"]]
    {
        let told = refused(line);
        assert!(told.contains("invalid value '-"), "{line:?}: {told}");
    }
}

#[test]
fn a_file_that_could_not_be_written_at_the_end_is_told_at_the_start() {
    let told = refused(&["audit", "--depth", "12", "--csv", "/no/folder/x.csv"]);
    assert!(told.contains("--csv") && told.contains("/no/folder"), "{told}");
}

#[test]
fn what_no_search_reads_is_neither_tuned_nor_swept() {
    let out = place("unread");
    let folder = out.to_str().unwrap();
    for (line, words) in [
        (
            &["tune", "late_moves", "--each", "late_moves=off"][..],
            "late_moves is off: switch it on",
        ),
        (&["tune", "null_move", "--game", "othello"], "null_move needs PASS_IS_BOUND"),
        (
            &["tune", "null_move.far", "--each", "null_move=scaled"],
            "null_move=scaled does not read",
        ),
        (&["tune", "clock"], "--tc"),
        (&["sweep", "late_moves.base", "1,2", "--each", "late_moves=off"], "late_moves is off"),
        (
            &["sweep", "null_move.far", "4,6", "--engine", "secateur null_move=fixed"],
            "does not read",
        ),
    ] {
        let told = refused(&[line, &["--out", folder]].concat());
        assert!(told.contains("would change nothing") && told.contains(words), "{line:?}: {told}");
    }
    assert!(!out.exists());
}

#[test]
fn a_tuning_gets_longer_and_not_shorter() {
    let out = place("shorter");
    let folder = out.to_str().unwrap();
    let line = "tune late_moves.base --game othello --nodes 50 --pairs 1 --iterations 2 \
                --validation-games 0 --concurrency 1 --out";
    let line: Vec<&str> = line.split_whitespace().chain([folder]).collect();
    assert_eq!(secateur(&line).0, 0);
    let told = refused(&["tune", "--resume", folder, "--iterations", "1"]);
    assert!(told.contains("longer, not shorter"), "{told}");
    fs::remove_dir_all(&out).unwrap();
}

#[test]
fn a_name_that_nothing_has_comes_with_the_one_that_was_meant() {
    for line in [
        &["analyse", "--set", "nul_move=off", "--depth", "1"][..],
        &["bench", "--beside", "nul_move=off"],
        &["tune", "nul_move", "--out", "/no/where"],
        &["sweep", "nul_move", "1,2", "--out", "/no/where"],
        &["match", "--engine", "secateur nul_move=off", "--engine", "secateur", "--nodes", "50"],
    ] {
        assert!(refused(line).contains("did you mean null_move?"), "{line:?}: {}", refused(line));
    }
}

#[test]
fn a_chess_experiment_is_not_rerun_in_othello() {
    for id in ["abyss-2", "bstar-fig18", "mpc-fit"] {
        let told = refused(&["reproduce", id, "--game", "othello"]);
        assert!(told.contains(&format!("{id} is an experiment in chess")), "{told}");
    }
}

#[test]
fn moves_in_place_of_a_position_are_told_where_they_belong() {
    let told = refused(&["why", "e4", "e5", "--depth", "2"]);
    assert!(told.contains("secateur why --moves \"e4\" e5"), "{told}");
    let (status, out, err) = secateur(&["why", "1.e4", "--depth", "2"]);
    assert_eq!(status, 0, "{err}");
    assert!(out.starts_with("e4 is "), "{out}");
}

#[test]
fn settings_that_would_be_inert_together_are_refused() {
    for (settings, words) in [
        (&["levels=on"][..], "switch on probcut or draft_cut"),
        (&["rank_cut=on", "rank_cut_bound=margin", "rank_cut_lead=hard"], "rank_cut_lead=soft"),
    ] {
        let set = settings.iter().flat_map(|setting| ["--set", setting]);
        let line: Vec<&str> = ["bench", "--depth", "3"].into_iter().chain(set).collect();
        let told = refused(&line);
        assert!(told.contains(words), "{told}");
    }
}
