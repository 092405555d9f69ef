//! A table of probabilistic cuts: how the value of a shallow search tells that of a deep one, by stage of
//! the game, category of the position and pair of depths (Buro, 1995; Jiang and Buro, 2003).
//!
//! The deep value is a linear function of the shallow one and an error: v = a v' + b + e; at nodes inside
//! searches of their window too, v = a v' + c beta + b + e. Beside the
//! pairs that were measured one by one, a table may hold one function of both depths and the stage that
//! gives the deviation of the error for every pair, as the strong programs of Othello have it (Delorme,
//! Edax, 2012).
//!
//! It is made by `secateur calibrate probcut` for one game and one evaluation, and kept as a TOML text.
//! The tree goes by a [`Plan`](super::plan::Plan) of it.

use serde::{Deserialize, Serialize};

use super::unrest::Unrest;

/// The form of the text; another is refused.
pub const FORMAT: u32 = 1;
/// No pair is deeper.
pub const DEEPEST: i32 = 60;
/// A table knows how far real errors reach for this many thresholds: 0.5, 0.6, ... 3.0 deviations.
pub const REACHES: usize = 26;

/// The threshold of a reach, in deviations.
pub fn threshold_of(reach: usize) -> f64 {
    (50 + 10 * reach) as f64 / 100.0
}

/// A table as it is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cuts {
    /// [`FORMAT`].
    pub format: u32,
    /// The game.
    pub game: String,
    /// The identity of the evaluation that was searched with.
    pub evaluation: String,
    /// The settings that were searched with.
    pub host: String,
    /// The command that made it.
    pub made_by: String,
    /// Stages of the game.
    pub stages: usize,
    /// Categories of positions.
    pub categories: usize,
    /// How many deviations beyond the window, by stage.
    pub thresholds: Vec<f64>,
    /// Positions with a larger shallow value were left out, in score units: of those it knows nothing.
    pub window: i32,
    /// Up to this depth pairs that were not measured are asked about as well: those of the deepest that were
    /// go on, with half the depth or so for the shallow search.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub beyond: i32,
    /// The deviation of any pair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<Function>,
    /// The same where the shallow value is the evaluation without a search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guess: Option<Function>,
    /// The deviation of the margin at the end of the game, where points are counted: the deep depth is that
    /// of the end, and there is one stage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Function>,
    /// What unrest does to the deviation of the pairs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unrest: Option<Unrest>,
    /// The pairs that are asked about.
    #[serde(rename = "pair", default)]
    pub pairs: Vec<Pair>,
}

fn is_nothing(plies: &i32) -> bool {
    *plies == 0
}

fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

/// How deep the shallow search is where nothing was measured: of the same parity, since whose turn it is at
/// the end matters, and about half as deep (Delorme, Edax).
pub fn about_half(deep: i32) -> i32 {
    match 2 * (deep / 4) + deep % 2 {
        0 => (deep - 2).max(0),
        half => half,
    }
}

/// What is known of a pair of depths at a stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// The stage.
    pub stage: usize,
    /// The category.
    #[serde(default)]
    pub category: usize,
    /// The shallow depth.
    pub shallow: i32,
    /// The deep one.
    pub deep: i32,
    /// The slope.
    pub a: f64,
    /// The offset, in score units.
    pub b: f64,
    /// What the window adds, in parts of it: a search comes to a node by moves that somebody thought good, so
    /// that the truth lies nearer to the window than the shallow value alone says.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub c: f64,
    /// The deviation of the error, in score units.
    pub sigma: f64,
    /// The correlation.
    pub r: f64,
    /// Positions.
    pub n: u64,
    /// How far errors really reach below, in deviations, with the chance that the normal distribution
    /// gives each threshold; empty if only that is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub below: Vec<f64>,
    /// The same above.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub above: Vec<f64>,
}

/// The deviation of the error of any pair: a parabola of one sum of the stage and both depths.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Function {
    /// What a stage adds to the sum.
    pub stage: f64,
    /// What a ply of the deep search adds.
    pub deep: f64,
    /// What a ply of the shallow one adds.
    pub shallow: f64,
    /// The parabola of the sum: constant, linear, square.
    pub parabola: [f64; 3],
    /// The deviation is never less, in score units.
    pub least: f64,
    /// The deepest search that it was fitted to.
    pub deepest: i32,
    /// How far errors really reach below, as in a pair.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub below: Vec<f64>,
    /// The same above.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub above: Vec<f64>,
}

impl Function {
    /// The deviation for a pair. Only products and sums, so that every processor finds the same. Deeper
    /// than it was fitted to, that of the pair with the same difference at the end of what is known.
    pub fn sigma(&self, stage: usize, shallow: i32, deep: i32) -> f64 {
        let beyond = (deep - self.deepest).max(0);
        self.at(stage, f64::from((shallow - beyond).max(0)), f64::from(deep - beyond))
    }

