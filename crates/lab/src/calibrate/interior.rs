//! Nodes inside real searches, measured where they stand: with the window, the table and the histories that the
//! search has there, by closed windows, as a probabilistic cut and the search itself would ask.
//!
//! Two kinds are drawn: nodes that have come to where such a cut is asked about, and nodes before anything has gone
//! by their guess, which tell how far guesses are to be trusted. A search is made twice: once to count them,
//! once to measure those that were drawn.

use std::time::Instant;

use secateur_games::playable::{GameEngine, Playable};
use secateur_games::record::Record;
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::{Engine, Limits};
use secateur_search::observe::{Measured, Observer};
use secateur_search::random::SplitMix;
use secateur_search::{Depth, Score};

/// Where in the questions of a node it is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Before anything has gone by its guess.
    Glanced,
    /// Where a probabilistic cut is asked about.
    Survived,
}

/// A node that was measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// Where.
    pub place: Place,
    /// How deep it was to be searched.
    pub depth: i32,
    /// Its window.
    pub beta: i32,
    /// The moves from the root, packed; 0 for a pass.
    pub path: Vec<u16>,
    /// What was found.
    pub measured: Measured,
}

/// Counts nodes by place and depth, and has those measured that are wanted.
#[derive(Clone, Debug, Default)]
pub struct Watcher {
    path: Vec<u16>,
    /// How many there were of each depth.
    seen: [Vec<u64>; 2],
    /// Which of them is wanted.
    wanted: [Vec<Option<u64>>; 2],
    /// What is being measured: nothing is looked at meanwhile.
    measuring: Option<(Place, Depth, Score, Vec<u16>)>,
    drawn: Vec<Drawn>,
}

impl Watcher {
    /// Of each depth from `least` to `most` one node in each place, every one as likely as the others, if
    /// the search is the same as one that was watched.
    fn drawing(watched: &Watcher, [least, most]: [usize; 2], seed: u64) -> Watcher {
        let mut random = SplitMix::new(seed);
        let wanted = watched.seen.each_ref().map(|seen| {
            let one = |(depth, count): (usize, &u64)| {
                let inside = (least..=most).contains(&depth) && *count > 0;
                inside.then(|| random.below(*count as usize) as u64)
            };
            seen.iter().enumerate().map(one).collect()
        });
        Watcher { wanted, ..Watcher::default() }
    }

    fn meets(&mut self, place: Place, depth: Depth, ply: usize, beta: Score) -> bool {
        if self.measuring.is_some() {
            return false;
        }
        let (which, slot) = (place as usize, depth.plies() as usize);
        let seen = &mut self.seen[which];
        if seen.len() <= slot {
            seen.resize(slot + 1, 0);
        }
        seen[slot] += 1;
        let number = seen[slot] - 1;
        let is_wanted = self.wanted[which].get(slot) == Some(&Some(number));
        if is_wanted {
            // A node that is searched again under other terms has the same path.
            let path = self.path[..ply.min(self.path.len())].to_vec();
            self.measuring = Some((place, depth, beta, path));
        }
        is_wanted
    }
}

impl Observer for Watcher {
    const MEASURES: bool = true;

    fn entered(&mut self, ply: usize, packed_move: u16) {
        self.path.truncate(ply - 1);
        self.path.push(packed_move);
    }

    fn glanced(&mut self, depth: Depth, ply: usize, beta: Score) -> bool {
        self.meets(Place::Glanced, depth, ply, beta)
    }

    fn survived(&mut self, depth: Depth, ply: usize, beta: Score) -> bool {
        self.meets(Place::Survived, depth, ply, beta)
    }

    fn measured(&mut self, measured: &Measured) {
        let Some((place, depth, beta, path)) = self.measuring.take() else { return };
        let (depth, beta, measured) = (depth.plies(), beta.value(), measured.clone());
        self.drawn.push(Drawn { place, depth, beta, path, measured });
    }
}

/// A node, and its position.
pub struct Node<G: Playable> {
    /// What was found.
    pub drawn: Drawn,
    /// The position.
    pub position: G,
}

