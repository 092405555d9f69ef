//! ProbCut and Multi-ProbCut (Buro, 1995 and 1999; in chess Jiang and Buro, 2003): if the value of a
//! shallow search lies so far beyond the window that the deep one will too, with a chance that is
//! known, the deep one is not made.
//!
//! Claims that deep values follow shallow ones with an error whose size was measured, for this game,
//! this evaluation and these depths: [`calibrate::cuts`](crate::calibrate::cuts). Unsound where a
//! shallow search cannot see what decides; a mate is such a thing, so it keeps away from proven values.
//! The shallow search makes no such cuts itself, or depth would collapse, unless it is allowed to for a
//! few levels.

use super::levels::Level;
use super::{Answer, Facts, Probe};
use crate::calibrate::plan::{Model, Plan, Rounding, Step, Terms};
use crate::preset::Settings;
use crate::{Band, Depth, Score, Stopped};

crate::params! {
    /// Cuts where a shallow search tells what a deep one would say.
    pub struct ProbCut in "probcut" {
        switch ProbCutForm = Off {
            /// Never.
            Off = "off",
            /// By the first pair of a depth alone, both sides of the window.
            Single = "single",
            /// By every pair of a depth, the cheapest first.
            Multi = "multi",
        }
        /// How many deviations beyond the window, in hundredths; 0 as the table of cuts says.
        threshold = 0, in 0..=400, step 10;
        /// The same in the last stage of the game.
        threshold_end = 0, in 0..=400, step 10;
        /// Not with fewer plies left.
        least = 1, in 1..=60, step 1;
        /// Not with more plies left.
        deepest = 60, in 1..=60, step 1;
        /// How many such questions may stand inside one another: at 1 a shallow search asks none.
        nested = 1, in 1..=4, step 1;
        /// Not where the guess falls short of the bound by more, in hundredths of a deviation (as in
        /// Egaroucid); 0 asks everywhere, as in the papers.
        filter = 150, in 0..=600, step 25;
        /// Where no move is known, a search of so many plies less comes before the shallow one; 0 for
        /// none.
        deepening = 2, in 0..=4, step 1;
        /// What a ply multiplies the nodes of a search by, in hundredths: where the chance of a cut, by
        /// the guess, is not worth what the question costs, it is not asked. 0 asks everywhere. Needs a
        /// function in the table.
        growth = 0, in 0..=1000, step 50;
        /// Plies taken off where values below the window only reduce.
        less = 2, in 1..=4, step 1;
    }
}

crate::params! {
    /// On which side of the window probabilistic cuts are looked for.
    pub struct ProbCutSide in "probcut_side" {
        switch ProbCutSideForm = Both {
            /// On both, everywhere, as in the papers.
            Both = "both",
            /// Above where a move is expected to be too good, below where none is.
            Expected = "expected",
            /// Only the first of these.
            Above = "above",
            /// Only the second.
            Below = "below",
        }
    }
}

impl ProbCutSide {
    /// Whether a side is asked about at a node that is expected to cut or not to.
    #[inline]
    fn asks(&self, above: bool, expected_cut: bool) -> bool {
        match self.form {
            ProbCutSideForm::Both => true,
            ProbCutSideForm::Expected => above == expected_cut,
            ProbCutSideForm::Above => above && expected_cut,
            ProbCutSideForm::Below => !above && !expected_cut,
        }
    }
}

crate::params! {
    /// What follows where a shallow search says that a node is far below the window.
    pub struct ProbCutBelow in "probcut_below" {
        switch ProbCutBelowForm = Cut {
            /// It is cut, as in the papers.
            Cut = "cut",
            /// It is searched less deep.
            Reduce = "reduce",
        }
    }
}

crate::params! {
    /// How the bound of a probabilistic cut becomes a whole number.
    pub struct ProbCutRounding in "probcut_rounding" {
        switch ProbCutRoundingForm = Against {
            /// To the nearest, as in the papers.
            Nearest = "nearest",
            /// Against the cut.
            Against = "against",
        }
    }
}

