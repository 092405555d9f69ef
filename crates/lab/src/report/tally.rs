//! The games of a match, counted: by engines, by complete pairs.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::game::Game;
use crate::statistics::counts::{Counts, GameResult, Pentanomial, Results, Trinomial};
use crate::statistics::rating::Meeting;

/// All that was played.
pub(super) struct Match {
    /// By their order in the configuration, then by their first game.
    pub(super) engines: Vec<String>,
    /// In the order of finishing, each number once.
    pub(super) games: Vec<Game>,
    /// The numbers of who moved first and second in each game.
    pub(super) sides: Vec<[usize; 2]>,
    /// The complete pairs, in the order of finishing.
    pub(super) pairs: Vec<Pair>,
    /// Two engines each, told from the side of the one that comes first in `engines`.
    pub(super) pairings: Vec<Pairing>,
}

/// One opening with both colours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    /// The indices of the games: the one that the first engine began, and the other.
    pub(super) games: [usize; 2],
    /// What the first engine made in them.
    pub(super) results: [GameResult; 2],
}

impl Pair {
    pub(super) fn half_points(&self) -> usize {
        self.results[0].half_points() + self.results[1].half_points()
    }

    /// Each won once: the opening, not an engine, decided.
    pub(super) fn split(&self) -> bool {
        self.half_points() == 2 && self.results[0] != GameResult::Draw
    }
}

/// What two engines made of each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pairing {
    pub(super) engines: [usize; 2],
    pub(super) games: Trinomial,
    pub(super) pairs: Pentanomial,
    /// How many of the level pairs were a win each.
    pub(super) split: u64,
}

impl Pairing {
    /// By pair as soon as there is a complete one.
    pub(super) fn results(&self) -> Results {
        if self.pairs.samples() > 0 {
            Results::Pairs(self.pairs)
        } else {
            Results::Games(self.games)
        }
    }

    /// Games that are in no complete pair.
    pub(super) fn unpaired(&self) -> u64 {
        self.games.games().saturating_sub(self.pairs.games())
    }

    pub(super) fn meeting(&self) -> Meeting {
        Meeting { first: self.engines[0], second: self.engines[1], results: self.results() }
    }
}

impl Match {
    /// Counts the games; the names are the engines in the order of the configuration.
    pub(super) fn new(
        names: Vec<String>,
        lines: Vec<(usize, Game)>,
        notes: &mut Vec<String>,
    ) -> Match {
        let mut seen: HashMap<u64, usize> = HashMap::new();
        let (mut games, mut twice) = (Vec::with_capacity(lines.len()), Vec::new());
        for (line, game) in lines {
            match seen.entry(game.number) {
                Entry::Occupied(_) => twice.push(line),
                Entry::Vacant(place) => {
                    place.insert(line);
                    games.push(game);
                }
            }
        }
        if let Some(line) = twice.first() {
            notes.push(format!(
                "games.jsonl, line {line}: a game that was there before is not counted again ({} such)",
                twice.len()
            ));
        }
        let mut engines: Vec<String> = Vec::new();
        let played = games.iter().flat_map(|game: &Game| &game.engines);
        for name in names.iter().chain(played) {
            if !engines.contains(name) {
                engines.push(name.clone());
            }
        }
        let number: HashMap<&str, usize> =
            engines.iter().enumerate().map(|(index, name)| (name.as_str(), index)).collect();
        let sides: Vec<[usize; 2]> = games
            .iter()
            .map(|game| [0, 1].map(|side| number[game.engines[side].as_str()]))
            .collect();
        let (pairs, pairings) = counted(&games, &sides);
        Match { engines, games, sides, pairs, pairings }
    }

    /// The name of an engine.
    pub(super) fn name(&self, engine: usize) -> &str {
        &self.engines[engine]
    }

    /// The only pairing, if there are but two engines.
    pub(super) fn duel(&self) -> Option<&Pairing> {
        if self.engines.len() == 2 { self.pairings.first() } else { None }
    }
}

fn counted(games: &[Game], sides: &[[usize; 2]]) -> (Vec<Pair>, Vec<Pairing>) {
    let mut pairings: Vec<Pairing> = Vec::new();
    let mut place: HashMap<[usize; 2], usize> = HashMap::new();
    // By engines and pair: the game that either began, until the other comes.
    let mut waiting: HashMap<([usize; 2], u64), [Option<usize>; 2]> = HashMap::new();
    let mut pairs = Vec::new();
    for (index, (game, side)) in games.iter().zip(sides).enumerate() {
        let turned = side[0] > side[1];
        let engines = if turned { [side[1], side[0]] } else { *side };
        let result = if turned { game.result.swapped() } else { game.result };
        let at = *place.entry(engines).or_insert_with(|| {
            pairings.push(Pairing {
                engines,
                games: Trinomial::default(),
                pairs: Pentanomial::default(),
                split: 0,
            });
            pairings.len() - 1
        });
        pairings[at].games.add(result);
        let Some(number) = game.pair else { continue };
        let both = waiting.entry((engines, number)).or_default();
        // A third game of a pair belongs to none.
        if both[usize::from(turned)].is_some() {
            continue;
        }
        both[usize::from(turned)] = Some(index);
        if let [Some(begun), Some(followed)] = *both {
            let results = [games[begun].result, games[followed].result.swapped()];
            let pair = Pair { games: [begun, followed], results };
            pairings[at].pairs.add_pair(results[0], results[1]);
            pairings[at].split += u64::from(pair.split());
            pairs.push(pair);
        }
    }
    pairings.sort_by_key(|pairing| pairing.engines);
    (pairs, pairings)
}
