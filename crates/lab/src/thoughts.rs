//! What B\* has thought, with moves as people write them: the tree for programs, the log and the reasons
//! for the eye.

use secateur_games::playable::Playable;
use secateur_games::told::told;
use secateur_search::Score;
use secateur_search::alphabeta::choice::Thoughts;
use secateur_search::bstar::graph::NodeId;
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

/// The expanded part of the tree, for programs: every expanded position with all its moves.
pub fn tree_json<G: Playable>(thoughts: &Thoughts<G>) -> Value {
    let root = thoughts.search.root();
    below(thoughts, &mut vec![root])
}

fn below<G: Playable>(thoughts: &Thoughts<G>, path: &mut Vec<NodeId>) -> Value {
    let search = &thoughts.search;
    let at = path[path.len() - 1];
    let (node, position) = (search.graph().node(at), search.position(at));
    let mut moves = Vec::new();
    for edge in &node.edges {
        let Some(m) = position.unpack(edge.m) else { continue };
        let values = search.graph().under(path, edge.child);
        let score = |score: Score| {
            let own = absolute(node.turn, score).relative_to_root(1);
            score_json(told(position, own))
        };
        let child = search.graph().node(edge.child);
        let mut one = json!({
            "move": position.write_move(m),
            "san": position.describe_move(m),
            "real": score(values.real),
            "hope": values.hopes[node.turn as usize].map(score),
            "fear": values.hopes[node.turn.other() as usize].map(score),
            "probability": (values.odds * 1e4).round() / 1e4,
            "expansions": child.visits,
        });
        // A position that came before on the way is a repetition, and its moves stand there.
        if child.is_expanded() && !path.contains(&edge.child) {
            path.push(edge.child);
            one["below"] = below(thoughts, path);
            path.pop();
        }
        moves.push(one);
    }
    json!({ "position": position.write_position(), "moves": moves })
}

/// The whole record of the search, from which the graph can be made again, and what it is of.
pub fn record_json<G: Playable>(position: &G, thoughts: &Thoughts<G>) -> serde_json::Result<Value> {
    Ok(json!({
        "game": G::NAME,
        "position": position.write_position(),
        "record": serde_json::to_value(thoughts.search.history())?,
    }))
}
