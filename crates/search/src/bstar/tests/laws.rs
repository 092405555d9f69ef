use crate::bstar::ahead::simulate;
use crate::bstar::graph::{Graph, NodeId};
use crate::bstar::how::{
    BstarDefenceForm, BstarExpandForm, BstarModel, BstarSeedForm, BstarStepForm,
};
use crate::bstar::{Answer, How, Search, Settled};
use crate::testkit::maze::{Guide, Maze, Room};
use crate::{Game, Line, Outcome, Score};

/// A guide that tells answers too, and no more than it was asked for.
fn guide() -> Guide {
    Guide { answers: true, bounds: true, ..Guide::default() }
}

fn run(seed: u64, how: &How, guide: &mut Guide) -> (Search<Maze>, Answer<u16>) {
    let start = Maze::random(seed, 60, 4, 120);
    let mut search = Search::new(&start, &Line::starting_at(&start), how.clone(), None);
    let answer = search.think(guide, Some(40));
    (search, answer)
}

/// Every form that can be set.
fn forms() -> Vec<(&'static str, How)> {
    let mut forms = vec![("paper", How::default())];
    type Change = fn(&mut How);
    let changes: [(&str, Change); 9] = [
        ("palay", |how| how.main.form = BstarModel::Palay),
        ("bounds", |how| how.main.form = BstarModel::Bounds),
        ("narrow", |how| how.expand.form = BstarExpandForm::Narrow),
        ("seeded", |how| how.seed.form = BstarSeedForm::On),
        ("deeper", |how| (how.step.form, how.step.ply_cost) = (BstarStepForm::Value, 110)),
        ("ahead", |how| how.main.ahead = 4),
        ("defence", |how| how.defence.form = BstarDefenceForm::On),
        ("narrow and defence", |how| {
            how.expand.form = BstarExpandForm::Narrow;
            how.defence.form = BstarDefenceForm::On;
        }),
        ("modern", |how| {
            how.expand.form = BstarExpandForm::Narrow;
            how.seed.form = BstarSeedForm::On;
        }),
    ];
    for (name, change) in changes {
        let mut how = How::default();
        change(&mut how);
        forms.push((name, how));
    }
    forms
}

fn same(a: &Graph, b: &Graph, but_odds: bool) {
    assert_eq!(a.len(), b.len());
    for id in 0..a.len() as NodeId {
        let (mut x, y) = (a.node(id).values.clone(), &b.node(id).values);
        if but_odds {
            (x.odds, x.curve) = (y.odds, y.curve.clone());
        }
        assert_eq!(&x, y, "node {id}");
        assert_eq!(a.node(id).visits, b.node(id).visits);
    }
}

#[test]
fn backed_up_values_are_those_of_a_recomputation() {
    for (name, how) in forms() {
        for seed in 0..20 {
            let (search, answer) = run(seed, &how, &mut guide());
            assert!(answer.expansions > 0, "{name}");
            let mut again = search.graph().clone();
            again.recompute(None);
            // Outside of what VERIFY looked at, probabilities are still those of SELECT.
            same(search.graph(), &again, true);
        }
    }
}

#[test]
fn the_record_makes_the_same_graph_again() {
    for (_, how) in forms() {
        for seed in 0..10 {
            let (search, _) = run(seed, &how, &mut guide());
            let text = serde_json::to_string(search.history()).unwrap();
            let read: crate::bstar::history::History = serde_json::from_str(&text).unwrap();
            assert_eq!(&read, search.history());
            same(search.graph(), &read.replay(None).unwrap(), false);
        }
    }
}

#[test]
fn the_same_search_has_the_same_answer() {
    for (name, how) in forms() {
        for seed in 0..10 {
            let (first, answer) = run(seed, &how, &mut guide());
            let (second, again) = run(seed, &how, &mut guide());
            assert_eq!(answer, again, "{name}");
            assert_eq!(first.history(), second.history(), "{name}");
        }
    }
}

#[test]
fn a_search_stopped_at_any_question_leaves_a_graph_that_is_consistent_and_can_go_on() {
    for (name, how) in forms() {
        let mut whole = guide();
        run(3, &how, &mut whole);
        for limit in 0..whole.asked {
            let mut limited = Guide { limit: Some(limit), ..guide() };
            let (mut search, answer) = run(3, &how, &mut limited);
            assert_eq!(answer.settled, Settled::Stopped, "{name} {limit}");
            assert_eq!(search.graph().len(), search.positions.len());
            for id in 0..search.graph().len() as NodeId {
                assert_eq!(search.position(id).key(), search.graph().node(id).key);
            }
            let mut again = search.graph().clone();
            again.recompute(None);
            same(search.graph(), &again, true);
            let answer = search.think(&mut guide(), Some(40));
            assert!(answer.best.is_some(), "{name} {limit}");
        }
    }
}

