//! Each technique in the real search: where its claim cannot apply it changes nothing, and where it is
//! bold something changes. What it claims is tested beside its code; here it is whether the search
//! asks it at all.

#![cfg(feature = "chess")]

use std::sync::Arc;
use std::time::Instant;

use secateur_games::chess::Chess;
use secateur_games::chess::evaluate::Classical;
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::{Engine, Limits};
use secateur_search::calibrate::cuts::{Cuts, FORMAT, Function, Pair, evaluation_name};
use secateur_search::calibrate::ranks::{Fails, Ranks};
use secateur_search::calibrate::unrest::{self, Kind, Unrest};
use secateur_search::observe::{Counters, Rule};
use secateur_search::solve::NoSolver;
use secateur_search::testkit::ranks::the_same_everywhere;
use secateur_search::{Line, Notation, Settings};

/// Positions of many kinds: attack, endgame, a pawn about to promote, forced replies.
const POSITIONS: [&str; 5] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/1P3k2/8/8/8/6p1/5r2/1R4K1 w - - 0 1",
    "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1",
];

/// What a search to this depth makes: values, nodes, and how often the rule was asked and held.
fn run(settings: &[(&str, &str)], rule: Rule, depth: i32) -> (Vec<i32>, u64, u64, u64) {
    run_by(None, settings, rule, depth)
}

/// The same with a table of cuts.
fn run_by(
    cuts: Option<&Cuts>,
    settings: &[(&str, &str)],
    rule: Rule,
    depth: i32,
) -> (Vec<i32>, u64, u64, u64) {
    run_with(cuts, None, settings, rule, depth)
}

/// The same with a table of ranks too.
fn run_with(
    cuts: Option<&Cuts>,
    ranks: Option<&Arc<Ranks>>,
    settings: &[(&str, &str)],
    rule: Rule,
    depth: i32,
) -> (Vec<i32>, u64, u64, u64) {
    let mut all = Settings::preset("bare").unwrap();
    // The values of the tests do not depend on what a preset is tuned to.
    for (name, value) in settings {
        all.set(name, value).unwrap();
    }
    let mut scores = Vec::new();
    let (mut nodes, mut tried, mut cut) = (0, 0, 0);
    for fen in POSITIONS {
        let position = Chess::read_position(fen).unwrap();
        let mut engine =
            Engine::new(position.clone(), || (Classical::default(), NoSolver, Counters::default()));
        engine.set_settings(all.clone());
        if let Some(cuts) = cuts {
            engine.set_cuts(cuts);
        }
        if let Some(ranks) = ranks {
            engine.set_ranks(Arc::clone(ranks));
        }
        let line = Line::starting_at(&position);
        let (limits, control) = (Limits::depth(depth), Control::default());
        let answer =
            engine.search(&position, &line, &limits, Instant::now(), &control, &mut |_| {});
        scores.push(answer.score.value());
        nodes += answer.nodes;
        let count = &engine.observers().next().unwrap().rules[rule as usize];
        tried += count.tried;
        cut += count.cut;
    }
    (scores, nodes, tried, cut)
}

/// `inert` never applies and leaves the tree as it was without the technique; `bold` does apply.
fn wired(rule: Rule, host: &[(&str, &str)], inert: &[(&str, &str)], bold: &[(&str, &str)]) {
    let with = |more: &[(&str, &str)]| run(&[host, more].concat(), rule, 6);
    let without = with(&[]);
    assert_eq!((without.2, without.3), (0, 0), "{}: off, and asked", rule.name());
    if !inert.is_empty() {
        let inert = with(inert);
        assert_eq!(inert.3, 0, "{} held where it cannot", rule.name());
        assert_eq!((&inert.0, inert.1), (&without.0, without.1), "{} is not inert", rule.name());
    }
    let bold = with(bold);
    assert!(bold.3 > 0, "{} never held: {} asked", rule.name(), bold.2);
    assert_ne!((&bold.0, bold.1), (&without.0, without.1), "{} changes nothing", rule.name());
}

/// A host with guesses, in which the technique under test is the only one that prunes.
const GUESSING: &[(&str, &str)] = &[("correction", "on")];
/// A host that passes.
const PASSING: &[(&str, &str)] = &[("null_move", "fixed"), ("null_move.reduction", "2")];

#[test]
fn every_form_of_null_move_cuts() {
    for form in ["fixed", "adaptive", "verified", "scaled"] {
        wired(Rule::NullMove, GUESSING, &[], &[("null_move", form)]);
    }
}

