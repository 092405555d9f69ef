//! What can be set through the protocol, and what is in force.
//!
//! Only options with a meaning are listed. Every switch and parameter of the program can be set
//! by its name at any time; they are listed when `ShowParams` is on, so that a board program's
//! dialogue is not flooded.

use secateur_games::playable::{Playable, TablesWanted};
use secateur_games::strength::{self, Strength};
use secateur_lab::cuts_file;
use secateur_lab::weights_file::EMBEDDED;
use secateur_search::alphabeta::engine::DEFAULT_TABLE;
use secateur_search::notation::quoted;
use secateur_search::params::{SetError, nearest};
use secateur_search::preset::{PRESETS, PresetError};
use secateur_search::{Kind, Settings, Spec};
use secateur_search::{Overlay, overlay::Unserved};

/// The values of all options.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Values {
    hash: i64,
    threads: i64,
    multi_pv: i64,
    move_overhead: i64,
    chess960: bool,
    ponder: bool,
    show_wdl: bool,
    limit_strength: bool,
    elo: i64,
    tables: TablesWanted,
    eval_file: String,
    cuts_file: String,
    ranks_file: String,
    reductions_file: String,
    odds_file: String,
    show_params: bool,
    overlay: Overlay,
}

/// The options, now and as the program was started: what was in force then is the default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    start: Values,
    now: Values,
}

/// What the engine must be told after an option was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing: the next search reads the value.
    None,
    /// A table of so many mebibytes.
    Table(usize),
    /// So many threads.
    Threads(usize),
    /// An empty table.
    ClearTable,
    /// Other tablebases, or other rules for them.
    Tablebases,
    /// Other weights of the evaluation.
    Weights,
    /// Another table of cuts.
    Cuts,
    /// Another table of ranks.
    Ranks,
    /// Another table of reductions.
    Reductions,
    /// Another table of probabilities.
    Odds,
}

