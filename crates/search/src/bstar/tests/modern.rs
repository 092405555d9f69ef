//! The forms beyond the paper: what each asks, what it must not believe, and when it may overrule.

use super::laws::room;
use crate::bstar::graph::{Graph, NodeId};
use crate::bstar::how::{BstarDefenceForm, BstarExpandForm, BstarSeedForm};
use crate::bstar::prober::{Deepened, Deepening};
use crate::bstar::step::{Child, RestOf, Step};
use crate::bstar::values::absolute;
use crate::bstar::{Answer, Hope, How, Part, Probed, Prober, Search, Settled};
use crate::testkit::maze::{Guide, Maze};
use crate::{Depth, Game, Line, Outcome, Player, Score, Stopped};

fn narrow() -> How {
    let mut how = How::default();
    how.expand.form = BstarExpandForm::Narrow;
    how
}

fn seeded() -> How {
    let mut how = narrow();
    how.seed.form = BstarSeedForm::On;
    how
}

/// As the engine's own probes: told no more than was asked for.
fn guide() -> Guide {
    Guide { answers: true, bounds: true, ..Guide::default() }
}

fn think<P: Prober<Maze>>(start: &Maze, how: How, prober: &mut P) -> (Search<Maze>, Answer<u16>) {
    let mut search = Search::new(start, &Line::starting_at(start), how, None);
    let answer = search.think(prober, Some(40));
    (search, answer)
}

/// A guide that has its own opinion of deep questions, and remembers where it was asked for hopes.
#[derive(Default)]
struct Stubborn {
    guide: Guide,
    /// What it says of a move when asked this deep or deeper.
    deep: Option<(u16, i32, Score)>,
    /// What iterative deepening is said to have found, at first and later.
    found: Vec<(u16, Score)>,
    deepened: usize,
    /// The moves that it was told to begin with.
    first: Vec<Option<u16>>,
    /// Whether what is left goes back to it.
    spends: bool,
    farthest: usize,
}

impl Prober<Maze> for Stubborn {
    fn probe_some(
        &mut self,
        position: &Maze,
        moves: &[u16],
        from_root: usize,
        depth: Depth,
        hopes: bool,
    ) -> Result<Vec<Probed<u16>>, Stopped> {
        self.guide.probe_some(position, moves, from_root, depth, hopes)
    }
    fn hope(
        &mut self,
        position: &Maze,
        probed: &Probed<u16>,
        from_root: usize,
        depth: Depth,
    ) -> Result<Hope, Stopped> {
        self.guide.hope(position, probed, from_root, depth)
    }
    fn best(&mut self, position: &Maze, depth: Depth) -> Result<(Score, Vec<u16>), Stopped> {
        self.guide.best(position, depth)
    }
    fn at_least(
        &mut self,
        position: &Maze,
        m: u16,
        bound: Score,
        depth: Depth,
    ) -> Result<Score, Stopped> {
        match self.deep {
            Some((of, plies, score)) if of == m && depth.plies() >= plies => Ok(score),
            _ => self.guide.at_least(position, m, bound, depth),
        }
    }
    fn hope_at_least(
        &mut self,
        position: &Maze,
        m: u16,
        bound: Score,
        from_root: usize,
        depth: Depth,
    ) -> Result<Score, Stopped> {
        self.farthest = self.farthest.max(from_root);
        self.guide.hope_at_least(position, m, bound, from_root, depth)
    }
    fn deepen(&mut self, ask: &Deepening<'_, Maze>) -> Option<Deepened<u16>> {
        self.first.push(ask.first);
        let at = self.deepened.min(self.found.len().checked_sub(1)?);
        self.deepened += 1;
        let (m, real) = self.found[at];
        Some(Deepened { line: vec![m], real, depth: ask.depth.plies() })
    }
    fn nodes(&self) -> u64 {
        self.guide.asked
    }
    fn spends_all(&self) -> bool {
        self.spends
    }
}

#[test]
fn a_kept_narrow_root_is_opened_before_its_moves_are_compared() {
    let mut opened = 0;
    for seed in 0..60 {
        let before = Maze::random(seed, 60, 6, 120);
        let (mut search, answer) = think(&before, narrow(), &mut guide());
        let best = answer.best.unwrap();
        let after = before.after(best);
        let mut line = Line::starting_at(&before);
        line.play(&before, best, &after);
        search.advance(best, &after, &line);
        if search.graph().node(search.root()).rest.is_none() {
            continue;
        }
        opened += 1;
        let answer = search.think(&mut guide(), Some(20));
        let root = search.graph().node(search.root());
        assert_eq!((root.edges.len(), &root.rest), (after.count_moves(), &None), "{seed}");
        assert!(answer.expansions > 0, "{seed}: played without a look");
    }
    assert!(opened > 5, "{opened}");
}

