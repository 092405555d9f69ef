//! Nodes and errors to be expected of each reduction, and the best of them.
//!
//! A reduced search that misses what the full one sees is an error; one that sees something calls for the
//! full search as well. An error matters only if every node above that is expected to cut turns out not
//! to, so it weighs as the chance of that: the share of such nodes that do not cut, once for each of
//! them on the way. The best reduction is that with the fewest nodes and errors together, an error at the
//! root counting as its price in nodes.
//!
//! A quiet move may be left out altogether, by one of two chances: that the move itself is better
//! ([`Leaves::Each`]), or that it or any after it is ([`Leaves::Rest`]), which is RankCut's question.

use secateur_search::calibrate::reductions::{Advice, Class, LEVELS, Late, MOST, Parts};

use super::model::{Levels, Model};
use super::rows::{Row, Sampled};
use crate::calibrate::held_out::{PARTS, part};

/// Levels of depth and of the kind of a node, by which nodes are counted.
const DEPTHS: usize = LEVELS[0];
const KINDS: usize = LEVELS[2];
/// Cells of nodes are drawn towards those of their depth as much as by so many samples.
const AROUND: f64 = 50.0;
/// The price where the host reduces nothing, so that there is nothing to compare with.
const USUAL_PRICE: f64 = 50_000.0;

/// When a quiet move is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// Where the chance that it is better costs less than its search.
    Each,
    /// Where the chance that it or any later one is better lies below the threshold of the depth: that at
    /// which such a chance costs as much as the cheapest search of a move there.
    Rest,
}

/// A sample, ready to be learned from.
struct Case {
    game: u64,
    row: Row,
    levels: Levels,
    /// How many it stands for.
    weight: f64,
    /// The same times the chance that an error there reaches the root.
    matters: f64,
}

/// What was learned.
#[derive(Clone)]
pub struct Learned {
    parts: Parts,
    /// By reduction from 1: that the full search sees what the reduced one misses, and that the reduced one
    /// sees something.
    missed: Vec<Model>,
    alarmed: Vec<Model>,
    /// That the full search sees something.
    better: Model,
    /// That it does, or that a later move is better.
    rest: Model,
    /// Nodes of a full search by depth and kind.
    nodes: Vec<f64>,
    /// Those of a reduced one as a share of them, by reduction and depth.
    shares: Vec<f64>,
    /// How much errors matter, by depth and kind.
    matters: Vec<f64>,
    /// Samples by depth and kind.
    weights: Vec<f64>,
    /// Nodes that an error at the root is worth.
    pub price: f64,
}

/// How a policy does on samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Account {
    /// Nodes that it makes, of those of full searches.
    pub nodes: f64,
    /// Errors that reach the root, in a million late moves.
    pub errors: f64,
    /// Misses of any weight, in a thousand late moves.
    pub misses: f64,
}

/// All that is told.
pub struct Findings {
    /// Fitted to all samples.
    pub learned: Learned,
    /// The chance that a node which is expected to cut does not.
    pub flip: f64,
    /// Samples, and games.
    pub samples: usize,
    /// Games.
    pub games: usize,
    /// How deep the games were searched, on average.
    pub depth: f64,
    /// The settings in force.
    pub usual: Account,
    /// What was learned from other games.
    pub learned_elsewhere: Account,
    /// The same where moves may be left out, by each of them and by the rest.
    pub leaving_out: [Account; 2],
}

/// Where the levels part: history at nothing and at its usual size on either side, the lead at alpha.
fn parts(rows: &[&Row]) -> Parts {
    let median = |mut values: Vec<i32>| {
        values.sort_unstable();
        values.get(values.len() / 2).copied()
    };
    let sizes = rows.iter().map(|row| row.sample.late.history.abs()).filter(|size| *size > 0);
    let falls = rows.iter().map(|row| row.sample.late.fall).filter(|fall| *fall < 0);
    let size = median(sizes.collect()).unwrap_or(1).max(1);
    Parts { history: [-size, 0, size], lead: [0, 1], fall: [median(falls.collect()).unwrap_or(0)] }
}

