//! From what was asked for to engines, limits, openings and a plan, all checked before the first
//! game.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::available_parallelism;
use std::time::Duration;

use anyhow::{Context, bail};
use secateur_games::playable::{KnownResults, Playable, TablesWanted};
use secateur_games::record::Record;
use secateur_search::random::SplitMix;

use super::configuration::Configuration;
use super::plan::{Plan, Shape};
use super::program;
use crate::engine::{
    EngineKind, EngineSettings, EngineSpec, Launch, Limit, apply_each, distinct_names, own,
};
use crate::openings::{self, Opening};
use crate::statistics::sprt::Sprt;

/// An engine that takes part.
#[derive(Clone)]
pub struct Participant {
    /// What it is called, unlike all others.
    pub name: String,
    /// What it is told.
    pub spec: EngineSpec,
    /// How long it thinks.
    pub limit: Limit,
    /// Which file it is.
    pub program: PathBuf,
    /// The SHA-256 of that file.
    pub fingerprint: String,
    /// Of ours, the identity of the weights that it was given.
    pub weights: Option<String>,
}

/// A match that can begin.
pub struct Contest<G: Playable> {
    /// What was asked for.
    pub configuration: Configuration,
    /// Who takes part.
    pub participants: Vec<Participant>,
    /// What everybody is called.
    pub names: Vec<String>,
    /// Where games begin.
    pub openings: Vec<Opening<G>>,
    /// The fingerprint of all openings.
    pub openings_fingerprint: String,
    /// Which games.
    pub plan: Plan,
    /// When it is enough.
    pub test: Option<Sprt>,
    /// What ends games as soon as it knows their result.
    pub known: Option<KnownResults<G>>,
    /// Our own program.
    pub ours: PathBuf,
}

/// Checks everything that can be checked without starting an engine. `ours` is our own program.
pub fn prepare<G: Playable>(
    configuration: Configuration,
    ours: &Path,
) -> anyhow::Result<Contest<G>> {
    let mut specs = Vec::new();
    for (index, text) in configuration.engines.iter().enumerate() {
        let spec = EngineSpec::parse(text);
        specs.push(spec.with_context(|| format!("engine {} ({text})", index + 1))?);
    }
    if specs.len() < 2 {
        bail!("a match needs two engines at least, and {} is given", specs.len());
    }
    if let Some(each) = &configuration.each {
        let each = EngineSettings::parse(each).context("--each")?;
        apply_each(&mut specs, &each).context("--each")?;
    }
    let names = distinct_names(&specs);
    let limits = configuration.limits()?;
    let mut participants = Vec::new();
    // One engine is often there several times, and a program is large.
    let mut fingerprints: HashMap<PathBuf, String> = HashMap::new();
    for (spec, name) in specs.into_iter().zip(&names) {
        let limit = spec.settings.limits.over(limits).complete();
        let limit = limit.with_context(|| format!("engine {name}"))?;
        let program = program::find(&spec, ours)?;
        let fingerprint = match fingerprints.get(&program) {
            Some(known) => known.clone(),
            None => program::fingerprint(&program)?,
        };
        fingerprints.insert(program.clone(), fingerprint.clone());
        // A child of ours would say that it cannot read them, and play with its own.
        let weights = own::weights::<G>(&spec).with_context(|| format!("engine {name}"))?;
        own::check_tables::<G>(&spec).with_context(|| format!("engine {name}"))?;
        let weights = weights.map(|weights| format!("{:016x}", weights.identity()));
        let name = name.clone();
        participants.push(Participant { name, spec, limit, program, fingerprint, weights });
    }
    check_load(&configuration, &participants)?;
    let openings = match &configuration.openings {
        None => default_openings::<G>(),
        Some(path) => openings::read::<G>(path)?,
    };
    if openings.is_empty() {
        bail!("there is no opening to begin with");
    }
    let openings_fingerprint = fingerprint_of(&openings);
    let shape = if configuration.gauntlet { Shape::Gauntlet } else { Shape::RoundRobin };
    let test = configuration.sprt.map(|given| given.test()).transpose()?;
    if test.is_some() && participants.len() > 2 {
        bail!("a sequential test is between two engines, and {} are given", participants.len());
    }
    if configuration.games == Some(0) {
        bail!("no games is no match");
    }
    let plan = Plan::new(
        participants.len(),
        shape,
        configuration.games,
        openings.len(),
        configuration.seed,
    );
    let known = configuration.tablebases.as_deref().map(TablesWanted::all_in);
    let known = known.as_ref().map(G::known_results).transpose().context("--syzygy")?;
    let ours = ours.to_path_buf();
    Ok(Contest {
        configuration,
        participants,
        names,
        openings,
        openings_fingerprint,
        plan,
        test,
        known,
        ours,
    })
}

