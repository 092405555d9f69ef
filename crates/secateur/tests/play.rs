//! `secateur play` with everything that can be typed, from a pipe.
#![cfg(all(feature = "chess", feature = "othello"))]

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use assert_cmd::cargo::CommandCargoExt;
use secateur_games::chess::pgn::read_all;
use secateur_games::othello::Transcript;

/// What the program says to these lines; it must leave politely.
fn play(arguments: &[&str], lines: &str) -> String {
    let mut child = Command::cargo_bin("secateur")
        .unwrap()
        .arg("play")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It may have left before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(lines.as_bytes());
    let output = child.wait_with_output().unwrap();
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && complaint.is_empty(), "{arguments:?}: {complaint}");
    String::from_utf8(output.stdout).unwrap()
}

/// Asserts that the parts come one after the other.
fn assert_in_order(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let Some(at) = rest.find(part) else { panic!("{part:?} is missing in\n{text}") };
        rest = &rest[at + part.len()..];
    }
}

/// A path where nothing is, and nothing stays.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("secateur-{}-{name}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        Scratch(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }

    fn text(&self) -> String {
        std::fs::read_to_string(&self.0).unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn a_game_begins_and_breaks_off_politely() {
    let text = play(&["--depth", "3"], "e2e4\n");
    assert!(text.starts_with("You are White. Type a move, or 'help'.\n\n8  r n b q"), "{text}");
    let parts =
        ["You play 1. e4\nSecateur plays 1... ", " for Black, depth 3, ", "White to move\n"];
    assert_in_order(&text, &parts);
    assert!(!text.contains('>') && !text.contains('\u{1b}'), "no prompt in a pipe: {text}");
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("To go on: secateur play --game chess --side white --moves \"e2e4 "));
    // Nothing was played: there is nothing to go on with.
    assert!(!play(&["--depth", "1"], "quit\n").contains("To go on"));
    assert!(!play(&["--depth", "1"], "").contains("To go on"));
}

#[test]
fn the_same_lines_make_the_same_game() {
    let quiet = |text: String| -> Vec<String> {
        let plays = text.lines().filter(|line| line.contains(" play"));
        plays.map(|line| line.split(", ").next().unwrap().to_string()).collect()
    };
    let lines = "e4\nhint\nd4\nundo\nNf3\n";
    let (one, other) = (play(&["--depth", "4"], lines), play(&["--depth", "4"], lines));
    assert_eq!(quiet(one), quiet(other));
}

#[test]
fn a_refused_move_says_why_and_changes_nothing() {
    let text = play(&["--depth", "1"], "e5\nnonsense\ne4 e5\n\u{1b}[2J\nundo 2\nposition\n");
    let parts = [
        "'e5' is not legal here (try 'moves' or 'help')\n",
        "'nonsense' is no move (",
        "'e4 e5' is more than one word (",
        "\\u{1b}[2J",
        "nothing may follow undo (",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n",
    ];
    assert_in_order(&text, &parts);
    assert!(!text.contains('\u{1b}'), "{text}");
    let text = play(&["--game", "othello", "--depth", "1"], "a1\nd4\n");
    assert_in_order(&text, &["a1 turns over no disc of X's opponent (", "d4 is occupied ("]);
}

#[test]
fn everything_that_can_be_typed_does_something() {
    let lines = "help\nmoves\nhint\nundo\nd4\nundo\nposition\nboard\nswitch\nnew\nQUIT\ne4\n";
    let text = play(&["--depth", "2"], lines);
    let parts = [
        "Type a move: Nh3 or g1h3. Or one of these:\n  hint ",
        "  Na3 Nc3 Nf3 Nh3 a3 a4 b3 ",
        "Hint: 1. ",
        " for White, depth 2, ",
        "There is nothing to take back.\n",
        "You play 1. d4\nSecateur plays 1... ",
        "Took back 2 moves.\n",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\n8  r n b q",
        "You are Black now.\nSecateur plays 1. ",
        "Black to move\n",
        // Black still, so the engine begins the new game.
        "Secateur plays 1. ",
    ];
    assert_in_order(&text, &parts);
    assert!(!text.contains("You play 1. e4"), "nothing is read after quit: {text}");
}

#[test]
fn either_side_can_be_taken_in_any_position() {
    let text = play(&["--depth", "2", "--side", "black"], "");
    assert_in_order(&text, &["You are Black.", "Secateur plays 1. ", "Black to move"]);
    // By default the person moves first, whoever that is.
    let text = play(&["--depth", "2", "--moves", "e4"], "e5\n");
    assert_in_order(&text, &["You are Black.", "You play 1... e5\nSecateur plays 2. "]);
    for (side, colour) in [("white", "White"), ("second", "White"), ("first", "Black")] {
        let text = play(&["--game", "othello", "--depth", "2", "--side", side], "");
        assert!(text.starts_with(&format!("You are {colour}.")), "{side}: {text}");
    }
    let ending = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1";
    let text = play(&["--depth", "2", "--fen", ending], "Kd2\n");
    assert_in_order(&text, &["You play 1. Kd2", &format!("--game chess --fen \"{ending}\"")]);
}

