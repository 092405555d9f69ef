//! The tree kept from move to move, and enriched while the opponent thinks.
//!
//! After a move the part below it stays. On the opponent's time the same search looks for his best
//! move, then for the own reply, and so on along the line of best moves; where what is found later
//! overturns a move thought best, the work goes back to that stage (Berliner and McConnell, 3.12).

use super::graph::NodeId;
use super::history::NodeOf;
use super::prober::Prober;
use super::search::{Answer, Search, Settled};
use super::step::Step;
use super::values::absolute;
use crate::{Game, Line};

/// Lines are prepared no further. The paper's program had up to six moves of each side.
const LONGEST: usize = 12;

/// A move that was prepared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prepared<M> {
    /// The move thought best.
    pub m: M,
    /// Why its search ended.
    pub settled: Settled,
    /// How often the work came back to this stage.
    pub returns: u32,
}

struct Stage<G: Game> {
    root: NodeId,
    /// The game as it would be then.
    line: Line<G::Mark>,
    prepared: Prepared<G::Move>,
}

/// Expansions of each stage, and of all of them.
struct Effort {
    each: u32,
    all: u32,
}

/// What a round of thinking ahead came to.
struct Round<M> {
    prepared: Vec<Prepared<M>>,
    expansions: u32,
    stopped: bool,
}

impl<G: Game> Search<G> {
    /// A move of the game was made: what lies below it is kept. `line` ends at `after`.
    pub fn advance(&mut self, m: G::Move, after: &G, line: &Line<G::Mark>) {
        let known = self
            .graph
            .node(self.root)
            .edges
            .iter()
            .find(|edge| edge.m == G::pack(m))
            .map(|edge| edge.child)
            .filter(|child| self.position(*child).key() == after.key());
        match known {
            Some(child) => self.keep(child, after, line),
            None => self.start_anew(after, line),
        }
    }

    /// The game went on to `position`, the last of `line`, in whatever way: what lies below it is kept
    /// if it was looked at before.
    pub fn go_to(&mut self, position: &G, line: &Line<G::Mark>) {
        let known = self.graph.find(position.key());
        match known.filter(|id| self.graph.node(*id).turn == position.turn()) {
            Some(id) => self.keep(id, position, line),
            None => self.start_anew(position, line),
        }
    }

    fn keep(&mut self, root: NodeId, position: &G, line: &Line<G::Mark>) {
        self.root = root;
        self.line = line.clone();
        // Counters of move rules are no part of a key: the game's own position counts.
        self.positions[root as usize] = position.clone();
        self.keep_below();
    }

    pub(super) fn start_anew(&mut self, position: &G, line: &Line<G::Mark>) {
        let table = self.graph.aim().table.clone();
        *self = Search::new(position, line, self.how.clone(), table);
    }

    /// Forgets what the root no longer leads to.
    fn keep_below(&mut self) {
        let mut place = vec![None; self.graph.len()];
        let mut kept = vec![self.root];
        place[self.root as usize] = Some(0);
        let mut next = 0;
        while next < kept.len() {
            for edge in &self.graph.node(kept[next]).edges {
                if place[edge.child as usize].is_none() {
                    place[edge.child as usize] = Some(kept.len() as NodeId);
                    kept.push(edge.child);
                }
            }
            next += 1;
        }
        let mut all = self.graph.written();
        let nodes: Vec<NodeOf> = kept
            .iter()
            .map(|id| {
                let mut node = all[*id as usize].clone();
                for edge in &mut node.edges {
                    edge.1 = place[edge.1 as usize].unwrap_or(0);
                }
                node
            })
            .collect();
        all.clear();
        self.positions = kept.iter().map(|id| self.positions[*id as usize].clone()).collect();
        self.lines = kept.iter().map(|id| std::mem::take(&mut self.lines[*id as usize])).collect();
        self.graph.read(&nodes);
        self.root = 0;
        self.settle_anew();
    }

    /// What ends the game by what was played before depends on what was played.
    fn settle_anew(&mut self) {
        for id in 0..self.graph.len() as NodeId {
            let over = super::expand::ending(self.position(id));
            let turn = self.graph.node(id).turn;
            let score = over.map(|outcome| absolute(turn, outcome.score(0)));
            if self.graph.node(id).ending != score {
                self.apply(Step::Settle { node: id, score: score.map(crate::Score::to_bits) });
            }
        }
        for id in 1..self.graph.len() as NodeId {
            let Some(&parent) = self.graph.node(id).parents.first() else { continue };
            let edge = self.graph.node(parent).edges.iter().find(|edge| edge.child == id);
            if let Some(m) = edge.and_then(|edge| self.position(parent).unpack(edge.m)) {
                self.settle_by_history(parent, id, m);
            }
        }
    }

    /// Thinks on the opponent's time, for so many expansions in all: his move first, then the reply to
    /// it, and so on. What was prepared, in order; the root is the same afterwards. The expected move, if
    /// one is given, is taken for his, whatever turns out best.
    pub fn think_ahead(
        &mut self,
        prober: &mut impl Prober<G>,
        expected: Option<G::Move>,
        expansions: u32,
    ) -> Vec<Prepared<G::Move>> {
        let each = self.how.main.expansions as u32;
        self.prepare(prober, expected, Effort { each, all: expansions }, None).prepared
    }