/// Why an option could not be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// There is none of that name.
    #[error("no option is called {}{}", quoted(.name), .nearest.map(|nearest| format!("; did you mean {nearest}?")).unwrap_or_default())]
    Unknown {
        /// What was asked for.
        name: String,
        /// A name much like it.
        nearest: Option<&'static str>,
    },
    /// The game cannot serve it.
    #[error("{0}")]
    Unserved(#[from] Unserved),
    /// It needs a value.
    #[error("{0} needs a value")]
    Missing(String),
    /// It is on or off.
    #[error("{name} is true or false, not {}", quoted(.value))]
    NotACheck {
        /// The option.
        name: &'static str,
        /// What was given.
        value: String,
    },
    /// It is a number within limits.
    #[error("{name} is a whole number from {min} to {max}, not {}", quoted(.value))]
    NotASpin {
        /// The option.
        name: &'static str,
        /// The least.
        min: i64,
        /// The most.
        max: i64,
        /// What was given.
        value: String,
    },
    /// It was started for another game.
    #[error("{VARIANT} is {game}, not {}: the game is chosen at the start", quoted(.value))]
    OtherGame {
        /// The game that it plays.
        game: &'static str,
        /// The one that was asked for.
        value: String,
    },
    /// A preset was refused.
    #[error(transparent)]
    Preset(#[from] PresetError),
    /// A parameter was refused.
    #[error(transparent)]
    Parameter(SetError),
}

/// A number with its limits.
struct Spin {
    name: &'static str,
    min: i64,
    max: i64,
}

const HASH: Spin = Spin { name: "Hash", min: 1, max: 65_536 };
const THREADS: Spin = Spin { name: "Threads", min: 1, max: 256 };
const MULTI_PV: Spin = Spin { name: "MultiPV", min: 1, max: 256 };
const MOVE_OVERHEAD: Spin = Spin { name: "Move Overhead", min: 0, max: 5_000 };
const SYZYGY_LIMIT: Spin =
    Spin { name: "SyzygyProbeLimit", min: 0, max: TablesWanted::MOST_MEN as i64 };
const SYZYGY_PATH: &str = "SyzygyPath";
const SYZYGY_FIFTY: &str = "Syzygy50MoveRule";
const CLEAR_HASH: &str = "Clear Hash";
/// Which game is played: to be seen by whoever plays others than chess, and never another than it is.
const VARIANT: &str = "UCI_Variant";
/// The game that goes without saying.
const CHESS: &str = "chess";
const CHESS960: &str = "UCI_Chess960";
const PONDER: &str = "Ponder";
const SHOW_WDL: &str = "UCI_ShowWDL";
const LIMIT_STRENGTH: &str = "UCI_LimitStrength";
/// On the scale of every game.
const DEFAULT_ELO: i64 = 1_500;
const ELO: &str = "UCI_Elo";
const EVAL_FILE: &str = "EvalFile";
const CUTS_FILE: &str = "CutsFile";
const RANKS_FILE: &str = "RanksFile";
const REDUCTIONS_FILE: &str = "ReductionsFile";
const ODDS_FILE: &str = "OddsFile";
const PRESET: &str = "Preset";
const SHOW_PARAMS: &str = "ShowParams";
/// The one switch that every board program is shown.
const SEARCH: &str = "Search";

/// Every option that is no parameter.
const NAMES: [&str; 20] = [
    HASH.name,
    THREADS.name,
    MULTI_PV.name,
    MOVE_OVERHEAD.name,
    SYZYGY_LIMIT.name,
    SYZYGY_PATH,
    SYZYGY_FIFTY,
    CLEAR_HASH,
    VARIANT,
    CHESS960,
    PONDER,
    SHOW_WDL,
    LIMIT_STRENGTH,
    ELO,
    EVAL_FILE,
    CUTS_FILE,
    RANKS_FILE,
    REDUCTIONS_FILE,
    PRESET,
    SHOW_PARAMS,
];

/// Between the ends of the game's measured scale.
fn elo<G: Playable>() -> Spin {
    let (min, max) = strength::range(G::STRENGTHS);
    Spin { name: ELO, min: min.into(), max: max.into() }
}

impl Options {
    /// The options of a program started with these settings.
    pub fn new(overlay: Overlay) -> Options {
        let start = Values {
            hash: DEFAULT_TABLE as i64,
            threads: 1,
            multi_pv: 1,
            move_overhead: 10,
            chess960: false,
            ponder: false,
            show_wdl: false,
            limit_strength: false,
            elo: DEFAULT_ELO,
            tables: TablesWanted::all_in("<empty>"),
            eval_file: EMBEDDED.to_string(),
            cuts_file: cuts_file::EMBEDDED.to_string(),
            ranks_file: cuts_file::EMBEDDED.to_string(),
            reductions_file: cuts_file::EMBEDDED.to_string(),
            odds_file: cuts_file::EMBEDDED.to_string(),
            show_params: false,
            overlay,
        };
        Options { now: start.clone(), start }
    }

    /// How many best lines are wanted.
    pub fn multi_pv(&self) -> usize {
        self.now.multi_pv as usize
    }

    /// Milliseconds lost on the way to and from the referee.
    pub fn move_overhead(&self) -> i64 {
        self.now.move_overhead
    }

    /// Whether castling is written as king takes rook.
    pub fn chess960(&self) -> bool {
        self.now.chess960
    }

    /// Whether the answer names the reply to ponder on.
    pub fn ponder(&self) -> bool {
        self.now.ponder
    }

    /// Whether scores are told as chances too.
    pub fn show_wdl(&self) -> bool {
        self.now.show_wdl
    }

    /// How strong to play; `None` for as strong as it can.
    pub fn strength<G: Playable>(&self) -> Option<Strength> {
        self.now.limit_strength.then(|| Strength::of::<G>(self.now.elo as i32))
    }

    /// Which tablebases are wanted.
    pub fn tables(&self) -> &TablesWanted {
        &self.now.tables
    }

    /// The file with the weights of the evaluation.
    pub fn eval_file(&self) -> &str {
        &self.now.eval_file
    }

    /// The file with the table of cuts.
    pub fn cuts_file(&self) -> &str {
        &self.now.cuts_file
    }

    /// The file with the table of ranks.
    pub fn ranks_file(&self) -> &str {
        &self.now.ranks_file
    }

    /// The file with the table of reductions.
    pub fn reductions_file(&self) -> &str {
        &self.now.reductions_file
    }

    /// The file of the table of probabilities of B\*'s leaves.
    pub fn odds_file(&self) -> &str {
        &self.now.odds_file
    }

    /// The switches and parameters in force.
    pub fn settings(&self) -> &Settings {
        self.now.overlay.in_force()
    }

    /// Sets an option or parameter; case does not matter. On an error nothing changes.
    pub fn set<G: Playable>(
        &mut self,
        name: &str,
        value: Option<&str>,
    ) -> Result<Change, OptionError> {
        let before = self.now.overlay.clone();
        let given = || value.ok_or_else(|| OptionError::Missing(name.to_string()));
        let is = |option: &str| option.eq_ignore_ascii_case(name);
        if is(HASH.name) {
            self.now.hash = HASH.read(given()?)?;
            return Ok(Change::Table(self.now.hash as usize));
        } else if is(THREADS.name) {
            self.now.threads = THREADS.read(given()?)?;
            return Ok(Change::Threads(self.now.threads as usize));
        } else if is(VARIANT) && G::NAME != CHESS {
            let game = given()?;
            if !game.eq_ignore_ascii_case(G::NAME) {
                return Err(OptionError::OtherGame { game: G::NAME, value: game.to_string() });
            }
        } else if is(CLEAR_HASH) {
            return Ok(Change::ClearTable);
        } else if is(MULTI_PV.name) {
            self.now.multi_pv = MULTI_PV.read(given()?)?;
        } else if is(MOVE_OVERHEAD.name) {
            self.now.move_overhead = MOVE_OVERHEAD.read(given()?)?;
        } else if G::HAS_CHESS960 && is(CHESS960) {
            self.now.chess960 = check(CHESS960, given()?)?;
        } else if is(PONDER) {
            self.now.ponder = check(PONDER, given()?)?;
        } else if is(SHOW_WDL) {
            self.now.show_wdl = check(SHOW_WDL, given()?)?;
        } else if is(LIMIT_STRENGTH) {
            self.now.limit_strength = check(LIMIT_STRENGTH, given()?)?;
        } else if is(elo::<G>().name) {
            self.now.elo = elo::<G>().read(given()?)?;
        } else if G::HAS_TABLEBASES && is(SYZYGY_PATH) {
            // Without a value it is taken back.
            self.now.tables.path = value.unwrap_or_default().to_string();
            return Ok(Change::Tablebases);
        } else if G::HAS_TABLEBASES && is(SYZYGY_LIMIT.name) {
            self.now.tables.men = SYZYGY_LIMIT.read(given()?)? as u32;
            return Ok(Change::Tablebases);
        } else if G::HAS_TABLEBASES && is(SYZYGY_FIFTY) {
            self.now.tables.fifty_moves = check(SYZYGY_FIFTY, given()?)?;
            return Ok(Change::Tablebases);
        } else if is(EVAL_FILE) {
            // Without a value it is taken back.
            self.now.eval_file = value.unwrap_or_default().to_string();
            return Ok(Change::Weights);
        } else if is(CUTS_FILE) {
            self.now.cuts_file = value.unwrap_or_default().to_string();
            return Ok(Change::Cuts);
        } else if is(RANKS_FILE) {
            self.now.ranks_file = value.unwrap_or_default().to_string();
            return Ok(Change::Ranks);
        } else if is(REDUCTIONS_FILE) {
            self.now.reductions_file = value.unwrap_or_default().to_string();
            return Ok(Change::Reductions);
        } else if is(ODDS_FILE) {
            self.now.odds_file = value.unwrap_or_default().to_string();
            return Ok(Change::Odds);
        } else if is(SHOW_PARAMS) {
            self.now.show_params = check(SHOW_PARAMS, given()?)?;
        } else if is(PRESET) {
            self.now.overlay.choose(given()?)?;
        } else {
            // Asked with an empty value, so that an unknown name is called unknown before a
            // missing value is missed.
            match self.now.overlay.set(name, value.unwrap_or_default()) {
                Ok(()) => {}
                Err(SetError::Unknown { name, .. }) => {
                    let parameters = Settings::specs().map(|spec| spec.name);
                    let nearest = nearest(&name, NAMES.into_iter().chain(parameters));
                    return Err(OptionError::Unknown { name, nearest });
                }
                Err(_) if value.is_none() => return Err(OptionError::Missing(name.to_string())),
                Err(refused) => return Err(OptionError::Parameter(refused)),
            }
        }
        if let Err(unserved) = self.now.overlay.served_by::<G>() {
            self.now.overlay = before;
            return Err(OptionError::Unserved(unserved));
        }
        Ok(Change::None)
    }

    /// The `option` lines of the answer to `uci`.
    pub fn list<G: Playable>(&self) -> Vec<String> {
        let check =
            |name: &str, default| format!("option name {name} type check default {default}");
        let start = &self.start;
        let mut lines = vec![
            HASH.listed(start.hash),
            THREADS.listed(start.threads),
            format!("option name {CLEAR_HASH} type button"),
            MULTI_PV.listed(start.multi_pv),
            MOVE_OVERHEAD.listed(start.move_overhead),
        ];
        if G::HAS_CHESS960 {
            lines.push(check(CHESS960, self.start.chess960));
        }
        if G::NAME != CHESS {
            lines.push(combo(VARIANT, G::NAME, [G::NAME].into_iter()));
        }
        lines.push(check(PONDER, self.start.ponder));
        lines.push(check(SHOW_WDL, start.show_wdl));
        lines.push(check(LIMIT_STRENGTH, start.limit_strength));
        lines.push(elo::<G>().listed(start.elo));
        if G::HAS_TABLEBASES {
            let TablesWanted { path, men, fifty_moves } = &start.tables;
            lines.push(format!("option name {SYZYGY_PATH} type string default {path}"));
            lines.push(SYZYGY_LIMIT.listed((*men).into()));
            lines.push(check(SYZYGY_FIFTY, *fifty_moves));
        }
        lines.push(format!("option name {EVAL_FILE} type string default {}", start.eval_file));
        lines.push(format!("option name {CUTS_FILE} type string default {}", start.cuts_file));
        lines.push(format!("option name {RANKS_FILE} type string default {}", start.ranks_file));
        let reductions = &start.reductions_file;
        lines.push(format!("option name {REDUCTIONS_FILE} type string default {reductions}"));
        lines.push(format!("option name {ODDS_FILE} type string default {}", start.odds_file));
        let presets = PRESETS.iter().map(|preset| preset.name);
        lines.push(combo(PRESET, self.start.overlay.preset(), presets));
        lines.extend(self.parameters(is_search).map(|line| {
            // As options of the protocol are written; case does not matter.
            line.replacen(" search ", &format!(" {SEARCH} "), 1)
        }));
        lines.push(check(SHOW_PARAMS, self.start.show_params));
        if self.now.show_params {
            lines.extend(self.parameters(|spec| !is_search(spec)));
        }
        lines
    }

    fn parameters(&self, which: impl Fn(&Spec) -> bool) -> impl Iterator<Item = String> {
        let settings = self.start.overlay.in_force();
        Settings::specs().filter(move |spec| which(spec)).map(|spec| {
            let default = settings.get(spec.name).unwrap_or(spec.kind.default()).to_string();
            match spec.kind {
                Kind::Switch { forms, .. } => combo(spec.name, &default, forms.iter().copied()),
                Kind::Number { min, max, .. } => {
                    format!(
                        "option name {} type spin default {default} min {min} max {max}",
                        spec.name
                    )
                }
            }
        })
    }
}

fn is_search(spec: &Spec) -> bool {
    spec.name.eq_ignore_ascii_case(SEARCH)
}

impl Spin {
    fn read(&self, value: &str) -> Result<i64, OptionError> {
        let Spin { name, min, max } = *self;
        match value.trim().parse() {
            Ok(number) if (min..=max).contains(&number) => Ok(number),
            _ => Err(OptionError::NotASpin { name, min, max, value: value.to_string() }),
        }
    }

    fn listed(&self, default: i64) -> String {
        let Spin { name, min, max } = self;
        format!("option name {name} type spin default {default} min {min} max {max}")
    }
}

fn combo<'a>(name: &str, default: &str, choices: impl Iterator<Item = &'a str>) -> String {
    let mut line = format!("option name {name} type combo default {default}");
    choices.for_each(|choice| line += &format!(" var {choice}"));
    line
}

