//! Games between proposals. Each iteration is one line of `iterations.jsonl`; what was learned is
//! learned again from there when a run goes on.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};
use secateur_games::playable::Playable;
use secateur_games::record::Verdict;
use secateur_search::Player;
use secateur_search::random::SplitMix;
use serde::{Deserialize, Serialize};

use super::spsa::{Proposal, Spsa};
use super::{KIND, Order};
use crate::contest::adjudicate::{DrawRule, ResignRule, Rules};
use crate::contest::folder::check_empty;
use crate::contest::game::{Conditions, play};
use crate::engine::{EngineSpec, GivenLimits, Opponent, OwnEngine};
use crate::openings::{self, Opening};
use crate::progress::Progress;
use crate::{in_order, whole_file};

/// A finished iteration, as a line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Iteration {
    /// Counted from 1.
    pub iteration: u64,
    /// Points of the first set less those of the second, in pairs.
    pub won: f64,
    /// The values after it.
    pub values: Vec<f64>,
}

fn iterations_file(folder: &Path) -> PathBuf {
    folder.join("iterations.jsonl")
}

impl Order {
    /// Begins a run in a folder that is new or empty.
    pub fn begin(&self, folder: &Path) -> anyhow::Result<()> {
        check_empty(folder)?;
        fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
        let text = toml::to_string(self).context("run.toml")?;
        whole_file::write(&folder.join("run.toml"), |out| Ok(out.write_all(text.as_bytes())?))
    }

    /// What a run that was begun there is to do.
    pub fn read(folder: &Path) -> anyhow::Result<Order> {
        let path = folder.join("run.toml");
        let text = fs::read_to_string(&path).with_context(|| format!("{}", path.display()))?;
        let order: Order = toml::from_str(&text)
            .with_context(|| format!("{} is not of a tuning", path.display()))?;
        if order.kind != KIND {
            bail!("{} is of a run of the kind '{}', not of a tuning", path.display(), order.kind);
        }
        Ok(order)
    }

    /// The description of an engine with these values.
    pub fn spec(&self, name: &str, values: &[i32]) -> String {
        let mut text = format!("secateur name={name}");
        if !self.each.is_empty() {
            text += &format!(" {}", self.each);
        }
        for (parameter, value) in self.parameters.iter().zip(values) {
            text += &format!(" {}={value}", parameter.name);
        }
        text
    }
}

/// The iterations of a folder. A torn line at the end is cut off.
pub fn read_iterations(folder: &Path) -> anyhow::Result<Vec<Iteration>> {
    let path = iterations_file(folder);
    let named = || format!("{}", path.display());
    let Ok(file) = File::open(&path) else { return Ok(Vec::new()) };
    let (mut found, mut whole, mut reader) = (Vec::new(), 0, BufReader::new(file));
    loop {
        let mut line = String::new();
        let length = reader.read_line(&mut line).with_context(named)?;
        if length == 0 || !line.ends_with('\n') {
            break;
        }
        let number = found.len() + 1;
        let iteration: Iteration = serde_json::from_str(&line)
            .with_context(|| format!("{}: line {number}", path.display()))?;
        if iteration.iteration != number as u64 {
            bail!("{}: line {number} is iteration {}", path.display(), iteration.iteration);
        }
        found.push(iteration);
        whole += length as u64;
    }
    OpenOptions::new()
        .write(true)
        .open(&path)
        .and_then(|file| file.set_len(whole))
        .with_context(named)?;
    Ok(found)
}

/// Goes on until all iterations are done or `interrupt` is raised; the state then.
pub fn run<G: Playable>(
    order: &Order,
    folder: &Path,
    concurrency: NonZeroUsize,
    interrupt: &Arc<AtomicBool>,
) -> anyhow::Result<Spsa> {
    let mut spsa = Spsa::new(order);
    for iteration in read_iterations(folder)? {
        let proposal = spsa.propose();
        spsa.learn(&proposal, iteration.won);
    }
    let openings = openings::built_in::<G>();
    if openings.is_empty() {
        bail!("there is no opening of {} to begin with", G::NAME);
    }
    let path = iterations_file(folder);
    let named = || format!("{} cannot be written", path.display());
    let mut output =
        OpenOptions::new().create(true).append(true).open(&path).with_context(named)?;
    let progress = Progress::talking(Some(order.iterations), "iterations");
    progress.resume(spsa.done());
    while spsa.done() < order.iterations && !interrupt.load(Ordering::Relaxed) {
        let proposal = spsa.propose();
        let games = Games { order, openings: &openings, iteration: spsa.done(), interrupt };
        let Some(won) = games.play(&proposal, concurrency)? else { break };
        spsa.learn(&proposal, won);
        let line = Iteration { iteration: spsa.done(), won, values: spsa.values().to_vec() };
        let mut line = serde_json::to_vec(&line)?;
        line.push(b'\n');
        output.write_all(&line).with_context(named)?;
        progress.advance();
        if !progress.is_hidden() {
            progress.say(shown(order, &spsa));
        }
    }
    progress.finish();
    Ok(spsa)
}

