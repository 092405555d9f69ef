//! A table of probabilistic cuts as the tree goes by it: nothing but whole numbers, in thousandths, so
//! that every processor finds the same.

use super::cuts::{
    Cuts, CutsError, DEEPEST, Function, Pair, REACHES, about_half, evaluation_name, threshold_of,
};
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
        Plan {
            evaluation: self.evaluation.clone(),
            categories: self.categories,
            thresholds,
            window: self.window,
            steps,
            any: self.function.as_ref().map(any),
            guess: self.guess.as_ref().map(any),
            end: self.end.as_ref().map(|function| Any::of(function, 1)),
            unrest: self.unrest.as_ref().map(|unrest| unrest.kinds.iter().map(Steps::of).collect()),
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

impl Pair {
    fn step(&self, function: Option<&Function>, unrest: Option<&Unrest>) -> Step {
        let general = function.map(|function| Errors {
            sigma: thousandths(function.sigma_by_share(self.stage, self.shallow, self.deep)),
            below: reaches(&function.below),
            above: reaches(&function.above),
        });
        let own = Errors {
            sigma: thousandths(self.sigma),
            below: reaches(&self.below),
            above: reaches(&self.above),
        };
        let uneasy = unrest.map(|unrest| Errors {
            sigma: own.sigma,
            below: reaches(&unrest.below),
            above: reaches(&unrest.above),
        });
        Step {
            shallow: self.shallow,
            a: thousandths(self.a).max(1),
            b: thousandths(self.b),
            c: thousandths(self.c),
            general: general.unwrap_or_else(|| own.clone()),
            uneasy: uneasy.unwrap_or_else(|| own.clone()),
            own,
        }
    }
}

pub(super) fn thousandths(value: f64) -> i64 {
    (value * 1_000.0).round() as i64
}

/// Reaches as whole numbers; those of the normal distribution where none are known.
fn reaches(known: &[f64]) -> [i64; REACHES] {
    std::array::from_fn(|index| {
        thousandths(known.get(index).copied().unwrap_or(threshold_of(index)))
    })
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
    };

    /// The steps at a stage, in a category and at a depth, the cheapest first.
    #[inline]
    pub fn steps(&self, stage: usize, category: usize, depth: i32) -> &[Step] {
        let depth = usize::try_from(depth).ok().filter(|depth| *depth < DEPTHS);
        let slot = stage * self.categories + category;
        let list = depth.and_then(|depth| self.steps.get(slot * DEPTHS + depth));
        list.map_or(&[], Vec::as_slice)
    }

    /// How far the truth at a depth lies above or below a value that was searched less deep, at depth 0
    /// not at all, with the chance of a threshold in hundredths: in score units, rounded up. `None`
    /// without a function.
    #[inline]
    pub fn reach(
        &self,
        stage: usize,
        shallow: i32,
        deep: i32,
        threshold: i32,
        above: bool,
    ) -> Option<i32> {
        let any = if shallow == 0 { self.guess.as_ref()? } else { self.any.as_ref()? };
        any.reach([stage, depth(deep), depth(shallow)], threshold, above)
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

/// How far the truth lies from what a shallow search says.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Errors {
    sigma: i64,
    below: [i64; REACHES],
    above: [i64; REACHES],
}

/// One pair in whole numbers: thousandths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The shallow depth.
    pub shallow: i32,
    a: i64,
    b: i64,
    c: i64,
    /// About its own line.
    own: Errors,
    /// By the function of all pairs; its own where there is none.
    general: Errors,
    /// About its own line, before unrest changes its deviation; its own where nothing is known of that.
    uneasy: Errors,
}

/// How a bound becomes a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest, halves away from zero, as in the papers.
    Nearest,
    /// Against the cut: up for a high one, down for a low one.
    Against,
}

/// How far errors reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// About the line of the pair, as the normal distribution has it.
    Normal,
    /// About the line of the pair, as they did when the table was made.
    Empirical,
    /// About the shallow value itself, as the function of all pairs has it.
    Function,
    /// About the line of the pair, with the deviation that unrest makes of its own.
    Unrest,
}

/// What decides where a cut begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// How many deviations beyond the window, in hundredths.
    pub threshold: i32,
    /// How far errors reach.
    pub model: Model,
    /// How a bound becomes a whole number.
    pub rounding: Rounding,
    /// What unrest multiplies the deviation by, in thousandths.
    pub factor: i64,
}

