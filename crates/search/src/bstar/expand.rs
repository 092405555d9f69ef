//! An expansion: probes of every move of a leaf; and what can be done instead.

use super::graph::NodeId;
use super::how::{BstarExpandForm, BstarModel, BstarStepForm};
use super::prober::{Hope, Probed, Prober, Question};
use super::search::Search;
use super::step::{Child, RestOf, Step};
use super::values::absolute;
use crate::{Depth, Game, Outcome, Score, Stopped};

/// How the game ended at a position, if it did.
pub(super) fn ending<G: Game>(position: &G) -> Option<Outcome> {
    position.ended().or_else(|| (position.count_moves() == 0).then(|| position.without_moves()))
}

impl<G: Game> Search<G> {
    /// The depth of probes.
    pub(super) fn depth(&self) -> Depth {
        Depth::new(self.how.main.probe)
    }

    /// Whether the hopes of the side to move are wanted at once.
    pub(super) fn wants_hopes(&self, id: NodeId) -> bool {
        self.graph.node(id).turn == self.graph.aim().forcer
            || self.how.main.form == BstarModel::Bounds
    }

    /// Does to a leaf what promises most.
    pub(super) fn improve(
        &mut self,
        prober: &mut impl Prober<G>,
        path: Vec<NodeId>,
    ) -> Result<(), Stopped> {
        let leaf = path[path.len() - 1];
        if self.how.step.form == BstarStepForm::Value && self.rather_deeper(leaf) {
            return self.probe_deeper(prober, path);
        }
        self.expand(prober, path)
    }

    /// Expands the last position of a path.
    pub(super) fn expand(
        &mut self,
        prober: &mut impl Prober<G>,
        path: Vec<NodeId>,
    ) -> Result<(), Stopped> {
        let leaf = path[path.len() - 1];
        let from_root = path.len() - 1;
        // The root's moves compete: each is wanted with its value.
        if self.how.expand.form == BstarExpandForm::Narrow && from_root > 0 {
            self.expand_narrowly(prober, &path)?;
        } else {
            let (depth, hopes) = (self.depth(), self.wants_hopes(leaf));
            let position = self.position(leaf).clone();
            let probed = prober.probe_all(&position, from_root, depth, hopes)?;
            let children = self.children(prober, &position, &probed, depth);
            self.apply(Step::Expand { node: leaf, children, rest: None, hopes });
            self.remember(leaf, &position, &probed);
        }
        self.record(prober, path);
        Ok(())
    }

    /// What probes found, as the graph takes it.
    pub(super) fn children(
        &self,
        prober: &impl Prober<G>,
        position: &G,
        probed: &[Probed<G::Move>],
        depth: Depth,
    ) -> Vec<Child> {
        let mover = position.turn();
        probed
            .iter()
            .map(|probed| {
                let after = position.after(probed.m);
                // Nodes count distances from themselves, probes from the position before.
                let kept = |score: Score| absolute(mover, score).relative_to_node(1).to_bits();
                let ended = ending(&after)
                    .map(|outcome| absolute(after.turn(), outcome.score(0)).to_bits());
                Child {
                    m: G::pack(probed.m),
                    reply: probed.line.first().map_or(0, |m| G::pack(*m)),
                    key: after.key(),
                    ending: ended,
                    real: kept(probed.real),
                    hope: probed.hope.map(|hope: Hope| kept(hope.value)),
                    depth: depth.plies(),
                    kind: prober.kind(position, probed.m),
                }
            })
            .collect()
    }

    /// Keeps the positions behind new nodes; what is drawn by the game so far is drawn.
    pub(super) fn remember(&mut self, parent: NodeId, position: &G, probed: &[Probed<G::Move>]) {
        for probed in probed {
            let after = position.after(probed.m);
            let Some(child) = self.graph.find(after.key()) else { continue };
            if child as usize == self.positions.len() {
                self.positions.push(after);
                self.lines.push(probed.line.clone());
                self.settle_by_history(parent, child, probed.m);
            }
        }
    }

    /// Expands several leaves at once, none of which is above another.
    pub(super) fn expand_several(
        &mut self,
        prober: &mut impl Prober<G>,
        paths: Vec<Vec<NodeId>>,
    ) -> Result<(), Stopped> {
        let depth = self.depth();
        let questions: Vec<Question<G>> = paths
            .iter()
            .map(|path| Question {
                position: self.position(path[path.len() - 1]).clone(),
                from_root: path.len() - 1,
                depth,
                hopes: self.wants_hopes(path[path.len() - 1]),
            })
            .collect();
        let answers = prober.probe_several(&questions)?;
        for ((path, asked), probed) in paths.into_iter().zip(questions).zip(answers) {
            let node = path[path.len() - 1];
            let children = self.children(prober, &asked.position, &probed, depth);
            self.apply(Step::Expand { node, children, rest: None, hopes: asked.hopes });
            self.remember(node, &asked.position, &probed);
            self.record(prober, path);
        }
        Ok(())
    }

