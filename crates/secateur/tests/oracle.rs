//! `secateur oracle`: what choices cost.

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use serde_json::Value;

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("secateur-oracle-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    path
}

fn oracle(arguments: &[&str]) -> (i32, String, String) {
    let output =
        Command::cargo_bin("secateur").unwrap().arg("oracle").args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_deeper_search_chooses_moves_that_cost_less() {
    let path = folder("deeper");
    let out = path.to_str().unwrap();
    let (status, text, err) = oracle(&[
        "--positions",
        "40",
        "--judge",
        "secateur preset=bare depth=4",
        "--engine",
        "secateur name=deep",
        "--engine",
        "secateur name=shallow nodes=60",
        "--nodes",
        "4000",
        "--out",
        out,
        "--json",
    ]);
    assert_eq!(status, 0, "{err}");
    let found: Value = serde_json::from_str(&text).unwrap();
    let rows = found["engines"].as_array().unwrap();
    let mean = |row: &Value| row["mean_cost"]["value"].as_f64().unwrap();
    assert!(mean(&rows[0]) < mean(&rows[1]), "{text}");
    assert!(rows[1]["more_than_first"]["value"].as_f64().unwrap() > 0.0);
    assert!(rows[0]["more_than_first"].is_null());
    // Openings are not what most positions are, and the first ones not what all openings are.
    let origin = found["origin"].as_str().unwrap();
    let words = "openings that come with the program, evenly spread";
    assert!(origin.starts_with("40 of the ") && origin.ends_with(words), "{origin}");
    for beyond in rows[1]["beyond"].as_array().unwrap() {
        let (share, ends) = (beyond["share"].as_f64().unwrap(), &beyond["interval"]);
        let (low, high) = (ends[0].as_f64().unwrap(), ends[1].as_f64().unwrap());
        assert!(low <= share && share <= high && low < high, "{beyond}");
        let more = &beyond["more_than_first"];
        assert!(more.is_null() || more["low"].as_f64() < more["high"].as_f64(), "{beyond}");
    }

    // A run that was torn goes on, and comes to the same.
    let answers = path.join("answers.jsonl");
    let lines = fs::read_to_string(&answers).unwrap();
    let kept: Vec<&str> = lines.lines().take(50).collect();
    fs::write(&answers, kept.join("\n") + "\n{\"role\":\"jud").unwrap();
    let (status, again, err) = oracle(&["--resume", out, "--json"]);
    assert_eq!(status, 0, "{err}");
    assert_eq!(again, text);
    let (_, table, _) = oracle(&["--resume", out]);
    assert!(table.starts_with(&format!("40 positions with a choice: {origin}\n")), "{table}");
    assert!(table.contains("so much more often, in percent: > 50 "), "{table}");
    fs::remove_dir_all(&path).unwrap();
}

#[test]
fn what_is_missing_is_said_before_anything_is_written() {
    let path = folder("missing");
    let out = path.to_str().unwrap();
    for (arguments, words) in [
        (&["--judge", "secateur", "--out", out][..], "give it a limit of its own"),
        (&["--judge", "nobody depth=3", "--out", out][..], "there is no such program"),
        (&["nowhere.epd", "--out", out][..], "nowhere.epd"),
    ] {
        let (status, _, err) = oracle(arguments);
        assert!(status == 2 && err.contains(words), "{err}");
        assert!(!path.exists());
    }
}
