//! Everything that can be set, and named sets of it.
//!
//! A preset is an embedded TOML file that gives *every* switch and number: nothing is in force
//! because somebody forgot to mention it. What is in force is a preset overlaid by explicit
//! settings.

use crate::Ability;
use crate::alphabeta::choice::{HandOver, SearchForm, SearchUse};
use crate::alphabeta::clock::ClockUse;
use crate::alphabeta::node::{Draws, TableUse};
use crate::alphabeta::order::Order;
use crate::alphabeta::quiesce::{Quiescence, QuiescenceForm};
use crate::alphabeta::root::{Aspiration, Endings};
use crate::bstar::how::{
    Bstar, BstarDefence, BstarExpand, BstarGroups, BstarOdds, BstarOddsForm, BstarOddsTable,
    BstarSeed, BstarStep, How,
};
use crate::calibrate::plan::Wanted;
use crate::optimism::Optimism;
use crate::params::{Group, SetError, Spec, Value, unknown};
use crate::selective::capture_cut::{CaptureCut, CaptureCutForm};
use crate::selective::check_extension::{CheckExtension, CheckExtensionForm};
use crate::selective::correction::{CorrectionForm, CorrectionUse};
use crate::selective::delta::Delta;
use crate::selective::draft_cut::{DraftCut, DraftCutForm};
use crate::selective::evasive_extension::{EvasiveExtension, EvasiveExtensionForm};
use crate::selective::exchange::{ExchangePruning, ExchangePruningForm};
use crate::selective::forced_extension::{ForcedExtension, ForcedExtensionForm};
use crate::selective::frontier_futility::{FrontierFutility, FrontierFutilityForm};
use crate::selective::futility::{Futility, FutilityForm};
use crate::selective::hindsight::{Hindsight, HindsightForm};
use crate::selective::history_pruning::{HistoryPruning, HistoryPruningForm};
use crate::selective::internal_deepening::{InternalDeepening, InternalDeepeningForm};
use crate::selective::internal_reduction::{InternalReduction, InternalReductionForm};
use crate::selective::late_moves::{LateMoves, LateMovesForm, LateMovesTable};
use crate::selective::late_pruning::{LatePruning, LatePruningForm};
use crate::selective::levels::{Levels, LevelsForm};
use crate::selective::limited_razoring::{LimitedRazoring, LimitedRazoringForm};
use crate::selective::material_cut::{MaterialCut, MaterialCutForm};
use crate::selective::multi_cut::{MultiCut, MultiCutForm};
use crate::selective::null_move::{NullMove, NullMoveForm};
use crate::selective::passed_extension::{PassedExtension, PassedExtensionForm};
use crate::selective::plausible::{Plausible, PlausibleForm};
use crate::selective::probcut::{
    ProbCut, ProbCutBelow, ProbCutForm, ProbCutHost, ProbCutModel, ProbCutModelForm, ProbCutPlace,
    ProbCutRounding, ProbCutSide, ProbCutTable,
};
use crate::selective::rank_cut::{
    RankCut, RankCutAgain, RankCutBound, RankCutEstimate, RankCutForm, RankCutLead, RankCutTable,
    RankCutTest,
};
use crate::selective::razoring::{Razoring, RazoringForm};
use crate::selective::recapture_extension::{RecaptureExtension, RecaptureExtensionForm};
use crate::selective::reverse_futility::{ReverseFutility, ReverseFutilityForm};
use crate::selective::singular::{Singular, SingularForm};
use crate::selective::threat_extension::{ThreatExtension, ThreatExtensionForm};

