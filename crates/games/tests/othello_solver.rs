//! The endgame solver against plain minimax, against itself with each technique off, and on
//! published problems.

#![cfg(feature = "othello")]

use secateur_games::othello::solver::Techniques;
use secateur_games::othello::{EndgameSolver, Othello, OthelloEvaluator, OthelloMove, Problem};
use secateur_games::playable::new_engine;
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::Limits;
use secateur_search::random::SplitMix;
use secateur_search::solve::Room;
use secateur_search::testkit::reference::{moves, negamax};
use secateur_search::{Depth, Game, Line, Notation, Player, Score, Solver, Stopped};
use std::time::Instant;

/// Plain minimax to the end of the game.
fn oracle(position: &Othello) -> Score {
    negamax(position, &mut OthelloEvaluator::new(), Depth::new(60))
}

fn never(_: u64) -> Result<(), Stopped> {
    Ok(())
}

/// A position with so many empty squares, out of a random game.
fn played(random: &mut SplitMix, empties: u32) -> Othello {
    loop {
        let mut position = Othello::START;
        loop {
            if position.empty().count_ones() == empties {
                return position;
            }
            match &moves(&position)[..] {
                [] => break,
                legal => position.play(legal[random.below(legal.len())]),
            }
        }
    }
}

/// A position with so many empty squares anywhere and discs of either side, often few of one: passes
/// and early ends are common.
fn scattered(random: &mut SplitMix, empties: u32) -> Othello {
    let mut empty = 0u64;
    // Half of them near one another, so that they can be filled one after the other.
    let corner = [0, 5, 40, 45][random.below(4)];
    while empty.count_ones() < empties {
        let square = match random.below(2) {
            0 => random.below(64),
            _ => corner + random.below(3) + 8 * random.below(3),
        };
        empty |= 1 << square;
    }
    let mut black = random.next_u64();
    for _ in 0..random.below(5) {
        black &= random.next_u64();
    }
    if random.below(2) == 0 {
        black = !black;
    }
    let turn = [Player::First, Player::Second][random.below(2)];
    Othello::new(black & !empty, !black & !empty, turn).unwrap()
}

fn position(random: &mut SplitMix, empties: u32) -> Othello {
    if random.below(2) == 0 { played(random, empties) } else { scattered(random, empties) }
}

/// An end of a window: any kind of score, most of them near those that games have.
fn bound(random: &mut SplitMix) -> Score {
    let size = match random.below(8) {
        0 => Score::INFINITE,
        1 => Score::heuristic(random.below(20_000) as i32),
        2 => Score::heuristic(random.below(3) as i32),
        3 => Score::mate_in(random.below(9)),
        _ => Score::counted(random.below(70) as i32),
    };
    if random.below(2) == 0 { size } else { -size }
}

fn window(random: &mut SplitMix) -> (Score, Score) {
    loop {
        let (one, two) = (bound(random), bound(random));
        if one != two {
            return (one.min(two), one.max(two));
        }
    }
}

/// Whether `found` is a right answer where `truth` is the value.
fn is_right(found: Score, truth: Score, alpha: Score, beta: Score) -> bool {
    if found <= alpha {
        truth <= found
    } else if found >= beta {
        truth >= found
    } else {
        truth == found
    }
}

