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
    let line =
        "only A solved 10, only B 2; McNemar mid-p = 0.022 (exact p = 0.039): A solves more\n";
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
    // Engines look up every few hundred nodes, and the first plies take less than that.
    assert!(row.solved && row.nodes < 5_000, "{row:?}");
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

/// A judge of chess that knows what it says: of the position, and of the one after a move.
fn judged_by(scratch: &Scratch, text: &str, engines: &[&str], judge: &str) -> Order {
    let judge = Some(judge.replace("MOCK", MOCK));
    Order { judge, ..order(scratch.file("test.epd", text), engines) }
}

fn costs(found: &Findings) -> Vec<Option<i32>> {
    found.rows().iter().map(|row| found.judged(row)?.cost).collect()
}

#[test]
fn a_miss_costs_what_the_judge_thinks_better() {
    let scratch = Scratch::new();
    let text = lines(&["bm e4; id \"A\";", "bm d4; id \"B\";"]);
    let judge = "MOCK scores 'cp 300,cp 12' moves d2d4 name=Judge depth=7";
    let mut order = judged_by(&scratch, &text, &["MOCK moves e2e4"], judge);
    let found = run::<Chess>(&order, &how()).unwrap();
    assert_eq!(costs(&found), [None, Some(312)], "what is solved is not judged");
    let line = found.judged(&found.rows()[1]).unwrap();
    assert_eq!((line.best_move.as_deref(), line.chosen.as_str()), (Some("d4"), "e4"));
    let shown = table::text(&found, false);
    assert!(shown.contains("\n1 of 1 misses cost 200 or more by Judge, depth=7; after 0 of "));
    let listed =
        "  not solved  wanted  mock-engine  judged\n  B           d4      e4             -312\n";
    assert!(shown.ends_with(listed), "{shown}");
    let object = json::object(&found);
    assert_eq!((&object["blunders"], &object["misses"]), (&1.into(), &1.into()));
    assert_eq!(object["judge"]["limit"], "depth=7");
    assert_eq!(
        (&object["judged"][0]["cost"], &object["judged"][0]["value"]),
        (&312.into(), &(-12).into())
    );
    order.blunder = Some(313);
    let found = run::<Chess>(&order, &how()).unwrap();
    assert!(table::text(&found, false).contains("\n0 of 1 misses cost 313 or more by Judge"));
}

#[test]
fn a_mate_that_is_missed_in_a_game_that_is_won_all_the_same_is_told_apart() {
    let scratch = Scratch::new();
    let judge = "MOCK scores 'mate 2,cp -800' moves d2d4 depth=7";
    let order = judged_by(&scratch, &lines(&["bm d4;"]), &["MOCK moves e2e4"], judge);
    let found = run::<Chess>(&order, &how()).unwrap();
    assert_eq!(costs(&found), [Some(10_000 - 3 - 800)]);
    let shown = table::text(&found, false);
    let line = "1 of 1 misses cost 200 or more by mock-engine, depth=7; after 1 of these the game is \
                still won (300 or more)\n";
    assert!(shown.contains(line), "{shown}");
}

#[test]
fn every_engine_is_judged_and_each_move_once() {
    let scratch = Scratch::new();
    let engines = ["MOCK moves e2e4 name=A", "MOCK moves e2e4 name=B", "MOCK moves c2c4 name=C"];
    let judge = "MOCK scores 'cp 50,cp -50' moves d2d4 depth=7";
    let order = judged_by(&scratch, &lines(&["bm d4;", "bm c4;"]), &engines, judge);
    let found = run::<Chess>(&order, &Circumstances { concurrency: 2, ..how() }).unwrap();
    assert_eq!(costs(&found), [Some(0), Some(0), Some(0), Some(0), Some(0), None]);
    let judged = &found.judge.as_ref().unwrap().judged;
    let lines: Vec<_> = judged.iter().map(|line| (line.number, line.chosen.as_str())).collect();
    assert_eq!(lines, [(1, "e4"), (1, "c4"), (2, "e4")]);
}

/// Mate in one, to be missed by a rook that walks away, and by stalemate.
const MISSED: &str = "\
6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id \"away\";
7k/8/6K1/8/8/8/8/5Q2 w - - bm Qf8#; id \"stalemate\";
";

#[test]
fn our_own_engine_judges_too_and_finished_games_need_no_engine() {
    let scratch = Scratch::new();
    let judge = "secateur depth=4";
    let order = judged_by(&scratch, MISSED, &["MOCK moves d1a1", "MOCK moves f1f7"], judge);
    let found = run::<Chess>(&order, &how()).unwrap();
    // The queen's move is illegal where there is a rook, and the rook's where there is a queen.
    let [away, _, _, stalemate] = found.rows() else { panic!("two positions, two engines") };
    assert_eq!((away.chosen.as_str(), stalemate.chosen.as_str()), ("Ra1", "Qf7"));
    assert_eq!(found.judged(stalemate).unwrap().cost, Some(9_999), "mate in one ply for a draw");
    let line = found.judged(away).unwrap();
    assert_eq!(line.best_move.as_deref(), Some("Rd8#"));
    // Black makes room, and a rook is still worth something.
    let cost = line.cost.unwrap();
    assert!((2..9_999).contains(&cost), "{line:?}");
    assert_eq!(json::object(&found)["judged"].as_array().unwrap().len(), 2);
}

