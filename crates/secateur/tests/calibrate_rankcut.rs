//! `secateur calibrate rankcut`: from games to a table that an engine loads.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

fn secateur(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("secateur").unwrap().args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("secateur-rankcut-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    path
}

/// Counts a few quick games of shallow searches.
fn count(out: &Path, more: &[&str]) -> (i32, String, String) {
    let each = "preset=classic rank_cut.instances=20";
    let usual = ["calibrate", "rankcut", "--games", "3", "--nodes", "1500", "--least-depth", "3"];
    let rest = ["--least-seen", "5", "--each", each, "--out", out.to_str().unwrap()];
    secateur(&[&usual[..], &rest, more].concat())
}

#[test]
fn games_become_a_table_that_an_engine_goes_by() {
    let out = folder("table");
    let (status, text, err) = count(&out, &["--json"]);
    assert_eq!(status, 0, "{err}");
    let found: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(found["games"], 3);
    let number = |name: &str| found[name].as_u64().unwrap();
    assert!(number("met") > 1_000 && number("with_a_chance") <= number("met"));
    assert!(number("below_threshold") <= number("with_a_chance"));
    let table = out.join("ranks.toml");
    let written = fs::read_to_string(&table).unwrap();
    assert!(written.contains("secateur calibrate rankcut") && written.contains("fails = \"hard\""));
    let pull = number("pull");
    assert!(written.contains(&format!("pull = {pull}\n")), "{pull}");
    let likelihood = |of: &Value| of[1].as_f64().unwrap();
    let pulls = found["pulls"].as_array().unwrap();
    let own = pulls.iter().find(|of| of[0] == pull).unwrap();
    assert!(pulls.iter().all(|other| likelihood(own) >= likelihood(other)), "{found}");
    let counted = &found["counted"];
    assert!(counted["with_a_chance"].as_u64().unwrap() <= number("with_a_chance"), "{found}");

    let bench = |more: &[&str]| {
        let usual = ["bench", "--preset", "classic", "--depth", "6", "--set", "rank_cut.depth=4"];
        let (status, out, err) = secateur(&[&usual[..], more].concat());
        let last = out.lines().last().unwrap_or_default();
        (status, last.split(' ').next().unwrap_or_default().to_string(), err)
    };
    let file = ["--ranks-file", table.to_str().unwrap()];
    let on = ["--set", "rank_cut=on", "--set", "rank_cut.instances=20"];
    let plain = bench(&[]);
    let cut = bench(&[&file[..], &on, &["--set", "rank_cut.threshold=500"]].concat());
    assert_eq!((plain.0, cut.0), (0, 0), "{} {}", plain.2, cut.2);
    assert_ne!(plain.1, cut.1, "it changes the tree");
    let zero = bench(&[&file[..], &on, &["--set", "rank_cut.threshold=0"]].concat());
    assert_eq!(plain.1, zero.1, "at the threshold 0 it does not");
    let (status, _, err) = secateur(&["report", out.to_str().unwrap()]);
    assert_eq!(status, 0, "{err}");

    // What is there is not played again, and what is missing is.
    fs::remove_file(out.join("round-1/game-0002.csv")).unwrap();
    let (status, again, err) =
        secateur(&["calibrate", "rankcut", "--resume", out.to_str().unwrap(), "--json"]);
    assert_eq!(status, 0, "{err}");
    assert_eq!(again, text);
    fs::remove_dir_all(&out).unwrap();
}

#[test]
fn a_table_of_another_evaluation_or_game_is_refused() {
    let out = folder("refused");
    assert_eq!(count(&out, &[]).0, 0);
    let table = out.join("ranks.toml");
    let text = fs::read_to_string(&table).unwrap();
    let line = text.lines().find(|line| line.starts_with("evaluation")).unwrap().to_string();
    fs::write(&table, text.replace(&line, "evaluation = \"00000000000000aa\"")).unwrap();
    let bench = |more: &[&str]| {
        let usual = ["bench", "--depth", "3", "--set", "rank_cut=on", "--ranks-file"];
        secateur(&[&usual[..], &[table.to_str().unwrap()], more].concat())
    };
    let (status, _, err) = bench(&[]);
    assert!(status == 2 && err.contains("the evaluation 00000000000000aa"), "{status} {err}");
    let (status, _, err) = bench(&["--set", "rank_cut_table=any"]);
    assert_eq!(status, 0, "{err}");
    let (status, _, err) = bench(&["--set", "rank_cut_table=any", "--set", "rank_cut_lead=soft"]);
    assert!(status == 2 && err.contains("rank_cut_lead=soft needs one"), "{status} {err}");
    let (status, _, err) = bench(&["--game", "othello"]);
    assert!(status == 2 && err.contains("counted in chess, not in othello"), "{status} {err}");
    let (status, _, err) = count(&out, &[]);
    assert!(status == 2 && err.contains("holds a run already"), "{status} {err}");
    fs::remove_dir_all(&out).unwrap();
}

#[test]
fn rounds_count_again_with_what_was_counted_before() {
    let out = folder("rounds");
    let (status, text, err) = count(&out, &["--rounds", "2", "--stable", "0"]);
    assert_eq!(status, 0, "{err}");
    assert!(text.contains("round 2 against the one before"), "{text}");
    assert!(text.contains("by shares alone") && text.contains("drawn towards coarser"), "{text}");
    assert!(out.join("round-2/game-0003.csv").is_file());
    fs::remove_dir_all(&out).unwrap();
    let (status, _, err) = count(&out, &["--each", "x"]);
    assert_eq!(status, 2, "{err}");
}