/// Collects groups into one struct that can be addressed by parameter name.
macro_rules! settings {
    ($(#[$doc:meta])* pub struct $Name:ident { $($(#[$field_doc:meta])* $field:ident: $Group:ty),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct $Name { $($(#[$field_doc])* pub $field: $Group),* }

        impl $Name {
            /// Every parameter there is.
            pub fn specs() -> impl Iterator<Item = &'static Spec> {
                [$(<$Group>::SPECS),*].into_iter().flatten()
            }

            /// Sets one parameter by name, `group` or `group.field`. On an error nothing changes.
            pub fn set(&mut self, name: &str, value: &str) -> Result<(), SetError> {
                match name.split('.').next() {
                    $(Some(<$Group>::NAME) if Self::specs().any(|spec| spec.name == name) => {
                        self.$field.set(name, value)
                    })*
                    _ => Err(unknown(name, Self::specs())),
                }
            }

            /// The value of one parameter.
            pub fn get(&self, name: &str) -> Option<Value> {
                $(if let Some(value) = self.$field.get(name) {
                    return Some(value);
                })*
                None
            }

            /// What the group of this parameter needs and a game with these abilities lacks.
            pub fn lacking(name: &str, abilities: Ability) -> Ability {
                match name.split('.').next() {
                    $(Some(<$Group>::NAME) => abilities.lacking(<$Group>::NEEDS),)*
                    _ => Ability::NONE,
                }
            }

            /// Every group that is on and needs something a game with these abilities lacks: its
            /// name, and what is lacking.
            pub fn unserved(&self, abilities: Ability) -> Vec<(&'static str, Ability)> {
                let mut found = Vec::new();
                $(
                    let lacking = abilities.lacking(<$Group>::NEEDS);
                    let is_on = self.$field.get(<$Group>::NAME).is_some_and(|form| form != Value::Form("off"));
                    if lacking != Ability::NONE && is_on {
                        found.push((<$Group>::NAME, lacking));
                    }
                )*
                found
            }
        }
    };
}

settings! {
    /// Every switch and number of the program.
    pub struct Settings {
        /// The window of an iteration.
        aspiration: Aspiration,
        /// The horizon.
        quiescence: Quiescence,
        /// The transposition table.
        table: TableUse,
        /// Repetition and the move rule.
        draws: Draws,
        /// The order of moves.
        order: Order,
        /// Guesses corrected by searches.
        correction: CorrectionUse,
        /// Far above the window.
        reverse_futility: ReverseFutility,
        /// Far below it.
        razoring: Razoring,
        /// A queen behind.
        limited_razoring: LimitedRazoring,
        /// Material lost for nothing.
        material_cut: MaterialCut,
        /// What the table knows from less depth.
        draft_cut: DraftCut,
        /// What a shallow search tells.
        probcut: ProbCut,
        /// Its bounds.
        probcut_rounding: ProbCutRounding,
        /// Its errors.
        probcut_model: ProbCutModel,
        /// Its sides.
        probcut_side: ProbCutSide,
        /// What follows below.
        probcut_below: ProbCutBelow,
        /// How sure it is, at first and at last.
        levels: Levels,
        /// Where it is asked.
        probcut_place: ProbCutPlace,
        /// What it goes by.
        probcut_table: ProbCutTable,
        /// Whose searches that was fitted to.
        probcut_host: ProbCutHost,
        /// A free move for the opponent.
        null_move: NullMove,
        /// Nodes without a known move.
        internal_reduction: InternalReduction,
        /// The same, by a search to less depth.
        internal_deepening: InternalDeepening,
        /// Reductions seen from behind.
        hindsight: Hindsight,
        /// Good captures at less depth.
        capture_cut: CaptureCut,
        /// Several good moves.
        multi_cut: MultiCut,
        /// The only good move.
        singular: Singular,
        /// Checks.
        check_extension: CheckExtension,
        /// Taking back.
        recapture_extension: RecaptureExtension,
        /// Pawns about to promote.
        passed_extension: PassedExtension,
        /// The only legal move.
        forced_extension: ForcedExtension,
        /// Threats to the king.
        threat_extension: ThreatExtension,
        /// Moves that meet a threat.
        evasive_extension: EvasiveExtension,
        /// The first moves only.
        plausible: Plausible,
        /// Late quiet moves at little depth.
        late_pruning: LatePruning,
        /// Moves with a bad history.
        history_pruning: HistoryPruning,
        /// Moves without hope.
        futility: Futility,
        /// Moves near the horizon that win too little.
        frontier_futility: FrontierFutility,
        /// Moves that lose material.
        exchange_pruning: ExchangePruning,
        /// No better move to come.
        rank_cut: RankCut,
        /// Whose score that is about.
        rank_cut_test: RankCutTest,
        /// Better than what.
        rank_cut_bound: RankCutBound,
        /// What is below alpha.
        rank_cut_lead: RankCutLead,
        /// How likely.
        rank_cut_estimate: RankCutEstimate,
        /// A second search.
        rank_cut_again: RankCutAgain,
        /// What it goes by.
        rank_cut_table: RankCutTable,
        /// Late moves, less deep.
        late_moves: LateMoves,
        /// What they go by, if that is learned.
        late_moves_table: LateMovesTable,
        /// Captures without hope.
        delta: Delta,
        /// Iterations of endings.
        endings: Endings,
        /// Time.
        clock: ClockUse,
        /// B*: the model and the effort.
        bstar: Bstar,
        /// B*: replies with the same answer.
        bstar_groups: BstarGroups,
        /// B*: expansions.
        bstar_expand: BstarExpand,
        /// B*: what comes before.
        bstar_seed: BstarSeed,
        /// B*: deeper or wider.
        bstar_step: BstarStep,
        /// B*: threats answered.
        bstar_defence: BstarDefence,
        /// B*: how likely a leaf reaches the target.
        bstar_odds: BstarOdds,
        /// B*: what that goes by, if it is learned.
        bstar_odds_table: BstarOddsTable,
        /// Which search decides.
        search: SearchUse,
        /// What B* leaves to alpha-beta.
        hand_over: HandOver,
        /// What is hoped for.
        optimism: Optimism,
    }
}

