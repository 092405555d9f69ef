//! `secateur analyse` as people and scripts run it.
#![cfg(all(feature = "chess", feature = "othello"))]

use std::process::{Command, Output};

use assert_cmd::cargo::CommandCargoExt;
use secateur_games::chess::Chess;
use secateur_games::othello::Othello;
use secateur_search::Notation;
use serde_json::{Value, json};

const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";

fn analyse(arguments: &[&str]) -> Output {
    Command::cargo_bin("secateur").unwrap().arg("analyse").args(arguments).output().unwrap()
}

/// The standard output of a run that must succeed in silence.
fn says(arguments: &[&str]) -> String {
    let output = analyse(arguments);
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && complaint.is_empty(), "{arguments:?}: {complaint}");
    String::from_utf8(output.stdout).unwrap()
}

fn object(arguments: &[&str]) -> Value {
    serde_json::from_str(&says(arguments)).unwrap()
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

/// Asserts that the moves are legal one after the other and that `san` names the same.
fn assert_line<G: Notation>(start: &G, line: &Value) {
    let mut position = start.clone();
    let (pv, san) = (texts(&line["pv"]), texts(&line["san"]));
    assert!(!pv.is_empty() && pv.len() == san.len(), "{line}");
    assert_eq!(line["bestmove"], pv[0]);
    for (coordinates, text) in pv.iter().zip(san) {
        let m = position.read_move(coordinates).unwrap();
        assert_eq!(position.describe_move(m), text);
        position.play(m);
    }
}

#[test]
fn json_is_one_object_with_the_totals_first() {
    let text = says(&["--depth", "5", "--json"]);
    assert!(text.starts_with("{\n  \"bestmove\": \""), "{text}");
    let found: Value = serde_json::from_str(&text).unwrap();
    let keys: Vec<&str> = found.as_object().unwrap().keys().map(String::as_str).collect();
    let first =
        ["bestmove", "score", "wdl", "depth", "nodes", "pv", "san", "time_ms", "nps", "lines"];
    assert_eq!(keys[..10], first);
    assert_eq!(keys[10..12], ["game", "position"]);
    let chances: Vec<u64> =
        found["wdl"].as_array().unwrap().iter().map(|chance| chance.as_u64().unwrap()).collect();
    assert!(chances.len() == 3 && chances.iter().sum::<u64>() == 1_000, "{text}");
    assert_eq!((&found["depth"], &found["game"]), (&json!(5), &json!("chess")));
    assert!(found["score"]["cp"].is_i64() && found["nodes"].as_u64() > Some(20), "{text}");
    assert_line(&Chess::start(), &found);
    assert_eq!(found["lines"].as_array().unwrap().len(), 1);
    assert_line(&Chess::start(), &found["lines"][0]);
}

#[test]
fn a_mate_is_found_and_the_rows_do_not_repeat_themselves() {
    let found = object(&[MATE_IN_ONE, "--depth", "6", "--json"]);
    assert_eq!((&found["bestmove"], &found["score"]), (&json!("d1d8"), &json!({ "mate": 1 })));
    assert_eq!((&found["san"], &found["wdl"]), (&json!(["Rd8#"]), &json!([1_000, 0, 0])));
    let text = says(&[MATE_IN_ONE, "--depth", "60"]);
    assert_eq!(text.matches("mate 1 ").count(), 2, "a row and the summary: {text}");
    assert!(text.contains("\nScores are for White, who is to move.\n"), "{text}");
    assert!(text.contains("\nbest move  Rd8# (d1d8)\nscore      mate 1 for White\n"), "{text}");
    assert!(text.ends_with("\nline       1. Rd8#\n"), "{text}");
    // Scores are those of the side to move, so the side to be mated has a negative one.
    let mated = object(&["--fen", "k7/8/1K6/8/8/8/8/7R b - -", "--depth", "4", "--json"]);
    assert_eq!((&mated["score"], &mated["bestmove"]), (&json!({ "mate": -1 }), &json!("a8b8")));
}

#[test]
fn lines_have_numbers_and_rows_fit_the_page() {
    let text = says(&["--moves", "1. e4", "--depth", "7"]);
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("line       1... ") && last.contains(" 2. "), "{last}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    assert!(text.contains("\nScores are for Black, who is to move.\n"), "{text}");
}

#[test]
fn several_best_lines_come_in_their_order() {
    let found = object(&["startpos", "--depth", "4", "--multipv", "3", "--threads", "2", "--json"]);
    let lines = found["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 3);
    let scores: Vec<i64> = lines.iter().map(|line| line["score"]["cp"].as_i64().unwrap()).collect();
    assert!(scores[0] >= scores[1] && scores[1] >= scores[2], "{scores:?}");
    for (index, line) in lines.iter().enumerate() {
        assert_line(&Chess::start(), line);
        let same = |other: &Value| other["bestmove"] == line["bestmove"];
        assert_eq!(lines.iter().position(same), Some(index), "{found}");
    }
    let text = says(&["--depth", "3", "--multipv", "2", "--fen", MATE_IN_ONE]);
    assert!(text.contains("\nline 1     mate 1     1. Rd8#\nline 2     "), "{text}");
    // More than there are moves.
    let all = object(&["7k/8/8/8/8/8/8/K7 w - - 0 1", "--depth", "2", "--json"]);
    assert_eq!(all["over"], "draw: insufficient material");
    let few = object(&["k7/8/1K6/8/8/8/8/7R b - -", "--multipv", "9", "--depth", "2", "--json"]);
    assert_eq!(few["lines"].as_array().unwrap().len(), 1);
}

#[test]
fn othello_is_analysed_too_and_counted_out_at_the_end() {
    let found = object(&["--game", "othello", "--depth", "5", "--multipv", "2", "--json"]);
    for line in found["lines"].as_array().unwrap() {
        assert_line(&Othello::start(), line);
    }
    let board = format!("OX{} O", "-".repeat(62));
    let found = object(&["--game", "othello", &board, "--depth", "3", "--json"]);
    assert_eq!((&found["score"], &found["bestmove"]), (&json!({ "final": 64 }), &json!("c1")));
    let text = says(&["--game", "othello", "--position", &board, "--depth", "3"]);
    assert!(text.contains("\nbest move  c1\nscore      final +64 for White\n"), "{text}");
}

#[test]
fn a_position_that_is_over_is_said_to_be() {
    let mated = ["--moves", "f3 e5 g4 Qh4"];
    let text = says(&mated);
    assert!(text.ends_with("\nover: Black wins: checkmate\n"), "{text}");
    let found = object(&[&mated[..], &["--json"]].concat());
    assert_eq!((&found["bestmove"], &found["score"]), (&Value::Null, &json!({ "mate": 0 })));
    assert_eq!((&found["pv"], &found["lines"]), (&json!([]), &json!([])));
    assert_eq!(found["over"], "Black wins: checkmate");
    let repeated = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";
    assert!(says(&["--moves", repeated]).contains("over: draw: threefold repetition"));
}

#[test]
fn one_thread_at_a_fixed_depth_always_says_the_same() {
    let arguments = ["--depth", "6", "--moves", "e4 c5", "--json", "--hash", "2"];
    let (mut one, mut other) = (object(&arguments), object(&arguments));
    for found in [&mut one, &mut other] {
        for name in ["time_ms", "nps"] {
            found[name] = Value::Null;
            found["lines"][0][name] = Value::Null;
        }
    }
    assert_eq!(one, other);
}

#[test]
fn every_limit_ends_the_search() {
    let found = object(&["--nodes", "3000", "--json"]);
    assert!(found["nodes"].as_u64().unwrap() <= 3_100, "{found}");
    // Stopped before there is a value: the move is legal all the same.
    let found = object(&["--nodes", "1", "--json"]);
    assert!(found["bestmove"].is_string(), "{found}");
    let found = object(&["--movetime", "100", "--json"]);
    let spent = found["time_ms"].as_u64().unwrap();
    assert!((1..2_000).contains(&spent), "{found}");
}

#[test]
fn bad_input_is_one_line_and_status_2() {
    let cases: &[(&[&str], &str)] = &[
        (&["--depth", "0"], "error: invalid value '0' for '--depth <PLIES>': "),
        (&["--movetime", "-5"], "error: "),
        (&["--threads", "0"], "error: invalid value '0' for '--threads <N>': "),
        (&["--multipv", "x"], "error: invalid value 'x' for '--multipv <N>': "),
        (&["--infinite", "--depth", "3"], "error: the argument '--infinite' cannot be used with"),
        (&["4k3/8 w - -"], "error: position: column 6: the board has 2 ranks instead of 8"),
        (&["--moves", "e5"], "error: --moves: move 1: 'e5' is not legal here"),
        (&["--set", "nonsense=1"], "error: --set: no parameter is called nonsense"),
        (&["startpos", "--fen", "startpos"], "error: the argument "),
    ];
    for (arguments, beginning) in cases {
        let output = analyse(arguments);
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {complaint}");
        assert_eq!(complaint.lines().count(), 1, "{arguments:?}: {complaint}");
        assert!(complaint.starts_with(beginning), "{arguments:?}: {complaint}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

/// Ctrl-C ends an endless search with what is known, and the run counts as done.
#[cfg(unix)]
#[test]
fn an_interrupt_shows_what_is_known() {
    use std::io::{BufRead, BufReader, Read};
    let mut child = Command::cargo_bin("secateur")
        .unwrap()
        .args(["analyse", "--infinite"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.starts_with("    3  ") {
        line.clear();
        assert!(output.read_line(&mut line).unwrap() > 0, "no third iteration");
    }
    let process = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &process]).status().unwrap().success());
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(rest.contains("\nbest move  ") && rest.contains(", stopped\n"), "{rest}");
}
