//! Values that hold only if certain positions were, and others were not, passed before
//! (Berliner and McConnell, 1996, section 3.13: the graph-history interaction).
//!
//! On a cycle the value of a position depends on the path: coming back to a position that was passed
//! is a draw, coming to it for the first time is not. The positions that matter are those of the same
//! strongly connected component. For each position there, paths inside the component are followed;
//! what comes out is kept with the positions that had to be on the path, and those that must not be,
//! for it to come out so. Positions off cycles have one value.

use std::sync::Arc;

use super::graph::{Graph, NodeId};
use super::values::{Combined, Values};
use crate::Score;

/// Conditional values made for one component before it is given up as too large.
const PATIENCE: usize = 20_000;

/// A value and the path it needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Conditional {
    /// Positions of the component that must have been passed, as bits.
    on: u64,
    /// Positions that must not have been.
    off: u64,
    values: Values,
}

impl Conditional {
    fn fits(&self, passed: u64) -> bool {
        self.on & !passed == 0 && self.off & passed == 0
    }
}

/// The positions of a strongly connected component, in the order of their bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ring {
    members: Vec<NodeId>,
}

impl Ring {
    fn bit(&self, id: NodeId) -> Option<u64> {
        self.members.binary_search(&id).ok().map(|bit| 1 << bit)
    }

    /// How many positions there are.
    pub fn size(&self) -> usize {
        self.members.len()
    }
}

/// Follows the paths of one component.
struct Walk<'a> {
    graph: &'a Graph,
    ring: &'a Ring,
    known: Vec<Vec<Conditional>>,
    made: usize,
}

/// The component is too large.
struct TooMany;

impl Walk<'_> {
    /// The value of a member when `passed` are on the path to it, with its condition.
    fn follow(&mut self, id: NodeId, passed: u64) -> Result<Conditional, TooMany> {
        let bit = self.ring.bit(id).expect("a member");
        let place = bit.trailing_zeros() as usize;
        if let Some(known) = self.known[place].iter().find(|known| known.fits(passed)) {
            return Ok(known.clone());
        }
        self.made += 1;
        if self.made > PATIENCE {
            return Err(TooMany);
        }
        let node = self.graph.node(id);
        if let Some(score) = node.ending {
            let values = Values::settled(score, &self.graph.aim);
            return Ok(Conditional { on: 0, off: 0, values });
        }
        let here = passed | bit;
        let mut combined = Combined::new(&self.graph.aim, node.turn);
        let (mut on, mut off) = (0, 0);
        for edge in &node.edges {
            let values = match self.ring.bit(edge.child) {
                None => self.graph.node(edge.child).values.clone(),
                Some(again) if here & again != 0 => {
                    on |= again;
                    Values::settled(Score::DRAW, &self.graph.aim)
                }
                Some(inside) => {
                    let child = self.follow(edge.child, here)?;
                    on |= child.on;
                    off |= child.off | inside;
                    child.values
                }
            };
            combined.add(&values, edge.reply);
        }
        self.graph.add_rest(node, &mut combined);
        let values = combined.done().expect("a member has moves");
        let made = Conditional { on: on & !bit, off, values };
        self.known[place].push(made.clone());
        Ok(made)
    }
}

impl Graph {
    /// The values of a component whose children outside are up to date.
    pub(super) fn evaluate_component(&mut self, members: &[NodeId]) {
        let alone = members[0];
        let returns =
            members.len() > 1 || self.node(alone).edges.iter().any(|edge| edge.child == alone);
        if !returns {
            let values = self.simple(alone, |child| self.node(child).values.clone());
            let node = &mut self.nodes[alone as usize];
            (node.values, node.ring) = (values, None);
            node.conditional.clear();
            return;
        }
        let ring = Arc::new(Ring { members: members.to_vec() });
        if members.len() > self.largest.min(u64::BITS as usize) || !self.solve(&ring) {
            self.oversized += 1;
            self.draw_at_repetition(members);
        }
    }

    /// The value of a position from those of its children.
    fn simple(&self, id: NodeId, of: impl Fn(NodeId) -> Values) -> Values {
        let node = self.node(id);
        if let Some(score) = node.ending {
            return Values::settled(score, &self.aim);
        }
        let mut combined = Combined::new(&self.aim, node.turn);
        for edge in &node.edges {
            combined.add(&of(edge.child), edge.reply);
        }
        self.add_rest(node, &mut combined);
        combined.done().unwrap_or_else(|| self.leaf_values(node))
    }

    fn walk<'a>(&'a self, ring: &'a Ring) -> Walk<'a> {
        let known = ring.members.iter().map(|id| self.node(*id).conditional.clone()).collect();
        Walk { graph: self, ring, known, made: 0 }
    }

    fn solve(&mut self, ring: &Arc<Ring>) -> bool {
        let mut walk =
            Walk { graph: self, ring, known: vec![Vec::new(); ring.members.len()], made: 0 };
        let mut entered = Vec::new();
        for id in &ring.members {
            match walk.follow(*id, 0) {
                Ok(found) => entered.push(found.values),
                Err(TooMany) => return false,
            }
        }
        let known = walk.known;
        for ((id, values), known) in ring.members.iter().zip(entered).zip(known) {
            let node = &mut self.nodes[*id as usize];
            node.values = values;
            node.conditional = known;
            node.ring = Some(Arc::clone(ring));
        }
        true
    }

    /// One value each: what leads back to a position still being looked at is a draw, whichever path
    /// is taken.
    fn draw_at_repetition(&mut self, members: &[NodeId]) {
        let mut state = vec![0u8; members.len()];
        let place = |id: NodeId| members.binary_search(&id).ok();
        let mut open: Vec<(usize, usize)> = Vec::new();
        for start in 0..members.len() {
            if state[start] == 0 {
                open.push((start, 0));
                state[start] = 1;
            }
            while let Some((at, next)) = open.last_mut() {
                let id = members[*at];
                if let Some(edge) = self.node(id).edges.get(*next) {
                    *next += 1;
                    if let Some(child) = place(edge.child).filter(|child| state[*child] == 0) {
                        state[child] = 1;
                        open.push((child, 0));
                    }
                    continue;
                }
                let values = self.simple(id, |child| match place(child) {
                    Some(child) if state[child] == 1 => Values::settled(Score::DRAW, &self.aim),
                    _ => self.node(child).values.clone(),
                });
                state[*at] = 2;
                let node = &mut self.nodes[id as usize];
                (node.values, node.ring) = (values, None);
                node.conditional.clear();
                open.pop();
            }
        }
    }

    /// What is known of a position at the end of a path. A position that stands on the path is a
    /// draw.
    pub fn under(&self, path: &[NodeId], id: NodeId) -> Values {
        if path.contains(&id) {
            return Values::settled(Score::DRAW, &self.aim);
        }
        let node = self.node(id);
        let Some(ring) = &node.ring else { return node.values.clone() };
        let passed = path.iter().filter_map(|id| ring.bit(*id)).fold(0, |all, bit| all | bit);
        if let Some(known) = node.conditional.iter().find(|known| known.fits(passed)) {
            return known.values.clone();
        }
        match self.walk(ring).follow(id, passed) {
            Ok(found) => found.values,
            Err(TooMany) => node.values.clone(),
        }
    }
}