#[test]
fn no_bound_stands_as_a_value() {
    let mut known = 0;
    for (seed, how) in (0..40).flat_map(|seed| [(seed, narrow()), (seed, seeded())]) {
        let (search, _) = think(&Maze::random(seed, 60, 6, 120), how, &mut guide());
        let graph = search.graph();
        for id in 0..graph.len() as NodeId {
            let position = search.position(id);
            for edge in &graph.node(id).edges {
                let child = graph.node(edge.child);
                let m = position.unpack(edge.m).unwrap();
                let exact = Guide::default().probe_some(position, &[m], 0, Depth::new(1), false);
                let real = absolute(position.turn(), exact.unwrap()[0].real).relative_to_node(1);
                assert_eq!(child.own.real, real, "{seed}");
                known += 1;
            }
        }
    }
    assert!(known > 500, "{known}");
}

/// The opponent has a reply that looks bad and hopes for much; the other move of the root is steady.
fn with_a_hidden_reply() -> Maze {
    let mut rooms = vec![
        room(false, 0, &[1, 2]),
        room(true, 60, &[3, 4]),
        room(true, 45, &[5]),
        room(false, 60, &[6]),
        room(false, 260, &[7]),
        room(false, 45, &[6]),
        room(true, 60, &[5]),
        room(true, -400, &[5]),
    ];
    for (at, real, hope) in [
        (1, 50, 50),
        (2, 40, 40),
        (3, 50, 45),
        (4, 250, -500),
        (5, 40, 40),
        (6, 50, 50),
        (7, -400, -400),
    ] {
        (rooms[at].real, rooms[at].hopes[1]) = (real, hope);
    }
    Maze::new(rooms)
}

#[test]
fn verify_sees_the_replies_that_were_not_worth_a_node() {
    let start = with_a_hidden_reply();
    let (search, answer) = think(&start, narrow(), &mut guide());
    let reply = search.graph().find(start.after(0).key()).unwrap();
    let node = search.graph().node(reply);
    assert_eq!((node.edges.len(), &node.rest), (2, &None), "the hope was not asked for");
    assert_eq!(answer.best, Some(1), "it loses to that reply");
}

#[test]
fn moves_that_were_not_probed_are_one_reply_with_the_inherited_hope() {
    let (root, reply) = (1, 2);
    let child = |m, key, real: i32, hope: Option<i32>| Child {
        m,
        reply: 0,
        key,
        ending: None,
        real: Score::heuristic(real).to_bits(),
        hope: hope.map(|hope| Score::heuristic(hope).to_bits()),
        depth: 3,
        kind: 0,
    };
    let aim = crate::bstar::aim::Aim::new(&How::default(), None);
    let mut graph = Graph::new(root, Player::First, aim, 24);
    graph.apply(&Step::Aim { first: true, target: 50.0, below: None });
    let children = vec![child(1, reply, 10, Some(90))];
    graph.apply(&Step::Expand { node: 0, children, rest: None, hopes: true });
    assert_eq!(graph.node(1).values.odds, 0.5);
    let rest = RestOf { moves: vec![2, 3], real: Score::heuristic(30).to_bits(), hope: None };
    let children = vec![child(1, 3, 10, None)];
    graph.apply(&Step::Expand { node: 1, children, rest: Some(rest), hopes: false });
    // Half for the reply that was probed, and (90 - 50) / (90 - 30) for the others together.
    assert!((graph.node(1).values.odds - 0.5 * 40.0 / 60.0).abs() < 1e-12);
}

#[test]
fn a_deeper_probe_by_another_way_replaces_what_was_known() {
    let child = |key, real: i32, depth| Child {
        m: 1,
        reply: 0,
        key,
        ending: None,
        real: Score::heuristic(real).to_bits(),
        hope: None,
        depth,
        kind: 0,
    };
    let aim = crate::bstar::aim::Aim::new(&How::default(), None);
    let mut graph = Graph::new(1, Player::First, aim, 24);
    let expand =
        |node, child| Step::Expand { node, children: vec![child], rest: None, hopes: false };
    let other = Child { m: 2, ..child(3, 5, 3) };
    let both = vec![child(2, 10, 3), other];
    graph.apply(&Step::Expand { node: 0, children: both, rest: None, hopes: false });
    graph.apply(&expand(1, child(4, 20, 3)));
    graph.apply(&expand(2, child(4, 70, 2)));
    assert_eq!(graph.node(3).own.real, Score::heuristic(20), "not by a shallower one");
    let again = Child { m: 2, ..child(4, 80, 5) };
    graph.apply(&Step::Widen { node: 2, children: vec![again], rest: None });
    assert_eq!((graph.node(3).own.real, graph.node(3).own.depth), (Score::heuristic(80), 5));
}

