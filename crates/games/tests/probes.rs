//! Probes of single moves against plain minimax, and what they promise: no past, no waste, any number
//! of threads.

#![cfg(all(feature = "chess", feature = "othello"))]

use std::time::Instant;

use secateur_games::chess::Chess;
use secateur_games::chess::evaluate::Classical;
use secateur_games::othello::Othello;
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::{Engine, Limits};
use secateur_search::bstar::prober::{Deepened, Deepening};
use secateur_search::bstar::{Probed, Prober, Why};
use secateur_search::observe::Silent;
use secateur_search::optimism::Hopeful;
use secateur_search::random::SplitMix;
use secateur_search::solve::NoSolver;
use secateur_search::testkit::reference;
use secateur_search::{Depth, Evaluator, Game, Line, Notation, Score, Settings, Stopped};

/// A guess drawn from the key: no structure that a search could live on.
#[derive(Clone, Copy)]
struct Drawn;

impl<G: Game> Evaluator<G> for Drawn {
    fn start(&mut self, _: &G) {}
    fn advance(&mut self, _: usize, _: &G, _: G::Move, _: &G) {}
    fn advance_pass(&mut self, _: usize, _: &G) {}
    fn evaluate(&mut self, _: usize, position: &G) -> Score {
        Score::heuristic(SplitMix::new(position.key()).below(401) as i32 - 200)
    }
    fn identity(&self) -> u64 {
        0
    }
}

type Drawing<G> = Engine<G, Drawn, NoSolver>;

/// Nothing that changes the value, and no rule beyond the extra move.
fn oracle<G: Hopeful>(position: &G) -> Drawing<G> {
    let mut engine = Engine::new(position.clone(), || (Drawn, NoSolver, Silent));
    let mut settings = Settings::preset("oracle").unwrap();
    settings.set("optimism", "extra").unwrap();
    engine.set_settings(settings);
    engine
}

fn probed<G: Hopeful, E: Evaluator<G> + 'static>(
    engine: &mut Engine<G, E, NoSolver>,
    position: &G,
    depth: i32,
    limits: &Limits<G::Move>,
) -> Result<Vec<Probed<G::Move>>, Stopped> {
    let control = Control::default();
    let probe = |probes: &mut dyn Prober<G>| probes.probe_all(position, 0, Depth::new(depth), true);
    engine.probing(limits, Instant::now(), &control, |probes| probe(probes)).unwrap()
}

/// What minimax says of each move, and of the same with another move behind it.
fn expected<G: Hopeful>(position: &G, depth: i32) -> Vec<(Score, Option<Score>)> {
    let value = |position: &G| reference::negamax(position, &mut Drawn, Depth::new(depth));
    let of = |m: G::Move| {
        let after = position.after(m);
        let extra = after.pass().map(|passed| value(&passed).relative_to_root(2));
        ((-value(&after)).relative_to_root(1), extra)
    };
    reference::moves(position).into_iter().map(of).collect()
}

const CHESS: [&str; 4] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
];

fn chess(index: usize) -> Chess {
    Chess::read_position(CHESS[index]).unwrap()
}

fn othello(plies: usize) -> Othello {
    let mut random = SplitMix::new(7);
    let mut position = Othello::start();
    for _ in 0..plies {
        let moves = reference::moves(&position);
        position.play(moves[random.below(moves.len())]);
    }
    position
}

fn compare<G: Hopeful + Notation>(position: &G, depth: i32, threads: usize) {
    let mut engine = oracle(position);
    engine.set_threads(threads);
    let found = probed(&mut engine, position, depth, &Limits::default()).unwrap();
    let expected = expected(position, depth);
    assert_eq!(found.len(), expected.len());
    let text = position.write_position();
    for (found, (real, extra)) in found.iter().zip(expected) {
        let m = position.describe_move(found.m);
        assert_eq!(found.real, real, "{m} in {text} at depth {depth}");
        let hope = found.hope.unwrap();
        let why = match extra {
            _ if real.is_proven() => Why::Proven,
            None => Why::NoPass,
            Some(extra) if extra <= real => Why::Worse,
            Some(extra) if extra.is_proven() => Why::MateThreat,
            Some(_) => Why::ExtraMove,
        };
        assert_eq!(hope.why, why, "{m} in {text} at depth {depth}");
        assert!(hope.value >= found.real, "{m} in {text}: {hope:?}");
        if why == Why::ExtraMove {
            assert_eq!(Some(hope.value), extra, "{m} in {text} at depth {depth}");
        }
    }
}