#[test]
fn adaptive_null_move_is_fixed_null_move_below_its_bound() {
    let fixed = [("null_move", "fixed"), ("null_move.reduction", "2")];
    let adaptive = |far| {
        let forms = [("null_move", "adaptive"), ("null_move.reduction", "2")];
        run(
            &[&forms[..], &[("null_move.far", far), ("null_move.far_ending", far)]].concat(),
            Rule::NullMove,
            7,
        )
    };
    assert_eq!(adaptive("20"), run(&fixed, Rule::NullMove, 7));
    assert_ne!(adaptive("4"), run(&fixed, Rule::NullMove, 7));
}

#[test]
fn the_threat_behind_a_failed_pass_changes_the_order() {
    let by = |bonus| run(&[PASSING, &[("order.threat", bonus)]].concat(), Rule::NullMove, 6).1;
    assert_ne!(by("0"), by("8000"));
}

#[test]
fn frontier_futility_leaves_out_moves() {
    let form = ("frontier_futility", "extended");
    let bold = [form, ("frontier_futility.margin", "50"), ("frontier_futility.extended", "100")];
    wired(Rule::FrontierFutility, GUESSING, &[], &bold);
    let frontier = [("frontier_futility", "frontier"), ("frontier_futility.margin", "50")];
    wired(Rule::FrontierFutility, GUESSING, &[], &frontier);
}

#[test]
fn limited_razoring_takes_off_a_ply() {
    let bold = [("limited_razoring", "on"), ("limited_razoring.margin", "300")];
    wired(Rule::LimitedRazoring, GUESSING, &[], &bold);
}

/// Pairs (1, 3), (2, 4) and (3, 5) with one deviation for all.
fn cuts(sigma: f64) -> Cuts {
    let pair = |stage: usize, shallow: i32| Pair {
        stage,
        category: 0,
        shallow,
        deep: shallow + 2,
        a: 1.0,
        b: 0.0,
        sigma,
        r: 0.9,
        n: 1_000,
        below: Vec::new(),
        above: Vec::new(),
    };
    Cuts {
        format: FORMAT,
        game: "chess".to_string(),
        evaluation: evaluation_name(0),
        host: String::new(),
        made_by: String::new(),
        stages: 2,
        categories: 1,
        thresholds: vec![1.0; 2],
        window: 5_000,
        function: None,
        guess: None,
        end: None,
        unrest: None,
        pairs: (0..2).flat_map(|stage| (1..4).map(move |shallow| pair(stage, shallow))).collect(),
    }
}

#[test]
fn shallow_searches_decide_deep_ones_and_not_where_they_tell_nothing() {
    for place in ["before", "after"] {
        let on = [("probcut", "multi"), ("probcut_place", place)];
        let host = [GUESSING, PASSING].concat();
        let by =
            |sigma: f64| run_by(Some(&cuts(sigma)), &[&host[..], &on].concat(), Rule::ProbCut, 7);
        let without = run(&host, Rule::ProbCut, 7);
        let (vague, sure) = (by(9_999.0), by(20.0));
        // With such errors no bound is one of those that the table knows.
        assert_eq!((vague.0, vague.1, vague.3), (without.0.clone(), without.1, 0), "{place}");
        assert!(sure.3 > 0 && sure.1 < without.1, "{place}: {sure:?} {without:?}");
        let single = [&host[..], &on, &[("probcut", "single")]].concat();
        assert!(run_by(Some(&cuts(20.0)), &single, Rule::ProbCut, 7).3 > 0);
        let nested = [&host[..], &on, &[("probcut.nested", "3")]].concat();
        let nested = run_by(Some(&cuts(20.0)), &nested, Rule::ProbCut, 7);
        assert_ne!(nested.1, sure.1, "questions within questions");
    }
}

/// The same with one deviation for every pair of depths and every guess, and unrest that multiplies it.
fn cuts_of_all_depths(sigma: f64, factors: [f64; 2]) -> Cuts {
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
    let steps = |name: &str| Kind {
        name: name.to_string(),
        edges: vec![1],
        factors: if name == "quiescence" { factors.to_vec() } else { vec![1.0; 2] },
    };
    let kinds = unrest::names::<Chess>().into_iter().map(steps).collect();
    Cuts {
        guess: Some(function.clone()),
        function: Some(function),
        unrest: Some(Unrest { below: Vec::new(), above: Vec::new(), kinds }),
        ..cuts(sigma)
    }
}