#[test]
fn where_expansions_are_narrow_a_defence_gets_nodes_of_its_own() {
    let mut defended = narrow();
    defended.defence.form = BstarDefenceForm::On;
    // So that only what is added can make a difference.
    defended.defence.every = 20;
    let edges = |how: &How, seed| {
        let (search, _) = think(&Maze::random(seed, 60, 6, 120), how.clone(), &mut guide());
        let wider = |step: &Step| match step {
            Step::Expand { children, rest, .. } => children.len() * usize::from(rest.is_some()),
            _ => 0,
        };
        search.history().steps.iter().map(wider).sum::<usize>()
    };
    let added = (0..40).filter(|seed| edges(&defended, *seed) > edges(&narrow(), *seed)).count();
    assert!(added > 5, "{added}");
}

#[test]
fn hopes_far_from_the_root_are_asked_as_such() {
    let mut prober = Stubborn { guide: guide(), ..Stubborn::default() };
    for seed in 0..10 {
        think(&Maze::random(seed, 60, 6, 120), narrow(), &mut prober);
    }
    assert!(prober.farthest > 1, "{}", prober.farthest);
}

/// Two moves of the root with a single line each, for what they are worth at first and in the end.
fn two_lines(values: [[i32; 3]; 2]) -> Maze {
    let mut rooms = vec![room(false, 0, &[1, 4])];
    for (line, worth) in values.iter().enumerate() {
        for (ply, real) in worth.iter().enumerate() {
            let at = 1 + 3 * line + ply;
            let next = if ply < 2 { at + 1 } else { at - 1 };
            let mut made = room(ply % 2 == 0, *real, &[next]);
            (made.real, made.hopes) = (*real, [real + 30, *real]);
            rooms.push(made);
        }
    }
    Maze::new(rooms)
}

#[test]
fn another_move_is_played_only_after_a_deeper_search_agrees() {
    let start = two_lines([[40, 40, 40], [10, 10, 10]]);
    let found = vec![(1, Score::heuristic(10))];
    let mut honest = Stubborn { guide: guide(), found: found.clone(), ..Stubborn::default() };
    let (search, answer) = think(&start, seeded(), &mut honest);
    assert_eq!((answer.best, answer.part), (Some(0), Part::Overruled));
    assert_eq!((answer.settled, answer.real), (Settled::Withstood, Score::heuristic(40)));
    assert_eq!(search.history().part, Some(Part::Overruled));
    // The search a ply deeper than the seed's says that it is worth less.
    let deep = How::default().main.probe + 1 + How::default().seed.deeper;
    let low = Some((0, deep, Score::heuristic(20)));
    let mut other = Stubborn { guide: guide(), found, deep: low, ..Stubborn::default() };
    let (_, answer) = think(&start, seeded(), &mut other);
    assert_eq!((answer.best, answer.part), (Some(1), Part::Confirmed));
    assert_eq!(answer.real, Score::heuristic(10));
}

#[test]
fn a_move_that_is_better_by_less_than_the_margin_is_not_played() {
    let start = two_lines([[24, 24, 24], [10, 10, 10]]);
    let found = vec![(1, Score::heuristic(10))];
    let mut prober = Stubborn { guide: guide(), found, ..Stubborn::default() };
    let (_, answer) = think(&start, seeded(), &mut prober);
    assert_eq!((answer.best, answer.part), (Some(1), Part::Confirmed));
}

#[test]
fn a_seed_that_verify_refutes_is_demoted_if_a_deeper_search_agrees() {
    // The first move looks best, and the reply to it is bad.
    let start = two_lines([[40, -60, -60], [30, 30, 30]]);
    let found = vec![(0, Score::heuristic(40)), (1, Score::heuristic(30))];
    let probe = How::default().main.probe;
    let doubt = Some((0, probe + 1, Score::heuristic(-60)));
    let mut prober =
        Stubborn { guide: guide(), found: found.clone(), deep: doubt, ..Stubborn::default() };
    let (_, answer) = think(&start, seeded(), &mut prober);
    assert_eq!((answer.best, answer.part), (Some(1), Part::Overruled));
    assert_eq!(prober.first, [None, Some(1)], "it goes on with the other before the move");
    // A deeper search that does not agree keeps it.
    let mut calm = Stubborn { guide: guide(), found, ..Stubborn::default() };
    let (_, answer) = think(&start, seeded(), &mut calm);
    assert_eq!((answer.best, answer.part), (Some(0), Part::Confirmed));
    assert_eq!(calm.first, [None]);
}

