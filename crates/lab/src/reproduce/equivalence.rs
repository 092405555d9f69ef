//! ab-equiv: minimax, alpha-beta fail-hard and fail-soft, NegaScout, the two procedures of principal
//! variation search, and the product in its oracle mode have the same value, on random trees and on
//! positions of the game.

use std::time::Instant;

use secateur_games::problem::ProblemFiles;
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::{Engine, Limits};
use secateur_search::observe::Silent;
use secateur_search::optimism::Hopeful;
use secateur_search::plain::{OnPlain, Plain};
use secateur_search::solve::NoSolver;
use secateur_search::testkit::reference::negamax;
use secateur_search::testkit::shapes::{fail_hard, fail_soft, negascout, two_procedures};
use secateur_search::testkit::tree::{Shape, Statics, Tree};
use secateur_search::{Depth, Evaluator, Line, Score, Settings};
use serde_json::json;

use super::outcome::{Outcome, Table};
use super::setting::Setting;

const SHAPES: [Shape; 3] = [
    Shape { depth: 6, branching: 4, spread: 60, endings: 0 },
    Shape { depth: 7, branching: 3, spread: 5, endings: 7 },
    Shape { depth: 4, branching: 9, spread: 300, endings: 20 },
];
/// Plies on positions of the game.
const PLIES: i32 = 3;
const NAMES: [&str; 5] =
    ["alpha-beta, fail-hard", "alpha-beta, fail-soft", "NegaScout", "PVS and ZWS", "the product"];

/// How many values each shape had right, and what it looked at.
#[derive(Default)]
struct Tally {
    asked: u64,
    right: [u64; 5],
    nodes: [u64; 5],
}

impl Tally {
    fn add<G: Hopeful, E: Evaluator<G> + Clone + 'static>(
        &mut self,
        position: &G,
        evaluator: &E,
        depth: Depth,
    ) {
        let mut own = evaluator.clone();
        let wanted = negamax(position, &mut own, depth);
        let (score, nodes) = product(position, evaluator, depth);
        let found = [
            fail_hard(position, &mut own, depth),
            fail_soft(position, &mut own, depth),
            negascout(position, &mut own, depth),
            two_procedures(position, &mut own, depth),
            (score, nodes),
        ];
        self.asked += 1;
        for (shape, (value, nodes)) in found.into_iter().enumerate() {
            self.right[shape] += u64::from(value == wanted);
            self.nodes[shape] += nodes;
        }
    }
}

fn product<G: Hopeful, E: Evaluator<G> + Clone + 'static>(
    position: &G,
    evaluator: &E,
    depth: Depth,
) -> (Score, u64) {
    let evaluator = evaluator.clone();
    let mut engine = Engine::new(position.clone(), move || (evaluator.clone(), NoSolver, Silent));
    // The preset is embedded and tested.
    engine.set_settings(Settings::preset("oracle").unwrap_or_default());
    let line = Line::starting_at(position);
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let control = Control::default();
    let answer = engine.search(position, &line, &limits, Instant::now(), &control, &mut |_| {});
    (answer.score, answer.nodes)
}

pub(super) fn run<G: ProblemFiles>(setting: &Setting) -> anyhow::Result<Outcome> {
    let mut trees = Tally::default();
    for seed in 0..setting.scaled(100, 5) {
        for shape in SHAPES {
            let tree = Plain(Tree::random(seed, shape));
            for depth in 1..=shape.depth as i32 {
                trees.add(&tree, &OnPlain(Statics), Depth::new(depth));
            }
        }
    }
    let mut positions = Tally::default();
    for text in G::BENCH_POSITIONS {
        let position = G::read_with_notes(text)?.0;
        let (evaluator, _) = G::equip();
        for depth in 1..=PLIES {
            positions.add(&position, &evaluator, Depth::new(depth));
        }
    }
    let mut outcome = Outcome::default();
    for (what, tally) in [("random trees", &trees), (G::NAME, &positions)] {
        let mut table = Table::new(
            format!("The value of plain minimax, {what}: {} searches", tally.asked),
            &["shape", "equal", "nodes"],
        );
        for (shape, name) in NAMES.iter().enumerate() {
            let (right, nodes) = (tally.right[shape], tally.nodes[shape]);
            table.add(vec![name.to_string(), right.to_string(), nodes.to_string()]);
            outcome.figures.push(json!({
                "on": what, "shape": name, "searches": tally.asked, "equal": right, "nodes": nodes,
            }));
            outcome.check(
                format!("{name} has the value of minimax, {what}"),
                format!("{right} of {}", tally.asked),
                right == tally.asked,
            );
        }
        outcome.tables.push(table);
    }
    Ok(outcome)
}
