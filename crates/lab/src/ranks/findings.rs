//! What was counted says: how much of what a search meets is known, how likely a better move is at each
//! number, and whether the chances hold in games that they were not counted in.

use std::collections::BTreeMap;

use secateur_search::Settings;
use secateur_search::calibrate::rank_plan::{RankPlan, UNKNOWN};
use secateur_search::calibrate::ranks::{Counts, Phase, Ranks, Tally};
use secateur_search::random::SplitMix;
use secateur_search::selective::rank_cut::{RankCutEstimateForm, terms};

use super::Order;
use super::game_file::Counted;
use super::play::Run;
use crate::calibrate::held_out::{PARTS, part};

/// Edges of the chances that are held against what came of them.
const CHANCES: [f64; 10] = [0.0, 0.001, 0.0025, 0.005, 0.0075, 0.01, 0.02, 0.05, 0.1, 0.2];
/// Where the last of them ends.
const LARGEST: f64 = 0.5;
/// Draws of a bootstrap.
const DRAWS: usize = 1_000;

/// Games taken together.
#[derive(Clone, Debug, Default)]
pub struct Sums {
    /// Moves that were thought about.
    pub moves: u64,
    /// The depths that those thoughts came to, in all.
    pub plies: u64,
    /// Counts by state.
    pub tally: Tally,
}

impl Sums {
    /// Of these games.
    pub fn of(games: &[(u64, Counted)]) -> Sums {
        Sums::over(games.iter())
    }

    /// Of any of them.
    pub fn over<'a>(games: impl Iterator<Item = &'a (u64, Counted)>) -> Sums {
        let mut sums = Sums::default();
        for (_, counted) in games {
            sums.moves += counted.moves;
            sums.plies += counted.plies;
            for (state, counts) in &counted.tally {
                sums.tally.entry(*state).or_default().add(counts);
            }
        }
        sums
    }
}

/// How much another round has changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// By how much chances differ, on average over what is met.
    pub chances: f64,
    /// The share of what is met that would be cut by one table and not by the other.
    pub decisions: f64,
}

/// The threshold, as plans count chances.
fn threshold(settings: &Settings) -> u16 {
    (10 * settings.rank_cut.threshold) as u16
}

/// How two tables differ on what is met.
pub fn change(before: &Ranks, after: &Ranks, met: &Tally, settings: &Settings) -> Change {
    let (terms, threshold) = (terms(settings), threshold(settings));
    let [before, after] = [before, after].map(|ranks| RankPlan::new(ranks, terms));
    let (mut all, mut known, mut moved, mut turned) = (0.0, 0.0, 0.0, 0.0);
    for (state, counts) in met {
        let (seen, chances) = (counts.seen as f64, [&before, &after].map(|p| p.chance_of(state)));
        all += seen;
        if chances.iter().all(|chance| *chance != UNKNOWN) {
            known += seen;
            moved += seen * f64::from(chances[0].abs_diff(chances[1])) / 100_000.0;
        }
        let [was, is] = chances.map(|chance| chance < threshold);
        turned += if was == is { 0.0 } else { seen };
    }
    let share = |part: f64, of: f64| if of > 0.0 { part / of } else { 0.0 };
    Change { chances: share(moved, known), decisions: share(turned, all) }
}

/// What is met, by how much is known of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Late moves at nodes deep enough.
    pub met: u64,
    /// Those in a state that was seen often enough by itself.
    pub often: u64,
    /// Those with a chance, by the estimate in force.
    pub known: u64,
    /// Those whose chance is below the threshold.
    pub below: u64,
}

/// Chances that were promised, and what came of them in games that they were not counted in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Promise {
    /// The interval of chances.
    pub interval: [f64; 2],
    /// How often.
    pub met: u64,
    /// Their mean.
    pub promised: f64,
    /// The share that came true.
    pub real: f64,
    /// The ends of its 95 % interval, by a bootstrap of games.
    pub between: [f64; 2],
}

impl Promise {
    /// Whether what was promised lies within the interval, or within a tenth of a point of what came true.
    pub fn holds(&self) -> bool {
        let [low, high] = self.between;
        (low..=high).contains(&self.promised) || (self.promised - self.real).abs() <= 0.001
    }
}

/// The chance of a better move by its number.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Plies of the node.
    pub depth: i32,
    /// The phase of the order.
    pub phase: Phase,
    /// Number, how often it was met, and the chance.
    pub points: Vec<(u8, u64, f64)>,
}

/// Everything.
#[derive(Clone, Debug)]
pub struct Findings {
    /// Games of the last round.
    pub games: usize,
    /// Moves that were thought about.
    pub moves: u64,
    /// How deep, on average.
    pub depth: f64,
    /// States that were met, and those that are in the table.
    pub states: [usize; 2],
    /// How likely games not counted are by how much shares are drawn, and the likeliest: that of the table.
    pub pulls: Vec<(u64, f64)>,
    /// The likeliest of them.
    pub pull: u64,
    /// What is met.
    pub coverage: Coverage,
    /// What is met, and what would be cut, by shares alone as in the paper.
    pub counted: (Coverage, Option<Promise>),
    /// By depth and phase.
    pub curves: Vec<Curve>,
    /// Promises by their size.
    pub promises: Vec<Promise>,
    /// All of those below the threshold: what would be cut.
    pub cuts: Option<Promise>,
    /// What each round after the first has changed.
    pub changes: Vec<Change>,
}