/// The first few values, for a progress bar.
fn shown(order: &Order, spsa: &Spsa) -> String {
    let values = order.parameters.iter().zip(spsa.rounded());
    let values = values.take(4).map(|(parameter, value)| format!("{}={value}", parameter.name));
    values.collect::<Vec<_>>().join(" ")
}

/// The games of one iteration.
struct Games<'a, G: Playable> {
    order: &'a Order,
    openings: &'a [Opening<G>],
    iteration: u64,
    interrupt: &'a Arc<AtomicBool>,
}

impl<G: Playable> Games<'_, G> {
    /// Pairs won by the first set less those lost; nothing if it was interrupted.
    fn play(&self, proposal: &Proposal, concurrency: NonZeroUsize) -> anyhow::Result<Option<f64>> {
        let (mut won, mut done, mut failed) = (0.0, 0, None);
        let task = |_: &mut (), number: usize| match (number as u64) < self.order.pairs {
            true => self.pair(proposal, number as u64).transpose(),
            false => None,
        };
        in_order::run(
            concurrency,
            || (),
            task,
            |result: Option<anyhow::Result<f64>>| {
                match result {
                    Some(Ok(result)) => {
                        won += result;
                        done += 1;
                    }
                    Some(Err(error)) => failed = Some(error),
                    None => return ControlFlow::Break(()),
                }
                if done == self.order.pairs || failed.is_some() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        )?;
        match failed {
            Some(error) => Err(error),
            None => Ok((done == self.order.pairs).then_some(won)),
        }
    }

    /// One pair of games from one opening: 1 for two wins of the first set, -1 for two losses.
    fn pair(&self, proposal: &Proposal, number: u64) -> anyhow::Result<Option<f64>> {
        let engine = |name: &str, values: &[i32]| -> anyhow::Result<OwnEngine<G>> {
            let spec = EngineSpec::parse(&self.order.spec(name, values))?;
            Ok(OwnEngine::new(&spec, name, Arc::clone(self.interrupt))?)
        };
        let mut first = engine("first", &proposal.first)?;
        let mut second = engine("second", &proposal.second)?;
        let place = self.iteration * self.order.pairs + number;
        let pick = SplitMix::new(self.order.seed ^ place.wrapping_mul(0x2545_f491))
            .below(self.openings.len());
        let adjudication = match G::COUNTS_POINTS {
            true => Rules::default(),
            false => Rules {
                draw: Some(DrawRule { after: 40, score: 10, moves: 8 }),
                resign: Some(ResignRule { score: 800, moves: 3 }),
                max_moves: Some(200),
            },
        };
        let conditions = Conditions {
            rules: adjudication,
            margin: Duration::ZERO,
            patience: Duration::from_secs(600),
            known: None,
        };
        let nodes = GivenLimits { nodes: Some(self.order.nodes), ..GivenLimits::default() };
        let limit = nodes.complete()?;
        let mut won = 0.0;
        for turned in [false, true] {
            let players: [&mut dyn Opponent; 2] =
                if turned { [&mut second, &mut first] } else { [&mut first, &mut second] };
            let opening = &self.openings[pick].record;
            let Ok(played) = play(opening, players, [limit, limit], &conditions) else {
                return Ok(None);
            };
            let result = match played.verdict {
                Verdict::Won(Player::First) => 0.5,
                Verdict::Won(Player::Second) => -0.5,
                _ => 0.0,
            };
            won += if turned { -result } else { result };
        }
        Ok(Some(won))
    }
}
