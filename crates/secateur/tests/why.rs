//! `secateur why`: a move that one known rule hides, and what is said of it.

use assert_cmd::Command;
use serde_json::Value;

fn why(arguments: &[&str]) -> (i32, String, String) {
    let output =
        Command::cargo_bin("secateur").unwrap().arg("why").args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

/// After 1. Bb4 Black mates by Ra1, a quiet move that is not tried where only the first move is.
const PLANTED: [&str; 10] = [
    "6k1/5pp1/7p/8/8/8/r4PPP/4B1K1 w - - 0 1",
    "Bb4",
    "--preset",
    "bare",
    "--set",
    "plausible=everywhere",
    "--set",
    "plausible.moves=1",
    "--depth",
    "5",
];

#[test]
fn the_rule_that_pruned_is_named() {
    let (status, out, err) = why(&[&PLANTED[..], &["--json"]].concat());
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    let told: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(told["move"], "e1b4");
    let rules = told["rules"].as_array().unwrap();
    let first = &rules[0];
    assert_eq!((&first["rule"], &first["ply"]), (&"plausible".into(), &1.into()), "{out}");
    // Nothing else is on, so nothing else is blamed.
    assert!(rules.iter().all(|rule| rule["rule"] == "plausible"), "{rules:?}");
    let without = told["without"].as_array().unwrap();
    assert_eq!((without.len(), &without[0]["rule"]), (1, &"plausible".into()));
    assert_eq!(without[0]["score"]["mate"], -2, "{out}");
    for key in ["score", "bound", "depth", "refutation"] {
        assert!(!told[key].is_null(), "{key}: {out}");
    }
    assert_eq!((&told["bound"], &told["depth"]), (&"exact".into(), &5.into()), "{out}");
    let (_, out, _) = why(&PLANTED);
    assert!(
        out.contains("The strongest hand in it had plausible: with it off, Bb4 is worth mate -2"),
        "{out}"
    );
}

/// A quiet move that wins much, which the position's search looks at two plies less deep.
const OVERLOOKED: [&str; 10] = [
    "6k1/1Bp2ppp/r3b3/2n1p3/3p4/3P4/p1PB1PPP/Q5K1 b - -",
    "Rb6",
    "--preset",
    "bare",
    "--set",
    "late_moves=on",
    "--set",
    "late_moves.base=2048",
    "--depth",
    "5",
];

#[test]
fn a_move_that_the_search_overlooked_is_not_called_worse_and_who_hid_it_is_named() {
    let (status, out, err) = why(&[&OVERLOOKED[..], &["--json"]].concat());
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    let told: Value = serde_json::from_str(&out).unwrap();
    let value = |key: &str| told[key]["cp"].as_i64().unwrap();
    assert!(value("score") > value("best_score"), "{out}");
    assert_eq!((&told["overlooked"], &told["partial"]), (&true.into(), &false.into()), "{out}");
    assert_eq!(told["hidden_by"], serde_json::json!(["late_moves"]), "{out}");
    let without = &told["without"][0];
    assert_eq!((&without["rule"], &without["best"]), (&"late_moves".into(), &told["move"]));
    let (_, out, _) = why(&OVERLOOKED);
    let first = out.lines().next().unwrap();
    assert!(first.contains("The search of the whole position overlooked it"), "{out}");
    assert!(out.contains("\nIt finds Rb6 without late_moves ("), "{out}");
    assert!(!out.contains("against it") && !out.contains("the best move"), "{out}");
}

#[test]
fn only_a_handful_is_listed_unless_all_is_asked_for_and_the_conclusion_comes_first() {
    let question = ["--moves", "e4 e5", "Qh5", "--nodes", "5000"];
    let (_, short, _) = why(&question);
    let (_, long, _) = why(&[&question[..], &["--all"]].concat());
    let lines = |text: &str| text.lines().count();
    assert!(lines(&short) < 30 && lines(&long) > lines(&short), "{short}{long}");
    assert!(short.contains("--all lists them") && !long.contains("--all lists them"), "{short}");
    let second = short.lines().nth(1).unwrap();
    assert!(
        second.starts_with("The strongest hand") || second.starts_with("Without any"),
        "{short}"
    );
    // At the root it is about this move alone.
    let root = long.split("  in the position\n").nth(1).unwrap_or_default();
    let of_root = root.lines().take_while(|line| line.starts_with("    "));
    for line in of_root.filter(|line| line.contains(" times: ")) {
        assert!(line.ends_with(" times: Qh5"), "{line}");
    }
}

#[test]
fn the_paragraph_says_what_is_best_and_what_stands_against_the_move() {
    let (status, out, _) = why(&["--moves", "e4 e5", "Qh5", "--depth", "6"]);
    assert_eq!(status, 0);
    assert!(out.starts_with("Qh5 is worth ") && out.contains("against it 2. Qh5"), "{out}");
    assert!(out.contains("\nAlong that line:\n"), "{out}");
    let (_, same, _) = why(&["--moves", "e4 e5", "Qh5", "--depth", "6"]);
    assert_eq!(out, same);
}

#[test]
fn the_best_move_is_called_the_best() {
    let (_, out, _) = why(&["6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "Rd8", "--depth", "4"]);
    assert!(out.starts_with("Rd8# is the best move for White at depth "), "{out}");
}

#[test]
fn it_serves_othello() {
    let (status, out, err) = why(&["--game", "othello", "--moves", "f5", "f4", "--depth", "5"]);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    assert!(out.contains(" for White at depth 5"), "{out}");
}

#[test]
fn what_cannot_be_asked_is_refused_in_one_line() {
    for (arguments, words) in [
        (&["Ke2"][..], "the move"),
        (&["nonsense", "e4"][..], "position"),
        (&["rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "a3"][..], "a3"),
    ] {
        let (status, out, err) = why(arguments);
        assert_eq!((status, out.as_str()), (2, ""), "{err}");
        assert!(err.starts_with("error: ") && err.contains(words), "{err}");
        assert_eq!(err.trim_end().lines().count(), 1, "{err}");
    }
}
