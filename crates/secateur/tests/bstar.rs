//! B* as its users meet it: on the command line, over the protocol, in matches.
#![cfg(all(feature = "chess", feature = "othello"))]

mod board_program;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use board_program::{Engine, PROMPT};
use secateur_search::Score;
use secateur_search::bstar::history::History;
use serde_json::Value;

/// Figure 18 of the paper: Black takes back.
const FIGURE: &str = "r1bqkb1r/pppp1ppp/2N2n2/8/4P3/8/PPP2PPP/RNBQKB1R b KQkq - 0 5";

fn secateur(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_secateur")).args(arguments).output().unwrap()
}

/// The standard output of a run that must succeed.
fn says(arguments: &[&str]) -> String {
    let output = secateur(arguments);
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {complaint}");
    String::from_utf8(output.stdout).unwrap()
}

fn object(arguments: &[&str]) -> Value {
    serde_json::from_str(&says(arguments)).unwrap()
}

/// A path that nothing else uses, cleared.
fn place(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("secateur-bstar-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    let _ = fs::remove_file(&path);
    path
}

const ANALYSE: [&str; 6] = ["analyse", FIGURE, "--search", "bstar", "--nodes", "150000"];

#[test]
fn the_answer_has_a_move_its_reasons_and_its_tree() {
    let found = object(&[&ANALYSE[..], &["--explain", "--json"]].concat());
    let best = found["bestmove"].as_str().unwrap();
    assert!(["b7c6", "d7c6"].contains(&best), "{best}");
    let expansions = found["expansions"].as_u64().unwrap();
    assert!(expansions > 1, "{expansions}");
    let reasons = found["explanation"].as_str().unwrap();
    assert!(reasons.contains(" is worth ") && reasons.contains("SELECT chose"), "{reasons}");
    let moves = found["tree"]["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 25, "as the paper says");
    let chosen = moves.iter().find(|m| m["move"] == best).unwrap();
    assert!(chosen["real"]["cp"].is_i64() && chosen["below"]["moves"].is_array(), "{chosen}");
    assert!(found["nodes"].as_u64().unwrap() <= 150_000);
}

#[test]
fn the_log_has_ten_expansions_a_line_and_counts_every_position_once() {
    let text = says(&[&ANALYSE[..], &["--log"]].concat());
    let expansions: usize = text
        .lines()
        .find_map(|line| {
            line.strip_prefix("decided    by B* after ")?.split(' ').next()?.parse().ok()
        })
        .unwrap();
    let nodes = text.lines().find_map(|line| line.strip_prefix("Nodes ")).unwrap();
    let profile: usize = nodes.split_whitespace().map(|n| n.parse::<usize>().unwrap()).sum();
    assert_eq!(profile, expansions, "{text}");
    let heads = text.lines().filter(|line| {
        let head = line.split(':').next().unwrap_or_default().trim();
        line.starts_with("  ") && head.parse::<usize>().is_ok_and(|n| n % 10 == 1)
    });
    assert_eq!(heads.count(), expansions.div_ceil(10), "{text}");
    assert!(text.contains("hopes by rule: ") && text.contains(" <= "), "{text}");
}

#[test]
fn the_record_makes_the_graph_again() {
    let file = place("tree.json");
    says(&[&ANALYSE[..], &["--tree", file.to_str().unwrap()]].concat());
    let kept: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(kept["position"], FIGURE);
    let history: History = serde_json::from_value(kept["record"].clone()).unwrap();
    let graph = history.replay(None).unwrap();
    let last = history.expansions.last().unwrap();
    // Black is to move, and the graph tells for White; a move is a ply.
    let real = graph.node(0).values.real;
    assert_eq!(Score::from_bits(last.real), -real, "{last:?}");
    fs::remove_file(&file).unwrap();
}

#[test]
fn a_saved_record_is_shown_at_any_moment_and_anywhere() {
    let file = place("shown.json");
    let path = file.to_str().unwrap();
    let found = object(&[&ANALYSE[..], &["--explain", "--json", "--tree", path]].concat());
    let shown = object(&["tree", path, "--json"]);
    assert_eq!(shown["tree"], found["tree"], "the graph is the one that was searched");
    assert_eq!(shown["expansions"], found["expansions"]);
    let reasons = found["explanation"].as_str().unwrap();
    assert!(says(&["tree", path, "--explain"]).contains(reasons), "{reasons}");
    let early = object(&["tree", path, "--at", "1", "--json"]);
    let counts = |of: &Value| {
        let counts = of["profile"].as_array().unwrap().iter();
        counts.map(|n| n.as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!((counts(&early), counts(&shown)), (1, found["expansions"].as_u64().unwrap()));
    let open = early["tree"]["moves"].as_array().unwrap();
    assert!(open.len() == 25 && open.iter().all(|m| m["below"].is_null()), "{early}");
    // The position after the best move is White's, and worth the opposite of the root's.
    let best = shown["best"].as_str().unwrap();
    let below = object(&["tree", path, "--below", best, "--json"]);
    let children = shown["tree"]["moves"].as_array().unwrap();
    let child = children.iter().find(|m| m["san"] == best).unwrap();
    assert_eq!(below["tree"], child["below"]);
    let table = says(&["tree", path, "--log"]);
    assert!(table.contains("fear") && table.contains("Depth"), "{table}");
    fs::remove_file(&file).unwrap();
}

#[test]
fn a_record_that_is_none_or_is_asked_for_too_much_is_refused_with_its_place() {
    let file = place("refused.json");
    let path = file.to_str().unwrap();
    says(&[&ANALYSE[..], &["--tree", path]].concat());
    let whole = fs::read_to_string(&file).unwrap();
    let refused = |arguments: &[&str]| {
        let output = secateur(&[&["tree", path], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused(&["--at", "9999"]).contains("--at 9999: there were"));
    assert!(refused(&["--below", "Qxh9"]).contains("--below"));
    assert!(refused(&["--below", "bxc6 Nf3 Nf6 Nc3"]).contains("--below"));
    for (broken, complaint) in [
        (whole.replace("\"chess\"", "\"draughts\""), "no game is called draughts"),
        (whole.replace(FIGURE, "4k3/8/8/8/8/8/8/4K3 w - - 0 1"), "does not begin at its position"),
        (whole.replace("\"version\":1", "\"version\":9"), "version 9"),
        (whole[..whole.len() / 2].to_string(), "no record of a search by B*"),
    ] {
        fs::write(&file, broken).unwrap();
        let told = refused(&[]);
        assert!(told.contains(complaint) && told.contains("refused.json"), "{told}");
    }
    fs::remove_file(&file).unwrap();
}

#[test]
fn what_only_b_star_can_tell_is_refused_without_it() {
    for option in [&["--log"][..], &["--explain"], &["--tree", "x.json"]] {
        let output = secateur(&[&["analyse", FIGURE, "--depth", "3"][..], option].concat());
        assert_eq!(output.status.code(), Some(2));
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert!(complaint.contains("--search bstar"), "{complaint}");
    }
}

#[test]
fn little_material_and_little_effort_are_handed_over() {
    let ending = "8/5r1k/3P2p1/7p/8/3R1P2/6PP/7K b - - 0 47";
    let found = object(&["analyse", ending, "--search", "bstar", "--nodes", "200000", "--json"]);
    assert_eq!(found["handed_over"], "little is left");
    assert!(found.get("expansions").is_none());
    let found = object(&["analyse", FIGURE, "--search", "bstar", "--nodes", "9000", "--json"]);
    assert_eq!(found["handed_over"], "time is short");
    let text = says(&["analyse", ending, "--search", "bstar", "--nodes", "5000", "--explain"]);
    assert!(text.contains("B* did not decide, so --explain has nothing to tell."), "{text}");
}

#[test]
fn it_plays_othello_too() {
    let found = object(&[
        "analyse",
        "--game",
        "othello",
        "--moves",
        "f5 d6 c3",
        "--search",
        "bstar",
        "--nodes",
        "150000",
        "--explain",
        "--json",
    ]);
    assert!(found["expansions"].as_u64().unwrap() > 1, "{found}");
    assert!(found["explanation"].as_str().unwrap().contains(" is worth "));
}

#[test]
fn a_match_tells_what_b_star_decided_and_is_the_same_every_time() {
    let run = || {
        let path = place("match");
        let found = object(&[
            "match",
            "--engine",
            "secateur search=bstar hand_over.nodes=10 bstar.probe=2 name=best-first",
            "--engine",
            "secateur",
            "--nodes",
            "15000",
            "--games",
            "2",
            "--max-moves",
            "20",
            "--out",
            path.to_str().unwrap(),
            "--json",
        ]);
        let games = fs::read_to_string(path.join("games.jsonl")).unwrap();
        let mut moves: Vec<String> = games
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["moves"].to_string())
            .collect();
        moves.sort();
        fs::remove_dir_all(&path).unwrap();
        (found, moves)
    };
    let (found, moves) = run();
    let engines = found["engines"].as_array().unwrap();
    let bstar = &engines[0]["bstar"];
    assert!(bstar["decided"].as_u64().unwrap() > 10, "{found}");
    assert!(bstar["expansions_per_move"].as_f64().unwrap() >= 1.0, "{found}");
    assert!(bstar["share"].as_f64().unwrap() > 0.5 && engines[1]["bstar"].is_null(), "{found}");
    assert_eq!(run().1, moves);
}

#[test]
fn with_a_clock_it_plays_as_a_program_of_its_own() {
    let path = place("clock");
    let text = says(&[
        "match",
        "--engine",
        "secateur search=bstar hand_over.time=5 bstar.probe=2 name=best-first",
        "--engine",
        "secateur",
        "--tc",
        "4+0.1",
        "--games",
        "2",
        "--max-moves",
        "12",
        "--out",
        path.to_str().unwrap(),
    ]);
    let line = text.lines().find(|line| line.starts_with("B* of best-first: ")).expect(&text);
    assert!(line.contains(" expansions each") && !line.contains("decided 0.0 %"), "{line}");
    assert!(!text.contains("Faults"), "{text}");
    fs::remove_dir_all(&path).unwrap();
}

fn engine() -> Engine {
    let mut engine = Engine::new(&[]);
    assert!(engine.ask("setoption name Search value bstar").is_empty());
    assert!(engine.ask("position startpos moves e2e4 e7e5 g1f3").is_empty());
    engine
}

/// The expansions of the answer, as the last report tells them.
fn expansions(lines: &[String]) -> u64 {
    let told = lines.iter().rev().find_map(|l| l.strip_prefix("info string bstar expansions "));
    told.expect("nobody told of expansions").parse().unwrap()
}

#[test]
fn every_kind_of_limit_is_obeyed_over_the_protocol() {
    let mut engine = engine();
    for (go, most) in [
        ("go nodes 150000", 9_000),
        ("go movetime 400", 1_500),
        ("go wtime 6000 btime 6000 winc 100 binc 100", 4_000),
        ("go depth 5", 9_000),
    ] {
        let begun = Instant::now();
        engine.send(go);
        let lines = engine.until("bestmove");
        assert!(begun.elapsed() < Duration::from_millis(most), "{go}: {:?}", begun.elapsed());
        assert!(expansions(&lines) >= 1, "{go}");
        let nodes = |line: &String| -> Option<u64> {
            line.split_once(" nodes ")?.1.split(' ').next()?.parse().ok()
        };
        let made = lines.iter().filter_map(nodes).max().unwrap();
        assert!(!go.contains("nodes") || made <= 150_000, "{made}");
        let line = lines.iter().rfind(|line| line.contains(" pv ")).unwrap();
        let first = line.split_once(" pv ").unwrap().1.split(' ').next().unwrap();
        assert_eq!(lines.last().unwrap(), &format!("bestmove {first}"), "{go}");
    }
}

/// Positions that were there when thinking of the answer began, and expansions made ahead.
fn kept(lines: &[String]) -> Option<[u64; 2]> {
    let told = lines.iter().rev().find_map(|line| line.strip_prefix("info string bstar kept "))?;
    let words: Vec<&str> = told.split(' ').collect();
    let [positions, "positions,", ahead, "expansions", "ahead"] = words[..] else {
        panic!("{told}")
    };
    Some([positions, ahead].map(|word| word.parse().unwrap()))
}

/// The answer to the position of `engine()`, and the reply that it expects.
fn with_reply(engine: &mut Engine) -> [String; 2] {
    engine.send("setoption name Ponder value true");
    engine.send("setoption name bstar.probe value 2");
    // Nodes, not time: the tree is the same on any machine, however busy it is.
    engine.send("go nodes 100000");
    let lines = engine.until("bestmove");
    assert_eq!(kept(&lines), None, "there was nothing before");
    let words: Vec<&str> = lines.last().unwrap().split(' ').collect();
    let [_, best, "ponder", reply] = words[..] else { panic!("{words:?}") };
    [best, reply].map(str::to_string)
}

const BEGUN: &str = "position startpos moves e2e4 e7e5 g1f3";

#[test]
fn a_ponderhit_goes_on_with_the_tree_that_has_grown_meanwhile() {
    let mut engine = engine();
    let [best, reply] = with_reply(&mut engine);
    engine.ask(&format!("{BEGUN} {best} {reply}"));
    engine.send("go ponder movetime 300");
    // What would be played is told while it waits, for the position that is expected.
    let lines = engine.until("info depth ");
    assert!(lines.last().unwrap().contains(" pv "), "{lines:?}");
    std::thread::sleep(Duration::from_millis(900));
    let begun = Instant::now();
    engine.send("ponderhit");
    let lines = engine.until("bestmove");
    assert!(begun.elapsed() < Duration::from_millis(300) + PROMPT, "{:?}", begun.elapsed());
    let [positions, ahead] = kept(&lines).expect("a tree was kept");
    assert!(positions > 30 && ahead > 0, "{positions} {ahead}");
    let words: Vec<&str> = lines.last().unwrap().split(' ').collect();
    let answer = words[1];
    assert!(engine.ask(&format!("{BEGUN} {best} {reply} {answer}")).is_empty(), "{answer}");
}

#[test]
fn after_a_miss_the_tree_of_the_move_that_was_played_is_kept() {
    // B* looks at few of his moves: some likely one has more than a node.
    let mut most = 0;
    for other in ["f1c4", "f1b5", "b1c3", "d2d4", "d2d3", "f3e5"] {
        let mut again = engine();
        let [best, reply] = with_reply(&mut again);
        again.ask(&format!("{BEGUN} {best} {reply}"));
        again.send("go ponder wtime 60000 btime 60000");
        std::thread::sleep(Duration::from_millis(300));
        let begun = Instant::now();
        again.send("stop");
        again.until("bestmove");
        assert!(begun.elapsed() < PROMPT, "{:?}", begun.elapsed());
        if !again.ask(&format!("{BEGUN} {best} {other}")).is_empty() || other == reply {
            continue;
        }
        again.send("go movetime 150");
        let lines = again.until("bestmove");
        let [positions, ahead] = kept(&lines).unwrap_or_default();
        assert_eq!(ahead, 0, "nothing is ahead of a move that was played");
        most = most.max(positions);
        if most > 20 {
            break;
        }
    }
    assert!(most > 20, "{most}");
}

#[test]
fn nodes_are_for_the_expected_position_alone() {
    let mut engine = engine();
    let [best, reply] = with_reply(&mut engine);
    engine.ask(&format!("{BEGUN} {best} {reply}"));
    engine.send("go ponder nodes 150000");
    // A quick machine may be done before the opponent has moved.
    let mut lines = engine.gives_no_answer();
    engine.send("ponderhit");
    lines.extend(engine.until("bestmove"));
    assert_eq!(kept(&lines).unwrap_or_default()[1], 0, "{lines:?}");
    assert!(expansions(&lines) > 0);
}

#[test]
fn stop_and_ponderhit_are_obeyed_at_once() {
    let mut engine = engine();
    engine.send("go infinite");
    std::thread::sleep(Duration::from_millis(300));
    let begun = Instant::now();
    engine.send("stop");
    engine.until("bestmove");
    assert!(begun.elapsed() < PROMPT, "{:?}", begun.elapsed());
    engine.send("go ponder wtime 2000 btime 2000");
    engine.gives_no_answer();
    engine.send("ponderhit");
    engine.until("bestmove");
    // The guess was wrong: another move is on the board, and the search goes on from there.
    engine.send("go ponder wtime 2000 btime 2000");
    engine.gives_no_answer();
    engine.send("stop");
    engine.until("bestmove");
    assert!(engine.ask("position startpos moves e2e4 e7e5 f1c4").is_empty());
    engine.send("go movetime 200");
    assert!(engine.until("bestmove").last().unwrap().len() > 9);
}

#[test]
fn several_lines_are_left_to_alpha_beta() {
    let mut engine = engine();
    assert!(engine.ask("setoption name MultiPV value 2").is_empty());
    engine.send("go nodes 200000");
    let lines = engine.until("bestmove");
    assert!(lines.contains(&"info string bstar hands over: it has no answer to this".to_string()));
    assert!(lines.iter().any(|line| line.contains("multipv 2")));
}

#[test]
fn the_search_of_the_paper_is_rerun() {
    let text = says(&["reproduce", "bstar-fig18"]);
    assert!(text.contains("holds  bxc6 in 16 expansions or fewer"), "{text}");
}
