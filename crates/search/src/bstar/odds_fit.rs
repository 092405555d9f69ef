//! A table of probabilities fitted to what came out.
//!
//! A sample is a leaf, a target, and whether a deeper search reached it. There are more cells than a
//! few games fill. So the share of a cell is drawn towards that of the same hope, target and depth in
//! positions of any kind, that towards the same at any depth, and that towards the same with any hope.
//! In the end neighbours are pooled until a row falls as the target rises.

use super::curve::linear;
use super::odds_table::{Classes, KINDS};

/// A leaf, a target, and what came out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// How far the target lies above the real value; above 0.
    pub short: f64,
    /// How far the hope does; above `short`.
    pub reach: f64,
    /// Plies of the probe.
    pub depth: i32,
    /// [`Prober::kind`](super::prober::Prober::kind).
    pub kind: u8,
    /// Whether a deeper search reached the target.
    pub reached: bool,
}

impl Sample {
    /// What the straight line promises.
    pub fn linear(&self) -> f64 {
        linear(self.short, 0.0, self.reach)
    }
}

/// Classes of hopes, and of targets: so many that each has enough in a few thousand samples.
const HOPES: usize = 6;
const TARGETS: usize = 10;
/// A depth with a smaller share of the samples has no class of its own.
const LEAST_SHARE: f64 = 0.05;
/// So many samples count as much as the share that a cell is drawn towards.
const PULL: f64 = 20.0;
/// No probability is nearer to 0 and 1 when it is judged, so that a loss stays finite.
const EDGE: f64 = 0.001;

/// The logarithmic loss of a probability.
pub fn loss(odds: f64, reached: bool) -> f64 {
    let odds = odds.clamp(EDGE, 1.0 - EDGE);
    -(if reached { odds } else { 1.0 - odds }).ln()
}

/// What is worth telling apart in these samples: about as many of them in each class.
pub fn classes(samples: &[Sample]) -> Classes {
    let many = samples.len();
    let mut depths: Vec<i32> = samples.iter().map(|sample| sample.depth).collect();
    depths.sort_unstable();
    let mut depths: Vec<i32> = depths
        .chunk_by(|one, other| one == other)
        .filter(|same| same.len() as f64 >= LEAST_SHARE * many as f64)
        .map(|same| same[0])
        .collect();
    // Deeper ones are of the class of the deepest.
    depths.pop();
    let kinds = samples.iter().map(|sample| usize::from(sample.kind) + 1).max();
    Classes {
        hopes: quantiles(samples.iter().map(|sample| sample.reach).collect(), HOPES),
        targets: quantiles(samples.iter().map(|sample| sample.short).collect(), TARGETS),
        depths,
        kinds: kinds.unwrap_or(1).min(KINDS),
    }
}

/// The ends of so many classes, but the last, each with as many of the values.
fn quantiles(mut values: Vec<f64>, classes: usize) -> Vec<i32> {
    values.sort_by(f64::total_cmp);
    let at = |class: usize| values.get((values.len() * class / classes).checked_sub(1)?);
    let mut edges: Vec<i32> =
        (1..classes).filter_map(at).map(|value| value.ceil() as i32).collect();
    edges.dedup();
    edges
}

/// How many samples there are of something, and how many of them reached their target.
#[derive(Clone, Copy, Default)]
struct Tally {
    met: f64,
    reached: f64,
}

impl Tally {
    fn count(&mut self, reached: bool) {
        self.met += 1.0;
        self.reached += f64::from(u8::from(reached));
    }

    /// Its share, drawn towards another.
    fn drawn(self, towards: f64) -> f64 {
        (self.reached + PULL * towards) / (self.met + PULL)
    }
}

/// The probability of every cell, in ten-thousandths. Without a sample it is one half everywhere.
pub fn fit(classes: &Classes, samples: &[Sample]) -> Vec<i32> {
    let row = classes.row();
    let plane = row * (classes.hopes.len() + 1);
    let kind = plane * (classes.depths.len() + 1);
    // The cells of a coarser division repeat in the finer one.
    let mut all = Tally::default();
    let mut levels: Vec<Vec<Tally>> =
        [row, plane, kind, classes.cells()].map(|cells| vec![Tally::default(); cells]).to_vec();
    for sample in samples {
        let cell = classes.cell(sample.short, sample.reach, sample.depth, sample.kind);
        all.count(sample.reached);
        for level in &mut levels {
            let cells = level.len();
            level[cell % cells].count(sample.reached);
        }
    }
    let share = |cell: usize| {
        let half = all.drawn(0.5);
        levels.iter().fold(half, |share, level| level[cell % level.len()].drawn(share))
    };
    let finest = &levels[levels.len() - 1];
    let cells: Vec<(f64, f64)> =
        (0..classes.cells()).map(|cell| (finest[cell].met + PULL, share(cell))).collect();
    let falling = cells.chunks(row).flat_map(falling);
    falling.map(|odds| (odds * 10_000.0).round() as i32).collect()
}