    /// The same, but deeper than it was fitted to that of the pair with the same share of the depth: a pair of
    /// twice the depths is about as vague (so in Delorme's function).
    pub fn sigma_by_share(&self, stage: usize, shallow: i32, deep: i32) -> f64 {
        let known = deep.min(self.deepest);
        let share = f64::from(shallow) / f64::from(deep.max(1));
        self.at(stage, share * f64::from(known), f64::from(known))
    }

    fn at(&self, stage: usize, shallow: f64, deep: f64) -> f64 {
        let sum = self.stage * stage as f64 + self.deep * deep + self.shallow * shallow;
        let [constant, linear, square] = self.parabola;
        (constant + linear * sum + square * sum * sum).max(self.least)
    }
}

/// Why a table is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CutsError {
    /// It is no TOML, or not of the expected shape.
    #[error("no table of cuts: {0}")]
    Malformed(String),
    /// Its numbers cannot be.
    #[error("pair ({shallow}, {deep}) of stage {stage}: {what}")]
    Impossible {
        /// Which pair.
        stage: usize,
        /// Which pair.
        shallow: i32,
        /// Which pair.
        deep: i32,
        /// What is wrong.
        what: &'static str,
    },
    /// It is for another game.
    #[error("the table of cuts was fitted to {found}, not to {wanted}")]
    OtherGame {
        /// The game that it is for.
        found: String,
        /// The game at hand.
        wanted: String,
    },
    /// There is none.
    #[error(
        "what is wanted needs a table of cuts, and there is none for this game: `secateur calibrate probcut` makes one"
    )]
    Missing,
    /// It has no pairs.
    #[error("probcut needs a table of cuts with pairs of depths, and this has none")]
    NoPairs,
    /// It has no function.
    #[error(
        "what is wanted needs a table of cuts with a function of all depths, and this has none"
    )]
    NoFunction,
    /// It knows nothing of the end of the game.
    #[error(
        "what is wanted needs a table of cuts that was fitted to the end of the game, and this was not"
    )]
    NoEnd,
    /// It knows nothing of unrest.
    #[error(
        "probcut_model=unrest needs a table of cuts that was fitted to nodes inside searches (`secateur calibrate probcut --source interior`), and this was not"
    )]
    NoUnrest,
    /// It knows other kinds of unrest.
    #[error("the table of cuts knows {found} for unrest, and the game has {wanted}")]
    OtherUnrest {
        /// Of the table.
        found: String,
        /// Of the game.
        wanted: String,
    },
    /// It was fitted to another way to divide the game.
    #[error(
        "the table of cuts divides the game into {found:?} stages and categories, and it has {wanted:?}"
    )]
    OtherStages {
        /// Of the table.
        found: [usize; 2],
        /// Of the game.
        wanted: [usize; 2],
    },
    /// Levels of cuts that nothing makes.
    #[error(
        "levels go from bold cuts to safe ones, and nothing makes any: switch on probcut or draft_cut"
    )]
    LevelsAlone,
    /// It was fitted to another evaluation.
    #[error(
        "the table of cuts was fitted to the evaluation {found}, and this is {wanted}: its errors are others (`secateur calibrate probcut` makes one that fits; probcut_table=any uses this all the same)"
    )]
    OtherEvaluation {
        /// What it was fitted to.
        found: String,
        /// What is at hand.
        wanted: String,
    },
}

/// The name of an evaluation in tables.
pub fn evaluation_name(identity: u64) -> String {
    format!("{identity:016x}")
}

impl Cuts {
    /// Reads a table.
    pub fn parse(text: &str) -> Result<Cuts, CutsError> {
        let cuts: Cuts = toml::from_str(text).map_err(|error: toml::de::Error| {
            let before = error.span().map_or("", |span| &text[..span.start.min(text.len())]);
            let line = before.matches('\n').count() + 1;
            CutsError::Malformed(format!("line {line}: {}", error.message().trim()))
        })?;
        if cuts.format != FORMAT {
            let what = format!("its format is {}, and this program knows {FORMAT}", cuts.format);
            return Err(CutsError::Malformed(what));
        }
        cuts.check()?;
        Ok(cuts)
    }

    /// The preset of the host that it was fitted to.
    pub fn preset(&self) -> &str {
        let first = self.host.split(' ').next().unwrap_or_default();
        first.strip_prefix("preset=").unwrap_or_default()
    }

    /// As it is kept.
    pub fn write(&self) -> String {
        // Numbers and texts alone: nothing here cannot be written.
        toml::to_string(self).unwrap_or_default()
    }

    /// Reads a table for this game.
    pub fn parse_for(text: &str, game: &str) -> Result<Cuts, CutsError> {
        let cuts = Cuts::parse(text)?;
        if cuts.game != game {
            let (found, wanted) = (cuts.game, game.to_string());
            return Err(CutsError::OtherGame { found, wanted });
        }
        Ok(cuts)
    }

