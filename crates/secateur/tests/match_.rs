//! `secateur match` as its users run it: killed, resumed, repeated, and given nonsense.
#![cfg(feature = "chess")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use secateur_games::chess::Chess;
use secateur_games::chess::pgn;
use secateur_search::random::SplitMix;
use secateur_search::{Game, Notation};
use serde_json::Value;

/// A folder that goes away with the test.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let path =
            std::env::temp_dir().join(format!("secateur-match-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Place(path)
    }

    fn run(&self) -> PathBuf {
        self.0.join("run")
    }

    fn out(&self) -> String {
        self.run().display().to_string()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn secateur(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_secateur"));
    command.arg("match").args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn done(arguments: &[&str]) -> String {
    let output = secateur(arguments).output().unwrap();
    assert!(output.status.success(), "{}", errors(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&done(&[arguments, &["--json"]].concat())).unwrap()
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The games of a run by number, without what differs from run to run.
fn games(folder: &Path) -> BTreeMap<u64, Value> {
    let text = fs::read_to_string(folder.join("games.jsonl")).unwrap();
    let mut games = BTreeMap::new();
    for line in text.lines() {
        let mut game: Value = serde_json::from_str(line).unwrap();
        for varying in ["times_ms", "began", "seconds"] {
            assert!(game.as_object_mut().unwrap().remove(varying).is_some());
        }
        for side in game["effort"].as_array_mut().unwrap() {
            assert!(side.as_object_mut().unwrap().remove("time_ms").is_some());
        }
        let number = game["game"].as_u64().unwrap();
        assert!(games.insert(number, game).is_none(), "game {number} is there twice");
    }
    games
}

/// Two of ours that play fast and not alike.
const FAST: [&str; 10] = [
    "--engine",
    "secateur name=a",
    "--engine",
    "secateur name=b nodes=60",
    "--nodes",
    "90",
    "--each",
    "hash=1",
    "--max-moves",
    "50",
];

const SLOW: [&str; 8] = [
    "--engine",
    "secateur name=a",
    "--engine",
    "secateur name=b nodes=200",
    "--nodes",
    "300",
    "--each",
    "hash=1",
];

fn texts(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

fn fast<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&FAST[..], more].concat()
}

#[test]
fn a_run_that_is_killed_twenty_times_plays_the_same_two_hundred_games() {
    let (whole, broken) = (Place::new("whole"), Place::new("broken"));
    // So slow that a run does not reach its end before the news of its progress does.
    let slow = |more: &[&'static str], out: &str| {
        let mut all: Vec<String> = SLOW.iter().chain(more).map(|word| word.to_string()).collect();
        all.extend(["--games", "200", "--out", out].map(String::from));
        all
    };
    let undisturbed = json(&texts(&slow(&[], &whole.out())));
    let bytes = fs::metadata(whole.run().join("games.jsonl")).unwrap().len();
    let begun = Instant::now();
    json(&["--resume", &whole.out()]);
    let startup = begun.elapsed();

    let mut random = SplitMix::new(11);
    let lines = broken.run().join("games.jsonl");
    let length = || fs::metadata(&lines).map_or(0, |data| data.len());
    for round in 0..20 {
        let out = broken.out();
        let started = broken.run().join("run.toml").exists();
        let begin = slow(&["--concurrency", "2", "--force"], &out);
        if !started {
            // Killed before it was a run: it begins anew.
            let _ = fs::remove_dir_all(broken.run());
        }
        let arguments = if started { vec!["--resume", &out] } else { texts(&begin) };
        let mut run = secateur(&arguments).spawn().unwrap();
        if round % 4 == 1 {
            // Perhaps before its first game.
            thread::sleep(startup.mul_f64(random.below(100) as f64 / 100.0));
        } else {
            // All of these together do not reach the end.
            let target = length() + 1 + random.below(bytes as usize / 25) as u64;
            let deadline = Instant::now() + Duration::from_secs(60);
            while length() < target && run.try_wait().unwrap().is_none() {
                assert!(Instant::now() < deadline, "it does not go on");
                thread::sleep(Duration::from_micros(200));
            }
        }
        // One that has ended by itself is found out below.
        let _ = run.kill();
        let output = run.wait_with_output().unwrap();
        assert_eq!(
            output.status.code(),
            None,
            "it ended before it was killed: {}",
            errors(&output)
        );
        if round == 10 {
            // As if it had been killed while it wrote.
            let mut text = fs::read(&lines).unwrap();
            text.truncate(text.len() - 30);
            fs::write(&lines, text).unwrap();
        }
    }
    let resumed = json(&["--resume", &broken.out()]);
    let (expected, found) = (games(&whole.run()), games(&broken.run()));
    assert!(found.keys().copied().eq(1..=200));
    for (number, game) in &expected {
        assert_eq!(&found[number], game);
    }
    assert_eq!(resumed["ptnml"], undisturbed["ptnml"]);
    assert_eq!(resumed["games"], 200);
    // Each pairing once: an opening with either colour.
    let mut pairings: Vec<String> = found
        .values()
        .map(|game| format!("{} {} {}", game["opening"], game["first"], game["second"]))
        .collect();
    pairings.sort_unstable();
    pairings.dedup();
    assert_eq!(pairings.len(), 200);
    let people = fs::read_to_string(broken.run().join("games.pgn")).unwrap();
    assert_eq!(people.matches("[Event ").count(), 200);
}

#[test]
fn the_same_seed_gives_the_same_games_at_any_concurrency_and_another_seed_others() {
    let places = ["one", "two", "three"].map(Place::new);
    let played = |place: &Place, seed: &str, concurrency: &str| {
        let out = place.out();
        let more = [
            "--games",
            "20",
            "--seed",
            seed,
            "--concurrency",
            concurrency,
            "--force",
            "--out",
            &out,
        ];
        done(&fast(&more));
        games(&place.run())
    };
    let first = played(&places[0], "5", "1");
    assert_eq!(first.len(), 20);
    assert_eq!(first, played(&places[1], "5", "2"));
    assert_ne!(first, played(&places[2], "6", "1"));
}

#[test]
fn the_games_for_people_are_those_of_the_lines() {
    let place = Place::new("pgn");
    done(&fast(&["--games", "10", "--out", &place.out()]));
    let text = fs::read_to_string(place.run().join("games.pgn")).unwrap();
    let read: Vec<pgn::Pgn> = pgn::read_all(&text).into_iter().map(Result::unwrap).collect();
    let games = games(&place.run());
    assert_eq!(read.len(), games.len());
    for (pgn, game) in read.iter().zip(games.values()) {
        assert_eq!(pgn.result.to_string(), game["result"]);
        assert_eq!(pgn.tag("White"), game["first"].as_str());
        assert_eq!(pgn.tag("Black"), game["second"].as_str());
        assert_eq!(pgn.tag("Termination"), game["termination"].as_str());
        let mut position: Chess = pgn.start.clone();
        let mut moves = Vec::new();
        for played in &pgn.moves {
            moves.push(Value::from(position.write_move(played.m)));
            position.play(played.m);
        }
        assert_eq!(Value::from(moves), game["moves"]);
        let reason = game["reason"].as_str().unwrap();
        assert!(pgn.moves.last().unwrap().comments[0].ends_with(reason));
        let book = game["opening_plies"].as_u64().unwrap() as usize;
        assert!(pgn.moves[..book].iter().all(|m| m.comments[0] == "book"));
        assert_eq!(game["scores"].as_array().unwrap().len(), pgn.moves.len() - book);
    }
}

#[cfg(unix)]
fn script(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
#[test]
fn a_changed_program_is_refused_and_a_folder_with_a_run_is_not_written_over() {
    let place = Place::new("changed");
    let program = place.0.join("engine");
    let text = format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_secateur"));
    script(&program, &text);
    let engine = format!("'{}' name=other", program.display());
    let out = place.out();
    let arguments = [
        "--engine", "secateur", "--engine", &engine, "--nodes", "50", "--games", "2", "--out", &out,
    ];
    done(&arguments);
    let again = secateur(&arguments).output().unwrap();
    assert_eq!(again.status.code(), Some(2));
    assert!(
        errors(&again).ends_with(&format!("holds a run already; --resume {out} goes on with it\n"))
    );
    done(&["--resume", &out]);
    script(&program, &(text + "# another\n"));
    let changed = secateur(&["--resume", &out]).output().unwrap();
    assert_eq!(changed.status.code(), Some(2));
    assert!(errors(&changed).contains("other: "), "{}", errors(&changed));
    assert!(errors(&changed).contains("is not the program it was when the run began"));
    assert_eq!(errors(&changed).lines().count(), 1);
}

#[cfg(unix)]
#[test]
fn being_asked_to_end_prints_the_result_and_leaves_a_run_that_goes_on() {
    let place = Place::new("term");
    let out = place.out();
    let run = secateur(&fast(&["--games", "2000", "--out", &out])).spawn().unwrap();
    let lines = place.run().join("games.jsonl");
    let deadline = Instant::now() + Duration::from_secs(60);
    while fs::metadata(&lines).map_or(0, |data| data.len()) < 10_000 && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(5));
    }
    let asked = Command::new("kill").args(["-TERM", &run.id().to_string()]).status().unwrap();
    assert!(asked.success());
    let output = run.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", errors(&output));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("Results of a vs b") && text.contains("Ptnml(0-2): ["), "{text}");
    assert!(errors(&output).ends_with(&format!("go on with: secateur match --resume {out}\n")));
    let kept = games(&place.run()).len();
    assert!(kept > 0 && text.contains(&format!("Games: {kept},")), "{text}");
}

#[test]
fn a_test_ends_the_run_when_it_has_decided() {
    let place = Place::new("sprt");
    let out = place.out();
    let result = json(&[
        "--engine",
        "secateur name=strong",
        "--engine",
        "secateur name=weak nodes=1",
        "--nodes",
        "300",
        "--each",
        "hash=1",
        "--sprt",
        "elo0=0,elo1=100",
        "--model",
        "logistic",
        "--out",
        &out,
    ]);
    assert_eq!((&result["ended"], &result["verdict"]), (&"decided".into(), &"accept H1".into()));
    assert!(result["llr"].as_f64().unwrap() >= result["upper"].as_f64().unwrap());
    assert_eq!(result["planned"], Value::Null);
    // Decided is decided.
    let games = result["games"].clone();
    assert_eq!(json(&["--resume", &out])["games"], games);
}

#[test]
fn everybody_meets_everybody_unless_it_is_a_gauntlet() {
    let (place, other) = (Place::new("round"), Place::new("gauntlet"));
    let three = fast(&["--engine", "secateur name=c nodes=30", "--games", "4"]);
    let out = place.out();
    let text = done(&[&three[..], &["--out", &out]].concat());
    assert!(text.contains("Results of b vs c") && text.contains("Rank Name"), "{text}");
    let result = json(&["--resume", &out]);
    assert_eq!((&result["games"], result["table"].as_array().unwrap().len()), (&12.into(), 3));
    let out = other.out();
    let result = json(&[&three[..], &["--gauntlet", "--out", &out]].concat());
    let pairings = result["pairings"].as_array().unwrap();
    assert_eq!((pairings.len(), &result["games"]), (2, &8.into()));
    assert!(pairings.iter().all(|pairing| pairing["first"] == "a"));
}

#[cfg(feature = "othello")]
#[test]
fn with_a_clock_ours_is_a_process_like_any_other_in_any_game() {
    let place = Place::new("othello");
    let out = place.out();
    let result = json(&[
        "--game",
        "othello",
        "--engine",
        "secateur",
        "--engine",
        "secateur depth=2 tc=inf",
        "--tc",
        "0.5+0.01",
        "--margin",
        "5000",
        "--games",
        "2",
        "--out",
        &out,
    ]);
    assert_eq!(result["games"], 2);
    assert_eq!(result["engines"][1]["name"], "secateur depth=2 tc=inf");
    let faults = ["crashes", "time_losses", "illegal_moves", "stalls"];
    for engine in result["engines"].as_array().unwrap() {
        assert!(faults.iter().all(|fault| engine[fault] == 0), "{result:#}");
    }
    let run = fs::read_to_string(place.run().join("run.toml")).unwrap();
    assert!(run.contains("in_process = false") && run.contains("in_process = true"), "{run}");
    let transcripts = fs::read_to_string(place.run().join("games.txt")).unwrap();
    assert_eq!(transcripts.lines().count(), 2);
}

#[test]
fn nonsense_is_refused_in_one_line_and_nothing_is_begun() {
    let place = Place::new("nonsense");
    let out = place.out();
    let ours = ["--engine", "secateur", "--engine", "secateur"];
    let cases: [(&[&str], &str); 12] = [
        (&[], "required"),
        (&["--engine", "secateur", "--nodes", "5"], "needs two engines"),
        (&[&ours[..], &[]].concat(), "no limit is given"),
        (&[&ours[..], &["--tc", "8+"]].concat(), "a time control is"),
        (&[&ours[..], &["--nodes", "0"]].concat(), "0 is not in 1.."),
        (
            &[&ours[..], &["--nodes", "5", "--sprt", "elo0=5,elo1=0"]].concat(),
            "--sprt: elo0 must be",
        ),
        (&[&ours[..], &["--nodes", "5", "--openings", "no-such-file"]].concat(), "no-such-file"),
        (
            &[&ours[..], &["--nodes", "5", "--concurrency", "5000"]].concat(),
            "--force plays all the same",
        ),
        (
            &["--engine", "secateur", "--engine", "no-such-engine", "--nodes", "5"],
            "no program is called",
        ),
        (&["--engine", "secateur no.such=3", "--engine", "secateur", "--nodes", "5"], "no.such"),
        (&[&ours[..], &["--nodes", "5", "--each", "name=x"]].concat(), "--each"),
        (&[&ours[..], &["--resume", "x"]].concat(), "cannot be used with"),
    ];
    for (arguments, complaint) in cases {
        let mut arguments = arguments.to_vec();
        if !arguments.contains(&"--resume") {
            arguments.extend(["--out", &out]);
        }
        let output = secateur(&arguments).output().unwrap();
        let said = errors(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.lines().count() == 1 && said.contains(complaint), "{arguments:?}: {said}");
        assert!(!place.run().exists(), "{arguments:?}");
    }
    let nothing = secateur(&["--resume", &out]).output().unwrap();
    assert!(errors(&nothing).contains("holds no run"), "{}", errors(&nothing));
}
