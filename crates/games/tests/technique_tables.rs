//! Techniques that go by a table of cuts or of ranks, in the real search: where the table tells nothing
//! they change nothing, and where it is bold something changes. The others: `technique_wiring.rs`.

#![cfg(feature = "chess")]

mod techniques;

use std::sync::Arc;

use secateur_games::chess::Chess;
use secateur_search::Notation;
use secateur_search::calibrate::cuts::{Cuts, FORMAT, Function, Pair, evaluation_name};
use secateur_search::calibrate::ranks::{Fails, Ranks};
use secateur_search::calibrate::unrest::{self, Kind, Unrest};
use secateur_search::observe::Rule;
use secateur_search::testkit::ranks::the_same_everywhere;

use techniques::{GUESSING, PASSING, POSITIONS, bare_with, engine, search, search_all};

/// What searches to this depth make: values, nodes, and how often the rule was asked and held.
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
    let made = search_all(&bare_with(settings), depth, |engine| {
        if let Some(cuts) = cuts {
            engine.set_cuts(cuts);
        }
        if let Some(ranks) = ranks {
            engine.set_ranks(Arc::clone(ranks));
        }
    });
    let count = made.rules[rule as usize];
    (made.scores, made.nodes, count.tried, count.cut)
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
        c: 0.0,
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
        beyond: 0,
        function: None,
        guess: None,
        end: None,
        unrest: None,
        pairs: (0..2).flat_map(|stage| (1..4).map(move |shallow| pair(stage, shallow))).collect(),
    }
}

#[test]
fn shallow_searches_decide_deep_ones_and_not_where_they_tell_nothing() {
    for place in ["before", "after", "refused"] {
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
fn moves_of_the_root_are_ranked_as_those_below_it() {
    // Of so many plies there is no node but the root.
    let host = [GUESSING, &[("rank_cut", "on"), ("rank_cut.depth", "6")]].concat();
    let never = the_same_everywhere("chess", 0);
    let with = |more: &[(&str, &str)]| {
        run_with(None, Some(&never), &[&host[..], more].concat(), Rule::RankCut, 6)
    };
    let without = run(GUESSING, Rule::RankCut, 6);
    assert_eq!(with(&[]), without);
    let at_root = |more: &[(&str, &str)]| with(&[&[("rank_cut.root", "1")], more].concat());
    let cut = at_root(&[]);
    assert!(cut.3 > 0 && cut.1 < without.1, "{cut:?} {without:?}");
    let remaining = at_root(&[("rank_cut.phases", "1")]);
    let some = 0 < remaining.3 && remaining.3 < cut.3;
    assert!(some, "a good history is a phase of its own at the root too: {remaining:?}");
    // Where nothing is urgent, the best move changes with the depth: it comes out better than it was thought to,
    // and is searched again.
    let position = Chess::start();
    let nodes = |depth: i32, more: &[(&str, &str)]| {
        let least = depth.to_string();
        let on = [("rank_cut", "on"), ("rank_cut.root", "1"), ("rank_cut.depth", &least)];
        let mut engine = engine(&position, bare_with(&[&on[..], more].concat()));
        engine.set_ranks(Arc::clone(&never));
        search(&mut engine, &position, depth).nodes
    };
    let by = |depth: i32, again: &str| {
        nodes(depth, &[("rank_cut.reduction", "3"), ("rank_cut_again", again)])
    };
    assert!((2..=6).any(|depth| by(depth, "on") > by(depth, "off")));
    // Nothing there is noisy: what remains are quiet moves without a good history.
    let remaining =
        |depth: i32, root| nodes(depth, &[("rank_cut.phases", "1"), ("rank_cut.root", root)]);
    assert!((2..=6).any(|depth| remaining(depth, "1") < remaining(depth, "0")));
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
    let found = |forms: &[(&str, &str)]| {
        let mut engine = engine(&position, bare_with(&[]));
        engine.set_cuts(&cuts(20.0));
        let mut found = None;
        for (form, threshold) in forms {
            engine.set_settings(bare_with(&[("probcut", form), ("probcut.threshold", threshold)]));
            found = Some(search(&mut engine, &position, 6).score);
        }
        found
    };
    // What the first search has left in the table is of no use to the second.
    assert_eq!(found(&[("multi", "50"), ("off", "0")]), found(&[("off", "0")]));
}
