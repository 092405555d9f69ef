//! Tables of cuts for tests.

use super::cuts::{Cuts, FORMAT, Function, Pair, evaluation_name};
use super::plan::Plan;
use super::unrest::{self, Unrest};

/// A table whose function gives every pair this deviation.
pub(crate) fn with_function(sigma: f64) -> Cuts {
    let function = Function {
        stage: 0.0,
        deep: 0.0,
        shallow: 0.0,
        parabola: [sigma, 0.0, 0.0],
        least: 0.0,
        deepest: 60,
        below: Vec::new(),
        above: Vec::new(),
    };
    Cuts { guess: Some(function.clone()), function: Some(function), ..paper() }
}

/// The table of the paper, with steps of unrest: a kind, its edge, its two factors.
pub(crate) fn with_unrest(steps: &[(&str, i32, [f64; 2])]) -> Plan {
    let kind = |(name, edge, factors): &(&str, i32, [f64; 2])| unrest::Kind {
        name: name.to_string(),
        edges: vec![*edge],
        factors: factors.to_vec(),
    };
    let kinds = steps.iter().map(kind).collect();
    let unrest = Unrest { below: Vec::new(), above: Vec::new(), kinds };
    let cuts = Cuts { unrest: Some(unrest), ..paper() };
    Cuts::parse(&cuts.write()).unwrap().plan()
}

/// A pair with errors as the normal distribution has them.
pub(crate) fn pair(shallow: i32, deep: i32, stage: usize, a: f64, b: f64, sigma: f64) -> Pair {
    let (below, above) = (Vec::new(), Vec::new());
    let category = 0;
    Pair { stage, category, shallow, deep, a, b, c: 0.0, sigma, r: 0.9, n: 1_000, below, above }
}

/// Table 1 of Jiang and Buro.
pub(crate) fn paper() -> Cuts {
    Cuts {
        format: FORMAT,
        game: "chess".to_string(),
        evaluation: evaluation_name(7),
        host: "classic".to_string(),
        made_by: "by hand".to_string(),
        stages: 2,
        categories: 1,
        thresholds: vec![1.0, 1.2],
        window: 1_000,
        beyond: 0,
        function: None,
        guess: None,
        end: None,
        unrest: None,
        pairs: vec![
            pair(3, 5, 0, 0.998, -7.0, 55.8),
            pair(3, 5, 1, 1.026, -4.1, 51.8),
            pair(4, 8, 0, 1.02, 2.36, 82.0),
            pair(4, 8, 1, 1.11, 1.75, 75.0),
        ],
    }
}
