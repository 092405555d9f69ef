//! The `key=value` words of an engine's description: what it is told before a game.

use std::path::PathBuf;
use std::time::Duration;

use super::limit::{self, GivenLimits, LimitError, TimeControl};
use super::spec::SpecError;
use super::words::{Word, split};

/// What an engine, or every engine, is told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineSettings {
    /// What it is called in reports.
    pub name: Option<String>,
    /// How long it thinks.
    pub limits: GivenLimits,
    /// Options of the protocol, in the order given.
    pub options: Vec<(String, String)>,
    /// Search threads.
    pub threads: Option<u32>,
    /// Mebibytes of table.
    pub hash: Option<u64>,
    /// Where a program is started.
    pub directory: Option<PathBuf>,
    /// Ours only: the preset.
    pub preset: Option<String>,
    /// Ours only: the weights of the evaluation, a file or a name.
    pub eval: Option<String>,
    /// Ours only: the table of probabilistic cuts, a file.
    pub cuts: Option<String>,
    /// Ours only: the table of ranks, a file.
    pub ranks: Option<String>,
    /// Ours only: the table of reductions, a file.
    pub reductions: Option<String>,
    /// Ours only: the table of probabilities of B\*'s leaves, a file.
    pub odds: Option<String>,
    /// Ours only: switches and parameters, in the order given.
    pub parameters: Vec<(String, String)>,
}

const OPTION: &str = "option.";

/// Whether `key=` is a setting of every engine.
pub(super) fn is_known(key: &str) -> bool {
    let keys = ["name", "tc", "nodes", "depth", "movetime", "threads", "hash", "proto", "dir"];
    keys.contains(&key) || (key.starts_with(OPTION) && key.len() > OPTION.len())
}

impl EngineSettings {
    /// Reads what `--each` gives to all engines.
    pub fn parse(text: &str) -> Result<EngineSettings, SpecError> {
        let settings = EngineSettings::from_words(&split(text)?, true)?;
        match settings.name {
            Some(_) => Err(SpecError::new("a name cannot be given to every engine")),
            None => Ok(settings),
        }
    }

    /// Reads words that are all settings. `ours`: presets and parameters have a meaning.
    pub(super) fn from_words(words: &[Word], ours: bool) -> Result<EngineSettings, SpecError> {
        let mut settings = EngineSettings::default();
        let mut given: Vec<&str> = Vec::new();
        for word in words {
            let wrong = |what: String| SpecError::at(word.column, what);
            let (key, value) = word
                .text
                .split_once('=')
                .ok_or_else(|| wrong(format!("'{}' is not of the form key=value", word.text)))?;
            if key.is_empty() || key == OPTION {
                return Err(wrong(format!("'{}' has no name before the =", word.text)));
            }
            if given.contains(&key) {
                return Err(wrong(format!("{key} is given twice")));
            }
            if !ours && !is_known(key) {
                return Err(wrong(format!(
                    "'{key}' is no setting; an option of the engine is written option.{key}="
                )));
            }
            settings.set(key, value).map_err(|what| wrong(format!("{key}: {what}")))?;
            given.push(key);
        }
        Ok(settings)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let count = |value: &str| limit::count(value).map_err(|error| error.to_string());
        let small = |value: &str| {
            let beyond = |_| LimitError::Large(value.to_string()).to_string();
            count(value).and_then(|number| u32::try_from(number).map_err(beyond))
        };
        if value.is_empty() && !key.starts_with(OPTION) {
            return Err("a value is missing".to_string());
        }
        match key {
            "name" => self.name = Some(value.to_string()),
            "tc" => {
                let clock = TimeControl::parse(value).map_err(|error| error.to_string())?;
                self.limits.clock = Some(clock);
            }
            "nodes" => self.limits.nodes = Some(count(value)?),
            "depth" => self.limits.depth = Some(small(value)?),
            "movetime" => {
                self.limits.move_time = Some(Duration::from_millis(small(value)?.into()));
            }
            "threads" => self.threads = Some(small(value)?),
            "hash" => self.hash = Some(count(value)?),
            "proto" if value == "uci" => {}
            "proto" => return Err(format!("only uci is spoken, not '{value}'")),
            "dir" => self.directory = Some(PathBuf::from(value)),
            "preset" => self.preset = Some(value.to_string()),
            "eval" => self.eval = Some(value.to_string()),
            "cuts" => self.cuts = Some(value.to_string()),
            "ranks" => self.ranks = Some(value.to_string()),
            "reductions" => self.reductions = Some(value.to_string()),
            "odds" => self.odds = Some(value.to_string()),
            _ => {
                let pair = |name: &str| (name.to_string(), value.to_string());
                match key.strip_prefix(OPTION) {
                    Some(option) => self.options.push(pair(option)),
                    None => self.parameters.push(pair(key)),
                }
            }
        }
        Ok(())
    }

    /// These, and what they leave open from below. What is ours only is taken if `ours`.
    pub(super) fn lay_over(&mut self, below: &EngineSettings, ours: bool) {
        fn merge(own: &mut Vec<(String, String)>, below: &[(String, String)]) {
            let open = |(name, _): &&(String, String)| {
                !own.iter().any(|(own, _)| own.eq_ignore_ascii_case(name))
            };
            let open: Vec<_> = below.iter().filter(open).cloned().collect();
            own.splice(0..0, open);
        }
        self.limits = self.limits.over(below.limits);
        self.threads = self.threads.or(below.threads);
        self.hash = self.hash.or(below.hash);
        if self.directory.is_none() {
            self.directory.clone_from(&below.directory);
        }
        merge(&mut self.options, &below.options);
        if ours {
            if self.preset.is_none() {
                self.preset.clone_from(&below.preset);
            }
            if self.eval.is_none() {
                self.eval.clone_from(&below.eval);
            }
            if self.cuts.is_none() {
                self.cuts.clone_from(&below.cuts);
            }
            if self.ranks.is_none() {
                self.ranks.clone_from(&below.ranks);
            }
            if self.reductions.is_none() {
                self.reductions.clone_from(&below.reductions);
            }
            if self.odds.is_none() {
                self.odds.clone_from(&below.odds);
            }
            merge(&mut self.parameters, &below.parameters);
        }
    }

    /// Something in it that only our engine understands.
    pub(super) fn only_ours(&self) -> Option<&str> {
        let parameter = self.parameters.first().map(|(name, _)| name.as_str());
        let preset = self.preset.as_ref().map(|_| "preset");
        let files = [
            (&self.eval, "eval"),
            (&self.cuts, "cuts"),
            (&self.ranks, "ranks"),
            (&self.reductions, "reductions"),
            (&self.odds, "odds"),
        ];
        let file = files.iter().find_map(|(file, name)| file.as_ref().map(|_| *name));
        preset.or(file).or(parameter)
    }
}