    fn check(&self) -> Result<(), CutsError> {
        let malformed = |what: String| Err(CutsError::Malformed(what));
        let counts = 1..=MOST_STAGES;
        if !counts.contains(&self.stages) || !counts.contains(&self.categories) {
            return malformed(format!("there are 1 to {MOST_STAGES} stages and categories"));
        }
        let thresholds = &self.thresholds;
        if thresholds.len() != self.stages {
            let count = thresholds.len();
            return malformed(format!("{count} thresholds for {} stages", self.stages));
        }
        if let Some(wrong) = thresholds.iter().find(|t| !(0.1..=4.0).contains(*t)) {
            return malformed(format!("the threshold {wrong} is not between 0.1 and 4"));
        }
        if !(1..=20_000).contains(&self.window) {
            return malformed(format!("the window {} is not between 1 and 20000", self.window));
        }
        if !(0..=DEEPEST).contains(&self.beyond) {
            return malformed(format!("beyond = {} is not between 0 and 60", self.beyond));
        }
        let functions = [(&self.function, "function"), (&self.guess, "guess"), (&self.end, "end")];
        for (function, name) in functions {
            if let Some(function) = function {
                function
                    .check(self.stages)
                    .map_err(|what| CutsError::Malformed(format!("{name}: {what}")))?;
            }
        }
        if let Some(unrest) = &self.unrest {
            unrest.check().map_err(|what| CutsError::Malformed(format!("unrest: {what}")))?;
        }
        self.pairs.iter().try_for_each(|pair| pair.check(self))?;
        let places = self.pairs.iter().enumerate();
        for (place, &Pair { stage, category, shallow, deep, .. }) in places {
            let is_same = |other: &Pair| {
                (other.stage, other.category, other.shallow, other.deep)
                    == (stage, category, shallow, deep)
            };
            if self.pairs[..place].iter().any(is_same) {
                let what = "it is given for the second time";
                return Err(CutsError::Impossible { stage, shallow, deep, what });
            }
        }
        Ok(())
    }
}

/// No error of a table reaches farther, in deviations.
pub const FARTHEST: f64 = 100.0;
/// No game is divided into more.
const MOST_STAGES: usize = 64;
/// No deviation is larger, in score units.
const LARGEST: f64 = 10_000.0;

impl Function {
    fn check(&self, stages: usize) -> Result<(), &'static str> {
        if !(1..=DEEPEST).contains(&self.deepest) {
            return Err("the deepest search is not between 1 and 60 plies deep");
        }
        if !are_reaches(&self.below) || !are_reaches(&self.above) {
            return Err("its reaches are not as many as there are thresholds, or do not rise");
        }
        let depths = || 0..=self.deepest;
        let pairs = depths().flat_map(|deep| depths().map(move |shallow| (shallow, deep)));
        let is_wrong = |sigma: f64| !(0.0..=LARGEST).contains(&sigma);
        let wrong = (0..stages).any(|stage| {
            pairs.clone().any(|(shallow, deep)| is_wrong(self.sigma(stage, shallow, deep)))
        });
        if wrong { Err("a deviation is out of range") } else { Ok(()) }
    }
}

/// Whether these are as many as there are thresholds, or none; and none is absurd, or less than that of a bolder one.
pub(super) fn are_reaches(reaches: &[f64]) -> bool {
    (reaches.is_empty() || reaches.len() == REACHES)
        && reaches.iter().all(|reach| (0.0..=FARTHEST).contains(reach))
        && reaches.is_sorted()
}

impl Pair {
    fn check(&self, table: &Cuts) -> Result<(), CutsError> {
        let &Pair { stage, shallow, deep, .. } = self;
        let refuse = |what| Err(CutsError::Impossible { stage, shallow, deep, what });
        let numbers = [self.a, self.b, self.c, self.sigma];
        let correlates = (-1.0..=1.0).contains(&self.r);
        let reaches = [&self.below, &self.above];
        if stage >= table.stages {
            refuse("there is no such stage")
        } else if self.category >= table.categories {
            refuse("there is no such category")
        } else if !(0..deep).contains(&shallow) || deep > DEEPEST {
            refuse("the shallow depth must be below the deep one, and that at most 60")
        } else if !correlates
            || numbers.iter().any(|number| !number.is_finite() || number.abs() > LARGEST)
        {
            refuse("a number is out of range")
        } else if self.a < 0.01 || self.sigma <= 0.0 {
            refuse("the slope and the deviation must be positive")
        } else if !(-1.0..=0.95).contains(&self.c) {
            refuse("the window cannot add so much")
        } else if reaches.iter().any(|reach| !are_reaches(reach)) {
            refuse("the reaches are not as many as there are thresholds, or do not rise")
        } else {
            Ok(())
        }
    }
}