#[test]
fn in_oracle_mode_what_is_real_and_what_is_hoped_for_are_those_of_minimax() {
    for index in 0..CHESS.len() {
        let depth = if index == 0 { 2 } else { 3 };
        (1..=depth).for_each(|depth| compare(&chess(index), depth, 1));
    }
    for plies in [0, 10, 30, 50] {
        compare(&othello(plies), 4, 1);
    }
}

#[test]
fn so_they_are_with_several_threads() {
    for threads in [2, 5] {
        compare(&chess(1), 3, threads);
        compare(&othello(20), 4, threads);
    }
}

#[test]
fn a_question_with_a_bound_is_answered_on_the_right_side() {
    let position = chess(1);
    let depth = Depth::new(3);
    let mut engine = oracle(&position);
    let control = Control::default();
    engine.probing_here(&Limits::default(), Instant::now(), &control, |probes| {
        for (m, (real, extra)) in
            reference::moves(&position).into_iter().zip(expected(&position, 3))
        {
            for bound in [real, real + 1, real - 40, real + 40, -Score::INFINITE, Score::INFINITE] {
                let answer = probes.at_least(&position, m, bound, depth).unwrap();
                assert_eq!(answer >= bound, real >= bound, "{real} against {bound}");
            }
            let Some(extra) = extra.filter(|extra| !extra.is_proven()) else { continue };
            for bound in [extra, extra + 1] {
                let answer = probes.hope_at_least(&position, m, bound, 0, depth).unwrap();
                assert_eq!(answer >= bound, extra >= bound, "extra {extra} against {bound}");
            }
        }
    });
}

#[test]
fn the_best_line_has_the_value_of_minimax() {
    for (position, depth) in [(chess(1), 4), (chess(3), 3)] {
        let expected = reference::negamax(&position, &mut Drawn, Depth::new(depth));
        let mut engine = oracle(&position);
        let control = Control::default();
        let (value, line) = engine
            .probing(&Limits::default(), Instant::now(), &control, |probes| {
                probes.best(&position, Depth::new(depth)).unwrap()
            })
            .unwrap();
        assert_eq!(value, expected);
        let reply = reference::negamax(&position.after(line[0]), &mut Drawn, Depth::new(depth - 1));
        assert_eq!((-reply).relative_to_root(1), expected);
    }
}

/// An engine as it plays.
fn strong(position: &Chess) -> Engine<Chess, Classical, NoSolver> {
    Engine::new(position.clone(), || (Classical::default(), NoSolver, Silent))
}

#[test]
fn one_thread_finds_the_same_every_time() {
    let position = chess(0);
    let run = || probed(&mut strong(&position), &position, 4, &Limits::default()).unwrap();
    assert_eq!(run(), run());
}

#[test]
fn probes_stop_at_any_number_of_nodes_and_never_make_more() {
    let position = chess(0);
    let (mut stopped, mut done) = (0, 0);
    for nodes in (1..300).chain((300..60_000).step_by(1_999)) {
        let mut engine = strong(&position);
        match probed(&mut engine, &position, 2, &Limits::nodes(nodes)) {
            Ok(found) => {
                assert_eq!(found.len(), position.count_moves());
                done += 1;
            }
            Err(Stopped) => stopped += 1,
        }
        let made = engine.node_counters()[0].load(std::sync::atomic::Ordering::Relaxed);
        assert!(made <= nodes, "{made} of {nodes}");
    }
    assert!(stopped > 300 && done > 5, "{stopped} stopped, {done} done");
}

#[test]
fn a_signal_stops_the_probes_of_all_threads() {
    let position = chess(0);
    let mut engine = strong(&position);
    engine.set_threads(3);
    let control = Control::default();
    let found = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(30));
            control.stop();
        });
        engine.probing(&Limits::default(), Instant::now(), &control, |probes| {
            probes.probe_all(&position, 0, Depth::new(60), true)
        })
    });
    assert_eq!(found.unwrap(), Err(Stopped));
}