/// Learns from games. `price` is what an error is worth; without it, such that nodes are as many as with
/// the settings in force. `flip` is the chance that a node which is expected to cut does not; without it,
/// as it was seen.
pub fn learn(games: &[(u64, Sampled)], price: Option<f64>, flip: Option<f64>) -> Option<Findings> {
    let rows: Vec<&Row> = games.iter().flat_map(|(_, sampled)| &sampled.rows).collect();
    if rows.is_empty() {
        return None;
    }
    let parts = parts(&rows);
    let sum = |of: fn(&Sampled) -> u64| games.iter().map(|(_, sampled)| of(sampled)).sum::<u64>();
    let [cut, not] = [sum(|sampled| sampled.cuts[0]), sum(|sampled| sampled.cuts[1])];
    let flip = flip.unwrap_or(not as f64 / (cut + not).max(1) as f64);
    // About 1 on average.
    let mean = rows.iter().map(|row| row.weight as f64).sum::<f64>() / rows.len() as f64;
    let cases: Vec<Case> = games
        .iter()
        .flat_map(|(game, sampled)| sampled.rows.iter().map(move |row| (*game, *row)))
        .map(|(game, row)| {
            let weight = row.weight as f64 / mean;
            let matters = weight * flip.powi(row.sample.cuts as i32);
            Case { game, row, levels: row.sample.late.levels(&parts), weight, matters }
        })
        .collect();
    let all: Vec<&Case> = cases.iter().collect();
    let usual = account_of(all.iter().map(|case| {
        let less = case.row.sample.usual.clamp(0, MOST as i32) as u8;
        (*case, Advice { less, out: false })
    }));
    let mut learned = Learned::fit(&all, parts);
    let mut elsewhere = Elsewhere::new(&cases, parts);
    learned.price = price.unwrap_or_else(|| elsewhere.price_for(usual.nodes));
    elsewhere.set_price(learned.price);
    let plies = sum(|sampled| sampled.plies) as f64;
    Some(Findings {
        flip,
        samples: cases.len(),
        games: games.len(),
        depth: plies / sum(|sampled| sampled.moves).max(1) as f64,
        usual,
        learned_elsewhere: elsewhere.account(None),
        leaving_out: [Leaves::Each, Leaves::Rest].map(|leaves| elsewhere.account(Some(leaves))),
        learned,
    })
}

/// Games in parts, each with what was learned from all others: what is told of it is told of games that were
/// not learned from.
struct Elsewhere<'a> {
    parts: Vec<(Vec<&'a Case>, Learned)>,
}

impl<'a> Elsewhere<'a> {
    fn new(cases: &'a [Case], parts: Parts) -> Elsewhere<'a> {
        let split = |number: u64| -> [Vec<&'a Case>; 2] {
            let (own, others) = cases.iter().partition(|case| part(case.game) == number);
            [own, others]
        };
        let known = (0..PARTS)
            .map(split)
            .filter(|both| both.iter().all(|cases| !cases.is_empty()))
            .map(|[own, others]| (own, Learned::fit(&others, parts)));
        Elsewhere { parts: known.collect() }
    }

    fn set_price(&mut self, price: f64) {
        self.parts.iter_mut().for_each(|(_, learned)| learned.price = price);
    }

    fn account(&self, leaves: Option<Leaves>) -> Account {
        let advised = self.parts.iter().flat_map(|(own, learned)| {
            own.iter().map(move |case| (*case, learned.advice(case.levels, leaves)))
        });
        account_of(advised)
    }

    /// The price at which so many nodes are made, of those of full searches. At as many errors as the host's
    /// it plays worse than the host (46.5 % of 100 games at 40,000 nodes): an error costs more than the chance
    /// that it reaches the root tells, since searches below make errors too.
    fn price_for(&mut self, nodes: f64) -> f64 {
        if nodes >= 1.0 || self.parts.is_empty() {
            return USUAL_PRICE;
        }
        // The dearer, the more nodes.
        let (mut low, mut high) = (1.0f64, 1e9f64);
        for _ in 0..24 {
            let price = (low * high).sqrt();
            self.set_price(price);
            if self.account(None).nodes < nodes { low = price } else { high = price }
        }
        (low * high).sqrt().round()
    }
}

/// What advice costs and misses on samples, by what was really found of them.
fn account_of<'a>(advised: impl Iterator<Item = (&'a Case, Advice)>) -> Account {
    let (mut full, mut made, mut errors, mut misses, mut all) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (case, advice) in advised {
        let searches = &case.row.sample.searches;
        let Some((better, nodes)) = searches[0] else { continue };
        full += case.weight * nodes as f64;
        all += case.weight;
        // As far as there is depth.
        let reduced = searches.iter().take(usize::from(advice.less) + 1).rev().flatten().next();
        let (cost, missed) = match (advice.out, advice.less, reduced) {
            (true, ..) => (0, better),
            (_, 0, _) | (.., None) => (nodes, false),
            (_, _, Some((true, shallow))) => (shallow + nodes, false),
            (_, _, Some((false, shallow))) => (*shallow, better),
        };
        made += case.weight * cost as f64;
        if missed {
            misses += case.weight;
            errors += case.matters;
        }
    }
    let share = |part: f64, of: f64| if of > 0.0 { part / of } else { 0.0 };
    Account {
        nodes: share(made, full),
        errors: 1e6 * share(errors, all),
        misses: 1e3 * share(misses, all),
    }
}

