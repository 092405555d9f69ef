//! Which pairs save most: what the deep searches cost where a cut is made, less what the questions do. Both are
//! counted at the same nodes, since a node that is dear to search is dear to ask about.

use std::collections::BTreeMap;

use secateur_search::calibrate::cuts::about_half;

use super::line::{Point, Values};

/// Pairs of depths, the shallow first.
pub type Depths = [usize; 2];

/// The pairs of Jiang and Buro (2003): differences that grow, so that the gain does not vanish.
pub const PAPER: [Depths; 5] = [[2, 6], [3, 7], [4, 8], [3, 9], [4, 10]];

/// Whether a pair may be chosen: of the same parity, since whose turn it is at the end matters, and about
/// half as deep (Delorme, Edax), or two plies less. Deeper ones cost most of what they save.
pub fn is_candidate([shallow, deep]: Depths) -> bool {
    let half = about_half(deep as i32);
    (deep - shallow).is_multiple_of(2)
        && shallow > 0
        && (half - 2..=half).contains(&(shallow as i32))
}

/// A question about one node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Question {
    /// The node.
    pub number: usize,
    /// Nodes of the shallow search, and of the deep one.
    pub nodes: [u64; 2],
    /// Whether it ends in a cut.
    pub cut: bool,
}

impl Question {
    /// About a point whose deep value is expected so many deviations above its window, or below, with cuts
    /// that far beyond it above and below. Only the side is asked about on which the guess lies.
    pub fn new(point: &Point, beta: f64, ahead: f64, [high, low]: [f64; 2]) -> Question {
        let cut = if point.guess >= beta { ahead >= high } else { -ahead >= low };
        Question { number: point.number, nodes: point.nodes, cut }
    }
}

/// What a pair, or several asked one after the other, promises to save.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Saving {
    /// Nodes of the deep searches.
    pub deep: f64,
    /// Of these, those that a cut saves.
    pub saved: f64,
    /// Nodes of the questions.
    pub spent: f64,
}

impl Saving {
    /// Of pairs of the same deep depth that are asked one after the other.
    pub fn of(pairs: &[&[Question]]) -> Saving {
        let mut by_node: BTreeMap<usize, Vec<Question>> = BTreeMap::new();
        for question in pairs.iter().copied().flatten() {
            by_node.entry(question.number).or_default().push(*question);
        }
        let mut sum = Saving::default();
        for questions in by_node.values() {
            let [_, deep] = questions[0].nodes.map(|nodes| nodes as f64);
            sum.deep += deep;
            for question in questions {
                sum.spent += question.nodes[0] as f64;
                if question.cut {
                    sum.saved += deep;
                    break;
                }
            }
        }
        sum
    }

    /// With another stage.
    pub fn and(self, other: Saving) -> Saving {
        Saving {
            deep: self.deep + other.deep,
            saved: self.saved + other.saved,
            spent: self.spent + other.spent,
        }
    }