/// Finds all of it in the last round of a run. The settings say what chances are of.
pub fn findings(order: &Order, run: &Run, settings: &Settings) -> Findings {
    let settings = &order.as_counted(settings);
    let games = run.rounds.last().map_or(&[][..], |round| &round.games);
    let sums = Sums::of(games);
    let table = run.table(order, "");
    let alone = shares_alone(settings);
    let counted = (coverage(&table, &sums.tally, &alone), promises(&table, games, &alone).1);
    let (promises, cuts) = promises(&table, games, settings);
    Findings {
        pulls: run.pulls.clone(),
        pull: table.head.pull,
        counted,
        games: games.len(),
        moves: sums.moves,
        depth: sums.plies as f64 / sums.moves.max(1) as f64,
        states: [sums.tally.len(), table.states.len()],
        coverage: coverage(&table, &sums.tally, settings),
        curves: curves(&sums.tally, settings),
        promises,
        cuts,
        changes: run.rounds.iter().filter_map(|round| round.change).collect(),
    }
}

/// The same settings with the paper's estimate.
fn shares_alone(settings: &Settings) -> Settings {
    let mut alone = settings.clone();
    alone.rank_cut_estimate.form = RankCutEstimateForm::Counted;
    alone
}

fn coverage(table: &Ranks, met: &Tally, settings: &Settings) -> Coverage {
    let (terms, threshold) = (terms(settings), threshold(settings));
    let plan = RankPlan::new(table, terms);
    let mut found = Coverage::default();
    for (state, counts) in met {
        let chance = plan.chance_of(state);
        let count = |yes: bool| if yes { counts.seen } else { 0 };
        found.met += counts.seen;
        found.often += count(counts.seen >= terms.instances);
        found.known += count(chance != UNKNOWN);
        found.below += count(chance < threshold);
    }
    found
}

fn curves(met: &Tally, settings: &Settings) -> Vec<Curve> {
    let terms = terms(settings);
    let mut by: BTreeMap<(u8, Phase), BTreeMap<u8, Counts>> = BTreeMap::new();
    for (state, counts) in met {
        let curve = by.entry((state.depth, state.phase)).or_default();
        curve.entry(state.number).or_default().add(counts);
    }
    let curve = |((depth, phase), points): ((u8, Phase), BTreeMap<u8, Counts>)| Curve {
        depth: depth.into(),
        phase,
        points: points
            .into_iter()
            .map(|(number, counts)| {
                let better = counts.better(terms.test, terms.bound) as f64;
                (number, counts.seen, better / counts.seen as f64)
            })
            .collect(),
    };
    by.into_iter().map(curve).collect()
}

/// Of one game: how often, promised and real, in all.
pub(crate) type Kept = [f64; 3];

/// Every game is judged by a table of the others: those of other parts.
fn promises(
    table: &Ranks,
    games: &[(u64, Counted)],
    settings: &Settings,
) -> (Vec<Promise>, Option<Promise>) {
    let (terms, threshold) = (terms(settings), threshold(settings));
    let mut by_game: Vec<[Kept; CHANCES.len() + 1]> = Vec::new();
    for number in 0..PARTS {
        let own: Vec<&(u64, Counted)> = games.iter().filter(|(g, _)| part(*g) == number).collect();
        let others = Sums::over(games.iter().filter(|(game, _)| part(*game) != number));
        if own.is_empty() || others.tally.is_empty() {
            continue;
        }
        let plan = RankPlan::new(&Ranks::of(table.head.clone(), &others.tally), terms);
        for (_, counted) in own {
            let mut kept = [[0.0; 3]; CHANCES.len() + 1];
            for (state, counts) in &counted.tally {
                let chance = plan.chance_of(state);
                let share = f64::from(chance) / 100_000.0;
                if share >= LARGEST {
                    continue;
                }
                let seen = counts.seen as f64;
                let better = counts.better(terms.test, terms.bound) as f64;
                let mut keep = |place: usize| {
                    let all = &mut kept[place];
                    *all = [all[0] + seen, all[1] + seen * share, all[2] + better];
                };
                keep(CHANCES.iter().rposition(|edge| share >= *edge).unwrap_or(0));
                if chance < threshold {
                    keep(CHANCES.len());
                }
            }
            by_game.push(kept);
        }
    }
    let promise = |place: usize| {
        let of: Vec<Kept> = by_game.iter().map(|kept| kept[place]).collect();
        let ends = match place {
            last if last == CHANCES.len() => [0.0, f64::from(threshold) / 100_000.0],
            place => [CHANCES[place], CHANCES.get(place + 1).copied().unwrap_or(LARGEST)],
        };
        judged(&of, ends)
    };
    ((0..CHANCES.len()).filter_map(promise).collect(), promise(CHANCES.len()))
}