    /// Probes the hopes of the moves from the last position of a path. Moves that have no node of their own
    /// get one if they can hope to reach the target.
    pub(super) fn ask_hopes(
        &mut self,
        prober: &mut impl Prober<G>,
        path: &[NodeId],
    ) -> Result<(), Stopped> {
        let (node, from_root) = (path[path.len() - 1], path.len() - 1);
        let position = self.position(node).clone();
        let mover = position.turn();
        let mut values = Vec::new();
        for edge in self.graph.node(node).edges.clone() {
            let child = self.graph.node(edge.child);
            let known = child.own.hopes[mover as usize]
                .filter(|_| child.probed[mover as usize] || child.ending.is_some());
            let settled = child.ending;
            let value = match (known, settled, position.unpack(edge.m)) {
                (Some(known), ..) => known,
                (None, Some(ending), _) => ending,
                (None, None, None) => child.own.real,
                (None, None, Some(m)) => {
                    let real = absolute(mover, child.own.real).relative_to_root(1);
                    let depth = Depth::new(child.own.depth).max(Depth::new(1));
                    let line = self.lines[edge.child as usize].clone();
                    let probed = Probed { m, real, line, hope: None };
                    let hope = prober.hope(&position, &probed, from_root, depth)?;
                    absolute(mover, hope.value).relative_to_node(1)
                }
            };
            values.push(value.to_bits());
        }
        let opened = self.ask_hopes_of_rest(prober, &position, node, from_root)?;
        self.apply(Step::Hopes { node, values });
        if let Some((probed, rest)) = opened {
            let children = self.children(prober, &position, &probed, self.depth_of_moves(node));
            self.apply(Step::Widen { node, children, rest });
            self.remember(node, &position, &probed);
        }
        Ok(())
    }

    /// The same of the moves that were only asked against a bound: those that can hope to reach the
    /// target, probed, and what is left.
    #[allow(clippy::type_complexity)]
    fn ask_hopes_of_rest(
        &self,
        prober: &mut impl Prober<G>,
        position: &G,
        node: NodeId,
        from_root: usize,
    ) -> Result<Option<(Vec<Probed<G::Move>>, Option<RestOf>)>, Stopped> {
        let Some(rest) = &self.graph.node(node).rest else { return Ok(None) };
        let (mover, depth) = (position.turn(), self.depth_of_moves(node));
        let wanted = self.target_for(mover);
        let real = absolute(mover, rest.real).relative_to_root(1);
        let (mut passed, mut moves, mut hope) = (Vec::new(), Vec::new(), real);
        for m in rest.moves.iter().filter_map(|bits| position.unpack(*bits)) {
            let hoped = prober.hope_at_least(position, m, wanted, from_root, depth)?;
            if hoped >= wanted {
                passed.push(m);
            } else {
                moves.push(G::pack(m));
                hope = hope.max(hoped);
            }
        }
        let probed = match passed.is_empty() {
            true => Vec::new(),
            false => prober.probe_some(position, &passed, from_root, depth, true)?,
        };
        let kept = |score: Score| absolute(mover, score).relative_to_node(1).to_bits();
        let rest = (!moves.is_empty()).then(|| RestOf {
            moves,
            real: rest.real.to_bits(),
            hope: Some(kept(hope)),
        });
        Ok(Some((probed, rest)))
    }

    /// A move of the game decides what repeats: a position that ends it when it comes again does so
    /// wherever in the graph it stands.
    pub(super) fn settle_by_history(&mut self, parent: NodeId, child: NodeId, m: G::Move) {
        let key = self.graph.node(child).key;
        if self.graph.node(child).ending.is_some()
            || !self.line.back().any(|(_, link)| link.key == key)
        {
            return;
        }
        // Any path will do: what matters is how often it stood in the game.
        let mut path = vec![parent];
        while path[path.len() - 1] != self.root && path.len() < crate::score::MAX_PLY {
            match self.graph.node(path[path.len() - 1]).parents.first() {
                Some(above) if !path.contains(above) => path.push(*above),
                _ => return,
            }
        }
        path.reverse();
        let mut line = self.line.clone();
        for (ply, (pair, bits)) in path.windows(2).zip(self.moves_of(&path)).enumerate() {
            let before = self.position(pair[0]);
            let Some(m) = before.unpack(bits) else { return };
            line.enter(ply, before, m, self.position(pair[1]));
        }
        let after = self.position(child);
        line.enter(path.len() - 1, self.position(parent), m, after);
        if let Some(outcome) = after.recurrence(&line) {
            let score = absolute(after.turn(), outcome.score(0));
            self.apply(Step::Settle { node: child, score: Some(score.to_bits()) });
        }
    }
}