impl Step {
    /// The value that the shallow search must reach for a cut above `beta`.
    #[inline]
    pub fn high(&self, beta: i32, terms: Terms) -> i32 {
        let reach = self.reach(|errors| &errors.below, terms);
        let (a, b, c) = self.line(terms.model);
        let above = reach + (1_000 - c) * i64::from(beta) - b;
        match terms.rounding {
            Rounding::Nearest => nearest(above, a),
            Rounding::Against => -((-above).div_euclid(a)) as i32,
        }
    }

    /// The value that it must not exceed for a cut below `alpha`.
    #[inline]
    pub fn low(&self, alpha: i32, terms: Terms) -> i32 {
        let reach = self.reach(|errors| &errors.above, terms);
        let (a, b, c) = self.line(terms.model);
        let below = -reach + (1_000 - c) * i64::from(alpha) - b;
        match terms.rounding {
            Rounding::Nearest => nearest(below, a),
            Rounding::Against => below.div_euclid(a) as i32,
        }
    }

    /// The deviation of the error, in score units.
    #[inline]
    pub fn deviation(&self, terms: Terms) -> i32 {
        (self.errors(terms.model).sigma * terms.factor / 1_000_000) as i32
    }

    #[inline]
    fn errors(&self, model: Model) -> &Errors {
        match model {
            Model::Normal | Model::Empirical => &self.own,
            Model::Function => &self.general,
            Model::Unrest => &self.uneasy,
        }
    }

    /// Slope, offset and what the window adds.
    #[inline]
    fn line(&self, model: Model) -> (i64, i64, i64) {
        match model {
            Model::Normal | Model::Empirical | Model::Unrest => (self.a, self.b, self.c),
            Model::Function => (1_000, 0, 0),
        }
    }

    /// How far errors reach on one side, in thousandths of a unit.
    #[inline]
    fn reach(&self, side: impl Fn(&Errors) -> &[i64; REACHES], terms: Terms) -> i64 {
        let errors = self.errors(terms.model);
        let deviations = match terms.model {
            Model::Normal => 10 * i64::from(terms.threshold),
            _ => between(side(errors), terms.threshold),
        };
        // Rounded up, so that no cut is made on the strength of it.
        (deviations * errors.sigma * terms.factor + 999_999) / 1_000_000
    }
}

/// The reach at a threshold in hundredths: between two that are known, on a straight line; beyond the
/// last, as many times the threshold as there.
#[inline]
fn between(reaches: &[i64; REACHES], threshold: i32) -> i64 {
    const LAST: i32 = 50 + 10 * (REACHES as i32 - 1);
    if threshold >= LAST {
        return reaches[REACHES - 1] * i64::from(threshold) / i64::from(LAST);
    }
    if threshold <= 50 {
        return reaches[0] * i64::from(threshold) / 50;
    }
    let place = threshold - 50;
    let (index, rest) = ((place / 10) as usize, i64::from(place % 10));
    reaches[index] + (reaches[index + 1] - reaches[index]) * rest / 10
}