crate::params! {
    /// What a probabilistic cut takes for the distribution of errors.
    pub struct ProbCutModel in "probcut_model" {
        switch ProbCutModelForm = Empirical {
            /// The normal one, about the line of the pair.
            Normal = "normal",
            /// The one seen when the table was made, about the same line.
            Empirical = "empirical",
            /// By one function of all pairs, about the shallow value itself.
            Function = "function",
            /// The one seen, about the line of the pair, wider where much is going on and narrower where
            /// nothing is.
            Unrest = "unrest",
        }
    }
}

crate::params! {
    /// Where probabilistic cuts stand among the questions of a node.
    pub struct ProbCutPlace in "probcut_place" {
        switch ProbCutPlaceForm = After {
            /// Before null move, as in the paper.
            Before = "before",
            /// After it.
            After = "after",
            /// After it, where a pass has failed or cannot be made.
            Refused = "refused",
        }
    }
}

crate::params! {
    /// Which tables of cuts are used.
    pub struct ProbCutTable in "probcut_table" {
        switch ProbCutTableForm = Fitted {
            /// Only one that was fitted to the evaluation at hand.
            Fitted = "fitted",
            /// Any for the game, though its errors are others.
            Any = "any",
        }
    }
}

crate::params! {
    /// Which of the tables of cuts that come with the program is used where no file is given: the one that
    /// was fitted to searches like these. A game that has no such table has one for all.
    pub struct ProbCutHost in "probcut_host" {
        switch ProbCutHostForm = Modern {
            /// To those of the strongest settings.
            Modern = "modern",
            /// To those of the papers' host.
            Classic = "classic",
        }
    }
}

impl ProbCutHost {
    /// The preset whose searches they were.
    pub fn preset(&self) -> &'static str {
        match self.form {
            ProbCutHostForm::Modern => "modern",
            ProbCutHostForm::Classic => "classic",
        }
    }
}

impl ProbCutModel {
    /// As the table knows it.
    pub fn model(&self) -> Model {
        match self.form {
            ProbCutModelForm::Normal => Model::Normal,
            ProbCutModelForm::Empirical => Model::Empirical,
            ProbCutModelForm::Function => Model::Function,
            ProbCutModelForm::Unrest => Model::Unrest,
        }
    }
}

/// Everything that decides the bounds.
#[derive(Clone, Copy, Debug)]
pub struct How<'a> {
    /// Whether, and how boldly.
    pub cut: &'a ProbCut,
    /// Rounding.
    pub rounding: &'a ProbCutRounding,
    /// The errors.
    pub model: &'a ProbCutModel,
    /// The sides.
    pub side: &'a ProbCutSide,
    /// What follows below.
    pub below: &'a ProbCutBelow,
    /// The table.
    pub plan: &'a Plan,
    /// The level of the search, if it goes through levels.
    pub level: Option<Level>,
}

/// Where a node stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The stage of the game.
    pub stage: usize,
    /// Whether that is the last.
    pub last: bool,
    /// The category of the position.
    pub category: usize,
    /// Inside how many such questions it stands.
    pub inside: i32,
}

impl<'a> How<'a> {
    /// As the settings have it.
    pub fn of(settings: &'a Settings, plan: &'a Plan) -> How<'a> {
        How {
            cut: &settings.probcut,
            rounding: &settings.probcut_rounding,
            model: &settings.probcut_model,
            side: &settings.probcut_side,
            below: &settings.probcut_below,
            plan,
            level: None,
        }
    }

    /// How many deviations beyond the window a cut must lie, in hundredths: as the level says, else as is
    /// given, else as the table has it.
    #[inline]
    pub fn threshold(&self, stage: usize, last: bool) -> i32 {
        if let Some(threshold) = self.level.and_then(Level::threshold) {
            return threshold;
        }
        let given = if last { self.cut.threshold_end } else { self.cut.threshold };
        if given > 0 { given } else { self.plan.threshold(stage) }
    }

    fn terms(&self, standing: Standing) -> Terms {
        Terms {
            threshold: self.threshold(standing.stage, standing.last),
            model: self.model.model(),
            rounding: match self.rounding.form {
                ProbCutRoundingForm::Nearest => Rounding::Nearest,
                ProbCutRoundingForm::Against => Rounding::Against,
            },
            factor: 1_000,
        }
    }
}

