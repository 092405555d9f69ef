//! Suites: what engines are asked, what counts as an answer, and that nothing is lost.
#![cfg(all(feature = "chess", feature = "othello"))]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use secateur_games::chess::Chess;
use secateur_games::othello::Othello;
use secateur_games::problem::ProblemFiles;
use secateur_lab::suite::{Circumstances, Findings, Order, Row, Scoring, conduct, json, table};

const MOCK: &str = env!("CARGO_BIN_EXE_mock-engine");
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

/// A folder that is removed with the value.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Scratch {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("secateur-lab-suite-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn order(file: PathBuf, engines: &[&str]) -> Order {
    let engines = engines.iter().map(|engine| engine.replace("MOCK", MOCK)).collect();
    Order { game: "chess".into(), files: vec![file], engines, depth: Some(4), ..Order::default() }
}

fn how() -> Circumstances {
    Circumstances {
        concurrency: 1,
        force: true,
        ours: PathBuf::from(MOCK),
        out: None,
        resume: None,
        interrupt: Arc::new(AtomicBool::new(false)),
    }
}

fn run<G: ProblemFiles>(order: &Order, how: &Circumstances) -> anyhow::Result<Findings> {
    conduct::<G>(order, how, &mut |note| panic!("{note}"))
}

/// What the mock finds in a file of chess.
fn asked(text: &str, engines: &[&str]) -> Findings {
    let scratch = Scratch::new();
    run::<Chess>(&order(scratch.file("test.epd", text), engines), &how()).unwrap()
}

fn lines(operations: &[&str]) -> String {
    operations.iter().map(|operations| format!("{START} {operations}\n")).collect()
}

#[test]
fn the_time_to_a_solution_is_the_last_time_it_settles_on_the_move() {
    let engine = "MOCK plans e2e4,d2d4,e2e4,e2e4 moves e2e4";
    let found = asked(&lines(&["bm e4; id \"A\";", "bm d4; id \"B\";"]), &[engine]);
    let [first, second] = found.rows() else { panic!("two positions") };
    assert!(first.solved && first.id == "A" && first.chosen == "e4" && first.wanted == "e4");
    assert_eq!((first.solution_depth, first.solution_nodes), (Some(3), Some(300)));
    let (solution, whole) = (first.solution_ms.unwrap(), first.time_ms);
    assert!(solution >= 100 && solution + 30 <= whole, "{solution} of {whole} ms");
    assert_eq!((first.depth, first.nodes), (4, 400));
    assert!(!second.solved && second.solution_ms.is_none() && second.solution_depth.is_none());
    assert_eq!((first.points, second.points, second.most), (10, 0, 10));
}

#[test]
fn a_move_that_was_never_announced_is_found_at_the_end() {
    let found = asked(&lines(&["bm d4;"]), &["MOCK plans e2e4,e2e4 moves d2d4"]);
    let row = &found.rows()[0];
    assert!(row.solved);
    assert_eq!((row.solution_ms, row.id.as_str()), (Some(row.time_ms), "test:1"));
}

#[test]
fn an_engine_that_fails_at_one_position_is_asked_the_next() {
    let text = lines(&["bm e4;", "bm e4;", "bm e4;"]);
    for (behaviour, words) in [
        ("crash-at-move 2", "ended by itself (exit status: 3)"),
        ("illegal-move-at 2", "made an illegal move: e1e9"),
    ] {
        let engine = format!("MOCK {behaviour} moves e2e4");
        let found = asked(&text, &[&engine]);
        let solved: Vec<bool> = found.rows().iter().map(|row| row.solved).collect();
        assert_eq!(solved, [true, false, true], "{behaviour}");
        let fault = found.rows()[1].fault.clone().unwrap();
        assert!(fault.contains(words), "{fault}");
        assert_eq!((found.sums("mock-engine", None).faults, found.is_complete()), (1, true));
        let text = table::text(&found, false);
        assert!(text.contains("1 without an answer:\n  test:2: mock-engine "), "{text}");
    }
}

