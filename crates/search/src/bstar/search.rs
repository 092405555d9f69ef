//! A search: the graph with the positions behind it, kept from move to move.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::aim::Aim;
use super::effort::Effort;
use super::graph::{Graph, NodeId};
use super::history::{Expansion, History, Phase, RootMove};
use super::how::{BstarModel, BstarSeedForm, How};
use super::odds_table::OddsTable;
use super::prober::{Deepened, Prober};
use super::select::SelectEnd;
use super::step::Step;
use super::values::{Values, absolute, gain};
use super::verify::Verdict;
use crate::{Game, Line, Player, Score, Stopped};

/// A search.
#[derive(Clone)]
pub struct Search<G: Game> {
    pub(super) how: How,
    pub(super) graph: Graph,
    /// The position of each node.
    pub(super) positions: Vec<G>,
    /// What follows each node by its probe.
    pub(super) lines: Vec<Vec<G::Move>>,
    pub(super) root: NodeId,
    pub(super) line: Line<G::Mark>,
    pub(super) history: History,
    pub(super) effort: Effort,
    /// Expansions for this move.
    pub(super) done: u32,
    pub(super) phase: Phase,
    /// What iterative deepening has found for this move.
    pub(super) seed: Option<Deepened<G::Move>>,
}

/// What B\* made of the move that iterative deepening had found before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// There was none.
    Alone,
    /// It was examined and stands.
    Confirmed,
    /// Another is played.
    Overruled,
    /// B\* did not come to an end, and it is played.
    Unfinished,
    /// It was confirmed, but iterative deepening found another with what was left.
    Superseded,
}