/// What was promised in an interval against what came true, by a bootstrap of games; `None` if nothing was.
pub(crate) fn judged(games: &[Kept], interval: [f64; 2]) -> Option<Promise> {
    let sum = |of: &mut dyn Iterator<Item = Kept>| {
        of.fold([0.0; 3], |all, one| [all[0] + one[0], all[1] + one[1], all[2] + one[2]])
    };
    let [met, promised, real] = sum(&mut games.iter().copied());
    if met == 0.0 {
        return None;
    }
    let mut random = SplitMix::new(games.len() as u64);
    let mut drawn: Vec<f64> = (0..DRAWS)
        .map(|_| sum(&mut (0..games.len()).map(|_| games[random.below(games.len())])))
        .filter(|[met, ..]| *met > 0.0)
        .map(|[met, _, real]| real / met)
        .collect();
    drawn.sort_by(f64::total_cmp);
    let at = |share: f64| drawn[((drawn.len() - 1) as f64 * share) as usize];
    Some(Promise {
        interval,
        met: met as u64,
        promised: promised / met,
        real: real / met,
        between: [at(0.025), at(0.975)],
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use secateur_search::calibrate::ranks::{FORMAT, Fails, Head, State, USUAL_PULL};

    pub(in crate::ranks) fn state(number: u8) -> State {
        State {
            depth: 8,
            in_check: false,
            phase: Phase::History,
            number,
            changes: 0,
            lead: 0,
            fall: 0,
        }
    }

    pub(in crate::ranks) fn table(tally: &Tally) -> Ranks {
        let edges = [1, 2, 3, 4, 5, 6];
        let head = Head {
            format: FORMAT,
            game: "chess".to_string(),
            evaluation: String::new(),
            host: String::new(),
            made_by: String::new(),
            games: 1,
            least_depth: 7,
            least_seen: 1,
            margin: 50,
            lead: edges,
            fall: edges,
            fails: Fails::Hard,
            pull: USUAL_PULL,
        };
        Ranks::of(head, tally)
    }

    fn counts(seen: u64, rest: u64) -> Counts {
        Counts { seen, each: [0; 3], rest: [rest; 3] }
    }

    fn counted() -> Settings {
        shares_alone(&Settings::default())
    }

    /// Games in which a state is followed by a better move with this chance.
    fn games(many: u64, chance: f64) -> Vec<(u64, Counted)> {
        let mut random = SplitMix::new(4);
        let game = |number: u64| {
            let rest =
                (0..1_000).filter(|_| random.below(1_000_000) < (chance * 1e6) as usize).count();
            let tally = Tally::from([(state(9), counts(1_000, rest as u64))]);
            (number, Counted { moves: 1, plies: 8, tally })
        };
        (0..many).map(game).collect()
    }

    #[test]
    fn a_promise_holds_where_games_are_alike_and_breaks_where_some_are_not() {
        let all = games(60, 0.006);
        let tally = Sums::of(&all).tally;
        let (found, cuts) = promises(&table(&tally), &all, &counted());
        let met: u64 = found.iter().map(|promise| promise.met).sum();
        assert_eq!(met, 60_000);
        assert!(found.iter().all(Promise::holds), "{found:?}");
        let cuts = cuts.unwrap();
        assert_eq!(cuts.interval, [0.0, 0.0075]);
        assert!(cuts.holds() && (cuts.promised - 0.006).abs() < 0.001, "{cuts:?}");
        // Promises of such games do not hold where a better move follows a tenth of the time.
        let other = promises(&table(&tally), &games(60, 0.1), &counted()).0;
        assert!(other.iter().all(|promise| promise.interval[0] >= 0.05), "{other:?}");
        let broken = judged(&[[1_000.0, 6.0, 100.0]; 9], [0.005, 0.0075]).unwrap();
        assert!(!broken.holds());
    }

    #[test]
    fn coverage_is_weighted_by_how_often_a_state_is_met() {
        let met = Tally::from([
            (state(9), counts(6_000, 6)),
            (state(10), counts(3_000, 300)),
            (state(11), counts(999, 0)),
        ]);
        let found = coverage(&table(&met), &met, &counted());
        assert_eq!(found, Coverage { met: 9_999, often: 9_000, known: 9_000, below: 6_000 });
        let curves = curves(&met, &counted());
        assert_eq!(curves.len(), 1);
        assert_eq!(curves[0].points[1], (10, 3_000, 0.1));
    }

    #[test]
    fn a_round_that_turns_a_decision_is_told_by_how_often_it_is_met() {
        let met = Tally::from([(state(9), counts(3_000, 6)), (state(10), counts(1_000, 6))]);
        let other = Tally::from([(state(9), counts(3_000, 6)), (state(10), counts(1_000, 16))]);
        let found = change(&table(&met), &table(&other), &other, &counted());
        assert!((found.decisions - 0.25).abs() < 1e-9);
        assert!((found.chances - 0.25 * 0.01).abs() < 1e-9);
        let same = change(&table(&met), &table(&met), &met, &counted());
        assert_eq!(same, Change { chances: 0.0, decisions: 0.0 });
    }
}
