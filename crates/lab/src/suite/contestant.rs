//! An engine that takes part: its limit, where it runs, which program it is.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use secateur_games::playable::Playable;

use crate::binary_hash;
use crate::engine::{
    EngineKind, EngineSpec, FaultKind, GoLimit, Launch, Limit, Opponent, OwnEngine, UciEngine,
    distinct_names, own,
};

/// Who dies so often before its first answer will not live.
const STARTS: u32 = 3;

/// An engine that takes part.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// What it is called, told apart from the others.
    pub name: String,
    /// As the user described it.
    pub spec: EngineSpec,
    /// What ends each search.
    pub limit: Limit,
    /// The file that is run.
    pub program: PathBuf,
    /// Its hash.
    pub hash: String,
}

impl Contestant {
    /// The engines in the order given. `ours` is where our own program is.
    pub fn line_up(specs: &[EngineSpec], ours: &Path) -> anyhow::Result<Vec<Contestant>> {
        let line_up = |(spec, name): (&EngineSpec, String)| {
            let limit = spec.settings.limits.complete();
            let limit = limit.map_err(|_| anyhow!("give --depth, --nodes or --movetime"))?;
            if limit.clock().is_some() {
                bail!("{name}: a clock (tc) has no meaning for single positions; give movetime");
            }
            let program = match &spec.kind {
                EngineKind::Ours => Some(ours.to_path_buf()),
                EngineKind::Program { program, .. } => {
                    binary_hash::find_program(program, spec.settings.directory.as_deref())
                }
            };
            let program = program.ok_or_else(|| anyhow!("{name}: there is no such program"))?;
            let hash = binary_hash::of_file(&program)
                .with_context(|| format!("{} cannot be read", program.display()))?;
            Ok(Contestant { name, spec: spec.clone(), limit, program, hash })
        };
        specs.iter().zip(distinct_names(specs)).map(line_up).collect()
    }

    /// Whether it can think in this process, where the same search is the same every time: with a
    /// clock, threads or options of the protocol it is a program like any other.
    pub fn is_in_process(&self) -> bool {
        self.spec.kind == EngineKind::Ours
            && self.limit.is_timeless()
            && self.threads() == 1
            && self.spec.settings.options.is_empty()
    }

    /// Its search threads.
    pub fn threads(&self) -> usize {
        let settings = &self.spec.settings;
        let option = |(name, value): &(String, String)| {
            name.eq_ignore_ascii_case("Threads").then(|| value.parse().ok())?
        };
        let threads = settings.threads.or_else(|| settings.options.iter().find_map(option));
        threads.map_or(1, |threads: u32| threads as usize)
    }

    /// What each search is told.
    pub fn go(&self) -> GoLimit {
        GoLimit {
            move_time: self.limit.move_time(),
            nodes: self.limit.nodes(),
            depth: self.limit.depth(),
            ..GoLimit::until(self.deadline())
        }
    }

    /// When it is told to stop, so that one that hangs is not waited for through the night.
    fn deadline(&self) -> Duration {
        const SLOWEST: u64 = 2_000;
        let by_time = self.limit.move_time().map(|time| time + Duration::from_secs(1) + time / 10);
        let by_nodes = self.limit.nodes().map(|nodes| Duration::from_secs(10 + nodes / SLOWEST));
        by_time.or(by_nodes).unwrap_or(Duration::from_secs(3_600))
    }

    /// Starts it, with what could not be had of what was asked for.
    pub fn start<G: Playable>(
        &self,
        interrupt: &Arc<AtomicBool>,
    ) -> anyhow::Result<(Box<dyn Opponent>, Vec<String>)> {
        if self.is_in_process() {
            let engine = OwnEngine::<G>::new(&self.spec, &self.name, Arc::clone(interrupt));
            let engine = engine.with_context(|| self.name.clone())?;
            return Ok((Box::new(engine), Vec::new()));
        }
        // A child of ours would say that it cannot read its weights, and think with its own.
        own::weights::<G>(&self.spec).with_context(|| self.name.clone())?;
        own::check_tables::<G>(&self.spec).with_context(|| self.name.clone())?;
        let mut launch = Launch::from_spec(&self.spec, &self.name, &self.program);
        if self.spec.kind == EngineKind::Ours {
            launch.arguments = ["uci", "--game", G::NAME].map(String::from).to_vec();
        }
        launch.interrupt = Arc::clone(interrupt);
        launch.game = Some(G::NAME);
        let mut tries = 0;
        loop {
            tries += 1;
            match UciEngine::start(launch.clone()) {
                Ok(engine) => {
                    let warnings = engine.warnings().to_vec();
                    return Ok((Box::new(engine), warnings));
                }
                // These will be the same the next time.
                Err(fault) => match fault.kind {
                    FaultKind::DidNotStart(_)
                    | FaultKind::BadOption(_)
                    | FaultKind::OtherGame { .. }
                    | FaultKind::NoHandshake { .. }
                    | FaultKind::Interrupted => return Err(fault.into()),
                    _ if tries == STARTS => return Err(fault.into()),
                    _ => {}
                },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line_up(specs: &[&str]) -> anyhow::Result<Vec<Contestant>> {
        let specs: Vec<_> = specs.iter().map(|text| EngineSpec::parse(text).unwrap()).collect();
        Contestant::line_up(&specs, Path::new("src/lib.rs"))
    }

    #[test]
    fn only_ours_at_fixed_nodes_or_depth_thinks_in_this_process() {
        let foreign = format!("'{}' nodes=5", std::env::current_exe().unwrap().display());
        let specs = [
            "secateur nodes=5",
            "secateur depth=5 preset=bare",
            "secateur movetime=5",
            "secateur nodes=5 threads=2",
            "secateur nodes=5 option.Hash=4",
            foreign.as_str(),
        ];
        let engines = line_up(&specs).unwrap();
        let inside: Vec<bool> = engines.iter().map(Contestant::is_in_process).collect();
        assert_eq!(inside, [true, true, false, false, false, false]);
        assert_eq!(engines[3].threads(), 2);
        assert_eq!(engines[1].name, "secateur depth=5 preset=bare");
    }

    #[test]
    fn what_cannot_take_part_says_why() {
        let why = |spec: &str| line_up(&[spec]).unwrap_err().to_string();
        assert_eq!(why("secateur"), "give --depth, --nodes or --movetime");
        assert!(why("secateur tc=1+1").contains("a clock (tc) has no meaning"));
        assert_eq!(why("no-such-engine nodes=5"), "no-such-engine: there is no such program");
    }
}
