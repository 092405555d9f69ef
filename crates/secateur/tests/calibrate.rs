//! `secateur calibrate`: from positions to a table that the engine loads.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

fn folder(name: &str) -> PathBuf {
    let path =
        std::env::temp_dir().join(format!("secateur-calibrate-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    path
}

fn secateur(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("secateur").unwrap().args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

/// A small calibration in this folder.
fn calibrated(path: &Path, game: &str) -> Value {
    let out = path.to_str().unwrap();
    let (status, text, err) = secateur(&[
        "calibrate",
        "probcut",
        "--game",
        game,
        "--positions",
        "120",
        "--max-depth",
        "4",
        "--play-nodes",
        "100",
        "--out",
        out,
        "--json",
    ]);
    assert_eq!(status, 0, "{err}");
    serde_json::from_str(&text).unwrap()
}

#[test]
fn a_table_is_fitted_kept_and_loaded_by_the_evaluation_it_was_fitted_to() {
    let path = folder("chess");
    let found = calibrated(&path, "chess");
    assert!(found["positions"].as_u64().unwrap() >= 120);
    let pairs = found["pairs"].as_array().unwrap();
    let pair = pairs.iter().find(|pair| pair["pair"] == serde_json::json!([2, 4])).unwrap();
    let (r, sigma) = (pair["r"].as_f64().unwrap(), pair["sigma"].as_f64().unwrap());
    assert!(r > 0.7 && sigma > 1.0, "{pair}");
    assert!(pairs.iter().any(|pair| pair["in_table"] == true));

    // The search with the table makes another tree than the one without.
    let table = path.join("cuts.toml");
    let table = table.to_str().unwrap();
    assert_eq!(found["table"], table);
    let nodes = |arguments: &[&str]| {
        let all = [&["bench", "--depth", "8", "--preset", "classic"], arguments].concat();
        let (status, text, err) = secateur(&all);
        assert_eq!(status, 0, "{err}");
        let last = text.lines().last().unwrap().split(' ').next().unwrap().to_string();
        last.parse::<u64>().unwrap()
    };
    let without = nodes(&[]);
    let with = nodes(&["--set", "probcut=multi", "--cuts-file", table]);
    assert_ne!(with, without);
    let unreachable =
        nodes(&["--set", "probcut=multi", "--set", "probcut.least=60", "--cuts-file", table]);
    assert_eq!(unreachable, without, "where no question is asked nothing changes");

    // Another evaluation has other errors.
    let plain = ["--set", "probcut=multi", "--cuts-file", table, "--eval-file", "plain"];
    let refused = [&["bench", "--depth", "4"], &plain[..]].concat();
    let (status, _, err) = secateur(&refused);
    assert!(status == 2 && err.contains("was fitted to the evaluation"), "{status} {err}");
    let forced = [&refused[..], &["--set", "probcut_table=any"]].concat();
    assert_eq!(secateur(&forced).0, 0);

    // Nor is it for another game.
    let (status, _, err) = secateur(&["bench", "--game", "othello", "--cuts-file", table]);
    assert!(status == 2 && err.contains("was fitted to chess, not to othello"), "{err}");
    fs::remove_dir_all(&path).unwrap();
}

#[test]
fn a_run_that_was_torn_goes_on_and_comes_to_the_same() {
    let path = folder("torn");
    let found = calibrated(&path, "chess");
    let rows = path.join("rows.csv");
    let whole = fs::read_to_string(&rows).unwrap();
    fs::write(&rows, &whole[..whole.len() * 2 / 3]).unwrap();
    let (status, text, err) =
        secateur(&["calibrate", "probcut", "--resume", path.to_str().unwrap(), "--json"]);
    assert_eq!(status, 0, "{err}");
    assert_eq!(fs::read_to_string(&rows).unwrap(), whole);
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), found);

    // The page of it.
    let page = path.join("page.html");
    let (status, _, err) =
        secateur(&["report", path.to_str().unwrap(), "--out", page.to_str().unwrap()]);
    assert_eq!(status, 0, "{err}");
    let page = fs::read_to_string(&page).unwrap();
    assert!(page.contains("Deep against shallow") && page.contains("<svg"));
    fs::remove_dir_all(&path).unwrap();
}

#[test]
fn a_game_of_many_stages_has_a_table_that_is_read_and_a_page_though_each_has_few_positions() {
    let path = folder("othello");
    let found = calibrated(&path, "othello");
    assert!(found["positions"].as_u64().unwrap() >= 120);
    let table = path.join("cuts.toml");
    let set = ["--set", "probcut=multi", "--cuts-file", table.to_str().unwrap()];
    let bench = [&["bench", "--game", "othello", "--depth", "6"], &set[..]].concat();
    let (status, _, err) = secateur(&bench);
    assert_eq!(status, 0, "{err}");
    let page = path.join("page.html");
    let (status, _, err) =
        secateur(&["report", path.to_str().unwrap(), "--out", page.to_str().unwrap()]);
    assert_eq!(status, 0, "{err}");
    fs::remove_dir_all(&path).unwrap();
}

#[test]
fn nodes_inside_searches_are_calibrated_on_with_their_windows() {
    let path = folder("interior");
    let (status, text, err) = secateur(&[
        "calibrate",
        "probcut",
        "--source",
        "interior",
        "--positions",
        "60",
        "--max-depth",
        "4",
        "--root-depth",
        "7",
        "--play-nodes",
        "100",
        "--each",
        "preset=classic",
        "--out",
        path.to_str().unwrap(),
    ]);
    assert_eq!(status, 0, "{err}");
    assert!(text.contains("nodes of"), "{text}");
    let rows = fs::read_to_string(path.join("rows.csv")).unwrap();
    // Nodes have a window; those that have come to where a cut is asked about tell of unrest and were searched
    // to every depth, the others to their own.
    let mut nodes: Vec<Vec<Vec<&str>>> = Vec::new();
    for line in rows.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        if cells[4] == "0" {
            nodes.push(Vec::new());
        }
        assert!(!cells[8].is_empty(), "{line}");
        nodes.last_mut().unwrap().push(cells);
    }
    let (survived, glanced): (Vec<_>, Vec<_>) =
        nodes.iter().partition(|node| !node[0][9].is_empty());
    assert!(survived.len() > 20 && glanced.len() > 20);
    for node in survived {
        let depths: Vec<usize> = node.iter().map(|row| row[4].parse().unwrap()).collect();
        assert_eq!(depths, (0..depths.len()).collect::<Vec<_>>());
    }
    assert!(glanced.iter().all(|node| node.len() == 2));
    fs::remove_dir_all(&path).unwrap();
}