#[test]
fn an_engine_that_hangs_is_given_up_and_started_anew() {
    let scratch = Scratch::new();
    let file = scratch.file("test.epd", &lines(&["bm e4;", "bm e4;", "bm e4;"]));
    let mut order = order(file, &["MOCK hang-at-move 2 moves e2e4"]);
    (order.depth, order.movetime) = (None, Some(20));
    let found = run::<Chess>(&order, &how()).unwrap();
    let faults: Vec<bool> = found.rows().iter().map(|row| row.fault.is_some()).collect();
    assert_eq!(faults, [false, true, false]);
}

#[test]
fn an_engine_that_never_starts_ends_the_run() {
    let scratch = Scratch::new();
    let order = order(scratch.file("test.epd", &lines(&["bm e4;"])), &["MOCK dies-at-start"]);
    let error = run::<Chess>(&order, &how()).unwrap_err().to_string();
    assert!(error.contains("cannot load the network"), "{error}");
}

#[test]
fn two_engines_are_compared_on_what_only_one_of_them_solves() {
    let text = lines(&[&["bm e4;"; 10][..], &["bm d4;"; 2], &["bm c4;"; 3]].concat());
    let found = asked(&text, &["MOCK moves e2e4 name=A", "MOCK moves d2d4 name=B"]);
    let compared = found.compare("B", None);
    assert_eq!((compared.only_first, compared.only_second), (10, 2));
    // By hand: 2 (1 + 12 + 66) / 4096, and less 66 / 4096.
    assert!((compared.test.exact - 158.0 / 4_096.0).abs() < 1e-12);
    assert!((compared.test.mid - 92.0 / 4_096.0).abs() < 1e-12);
    let text = table::text(&found, false);
    let line = "only A solved 10, only B 2; McNemar p = 0.022 (exact 0.039): A solves more\n";
    assert!(text.contains(line), "{text}");
    assert!(text.contains("\nB beside A\n") && text.contains("test:11     d4      e4      solved"));
    assert!(text.contains("  and 3 more (-v lists them)\n"), "{text}");
    assert!(table::text(&found, true).contains("\n  test:15 "));
    let object = json::object(&found);
    assert_eq!((&object["solved"], &object["positions"]), (&10.into(), &15.into()));
    assert_eq!(object["engines"][1]["solved"], 2);
    assert_eq!(object["comparisons"][0]["only_first"], 10);
}

#[test]
fn the_first_engine_alone_is_no_comparison() {
    let found = asked(&lines(&["bm e4;"]), &["MOCK moves e2e4"]);
    assert!(!table::text(&found, false).contains("McNemar"));
    assert_eq!(json::object(&found)["comparisons"].as_array().unwrap().len(), 0);
}

#[test]
fn points_of_the_file_are_summed() {
    let points = "c0 \"e4=10, d4=7\";";
    let found = asked(&lines(&[points, points]), &["MOCK moves d2d4"]);
    let sums = found.sums("mock-engine", None);
    assert_eq!((sums.points, sums.most, sums.solved), (14, 20, 0));
    assert!(table::text(&found, false).contains("14/20"));
}

#[test]
fn graded_points_are_given_for_value_move_and_follow_up() {
    // The mock always tells 25 hundredths. Five points: value, move twice, two later moves.
    let known = "bm e4; ce 40; pv e4 e5 Nf3 Nc6 Bb5;";
    let cases = [
        (known, "e2e4 x g1f3 x f1b5", 5),
        (known, "e2e4 x g1f3 x f1c4", 4),
        (known, "e2e4 x b1c3 x f1b5", 3),
        (known, "d2d4 x g1f3 x f1b5", 1),
        ("bm e4; ce 400; pv e4 e5 Nf3 Nc6 Bb5;", "e2e4 x g1f3 x f1b5", 4),
        // Another best move: there is no line that it could miss.
        ("bm e4 d4; pv e4 e5 Nf3;", "d2d4", 3),
        ("bm e4;", "e2e4", 2),
    ];
    for (operations, moves, points) in cases {
        let scratch = Scratch::new();
        let engine = format!("MOCK moves {moves}");
        let mut order = order(scratch.file("test.epd", &lines(&[operations])), &[&engine]);
        order.scoring = Scoring::Graded;
        let found = run::<Chess>(&order, &how()).unwrap();
        assert_eq!(found.rows()[0].points, points, "{operations} {moves}");
    }
}

