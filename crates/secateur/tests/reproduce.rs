//! `secateur reproduce`: experiments of papers, at the smallest scale.

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use serde_json::Value;

fn reproduce(arguments: &[&str]) -> (i32, String, String) {
    let output =
        Command::cargo_bin("secateur").unwrap().arg("reproduce").args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

/// A folder with a few problems under the name of a public suite.
fn data(name: &str, file: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("secateur-data-{name}-{}", std::process::id()));
    fs::create_dir_all(&path).unwrap();
    let problems = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id \"1\";\n\
        7k/5Q2/8/6K1/8/8/8/8 w - - bm Kg6 Kh6; id \"2\";\n\
        4k3/8/8/3q4/8/8/3R4/3RK3 w - - bm Rxd5; id \"3\";\n\
        r3k3/8/8/8/8/8/6q1/R3K2R b - - bm Rxa1+ Qxh1+; id \"4\";\n";
    fs::write(path.join(file), problems).unwrap();
    path
}

#[test]
fn without_a_name_the_experiments_are_listed() {
    let (status, out, _) = reproduce(&[]);
    assert_eq!(status, 0);
    for id in
        ["ab-equiv", "abyss-1a", "abyss-1b", "abyss-2", "null-variants", "ael", "multicut", "lct2"]
    {
        assert!(out.lines().any(|line| line.starts_with(id)), "{out}");
    }
}

#[test]
fn every_shape_of_the_search_has_the_same_value() {
    let (status, out, err) = reproduce(&["ab-equiv", "--scale", "0.05"]);
    assert_eq!(status, 0, "{out}{err}");
    assert!(!out.contains("FAILS") && out.contains("holds  the product has the value"), "{out}");
}

#[test]
fn the_worked_example_and_the_cycles_of_bstar_come_out_right() {
    for (id, line) in [
        ("bstar-golden", "holds  every number of every step (372 of 372)"),
        ("bstar-ghi", "holds  no value is wrong"),
    ] {
        let (status, out, err) = reproduce(&[id, "--scale", "0.1"]);
        assert_eq!(status, 0, "{out}{err}");
        assert!(out.contains(line) && !out.contains("FAILS"), "{out}");
    }
}

#[test]
fn a_missing_suite_is_named_with_the_places_that_were_looked_at() {
    let (status, _, err) = reproduce(&["lct2", "--data", "nowhere"]);
    assert_eq!(status, 2);
    assert!(err.contains("the public suite lct2.epd") && err.contains("nowhere/"), "{err}");
    let (status, _, err) = reproduce(&["abyss-9"]);
    assert!(status == 2 && err.contains("there are ab-equiv, abyss-1a"), "{err}");
}

#[test]
fn without_its_suite_an_experiment_takes_the_positions_of_the_program() {
    let (_, out, err) = reproduce(&["abyss-1b", "--scale", "0.04", "--data", "nowhere"]);
    assert!(
        out.starts_with("4 of the ") && out.contains("positions that come with the program"),
        "{out}{err}"
    );
    assert!(out.contains("+ch+sf"), "{out}");
}

#[test]
fn a_table_has_the_papers_figures_beside_ours() {
    let data = data("table", "wac.epd");
    let out = data.join("run");
    let arguments = ["abyss-1b", "--scale", "0.08", "--data", data.to_str().unwrap(), "--json"];
    let (_, first, err) = reproduce(&[&arguments[..], &["--out", out.to_str().unwrap()]].concat());
    let found: Value = serde_json::from_str(&first).unwrap_or_else(|_| panic!("{first}{err}"));
    let figures = found["figures"].as_array().unwrap();
    assert_eq!(figures.len(), 16, "four presets at four depths");
    assert_eq!((&figures[0]["paper"], &figures[0]["depth"]), (&38.into(), &5.into()));
    assert!(figures.iter().all(|figure| figure["positions"] == 4), "{first}");
    let beside = found["beside"].as_array().unwrap();
    assert_eq!(beside.len(), 2, "{first}");
    assert!(beside.iter().all(|beside| beside["p_value"].is_number()), "{first}");
    assert!(beside.iter().all(|beside| beside["depths"].as_array().unwrap().len() == 4));
    // What was kept is not searched again.
    let (_, again, _) = reproduce(&["--resume", out.to_str().unwrap(), "--json"]);
    assert_eq!(again, first);
    let (status, _, err) = reproduce(&["--resume", data.to_str().unwrap()]);
    assert!(status != 0 && err.contains("run.toml"), "{err}");
    fs::remove_dir_all(&data).unwrap();
}