#[test]
fn what_the_table_knows_of_less_depth_cuts() {
    for form in ["above", "on"] {
        let on = [GUESSING, &[("draft_cut", form)]].concat();
        let by = |sigma| run_by(Some(&cuts_of_all_depths(sigma, [1.0; 2])), &on, Rule::DraftCut, 7);
        let without = run(GUESSING, Rule::DraftCut, 7);
        let (vague, sure) = (by(9_999.0), by(10.0));
        assert_eq!((vague.0, vague.1, vague.3), (without.0.clone(), without.1, 0), "{form}");
        assert!(sure.3 > 0 && sure.1 != without.1, "{form}: {sure:?} {without:?}");
    }
}

#[test]
fn margins_that_are_fitted_go_by_the_errors_of_guesses() {
    for rule in [Rule::ReverseFutility, Rule::Razoring] {
        let on = [GUESSING, &[(rule.name(), "fitted")]].concat();
        let by = |sigma| run_by(Some(&cuts_of_all_depths(sigma, [1.0; 2])), &on, rule, 6);
        let without = run(GUESSING, rule, 6);
        let (vague, sure) = (by(9_999.0), by(30.0));
        assert_eq!((&vague.0, vague.1, vague.3), (&without.0, without.1, 0), "{}", rule.name());
        assert!(sure.3 > 0 && sure.1 != without.1, "{}: {sure:?}", rule.name());
    }
}

#[test]
fn every_side_what_follows_and_the_cost_of_a_question_change_the_tree() {
    let host = [GUESSING, PASSING, &[("probcut", "multi"), ("probcut_place", "after")]].concat();
    // The pairs have another deviation than the function of all of them.
    let table = Cuts { pairs: cuts(40.0).pairs, ..cuts_of_all_depths(30.0, [1.0; 2]) };
    let by = |more: &[(&str, &str)]| {
        let found = run_by(Some(&table), &[&host[..], more].concat(), Rule::ProbCut, 7);
        assert!(found.3 > 0, "{more:?} never held");
        found.1
    };
    let mut all = vec![by(&[])];
    for side in ["expected", "above", "below"] {
        all.push(by(&[("probcut_side", side)]));
    }
    all.push(by(&[("probcut_side", "below"), ("probcut_below", "reduce")]));
    all.push(by(&[("probcut.growth", "150")]));
    all.push(by(&[("probcut_model", "function")]));
    let mut distinct = all.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), all.len(), "{all:?}");
}

#[test]
fn unrest_makes_cuts_harder_or_easier() {
    let host = [GUESSING, &[("probcut", "multi"), ("probcut_model", "unrest")]].concat();
    let by = |factors| run_by(Some(&cuts_of_all_depths(40.0, factors)), &host, Rule::ProbCut, 7);
    let (bold, plain, timid) = (by([0.2, 0.2]), by([1.0, 1.0]), by([5.0, 5.0]));
    assert!(bold.3 > 0 && plain.3 > 0);
    let share = |found: &(Vec<i32>, u64, u64, u64)| found.3 as f64 / found.2.max(1) as f64;
    assert!(share(&bold) > share(&plain) && share(&plain) > share(&timid), "{bold:?} {timid:?}");
    assert_ne!(by([1.0, 5.0]).1, plain.1, "by what it is about");
}

#[test]
fn the_rest_is_searched_less_deep_where_no_better_move_is_likely() {
    let on = [("rank_cut", "on"), ("rank_cut.depth", "3")];
    let with = |ranks: &Arc<Ranks>, more: &[(&str, &str)]| {
        run_with(None, Some(ranks), &[GUESSING, &on, more].concat(), Rule::RankCut, 6)
    };
    let without = run(GUESSING, Rule::RankCut, 6);
    assert_eq!((without.2, without.3), (0, 0), "off, and asked");
    let (never, always) = (the_same_everywhere("chess", 0), the_same_everywhere("chess", 1_000));
    for inert in [
        with(&never, &[("rank_cut.threshold", "0")]),
        with(&always, &[]),
        with(&never, &[("rank_cut.depth", "7")]),
        with(&never, &[("rank_cut.instances", "1001")]),
        // It does not tell scores below alpha apart.
        with(&never, &[("rank_cut_lead", "soft")]),
    ] {
        assert_eq!((&inert.0, inert.1, inert.3), (&without.0, without.1, 0));
    }
    let bold = with(&never, &[]);
    assert!(bold.3 > 0 && bold.1 < without.1, "{bold:?} {without:?}");
    let deeper = with(&never, &[("rank_cut.reduction", "2")]);
    assert!(deeper.1 < bold.1);
    let remaining = with(&never, &[("rank_cut.phases", "1")]);
    assert!(0 < remaining.3 && remaining.3 < bold.3);
    let again = with(&never, &[("rank_cut_again", "on")]);
    assert_ne!(again.1, bold.1, "a second search");
}

