//! Everything that is needed to start an engine, and to start it again.

use std::path::{Path, PathBuf, absolute};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::spec::{EngineKind, EngineSpec};
use crate::weights_file::from_everywhere;

/// How long an engine is waited for when it is not thinking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// From its start to `uciok`: some load large files first.
    pub start: Duration,
    /// From `isready` to `readyok`: some clear a large table first.
    pub ready: Duration,
    /// From `stop` to `bestmove`.
    pub stop: Duration,
    /// From `quit` to its end.
    pub quit: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            start: Duration::from_secs(30),
            ready: Duration::from_secs(30),
            stop: Duration::from_secs(2),
            quit: Duration::from_millis(500),
        }
    }
}

/// How an engine is started.
#[derive(Clone, Debug)]
pub struct Launch {
    /// What it is called in reports.
    pub name: String,
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Where it runs; here if `None`.
    pub directory: Option<PathBuf>,
    /// The game that it must play; any if `None`.
    pub game: Option<&'static str>,
    /// What it is told before `uci`.
    pub prelude: Vec<String>,
    /// Search threads. Of an engine that does not offer the option one is assumed.
    pub threads: Option<u32>,
    /// Mebibytes of table. Ignored, with a warning, by an engine that does not offer the option.
    pub hash: Option<u64>,
    /// Options, set in this order.
    pub options: Vec<(String, String)>,
    /// How long it is waited for.
    pub patience: Patience,
    /// Once this is true every wait ends soon, with
    /// [`Interrupted`](super::FaultKind::Interrupted).
    pub interrupt: Arc<AtomicBool>,
}

impl Launch {
    /// A program with nothing set.
    pub fn new(name: impl Into<String>, program: impl Into<PathBuf>) -> Launch {
        Launch {
            name: name.into(),
            program: program.into(),
            arguments: Vec::new(),
            directory: None,
            game: None,
            prelude: Vec::new(),
            threads: None,
            hash: None,
            options: Vec::new(),
            patience: Patience::default(),
            interrupt: Arc::default(),
        }
    }

    /// An engine as the user described it, under this name. `ours` is where our own program is.
    ///
    /// Every engine gets one thread unless something else is asked for: defaults differ, and two
    /// threads against one measure nothing.
    pub fn from_spec(spec: &EngineSpec, name: impl Into<String>, ours: &Path) -> Launch {
        let settings = &spec.settings;
        let pair = |name: &str, value: &str| (name.to_string(), value.to_string());
        let mut launch = match &spec.kind {
            EngineKind::Program { program, arguments } => {
                Launch { arguments: arguments.clone(), ..Launch::new(name, program) }
            }
            EngineKind::Ours => Launch {
                // Parameters can be checked only if they are listed.
                prelude: vec!["setoption name ShowParams value true".to_string()],
                ..Launch::new(name, ours)
            },
        };
        launch.directory.clone_from(&settings.directory);
        launch.hash = settings.hash;
        let by_option = settings.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(THREADS));
        launch.threads = settings.threads.or((!by_option).then_some(1));
        // A preset sets every parameter, so it comes before them.
        launch.options.extend(settings.preset.iter().map(|preset| pair("Preset", preset)));
        launch
            .options
            .extend(settings.eval.iter().map(|path| pair("EvalFile", &from_everywhere(path))));
        launch
            .options
            .extend(settings.cuts.iter().map(|path| pair("CutsFile", &from_everywhere(path))));
        launch
            .options
            .extend(settings.ranks.iter().map(|path| pair("RanksFile", &from_everywhere(path))));
        let reductions = settings.reductions.iter();
        launch
            .options
            .extend(reductions.map(|path| pair("ReductionsFile", &from_everywhere(path))));
        launch
            .options
            .extend(settings.odds.iter().map(|path| pair("OddsFile", &from_everywhere(path))));
        launch.options.extend(settings.parameters.iter().cloned());
        launch.options.extend(settings.options.iter().cloned());
        launch
    }

    pub(super) fn command(&self) -> Command {
        // What a path that is not absolute means together with a directory depends on the
        // system, so there is none.
        let program = match &self.directory {
            Some(directory) if self.program.components().count() > 1 => {
                let inside = directory.join(&self.program);
                let program = if inside.is_file() { &inside } else { &self.program };
                absolute(program).unwrap_or_else(|_| program.clone())
            }
            _ => self.program.clone(),
        };
        let mut command = Command::new(program);
        command.args(&self.arguments);
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }
}

/// The option that every engine with threads has.
pub(super) const THREADS: &str = "Threads";
/// The option that every engine with a table has.
pub(super) const HASH: &str = "Hash";

#[cfg(test)]
mod tests {
    use super::*;

    fn launch(text: &str) -> Launch {
        Launch::from_spec(&EngineSpec::parse(text).unwrap(), "A", Path::new("/ours"))
    }

    fn options(launch: &Launch) -> Vec<String> {
        launch.options.iter().map(|(name, value)| format!("{name}={value}")).collect()
    }

    #[test]
    fn ours_is_given_its_preset_before_its_parameters() {
        let ours = launch("secateur order.a=1 option.Hash=4 preset=bare");
        assert_eq!(ours.program, Path::new("/ours"));
        assert_eq!(options(&ours), ["Preset=bare", "order.a=1", "Hash=4"]);
        assert_eq!(ours.prelude, ["setoption name ShowParams value true"]);
    }

    #[test]
    fn weights_of_ours_are_an_option_that_means_the_same_from_everywhere() {
        assert_eq!(options(&launch("secateur eval=plain")), ["EvalFile=plain"]);
        let named = options(&launch("secateur eval=my.weights dir=/tmp"));
        let here = std::env::current_dir().unwrap().join("my.weights");
        assert_eq!(named, [format!("EvalFile={}", here.display())]);
    }

    #[test]
    fn one_thread_is_asked_for_unless_another_number_is() {
        assert_eq!(launch("x").threads, Some(1));
        assert_eq!(launch("x threads=4").threads, Some(4));
        assert_eq!(launch("x option.threads=4").threads, None);
    }

    #[test]
    fn a_program_with_a_directory_is_found_from_there_or_from_here() {
        let program = |launch: &Launch| PathBuf::from(launch.command().get_program());
        assert_eq!(program(&launch("engine dir=/tmp")), Path::new("engine"));
        let here = program(&launch("src/lib.rs dir=/"));
        assert!(here.is_absolute() && here.ends_with("src/lib.rs"), "{here:?}");
        let there = program(&launch("engine/mod.rs dir=src"));
        assert!(there.is_absolute() && there.ends_with("src/engine/mod.rs"), "{there:?}");
    }
}