/// A named, complete set of settings.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name users give.
    pub name: &'static str,
    /// What it is for.
    pub doc: &'static str,
    /// The preset that it differs from, if it does not give everything itself.
    like: Option<&'static str>,
    /// The TOML text.
    text: &'static str,
}

impl Preset {
    /// The preset of this name, whatever its case.
    pub fn named(name: &str) -> Option<&'static Preset> {
        PRESETS.iter().find(|preset| preset.name.eq_ignore_ascii_case(name))
    }

    /// Its settings in a game that has values of its own for some presets: what differs from the preset
    /// below stands above those.
    pub(crate) fn tuned(&self, tuned: &[(&str, &str)]) -> Result<Settings, PresetError> {
        let mut settings = match self.like.and_then(Preset::named) {
            None => Settings::from_toml(self.text)?,
            Some(other) => {
                let mut settings = other.tuned(tuned)?;
                settings.read(self.text)?;
                settings
            }
        };
        for (_, text) in tuned.iter().filter(|(preset, _)| *preset == self.name) {
            settings.read(text)?;
        }
        Ok(settings)
    }
}

/// Every preset, the default first.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "modern",
        doc: "the default: techniques of today, with tuned numbers; docs/results.md says what each is worth",
        like: None,
        text: include_str!("../presets/modern.toml"),
    },
    Preset {
        name: "bstar",
        doc: "modern with B*, seeded and narrow: the form that is measured against modern",
        like: Some("modern"),
        text: include_str!("../presets/bstar.toml"),
    },
    Preset {
        name: "classic",
        doc: "a strong program of the year 2000, frozen: the host of the papers' experiments",
        like: None,
        text: include_str!("../presets/classic.toml"),
    },
    Preset {
        name: "ael",
        doc: "classic with limited razoring: adaptive null move, extended futility, limited razoring",
        like: Some("classic"),
        text: "limited_razoring.form = \"on\"",
    },
    Preset {
        name: "abyss",
        doc: "the base of Marsland and Bjornsson's tables: null move and futility",
        like: None,
        text: include_str!("../presets/abyss.toml"),
    },
    Preset {
        name: "abyss-null",
        doc: "abyss without null move",
        like: Some("abyss"),
        text: "null_move.form = \"off\"",
    },
    Preset {
        name: "abyss+ch",
        doc: "abyss with the extension of checks",
        like: Some("abyss"),
        text: "check_extension.form = \"all\"",
    },
    Preset {
        name: "abyss+ch+sf",
        doc: "the same, and strictly forced replies",
        like: Some("abyss"),
        text: "check_extension.form = \"all\"\nforced_extension.form = \"on\"",
    },
    Preset {
        name: "staged",
        doc: "full width, then plausible moves, then captures ever fewer: a program of the eighties",
        like: Some("bare"),
        text: "plausible.form = \"staged\"\nquiescence.form = \"tapered\"",
    },
    Preset {
        name: "bare",
        doc: "alpha-beta with a table, an order and quiescence, and nothing selective",
        like: None,
        text: include_str!("../presets/bare.toml"),
    },
    Preset {
        name: "oracle",
        doc: "nothing that could change the value from that of plain minimax",
        like: None,
        text: include_str!("../presets/oracle.toml"),
    },
];

