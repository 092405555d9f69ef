//! Tuning as a person meets it, in its smallest form.
#![cfg(feature = "othello")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use assert_cmd::Command;
use serde_json::Value;

fn tune(arguments: &[&str]) -> (String, String, i32) {
    let output =
        Command::cargo_bin("secateur").unwrap().arg("tune").args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

/// What a run that ends well says as JSON.
fn json(arguments: &[&str]) -> Value {
    let (said, complained, status) = tune(&[arguments, &["--json"]].concat());
    assert_eq!(status, 0, "{complained}");
    serde_json::from_str(&said).unwrap()
}

/// The words of a line, then the folder.
fn in_folder<'a>(line: &'a str, folder: &'a str) -> Vec<&'a str> {
    line.split(' ').chain(["--out", folder]).collect()
}

/// A folder that is removed with the value.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let path = std::env::temp_dir().join(format!("secateur-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Place(path)
    }

    fn within(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_string()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_tuning_that_was_ended_goes_on_to_the_same_values_and_the_same_verdict() {
    let place = Place::new("tune");
    let [whole, parts] = ["whole", "parts"].map(|name| place.within(name));
    let small = "futility late_moves.base --game othello --nodes 60 --pairs 2 --rate 200 \
                 --iterations 6 --validation-games 12 --concurrency";
    let mut all = json(&in_folder(&format!("{small} 2"), &whole));
    assert_eq!((&all["iterations"], &all["games"]), (&6.into(), &24.into()));
    // All numbers of a technique that is named, one number that is.
    let names = all["parameters"].as_array().unwrap().iter();
    let names: Vec<&str> = names.map(|parameter| parameter["name"].as_str().unwrap()).collect();
    let (last, others) = names.split_last().unwrap();
    assert_eq!(*last, "late_moves.base");
    assert!(others.len() > 1 && others.iter().all(|name| name.starts_with("futility.")));
    assert_eq!(
        (&all["validation"]["games"], &all["validation"]["first"]),
        (&12.into(), &"tuned".into())
    );

    let told = fs::read_to_string(Path::new(&whole).join("validation-6/run.toml")).unwrap();
    assert!(told.contains("fresh-openings.txt"), "what was tuned on is no test: {told}");

    // The gains depend on the number of iterations, so it is the same from the beginning.
    json(&in_folder(&format!("{small} 1"), &parts));
    let file = Path::new(&parts).join("iterations.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    let torn = text.lines().take(2).map(|line| format!("{line}\n")).collect::<String>();
    fs::write(&file, torn + "{\"iter").unwrap();
    // Of the validation, too, only some games were over, and one was being written.
    let games = Path::new(&parts).join("validation-6/games.jsonl");
    let played = fs::read_to_string(&games).unwrap();
    let torn = played.lines().take(5).map(|line| format!("{line}\n")).collect::<String>();
    fs::write(&games, torn + "{\"game\"").unwrap();
    let mut again = json(&["--resume", &parts, "--concurrency", "2"]);
    assert_eq!(again["validation"]["time"]["games"], 7, "the others were played before");
    for run in [&mut all, &mut again] {
        let validation = run["validation"].as_object_mut().unwrap();
        assert!(validation.remove("time").is_some() && validation.remove("folder").is_some());
        for engine in validation["engines"].as_array_mut().unwrap() {
            assert!(engine.as_object_mut().unwrap().remove("ms_per_move").is_some());
        }
    }
    assert_eq!(again, all);
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
}

#[test]
fn a_tuning_that_is_killed_in_its_validation_counts_no_game_twice() {
    let place = Place::new("tune-killed");
    let folder = place.within("run");
    let line = "late_moves --game othello --nodes 60 --pairs 2 --iterations 4 --rate 200 --reach 8 \
                --validation-games 200 --concurrency 1";
    let program = Command::cargo_bin("secateur").unwrap().get_program().to_owned();
    let mut child = std::process::Command::new(program)
        .arg("tune")
        .args(in_folder(line, &folder))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let games = Path::new(&folder).join("validation-4/games.jsonl");
    let lines = || fs::read_to_string(&games).map_or(0, |text| text.lines().count());
    let begun = Instant::now();
    while lines() < 3 && begun.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = lines();
    assert!((3..200).contains(&before), "{before}");
    let all = json(&["--resume", &folder]);
    let validation = &all["validation"];
    assert_eq!((&validation["ended"], &validation["games"]), (&"played".into(), &200.into()));
    let numbers = fs::read_to_string(&games).unwrap();
    let number = |line: &str| serde_json::from_str::<Value>(line).unwrap()["game"].as_u64();
    let mut numbers: Vec<u64> = numbers.lines().map(|line| number(line).unwrap()).collect();
    numbers.sort_unstable();
    assert!(numbers.into_iter().eq(1..=200));
}

#[test]
fn a_validation_can_be_made_longer_or_left_out_and_a_longer_tuning_has_its_own() {
    let place = Place::new("tune-longer");
    let folder = place.within("run");
    let line = "late_moves --game othello --nodes 60 --pairs 2 --rate 200 --reach 8 --iterations 4 \
                --validation-games 0 --concurrency 2";
    assert_eq!(json(&in_folder(line, &folder))["validation"]["ended"], "off");
    let resumed = |more: &[&str]| json(&[&["--resume", &folder], more].concat());
    assert_eq!(resumed(&["--validation-games", "4"])["validation"]["games"], 4);
    assert_eq!(resumed(&["--validation-games", "6"])["validation"]["time"]["games"], 2);
    // It is written down, so it need not be said again.
    assert_eq!(resumed(&[])["validation"]["games"], 6);
    let (_, complained, status) = tune(&["--resume", &folder, "--validation-games", "4"]);
    assert!(status == 2 && complained.contains("longer, not shorter"), "{complained}");
    assert_eq!(resumed(&[])["validation"]["games"], 6, "what was refused changed nothing");
    let longer = resumed(&["--iterations", "5"]);
    assert_eq!((&longer["iterations"], &longer["validation"]["games"]), (&5.into(), &6.into()));
    assert_eq!(resumed(&[])["iterations"], 5);
    let folders = ["validation-4", "validation-5"].map(|name| Path::new(&folder).join(name));
    assert!(folders.iter().all(|folder| folder.is_dir()));
}

#[test]
fn values_that_stayed_have_nothing_to_validate_and_what_was_won_is_said() {
    let place = Place::new("tune-said");
    let [still, moved] = ["still", "moved"].map(|name| place.within(name));
    let small = "futility.base --game othello --nodes 60 --pairs 1 --iterations 1 \
                 --validation-games 4 --concurrency 2 --rate";
    let (said, complained, status) = tune(&in_folder(&format!("{small} 1"), &still));
    assert_eq!(status, 0, "{complained}");
    assert!(said.contains("there is nothing to validate"), "{said}");
    assert!(!Path::new(&still).join("validation-1").exists());
    let (said, complained, status) = tune(&in_folder(
        "late_moves --game othello --nodes 60 --pairs 2 --iterations 4 --rate 200 --reach 8 \
         --validation-games 4 --concurrency 2",
        &moved,
    ));
    assert_eq!(status, 0, "{complained}");
    for words in [
        "4 games at most",
        "Results of tuned vs untuned",
        "Wins: ",
        "LLR: ",
        "Not decided in 4 games",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

#[test]
fn a_clock_is_kept_for_the_whole_run() {
    let place = Place::new("tune-clock");
    let folder = place.within("run");
    let line = "late_moves.base --game othello --tc 0.2+0.002 --pairs 1 --iterations 1 --rate 200 \
                --validation-games 0 --concurrency 1";
    let first = json(&in_folder(line, &folder));
    assert_eq!((&first["tc"], &first["nodes"]), (&"0.2+0.002".into(), &Value::Null));
    let begun = Instant::now();
    let more = json(&["--resume", &folder, "--iterations", "2", "--concurrency", "1"]);
    assert_eq!((&more["tc"], &more["iterations"]), (&"0.2+0.002".into(), &2.into()));
    // Two games with a fifth of a second for each side; endings are solved, so that much of it is left.
    assert!(begun.elapsed() > Duration::from_millis(150), "{:?}", begun.elapsed());
}

#[test]
fn what_cannot_be_tuned_is_refused_before_anything_is_written() {
    let place = Place::new("tune-refused");
    let folder = place.within("run");
    let refused = |line: &str| {
        let (_, complained, status) = tune(&in_folder(line, &folder));
        assert_eq!(status, 2, "{complained}");
        assert!(!Path::new(&folder).exists(), "{line}");
        complained
    };
    assert!(refused("futillity").contains("no number is called futillity"));
    assert!(refused("futility --tc inf").contains("--tc: without a clock"));
    assert!(refused("futility --tc soon").contains("a time control is"));
    assert!(refused("futility --tc 1+1 --nodes 100").contains("cannot be used with"));
    assert!(refused("futility --each nodes=5").contains("--nodes or --tc"));
    assert!(refused("futility --each name=a").contains("a name cannot be given"));
    assert!(refused("futility --sprt elo0=5,elo1=0").contains("--sprt: elo0 must be less"));
    assert!(refused("futility --tc 1+1 --concurrency 9999").contains("processors"));
}