    /// The same until the prober stops it, longer and longer, or nothing is left to be found. The opponent
    /// is expected to bring about `position`, the last of `line`. Where the graph knows the position that
    /// he moves in, that is its root afterwards, so that whatever he plays is kept; else the expected one
    /// is. How many expansions were made.
    pub fn ponder(
        &mut self,
        prober: &mut impl Prober<G>,
        position: &G,
        line: &Line<G::Mark>,
    ) -> u32 {
        let expected = self.go_to_opponent(position, line);
        let (mut made, mut each) = (0, self.how.main.expansions as u32);
        loop {
            let effort = Effort { each, all: each.saturating_mul(LONGEST as u32) };
            let round = self.prepare(prober, expected, effort, Some(position.key()));
            made += round.expansions;
            if round.stopped || round.expansions == 0 {
                return made;
            }
            each = each.saturating_mul(2);
        }
    }

    /// Goes to where the opponent moves, if that is known: the move that is expected of him. Else to the
    /// expected position.
    fn go_to_opponent(&mut self, position: &G, line: &Line<G::Mark>) -> Option<G::Move> {
        let known = line.before().and_then(|before| {
            let id = self.graph.find(before.current().key)?;
            let at = self.position(id).clone();
            let mut expected = None;
            at.each_move(|m| {
                if at.after(m).key() == position.key() {
                    expected = Some(m);
                }
            });
            Some((at, before, expected?))
        });
        match known {
            Some((at, before, expected)) => {
                self.go_to(&at, &before);
                Some(expected)
            }
            None => {
                self.go_to(position, line);
                None
            }
        }
    }

    /// One round along the line of best moves. What is known of the position with the key `told`, the
    /// prober is told after every stage.
    fn prepare(
        &mut self,
        prober: &mut impl Prober<G>,
        expected: Option<G::Move>,
        effort: Effort,
        told: Option<u64>,
    ) -> Round<G::Move> {
        let (home, line) = (self.root, self.line.clone());
        let mut stages: Vec<Stage<G>> = Vec::new();
        let (mut at, mut so_far) = (home, line.clone());
        let mut round = Round { prepared: Vec::new(), expansions: 0, stopped: false };
        let mut left = effort.all;
        let mut returns = 0;
        while left > 0 && stages.len() < LONGEST {
            let answer = self.think_at(prober, at, so_far.clone(), effort.each.min(left));
            round.expansions += answer.expansions;
            round.stopped = answer.settled == Settled::Stopped;
            left = left.saturating_sub(answer.expansions.max(1));
            self.tell_of(prober, told);
            let Answer { best: Some(m), settled, .. } = answer else { break };
            let m = expected.filter(|_| stages.is_empty()).unwrap_or(m);
            let prepared = Prepared { m, settled, returns };
            stages.push(Stage { root: at, line: so_far.clone(), prepared });
            if round.stopped {
                break;
            }
            // What is expected is not for us to choose.
            let fixed = usize::from(expected.is_some());
            if let Some(stage) = self.overturned(&stages, fixed) {
                returns = stages[stage].prepared.returns + 1;
                (at, so_far) = (stages[stage].root, stages[stage].line.clone());
                stages.truncate(stage);
                continue;
            }
            let Some(child) = self.child_by(at, m) else { break };
            so_far.play(self.position(at), m, self.position(child));
            (at, returns) = (child, 0);
        }
        (self.root, self.line) = (home, line);
        // What a prepared line made a repetition is none in the game.
        self.settle_anew();
        round.prepared = stages.into_iter().map(|stage| stage.prepared).collect();
        round
    }

    /// Tells the prober what would be played in the position with this key, if that was looked at.
    fn tell_of(&mut self, prober: &impl Prober<G>, told: Option<u64>) {
        let Some(id) = told.and_then(|key| self.graph.find(key)) else { return };
        if !self.graph.node(id).is_expanded() {
            return;
        }
        let here = std::mem::replace(&mut self.root, id);
        let answer = self.answer(Settled::Stopped, prober.nodes());
        self.root = here;
        prober.prepared(&answer);
    }

    fn think_at(
        &mut self,
        prober: &mut impl Prober<G>,
        root: NodeId,
        line: Line<G::Mark>,
        expansions: u32,
    ) -> Answer<G::Move> {
        (self.root, self.line) = (root, line);
        debug_assert_eq!(self.line.current().key, self.graph.node(root).key);
        self.think_on(prober, Some(expansions), false)
    }

    fn child_by(&self, root: NodeId, m: G::Move) -> Option<NodeId> {
        let edges = &self.graph.node(root).edges;
        let child = edges.iter().find(|edge| edge.m == G::pack(m)).map(|edge| edge.child)?;
        let node = self.graph.node(child);
        (node.ending.is_none()).then_some(child)
    }

    /// The first stage, from `first` on, at which another move is the best by now.
    fn overturned(&mut self, stages: &[Stage<G>], first: usize) -> Option<usize> {
        let here = self.root;
        let found = (first..stages.len().saturating_sub(1)).find(|stage| {
            let stage = &stages[*stage];
            self.root = stage.root;
            let rivals = self.rivals();
            let (best, _) = self.best_two(&rivals, |_| true);
            let chosen = G::pack(stage.prepared.m);
            rivals
                .iter()
                .find(|rival| rival.m == chosen)
                .is_some_and(|rival| rival.values.real != best.values.real)
        });
        self.root = here;
        found
    }
}
