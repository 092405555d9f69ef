//! The program as people type it.
#![cfg(all(feature = "chess", feature = "othello"))]

use std::fs;
use std::path::PathBuf;
use std::process::Output;

use assert_cmd::cargo::CommandCargoExt;
use secateur_search::preset::PRESETS;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn secateur(arguments: &[&str]) -> Output {
    std::process::Command::cargo_bin("secateur").unwrap().args(arguments).output().unwrap()
}

/// The standard output of a run that must succeed in silence.
fn says(arguments: &[&str]) -> String {
    let output = secateur(arguments);
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && complaint.is_empty(), "{arguments:?}: {complaint}");
    String::from_utf8(output.stdout).unwrap()
}

/// The exit status and the one line on the standard error.
fn complains(arguments: &[&str]) -> (i32, String) {
    let output = secateur(arguments);
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!(complaint.lines().count(), 1, "{arguments:?}: {complaint}");
    assert!(complaint.starts_with("error: "), "{arguments:?}: {complaint}");
    (output.status.code().unwrap(), complaint.trim_end().to_string())
}

fn nodes(arguments: &[&str]) -> u64 {
    let text = says(arguments);
    text.lines().last().unwrap().strip_prefix("nodes ").expect(&text).parse().unwrap()
}

/// The presets, which grow in number.
fn presets() -> String {
    PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>().join(", ")
}

fn json(arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&says(arguments)).unwrap()
}

/// A file that is removed with the value.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, text: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("secateur-{}-{name}", std::process::id()));
        fs::write(&path, text).unwrap();
        Scratch(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn leaves_are_counted_as_published() {
    for (depth, leaves) in [("0", 1), ("1", 20), ("2", 400), ("3", 8_902), ("4", 197_281)] {
        assert_eq!(nodes(&["perft", depth]), leaves);
        assert_eq!(nodes(&["perft", depth, "--no-bulk"]), leaves);
    }
    assert_eq!(nodes(&["perft", "4", "--fen", KIWIPETE]), 4_085_603);
    assert_eq!(nodes(&["perft", "9", "--game", "othello"]), 3_005_288);
    // What the division of `perft 3` says of e2e4.
    assert_eq!(nodes(&["perft", "2", "--position", "startpos", "--moves", "e4"]), 600);
}

#[test]
fn a_division_names_every_move_and_adds_up() {
    let text = says(&["perft", "3", "--divide", "--moves", "1. e4 e5"]);
    let parts: Vec<(&str, &str)> = text.lines().filter_map(|line| line.split_once(": ")).collect();
    assert_eq!(parts.len(), 29);
    let sum: u64 = parts.iter().map(|(_, leaves)| leaves.parse::<u64>().unwrap()).sum();
    assert!(text.ends_with(&format!("\nnodes {sum}\n")), "{text}");
    assert!(parts.contains(&("e1e2", "663")));
}

#[test]
fn json_is_one_object_with_the_totals_first() {
    let text = says(&["perft", "3", "--json", "--divide"]);
    assert!(text.starts_with("{\n  \"nodes\": 8902,"), "{text}");
    let perft: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(perft["divide"]["e2e4"], 600);
    assert_eq!((&perft["depth"], &perft["game"]), (&3.into(), &"chess".into()));
    let shown = json(&["show", "--json", "--moves", "f3 e5 g4 Qh4"]);
    assert_eq!(
        (&shown["legal_moves"], &shown["over"]),
        (&0.into(), &"Black wins: checkmate".into())
    );
    let params = json(&["params", "--json", "--preset", "oracle", "--set", "clock.soft=90"]);
    let value = |name: &str| {
        let mut all = params["parameters"].as_array().unwrap().iter();
        all.find(|parameter| parameter["name"] == name).unwrap()["value"].clone()
    };
    assert_eq!((value("table"), value("clock.soft")), ("equal".into(), 90.into()));
}

#[test]
fn parameters_are_shown_by_the_beginning_of_their_names_and_what_a_game_lacks_is_said() {
    let chosen = json(&["params", "--json", "null_move", "Clock.Soft"]);
    let names: Vec<&str> = chosen["parameters"]
        .as_array()
        .unwrap()
        .iter()
        .map(|parameter| parameter["name"].as_str().unwrap())
        .collect();
    assert!(names.contains(&"null_move") && names.contains(&"clock.soft"), "{names:?}");
    assert!(names.iter().all(|name| name.starts_with("null_move") || *name == "clock.soft"));
    let text = says(&["params", "--game", "othello", "null_move"]);
    assert!(text.contains("null_move = scaled (off here: it needs "), "{text}");
    assert!(!says(&["params", "null_move"]).contains("off here"));
}

#[test]
fn a_suite_is_checked_and_a_wrong_count_fails_the_run() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let right = Scratch::new("right.epd", &format!("{start} ;D1 20 ;D2 400 ;D9 5\n"));
    assert_eq!(nodes(&["perft", "3", "--suite", right.path()]), 420);
    let wrong = Scratch::new("wrong.epd", &format!("# one\n{KIWIPETE} ;D1 48 ;D2 2038\n"));
    let both = ["perft", "3", "--suite", right.path(), wrong.path(), "--concurrency", "2"];
    let output = secateur(&both);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "error: 1 of 4 counts are wrong\n");
    assert!(text.contains("line 2: depth 2 has 2039 leaves instead of 2038"), "{text}");
    assert!(text.contains("\n2 positions, 4 counts, 1 wrong\n"), "{text}");
    assert!(text.ends_with("\nnodes 2507\n"), "{text}");
    let output = secateur(&["perft", "3", "--json", "--suite", wrong.path()]);
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(found["mismatches"][0]["counted"], 2039);
}