impl Part {
    /// All of them.
    pub const ALL: [Part; 5] =
        [Part::Alone, Part::Confirmed, Part::Overruled, Part::Unfinished, Part::Superseded];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Part::Alone => "alone",
            Part::Confirmed => "confirmed",
            Part::Overruled => "overruled",
            Part::Unfinished => "unfinished",
            Part::Superseded => "superseded",
        }
    }

    /// Whether B\* has decided the move.
    pub fn decides(self) -> bool {
        matches!(self, Part::Alone | Part::Confirmed | Part::Overruled)
    }
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Settled {
    /// There is only one move.
    OnlyMove,
    /// The move is proven to win.
    Proven,
    /// No other move can be better, by bounds alone.
    Separated,
    /// No reply promised anything against it any more.
    Withstood,
    /// What VERIFY may spend is spent.
    Effort,
    /// Nothing is left to look at.
    Exhausted,
    /// The memory is full.
    Full,
    /// It was told to stop.
    Stopped,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<M> {
    /// The best move; `None` if there is no legal one, or it was stopped before the first probes.
    pub best: Option<M>,
    /// Its value for the side to move.
    pub real: Score,
    /// The line of best moves.
    pub line: Vec<M>,
    /// How many of its moves are in the graph; those behind were found inside a probe.
    pub expanded: usize,
    /// Why it ended.
    pub settled: Settled,
    /// Expansions for this move.
    pub expansions: u32,
    /// Nodes of the probes for it.
    pub nodes: u64,
    /// Plies of the search behind the line: its moves in the graph and the last probe, or the iteration.
    pub depth: i32,
    /// What B\* has to do with it.
    pub part: Part,
}

/// A move of the root now.
#[derive(Clone, Debug)]
pub(super) struct Rival {
    pub m: u16,
    pub child: NodeId,
    pub values: Values,
}

/// A probability as it is recorded: the same after it was written and read.
fn rounded(odds: f64) -> f64 {
    (odds * 1e6).round() / 1e6
}

impl<G: Game> Search<G> {
    /// A search from `position`, the last of `line`. Probabilities of leaves are those of the `table` if
    /// one is given; else they are linear.
    pub fn new(
        position: &G,
        line: &Line<G::Mark>,
        how: How,
        table: Option<Arc<OddsTable>>,
    ) -> Search<G> {
        let aim = Aim::new(&how, table);
        let turn = position.turn();
        let graph = Graph::new(position.key(), turn, aim, how.main.component as usize);
        let history = History::starting_at(&graph, 0, how.main.form, how.groups.form);
        Search {
            effort: Effort::new(&how.main, 1, 0),
            how,
            graph,
            positions: vec![position.clone()],
            lines: vec![Vec::new()],
            root: 0,
            line: line.clone(),
            history,
            done: 0,
            phase: Phase::Select,
            seed: None,
        }
    }

    /// The graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// What is in force.
    pub fn how(&self) -> &How {
        &self.how
    }

    /// Where the search begins.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// What happened in the last search.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The position of a node.
    pub fn position(&self, id: NodeId) -> &G {
        &self.positions[id as usize]
    }

    /// The side that moves at the root.
    pub(super) fn player(&self) -> Player {
        self.graph.node(self.root).turn
    }

    /// Thinks about a move, with as many expansions as the settings say or `expansions`.
    pub fn think(
        &mut self,
        prober: &mut impl Prober<G>,
        expansions: Option<u32>,
    ) -> Answer<G::Move> {
        let seeded = self.how.seed.form == BstarSeedForm::On
            && self.how.main.form != BstarModel::Bounds
            && self.position(self.root).count_moves() > 0;
        if seeded {
            let (position, line) = (self.position(self.root).clone(), self.line.clone());
            self.start_anew(&position, &line);
        }
        self.think_on(prober, expansions, seeded)
    }

    /// The same with the graph as it is.
    pub(super) fn think_on(
        &mut self,
        prober: &mut impl Prober<G>,
        expansions: Option<u32>,
        seeded: bool,
    ) -> Answer<G::Move> {
        let before = prober.nodes();
        let total = expansions.unwrap_or(self.how.main.expansions as u32);
        let saved = self.graph.node(self.root).visits;
        self.effort = Effort::new(&self.how.main, total, saved);
        self.done = 0;
        self.seed = None;
        self.history =
            History::starting_at(&self.graph, self.root, self.how.main.form, self.how.groups.form);
        let settled = self.run(prober, seeded.then_some(total)).unwrap_or(Settled::Stopped);
        self.history.settled = Some(settled);
        self.answer(settled, prober.nodes() - before)
    }

    /// With a seed if the expansions for it are given.
    fn run(
        &mut self,
        prober: &mut impl Prober<G>,
        seeded: Option<u32>,
    ) -> Result<Settled, Stopped> {
        self.phase = Phase::Select;
        let (mut moves, mut any) = (0, None);
        self.position(self.root).each_move(|m| {
            any = Some(m);
            moves += 1;
        });
        if moves == 0 {
            return Ok(Settled::Exhausted);
        }
        if let (Some(total), 2..) = (seeded, moves) {
            return self.run_seeded(prober, total);
        }
        if !self.graph.node(self.root).is_expanded() {
            self.aim_at(self.player(), 0.0, None);
            self.expand(prober, vec![self.root])?;
        }
        if moves == 1 {
            if let Some(only) = any.filter(|_| seeded.is_some() && prober.spends_all()) {
                self.go_on(prober, only);
            }
            return Ok(Settled::OnlyMove);
        }
        self.open_root(prober, false)?;
        if self.how.main.form == BstarModel::Bounds {
            return self.separate(prober);
        }
        loop {
            let (chosen, end) = self.select(prober)?;
            self.history.chose(chosen.m);
            if chosen.values.real.is_proven()
                && gain(self.player(), chosen.values.real, Score::DRAW) > 0
            {
                return Ok(Settled::Proven);
            }
            if end == SelectEnd::Full {
                return Ok(Settled::Full);
            }
            let before = self.done;
            let verdict = self.verify(prober, &chosen, None)?;
            return Ok(match verdict {
                // A phase that cost nothing will say the same again.
                Verdict::Refuted if !self.effort.is_gone() && self.done > before => {
                    self.history.refuted(chosen.m);
                    continue;
                }
                Verdict::Refuted => Settled::Effort,
                Verdict::Withstood => Settled::Withstood,
                Verdict::Effort => Settled::Effort,
                Verdict::Exhausted => Settled::Exhausted,
                Verdict::Full => Settled::Full,
            });
        }
    }

    /// The moves of the root, as seen from it.
    pub(super) fn rivals(&self) -> Vec<Rival> {
        let root = self.graph.node(self.root);
        let mut rivals: Vec<Rival> = Vec::new();
        for edge in &root.edges {
            if !rivals.iter().any(|rival| rival.child == edge.child) {
                let values = self.graph.under(&[self.root], edge.child);
                rivals.push(Rival { m: edge.m, child: edge.child, values });
            }
        }
        rivals
    }

    /// The rival with the best real value, and the first of equals; the best of the others by the same.
    pub(super) fn best_two<'a>(
        &self,
        rivals: &'a [Rival],
        contends: impl Fn(&Rival) -> bool,
    ) -> (&'a Rival, Option<&'a Rival>) {
        let side = self.player();
        let by_real = |a: &&Rival, b: &&Rival| gain(side, a.values.real, b.values.real).cmp(&0);
        let best = rivals.iter().rev().max_by(by_real).expect("a root has moves");
        let second = rivals
            .iter()
            .rev()
            .filter(|rival| rival.m != best.m && contends(rival))
            .max_by(by_real);
        (best, second)
    }

    /// Does a step and remembers it.
    pub(super) fn apply(&mut self, step: Step) {
        self.graph.apply(&step);
        self.history.steps.push(step);
    }

    pub(super) fn aim_at(&mut self, forcer: Player, target: f64, below: Option<NodeId>) {
        // A thousandth is as good, and is the same after it was written and read.
        let target = (target * 1_024.0).round() / 1_024.0;
        self.apply(Step::Aim { first: forcer == Player::First, target, below });
    }

    /// An expansion was made at the end of `path`.
    pub(super) fn record(&mut self, prober: &impl Prober<G>, path: Vec<NodeId>) {
        self.done += 1;
        self.apply(Step::Visit { path: path.clone() });
        self.effort.note(self.done, prober.spent());
        let expansion = self.standing(prober.nodes(), self.moves_of(&path));
        self.history.expansions.push(expansion);
        prober.expanded(&|| self.answer(Settled::Stopped, prober.nodes()));
    }

    /// The target has moved since the last expansion: what stands after it is told by the new one.
    pub(super) fn amend(&mut self) {
        if let Some(last) = self.history.expansions.pop() {
            let again = self.standing(last.nodes, last.path);
            self.history.expansions.push(again);
        }
    }

    fn standing(&self, nodes: u64, path: Vec<u16>) -> Expansion {
        let player = self.player();
        let rivals = self.rivals();
        let (best, _) = self.best_two(&rivals, |_| true);
        let told = |score: Score| absolute(player, score).to_bits();
        Expansion {
            step: self.history.steps.len(),
            phase: self.phase,
            path,
            target: self.graph.aim().target,
            min_act: rounded(self.effort.min_act(&self.how.main)),
            best: best.m,
            real: told(best.values.real),
            reply: self.best_reply(best),
            nodes,
            root: rivals
                .iter()
                .map(|rival| RootMove {
                    m: rival.m,
                    real: told(rival.values.real),
                    hope: rival.values.hopes[player as usize].map(told),
                    fear: rival.values.hopes[player.other() as usize].map(told),
                    odds: rounded(rival.values.odds),
                })
                .collect(),
        }
    }

    fn best_reply(&self, best: &Rival) -> u16 {
        let node = self.graph.node(best.child);
        let path = [self.root, best.child];
        let value = |child: NodeId| self.graph.under(&path, child).real;
        let by_real = |a: &&super::graph::Edge, b: &&super::graph::Edge| {
            gain(node.turn, value(a.child), value(b.child)).cmp(&0)
        };
        node.edges.iter().rev().max_by(by_real).map_or(0, |edge| edge.m)
    }

    /// The moves along a path of nodes.
    pub(super) fn moves_of(&self, path: &[NodeId]) -> Vec<u16> {
        path.windows(2)
            .filter_map(|pair| {
                let edges = &self.graph.node(pair[0]).edges;
                edges.iter().find(|edge| edge.child == pair[1]).map(|edge| edge.m)
            })
            .collect()
    }

    /// Whether no more positions fit.
    pub(super) fn is_full(&self) -> bool {
        self.graph.len() >= self.how.main.positions as usize * 1_000
    }

    pub(super) fn answer(&self, settled: Settled, nodes: u64) -> Answer<G::Move> {
        let mut answer = Answer {
            best: None,
            real: Score::DRAW,
            line: Vec::new(),
            expanded: 0,
            settled,
            expansions: self.done,
            nodes,
            depth: 0,
            part: self.history.part.unwrap_or(Part::Alone),
        };
        let kept = self.history.kept;
        // Iterative deepening has looked deeper than the graph does.
        if let Some(seed) = self.seed.as_ref().filter(|seed| kept == Some(G::pack(seed.m()))) {
            (answer.best, answer.real) = (Some(seed.m()), seed.real);
            (answer.line, answer.depth) = (seed.line.clone(), seed.depth);
            answer.expanded = usize::from(self.graph.node(self.root).is_expanded());
            return answer;
        }
        if !self.graph.node(self.root).is_expanded() {
            return answer;
        }
        let rivals = self.rivals();
        let kept = kept.and_then(|m| rivals.iter().find(|rival| rival.m == m));
        let best = kept.unwrap_or_else(|| self.best_two(&rivals, |_| true).0);
        let path = self.best_line(best.child);
        answer.real = absolute(self.player(), best.values.real).relative_to_root(1);
        let mut at = self.position(self.root).clone();
        for bits in self.moves_of(&path) {
            let Some(m) = at.unpack(bits) else { break };
            answer.line.push(m);
            at.play(m);
        }
        answer.expanded = answer.line.len();
        answer.best = answer.line.first().copied();
        let last = path[path.len() - 1];
        answer.depth = answer.expanded as i32 + self.graph.node(last).own.depth;
        if !self.graph.node(last).is_expanded() {
            answer.line.extend(&self.lines[last as usize]);
        }
        answer
    }

    /// The positions along the best moves from the root through `top`.
    fn best_line(&self, top: NodeId) -> Vec<NodeId> {
        let mut path = vec![self.root, top];
        loop {
            let node = self.graph.node(path[path.len() - 1]);
            if node.ending.is_some() {
                return path;
            }
            let value = |child: NodeId| self.graph.under(&path, child).real;
            let next = node
                .edges
                .iter()
                .rev()
                .max_by(|a, b| gain(node.turn, value(a.child), value(b.child)).cmp(&0));
            match next {
                Some(edge) if !path.contains(&edge.child) => path.push(edge.child),
                _ => return path,
            }
        }
    }
}
