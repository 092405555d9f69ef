//! How often a cut is wrong, by how far beyond its window the value is expected: measured directly, on each side,
//! over all pairs at once.
//!
//! A deviation promises a chance only if errors are the same at every distance from the window, and at nodes
//! inside searches they are not: a search comes there for a reason, and values far away are less quiet. What
//! counts for a cut is nothing but that chance, and proven values that a shallow search has missed are in it.

use crate::statistics::normal;

/// How far beyond its window a value is expected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ahead {
    /// Whether above it.
    pub above: bool,
    /// How far, in deviations.
    pub far: f64,
    /// Whether the truth lies on the other side.
    pub wrong: bool,
}

impl Ahead {
    /// What is expected against what is true, with a window at `beta`.
    pub fn of(expected: f64, sigma: f64, truth: f64, beta: f64) -> Ahead {
        let above = expected >= beta;
        Ahead { above, far: (expected - beta).abs() / sigma, wrong: (truth >= beta) != above }
    }
}

/// A side of the window: the further beyond it, the surer.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// How far, and how many deviations of a normal distribution would be as sure, both rising.
    knots: Vec<(f64, f64)>,
}

/// Both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Curves {
    /// Of values expected below their windows, and of those above them.
    sides: [Curve; 2],
}

/// Of fewer values no chance is told.
const FEWEST: f64 = 50.0;

/// No reach is longer: there is no cut.
pub const LONGEST: f64 = 100.0;

/// Where one group ends and the next begins, in deviations.
fn edges() -> impl Iterator<Item = f64> {
    (1..=12).map(|step| 0.25 * f64::from(step)).chain([3.5, 4.0, 5.0, 7.0, f64::INFINITY])
}

/// Values at about the same distance.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    count: f64,
    wrong: f64,
    far: f64,
}

impl Group {
    fn join(&mut self, other: Group) {
        self.count += other.count;
        self.wrong += other.wrong;
        self.far += other.far;
    }

    /// The chance to be wrong. Where nothing was, what might have been is not nothing.
    fn chance(&self) -> f64 {
        (self.wrong + 0.5) / (self.count + 1.0)
    }
}

impl Curve {
    /// From values on one side. `None` if there are too few.
    fn fit(mut all: Vec<(f64, bool)>) -> Option<Curve> {
        all.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut groups: Vec<Group> = Vec::new();
        let mut rest = all.iter().peekable();
        for edge in edges() {
            let mut group = Group::default();
            while let Some((far, wrong)) = rest.next_if(|(far, _)| *far < edge) {
                group.join(Group { count: 1.0, wrong: f64::from(u8::from(*wrong)), far: *far });
            }
            match groups.last_mut() {
                // Too few on either side are one group.
                Some(last) if last.count < FEWEST || group.count < FEWEST => last.join(group),
                _ => groups.push(group),
            }
        }
        groups.retain(|group| group.count > 0.0);
        if groups.iter().map(|group| group.count).sum::<f64>() < FEWEST {
            return None;
        }
        // The chance falls with the distance: what does not is pooled (Ayer and others, 1955).
        let mut blocks: Vec<Group> = Vec::new();
        for group in groups {
            blocks.push(group);
            while let [.., before, last] = &mut blocks[..]
                && last.chance() >= before.chance()
            {
                before.join(*last);
                blocks.pop();
            }
        }
        let knot = |block: &Group| {
            let sure = -normal::quantile(block.chance());
            (block.far / block.count, sure.max(0.01))
        };
        let mut knots: Vec<(f64, f64)> = blocks.iter().map(knot).collect();
        knots.dedup_by(|next, before| next.0 <= before.0 || next.1 <= before.1);
        Some(Curve { knots })
    }

    /// How many deviations of a normal distribution would be as sure.
    fn sure(&self, far: f64) -> f64 {
        along(self.knots.iter().copied(), far).unwrap_or(self.last().1)
    }

    fn last(&self) -> (f64, f64) {
        self.knots[self.knots.len() - 1]
    }

    /// How far beyond the window a cut must lie to be wrong with the chance of this threshold.
    pub fn reach(&self, threshold: f64) -> f64 {
        let turned = self.knots.iter().map(|(far, sure)| (*sure, *far));
        let (far, sure) = self.last();
        // Beyond what is known as many times the threshold as there.
        let reach = along(turned, threshold).unwrap_or(far * threshold / sure);
        reach.min(LONGEST)
    }