/// Those that are built in; for a game that has none, a few random moves, always the same.
fn default_openings<G: Playable>() -> Vec<Opening<G>> {
    let built_in = openings::built_in::<G>();
    if !built_in.is_empty() {
        return built_in;
    }
    let mut random = SplitMix::new(1);
    let mut found = Vec::new();
    while found.len() < 500 {
        let mut record = Record::starting_at(G::start());
        while record.moves().len() < 6 && record.ending().is_none() {
            let mut moves = Vec::new();
            record.position().each_move(|m| moves.push(m));
            record.play(moves[random.below(moves.len())]);
        }
        if record.ending().is_none() {
            found.push(Opening { name: (found.len() + 1).to_string(), record });
        }
    }
    found
}

/// What would change if an opening did: their names, first positions and moves.
fn fingerprint_of<G: Playable>(openings: &[Opening<G>]) -> String {
    let mut text = String::new();
    for Opening { name, record } in openings {
        let mut position = record.start().clone();
        text += &format!("{name}\n{}\n", position.write_position());
        for m in record.moves() {
            text += &position.write_move(*m);
            text.push(' ');
            position.play(*m);
        }
        text.push('\n');
    }
    crate::binary_hash::of_bytes(text.as_bytes())
}

/// Two engines of a game think in turn, so a game needs as many cores as the larger of them.
fn check_load(configuration: &Configuration, participants: &[Participant]) -> anyhow::Result<()> {
    let most = participants.iter().map(Participant::threads).max().unwrap_or(1);
    let wanted = configuration.concurrency.max(1).saturating_mul(most as usize);
    let cores = available_parallelism().map_or(1, usize::from);
    if wanted > cores && !configuration.force {
        bail!(
            "{} games at once with {most} threads need {wanted} cores, and there are {cores}; \
             --force plays all the same",
            configuration.concurrency
        );
    }
    Ok(())
}

impl Participant {
    /// Threads it may use at once.
    pub fn threads(&self) -> u32 {
        let settings = &self.spec.settings;
        let option = settings.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("Threads"));
        let by_option = option.and_then(|(_, value)| value.parse().ok());
        settings.threads.or(by_option).unwrap_or(1)
    }

    /// Whether it plays in this process: ours, without a clock, so that only its own work counts.
    pub fn is_in_process(&self) -> bool {
        let settings = &self.spec.settings;
        self.spec.kind == EngineKind::Ours
            && self.limit.is_timeless()
            && settings.threads.is_none_or(|threads| threads == 1)
            && settings.options.is_empty()
            && settings.directory.is_none()
    }

    /// How it is started as a process.
    pub fn launch<G: Playable>(&self, ours: &Path, interrupt: &Arc<AtomicBool>) -> Launch {
        let mut launch = Launch::from_spec(&self.spec, &self.name, ours);
        if self.spec.kind == EngineKind::Ours {
            launch.arguments = ["uci", "--game", G::NAME].map(String::from).to_vec();
        }
        launch.interrupt = Arc::clone(interrupt);
        launch.game = Some(G::NAME);
        launch
    }
}

impl<G: Playable> Contest<G> {
    /// The limit of each engine, by name.
    pub fn limits(&self) -> HashMap<String, Limit> {
        self.participants.iter().map(|engine| (engine.name.clone(), engine.limit)).collect()
    }

    /// What is forgiven on each move.
    pub fn margin(&self) -> Duration {
        Duration::from_millis(self.configuration.margin)
    }

    /// Whether every engine plays in this process and the same every time.
    pub fn is_in_process(&self) -> bool {
        self.participants.iter().all(Participant::is_in_process)
    }
}