impl Learned {
    fn fit(cases: &[&Case], parts: Parts) -> Learned {
        let by = |levels: &Levels| levels[0] * KINDS + levels[2];
        let mean = |value: &dyn Fn(&Case) -> f64| -> Vec<f64> {
            let mut cells = vec![[0.0; 2]; DEPTHS * KINDS];
            let mut rows = vec![[0.0; 2]; DEPTHS];
            for case in cases {
                // How many a case stands for depends on the depth alone.
                let value = value(case);
                for sums in [&mut cells[by(&case.levels)], &mut rows[case.levels[0]]] {
                    *sums = [sums[0] + 1.0, sums[1] + value];
                }
            }
            // A depth that was never met is like the one before.
            let mut last = 0.0;
            let around: Vec<f64> = rows
                .iter()
                .map(|[count, sum]| {
                    last = if *count > 0.0 { sum / count } else { last };
                    last
                })
                .collect();
            let drawn = |(index, [count, sum]): (usize, &[f64; 2])| {
                (sum + AROUND * around[index / KINDS]) / (count + AROUND)
            };
            cells.iter().enumerate().map(drawn).collect()
        };
        let full = |case: &Case| case.row.sample.searches[0].map_or(0.0, |(_, nodes)| nodes as f64);
        let nodes = mean(&full);
        let matters = mean(&|case| case.matters / case.weight);
        let searched = |less: usize| {
            cases.iter().filter_map(move |case| {
                let (better, _) = case.row.sample.searches[0]?;
                let (reduced, _) = case.row.sample.searches[less]?;
                Some((&case.levels, better, reduced))
            })
        };
        let missed = (1..=MOST).map(|less| {
            Model::fit(searched(less).map(|(levels, better, reduced)| (levels, better && !reduced)))
        });
        let alarmed = (1..=MOST)
            .map(|less| Model::fit(searched(less).map(|(levels, _, reduced)| (levels, reduced))));
        let better = Model::fit(searched(0).map(|(levels, better, _)| (levels, better)));
        let rest = Model::fit(cases.iter().map(|case| (&case.levels, case.row.rest)));
        let mut weights = vec![0.0; DEPTHS * KINDS];
        cases.iter().for_each(|case| weights[by(&case.levels)] += case.weight);
        let mut shares = Vec::new();
        for less in 1..=MOST {
            let mut sums = vec![[0.0; 2]; DEPTHS];
            for case in cases {
                let searches = &case.row.sample.searches;
                let (Some((_, full)), Some((_, nodes))) = (searches[0], searches[less]) else {
                    continue;
                };
                let [above, below] = &mut sums[case.levels[0]];
                *above += case.weight * nodes as f64;
                *below += case.weight * full as f64;
            }
            let mut last = 1.0;
            shares.extend(sums.iter().map(|[above, below]| {
                last = if *below > 0.0 { above / below } else { last };
                last
            }));
        }
        Learned {
            parts,
            missed: missed.collect(),
            alarmed: alarmed.collect(),
            better,
            rest,
            nodes,
            shares,
            matters,
            weights,
            price: USUAL_PRICE,
        }
    }

