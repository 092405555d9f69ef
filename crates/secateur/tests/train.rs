//! The whole loop as its users run it, in a tiny form: games, training, a match, rounds that are
//! killed; and what is said of wrong files.
#![cfg(all(feature = "chess", feature = "othello"))]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use secateur_games::chess::Chess;
use secateur_games::othello::Othello;
use secateur_games::playable::Playable;
use secateur_search::Weights;
use serde_json::Value;

/// A folder that goes away with the test.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let path =
            std::env::temp_dir().join(format!("secateur-train-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Place(path)
    }

    fn at(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn secateur(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_secateur"));
    command.args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn output(arguments: &[&str]) -> Output {
    secateur(arguments).output().unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let output = output(&[arguments, &["--json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The one line of complaint, and the exit status.
fn complaint(arguments: &[&str]) -> (String, i32) {
    let output = output(arguments);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    (text.trim_end().to_string(), output.status.code().unwrap())
}

/// Games to learn from.
fn games(place: &Place, game: &str, count: &str, nodes: &str) -> String {
    let data = place.at(&format!("{game}-{count}-{nodes}"));
    json(&["selfplay", "--game", game, "--games", count, "--nodes", nodes, "--out", &data]);
    data
}

fn numbers(path: &Path) -> Vec<i16> {
    Weights::<Othello>::read(&fs::read(path).unwrap()).unwrap().values().to_vec()
}

#[test]
fn what_is_learned_from_games_guesses_other_games_better() {
    let place = Place::new("loop");
    let data = games(&place, "othello", "150", "200");
    let (file, again) = (place.at("new.weights"), place.at("again.weights"));
    let train = |threads: &str, out: &str| {
        let data = ["train", "--game", "othello", "--data", data.as_str(), "--epochs", "3"];
        // From nothing: what is embedded has learned from more games than these.
        json(&[&data[..], &["--start", "zero", "--threads", threads, "--out", out]].concat())
    };
    let learned = train("2", &file);
    let losses: Vec<f64> = learned["validation"]
        .as_array()
        .unwrap()
        .iter()
        .map(|loss| loss.as_f64().unwrap())
        .collect();
    assert_eq!(losses.len(), 3);
    assert!(losses[2] < losses[0], "{losses:?}");
    assert!(losses[0] < learned["start_loss"].as_f64().unwrap(), "{learned}");
    // Whole numbers cost next to nothing.
    assert!((learned["loss"].as_f64().unwrap() - losses[2]).abs() < 1e-3, "{learned}");
    assert!(learned["least_loss"].as_f64().unwrap() < losses[2]);
    // The same data and seed are the same weights, whatever the threads.
    train("1", &again);
    assert_eq!(numbers(Path::new(&file)), numbers(Path::new(&again)));
    let read = Weights::<Othello>::read(&fs::read(&file).unwrap()).unwrap();
    assert!(read.origin().command.starts_with("secateur train --game othello --data "));
    assert_eq!(Some(read.origin().positions), learned["positions"].as_u64());

    // They play, in this process and in one of their own, and go on only as they were.
    let run = place.at("match");
    let new = format!("secateur name=new eval={file}");
    let options =
        ["match", "--game", "othello", "--engine", &new, "--nodes", "100", "--games", "4"];
    let opponent = ["--engine", "secateur eval=plain name=plain", "--out", &run];
    assert_eq!(json(&[&options[..], &opponent].concat())["games"], 4);
    let child = ["--engine", "secateur eval=plain name=child option.Ponder=false", "--out"];
    let result = json(&[&options[..], &child, &[&place.at("child")]].concat());
    assert_eq!((&result["games"], &result["engines"][1]["crashes"]), (&4.into(), &0.into()));
    assert_eq!(json(&["match", "--resume", &run])["games"], 4);
    fs::write(&file, Othello::plain_weights().write()).unwrap();
    let (said, status) = complaint(&["match", "--resume", &run]);
    assert!(said.contains("engine new: its weights are not what they were"), "{said}");
    assert_eq!(status, 2);
}

#[test]
fn games_are_made_with_other_weights_and_go_on_with_these() {
    let place = Place::new("eval-file");
    let zero = place.at("zero.weights");
    let weights = Weights::<Othello>::from_fn(Default::default(), |_, _| 0);
    fs::write(&zero, weights.write()).unwrap();
    let data = place.at("data");
    let selfplay = ["selfplay", "--game", "othello", "--games", "4", "--nodes", "60"];
    json(&[&selfplay[..], &["--eval-file", &zero, "--out", &data]].concat());
    let run = fs::read_to_string(Path::new(&data).join("run.toml")).unwrap();
    assert!(run.contains(&format!("evaluator = \"{:016x}\"", weights.identity())), "{run}");
    assert_eq!(json(&["selfplay", "--resume", &data, "--games", "6"])["games"], 6);
    assert_eq!(json(&["selfplay", "--resume", &data])["games"], 6, "as many as were wanted");
    let (said, status) = complaint(&["selfplay", "--resume", &data, "--game", "chess"]);
    assert!(said.contains("--game") && status == 2, "{said}");
    fs::write(&zero, Othello::plain_weights().write()).unwrap();
    let (said, _) = complaint(&["selfplay", "--resume", &data, "--games", "8"]);
    assert!(said.contains("was begun with another evaluation"), "{said}");
}

#[test]
fn two_runs_never_write_into_one_folder() {
    let place = Place::new("two");
    let out = place.at("games");
    let first =
        ["selfplay", "--game", "othello", "--games", "100000", "--nodes", "100", "--out", &out];
    let mut first = secateur(&first).spawn().unwrap();
    let rows = PathBuf::from(&out).join("rows.bin");
    let written = || fs::metadata(&rows).is_ok_and(|rows| rows.len() > 2_000);
    while !written() {
        assert!(first.try_wait().unwrap().is_none(), "it ended by itself");
        thread::sleep(Duration::from_millis(20));
    }
    let (text, _) = complaint(&["selfplay", "--resume", &out]);
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(text.contains("is being written by another run"), "{text}");
}

#[test]
fn wrong_files_and_folders_are_named() {
    let place = Place::new("wrong");
    let data = games(&place, "chess", "2", "50");
    let out = place.at("new.weights");
    let train = |game: &str, data: &str, more: &[&str]| {
        complaint(&[&["train", "--game", game, "--data", data, "--out", &out], more].concat())
    };
    let (said, status) = train("othello", &data, &[]);
    assert!(said.ends_with(&format!("{data} holds games of chess, not of othello")), "{said}");
    assert_eq!(status, 2);
    let (said, _) = train("chess", "/no/such/folder", &[]);
    assert_eq!(said.trim_end(), "error: /no/such/folder: there is no such folder");
    fs::write(place.at("run.toml"), "kind = \"ablate\"\n").unwrap();
    let (said, _) = train("chess", &place.at(""), &[]);
    assert!(said.ends_with("it is of a run of the kind 'ablate', not of selfplay"), "{said}");
    let (said, _) = train("chess", &data, &["--data", &data]);
    assert!(said.contains("holds the same games as"), "{said}");
    let (said, _) = train("chess", &data, &["--start", "/no/such/file"]);
    assert!(said.contains("--start: /no/such/file: "), "{said}");
    let (said, status) = train("chess", &data, &["--result-share", "1.5"]);
    assert!(said.contains("a share is a number from 0 to 1") && status == 2, "{said}");
    let torn = Path::new(&data).join("rows.bin");
    fs::write(&torn, "something else").unwrap();
    let (said, _) = train("chess", &data, &[]);
    assert!(said.contains(&format!("{}: these are not rows of chess", torn.display())), "{said}");
    assert!(!Path::new(&out).exists());
}

#[test]
fn weights_of_another_game_are_refused_wherever_they_are_given() {
    let place = Place::new("foreign");
    let chess = place.at("chess.weights");
    fs::write(&chess, Chess::plain_weights().write()).unwrap();
    let expected = format!("{chess}: weights for chess, not for othello");
    let spec = format!("secateur eval={chess}");
    for clock in [["--nodes", "50"], ["--tc", "1+1"]] {
        let run = ["match", "--game", "othello", "--engine", &spec, "--engine", "secateur"];
        let (said, status) = complaint(&[&run[..], &clock, &["--out", &place.at("m")]].concat());
        assert!(said.ends_with(&expected) && said.contains("eval: "), "{said}");
        assert_eq!(status, 2);
    }
    let selfplay = ["selfplay", "--game", "othello", "--eval-file", &chess];
    let (said, _) = complaint(&[&selfplay[..], &["--out", &place.at("s")]].concat());
    assert!(said.ends_with(&expected), "{said}");
    assert!(!Path::new(&place.at("s")).exists() && !Path::new(&place.at("m")).exists());
    let (said, _) = complaint(&["match", "--each", "eval=plain", "--engine", "x", "--engine", "y"]);
    assert!(said.contains("'eval' is a setting of secateur only"), "{said}");
}

/// A run of rounds so small that it takes seconds.
fn learn(out: &str) -> Vec<&str> {
    let mut arguments = vec!["learn", "--game", "othello", "--rounds", "2", "--games", "60"];
    arguments.extend(["--nodes", "100", "--epochs", "2", "--match-games", "10", "--out", out]);
    arguments
}

#[test]
fn rounds_that_are_killed_again_and_again_end_like_those_that_are_not() {
    let place = Place::new("learn");
    let (whole, broken) = (place.at("whole"), place.at("broken"));
    let undisturbed = json(&learn(&whole));
    assert_eq!((&undisturbed["rounds"], &undisturbed["interrupted"]), (&2.into(), &false.into()));

    for round in 0..12 {
        let started = Path::new(&broken).join("run.toml").exists();
        if !started {
            let _ = fs::remove_dir_all(&broken);
        }
        let arguments = if started { vec!["learn", "--resume", &broken] } else { learn(&broken) };
        let mut child = secateur(&arguments).spawn().unwrap();
        thread::sleep(Duration::from_millis(150 + 60 * round));
        let _ = child.kill();
        child.wait().unwrap();
    }
    let arguments = match Path::new(&broken).join("run.toml").exists() {
        true => vec!["learn", "--resume", &broken],
        false => learn(&broken),
    };
    let disturbed = json(&arguments);
    assert_eq!(disturbed["table"], undisturbed["table"]);
    for file in ["best.weights", "round-1/new.weights", "round-2/new.weights"] {
        let in_folder = |folder: &str| numbers(&Path::new(folder).join(file));
        assert_eq!(in_folder(&broken), in_folder(&whole), "{file}");
    }
    let rows = |folder: &str| fs::read(Path::new(folder).join("round-2/data/rows.bin")).unwrap();
    assert_eq!(rows(&broken), rows(&whole));

    // Nothing is left to do, and one round more is one round more.
    assert_eq!(json(&["learn", "--resume", &whole])["table"], undisturbed["table"]);
    let more = json(&["learn", "--resume", &whole, "--rounds", "3"]);
    assert_eq!((&more["rounds"], &more["table"][1]), (&3.into(), &undisturbed["table"][1]));
    let (said, status) = complaint(&learn(&whole));
    assert!(said.contains("holds a run already") && status == 2, "{said}");
    let (said, _) = complaint(&["learn", "--resume", &place.at("none")]);
    assert!(said.contains("holds no run"), "{said}");
}
