//! Leaves as B\* asked how likely they are, drawn from the record of a search.
//!
//! A probability is used in two ways: the most likely leaf is followed, and how likely all of them are
//! decides when to stop. So at moments drawn at random the leaf that was expanded then is taken, and one
//! of the others below the position in question, each with the target of the moment. What is decided
//! without a probability is no question: a target that is reached already, or that nobody hopes for.

use secateur_search::bstar::Search;
use secateur_search::bstar::graph::{Graph, NodeId};
use secateur_search::bstar::step::Step;
use secateur_search::bstar::values::absolute;
use secateur_search::random::SplitMix;
use secateur_search::{Game, Player, Score};

use super::rows::{Phase, Row, Which};

/// A leaf with its target, and where it stands; what it comes to is not known yet.
#[derive(Clone, Debug)]
pub struct Question<G> {
    /// The position of the leaf.
    pub position: G,
    /// Who tries to reach the target.
    pub forcer: Player,
    /// What is known; [`Row::deep`] is the real value still.
    pub row: Row,
}

impl<G: Game> Question<G> {
    /// What it came to: `deep` is the value of a deeper search for the side to move.
    pub fn answered(&self, deep: Score) -> Row {
        let deep = absolute(self.forcer, absolute(self.position.turn(), deep));
        Row { deep: deep.value(), ..self.row }
    }
}

/// Draws questions from the last search, `most` of them at most.
pub fn draw<G: Game>(search: &Search<G>, most: usize, random: &mut SplitMix) -> Vec<Question<G>> {
    let history = search.history();
    let expands = |step: &Step| matches!(step, Step::Expand { node, .. } if *node != history.root);
    let mut moments: Vec<usize> =
        (0..history.steps.len()).filter(|at| expands(&history.steps[*at])).collect();
    // Every moment gives two leaves at most.
    while moments.len() > most.div_ceil(2) {
        moments.swap_remove(random.below(moments.len()));
    }
    let player = history.start[history.root as usize].first;
    let mut found = Vec::new();
    let (mut at, mut top) = (0, history.root);
    let watch = |graph: &Graph, step: &Step| {
        if let Step::Aim { below, .. } = step {
            top = below.unwrap_or(history.root);
        }
        if let (Step::Expand { node, .. }, true) = (step, moments.contains(&at)) {
            let others: Vec<NodeId> = leaves(graph, top)
                .into_iter()
                .filter(|id| id != node && asks(graph, *id))
                .collect();
            let other = (!others.is_empty()).then(|| others[random.below(others.len())]);
            let own = Some(*node).filter(|id| !graph.node(*id).is_expanded() && asks(graph, *id));
            for (id, which) in [(own, Which::Expanded), (other, Which::Other)] {
                let id = id.filter(|_| found.len() < most);
                found.extend(id.map(|id| question(graph, search.position(id), id, which, player)));
            }
        }
        at += 1;
    };
    // A record that was made just now replays.
    let _ = history.replay_watched(None, watch);
    found
}

/// Whether it is open at a leaf if the target is reached.
fn asks(graph: &Graph, id: NodeId) -> bool {
    let node = graph.node(id);
    node.ending.is_none() && graph.aim().question(&node.own).is_some()
}

/// The positions below this one that are not expanded.
fn leaves(graph: &Graph, top: NodeId) -> Vec<NodeId> {
    let mut seen = vec![false; graph.len()];
    let mut waiting = vec![top];
    let mut leaves = Vec::new();
    seen[top as usize] = true;
    while let Some(id) = waiting.pop() {
        let node = graph.node(id);
        if !node.is_expanded() {
            leaves.push(id);
        }
        for edge in &node.edges {
            if !std::mem::replace(&mut seen[edge.child as usize], true) {
                waiting.push(edge.child);
            }
        }
    }
    leaves
}

fn question<G: Game>(
    graph: &Graph,
    position: &G,
    id: NodeId,
    which: Which,
    player: bool,
) -> Question<G> {
    let (node, aim) = (graph.node(id), graph.aim());
    let forcer = aim.forcer;
    let told = |score: Score| absolute(forcer, score).value();
    let real = told(node.own.real);
    let hope = node.own.hopes[forcer as usize].map_or(real, told);
    let target = if forcer == Player::First { aim.target } else { -aim.target };
    let select = (forcer == Player::First) == player;
    let row = Row {
        which,
        phase: if select { Phase::Select } else { Phase::Verify },
        depth: node.own.depth,
        kind: node.own.kind,
        forcer_moves: node.turn == forcer,
        real,
        hope,
        target,
        deep: real,
    };
    Question { position: position.clone(), forcer, row }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_search::Line;
    use secateur_search::bstar::How;
    use secateur_search::testkit::maze::{Guide, Maze};

    fn searched(seed: u64) -> Search<Maze> {
        let start = Maze::random(seed, 80, 4, 120);
        let mut search = Search::new(&start, &Line::starting_at(&start), How::default(), None);
        search.think(&mut Guide::default(), Some(60));
        search
    }

    #[test]
    fn every_question_is_open_and_about_a_leaf_of_the_search() {
        let mut counts = [0; 4];
        for seed in 0..60 {
            let search = searched(seed);
            let mut random = SplitMix::new(seed);
            for Question { position, row, forcer } in draw(&search, 9, &mut random) {
                assert!(f64::from(row.real) < row.target && row.target < f64::from(row.hope));
                let id = search.graph().find(position.key()).expect("it is in the graph");
                assert_eq!(search.graph().node(id).own.depth, row.depth);
                // What is real for the forcer is what the maze says for the side that began.
                let sign = if forcer == Player::First { 1 } else { -1 };
                assert_eq!(position.room().real * sign, row.real);
                assert_eq!(row.forcer_moves, position.turn() == forcer);
                assert_eq!(row.phase == Phase::Select, forcer == Player::First);
                counts[2 * usize::from(row.phase == Phase::Verify)
                    + usize::from(row.which == Which::Other)] += 1;
            }
        }
        assert!(counts.iter().all(|count| *count > 5), "{counts:?}");
    }

    #[test]
    fn no_more_are_drawn_than_wanted_and_the_same_again() {
        let many = |search: &Search<Maze>| draw(search, 500, &mut SplitMix::new(1)).len() > 12;
        let search = (0..200).map(searched).find(many).expect("some search is long");
        let rows = |most: usize, seed: u64| -> Vec<Row> {
            draw(&search, most, &mut SplitMix::new(seed)).iter().map(|asked| asked.row).collect()
        };
        assert!(rows(5, 1).len() <= 5 && rows(1, 1).len() <= 1);
        assert_eq!(rows(5, 1), rows(5, 1));
        assert!((2..9).any(|seed| rows(5, seed) != rows(5, 1)));
    }

    #[test]
    fn what_a_deeper_search_found_is_told_for_who_forces() {
        for seed in 0..20 {
            for asked in draw(&searched(seed), 9, &mut SplitMix::new(1)) {
                let moves = asked.position.turn() == asked.forcer;
                let row = asked.answered(Score::heuristic(7));
                assert_eq!(row.deep, if moves { 7 } else { -7 });
            }
        }
    }
}