#[test]
fn where_nothing_can_be_fitted_no_table_of_an_earlier_fit_is_left() {
    let path = folder("nothing");
    fs::create_dir_all(&path).unwrap();
    let table = path.join("cuts.toml");
    let arguments = ["calibrate", "probcut", "--positions", "4", "--max-depth", "2"];
    let begin =
        [&arguments[..], &["--play-nodes", "100", "--out", path.to_str().unwrap()]].concat();
    let (status, text, err) = secateur(&begin);
    assert_eq!(status, 0, "{err}");
    assert!(text.contains("so there is no table"), "{text}");
    fs::write(&table, "of an earlier fit").unwrap();
    let (status, text, err) =
        secateur(&["calibrate", "probcut", "--resume", path.to_str().unwrap(), "--json"]);
    assert_eq!(status, 0, "{err}");
    assert!(!table.exists());
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["table"], Value::Null);
    fs::remove_dir_all(&path).unwrap();
}

#[test]
fn what_cannot_be_is_said_before_anything_is_written() {
    let path = folder("refused");
    let out = path.to_str().unwrap();
    for (arguments, words) in [
        (&["--threshold", "9"][..], "from 0.1 to 4"),
        (&["nowhere.pgn"][..], "nowhere.pgn"),
        (&["--each", "preset=nothing"][..], "no preset is called nothing"),
        (&["--source", "interior", "--root-depth", "5"][..], "have no nodes of depth 10"),
    ] {
        let all = [&["calibrate", "probcut", "--out", out], arguments].concat();
        let (status, _, err) = secateur(&all);
        assert!(status == 2 && err.contains(words), "{status} {err}");
        assert!(!path.exists());
    }
}

