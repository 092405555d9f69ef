//! What today's searches add to the paper's B\*, each behind a switch: narrow expansion, deeper probes
//! instead of wider, a start from iterative deepening.

use super::graph::NodeId;
use super::prober::{Probed, Prober};
use super::search::Search;
use super::step::{Child, RestOf, Step};
use super::values::{absolute, gain};
use crate::score::MAX_PLY;
use crate::{Depth, Game, Score, Stopped};

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
    pub(super) fn deepen(
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
        let (depth, hopes) = (self.depth(), self.wants_hopes(leaf));
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
        let target = absolute(position.turn(), self.target_score());
        let near = value - self.how.expand.margin;
        let mut probed =
            vec![Probed { m: first, real: value, line: line[1..].to_vec(), hope: None }];
        let (mut rest, mut real, mut hope) = (Vec::new(), -Score::INFINITE, None);
        let mut moves = Vec::new();
        position.each_move(|m| moves.push(m));
        for m in moves.into_iter().filter(|m| *m != first) {
            let bound = prober.at_least(&position, m, near, depth)?;
            let hoped = match hopes && bound < near {
                true => Some(prober.hope_at_least(&position, m, target, depth)?),
                false => None,
            };
            if bound >= near || hoped.is_some_and(|hoped| hoped >= target) {
                probed.push(Probed { m, real: bound, line: Vec::new(), hope: None });
            } else {
                rest.push(G::pack(m));
                real = real.max(bound);
                hope = hope.max(hoped);
            }
        }
        for probed in &mut probed {
            if hopes {
                probed.hope = Some(prober.hope(&position, probed, from_root, depth)?);
            }
        }
        let children = self.children(prober, &position, &probed, depth);
        let kept = |score: Score| absolute(position.turn(), score).relative_to_node(1).to_bits();
        let rest = (!rest.is_empty()).then(|| RestOf {
            moves: rest,
            real: kept(real),
            hope: hope.map(|hope| kept(hope.max(real))),
        });
        self.apply(Step::Expand { node: leaf, children, rest, hopes });
        self.remember(leaf, &position, &probed);
        Ok(())
    }

    fn target_score(&self) -> Score {
        Score::DRAW + self.graph.aim().target.round() as i32
    }

    /// Probes the moves that were only asked against a bound.
    pub(super) fn widen(
        &mut self,
        prober: &mut impl Prober<G>,
        path: &[NodeId],
    ) -> Result<(), Stopped> {
        let node = path[path.len() - 1];
        let position = self.position(node).clone();
        let (depth, hopes) = (self.depth(), self.graph.node(node).hopes_asked);
        let wanted = self.graph.node(node).rest.as_ref().map_or(&[][..], |rest| &rest.moves);
        let all = prober.probe_all(&position, path.len() - 1, depth, hopes)?;
        let probed: Vec<Probed<G::Move>> =
            all.into_iter().filter(|probed| wanted.contains(&G::pack(probed.m))).collect();
        let children: Vec<Child> = self.children(prober, &position, &probed, depth);
        self.apply(Step::Widen { node, children });
        self.remember(node, &position, &probed);
        self.record(prober, path.to_vec());
        Ok(())
    }

    /// A search by iterative deepening whose move B\* must beat; it stands until then.
    pub(super) fn seed(&mut self, prober: &mut impl Prober<G>) -> Result<Option<Seed>, Stopped> {
        let position = self.position(self.root).clone();
        let depth = self.depth() + 1 + self.how.seed.deeper;
        let mut found = None;
        for plies in 1..MAX_PLY as i32 {
            // The next iteration takes about as much as all before it together.
            let spent = 2 * prober.spent();
            let enough = match spent {
                0 => plies > depth.plies(),
                _ => spent > self.how.seed.share as u32,
            };
            if enough {
                break;
            }
            let (real, line) = prober.best(&position, Depth::new(plies))?;
            found = line.first().map(|m| Seed { m: G::pack(*m), real, depth: plies }).or(found);
            self.history.kept = found.map(|seed| seed.m);
        }
        Ok(found)
    }

    /// Keeps the move found before, unless another is better by a margin at no less depth.
    pub(super) fn keep_preferred(&mut self, seed: Seed) {
        let rivals = self.rivals();
        let (best, _) = self.best_two(&rivals, |_| true);
        if best.m == seed.m {
            self.history.kept = None;
            return;
        }
        let side = self.player();
        let before = rivals.iter().find(|rival| rival.m == seed.m).map(|rival| rival.values.real);
        let before = before.unwrap_or(absolute(side, seed.real));
        let depth = self.settled_depth(best.child) + 1;
        let ahead = gain(side, best.values.real, before) >= self.how.seed.margin
            && gain(side, best.values.real, absolute(side, seed.real)) >= self.how.seed.margin;
        if ahead && depth >= seed.depth {
            self.history.kept = None;
        }
    }

    /// How deep the value of a position goes along its best line, the last probe among it.
    fn settled_depth(&self, top: NodeId) -> i32 {
        let mut path = vec![self.root, top];
        loop {
            let at = path[path.len() - 1];
            let node = self.graph.node(at);
            let value = |child: NodeId| self.graph.under(&path, child).real;
            let next = node
                .edges
                .iter()
                .rev()
                .max_by(|a, b| gain(node.turn, value(a.child), value(b.child)).cmp(&0));
            match next {
                Some(edge) if !path.contains(&edge.child) => path.push(edge.child),
                _ => return path.len() as i32 - 2 + node.own.depth,
            }
        }
    }
}

/// What a search by iterative deepening found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seed {
    m: u16,
    real: Score,
    depth: i32,
}
