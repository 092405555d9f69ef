//! The positions met so far, linked to their parents and children, each once.
//!
//! Duplicates would be ruinous: each would be looked at again, and two orders of the same moves
//! would look like two equally good choices. The graph knows no game; a position is its key, a
//! move its packed bits. It changes by a [`Step`] only, so that a record of steps makes it again.

use std::collections::HashMap;
use std::sync::Arc;

use super::aim::{Aim, Leaf};
use super::conditional::{Conditional, Ring};
use super::order::components;
use super::step::{Child, Step};
use super::values::{Combined, Values};
use crate::{Player, Score};

/// A position of the graph.
pub type NodeId = u32;

/// A move of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The move, packed.
    pub m: u16,
    /// Where it leads.
    pub child: NodeId,
    /// The best answer to it that its probe found, packed; 0 if unknown.
    pub reply: u16,
}

/// Moves that were asked against a bound only, as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rest {
    /// The moves, packed.
    pub moves: Vec<u16>,
    /// None of them is better than this for the side to move.
    pub real: Score,
    /// Nor is more to be hoped for from them; `None` if nobody asked.
    pub hope: Option<Score>,
}

/// A position.
#[derive(Clone, Debug)]
pub struct Node {
    /// [`Game::key`](crate::Game::key).
    pub key: u64,
    /// Who moves.
    pub turn: Player,
    /// How the game ended here.
    pub ending: Option<Score>,
    /// What its probe found; what is inherited stands here too.
    pub own: Leaf,
    /// Whether each side's hope was probed, not inherited.
    pub probed: [bool; 2],
    /// Whether the hopes of the side to move were probed for every move from here.
    pub hopes_asked: bool,
    /// Positions that lead here.
    pub parents: Vec<NodeId>,
    /// Moves; empty until it is expanded.
    pub edges: Vec<Edge>,
    /// The moves that were not worth a probe of their own.
    pub rest: Option<Rest>,
    /// Expansions at or below, along the paths that were chosen.
    pub visits: u32,
    /// Whether its expansion is under way: it promises half and is not chosen again.
    pub taken: bool,
    /// What is known if no position of its own cycle was passed before.
    pub values: Values,
    /// The cycles that it lies on.
    pub ring: Option<Arc<Ring>>,
    /// What is known if some were, and which.
    pub conditional: Vec<Conditional>,
}

impl Node {
    /// Whether it has moves that lead somewhere in the graph.
    pub fn is_expanded(&self) -> bool {
        !self.edges.is_empty()
    }
}

/// The graph.
#[derive(Clone, Debug)]
pub struct Graph {
    pub(super) nodes: Vec<Node>,
    index: HashMap<u64, NodeId>,
    pub(super) aim: Aim,
    /// Cycles through more positions than this are not solved by the path.
    pub(super) largest: usize,
    /// How often that was so.
    pub oversized: u64,
}

impl Graph {
    /// A graph of one position.
    pub fn new(key: u64, turn: Player, aim: Aim, largest: usize) -> Graph {
        let mut graph =
            Graph { nodes: Vec::new(), index: HashMap::new(), aim, largest, oversized: 0 };
        graph.add(key, turn, None, Leaf::default());
        graph
    }

    /// How many positions there are.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// A position.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// The position with this key.
    pub fn find(&self, key: u64) -> Option<NodeId> {
        self.index.get(&key).copied()
    }

    /// What is being tried.
    pub fn aim(&self) -> &Aim {
        &self.aim
    }

    pub(super) fn add(
        &mut self,
        key: u64,
        turn: Player,
        ending: Option<Score>,
        own: Leaf,
    ) -> NodeId {
        let id = self.nodes.len() as NodeId;
        self.nodes.push(Node {
            key,
            turn,
            ending,
            own,
            probed: [false; 2],
            hopes_asked: false,
            parents: Vec::new(),
            edges: Vec::new(),
            rest: None,
            visits: 0,
            taken: false,
            values: match ending {
                Some(score) => Values::settled(score, &self.aim),
                None => self.aim.leaf(&own),
            },
            ring: None,
            conditional: Vec::new(),
        });
        self.index.insert(key, id);
        id
    }

