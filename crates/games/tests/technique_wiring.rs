//! Each technique in the real search: where its claim cannot apply it changes nothing, and where it is
//! bold something changes. What it claims is tested beside its code; here it is whether the search
//! asks it at all. Those that go by a table of cuts or of ranks: `technique_tables.rs`.

#![cfg(feature = "chess")]

mod techniques;

use std::time::Instant;

use secateur_games::chess::Chess;
use secateur_games::chess::evaluate::Classical;
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::{Engine, Limits};
use secateur_search::observe::{NodeKind, Observer, Rule, RuleCount};
use secateur_search::solve::NoSolver;
use secateur_search::{Depth, Line, Notation, Settings};

use techniques::{GUESSING, Made, PASSING, POSITIONS, bare_with, engine, search, search_all};

/// A host that reduces.
const REDUCING: &[(&str, &str)] = &[("late_moves", "on")];

/// A margin beyond any two guesses, a depth and a number beyond all. No user may set it, so the
/// fields are set and not the names.
const FAR: i32 = 50_000;

/// What is set beside the switch.
type Change = fn(&mut Settings);

/// A technique, a form of it, what makes it inert, and what makes it bold.
type Row = (Rule, &'static str, Change, Change);

const AS_IT_IS: Change = |_| ();

/// Every inert technique leaves the tree of the host as it is, and every bold one holds somewhere and
/// changes it.
fn check(depth: i32, host: &[(&str, &str)], rows: &[Row]) {
    let without = search_all(&bare_with(host), depth, |_| {});
    let tree = |made: &Made| (made.scores.clone(), made.nodes);
    for &(rule, form, inert, bold) in rows {
        let with = |change: Change| {
            let mut settings = bare_with(host);
            settings.set(rule.name(), form).unwrap();
            change(&mut settings);
            let made = search_all(&settings, depth, |_| {});
            (made.rules[rule as usize], tree(&made))
        };
        let name = format!("{}={form}", rule.name());
        assert_eq!(without.rules[rule as usize], RuleCount::default(), "{name}: off, and asked");
        let (count, inert) = with(inert);
        assert_eq!(count.cut, 0, "{name} held where it cannot");
        assert_eq!(inert, tree(&without), "{name} is not inert");
        let (count, bold) = with(bold);
        assert!(count.cut > 0, "{name} never held: {} asked", count.tried);
        assert_ne!(bold, tree(&without), "{name} changes nothing");
    }
}

#[test]
fn cuts_of_whole_nodes_are_made_within_their_reach_only() {
    let never: Change = |s| s.null_move.depth = FAR;
    check(
        5,
        GUESSING,
        &[
            (Rule::NullMove, "fixed", never, AS_IT_IS),
            (Rule::NullMove, "adaptive", never, AS_IT_IS),
            (Rule::NullMove, "verified", never, AS_IT_IS),
            (Rule::NullMove, "scaled", never, AS_IT_IS),
            (
                Rule::ReverseFutility,
                "on",
                |s| (s.reverse_futility.margin, s.reverse_futility.improving) = (FAR, 0),
                |s| s.reverse_futility.margin = 10,
            ),
            (Rule::Razoring, "on", |s| s.razoring.base = FAR, |s| s.razoring.base = 50),
            // So far above a guess no capture leads, and nothing in the table.
            (
                Rule::CaptureCut,
                "on",
                |s| (s.capture_cut.margin, s.capture_cut.table_margin) = (5_000, FAR),
                |s| (s.capture_cut.depth, s.capture_cut.margin) = (3, 50),
            ),
            (
                Rule::MaterialCut,
                "on",
                |s| s.material_cut.deficit = FAR,
                |s| {
                    (s.material_cut.depth, s.material_cut.deficit) = (2, 50);
                    s.material_cut.compensation = 500;
                },
            ),
            (
                Rule::MultiCut,
                "on",
                |s| s.multi_cut.depth = FAR,
                |s| (s.multi_cut.depth, s.multi_cut.cuts) = (3, 1),
            ),
        ],
    );
}

#[test]
fn depth_is_taken_and_given_within_reach_only() {
    let far: Change = |s| s.singular.depth = FAR;
    let near: Change = |s| s.singular.depth = 4;
    // Two plies more for so many moves would make the tree of the first form twenty times as large.
    let once: Change = |s| (s.singular.depth, s.singular.double, s.singular.triple) = (4, FAR, FAR);
    check(
        5,
        GUESSING,
        &[
            (
                Rule::LimitedRazoring,
                "on",
                |s| s.limited_razoring.margin = FAR,
                |s| s.limited_razoring.margin = 300,
            ),
            (Rule::LateMoves, "on", |s| s.late_moves.after = FAR, AS_IT_IS),
            (Rule::Singular, "on", far, once),
            (Rule::Singular, "principal", far, near),
            (Rule::Singular, "fail_high", far, near),
            (Rule::Singular, "brothers", far, near),
        ],
    );
    // Of so short a search most nodes have a move from the iteration before.
    check(
        6,
        PASSING,
        &[
            (
                Rule::InternalReduction,
                "on",
                |s| s.internal_reduction.depth = FAR,
                |s| s.internal_reduction.depth = 2,
            ),
            (
                Rule::InternalDeepening,
                "on",
                |s| s.internal_deepening.depth = FAR,
                |s| (s.internal_deepening.depth, s.internal_deepening.less) = (2, 1),
            ),
        ],
    );
}

#[test]
fn hindsight_needs_a_reduction_that_was_large_enough() {
    let never: Change = |s| (s.hindsight.deeper, s.hindsight.shallower) = (FAR, FAR);
    check(
        6,
        REDUCING,
        &[
            (Rule::Hindsight, "on", never, |s| {
                (s.hindsight.deeper, s.hindsight.shallower) = (1, FAR);
            }),
            (Rule::Hindsight, "on", never, |s| {
                (s.hindsight.deeper, s.hindsight.shallower, s.hindsight.lead) = (FAR, 1, 0);
            }),
        ],
    );
}

#[test]
fn moves_are_left_out_within_reach_only() {
    let wide: Change = |s| s.plausible.moves = FAR;
    let narrow: Change = |s| s.plausible.moves = 4;
    let no_futility: Change = |s| (s.futility.base, s.futility.noisy_base) = (FAR, FAR);
    let no_frontier: Change =
        |s| (s.frontier_futility.margin, s.frontier_futility.extended) = (FAR, FAR);
    check(
        5,
        GUESSING,
        &[
            (Rule::LatePruning, "on", |s| s.late_pruning.base = FAR, |s| s.late_pruning.base = 1),
            (
                Rule::HistoryPruning,
                "on",
                |s| s.history_pruning.margin = 2 * FAR,
                |s| s.history_pruning.margin = 500,
            ),
            // Quiet moves alone, then captures alone.
            (Rule::Futility, "on", no_futility, |s| s.futility.noisy_base = FAR),
            (Rule::Futility, "on", no_futility, |s| s.futility.base = FAR),
            (Rule::FrontierFutility, "frontier", no_frontier, |s| s.frontier_futility.margin = 50),
            (Rule::FrontierFutility, "extended", no_frontier, |s| {
                (s.frontier_futility.margin, s.frontier_futility.extended) = (FAR, 100);
            }),
            // Without a margin that would do: with no depth left, nothing may be lost.
            (Rule::ExchangePruning, "on", |s| s.exchange_pruning.depth = 0, AS_IT_IS),
            (Rule::Plausible, "everywhere", wide, narrow),
            (Rule::Plausible, "staged", wide, narrow),
            (Rule::Delta, "on", |s| s.delta.margin = FAR, |s| s.delta.margin = 20),
        ],
    );
}

#[test]
fn every_extension_holds_somewhere_and_changes_the_tree() {
    check(
        5,
        GUESSING,
        &[
            (Rule::CheckExtension, "on", |s| s.check_extension.depth = FAR, AS_IT_IS),
            (Rule::CheckExtension, "all", |s| s.check_extension.depth = FAR, AS_IT_IS),
            (
                Rule::RecaptureExtension,
                "principal",
                |s| s.recapture_extension.depth = FAR,
                AS_IT_IS,
            ),
            (Rule::RecaptureExtension, "on", |s| s.recapture_extension.depth = FAR, AS_IT_IS),
            (Rule::PassedExtension, "on", |s| s.passed_extension.depth = FAR, AS_IT_IS),
            (Rule::ForcedExtension, "on", |s| s.forced_extension.depth = FAR, AS_IT_IS),
        ],
    );
    check(
        6,
        PASSING,
        &[
            (Rule::ThreatExtension, "on", |s| s.threat_extension.depth = FAR, AS_IT_IS),
            (Rule::EvasiveExtension, "on", |s| s.evasive_extension.depth = FAR, AS_IT_IS),
        ],
    );
}

/// How far the longest line reaches, and what is left of its depth there.
#[derive(Clone, Debug, Default)]
struct Longest(i32);

impl Observer for Longest {
    fn left_node(&mut self, _kind: NodeKind, depth: Depth, ply: usize, _count: usize) {
        self.0 = self.0.max(ply as i32 + depth.plies());
    }
}

/// Everything that lengthens lines at its boldest: extensions add no more than the iteration has (Marsland
/// and Bjornsson, 2000), so that no line explodes.
#[test]
fn no_line_grows_beyond_twice_its_iteration() {
    let mut settings = bare_with(GUESSING);
    for (name, form) in [
        ("singular", "on"),
        ("singular.depth", "3"),
        ("singular.double", "0"),
        ("check_extension", "all"),
        ("recapture_extension", "on"),
        ("passed_extension", "on"),
        ("forced_extension", "on"),
        ("late_moves", "on"),
        ("late_moves.deeper", "0"),
    ] {
        settings.set(name, form).unwrap();
    }
    for fen in POSITIONS {
        let position = Chess::read_position(fen).unwrap();
        let mut engine =
            Engine::new(position.clone(), || (Classical::default(), NoSolver, Longest::default()));
        engine.set_settings(settings.clone());
        let (line, control) = (Line::starting_at(&position), Control::default());
        engine.search(&position, &line, &Limits::depth(5), Instant::now(), &control, &mut |_| {});
        let longest = engine.observers().next().unwrap().0;
        assert!(longest > 5, "{fen}: nothing was extended");
        assert!(longest <= 10, "{fen}: {longest}");
    }
}

/// A technique asks again within its own searches; what they make is counted once.
#[test]
fn no_technique_has_made_more_nodes_than_the_search() {
    for preset in ["modern", "classic"] {
        let settings = Settings::preset(preset).unwrap();
        let made = search_all(&settings, if preset == "modern" { 9 } else { 6 }, |_| {});
        for rule in Rule::ALL {
            let nodes = made.rules[rule as usize].nodes;
            assert!(nodes <= made.nodes, "{}: {nodes} of {}", rule.name(), made.nodes);
        }
        assert!(made.rules[Rule::NullMove as usize].nodes > 0);
    }
}

/// Black attacks the rook, which takes a pawn and is safe: a pass would lose it, but the capture is not to
/// be judged by that.
#[test]
fn in_beals_form_a_capture_may_meet_the_threat() {
    let position = Chess::read_position("6k1/3p1ppp/4p3/8/3R4/8/5PPP/6K1 b - - 0 1").unwrap();
    let value = |delta: &str| {
        let settings = bare_with(&[("quiescence", "beal"), ("delta", delta)]);
        search(&mut engine(&position, settings), &position, 1).score
    };
    assert_eq!(value("on"), value("off"));
}

/// What the bare preset with these on top makes.
fn run(settings: &[(&str, &str)], depth: i32) -> Made {
    search_all(&bare_with(settings), depth, |_| {})
}

#[test]
fn a_move_that_stands_out_further_is_searched_deeper_still() {
    let nodes = |number: usize, double, triple, less| {
        let position = Chess::read_position(POSITIONS[number]).unwrap();
        let mut settings = bare_with(&[GUESSING, &[("singular", "on")]].concat());
        let how = &mut settings.singular;
        (how.depth, how.double, how.triple, how.less) = (4, double, triple, less);
        search(&mut engine(&position, settings), &position, 7).nodes
    };
    let (once, twice, thrice) = (nodes(2, FAR, FAR, 2), nodes(2, 0, FAR, 2), nodes(2, 0, 0, 2));
    assert!(once < twice && twice < thrice, "{once} {twice} {thrice}");
    assert_ne!(nodes(3, FAR, FAR, 2), nodes(3, FAR, FAR, 0), "one of several, less deep");
}

#[test]
fn adaptive_null_move_is_fixed_null_move_below_its_bound() {
    let fixed = run(PASSING, 7);
    let adaptive = |far| {
        let form =
            [("null_move", "adaptive"), ("null_move.far", far), ("null_move.far_ending", far)];
        run(&[PASSING, &form].concat(), 7)
    };
    assert_eq!(adaptive("20"), fixed);
    assert_ne!(adaptive("4"), fixed);
}

#[test]
fn the_threat_behind_a_failed_pass_changes_the_order() {
    let by = |bonus| run(&[PASSING, &[("order.threat", bonus)]].concat(), 6).nodes;
    assert_ne!(by("0"), by("8000"));
}

#[test]
fn parts_of_a_ply_add_up_down_the_line() {
    let by =
        |amount| run(&[("check_extension", "on"), ("check_extension.amount", amount)], 6).nodes;
    let (whole, half, none) = (by("100"), by("50"), run(&[], 6).nodes);
    assert!(none < half && half < whole, "{none} {half} {whole}");
}

#[test]
fn quiescence_has_four_forms_and_they_differ() {
    let nodes = |settings: &[(&str, &str)]| run(&[GUESSING, settings].concat(), 5).nodes;
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
fn what_says_how_far_to_search_and_what_a_guess_is_worth_is_counted() {
    let count = |settings: &[(&str, &str)], rule: Rule| run(settings, 5).rules[rule as usize];
    let standing = |form| count(&[("quiescence", form)], Rule::Quiescence);
    assert_eq!(standing("off"), RuleCount::default());
    let captures = standing("captures");
    assert!(captures.cut > 0 && captures.cut < captures.tried && captures.nodes == 0);
    // In Beal's form it is the pass before it that costs nodes.
    assert!(standing("beal").nodes > 0);
    // Two plies beyond the horizon all captures but those that take back are left out.
    let tapered = [("quiescence", "tapered"), ("quiescence.wide", "0"), ("quiescence.narrow", "1")];
    assert!(count(&tapered, Rule::Quiescence).cut > captures.cut);

    let correction = |form| count(&[PASSING, &[("correction", form)]].concat(), Rule::Correction);
    assert_eq!(correction("off"), RuleCount::default());
    let on = correction("on");
    assert!(on.cut > 0 && on.cut < on.tried, "{on:?}");
}

#[test]
fn in_an_ending_iterations_go_on_until_the_nodes_are_made() {
    let depth_of = |fen: &str, form: &str| {
        let position = Chess::read_position(fen).unwrap();
        let settings = bare_with(&[("endings", form), ("endings.nodes", "20")]);
        let mut engine = engine(&position, settings);
        let depth = search(&mut engine, &position, 4).depth.plies();
        let counted = engine.observers().next().unwrap().rules[Rule::Endings as usize];
        assert_eq!(counted.cut, depth as u64 - 4, "iterations beyond the depth are counted");
        depth
    };
    assert_eq!(depth_of(POSITIONS[2], "off"), 4);
    assert!(depth_of(POSITIONS[2], "nodes") > 4, "an ending");
    assert_eq!(depth_of(POSITIONS[1], "nodes"), 4, "no ending");
}

/// Whether a search to this depth finds the move, in the preset of the papers' host.
fn finds(form: &str, fen: &str, best: &str, depth: i32) -> bool {
    let position = Chess::read_position(fen).unwrap();
    let mut settings = Settings::preset("classic").unwrap();
    settings.set("null_move", form).unwrap();
    settings.set("null_move.reduction", "3").unwrap();
    let answer = search(&mut engine(&position, settings), &position, depth);
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

/// The queen is given for a king that has no move and a queen that must not move: found at once
/// without passing, and by verified passes some plies later.
#[test]
fn verified_null_move_finds_a_sacrifice_for_zugzwang_in_the_end() {
    let fen = "8/6B1/p5p1/Pp4kp/1P5r/5P1Q/4q1PK/8 w - - 0 32";
    assert!(finds("off", fen, "Qxh4+", 6));
    assert!(!finds("verified", fen, "Qxh4+", 6));
    assert!(finds("verified", fen, "Qxh4+", 12));
    assert!(!finds("fixed", fen, "Qxh4+", 12));
}

/// The zugzwang behind g5 in `7k/5K2/5P1p/3p4/6P1/3p4/8/8 w`, twelve plies later: Black can move nothing
/// but a pawn, again and again, and who passes believes that he could too; verified and scaled passes do so
/// as well at this depth, which is a limit and not a promise. That g5 itself wins shows too late for a test:
/// preset `modern` sees it 33 plies deep.
#[test]
fn passing_hides_a_zugzwang_that_comes_again() {
    let fen = "8/5K2/7k/3p1Qpq/8/8/8/8 w - - 0 1";
    assert!(finds("off", fen, "Kf6", 8));
    assert!(!finds("fixed", fen, "Kf6", 8));
}

/// Positions of zugzwang at the root or near it.
#[test]
fn every_form_of_null_move_sees_a_zugzwang_that_is_near() {
    for form in ["fixed", "adaptive", "verified", "scaled"] {
        assert!(finds(form, "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1", "Rf1", 8), "{form}");
        assert!(finds(form, "1q1k4/2Rr4/8/2Q3K1/8/8/8/8 w - - 0 1", "Kh6", 7), "{form}");
    }
}
