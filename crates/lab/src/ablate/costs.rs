//! What each technique saves and solves: positions searched to a depth with everything, and without
//! one technique at a time. It is a suite within the folder of the run.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use secateur_games::problem::ProblemFiles;

use super::Order;
use crate::statistics::bootstrap::Interval;
use crate::statistics::paired::benjamini_hochberg;
use crate::suite::compare::Comparison;
use crate::suite::conduct::{Circumstances, conduct};
use crate::suite::findings::Findings;
use crate::suite::folder::Order as SuiteOrder;

/// The engine with everything.
pub const ALL: &str = "all";

/// Where it is kept.
pub fn folder(run: &Path) -> PathBuf {
    run.join("costs")
}

/// Searches what is not searched yet.
pub fn costs<G: ProblemFiles>(
    order: &Order,
    run: &Path,
    concurrency: usize,
    ours: &Path,
    interrupt: &Arc<AtomicBool>,
    note: &mut dyn FnMut(String),
) -> anyhow::Result<Option<Findings>> {
    if order.suites.is_empty() {
        return Ok(None);
    }
    let without = |index: usize| order.spec(&order.techniques[index], [index]);
    let engines = [order.spec(ALL, [])].into_iter();
    let suite = SuiteOrder {
        game: order.game.clone(),
        files: order.suites.clone(),
        engines: engines.chain((0..order.techniques.len()).map(without)).collect(),
        each: (!order.each.is_empty()).then(|| order.each.clone()),
        depth: Some(order.depth),
        ..SuiteOrder::default()
    };
    let path = folder(run);
    let begun = path.join("run.toml").exists();
    let how = Circumstances {
        concurrency,
        force: true,
        ours: ours.to_path_buf(),
        out: (!begun).then(|| path.clone()),
        resume: begun.then_some(path),
        interrupt: Arc::clone(interrupt),
    };
    conduct::<G>(&suite, &how, note).map(Some)
}

/// What leaving a technique out costs and loses.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// Everything, and everything but the technique beside it.
    pub beside: Comparison,
    /// Nodes without it, as a multiple of those with it.
    pub nodes: Option<Interval>,
    /// Time without it, as a multiple of that with it.
    pub time: Option<Interval>,
    /// The p-value of "solves as many", adjusted for being one of many.
    pub p_value: f64,
}

impl Cost {
    /// Of each technique, in the order of the order.
    pub fn of_each(order: &Order, findings: &Findings) -> Vec<Cost> {
        let beside: Vec<Comparison> =
            order.techniques.iter().map(|technique| findings.compare(technique, None)).collect();
        let p_values: Vec<f64> = beside.iter().map(|beside| beside.test.mid).collect();
        let adjusted = benjamini_hochberg(&p_values);
        let rows = order.techniques.iter().zip(beside).zip(adjusted);
        rows.map(|((technique, beside), p_value)| Cost {
            beside,
            nodes: findings.ratio(technique, ALL, |row| row.nodes as f64),
            time: findings.ratio(technique, ALL, |row| row.time_ms as f64),
            p_value,
        })
        .collect()
    }
}
