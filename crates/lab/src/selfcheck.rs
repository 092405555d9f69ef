//! Whether the laboratory itself tells the truth: what must come out even does, what must differ
//! is seen to, and two games at once do not slow each other down.
//!
//! | check | right if |
//! |---|---|
//! | the same engine twice, fixed nodes | every pair of games is exactly even: nothing but colour and opening decides |
//! | the same engine twice, on a clock | so large a lead is not one in a thousand; the interval is printed |
//! | one side with nine tenths of the nodes | the other is found to be stronger |
//! | nodes per second, one search and several at once | printed; several cores are worth having |

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use secateur_games::playable::{Playable, new_engine};
use secateur_search::Line;
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::{Limits, STACK_BYTES};
use serde::{Deserialize, Serialize};

use crate::contest::adjudicate::Rules;
use crate::contest::folder::check_empty;
use crate::contest::{Configuration, conduct};
use crate::statistics::counts::{Counts, Pentanomial};
use crate::statistics::elo;
use crate::statistics::normal;
use crate::statistics::sprt::{Model, Sprt, Verdict};
use crate::{toml_text, whole_file};

/// What to check, and how thoroughly; `run.toml` keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// [`KIND`].
    pub kind: String,
    /// The name of the game.
    pub game: String,
    /// Games at once.
    pub concurrency: usize,
    /// Nodes for each move where nodes are fixed.
    pub nodes: u64,
    /// Games of the even match at fixed nodes.
    pub even_games: u64,
    /// The clock.
    pub clock: String,
    /// Games of the even match on the clock.
    pub clock_games: u64,
    /// Legs of the handicap match at most.
    pub legs: u64,
    /// Games of each.
    pub leg_games: u64,
}

/// What `run.toml` calls these runs.
pub const KIND: &str = "selfcheck";

impl Job {
    /// Begins a run in a folder that is new or empty.
    pub fn begin(&self, folder: &Path) -> anyhow::Result<()> {
        check_empty(folder)?;
        fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
        let text = toml::to_string(self).context("run.toml")?;
        whole_file::write(&folder.join("run.toml"), |out| Ok(out.write_all(text.as_bytes())?))
    }

    /// What a run that was begun there is to do.
    pub fn read(folder: &Path) -> anyhow::Result<Job> {
        let path = folder.join("run.toml");
        let text = fs::read_to_string(&path).with_context(|| format!("{}", path.display()))?;
        let job: Job = toml_text::parse(&text)
            .with_context(|| format!("{} is not of a selfcheck", path.display()))?;
        if job.kind != KIND {
            bail!("{} is of a run of the kind '{}', not of a selfcheck", path.display(), job.kind);
        }
        Ok(job)
    }
}

/// What one check saw.
#[derive(Clone, Debug, Serialize)]
pub struct Checked {
    /// Which.
    pub name: &'static str,
    /// Whether it is as it must be.
    pub right: bool,
    /// In words.
    pub saw: String,
    /// Won and lost pairs and all between.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<[u64; 5]>,
}

/// An even match on a clock is called wrong only if chance would do that once in a thousand runs.
const ALARM: f64 = 0.001;

/// What the weaker side has of the nodes, in percent.
const HANDICAP: u64 = 90;

/// What the test of the handicap asks for: this lead rather than none. Ten percent are worth some
/// ten to fifteen Elo at few nodes.
const EXPECTED_LEAD: f64 = 8.0;

/// Somebody stopped it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

/// Makes all checks; `watch` is told of each as soon as it is done.
pub fn run<G: Playable>(
    job: &Job,
    folder: &Path,
    ours: &Path,
    interrupt: &Arc<AtomicBool>,
    watch: &mut dyn FnMut(&Checked),
) -> anyhow::Result<Vec<Checked>> {
    let place = Place { job, folder, ours, interrupt };
    let checks = [even_at_nodes::<G>, even_on_a_clock::<G>, handicap::<G>, speed::<G>];
    let mut all = Vec::new();
    for check in checks {
        let checked = check(&place)?;
        watch(&checked);
        all.push(checked);
    }
    Ok(all)
}

/// What all checks need.
struct Place<'a> {
    job: &'a Job,
    folder: &'a Path,
    ours: &'a Path,
    interrupt: &'a Arc<AtomicBool>,
}

/// The pairs of a match of this engine against itself.
fn pairs<G: Playable>(
    place: &Place<'_>,
    name: &str,
    games: u64,
    how: impl FnOnce(&mut Configuration),
) -> anyhow::Result<Pentanomial> {
    let engines = ["secateur name=one", "secateur name=other"].map(str::to_string).to_vec();
    let mut configuration = Configuration {
        each: Some("hash=4".to_string()),
        games: Some(games),
        concurrency: place.job.concurrency,
        patience: 60,
        force: false,
        adjudication: Rules::default(),
        ..Configuration::between::<G>(engines)
    };
    how(&mut configuration);
    let folder = place.folder.join(name);
    let conducted = conduct::<G>(&folder, configuration, place.ours, place.interrupt);
    if place.interrupt.load(Ordering::Relaxed) {
        return Err(Interrupted.into());
    }
    Ok(conducted?.finish.tally.first_score().pairs)
}

fn even_at_nodes<G: Playable>(place: &Place<'_>) -> anyhow::Result<Checked> {
    let job = place.job;
    let pairs = pairs::<G>(place, "even-nodes", job.even_games, |configuration| {
        configuration.nodes = Some(job.nodes);
    })?;
    let Pentanomial([_, _, even, _, _]) = pairs;
    let all = pairs.samples();
    Ok(Checked {
        name: "the same engine twice, fixed nodes",
        right: even == all,
        saw: format!("{even} of {all} pairs even at {} nodes a move", job.nodes),
        pairs: Some(pairs.0),
    })
}

