//! Openings by our own engine: random moves, none of which gives away too much, and a final
//! position whose value a longer search finds in the wanted range.
//!
//! Every attempt draws from its own generator and begins with an empty table, and attempts count
//! in the order of their numbers. So the same recipe gives the same openings on any number of
//! threads, and a longer list begins with the shorter one. Another version of the engine gives
//! other openings.

use std::collections::HashSet;
use std::fmt;
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::str::FromStr;
use std::time::Instant;

use secateur_games::playable::{GameEngine, Playable, new_engine};
use secateur_games::record::Record;
use secateur_games::told::told;
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::Limits;
use secateur_search::random::SplitMix;
use secateur_search::testkit::reference::moves as legal_moves;
use secateur_search::{Band, Player};

use super::Opening;
use super::set::{Set, hash};
use crate::in_order;
use crate::progress::Progress;

/// A small table is cleared fast, and is large enough for so few nodes.
const TABLE_MEBIBYTES: usize = 1;

/// A move is judged by this part of the nodes that the final position gets.
const PART_FOR_A_MOVE: u64 = 20;

/// With fewer nodes the first iteration may not end, and there is no value at all.
pub const FEWEST_NODES: u64 = 200;

/// After so many attempts in a row without a new opening there are no more to be expected.
const FRUITLESS_ATTEMPTS: usize = 3_000;

/// The leads that are wanted, in hundredths of a pawn or disc, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Either side may have the lead.
    Balanced(Leads),
    /// The lead of the side that began: White in chess, Black in Othello.
    Unbalanced(Leads),
}

/// From the smallest to the largest lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leads {
    low: i32,
    high: i32,
}

impl Leads {
    /// Both ends are included.
    pub fn new(low: i32, high: i32) -> Option<Leads> {
        (low <= high).then_some(Leads { low, high })
    }

    /// From none at all.
    pub fn up_to(high: i32) -> Leads {
        Leads { low: 0, high: high.max(0) }
    }

    /// Whether some of them are less than nothing.
    pub fn is_negative(self) -> bool {
        self.low < 0
    }

    fn largest(self) -> i32 {
        self.low.abs().max(self.high.abs())
    }

    fn contains(self, lead: i32) -> bool {
        (self.low..=self.high).contains(&lead)
    }
}

impl fmt::Display for Leads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.low, self.high)
    }
}

impl FromStr for Leads {
    type Err = String;

    fn from_str(text: &str) -> Result<Leads, String> {
        let number = |text: &str| text.trim().parse::<i16>().ok().map(i32::from);
        text.split_once("..")
            .and_then(|(low, high)| Leads::new(number(low)?, number(high)?))
            .ok_or("it is a range of leads in hundredths, as 0..40".to_string())
    }
}

impl Wanted {
    /// Whether a position in which the beginner leads by so much is wanted.
    pub fn accepts(self, lead: i32) -> bool {
        match self {
            Wanted::Balanced(leads) => leads.contains(lead.abs()),
            Wanted::Unbalanced(leads) => leads.contains(lead),
        }
    }

    /// What a move may give away. One that gives away more than a balanced lead would hardly be
    /// made good again, and a larger lead should come from two slips or more, not from a blunder.
    fn margin(self) -> i32 {
        match self {
            Wanted::Balanced(leads) => leads.largest(),
            Wanted::Unbalanced(leads) => leads.largest() / 2,
        }
    }
}

/// What openings are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// How many.
    pub count: usize,
    /// After how many plies.
    pub plies: usize,
    /// With what lead.
    pub wanted: Wanted,
    /// The search of the final position, [`FEWEST_NODES`] at least.
    pub nodes: u64,
    /// Another seed, other openings.
    pub seed: u64,
    /// Only those of one set.
    pub set: Option<Set>,
}

impl Recipe {
    /// The command line that makes them, for the head of a file.
    pub fn command<G: Playable>(&self) -> String {
        let wanted = match self.wanted {
            Wanted::Balanced(leads) => format!("--balance {leads}"),
            Wanted::Unbalanced(leads) => format!("--unbalanced {leads}"),
        };
        let set = self.set.map(|set| format!(" --set {set}")).unwrap_or_default();
        let Recipe { count, plies, nodes, seed, .. } = self;
        format!(
            "secateur openings --game {} --count {count} --plies {plies} {wanted} \
             --nodes {nodes} --seed {seed}{set}",
            G::NAME
        )
    }
}

/// An opening that was made.
#[derive(Clone)]
pub struct Generated<G: Playable> {
    /// The opening; its name is its number.
    pub opening: Opening<G>,
    /// What the search thinks of it, for the side to move.
    pub score: i32,
}

