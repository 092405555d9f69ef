//! The engine that plays against itself to be watched, and a game of it: from an opening no other game has
//! to the end, or until its value is proven.

use std::ops::ControlFlow;
use std::time::Instant;

use anyhow::{Context, bail};
use secateur_games::playable::Playable;
use secateur_games::record::Record;
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::{Engine, Limits};
use secateur_search::calibrate::cuts::{Cuts, evaluation_name};
use secateur_search::observe::Observer;
use secateur_search::random::SplitMix;
use secateur_search::testkit::reference::moves as legal_moves;
use secateur_search::{Evaluator, Settings, Solver, Weights};

use super::Thinks;
use crate::calibrate::measure::described_as;
use crate::cuts_file;
use crate::engine::own::{overlay, weights};
use crate::engine::{EngineSettings, EngineSpec, apply_each};
use crate::openings::{Opening, Set, built_in};

/// No game is longer.
const LONGEST: usize = 240;
/// Plies of random moves where there are no openings.
const RANDOM_PLIES: usize = 8;

/// An engine with somebody to watch it.
pub type Watched<G, O> = Engine<G, <G as Playable>::Evaluator, <G as Playable>::Solver, O>;

/// The engine that an order asks for, and the openings that it plays.
pub struct Host<G: Playable> {
    weights: Option<Weights<G>>,
    settings: Settings,
    cuts: Option<Cuts>,
    mebibytes: Option<u64>,
    openings: Vec<Opening<G>>,
}

impl<G: Playable> Host<G> {
    /// The engine that `each` describes; its evaluation must be this one.
    pub fn prepare(each: &str, evaluation: &str) -> anyhow::Result<Host<G>> {
        let spec = spec(each)?;
        let settings = overlay(&spec)?.served_by::<G>()?;
        let weights = weights::<G>(&spec)?;
        let evaluator = G::evaluator(weights.as_ref().unwrap_or(G::embedded_weights()));
        let found = evaluation_name(evaluator.identity());
        if found != evaluation {
            bail!(
                "the run was begun with the evaluation {evaluation}, and this is {found}: what both tell \
                 does not go together"
            );
        }
        let path = spec.settings.cuts.as_deref().unwrap_or_default();
        let cuts = cuts_file::load::<G>(path).context("--each: cuts")?;
        // What is fitted is not judged by the same openings.
        let is_free = |opening: &Opening<G>| Set::of(opening.record.position()) == Set::Tune;
        let openings = built_in::<G>().into_iter().filter(is_free).collect();
        let mebibytes = spec.settings.hash;
        let host = Host { weights, settings, cuts, mebibytes, openings };
        host.engine(|| secateur_search::observe::Silent)?.check_cuts()?;
        Ok(host)
    }

    /// What is in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The engine, with an observer that `make` makes.
    pub fn engine<O: Observer>(
        &self,
        make: impl Fn() -> O + Send + 'static,
    ) -> anyhow::Result<Watched<G, O>> {
        let evaluator = G::evaluator(self.weights.as_ref().unwrap_or(G::embedded_weights()));
        let mut engine = Engine::new(G::start(), move || {
            let (_, solver) = G::equip();
            (evaluator.clone(), solver, make())
        });
        engine.set_settings(self.settings.clone());
        if let Some(cuts) = &self.cuts {
            engine.set_cuts(cuts);
        }
        if let Some(mebibytes) = self.mebibytes {
            engine.set_table(mebibytes as usize)?;
        }
        Ok(engine)
    }

    /// Plays a game: moves that were thought about, and the depths that they came to in all. `None` if it
    /// was stopped.
    pub fn game<O: Observer>(
        &self,
        engine: &mut Watched<G, O>,
        seed: u64,
        number: u64,
        thinks: Thinks,
        control: &Control,
    ) -> Option<[u64; 2]> {
        let look = |_: &Watched<G, O>| ControlFlow::Continue(());
        self.game_watched(engine, seed, number, thinks, control, look)
    }