fn check(name: &'static str, value: &str) -> Result<bool, OptionError> {
    match value.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(OptionError::NotACheck { name, value: value.to_string() }),
    }
}

#[cfg(all(test, feature = "chess"))]
mod tests {
    use super::*;
    use secateur_games::chess::Chess;
    use secateur_search::alphabeta::choice::SearchForm;

    fn options() -> Options {
        Options::new(Overlay::default())
    }

    #[test]
    fn parameters_are_listed_only_when_asked_for_but_can_always_be_set() {
        let mut options = options();
        options.set::<Chess>("CLOCK.soft", Some("70")).unwrap();
        assert_eq!(options.settings().clock.soft, 70);
        let short = options.list::<Chess>();
        options.set::<Chess>("showparams", Some("True")).unwrap();
        let long = options.list::<Chess>();
        // The choice of the search is always listed.
        assert_eq!(long.len(), short.len() + Settings::specs().count() - 1);
        assert_eq!(long[..short.len()], short);
        let usual = Settings::default().clock.soft;
        let soft = format!("option name clock.soft type spin default {usual} min 20 max 300");
        assert!(long.contains(&soft));
        assert!(
            long.contains(&"option name draws type combo default on var off var on".to_string())
        );
    }

    #[test]
    fn the_search_is_chosen_by_an_option_of_its_own() {
        let mut options = options();
        let listed = "option name Search type combo default alphabeta var alphabeta var bstar";
        assert!(options.list::<Chess>().contains(&listed.to_string()));
        options.set::<Chess>("Search", Some("bstar")).unwrap();
        assert_eq!(options.settings().search.form, SearchForm::Bstar);
        let error = options.set::<Chess>("Search", Some("mcts")).unwrap_err().to_string();
        assert_eq!(error, "search must be one of alphabeta, bstar, not 'mcts'");
    }

