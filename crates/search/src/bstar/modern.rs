//! What today's searches add to the paper's B\*, each behind a switch: narrow expansion, and deeper probes
//! instead of wider.

use super::graph::NodeId;
use super::how::BstarDefenceForm;
use super::prober::{Probed, Prober, Question};
use super::search::Search;
use super::step::{RestOf, Step};
use super::values::{absolute, gain};
use crate::{Depth, Game, Player, Score, Stopped};

/// What moves are asked for instead of being probed, all for their mover.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bar {
    /// To be worth this.
    pub near: Score,
    /// Or to be hoped to reach this, where hopes are wanted.
    pub hope: Option<Score>,
}

/// What came of it.
pub(super) struct Sifted<M> {
    /// The moves that are worth a probe.
    pub passed: Vec<M>,
    /// The others.
    pub rest: Option<RestOf>,
}

impl<G: Game> Search<G> {
    /// Whether a deeper probe of a leaf promises more for its cost than an expansion.
    ///
    /// An expansion costs one probe a move, a ply more the branching factor of a search. A probe deeper
    /// pays where the target is out of reach of small changes either way: it is wanted where the
    /// probability is near a half, and an expansion where it is nearly settled.
    pub(super) fn rather_deeper(&self, leaf: NodeId) -> bool {
        let node = self.graph.node(leaf);
        let deeper = node.own.depth - self.how.main.probe;
        if deeper >= self.how.step.deepest || leaf == self.root {
            return false;
        }
        let mut moves = 0.0;
        self.position(leaf).each_move(|_| moves += 1.0);
        let cost = (f64::from(self.how.step.ply_cost) / 100.0).powi(deeper + 1);
        let odds = node.values.odds;
        // The variance of the event is what either can settle; an expansion settles all of it.
        let worth = 4.0 * odds * (1.0 - odds) / 2.0;
        worth * moves > cost
    }

    /// Probes a leaf a ply deeper.
    pub(super) fn probe_deeper(
        &mut self,
        prober: &mut impl Prober<G>,
        path: Vec<NodeId>,
    ) -> Result<(), Stopped> {
        let leaf = path[path.len() - 1];
        let depth = self.graph.node(leaf).own.depth + 1;
        let position = self.position(leaf).clone();
        let (score, line) = prober.best(&position, Depth::new(depth))?;
        let real = absolute(position.turn(), score).to_bits();
        self.apply(Step::Deepen { node: leaf, real, depth });
        self.lines[leaf as usize] = line;
        self.record(prober, path);
        Ok(())
    }

    /// One search for the best move; of the others only whether they come near it, or are hoped to
    /// reach the target.
    pub(super) fn expand_narrowly(
        &mut self,
        prober: &mut impl Prober<G>,
        path: &[NodeId],
    ) -> Result<(), Stopped> {
        let (leaf, from_root) = (path[path.len() - 1], path.len() - 1);
        let (depth, hopes) = (self.depth_below(leaf), self.wants_hopes(leaf));
        let position = self.position(leaf).clone();
        let (value, line) = prober.best(&position, depth + 1)?;
        let Some(&first) = line.first() else {
            // A position without a line is over for its prober: all moves, then.
            let probed = prober.probe_all(&position, from_root, depth, hopes)?;
            let children = self.children(prober, &position, &probed, depth);
            self.apply(Step::Expand { node: leaf, children, rest: None, hopes });
            self.remember(leaf, &position, &probed);
            return Ok(());
        };
        let margin = self.how.expand.margin;
        // Where the best move reaches the target already, hopes beyond it are what is of interest.
        let hope = self.target_for(position.turn()).max(value + margin);
        let bar = Bar { near: value - margin, hope: hopes.then_some(hope) };
        let mut others = Vec::new();
        position.each_move(|m| others.push(m));
        others.retain(|m| *m != first);
        let ask = Question { position: position.clone(), from_root, depth, hopes };
        let mut sifted = self.sift(prober, &ask, Some(first), &others, bar)?;
        if !hopes && self.how.defence.form == BstarDefenceForm::On {
            self.defend(prober, &position, line.get(1).copied(), &mut sifted, depth)?;
        }
        let mut best = Probed { m: first, real: value, line: line[1..].to_vec(), hope: None };
        if hopes {
            best.hope = Some(prober.hope(&position, &best, from_root, depth)?);
        }
        let mut probed = vec![best];
        if !sifted.passed.is_empty() {
            let more = prober.probe_some(&position, &sifted.passed, from_root, depth, hopes)?;
            probed.extend(more);
        }
        let children = self.children(prober, &position, &probed, depth);
        self.apply(Step::Expand { node: leaf, children, rest: sifted.rest, hopes });
        self.remember(leaf, &position, &probed);
        Ok(())
    }

