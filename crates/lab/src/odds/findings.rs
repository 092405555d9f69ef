//! The table of all games, and whether it tells more than the straight line: every game is judged by a
//! table of the others, so that nothing is judged by what it was fitted to.

use secateur_search::bstar::OddsTable;
use secateur_search::bstar::odds_fit::{Sample, classes, fit, loss};
use secateur_search::bstar::odds_table::{Classes, Head, VERSION};
use secateur_search::random::SplitMix;

use super::Order;
use super::rows::{Game, Phase};
use crate::calibrate::held_out::{PARTS, part};
use crate::ranks::findings::{Kept, Promise, judged};

/// Edges of the probabilities that are held against what came of them.
const ODDS: [f64; 11] = [0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
/// Draws of a bootstrap.
const DRAWS: usize = 1_000;

/// Mean logarithmic losses on the same leaves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// Leaves.
    pub leaves: usize,
    /// Of tables of the other games.
    pub learned: f64,
    /// Of the straight line.
    pub linear: f64,
    /// The share that reached the target.
    pub reached: f64,
    /// What the straight line promised on average.
    pub promised: f64,
}

/// Everything.
#[derive(Clone, Debug)]
pub struct Findings {
    /// Games with leaves in them.
    pub games: usize,
    /// Moves that were thought about.
    pub moves: u64,
    /// The table of all games: what it tells apart, and its probabilities.
    pub table: (Classes, Vec<i32>),
    /// On games not fitted to.
    pub losses: Losses,
    /// The 95 % interval of the loss of the tables above that of the straight line, by a bootstrap of games.
    pub between: [f64; 2],
    /// Losses by depth of the probe.
    pub by_depth: Vec<(i32, Losses)>,
    /// Losses of SELECT and VERIFY.
    pub by_phase: [Losses; 2],
    /// What tables of other games promised, by how much, and what came true.
    pub learned: Vec<Promise>,
    /// The same of the straight line.
    pub linear: Vec<Promise>,
}

impl Findings {
    /// The gate: whether the tables lose less than the straight line, and not by chance.
    pub fn is_better(&self) -> bool {
        self.losses.learned < self.losses.linear && self.between[1] < 0.0
    }

    /// The table as a file has it.
    pub fn table(&self, order: &Order, made_by: &str) -> OddsTable {
        let (classes, odds) = self.table.clone();
        // No more figures than mean anything, so that the text is the same everywhere.
        let rounded = |loss: f64| (loss * 1e4).round() / 1e4;
        let head = Head {
            version: VERSION,
            game: order.game.clone(),
            evaluation: order.evaluation.clone(),
            host: order.host.clone(),
            made_by: made_by.to_string(),
            games: self.games as u64,
            samples: self.losses.leaves as u64,
            deeper: order.deeper,
            losses: [rounded(self.losses.learned), rounded(self.losses.linear)],
            better: self.is_better(),
            classes,
        };
        OddsTable { head, odds }
    }
}

/// A leaf of a game, judged by games that it does not stand in.
struct Judged {
    phase: Phase,
    sample: Sample,
    learned: f64,
}

impl Judged {
    fn losses(&self) -> [f64; 2] {
        let reached = self.sample.reached;
        [loss(self.learned, reached), loss(self.sample.linear(), reached)]
    }
}

