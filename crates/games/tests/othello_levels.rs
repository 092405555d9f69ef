//! Othello through levels of confidence: bold first, then ever safer, at last exact.

#![cfg(feature = "othello")]

use std::time::Instant;

use secateur_games::othello::{EndgameSolver, Guide, Othello, OthelloEvaluator};
use secateur_games::playable::{GameEngine, new_engine};
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::Limits;
use secateur_search::calibrate::cuts::{Cuts, FORMAT, Function, Pair, evaluation_name};
use secateur_search::random::SplitMix;
use secateur_search::selective::levels::Level;
use secateur_search::testkit::reference::moves;
use secateur_search::{Evaluator, Game, Line, Notation, Score, Settings, Tactics};

/// The same deviation for every pair two plies apart.
fn cuts(sigma: f64) -> Cuts {
    let pair = |stage: usize, shallow: i32| Pair {
        stage,
        category: 0,
        shallow,
        deep: shallow + 2,
        a: 1.0,
        b: 0.0,
        c: 0.0,
        sigma,
        r: 0.9,
        n: 1_000,
        below: Vec::new(),
        above: Vec::new(),
    };
    let stages = 0..Othello::STAGES;
    Cuts {
        format: FORMAT,
        game: "othello".to_string(),
        evaluation: evaluation_name(0),
        host: String::new(),
        made_by: String::new(),
        stages: Othello::STAGES,
        categories: 1,
        thresholds: vec![1.0; Othello::STAGES],
        window: 6_400,
        beyond: 0,
        function: None,
        guess: None,
        end: None,
        unrest: None,
        pairs: stages.flat_map(|stage| (1..6).map(move |shallow| pair(stage, shallow))).collect(),
    }
}

/// Some position with so many empty squares, and one of the sides to move.
fn position(seed: u64, empty: u32) -> Othello {
    let mut random = SplitMix::new(seed);
    loop {
        let mut position = Othello::start();
        while position.empty().count_ones() > empty {
            let legal = moves(&position);
            if legal.is_empty() {
                break;
            }
            position.play(legal[random.below(legal.len())]);
        }
        if position.empty().count_ones() == empty && moves(&position).len() > 1 {
            return position;
        }
    }
}

/// The value of a position and, for each finished iteration, its depth and how sure it is.
fn searched(
    engine: &mut GameEngine<Othello>,
    position: &Othello,
) -> (Score, Vec<(i32, Option<u32>)>) {
    engine.new_game();
    let mut reports = Vec::new();
    let answer = engine.search(
        position,
        &Line::starting_at(position),
        &Limits::depth(7),
        Instant::now(),
        &Control::default(),
        &mut |report| reports.push((report.depth.plies(), report.percent)),
    );
    (answer.score, reports)
}

#[test]
fn the_full_depth_is_reached_boldly_and_then_made_sure_of() {
    let mut settings = Settings::preset("bare").unwrap();
    let mut exact = new_engine::<Othello>();
    exact.set_settings(settings.clone());
    settings.set("probcut", "multi").unwrap();
    settings.set("probcut_table", "any").unwrap();
    settings.set("levels", "on").unwrap();
    let mut levels = new_engine::<Othello>();
    levels.set_settings(settings);
    // Far too sure of itself, so that the bold levels are wrong.
    levels.set_cuts(&cuts(100.0));
    levels.check_cuts().unwrap();
    for seed in 0..4 {
        let position = position(seed, 18);
        let (value, _) = searched(&mut exact, &position);
        let (last, reports) = searched(&mut levels, &position);
        assert!(value.is_proven() || value == Score::DRAW);
        assert_eq!(last, value, "the last level is exact: {}", position.write_position());
        let bold = reports.iter().filter(|(_, percent)| *percent == Some(73)).count();
        assert!(bold >= 5, "{reports:?}");
        let full = reports[bold - 1].0;
        let after: Vec<_> = reports[bold..].to_vec();
        let wanted = [87, 95, 98, 99, 100].map(|percent| (full, Some(percent)));
        assert_eq!(after, wanted, "{reports:?}");
    }
}

