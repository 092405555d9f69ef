//! Searches of a few chess positions, and what the techniques did in them.

use std::time::Instant;

use secateur_games::chess::Chess;
use secateur_games::chess::evaluate::Classical;
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::{Answer, Engine, Limits};
use secateur_search::observe::{Counters, Rule, RuleCount};
use secateur_search::solve::NoSolver;
use secateur_search::{Game, Line, Notation, Settings};

/// Positions of many kinds: attack, endgame, a pawn about to promote, forced replies.
pub(crate) const POSITIONS: [&str; 5] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/1P3k2/8/8/8/6p1/5r2/1R4K1 w - - 0 1",
    "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1",
];

/// A host with guesses, in which the technique under test is the only one that prunes.
pub(crate) const GUESSING: &[(&str, &str)] = &[("correction", "on")];
/// A host that passes.
pub(crate) const PASSING: &[(&str, &str)] = &[("null_move", "fixed"), ("null_move.reduction", "2")];

/// An engine that counts what its techniques do.
pub(crate) type Watched = Engine<Chess, Classical, NoSolver, Counters>;

/// What searches of all positions came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Made {
    pub(crate) scores: Vec<i32>,
    pub(crate) nodes: u64,
    /// In the order of [`Rule::ALL`].
    pub(crate) rules: [RuleCount; Rule::ALL.len()],
}

/// The bare preset with these on top: what the tests find does not depend on what another preset
/// is tuned to.
pub(crate) fn bare_with(settings: &[(&str, &str)]) -> Settings {
    let mut all = Settings::preset("bare").unwrap();
    for (name, value) in settings {
        all.set(name, value).unwrap();
    }
    all
}

/// An engine with these settings, for this position.
pub(crate) fn engine(position: &Chess, settings: Settings) -> Watched {
    let mut engine =
        Engine::new(position.clone(), || (Classical::default(), NoSolver, Counters::default()));
    engine.set_settings(settings);
    engine
}

type Found = Answer<<Chess as Game>::Move>;

/// Searches to this depth.
pub(crate) fn search(engine: &mut Watched, position: &Chess, depth: i32) -> Found {
    let line = Line::starting_at(position);
    let (limits, control) = (Limits::depth(depth), Control::default());
    engine.search(position, &line, &limits, Instant::now(), &control, &mut |_| {})
}

/// Searches every position to this depth, each by an engine of its own that `equip` has seen to.
pub(crate) fn search_all(settings: &Settings, depth: i32, equip: impl Fn(&mut Watched)) -> Made {
    let mut made = Made { scores: Vec::new(), nodes: 0, rules: Default::default() };
    for fen in POSITIONS {
        let position = Chess::read_position(fen).unwrap();
        let mut engine = engine(&position, settings.clone());
        equip(&mut engine);
        let answer = search(&mut engine, &position, depth);
        made.scores.push(answer.score.value());
        made.nodes += answer.nodes;
        let counted = &engine.observers().next().unwrap().rules;
        for (sum, count) in made.rules.iter_mut().zip(counted) {
            sum.tried += count.tried;
            sum.cut += count.cut;
            sum.nodes += count.nodes;
        }
    }
    made
}