/// What a shallow search says of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// An answer like any other.
    Whole(Answer),
    /// So many plies less will do.
    Reduce(i32),
}

/// Whether there may be something to ask about.
#[inline]
pub fn may_ask(how: How<'_>, facts: &Facts, standing: Standing) -> bool {
    let cut = how.cut;
    cut.form != ProbCutForm::Off
        && standing.inside < cut.nested
        && how.level.is_none_or(|level| level.threshold().is_some())
        && facts.is_closed()
        // What is counted out is claimed to be proven: only who comes to certainty in the end may doubt it.
        && (!facts.beta.is_proven() || how.level.is_some())
        && (cut.least..=cut.deepest).contains(&facts.depth)
        && !how.plan.steps(standing.stage, standing.category, facts.depth).is_empty()
}

/// One thing a shallow search can tell of a node: whether its value lies on this side of the window.
struct Question {
    shallow: i32,
    /// What the shallow value is to reach, or below the window not to reach.
    window: i32,
    above: bool,
}

/// The window of a node in the units of guesses.
#[derive(Clone, Copy)]
struct Bounds {
    alpha: i32,
    beta: i32,
    guess: i32,
}

/// A bound of a pair: where a cut begins on one side, and by how much the guess falls short of that.
#[derive(Clone, Copy)]
struct Side {
    bound: i32,
    above: bool,
    short: i32,
}

impl Bounds {
    #[inline]
    fn sides(self, step: &Step, terms: Terms) -> [Side; 2] {
        let (high, low) = (step.high(self.beta, terms), step.low(self.alpha, terms));
        [
            Side { bound: high, above: true, short: high - self.guess },
            Side { bound: low, above: false, short: self.guess - low },
        ]
    }
}

impl How<'_> {
    /// The pairs that may be asked about.
    #[inline]
    fn steps(&self, standing: Standing, depth: i32) -> &[Step] {
        let steps = self.plan.steps(standing.stage, standing.category, depth);
        let many = if self.cut.form == ProbCutForm::Single { 1 } else { steps.len() };
        &steps[..many.min(steps.len())]
    }

    /// Whether this side is asked about at all, and the guess leaves hope.
    #[inline]
    fn hopes(&self, facts: &Facts, step: &Step, terms: Terms, side: Side) -> bool {
        let filter = self.cut.filter;
        self.side.asks(side.above, facts.expected_cut)
            && (filter == 0 || side.short <= step.deviation(terms) * filter / 100)
    }

    /// Whether the chance of a cut, by the guess, is worth what the question costs.
    #[inline]
    fn is_worth(&self, standing: Standing, depth: i32, step: &Step, side: Side) -> bool {
        let growth = self.cut.growth;
        if growth == 0 {
            return true;
        }
        let far = worth(growth, depth - step.shallow);
        let reach = self.plan.reach_of_guess(standing.stage, step.shallow, far, side.above);
        reach.is_none_or(|reach| side.short <= reach)
    }
}

/// What is asked about a node: of every pair, the cheapest first, on each side, where that is known, worth
/// its cost and not hopeless.
#[inline]
fn questions<'a>(
    how: &'a How<'a>,
    facts: &'a Facts,
    standing: Standing,
    terms: Terms,
    node: Bounds,
) -> impl Iterator<Item = Question> + 'a {
    how.steps(standing, facts.depth).iter().flat_map(move |step| {
        node.sides(step, terms).into_iter().filter_map(move |side| {
            let asks = how.hopes(facts, step, terms, side)
                && how.is_worth(standing, facts.depth, step, side)
                && how.plan.knows(side.bound);
            // Below, the question is whether the value exceeds the bound.
            let window = if side.above { side.bound } else { side.bound + 1 };
            asks.then_some(Question { shallow: step.shallow, window, above: side.above })
        })
    })
}