#[test]
fn every_answer_is_that_of_plain_minimax() {
    let mut random = SplitMix::new(11);
    let mut solver = EndgameSolver::default();
    let (mut passes, mut early, mut wiped_out, mut drawn) = (0, 0, 0, 0);
    let mut check = |position: Othello| {
        let truth = oracle(&position);
        let full =
            solver.solve(&position, -Score::INFINITE, Score::INFINITE, Room::ANY, &mut never);
        assert_eq!(full, Ok(Some(truth)), "{position:?}");
        for _ in 0..6 {
            let (alpha, beta) = window(&mut random);
            let found =
                solver.solve(&position, alpha, beta, Room::ANY, &mut never).unwrap().unwrap();
            assert!(is_right(found, truth, alpha, beta), "{position:?} {alpha} {beta}: {found}");
        }
        let solution = solver.best(&position, &mut never).unwrap();
        assert_eq!(Score::counted(solution.margin), truth, "{position:?}");
        match solution.best {
            None => assert!(position.is_over()),
            Some(m) => {
                assert!(position.unpack(Othello::pack(m)).is_some(), "{position:?}: {m}");
                assert_eq!(oracle(&position.after(m)), -truth, "{position:?}: {m}");
            }
        }
        passes += usize::from(moves(&position) == [OthelloMove::PASS]);
        early += usize::from(position.is_over() && position.empty() != 0);
        wiped_out += usize::from(truth == Score::counted(64) || truth == Score::counted(-64));
        drawn += usize::from(truth == Score::DRAW);
    };
    let mut positions = SplitMix::new(12);
    for (empties, count) in [
        (0, 20),
        (1, 400),
        (2, 400),
        (3, 400),
        (4, 400),
        (5, 400),
        (6, 300),
        (7, 120),
        (8, 40),
        (9, 10),
    ] {
        for _ in 0..count {
            check(position(&mut positions, empties));
        }
    }
    assert!(
        passes > 50 && early > 50 && wiped_out > 50 && drawn > 20,
        "{passes} passes, {early} early ends, {wiped_out} wipe-outs, {drawn} draws"
    );
}

/// Everything on but one technique, everything off, and all with a table of two places.
fn variants() -> Vec<(&'static str, EndgameSolver)> {
    let all = Techniques::ALL;
    let variants = [
        ("table", Techniques { table: false, ..all }),
        ("enhanced cut-off", Techniques { enhanced_cutoff: false, ..all }),
        ("stability", Techniques { stability: false, ..all }),
        ("fastest first", Techniques { fastest_first: false, ..all }),
        ("parity", Techniques { parity: false, ..all }),
        ("shallow search", Techniques { shallow_search: false, ..all }),
        ("null window", Techniques { null_window: false, ..all }),
        ("everything", Techniques::NONE),
    ];
    let mut made = vec![("nothing", EndgameSolver::new(14, 0))];
    made.extend(variants.map(|(name, on)| (name, EndgameSolver::default().with_techniques(on))));
    made
}

#[test]
fn no_technique_changes_a_result_and_each_changes_the_tree() {
    let mut random = SplitMix::new(21);
    let mut solver = EndgameSolver::default();
    let mut others = variants();
    let mut other_trees = vec![0; others.len()];
    for empties in [8, 9, 10, 11, 12, 13].into_iter().cycle().take(42) {
        let position = position(&mut random, empties);
        let solution = solver.best(&position, &mut never).unwrap();
        let truth = Score::counted(solution.margin);
        let windows = [0, 1, 2].map(|_| window(&mut random));
        for ((name, other), changed) in others.iter_mut().zip(&mut other_trees) {
            let found = other.best(&position, &mut never).unwrap();
            assert_eq!(found.margin, solution.margin, "without {name}: {position:?}");
            *changed += usize::from(found.nodes != solution.nodes);
            for (alpha, beta) in windows {
                let found =
                    other.solve(&position, alpha, beta, Room::ANY, &mut never).unwrap().unwrap();
                assert!(
                    is_right(found, truth, alpha, beta),
                    "without {name}: {position:?} {alpha} {beta}: {found}, not {truth}"
                );
            }
        }
    }
    for ((name, _), changed) in others.iter().zip(other_trees) {
        assert!(changed > 2, "without {name} only {changed} trees differ");
    }
    let counters = solver.counters();
    for cuts in [counters.table, counters.enhanced_cutoff, counters.stability] {
        assert!(cuts.cut > 0 && cuts.cut < cuts.tried, "{counters:?}");
    }
}