    /// The share of the deep searches' nodes that is saved; below 0 if it costs more than it saves.
    pub fn share(&self) -> f64 {
        (self.saved - self.spent) / self.deep.max(1.0)
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

/// A second pair must save so much more.
const WORTH_A_SECOND: f64 = 0.01;

/// What was asked with a pair at some stage and category.
pub type Asked<'a> = (Depths, usize, &'a [Question]);

/// The best pair of each deep depth over all stages, if it saves anything, and another beside it where both
/// together save more.
pub fn best(asked: &[Asked<'_>]) -> Vec<Depths> {
    let mut deeps: Vec<usize> = asked.iter().map(|(depths, ..)| depths[1]).collect();
    deeps.sort_unstable();
    deeps.dedup();
    let mut stages: Vec<usize> = asked.iter().map(|(_, stage, _)| *stage).collect();
    stages.sort_unstable();
    stages.dedup();
    let saving = |pairs: &[Depths]| -> f64 {
        let at = |stage: usize| {
            let here = |depths: &Depths| {
                asked.iter().find(|(known, at, _)| known == depths && *at == stage)
            };
            let questions: Vec<&[Question]> =
                pairs.iter().filter_map(here).map(|(_, _, questions)| *questions).collect();
            Saving::of(&questions)
        };
        stages.iter().map(|stage| at(*stage)).fold(Saving::default(), Saving::and).share()
    };
    let mut chosen = Vec::new();
    for deep in deeps {
        let mut pairs: Vec<Depths> =
            asked.iter().map(|(depths, ..)| *depths).filter(|depths| depths[1] == deep).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let alone = pairs.iter().map(|pair| (saving(&[*pair]), vec![*pair]));
        let most = |one: &(f64, Vec<Depths>), other: &(f64, Vec<Depths>)| one.0.total_cmp(&other.0);
        let Some(one) = alone.max_by(most).filter(|(share, _)| *share > 0.0) else { continue };
        let twos = pairs.iter().flat_map(|first| {
            pairs.iter().filter(move |second| *second > first).map(move |second| [*first, *second])
        });
        let two = twos.map(|two| (saving(&two), two.to_vec())).max_by(most);
        let better = two.filter(|(share, _)| *share > one.0 + WORTH_A_SECOND);
        chosen.extend(better.unwrap_or(one).1);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::super::line::line;
    use super::super::line::tests::made_up;
    use super::*;

    fn asked(sigma: f64, cost: u64) -> Vec<Question> {
        let points = made_up(2_000, 1.0, 0.0, sigma);
        let line = line(&points).unwrap();
        let one = |point: &Point| {
            let beta = point.beta.unwrap();
            let ahead = (line.expected(point) - beta) / line.sigma;
            let point = Point { nodes: [cost, 1_000], ..*point };
            Question::new(&point, beta, ahead, [1.0; 2])
        };
        points.iter().map(one).collect()
    }

    #[test]
    fn a_sure_and_cheap_pair_saves_more_than_one_that_is_vague_or_dear() {
        let (sure, vague, dear) = (asked(30.0, 100), asked(200.0, 30), asked(25.0, 700));
        let share = |questions: &[Question]| Saving::of(&[questions]).share();
        assert!(share(&sure) > share(&vague) && share(&sure) > share(&dear));
        let cuts = sure.iter().filter(|question| question.cut).count() as f64 / 2_000.0;
        let wanted = cuts - 0.1;
        assert!((share(&sure) - wanted).abs() < 1e-9, "{} {wanted}", share(&sure));
        let all = [([2, 6], 0, &sure[..]), ([1, 6], 0, &vague[..]), ([4, 6], 0, &dear[..])];
        assert_eq!(best(&all[..1]), [[2, 6]]);
        assert!(best(&all).contains(&[2, 6]) && !best(&all).contains(&[4, 6]));
        assert!(best(&[([4, 5], 0, &asked(500.0, 400))]).is_empty(), "it costs more than it saves");
    }

    #[test]
    fn a_cheap_question_comes_first_where_it_spares_the_dear_one() {
        // One in two nodes is cut for next to nothing, the other by the dearer question alone.
        let question = |number: usize, cost, cut| Question { number, nodes: [cost, 1_000], cut };
        let cheap: Vec<Question> = (0..100).map(|n| question(n, 10, n % 2 == 0)).collect();
        let dear: Vec<Question> = (0..100).map(|n| question(n, 300, true)).collect();
        assert_eq!(best(&[([2, 8], 0, &cheap), ([4, 8], 0, &dear)]), [[2, 8], [4, 8]]);
        let both = Saving::of(&[&cheap, &dear]);
        assert_eq!((both.deep, both.saved, both.spent), (100_000.0, 100_000.0, 16_000.0));
        // Where the cheap one says nothing it is left out.
        let useless: Vec<Question> = (0..100).map(|n| question(n, 10, false)).collect();
        assert_eq!(best(&[([2, 8], 0, &useless), ([4, 8], 0, &dear)]), [[4, 8]]);
    }

    #[test]
    fn candidates_are_of_the_same_parity_and_about_half_as_deep() {
        let all = |deep: usize| -> Vec<usize> {
            (1..deep).filter(|shallow| is_candidate([*shallow, deep])).collect()
        };
        assert_eq!([3, 4, 6, 8].map(all), [vec![1], vec![2], vec![2], vec![2, 4]]);
        assert_eq!([9, 10].map(all), [vec![3, 5], vec![2, 4]]);
        assert!(all(2).is_empty());
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