#[test]
fn every_form_bites() {
    let forms = forms();
    let ended_early = (0..40).any(|seed| run(seed, &forms[0].1, &mut guide()).1.expansions < 40);
    assert!(ended_early);
    for (name, how) in &forms[1..] {
        let mut asked = false;
        for seed in 0..40 {
            let (a, _) = run(seed, how, &mut guide());
            let (b, _) = run(seed, &forms[0].1, &mut guide());
            asked |= a.history().steps != b.history().steps || a.history().kept.is_some();
        }
        assert!(asked, "{name} changes nothing");
    }
}

#[test]
fn looking_ahead_wastes_some_work_and_finds_the_same_kind_of_answer() {
    let mut all = [0; 3];
    for seed in 0..30 {
        let start = |_| {
            let position = Maze::random(seed, 200, 4, 120);
            let line = Line::starting_at(&position);
            (Search::new(&position, &line, How::default(), None), guide())
        };
        let none = simulate(start, 1, 60);
        assert_eq!((none.wasted, none.same), (0, true));
        let waste = simulate(start, 14, 60);
        all[0] += waste.ahead;
        all[1] += waste.wasted;
        all[2] += u32::from(waste.same);
    }
    assert!(all[1] > 0 && all[1] < all[0] && all[2] > 15, "{all:?}");
}

#[test]
fn a_kept_tree_has_the_values_it_had_and_positions_that_fit() {
    for seed in 0..20 {
        let (mut search, answer) = run(seed, &How::default(), &mut guide());
        let best = answer.best.unwrap();
        let before = Maze::random(seed, 60, 4, 120);
        let after = before.after(best);
        let mut line = Line::starting_at(&before);
        line.play(&before, best, &after);
        let kept = search.graph().find(after.key()).unwrap();
        let wanted = search.graph().node(kept).values.real;
        let size = search.graph().len();
        search.advance(best, &after, &line);
        assert_eq!(search.graph().node(search.root()).values.real, wanted, "{seed}");
        assert!(search.graph().len() <= size);
        for id in 0..search.graph().len() as NodeId {
            assert_eq!(search.position(id).key(), search.graph().node(id).key);
        }
        let answer = search.think(&mut guide(), Some(20));
        assert_eq!(answer.best.is_some(), after.count_moves() > 0);
    }
}

#[test]
fn a_move_that_is_not_in_the_graph_starts_it_anew() {
    let (mut search, _) =
        run(1, &How::default(), &mut Guide { limit: Some(0), ..Guide::default() });
    let before = Maze::random(1, 60, 4, 120);
    let after = before.after(0);
    let mut line = Line::starting_at(&before);
    line.play(&before, 0, &after);
    search.advance(0, &after, &line);
    assert_eq!((search.graph().len(), search.position(0).key()), (1, after.key()));
}

#[test]
fn thinking_ahead_prepares_both_sides_and_comes_home() {
    let mut longest = 0;
    let mut returns = 0;
    for seed in 0..60 {
        let start = Maze::random(seed, 60, 4, 120);
        let mut how = How::default();
        how.main.expansions = 15;
        let mut search = Search::new(&start, &Line::starting_at(&start), how, None);
        let prepared = search.think_ahead(&mut guide(), None, 150);
        assert_eq!(search.position(search.root()).key(), start.key());
        let mut position = start.clone();
        for stage in &prepared {
            assert!(position.unpack(Maze::pack(stage.m)).is_some());
            position.play(stage.m);
            returns += stage.returns;
        }
        longest = longest.max(prepared.len());
    }
    assert!(longest >= 4 && returns > 0, "{longest} {returns}");
}

