//! The search against plain minimax on random explicit trees, and what it promises as a library.

use std::time::Instant;

use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::{Answer, Engine, Limits};
use secateur_search::calibrate::cuts::{Cuts, FORMAT, Pair, evaluation_name};
use secateur_search::observe::{Counters, NodeKind, Silent};
use secateur_search::plain::{OnPlain, Plain};
use secateur_search::solve::NoSolver;
use secateur_search::testkit::ranks::the_same_everywhere;
use secateur_search::testkit::reference;
use secateur_search::testkit::tree::{Shape, Statics, Tree};
use secateur_search::{Depth, Game, Line, Score, Settings};

const SHAPES: [Shape; 3] = [
    Shape { depth: 6, branching: 4, spread: 60, endings: 0 },
    Shape { depth: 7, branching: 3, spread: 5, endings: 7 },
    Shape { depth: 4, branching: 9, spread: 300, endings: 20 },
];

fn search(tree: &Tree, settings: &Settings, limits: &Limits<u16>) -> Answer<u16> {
    let root = Plain(tree.clone());
    let mut engine = Engine::new(root.clone(), || (OnPlain(Statics), NoSolver, Silent));
    engine.set_settings(settings.clone());
    let line = Line::starting_at(&root);
    engine.search(&root, &line, limits, Instant::now(), &Control::default(), &mut |_| {})
}

#[test]
fn on_every_tree_and_at_every_depth_the_value_is_that_of_minimax() {
    let oracle = Settings::preset("oracle").unwrap();
    // The bare search has nothing that changes the value of a tree without noise or repetition.
    let mut bare = Settings::preset("bare").unwrap();
    bare.set("table", "equal").unwrap();
    for settings in [&oracle, &bare] {
        for (seed, shape) in (0..12).flat_map(|seed| SHAPES.map(|shape| (seed, shape))) {
            let tree = Tree::random(seed, shape);
            for depth in 1..=shape.depth as i32 {
                let expected = reference::negamax(&tree, &mut Statics, Depth::new(depth));
                let answer = search(&tree, settings, &Limits::depth(depth));
                assert_eq!(answer.score, expected, "seed {seed}, {shape:?}, depth {depth}");
            }
        }
    }
}

/// Pairs (1, 3), (2, 4) and (3, 5) with one deviation for all.
fn cuts(sigma: f64) -> Cuts {
    let pair = |shallow: i32| Pair {
        stage: 0,
        category: 0,
        shallow,
        deep: shallow + 2,
        a: 1.0,
        b: 0.0,
        c: 0.0,
        sigma,
        r: 0.9,
        n: 100,
        below: Vec::new(),
        above: Vec::new(),
    };
    Cuts {
        format: FORMAT,
        game: "tree".to_string(),
        evaluation: evaluation_name(0),
        host: String::new(),
        made_by: String::new(),
        stages: 1,
        categories: 1,
        thresholds: vec![1.0],
        window: 9_000,
        beyond: 0,
        function: None,
        guess: None,
        end: None,
        unrest: None,
        pairs: (1..4).map(pair).collect(),
    }
}

#[test]
fn shallow_searches_that_tell_nothing_leave_the_value_and_those_that_tell_too_much_do_not() {
    let mut settings = Settings::preset("oracle").unwrap();
    settings.set("probcut", "multi").unwrap();
    let mut bitten = 0;
    for seed in 0..12 {
        // Not to the end: what is counted out is no guess, and is left alone.
        let tree = Tree::random(seed, Shape { endings: 0, ..SHAPES[0] });
        let root = Plain(tree.clone());
        let expected = reference::negamax(&tree, &mut Statics, Depth::new(5));
        for (sigma, far) in [(9_999.0, true), (1.0, false)] {
            let mut engine = Engine::new(root.clone(), || (OnPlain(Statics), NoSolver, Silent));
            engine.set_settings(settings.clone());
            engine.set_cuts(&cuts(sigma));
            let (line, limits) = (Line::starting_at(&root), Limits::depth(5));
            let control = Control::default();
            let answer =
                engine.search(&root, &line, &limits, Instant::now(), &control, &mut |_| {});
            if far {
                assert_eq!(answer.score, expected, "seed {seed}");
            } else {
                bitten += usize::from(answer.score != expected);
            }
        }
    }
    assert!(bitten > 0, "with a deviation of 1 nothing was cut wrongly");
}

#[test]
fn what_is_never_unlikely_leaves_the_value_and_what_always_is_does_not() {
    let mut settings = Settings::preset("oracle").unwrap();
    for (name, value) in [("rank_cut", "on"), ("rank_cut.depth", "2")] {
        settings.set(name, value).unwrap();
    }
    let mut bitten = 0;
    for seed in 0..12 {
        let tree = Tree::random(seed, Shape { endings: 0, ..SHAPES[0] });
        let root = Plain(tree.clone());
        let expected = reference::negamax(&tree, &mut Statics, Depth::new(5));
        for (better, threshold) in [(1_000, "75"), (0, "0"), (0, "75")] {
            let mut engine = Engine::new(root.clone(), || (OnPlain(Statics), NoSolver, Silent));
            settings.set("rank_cut.threshold", threshold).unwrap();
            engine.set_settings(settings.clone());
            engine.set_ranks(the_same_everywhere("tree", better));
            let (line, limits) = (Line::starting_at(&root), Limits::depth(5));
            let control = Control::default();
            let answer =
                engine.search(&root, &line, &limits, Instant::now(), &control, &mut |_| {});
            if better == 0 && threshold == "75" {
                bitten += usize::from(answer.score != expected);
            } else {
                assert_eq!(answer.score, expected, "seed {seed}, {better}, {threshold}");
            }
        }
    }
    assert!(bitten > 0, "where all is unlikely nothing was cut wrongly");
}

