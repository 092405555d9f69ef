//! An engine described in one line: `secateur preset=bare nodes=5000`,
//! `stockfish tc=8+0.08 option.'Skill Level'=3`.
//!
//! The first word is a program, what follows are its arguments, up to the first `key=value` whose
//! key is known; from there on every word is a setting. The program `secateur` is ours.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

use super::fault::printable;
use super::settings::{EngineSettings, is_known};
use super::words::split;

/// What is wrong with a description, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    column: Option<usize>,
    what: String,
}

impl SpecError {
    pub(super) fn new(what: impl Into<String>) -> SpecError {
        SpecError { column: None, what: what.into() }
    }

    pub(super) fn at(column: usize, what: impl Into<String>) -> SpecError {
        SpecError { column: Some(column), what: what.into() }
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(column) = self.column {
            write!(f, "column {column}: ")?;
        }
        write!(f, "{}", printable(&self.what))
    }
}

impl std::error::Error for SpecError {}

/// Which engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineKind {
    /// This project's own.
    Ours,
    /// Any other program.
    Program {
        /// A path, or a name to be looked for in the usual places.
        program: PathBuf,
        /// Its arguments.
        arguments: Vec<String>,
    },
}

/// An engine as the user described it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// The user's own words, for the record of a run.
    pub text: String,
    /// Which engine.
    pub kind: EngineKind,
    /// What it is told.
    pub settings: EngineSettings,
}

/// The word that means our own engine.
const OURS: &str = "secateur";

impl EngineSpec {
    /// Reads a description.
    pub fn parse(text: &str) -> Result<EngineSpec, SpecError> {
        let words = split(text)?;
        let setting = |text: &str| text.split_once('=').is_some_and(|(key, _)| is_known(key));
        let first = words.first().ok_or_else(|| SpecError::new("no engine is named"))?;
        if first.text.is_empty() || setting(&first.text) {
            let what = format!("an engine begins with its program, not with '{}'", first.text);
            return Err(SpecError::at(first.column, what));
        }
        let ours = first.text == OURS;
        let end = match ours {
            true => 1,
            false => words.iter().position(|word| setting(&word.text)).unwrap_or(words.len()),
        };
        let settings = EngineSettings::from_words(&words[end..], ours)?;
        let kind = match ours {
            true => EngineKind::Ours,
            false => EngineKind::Program {
                program: PathBuf::from(&first.text),
                arguments: words[1..end].iter().map(|word| word.text.clone()).collect(),
            },
        };
        Ok(EngineSpec { text: text.to_string(), kind, settings })
    }

    /// What it is called: as asked for, else after its program.
    pub fn name(&self) -> String {
        let program = match &self.kind {
            EngineKind::Ours => Path::new(OURS),
            EngineKind::Program { program, .. } => program,
        };
        let plain = || program.file_stem().unwrap_or(OsStr::new("engine")).to_string_lossy();
        self.settings.name.clone().unwrap_or_else(|| plain().into_owned())
    }
}

impl EngineSpec {
    /// The words of its description after the program.
    fn words(&self) -> Vec<String> {
        let words = split(&self.text).unwrap_or_default();
        words.into_iter().skip(1).map(|word| word.text).collect()
    }
}

/// Gives every engine what `--each` asks for and its own description leaves open.
pub fn apply_each(engines: &mut [EngineSpec], each: &EngineSettings) -> Result<(), SpecError> {
    let is_ours = |engine: &EngineSpec| engine.kind == EngineKind::Ours;
    if let Some(setting) = each.only_ours()
        && !engines.iter().any(is_ours)
    {
        return Err(SpecError::new(format!(
            "'{setting}' is a setting of {OURS} only, and no engine is {OURS}; \
             an option of the engines is written option.{setting}="
        )));
    }
    for engine in engines {
        let ours = is_ours(engine);
        engine.settings.lay_over(each, ours);
    }
    Ok(())
}

