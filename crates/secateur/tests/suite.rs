//! `secateur suite` as people and scripts use it.
#![cfg(all(feature = "chess", feature = "othello"))]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use assert_cmd::cargo::CommandCargoExt;
use secateur_games::chess::Chess;
use secateur_games::playable::Playable;
use serde_json::Value;

/// A folder that is removed with the value.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Scratch {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path =
            std::env::temp_dir().join(format!("secateur-suite-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    fn file(&self, name: &str, text: &str) -> String {
        fs::write(self.0.join(name), text).unwrap();
        self.path(name)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_string()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn suite(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("secateur").unwrap();
    command.arg("suite").args(arguments);
    command
}

fn output(arguments: &[&str]) -> Output {
    suite(arguments).output().unwrap()
}

fn says(arguments: &[&str]) -> String {
    let output = output(arguments);
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && complaint.is_empty(), "{arguments:?}: {complaint}");
    String::from_utf8(output.stdout).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&says(&[arguments, &["--json"]].concat())).unwrap()
}

/// The exit status and the one line on the standard error.
fn complains(arguments: &[&str]) -> (i32, String) {
    let output = output(arguments);
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!(complaint.lines().count(), 1, "{arguments:?}: {complaint}");
    (output.status.code().unwrap(), complaint.trim_end().to_string())
}

/// A mate in one, a queen to be had, and what nobody would do.
const EASY: &str = "\
# three problems
6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; dm 1; id \"mate\";
4k3/8/8/3q4/4P3/8/PPP5/4K3 w - - bm e4d5; id \"queen\";
4k3/8/8/3q4/4P3/8/PPP5/4K3 w - - bm Kf1; id \"absurd\";
";

#[test]
fn the_table_tells_solved_and_unsolved() {
    let scratch = Scratch::new();
    let file = scratch.file("easy.epd", EASY);
    let text = says(&[&file, "--nodes", "5000"]);
    assert!(text.starts_with("secateur, nodes=5000\n  suite  solved     %  SE, %  "), "{text}");
    assert!(text.contains("\n  easy      2/3  66.7   27.2 "), "{text}");
    assert!(
        text.ends_with("\n  not solved  wanted  secateur\n  absurd      Kf1     exd5\n"),
        "{text}"
    );
}

#[test]
fn json_is_one_object_with_the_totals_first() {
    let scratch = Scratch::new();
    let file = scratch.file("easy.epd", EASY);
    let arguments = [file.as_str(), "--movetime", "50", "--concurrency", "2", "--force", "--json"];
    let object: Value = serde_json::from_str(&says(&arguments)).unwrap();
    let keys: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys[..5], ["solved", "positions", "points", "nodes", "time_ms"]);
    assert_eq!((&object["solved"], &object["positions"]), (&2.into(), &3.into()));
    assert_eq!((&object["points"], &object["most"]), (&20.into(), &30.into()));
    assert!(object["nodes"].as_u64().unwrap() > 0 && object["time_ms"].as_u64().unwrap() > 50);
    for key in ["engines", "suites", "comparisons", "results"] {
        assert!(object[key].is_array(), "{key}");
    }
    let mate = &object["results"][0];
    assert_eq!((&mate["id"], &mate["move"]), (&"mate".into(), &"Rd8#".into()));
    assert_eq!((&mate["score"], &mate["fault"]), (&"mate 1".into(), &Value::Null));
}

#[test]
fn engines_stand_side_by_side() {
    let scratch = Scratch::new();
    let files = [scratch.file("easy.epd", EASY), scratch.file("two.epd", EASY)];
    let engines = ["--engine", "secateur name=A", "--engine", "secateur name=B depth=2"];
    let arguments = [files[0].as_str(), &files[1], "--depth", "4", "-v"];
    let text = says(&[&arguments[..], &engines].concat());
    for part in
        ["A, depth=4\n", "B, depth=2\n", "\nB beside A\n", "\n  all ", "McNemar mid-p = 1.000"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.contains("not decided") && text.contains("thriftier"), "{text}");
}

