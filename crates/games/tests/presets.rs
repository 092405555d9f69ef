//! Every preset in every game: it can be stopped anywhere, and whatever it has on does something.

#![cfg(all(feature = "chess", feature = "othello"))]

use std::time::Instant;

use secateur_games::chess::Chess;
use secateur_games::othello::Othello;
use secateur_games::playable::Playable;
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::{Answer, Engine, Limits};
use secateur_search::observe::{Counters, Rule};
use secateur_search::params::Value;
use secateur_search::preset::PRESETS;
use secateur_search::{Ability, Line, Overlay, Settings};

type Counting<G> = Engine<G, <G as Playable>::Evaluator, <G as Playable>::Solver, Counters>;

/// Every preset with its name, as it is in the game. None hands over to another search.
fn presets<G: Playable>() -> impl Iterator<Item = (&'static str, Settings)> {
    PRESETS.iter().map(|preset| {
        let mut overlay = Overlay::default();
        overlay.choose(preset.name).unwrap();
        overlay.set("hand_over", "off").unwrap();
        (preset.name, overlay.served_by::<G>().unwrap())
    })
}

fn engine<G: Playable>(position: &G, settings: &Settings) -> Counting<G> {
    let mut engine = Engine::new(position.clone(), || {
        let (evaluator, solver) = G::equip();
        (evaluator, solver, Counters::default())
    });
    engine.set_settings(settings.clone());
    engine
}

fn search<G: Playable>(
    engine: &mut Counting<G>,
    position: &G,
    limits: &Limits<G::Move>,
) -> Answer<G::Move> {
    let line = Line::starting_at(position);
    engine.search(position, &line, limits, Instant::now(), &Control::default(), &mut |_| {})
}

/// Stops searches at each of the first nodes and at some later ones. The table stays warm, so that the
/// stops fall into ever deeper iterations and into what techniques ask there. A solver may make so many
/// nodes `more` before it looks up.
fn stop_anywhere<G: Playable>(text: &str, more: u64) {
    let position = G::read_position(text).unwrap();
    for (name, settings) in presets::<G>() {
        let mut stopped = engine(&position, &settings);
        for nodes in (1..400).chain((400..10_000).step_by(691)) {
            let answer = search(&mut stopped, &position, &Limits::nodes(nodes));
            assert!(answer.nodes <= nodes + more, "{name}: {} of {nodes} nodes", answer.nodes);
            assert_eq!(answer.best, answer.line.first().copied(), "{name}: after {nodes} nodes");
            let mut end = position.clone();
            for m in answer.line {
                assert_eq!(end.unpack(G::pack(m)), Some(m), "{name}: after {nodes} nodes");
                end.play(m);
            }
        }
        // What the stops have left behind is gone with what was learned.
        stopped.new_game();
        let whole = |engine: &mut Counting<G>| {
            let answer = search(engine, &position, &Limits::depth(4));
            (answer.best, answer.score, answer.nodes)
        };
        let fresh = whole(&mut engine(&position, &settings));
        assert_eq!(whole(&mut stopped), fresh, "{name}: after all stops");
    }
}

#[test]
fn a_search_of_chess_stopped_anywhere_answers_with_a_legal_line() {
    for number in [1, 8] {
        stop_anywhere::<Chess>(Chess::BENCH_POSITIONS[number], 0);
    }
}

#[test]
fn a_search_of_othello_stopped_anywhere_answers_with_a_legal_line() {
    stop_anywhere::<Othello>(Othello::BENCH_POSITIONS[2], 0);
    // Where the solver is stopped.
    stop_anywhere::<Othello>(Othello::BENCH_POSITIONS[5], 5_000);
}

/// Searches that reduce must go deeper to come to all they have.
fn fire<G: Playable>(depth: i32, reduced_depth: i32) {
    let off = Some(Value::Form("off"));
    for (name, settings) in presets::<G>() {
        let depth = if settings.get("late_moves") == off { depth } else { reduced_depth };
        let mut held = [0; Rule::ALL.len()];
        for text in &G::BENCH_POSITIONS[..6] {
            let position = G::read_position(text).unwrap();
            let mut engine = engine(&position, &settings);
            search(&mut engine, &position, &Limits::depth(depth));
            let counted = &engine.observers().next().unwrap().rules;
            held.iter_mut().zip(counted).for_each(|(held, count)| *held += count.cut);
        }
        for rule in Rule::ALL {
            // Where nothing is noisy, nobody stands pat.
            let served = rule != Rule::Quiescence || G::ABILITIES.serves(Ability::NOISY);
            let is_on = settings.get(rule.name()) != off && served;
            assert_eq!(held[rule as usize] > 0, is_on, "{}: {name} in {}", rule.name(), G::NAME);
        }
    }
}

#[test]
fn whatever_a_preset_has_on_fires_and_nothing_else() {
    fire::<Chess>(6, 10);
    fire::<Othello>(7, 11);
}