#[test]
fn a_suite_that_cannot_be_read_whole_is_bad_input() {
    let broken = Scratch::new("broken.epd", "4k3/8 w - - ;D1 5\n");
    let (status, line) = complains(&["perft", "3", "--suite", broken.path()]);
    assert_eq!(status, 2);
    assert!(line.ends_with("line 1, column 6: the board has 2 ranks instead of 8"), "{line}");
    let fine = Scratch::new("fine.epd", "4k3/8/8/8/8/8/8/4K3 w - - ;D3 170\n");
    assert_eq!(complains(&["perft", "2", "--suite", fine.path()]).0, 2, "nothing was checked");
    assert_eq!(complains(&["perft", "2", "--suite", "/no/such/file"]).0, 2);
    assert_eq!(complains(&["perft", "2", "--game", "othello", "--suite", fine.path()]).0, 2);
}

#[test]
fn bad_input_is_one_line_and_status_2() {
    let cases: &[(&[&str], &str)] = &[
        (
            &["perft"],
            "error: the following required arguments were not provided: <DEPTH> (see --help)",
        ),
        (
            &["perft", "x"],
            "error: invalid value 'x' for '<DEPTH>': invalid digit found in string (see --help)",
        ),
        (
            &["perft", "101"],
            "error: invalid value '101' for '<DEPTH>': 101 is not in 0..=100 (see --help)",
        ),
        (
            &["perft", "1", "--game", "go"],
            "error: invalid value 'go' for '--game <GAME>' [possible values: chess, othello] (see --help)",
        ),
        (
            &["perft", "1", "--fen", "4k3/8/8/8/8/8/8/4K3 x - -"],
            "error: position: column 21: the side to move is w or b, not 'x'",
        ),
        (
            &["perft", "1", "--fen", ""],
            "error: position: a FEN has 4 or 6 fields (board, side, castling, en passant, clocks); this has 0",
        ),
        (&["show", "--moves", "e4 e5 Ke3"], "error: --moves: move 3: 'Ke3' is not legal here"),
        (
            &["show", "--moves", "e4\u{1b}[2J\n"],
            "error: --moves: move 1: 'e4\\u{1b}[2J' is no move",
        ),
        (
            &["params", "nul_move"],
            "error: no parameter begins with 'nul_move'; `secateur params` lists them all",
        ),
        (&["params", "--set", "table"], "error: --set needs name=value, not 'table'"),
        (
            &["params", "--set", "clock.sofd=1"],
            "error: --set: no parameter is called clock.sofd; did you mean clock.soft?",
        ),
        (
            &["uci", "--set", "clock.soft=-1"],
            "error: --set: clock.soft must be from 20 to 300, not -1",
        ),
        (
            &["shw"],
            "error: unrecognized subcommand 'shw'; tip: a similar subcommand exists: 'show' (see --help)",
        ),
        (
            &["completions"],
            "error: the following required arguments were not provided: <SHELL> (see --help)",
        ),
    ];
    for (arguments, message) in cases {
        assert_eq!(complains(arguments), (2, message.to_string()), "{arguments:?}");
    }
    let message = format!(
        "error: invalid value '17' for '--preset <NAME>' [possible values: {}] (see --help)",
        presets()
    );
    assert_eq!(complains(&["uci", "--preset", "17"]), (2, message));
}

