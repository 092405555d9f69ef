//! The record of a search: the graph it began with, every step, and what stood after each expansion.
//!
//! It is plain data. Written to a file and read again, [`History::replay`] makes the graph of the end
//! of the search, value for value.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::aim::{Aim, Leaf};
use super::graph::{Edge, Graph, NodeId};
use super::how::{BstarGroupsForm, BstarModel, How};
use super::odds_table::OddsTable;
use super::search::{Part, Settled};
use super::step::{RestOf, Step, hexadecimal};
use crate::{Player, Score};

/// The form of the record.
pub const VERSION: u32 = 1;

/// Who tries what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The player looks for the best move.
    Select,
    /// The opponent tries to refute it.
    Verify,
}

/// What stood after an expansion. Values are for the side to move at the root.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Expansion {
    /// How many steps of the record had been done.
    pub step: usize,
    /// The phase.
    pub phase: Phase,
    /// The moves from the root to the expanded position, packed.
    pub path: Vec<u16>,
    /// The target, for the side that began the game.
    pub target: f64,
    /// The least probability that was looked at.
    pub min_act: f64,
    /// The best move of the root.
    pub best: u16,
    /// Its value.
    pub real: i16,
    /// The best reply to it; 0 if it was not expanded.
    pub reply: u16,
    /// Nodes of all probes so far.
    pub nodes: u64,
    /// Every move of the root.
    pub root: Vec<RootMove>,
}

/// A move of the root after an expansion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RootMove {
    /// The move, packed.
    pub m: u16,
    /// Its value.
    pub real: i16,
    /// What the player hopes for.
    pub hope: Option<i16>,
    /// What the opponent hopes for.
    pub fear: Option<i16>,
    /// The probability of the target.
    pub odds: f64,
}

/// A decision between phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Turn {
    /// SELECT chose a move, after so many expansions.
    Chose(u16, usize),
    /// VERIFY refuted it.
    Refuted(u16, usize),
}

/// The record of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct History {
    /// The form of the record.
    pub version: u32,
    /// The model: `target`, `palay` or `bounds`.
    pub model: String,
    /// How replies were grouped: `off`, `min` or `max`.
    pub groups: String,
    /// Whether probabilities came from a table and not from the straight line.
    #[serde(default)]
    pub learned: bool,
    /// The largest cycle solved by the path.
    pub largest: usize,
    /// The node at the root.
    pub root: NodeId,
    /// The graph at the beginning.
    pub start: Vec<NodeOf>,
    /// Every step.
    pub steps: Vec<Step>,
    /// Every expansion.
    pub expansions: Vec<Expansion>,
    /// Decisions between phases.
    pub turns: Vec<Turn>,
    /// The move that is played whatever the graph says: that of iterative deepening, or what was proven
    /// better.
    pub kept: Option<u16>,
    /// What iterative deepening says that it is worth, if it was found by that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept_real: Option<i16>,
    /// What B\* has to do with it, if there was iterative deepening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
    /// Why it ended.
    pub settled: Option<Settled>,
}

/// A node as it is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeOf {
    /// The key, written in hexadecimal.
    #[serde(with = "hexadecimal")]
    pub key: u64,
    /// Whether the side that began the game moves.
    pub first: bool,
    /// How the game ended.
    pub ending: Option<i16>,
    /// Its own value.
    pub real: i16,
    /// Its own hopes, those of the side that began first.
    pub hopes: [Option<i16>; 2],
    /// Which of them were probed.
    pub probed: [bool; 2],
    /// Whether those of its moves were.
    pub hopes_asked: bool,
    /// Plies of its probe.
    pub depth: i32,
    /// Its kind.
    pub kind: u8,
    /// Moves: packed, node, best answer packed.
    pub edges: Vec<(u16, NodeId, u16)>,
    /// Moves only asked against a bound.
    pub rest: Option<RestOf>,
    /// Expansions at or below.
    pub visits: u32,
}

const MODELS: [(&str, BstarModel); 3] =
    [("target", BstarModel::Target), ("palay", BstarModel::Palay), ("bounds", BstarModel::Bounds)];
const GROUPS: [(&str, BstarGroupsForm); 3] = [
    ("off", BstarGroupsForm::Off),
    ("min", BstarGroupsForm::Least),
    ("max", BstarGroupsForm::Most),
];