/// A guide that takes the end to lie no further from a shallow value than this, in hundredths of a disc.
fn guide(sigma: f64) -> Guide {
    let function = Function {
        stage: 0.0,
        deep: 0.0,
        shallow: 0.0,
        parabola: [sigma, 0.0, 0.0],
        least: 0.0,
        deepest: 60,
        below: Vec::new(),
        above: Vec::new(),
    };
    let evaluator = OthelloEvaluator::new();
    let evaluation = evaluation_name(evaluator.identity());
    let cuts = Cuts { evaluation, end: Some(function), ..cuts(100.0) };
    Guide::new(evaluator, &cuts).unwrap()
}

#[test]
fn the_solver_rises_from_bold_answers_to_the_exact_one() {
    let mut solver = EndgameSolver::new(64, 4 << 20);
    let certain = Level::of_percent(100).unwrap();
    let (mut wrong, mut cheaper) = (0, 0);
    for seed in 0..6 {
        let position = position(seed, 16);
        solver.clear();
        let exact = solver.best(&position, &mut |_| Ok(())).unwrap();
        // Far too sure of itself at first.
        solver.clear();
        let mut levels = Vec::new();
        let found = solver
            .best_by_levels(
                &position,
                &guide(150.0),
                certain,
                &mut |_| Ok(()),
                &mut |level, one| {
                    levels.push((level.percent(), one.margin, one.nodes));
                },
            )
            .unwrap();
        assert_eq!(found.margin, exact.margin, "the last level is exact");
        let percents: Vec<u32> = levels.iter().map(|(percent, ..)| *percent).collect();
        assert_eq!(percents, [73, 87, 95, 98, 99, 100]);
        assert!(levels.windows(2).all(|two| two[0].2 < two[1].2), "nodes of all together");
        wrong += usize::from(levels[0].1 != exact.margin);
        cheaper += usize::from(levels[0].2 < exact.nodes);
        assert!(solver.counters().guide.cut > 0);
        // So vague that nothing is told: as certain as without.
        solver.clear();
        let bold = Level::of_percent(73).unwrap();
        let vague = solver
            .best_by_levels(&position, &guide(9_999.0), bold, &mut |_| Ok(()), &mut |_, _| {})
            .unwrap();
        assert_eq!(vague.margin, exact.margin);
        assert_eq!(solver.counters().guide.cut, 0);
    }
    assert!(wrong > 0 && cheaper > 3, "{wrong} wrong, {cheaper} cheaper");
}

#[test]
fn what_a_bold_level_has_left_does_not_answer_for_certain() {
    let mut solver = EndgameSolver::new(64, 4 << 20);
    let bold = Level::of_percent(73).unwrap();
    for seed in 0..6 {
        let position = position(seed, 15);
        solver.clear();
        let exact = solver.best(&position, &mut |_| Ok(())).unwrap().margin;
        solver.clear();
        let guess = solver
            .best_by_levels(&position, &guide(10.0), bold, &mut |_| Ok(()), &mut |_, _| {})
            .unwrap();
        assert!(guess.nodes > 0);
        assert_eq!(solver.best(&position, &mut |_| Ok(())).unwrap().margin, exact, "{seed}");
    }
}

#[test]
fn a_guide_needs_a_table_of_its_own_evaluation_that_knows_of_the_end() {
    let other = Cuts { evaluation: evaluation_name(5), ..cuts(100.0) };
    let refused =
        |cuts: &Cuts| Guide::new(OthelloEvaluator::new(), cuts).err().unwrap().to_string();
    assert!(refused(&other).contains("fitted to the evaluation 0000000000000005"));
    let evaluation = evaluation_name(OthelloEvaluator::new().identity());
    let without = Cuts { evaluation, ..cuts(100.0) };
    assert!(refused(&without).contains("fitted to the end of the game"));
}