/// Searches the position at the end of the record to `depth` as this engine would, and measures nodes of
/// the depths from `least` to `most`. `None` if it was stopped.
pub fn nodes<G: Playable>(
    record: &Record<G>,
    like: &GameEngine<G>,
    depth: i32,
    [least, most]: [i32; 2],
    seed: u64,
    control: &Control,
) -> Option<Vec<Node<G>>> {
    let (position, line, limits) = (record.position(), record.line(), Limits::depth(depth));
    let search = |watcher: Watcher| -> Option<Watcher> {
        let evaluator = like.evaluator().clone();
        let mut engine = Engine::new(G::start(), move || {
            let (_, solver) = G::equip();
            (evaluator.clone(), solver, watcher.clone())
        });
        engine.set_settings(like.settings().clone());
        let mebibytes = like.table().mebibytes();
        if mebibytes != engine.table().mebibytes() {
            engine.set_table(mebibytes).ok()?;
        }
        engine.search_here(position, line, &limits, Instant::now(), control, &mut |_| {});
        if control.is_stopped() { None } else { engine.observers().next().cloned() }
    };
    let watched = search(Watcher::default())?;
    let depths = [least, most].map(|depth| depth.max(0) as usize);
    let watcher = search(Watcher::drawing(&watched, depths, seed))?;
    let nodes = watcher.drawn.into_iter().filter_map(|drawn| {
        let mut place = position.clone();
        for &packed in &drawn.path {
            place = if packed == 0 { place.pass()? } else { place.after(place.unpack(packed)?) };
        }
        Some(Node { drawn, position: place })
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
    fn nodes_of_every_depth_are_measured_where_they_stand() {
        let fen = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
        let record = Record::starting_at(Chess::read_position(fen).unwrap());
        let mut engine = new_engine::<Chess>();
        engine.set_settings(Settings::preset("classic").unwrap());
        let draw = |seed| nodes(&record, &engine, 8, [3, 5], seed, &Control::default()).unwrap();
        let found = draw(1);
        let depths = |place: Place| -> Vec<i32> {
            let mut depths: Vec<i32> = found
                .iter()
                .map(|n| &n.drawn)
                .filter(|n| n.place == place)
                .map(|n| n.depth)
                .collect();
            depths.sort_unstable();
            depths
        };
        assert_eq!(depths(Place::Survived), [3, 4, 5]);
        assert_eq!(depths(Place::Glanced), [3, 4, 5]);
        for node in &found {
            let Drawn { place, depth, beta, measured, .. } = &node.drawn;
            assert!(!node.position.in_check());
            let searched: Vec<i32> = measured.searches.iter().map(|one| one.depth).collect();
            match place {
                Place::Glanced => assert_eq!(searched, [*depth], "nobody asks about less"),
                Place::Survived => {
                    assert_eq!(searched, (1..=*depth).collect::<Vec<_>>());
                    let hanging = node.position.unrest(0);
                    assert_eq!(measured.unrest[2], hanging, "of the node, not of its neighbours");
                }
            }
            assert!(
                beta.abs() < 5_000 && measured.searches.iter().all(|one| one.nodes < 1_000_000)
            );
        }
        let texts = |seed| -> Vec<String> {
            draw(seed).iter().map(|node| node.position.write_position()).collect()
        };
        assert_eq!(texts(1), texts(1), "the same by the same seed");
        assert_ne!(texts(1), texts(2));
    }

    #[test]
    fn what_is_measured_changes_nothing() {
        let fen = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
        let position = Chess::read_position(fen).unwrap();
        let nodes = |wanted: Vec<Option<u64>>| {
            let (evaluator, _) = Chess::equip();
            let watcher = Watcher { wanted: [wanted.clone(), wanted], ..Watcher::default() };
            let mut engine = Engine::new(position.clone(), move || {
                let (_, solver) = Chess::equip();
                (evaluator.clone(), solver, watcher.clone())
            });
            engine.set_settings(Settings::preset("classic").unwrap());
            let (line, limits) = (Record::starting_at(position.clone()), Limits::depth(7));
            let control = Control::default();
            let answer = engine.search_here(
                &position,
                line.line(),
                &limits,
                Instant::now(),
                &control,
                &mut |_| {},
            );
            let drawn = engine.observers().next().unwrap().drawn.len();
            (answer.nodes, answer.score, drawn)
        };
        let (without, with) =
            (nodes(Vec::new()), nodes(vec![None, None, Some(3), Some(2), Some(1)]));
        assert_eq!((without.0, without.1, without.2), (with.0, with.1, 0));
        assert_eq!(with.2, 6);
    }

    #[test]
    fn every_node_is_as_likely_as_the_others() {
        let depth = Depth::new(4);
        let mut watched = Watcher::default();
        for _ in 0..10 {
            watched.survived(depth, 1, Score::DRAW);
        }
        let mut hits = [0; 10];
        for seed in 0..2_000 {
            let mut watcher = Watcher::drawing(&watched, [4, 4], seed);
            let drawn: Vec<bool> =
                (0..10).map(|_| watcher.survived(depth, 1, Score::DRAW)).collect();
            let number = drawn.iter().position(|drawn| *drawn).unwrap();
            assert!(drawn[number + 1..].iter().all(|drawn| !drawn));
            hits[number] += 1;
        }
        // 200 each, with a deviation of 13.
        assert!(hits.iter().all(|hits| (140..260).contains(hits)), "{hits:?}");
    }
}
