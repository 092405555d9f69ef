//! The self-check as a person meets it, in its smallest form.
#![cfg(feature = "othello")]

use assert_cmd::Command;
use serde_json::Value;

fn selfcheck(arguments: &[&str]) -> (String, String, i32) {
    let output =
        Command::cargo_bin("secateur").unwrap().arg("selfcheck").args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

#[test]
fn an_even_match_is_even_and_a_short_handicap_match_proves_nothing() {
    let place = std::env::temp_dir().join(format!("secateur-selfcheck-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&place);
    let folder = place.to_str().unwrap();
    let short = "--game othello --nodes 100 --even-games 20 --tc 0.2+0.002 --clock-games 4 \
                 --concurrency 1 --legs 1 --leg-games 2 --json --out";
    let mut arguments: Vec<&str> = short.split_whitespace().collect();
    arguments.push(folder);
    let (said, complained, status) = selfcheck(&arguments);
    let result: Value = serde_json::from_str(&said).expect(&complained);
    let checks = result["checks"].as_array().unwrap();
    assert_eq!(checks.len(), 4);
    assert_eq!((&checks[0]["right"], &checks[0]["pairs"][2]), (&true.into(), &10.into()));
    // One pair proves nothing, and the check must not say that it does.
    assert_eq!(checks[2]["right"], false, "{said}");
    assert_eq!((status, result["right"].as_bool()), (1, Some(false)), "{complained}");
    assert!(complained.contains("checks are wrong"), "{complained}");

    // What was played is not played again.
    let games = || std::fs::read(place.join("even-nodes/games.jsonl")).unwrap();
    let before = games();
    let (said, complained, status) = selfcheck(&["--resume", folder]);
    assert_eq!((games(), status), (before, 1), "{complained}");
    assert!(said.starts_with("right  the same engine twice, fixed nodes"), "{said}");
    let (_, complained, status) = selfcheck(&["--out", folder]);
    assert_eq!(status, 2);
    assert!(complained.contains("holds a run already"), "{complained}");
    std::fs::remove_dir_all(&place).unwrap();
}