#[test]
fn the_time_of_a_move_stops_them_too() {
    let position = chess(0);
    let begun = Instant::now();
    let found = probed(&mut strong(&position), &position, 60, &Limits::move_time(40));
    assert_eq!(found, Err(Stopped));
    assert!(begun.elapsed().as_millis() < 2_000, "{:?}", begun.elapsed());
}

#[test]
fn what_the_moves_of_a_game_explain_is_unknown_to_its_probes() {
    // White has the better of it, and has shuffled his rook so that each square counts as a draw.
    let start = Chess::read_position("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1").unwrap();
    let mut position = start.clone();
    let mut line = Line::starting_at(&position);
    for text in "Rb1 Kf8 Ra1 Kg8 Rb1 Kf8 Ra1 Kg8".split_whitespace() {
        let m = position.read_move(text).unwrap();
        let after = position.after(m);
        line.play(&position, m, &after);
        position = after;
    }
    let fresh = probed(&mut strong(&position), &position, 5, &Limits::default()).unwrap();
    let mut engine = strong(&position);
    let control = Control::default();
    engine.search(&position, &line, &Limits::depth(9), Instant::now(), &control, &mut |_| {});
    let values = |found: &[Probed<_>]| found.iter().map(|one| one.real).collect::<Vec<_>>();
    let after = probed(&mut engine, &position, 5, &Limits::default()).unwrap();
    let draws =
        |found: &[Probed<_>]| values(found).iter().filter(|real| **real == Score::DRAW).count();
    assert_eq!(draws(&fresh), draws(&after));
    let rook = |found: &[Probed<_>]| {
        let m = position.read_move("Rb1").unwrap();
        found.iter().find(|one| one.m == m).unwrap().real
    };
    assert!(rook(&after) > Score::heuristic(100), "{}", rook(&after));
}

#[test]
fn hopes_leave_what_is_real_as_it_is() {
    // In oracle mode, so that only what is kept under a wrong key could make a difference.
    let position = chess(1);
    let reals = |hopes: bool| -> Vec<Score> {
        let mut engine = oracle(&position);
        let control = Control::default();
        engine.probing_here(&Limits::default(), Instant::now(), &control, |probes| {
            // Twice: the second finds what the first has left.
            for depth in [2, 3] {
                probes.probe_all(&position, 0, Depth::new(depth), hopes).unwrap();
            }
            let found = probes.probe_all(&position, 0, Depth::new(3), false).unwrap();
            found.iter().map(|one| one.real).collect()
        })
    };
    assert_eq!(reals(true), reals(false));
}

#[test]
fn checks_and_threats_of_mate_are_told_from_other_hopes_and_counted() {
    // Both mate.
    let position = Chess::read_position("6k1/5ppp/8/8/8/8/5PPP/2QR2K1 w - - 0 1").unwrap();
    let mut engine = strong(&position);
    let control = Control::default();
    let (found, counts) =
        engine.probing_here(&Limits::default(), Instant::now(), &control, |probes| {
            (probes.probe_all(&position, 0, Depth::new(3), true).unwrap(), probes.counts())
        });
    let why = |text: &str| {
        let m = position.read_move(text).unwrap();
        found.iter().find(|one| one.m == m).unwrap().hope.unwrap().why
    };
    assert_eq!([why("Rd8#"), why("Qc8+")], [Why::Proven, Why::Proven]);
    assert_eq!(counts.total(), found.len() as u64);
    // The knight gives check; and a second move after a quiet one mates on the back rank.
    let open = Chess::read_position("r5k1/5ppp/8/8/6N1/1Q6/5PPP/6K1 w - - 0 1").unwrap();
    let back = Chess::read_position("6k1/5ppp/8/8/8/8/r4PPP/1Q4K1 w - - 0 1").unwrap();
    for (position, text, why) in [(open, "Nf6+", Why::Check), (back, "h3", Why::MateThreat)] {
        let found = probed(&mut strong(&position), &position, 3, &Limits::default()).unwrap();
        let m = position.read_move(text).unwrap();
        let one = found.iter().find(|one| one.m == m).unwrap();
        assert_eq!(one.hope.unwrap().why, why, "{one:?}");
        assert!(one.hope.unwrap().value > one.real, "{one:?}");
    }
}

