//! A table of ranks as the tree goes by it: the chance of a better move, a whole number for every state
//! there can be, so that one look is enough.

use super::cuts::evaluation_name;
use super::ranks::{
    BANDS, Bound, Counts, Edges, Fails, INTERVALS, LAST_NUMBER, MOST_CHANGES, Phase, Rank, Ranks,
    RanksError, State, Tally, Test, band,
};

const NUMBERS: usize = LAST_NUMBER + 1;
const CHANGES: usize = MOST_CHANGES + 1;
/// Chances for each depth.
const STATES: usize = 2 * 2 * NUMBERS * CHANGES * INTERVALS * INTERVALS;
/// Chances of coarse states for each depth.
const COARSE: usize = 2 * 2 * BANDS * 2 * INTERVALS;
/// A chance that is not known: above every threshold.
pub const UNKNOWN: u16 = u16::MAX;

/// How a chance comes from counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Estimate {
    /// The share, of states that were seen often enough.
    Counted,
    /// The share drawn towards that of coarser states, the more so the less often it was seen.
    Shrunk,
    /// The upper end of the 95 % interval of the share, of states that were seen often enough.
    Upper,
}

/// What a chance is to be of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Whose score.
    pub test: Test,
    /// Above what.
    pub bound: Bound,
    /// By which estimate.
    pub estimate: Estimate,
    /// How often a state must have been seen.
    pub instances: u64,
    /// What scores below alpha count as.
    pub fails: Fails,
}

/// Chances, in hundred-thousandths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankPlan {
    evaluation: String,
    least: i32,
    /// How many depths have chances of their own; the last stands for all beyond.
    depths: usize,
    lead: Edges,
    fall: Edges,
    chances: Vec<u16>,
    /// Whether the table does not tell what is asked for.
    is_deaf: bool,
}

impl RankPlan {
    /// Knows nothing.
    pub const NONE: &RankPlan = &RankPlan {
        evaluation: String::new(),
        least: 0,
        depths: 0,
        lead: [0; INTERVALS - 1],
        fall: [0; INTERVALS - 1],
        chances: Vec::new(),
        is_deaf: false,
    };

    /// The chances of a table.
    pub fn new(ranks: &Ranks, terms: Terms) -> RankPlan {
        let head = &ranks.head;
        match (terms.fails, head.fails) {
            (Fails::Hard, Fails::Soft) => return RankPlan::new(&ranks.as_hard(), terms),
            (Fails::Soft, Fails::Hard) => {
                return RankPlan { is_deaf: true, ..RankPlan::NONE.clone() };
            }
            _ => {}
        }
        let deepest = ranks.coarse.keys().map(|state| i32::from(state.depth)).max();
        // One more, for what is deeper than anything that was counted.
        let depths = deepest.map_or(0, |deepest| (deepest - head.least_depth + 2).max(1)) as usize;
        let mut chances = vec![UNKNOWN; depths * STATES];
        let coarse = match terms.estimate {
            Estimate::Shrunk => shrunk(ranks, terms, depths),
            Estimate::Counted | Estimate::Upper => vec![None; depths * COARSE],
        };
        if terms.estimate == Estimate::Shrunk {
            for (index, chance) in chances.iter_mut().enumerate() {
                *chance = coarse[coarse_of(index)].map_or(UNKNOWN, written);
            }
        }
        for (state, counts) in &ranks.states {
            let depth = i32::from(state.depth) - head.least_depth;
            let Some(depth) = usize::try_from(depth).ok().filter(|depth| *depth < depths) else {
                continue;
            };
            let index = place(depth, state);
            let better = counts.better(terms.test, terms.bound) as f64;
            let (seen, enough) = (counts.seen as f64, counts.seen >= terms.instances);
            let chance = match terms.estimate {
                Estimate::Counted => enough.then(|| better / seen),
                Estimate::Upper => enough.then(|| upper(better, seen)),
                Estimate::Shrunk => {
                    coarse[coarse_of(index)].map(|around| drawn(better, seen, around, head.pull))
                }
            };
            chances[index] = chance.map_or(UNKNOWN, written);
        }
        let (lead, fall, evaluation) = (head.lead, head.fall, head.evaluation.clone());
        let least = head.least_depth;
        RankPlan { evaluation, least, depths, lead, fall, chances, is_deaf: false }
    }