    pub(super) fn forget(&mut self) {
        self.nodes.clear();
        self.index.clear();
    }

    /// Does a step and backs up what it changes.
    pub fn apply(&mut self, step: &Step) {
        let changed = match step {
            Step::Expand { node, children, rest, hopes } => {
                self.nodes[*node as usize].rest = rest.as_ref().map(Into::into);
                self.nodes[*node as usize].hopes_asked = *hopes;
                self.link(*node, children)
            }
            Step::Widen { node, children, rest } => {
                self.nodes[*node as usize].rest = rest.as_ref().map(Into::into);
                self.link(*node, children)
            }
            Step::Hopes { node, values } => self.hope(*node, values),
            Step::Deepen { node, real, depth } => {
                self.nodes[*node as usize].own.deepened(Score::from_bits(*real), *depth);
                vec![*node]
            }
            Step::Visit { path } => {
                path.iter().for_each(|id| self.nodes[*id as usize].visits += 1);
                return;
            }
            Step::Aim { first, target, below } => {
                self.aim.forcer = if *first { Player::First } else { Player::Second };
                self.aim.target = *target;
                return self.recompute(*below);
            }
            Step::Settle { node, score } => {
                self.nodes[*node as usize].ending = score.map(Score::from_bits);
                vec![*node]
            }
        };
        self.back_up(&changed);
    }

    /// Links the children of a position; those that are new inherit what nobody asked for.
    fn link(&mut self, parent: NodeId, children: &[Child]) -> Vec<NodeId> {
        let mover = self.node(parent).turn;
        let mut changed = vec![parent];
        for child in children {
            let ending = child.ending.map(Score::from_bits);
            let real = ending.unwrap_or(Score::from_bits(child.real));
            let own = Leaf { real, hopes: [None; 2], depth: child.depth, kind: child.kind };
            let id = match self.find(child.key) {
                Some(id) => {
                    // What a deeper probe has found by another way replaces what was known.
                    let known = &mut self.nodes[id as usize].own;
                    if own.depth > known.depth {
                        known.deepened(own.real, own.depth);
                    }
                    id
                }
                None => self.add(child.key, mover.other(), ending, own),
            };
            let edge = Edge { m: child.m, child: id, reply: child.reply };
            self.nodes[parent as usize].edges.push(edge);
            let node = &mut self.nodes[id as usize];
            if !node.parents.contains(&parent) {
                node.parents.push(parent);
            }
            if let (Some(hope), false) = (child.hope, node.probed[mover as usize]) {
                node.own.hopes[mover as usize] = Some(Score::from_bits(hope));
                node.probed[mover as usize] = true;
            }
            self.inherit(parent, id, &mut changed);
            changed.push(id);
        }
        changed
    }

    /// Hopes of the moves from a position, probed later than their values.
    fn hope(&mut self, parent: NodeId, values: &[i16]) -> Vec<NodeId> {
        let mover = self.node(parent).turn as usize;
        self.nodes[parent as usize].hopes_asked = true;
        let mut changed = vec![parent];
        let edges = self.node(parent).edges.clone();
        for (edge, value) in edges.iter().zip(values) {
            let node = &mut self.nodes[edge.child as usize];
            if !node.probed[mover] {
                node.own.hopes[mover] = Some(Score::from_bits(*value));
                node.probed[mover] = true;
                changed.push(edge.child);
            }
            for grandchild in self.node(edge.child).edges.clone() {
                self.inherit(edge.child, grandchild.child, &mut changed);
            }
        }
        changed
    }