#[test]
fn a_miss_in_othello_costs_the_discs_that_are_lost() {
    let scratch = Scratch::new();
    // FFO 20, its values exact: what is asked for is the worst of the moves, so ours misses it, and
    // an engine that solves the position knows that the best move costs nothing.
    let text = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X; H6:+6;\n";
    let mut order =
        order(scratch.file("test.obf", text), &["MOCK plays-othello moves g6", "secateur"]);
    order.game = "othello".into();
    (order.depth, order.nodes) = (None, Some(100_000));
    order.judge = Some("secateur nodes=200000".into());
    let found = run::<Othello>(&order, &how()).unwrap();
    // By the file: H5 is worth +6 discs and G6 -2.
    assert_eq!(costs(&found), [Some(800), Some(0)], "{:?}", found.rows());
    let shown = table::text(&found, false);
    assert!(
        shown.contains("1 of 1 misses cost 200 or more by secateur, nodes=200000\n"),
        "{shown}"
    );
}

#[test]
fn faults_of_the_judge_are_told_and_what_was_found_stays() {
    let text = lines(&["bm d4;", "bm d4;", "bm d4;"]);
    let cases = [
        // Its third search is the first about the second position.
        (
            "crash-at-move 3 scores 'cp 50,cp 50' moves d2d4 d7d5",
            "ended by itself",
            [true, false, true],
        ),
        ("illegal-move-at 3 scores 'cp 50,cp 50' moves d2d4", "illegal move", [true, false, true]),
        ("bestmove-without-info moves d2d4", "told no value", [false; 3]),
    ];
    for (behaviour, words, expected) in cases {
        let scratch = Scratch::new();
        let judge = format!("MOCK {behaviour} depth=7");
        let order = judged_by(&scratch, &text, &["MOCK moves e2e4"], &judge);
        let out = scratch.0.join("run");
        let how = Circumstances { out: Some(out.clone()), ..how() };
        let found = run::<Chess>(&order, &how).unwrap();
        assert!(found.is_complete() && found.is_judged(), "{behaviour}");
        let known: Vec<bool> = costs(&found).iter().map(Option::is_some).collect();
        assert_eq!(known, expected, "{behaviour}");
        let shown = table::text(&found, false);
        assert!(shown.contains(" not judged:\n") && shown.contains(words), "{shown}");
        assert!(
            shown.contains(" without a value\n") && shown.contains("e4                ?\n"),
            "{shown}"
        );
        assert!(fs::read_to_string(out.join("faults.txt")).unwrap().contains(words), "{behaviour}");
    }
}

#[test]
fn a_judge_that_cannot_be_had_is_known_before_anything_is_asked() {
    let scratch = Scratch::new();
    let out = scratch.0.join("run");
    let refused = |judge: &str, words: &str| {
        let order = judged_by(&scratch, &lines(&["bm d4;"]), &["MOCK moves e2e4"], judge);
        let how = Circumstances { out: Some(out.clone()), ..how() };
        let error = format!("{:#}", run::<Chess>(&order, &how).unwrap_err());
        assert!(error.contains(words) && !out.exists(), "{judge}: {error}");
    };
    refused("MOCK", "give it a limit of its own, such as movetime=5000");
    refused("MOCK dies-at-start depth=1", "cannot load the network");
    refused(
        "no-such-engine depth=1",
        "--judge 'no-such-engine depth=1': no-such-engine: there is no",
    );
    refused("secateur preset=best depth=1", "best");
}

#[test]
fn nothing_is_judged_twice_by_the_same_judge() {
    let scratch = Scratch::new();
    let judge = "MOCK scores 'cp 90,cp 10' moves d2d4 depth=7";
    let text = lines(&["bm d4;"; 4]);
    let mut order = judged_by(&scratch, &text, &["MOCK moves e2e4"], judge);
    let out = scratch.0.join("run");
    order.judge = None;
    run::<Chess>(&order, &Circumstances { out: Some(out.clone()), ..how() }).unwrap();
    let file = out.join("judged.jsonl");
    assert!(!file.exists());
    // A judge may come later.
    order.judge = Some(judge.replace("MOCK", MOCK));
    let on = Circumstances { resume: Some(out.clone()), ..how() };
    let whole = run::<Chess>(&order, &on).unwrap();
    assert_eq!(costs(&whole), [Some(100); 4]);
    let begun = secateur_lab::suite::folder::RunFile::read(&out).unwrap();
    assert_eq!(begun.order, order, "the next time it is known");
    let text = fs::read_to_string(&file).unwrap();
    for end in [0, 1, text.len() / 2, text.len() - 1, text.len()] {
        fs::write(&file, &text.as_bytes()[..end]).unwrap();
        assert_eq!(costs(&run::<Chess>(&order, &on).unwrap()), [Some(100); 4], "torn at {end}");
        assert_eq!(fs::read_to_string(&file).unwrap(), text, "torn at {end}");
    }
    // What stands there is believed, so nobody was asked.
    fs::write(&file, text.replace("\"cost\":100", "\"cost\":77")).unwrap();
    assert_eq!(costs(&run::<Chess>(&order, &on).unwrap()), [Some(77); 4]);
    // But not what another has said.
    order.judge = Some(judge.replace("MOCK", MOCK).replace("depth=7", "depth=8"));
    assert_eq!(costs(&run::<Chess>(&order, &on).unwrap()), [Some(100); 4]);
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 8);
}
