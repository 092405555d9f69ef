//! The search of the product against plain minimax, on real positions.

#![cfg(all(feature = "chess", feature = "othello"))]

use std::time::Instant;

use secateur_games::chess::Chess;
use secateur_games::othello::Othello;
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::{Answer, Engine, Limits};
use secateur_search::observe::Silent;
use secateur_search::optimism::Hopeful;
use secateur_search::random::SplitMix;
use secateur_search::solve::NoSolver;
use secateur_search::testkit::reference;
use secateur_search::{Depth, Evaluator, Game, Line, Notation, Score, Settings};

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

/// Nothing that changes the value: leaves are evaluated, drafts must match, no repetition.
fn oracle_mode(aspiration: &str) -> Settings {
    let mut settings = Settings::preset("oracle").unwrap();
    for (name, value) in
        [("aspiration", aspiration), ("aspiration.depth", "2"), ("aspiration.width", "10")]
    {
        settings.set(name, value).unwrap();
    }
    settings
}

fn search<G: Hopeful>(
    engine: &mut Engine<G, Drawn, NoSolver>,
    position: &G,
    limits: &Limits<G::Move>,
) -> Answer<G::Move> {
    let line = Line::starting_at(position);
    engine.search(position, &line, limits, Instant::now(), &Control::default(), &mut |_| {})
}

fn engine<G: Hopeful>(position: &G, settings: Settings) -> Engine<G, Drawn, NoSolver> {
    let mut engine = Engine::new(position.clone(), || (Drawn, NoSolver, Silent));
    engine.set_settings(settings);
    engine
}

fn compare<G: Hopeful + Notation>(position: &G, deepest: i32) {
    for aspiration in ["off", "on"] {
        for depth in 1..=deepest {
            let expected = reference::negamax(position, &mut Drawn, Depth::new(depth));
            let mut engine = engine(position, oracle_mode(aspiration));
            let answer = search(&mut engine, position, &Limits::depth(depth));
            let text = position.write_position();
            assert_eq!(answer.score, expected, "{text} at depth {depth}, {aspiration}");
            let after = position.after(answer.best.unwrap());
            let reply = reference::negamax(&after, &mut Drawn, Depth::new(depth - 1));
            let found = match reply.is_distance() {
                false => -reply,
                true => expected,
            };
            assert_eq!(found, expected, "{text} at depth {depth}: the move is not the best");
        }
    }
}

const CHESS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
    "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1",
];

#[test]
fn in_oracle_mode_chess_has_the_value_of_minimax() {
    for fen in CHESS {
        let position = Chess::read_position(fen).unwrap();
        let deepest = if position.count_moves() > 25 { 3 } else { 4 };
        compare(&position, deepest);
    }
}

#[test]
fn in_oracle_mode_othello_has_the_value_of_minimax() {
    let mut random = SplitMix::new(7);
    for plies in [0, 10, 25, 40, 50, 56] {
        let mut position = Othello::start();
        for _ in 0..plies {
            let moves = reference::moves(&position);
            if moves.is_empty() {
                break;
            }
            position.play(moves[random.below(moves.len())]);
        }
        if position.count_moves() > 0 {
            compare(&position, 5);
        }
    }
}

#[test]
fn one_thread_gives_the_same_search_every_time() {
    let position = Chess::read_position(CHESS[1]).unwrap();
    let run = || {
        let mut engine = engine(&position, Settings::default());
        let answer = search(&mut engine, &position, &Limits::depth(5));
        (answer.best, answer.score, answer.nodes)
    };
    assert_eq!(run(), run());
}

#[test]
fn the_quicker_mate_is_found() {
    let position = Chess::read_position(CHESS[4]).unwrap();
    let mut engine = engine(&position, Settings::default());
    let answer = search(&mut engine, &position, &Limits::depth(4));
    assert_eq!(answer.score, Score::mate_in(1));
    assert_eq!(position.describe_move(answer.best.unwrap()), "Rd8#");
}