    /// The chance of a better move, in hundred-thousandths; the largest number if nothing is known.
    #[inline]
    pub fn chance(&self, rank: &Rank) -> u16 {
        self.chance_of(&State::of(rank, &self.lead, &self.fall))
    }

    /// The same of a state.
    #[inline]
    pub fn chance_of(&self, state: &State) -> u16 {
        let depth = usize::try_from(i32::from(state.depth) - self.least);
        match (depth, self.depths) {
            (Err(_), _) | (_, 0) => UNKNOWN,
            (Ok(depth), depths) => self.chances[place(depth.min(depths - 1), state)],
        }
    }

    /// How many states have a chance below this threshold, in hundred-thousandths, and how many have one
    /// that is known.
    pub fn below(&self, threshold: u16) -> [usize; 2] {
        let count = |most: u16| self.chances.iter().filter(|chance| **chance < most).count();
        [count(threshold), count(UNKNOWN)]
    }

    /// Whether it serves an evaluation; any if none is given.
    pub fn check_for(&self, evaluation: Option<u64>) -> Result<(), RanksError> {
        match evaluation.map(evaluation_name) {
            _ if self.is_deaf => Err(RanksError::FailsHard),
            Some(wanted) if wanted != self.evaluation => {
                let found = self.evaluation.clone();
                Err(RanksError::OtherEvaluation { found, wanted })
            }
            _ => Ok(()),
        }
    }
}

/// Rounded up, so that nothing is cut on the strength of it.
fn written(chance: f64) -> u16 {
    (chance * 100_000.0).ceil().clamp(0.0, f64::from(UNKNOWN - 1)) as u16
}

/// A share drawn towards what is around it, which counts as much as so many instances.
fn drawn(better: f64, seen: f64, around: f64, weight: u64) -> f64 {
    let weight = weight as f64;
    (better + weight * around) / (seen + weight)
}

/// The upper end of Wilson's interval (1927).
fn upper(better: f64, seen: f64) -> f64 {
    const Z: f64 = 1.96;
    let (share, square) = (better / seen, Z * Z / seen);
    let spread = Z * ((share * (1.0 - share) + square / 4.0) / seen).sqrt();
    (share + square / 2.0 + spread) / (1.0 + square)
}

/// The chances of coarse states, each drawn towards that of its state at any depth, which must have been
/// seen often enough.
fn shrunk(ranks: &Ranks, terms: Terms, depths: usize) -> Vec<Option<f64>> {
    let mut chances = vec![None; depths * COARSE];
    let better = |counts: &Counts| counts.better(terms.test, terms.bound) as f64;
    let share = |tally: &Tally, state: State| {
        let counts = tally.get(&state)?;
        let often = counts.seen >= terms.instances;
        often.then(|| better(counts) / counts.seen as f64)
    };
    for state in ranks.coarsest.keys() {
        let Some(around) = share(&ranks.coarsest, *state) else { continue };
        for depth in 0..depths {
            let here = State { depth: (depth as i32 + ranks.head.least_depth) as u8, ..*state };
            let chance = match ranks.coarse.get(&here) {
                Some(counts) => drawn(better(counts), counts.seen as f64, around, ranks.head.pull),
                None => around,
            };
            chances[coarse_place(depth, &here)] = Some(chance);
        }
    }
    chances
}

/// Where the chance of a state stands.
#[inline]
fn place(depth: usize, state: &State) -> usize {
    let phase = usize::from(state.phase == Phase::Remaining);
    let mut index = depth * 2 + usize::from(state.in_check);
    index = index * 2 + phase;
    index = index * NUMBERS + usize::from(state.number);
    index = index * CHANGES + usize::from(state.changes);
    index = index * INTERVALS + usize::from(state.lead);
    index * INTERVALS + usize::from(state.fall)
}

/// The same of a state that is coarse.
fn coarse_place(depth: usize, state: &State) -> usize {
    let phase = usize::from(state.phase == Phase::Remaining);
    let mut index = depth * 2 + usize::from(state.in_check);
    index = index * 2 + phase;
    index = index * BANDS + usize::from(state.number);
    index = index * 2 + usize::from(state.changes);
    index * INTERVALS + usize::from(state.lead)
}