#[test]
fn the_lct2_test_has_a_rating() {
    let kinds = [("POS", 14), ("CMB", 12), ("FIN", 9)];
    let ids = kinds.iter().flat_map(|(kind, last)| (1..=*last).map(move |n| (kind, n)));
    // Solved but for the last kind, at once: 26 times 30 points.
    let line = |(kind, number): (&&str, u32)| {
        let best = if *kind == "FIN" { "d4" } else { "e4" };
        format!("{START} bm {best}; id \"LCTII.{kind}.{number:02}\";\n")
    };
    let text: String = ids.map(line).collect();
    let found = asked(&text, &["MOCK moves e2e4"]);
    assert_eq!(found.lct2("mock-engine", &found.suites[0]), Some(1_900 + 26 * 30));
    let shown = table::text(&found, false);
    assert!(shown.contains("LCT II rating of test: 2680 or more (the test gives 600 s"), "{shown}");
    let one_less = text.split_once('\n').unwrap().1;
    let found = asked(one_less, &["MOCK moves e2e4"]);
    assert_eq!(found.lct2("mock-engine", &found.suites[0]), None);
}

/// Some positions with something to do, the question being whether the first move is avoided.
fn real_positions() -> String {
    use secateur_games::playable::Playable;
    use secateur_search::{Game, Notation};
    let line = |fen: &&str| {
        let position = Chess::read_position(fen).unwrap();
        let mut first = None;
        position.each_move(|m| first = first.or(Some(m)));
        format!("{fen} am {};\n", position.describe_move(first.unwrap()))
    };
    Chess::BENCH_POSITIONS.iter().map(line).collect()
}

/// All that does not depend on the clock.
fn timeless(found: &Findings) -> Vec<Row> {
    let strip = |row: &Row| Row { time_ms: 0, solution_ms: None, ..row.clone() };
    found.rows().iter().map(strip).collect()
}

#[test]
fn at_fixed_nodes_ours_finds_the_same_whatever_thinks_beside_it() {
    let scratch = Scratch::new();
    let mut order = order(scratch.file("test.epd", &real_positions()), &[]);
    (order.depth, order.nodes) = (None, Some(3_000));
    let alone = run::<Chess>(&order, &how()).unwrap();
    let three = Circumstances { concurrency: 3, ..how() };
    assert_eq!(timeless(&alone), timeless(&run::<Chess>(&order, &three).unwrap()));
    assert!(alone.sums("secateur", None).nodes >= 3_000 * 10);
}

#[test]
fn a_search_ends_when_it_has_been_right_for_long_enough() {
    let scratch = Scratch::new();
    // A queen is to be had.
    let text = "r1b1kb1r/ppp2ppp/2n2n2/3qp3/3P4/2N2N2/PPP2PPP/R1BQKB1R w KQkq - bm Nxd5;\n";
    let mut order = order(scratch.file("test.epd", text), &[]);
    (order.depth, order.stop_when_solved) = (Some(60), Some(2));
    let found = run::<Chess>(&order, &how()).unwrap();
    let row = &found.rows()[0];
    assert!(row.solved && row.depth <= row.solution_depth.unwrap() + 3, "{row:?}");
}

#[test]
fn a_run_that_was_torn_anywhere_goes_on_to_the_same_end() {
    let scratch = Scratch::new();
    let mut order =
        order(scratch.file("test.epd", &real_positions()), &["secateur", "secateur preset=bare"]);
    (order.depth, order.nodes) = (None, Some(500));
    let out = scratch.0.join("run");
    let whole = run::<Chess>(&order, &Circumstances { out: Some(out.clone()), ..how() }).unwrap();
    let results = out.join("results.jsonl");
    let text = fs::read_to_string(&results).unwrap();
    assert_eq!(text.lines().count(), whole.expected());
    let on = Circumstances { resume: Some(out.clone()), ..how() };
    for end in [0, 1, text.len() / 3, text.len() / 2, text.len() - 1, text.len()] {
        fs::write(&results, &text.as_bytes()[..end]).unwrap();
        let resumed = run::<Chess>(&order, &on).unwrap();
        assert!(resumed.is_complete());
        assert_eq!(timeless(&resumed), timeless(&whole), "torn at {end}");
        let lines = fs::read_to_string(&results).unwrap();
        assert_eq!(lines.lines().count(), whole.expected(), "torn at {end}");
    }
}