#[test]
fn through_the_protocol_a_table_that_does_not_fit_is_refused_and_the_search_goes_on() {
    let script = "setoption name probcut value multi\ngo depth 3\nquit\n";
    let output = Command::cargo_bin("secateur")
        .unwrap()
        .args(["uci", "--game", "chess"])
        .write_stdin("setoption name EvalFile value plain\n".to_string() + script)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("error: probcut and what else goes by such a table is off: "), "{text}");
    assert!(text.contains("bestmove "), "{text}");
    let missing = "setoption name CutsFile value nowhere.toml\nquit\n";
    let output = Command::cargo_bin("secateur").unwrap().write_stdin(missing).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("nowhere.toml"), "{text}");
}

#[test]
fn without_a_file_the_table_of_the_program_that_fits_the_preset_is_used() {
    let nodes = |arguments: &[&str]| {
        let all = [&["bench", "--depth", "8", "--preset", "classic"], arguments].concat();
        let (status, text, err) = secateur(&all);
        assert_eq!(status, 0, "{err}");
        text.lines().last().unwrap().split(' ').next().unwrap().to_string()
    };
    let on = ["--set", "probcut=multi"];
    let file = |name: &str| format!("{}/../games/cuts/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let (classic, modern) = (file("chess-classic"), file("chess-modern"));
    let own = nodes(&on);
    assert_eq!(own, nodes(&[&on[..], &["--cuts-file", &classic]].concat()));
    let other = nodes(&[&on[..], &["--set", "probcut_host=modern"]].concat());
    assert_eq!(other, nodes(&[&on[..], &["--cuts-file", &modern]].concat()));
    assert_ne!(own, other);
    // It fits no other weights, and they are told so.
    let plain = ["bench", "--depth", "4", "--set", "probcut=multi", "--eval-file", "plain"];
    let (status, _, err) = secateur(&plain);
    assert!(status == 2 && err.contains("was fitted to the evaluation"), "{status} {err}");
    let (_, listed, _) = secateur(&["params"]);
    assert!(listed.contains("tables of cuts") && listed.contains("calibrate probcut"), "{listed}");
}

/// What an audit says of the cuts.
fn audited(arguments: &[&str]) -> Value {
    let all = [&["audit", "--json", "--set", "probcut=multi"], arguments].concat();
    let (status, text, err) = secateur(&all);
    assert_eq!(status, 0, "{err}");
    let found: Value = serde_json::from_str(&text).unwrap();
    let techniques = found["techniques"].as_array().unwrap();
    techniques.iter().find(|one| one["technique"] == "probcut").cloned().unwrap_or(Value::Null)
}

#[test]
fn an_audit_is_not_decided_by_the_bounds_that_the_question_leaves_in_the_table() {
    let host = ["--preset", "classic", "--set", "reverse_futility=on", "--depth", "9"];
    let found = audited(&[&host[..], &["--every", "16"]].concat());
    let (count, saved) = (found["audited"].as_u64().unwrap(), found["saved"].as_u64().unwrap());
    // A search six plies deep or more; one that a bound in the table answers takes none.
    assert!(count > 20 && saved / count > 100, "{found}");
}

#[test]
fn a_node_that_is_only_reduced_is_audited_too() {
    let reduce = ["--set", "probcut_side=below", "--set", "probcut_below=reduce"];
    let host = ["--preset", "classic", "--depth", "9", "--every", "16"];
    let found = audited(&[&host[..], &reduce].concat());
    assert!(found["audited"].as_u64().is_some_and(|count| count > 10), "{found}");
}