    /// The same; after each search `look` sees the engine, and may break off as if it had been stopped.
    pub fn game_watched<O: Observer>(
        &self,
        engine: &mut Watched<G, O>,
        seed: u64,
        number: u64,
        thinks: Thinks,
        control: &Control,
        mut look: impl FnMut(&Watched<G, O>) -> ControlFlow<()>,
    ) -> Option<[u64; 2]> {
        let mut random = SplitMix::new(SplitMix::new(seed ^ number.wrapping_shl(20)).next_u64());
        let mut record = self.opening(seed, number, &mut random);
        let limits = match thinks {
            Thinks::Nodes(nodes) => Limits::nodes(nodes),
            Thinks::Movetime(milliseconds) => Limits::move_time(milliseconds as i64),
        };
        engine.new_game();
        let [mut moves, mut plies] = [0; 2];
        while record.ending().is_none() && record.moves().len() < LONGEST {
            let (position, line) = (record.position(), record.line());
            // What the solver knows is never searched.
            if engine.solver().takes(position) {
                break;
            }
            let now = Instant::now();
            let answer = engine.search_here(position, line, &limits, now, control, &mut |_| {});
            if control.is_stopped() || look(engine).is_break() {
                return None;
            }
            moves += 1;
            plies += answer.depth.plies() as u64;
            // A game that is decided has nothing more to tell.
            if answer.score.is_proven() {
                break;
            }
            record.play(answer.best?);
        }
        Some([moves, plies])
    }
}

impl<G: Playable> Host<G> {
    /// Where a game begins. No two games begin alike, or one would be counted as two: openings are drawn
    /// without putting them back, and when all are used some random moves follow.
    fn opening(&self, seed: u64, number: u64, random: &mut SplitMix) -> Record<G> {
        let many = self.openings.len() as u64;
        if many == 0 {
            return random_opening(random);
        }
        let (round, place) = (number / many, (number % many) as usize);
        let mut order: Vec<usize> = (0..self.openings.len()).collect();
        SplitMix::new(seed).shuffle(&mut order);
        let mut record = self.openings[order[place]].record.clone();
        for _ in 0..2 * round {
            let moves = legal_moves(record.position());
            if moves.is_empty() || record.ending().is_some() {
                break;
            }
            record.play(moves[random.below(moves.len())]);
        }
        record
    }
}

fn random_opening<G: Playable>(random: &mut SplitMix) -> Record<G> {
    loop {
        let mut record = Record::starting_at(G::start());
        while record.ending().is_none() && record.moves().len() < RANDOM_PLIES {
            let moves = legal_moves(record.position());
            record.play(moves[random.below(moves.len())]);
        }
        if record.ending().is_none() {
            return record;
        }
    }
}

fn spec(each: &str) -> anyhow::Result<EngineSpec> {
    let mut specs = vec![EngineSpec::parse("secateur")?];
    apply_each(&mut specs, &EngineSettings::parse(each).context("--each")?)?;
    let spec = specs.remove(0);
    let EngineSettings { ranks, reductions, odds, .. } = &spec.settings;
    if [ranks, reductions, odds].into_iter().any(Option::is_some) {
        bail!(
            "--each: what is measured goes without such a table: leave out ranks=, reductions= and odds="
        );
    }
    Ok(spec)
}

/// What the engine of an order is, and the identity of its evaluation, as `run.toml` keeps them.
pub fn described<G: Playable>(each: &str) -> anyhow::Result<(String, String)> {
    described_as::<G>(&spec(each)?)
}

/// The settings of an order, whatever the game makes of them.
pub fn settings_of(each: &str) -> anyhow::Result<Settings> {
    Ok(overlay(&spec(each)?)?.in_force().clone())
}

#[cfg(all(test, feature = "chess"))]
mod tests {
    use std::collections::HashSet;

    use secateur_games::chess::Chess;
    use secateur_search::Game;

    use super::*;

    #[test]
    fn no_two_games_begin_alike_though_there_are_more_than_openings() {
        let (_, evaluation) = described::<Chess>("preset=classic").unwrap();
        let mut host = Host::<Chess>::prepare("preset=classic", &evaluation).unwrap();
        host.openings.truncate(20);
        let begins = |seed: u64| -> Vec<u64> {
            let of = |number| {
                let mut random = SplitMix::new(seed ^ number);
                host.opening(seed, number, &mut random).position().key()
            };
            (0..60).map(of).collect()
        };
        let keys: HashSet<u64> = begins(7).into_iter().collect();
        assert_eq!(keys.len(), 60);
        assert_ne!(begins(7)[..20], begins(8)[..20], "another seed, another order");
    }
}