fn even_on_a_clock<G: Playable>(place: &Place<'_>) -> anyhow::Result<Checked> {
    let job = place.job;
    let pairs = pairs::<G>(place, "even-clock", job.clock_games, |configuration| {
        configuration.tc = Some(job.clock.clone());
    })?;
    let z = deviations(&pairs);
    Ok(Checked {
        name: "the same engine twice, on a clock",
        right: chance_of_even(&pairs) >= ALARM,
        saw: format!(
            "{} in {} games at {}: {:.1} standard errors from even, {} the 95 % interval",
            lead(&pairs),
            pairs.games(),
            job.clock,
            z.abs(),
            if z.abs() <= normal::Z95 { "within" } else { "outside" },
        ),
        pairs: Some(pairs.0),
    })
}

fn handicap<G: Playable>(place: &Place<'_>) -> anyhow::Result<Checked> {
    let job = place.job;
    let test = Sprt::new(0.0, EXPECTED_LEAD, 0.05, 0.05, Model::Logistic)?;
    let mut all = Pentanomial([0; 5]);
    let mut verdict = Verdict::Continue;
    for leg in 0..job.legs {
        // Other nodes make other games from the same openings.
        let nodes = job.nodes + leg * job.nodes / 20;
        let name = format!("handicap-{}", leg + 1);
        let pairs = pairs::<G>(place, &name, job.leg_games, |configuration| {
            configuration.engines = vec![
                format!("secateur name=all nodes={nodes}"),
                format!("secateur name=less nodes={}", nodes * HANDICAP / 100),
            ];
            configuration.seed = leg + 1;
        })?;
        for (sum, more) in all.0.iter_mut().zip(pairs.0) {
            *sum += more;
        }
        verdict = test.verdict(test.llr(&all));
        if verdict != Verdict::Continue {
            break;
        }
    }
    let (right, word) = match verdict {
        Verdict::AcceptH1 => (true, "detected"),
        Verdict::AcceptH0 => (false, "not there"),
        // Not decided, but the sign can still be right.
        Verdict::Continue => (deviations(&all) > normal::Z95, "not decided by the test"),
    };
    Ok(Checked {
        name: "one side with nine tenths of the nodes",
        right,
        saw: format!(
            "the other leads by {} in {} games, LLR {:.2}: {word}",
            lead(&all),
            all.games(),
            test.llr(&all),
        ),
        pairs: Some(all.0),
    })
}

/// How likely a result at least as far from even is between equals.
fn chance_of_even(pairs: &Pentanomial) -> f64 {
    match pairs.moments() {
        // All pairs went the same way: heads or tails in a row.
        Some((mean, 0.0)) if mean != 0.5 => 0.5_f64.powf(pairs.samples() as f64 - 1.0).min(1.0),
        _ => normal::two_sided(deviations(pairs)),
    }
}

/// How many standard errors the mean is away from even; none if all pairs are the same, when there
/// is no error to go by.
fn deviations(pairs: &Pentanomial) -> f64 {
    let Some((mean, variance)) = pairs.moments() else { return 0.0 };
    let error = (variance / pairs.samples() as f64).sqrt();
    if error == 0.0 { 0.0 } else { (mean - 0.5) / error }
}

fn lead(pairs: &Pentanomial) -> String {
    match elo::logistic(pairs) {
        Some(elo) if elo.error.is_finite() => format!("{:.1} +/- {:.1} Elo", elo.value, elo.error),
        Some(elo) => format!("{:.1} Elo", elo.value),
        None => "unknown".to_string(),
    }
}

/// How long each search of the speed check takes.
const SPEED_TIME: Duration = Duration::from_millis(1_500);

fn speed<G: Playable>(place: &Place<'_>) -> anyhow::Result<Checked> {
    let alone = thousands_per_second::<G>(1)?;
    let searches = place.job.concurrency.max(2);
    let together = thousands_per_second::<G>(searches)?;
    if place.interrupt.load(Ordering::Relaxed) {
        return Err(Interrupted.into());
    }
    Ok(Checked {
        name: "nodes per second",
        // Two hyperthreads of one core do half as much each.
        right: together > alone / 2.0,
        saw: format!(
            "{alone:.0} thousand in one search, {together:.0} in each of {searches} at once \
             ({:.0} %)",
            100.0 * together / alone
        ),
        pairs: None,
    })
}

/// The speed of one of `searches` at once, on average.
fn thousands_per_second<G: Playable>(searches: usize) -> anyhow::Result<f64> {
    let search = || -> anyhow::Result<f64> {
        let (position, _) = G::read_with_notes(G::BENCH_POSITIONS[1])?;
        let mut engine = new_engine::<G>();
        let line = Line::starting_at(&position);
        let begun = Instant::now();
        let limits = Limits::move_time(SPEED_TIME.as_millis() as i64);
        let control = Control::default();
        let answer = engine.search_here(&position, &line, &limits, begun, &control, &mut |_| {});
        Ok(answer.nodes as f64 / begun.elapsed().as_secs_f64() / 1_000.0)
    };
    let speeds = thread::scope(|scope| {
        let threads: Vec<_> = (0..searches)
            .map(|_| thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, search))
            .collect();
        let joined = threads.into_iter().map(|thread| {
            let thread = thread.context("a thread cannot be started")?;
            thread.join().map_err(|_| anyhow!("a search has failed"))?
        });
        joined.collect::<anyhow::Result<Vec<f64>>>()
    })?;
    Ok(speeds.iter().sum::<f64>() / searches as f64)
}