    /// Where levels part.
    pub fn parts(&self) -> Parts {
        self.parts
    }

    /// The best reduction for a move with these levels.
    pub fn advice(&self, levels: Levels, leaves: Option<Leaves>) -> Advice {
        let place = levels[0] * KINDS + levels[2];
        let (nodes, loss) = (self.nodes[place], self.price * self.matters[place]);
        // A node of depth d leaves d - 1 plies, of which one must remain.
        let deepest =
            (levels[0] as i32 + secateur_search::calibrate::reductions::DEPTHS[0] - 2).max(0);
        let mut best = (nodes, 0);
        for less in 1..=MOST.min(deepest as usize) {
            let share = self.shares[(less - 1) * DEPTHS + levels[0]];
            let again = self.alarmed[less - 1].chance(&levels);
            let missed = self.missed[less - 1].chance(&levels);
            let cost = nodes * (share + again) + loss * missed;
            if cost < best.0 {
                best = (cost, less as u8);
            }
        }
        let quiet = levels[5] == Class::Quiet as usize;
        let out = match leaves {
            _ if !quiet => false,
            None => false,
            Some(Leaves::Each) => loss * self.better.chance(&levels) < best.0,
            Some(Leaves::Rest) => self.rest.chance(&levels) < self.threshold(levels[0]),
        };
        Advice { less: best.1, out }
    }

    /// The chance that costs as much as the cheapest search of a move at this level of depth.
    fn threshold(&self, depth: usize) -> f64 {
        let (mut nodes, mut loss) = (0.0, 0.0);
        for place in depth * KINDS..(depth + 1) * KINDS {
            // Where nothing was sampled all kinds are alike.
            let weight = self.weights[place].max(f64::MIN_POSITIVE);
            nodes += weight * self.nodes[place];
            loss += weight * self.price * self.matters[place];
        }
        let shares = (1..=MOST.min(depth)).map(|less| self.shares[(less - 1) * DEPTHS + depth]);
        let cheapest = nodes * shares.fold(1.0, f64::min);
        if loss > 0.0 { cheapest / loss } else { 0.0 }
    }

    /// The thresholds by depth.
    pub fn thresholds(&self) -> Vec<(i32, f64)> {
        let first = secateur_search::calibrate::reductions::DEPTHS[0];
        (0..DEPTHS).map(|depth| (first + depth as i32, self.threshold(depth))).collect()
    }

