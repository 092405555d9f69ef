//! A table of probabilistic cuts as the tree goes by it: nothing but whole numbers, in thousandths, so
//! that every processor finds the same.

pub use super::bounds::{Model, Rounding, Step, Terms};
use super::bounds::{between, reaches, thousandths};
use super::cuts::{Cuts, CutsError, DEEPEST, Function, Pair, REACHES, about_half, evaluation_name};
use super::unrest::{Amounts, Steps, Unrest};

/// Depths from 0 to [`DEEPEST`].
const DEPTHS: usize = DEEPEST as usize + 1;

impl Cuts {
    /// The same in whole numbers. A table that was [read](Cuts::parse) is whole; of one that was made
    /// otherwise, pairs that cannot be are left out.
    pub fn plan(&self) -> Plan {
        let mut steps = vec![Vec::new(); self.stages * self.categories * DEPTHS];
        for pair in self.pairs.iter().cloned().chain(self.beyond()) {
            let slot = pair.stage * self.categories + pair.category;
            let deep = usize::try_from(pair.deep).ok().filter(|deep| *deep < DEPTHS);
            if let Some(list) = deep.and_then(|deep| steps.get_mut(slot * DEPTHS + deep)) {
                list.push(pair.step(self.function.as_ref(), self.unrest.as_ref()));
            }
        }
        // The cheapest question first.
        steps.iter_mut().for_each(|list: &mut Vec<Step>| list.sort_by_key(|step| step.shallow));
        let thresholds = self.thresholds.iter().map(|t| (t * 100.0).round() as i32).collect();
        let any = |function: &Function| Any::of(function, self.stages);
        let kinds = |unrest: &Unrest| unrest.kinds.iter().map(Steps::of).collect::<Vec<_>>();
        let unrest = self.unrest.as_ref().map(kinds);
        let product = |of: fn(&Steps) -> i64| {
            let kinds = unrest.as_deref().unwrap_or_default();
            kinds.iter().fold(1_000, |product, kind| product * of(kind) / 1_000)
        };
        Plan {
            factors: [product(Steps::least), product(Steps::most)],
            evaluation: self.evaluation.clone(),
            categories: self.categories,
            thresholds,
            window: self.window,
            steps,
            any: self.function.as_ref().map(any),
            guess: self.guess.as_ref().map(any),
            end: self.end.as_ref().map(|function| Any::of(function, 1)),
            unrest,
        }
    }
}

impl Cuts {
    /// Pairs deeper than all that were measured: as the deepest of the same parity at the stage, with the
    /// deviation that the function gives to the pair instead of that.
    fn beyond(&self) -> Vec<Pair> {
        let deepest = self.pairs.iter().map(|pair| pair.deep).max().unwrap_or(self.beyond);
        let mut more = Vec::new();
        for deep in deepest + 1..=self.beyond {
            let shallow = about_half(deep);
            for slot in 0..self.stages * self.categories {
                let like = self
                    .pairs
                    .iter()
                    .filter(|pair| pair.stage * self.categories + pair.category == slot)
                    .filter(|pair| (deep - pair.deep) % 2 == 0)
                    .max_by_key(|pair| (pair.deep, -(pair.shallow - about_half(pair.deep)).abs()));
                let Some(like) = like else { continue };
                let factor = self.function.as_ref().map_or(1.0, |function| {
                    let sigma = |shallow, deep| function.sigma_by_share(like.stage, shallow, deep);
                    sigma(shallow, deep) / sigma(like.shallow, like.deep)
                });
                more.push(Pair { shallow, deep, sigma: like.sigma * factor, ..like.clone() });
            }
        }
        more
    }
}

/// Which steps are taken where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    evaluation: String,
    categories: usize,
    thresholds: Vec<i32>,
    window: i32,
    /// By stage, category and depth.
    steps: Vec<Vec<Step>>,
    any: Option<Any>,
    guess: Option<Any>,
    end: Option<Any>,
    unrest: Option<Vec<Steps>>,
    /// The smallest and the largest factor that unrest can make, in thousandths.
    factors: [i64; 2],
}

/// What techniques need of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Pairs of depths.
    pub pairs: bool,
    /// The deviation of any pair.
    pub function: bool,
    /// The same from the evaluation without a search.
    pub guess: bool,
    /// What unrest does to pairs.
    pub unrest: bool,
}