#[test]
fn ours_as_a_program_of_its_own_plays_othello_too() {
    let scratch = Scratch::new();
    let text =
        "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X; H5:+6; G6:-2;\n";
    let file = scratch.file("ffo.obf", text);
    for engine in ["secateur", "secateur option.Hash=4"] {
        let object = json(&[&file, "--nodes", "100000", "--engine", engine]);
        assert_eq!((&object["game"], &object["solved"]), (&"othello".into(), &1.into()));
        assert_eq!(object["engines"][0]["value_error"], 0.0, "{engine}");
    }
}

/// Positions that keep the engine busy for a while: those of `bench` with the white king castled.
fn long() -> String {
    let castled = Chess::BENCH_POSITIONS.iter().filter(|fen| fen.contains("K1 w"));
    let lines: String = castled.map(|fen| format!("{fen} am Kh1;\n")).collect();
    lines.repeat(6)
}

/// Totals that do not depend on the clock.
fn totals(object: &Value) -> [Value; 5] {
    ["solved", "positions", "points", "nodes", "complete"].map(|key| object[key].clone())
}

#[test]
fn a_run_that_is_killed_goes_on_to_the_same_totals() {
    let scratch = Scratch::new();
    let (file, out) = (scratch.file("long.epd", &long()), scratch.path("run"));
    let order = [file.as_str(), "--nodes", "20000"];
    let undisturbed = json(&order);
    assert_eq!(undisturbed["complete"], true);
    let mut command = suite(&[&order[..], &["--out", &out]].concat());
    let order_is_kept = || PathBuf::from(&out).join("run.toml").exists();
    for wait in [400, 150, 60, 300] {
        let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = quiet.spawn().unwrap();
        // On a busy machine it takes a while before there is anything to lose.
        let patience = Instant::now() + Duration::from_secs(60);
        while !order_is_kept() && Instant::now() < patience {
            thread::sleep(Duration::from_millis(5));
        }
        thread::sleep(Duration::from_millis(wait));
        // SIGKILL.
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(order_is_kept());
        command = suite(&["--resume", &out]);
    }
    let resumed = json(&["--resume", &out, "--concurrency", "2", "--force"]);
    assert_eq!(totals(&resumed), totals(&undisturbed));
    let lines = fs::read_to_string(PathBuf::from(&out).join("results.jsonl")).unwrap();
    assert_eq!(Some(lines.lines().count() as u64), undisturbed["positions"].as_u64());
    // Once more with nothing left to do.
    assert_eq!(totals(&json(&["--resume", &out])), totals(&undisturbed));
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_what_is_known_and_how_to_go_on() {
    let scratch = Scratch::new();
    let (file, out) = (scratch.file("long.epd", &long()), scratch.path("run"));
    let mut command = suite(&[&file, "--movetime", "100", "--out", &out]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let results = PathBuf::from(&out).join("results.jsonl");
    while fs::read_to_string(&results).map_or(0, |text| text.lines().count()) == 0 {
        thread::sleep(Duration::from_millis(20));
    }
    let number = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &number]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let (said, complaint) = (output.stdout, output.stderr);
    let said = String::from_utf8(said).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said.starts_with("secateur, movetime=100\n") && said.contains("\nnot complete: "),
        "{said}"
    );
    let expected = format!("error: interrupted; --resume {out} goes on\n");
    assert_eq!(String::from_utf8(complaint).unwrap(), expected);
}