#[test]
fn a_game_that_ends_says_how_and_can_be_taken_back() {
    let mate = ["--depth", "2", "--fen", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"];
    let text = play(&mate, "Rd8\ne4\nhint\nresign\nundo\nRd7\n");
    let parts = [
        "You play 1. Rd8#\n",
        "The game is over. White wins: checkmate.\n",
        "The game is over: 'undo', 'new', 'save FILE' or 'quit'.\n",
        "The game is over.\n",
        "The game is over already.\n",
        "Took back 1 move.\n",
        "You play 1. Rd7\nSecateur plays 1... ",
    ];
    assert_in_order(&text, &parts);
    // The engine mates too, and a check is announced.
    let fen = "6k1/5ppp/8/8/8/1r6/r4PPP/6K1 b - - 0 1";
    let text = play(&["--depth", "3", "--side", "white", "--fen", fen], "");
    assert_in_order(&text, &["You are White.", "The game is over. Black wins: checkmate."]);
    let text = play(&["--depth", "2", "--fen", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"], "Ra8\n");
    assert_in_order(&text, &["You play 1. Ra8+, check\n", "Secateur plays 1... K"]);
    let stalemate = ["--depth", "2", "--fen", "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"];
    assert_in_order(&play(&stalemate, "Qg6\n"), &["The game is over. Draw: stalemate."]);
}

#[test]
fn whoever_resigns_has_lost_and_may_think_again() {
    let text = play(&["--depth", "2"], "e4\nresign\nundo\nd4\n");
    let parts =
        ["The game is over. Black wins: White resigned.\n", "You play on.\n", "You play 2. d4\n"];
    assert_in_order(&text, &parts);
}

#[test]
fn a_game_of_chess_is_saved_as_pgn() {
    let file = Scratch::new("saved.pgn");
    let save = format!("save {}\n", file.path());
    let text = play(&["--depth", "2"], &format!("e4\n{save}Nf3\nresign\n{save}"));
    assert_eq!(text.matches(&format!("Saved to {}.\n", file.path())).count(), 2, "{text}");
    let games: Vec<_> = read_all(&file.text()).into_iter().collect();
    assert_eq!(games.len(), 1);
    let game = games[0].as_ref().unwrap();
    assert_eq!((game.moves.len(), game.result.to_string().as_str()), (4, "0-1"));
    assert_eq!((game.tag("White"), game.tag("Result")), (Some("Player"), Some("0-1")));
    // Another session may not write over it, nor into nowhere, and the game goes on.
    let lines = format!("d4\n{save}save /no/such/place\nsave\nc4\n");
    let text = play(&["--depth", "2"], &lines);
    let parts = [
        "Not saved: ",
        " exists already.\n",
        "Not saved: /no/such/place cannot be written: ",
        "You play 2. c4",
    ];
    assert_in_order(&text, &parts);
    assert!(text.contains("save needs the name of a file"), "{text}");
    assert!(file.text().contains("1. e4"));
}

#[test]
fn a_game_of_othello_is_saved_as_a_transcript() {
    let file = Scratch::new("saved.txt");
    let save = format!("f5\nsave {}\n", file.path());
    let text = play(&["--game", "othello", "--depth", "2"], &save);
    assert_in_order(&text, &["You are Black.", "You play f5\nSecateur plays ", "Saved to "]);
    let game = Transcript::read(file.text().trim()).unwrap();
    assert_eq!((game.moves().len(), &game.write()[..2]), (2, "f5"));
    let late = format!("{}XO{} X", "-".repeat(20), "-".repeat(42));
    let text = play(&["--game", "othello", "--depth", "2", "--fen", &late], "save x\n");
    assert!(text.contains("Not saved: a transcript begins at the usual start"), "{text}");
}

#[test]
fn forced_passes_are_played_and_said() {
    // Black passes, White takes c1, and nobody can move any more.
    let pass = format!("OX{} X", "-".repeat(62));
    let text = play(&["--game", "othello", "--depth", "2", "--fen", &pass], "");
    let parts = [
        "You have no move and must pass.\n",
        "Secateur plays c1  (final +64 for White, depth 2, ",
        "The game is over. White wins by 64: neither side can move.\n",
    ];
    assert_in_order(&text, &parts);
    let text = play(&["--game", "othello", "--side", "white", "--fen", &pass], "c1\nundo\n");
    let parts = [
        "Secateur has no move and must pass.\n",
        "You play c1\n",
        "The game is over. White wins by 64: ",
        "Took back 1 move.\n",
    ];
    assert_in_order(&text, &parts);
    // A game from end to end: the engine against itself, by swapping sides after every move.
    let text = play(&["--game", "othello", "--depth", "1"], &"switch\n".repeat(70));
    assert_in_order(&text, &["You are White now.", "The game is over. "]);
}

#[test]
fn bad_input_is_one_line_and_status_2() {
    let cases: &[&[&str]] = &[
        &["--side", "green"],
        &["--depth", "0"],
        &["--fen", "nothing"],
        &["--moves", "e5"],
        &["--set", "x=1"],
        &["--game", "go"],
    ];
    for arguments in cases {
        let mut command = Command::cargo_bin("secateur").unwrap();
        let output = command.arg("play").args(*arguments).output().unwrap();
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {complaint}");
        assert_eq!(complaint.lines().count(), 1, "{arguments:?}: {complaint}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}