/// Why a preset could not be loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PresetError {
    /// There is none of that name.
    #[error("no preset is called {name}; there are {}", PRESETS.iter().map(|p| p.name).collect::<Vec<_>>().join(", "))]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// The text is not TOML, or not of the expected shape.
    #[error("preset: {0}")]
    Malformed(String),
    /// A value was refused.
    #[error("preset: {0}")]
    Refused(#[from] SetError),
    /// A parameter is not mentioned.
    #[error("preset: {0} is not given")]
    Missing(&'static str),
}

impl Settings {
    /// The same without what a game with these abilities cannot serve.
    pub fn served_by(mut self, abilities: Ability) -> Settings {
        for (group, _) in self.unserved(abilities) {
            // Every switch that needs something has this form.
            let _ = self.set(group, "off");
        }
        self
    }

    /// What concerns B\*.
    pub fn bstar(&self) -> How {
        How {
            main: self.bstar.clone(),
            groups: self.bstar_groups.clone(),
            expand: self.bstar_expand.clone(),
            seed: self.bstar_seed.clone(),
            step: self.bstar_step.clone(),
            defence: self.bstar_defence.clone(),
            odds: self.bstar_odds.clone(),
        }
    }

    /// Whether B\* goes by a table of probabilities.
    pub fn wants_odds(&self) -> bool {
        self.search.form == SearchForm::Bstar && self.bstar_odds.form == BstarOddsForm::Learned
    }

    /// The same with the straight line instead.
    pub fn without_odds(mut self) -> Settings {
        self.bstar_odds.form = BstarOddsForm::Linear;
        self
    }

    /// What techniques need of a table of cuts.
    pub fn wants_cuts(&self) -> Wanted {
        let probes = self.probcut.form != ProbCutForm::Off;
        Wanted {
            pairs: probes,
            function: (probes && self.probcut_model.form == ProbCutModelForm::Function)
                || self.draft_cut.form != DraftCutForm::Off,
            guess: (probes && self.probcut.growth > 0)
                || self.reverse_futility.form == ReverseFutilityForm::Fitted
                || self.razoring.form == RazoringForm::Fitted,
            unrest: probes && self.probcut_model.form == ProbCutModelForm::Unrest,
        }
    }

    /// The same without what goes by a table of cuts.
    pub fn without_cuts(mut self) -> Settings {
        self.probcut.form = ProbCutForm::Off;
        self.draft_cut.form = DraftCutForm::Off;
        self.levels.form = LevelsForm::Off;
        if self.reverse_futility.form == ReverseFutilityForm::Fitted {
            self.reverse_futility.form = ReverseFutilityForm::On;
        }
        if self.razoring.form == RazoringForm::Fitted {
            self.razoring.form = RazoringForm::On;
        }
        self
    }

    /// Whether a technique goes by a table of ranks.
    pub fn wants_ranks(&self) -> bool {
        self.rank_cut.form != RankCutForm::Off
    }

    /// The same without what does.
    pub fn without_ranks(mut self) -> Settings {
        self.rank_cut.form = RankCutForm::Off;
        self
    }

    /// Whether a technique goes by a table of reductions.
    pub fn wants_reductions(&self) -> bool {
        self.late_moves.form == LateMovesForm::Learned
            || self.late_pruning.form == LatePruningForm::Learned
    }

    /// The same with the formulas instead.
    pub fn without_reductions(mut self) -> Settings {
        if self.late_moves.form == LateMovesForm::Learned {
            self.late_moves.form = LateMovesForm::On;
        }
        if self.late_pruning.form == LatePruningForm::Learned {
            self.late_pruning.form = LatePruningForm::On;
        }
        self
    }

    /// Whether any technique asks about an inner node or its moves, or for a guess of it.
    pub fn is_selective(&self) -> bool {
        self.correction.form != CorrectionForm::Off
            || self.quiescence.form == QuiescenceForm::Tapered
            || self.singular.form != SingularForm::Off
            || self.internal_reduction.form != InternalReductionForm::Off
            || self.internal_deepening.form != InternalDeepeningForm::Off
            || self.reverse_futility.form != ReverseFutilityForm::Off
            || self.razoring.form != RazoringForm::Off
            || self.null_move.form != NullMoveForm::Off
            || self.probcut.form != ProbCutForm::Off
            || self.draft_cut.form != DraftCutForm::Off
            || self.capture_cut.form != CaptureCutForm::Off
            || self.late_pruning.form != LatePruningForm::Off
            || self.futility.form != FutilityForm::Off
            || self.hindsight.form != HindsightForm::Off
            || self.late_moves.form != LateMovesForm::Off
            || self.history_pruning.form != HistoryPruningForm::Off
            || self.exchange_pruning.form != ExchangePruningForm::Off
            || self.limited_razoring.form != LimitedRazoringForm::Off
            || self.material_cut.form != MaterialCutForm::Off
            || self.multi_cut.form != MultiCutForm::Off
            || self.forced_extension.form != ForcedExtensionForm::Off
            || self.threat_extension.form != ThreatExtensionForm::Off
            || self.evasive_extension.form != EvasiveExtensionForm::Off
            || self.plausible.form != PlausibleForm::Off
            || self.rank_cut.form != RankCutForm::Off
            || self.frontier_futility.form != FrontierFutilityForm::Off
            || self.check_extension.form != CheckExtensionForm::Off
            || self.recapture_extension.form != RecaptureExtensionForm::Off
            || self.passed_extension.form != PassedExtensionForm::Off
    }

    /// The settings of a preset.
    pub fn preset(name: &str) -> Result<Settings, PresetError> {
        let preset = PRESETS
            .iter()
            .find(|preset| preset.name == name)
            .ok_or_else(|| PresetError::Unknown { name: name.to_string() })?;
        preset.tuned(&[])
    }

    /// Reads a complete preset: a table for each group, in it `form` for the switch and the
    /// fields by name.
    pub fn from_toml(text: &str) -> Result<Settings, PresetError> {
        let mut settings = Settings::default();
        let given = settings.read(text)?;
        match Settings::specs().find(|spec| !given.iter().any(|name| name == spec.name)) {
            Some(missing) => Err(PresetError::Missing(missing.name)),
            None => Ok(settings),
        }
    }

    /// Sets what a text of the same shape gives, which need not be everything. The names of that.
    pub fn read(&mut self, text: &str) -> Result<Vec<String>, PresetError> {
        let malformed = |what: String| PresetError::Malformed(what);
        let table: toml::Table = text
            .parse()
            .map_err(|error: toml::de::Error| malformed(error.message().to_string()))?;
        let mut given = Vec::new();
        for (group, fields) in &table {
            let fields = fields
                .as_table()
                .ok_or_else(|| malformed(format!("{group} must be a table, [{group}]")))?;
            for (field, value) in fields {
                let name = if field == "form" { group.clone() } else { format!("{group}.{field}") };
                let value = match value {
                    toml::Value::String(text) => text.clone(),
                    toml::Value::Integer(number) => number.to_string(),
                    _ => return Err(malformed(format!("{name} must be a text or a whole number"))),
                };
                self.set(&name, &value)?;
                given.push(name);
            }
        }
        Ok(given)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_complete_and_every_name_is_unique() {
        for preset in PRESETS {
            Settings::preset(preset.name).unwrap();
            assert_eq!(PRESETS.iter().filter(|other| other.name == preset.name).count(), 1);
        }
        let names: Vec<_> = Settings::specs().map(|spec| spec.name).collect();
        for name in &names {
            assert_eq!(names.iter().filter(|other| *other == name).count(), 1, "{name}");
        }
    }

    #[test]
    fn without_cuts_nothing_goes_by_them() {
        for (name, form) in [
            ("probcut", "multi"),
            ("draft_cut", "on"),
            ("reverse_futility", "fitted"),
            ("razoring", "fitted"),
        ] {
            let mut settings = Settings::default();
            settings.set(name, form).unwrap();
            assert!(settings.wants_cuts().any() && settings.is_selective(), "{name}");
            assert_eq!(settings.wants_cuts().pairs, name == "probcut");
            assert!(!settings.without_cuts().wants_cuts().any());
        }
        let mut settings = Settings::default();
        settings.set("probcut_model", "function").unwrap();
        assert!(!settings.wants_cuts().any(), "off, whatever its model");
    }

    #[test]
    fn the_first_preset_is_the_default() {
        assert_eq!(Settings::preset(PRESETS[0].name), Ok(Settings::default()));
    }

    #[test]
    fn a_preset_that_leaves_something_out_is_refused() {
        let complete = PRESETS[0].text;
        let error = Settings::from_toml(&complete.replace("width = 18", "")).unwrap_err();
        assert_eq!(error.to_string(), "preset: aspiration.width is not given");
    }

    #[test]
    fn a_broken_preset_says_what_is_wrong() {
        let refusals = [
            ("table = 3", "preset: table must be a table, [table]"),
            ("[clock]\nsoft = 1.5", "preset: clock.soft must be a text or a whole number"),
            ("[clock]\nsoft = -1", "preset: clock.soft must be from 20 to 300, not -1"),
            (
                "[clock]\nsofd = 60",
                "preset: no parameter is called clock.sofd; did you mean clock.soft?",
            ),
        ];
        for (text, message) in refusals {
            assert_eq!(Settings::from_toml(text).unwrap_err().to_string(), message);
        }
        assert!(matches!(Settings::from_toml("[clock"), Err(PresetError::Malformed(_))));
        let error = Settings::preset("bear").unwrap_err().to_string();
        assert!(
            error.starts_with("no preset is called bear; there are modern, bstar, classic"),
            "{error}"
        );
    }

    #[test]
    fn explicit_settings_overlay_a_preset() {
        let mut settings = Settings::preset("oracle").unwrap();
        settings.set("clock.soft", "70").unwrap();
        assert_eq!(settings.get("table").unwrap().to_string(), "equal");
        assert_eq!(settings.get("clock.soft").unwrap().to_string(), "70");
        assert!(settings.set("table.form", "off").is_err(), "a switch has its group's name");
    }
}
