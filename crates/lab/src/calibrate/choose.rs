//! Which pairs save most: the probability of a cut, times what the deep search costs, less what the
//! shallow one does.

use super::line::{Line, Point, Values};

/// Pairs of depths, the shallow first.
pub type Depths = [usize; 2];

/// The pairs of Jiang and Buro (2003): differences that grow, so that the gain does not vanish.
pub const PAPER: [Depths; 5] = [[2, 6], [3, 7], [4, 8], [3, 9], [4, 10]];

/// What a pair promises to save.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Saving {
    /// The pair.
    pub depths: Depths,
    /// The share of questions that end in a cut, above and below the window.
    pub cuts: [f64; 2],
    /// What a shallow search costs of a deep one.
    pub cost: f64,
}

impl Saving {
    /// The share of the deep searches' nodes that is saved; below 0 if it costs more than it saves.
    pub fn share(&self) -> f64 {
        let [above, below] = self.cuts;
        // The question below the window is asked where the one above has failed.
        above + below - self.cost * (1.0 + (1.0 - above))
    }
}

/// Mean nodes of a search to each depth, the first is depth 0.
pub fn costs(positions: &[&Values]) -> Vec<f64> {
    let deepest = positions.iter().map(|position| position.by_depth.len()).max().unwrap_or(0);
    let mean = |depth: usize| {
        let nodes: Vec<f64> = positions
            .iter()
            .filter_map(|position| position.by_depth.get(depth))
            .map(|(_, nodes)| *nodes as f64)
            .collect();
        nodes.iter().sum::<f64>() / nodes.len().max(1) as f64
    };
    (0..deepest).map(mean).collect()
}

/// What a pair promises to save with this threshold. Points that are no nodes have the windows of other
/// positions.
pub fn saving(
    depths: Depths,
    line: &Line,
    points: &[Point],
    costs: &[f64],
    threshold: f64,
) -> Saving {
    let count = points.len();
    let mut cuts = [0.0; 2];
    for (index, point) in points.iter().enumerate() {
        let elsewhere = points[(index + count / 2 + 1) % count].shallow;
        let beta = point.beta.unwrap_or(elsewhere);
        let expected = line.a * point.shallow + line.b;
        if expected - threshold * line.sigma >= beta {
            cuts[0] += 1.0;
        } else if expected + threshold * line.sigma < beta {
            cuts[1] += 1.0;
        }
    }
    let cost = |depth: usize| costs.get(depth).copied().unwrap_or(0.0).max(1.0);
    let cuts = cuts.map(|cuts| cuts / count.max(1) as f64);
    Saving { depths, cuts, cost: cost(depths[0]) / cost(depths[1]) }
}

/// Of all pairs that were measured, the best of each deep depth, if it saves anything.
pub fn best(savings: &[Saving]) -> Vec<Depths> {
    let mut chosen: Vec<Saving> = Vec::new();
    for saving in savings.iter().filter(|saving| saving.share() > 0.0) {
        match chosen.iter_mut().find(|known| known.depths[1] == saving.depths[1]) {
            Some(known) if saving.share() > known.share() => *known = *saving,
            Some(_) => {}
            None => chosen.push(*saving),
        }
    }
    chosen.sort_by_key(|saving| saving.depths[1]);
    chosen.into_iter().map(|saving| saving.depths).collect()
}

#[cfg(test)]
mod tests {
    use super::super::line::line;
    use super::super::line::tests::made_up;
    use super::*;

    #[test]
    fn a_sure_and_cheap_pair_saves_more_than_one_that_is_vague_or_dear() {
        let costs = [1.0, 10.0, 30.0, 100.0, 300.0, 1_000.0, 3_000.0];
        let by = |depths, sigma| {
            let points = made_up(2_000, 1.0, 0.0, sigma);
            saving(depths, &line(&points).unwrap(), &points, &costs, 1.0)
        };
        let (sure, vague, dear) = (by([2, 6], 30.0), by([1, 6], 200.0), by([5, 6], 20.0));
        assert!(sure.share() > vague.share() && sure.share() > dear.share());
        assert!(sure.cuts[0] > 0.2 && sure.cuts[1] > 0.2, "{sure:?}");
        assert_eq!(best(&[vague, sure, dear]), [[2, 6]]);
        let lost = Saving { depths: [4, 5], cuts: [0.05, 0.05], cost: 0.4 };
        assert!(lost.share() < 0.0 && best(&[lost]).is_empty());
    }

    #[test]
    fn costs_are_means_over_the_positions_that_were_searched_so_deep() {
        let position = |nodes: &[u64]| Values {
            game: 0,
            stage: 0,
            category: 0,
            beta: None,
            unrest: None,
            end: None,
            by_depth: nodes.iter().map(|nodes| (0.0, *nodes)).collect(),
        };
        assert_eq!(costs(&[&position(&[0, 10, 40]), &position(&[0, 20])]), [0.0, 15.0, 40.0]);
    }
}
