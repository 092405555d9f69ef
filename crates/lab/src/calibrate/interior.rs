//! Nodes inside real searches, with their windows, that nothing before a probabilistic cut has
//! answered: where such a cut would be asked about, and so where it must be right.

use std::time::Instant;

use secateur_games::playable::{GameEngine, Playable};
use secateur_games::record::Record;
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::{Engine, Limits};
use secateur_search::calibrate::unrest::{self, Amounts};
use secateur_search::observe::Observer;
use secateur_search::random::SplitMix;
use secateur_search::{Depth, Score};

/// A node that was drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// How deep it was to be searched.
    pub depth: i32,
    /// Its window.
    pub beta: i32,
    /// The moves from the root, packed; 0 for a pass.
    pub path: Vec<u16>,
    /// How uneasy it is.
    pub unrest: Amounts,
}

/// Draws nodes, the same number of each depth, every one as likely as the others.
#[derive(Clone, Debug)]
pub struct Watcher {
    path: Vec<u16>,
    least: usize,
    /// By depth: how many were seen, and those that are kept.
    seen: Vec<(u64, Vec<Drawn>)>,
    each: usize,
    /// The place in `seen` of the one that was drawn last.
    last: [usize; 2],
    random: SplitMix,
}

impl Watcher {
    /// Of the depths from `least` to `most` no more than `each`.
    pub fn new(least: i32, most: i32, each: usize, seed: u64) -> Watcher {
        let depths = (most - least + 1).max(0) as usize;
        Watcher {
            path: Vec::new(),
            least: least.max(0) as usize,
            seen: vec![(0, Vec::new()); depths],
            each,
            last: [0; 2],
            random: SplitMix::new(seed),
        }
    }

    /// What was drawn, the shallow first.
    pub fn drawn(&self) -> impl Iterator<Item = &Drawn> {
        self.seen.iter().flat_map(|(_, drawn)| drawn)
    }
}

impl Observer for Watcher {
    fn entered(&mut self, ply: usize, packed_move: u16) {
        self.path.truncate(ply - 1);
        self.path.push(packed_move);
    }

    fn survived(&mut self, depth: Depth, ply: usize, beta: Score) -> bool {
        let Some(place) = (depth.plies() as usize).checked_sub(self.least) else { return false };
        let Some((seen, drawn)) = self.seen.get_mut(place) else { return false };
        *seen += 1;
        // A reservoir (Vitter, 1985).
        let slot = if drawn.len() < self.each {
            drawn.push(Drawn { depth: 0, beta: 0, path: Vec::new(), unrest: [0; unrest::MOST] });
            drawn.len() - 1
        } else {
            match self.random.below(*seen as usize) {
                slot if slot < self.each => slot,
                _ => return false,
            }
        };
        // A node that is searched again under other terms has the same path.
        let path = self.path[..ply.min(self.path.len())].to_vec();
        let (depth, beta) = (depth.plies(), beta.value());
        drawn[slot] = Drawn { depth, beta, path, unrest: [0; unrest::MOST] };
        self.last = [place, slot];
        true
    }

    fn uneasy(&mut self, amounts: &Amounts) {
        let [place, slot] = self.last;
        self.seen[place].1[slot].unrest = *amounts;
    }
}

/// A node, as a position that can be searched by itself.
pub struct Node<G: Playable> {
    /// How deep it was to be searched.
    pub depth: i32,
    /// Its window.
    pub beta: i32,
    /// How uneasy it is.
    pub unrest: Amounts,
    /// The position; what led there is forgotten, since a pass may have.
    pub record: Record<G>,
}

/// Searches the position at the end of the record to `depth` as this engine would, and draws nodes of
/// the depths from `least` to `most`. `None` if it was stopped.
pub fn nodes<G: Playable>(
    record: &Record<G>,
    like: &GameEngine<G>,
    depth: i32,
    [least, most]: [i32; 2],
    seed: u64,
    control: &Control,
) -> Option<Vec<Node<G>>> {
    let evaluator = like.evaluator().clone();
    let mut engine = Engine::new(G::start(), move || {
        let (_, solver) = G::equip();
        (evaluator.clone(), solver, Watcher::new(least, most, 1, seed))
    });
    engine.set_settings(like.settings().clone());
    let (position, line, limits) = (record.position(), record.line(), Limits::depth(depth));
    engine.search_here(position, line, &limits, Instant::now(), control, &mut |_| {});
    if control.is_stopped() {
        return None;
    }
    let drawn: Vec<Drawn> = engine.observers().flat_map(Watcher::drawn).cloned().collect();
    let nodes = drawn.into_iter().filter_map(|drawn| {
        let mut place = position.clone();
        for &packed in &drawn.path {
            place = if packed == 0 { place.pass()? } else { place.after(place.unpack(packed)?) };
        }
        let record = Record::starting_at(place);
        let Drawn { depth, beta, unrest, .. } = drawn;
        record.ending().is_none().then_some(Node { depth, beta, unrest, record })
    });
    Some(nodes.collect())
}

#[cfg(all(test, feature = "chess"))]
mod tests {
    use super::*;
    use secateur_games::chess::Chess;
    use secateur_games::playable::new_engine;
    use secateur_search::{Notation, Settings, Tactics};

    #[test]
    fn nodes_of_every_depth_are_drawn_with_a_closed_window_and_can_be_reached() {
        let fen = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
        let record = Record::starting_at(Chess::read_position(fen).unwrap());
        let mut engine = new_engine::<Chess>();
        engine.set_settings(Settings::preset("classic").unwrap());
        let draw = |seed| nodes(&record, &engine, 8, [3, 5], seed, &Control::default()).unwrap();
        let found = draw(1);
        let depths: Vec<i32> = found.iter().map(|node| node.depth).collect();
        assert_eq!(depths, [3, 4, 5]);
        assert!(found.iter().all(|node| !node.record.position().in_check()));
        let hanging = |node: &Node<Chess>| node.unrest[2] == node.record.position().unrest(0);
        assert!(found.iter().all(hanging), "what was seen of the node is told of the node");
        let texts = |seed| -> Vec<String> {
            draw(seed).iter().map(|node| node.record.position().write_position()).collect()
        };
        assert_eq!(texts(1), texts(1), "the same by the same seed");
        assert_ne!(texts(1), texts(2));
    }

    #[test]
    fn every_node_is_as_likely_as_the_others() {
        let mut hits = [0; 10];
        for seed in 0..2_000 {
            let mut watcher = Watcher::new(4, 4, 2, seed);
            for number in 0..10 {
                watcher.entered(1, number);
                watcher.survived(Depth::new(4), 1, Score::DRAW);
            }
            watcher.drawn().for_each(|drawn| hits[usize::from(drawn.path[0])] += 1);
        }
        // 400 each, with a deviation of 18.
        assert!(hits.iter().all(|hits| (320..480).contains(hits)), "{hits:?}");
    }
}
