//! Several expansions ahead: the most promising leaves, each chosen as if those before it were half
//! a failure (the paper's section on many processors).

use std::collections::HashSet;

use super::descent::{Next, descend};
use super::graph::NodeId;
use super::how::{BstarExpandForm, BstarStepForm};
use super::prober::Prober;
use super::search::{Answer, Search};
use crate::{Game, Stopped};

impl<G: Game> Search<G> {
    /// Goes on below the last position of `top`. Whether there was anything to do.
    pub(super) fn work(
        &mut self,
        prober: &mut impl Prober<G>,
        top: &[NodeId],
    ) -> Result<bool, Stopped> {
        match descend(&self.graph, &self.how, top.to_vec()) {
            Next::Hopes(path) => self.ask_hopes(prober, &path)?,
            Next::Rest(path) => self.widen(prober, &path)?,
            Next::Nothing => return Ok(false),
            Next::Leaf(path) => {
                let plain = self.how.expand.form == BstarExpandForm::Full
                    && self.how.step.form == BstarStepForm::Expand;
                if self.how.main.ahead <= 1 || !plain {
                    self.improve(prober, path)?;
                } else {
                    let paths = self.several(path, top);
                    self.expand_several(prober, paths)?;
                }
            }
        }
        Ok(true)
    }

    /// The leaf that was found, and others that would be next if it came to little.
    fn several(&mut self, first: Vec<NodeId>, top: &[NodeId]) -> Vec<Vec<NodeId>> {
        let wanted = self.how.main.ahead as usize;
        let mut leaves = vec![first[first.len() - 1]];
        let mut paths = vec![first];
        while paths.len() < wanted {
            self.graph.take(&leaves[leaves.len() - 1..], true);
            match descend(&self.graph, &self.how, top.to_vec()) {
                Next::Leaf(path) => {
                    leaves.push(path[path.len() - 1]);
                    paths.push(path);
                }
                _ => break,
            }
        }
        self.graph.take(&leaves, false);
        paths
    }
}

/// What looking ahead costs: how much of the work one that looks at one leaf at a time would not have
/// done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waste {
    /// Expansions one at a time.
    pub alone: u32,
    /// Expansions so many ahead.
    pub ahead: u32,
    /// How many of those the first search did not make.
    pub wasted: u32,
    /// Whether both chose the same move.
    pub same: bool,
}

/// Searches the same position one leaf at a time and `ahead` leaves at a time, each with a prober of
/// its own.
pub fn simulate<G: Game, P: Prober<G>>(
    start: impl Fn(i32) -> (Search<G>, P),
    ahead: i32,
    expansions: u32,
) -> Waste {
    let run = |ahead: i32| -> (Answer<G::Move>, HashSet<u64>) {
        let (mut search, mut prober) = start(ahead);
        search.how.main.ahead = ahead;
        let answer = search.think(&mut prober, Some(expansions));
        let nodes = (0..search.graph.len() as NodeId).map(|id| search.graph.node(id));
        let expanded = nodes.filter(|node| node.is_expanded()).map(|node| node.key).collect();
        (answer, expanded)
    };
    let ((alone, first), (other, second)) = (run(1), run(ahead));
    Waste {
        alone: alone.expansions,
        ahead: other.expansions,
        wasted: second.difference(&first).count() as u32,
        same: alone.best == other.best,
    }
}