impl Wanted {
    /// Whether that is anything.
    pub fn any(self) -> bool {
        self != Wanted::default()
    }
}

/// How far the truth lies from a value of any depth, by the function.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Any {
    /// In thousandths, by stage, deep depth and shallow depth.
    sigmas: Vec<i64>,
    below: [i64; REACHES],
    above: [i64; REACHES],
}

impl Any {
    fn of(function: &Function, stages: usize) -> Any {
        let sigma = |index: usize| {
            let (stage, deep, shallow) =
                (index / (DEPTHS * DEPTHS), index / DEPTHS % DEPTHS, index % DEPTHS);
            thousandths(function.sigma(stage, shallow as i32, deep as i32))
        };
        Any {
            sigmas: (0..stages * DEPTHS * DEPTHS).map(sigma).collect(),
            below: reaches(&function.below),
            above: reaches(&function.above),
        }
    }

    fn reach(&self, place: [usize; 3], threshold: i32, above: bool) -> Option<i32> {
        let [stage, deep, shallow] = place;
        let sigma = self.sigmas.get((stage * DEPTHS + deep) * DEPTHS + shallow)?;
        let deviations = between(if above { &self.above } else { &self.below }, threshold);
        // Rounded up, as all reaches.
        Some(((deviations * sigma + 999_999) / 1_000_000) as i32)
    }
}

/// A depth as the tables count it.
fn depth(plies: i32) -> usize {
    plies.clamp(0, DEEPEST) as usize
}

impl Plan {
    /// Knows nothing.
    pub const NONE: &Plan = &Plan {
        evaluation: String::new(),
        categories: 1,
        thresholds: Vec::new(),
        window: 0,
        steps: Vec::new(),
        any: None,
        guess: None,
        end: None,
        unrest: None,
        factors: [1_000; 2],
    };

    /// The steps at a stage, in a category and at a depth, the cheapest first.
    #[inline]
    pub fn steps(&self, stage: usize, category: usize, depth: i32) -> &[Step] {
        let depth = usize::try_from(depth).ok().filter(|depth| *depth < DEPTHS);
        let slot = stage * self.categories + category;
        let list = depth.and_then(|depth| self.steps.get(slot * DEPTHS + depth));
        list.map_or(&[], Vec::as_slice)
    }

    /// How far the truth at a depth lies above or below a value that was searched less deep, with the chance
    /// of a threshold in hundredths: in score units, rounded up. `None` without a function.
    #[inline]
    pub fn reach(
        &self,
        stage: usize,
        shallow: i32,
        deep: i32,
        threshold: i32,
        above: bool,
    ) -> Option<i32> {
        self.any.as_ref()?.reach([stage, depth(deep), depth(shallow)], threshold, above)
    }

    /// The same of a guess, which was not searched at all.
    #[inline]
    pub fn reach_of_guess(
        &self,
        stage: usize,
        deep: i32,
        threshold: i32,
        above: bool,
    ) -> Option<i32> {
        self.guess.as_ref()?.reach([stage, depth(deep), 0], threshold, above)
    }

    /// The same of the margin at the end of the game, so many plies away.
    #[inline]
    pub fn reach_to_end(
        &self,
        shallow: i32,
        plies: i32,
        threshold: i32,
        above: bool,
    ) -> Option<i32> {
        self.end.as_ref()?.reach([0, depth(plies), depth(shallow)], threshold, above)
    }

    /// By which factor unrest changes the deviation of the pairs, in thousandths; 1000 where nothing is
    /// known of it.
    #[inline]
    pub fn factor(&self, amounts: &Amounts) -> i64 {
        let kinds = self.unrest.as_deref().unwrap_or_default();
        let product =
            |product, (kind, amount): (&Steps, &i32)| product * kind.factor(*amount) / 1_000;
        kinds.iter().zip(amounts).fold(1_000, product)
    }

    /// The smallest and the largest such factor.
    #[inline]
    pub fn factors(&self) -> [i64; 2] {
        self.factors
    }

    /// The threshold of a stage, in hundredths of a deviation.
    #[inline]
    pub fn threshold(&self, stage: usize) -> i32 {
        self.thresholds.get(stage).copied().unwrap_or(100)
    }