/// Why there are none.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// The recipe is too narrow.
    #[error(
        "only {found} of {wanted} openings were found in {attempts} attempts: \
         try more plies or a wider range"
    )]
    TooFew {
        /// Openings found.
        found: usize,
        /// Openings wanted.
        wanted: usize,
        /// Attempts made.
        attempts: usize,
    },
    /// No thread could be started.
    #[error("a thread could not be started: {0}")]
    NoThread(#[from] io::Error),
}

/// Makes openings, all different even if the board is mirrored.
pub fn generate<G: Playable>(
    recipe: &Recipe,
    threads: NonZeroUsize,
    progress: &Progress,
) -> Result<Vec<Generated<G>>, GenerateError> {
    let mut made: Vec<Generated<G>> = Vec::new();
    if recipe.count == 0 {
        return Ok(made);
    }
    let mut seen = HashSet::new();
    let (mut attempts, mut fruitless) = (0, 0);
    let task = |maker: &mut Maker<G>, number: usize| maker.attempt(recipe, number as u64);
    in_order::run(threads, usize::MAX, Maker::new, task, |attempt| {
        attempts += 1;
        fruitless += 1;
        if let Some((record, score)) = attempt
            && seen.insert(hash(&record.position().canonical_text()))
        {
            let name = (made.len() + 1).to_string();
            made.push(Generated { opening: Opening { name, record: record.clone() }, score });
            progress.advance();
            fruitless = 0;
        }
        match made.len() == recipe.count || fruitless == FRUITLESS_ATTEMPTS {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })?;
    match made.len() == recipe.count {
        true => Ok(made),
        false => Err(GenerateError::TooFew { found: made.len(), wanted: recipe.count, attempts }),
    }
}

/// What one thread needs to make openings.
pub(super) struct Maker<G: Playable> {
    engine: GameEngine<G>,
}

impl<G: Playable> Maker<G> {
    pub(super) fn new() -> Maker<G> {
        let mut engine = new_engine::<G>();
        // If even that cannot be had, the table stays as it is.
        let _ = engine.set_table(TABLE_MEBIBYTES);
        Maker { engine }
    }

    /// One try: an opening with its score, or nothing if it led nowhere.
    fn attempt(&mut self, recipe: &Recipe, number: u64) -> Option<(Record<G>, i32)> {
        // Mixed apart: neighbouring seeds and numbers must not give shifted sequences.
        let mixed = SplitMix::new(recipe.seed).next_u64() ^ SplitMix::new(!number).next_u64();
        let mut random = SplitMix::new(mixed);
        self.engine.new_game();
        let mut record = Record::starting_at(G::start());
        for _ in 0..recipe.plies {
            record = self.next(&record, recipe, &mut random)?;
        }
        let position = record.position();
        let fits_set = recipe.set.is_none_or(|set| set == Set::of(position));
        // One legal move is no opening: it is still the move before that is being played.
        if !fits_set || position.in_check() || position.count_moves() < 2 {
            return None;
        }
        let lead = self.lead(&record, recipe.nodes)?;
        let score = if position.turn() == Player::First { lead } else { -lead };
        recipe.wanted.accepts(lead).then_some((record, score))
    }

    /// The lead of the side that begins games, by a search that knows nothing yet; nothing if the
    /// outcome is known.
    pub(super) fn lead(&mut self, record: &Record<G>, nodes: u64) -> Option<i32> {
        self.engine.new_game();
        let score = self.value(record, nodes)?;
        Some(if record.position().turn() == Player::First { score } else { -score })
    }

    /// The game with one more move: any of those that give away no more than the margin, all
    /// equally likely. Nothing if the game would be over.
    fn next(
        &mut self,
        record: &Record<G>,
        recipe: &Recipe,
        random: &mut SplitMix,
    ) -> Option<Record<G>> {
        let nodes = (recipe.nodes / PART_FOR_A_MOVE).max(FEWEST_NODES);
        let best = self.value(record, nodes)?;
        let mut moves = legal_moves(record.position());
        while !moves.is_empty() {
            let m = moves.swap_remove(random.below(moves.len()));
            let mut after = record.clone();
            after.play(m);
            if after.ending().is_some() {
                continue;
            }
            if self
                .value(&after, nodes)
                .is_some_and(|value| -value >= best - recipe.wanted.margin())
            {
                return Some(after);
            }
        }
        None
    }

    /// A guess by search for the side to move, as it is told; nothing if the outcome is known.
    fn value(&mut self, record: &Record<G>, nodes: u64) -> Option<i32> {
        let answer = self.engine.search_here(
            record.position(),
            record.line(),
            &Limits::nodes(nodes),
            Instant::now(),
            &Control::default(),
            &mut |_| {},
        );
        match told(record.position(), answer.score).band() {
            Band::Heuristic(value) => Some(value),
            _ => None,
        }
    }
}

#[cfg(all(test, feature = "chess", feature = "othello"))]
mod tests {
    use super::*;
    use secateur_games::chess::Chess;
    use secateur_games::othello::Othello;

    fn recipe(wanted: Wanted) -> Recipe {
        Recipe { count: 12, plies: 6, wanted, nodes: 1_000, seed: 7, set: None }
    }

    fn balanced(high: i32) -> Wanted {
        Wanted::Balanced(Leads::new(0, high).unwrap())
    }

    fn make<G: Playable>(recipe: &Recipe, threads: usize) -> Vec<Generated<G>> {
        let progress = Progress::new(recipe.count, "openings");
        generate(recipe, NonZeroUsize::new(threads).unwrap(), &progress).unwrap()
    }

    fn texts<G: Playable>(made: &[Generated<G>]) -> Vec<String> {
        made.iter()
            .map(|made| {
                let text = made.opening.record.position().write_position();
                format!("{} {text} {}", made.opening.name, made.score)
            })
            .collect()
    }

    /// From scratch: a new engine for each opening must come to the same value.
    fn all_keep<G: Playable>(recipe: &Recipe, made: &[Generated<G>]) {
        let mut seen = HashSet::new();
        for Generated { opening, score } in made {
            let position = opening.record.position();
            assert_eq!(opening.record.moves().len(), recipe.plies);
            assert!(opening.record.ending().is_none() && !position.in_check());
            assert!(seen.insert(position.canonical_text()), "twice: {}", position.write_position());
            assert_eq!(Maker::new().value(&opening.record, recipe.nodes), Some(*score));
            let lead = if position.turn() == Player::First { *score } else { -*score };
            assert!(recipe.wanted.accepts(lead), "{lead} in {:?}", recipe.wanted);
            assert!(recipe.set.is_none_or(|set| set == Set::of(position)));
        }
        assert_eq!(made.len(), recipe.count);
    }

    #[test]
    fn what_is_made_is_what_was_asked_for() {
        for recipe in [
            recipe(balanced(40)),
            Recipe { set: Some(Set::Final), ..recipe(balanced(40)) },
            Recipe { plies: 7, ..recipe(Wanted::Unbalanced(Leads::new(60, 120).unwrap())) },
            Recipe { plies: 7, ..recipe(Wanted::Unbalanced(Leads::new(-120, -60).unwrap())) },
        ] {
            all_keep(&recipe, &make::<Chess>(&recipe, 2));
        }
        let recipe = recipe(balanced(300));
        all_keep(&recipe, &make::<Othello>(&recipe, 2));
    }

    #[test]
    fn the_same_seed_gives_the_same_openings_on_any_number_of_threads() {
        let recipe = recipe(balanced(40));
        let one = texts(&make::<Chess>(&recipe, 1));
        assert_eq!(texts(&make::<Chess>(&recipe, 3)), one);
        let shorter = Recipe { count: 5, ..recipe };
        assert_eq!(texts(&make::<Chess>(&shorter, 2)), one[..5]);
        assert_ne!(texts(&make::<Chess>(&Recipe { seed: 8, ..recipe }, 2)), one);
        // The next seed does not give the same attempts, one later.
        let next = texts(&make::<Chess>(&Recipe { seed: 8, ..recipe }, 2));
        let without_number = |text: &String| text.split_once(' ').unwrap().1.to_string();
        let known: HashSet<String> = one.iter().map(without_number).collect();
        assert!(next.iter().filter(|text| known.contains(&without_number(text))).count() < 3);
    }

    #[test]
    fn a_recipe_without_enough_openings_is_refused() {
        // Othello has one first move up to symmetry.
        let recipe = Recipe { count: 2, plies: 1, nodes: 200, ..recipe(balanced(19_999)) };
        let progress = Progress::new(2, "openings");
        let made = generate::<Othello>(&recipe, NonZeroUsize::new(2).unwrap(), &progress);
        let error = made.map(|_| ()).unwrap_err().to_string();
        assert!(error.starts_with("only 1 of 2 openings were found in "), "{error}");
    }

    #[test]
    fn leads_are_read_as_they_are_written() {
        for text in ["0..40", "-120..-60", "5..5"] {
            assert_eq!(text.parse::<Leads>().unwrap().to_string(), text);
        }
        for text in ["", "40", "40..0", "0..x", "0...40", "0..99999"] {
            assert!(text.parse::<Leads>().is_err(), "{text}");
        }
        let leads = Leads::new(10, 20).unwrap();
        let accepted = |wanted: Wanted| [-15, 5, 10, 20, 21].map(|lead| wanted.accepts(lead));
        assert_eq!(accepted(Wanted::Balanced(leads)), [true, false, true, true, false]);
        assert_eq!(accepted(Wanted::Unbalanced(leads)), [false, false, true, true, false]);
    }
}