/// The names of engines, told apart. Those that have none of their own and would be called alike are called
/// after what differs in their descriptions, as `secateur preset=classic`; where nothing does, the second of
/// a name gets `#2`, and so on.
pub fn distinct_names(engines: &[EngineSpec]) -> Vec<String> {
    let plain: Vec<String> = engines.iter().map(EngineSpec::name).collect();
    let is_alike = |one: usize, other: usize| {
        let unnamed = |index: usize| engines[index].settings.name.is_none();
        plain[one] == plain[other] && unnamed(one) && unnamed(other)
    };
    let wanted: Vec<String> = (0..engines.len())
        .map(|index| {
            let alike = (0..engines.len()).filter(|other| is_alike(index, *other));
            let alike: Vec<Vec<String>> = alike.map(|other| engines[other].words()).collect();
            let own = |word: &String| !alike.iter().all(|words| words.contains(word));
            let differing = engines[index].words().into_iter().filter(own);
            shortened([plain[index].clone()].into_iter().chain(differing))
        })
        .collect();
    let mut names: Vec<String> = Vec::new();
    for (index, name) in wanted.iter().enumerate() {
        let taken = |name: &String| names.contains(name) || wanted[index + 1..].contains(name);
        let distinct = match names.contains(name) {
            false => name.clone(),
            true => {
                (2..).map(|n| format!("{name}#{n}")).find(|name| !taken(name)).unwrap_or_default()
            }
        };
        names.push(distinct);
    }
    names
}