#[test]
fn iterative_deepening_goes_on_with_the_move_that_b_star_would_play() {
    let start = two_lines([[40, 40, 40], [10, 10, 10]]);
    let seed = (1, Score::heuristic(10));
    let play = |then: (u16, i32)| {
        let found = vec![seed, (then.0, Score::heuristic(then.1))];
        let mut prober = Stubborn { guide: guide(), found, spends: true, ..Stubborn::default() };
        let (_, answer) = think(&start, seeded(), &mut prober);
        assert_eq!(prober.first, [None, Some(0)]);
        (answer.best, answer.part, answer.real)
    };
    assert_eq!(play((0, 45)), (Some(0), Part::Overruled, Score::heuristic(45)));
    assert_eq!(play((1, 50)), (Some(1), Part::Confirmed, Score::heuristic(50)));
    // Where B* leaves the move standing it is first already.
    let found = vec![(0, Score::heuristic(40)), (1, Score::heuristic(60))];
    let mut prober = Stubborn { guide: guide(), found, spends: true, ..Stubborn::default() };
    let (_, answer) = think(&start, seeded(), &mut prober);
    assert_eq!(prober.first, [None, None]);
    assert_eq!((answer.best, answer.part), (Some(1), Part::Superseded));
}

#[test]
fn a_proven_win_is_played_whatever_the_seed_was() {
    let mut rooms = vec![
        room(false, 0, &[1, 4]),
        room(true, 5_000, &[2]),
        room(false, 5_000, &[3, 6]),
        room(true, 0, &[]),
        room(true, 50, &[5]),
        room(false, 50, &[6]),
        room(true, 50, &[5]),
    ];
    rooms[3].outcome = Some(Outcome::Loss);
    (rooms[4].real, rooms[5].real, rooms[6].real) = (30, 30, 30);
    let start = Maze::new(rooms);
    let found = vec![(1, Score::heuristic(30))];
    let mut prober = Stubborn { guide: guide(), found, ..Stubborn::default() };
    let (_, answer) = think(&start, seeded(), &mut prober);
    assert_eq!((answer.best, answer.settled), (Some(0), Settled::Proven));
    assert_eq!((answer.real, answer.part), (Score::mate_in(3), Part::Overruled));
}

#[test]
fn a_seed_that_the_game_so_far_makes_a_draw_is_worth_a_draw() {
    let mut rooms = vec![
        room(false, 0, &[1, 3]),
        room(true, 90, &[0, 2]),
        room(false, 90, &[3]),
        room(true, 40, &[2]),
    ];
    (rooms[1].real, rooms[2].real, rooms[3].real) = (90, 40, 40);
    for room in &mut rooms {
        room.hopes[1] = room.real;
    }
    let start = Maze::new(rooms);
    let mut line = Line::starting_at(&start);
    let mut at = start.clone();
    for _ in 0..4 {
        let after = at.after(0);
        line.play(&at, 0, &after);
        at = after;
    }
    let found = vec![(0, Score::heuristic(90))];
    let mut prober = Stubborn { guide: guide(), found, ..Stubborn::default() };
    let mut search = Search::new(&at, &line, seeded(), None);
    let answer = search.think(&mut prober, Some(40));
    assert_eq!((answer.best, answer.part), (Some(1), Part::Overruled));
    assert_eq!(answer.real, Score::heuristic(40));
}

#[test]
fn the_seeds_move_always_has_a_node_and_the_others_one_or_a_bound() {
    let mut left_out = 0;
    for seed in 0..60 {
        let start = Maze::random(seed, 60, 6, 120);
        if start.count_moves() < 2 {
            continue;
        }
        let worst = start.count_moves() as u16 - 1;
        let found = vec![(start.unpack(Maze::pack(worst)).unwrap_or(0), Score::heuristic(500))];
        let wanted = found[0].0;
        let mut prober = Stubborn { guide: guide(), found, ..Stubborn::default() };
        let (search, answer) = think(&start, seeded(), &mut prober);
        let root = search.graph().node(search.root());
        assert!(root.edges.iter().any(|edge| edge.m == Maze::pack(wanted)), "{seed}");
        let rest = root.rest.as_ref().map_or(0, |rest| rest.moves.len());
        assert_eq!(root.edges.len() + rest, start.count_moves(), "{seed}");
        left_out += rest;
        assert_ne!(answer.part, Part::Alone);
    }
    assert!(left_out > 10, "{left_out}");
}

#[test]
fn a_seed_on_which_b_star_came_to_no_end_stands_and_is_not_counted_as_decided() {
    let start = two_lines([[40, 40, 40], [10, 10, 10]]);
    let found = vec![(0, Score::heuristic(7))];
    let limited = Guide { limit: Some(1), ..guide() };
    let mut prober = Stubborn { guide: limited, found, ..Stubborn::default() };
    let (_, answer) = think(&start, seeded(), &mut prober);
    assert_eq!((answer.best, answer.part), (Some(0), Part::Unfinished));
    assert_eq!((answer.settled, answer.part.decides()), (Settled::Stopped, false));
}