/// Where the coarse state of a state stands.
fn coarse_of(index: usize) -> usize {
    let lead = index / INTERVALS % INTERVALS;
    let changes = index / (INTERVALS * INTERVALS) % CHANGES;
    let above = index / (INTERVALS * INTERVALS * CHANGES);
    let (number, above) = (above % NUMBERS, above / NUMBERS);
    ((above * BANDS + band(number)) * 2 + changes.min(1)) * INTERVALS + lead
}

#[cfg(test)]
mod tests {
    use super::super::ranks::Head;
    use super::super::ranks::tests::{RANK, counts, head, state};
    use super::*;

    const TERMS: Terms = Terms {
        test: Test::Rest,
        bound: Bound::Best,
        estimate: Estimate::Counted,
        instances: 1_000,
        fails: Fails::Soft,
    };

    fn plan(all: &[(Rank, Counts)], terms: Terms) -> RankPlan {
        let tally: Tally = all.iter().map(|(rank, counts)| (state(rank), *counts)).collect();
        RankPlan::new(&Ranks::of(head(), &tally), terms)
    }

    #[test]
    fn a_chance_is_a_share_of_a_state_that_was_seen_often_enough() {
        let rare = Rank { number: 13, ..RANK };
        let all = [(RANK, counts(1_000, 2, 7)), (rare, counts(999, 0, 0))];
        let counted = plan(&all, TERMS);
        assert_eq!(counted.chance(&RANK), 700);
        assert_eq!(plan(&all, Terms { test: Test::Each, ..TERMS }).chance(&RANK), 200);
        assert_eq!(counted.chance(&rare), UNKNOWN, "one short");
        assert_eq!(plan(&all, Terms { instances: 999, ..TERMS }).chance(&rare), 0);
        for other in [
            Rank { depth: 6, ..RANK },
            Rank { depth: 9, ..RANK },
            Rank { depth: 60, ..RANK },
            Rank { in_check: true, ..RANK },
            Rank { phase: Phase::Remaining, ..RANK },
            Rank { changes: 0, ..RANK },
            Rank { lead: 500, ..RANK },
            Rank { fall: -500, ..RANK },
        ] {
            assert_eq!(counted.chance(&other), UNKNOWN, "{other:?}");
        }
        assert_eq!(counted.below(701), [1, 1]);
        assert_eq!(counted.below(700), [0, 1], "not at the threshold itself");
        assert_eq!(RankPlan::NONE.chance(&RANK), UNKNOWN);
    }

    #[test]
    fn the_bounds_are_counted_one_by_one() {
        let three = Counts { seen: 1_000, each: [0; 3], rest: [30, 10, 50] };
        let by = |bound| plan(&[(RANK, three)], Terms { bound, ..TERMS }).chance(&RANK);
        assert_eq!(Bound::ALL.map(by), [3_000, 1_000, 5_000]);
    }

    #[test]
    fn the_upper_end_is_above_the_share_and_comes_down_to_it() {
        let by = |seen| {
            plan(
                &[(RANK, counts(seen, 0, seen / 100))],
                Terms { estimate: Estimate::Upper, ..TERMS },
            )
            .chance(&RANK)
        };
        // Wilson's interval of 10 in 1,000 ends at 1.83 %.
        assert_eq!(by(1_000), 1_831);
        assert!(by(1_000_000) < 1_022 && by(1_000_000) > 1_000);
    }

