//! Weight files as a board program and a person meet them.
#![cfg(all(feature = "chess", feature = "othello"))]

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use secateur_games::chess::Chess;
use secateur_games::othello::Othello;
use secateur_games::playable::Playable;
use secateur_search::weights::Origin;
use secateur_search::{Featured, Weights};

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

/// A file of this test.
fn file(name: &str, content: &[u8]) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_string()
}

/// Weights by which everything is worth this much.
fn all<G: Featured>(value: i16) -> Vec<u8> {
    Weights::<G>::from_fn(Origin::default(), |_, _| value).write()
}

#[test]
fn another_file_changes_the_value_and_a_wrong_one_changes_nothing() {
    let ones = file("ones.weights", &all::<Chess>(1));
    let othello = file("othello.weights", &all::<Othello>(1));
    let mut damaged = all::<Chess>(2);
    *damaged.last_mut().unwrap() ^= 1;
    let damaged = file("damaged.weights", &damaged);
    let (said, complained, status) = secateur(
        &[],
        &format!(
            "eval\nsetoption name EvalFile value {ones}\neval\n\
             setoption name EvalFile value /no/such/file\n\
             setoption name EvalFile value {othello}\n\
             setoption name EvalFile value {damaged}\n\
             setoption name Threads value 2\neval\ngo depth 2\n\
             setoption name EvalFile value <embedded>\neval\n"
        ),
    );
    assert_eq!((complained.as_str(), status), ("", 0));
    let totals: Vec<&str> = said.lines().filter(|line| line.starts_with("phase")).collect();
    assert_eq!(totals.len(), 4, "{said}");
    // With all weights 1 the start position is worth the move alone.
    assert_eq!(totals[1], "phase 24 of 24: +1 for White");
    assert_eq!(totals[2], totals[1]);
    assert_eq!(totals[3], totals[0]);
    assert_ne!(totals[0], totals[1]);
    let errors: Vec<&str> = said.lines().filter(|line| line.contains("error")).collect();
    assert_eq!(errors.len(), 3, "{said}");
    assert!(errors[0].contains("/no/such/file: "), "{}", errors[0]);
    assert!(errors[1].ends_with(": weights for othello, not for chess"), "{}", errors[1]);
    assert!(
        errors[2].ends_with(": weight file is damaged: its checksum is wrong"),
        "{}",
        errors[2]
    );
    assert!(said.contains("bestmove "), "{said}");
}

#[test]
fn the_terms_of_othello_are_shown_too() {
    let (said, ..) = secateur(&["uci", "--game", "othello"], "position startpos moves f5\neval\n");
    assert!(said.contains("mobility") && said.contains("patterns: edge"), "{said}");
}

#[test]
fn a_bench_with_the_plain_weights_is_named_by_its_file() {
    let plain = file("plain.weights", &Othello::plain_weights().write());
    let bench = ["bench", "--game", "othello", "--depth", "2", "--eval-file"];
    let (said, _, status) = secateur(&[&bench[..], &[plain.as_str()]].concat(), "");
    assert!(status == 0 && said.contains(" nodes "), "{said}");
    let (_, complained, status) = secateur(&[&bench[..], &["/no/such/file"]].concat(), "");
    assert!(status == 2 && complained.contains("--eval-file: /no/such/file: "), "{complained}");
}
