//! From results to Elo: what each technique is worth, and what pairs of them are worth together beyond
//! that.

use super::Order;
use super::folder::Played;
use crate::statistics::elo::Estimate;
use crate::statistics::least_squares::Row;
use crate::statistics::logistic;
use crate::statistics::paired::benjamini_hochberg;

/// Pairs of techniques are looked at if there are so many pairs of games for each number to be found.
const ENOUGH: usize = 12;
/// Below this adjusted p-value a worth is called real.
pub const LEVEL: f64 = 0.05;

/// What is known of a technique.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// Its number in the order.
    pub technique: usize,
    /// What having it is worth, the others being as often on as in the design; but of one that does nothing
    /// without another, what it is worth where that is on.
    pub elo: Estimate,
    /// The p-value of "nothing", adjusted for being one of many.
    pub p_value: f64,
}

impl Effect {
    /// What is to be said of it.
    pub fn verdict(&self) -> &'static str {
        match (self.p_value < LEVEL, self.elo.value > 0.0) {
            (true, true) => "helps",
            (true, false) => "costs",
            (false, _) => "not decided",
        }
    }
}

/// What is known of two techniques together.
#[derive(Clone, Debug, PartialEq)]
pub struct Together {
    /// Their numbers in the order.
    pub techniques: (usize, usize),
    /// What both are worth beyond the sum of each: below zero where they do the same work.
    pub elo: Estimate,
    /// The p-value of "nothing", adjusted for being one of many.
    pub p_value: f64,
}

/// Everything that the games say.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Effects {
    /// Of each technique, in the order of the order; empty if the games do not tell.
    pub alone: Vec<Effect>,
    /// Of each two, the surest first; empty if there are too few games for them.
    pub together: Vec<Together>,
}

/// What the pairs that were played say.
pub fn effects(order: &Order, played: &[Played]) -> Effects {
    let count = order.techniques.len();
    let couples = couples(order);
    let rows = |couples: &[(usize, usize)]| -> Vec<Row> {
        let all = played.iter().map(|line| (terms(order, line, couples), score(line)));
        // Sides that differ only in what does nothing are one engine: both games are the same, their score
        // is a half, and counted as a measurement it would make the others look surer than they are.
        all.filter(|(terms, _)| terms.iter().any(|term| *term != 0.0)).collect()
    };
    let alone = rows(&[]);
    let enough = alone.len() >= ENOUGH * (count + couples.len());
    let Some(worths) = logistic::fit(&alone) else { return Effects::default() };
    let p_values: Vec<f64> = (0..count).map(|index| worths.p_value(index)).collect();
    let adjusted = benjamini_hochberg(&p_values);
    let alone = (0..count)
        .map(|technique| Effect {
            technique,
            elo: worths.worth(technique),
            p_value: adjusted[technique],
        })
        .collect();
    let mut together = Vec::new();
    if enough && let Some(worths) = logistic::fit(&rows(&couples)) {
        let p_values: Vec<f64> =
            (0..couples.len()).map(|index| worths.p_value(count + index)).collect();
        let adjusted = benjamini_hochberg(&p_values);
        together = couples
            .iter()
            .enumerate()
            .map(|(index, &techniques)| Together {
                techniques,
                elo: worths.worth(count + index),
                p_value: adjusted[index],
            })
            .collect();
        together.sort_by(|a, b| a.p_value.total_cmp(&b.p_value));
    }
    Effects { alone, together }
}

/// The score of the first side.
fn score(line: &Played) -> f64 {
    (line.won + 1.0) / 2.0
}

/// Each two techniques; but not one with the one that it needs: what the two are worth together beyond that
/// one is all that it is worth.
fn couples(order: &Order) -> Vec<(usize, usize)> {
    let count = order.techniques.len();
    let all = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
    all.filter(|&(a, b)| order.needed(a) != Some(b) && order.needed(b) != Some(a)).collect()
}

/// What the first side has more than the second: each technique, then the couples. A couple counts how
/// far both are from what is usual in the design, so that it takes nothing from the two alone.
///
/// A technique that needs another is there only with it, and where the other is off it says nothing. It too
/// counts from what is usual: so what the other is worth has the usual part of it, and neither takes
/// anything from the other.
fn terms(order: &Order, line: &Played, couples: &[(usize, usize)]) -> Vec<f64> {
    let usual = 1.0 - f64::from(order.off) / 100.0;
    let side = |off: &[usize]| -> Vec<f64> {
        let one = |technique: usize| match order.needed(technique) {
            Some(needed) if off.contains(&needed) => 0.0,
            _ if off.contains(&technique) => -usual,
            _ => 1.0 - usual,
        };
        (0..order.techniques.len()).map(one).collect()
    };
    let (first, second) = (side(&line.first), side(&line.second));
    let alone = first.iter().zip(&second).map(|(first, second)| first - second);
    let both = couples.iter().map(|&(a, b)| first[a] * first[b] - second[a] * second[b]);
    alone.chain(both).collect()
}

#[cfg(test)]
mod tests {
    use super::super::design::{Draw, draw};
    use super::super::order_of;
    use super::*;
    use crate::statistics::elo::expected_score;
    use secateur_search::random::SplitMix;