#[test]
fn nodes_below_alpha_are_told_apart_only_by_a_search_that_fails_soft() {
    // Far below alpha nothing better ever comes, elsewhere always.
    let mut ranks = Ranks::clone(&the_same_everywhere("chess", 1_000));
    ranks.head.fails = Fails::Soft;
    for counts in [&mut ranks.coarse, &mut ranks.coarsest] {
        for (state, counts) in counts.iter_mut().filter(|(state, _)| state.lead == 0) {
            assert!(state.fall == 0 && counts.seen == 1_000);
            (counts.each, counts.rest) = ([0; 3], [0; 3]);
        }
    }
    let ranks = Arc::new(ranks);
    let by = |lead: &str| {
        let on = [("rank_cut", "on"), ("rank_cut.depth", "3"), ("rank_cut_lead", lead)];
        run_with(None, Some(&ranks), &[GUESSING, &on].concat(), Rule::RankCut, 6)
    };
    let (soft, hard) = (by("soft"), by("hard"));
    assert!(soft.2 > 0 && soft.3 > 0 && soft.3 < soft.2, "{soft:?}");
    assert!(hard.2 > 0 && hard.3 == 0, "{hard:?}");
}

#[test]
fn a_value_found_by_bold_cuts_does_not_answer_a_cautious_question() {
    let position = Chess::read_position(POSITIONS[1]).unwrap();
    let line = Line::starting_at(&position);
    let search = |forms: &[(&str, &str)]| {
        let mut engine =
            Engine::new(position.clone(), || (Classical::default(), NoSolver, Counters::default()));
        engine.set_cuts(&cuts(20.0));
        let mut found = Vec::new();
        for (form, threshold) in forms {
            let mut settings = Settings::preset("bare").unwrap();
            settings.set("correction", "off").unwrap();
            settings.set("probcut", form).unwrap();
            settings.set("probcut.threshold", threshold).unwrap();
            engine.set_settings(settings);
            let (limits, control) = (Limits::depth(6), Control::default());
            let answer =
                engine.search(&position, &line, &limits, Instant::now(), &control, &mut |_| {});
            found.push(answer.score);
        }
        *found.last().unwrap()
    };
    // What the first search has left in the table is of no use to the second.
    assert_eq!(search(&[("multi", "50"), ("off", "0")]), search(&[("off", "0")]));
}

#[test]
fn multi_cut_cuts_and_not_when_it_asks_for_more_than_there_can_be() {
    let on = ("multi_cut", "on");
    let never = [on, ("multi_cut.depth", "16")];
    let bold = [on, ("multi_cut.depth", "3"), ("multi_cut.cuts", "1")];
    wired(Rule::MultiCut, GUESSING, &never, &bold);
}

#[test]
fn material_cut_gives_up_lines() {
    let on = ("material_cut", "on");
    let bold = [
        on,
        ("material_cut.depth", "2"),
        ("material_cut.deficit", "50"),
        ("material_cut.compensation", "500"),
    ];
    wired(Rule::MaterialCut, GUESSING, &[on, ("material_cut.depth", "16")], &bold);
}

#[test]
fn only_plausible_moves_are_tried() {
    for form in ["everywhere", "staged"] {
        let form = ("plausible", form);
        let wide = [form, ("plausible.moves", "64")];
        wired(Rule::Plausible, GUESSING, &wide, &[form, ("plausible.moves", "4")]);
    }
}

#[test]
fn every_extension_lengthens_lines() {
    for (rule, host) in [
        (Rule::CheckExtension, GUESSING),
        (Rule::RecaptureExtension, GUESSING),
        (Rule::PassedExtension, GUESSING),
        (Rule::ForcedExtension, GUESSING),
        (Rule::ThreatExtension, PASSING),
        (Rule::EvasiveExtension, PASSING),
    ] {
        let depth = format!("{}.depth", rule.name());
        let inert = [(rule.name(), "on"), (&depth[..], "12")];
        wired(rule, host, &inert, &[(rule.name(), "on")]);
    }
}

#[test]
fn parts_of_a_ply_add_up_down_the_line() {
    let by = |amount| {
        let how = [("check_extension", "on"), ("check_extension.amount", amount)];
        run(&how, Rule::CheckExtension, 6).1
    };
    let (whole, half, none) = (by("100"), by("50"), run(&[], Rule::CheckExtension, 6).1);
    assert!(none < half && half < whole, "{none} {half} {whole}");
}

