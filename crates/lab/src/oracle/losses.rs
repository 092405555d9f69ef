//! What the choices cost: the mean, how often it is much, and two engines on the same positions.

use secateur_search::random::SplitMix;

use super::ask::{Role, Said};
use crate::statistics::normal::Z95;

/// A choice costs no more than this, in hundredths: lost is lost.
const MOST: i32 = 1_000;
/// Costs that are counted as much.
pub const MUCH: [i32; 3] = [50, 100, 300];
/// Samples of the bootstrap.
const SAMPLES: usize = 2_000;

/// What an engine's choices cost, by one judge.
#[derive(Clone, Debug, PartialEq)]
pub struct Losses {
    /// The cost in each position; nothing where the judge or the engine did not answer.
    pub each: Vec<Option<i32>>,
}

/// A number with the ends of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The number.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Two engines on the same positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beside {
    /// How much more the second one's choices cost, over all positions.
    pub all: Interval,
    /// Positions in which they chose differently, and for which the judge has values.
    pub differing: usize,
    /// The same over these.
    pub there: Option<Interval>,
}

/// The losses of an engine by a judge, over so many positions.
pub fn losses(said: &[Said], judge: usize, engine: usize, positions: usize) -> Losses {
    let find =
        |role, who, position| said.iter().find(move |line| line.key() == (role, who, position));
    let each = (0..positions).map(|position| {
        let values = &find(Role::Judge, judge, position)?.moves;
        let chosen = &find(Role::Engine, engine, position)?.moves.first()?.0;
        let best = values.iter().map(|(_, value)| *value).max()?;
        let value = values.iter().find(|(text, _)| text == chosen)?.1;
        Some((best - value).clamp(0, MOST))
    });
    Losses { each: each.collect() }
}

impl Losses {
    /// Positions that count.
    pub fn count(&self) -> usize {
        self.each.iter().flatten().count()
    }

    /// The mean cost.
    pub fn mean(&self) -> Option<Interval> {
        let costs: Vec<f64> = self.each.iter().flatten().map(|&cost| f64::from(cost)).collect();
        let n = costs.len() as f64;
        if costs.is_empty() {
            return None;
        }
        let mean = costs.iter().sum::<f64>() / n;
        let squares = costs.iter().map(|cost| (cost - mean).powi(2)).sum::<f64>();
        let reach =
            if costs.len() > 1 { Z95 * (squares / (n - 1.0) / n).sqrt() } else { f64::INFINITY };
        Some(Interval { value: mean, low: mean - reach, high: mean + reach })
    }

    /// The share of choices that cost more than this.
    pub fn share_beyond(&self, cost: i32) -> f64 {
        let beyond = self.each.iter().flatten().filter(|&&lost| lost > cost).count();
        beyond as f64 / self.count().max(1) as f64
    }

    /// The other engine beside this one; `chosen` says whether both chose the same in a position.
    pub fn beside(&self, other: &Losses, chosen: impl Fn(usize) -> bool) -> Option<Beside> {
        let pairs: Vec<(usize, f64)> = self
            .each
            .iter()
            .zip(&other.each)
            .enumerate()
            .filter_map(|(position, (ours, theirs))| {
                Some((position, f64::from((*theirs)?) - f64::from((*ours)?)))
            })
            .collect();
        let all: Vec<f64> = pairs.iter().map(|(_, more)| *more).collect();
        let there: Vec<f64> = pairs
            .iter()
            .filter(|(position, _)| !chosen(*position))
            .map(|(_, more)| *more)
            .collect();
        Some(Beside { all: bootstrap(&all)?, differing: there.len(), there: bootstrap(&there) })
    }
}

/// The mean with its 95 % interval, by drawing as many again and again (Efron, 1979).
fn bootstrap(values: &[f64]) -> Option<Interval> {
    if values.is_empty() {
        return None;
    }
    let n = values.len();
    let mean = |sum: f64| sum / n as f64;
    let mut random = SplitMix::new(n as u64);
    let mut means: Vec<f64> =
        (0..SAMPLES).map(|_| mean((0..n).map(|_| values[random.below(n)]).sum())).collect();
    means.sort_by(f64::total_cmp);
    let at = |share: f64| means[((SAMPLES as f64 * share) as usize).min(SAMPLES - 1)];
    Some(Interval { value: mean(values.iter().sum()), low: at(0.025), high: at(0.975) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(position: usize, moves: &[(&str, i32)]) -> Said {
        let moves = moves.iter().map(|(text, value)| (text.to_string(), *value)).collect();
        Said { role: Role::Judge, who: 0, position, text: String::new(), moves, fault: None }
    }

    fn chose(who: usize, position: usize, text: &str) -> Said {
        let moves = vec![(text.to_string(), 0)];
        Said { role: Role::Engine, who, position, text: String::new(), moves, fault: None }
    }

    #[test]
    fn a_choice_costs_what_it_is_worth_less_than_the_best() {
        let said = [
            judged(0, &[("a", 30), ("b", -20), ("c", -9_000)]),
            judged(1, &[("a", 30), ("b", -20)]),
            judged(2, &[("a", 30), ("b", -40)]),
            chose(0, 0, "c"),
            chose(0, 1, "a"),
            chose(0, 2, "b"),
            chose(1, 0, "b"),
            chose(1, 1, "x"),
            chose(1, 2, "b"),
        ];
        let first = losses(&said, 0, 0, 4);
        assert_eq!(first.each, [Some(1_000), Some(0), Some(70), None]);
        assert_eq!(
            (first.count(), first.share_beyond(50), first.share_beyond(100)),
            (3, 2.0 / 3.0, 1.0 / 3.0)
        );
        let second = losses(&said, 0, 1, 4);
        assert_eq!(
            second.each,
            [Some(50), None, Some(70), None],
            "a move that the judge does not know"
        );
        let beside = first.beside(&second, |position| position == 2).unwrap();
        assert_eq!((beside.all.value, beside.differing), (-475.0, 1));
        assert_eq!(beside.there.unwrap().value, -950.0);
    }

    #[test]
    fn the_interval_of_a_bootstrap_is_that_of_the_normal_distribution_where_that_holds() {
        let mut random = SplitMix::new(4);
        let values: Vec<f64> = (0..400).map(|_| random.below(200) as f64).collect();
        let found = bootstrap(&values).unwrap();
        // Even from 0 to 199: a standard deviation of 57.7, and 2.9 of the mean.
        assert!((found.high - found.low - 2.0 * 1.96 * 2.887).abs() < 1.0, "{found:?}");
        assert!(found.low < found.value && found.value < found.high);
        assert_eq!(bootstrap(&[]), None);
    }
}