/// Asks.
#[inline]
pub fn ask(
    how: How<'_>,
    facts: &Facts,
    standing: Standing,
    probe: &mut impl Probe,
) -> Result<Verdict, Stopped> {
    let cut = how.cut;
    let beta = if may_ask(how, facts, standing) { units(facts.beta) } else { None };
    let Some(beta) = beta else { return Ok(Verdict::Whole(Answer::Silent)) };
    // Points that are counted out lie a hundred apart.
    let alpha = units(facts.alpha).unwrap_or(beta - 1);
    let node = Bounds { alpha, beta, guess: units(facts.guess).unwrap_or_default() };
    let mut terms = how.terms(standing);
    if terms.model == Model::Unrest {
        // It takes a search of captures to know: not where the guess leaves no hope, were the position the
        // calmest or the wildest, and so, how far it falls short being linear in that, anything between.
        let leaves_hope = |factor| {
            let terms = Terms { factor, ..terms };
            let of = |step: &Step| {
                node.sides(step, terms).into_iter().any(|side| how.hopes(facts, step, terms, side))
            };
            how.steps(standing, facts.depth).iter().any(of)
        };
        if !how.plan.factors().into_iter().any(leaves_hope) {
            return Ok(Verdict::Whole(Answer::Silent));
        }
        terms.factor = how.plan.factor(&probe.unrest()?);
    }
    let mut knows_move = facts.table.is_some_and(|table| table.packed_move != 0);
    let mut asked = false;
    for question in questions(&how, facts, standing, terms, node) {
        let Question { shallow, window, above } = question;
        let (window, less) = (Score::heuristic(window), shallow - cut.deepening);
        if !knows_move && cut.deepening > 0 && less > 0 {
            probe.to_depth(window, Depth::new(less), above)?;
        }
        knows_move = true;
        asked = true;
        let held = probe.to_depth(window, Depth::new(shallow), above)? >= window;
        if held == above {
            return Ok(match (above, how.below.form) {
                (true, _) => Verdict::Whole(Answer::Cut(facts.beta)),
                (false, ProbCutBelowForm::Cut) => Verdict::Whole(Answer::Cut(facts.alpha)),
                (false, ProbCutBelowForm::Reduce) => Verdict::Reduce(cut.less.min(facts.depth - 1)),
            });
        }
    }
    Ok(Verdict::Whole(if asked { Answer::No } else { Answer::Silent }))
}

/// A score in the units of guesses, points that are counted out with a hundred for each; `None` for a
/// distance, which has none.
fn units(score: Score) -> Option<i32> {
    match score.band() {
        Band::Heuristic(value) => Some(value),
        Band::Final(points) => Some(100 * points),
        Band::Tablebase(_) | Band::Mate { .. } => None,
    }
}

/// How many deviations the guess may fall short, in hundredths, so that a cut is likely enough to be
/// worth its question: the cost of a search grows with every ply, so that the question costs one in
/// growth^plies of what a cut saves.
fn worth(growth: i32, plies: i32) -> i32 {
    // Chances in percent, and the deviations beyond which they are smaller.
    const FAR: [(i64, i32); 8] =
        [(50, 0), (40, 25), (30, 52), (20, 84), (10, 128), (5, 164), (2, 205), (1, 233)];
    let mut chance = 10_000i64;
    for _ in 0..plies {
        chance = chance * 100 / i64::from(growth.max(100));
    }
    FAR.iter().find(|(least, _)| chance >= 100 * least).map_or(300, |(_, far)| *far)
}

/// How sure an entry of the table is that was found with such cuts: 0 is certain, then 99, 98, 95, 87
/// and 73 percent, and less than that. The thresholds are those of Edax.
pub fn confidence(form: ProbCutForm, threshold: i32) -> u8 {
    if form == ProbCutForm::Off { 0 } else { confidence_of(threshold) }
}

