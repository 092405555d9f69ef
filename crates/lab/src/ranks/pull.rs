//! How much the share of a rare state is drawn towards that of coarser ones. By too little a few chance
//! results decide, by too much states are told apart in vain. The best amount is the one with which tables
//! of some games make what came of the others likeliest.

use secateur_search::Settings;
use secateur_search::calibrate::rank_plan::{Estimate, RankPlan, Terms, UNKNOWN};
use secateur_search::calibrate::ranks::{Head, Ranks, USUAL_PULL};
use secateur_search::selective::rank_cut::terms;

use super::findings::Sums;
use super::game_file::Counted;
use crate::calibrate::held_out::{PARTS, part};

/// What is tried.
const PULLS: [u64; 14] =
    [1, 3, 10, 30, 100, 300, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 300_000];
/// No chance is nearer to never or to always: half a unit of a plan.
const NEAREST: f64 = 0.5e-5;

/// Each pull, and the logarithm of the likelihood of what came of games under tables of the others, on
/// average over late moves. Nothing if there are too few games to part them.
pub fn likelihoods(head: &Head, games: &[(u64, Counted)], settings: &Settings) -> Vec<(u64, f64)> {
    let terms = Terms { estimate: Estimate::Shrunk, ..terms(settings) };
    let (mut sums, mut met) = ([0.0; PULLS.len()], 0.0);
    for number in 0..PARTS {
        let own = Sums::over(games.iter().filter(|(game, _)| part(*game) == number));
        let others = Sums::over(games.iter().filter(|(game, _)| part(*game) != number));
        if own.tally.is_empty() || others.tally.is_empty() {
            continue;
        }
        let mut table = Ranks::of(head.clone(), &others.tally);
        for (pull, sum) in PULLS.into_iter().zip(&mut sums) {
            table.head.pull = pull;
            let plan = RankPlan::new(&table, terms);
            for (state, counts) in &own.tally {
                let chance = plan.chance_of(state);
                // What is known does not depend on the pull.
                if chance == UNKNOWN {
                    continue;
                }
                let chance = (f64::from(chance) / 100_000.0).clamp(NEAREST, 1.0 - NEAREST);
                let better = counts.better(terms.test, terms.bound) as f64;
                let not = counts.seen as f64 - better;
                *sum += better * chance.ln() + not * (1.0 - chance).ln();
                met += if pull == PULLS[0] { counts.seen as f64 } else { 0.0 };
            }
        }
    }
    if met == 0.0 {
        return Vec::new();
    }
    PULLS.into_iter().zip(sums).map(|(pull, sum)| (pull, sum / met)).collect()
}

/// The likeliest of them; what is usual if nothing tells.
pub fn likeliest(likelihoods: &[(u64, f64)]) -> u64 {
    let best = likelihoods.iter().max_by(|one, other| one.1.total_cmp(&other.1));
    best.map_or(USUAL_PULL, |(pull, _)| *pull)
}

#[cfg(test)]
mod tests {
    use super::super::findings::tests::{state, table};
    use super::*;
    use secateur_search::calibrate::ranks::{Counts, State, Tally};
    use secateur_search::random::SplitMix;

    /// Games that meet states which differ in the fall alone, with these chances, a few times each.
    fn games(chances: [f64; 4]) -> Vec<(u64, Counted)> {
        let mut random = SplitMix::new(7);
        let mut game = |number: u64| {
            let mut tally = Tally::new();
            for (fall, chance) in (0..).zip(chances) {
                let rest = (0..60).filter(|_| random.below(10_000) < (1e4 * chance) as usize);
                let counts = Counts { seen: 60, each: [0; 3], rest: [rest.count() as u64; 3] };
                tally.insert(State { fall, ..state(9) }, counts);
            }
            (number, Counted { moves: 1, plies: 8, tally })
        };
        (0..40).map(&mut game).collect()
    }

    fn found(games: &[(u64, Counted)]) -> Vec<(u64, f64)> {
        let head = table(&Sums::of(games).tally).head;
        likelihoods(&head, games, &Settings::default())
    }

    #[test]
    fn states_that_are_alike_are_drawn_together_and_others_are_not() {
        let (alike, unlike) = (games([0.02; 4]), games([0.001, 0.2, 0.01, 0.08]));
        let [alike, unlike] = [alike, unlike].map(|games| likeliest(&found(&games)));
        assert!(alike >= 200, "{alike}");
        assert!(unlike <= 100, "{unlike}");
    }

    #[test]
    fn a_game_alone_tells_nothing() {
        assert!(found(&games([0.02; 4])[..1]).is_empty());
        assert_eq!(likeliest(&[]), USUAL_PULL);
    }
}