/// As many of the words as a name has room for, the first in any case.
fn shortened(words: impl Iterator<Item = String>) -> String {
    const ROOM: usize = 48;
    let mut name = String::new();
    for word in words {
        if name.is_empty() {
            name = word;
        } else if name.chars().count() + 1 + word.chars().count() <= ROOM {
            name = name + " " + &word;
        } else {
            return name + " ...";
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::super::limit::GivenLimits;
    use super::*;

    fn spec(text: &str) -> EngineSpec {
        EngineSpec::parse(text).unwrap()
    }

    fn error(text: &str) -> String {
        EngineSpec::parse(text).unwrap_err().to_string()
    }

    fn program(spec: &EngineSpec) -> (&str, Vec<&str>) {
        match &spec.kind {
            EngineKind::Ours => ("secateur", Vec::new()),
            EngineKind::Program { program, arguments } => {
                (program.to_str().unwrap(), arguments.iter().map(String::as_str).collect())
            }
        }
    }

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.to_string(), value.to_string())
    }

    #[test]
    fn words_before_the_first_known_key_are_arguments() {
        let engine = spec("gnuchess --uci a=b order.x=1 name=Gnu tc=8+0.08");
        assert_eq!(program(&engine), ("gnuchess", vec!["--uci", "a=b", "order.x=1"]));
        assert_eq!(engine.name(), "Gnu");
        assert_eq!(engine.settings.limits.complete().unwrap().to_string(), "tc=8+0.08");
        assert_eq!(engine.text, "gnuchess --uci a=b order.x=1 name=Gnu tc=8+0.08");
    }

    #[test]
    fn every_setting_has_its_place() {
        let engine = spec(
            "'/opt/my engines/x.exe' nodes=5 depth=6 movetime=70 threads=2 hash=64 proto=uci \
             dir='/opt/my data' option.'Move Overhead'=30 \"option.Log File=\"",
        );
        assert_eq!(program(&engine), ("/opt/my engines/x.exe", vec![]));
        assert_eq!(engine.name(), "x");
        let settings = &engine.settings;
        let limit = settings.limits.complete().unwrap().to_string();
        assert_eq!(limit, "movetime=70 nodes=5 depth=6");
        assert_eq!((settings.threads, settings.hash), (Some(2), Some(64)));
        assert_eq!(settings.directory.as_deref(), Some(Path::new("/opt/my data")));
        assert_eq!(settings.options, [pair("Move Overhead", "30"), pair("Log File", "")]);
    }

    #[test]
    fn ours_takes_a_preset_and_any_parameter() {
        let engine =
            spec("secateur preset=bare quiescence=off order.bonus_slope=120 nodes=5 eval=plain");
        assert_eq!(engine.kind, EngineKind::Ours);
        assert_eq!(engine.settings.eval.as_deref(), Some("plain"));
        assert_eq!(engine.settings.preset.as_deref(), Some("bare"));
        let parameters = [pair("quiescence", "off"), pair("order.bonus_slope", "120")];
        assert_eq!(engine.settings.parameters, parameters);
        assert_eq!(engine.name(), "secateur");
        // Another's program of that name is reached by its path.
        assert_ne!(spec("./secateur").kind, EngineKind::Ours);
    }

    #[test]
    fn what_cannot_be_understood_is_named_and_placed() {
        assert_eq!(error("  "), "no engine is named");
        assert_eq!(
            error("tc=1+1 x"),
            "column 1: an engine begins with its program, not with 'tc=1+1'"
        );
        assert_eq!(error("x tc=1+1 fast"), "column 10: 'fast' is not of the form key=value");
        assert_eq!(error("secateur fast"), "column 10: 'fast' is not of the form key=value");
        assert_eq!(
            error("x tc=1+1 Hash=4"),
            "column 10: 'Hash' is no setting; an option of the engine is written option.Hash="
        );
        assert_eq!(error("x nodes=0"), "column 3: nodes: '0' is not a whole number from 1");
        assert_eq!(error("x nodes=-1"), "column 3: nodes: '-1' is not a whole number from 1");
        assert_eq!(error("x depth=9999999999"), "column 3: depth: 9999999999 is too large");
        assert_eq!(error("x name="), "column 3: name: a value is missing");
        assert_eq!(error("x nodes=1 nodes=2"), "column 11: nodes is given twice");
        assert_eq!(error("x proto=xboard"), "column 3: proto: only uci is spoken, not 'xboard'");
        assert!(error("x tc=fast").starts_with("column 3: tc: a time control is "));
        assert_eq!(error("secateur =3"), "column 10: '=3' has no name before the =");
        assert_eq!(error("x name='a b"), "column 8: a ' that is not closed");
    }

    #[test]
    fn what_each_gives_lies_below_the_engines_own() {
        let mut engines =
            [spec("x nodes=7 option.hash=1"), spec("secateur preset=oracle order.a=1")];
        let each = "nodes=5 depth=3 option.Hash=2 option.Z=3 preset=bare order.a=2 order.b=2";
        apply_each(&mut engines, &EngineSettings::parse(each).unwrap()).unwrap();
        let [theirs, ours] = engines.map(|engine| engine.settings);
        let limits = GivenLimits { nodes: Some(7), depth: Some(3), ..GivenLimits::default() };
        assert_eq!(theirs.limits, limits);
        assert_eq!(theirs.options, [pair("Z", "3"), pair("hash", "1")]);
        assert_eq!((theirs.preset, theirs.parameters), (None, vec![]));
        assert_eq!(ours.preset.as_deref(), Some("oracle"));
        assert_eq!(ours.parameters, [pair("order.b", "2"), pair("order.a", "1")]);
    }

    #[test]
    fn each_cannot_ask_for_what_nobody_understands() {
        let each = EngineSettings::parse("nods=5").unwrap();
        let what = apply_each(&mut [spec("x")], &each).unwrap_err().to_string();
        assert!(what.starts_with("'nods' is a setting of secateur only"), "{what}");
        let name = EngineSettings::parse("name=a").unwrap_err();
        assert_eq!(name.to_string(), "a name cannot be given to every engine");
    }

    #[test]
    fn engines_without_a_name_are_called_after_what_differs() {
        let names = |texts: &[&str]| {
            distinct_names(&texts.iter().map(|text| spec(text)).collect::<Vec<_>>())
        };
        assert_eq!(
            names(&["secateur nodes=5", "secateur nodes=5 preset=classic"]),
            ["secateur", "secateur preset=classic"]
        );
        assert_eq!(
            names(&["secateur delta=off", "secateur delta=on", "x", "secateur name=y delta=on"]),
            ["secateur delta=off", "secateur delta=on", "x", "y"]
        );
        assert_eq!(names(&["secateur", "secateur"]), ["secateur", "secateur#2"]);
        let long = format!("secateur eval={}", "a".repeat(60));
        assert_eq!(names(&["secateur", &long]), ["secateur", "secateur ..."]);
    }

    #[test]
    fn engines_of_one_name_are_told_apart() {
        let engines = ["a", "a name=b", "a", "x name=a#2", "a"].map(spec);
        assert_eq!(distinct_names(&engines), ["a", "b", "a#3", "a#2", "a#4"]);
    }
}
