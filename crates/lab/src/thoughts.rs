//! What B\* has thought, with moves as people write them: the tree for programs, the log and the reasons
//! for the eye.

use secateur_games::playable::Playable;
use secateur_games::told::told;
use secateur_search::Score;
use secateur_search::alphabeta::choice::Thoughts;
use secateur_search::bstar::graph::{Edge, Graph, NodeId};
use secateur_search::bstar::tell;
use secateur_search::bstar::values::absolute;
use serde_json::{Value, json};

use crate::values::score_json;

/// The name of the last of some packed moves from `root`; `?` if they cannot be played.
pub fn name_of<G: Playable>(root: &G, path: &[u16]) -> String {
    let mut position = root.clone();
    let mut name = "?".to_string();
    for bits in path {
        let Some(m) = position.unpack(*bits) else { return "?".to_string() };
        name = position.describe_move(m);
        position.play(m);
    }
    name
}

/// The names of moves played one after the other.
pub fn line_names<G: Playable>(root: &G, line: &[G::Move]) -> Vec<String> {
    let mut position = root.clone();
    let name = |m: &G::Move| {
        let name = position.describe_move(*m);
        position.play(*m);
        name
    };
    line.iter().map(name).collect()
}

/// How many of the first expansions are told in detail.
const IN_DETAIL: usize = 10;

/// The search in the shape of the paper's figures: ten expansions a line, the result, how deep the
/// expanded positions lie, and the first expansions in detail.
pub fn log_text<G: Playable>(position: &G, thoughts: &Thoughts<G>, seconds: f64) -> String {
    let history = thoughts.search.history();
    let name = |path: &[u16]| name_of(position, path);
    let mut text = tell::log(history, &name);
    if let Some(answer) = &thoughts.answer {
        let names = line_names(position, &answer.line);
        text += &format!("\n{}\n", tell::result(answer, seconds, &names));
    }
    text += &format!("\n{}\n", tell::profile_text(history));
    text += &format!(
        "\n{} probes; hopes by rule: {}\n",
        thoughts.probes,
        match thoughts.hopes.total() {
            0 => "none".to_string(),
            _ => thoughts.hopes.to_string(),
        }
    );
    text + "\n" + &tell::detail(history, &name, IN_DETAIL)
}

/// Why the move was chosen, in words.
pub fn explanation<G: Playable>(position: &G, thoughts: &Thoughts<G>) -> String {
    tell::explain(thoughts.search.history(), &|path| name_of(position, path))
}

/// A move of a position in the graph, and what it is worth for the side that plays it.
pub struct Branch<G: Playable> {
    /// The move.
    pub m: G::Move,
    /// Where it leads.
    pub node: NodeId,
    /// Its value.
    pub real: Score,
    /// What the side that plays it hopes for, if anybody asked.
    pub hope: Option<Score>,
    /// What the other hopes for.
    pub fear: Option<Score>,
    /// The probability of the target.
    pub odds: f64,
    /// Expansions at or below.
    pub expansions: u32,
}

/// The moves from the last position of a path, in the order of the graph; scores as people are told them.
pub fn branches<G: Playable>(graph: &Graph, path: &[NodeId], position: &G) -> Vec<Branch<G>> {
    let node = graph.node(path[path.len() - 1]);
    let own = |score: Score| told(position, absolute(node.turn, score).relative_to_root(1));
    let branch = |edge: &Edge| {
        let values = graph.under(path, edge.child);
        Some(Branch {
            m: position.unpack(edge.m)?,
            node: edge.child,
            real: own(values.real),
            hope: values.hopes[node.turn as usize].map(own),
            fear: values.hopes[node.turn.other() as usize].map(own),
            odds: values.odds,
            expansions: graph.node(edge.child).visits,
        })
    };
    node.edges.iter().filter_map(branch).collect()
}

/// The expanded part of a graph below the last position of a path, for programs: every expanded position
/// with all its moves.
pub fn tree_json<G: Playable>(graph: &Graph, path: &mut Vec<NodeId>, position: &G) -> Value {
    let mut moves = Vec::new();
    for branch in branches(graph, path, position) {
        let mut one = json!({
            "move": position.write_move(branch.m),
            "san": position.describe_move(branch.m),
            "real": score_json(branch.real),
            "hope": branch.hope.map(score_json),
            "fear": branch.fear.map(score_json),
            "probability": (branch.odds * 1e4).round() / 1e4,
            "expansions": branch.expansions,
        });
        // A position that came before on the way is a repetition, and its moves stand there.
        if graph.node(branch.node).is_expanded() && !path.contains(&branch.node) {
            path.push(branch.node);
            one["below"] = tree_json(graph, path, &position.after(branch.m));
            path.pop();
        }
        moves.push(one);
    }
    json!({ "position": position.write_position(), "moves": moves })
}
