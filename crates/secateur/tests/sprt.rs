//! `secateur sprt` as people and scripts use it.

use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

fn sprt(arguments: &[&str]) -> Output {
    Command::cargo_bin("secateur").unwrap().arg("sprt").args(arguments).output().unwrap()
}

fn says(arguments: &[&str]) -> String {
    let output = sprt(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty());
    String::from_utf8(output.stdout).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&says(&[arguments, &["--json"]].concat())).unwrap()
}

/// The one line on the standard error of a run that must end with status 2.
fn complains(arguments: &[&str]) -> String {
    let output = sprt(arguments);
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {complaint}");
    assert_eq!(complaint.lines().count(), 1, "{arguments:?}: {complaint}");
    assert!(output.stdout.is_empty());
    complaint
}

#[test]
fn pairs_are_reported_from_the_side_of_the_first_engine() {
    let said = says(&["--ptnml", "10,40,120,45,12", "--elo0", "0", "--elo1", "5"]);
    let expected = "\
Results of the first engine: 454 games in pairs [10, 40, 120, 45, 12] (LL, LD, DD+WL, WD, WW)
Elo    6.89 +- 19.74
nElo   11.17 +- 31.96
LOS    75.33 %
score  50.99 %, level pairs 52.86 %
LLR    0.16 (-2.94, 2.94), not decided
test   [0, 5] nElo, alpha 0.05, beta 0.05
";
    let (block, rest) = said.split_at(expected.len());
    assert_eq!(block, expected);
    assert!(rest.starts_with("left   ") && rest.lines().count() == 1, "{rest}");
}

#[test]
fn a_published_result_is_decided_as_it_was() {
    // fastchess pull request 783: nElo 3.05 +- 2.31, LLR 2.94598, H1 accepted. Its iteration ends
    // sooner than ours, which shows in the fourth digit.
    let object = json(&["--ptnml", "379,10170,21828,10640,343", "--elo0", "0", "--elo1", "2"]);
    let number = |key: &str| object[key].as_f64().unwrap();
    assert!((number("nelo") - 3.05).abs() < 0.005 && (number("nelo_error") - 2.31).abs() < 0.005);
    assert!((number("llr") - 2.94598).abs() < 0.001, "{}", number("llr"));
    assert!((number("upper") - 2.94444).abs() < 0.000_01);
    assert_eq!(object["verdict"], "accept H1");
    assert_eq!((object["games"].as_u64(), object["games_left"].as_u64()), (Some(86720), Some(0)));
    for key in ["elo", "elo_error", "los", "lower", "score", "draw_ratio"] {
        assert!(object[key].is_number(), "{key}");
    }
}

#[test]
fn single_games_and_the_logistic_model_are_known_too() {
    // cutechess issue 543.
    let said = says(&["--wdl", "880,1863,759", "--model", "logistic"]);
    for part in ["3,502 games, +880 =1863 -759", "Elo    12.0", "LOS    99.86 %", "draws 53.20 %"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(said.contains("LLR    2.95 (-2.94, 2.94), H1 accepted: the lead is 5 Elo"), "{said}");
    assert!(!said.contains("left "), "{said}");
    let mirrored =
        json(&["--wdl", "759,1863,880", "--model", "logistic", "--elo0", "-5", "--elo1", "0"]);
    assert_eq!(mirrored["verdict"], "accept H0");
}

#[test]
fn no_games_and_nothing_but_wins_are_no_trouble() {
    let said = says(&["--wdl", "0,0,0"]);
    assert!(said.contains("Elo    unknown") && said.contains("LLR    0.00"), "{said}");
    let said = says(&["--wdl", "10,0,0"]);
    assert!(said.contains("Elo    inf, error unknown") && !said.contains("NaN"), "{said}");
    let object = json(&["--ptnml", "0,0,0,0,104"]);
    assert!(object["elo"].is_null() && object["elo_error"].is_null() && object["llr"].is_number());
}

#[test]
fn a_plan_tells_how_long_a_test_will_take() {
    let said = says(&["--elo", "0", "--draw-ratio", "0.5"]);
    assert!(said.starts_with("Plan for a true lead of the first engine of 0 Elo and 50 % draws\n"));
    assert!(said.contains("H1 accepted with 5.0 %"), "{said}");
    let games = |elo: &str| json(&["--elo", elo])["games"].as_f64().unwrap();
    assert!(games("2") > games("8") && games("2") > games("-3"));
}

#[test]
fn bad_input_is_one_line_that_says_what_is_wrong() {
    for (arguments, part) in [
        (&["--ptnml", "1,2,3"][..], "expected 5 counts (LL,LD,DD+WL,WD,WW), found 3"),
        (&["--ptnml", "1,2,x,4,5"], "count 3, \"x\""),
        (&["--wdl", "1,2,-3"], "count 3, \"-3\""),
        (&[], "--ptnml"),
        (&["--wdl", "1,2,3", "--elo", "5"], "cannot be used with"),
        (&["--wdl", "1,2,3", "--elo0", "5", "--elo1", "0"], "elo0 must be less than elo1"),
        (&["--wdl", "1,2,3", "--elo1", "NaN"], "elo0 must be less than elo1"),
        (&["--wdl", "1,2,3", "--alpha", "0.7"], "alpha and beta must be"),
        (&["--wdl", "1,2,3", "--draw-ratio", "0.7"], "cannot be used with"),
        (&["--elo", "400", "--draw-ratio", "0.7"], "draw ratio of 0.7"),
        (&["--wdl", "1,2,3", "--model", "bayes"], "normalized, logistic"),
    ] {
        let complaint = complains(arguments);
        assert!(complaint.contains(part), "{arguments:?}: {complaint}");
    }
}