    /// How deep the moves of a leaf are probed: no less in all than it was itself.
    fn depth_below(&self, leaf: NodeId) -> Depth {
        self.depth().max(Depth::new(self.graph.node(leaf).own.depth - 1))
    }

    /// Which of some moves are worth a probe. One question about all of them comes first, if it is told
    /// which move of the position is none of them: mostly it is the only one.
    pub(super) fn sift(
        &self,
        prober: &mut impl Prober<G>,
        ask: &Question<G>,
        best: Option<G::Move>,
        moves: &[G::Move],
        bar: Bar,
    ) -> Result<Sifted<G::Move>, Stopped> {
        let Question { position, from_root, depth, .. } = ask;
        let (from_root, depth) = (*from_root, *depth);
        let (mut passed, mut rest) = (Vec::new(), Vec::new());
        let (mut real, mut hope) = (-Score::INFINITE, None);
        let all = match best {
            Some(best) if !moves.is_empty() => {
                Some(prober.others_at_least(position, best, bar.near, depth + 1)?)
            }
            _ => None,
        };
        for m in moves {
            let bound = match all.filter(|all| *all < bar.near) {
                Some(all) => all,
                None => prober.at_least(position, *m, bar.near, depth)?,
            };
            let mut passes = bound >= bar.near;
            if !passes && let Some(wanted) = bar.hope {
                let hoped = prober.hope_at_least(position, *m, wanted, from_root, depth)?;
                passes = hoped >= wanted;
                if !passes {
                    hope = hope.max(Some(hoped));
                }
            }
            if passes {
                passed.push(*m);
            } else {
                rest.push(G::pack(*m));
                real = real.max(bound);
            }
        }
        let kept = |score: Score| absolute(position.turn(), score).relative_to_node(1).to_bits();
        let rest = (!rest.is_empty()).then(|| RestOf {
            moves: rest,
            real: kept(real),
            hope: hope.map(|hope| kept(hope.max(real))),
        });
        Ok(Sifted { passed, rest })
    }

    /// Moves after which the threat, the answer to the best move, is not to be had or no longer reaches
    /// the target: they get nodes of their own.
    fn defend(
        &self,
        prober: &mut impl Prober<G>,
        position: &G,
        threat: Option<G::Move>,
        sifted: &mut Sifted<G::Move>,
        depth: Depth,
    ) -> Result<(), Stopped> {
        let (Some(threat), Some(rest)) = (threat.map(G::pack), &mut sifted.rest) else {
            return Ok(());
        };
        let target = self.target_for(self.graph.aim().forcer);
        let mut added = 0;
        let mut at = 0;
        while at < rest.moves.len() && added < self.how.defence.moves {
            let answers = match position.unpack(rest.moves[at]) {
                None => false,
                Some(m) => {
                    let after = position.after(m);
                    match after.unpack(threat) {
                        None => super::expand::ending(&after).is_none(),
                        Some(threat) => {
                            prober.at_least(&after, threat, target, depth - 1)? < target
                        }
                    }
                }
            };
            if answers {
                sifted.passed.extend(position.unpack(rest.moves.remove(at)));
                added += 1;
            } else {
                at += 1;
            }
        }
        if rest.moves.is_empty() {
            sifted.rest = None;
        }
        Ok(())
    }

