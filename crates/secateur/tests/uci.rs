//! The protocol over pipes, as a board program speaks it. What every `info` line and every kind of
//! `go` must keep is in `uci_compliance.rs`.
#![cfg(all(feature = "chess", feature = "othello"))]

mod board_program;

use std::time::{Duration, Instant};

use board_program::{Engine, PROMPT};
use secateur_search::preset::PRESETS;

/// The presets, which grow in number, each after `between`.
fn presets(between: &str) -> String {
    PRESETS.iter().map(|preset| format!("{between}{}", preset.name)).collect()
}

fn chess() -> Engine {
    Engine::new(&[])
}

#[test]
fn a_whole_session_goes_by_the_protocol() {
    let mut engine = chess();
    engine.send("uci");
    let lines = engine.until("uciok");
    assert_eq!(lines[0], format!("id name Secateur {}", env!("CARGO_PKG_VERSION")));
    assert!(lines[1].starts_with("id author "));
    let options: Vec<&str> = lines.iter().filter_map(|l| l.strip_prefix("option name ")).collect();
    assert_eq!(
        options,
        [
            "Hash type spin default 16 min 1 max 65536",
            "Threads type spin default 1 min 1 max 256",
            "Clear Hash type button",
            "MultiPV type spin default 1 min 1 max 256",
            "Move Overhead type spin default 10 min 0 max 5000",
            "UCI_Chess960 type check default false",
            "Ponder type check default false",
            "UCI_ShowWDL type check default false",
            "UCI_LimitStrength type check default false",
            "UCI_Elo type spin default 1500 min 1000 max 2500",
            "SyzygyPath type string default <empty>",
            "SyzygyProbeLimit type spin default 7 min 0 max 7",
            "Syzygy50MoveRule type check default true",
            "EvalFile type string default <embedded>",
            "CutsFile type string default <embedded>",
            "RanksFile type string default <embedded>",
            "ReductionsFile type string default <embedded>",
            "OddsFile type string default <embedded>",
            &format!("Preset type combo default {}{}", PRESETS[0].name, presets(" var ")),
            "Search type combo default alphabeta var alphabeta var bstar",
            "ShowParams type check default false",
        ]
    );
    assert!(engine.ask("ucinewgame").is_empty());
    assert!(engine.ask("position startpos moves e2e4 e7e5").is_empty());
    engine.send("go wtime 1000 btime 1000 winc 10 binc 10");
    let lines = engine.until("bestmove");
    let best = lines.last().unwrap();
    let last = lines.iter().rfind(|line| line.contains(" pv ")).unwrap();
    let first_of_line = last.split_once(" pv ").unwrap().1.split(' ').next().unwrap();
    assert_eq!(best, &format!("bestmove {first_of_line}"));
    engine.send("quit");
    assert!(engine.ends().is_empty());
}

#[test]
fn the_end_of_the_input_is_quit_and_an_answer_is_not_lost() {
    let mut engine = chess();
    engine.send("go depth 1");
    engine.input = None;
    let rest = engine.ends();
    assert_eq!(rest.len(), 2);
    assert!(rest[1].starts_with("bestmove "));
}

#[test]
fn infinite_thinking_answers_only_to_stop() {
    let mut engine = chess();
    engine.send("go infinite");
    assert!(engine.next().starts_with("info depth 1 "));
    engine.gives_no_answer();
    assert!(engine.only_reports("ponderhit"));
    engine.gives_no_answer();
    let begun = Instant::now();
    assert!(engine.best("stop").starts_with("bestmove "));
    assert!(begun.elapsed() < PROMPT, "{:?}", begun.elapsed());
    assert!(engine.ask("stop").is_empty(), "one answer for one go");
}

#[test]
fn pondering_answers_to_ponderhit_or_stop() {
    let mut engine = chess();
    for end in ["ponderhit", "stop"] {
        engine.send("go ponder wtime 1000 btime 1000");
        assert!(engine.next().starts_with("info depth 1 "));
        engine.gives_no_answer();
        assert!(engine.best(end).starts_with("bestmove "));
        assert!(engine.ask(end).is_empty(), "one answer for one go");
    }
    engine.send("go ponder infinite");
    engine.until("info depth 1 ");
    assert!(engine.only_reports("ponderhit"));
    engine.gives_no_answer();
    assert!(engine.best("stop").starts_with("bestmove "));
}

