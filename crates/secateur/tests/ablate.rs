//! `secateur ablate`: a small design, killed and gone on with.

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use serde_json::Value;

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("secateur-ablate-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    path
}

fn run(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("secateur").unwrap().args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_run_that_was_torn_comes_to_the_same_end() {
    let path = folder("torn");
    let out = path.to_str().unwrap();
    let design = [
        "ablate",
        "--only",
        "late_moves",
        "--only",
        "null_move",
        "--only",
        "futility",
        "--nodes",
        "60",
        "--games",
        "60",
        "--off",
        "40",
        "--json",
    ];
    let (status, whole, err) = run(&[&design[..], &["--out", out]].concat());
    assert_eq!(status, 0, "{err}");
    let found: Value = serde_json::from_str(&whole).unwrap();
    assert_eq!((&found["games"], found["techniques"].as_array().unwrap().len()), (&60.into(), 3));
    let pairs = path.join("pairs.jsonl");
    let lines = fs::read_to_string(&pairs).unwrap();
    let kept: Vec<&str> = lines.lines().take(7).collect();
    fs::write(&pairs, kept.join("\n") + "\n{\"pair\":7,\"fir").unwrap();
    let (status, again, err) = run(&["ablate", "--resume", out, "--json"]);
    assert_eq!(status, 0, "{err}");
    assert_eq!(again, whole);

    // It can be made longer, not shorter; and it has a page.
    let (status, _, err) = run(&["ablate", "--resume", out, "--games", "20"]);
    assert!(status == 2 && err.contains("longer, not shorter"), "{err}");
    let (status, text, _) = run(&["ablate", "--resume", out, "--games", "64"]);
    assert!(status == 0 && text.contains("64 games at 60 nodes a move"), "{text}");
    assert!(text.contains(&format!("--resume {out} --confirm 400 --suite FILE\n")), "{text}");
    let page = path.join("page.html");
    let (status, _, err) = run(&["report", out, "--out", page.to_str().unwrap()]);
    assert_eq!(status, 0, "{err}");
    let page = fs::read_to_string(&page).unwrap();
    assert!(page.contains("What each technique is worth") && page.contains("null_move"));
    fs::remove_dir_all(&path).unwrap();
}

#[test]
fn matches_and_positions_are_part_of_the_run() {
    let path = folder("parts");
    let out = path.to_str().unwrap();
    let suite = std::env::temp_dir().join(format!("secateur-ablate-{}.epd", std::process::id()));
    fs::write(&suite, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id \"1\";\n").unwrap();
    let (status, text, err) =
        run(&["ablate", "--only", "late_moves", "--only", "quiet", "--out", out]);
    assert!(status == 2 && err.contains("no technique that is on"), "{text}{err}");
    let (status, text, err) = run(&[
        "ablate",
        "--only",
        "late_moves",
        "--only",
        "correction",
        "--nodes",
        "60",
        "--games",
        "60",
        "--confirm",
        "4",
        "--suite",
        suite.to_str().unwrap(),
        "--depth",
        "4",
        "--json",
        "--out",
        out,
    ]);
    assert_eq!(status, 0, "{err}");
    let found: Value = serde_json::from_str(&text).unwrap();
    for technique in found["techniques"].as_array().unwrap() {
        let positions = &technique["positions"];
        assert_eq!(positions["solved"]["with"], 1, "{technique}");
        assert_eq!(positions["p_value"], 1.0, "one position decides nothing: {technique}");
        let ratio = &positions["nodes"]["ratio"];
        let share = |key: &str| positions["nodes"][key].as_f64().unwrap();
        assert_eq!(ratio["value"].as_f64().unwrap(), share("without") / share("with"));
        assert!(ratio["low"].is_number() && ratio["high"].is_number(), "{technique}");
        // Too few games would make this hold of nothing.
        let large = technique["elo"].as_f64().unwrap().abs() > 10.0;
        assert_eq!(technique["match"].is_object(), large, "{technique}");
        assert_eq!(
            path.join(format!("confirm-{}", technique["technique"].as_str().unwrap())).exists(),
            large
        );
    }
    let matches = fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path());
    for folder in matches.filter(|path| path.to_str().unwrap().contains("confirm-")) {
        let told = fs::read_to_string(folder.join("run.toml")).unwrap();
        assert!(told.contains("fresh-openings.txt"), "{told}");
    }
    let (status, text, _) = run(&["ablate", "--resume", out]);
    assert!(status == 0 && !text.contains("not asked for"), "{text}");
    assert!(
        text.contains("adjusted for being one of many") && text.contains("1 / 1   1.000"),
        "{text}"
    );
    let (status, _, err) = run(&["ablate", "--resume", out, "--suite", suite.to_str().unwrap()]);
    assert!(status == 2 && err.contains("has positions already"), "{err}");
    fs::remove_file(&suite).unwrap();
    fs::remove_dir_all(&path).unwrap();
}

#[test]
fn positions_may_be_asked_for_when_the_games_are_over() {
    let path = folder("later");
    let out = path.to_str().unwrap();
    let suite = std::env::temp_dir().join(format!("secateur-later-{}.epd", std::process::id()));
    fs::write(&suite, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id \"1\";\n").unwrap();
    let only = ["--only", "late_moves", "--only", "null_move"];
    let design = ["ablate", "--nodes", "60", "--games", "8", "--json", "--out", out];
    let (status, text, err) = run(&[&design[..], &only[..]].concat());
    assert_eq!(status, 0, "{err}");
    let found: Value = serde_json::from_str(&text).unwrap();
    assert!(found["techniques"][0]["positions"].is_null(), "{text}");
    let more = ["--suite", suite.to_str().unwrap(), "--depth", "3", "--json"];
    let (status, text, err) = run(&[&["ablate", "--resume", out][..], &more[..]].concat());
    assert_eq!(status, 0, "{err}");
    let found: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(found["techniques"][0]["positions"]["solved"]["with"], 1, "{text}");
    // It is written down, so it need not be said again.
    let (_, again, _) = run(&["ablate", "--resume", out, "--json"]);
    assert_eq!(again, text);
    fs::remove_file(&suite).unwrap();
    fs::remove_dir_all(&path).unwrap();
}

#[test]
fn othello_has_techniques_of_its_own() {
    let path = folder("othello");
    let out = path.to_str().unwrap();
    let (status, text, err) = run(&[
        "ablate", "--game", "othello", "--nodes", "60", "--games", "12", "--out", out, "--json",
    ]);
    assert_eq!(status, 0, "{err}");
    let found: Value = serde_json::from_str(&text).unwrap();
    let names: Vec<&str> = found["techniques"]
        .as_array()
        .unwrap()
        .iter()
        .map(|technique| technique["technique"].as_str().unwrap())
        .collect();
    assert!(names.contains(&"late_moves") && !names.contains(&"null_move"), "{names:?}");
    let of_bstar = |name: &&str| name.starts_with("bstar") || *name == "hand_over";
    assert!(!names.iter().any(of_bstar), "alpha-beta does not read them: {names:?}");
    fs::remove_dir_all(&path).unwrap();
}
