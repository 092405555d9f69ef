//! `secateur counters`: rows of what is on, and what has none is named.
#![cfg(all(feature = "chess", feature = "othello"))]

use assert_cmd::Command;
use serde_json::Value;

fn counters(line: &[&str]) -> String {
    let mut program = Command::cargo_bin("secateur").unwrap();
    let output = program.arg("counters").args(line).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn techniques_that_are_off_have_no_row_and_a_closing_line_names_them() {
    let text = counters(&["--depth", "4", "--set", "null_move=off"]);
    assert!(!text.contains("\nnull_move "), "{text}");
    let off = text.split("\noff: ").nth(1).expect("a closing line");
    assert!(off.contains("null_move") && !off.contains("late_moves"), "{text}");
    assert!(text.contains("branching factor"), "{text}");
}

#[test]
fn what_the_game_does_not_serve_is_told_apart() {
    let text = counters(&["--game", "othello", "--depth", "4"]);
    let unserved = text.split("\nnot in othello").nth(1).expect("a closing line");
    assert!(unserved.contains("null_move (PASS_IS_BOUND)"), "{text}");
    let told: Value =
        serde_json::from_str(&counters(&["--game", "othello", "--depth", "4", "--json"])).unwrap();
    assert!(told["techniques"].get("null_move").is_none(), "{told}");
    assert!(told["unserved"].as_array().unwrap().contains(&"null_move".into()), "{told}");
}

#[test]
fn a_game_that_is_over_is_called_over() {
    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    assert!(counters(&[mated]).starts_with("over: "), "{}", counters(&[mated]));
}

#[test]
fn bstar_has_no_branching_factor() {
    let text = counters(&["--search", "bstar", "--nodes", "2000"]);
    assert!(!text.contains("branching factor") && !text.contains("growth"), "{text}");
}