/// Means that fall, by pooling neighbours that do not (Ayer and others, 1955). Cells are weights and shares.
fn falling(cells: &[(f64, f64)]) -> Vec<f64> {
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for &(weight, share) in cells {
        pools.push((weight, share, 1));
        while let [.., a, b] = pools[..] {
            if a.1 >= b.1 {
                break;
            }
            pools.truncate(pools.len() - 2);
            let weight = a.0 + b.0;
            pools.push((weight, (a.0 * a.1 + b.0 * b.1) / weight, a.2 + b.2));
        }
    }
    pools.iter().flat_map(|&(_, share, many)| vec![share; many]).collect()
}

#[cfg(test)]
mod tests {
    use super::super::odds_table::OddsTable;
    use super::super::odds_table::tests::table;
    use super::*;
    use crate::random::SplitMix;

    /// Leaves whose target is reached by a law of how short they are and how much is hoped for.
    fn samples(seed: u64, law: fn(f64, f64) -> f64) -> Vec<Sample> {
        let mut random = SplitMix::new(seed);
        (0..8_000)
            .map(|_| {
                let reach = 20.0 + random.below(400) as f64;
                let short = (reach * random.below(1_000) as f64 / 1_000.0).max(0.01);
                let reached = (random.below(10_000) as f64) < 10_000.0 * law(short, reach);
                let (depth, kind) = (3 + random.below(2) as i32, random.below(4) as u8);
                Sample { short, reach, depth, kind, reached }
            })
            .collect()
    }

    fn fitted(samples: &[Sample]) -> OddsTable {
        let classes = classes(samples);
        let odds = fit(&classes, samples);
        let usual = table();
        let table =
            OddsTable { head: crate::bstar::odds_table::Head { classes, ..usual.head }, odds };
        OddsTable::parse(&table.write()).unwrap()
    }

    /// Mean losses of the table and of the straight line on other samples of the law.
    fn losses(table: &OddsTable, law: fn(f64, f64) -> f64) -> [f64; 2] {
        let others = samples(6, law);
        let mean = |odds: &dyn Fn(&Sample) -> f64| {
            let all = others.iter().map(|sample| loss(odds(sample), sample.reached));
            all.sum::<f64>() / others.len() as f64
        };
        let learned = |s: &Sample| table.odds(s.short, s.reach, s.depth, s.kind);
        [mean(&learned), mean(&Sample::linear)]
    }

    #[test]
    fn a_law_that_is_no_straight_line_is_found_and_tells_more_of_other_samples() {
        let law = |short: f64, _: f64| 0.5 * (-short / 60.0).exp();
        let table = fitted(&samples(5, law));
        let [learned, line] = losses(&table, law);
        assert!(learned < line - 0.05, "{learned} {line}");
        // In the middle of classes, on average over what makes no difference.
        for short in [5.0, 60.0, 150.0] {
            let cells = (0..8).map(|at| table.odds(short, 200.0, 3 + at % 2, (at / 2) as u8));
            let found = cells.sum::<f64>() / 8.0;
            assert!((found - law(short, 200.0)).abs() < 0.08, "{short}: {found}");
        }
    }

    #[test]
    fn the_straight_line_itself_is_not_beaten() {
        let law = |short: f64, reach: f64| 1.0 - short / reach;
        let [learned, line] = losses(&fitted(&samples(5, law)), law);
        assert!(learned > line, "{learned} {line}");
    }

    #[test]
    fn every_depth_and_kind_with_samples_of_its_own_is_told_apart() {
        let mut all = samples(5, |_, _| 0.0);
        for sample in &mut all {
            sample.reached = sample.depth == 4 && sample.kind == 2;
        }
        let table = fitted(&all);
        assert_eq!((&table.head.classes.depths, table.head.classes.kinds), (&vec![3], 4));
        assert!(table.odds(5.0, 100.0, 4, 2) > 0.5 && table.odds(5.0, 100.0, 3, 2) < 0.2);
        assert!(table.odds(5.0, 100.0, 4, 1) < 0.2);
        // A kind that was never met is as the last one.
        assert_eq!(table.odds(5.0, 100.0, 9, 7), table.odds(5.0, 100.0, 4, 3));
    }

    #[test]
    fn a_cell_without_samples_has_the_share_of_coarser_ones() {
        let mut all = samples(5, |short, _| if short < 50.0 { 0.3 } else { 0.0 });
        all.retain(|sample| sample.kind != 1 || sample.depth != 3);
        let table = fitted(&all);
        let found = table.odds(5.0, 300.0, 3, 1);
        assert!((found - 0.3).abs() < 0.1, "{found}");
    }
}