#[test]
fn the_best_move_is_right_whatever_the_table_has_seen_before() {
    let mut random = SplitMix::new(31);
    let mut solver = EndgameSolver::default();
    let mut judge = EndgameSolver::default();
    for empties in [8, 10, 12].into_iter().cycle().take(60) {
        let position = position(&mut random, empties);
        let truth = judge.best(&position, &mut never).unwrap().margin;
        // Narrow windows on both sides of the value leave bounds and moves behind.
        for _ in 0..6 {
            let low = truth - 4 + 2 * random.below(4) as i32;
            let (alpha, beta) = (Score::counted(low), Score::counted(low + 2));
            let found =
                solver.solve(&position, alpha, beta, Room::ANY, &mut never).unwrap().unwrap();
            assert!(is_right(found, Score::counted(truth), alpha, beta), "{position:?}");
        }
        let solution = solver.best(&position, &mut never).unwrap();
        assert_eq!(solution.margin, truth, "{position:?}");
        if let Some(m) = solution.best {
            judge.clear();
            let reply = judge.best(&position.after(m), &mut never).unwrap();
            assert_eq!(reply.margin, -truth, "{position:?}: {m}");
        }
    }
}

/// Numbers 21, 23, 24 and 29 of the FFO endgame problems (Fédération Française d'Othello), with the
/// best moves only.
const PROBLEMS: [&str; 4] = [
    "OOOOOOOOXOOXXX--XXOOXOO-XOXOOO--XOOOOX--XOOXOO--XOOOOO--XXXX---- O; G5:+0;",
    "--O-------OOX---OOOXXXO-OOOOXOXXXXXOOXOXXXXXXOOXX-XXXXOX--XXXX-- X; A2:+4;",
    "--O--O-----OOOX--X-XOXOO--XXXOOOXXXXOOOOXXXOXXOOXXXXXX--XOXX-O-- O; C3:+0;",
    "-OXXXX----OXXO--XXOOXOOOXXXOOXOOXXOOXOOOXXXXOO-XX-XXO----------- X; G2:+10;",
];

#[test]
fn published_problems_have_their_published_answers() {
    let mut solver = EndgameSolver::new(20, 16 << 20);
    for text in PROBLEMS {
        let problem = Problem::read(text).unwrap();
        let mut told = 0;
        let solution = solver
            .best(&problem.position, &mut |nodes| {
                told += nodes;
                Ok(())
            })
            .unwrap();
        assert_eq!(Some(solution.margin), problem.best_score(), "{text}");
        assert_eq!(solution.best, problem.best_moves().next(), "{text}");
        assert_eq!(told, solution.nodes);
        assert!(solution.nodes < 8_000_000, "{text}: {} nodes", solution.nodes);
    }
}

#[test]
fn a_stop_is_passed_on_at_any_tick_and_leaves_nothing_wrong_behind() {
    let problem = Problem::read(PROBLEMS[0]).unwrap();
    let mut solver = EndgameSolver::default();
    let mut longest = 0;
    let whole = solver
        .best(&problem.position, &mut |nodes| {
            longest = longest.max(nodes);
            Ok(())
        })
        .unwrap();
    assert!(longest < 20_000, "{longest} nodes without a tick");
    for stop_after in 0..1_000 {
        solver.clear();
        let mut ticks = 0;
        let answer = solver.solve(
            &problem.position,
            -Score::INFINITE,
            Score::INFINITE,
            Room::ANY,
            &mut |_| {
                ticks += 1;
                if ticks > stop_after { Err(Stopped) } else { Ok(()) }
            },
        );
        if answer == Ok(Some(Score::counted(whole.margin))) {
            assert!(stop_after > 10);
            return;
        }
        assert_eq!((answer, ticks), (Err(Stopped), stop_after + 1));
        if stop_after % 8 == 0 {
            // What a stopped call has put in the table is true.
            let again = solver.best(&problem.position, &mut never).unwrap();
            assert_eq!(again.margin, whole.margin);
        }
    }
    panic!("never finished");
}

#[test]
fn a_cleared_solver_makes_the_same_tree_again() {
    let problem = Problem::read(PROBLEMS[1]).unwrap();
    let mut solver = EndgameSolver::default();
    let first = solver.best(&problem.position, &mut never).unwrap();
    let warm = solver.best(&problem.position, &mut never).unwrap();
    assert!(warm.nodes < first.nodes);
    solver.clear();
    assert_eq!(solver.best(&problem.position, &mut never).unwrap(), first);
}