    #[test]
    fn a_rare_state_is_drawn_towards_those_around_it() {
        let terms = Terms { estimate: Estimate::Shrunk, ..TERMS };
        // The same but for the fall, which coarse states do not tell apart.
        let rare = Rank { fall: -999, ..RANK };
        let never = Rank { fall: -60, ..RANK };
        let shrunk = plan(&[(RANK, counts(9_000, 0, 90)), (rare, counts(1_000, 0, 110))], terms);
        // All 10,000: 2 %; each depth 10,000 of its own and 1,000 of all depths.
        assert_eq!(shrunk.chance(&never), 2_000, "never met");
        assert_eq!(shrunk.chance(&RANK), 1_100, "90 and 20 of 9,000 and 1,000");
        assert_eq!(shrunk.chance(&rare), 6_500, "110 and 20 of 1,000 and 1,000");
        // At another depth, and deeper than anything, that of all depths.
        assert_eq!(shrunk.chance(&Rank { depth: 7, ..never }), 2_000);
        assert_eq!(shrunk.chance(&Rank { depth: 99, ..never }), 2_000);
        assert_eq!(shrunk.chance(&Rank { depth: 6, ..never }), UNKNOWN);
        assert_eq!(shrunk.chance(&Rank { lead: 999, ..never }), UNKNOWN, "nothing is known there");
        let few = plan(&[(RANK, counts(999, 0, 1))], terms);
        assert_eq!(few.chance(&RANK), UNKNOWN, "too few at any depth");
    }

    #[test]
    fn how_much_it_is_drawn_is_a_number_of_the_table_and_not_how_often_it_must_have_been_seen() {
        let all = [(RANK, counts(800, 0, 0)), (Rank { fall: -999, ..RANK }, counts(9_200, 0, 180))];
        let tally: Tally = all.iter().map(|(rank, counts)| (state(rank), *counts)).collect();
        let by = |pull: u64, instances: u64| {
            let terms = Terms { estimate: Estimate::Shrunk, instances, ..TERMS };
            RankPlan::new(&Ranks::of(Head { pull, ..head() }, &tally), terms).chance(&RANK)
        };
        // Beside 1.8 % of 10,000: 18 of 1,800, 7.2 of 1,200, nothing of 800.
        assert_eq!((by(1_000, 1_000), by(400, 1_000), by(0, 1_000)), (1_000, 600, 0));
        assert_eq!(by(400, 5_000), 600);
    }

    #[test]
    fn a_table_that_fails_soft_serves_both_questions_and_one_that_fails_hard_only_its_own() {
        let far = Rank { lead: -400, ..RANK };
        let at_alpha = Rank { lead: 0, changes: 0, fall: 0, ..RANK };
        let all = [(RANK, counts(3_000, 0, 30)), (far, counts(1_000, 0, 2))];
        let tally: Tally = all.iter().map(|(rank, counts)| (state(rank), *counts)).collect();
        let soft = Ranks::of(head(), &tally);
        let hard = Terms { fails: Fails::Hard, ..TERMS };
        assert_eq!(RankPlan::new(&soft, TERMS).chance(&far), 200);
        assert_eq!(RankPlan::new(&soft, hard).chance(&at_alpha), 800, "32 of 4,000");
        assert_eq!(RankPlan::new(&soft.as_hard(), hard).chance(&at_alpha), 800);
        let deaf = RankPlan::new(&soft.as_hard(), TERMS);
        assert_eq!(deaf.chance(&at_alpha), UNKNOWN);
        assert_eq!(deaf.check_for(None), Err(RanksError::FailsHard));
    }

    #[test]
    fn a_table_serves_the_evaluation_it_was_counted_with() {
        let plan = plan(&[(RANK, counts(1_000, 0, 0))], TERMS);
        assert_eq!(plan.check_for(Some(7)), Ok(()));
        assert_eq!(plan.check_for(None), Ok(()), "forced");
        let other = plan.check_for(Some(8)).unwrap_err().to_string();
        assert!(other.contains("the evaluation 0000000000000007"), "{other}");
    }

    #[test]
    fn a_place_and_that_of_its_coarse_state_agree() {
        let mut random = crate::random::SplitMix::new(3);
        let mut below = |most: usize| random.below(most);
        for _ in 0..2_000 {
            let depth = below(5);
            let state = State {
                depth: 0,
                in_check: below(2) == 1,
                phase: if below(2) == 1 { Phase::History } else { Phase::Remaining },
                number: below(NUMBERS) as u8,
                changes: below(CHANGES) as u8,
                lead: below(INTERVALS) as u8,
                fall: below(INTERVALS) as u8,
            };
            assert_eq!(coarse_of(place(depth, &state)), coarse_place(depth, &state.coarse()));
        }
    }
}
