//! What scores mean, and how strong the engine plays, as people and programs meet it.
#![cfg(all(feature = "chess", feature = "othello"))]

mod board_program;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use assert_cmd::Command;
use board_program::Engine;
use secateur_games::chess::Chess;
use secateur_games::playable::Playable;
use secateur_lab::engine::{EngineSpec, GoLimit, Opponent, OwnEngine, PositionText};
use secateur_search::Meaning;
use serde_json::{Value, json};

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

fn says(arguments: &[&str]) -> String {
    let (said, complained, status) = secateur(arguments, "");
    assert_eq!((complained.as_str(), status), ("", 0), "{arguments:?}");
    said
}

fn object(arguments: &[&str]) -> Value {
    serde_json::from_str(&says(arguments)).unwrap()
}

/// A place where nothing is.
fn place(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    let _ = std::fs::remove_file(&path);
    path
}

#[test]
fn a_model_is_fitted_to_games_written_and_judged() {
    let (data, model) = (place("wdl-games"), place("wdl.toml"));
    let (data, model) = (data.to_str().unwrap(), model.to_str().unwrap());
    says(&["selfplay", "--game", "othello", "--games", "300", "--nodes", "60", "--out", data]);
    let found = object(&["wdl", "--game", "othello", "--data", data, "--out", model, "--json"]);
    assert!(found["brier"].as_f64() < found["brier_constant"].as_f64(), "{found:#}");
    assert!(found["log_loss"].as_f64() < found["log_loss_constant"].as_f64(), "{found:#}");
    assert_eq!((&found["games"], &found["kept_back"]["games"]), (&json!(240), &json!(60)));
    let bins = found["calibration"]["win"].as_array().unwrap();
    let counted: u64 = bins.iter().map(|bin| bin["positions"].as_u64().unwrap()).sum();
    assert_eq!(found["kept_back"]["positions"], counted);
    let written = std::fs::read_to_string(model).unwrap();
    let meaning = Meaning::read(&written, "othello").unwrap();
    assert_eq!(meaning.origin.games, 240);
    assert!(!written.contains(data), "whoever reads it has no such folder: {written}");
    let text = says(&["wdl", "--game", "othello", "--data", data]);
    for part in ["Brier score ", "log loss ", "\nchance of win ", "\nchance of draw ", "left is "] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_model_needs_games_of_its_game_and_enough_of_them() {
    let data = place("wdl-few");
    let data = data.to_str().unwrap();
    says(&["selfplay", "--game", "othello", "--games", "1", "--nodes", "50", "--out", data]);
    for (arguments, complaint) in [
        (&["--data", data][..], "is a run of othello, not of chess"),
        (&["--game", "othello", "--data", data], "too few results to learn from"),
        (&["--data", "/no/such/folder"], "/no/such/folder: there is no such folder"),
    ] {
        let (said, complained, status) = secateur(&[&["wdl"], arguments].concat(), "");
        assert!(said.is_empty() && status != 0, "{arguments:?}");
        assert!(complained.contains(complaint) && complained.lines().count() == 1, "{complained}");
    }
}

#[test]
fn eval_shows_terms_units_score_and_chances_and_the_protocol_the_same() {
    let place = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 2 3";
    let text = says(&["eval", place]);
    for part in
        ["mobility", "White", "\ntotal ", "\nphase 24 of 24: ", " for Black, who is to move"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let table = &text[text.find("middle, end").unwrap()..];
    let (said, ..) = secateur(&[], &format!("position fen {place}\neval\n"));
    assert_eq!(said, table);
    let found = object(&["eval", place, "--json"]);
    let keys: Vec<&str> = found.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys[..3], ["units", "score", "wdl"]);
    let terms = found["terms"].as_array().unwrap();
    let sum: i64 = terms.iter().map(|term| term["White"]["middle"].as_i64().unwrap()).sum();
    assert_eq!(found["total"]["White"]["middle"], sum);
    let told = found["score"]["cp"].as_i64().unwrap();
    let half = Chess::meaning().at(78).half;
    let expected = found["units"].as_f64().unwrap() * 100.0 / half;
    assert!((told as f64 - expected).abs() <= 1.0, "{found:#}");
}

#[test]
fn eval_speaks_of_othello_and_of_other_weights() {
    let found = object(&["eval", "--game", "othello", "--moves", "f5 d6", "--json"]);
    // Discs are told as they are.
    assert_eq!(found["score"]["cp"], found["units"]);
    let weights = place("ones.weights");
    let ones = secateur_search::Weights::<Chess>::from_fn(Default::default(), |_, _| 1);
    std::fs::write(&weights, ones.write()).unwrap();
    let found = object(&["eval", "--eval-file", weights.to_str().unwrap(), "--json"]);
    assert_eq!(found["units"], 1);
    for (arguments, complaint) in [
        (&["eval", "8/8"][..], "position: "),
        (&["eval", "--eval-file", "/no/such/file"], "--eval-file: /no/such/file"),
    ] {
        let (said, complained, status) = secateur(arguments, "");
        assert!(said.is_empty() && status != 0 && complained.contains(complaint), "{complained}");
    }
    let over = object(&["eval", "--moves", "f3 e5 g4 Qh4", "--json"]);
    assert_eq!(over["over"], "Black wins: checkmate");
}

/// A limit of adjudication means the same for an engine in the process and for one behind a pipe.
#[test]
fn the_engine_of_the_laboratory_and_the_protocol_tell_the_same_score() {
    let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"];
    let spec = EngineSpec::parse("secateur").unwrap();
    let mut own = OwnEngine::<Chess>::new(&spec, "ours", Arc::default()).unwrap();
    let position = PositionText { start: None, moves: moves.map(String::from).to_vec() };
    let limit = GoLimit { nodes: Some(3_000), ..GoLimit::until(Duration::from_secs(30)) };
    let thought = own.think(&position, &limit, &mut |_, _| ControlFlow::Continue(())).unwrap();
    let told = format!(" score {} nodes", thought.score.unwrap().value);
    let mut engine = Engine::new(&[]);
    engine.send(&format!("position startpos moves {}", moves.join(" ")));
    engine.send("go nodes 3000");
    let lines = engine.until("bestmove");
    let last = lines.iter().rev().find(|line| !line.contains("bound") && line.contains(" score "));
    assert!(last.unwrap().contains(&told), "{told}: {lines:?}");
}

/// The moves from this position in several games.
fn moves_at(elo: i32, games: usize) -> HashSet<String> {
    let mut engine = Engine::new(&[]);
    engine.send("setoption name UCI_LimitStrength value true");
    engine.send(&format!("setoption name UCI_Elo value {elo}"));
    let place = "position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5";
    let one_game = |engine: &mut Engine| {
        engine.send("ucinewgame");
        engine.send(place);
        let best = engine.best("go movetime 5000");
        // In the same game the same position gets the same move.
        engine.send("setoption name Clear Hash");
        assert_eq!(engine.best("go movetime 5000"), best);
        best
    };
    (0..games).map(|_| one_game(&mut engine)).collect()
}

#[test]
fn a_weak_engine_varies_its_moves_and_the_strongest_does_not() {
    assert!(moves_at(1_000, 20).len() > 1);
    assert_eq!(moves_at(2_500, 3).len(), 1);
}

#[test]
fn a_weak_engine_searches_little_and_a_bad_strength_is_refused() {
    let mut engine = Engine::new(&["uci", "--game", "othello"]);
    engine.send("setoption name UCI_LimitStrength value true");
    engine.send("setoption name UCI_Elo value 1200");
    engine.send("go movetime 5000");
    let lines = engine.until("bestmove");
    let words: Vec<&str> = lines[lines.len() - 2].split(' ').collect();
    let nodes = words[words.iter().position(|word| *word == "nodes").unwrap() + 1];
    assert!(nodes.parse::<u64>().unwrap() < 2_000, "{lines:?}");
    let refused = engine.ask("setoption name UCI_Elo value 3000");
    assert!(refused[0].contains("UCI_Elo is a whole number from 1200 to 2500"), "{refused:?}");
    let (_, complained, status) = secateur(&["play", "--elo", "400"], "");
    assert_eq!(status, 2);
    assert!(complained.contains("--elo is a whole number from 1000 to 2500"), "{complained}");
    let (said, _, status) = secateur(&["play", "--elo", "1200"], "e4\nhint\nquit\n");
    assert!(status == 0 && said.contains("Secateur plays 1... "), "{said}");
}