#[test]
fn the_limit_decides_what_is_taken() {
    let mut solver = EndgameSolver::default();
    let mut random = SplitMix::new(41);
    let [below, above] = [14, 15].map(|empties| played(&mut random, empties));
    assert!(solver.takes(&below) && !solver.takes(&above));
    solver.set_limit(15);
    assert!(solver.takes(&above));
    assert_eq!(solver.limit(), 15);
}

#[test]
fn a_finished_game_is_counted_and_a_forced_pass_is_the_best_move() {
    let mut solver = EndgameSolver::default();
    let wiped_out = Othello::new(0xff, 0, Player::Second).unwrap();
    let solution = solver.best(&wiped_out, &mut never).unwrap();
    assert_eq!((solution.margin, solution.best), (-64, None));
    // White in the corner threatens b1 and has everything to win.
    let pass = Othello::new(2, 1, Player::First).unwrap();
    let solution = solver.best(&pass, &mut never).unwrap();
    assert_eq!((solution.margin, solution.best), (-64, Some(OthelloMove::PASS)));
    assert_eq!(
        solver.solve(&pass, Score::counted(-64), Score::DRAW, Room::ANY, &mut never),
        Ok(Some(Score::counted(-64)))
    );
}

#[test]
fn a_node_limit_is_told_when_it_is_reached_and_not_thousands_later() {
    let problem = Problem::read(PROBLEMS[1]).unwrap();
    for left in [1, 100, 500, 2_000, 10_000] {
        let mut made = 0;
        let mut tick = |nodes: u64| {
            made += nodes;
            if made >= left { Err(Stopped) } else { Ok(()) }
        };
        let room = Room { nodes: u64::MAX, left };
        let (low, high) = (-Score::INFINITE, Score::INFINITE);
        let answer =
            EndgameSolver::new(20, 1 << 20).solve(&problem.position, low, high, room, &mut tick);
        assert_eq!(answer, Err(Stopped));
        // A move's place in the order takes some hundreds of nodes at once.
        assert!(made < left + 600, "{made} nodes of {left}");
    }
}

#[test]
fn what_would_take_more_nodes_than_there_are_is_left_to_the_search() {
    let mut random = SplitMix::new(51);
    let mut solver = EndgameSolver::default();
    let position = played(&mut random, 12);
    let far_above = played(&mut random, 22);
    let mut asked = |root: &Othello, nodes: u64| {
        solver.start(root);
        let (low, high) = (-Score::INFINITE, Score::INFINITE);
        let room = Room { nodes, left: nodes };
        solver.solve(&position, low, high, room, &mut never).unwrap()
    };
    assert!(asked(&position, u64::MAX).is_some() && asked(&position, 1_000_000).is_some());
    assert_eq!(asked(&position, 2_000), None);
    // It is the root that must be solved: one position far below it is of little use.
    assert_eq!(asked(&far_above, 1_000_000), None);
    assert!(asked(&far_above, u64::MAX).is_some());
    // Where nothing can be handed over, a search goes on to the end.
    assert!(solver.plies_to(&position, 2_000) > solver.plies_to(&position, u64::MAX));
}

/// The first of the FFO endgame problems.
const FIRST: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";

#[test]
fn a_search_of_few_nodes_obeys_them_and_looks_as_deep_as_they_allow() {
    let position = Othello::read_position(FIRST).unwrap();
    let mut depths = Vec::new();
    for nodes in [100, 500, 2_000, 20_000] {
        let mut engine = new_engine::<Othello>();
        let (line, control) = (Line::starting_at(&position), Control::default());
        let limits = Limits::nodes(nodes);
        let found = engine.search(&position, &line, &limits, Instant::now(), &control, &mut |_| {});
        assert!(found.nodes <= nodes + 200, "{} nodes of {nodes}", found.nodes);
        depths.push(found.depth.plies());
    }
    assert!(depths.is_sorted() && depths[1] > 2 && depths[3] > depths[1], "{depths:?}");
}