    /// What a position has no hopes of its own for, it takes from its parent; so do those below it.
    fn inherit(&mut self, parent: NodeId, child: NodeId, changed: &mut Vec<NodeId>) {
        let mut waiting = vec![(parent, child)];
        while let Some((parent, child)) = waiting.pop() {
            let from = self.node(parent);
            // What was probed for a position is what its children may hope for until they are asked.
            let from: [Option<Score>; 2] = std::array::from_fn(|side| {
                let probed = from.probed[side].then_some(from.own.hopes[side]).flatten();
                from.values.hopes[side].or(probed).or(from.own.hopes[side])
            });
            let node = &mut self.nodes[child as usize];
            let mut took = false;
            for (own, from) in node.own.hopes.iter_mut().zip(from) {
                if own.is_none() && from.is_some() {
                    *own = from.map(|score| score.relative_to_node(1));
                    took = true;
                }
            }
            if took {
                changed.push(child);
                let edges = &self.nodes[child as usize].edges;
                waiting.extend(edges.iter().rev().map(|edge| (child, edge.child)));
            }
        }
    }

    /// The moves that were only asked against a bound, as one child. Where the obstructor moves the
    /// forcer hopes for what those that he was not asked about inherit, and all of them are one reply.
    pub(super) fn add_rest(&self, node: &Node, combined: &mut Combined<'_>) {
        if let Some(rest) = &node.rest {
            combined.add(&self.rest_values(node, rest), 0);
        }
    }

    /// What is known of the moves that were not probed, as one.
    pub(super) fn rest_values(&self, node: &Node, rest: &Rest) -> Values {
        // Distances count from the child.
        let mut hopes = node.own.hopes.map(|hope| hope.map(|hope| hope.relative_to_node(1)));
        hopes[node.turn as usize] = rest.hope;
        let (depth, kind) = (node.own.depth, node.own.kind);
        self.aim.leaf(&Leaf { real: rest.real, hopes, depth, kind })
    }

    /// What an unexpanded position is worth.
    pub(super) fn leaf_values(&self, node: &Node) -> Values {
        let mut values = self.aim.leaf(&node.own);
        if node.taken {
            values.odds /= 2.0;
            values.open = false;
        }
        values
    }

    /// Marks leaves whose expansion is under way, or unmarks them.
    pub(super) fn take(&mut self, leaves: &[NodeId], taken: bool) {
        leaves.iter().for_each(|id| self.nodes[*id as usize].taken = taken);
        self.back_up(leaves);
    }

    /// Brings the values of these positions and of all above them up to date.
    fn back_up(&mut self, changed: &[NodeId]) {
        let mut above = changed.to_vec();
        let mut marked = vec![false; self.len()];
        above.iter().for_each(|id| marked[*id as usize] = true);
        let mut next = 0;
        while next < above.len() {
            for parent in &self.nodes[above[next] as usize].parents {
                if !marked[*parent as usize] {
                    marked[*parent as usize] = true;
                    above.push(*parent);
                }
            }
            next += 1;
        }
        self.evaluate(&above, &marked);
    }

    /// The values of everything, or of everything below a position, from scratch.
    pub fn recompute(&mut self, below: Option<NodeId>) {
        let Some(top) = below else {
            let all: Vec<NodeId> = (0..self.len() as NodeId).collect();
            return self.evaluate(&all, &vec![true; self.len()]);
        };
        let mut found = vec![top];
        let mut marked = vec![false; self.len()];
        marked[top as usize] = true;
        let mut next = 0;
        while next < found.len() {
            for edge in &self.nodes[found[next] as usize].edges {
                if !marked[edge.child as usize] {
                    marked[edge.child as usize] = true;
                    found.push(edge.child);
                }
            }
            next += 1;
        }
        self.evaluate(&found, &marked);
    }

    fn evaluate(&mut self, which: &[NodeId], marked: &[bool]) {
        for component in components(self, which, marked) {
            self.evaluate_component(&component);
        }
    }
}