#[test]
fn the_reply_to_ponder_on_is_named_if_the_option_says_so() {
    let mut engine = chess();
    assert_eq!(engine.best("go depth 2").split(' ').count(), 2);
    engine.send("setoption name ponder value TRUE");
    let answer = engine.best("go depth 2");
    let words: Vec<&str> = answer.split(' ').collect();
    assert_eq!((words.len(), words[2]), (4, "ponder"));
    assert!(engine.ask(&format!("position startpos moves {} {}", words[1], words[3])).is_empty());
}

#[test]
fn a_new_game_makes_the_running_search_answer() {
    let mut engine = chess();
    engine.send("go infinite searchmoves a2a3");
    assert_eq!(engine.best("ucinewgame"), "bestmove a2a3");
}

#[test]
fn the_reply_is_written_from_the_position_after_the_move() {
    let mut engine = chess();
    engine.send("setoption name Ponder value true");
    // White can only shuffle; Black's best is to castle out of a mating net and into an attack.
    engine.send("position fen r3k2r/8/8/8/8/8/8/7K w kq - 0 1");
    let answer = engine.best("go depth 6");
    let words: Vec<&str> = answer.split(' ').collect();
    let [_, best, _, reply] = words[..] else { panic!("{answer}") };
    let moves = format!("position fen r3k2r/8/8/8/8/8/8/7K w kq - 0 1 moves {best} {reply}");
    assert!(engine.ask(&moves).is_empty(), "{answer}");
}

#[test]
fn the_end_of_the_input_lets_a_bounded_search_finish() {
    let mut engine = chess();
    engine.send("go perft 4");
    engine.input = None;
    assert_eq!(engine.until("Nodes searched").pop().unwrap(), "Nodes searched: 197281");
    engine.ends();
}