#[test]
fn extended_futility_is_checked_beside_none_and_told_beside_the_frontier_alone() {
    let data = data("ael", "wac.epd");
    let arguments = ["ael", "--scale", "0.01", "--data", data.to_str().unwrap(), "--json"];
    let (_, out, err) = reproduce(&arguments);
    let found: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{err}"));
    let pairs: Vec<&Value> =
        found["beside"].as_array().unwrap().iter().map(|beside| &beside["beside"]).collect();
    assert_eq!(pairs, [&serde_json::json!(["+E", "none"]), &serde_json::json!(["+E", "+A"])]);
    let figures = found["figures"].as_array().unwrap();
    let extended = |against: &str| {
        let figure = |figure: &&Value| figure["what"] == "extended" && figure["against"] == against;
        figures.iter().find(figure).unwrap()
    };
    for against in ["+A", "none"] {
        assert_eq!(extended(against)["depth"], 8, "{out}");
        let share = &extended(against)["share"];
        assert!(["value", "low", "high"].iter().all(|key| share[key].is_number()), "{out}");
    }
    // What the extension adds to the frontier has the paper's figure beside it and cannot fail.
    assert_eq!(extended("+A")["paper_saves"], "10-30 %");
    assert!(extended("none")["paper_saves"].is_null());
    let claims: Vec<&str> =
        found["checks"].as_array().unwrap().iter().map(|c| c["claim"].as_str().unwrap()).collect();
    assert_eq!(claims.len(), 2, "{claims:?}");
    assert!(claims.iter().all(|claim| claim.ends_with("beside no futility")), "{claims:?}");
    assert!(found["notes"].to_string().contains("not checked"), "{out}");
    fs::remove_dir_all(&data).unwrap();
}

#[test]
fn rankcut_has_the_papers_table_beside_ours() {
    let (_, out, err) =
        reproduce(&["rankcut-suite", "--scale", "0.001", "--json", "--data", "nowhere"]);
    let found: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{err}"));
    let figures = found["figures"].as_array().unwrap();
    let sum = figures.iter().find(|figure| figure["suite"] == "Sum-08").unwrap();
    assert_eq!(sum["paper_change"], -9.5);
    let nodes: Vec<u64> =
        sum["nodes"].as_array().unwrap().iter().map(|nodes| nodes.as_u64().unwrap()).collect();
    assert!(nodes[0] > 0 && nodes[0] != nodes[1], "{found}");
    let counted = figures.iter().find(|figure| figure["suite"] == "Sum-08 counted").unwrap();
    assert_eq!((&counted["engine"], &counted["nodes"][0]), (&"counted".into(), &nodes[0].into()));
}

#[test]
fn counts_of_ranks_go_on_as_they_were_begun_or_not_at_all() {
    let out = std::env::temp_dir().join(format!("secateur-gather-{}", std::process::id()));
    let _ = fs::remove_dir_all(&out);
    let folder = out.to_str().unwrap();
    let (_, text, err) =
        reproduce(&["rankcut-gather", "--scale", "0.001", "--json", "--out", folder]);
    let found: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}{err}"));
    assert!(found["figures"][0]["met"].as_u64().unwrap() > 1_000, "{found}");
    assert_eq!(found["checks"][0]["holds"], true, "{found}");
    let (_, again, _) = reproduce(&["--resume", folder, "--json"]);
    assert_eq!(again, text);
    let order = out.join("ranks/run.toml");
    let other = fs::read_to_string(&order).unwrap().replace("margin = 50", "margin = 51");
    fs::write(&order, other).unwrap();
    let (status, _, err) = reproduce(&["--resume", folder, "--json"]);
    assert!(status != 0 && err.contains("was begun otherwise"), "{status} {err}");
    fs::remove_dir_all(&out).unwrap();
}

#[test]
fn shallow_values_tell_deep_ones_and_the_paper_stands_beside_ours() {
    let (status, out, err) =
        reproduce(&["mpc-fit", "--scale", "0.01", "--json", "--data", "nowhere"]);
    assert_eq!(status, 0, "{out}{err}");
    let found: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{err}"));
    for key in ["paper", "ours"] {
        let rows = found[key].as_array().unwrap();
        assert!(rows.len() >= 4, "{found}");
        for name in ["pair", "stage", "a", "b", "sigma", "r", "n"] {
            assert!(rows.iter().all(|row| row.get(name).is_some()), "{key} {name}");
        }
    }
    assert_eq!(found["paper"][2]["sigma"], 82.0);
    assert!(found["ours"][0]["r"].as_f64().unwrap() > 0.5, "{found}");
    let (status, _, err) = reproduce(&["mpc-fit", "--game", "othello", "--data", "nowhere"]);
    assert!(status == 2 && err.contains("mpc-fit is an experiment in chess"), "{status} {err}");
}

#[test]
fn levels_of_confidence_in_othello_save_nodes_and_end_exactly() {
    let (_, out, err) = reproduce(&["othello-mpc", "--scale", "0.01", "--json"]);
    let found: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{err}"));
    let checks = found["checks"].as_array().unwrap();
    let exact = checks.iter().find(|check| check["claim"] == "the last level is exact").unwrap();
    assert_eq!(exact["holds"], true, "{found}");
    let figures = found["figures"].as_array().unwrap();
    let ends: Vec<&Value> = figures.iter().filter(|figure| figure["end"] == true).collect();
    assert_eq!(ends.len(), 6, "{found}");
    assert!(figures.iter().any(|figure| figure["edax"].is_number() && figure["ours"].is_number()));
    assert!(figures.iter().any(|figure| figure["match"].is_string()));
}