    /// The least value that reaches the target, for a side that forces.
    pub(super) fn target_for(&self, side: Player) -> Score {
        let target = self.graph.aim().target;
        let own = if side == Player::First { target } else { -target };
        Score::DRAW + own.ceil() as i32
    }

    /// Probes those of the moves that were only asked against a bound which come up to what is known by
    /// now; all of them if nothing else is left to look at.
    pub(super) fn widen(
        &mut self,
        prober: &mut impl Prober<G>,
        path: &[NodeId],
    ) -> Result<(), Stopped> {
        let at = path[path.len() - 1];
        let side = self.graph.node(at).turn;
        let open = self.graph.node(at).edges.iter().map(|edge| self.graph.under(path, edge.child));
        let best = open
            .filter(|values| values.open)
            .map(|values| absolute(side, values.real).relative_to_root(1))
            .max();
        let bar = best.map(|best| {
            let margin = self.how.expand.margin;
            let hopes = self.graph.node(at).hopes_asked;
            let hope = hopes.then(|| self.target_for(side).max(best + 1));
            Bar { near: best - margin, hope }
        });
        self.open_rest(prober, path, bar)
    }

    /// The same with a bar that is given; without one, every move passes.
    pub(super) fn open_rest(
        &mut self,
        prober: &mut impl Prober<G>,
        path: &[NodeId],
        bar: Option<Bar>,
    ) -> Result<(), Stopped> {
        let (node, from_root) = (path[path.len() - 1], path.len() - 1);
        let Some(rest) = &self.graph.node(node).rest else { return Ok(()) };
        let position = self.position(node).clone();
        let (depth, hopes) = (self.depth_of_moves(node), self.graph.node(node).hopes_asked);
        let moves: Vec<G::Move> =
            rest.moves.iter().filter_map(|bits| position.unpack(*bits)).collect();
        let ask = Question { position: position.clone(), from_root, depth, hopes };
        let sifted = match bar {
            Some(bar) => self.sift(prober, &ask, None, &moves, bar)?,
            None => Sifted { passed: moves, rest: None },
        };
        let probed = match sifted.passed.is_empty() {
            true => Vec::new(),
            false => prober.probe_some(&position, &sifted.passed, from_root, depth, hopes)?,
        };
        let children = self.children(prober, &position, &probed, depth);
        self.apply(Step::Widen { node, children, rest: sifted.rest });
        self.remember(node, &position, &probed);
        self.record(prober, path.to_vec());
        Ok(())
    }

    /// How deep the moves of an expanded position were probed.
    pub(super) fn depth_of_moves(&self, node: NodeId) -> Depth {
        let edges = self.graph.node(node).edges.iter();
        let deepest = edges.map(|edge| self.graph.node(edge.child).own.depth).max();
        Depth::new(deepest.unwrap_or(0)).max(self.depth())
    }

    /// Sees to it that no move of the root is left out of the comparison: a root kept from the last move
    /// may have been expanded narrowly, and the moves that have nodes may all have become worse than the
    /// others were said to be at most. `asked` says that the others were asked as moves of a root.
    pub(super) fn open_root(
        &mut self,
        prober: &mut impl Prober<G>,
        asked: bool,
    ) -> Result<(), Stopped> {
        let Some(rest) = &self.graph.node(self.root).rest else { return Ok(()) };
        let bound = rest.real;
        let rivals = self.rivals();
        let (best, _) = self.best_two(&rivals, |_| true);
        if asked && gain(self.player(), best.values.real, bound) > 0 {
            return Ok(());
        }
        self.open_rest(prober, &[self.root], None)
    }
}
