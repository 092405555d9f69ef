//! A table of probabilities fitted to what came out, and kept only if it tells more than the straight
//! line does.
//!
//! A sample is a leaf, a target, and whether a deeper search reached it. Cells are pooled until they
//! fall as the target rises, and drawn towards the straight line where samples are few. Half of the
//! samples, by a hash of their source, are held out: the table is good if it is more probable there.

use super::curve::linear;
use super::odds_table::{OddsTable, VERSION};

/// A leaf, a target, and what came out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The position it comes from; all of one position are fitted or held out together.
    pub source: u64,
    /// How far the target lies above the real value.
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

/// A table and how it does on samples that it was not fitted to.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The table, fitted to the other half.
    pub table: OddsTable,
    /// Samples fitted to, and held out.
    pub samples: [usize; 2],
    /// Mean logarithmic loss held out, of the table and of the straight line; less is better.
    pub losses: [f64; 2],
}

impl Fitted {
    /// Whether the table is worth using.
    pub fn is_better(&self) -> bool {
        self.losses[0] < self.losses[1]
    }
}

/// So many samples count as much as the straight line.
const PRIOR: f64 = 10.0;
/// No probability is further from 0 and 1, so that a loss stays finite.
const EDGE: f64 = 0.001;

/// Fits a table for classes given by the edges of `shape`, whose probabilities are not looked at.
pub fn fit(shape: &OddsTable, samples: &[Sample]) -> Fitted {
    let held = |sample: &&Sample| crate::random::SplitMix::new(sample.source).next_u64() % 2 == 1;
    let fitted: Vec<&Sample> = samples.iter().filter(|sample| !held(sample)).collect();
    let others: Vec<&Sample> = samples.iter().filter(held).collect();
    let row = shape.targets.len() + 1;
    let cells = shape.kinds * (shape.depths.len() + 1) * (shape.hopes.len() + 1) * row;
    // Weight and sum of each cell; the straight line is the prior.
    let mut counted: Vec<(f64, f64)> =
        (0..cells).map(|cell| (PRIOR, PRIOR * middle(shape, cell % row))).collect();
    for sample in &fitted {
        let cell = shape.cell(sample.short, sample.reach, sample.depth, sample.kind);
        counted[cell].0 += 1.0;
        counted[cell].1 += f64::from(u8::from(sample.reached));
    }
    let odds = counted.chunks(row).flat_map(falling).map(|odds| (odds * 10_000.0).round() as i32);
    let table = OddsTable { version: VERSION, odds: odds.collect(), ..shape.clone() };
    let loss = |odds: &dyn Fn(&Sample) -> f64| {
        let sum: f64 = others
            .iter()
            .map(|sample| {
                let odds = odds(sample).clamp(EDGE, 1.0 - EDGE);
                -(if sample.reached { odds } else { 1.0 - odds }).ln()
            })
            .sum();
        sum / others.len().max(1) as f64
    };
    let losses = [
        loss(&|sample| table.odds(sample.short, sample.reach, sample.depth, sample.kind)),
        loss(&|sample| linear(sample.short, 0.0, sample.reach)),
    ];
    Fitted { table, samples: [fitted.len(), others.len()], losses }
}

/// What the straight line says in the middle of a class of targets.
fn middle(shape: &OddsTable, class: usize) -> f64 {
    let edge =
        |class: usize| shape.targets.get(class).map_or(1.0, |edge| f64::from(*edge) / 10_000.0);
    let low = class.checked_sub(1).map_or(0.0, edge);
    (1.0 - (low + edge(class)) / 2.0).clamp(0.0, 1.0)
}

/// Means that fall, by pooling neighbours that do not (Ayer and others, 1955).
fn falling(cells: &[(f64, f64)]) -> Vec<f64> {
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for &(weight, sum) in cells {
        pools.push((weight, sum, 1));
        while let [.., a, b] = pools[..] {
            if a.1 / a.0 >= b.1 / b.0 {
                break;
            }
            pools.truncate(pools.len() - 2);
            pools.push((a.0 + b.0, a.1 + b.1, a.2 + b.2));
        }
    }
    pools.iter().flat_map(|&(weight, sum, many)| vec![sum / weight; many]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix;

    fn shape() -> OddsTable {
        OddsTable {
            version: VERSION,
            game: "toy".to_string(),
            evaluation: 1,
            hopes: vec![50, 200],
            targets: vec![1_000, 2_500, 5_000, 7_500],
            depths: vec![],
            kinds: 1,
            odds: Vec::new(),
        }
    }

    fn samples(law: fn(f64) -> f64) -> Vec<Sample> {
        let mut random = SplitMix::new(5);
        (0..20_000)
            .map(|at| {
                let reach = 20.0 + random.below(400) as f64;
                let share = random.below(1_000) as f64 / 1_000.0;
                let reached = (random.below(10_000) as f64) < 10_000.0 * law(share);
                let short = (share * reach).max(0.01);
                Sample { source: at / 8, short, reach, depth: 3, kind: 0, reached }
            })
            .collect()
    }

    #[test]
    fn a_law_that_is_no_straight_line_is_found_and_better_on_what_was_held_out() {
        let fitted = fit(&shape(), &samples(|share| 0.4 * (1.0 - share) * (1.0 - share)));
        fitted.table.check().unwrap();
        assert!(fitted.is_better(), "{:?}", fitted.losses);
        let odds = fitted.table.odds(5.0, 100.0, 3, 0);
        assert!((odds - 0.36).abs() < 0.06, "{odds}");
    }

    #[test]
    fn the_straight_line_itself_is_not_beaten() {
        let fitted = fit(&shape(), &samples(|share| 1.0 - share));
        assert!(!fitted.is_better(), "{:?}", fitted.losses);
        assert_eq!(fitted.samples.iter().sum::<usize>(), 20_000);
    }

    #[test]
    fn without_samples_the_table_is_the_straight_line() {
        let fitted = fit(&shape(), &[]);
        fitted.table.check().unwrap();
        assert_eq!(fitted.table.odds(30.0, 100.0, 3, 0), 0.625);
    }
}
