//! From a position down to where something can be learned: the forcer follows probability, the
//! obstructor what is real.

use super::graph::{Graph, NodeId};
use super::how::{BstarDefenceForm, BstarModel, How};
use super::values::{Values, gain};
use crate::Player;

/// Lines are not followed further.
const DEEPEST: usize = 150;

/// What a descent came to. The last position of a path is the one meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// A leaf to expand.
    Leaf(Vec<NodeId>),
    /// A position whose moves were probed without the hopes that are needed now.
    Hopes(Vec<NodeId>),
    /// A position whose best move may be among those that were not probed.
    Rest(Vec<NodeId>),
    /// There is nothing left to look at.
    Nothing,
}

/// A move as a descent sees it.
struct Choice {
    child: NodeId,
    values: Values,
    /// What the forcer goes by.
    promise: f64,
    reply: u16,
}

/// Follows the best moves from the last position of `path`.
pub fn descend(graph: &Graph, how: &How, mut path: Vec<NodeId>) -> Next {
    let start = path.len();
    loop {
        let at = *path.last().expect("a path has a beginning");
        let node = graph.node(at);
        if !node.is_expanded() {
            let closed = path.len() > DEEPEST || !node.values.open;
            return if closed { Next::Nothing } else { Next::Leaf(path) };
        }
        let forces = node.turn == graph.aim().forcer;
        let bounds = how.main.form == BstarModel::Bounds;
        if (forces || bounds) && !node.hopes_asked {
            return Next::Hopes(path);
        }
        let mut choices: Vec<Choice> = Vec::new();
        for edge in &node.edges {
            let values = graph.under(&path, edge.child);
            if values.open && !choices.iter().any(|choice| choice.child == edge.child) {
                let promise = promise(graph, &values);
                choices.push(Choice { child: edge.child, values, promise, reply: edge.reply });
            }
        }
        if path.len() == start {
            let all = f64::from(node.visits.max(1));
            let weight = f64::from(how.main.dither) / 10_000.0;
            for choice in &mut choices {
                let visits = f64::from(graph.node(choice.child).visits);
                choice.promise /= 1.0 + weight * visits / all;
            }
        }
        let side = node.turn;
        let by_hope =
            |a: &Choice, b: &Choice| gain(side, a.values.hope(side), b.values.hope(side)).cmp(&0);
        let by_real = |a: &Choice, b: &Choice| gain(side, a.values.real, b.values.real).cmp(&0);
        // The first of equals, for the same answer everywhere: `max_by` would take the last.
        let best = |by: &dyn Fn(&Choice, &Choice) -> std::cmp::Ordering| {
            choices.iter().rev().max_by(|a, b| by(a, b))
        };
        let chosen = if bounds {
            best(&by_hope)
        } else if forces {
            best(&|a, b| a.promise.total_cmp(&b.promise).then_with(|| by_real(a, b)))
        } else {
            defended(how, node.visits, side, &choices).or_else(|| best(&by_real))
        };
        if let Some(rest) = &node.rest {
            let worth = match chosen {
                None => true,
                Some(chosen) if forces => graph.rest_values(node, rest).odds > chosen.values.odds,
                // Whichever move is followed: a defence may be worse than all that is left.
                Some(_) => {
                    best(&by_real).is_none_or(|best| gain(side, rest.real, best.values.real) > 0)
                }
            };
            if worth {
                return Next::Rest(path);
            }
        }
        match chosen {
            None => return Next::Nothing,
            Some(chosen) => path.push(chosen.child),
        }
    }
}

/// What the forcer goes by: the probability, or with whole distributions what is to be gained.
fn promise(graph: &Graph, values: &Values) -> f64 {
    let aim = graph.aim();
    match &values.curve {
        None => values.odds,
        Some(curve) => curve.beyond(aim.forcer, aim.target),
    }
}

/// Where the obstructor moves, every so often the answer to the threat instead of the best value: the
/// move whose own best answer is not the one that the best move and others run into.
fn defended<'a>(how: &How, visits: u32, side: Player, choices: &'a [Choice]) -> Option<&'a Choice> {
    if how.defence.form == BstarDefenceForm::Off
        || visits as i32 % how.defence.every != how.defence.every - 1
    {
        return None;
    }
    let by_real = |a: &&Choice, b: &&Choice| gain(side, a.values.real, b.values.real).cmp(&0);
    // The threat is the answer that most moves run into.
    let count = |reply: u16| choices.iter().filter(|choice| choice.reply == reply).count();
    let threat =
        choices.iter().rev().map(|choice| choice.reply).max_by_key(|reply| count(*reply))?;
    if threat == 0 {
        return None;
    }
    choices.iter().rev().filter(|choice| choice.reply != threat).max_by(by_real)
}
