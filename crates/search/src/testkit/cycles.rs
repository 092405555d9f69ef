//! Graphs with cycles, and what a search that follows every path finds in them: the reference for
//! B\*'s conditional values.

use crate::bstar::How;
use crate::bstar::aim::Aim;
use crate::bstar::graph::{Graph, NodeId};
use crate::bstar::how::BstarGroupsForm;
use crate::bstar::step::{Child, Step};
use crate::bstar::values::Values;
use crate::random::SplitMix;
use crate::{Player, Score};

/// What a search that follows every path finds, told as plainly as can be: a position that stands on
/// the path is a draw.
pub fn followed(graph: &Graph, path: &[NodeId], id: NodeId) -> Values {
    let aim = graph.aim();
    if path.contains(&id) {
        return Values::settled(Score::DRAW, aim);
    }
    let node = graph.node(id);
    if !node.is_expanded() {
        return aim.leaf(&node.own);
    }
    let path = [path, &[id]].concat();
    let children: Vec<Values> =
        node.edges.iter().map(|edge| followed(graph, &path, edge.child)).collect();
    let pick = |scores: Vec<Score>| match node.turn {
        Player::First => scores.iter().max().copied(),
        Player::Second => scores.iter().min().copied(),
    };
    let hope = |side: usize| pick(children.iter().filter_map(|child| child.hopes[side]).collect());
    let odds = children.iter().map(|child| child.odds);
    Values {
        real: pick(children.iter().map(|child| child.real).collect()).unwrap_or(node.own.real),
        hopes: [hope(0), hope(1)],
        odds: if node.turn == aim.forcer { odds.fold(0.0, f64::max) } else { odds.product() },
        curve: None,
        open: children.iter().any(|child| child.open),
    }
}

/// How many values were compared, and how many of them were not those of [`followed`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// All.
    pub values: u64,
    /// Those at positions on a cycle.
    pub conditional: u64,
    /// Those that differ.
    pub wrong: u64,
}

/// Compares the values of a graph at the end of every path from its first position.
pub fn compare(graph: &Graph) -> Compared {
    let mut compared = Compared::default();
    compare_below(graph, &mut Vec::new(), 0, &mut compared);
    compared
}

fn compare_below(graph: &Graph, path: &mut Vec<NodeId>, id: NodeId, compared: &mut Compared) {
    let (found, wanted) = (graph.under(path, id), followed(graph, path, id));
    let same = (found.odds - wanted.odds).abs() < 1e-12
        && (found.real, found.hopes, found.open) == (wanted.real, wanted.hopes, wanted.open);
    compared.values += 1;
    compared.conditional += u64::from(graph.node(id).ring.is_some());
    compared.wrong += u64::from(!same);
    if path.contains(&id) {
        return;
    }
    path.push(id);
    for edge in &graph.node(id).edges {
        compare_below(graph, path, edge.child, compared);
    }
    path.pop();
}

/// A graph of one position, whose components of more than `largest` positions are not solved.
pub fn empty(largest: usize) -> Graph {
    let mut how = How::default();
    how.groups.form = BstarGroupsForm::Off;
    Graph::new(0, Player::First, Aim::new(&how, None), largest)
}

/// A move to the position with this key.
pub fn child(key: u64, real: i32, hope: i32) -> Child {
    let bits = |value: i32| Score::heuristic(value).to_bits();
    Child {
        m: key as u16 + 1,
        reply: 0,
        key,
        ending: None,
        real: bits(real),
        hope: Some(bits(hope)),
        depth: 3,
        kind: 0,
    }
}

/// Expands the position with this key, if it is there.
pub fn expand(graph: &mut Graph, key: u64, children: Vec<Child>) {
    if let Some(node) = graph.find(key) {
        graph.apply(&Step::Expand { node, children, rest: None, hopes: true });
    }
}

/// Figure 17 of Berliner and McConnell (1996): A leads to B and C, both lead to D, and D back to B. The
/// side that moves at B and C wins 90 elsewhere from B; the other loses 70 elsewhere from D. So D is a
/// draw after B and lost after C. Positions are A, B, C, D in this order.
pub fn figure_17() -> (Graph, [NodeId; 4]) {
    let mut graph = empty(24);
    let [a, b, c, d, away, on] = [0, 1, 2, 3, 4, 5];
    expand(&mut graph, a, vec![child(b, 0, 0), child(c, 0, 0)]);
    expand(&mut graph, b, vec![child(d, 0, 0), child(away, -90, -90)]);
    expand(&mut graph, c, vec![child(d, 0, 0)]);
    expand(&mut graph, d, vec![child(b, 0, 0), child(on, -70, -40)]);
    graph.apply(&Step::Aim { first: true, target: -20.0, below: None });
    let places = [a, b, c, d].map(|key| graph.find(key).unwrap_or(0));
    (graph, places)
}

/// A random graph whose sides take turns, most of it on cycles. The same seed gives the same one
/// everywhere.
pub fn random(seed: u64, largest: usize) -> Graph {
    let mut random = SplitMix::new(seed);
    let rooms = 6 + random.below(5) as u64;
    let mut graph = empty(largest);
    for key in 0..rooms {
        if graph.find(key).is_none() || (random.below(8) == 0 && key > 0) {
            continue;
        }
        let count = 2 + random.below(3);
        let mut children: Vec<Child> = Vec::new();
        for _ in 0..count {
            let to = random.below(rooms as usize / 2) as u64 * 2 + (key + 1) % 2;
            if !children.iter().any(|child| child.key == to) {
                let real = random.below(200) as i32 - 100;
                let hope = random.below(120) as i32;
                let hope = if key % 2 == 0 { real + hope } else { real - hope };
                children.push(child(to, real, hope));
            }
        }
        expand(&mut graph, key, children);
    }
    let target = random.below(160) as f64 - 80.0;
    graph.apply(&Step::Aim { first: random.below(2) == 0, target, below: None });
    graph
}