    /// The best reduction for a move.
    pub fn advice_for(&self, late: &Late, leaves: Option<Leaves>) -> Advice {
        self.advice(late.levels(&self.parts), leaves)
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::tests::LATE;
    use super::*;
    use secateur_search::calibrate::reductions::Kind;
    use secateur_search::observe::Sample;
    use secateur_search::random::SplitMix;

    /// Games in which a ply less halves the nodes; late moves miss nothing, early ones often.
    fn games() -> Vec<(u64, Sampled)> {
        let mut random = SplitMix::new(2);
        let mut row = || {
            let (number, depth) = (2 + random.below(30), 4 + random.below(6) as i32);
            let kind = if random.below(2) == 0 { Kind::Cut } else { Kind::All };
            let better = random.below(100) < if number < 6 { 30 } else { 0 };
            let mut searches = [None; MOST + 1];
            let mut nodes = 64 << depth;
            for (less, search) in searches.iter_mut().enumerate().take(depth as usize - 1) {
                let sees = better && (less == 0 || random.below(10) < 3);
                *search = Some((sees, nodes));
                nodes /= 2;
            }
            let late = Late { number, depth, kind, ..LATE };
            // Before the fifth move something is always still to come.
            let rest = better || number < 5;
            Row { weight: 10, rest, sample: Sample { late, cuts: 1, usual: 1, searches } }
        };
        (0..20)
            .map(|game| {
                let rows = (0..400).map(|_| row()).collect();
                (game, Sampled { moves: 1, plies: 9, cuts: [80, 20], rows })
            })
            .collect()
    }

    #[test]
    fn what_misses_nothing_is_reduced_and_what_misses_much_is_not() {
        let found = learn(&games(), None, None).unwrap();
        assert!((found.flip - 0.2).abs() < 1e-9);
        assert_eq!((found.samples, found.games), (8_000, 20));
        let at = |number: usize, depth: i32| {
            found.learned.advice_for(&Late { number, depth, ..LATE }, None).less
        };
        assert!(at(20, 8) >= 3, "{}", at(20, 8));
        assert_eq!(at(20, 2), 0, "there is no ply to be taken off");
        assert!(at(3, 8) < at(20, 8), "{} {}", at(3, 8), at(20, 8));
        // With as many nodes as a ply for all it makes fewer errors.
        let (usual, learned) = (found.usual, found.learned_elsewhere);
        assert!(learned.nodes < 1.2 * usual.nodes, "{learned:?} {usual:?}");
        assert!(learned.errors < 0.7 * usual.errors, "{learned:?} {usual:?}");
        for leaving in found.leaving_out {
            assert!(leaving.nodes <= learned.nodes, "{leaving:?}");
        }
    }

    #[test]
    fn the_dearer_an_error_the_less_is_reduced() {
        let by = |price: f64| learn(&games(), Some(price), None).unwrap();
        let (cheap, dear) = (by(10.0), by(1e9));
        assert!(dear.learned_elsewhere.errors <= cheap.learned_elsewhere.errors);
        assert!(dear.learned_elsewhere.nodes >= cheap.learned_elsewhere.nodes);
        for leaves in [Leaves::Each, Leaves::Rest] {
            let out = |found: &Findings, number: usize| {
                found.learned.advice_for(&Late { number, ..LATE }, Some(leaves)).out
            };
            assert!(out(&cheap, LATE.number), "nothing is worth a search, {leaves:?}");
            assert!(!out(&dear, 3), "{leaves:?}");
        }
        assert!(learn(&[], None, None).is_none());
    }

    #[test]
    fn by_the_rest_a_move_is_left_out_below_the_threshold_of_its_depth() {
        let found = learn(&games(), Some(1e4), None).unwrap();
        let learned = &found.learned;
        let levels = |number: usize| Late { number, depth: 8, ..LATE }.levels(&learned.parts);
        let out =
            |learned: &Learned, number| learned.advice(levels(number), Some(Leaves::Rest)).out;
        assert!(!out(learned, 3), "something is still to come");
        assert!(out(learned, 20));
        let thresholds = learned.thresholds();
        let at = |depth: i32| thresholds.iter().find(|(of, _)| *of == depth).unwrap().1;
        // 64 << 8 nodes less 6 plies, against a chance of one in five that 10,000 are lost.
        assert!((at(8) / (256.0 / 2_000.0) - 1.0).abs() < 0.05, "{}", at(8));
        assert!((at(9) / at(8) - 1.0).abs() < 0.05, "the cheapest search of both is of one ply");
        // Just above the threshold it is still searched.
        let price = 1e4 * at(8) / learned.rest.chance(&levels(20));
        let priced = |price: f64| Learned { price, ..learned.clone() };
        assert!(!out(&priced(1.001 * price), 20));
        assert!(out(&priced(0.999 * price), 20));
    }

    #[test]
    fn an_error_weighs_less_the_more_nodes_above_could_mend_it() {
        let mut far = games();
        for (_, sampled) in &mut far {
            sampled.rows.iter_mut().for_each(|row| row.sample.cuts = 3);
        }
        let errors = |games: &[(u64, Sampled)]| learn(games, Some(1e3), None).unwrap().usual.errors;
        let (near, far) = (errors(&games()), errors(&far));
        assert!((near / far - 25.0).abs() < 0.1, "{near} {far}");
    }
}