#[test]
fn a_question_about_all_other_moves_is_answered_on_the_right_side() {
    let position = chess(1);
    let mut engine = oracle(&position);
    let control = Control::default();
    let reals: Vec<Score> = expected(&position, 2).into_iter().map(|(real, _)| real).collect();
    engine.probing_here(&Limits::default(), Instant::now(), &control, |probes| {
        for (index, first) in reference::moves(&position).into_iter().enumerate() {
            let mut others = reals.clone();
            others.remove(index);
            let best = others.into_iter().max().unwrap();
            for bound in [best - 30, best, best + 1, best + 30] {
                let answer = probes.others_at_least(&position, first, bound, Depth::new(3));
                assert_eq!(answer.unwrap() >= bound, best >= bound, "{best} against {bound}");
            }
        }
    });
}

#[test]
fn what_was_known_shallower_leaves_the_value_of_a_deeper_search_as_it_is() {
    for (position, depth) in [(chess(1), 5), (chess(3), 5)] {
        let expected = reference::negamax(&position, &mut Drawn, Depth::new(depth));
        let mut engine = oracle(&position);
        let mut settings = engine.settings().clone();
        settings.set("aspiration", "on").unwrap();
        settings.set("aspiration.depth", "2").unwrap();
        settings.set("aspiration.width", "4").unwrap();
        engine.set_settings(settings);
        let control = Control::default();
        engine.probing_here(&Limits::default(), Instant::now(), &control, |probes| {
            for plies in [1, 3, depth] {
                let (value, _) = probes.best(&position, Depth::new(plies)).unwrap();
                assert!(plies < depth || value == expected, "{value} instead of {expected}");
            }
        });
    }
}

/// Iterative deepening of a position with nothing before it.
fn deepened(
    probes: &mut impl Prober<Chess>,
    position: &Chess,
    line: &Line<<Chess as Game>::Mark>,
    share: u32,
    first: Option<<Chess as Game>::Move>,
) -> Deepened<<Chess as Game>::Move> {
    let depth = Depth::new(6);
    probes.deepen(&Deepening { position, line, share, depth, first }).unwrap()
}

#[test]
fn iterative_deepening_ends_at_its_share_and_goes_on_from_there() {
    let position = chess(0);
    let line = Line::starting_at(&position);
    let mut engine = strong(&position);
    let control = Control::default();
    let limits = Limits::nodes(60_000);
    engine.probing_here(&limits, Instant::now(), &control, |probes| {
        let first = deepened(probes, &position, &line, 5_000, None);
        assert_eq!(probes.nodes(), 30_000);
        assert!(first.depth > 4 && probes.spends_all(), "{first:?}");
        probes.probe_some(&position, &[first.m()], 0, Depth::new(2), true).unwrap();
        assert!(probes.nodes() > 30_000);
        let second = deepened(probes, &position, &line, 10_000, Some(first.m()));
        assert!(second.depth >= first.depth, "{first:?} {second:?}");
        assert_eq!(probes.nodes(), 60_000);
        let more = probes.probe_some(&position, &[first.m()], 0, Depth::new(2), true);
        assert_eq!(more, Err(Stopped), "everything is spent");
    });
    // With nothing limited it goes to the depth.
    engine.probing_here(&Limits::default(), Instant::now(), &control, |probes| {
        let found = deepened(probes, &position, &line, 5_000, None);
        assert_eq!((found.depth, probes.spends_all()), (6, false));
    });
}

#[test]
fn iterative_deepening_knows_what_has_stood_twice_in_the_game() {
    let start = Chess::read_position("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1").unwrap();
    let mut position = start.clone();
    let mut line = Line::starting_at(&position);
    for text in "Rb1 Kf8 Ra1 Kg8 Rb1 Kf8 Ra1".split_whitespace() {
        let m = position.read_move(text).unwrap();
        let after = position.after(m);
        line.play(&position, m, &after);
        position = after;
    }
    // Black is a rook down, and Kg8 is a draw: the position stood twice.
    let mut engine = strong(&position);
    let control = Control::default();
    engine.probing_here(&Limits::nodes(20_000), Instant::now(), &control, |probes| {
        let found = deepened(probes, &position, &line, 10_000, None);
        assert_eq!(found.m(), position.read_move("Kg8").unwrap());
        assert_eq!(found.real, Score::DRAW);
    });
}