#[test]
fn internal_deepening_finds_moves_to_begin_with() {
    let on = ("internal_deepening", "on");
    let never = [on, ("internal_deepening.depth", "12")];
    // Deep nodes of so short a search have a move from the iteration before.
    let bold = [on, ("internal_deepening.depth", "2"), ("internal_deepening.less", "1")];
    wired(Rule::InternalDeepening, GUESSING, &never, &bold);
}

#[test]
fn singular_moves_are_found_by_comparing_brothers() {
    for form in ["principal", "fail_high", "brothers"] {
        let form = ("singular", form);
        let never = [form, ("singular.depth", "14")];
        wired(Rule::Singular, GUESSING, &never, &[form, ("singular.depth", "4")]);
    }
}

#[test]
fn quiescence_has_four_forms_and_they_differ() {
    let nodes = |settings: &[(&str, &str)]| run(&[GUESSING, settings].concat(), Rule::Delta, 5).1;
    let captures = nodes(&[]);
    // Tapered so late that it hardly ever narrows is nearly the plain form.
    let tapered = |wide, narrow| {
        let form = ("quiescence", "tapered");
        nodes(&[form, ("quiescence.wide", wide), ("quiescence.narrow", narrow)])
    };
    let late = tapered("8", "16");
    assert!(late.abs_diff(captures) * 50 < captures, "{late} {captures}");
    let (winning, back) = (tapered("0", "16"), tapered("0", "1"));
    let beal = nodes(&[("quiescence", "beal")]);
    let off = nodes(&[("quiescence", "off")]);
    // What they save beyond the horizon they may spend before it, so only that they differ is certain.
    let mut all = [captures, winning, back, beal, off];
    all.sort_unstable();
    assert!(all.windows(2).all(|two| two[0] != two[1]), "{all:?}");
}

#[test]
fn in_an_ending_iterations_go_on_until_the_nodes_are_made() {
    let depth_of = |fen: &str, form: &str| {
        let position = Chess::read_position(fen).unwrap();
        let mut engine =
            Engine::new(position.clone(), || (Classical::default(), NoSolver, Counters::default()));
        let mut settings = Settings::preset("bare").unwrap();
        settings.set("endings", form).unwrap();
        settings.set("endings.nodes", "20").unwrap();
        engine.set_settings(settings);
        let line = Line::starting_at(&position);
        let (limits, control) = (Limits::depth(4), Control::default());
        let answer =
            engine.search(&position, &line, &limits, Instant::now(), &control, &mut |_| {});
        answer.depth.plies()
    };
    assert_eq!(depth_of(POSITIONS[2], "off"), 4);
    assert!(depth_of(POSITIONS[2], "nodes") > 4, "an ending");
    assert_eq!(depth_of(POSITIONS[1], "nodes"), 4, "no ending");
}

/// Whether a search to this depth finds the move, in the preset of the papers' host.
fn finds(form: &str, fen: &str, best: &str, depth: i32) -> bool {
    let position = Chess::read_position(fen).unwrap();
    let mut engine =
        Engine::new(position.clone(), || (Classical::default(), NoSolver, Counters::default()));
    let mut settings = Settings::preset("classic").unwrap();
    settings.set("null_move", form).unwrap();
    settings.set("null_move.reduction", "3").unwrap();
    engine.set_settings(settings);
    let line = Line::starting_at(&position);
    let (limits, control) = (Limits::depth(depth), Control::default());
    let answer = engine.search(&position, &line, &limits, Instant::now(), &control, &mut |_| {});
    position.describe_move(answer.best.unwrap()) == best
}

/// Black would like to pass; whoever lets him believes that the pinned knight holds everything.
#[test]
fn verified_null_move_finds_what_passing_hides() {
    let fen = "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1";
    for depth in [8, 9] {
        assert!(finds("off", fen, "Nxd5", depth));
        assert!(!finds("fixed", fen, "Nxd5", depth), "depth {depth}");
        assert!(finds("verified", fen, "Nxd5", depth), "depth {depth}");
    }
}

/// Positions of zugzwang at the root or near it that every form must see.
#[test]
fn no_form_of_null_move_passes_where_the_game_forbids_it() {
    for form in ["fixed", "adaptive", "verified", "scaled"] {
        assert!(finds(form, "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1", "Rf1", 8), "{form}");
        assert!(finds(form, "1q1k4/2Rr4/8/2Q3K1/8/8/8/8 w - - 0 1", "Kh6", 7), "{form}");
    }
}