    /// Whether a shallow value is one of those that the table was fitted to.
    #[inline]
    pub fn knows(&self, value: i32) -> bool {
        value.abs() <= self.window
    }

    /// Whether it knows these kinds of unrest.
    pub fn check_unrest(&self, names: &[&str]) -> Result<(), CutsError> {
        let kinds = self.unrest.as_ref().ok_or(CutsError::NoUnrest)?;
        let known: Vec<&str> = kinds.iter().map(|kind| kind.name.as_str()).collect();
        if known == names {
            return Ok(());
        }
        Err(CutsError::OtherUnrest { found: known.join(", "), wanted: names.join(", ") })
    }

    /// Whether it serves a game that is divided like this, an evaluation, and who goes by it.
    pub fn check_for(
        &self,
        divided: [usize; 2],
        evaluation: Option<u64>,
        wanted: Wanted,
    ) -> Result<(), CutsError> {
        let found = [self.thresholds.len(), self.categories];
        if found != divided {
            return Err(CutsError::OtherStages { found, wanted: divided });
        }
        if wanted.pairs && self.steps.iter().all(Vec::is_empty) {
            return Err(CutsError::NoPairs);
        }
        if (wanted.function && self.any.is_none()) || (wanted.guess && self.guess.is_none()) {
            return Err(CutsError::NoFunction);
        }
        if wanted.unrest && self.unrest.is_none() {
            return Err(CutsError::NoUnrest);
        }
        match evaluation.map(evaluation_name) {
            Some(wanted) if wanted != self.evaluation => {
                let found = self.evaluation.clone();
                Err(CutsError::OtherEvaluation { found, wanted })
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::example_cuts::{pair, paper, with_function};
    use super::*;

    const NORMAL: Terms =
        Terms { threshold: 100, model: Model::Normal, rounding: Rounding::Nearest, factor: 1_000 };

    #[test]
    fn the_end_of_the_game_has_a_function_of_its_own() {
        let mut cuts = with_function(300.0);
        cuts.end = cuts.function.clone();
        let plan = cuts.plan();
        assert_eq!(plan.reach_to_end(4, 20, 150, true), Some(450));
        assert_eq!(paper().plan().reach_to_end(4, 20, 150, true), None);
    }

    #[test]
    fn a_table_is_read_as_it_was_written_and_refused_where_it_does_not_fit() {
        let cuts = paper();
        let again = Cuts::parse(&cuts.write()).unwrap();
        assert_eq!(again, cuts);
        let othello = Cuts::parse_for(&cuts.write(), "othello").unwrap_err().to_string();
        assert!(othello.contains("fitted to chess"), "{othello}");
        let plan = cuts.plan();
        let pairs = Wanted { pairs: true, ..Wanted::default() };
        let refusal = |divided, evaluation, wanted| {
            let checked = plan.check_for(divided, evaluation, wanted);
            checked.map_or_else(|error| error.to_string(), |()| "none".to_string())
        };
        assert_eq!(refusal([2, 1], Some(7), pairs), "none");
        assert_eq!(refusal([2, 1], None, pairs), "none", "forced");
        let other = refusal([2, 1], Some(8), pairs);
        assert!(other.contains("fitted to the evaluation 0000000000000007"), "{other}");
        for wanted in [Wanted { function: true, ..pairs }, Wanted { guess: true, ..pairs }] {
            assert!(refusal([2, 1], Some(7), wanted).contains("with a function"));
        }
        assert!(refusal([15, 1], Some(7), pairs).contains("[2, 1]"));
        let empty = Cuts { pairs: Vec::new(), ..paper() }.plan();
        assert_eq!(empty.check_for([2, 1], Some(7), pairs), Err(CutsError::NoPairs));
        let refused = |text: String| Cuts::parse(&text).unwrap_err().to_string();
        let text = cuts.write();
        assert!(refused(text.replace("format = 1", "format = 9")).contains("its format is 9"));
        assert!(refused(text.replace("a = 1.02\n", "a = -1.0\n")).contains("(4, 8) of stage 0"));
        assert!(refused(text.replace("shallow = 4", "shallow = 9")).contains("shallow depth"));
        assert!(refused(text.replace("stage = 1", "stage = 2")).contains("no such stage"));
        assert!(
            refused(text.replace("thresholds = [1.0, 1.2]", "thresholds = [1.0]"))
                .contains("1 thresholds for 2 stages")
        );
        let broken = |change: &dyn Fn(&mut Pair)| {
            let mut cuts = paper();
            change(&mut cuts.pairs[0]);
            refused(cuts.write())
        };
        assert!(broken(&|pair| pair.sigma = 0.0).contains("deviation must be positive"));
        assert!(broken(&|pair| pair.r = 5.0).contains("out of range"));
        let mut falling = vec![1.0; REACHES];
        falling[0] = 2.0;
        assert!(broken(&|pair| pair.below = falling.clone()).contains("do not rise"));
        let mut twice = paper();
        twice.pairs.push(twice.pairs[0].clone());
        assert!(refused(twice.write()).contains("for the second time"));
        let many = text.replace("categories = 1", "categories = 99999999");
        assert!(refused(many).contains("1 to 64 stages and categories"));
        assert!(refused(text.replace("window = 1000", "window = 0")).contains("the window 0"));
        let mut wild = with_function(5.0);
        wild.function.as_mut().unwrap().parabola[2] = 1e9;
        wild.function.as_mut().unwrap().deep = 1.0;
        assert!(refused(wild.write()).contains("function: a deviation is out of range"));
        assert!(refused(text.replace("window", "\nnonsense")).contains("line "));
        assert!(refused("nonsense".to_string()).contains("no table of cuts: line 1"));
    }

    #[test]
    fn beyond_what_was_measured_the_deepest_pair_of_the_same_parity_goes_on() {
        let mut cuts = with_function(40.0);
        cuts.beyond = 12;
        let plan = Cuts::parse(&cuts.write()).unwrap().plan();
        let shallow = |depth| -> Vec<i32> {
            plan.steps(0, 0, depth).iter().map(|step| step.shallow).collect()
        };
        assert_eq!([9, 10, 11, 12].map(shallow), [[5], [4], [5], [6]]);
        assert!(shallow(13).is_empty() && shallow(7).is_empty());
        // One deviation for all: the lines and deviations are those of (3, 5) and (4, 8).
        let bound = |depth| plan.steps(0, 0, depth)[0].high(0, NORMAL);
        assert_eq!([9, 11].map(bound), [bound(5); 2]);
        assert_eq!([10, 12].map(bound), [bound(8); 2]);
        // A function that makes a pair vaguer beyond does so in proportion.
        let function = cuts.function.as_mut().unwrap();
        (function.parabola, function.shallow) = ([100.0, 1.0, 0.0], -10.0);
        let plan = cuts.plan();
        // (4, 8) has 60, and (4, 10) 60 as well; (6, 12) has 40.
        let deviation = |depth: i32| plan.steps(0, 0, depth)[0].deviation(NORMAL);
        assert_eq!([8, 10, 12].map(deviation), [82, 82, 54]);
        assert_eq!(
            [1, 2, 3, 4, 5, 6, 8, 11, 14, 24].map(about_half),
            [1, 0, 1, 2, 3, 2, 4, 5, 6, 12]
        );
    }

    #[test]
    fn a_plan_asks_the_cheapest_question_first_and_nothing_where_nothing_is_known() {
        let mut cuts = paper();
        cuts.pairs.push(pair(2, 8, 0, 1.0, 0.0, 120.0));
        let plan = cuts.plan();
        let depths: Vec<i32> = plan.steps(0, 0, 8).iter().map(|step| step.shallow).collect();
        assert_eq!(depths, [2, 4]);
        assert!(plan.steps(0, 0, 7).is_empty() && plan.steps(0, 0, 99).is_empty());
        assert!(plan.steps(5, 0, 8).is_empty() && plan.steps(0, 0, -1).is_empty());
        assert_eq!([plan.threshold(0), plan.threshold(1)], [100, 120]);
        assert!(plan.knows(-1_000) && !plan.knows(1_001));
        assert!(Plan::NONE.steps(0, 0, 8).is_empty() && !Plan::NONE.knows(1));
        assert_eq!(Plan::NONE.reach(0, 4, 8, 100, true), None);
    }
}