    /// The chance that a cut so far beyond the window is wrong.
    pub fn chance(&self, far: f64) -> f64 {
        normal::below(-self.sure(far))
    }
}

/// On straight lines from 0 through rising knots; `None` beyond the last.
fn along(knots: impl Iterator<Item = (f64, f64)>, x: f64) -> Option<f64> {
    let mut before = (0.0, 0.0);
    for knot in knots {
        if x <= knot.0 {
            let share = (x - before.0) / (knot.0 - before.0).max(1e-9);
            return Some(before.1 + share * (knot.1 - before.1));
        }
        before = knot;
    }
    None
}

impl Curves {
    /// From values on both sides. `None` if there are too few on either.
    pub fn fit(all: impl Iterator<Item = Ahead> + Clone) -> Option<Curves> {
        let side = |above: bool| {
            let there = all.clone().filter(|one| one.above == above && one.far.is_finite());
            Curve::fit(there.map(|one| (one.far, one.wrong)).collect())
        };
        Some(Curves { sides: [side(false)?, side(true)?] })
    }

    /// That of values expected above their windows, or below.
    pub fn side(&self, above: bool) -> &Curve {
        &self.sides[usize::from(above)]
    }

    /// How far errors reach below a value above the window and above one below it, for each threshold of a
    /// table.
    pub fn reaches(&self, thresholds: impl Iterator<Item = f64> + Clone) -> (Vec<f64>, Vec<f64>) {
        let side = |above| thresholds.clone().map(|t| self.side(above).reach(t)).collect();
        (side(true), side(false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_search::random::SplitMix;

    /// Values at every distance whose errors have a deviation that grows with it.
    fn made_up(count: usize, growth: f64) -> Vec<Ahead> {
        let mut random = SplitMix::new(9);
        let mut one = || {
            let expected = 3.0 * normal::draw(&mut random);
            let sigma = 1.0 + growth * expected.abs();
            Ahead::of(expected, 1.0, expected + sigma * normal::draw(&mut random), 0.0)
        };
        (0..count).map(|_| one()).collect()
    }

    #[test]
    fn where_errors_are_normal_the_reach_is_the_threshold() {
        let curves = Curves::fit(made_up(40_000, 0.0).into_iter()).unwrap();
        for above in [false, true] {
            let side = curves.side(above);
            for threshold in [0.5, 1.0, 1.5, 2.0] {
                let reach = side.reach(threshold);
                // Some eighty of a thousand in a group were wrong, give or take ten.
                assert!((reach - threshold).abs() < 0.2, "{threshold} {reach}");
                let chance = side.chance(reach);
                assert!((chance - normal::below(-threshold)).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn where_errors_grow_with_the_distance_the_reach_is_what_really_holds() {
        let all = made_up(60_000, 0.4);
        let curves = Curves::fit(all.iter().copied()).unwrap();
        // far / (1 + 0.4 far) = 1 at far = 1.67.
        let reach = curves.side(true).reach(1.0);
        assert!((reach - 1.67).abs() < 0.15, "{reach}");
        let there = |one: &&Ahead| one.above && (one.far - reach).abs() < 0.1;
        let near: Vec<&Ahead> = all.iter().filter(there).collect();
        let wrong = near.iter().filter(|one| one.wrong).count() as f64 / near.len() as f64;
        assert!((wrong - normal::below(-1.0)).abs() < 0.03, "{wrong}");
        let (below, above) = curves.reaches([1.0, 2.0].into_iter());
        assert_eq!(below, [reach, curves.side(true).reach(2.0)]);
        assert!(above.is_sorted());
    }

    #[test]
    fn what_is_missed_at_any_distance_forbids_cuts_that_are_to_be_surer() {
        let mut all = made_up(40_000, 0.0);
        // Mates that nobody saw, one in fifty: a chance of 2 percent is had nowhere.
        all.iter_mut().step_by(50).for_each(|one| one.wrong = true);
        let curves = Curves::fit(all.into_iter()).unwrap();
        assert!((curves.side(true).reach(1.0) - 1.0).abs() < 0.15);
        assert!(curves.side(true).reach(2.5) > 4.0, "{:?}", curves.side(true));
        assert!(curves.side(true).chance(8.0) > 0.015);
        assert_eq!(Curves::fit([].into_iter()), None);
    }
}
