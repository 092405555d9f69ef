//! The engines of one worker, kept alive from game to game and started again when they fail.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{fmt, thread};

use secateur_games::playable::Playable;

use super::prepare::{Contest, Participant};
use crate::engine::{Fault, FaultKind, Opponent, OwnEngine, UciEngine};

/// An engine that cannot be started so often in a row will not be.
const TRIES: u32 = 3;
/// What is in the way of a start may pass.
const PAUSE: Duration = Duration::from_millis(200);

/// Why an engine is not there.
#[derive(Debug)]
pub enum NotStarted {
    /// The run was stopped.
    Interrupted,
    /// What it is asked for has no meaning.
    Settings(String),
    /// It does not live long enough to play.
    Failed(Box<Fault>),
}

impl fmt::Display for NotStarted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotStarted::Interrupted => write!(f, "interrupted"),
            NotStarted::Settings(what) => write!(f, "{what}"),
            NotStarted::Failed(fault) => write!(f, "{fault}"),
        }
    }
}

/// The engines of one worker.
#[derive(Default)]
pub struct Team {
    engines: HashMap<usize, Box<dyn Opponent>>,
}

impl Team {
    /// Starts the engine unless it runs, trying again if it fails.
    pub fn ensure<G: Playable>(
        &mut self,
        contest: &Contest<G>,
        engine: usize,
        interrupt: &Arc<AtomicBool>,
    ) -> Result<(), NotStarted> {
        let mut tries = 0;
        while !self.engines.contains_key(&engine) {
            match start(contest, engine, interrupt) {
                Ok((started, _)) => drop(self.engines.insert(engine, started)),
                Err(NotStarted::Failed(_)) if tries + 1 < TRIES => {
                    tries += 1;
                    thread::sleep(PAUSE);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The two of a game, if both run.
    pub fn pair(&mut self, engines: [usize; 2]) -> Option<[&mut dyn Opponent; 2]> {
        let [first, second] = self.engines.get_disjoint_mut([&engines[0], &engines[1]]);
        Some([first?.as_mut(), second?.as_mut()])
    }

    /// Ends an engine; it will be started anew.
    pub fn dismiss(&mut self, engine: usize) {
        self.engines.remove(&engine);
    }
}

/// Starts every engine once, so that what is wrong with one is said before the first game; and what
/// could not be had for them.
pub fn rehearse<G: Playable>(
    contest: &Contest<G>,
    interrupt: &Arc<AtomicBool>,
) -> Result<(Team, Vec<String>), NotStarted> {
    let mut team = Team::default();
    let mut warnings = Vec::new();
    for engine in 0..contest.participants.len() {
        let (started, missing) = start(contest, engine, interrupt)?;
        team.engines.insert(engine, started);
        warnings.extend(missing);
    }
    Ok((team, warnings))
}

fn start<G: Playable>(
    contest: &Contest<G>,
    engine: usize,
    interrupt: &Arc<AtomicBool>,
) -> Result<(Box<dyn Opponent>, Vec<String>), NotStarted> {
    start_one::<G>(&contest.participants[engine], &contest.ours, interrupt)
}

/// An engine that is ready to play, and what could not be had for it; `ours` is our own program.
pub fn start_one<G: Playable>(
    participant: &Participant,
    ours: &Path,
    interrupt: &Arc<AtomicBool>,
) -> Result<(Box<dyn Opponent>, Vec<String>), NotStarted> {
    if interrupt.load(Ordering::Relaxed) {
        return Err(NotStarted::Interrupted);
    }
    if participant.is_in_process() {
        let name = &participant.name;
        let own = OwnEngine::<G>::new(&participant.spec, name, Arc::clone(interrupt));
        let own = own.map_err(|error| NotStarted::Settings(format!("engine {name}: {error}")))?;
        return Ok((Box::new(own), Vec::new()));
    }
    let launch = participant.launch::<G>(ours, interrupt);
    let started = UciEngine::start(launch).map_err(|fault| match fault.kind {
        FaultKind::Interrupted => NotStarted::Interrupted,
        FaultKind::BadOption(_) | FaultKind::OtherGame { .. } => {
            NotStarted::Settings(fault.to_string())
        }
        _ => NotStarted::Failed(Box::new(fault)),
    })?;
    let warnings = started.warnings().to_vec();
    Ok((Box::new(started), warnings))
}
