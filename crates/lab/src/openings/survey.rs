//! What a list of openings is like.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use secateur_games::playable::Playable;
use secateur_search::Player;

use super::generate::Maker;
use super::{Opening, Set};
use crate::in_order;
use crate::progress::Progress;

/// Counts over a list of openings.
#[derive(Clone, Debug, PartialEq)]
pub struct Survey {
    /// How many there are.
    pub openings: usize,
    /// How many of them stand further up in the list, perhaps mirrored.
    pub duplicates: usize,
    /// The fewest and the most moves that lead to one.
    pub plies: (usize, usize),
    /// In how many it is the turn of the side that begins a game.
    pub first_to_move: usize,
    /// In how many the side to move is in check.
    pub in_check: usize,
    /// How many belong to each of [`Set::ALL`].
    pub sets: [usize; 3],
    /// What a search thinks of them, if one was asked.
    pub scores: Option<Scores>,
}

/// Leads of the side that begins a game, in hundredths.
#[derive(Clone, Debug, PartialEq)]
pub struct Scores {
    /// The mean lead.
    pub mean: f64,
    /// The standard deviation.
    pub spread: f64,
    /// The lead of each opening; none where the outcome is known.
    pub leads: Vec<Option<i32>>,
}

/// Looks at every opening, and searches each with so many nodes if they are given.
pub fn survey<G: Playable>(
    openings: &[Opening<G>],
    nodes: Option<u64>,
    threads: NonZeroUsize,
    progress: &Progress,
) -> io::Result<Survey> {
    let positions = || openings.iter().map(|opening| opening.record.position());
    let different: HashSet<String> = positions().map(Playable::canonical_text).collect();
    let plies = || openings.iter().map(|opening| opening.record.moves().len());
    let scores = match nodes {
        Some(nodes) => Some(Scores::of(leads(openings, nodes, threads, progress)?)),
        None => None,
    };
    Ok(Survey {
        openings: openings.len(),
        duplicates: openings.len() - different.len(),
        plies: (plies().min().unwrap_or(0), plies().max().unwrap_or(0)),
        first_to_move: positions().filter(|position| position.turn() == Player::First).count(),
        in_check: positions().filter(|position| position.in_check()).count(),
        sets: Set::ALL.map(|set| positions().filter(|position| Set::of(*position) == set).count()),
        scores,
    })
}

fn leads<G: Playable>(
    openings: &[Opening<G>],
    nodes: u64,
    threads: NonZeroUsize,
    progress: &Progress,
) -> io::Result<Vec<Option<i32>>> {
    let mut leads = Vec::new();
    let task = |maker: &mut Maker<G>, number: usize| maker.lead(&openings[number].record, nodes);
    in_order::run(threads, openings.len(), Maker::new, task, |lead| {
        leads.push(lead);
        progress.advance();
        ControlFlow::Continue(())
    })?;
    Ok(leads)
}

impl Scores {
    fn of(leads: Vec<Option<i32>>) -> Scores {
        let known: Vec<f64> = leads.iter().flatten().map(|lead| f64::from(*lead)).collect();
        let count = known.len().max(1) as f64;
        let mean = known.iter().sum::<f64>() / count;
        let squares: f64 = known.iter().map(|lead| (lead - mean).powi(2)).sum();
        Scores { mean, spread: (squares / count).sqrt(), leads }
    }

    /// How many leads lie in each bin that is not empty, which begins at a multiple of `step`.
    pub fn histogram(&self, step: i32) -> Vec<(i32, usize)> {
        let mut bins = BTreeMap::new();
        for lead in self.leads.iter().flatten() {
            *bins.entry(lead.div_euclid(step) * step).or_insert(0) += 1;
        }
        bins.into_iter().collect()
    }
}

#[cfg(all(test, feature = "chess"))]
mod tests {
    use super::*;
    use crate::openings::read::read_text;
    use secateur_games::chess::Chess;

    const TWO: NonZeroUsize = NonZeroUsize::new(2).unwrap();

    #[test]
    fn a_list_is_counted_and_mirror_images_are_duplicates() {
        let text = "1. e4 *\n1. e3 e5 2. e4 *\n1. d4 d5 *\n1. e4 e5 2. Bb5 c6 3. Bxc6 dxc6 *\n\
                    1. d4 d5 *\n1. e4 d5 2. Bb5+ *\n";
        let openings = read_text::<Chess>(text).unwrap();
        let progress = Progress::new(openings.len(), "openings");
        let found = survey(&openings, None, TWO, &progress).unwrap();
        assert_eq!((found.openings, found.duplicates, found.plies), (6, 1, (1, 6)));
        assert_eq!((found.first_to_move, found.in_check), (3, 1));
        assert_eq!((found.sets.iter().sum::<usize>(), found.scores), (6, None));
        let mirrored = read_text::<Chess>(
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n\
             rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n",
        )
        .unwrap();
        assert_eq!(survey(&mirrored, None, TWO, &progress).unwrap().duplicates, 1);
    }

    #[test]
    fn leads_are_those_of_white_whoever_moves() {
        // A queen more for White, with either side to move; then a mate, which is no guess.
        let text = "4k3/pppp4/8/8/8/8/PPPP4/3QK3 w - -\n4k3/pppp4/8/8/8/8/PPPP4/3QK3 b - -\n\
                    6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -\n";
        let openings = read_text::<Chess>(text).unwrap();
        let progress = Progress::new(openings.len(), "openings");
        let scores = survey(&openings, Some(2_000), TWO, &progress).unwrap().scores.unwrap();
        let leads: Vec<i32> = scores.leads.iter().flatten().copied().collect();
        assert!(leads.len() == 2 && leads.iter().all(|lead| *lead > 500), "{scores:?}");
        assert_eq!(scores.mean, f64::from(leads[0] + leads[1]) / 2.0);
        assert_eq!(scores.spread, f64::from((leads[0] - leads[1]).abs()) / 2.0);
    }

    #[test]
    fn the_bins_of_a_histogram_begin_at_multiples_of_the_step() {
        let scores = Scores::of([-1, 0, 19, 20, -20, -21].map(Some).to_vec());
        assert_eq!(scores.histogram(20), [(-40, 1), (-20, 2), (0, 2), (20, 1)]);
    }
}