/// The same of any cut with such a threshold.
pub fn confidence_of(threshold: i32) -> u8 {
    const LEAST: [i32; 5] = [330, 260, 200, 150, 110];
    LEAST.iter().position(|least| threshold >= *least).map_or(6, |place| place as u8 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibrate::cuts::{Cuts, FORMAT, Pair, evaluation_name};
    use crate::calibrate::unrest;
    use crate::selective::levels::{Levels, LevelsForm};
    use crate::selective::script::{Script, facts};

    /// Pairs (2, 6) and (4, 8), and (3, 8) beside it, with deviations of 50 and 80, 100.
    fn plan() -> Plan {
        let pair = |stage, shallow, deep, sigma| Pair {
            stage,
            category: 0,
            shallow,
            deep,
            a: 1.0,
            b: 0.0,
            c: 0.0,
            sigma,
            r: 0.9,
            n: 100,
            below: Vec::new(),
            above: Vec::new(),
        };
        let cuts = Cuts {
            format: FORMAT,
            game: "toy".to_string(),
            evaluation: evaluation_name(0),
            host: String::new(),
            made_by: String::new(),
            stages: 2,
            categories: 1,
            thresholds: vec![1.0, 2.0],
            window: 1_000,
            beyond: 0,
            function: None,
            guess: None,
            end: None,
            unrest: None,
            pairs: vec![pair(0, 2, 6, 50.0), pair(0, 4, 8, 80.0), pair(0, 3, 8, 100.0)]
                .into_iter()
                .chain([pair(1, 2, 6, 50.0)])
                .collect(),
        };
        cuts.plan()
    }

    fn on(form: ProbCutForm) -> ProbCut {
        ProbCut { form, deepening: 0, filter: 0, ..ProbCut::default() }
    }

    const ROUNDING: ProbCutRounding = ProbCutRounding { form: ProbCutRoundingForm::Against };
    const MODEL: ProbCutModel = ProbCutModel { form: ProbCutModelForm::Empirical };
    const BOTH: ProbCutSide = ProbCutSide { form: ProbCutSideForm::Both };
    const CUTS: ProbCutBelow = ProbCutBelow { form: ProbCutBelowForm::Cut };

    fn how<'a>(cut: &'a ProbCut, plan: &'a Plan) -> How<'a> {
        let (rounding, model, side, below) = (&ROUNDING, &MODEL, &BOTH, &CUTS);
        How { cut, rounding, model, side, below, plan, level: None }
    }

    fn asked(cut: &ProbCut, facts: &Facts, stage: usize, answers: &[i32]) -> (Answer, Vec<String>) {
        let standing = Standing { stage, last: stage == 1, category: 0, inside: 0 };
        let mut script = Script::new(answers);
        let found = ask(how(cut, &plan()), facts, standing, &mut script).unwrap();
        let Verdict::Whole(answer) = found else { panic!("{found:?}") };
        (answer, script.asked)
    }

    const MIDDLE: Standing = Standing { stage: 0, last: false, category: 0, inside: 0 };

    #[test]
    fn it_cuts_above_exactly_at_the_bound() {
        let cut = on(ProbCutForm::Multi);
        let node = facts(6, 100, 0);
        let (answer, questions) = asked(&cut, &node, 0, &[150]);
        assert_eq!(answer, Answer::Cut(node.beta), "the hard bound");
        assert_eq!(questions, ["deep 150 2 above"]);
        let (answer, questions) = asked(&cut, &node, 0, &[149, 51]);
        assert_eq!(answer, Answer::No);
        assert_eq!(questions, ["deep 150 2 above", "deep 50 2 below"]);
    }

    #[test]
    fn it_cuts_below_exactly_at_the_bound() {
        let cut = on(ProbCutForm::Multi);
        // Alpha is 99: a shallow value of 49 is enough, and 50 is not.
        let node = facts(6, 100, 0);
        assert_eq!(asked(&cut, &node, 0, &[0, 49]).0, Answer::Cut(node.alpha));
        assert_eq!(asked(&cut, &node, 0, &[0, 50]).0, Answer::No);
    }

    #[test]
    fn several_pairs_are_asked_in_turn_and_a_single_one_if_only_that_is_wanted() {
        let node = facts(8, 0, 0);
        let (_, questions) = asked(&on(ProbCutForm::Multi), &node, 0, &[0, 0, 0, 0]);
        let depths: Vec<_> = questions.iter().map(|q| q.split(' ').nth(2).unwrap()).collect();
        assert_eq!(depths, ["3", "3", "4", "4"]);
        let (_, questions) = asked(&on(ProbCutForm::Single), &node, 0, &[0, 0]);
        assert_eq!(questions.len(), 2);
    }

    #[test]
    fn the_threshold_is_that_of_the_table_unless_it_is_given() {
        let node = facts(6, 0, 0);
        let bound = |cut: &ProbCut, stage| asked(cut, &node, stage, &[0, 0]).1[0].clone();
        let cut = on(ProbCutForm::Multi);
        assert_eq!(bound(&cut, 0), "deep 50 2 above");
        assert_eq!(bound(&cut, 1), "deep 100 2 above", "two deviations in the last stage");
        let cut = ProbCut { threshold: 150, threshold_end: 50, ..cut };
        assert_eq!(bound(&cut, 0), "deep 75 2 above");
        assert_eq!(bound(&cut, 1), "deep 25 2 above");
    }

    #[test]
    fn a_hopeless_guess_is_not_asked_about() {
        let cut = ProbCut { filter: 100, ..on(ProbCutForm::Multi) };
        // The bounds are 50 and -51; half the room between them is within a deviation of each.
        let questions = |guess| asked(&cut, &facts(6, 0, guess), 0, &[0, 0]).1;
        assert_eq!(questions(0), ["deep 50 2 above"], "51 short of the lower one");
        assert_eq!(questions(-1), ["deep -50 2 below"]);
        assert_eq!(asked(&cut, &facts(6, 0, 0), 0, &[0]).0, Answer::No);
    }

    #[test]
    fn without_a_known_move_a_shallower_search_comes_first_and_only_once() {
        let cut = ProbCut { deepening: 2, ..on(ProbCutForm::Multi) };
        let (_, questions) = asked(&cut, &facts(8, 0, 0), 0, &[0; 5]);
        assert_eq!(questions[..2], ["deep 100 1 above", "deep 100 3 above"]);
        assert_eq!(questions.len(), 5);
    }

    #[test]
    fn it_keeps_away_from_open_windows_checks_mates_and_its_own_questions() {
        let cut = on(ProbCutForm::Multi);
        let node = facts(6, 0, 0);
        let silent = |cut: &ProbCut, node: &Facts| asked(cut, node, 0, &[]).0 == Answer::Silent;
        assert!(silent(&on(ProbCutForm::Off), &node));
        assert!(silent(&cut, &Facts { principal: true, ..node }));
        assert!(silent(&cut, &Facts { in_check: true, ..node }));
        assert!(silent(&cut, &Facts { without_a_move: true, ..node }));
        assert!(silent(&cut, &Facts { beta: Score::mate_in(3), ..node }));
        assert!(silent(&cut, &Facts { beta: Score::mated_in(3), ..node }));
        assert!(silent(&cut, &facts(7, 0, 0)), "no pair");
        assert!(silent(&ProbCut { least: 7, ..cut.clone() }, &node));
        assert!(silent(&ProbCut { deepest: 5, ..cut.clone() }, &node));
        let (_, questions) = asked(&cut, &facts(6, 960, 0), 0, &[0]);
        assert_eq!(
            questions,
            ["deep 910 2 below"],
            "of values above a thousand the table knows nothing"
        );

        let inside = Standing { inside: 1, ..MIDDLE };
        let at = |cut: &ProbCut, answers: &[i32]| {
            ask(how(cut, &plan()), &node, inside, &mut Script::new(answers)).unwrap()
        };
        assert_eq!(at(&cut, &[]), Verdict::Whole(Answer::Silent));
        assert_eq!(at(&ProbCut { nested: 2, ..cut.clone() }, &[0, 0]), Verdict::Whole(Answer::No));
    }

    #[test]
    fn where_it_goes_by_what_is_expected_only_that_side_is_asked_about() {
        let (cut, plan) = (on(ProbCutForm::Multi), plan());
        let questions = |form: ProbCutSideForm, expected_cut: bool| {
            let side = ProbCutSide { form };
            let how = How { side: &side, ..how(&cut, &plan) };
            let mut script = Script::new(&[0]);
            let node = Facts { expected_cut, ..facts(6, 0, 0) };
            ask(how, &node, MIDDLE, &mut script).unwrap();
            script.asked
        };
        use ProbCutSideForm::{Above, Below, Expected};
        for (form, cut, all) in [
            (Expected, Some("deep 50 2 above"), Some("deep -50 2 below")),
            (Above, Some("deep 50 2 above"), None),
            (Below, None, Some("deep -50 2 below")),
        ] {
            assert_eq!(questions(form, true).first().map(String::as_str), cut);
            assert_eq!(questions(form, false).first().map(String::as_str), all);
        }
    }

    #[test]
    fn below_the_window_a_node_may_be_reduced_instead_of_cut() {
        let (cut, plan) = (on(ProbCutForm::Multi), plan());
        let below = ProbCutBelow { form: ProbCutBelowForm::Reduce };
        let how = How { below: &below, ..how(&cut, &plan) };
        let found =
            |answers: &[i32]| ask(how, &facts(6, 0, 0), MIDDLE, &mut Script::new(answers)).unwrap();
        assert_eq!(found(&[0, -60]), Verdict::Reduce(2));
        assert_eq!(found(&[60]), Verdict::Whole(Answer::Cut(Score::DRAW)), "above it is cut");
        assert_eq!(found(&[0, 0]), Verdict::Whole(Answer::No));
    }

    #[test]
    fn a_level_has_its_own_threshold_and_the_last_makes_no_cuts() {
        let (cut, plan) = (on(ProbCutForm::Multi), plan());
        let mut level = Level::first(&Levels { form: LevelsForm::On }, true);
        let mut bounds = Vec::new();
        while let Some(here) = level {
            let how = How { level: Some(here), ..how(&cut, &plan) };
            let mut script = Script::new(&[0, 0]);
            ask(how, &facts(6, 0, 0), MIDDLE, &mut script).unwrap();
            bounds.extend(script.asked.first().cloned());
            level = here.next();
        }
        let wanted = [55, 75, 100, 130, 165].map(|bound| format!("deep {bound} 2 above"));
        assert_eq!(bounds, wanted);
    }

    #[test]
    fn points_that_are_counted_out_are_asked_about_as_guesses_of_them() {
        let (cut, plan) = (on(ProbCutForm::Multi), plan());
        let beta = Score::counted(3);
        let node = Facts { alpha: beta - 1, beta, ..facts(6, 0, 0) };
        let mut script = Script::new(&[355]);
        let level = Level::first(&Levels { form: LevelsForm::On }, true);
        let by_level = How { level, ..how(&cut, &plan) };
        let found = ask(by_level, &node, MIDDLE, &mut script).unwrap();
        assert_eq!(found, Verdict::Whole(Answer::Cut(beta)));
        assert_eq!(script.asked, ["deep 355 2 above"]);
        // Below it is 2 points at most that are claimed, not anything short of 3.
        let mut below = Script::new(&[100, 145]);
        let found = ask(by_level, &node, MIDDLE, &mut below).unwrap();
        assert_eq!(found, Verdict::Whole(Answer::Cut(Score::counted(2))));
        assert_eq!(below.asked, ["deep 355 2 above", "deep 146 2 below"]);
        let found = ask(how(&cut, &plan), &node, MIDDLE, &mut script).unwrap();
        assert_eq!(found, Verdict::Whole(Answer::Silent), "without levels it would stay a claim");
    }

    #[test]
    fn a_question_that_costs_more_than_its_chance_is_not_asked() {
        // A question four plies less deep costs a sixteenth where a ply doubles: 6 in 100.
        assert_eq!([worth(200, 1), worth(200, 2), worth(200, 4), worth(200, 9)], [0, 84, 164, 300]);
        let plan = crate::calibrate::example_cuts::with_function(100.0).plan();
        let cut = ProbCut { growth: 200, ..on(ProbCutForm::Multi) };
        // The pair (4, 8) of that table has the bound 82 - 2.36 at the first stage, 78.
        let asks = |guess: i32| {
            let mut script = Script::new(&[0, 0]);
            ask(how(&cut, &plan), &facts(8, 0, guess), MIDDLE, &mut script).unwrap();
            script.asked.iter().any(|question| question.ends_with("above"))
        };
        assert!(asks(79 - 164) && !asks(79 - 165));
    }

    #[test]
    fn unrest_moves_the_bounds_and_is_asked_about_only_where_it_does() {
        let cut = on(ProbCutForm::Multi);
        let model = ProbCutModel { form: ProbCutModelForm::Unrest };
        let plan = crate::calibrate::example_cuts::with_unrest(&[("quiescence", 30, [0.5, 2.0])]);
        let how = How { model: &model, ..how(&cut, &plan) };
        let bound = |depth: i32, amount: i32| {
            let mut script = Script { unrest: [amount, 0, 0, 0, 0, 0], ..Script::new(&[0, 0]) };
            ask(how, &facts(depth, 0, 0), MIDDLE, &mut script).unwrap();
            script.asked
        };
        // The pair (4, 8) has the deviation 82, the offset 2.36 and the slope 1.02.
        assert_eq!(bound(8, 0)[..2], ["unrest", "deep 38 4 above"]);
        assert_eq!(bound(8, 30)[..2], ["unrest", "deep 159 4 above"]);
        assert!(bound(7, 30).is_empty(), "no pair, no question");
        // The wildest deviation is 164: a guess that falls short of its bound by more, and more still of
        // the calmest one's, is hopeless whatever there is to see.
        let cut = ProbCut { filter: 100, ..on(ProbCutForm::Single) };
        let asked = |guess: i32| {
            let side = ProbCutSide { form: ProbCutSideForm::Above };
            let how = How { cut: &cut, side: &side, ..how };
            let node = Facts { expected_cut: true, ..facts(8, 0, guess) };
            let mut script = Script { unrest: [30, 0, 0, 0, 0, 0], ..Script::new(&[0]) };
            ask(how, &node, MIDDLE, &mut script).unwrap();
            script.asked
        };
        assert_eq!(asked(-5), ["unrest", "deep 159 4 above"]);
        assert!(asked(-6).is_empty(), "without looking at what is going on");
        // Between the calmest, of which there is no hope, and the wildest, which is not worth the cost.
        let mut cuts = crate::calibrate::example_cuts::with_function(100.0);
        let kind = |factors: [f64; 3]| unrest::Kind {
            name: "quiescence".to_string(),
            edges: vec![30, 60],
            factors: factors.to_vec(),
        };
        let kinds = vec![kind([0.5, 1.2, 2.0])];
        cuts.unrest = Some(unrest::Unrest { below: Vec::new(), above: Vec::new(), kinds });
        let plan = cuts.plan();
        let cut = ProbCut { growth: 200, filter: 150, ..on(ProbCutForm::Single) };
        let side = ProbCutSide { form: ProbCutSideForm::Above };
        let how = How { cut: &cut, side: &side, plan: &plan, ..how };
        let node = Facts { expected_cut: true, ..facts(8, 0, -45) };
        let mut script = Script { unrest: [30, 0, 0, 0, 0, 0], ..Script::new(&[0]) };
        ask(how, &node, MIDDLE, &mut script).unwrap();
        assert_eq!(script.asked, ["unrest", "deep 95 4 above"]);
    }

    #[test]
    fn a_bolder_threshold_is_a_lesser_confidence() {
        let level = |threshold| confidence(ProbCutForm::Multi, threshold);
        let levels = [330, 329, 260, 200, 150, 149, 110, 100].map(level);
        assert_eq!(levels, [1, 2, 2, 3, 4, 5, 5, 6]);
        assert_eq!(confidence(ProbCutForm::Off, 100), 0);
    }
}