#[test]
fn bad_input_is_one_line_that_says_what_is_wrong() {
    let scratch = Scratch::new();
    let file = scratch.file("easy.epd", EASY);
    let broken = scratch.file("broken.epd", &format!("{EASY}4k3/8 w - - bm Ke7;\n"));
    let empty = scratch.file("empty.epd", "# nothing\n");
    let nowhere = scratch.path("nowhere");
    let cases: &[(&[&str], &str)] = &[
        (&[], "<FILE>"),
        (&[&file], "give --depth, --nodes or --movetime"),
        (&[&file, "--nodes", "0"], "'0'"),
        (&[&broken, "--nodes", "5"], "broken.epd: line 5, column 6: the board has 2 ranks"),
        (&[&empty, "--nodes", "5"], "empty.epd holds no problem"),
        (&[&nowhere, "--nodes", "5"], "cannot read "),
        (&[&file, "--nodes", "5", "--engine", "no-such-program"], "there is no such program"),
        (&[&file, "--nodes", "5", "--engine", "secateur preset=best"], "best"),
        (&[&file, "--nodes", "5", "--each", "nods"], "--each: column 1: 'nods' is not of the form"),
        (&[&file, "--engine", "secateur tc=1+1"], "a clock (tc) has no meaning"),
        (&[&file, "--nodes", "5", "--judge", "secateur"], "give it a limit of its own"),
        (&[&file, "--nodes", "5", "--judge", "nobody nodes=5"], "there is no such program"),
        (&[&file, "--nodes", "5", "--judge", "secateur nodes=5 preset=best"], "best"),
        (&[&file, "--nodes", "5", "--blunder", "0"], "'0'"),
        (&[&file, "--nodes", "5", "--concurrency", "4000"], "4000 at once with 1 threads each"),
        (&[&file, "--nodes", "5", "--each", "threads=4000"], "1 at once with 4000 threads each"),
        (&["--resume", &nowhere], "run.toml cannot be read"),
        (&["--resume", &nowhere, "--nodes", "5"], "cannot be used with"),
    ];
    for (arguments, part) in cases {
        let (status, complaint) = complains(arguments);
        assert!(status == 2 && complaint.contains(part), "{arguments:?}: {status} {complaint}");
    }
}

/// In both what is right is called wrong.
const MISSES: &str = "\
4k3/8/8/3q4/4P3/8/PPP5/4K3 w - - bm Kf1; id \"right\";
7k/8/6K1/8/8/8/8/5Q2 w - - am Qf8; id \"mate\";
";

#[test]
fn a_judge_says_what_misses_cost_at_once_or_later() {
    let scratch = Scratch::new();
    let (file, out) = (scratch.file("misses.epd", MISSES), scratch.path("run"));
    let ask = [file.as_str(), "--nodes", "5000", "--out", &out];
    // As judge ours agrees with itself: what it plays costs nothing, above all a mate.
    let judge = ["--judge", "secateur name=Judge nodes=5000"];
    let at_once = json(&[&ask[..], &judge, &["--concurrency", "2", "--force"]].concat());
    assert_eq!((&at_once["misses"], &at_once["blunders"]), (&2.into(), &0.into()));
    let (right, mate) = (&at_once["judged"][0], &at_once["judged"][1]);
    assert_eq!((&right["move"], &right["best_move"]), (&"exd5".into(), &"exd5".into()));
    assert_eq!((&mate["best"], &mate["value"]), (&"mate 1".into(), &"mate 1".into()));
    assert_eq!(mate["cost"], 0);
    let shown = says(&["--resume", &out]);
    assert!(shown.contains("\n0 of 2 misses cost 200 or more by Judge, nodes=5000\n"), "{shown}");
    assert!(shown.ends_with("\n  mate        not Qf8#  Qf8#           0\n"), "{shown}");
    assert_eq!(json(&["--resume", &out])["judged"], at_once["judged"]);
    let sterner = json(&["--resume", &out, "--judge", "secateur depth=3", "--blunder", "50"]);
    assert_eq!(
        (&sterner["judge"]["blunder"], &sterner["judge"]["limit"]),
        (&50.into(), &"depth=3".into())
    );
    assert_eq!(json(&["--resume", &out])["judge"], sterner["judge"], "that is the run's now");
}

#[cfg(unix)]
#[test]
fn an_engine_that_always_dies_fails_the_run() {
    let scratch = Scratch::new();
    let file = scratch.file("easy.epd", EASY);
    let (status, complaint) = complains(&[&file, "--nodes", "5", "--engine", "false"]);
    assert_eq!(status, 1);
    assert!(complaint.starts_with("error: false "), "{complaint}");
}
