//! How uneasy a position is, as far as it can be seen without a deep search: the more is going on, the less
//! the value of a shallow one tells.
//!
//! A table of cuts may say for each kind of unrest by which factor the deviation of its pairs grows or
//! shrinks with the amount of it. The factors of all kinds are multiplied: the logarithm of the deviation
//! is a sum of steps, and the tree only looks them up.

use serde::{Deserialize, Serialize};

use super::bounds::thousandths;
use super::cuts::are_reaches;
use crate::{Ability, Tactics};

/// No game has more kinds, those of the search included.
pub const MOST: usize = 6;

/// How far the value of noisy moves alone lies from the static evaluation, in games that have such moves.
pub const QUIESCENCE: &str = "quiescence";
/// How far what was learned moves the static evaluation.
pub const CORRECTION: &str = "correction";

/// How much there is of each kind, in the order of [`names`].
pub type Amounts = [i32; MOST];

/// The names of all kinds in a game, those of the search first.
pub fn names<G: Tactics>() -> Vec<&'static str> {
    let quiescence = G::ABILITIES.serves(Ability::NOISY).then_some(QUIESCENCE);
    let of_search = quiescence.into_iter().chain([CORRECTION]);
    of_search.chain(G::UNREST.iter().copied()).take(MOST).collect()
}

/// What a table knows of unrest, as it is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unrest {
    /// How far errors really reach below, in deviations that the factors have changed, as in a pair.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub below: Vec<f64>,
    /// The same above.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub above: Vec<f64>,
    /// Every kind, in the order of [`names`].
    #[serde(rename = "kind")]
    pub kinds: Vec<Kind>,
}

/// What one kind of unrest does to the deviation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kind {
    /// Its name.
    pub name: String,
    /// Where one step ends and the next begins: amounts below the first are on the first step.
    pub edges: Vec<i32>,
    /// The factor of each step, one more than there are edges.
    pub factors: Vec<f64>,
}

/// On which step an amount lies.
pub fn step(edges: &[i32], amount: i32) -> usize {
    edges.partition_point(|edge| *edge <= amount)
}

/// A factor is never smaller or larger.
pub const FACTORS: [f64; 2] = [0.2, 5.0];

impl Unrest {
    pub(super) fn check(&self) -> Result<(), &'static str> {
        let is_factor = |factor: &f64| (FACTORS[0]..=FACTORS[1]).contains(factor);
        if self.kinds.is_empty() || self.kinds.len() > MOST {
            Err("it has no kinds, or more than there can be")
        } else if self.kinds.iter().any(|kind| kind.factors.len() != kind.edges.len() + 1) {
            Err("a kind must have one factor more than edges")
        } else if self.kinds.iter().any(|kind| !kind.edges.is_sorted()) {
            Err("the edges of a kind must rise")
        } else if !self.kinds.iter().flat_map(|kind| &kind.factors).all(is_factor) {
            Err("a factor is out of range")
        } else if !are_reaches(&self.below) || !are_reaches(&self.above) {
            Err("it has not as many reaches as there are thresholds")
        } else {
            Ok(())
        }
    }
}

/// One kind in whole numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Steps {
    pub(super) name: String,
    edges: Vec<i32>,
    /// In thousandths.
    factors: Vec<i64>,
}

impl Steps {
    pub(super) fn of(kind: &Kind) -> Steps {
        let factors = kind.factors.iter().map(|factor| thousandths(*factor)).collect();
        Steps { name: kind.name.clone(), edges: kind.edges.clone(), factors }
    }

    /// The factor of an amount, in thousandths.
    #[inline]
    pub(super) fn factor(&self, amount: i32) -> i64 {
        self.factors.get(step(&self.edges, amount)).copied().unwrap_or(1_000)
    }

    /// The smallest.
    pub(super) fn least(&self) -> i64 {
        self.factors.iter().copied().min().unwrap_or(1_000)
    }

    /// The largest.
    pub(super) fn most(&self) -> i64 {
        self.factors.iter().copied().max().unwrap_or(1_000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_lies_on_the_step_whose_lower_edge_it_reaches() {
        let kind = Kind { name: "x".into(), edges: vec![10, 40], factors: vec![0.5, 1.0, 1.5] };
        let steps = Steps::of(&kind);
        assert_eq!(
            [0, 9, 10, 39, 40, 999].map(|amount| steps.factor(amount)),
            [500, 500, 1_000, 1_000, 1_500, 1_500]
        );
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let kind = |edges: &[i32], factors: &[f64]| Kind {
            name: "x".into(),
            edges: edges.to_vec(),
            factors: factors.to_vec(),
        };
        let with = |kinds| Unrest { below: Vec::new(), above: Vec::new(), kinds };
        assert_eq!(with(vec![kind(&[], &[1.0])]).check(), Ok(()));
        for wrong in [
            with(Vec::new()),
            with(vec![kind(&[5], &[1.0])]),
            with(vec![kind(&[5, 3], &[1.0; 3])]),
            with(vec![kind(&[], &[9.0])]),
            with(vec![kind(&[], &[1.0]); MOST + 1]),
            Unrest { below: vec![1.0], ..with(vec![kind(&[], &[1.0])]) },
        ] {
            assert!(wrong.check().is_err(), "{wrong:?}");
        }
    }
}