#[test]
fn pondering_grows_the_expected_tree_and_keeps_what_else_he_may_play() {
    let (mut grown, mut others, mut narrow) = (0, 0, 0);
    for (seed, form) in (0..40).flat_map(|seed| [(seed, false), (seed, true)]) {
        let mut how = How::default();
        how.main.expansions = 10;
        if form {
            how.expand.form = BstarExpandForm::Narrow;
        }
        let (mut search, answer) = run(seed, &how, &mut guide());
        let start = Maze::random(seed, 60, 4, 120);
        let best = answer.best.unwrap();
        let his = start.after(best);
        if his.ended().is_some() || his.count_moves() < 2 {
            continue;
        }
        // Not what he would play by what is known, but the last of his moves.
        let mut moves = Vec::new();
        his.each_move(|m| moves.push(m));
        let expected = moves[moves.len() - 1];
        let ours = his.after(expected);
        let mut line = Line::starting_at(&start);
        line.play(&start, best, &his);
        line.play(&his, expected, &ours);
        let visits = |search: &Search<Maze>| {
            let id = search.graph().find(ours.key());
            id.map_or(0, |id| search.graph().node(id).visits)
        };
        let before = visits(&search);
        let mut limited = Guide { limit: Some(400), ..guide() };
        let made = search.ponder(&mut limited, &ours, &line);
        assert_eq!(search.position(search.root()).key(), his.key(), "{seed}");
        assert!(visits(&search) >= before && (made > 0 || before > 0), "{seed}");
        grown += usize::from(visits(&search) > before);
        narrow += usize::from(form && visits(&search) > before);
        // Whatever he plays instead is there, with what lies below it.
        for m in &moves {
            let played = his.after(*m);
            let mut other = search.clone();
            let mut line = line.before().unwrap();
            line.play(&his, *m, &played);
            other.go_to(&played, &line);
            let root = other.graph().node(other.root());
            assert_eq!(root.key, played.key());
            others += usize::from(*m != expected && root.is_expanded());
        }
        // And what was expected goes on to a decision.
        search.go_to(&ours, &line);
        let answer = search.think(&mut guide(), Some(20));
        assert_eq!(answer.best.is_some(), ours.count_moves() > 0 && ours.ended().is_none());
    }
    assert!(grown > 20 && narrow > 5 && others > 10, "{grown} {narrow} {others}");
}

#[test]
fn pondering_without_what_was_before_begins_at_the_expected_position() {
    let start = Maze::random(4, 60, 4, 120);
    let line = Line::starting_at(&start);
    let other = Maze::random(9, 60, 4, 120);
    let mut search = Search::new(&other, &Line::starting_at(&other), How::default(), None);
    let made = search.ponder(&mut Guide { limit: Some(90), ..guide() }, &start, &line);
    assert_eq!(search.position(search.root()).key(), start.key());
    assert!(made > 0 && search.graph().node(search.root()).is_expanded());
}

pub(super) fn room(second: bool, hope: i32, ways: &[usize]) -> Room {
    Room { second, hopes: [hope, 0], ways: ways.to_vec(), ..Room::default() }
}

#[test]
fn a_mate_is_as_far_away_as_it_is() {
    let mut rooms = vec![
        room(false, 0, &[1, 4]),
        room(true, 5_000, &[2]),
        room(false, 5_000, &[3, 6]),
        room(true, 0, &[]),
        room(true, 50, &[5]),
        room(false, 0, &[6]),
        room(true, 0, &[5]),
    ];
    rooms[3].outcome = Some(Outcome::Loss);
    let start = Maze::new(rooms);
    let mut search = Search::new(&start, &Line::starting_at(&start), How::default(), None);
    let answer = search.think(&mut Guide::default(), None);
    assert_eq!((answer.best, answer.real), (Some(0), Score::mate_in(3)));
    assert_eq!((answer.settled, answer.line), (Settled::Proven, vec![0, 0, 0]));
}

#[test]
fn a_position_that_would_stand_for_the_third_time_in_the_game_is_a_draw() {
    let start = Maze::new(vec![
        room(false, 0, &[1, 3]),
        room(true, 40, &[0, 2]),
        room(false, 0, &[3]),
        room(true, 30, &[2]),
    ]);
    let mut line = Line::starting_at(&start);
    let mut search = Search::new(&start, &line, How::default(), None);
    search.think(&mut Guide::default(), Some(10));
    let mut at = start.clone();
    for _ in 0..4 {
        let key = start.after(0).key();
        let other = search.graph().find(key).unwrap();
        assert_eq!(search.graph().node(other).ending, None);
        let after = at.after(0);
        line.play(&at, 0, &after);
        search.advance(0, &after, &line);
        at = after;
    }
    let other = search.graph().find(start.after(0).key()).unwrap();
    assert_eq!(search.graph().node(other).ending, Some(Score::DRAW));
}