#[test]
fn a_run_does_not_go_on_with_another_program_or_another_file() {
    let scratch = Scratch::new();
    let file = scratch.file("test.epd", &lines(&["bm e4;", "bm d4;"]));
    let order = order(file.clone(), &["MOCK moves e2e4"]);
    let out = scratch.0.join("run");
    run::<Chess>(&order, &Circumstances { out: Some(out.clone()), ..how() }).unwrap();
    let on = Circumstances { resume: Some(out.clone()), ..how() };
    assert!(run::<Chess>(&order, &on).is_ok());
    let refused = |words: &str| {
        let error = run::<Chess>(&order, &on).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    fs::write(&file, lines(&["bm e4;", "bm c4;"])).unwrap();
    refused("test.epd has changed since the run began");
    fs::write(&file, lines(&["bm e4;", "bm d4;"])).unwrap();
    let description = fs::read_to_string(out.join("run.toml")).unwrap();
    let hash = secateur_lab::binary_hash::of_file(Path::new(MOCK)).unwrap();
    fs::write(out.join("run.toml"), description.replace(&hash, "0000")).unwrap();
    refused("is another program than the one the run began with");
    let again = Circumstances { out: Some(out), ..how() };
    assert!(run::<Chess>(&order, &again).unwrap_err().to_string().contains("holds a run already"));
}

#[test]
fn what_an_engine_said_before_it_failed_is_kept() {
    let scratch = Scratch::new();
    let file = scratch.file("test.epd", &lines(&["bm e4;"]));
    let order = order(file, &["MOCK crash-at-move 1"]);
    let out = scratch.0.join("run");
    run::<Chess>(&order, &Circumstances { out: Some(out.clone()), ..how() }).unwrap();
    let faults = fs::read_to_string(out.join("faults.txt")).unwrap();
    assert!(faults.contains("! thread panicked at move 1") && faults.contains("> go depth 4"));
}

#[test]
fn values_of_othello_are_held_against_the_exact_ones() {
    let scratch = Scratch::new();
    // FFO 20: ten empty squares, which ours solves.
    let text = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X; H5:+6; G6:-2; F6:-4; H6:-10;\n";
    let mut order = order(scratch.file("test.obf", text), &[]);
    (order.game, order.depth, order.nodes) = ("othello".into(), None, Some(100_000));
    let found = run::<Othello>(&order, &how()).unwrap();
    let errors = found.value_errors("secateur", None);
    assert!(found.rows()[0].solved, "{:?}", found.rows());
    assert_eq!((errors.positions, errors.exact, errors.mean()), (1, 1, Some(0.0)));
    let shown = table::text(&found, false);
    assert!(shown.contains("value off by 0.00 discs on the average, exact in 1 of 1"), "{shown}");
}

#[test]
fn broken_lines_are_named_or_left_out_with_a_note() {
    let scratch = Scratch::new();
    let text =
        format!("# a comment\n{START} bm e4;\n{START} bm e5;\n{START} id \"no question\";\n");
    let mut order = order(scratch.file("test.epd", &text), &["MOCK moves e2e4"]);
    let error = run::<Chess>(&order, &how()).unwrap_err().to_string();
    assert!(error.contains("test.epd: line 3, column "), "{error}");
    order.skip_broken = true;
    let mut notes = Vec::new();
    let found = conduct::<Chess>(&order, &how(), &mut |note| notes.push(note)).unwrap();
    assert_eq!(found.rows().len(), 1);
    assert!(notes.len() == 1 && notes[0].contains("2 broken lines left out; line 3"), "{notes:?}");
}

#[test]
fn a_run_that_is_interrupted_tells_what_it_has() {
    let scratch = Scratch::new();
    let order = order(scratch.file("test.epd", &lines(&["bm e4;"; 9])), &["MOCK moves e2e4"]);
    let how = how();
    how.interrupt.store(true, Ordering::Relaxed);
    let found = run::<Chess>(&order, &how).unwrap();
    assert!(!found.is_complete());
    assert!(table::text(&found, false).ends_with("not complete: 0 of 9 searches are done\n"));
}