fn name_of<T: PartialEq>(names: &[(&'static str, T)], value: T) -> String {
    names.iter().find(|(_, of)| *of == value).map_or("", |(name, _)| *name).to_string()
}

/// Why a record was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("record of a search: {0}")]
pub struct BadHistory(String);

impl History {
    /// Nothing has happened to `graph` yet.
    pub fn starting_at(
        graph: &Graph,
        root: NodeId,
        model: BstarModel,
        groups: BstarGroupsForm,
    ) -> History {
        History {
            version: VERSION,
            model: name_of(&MODELS, model),
            groups: name_of(&GROUPS, groups),
            learned: graph.aim().table.is_some(),
            largest: graph.largest,
            root,
            start: graph.written(),
            steps: Vec::new(),
            expansions: Vec::new(),
            turns: Vec::new(),
            kept: None,
            kept_real: None,
            part: None,
            settled: None,
        }
    }

    pub(super) fn chose(&mut self, m: u16) {
        self.turns.push(Turn::Chose(m, self.expansions.len()));
    }

    pub(super) fn refuted(&mut self, m: u16) {
        self.turns.push(Turn::Refuted(m, self.expansions.len()));
    }

    /// The record as it was after so many expansions, and the steps up to there.
    pub fn until(&self, expansions: usize) -> History {
        let mut so_far = self.clone();
        // What was asked after the last of them belongs to the end.
        if expansions >= self.expansions.len() {
            return so_far;
        }
        if let Some(last) = expansions.checked_sub(1).and_then(|last| self.expansions.get(last)) {
            so_far.steps.truncate(last.step);
        } else if expansions == 0 {
            so_far.steps.clear();
        }
        so_far.expansions.truncate(expansions);
        let is_past = |turn: &Turn| match turn {
            Turn::Chose(_, at) | Turn::Refuted(_, at) => *at <= expansions,
        };
        so_far.turns.retain(is_past);
        (so_far.settled, so_far.part) = (None, None);
        (so_far.kept, so_far.kept_real) = (None, None);
        so_far
    }

    /// The graph at the end of the search. The table is the one in force then, if probabilities were
    /// [learned](History::learned).
    pub fn replay(&self, table: Option<Arc<OddsTable>>) -> Result<Graph, BadHistory> {
        self.replay_watched(table, |_, _| ())
    }

    /// The same; before each step `watch` sees the graph and what is about to happen to it.
    pub fn replay_watched(
        &self,
        table: Option<Arc<OddsTable>>,
        mut watch: impl FnMut(&Graph, &Step),
    ) -> Result<Graph, BadHistory> {
        let fail = |what: &str| Err(BadHistory(what.to_string()));
        if self.version != VERSION {
            return fail(&format!("version {} instead of {VERSION}", self.version));
        }
        let mut how = How::default();
        let model = MODELS.iter().find(|(name, _)| *name == self.model);
        let groups = GROUPS.iter().find(|(name, _)| *name == self.groups);
        let (Some((_, model)), Some((_, groups))) = (model, groups) else {
            return fail("an unknown model or grouping");
        };
        (how.main.form, how.groups.form) = (*model, *groups);
        if self.learned && table.is_none() {
            return fail("its probabilities are those of a table that is not here");
        }
        let table = table.filter(|_| self.learned);
        let Some(first) = self.start.first() else { return fail("no position") };
        let turn = if first.first { Player::First } else { Player::Second };
        let mut graph = Graph::new(first.key, turn, Aim::new(&how, table), self.largest);
        if !graph.read(&self.start) {
            return fail("a move leads to a position that is not there");
        }
        for step in &self.steps {
            if !graph.can(step) {
                return fail("a step about a position that is not there");
            }
            watch(&graph, step);
            graph.apply(step);
        }
        Ok(graph)
    }
}

impl Graph {
    /// Everything, as plain data.
    pub fn written(&self) -> Vec<NodeOf> {
        self.nodes
            .iter()
            .map(|node| NodeOf {
                key: node.key,
                first: node.turn == Player::First,
                ending: node.ending.map(Score::to_bits),
                real: node.own.real.to_bits(),
                hopes: node.own.hopes.map(|hope| hope.map(Score::to_bits)),
                probed: node.probed,
                hopes_asked: node.hopes_asked,
                depth: node.own.depth,
                kind: node.own.kind,
                edges: node.edges.iter().map(|edge| (edge.m, edge.child, edge.reply)).collect(),
                rest: node.rest.as_ref().map(|rest| RestOf {
                    moves: rest.moves.clone(),
                    real: rest.real.to_bits(),
                    hope: rest.hope.map(Score::to_bits),
                }),
                visits: node.visits,
            })
            .collect()
    }

    /// Takes what was written in place of everything. `false` if it makes no graph.
    pub(super) fn read(&mut self, nodes: &[NodeOf]) -> bool {
        self.forget();
        for node in nodes {
            let own = Leaf {
                real: Score::from_bits(node.real),
                hopes: node.hopes.map(|hope| hope.map(Score::from_bits)),
                depth: node.depth,
                kind: node.kind,
            };
            let turn = if node.first { Player::First } else { Player::Second };
            let id = self.add(node.key, turn, node.ending.map(Score::from_bits), own);
            let made = &mut self.nodes[id as usize];
            (made.probed, made.hopes_asked) = (node.probed, node.hopes_asked);
            (made.visits, made.rest) = (node.visits, node.rest.as_ref().map(Into::into));
        }
        for (id, node) in nodes.iter().enumerate() {
            for &(m, child, reply) in &node.edges {
                if child as usize >= nodes.len() {
                    return false;
                }
                self.nodes[id].edges.push(Edge { m, child, reply });
                let parents = &mut self.nodes[child as usize].parents;
                if !parents.contains(&(id as NodeId)) {
                    parents.push(id as NodeId);
                }
            }
        }
        self.recompute(None);
        true
    }

    /// Whether a step is about positions that are there.
    pub fn can(&self, step: &Step) -> bool {
        let here = |id: &NodeId| (*id as usize) < self.len();
        match step {
            Step::Expand { node, .. }
            | Step::Widen { node, .. }
            | Step::Hopes { node, .. }
            | Step::Deepen { node, .. }
            | Step::Settle { node, .. } => here(node),
            Step::Visit { path } => path.iter().all(here),
            Step::Aim { below, target, .. } => {
                target.is_finite() && below.as_ref().is_none_or(here)
            }
        }
    }
}
