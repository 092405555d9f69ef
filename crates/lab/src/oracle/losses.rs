//! What the choices cost: the mean, how often it is much, and two engines on the same positions.

use super::ask::{Role, Said};
use crate::statistics::bootstrap::{self, Interval};
use crate::statistics::normal::Z95;
use crate::statistics::share::wilson;

/// A choice costs no more than this, in hundredths: lost is lost.
const MOST: i32 = 1_000;
/// Costs that are counted as much.
pub const MUCH: [i32; 3] = [50, 100, 300];

/// What an engine's choices cost, by one judge.
#[derive(Clone, Debug, PartialEq)]
pub struct Losses {
    /// The cost in each position; nothing where the judge or the engine did not answer.
    pub each: Vec<Option<i32>>,
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
    /// By how much the share of its choices that cost more than each of [`MUCH`] is larger; nothing where no
    /// position tells them apart, for drawing again from these would say that none ever does.
    pub beyond: [Option<Interval>; MUCH.len()],
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

    /// The share of choices that cost more than this. Such choices are rare, so the interval is Wilson's:
    /// drawing again from none would say that there are none.
    pub fn share_beyond(&self, cost: i32) -> Option<Interval> {
        let beyond = self.each.iter().flatten().filter(|&&lost| lost > cost).count() as f64;
        let count = self.count() as f64;
        (count > 0.0).then(|| wilson(beyond / count, count))
    }

    /// The other engine beside this one; `chosen` says whether both chose the same in a position.
    pub fn beside(&self, other: &Losses, chosen: impl Fn(usize) -> bool) -> Option<Beside> {
        let pairs: Vec<(usize, i32, i32)> = self
            .each
            .iter()
            .zip(&other.each)
            .enumerate()
            .filter_map(|(position, (ours, theirs))| Some((position, (*ours)?, (*theirs)?)))
            .collect();
        let mean = |of: &dyn Fn(i32) -> f64, counts: &dyn Fn(usize) -> bool| {
            let there = pairs.iter().filter(|(position, ..)| counts(*position));
            let more: Vec<f64> = there.map(|(_, ours, theirs)| of(*theirs) - of(*ours)).collect();
            bootstrap::mean(&more)
        };
        let differ = |position: usize| !chosen(position);
        let all = mean(&f64::from, &|_| true)?;
        let much = |much: i32| move |cost: i32| f64::from(u8::from(cost > much));
        let beyond = MUCH.map(|cost| {
            let differs = |&(_, ours, theirs): &(usize, i32, i32)| (ours > cost) != (theirs > cost);
            if pairs.iter().any(differs) { mean(&much(cost), &|_| true) } else { None }
        });
        Some(Beside {
            all,
            differing: pairs.iter().filter(|(position, ..)| differ(*position)).count(),
            there: mean(&f64::from, &differ),
            beyond,
        })
    }
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
        let beyond = |cost: i32| first.share_beyond(cost).unwrap();
        assert_eq!((first.count(), beyond(50).value, beyond(100).value), (3, 2.0 / 3.0, 1.0 / 3.0));
        let second = losses(&said, 0, 1, 4);
        assert_eq!(
            second.each,
            [Some(50), None, Some(70), None],
            "a move that the judge does not know"
        );
        let beside = first.beside(&second, |position| position == 2).unwrap();
        assert_eq!((beside.all.value, beside.differing), (-475.0, 1));
        assert_eq!(beside.there.unwrap().value, -950.0);
        assert_eq!(beside.beyond.map(|more| more.unwrap().value), [-0.5, -0.5, -0.5]);
    }

    #[test]
    fn shares_have_intervals_and_none_of_a_few_is_not_none_of_all() {
        let costs = |each: &[i32]| Losses { each: each.iter().copied().map(Some).collect() };
        let never = costs(&[0; 20]).share_beyond(300).unwrap();
        // Wilson (1927): none of 20 is up to 16 in a hundred.
        assert!((never.value, never.low) == (0.0, 0.0), "{never:?}");
        assert!((never.high - 0.161).abs() < 1e-3, "{never:?}");
        assert_eq!(costs(&[]).share_beyond(50), None);
        // Beside another on the same positions: two choices of forty are worse by much.
        let mut other = [60; 40];
        (other[3], other[17]) = (120, 120);
        let beside = costs(&[60; 40]).beside(&costs(&other), |_| false).unwrap();
        let [fifty, hundred, most] = beside.beyond;
        assert_eq!((fifty, most), (None, None), "nothing tells them apart");
        let hundred = hundred.unwrap();
        assert_eq!(hundred.value, 0.05);
        assert!(hundred.low <= 0.0 && hundred.high > 0.1, "{hundred:?}");
    }
}