    #[test]
    fn every_listed_option_can_be_set_to_its_default() {
        let mut options = options();
        options.set::<Chess>(SHOW_PARAMS, Some("true")).unwrap();
        for line in options.list::<Chess>() {
            let (name, kind) = line
                .strip_prefix("option name ")
                .and_then(|rest| rest.split_once(" type "))
                .expect(&line);
            let default = kind.split_once(" default ").and_then(|(_, rest)| rest.split(' ').next());
            assert_eq!(default.is_none(), kind == "button", "{line}");
            options.set::<Chess>(name, default).expect(&line);
        }
        assert!(!options.chess960() && !options.ponder());
    }

    #[test]
    fn strength_is_limited_only_if_both_options_say_so() {
        let mut options = options();
        options.set::<Chess>("UCI_Elo", Some("1800")).unwrap();
        assert_eq!(options.strength::<Chess>(), None);
        options.set::<Chess>("UCI_LimitStrength", Some("true")).unwrap();
        assert_eq!(options.strength::<Chess>(), Some(Strength::of::<Chess>(1_800)));
    }

    #[test]
    fn a_refused_option_changes_nothing_and_says_why() {
        let before = options();
        let mut options = before.clone();
        let cases = [
            ("Hash", Some("0"), "Hash is a whole number from 1 to 65536, not '0'"),
            ("Hush", Some("16"), "no option is called 'Hush'; did you mean Hash?"),
            ("Threads", Some("two"), "Threads is a whole number from 1 to 256, not 'two'"),
            ("clock.sofd", Some("1"), "no option is called 'clock.sofd'; did you mean clock.soft?"),
            ("Hassh", Some("1"), "no option is called 'Hassh'; did you mean Hash?"),
            ("clock.sofd", None, "no option is called 'clock.sofd'; did you mean clock.soft?"),
            ("Ponder", None, "Ponder needs a value"),
            ("UCI_Elo", Some("999"), "UCI_Elo is a whole number from 1000 to 2500, not '999'"),
            ("UCI_LimitStrength", Some("1500"), "UCI_LimitStrength is true or false, not '1500'"),
            ("clock.soft", None, "clock.soft needs a value"),
            ("UCI_Chess960", Some("yes"), "UCI_Chess960 is true or false, not 'yes'"),
            ("clock.soft", Some("x"), "clock.soft must be a whole number, not 'x'"),
        ];
        for (name, value, message) in cases {
            let error = options.set::<Chess>(name, value).unwrap_err();
            assert_eq!(error.to_string(), message);
        }
        assert!(matches!(
            options.set::<Chess>("Preset", Some("best")),
            Err(OptionError::Preset(PresetError::Unknown { .. }))
        ));
        assert_eq!(options, before);
    }
}