/// Finds all of it; `None` if there are no two games in different parts with leaves in them.
pub fn findings(games: &[(u64, Game)]) -> Option<Findings> {
    let samples = |which: &dyn Fn(u64) -> bool| -> Vec<Sample> {
        let some = games.iter().filter(|(number, _)| which(*number));
        some.flat_map(|(_, game)| game.rows.iter().map(|row| row.sample())).collect()
    };
    let mut by_game: Vec<Vec<Judged>> = Vec::new();
    for held in 0..PARTS {
        let others = samples(&|number| part(number) != held);
        if others.is_empty() {
            continue;
        }
        let classes = classes(&others);
        let odds = fit(&classes, &others);
        let learned = |sample: &Sample| {
            let cell = classes.cell(sample.short, sample.reach, sample.depth, sample.kind);
            f64::from(odds[cell]) / 10_000.0
        };
        let own =
            games.iter().filter(|(number, game)| part(*number) == held && !game.rows.is_empty());
        by_game.extend(own.map(|(_, game)| {
            let judge = |row: &super::rows::Row| {
                let sample = row.sample();
                Judged { phase: row.phase, sample, learned: learned(&sample) }
            };
            game.rows.iter().map(judge).collect()
        }));
    }
    if by_game.len() < 2 {
        return None;
    }
    let all = samples(&|_| true);
    let classes = classes(&all);
    let odds = fit(&classes, &all);
    let of =
        |which: &dyn Fn(&Judged) -> bool| mean(by_game.iter().flatten().filter(|of| which(of)));
    let mut depths: Vec<i32> = all.iter().map(|sample| sample.depth).collect();
    depths.sort_unstable();
    depths.dedup();
    Some(Findings {
        games: by_game.len(),
        moves: games.iter().map(|(_, game)| game.moves).sum(),
        table: (classes, odds),
        losses: of(&|_| true),
        between: between(&by_game),
        by_depth: depths
            .into_iter()
            .map(|depth| (depth, of(&|judged| judged.sample.depth == depth)))
            .collect(),
        by_phase: [Phase::Select, Phase::Verify].map(|phase| of(&|judged| judged.phase == phase)),
        learned: promises(&by_game, |judged| judged.learned),
        linear: promises(&by_game, |judged| judged.sample.linear()),
    })
}

fn mean<'a>(leaves: impl Iterator<Item = &'a Judged>) -> Losses {
    let mut sum = Losses::default();
    for judged in leaves {
        let [learned, linear] = judged.losses();
        sum.leaves += 1;
        sum.learned += learned;
        sum.linear += linear;
        sum.reached += f64::from(u8::from(judged.sample.reached));
        sum.promised += judged.sample.linear();
    }
    let many = sum.leaves.max(1) as f64;
    Losses {
        leaves: sum.leaves,
        learned: sum.learned / many,
        linear: sum.linear / many,
        reached: sum.reached / many,
        promised: sum.promised / many,
    }
}

/// The ends of the interval of the difference of losses. Leaves of one game are not independent.
fn between(by_game: &[Vec<Judged>]) -> [f64; 2] {
    let sums: Vec<[f64; 2]> = by_game
        .iter()
        .map(|game| {
            let more = game.iter().map(Judged::losses).map(|[learned, linear]| learned - linear);
            [game.len() as f64, more.sum()]
        })
        .collect();
    let mut random = SplitMix::new(sums.len() as u64);
    let mut drawn: Vec<f64> = (0..DRAWS)
        .map(|_| {
            let drawn = (0..sums.len()).map(|_| sums[random.below(sums.len())]);
            let [many, more] = drawn.fold([0.0; 2], |all, of| [all[0] + of[0], all[1] + of[1]]);
            more / many
        })
        .collect();
    drawn.sort_by(f64::total_cmp);
    [0.025, 0.975].map(|share| drawn[((drawn.len() - 1) as f64 * share) as usize])
}

fn promises(by_game: &[Vec<Judged>], odds: impl Fn(&Judged) -> f64) -> Vec<Promise> {
    let kept: Vec<[Kept; ODDS.len()]> = by_game
        .iter()
        .map(|game| {
            let mut kept = [[0.0; 3]; ODDS.len()];
            for judged in game {
                let odds = odds(judged);
                let place = ODDS.iter().rposition(|edge| odds >= *edge).unwrap_or(0);
                let reached = f64::from(u8::from(judged.sample.reached));
                let all = &mut kept[place];
                *all = [all[0] + 1.0, all[1] + odds, all[2] + reached];
            }
            kept
        })
        .collect();
    let promise = |place: usize| {
        let of: Vec<Kept> = kept.iter().map(|kept| kept[place]).collect();
        judged(&of, [ODDS[place], ODDS.get(place + 1).copied().unwrap_or(1.0)])
    };
    (0..ODDS.len()).filter_map(promise).collect()
}