#[test]
fn a_mate_that_is_found_needs_no_more_of_the_clock() {
    let mut engine = chess();
    engine.send("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
    let begun = Instant::now();
    engine.send("go wtime 600000 btime 600000");
    let answer = engine.until("bestmove").pop().unwrap();
    assert!(answer.starts_with("bestmove a1a8"), "{answer}");
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
}

#[test]
fn a_second_go_makes_the_first_answer_first() {
    let mut engine = chess();
    engine.send("go infinite searchmoves a2a3");
    engine.send("go depth 2 searchmoves h2h4");
    assert_eq!(engine.until("bestmove").pop().unwrap(), "bestmove a2a3");
    assert_eq!(engine.until("bestmove").pop().unwrap(), "bestmove h2h4");
    engine.send("go infinite searchmoves a2a3");
    engine.send("go fast");
    assert_eq!(engine.until("bestmove").pop().unwrap(), "bestmove a2a3");
    assert_eq!(engine.next(), "info string error: go: 'fast' means nothing here");
    assert_eq!(engine.next(), "bestmove (none)");
    assert!(engine.ask("stop").is_empty());
}

#[test]
fn every_refused_go_is_answered_all_the_same() {
    let mut engine = chess();
    let cases = [
        ("go depth", "a value is missing after depth"),
        ("go wtime soon", "wtime must be a whole number, not 'soon'"),
        ("go depth 3 quickly", "'quickly' means nothing here"),
        ("go searchmoves e2e5", "searchmoves: 'e2e5' is not legal here"),
        ("go perft 101", "perft goes at most 100 plies deep"),
        ("go perft -1", "perft must be a whole number from 0, not '-1'"),
    ];
    for (line, message) in cases {
        engine.send(line);
        assert_eq!(engine.next(), format!("info string error: go: {message}"));
        assert_eq!(engine.next(), "bestmove (none)");
    }
    for fine in [
        "go wtime 0 btime 0",
        "go wtime -50 btime -1 winc -3",
        "go wtime 50 movestogo 0",
        "go nodes 0",
    ] {
        assert_ne!(engine.best(fine), "bestmove (none)", "{fine}");
    }
}

#[test]
fn a_finished_game_has_a_score_and_no_move() {
    let mut engine = chess();
    for (fen, score) in
        [("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "mate 0"), ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0")]
    {
        engine.send(&format!("position fen {fen}"));
        engine.send("go depth 5");
        assert_eq!(engine.next(), format!("info depth 0 score {score}"));
        assert_eq!(engine.next(), "bestmove (none)");
    }
    // Over by the rule of fifty moves, but the board program may not have noticed.
    assert!(engine.ask("position fen 7k/8/8/8/8/8/8/K5R1 w - - 100 80").is_empty());
    assert_ne!(engine.best("go depth 2"), "bestmove (none)");
}

#[test]
fn a_refused_position_leaves_the_former_one_whole() {
    let mut engine = chess();
    let shuffle = "g1f3 g8f6 f3g1 f6g8";
    engine.send(&format!("position startpos moves {shuffle} {shuffle}"));
    let before = engine.ask("d");
    assert!(before.last().unwrap().contains("threefold repetition"));
    let cases = [
        ("position", "position: say startpos or fen"),
        ("position fen", "position: the text after fen is missing"),
        ("position fen 8/8 w - -", "position: column 4: the board has 2 ranks instead of 8"),
        ("position startpos e2e4", "position: 'e2e4' after startpos"),
        (
            "position startpos moves e2e4 e7e5 e4e5 d7d5",
            "position: move 3: 'e4e5' is not legal here",
        ),
        (
            "position fen 4k3/8/8/8/8/8/8/4K3 w - - moves e1e2 0000",
            "position: move 2: '0000' is no move",
        ),
    ];
    for (line, message) in cases {
        assert_eq!(engine.ask(line), [format!("info string error: {message}")]);
        assert_eq!(engine.ask("d"), before, "after {line}");
    }
    engine.send("ucinewgame");
    assert!(engine.fen().ends_with("w KQkq - 0 1"));
}

#[test]
fn what_was_dropped_from_a_position_is_said() {
    let notes = chess().ask("position fen 4k3/8/8/8/8/8/8/4K3 w K - 0 1");
    assert_eq!(notes, ["info string note: castling right K dropped: king or rook is elsewhere"]);
}

#[test]
fn castling_is_written_as_the_option_says_and_read_in_both_ways() {
    let mut engine = chess();
    let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    for (value, short, long) in
        [("false", "e1g1", "e1c1"), ("true", "e1h1", "e1a1"), ("false", "e1g1", "e1c1")]
    {
        engine.send(&format!("setoption name UCI_Chess960 value {value}"));
        engine.send(&format!("position fen {fen}"));
        for (given, written) in [("e1g1", short), ("e1h1", short), ("O-O-O", long), ("e1a1", long)]
        {
            assert_eq!(
                engine.best(&format!("go depth 1 searchmoves {given}")),
                format!("bestmove {written}")
            );
        }
    }
    for castling in ["e1g1", "e1h1"] {
        assert!(engine.ask(&format!("position fen {fen} moves {castling}")).is_empty());
        assert!(engine.fen().contains("/R4RK1 b"));
    }
}

#[test]
fn the_last_line_before_the_move_has_counted_every_node() {
    let mut engine = chess();
    engine.send("go nodes 20000");
    let lines = engine.until("bestmove");
    let nodes = |line: &String| -> Option<u64> {
        line.split_once(" nodes ")?.1.split(' ').next()?.parse().ok()
    };
    let told: Vec<u64> = lines.iter().filter_map(nodes).collect();
    assert!(told.is_sorted(), "{told:?}");
    assert!((20_000..24_000).contains(told.last().unwrap()), "{told:?}");
}

#[test]
fn options_are_set_by_any_spelling_and_bad_ones_change_nothing() {
    let mut engine = chess();
    let nodes = |engine: &mut Engine| {
        engine.send("ucinewgame");
        engine.send("go depth 4");
        let lines = engine.until("bestmove");
        let info = &lines[lines.len() - 2];
        info.split_once(" nodes ").unwrap().1.split(' ').next().unwrap().to_string()
    };
    let bare = nodes(&mut engine);
    engine.send("setoption name PRESET value Oracle");
    let oracle = nodes(&mut engine);
    assert_ne!(bare, oracle);
    let unknown = format!("no preset is called best now; there are{}", presets(", "));
    let unknown = unknown.replacen("are, ", "are ", 1);
    for (line, message) in [
        ("setoption", "setoption: must begin with name"),
        ("setoption name clock.soft value x", "clock.soft must be a whole number, not 'x'"),
        ("setoption name Hash value lots", "Hash is a whole number from 1 to 65536, not 'lots'"),
        ("setoption name Hush value 16", "no option is called 'Hush'; did you mean Hash?"),
        ("setoption name Preset value best now", unknown.as_str()),
        ("setoption name Preset", "Preset needs a value"),
    ] {
        assert_eq!(engine.ask(line), [format!("info string error: {message}")]);
    }
    assert_eq!(nodes(&mut engine), oracle);
    engine.send("setoption name quiescence value captures");
    let explicit = nodes(&mut engine);
    assert_ne!(explicit, oracle);
    engine.send("setoption name Preset value oracle");
    assert_eq!(nodes(&mut engine), explicit, "explicit settings stay on top of a later preset");
}

#[test]
fn parameters_are_listed_on_demand() {
    let mut engine = Engine::new(&["uci", "--preset", "oracle", "--set", "clock.soft=30"]);
    engine.send("setoption name ShowParams value true");
    engine.send("uci");
    let lines = engine.until("uciok");
    for line in [
        &format!("option name Preset type combo default oracle{}", presets(" var ")),
        "option name table type combo default equal var off var equal var deeper",
        "option name clock.soft type spin default 30 min 20 max 300",
    ] {
        assert!(lines.iter().any(|listed| listed == line), "{lines:?}");
    }
}

#[test]
fn perft_runs_beside_the_conversation_and_stops_at_once() {
    let mut engine = chess();
    engine.send("go perft 3");
    let lines = engine.until("Nodes searched: ");
    assert_eq!(lines.len(), 21);
    assert!(lines.contains(&"e2e4: 600".to_string()));
    assert_eq!(lines[20], "Nodes searched: 8902");
    for _ in 0..3 {
        engine.send("go perft 60");
        std::thread::sleep(Duration::from_millis(30));
        assert!(engine.ask("").is_empty(), "readyok while counting");
        let begun = Instant::now();
        engine.send("stop");
        assert_eq!(engine.next(), "info string perft stopped before it was done");
        assert!(begun.elapsed() < PROMPT, "{:?}", begun.elapsed());
    }
    engine.send("go perft 60");
    engine.send("quit");
    engine.ends();
}

#[test]
fn strange_lines_do_no_harm() {
    let mut engine = chess();
    assert_eq!(engine.ask("xyzzy 1 2"), ["info string Unknown command: 'xyzzy 1 2'. Type help."]);
    assert!(engine.ask("\n   \n# comment\n\r").is_empty());
    engine.send_bytes(b"\xff\xfe\0go\n\0\n");
    let lines = engine.ask("");
    assert_eq!(lines.len(), 2);
    assert!(
        lines.iter().all(|line| line.starts_with("info string Unknown command: ")),
        "{lines:?}"
    );
    let mut long = vec![b'x'; 3 << 20];
    long.push(b'\n');
    engine.send_bytes(&long);
    assert_eq!(
        engine.ask(""),
        ["info string error: a line of more than 1048576 bytes was ignored"]
    );
    assert!(engine.ask("help").len() > 10);
    engine.send("debug on");
    let lines = engine.ask("stop");
    assert_eq!(lines[0], "info string debug: Stop");
    assert_eq!(engine.ask("debug perhaps").len(), 2);
}

#[test]
fn another_game_speaks_the_same_protocol() {
    let mut engine = Engine::new(&["uci", "--game", "othello"]);
    engine.send("uci");
    assert!(!engine.until("uciok").iter().any(|line| line.contains("Chess960")));
    assert!(engine.ask("position startpos moves f5 d6").is_empty());
    let board =
        engine.ask("d").into_iter().find_map(|l| l.strip_prefix("Board: ").map(str::to_string));
    let board = board.unwrap();
    assert!(engine.ask(&format!("position fen {board}")).is_empty());
    assert!(engine.ask("d").contains(&format!("Board: {board}")));
    engine.send("go perft 2");
    engine.until("Nodes searched: ");
    let best = engine.best("go btime 100 wtime 100");
    let m = best.strip_prefix("bestmove ").unwrap();
    assert!(engine.ask(&format!("position fen {board} moves {m}")).is_empty());
    // Black has lost all its discs: counted out, not mated.
    engine.send(&format!("position fen {}OO X", "-".repeat(62)));
    engine.send("go depth 1");
    assert_eq!(engine.next(), "info depth 0 score cp -6400");
    assert_eq!(engine.next(), "bestmove (none)");
}

#[cfg(feature = "othello")]
#[test]
fn othello_is_named_as_the_game_and_no_other_is_taken() {
    let script = "uci\nsetoption name UCI_Variant value othello\nsetoption name UCI_Variant value chess\nquit\n";
    let mut program = assert_cmd::Command::cargo_bin("secateur").unwrap();
    let output = program.args(["uci", "--game", "othello"]).write_stdin(script).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let offer = "option name UCI_Variant type combo default othello var othello\n";
    assert!(said.contains(offer), "{said}");
    let complaints: Vec<&str> = said.lines().filter(|line| line.contains("error")).collect();
    assert_eq!(complaints.len(), 1, "{complaints:?}");
    assert!(complaints[0].contains("UCI_Variant is othello, not 'chess'"), "{complaints:?}");
}
