//! Each technique in the real search: where its claim cannot apply it changes nothing, and where it is
//! bold something changes. What it claims is tested beside its code; here it is whether the search
//! asks it at all.

#![cfg(feature = "chess")]

use std::time::Instant;

use secateur_games::chess::Chess;
use secateur_games::chess::evaluate::Classical;
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::{Engine, Limits};
use secateur_search::observe::{Counters, Rule};
use secateur_search::solve::NoSolver;
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