#[cfg(test)]
mod tests {
    use super::super::rows::Row;
    use super::super::rows::tests::ROW;
    use super::*;

    /// Games in which the target is reached as the law says.
    fn games(law: fn(f64, f64) -> f64) -> Vec<(u64, Game)> {
        let mut random = SplitMix::new(9);
        (0..12)
            .map(|number| {
                let rows = (0..300)
                    .map(|_| {
                        let reach = 30 + random.below(300) as i32;
                        let short = f64::from(reach) * (1 + random.below(998)) as f64 / 1_000.0;
                        let odds = law(short, f64::from(reach));
                        let reached = (random.below(10_000) as f64) < 10_000.0 * odds;
                        let deep = if reached { reach } else { 0 };
                        Row { real: 0, hope: reach, target: short, deep, ..ROW }
                    })
                    .collect();
                (number, Game { moves: 40, rows })
            })
            .collect()
    }

    #[test]
    fn the_gate_opens_where_the_straight_line_is_wrong() {
        let found = findings(&games(|short, _| 0.4 * (-short / 50.0).exp())).unwrap();
        assert!(found.is_better(), "{:?} {:?}", found.losses, found.between);
        assert!(found.losses.promised > found.losses.reached + 0.2, "{:?}", found.losses);
        assert_eq!((found.games, found.moves, found.losses.leaves), (12, 480, 3_600));
        // What is learned holds in games not fitted to; what the line promises does not.
        let off = |promises: &[Promise]| {
            let far = |of: &&Promise| of.met > 100 && (of.promised - of.real).abs() > 0.1;
            promises.iter().filter(far).count()
        };
        assert_eq!(off(&found.learned), 0, "{:?}", found.learned);
        assert!(off(&found.linear) > 3, "{:?}", found.linear);
    }

    #[test]
    fn the_gate_stays_shut_where_the_straight_line_is_right() {
        let found = findings(&games(|short, reach| 1.0 - short / reach)).unwrap();
        assert!(!found.is_better(), "{:?} {:?}", found.losses, found.between);
    }

    #[test]
    fn a_game_is_never_judged_by_itself() {
        // Every leaf of a part comes true, of the others none: who has seen it would know.
        let mut games = games(|_, _| 0.0);
        let held = part(games[0].0);
        for (_, game) in games.iter_mut().filter(|(number, _)| part(*number) == held) {
            game.rows.iter_mut().for_each(|row| row.deep = row.hope);
        }
        let found = findings(&games).unwrap();
        let promise = &found.learned[0];
        assert!(promise.real > 0.05 && promise.promised < 0.05, "{promise:?}");
        assert!(findings(&games[..1]).is_none(), "one game has no other");
    }

    #[test]
    fn parts_are_means_of_their_leaves() {
        let mut games = games(|_, _| 0.3);
        for (_, game) in &mut games {
            game.rows.iter_mut().step_by(3).for_each(|row| {
                (row.depth, row.phase) = (6, Phase::Select);
            });
        }
        let found = findings(&games).unwrap();
        let depths: Vec<_> = found.by_depth.iter().map(|(depth, of)| (*depth, of.leaves)).collect();
        assert_eq!(depths, [(4, 2_400), (6, 1_200)]);
        assert_eq!(found.by_phase.map(|of| of.leaves), [1_200, 2_400]);
        let sum: f64 = found.by_depth.iter().map(|(_, of)| of.leaves as f64 * of.linear).sum();
        assert!((sum / 3_600.0 - found.losses.linear).abs() < 1e-9);
        let table = OddsTable::parse(&found.table(&order(), "test").write()).unwrap();
        assert_eq!((table.head.better, table.head.samples), (found.is_better(), 3_600));
    }

    fn order() -> Order {
        Order {
            kind: super::super::KIND.to_string(),
            game: "chess".to_string(),
            games: 12,
            each: String::new(),
            host: "preset=bstar".to_string(),
            evaluation: "0".to_string(),
            probes: Vec::new(),
            leaves: 4,
            deeper: 4,
            seed: 1,
            thinks: crate::ranks::Thinks::Nodes(1),
        }
    }
}