#[test]
fn every_help_is_there_and_shows_examples() {
    let version = says(&["--version"]);
    assert_eq!(version, format!("secateur {}\n", env!("CARGO_PKG_VERSION")));
    for command in ["uci", "perft", "show", "params", "completions"] {
        assert!(says(&["--help"]).contains(&format!("\n  {command} ")), "{command}");
        let help = says(&[command, "--help"]);
        assert!(help.contains(&format!("\nExamples:\n  secateur {command}")), "{help}");
    }
}

#[test]
fn every_shell_gets_its_completions() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = says(&["completions", shell]);
        assert!(script.contains("secateur") && script.contains("perft"), "{shell}");
    }
}

#[test]
fn a_position_is_shown_whole() {
    let text = says(&["show", "--fen", "r3k3/8/8/8/8/8/8/4K2R w KQq - 0 1"]);
    // Which bits a key has is no promise, only that it is there.
    let is_key = |word: &&str| word.len() == 16 && word.bytes().all(|b| b.is_ascii_hexdigit());
    let keys: Vec<&str> = text.split_whitespace().filter(is_key).collect();
    let text = keys.iter().fold(text.clone(), |text, key| text.replace(key, "KEY"));
    insta::assert_snapshot!(text, @r"
    8  r . . . k . . .
    7  . . . . . . . .
    6  . . . . . . . .
    5  . . . . . . . .
    4  . . . . . . . .
    3  . . . . . . . .
    2  . . . . . . . .
    1  . . . . K . . R
       a b c d e f g h   White to move

    15 legal moves
      Kd1 Kd2 Ke2 Kf1 Kf2 O-O Rf1 Rg1 Rh2 Rh3 Rh4 Rh5 Rh6 Rh7 Rh8+

    fen           r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1
    key           KEY
    pawns         KEY
    white pieces  KEY
    black pieces  KEY
    material      KEY
    stage         endgame
    shredder fen  r3k3/8/8/8/8/8/8/4K2R w Ha - 0 1
    note: castling right Q dropped: king or rook is elsewhere
    ");
}

#[test]
fn a_position_is_shown_however_it_is_given() {
    let fen = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1";
    let given = says(&["show", "--fen", fen]);
    assert_eq!(says(&["show", "--position", fen]), given);
    assert_eq!(says(&["show", fen]), given);
    let words: Vec<&str> = std::iter::once("show").chain(fen.split(' ')).collect();
    assert_eq!(says(&words), given);
    assert_eq!(says(&["show", "startpos"]), says(&["show"]));
    let othello = format!("{}OX------XO{} X", "-".repeat(27), "-".repeat(27));
    let given = says(&["show", "--game", "othello", "--position", &othello]);
    assert_eq!(says(&["show", "--game", "othello"]), given);
    assert_eq!(says(&["show", &othello, "--game", "othello"]), given);
    let named = json(&["show", "--json", "--fen", fen]);
    assert_eq!(json(&["show", fen, "--json"]), named, "flags may come last");
}

#[test]
fn a_repetition_is_seen_along_the_moves() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ";
    assert!(says(&["show", "--moves", shuffle]).contains("seen before   1 time\n"));
    let text = says(&["show", "--moves", &shuffle.repeat(2)]);
    assert!(text.contains("\nover: draw: threefold repetition\n"), "{text}");
}

#[test]
fn parameters_are_listed_with_value_default_and_range() {
    let text = says(&["params", "--preset", "ORACLE", "--set", "Clock.Soft=70"]);
    assert!(text.starts_with(&format!("preset oracle (of {})\n", presets())), "{text}");
    assert!(text.contains("\ntable = equal\n"), "{text}");
    assert!(text.contains("\nclock.soft = 70 (set)\n    The soft limit as a share of a move's due, in percent.\n    20 to 300, step 5; default 150\n"), "{text}");
}

/// A reader that goes away at once must end every command quietly.
#[test]
fn a_broken_pipe_is_quiet() {
    for arguments in
        [&["show"][..], &["completions", "bash"], &["params"], &["perft", "2"], &["--help"]]
    {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = std::process::Command::cargo_bin("secateur")
            .unwrap()
            .args(arguments)
            .stdout(writer)
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap()
            .wait_with_output()
            .unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
        assert!(output.status.success(), "{arguments:?}");
    }
}