/// The nearest whole number, halves away from zero.
fn nearest(above: i64, below: i64) -> i32 {
    let twice = 2 * above.abs() + below;
    (above.signum() * (twice / (2 * below))) as i32
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::cuts::FORMAT;
    use super::super::unrest;
    use super::*;

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

    fn pair(shallow: i32, deep: i32, stage: usize, a: f64, b: f64, sigma: f64) -> Pair {
        let (below, above) = (Vec::new(), Vec::new());
        let category = 0;
        Pair { stage, category, shallow, deep, a, b, c: 0.0, sigma, r: 0.9, n: 1_000, below, above }
    }

    /// Table 1 of Jiang and Buro.
    fn paper() -> Cuts {
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

    #[test]
    fn the_bounds_of_the_paper_come_out_in_both_roundings() {
        let plan = paper().plan();
        // To the nearest as the papers have it, then against the cut.
        let wanted = [
            (0, 5, 100, [63, 163, -49, -149], [63, 164, -49, -150]),
            (0, 5, 150, [91, 191, -77, -177], [91, 192, -77, -178]),
            (1, 5, 100, [54, 152, -46, -144], [55, 152, -47, -144]),
            (1, 5, 150, [80, 177, -72, -169], [80, 178, -72, -170]),
            (0, 8, 100, [78, 176, -83, -181], [79, 177, -83, -181]),
            (0, 8, 150, [118, 216, -123, -221], [119, 217, -123, -221]),
            (1, 8, 100, [66, 156, -69, -159], [66, 157, -70, -160]),
            (1, 8, 150, [100, 190, -103, -193], [100, 190, -103, -194]),
        ];
        for (stage, depth, threshold, nearest, against) in wanted {
            let step = &plan.steps(stage, 0, depth)[0];
            for (rounding, bounds) in [(Rounding::Nearest, nearest), (Rounding::Against, against)] {
                let terms = Terms { threshold, model: Model::Normal, rounding, factor: 1_000 };
                let found = [
                    step.high(0, terms),
                    step.high(100, terms),
                    step.low(0, terms),
                    step.low(-100, terms),
                ];
                assert_eq!(
                    found, bounds,
                    "stage {stage}, depth {depth}, T {threshold}, {rounding:?}"
                );
            }
        }
    }

    #[test]
    fn unrest_makes_the_deviation_of_a_pair_larger_or_smaller() {
        let plan = with_unrest(&[("quiescence", 30, [0.5, 2.0]), ("correction", 10, [0.5, 2.0])]);
        let factor = |amounts: [i32; 2]| plan.factor(&[amounts[0], amounts[1], 0, 0, 0, 0]);
        assert_eq!([[0, 0], [30, 9], [30, 10]].map(factor), [250, 1_000, 4_000]);
        assert_eq!(paper().plan().factor(&[0; unrest::MOST]), 1_000);
        let step = &plan.steps(0, 0, 8)[0];
        let at = |factor| {
            let rounding = Rounding::Nearest;
            let terms = Terms { threshold: 100, model: Model::Unrest, rounding, factor };
            (step.high(0, terms), step.low(0, terms), step.deviation(terms))
        };
        // (82 - 2.36) / 1.02 and (-82 - 2.36) / 1.02; with half the deviation, and with twice as much.
        assert_eq!(
            [at(1_000), at(500), at(2_000)],
            [(78, -83, 82), (38, -43, 41), (158, -163, 164)]
        );
        let wanted = Wanted { unrest: true, ..Wanted::default() };
        assert_eq!(plan.check_for([2, 1], Some(7), wanted), Ok(()));
        assert_eq!(plan.check_unrest(&["quiescence", "correction"]), Ok(()));
        let other = plan.check_unrest(&["quiescence"]).unwrap_err().to_string();
        assert!(other.contains("quiescence, correction for unrest"), "{other}");
        let without = paper().plan().check_for([2, 1], Some(7), wanted);
        assert_eq!(without, Err(CutsError::NoUnrest));
    }

    #[test]
    fn the_end_of_the_game_has_a_function_of_its_own() {
        let mut cuts = with_function(300.0);
        cuts.end = cuts.function.clone();
        let plan = cuts.plan();
        assert_eq!(plan.reach_to_end(4, 20, 150, true), Some(450));
        assert_eq!(paper().plan().reach_to_end(4, 20, 150, true), None);
    }

    #[test]
    fn rounding_against_the_cut_never_cuts_where_the_exact_bound_does_not() {
        let plan = paper().plan();
        for (stage, depth) in [(0, 5), (1, 5), (0, 8), (1, 8)] {
            let step = &plan.steps(stage, 0, depth)[0];
            let pair =
                paper().pairs.into_iter().find(|p| (p.stage, p.deep) == (stage, depth)).unwrap();
            for window in (-300..=300).step_by(7) {
                for threshold in [100, 123, 150] {
                    let t = f64::from(threshold) / 100.0;
                    let exact = (t * pair.sigma + f64::from(window) - pair.b) / pair.a;
                    let terms = Terms {
                        threshold,
                        model: Model::Normal,
                        rounding: Rounding::Against,
                        factor: 1_000,
                    };
                    let high = step.high(window, terms);
                    assert!(f64::from(high) >= exact - 1e-6 && f64::from(high) < exact + 1.001);
                    let exact = (-t * pair.sigma + f64::from(window) - pair.b) / pair.a;
                    let low = step.low(window, terms);
                    assert!(f64::from(low) <= exact + 1e-6 && f64::from(low) > exact - 1.001);
                }
            }
        }
    }

    #[test]
    fn real_errors_move_the_bound_on_their_side_alone() {
        let mut cuts = paper();
        // Errors reach half as far again below, and as the normal distribution has it above.
        cuts.pairs[2].below = (0..REACHES).map(|i| 1.5 * (0.5 + 0.1 * i as f64)).collect();
        let plan = cuts.plan();
        let step = &plan.steps(0, 0, 8)[0];
        let terms = |model, threshold| Terms {
            threshold,
            model,
            rounding: Rounding::Nearest,
            factor: 1_000,
        };
        let high = |model, threshold| step.high(0, terms(model, threshold));
        let low = |model| step.low(0, terms(model, 100));
        assert_eq!((high(Model::Normal, 100), high(Model::Empirical, 100)), (78, 118));
        assert_eq!(low(Model::Empirical), low(Model::Normal));
        // Between two thresholds, beyond the last, and before the first.
        assert_eq!(high(Model::Empirical, 105), 124);
        assert_eq!(high(Model::Empirical, 400), high(Model::Normal, 600));
        assert_eq!(high(Model::Empirical, 20), high(Model::Normal, 30));
    }

    #[test]
    fn the_function_gives_every_pair_a_deviation_about_the_shallow_value() {
        let mut cuts = paper();
        // Edax: 0.0759 x^2 + 1.165 x + 5.417 with x = -0.1 E + 0.31 d - 0.578 s, here for E = 0.
        cuts.function = Some(Function {
            stage: 0.0,
            deep: 0.31,
            shallow: -0.578,
            parabola: [5.417, 1.165, 0.0759],
            least: 2.0,
            deepest: 30,
            below: Vec::new(),
            above: Vec::new(),
        });
        let function = cuts.function.clone().unwrap();
        // x = 0.31 * 8 - 0.578 * 4 = 0.168.
        assert!((function.sigma(0, 4, 8) - 5.6149).abs() < 1e-3, "{}", function.sigma(0, 4, 8));
        assert_eq!(function.sigma(0, 20, 21), 2.0, "never below the least");
        let plan = cuts.plan();
        let step = &plan.steps(0, 0, 8)[0];
        let terms = Terms {
            threshold: 200,
            model: Model::Function,
            rounding: Rounding::Nearest,
            factor: 1_000,
        };
        assert_eq!((step.high(100, terms), step.low(100, terms)), (111, 89));
        assert_eq!(step.deviation(terms), 5);
        // The same without a pair of its own: rounded up, and beyond the deepest as there.
        assert_eq!(plan.reach(0, 4, 8, 200, true), Some(12));
        assert_eq!(plan.reach(1, 4, 8, 200, false), Some(12));
        // Deeper than it was fitted to: the same difference at the end of what is known.
        assert_eq!(plan.reach(0, 40, 50, 100, true), plan.reach(0, 20, 30, 100, true));
        assert_eq!(plan.reach(0, 0, 8, 200, true), None, "of guesses it says nothing");
        assert_eq!(plan.reach(2, 4, 8, 200, true), None, "no such stage");
        assert_eq!(paper().plan().reach(0, 4, 8, 200, true), None);
        let wanted = Wanted { pairs: true, function: true, ..Wanted::default() };
        assert_eq!(plan.check_for([2, 1], Some(7), wanted), Ok(()));
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
    fn what_the_window_adds_moves_both_bounds_towards_it() {
        let mut cuts = paper();
        cuts.pairs[2].c = 0.25;
        let plan = Cuts::parse(&cuts.write()).unwrap().plan();
        let terms = Terms {
            threshold: 100,
            model: Model::Normal,
            rounding: Rounding::Nearest,
            factor: 1_000,
        };
        let step = &plan.steps(0, 0, 8)[0];
        // (82 + 0.75 * 100 - 2.36) / 1.02 and (-82 + 0.75 * 100 - 2.36) / 1.02.
        assert_eq!((step.high(100, terms), step.low(100, terms)), (152, -9));
        assert_eq!((step.high(0, terms), step.low(0, terms)), (78, -83), "as without it");
        cuts.pairs[2].c = 1.0;
        let refused = Cuts::parse(&cuts.write()).unwrap_err().to_string();
        assert!(refused.contains("cannot add so much"), "{refused}");
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

    const NORMAL: Terms =
        Terms { threshold: 100, model: Model::Normal, rounding: Rounding::Nearest, factor: 1_000 };

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