    /// Pairs of games between sides whose techniques are worth this, and two of them less together.
    fn simulated(order: &Order, worth: &[f64], overlap: f64) -> Vec<Played> {
        played_by(order, |off| {
            let lost: f64 = off.iter().map(|&index| worth[index]).sum();
            let both = !off.contains(&0) && !off.contains(&1);
            if both { -lost + overlap } else { -lost }
        })
    }

    /// The same between sides that are so strong without what they are without.
    fn played_by(order: &Order, strength: impl Fn(&[usize]) -> f64) -> Vec<Played> {
        let mut random = SplitMix::new(11);
        (0..order.pairs())
            .map(|pair| {
                let Draw { first, second } = draw(order, pair);
                let chance = expected_score(strength(&first) - strength(&second));
                let mut game = || random.below(1 << 20) as f64 / f64::from(1 << 20) < chance;
                let points = u8::from(game()) + u8::from(game());
                Played { pair, first, second, won: f64::from(points) - 1.0 }
            })
            .collect()
    }

    #[test]
    fn what_was_put_into_the_games_comes_out_of_them() {
        let order = Order { games: 12_000, ..order_of(&["a", "b", "c", "d", "e"]) };
        let worth = [100.0, 60.0, 0.0, -50.0, 20.0];
        let found = effects(&order, &simulated(&order, &worth, 0.0));
        for (effect, worth) in found.alone.iter().zip(worth) {
            assert!((effect.elo.value - worth).abs() < 1.6 * effect.elo.error, "{effect:?}");
        }
        let verdicts: Vec<_> = found.alone.iter().map(Effect::verdict).collect();
        assert_eq!(&verdicts[..4], ["helps", "helps", "not decided", "costs"]);
        assert_eq!(found.together.len(), 10);
        let real = found.together.iter().filter(|couple| couple.p_value < LEVEL).count();
        assert_eq!(real, 0, "{:?}", found.together);
    }

    #[test]
    fn techniques_that_do_the_same_work_are_seen_to() {
        let order = Order { games: 20_000, ..order_of(&["a", "b", "c", "d"]) };
        let found = effects(&order, &simulated(&order, &[150.0, 150.0, 20.0, 0.0], -120.0));
        let first = &found.together[0];
        assert_eq!(first.techniques, (0, 1));
        assert!((first.elo.value + 120.0).abs() < 2.0 * first.elo.error, "{first:?}");
        assert!(first.p_value < LEVEL);
    }

    #[test]
    fn what_needs_another_is_worth_what_it_is_worth_with_it() {
        let names = ["null_move", "hindsight", "late_moves", "futility"];
        let order = Order { games: 30_000, off: 40, ..order_of(&names) };
        let worth = [40.0, 100.0, 120.0, 20.0];
        let played = played_by(&order, |off| {
            let there = |index: usize| !off.contains(&index) && (index != 1 || !off.contains(&2));
            (0..worth.len()).filter(|&index| there(index)).map(|index| worth[index]).sum()
        });
        let found = effects(&order, &played);
        // Late moves have the usual part of what hindsight makes of them.
        for (effect, worth) in found.alone.iter().zip([40.0, 100.0, 120.0 + 0.6 * 100.0, 20.0]) {
            assert!(
                (effect.elo.value - worth).abs() < 1.6 * effect.elo.error,
                "{effect:?}, {worth}"
            );
            assert!(effect.elo.error < 12.0, "{effect:?}");
        }
        let couples: Vec<_> = found.together.iter().map(|couple| couple.techniques).collect();
        assert!(couples.len() == 5 && !couples.contains(&(1, 2)), "{couples:?}");
        assert!(found.together.iter().all(|couple| couple.p_value > LEVEL), "{:?}", found.together);
        // Where what it needs is always on it is one like any other.
        let alone = order_of(&["hindsight", "futility"]);
        assert_eq!((alone.needed(0), order.needed(1)), (None, Some(2)));
    }

    #[test]
    fn sides_that_are_one_engine_say_nothing() {
        let order = Order { games: 400, ..order_of(&["hindsight", "late_moves"]) };
        let mut played = simulated(&order, &[0.0, 60.0], 0.0);
        let found = effects(&order, &played);
        let same = Played { pair: 0, first: vec![0, 1], second: vec![1], won: 0.0 };
        played.extend(vec![same; 2_000]);
        assert_eq!(effects(&order, &played), found);
    }

    #[test]
    fn a_few_games_decide_nothing_and_break_nothing() {
        let order = Order { games: 12, ..order_of(&["a", "b", "c", "d"]) };
        // However large the difference.
        assert_eq!(effects(&order, &simulated(&order, &[800.0; 4], 0.0)), Effects::default());
        let order = Order { games: 80, ..order };
        let found = effects(&order, &simulated(&order, &[0.0; 4], 0.0));
        assert_eq!(found.alone.len(), 4);
        assert!(found.alone.iter().all(|effect| effect.verdict() == "not decided"));
        assert!(found.together.is_empty());
        assert_eq!(effects(&order, &[]), Effects::default());
    }
}