#[test]
fn brothers_that_are_compared_in_vain_leave_the_value_as_it_is() {
    let mut bitten = 0;
    for form in ["principal", "fail_high", "brothers"] {
        let mut settings = Settings::preset("oracle").unwrap();
        let fixed = [("singular", form), ("singular.depth", "4"), ("singular.brothers", "100")];
        for (name, value) in fixed {
            settings.set(name, value).unwrap();
        }
        // No move of these trees is better than its brothers by so much, and every one by so little.
        let bars = [("400", true), ("0", false)];
        for (bar, far) in bars {
            settings.set("singular.principal_margin", bar).unwrap();
            settings.set("singular.fail_high_margin", bar).unwrap();
            for seed in 0..12 {
                let tree = Tree::random(seed, Shape { endings: 0, ..SHAPES[0] });
                let expected = reference::negamax(&tree, &mut Statics, Depth::new(5));
                let answer = search(&tree, &settings, &Limits::depth(5));
                if far {
                    assert_eq!(answer.score, expected, "{form}, seed {seed}");
                } else {
                    bitten += usize::from(answer.score != expected);
                }
            }
        }
    }
    assert!(bitten > 0, "no move was ever found to be singular");
}

#[test]
fn the_best_move_leads_to_the_value() {
    let settings = Settings::preset("oracle").unwrap();
    for (seed, shape) in (100..110).flat_map(|seed| SHAPES.map(|shape| (seed, shape))) {
        let tree = Tree::random(seed, shape);
        let depth = shape.depth as i32;
        let answer = search(&tree, &settings, &Limits::depth(depth));
        let after = tree.after(answer.best.unwrap());
        let reply = reference::negamax(&after, &mut Statics, Depth::new(depth - 1));
        // A mate is a ply further away when seen from above.
        let value = if reply.is_distance() { -reply.relative_to_root(1) } else { -reply };
        assert_eq!(value, answer.score, "seed {seed}, {shape:?}");
    }
}

#[test]
fn several_lines_are_the_best_moves_in_order() {
    let tree = Tree::parse("(-3 (5 1) 9 -20 (4 4))").unwrap();
    let root = Plain(tree);
    let mut engine = Engine::new(root.clone(), || (OnPlain(Statics), NoSolver, Silent));
    let limits = Limits { lines: 3, ..Limits::depth(3) };
    let mut last = Vec::new();
    engine.search(
        &root,
        &Line::starting_at(&root),
        &limits,
        Instant::now(),
        &Control::default(),
        &mut |report| {
            if report.line_number == 1 {
                last.clear();
            }
            last.push((report.line[0], report.score));
        },
    );
    let expected = [(3, Score::counted(20)), (4, Score::counted(4)), (0, Score::counted(3))];
    assert_eq!(last, expected);
}

#[test]
fn only_allowed_moves_are_considered() {
    let tree = Tree::parse("(-3 -9 -5)").unwrap();
    let limits = Limits { allowed: vec![0, 2], ..Limits::depth(2) };
    let answer = search(&tree, &Settings::default(), &limits);
    assert_eq!((answer.best, answer.score), (Some(2), Score::counted(5)));
}

#[test]
fn a_finished_game_has_a_value_and_no_move() {
    let answer = search(&Tree::parse("L").unwrap(), &Settings::default(), &Limits::depth(3));
    assert_eq!((answer.best, answer.score), (None, Score::mated_in(0)));
}

#[test]
fn a_search_that_is_stopped_before_it_begins_still_answers() {
    let root = Plain(Tree::random(1, SHAPES[0]));
    let mut engine = Engine::new(root.clone(), || (OnPlain(Statics), NoSolver, Silent));
    let control = Control::default();
    control.stop();
    let line = Line::starting_at(&root);
    let limits = Limits::default();
    let answer = engine.search(&root, &line, &limits, Instant::now(), &control, &mut |_| {});
    assert!(answer.best.is_some());
}

#[test]
fn two_threads_find_the_same_value() {
    for seed in 0..10 {
        let tree = Tree::random(seed, SHAPES[0]);
        let root = Plain(tree.clone());
        let mut engine = Engine::new(root.clone(), || (OnPlain(Statics), NoSolver, Silent));
        engine.set_settings(Settings::preset("oracle").unwrap());
        engine.set_threads(2);
        let line = Line::starting_at(&root);
        let limits = Limits::depth(6);
        let control = Control::default();
        let answer = engine.search(&root, &line, &limits, Instant::now(), &control, &mut |_| {});
        let expected = reference::negamax(&tree, &mut Statics, Depth::new(6));
        assert_eq!(answer.score, expected, "seed {seed}");
    }
}

#[test]
fn the_observer_counts_all_five_kinds_of_nodes() {
    let root = Plain(Tree::random(3, Shape { depth: 9, branching: 4, spread: 90, endings: 0 }));
    let mut engine =
        Engine::new(root.clone(), || (OnPlain(Statics), NoSolver, Counters::default()));
    let line = Line::starting_at(&root);
    let (limits, control) = (Limits::depth(9), Control::default());
    engine.search(&root, &line, &limits, Instant::now(), &control, &mut |_| {});
    let counters = engine.observers().next().unwrap();
    for kind in NodeKind::KINDS {
        assert!(counters.kinds[kind as usize] > 0, "{kind:?}: {counters:?}");
    }
    assert!(
        counters.first_move_cuts > 0 && counters.answered_by_table + counters.beyond_horizon > 0
    );
}
