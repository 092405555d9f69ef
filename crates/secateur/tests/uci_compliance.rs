//! What match runners and board programs take for granted, step by step, as fastchess checks it
//! with `--compliance` and a little beyond: every search gives at least one `info` line with a
//! score before its `bestmove`, the keys of those lines have their order, all numbers are whole,
//! every line of moves is legal, and no answer takes longer than it may.
#![cfg(all(feature = "chess", feature = "othello"))]

mod board_program;

use std::time::{Duration, Instant};

use board_program::{Engine, PATIENCE};
use secateur_games::chess::{Chess, fen};
use secateur_lab::values::median;
use secateur_search::{Game, Notation};

/// The order of the keys, as Stockfish writes them and as tools came to expect.
const KEYS: [&str; 10] =
    ["depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "tbhits", "time", "pv"];

/// What a machine under load may add to any answer.
const SLACK: Duration = Duration::from_secs(2);

/// How soon `stop`, `ponderhit` and `quit` must be obeyed (the median): generous, since test
/// machines stall. `secateur bench --latency` is the command for the true figure.
const OBEYED: f64 = 200.0;

/// An `info` line of a search, all of it checked but the moves.
#[derive(Debug)]
struct Info {
    depth: i64,
    line_number: i64,
    score: String,
    exact: bool,
    chances: Option<[i64; 3]>,
    line: Vec<String>,
}

impl Info {
    /// The parts of a line that begins with `info depth`.
    fn read(line: &str) -> Info {
        let mut words = line.split(' ').peekable();
        assert_eq!(words.next(), Some("info"), "{line}");
        let mut info = Info {
            depth: -1,
            line_number: 1,
            score: String::new(),
            exact: true,
            chances: None,
            line: Vec::new(),
        };
        let mut order = KEYS.iter();
        while let Some(key) = words.next() {
            assert!(order.any(|known| *known == key), "{key} is unknown or late: {line}");
            let mut number = || -> i64 {
                let word = words.next().unwrap_or_else(|| panic!("{key} without a value: {line}"));
                word.parse().unwrap_or_else(|_| panic!("{key} {word} is no whole number: {line}"))
            };
            match key {
                "depth" => info.depth = number(),
                "multipv" => info.line_number = number(),
                "score" => {
                    let kind = words.next().unwrap_or_default();
                    assert!(matches!(kind, "cp" | "mate"), "{line}");
                    let value: i64 = words.next().unwrap_or_default().parse().expect(line);
                    info.score = format!("{kind} {value}");
                    let bound = words.next_if(|word| matches!(*word, "lowerbound" | "upperbound"));
                    info.exact = bound.is_none();
                    if words.next_if_eq(&"wdl").is_some() {
                        let mut chance = || -> Option<i64> { words.next()?.parse().ok() };
                        let all = [chance(), chance(), chance()].map(|chance| chance.expect(line));
                        assert!(all.iter().all(|chance| *chance >= 0), "{line}");
                        assert_eq!(all.iter().sum::<i64>(), 1_000, "{line}");
                        info.chances = Some(all);
                    }
                }
                "pv" => info.line = words.by_ref().map(str::to_string).collect(),
                _ => assert!(number() >= 0, "{line}"),
            }
        }
        assert!(info.depth >= 0 && !info.score.is_empty(), "{line}");
        info
    }
}

/// The position that a `position` command sets up, by the rules and not by the program.
fn position(command: &str) -> Chess {
    let rest = command.strip_prefix("position ").unwrap();
    let (start, moves) = rest.split_once(" moves ").unwrap_or((rest, ""));
    let mut position = match start.strip_prefix("fen ") {
        Some(text) => fen::read(text).unwrap().position,
        None => Chess::start(),
    };
    for m in moves.split_whitespace() {
        position.play(position.read_move(m).unwrap());
    }
    position
}

/// Plays a move that is written as the protocol writes it.
fn play(position: &mut Chess, text: &str, what: &str) {
    let m = position.read_move(text).unwrap_or_else(|error| panic!("{what}: {text}: {error}"));
    assert_eq!(position.write_move(m), text, "{what}");
    position.play(m);
}

/// What a search said.
struct Said {
    infos: Vec<Info>,
    best: String,
    elapsed: Duration,
}

impl Said {
    /// The last value that is not a bound.
    fn score(&self) -> &str {
        &self.infos.iter().rev().find(|info| info.exact && info.line_number == 1).unwrap().score
    }
}

/// One search with everything checked that every search must keep. `then` are sent once the first
/// `info` line is there.
fn search(engine: &mut Engine, place: &str, go: &str, then: &[&str]) -> Said {
    let what = format!("{place}; {go}");
    assert!(engine.ask(place).is_empty(), "{what}");
    let begun = Instant::now();
    engine.send(go);
    let mut lines = engine.until("info ");
    for command in then {
        engine.send(command);
    }
    lines.extend(engine.until("bestmove "));
    let elapsed = begun.elapsed();
    let answer = lines.pop().unwrap();
    let infos: Vec<Info> = lines.iter().map(|line| Info::read(line)).collect();
    for info in &infos {
        let mut position = position(place);
        for m in &info.line {
            play(&mut position, m, &what);
        }
    }
    let mut words = answer.split(' ').skip(1);
    let best = words.next().unwrap().to_string();
    let mut after = position(place);
    if after.count_moves() == 0 {
        assert_eq!(best, "(none)", "{what}");
    } else {
        play(&mut after, &best, &what);
        if words.next() == Some("ponder") {
            play(&mut after, words.next().unwrap(), &what);
        }
    }
    assert_eq!(words.next(), None, "{what}: {answer}");
    assert!(engine.ask("").is_empty(), "{what}: one answer for one go");
    Said { infos, best, elapsed }
}

const START: &str = "position startpos";
const OPEN: &str = "position startpos moves e2e4 e7e5";
const BLACK: &str = "position startpos moves e2e4";
const MIDDLE: &str =
    "position fen r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 0 9";
const SHARP: &str =
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const FOUR_FIELDS: &str = "position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -";
const FEN_AND_MOVES: &str = "position fen 8/P7/8/8/8/8/7k/K7 w - - 0 1 moves a7a8q h2h3";
const FIFTY: &str = "position fen 7k/8/8/8/8/8/8/K5R1 w - - 99 80";

#[test]
fn an_engine_introduces_itself_and_is_ready_at_any_time() {
    let mut engine = Engine::new(&[]);
    assert!(engine.ask("").is_empty(), "isready before uci");
    engine.send("uci");
    let lines = engine.until("uciok");
    for begins in
        ["id name ", "id author ", "option name Hash type spin ", "option name Threads type spin "]
    {
        let found: Vec<_> = lines.iter().filter(|line| line.starts_with(begins)).collect();
        assert_eq!(found.len(), 1, "{begins}");
        assert!(found[0].len() > begins.len());
    }
    for command in [
        "setoption name Hash value 8",
        "setoption name Threads value 2",
        "setoption name Threads value 1",
        "setoption name MultiPV value 1",
        "setoption name Move Overhead value 20",
        "setoption name UCI_Chess960 value false",
        "setoption name Ponder value false",
        "setoption name Clear Hash",
        "ucinewgame",
        "position startpos",
        "position startpos moves e2e4",
        "stop",
        "ponderhit",
        "ucinewgame",
    ] {
        assert!(engine.ask(command).is_empty(), "{command}");
    }
    engine.send("go infinite");
    engine.until("info ");
    let ready = engine.ask("");
    assert!(
        ready.iter().all(|line| line.starts_with("info ")),
        "readyok while thinking: {ready:?}"
    );
    engine.send("quit");
    engine.ends();
}

/// The limits that end a search by themselves, and the longest that each may take.
#[test]
fn every_kind_of_go_is_answered_in_time_with_legal_moves() {
    let steps: [(&str, &str, u64); 36] = [
        (START, "go depth 1", 0),
        (START, "go depth 5", 0),
        (MIDDLE, "go depth 4", 0),
        (SHARP, "go depth 4", 0),
        (FOUR_FIELDS, "go depth 6", 0),
        (FEN_AND_MOVES, "go depth 5", 0),
        (FIFTY, "go depth 4", 0),
        (START, "go nodes 1", 0),
        (MIDDLE, "go nodes 500", 0),
        (SHARP, "go nodes 20000", 0),
        (START, "go movetime 1", 1),
        (SHARP, "go movetime 100", 100),
        (START, "go movetime 0", 0),
        (START, "go movetime -5", 0),
        (START, "go wtime 100", 100),
        (START, "go btime 100", 100),
        (BLACK, "go btime 100", 100),
        (BLACK, "go wtime 100", 100),
        (START, "go wtime 100 btime 100", 100),
        (BLACK, "go wtime 100 btime 100", 100),
        (OPEN, "go wtime 100 winc 100 btime 100 binc 100", 200),
        (BLACK, "go wtime 100 winc 100 btime 100 binc 100", 200),
        (START, "go btime 100 binc 100 wtime 100 winc 100", 200),
        (START, "go wtime 100 winc -50 btime 100 binc -50", 100),
        (START, "go wtime 0 btime 0", 0),
        (START, "go wtime -100 btime -100", 0),
        (BLACK, "go wtime 1000 btime -1 winc 10 binc 10", 10),
        (START, "go wtime 1 btime 1 winc 0 binc 0", 1),
        (SHARP, "go wtime 200 btime 200 movestogo 1", 200),
        (MIDDLE, "go wtime 300 btime 300 movestogo 40", 300),
        (MIDDLE, "go wtime 300 btime 300 movestogo 0", 300),
        (START, "go wtime 300000 btime 300000 winc 2000 binc 2000 depth 3", 0),
        (SHARP, "go depth 60 movetime 50", 50),
        (SHARP, "go depth 60 nodes 2000", 0),
        (START, "go depth 3 searchmoves a2a3 h2h3", 0),
        (BLACK, "go searchmoves g8f6 depth 3", 0),
    ];
    let mut engine = Engine::new(&[]);
    for (number, (place, go, milliseconds)) in steps.iter().enumerate() {
        // As at the beginning of a game, and as in the middle of one.
        if number % 2 == 0 {
            engine.send("ucinewgame");
        }
        let said = search(&mut engine, place, go, &[]);
        let most = Duration::from_millis(*milliseconds) + SLACK;
        assert!(said.elapsed < most, "{place}; {go}: {:?}", said.elapsed);
        if go.contains("searchmoves") {
            assert!(go.contains(&said.best), "{go}: {}", said.best);
        }
        if !go.contains("time") && !go.contains("nodes") {
            let first = said.infos.iter().rev().find(|info| info.line_number == 1).unwrap();
            assert_eq!(first.line[0], said.best, "{place}; {go}");
        }
    }
    engine.send("quit");
    engine.ends();
}

#[test]
fn a_search_without_end_is_ended_by_stop_and_a_pondering_one_by_ponderhit_too() {
    let mut engine = Engine::new(&[]);
    engine.send("setoption name Ponder value true");
    for threads in [1, 2] {
        engine.send(&format!("setoption name Threads value {threads}"));
        for place in [START, BLACK, SHARP, FOUR_FIELDS] {
            for (go, then) in [
                ("go infinite", &["stop"][..]),
                ("go", &["stop"]),
                ("go ponder wtime 100 btime 100", &["ponderhit"]),
                ("go ponder movetime 20", &["ponderhit"]),
                ("go ponder wtime 100 btime 100 winc 10 binc 10", &["stop"]),
                ("go ponder infinite", &["ponderhit", "stop"]),
            ] {
                let said = search(&mut engine, place, go, then);
                assert!(said.elapsed < SLACK, "{place}; {go}: {:?}", said.elapsed);
            }
        }
    }
}

#[test]
fn mates_are_counted_in_moves_and_finished_games_have_no_move() {
    let mut engine = Engine::new(&[]);
    let cases = [
        ("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "mate 1"),
        ("position fen 3r2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", "mate 1"),
        // Two rooks: one cuts off, the other mates.
        ("position fen 7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", "mate 2"),
        // Whatever Black does, Ra8 is mate.
        ("position fen 6k1/R7/1R6/8/8/8/8/6K1 b - - 0 1", "mate -1"),
        ("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "mate 0"),
        ("position fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "mate 0"),
        ("position startpos moves f2f3 e7e5 g2g4 d8h4", "mate 0"),
        ("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0"),
        ("position fen 8/8/8/8/8/5k2/5p2/5K2 w - - 0 1", "cp 0"),
    ];
    for (place, score) in cases {
        for go in ["go depth 8", "go movetime 30", "go wtime 100 btime 100", "go nodes 5000"] {
            let said = search(&mut engine, place, go, &[]);
            // A hundred milliseconds need not suffice on a machine that stalls.
            if go == "go depth 8" || position(place).count_moves() == 0 {
                assert_eq!(said.score(), score, "{place}; {go}");
            }
            assert!(said.elapsed < SLACK, "{place}; {go}: {:?}", said.elapsed);
        }
    }
    // Without a move to wait for, an endless search may answer at once, but stop must do no harm.
    for place in [cases[4].0, cases[7].0] {
        assert_eq!(search(&mut engine, place, "go infinite", &["stop"]).best, "(none)");
    }
    let said = search(&mut engine, cases[2].0, "go mate 2", &[]);
    assert_eq!(said.score(), "mate 2");
}

#[test]
fn several_lines_differ_in_their_first_moves_and_come_in_order() {
    let mut engine = Engine::new(&[]);
    engine.send("setoption name MultiPV value 3");
    for (place, lines) in
        [(START, 3), (SHARP, 3), ("position fen k7/8/K7/8/8/8/8/2R5 b - - 0 1", 1)]
    {
        let said = search(&mut engine, place, "go depth 3", &[]);
        let deepest: Vec<&Info> =
            said.infos.iter().filter(|info| info.depth == 3 && info.exact).collect();
        let numbers: Vec<i64> = deepest.iter().map(|info| info.line_number).collect();
        assert_eq!(numbers, (1..=lines).collect::<Vec<_>>(), "{place}");
        let mut moves: Vec<&str> = deepest.iter().map(|info| info.line[0].as_str()).collect();
        assert_eq!(moves[0], said.best);
        moves.sort_unstable();
        moves.dedup();
        assert_eq!(moves.len() as i64, lines, "{place}");
    }
}

/// Prints the medians (`cargo test -- --nocapture`) and demands only what any machine can keep.
#[test]
fn stop_ponderhit_and_quit_are_obeyed_quickly() {
    let mut engine = Engine::new(&[]);
    for (name, go) in [("stop", "go infinite"), ("ponderhit", "go ponder wtime 1 btime 1")] {
        let latencies: Vec<f64> = (0..20)
            .map(|number| {
                assert!(engine.ask([START, SHARP, MIDDLE][number % 3]).is_empty());
                engine.send(go);
                engine.until("info ");
                std::thread::sleep(Duration::from_millis(10 + number as u64 * 7 % 20));
                let begun = Instant::now();
                engine.best(name);
                begun.elapsed().as_secs_f64() * 1_000.0
            })
            .collect();
        judge(name, &latencies);
    }
    let latencies: Vec<f64> = (0..5)
        .map(|_| {
            let mut engine = Engine::new(&[]);
            engine.send("go infinite");
            engine.until("info ");
            let begun = Instant::now();
            engine.send("quit");
            engine.ends();
            begun.elapsed().as_secs_f64() * 1_000.0
        })
        .collect();
    judge("quit", &latencies);
}

fn judge(name: &str, latencies: &[f64]) {
    let (median, worst) = (median(latencies), latencies.iter().copied().fold(0.0, f64::max));
    println!("{name}: median {median:.2} ms of {}, worst {worst:.2} ms", latencies.len());
    assert!(median < OBEYED, "{name}: median {median:.1} ms");
    assert!(worst < PATIENCE.as_secs_f64() * 1_000.0, "{name}: worst {worst:.1} ms");
}

#[test]
fn chances_follow_the_score_if_they_are_asked_for() {
    let mut engine = Engine::new(&[]);
    let said = search(&mut engine, MIDDLE, "go depth 4", &[]);
    assert!(said.infos.iter().all(|info| info.chances.is_none()));
    assert!(engine.ask("setoption name UCI_ShowWDL value true").is_empty());
    for (place, go) in [
        (MIDDLE, "go depth 6"),
        (SHARP, "go movetime 100"),
        (START, "go nodes 1"),
        (FEN_AND_MOVES, "go depth 3"),
        ("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "go depth 3"),
    ] {
        let said = search(&mut engine, place, go, &[]);
        assert!(said.infos.iter().all(|info| info.chances.is_some()), "{place}; {go}");
    }
    let mate =
        search(&mut engine, "position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "go depth 3", &[]);
    assert_eq!(mate.infos.last().unwrap().chances, Some([1_000, 0, 0]));
}

/// However weak, it keeps to the protocol; and the last report is of the move that is played.
#[test]
fn an_engine_that_is_held_back_complies_too() {
    let mut engine = Engine::new(&[]);
    assert!(engine.ask("setoption name UCI_LimitStrength value true").is_empty());
    for elo in [1_000, 1_630, 2_500] {
        assert!(engine.ask(&format!("setoption name UCI_Elo value {elo}")).is_empty());
        for place in [START, OPEN, BLACK, MIDDLE, SHARP, FOUR_FIELDS] {
            for go in ["go wtime 1000 btime 1000", "go depth 2", "go movetime 50", "go nodes 50"] {
                let said = search(&mut engine, place, go, &[]);
                let last = said.infos.last().unwrap();
                assert_eq!(last.line[0], said.best, "{place}; {go}");
                assert!(said.infos.iter().all(|info| info.line_number == 1), "{place}; {go}");
            }
        }
        let said = search(&mut engine, MIDDLE, "go infinite", &["stop"]);
        assert_eq!(said.infos.last().unwrap().line[0], said.best);
    }
}

#[test]
fn the_checks_of_this_file_find_what_they_look_for() {
    let fine = "info depth 3 seldepth 4 multipv 1 score cp -5 upperbound nodes 9 nps 8 hashfull 7 \
                tbhits 0 time 6 pv e2e4 e7e5";
    let info = Info::read(fine);
    assert_eq!((info.depth, info.score.as_str(), info.exact), (3, "cp -5", false));
    assert_eq!(info.line, ["e2e4", "e7e5"]);
    for (part, planted) in [
        ("time 6", "time 6.5"),
        ("cp -5", "cp -0.05"),
        ("cp -5", "wdl 1"),
        ("upperbound", "upperbound wdl 1 2 3"),
        ("upperbound", "wdl 500 500 0 upperbound"),
        ("upperbound", "wdl 600 500 -100"),
        ("score cp -5 upperbound ", ""),
        ("nodes 9 nps 8", "nps 8 nodes 9"),
        ("tbhits", "tbhit"),
        ("nps 8", "nps -8"),
        ("depth 3 ", ""),
    ] {
        let broken = fine.replacen(part, planted, 1);
        assert_ne!(broken, fine);
        assert!(std::panic::catch_unwind(|| Info::read(&broken)).is_err(), "{broken}");
    }
    for illegal in ["e2e5", "Nf3", "e7e5"] {
        let played = std::panic::catch_unwind(|| play(&mut Chess::start(), illegal, ""));
        assert!(played.is_err(), "{illegal}");
    }
}
