//! Workers play, one collector writes down, and somebody decides when it is enough.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use secateur_games::playable::Playable;
use secateur_games::record::Record;
use secateur_search::alphabeta::engine::STACK_BYTES;

use super::date;
use super::entry::Entry;
use super::folder::Folder;
use super::game::{Conditions, play};
use super::plan::Assignment;
use super::prepare::Contest;
use super::tally::Tally;
use super::team::{NotStarted, Team};
use crate::statistics::sprt::Verdict;

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All games have been played.
    Played,
    /// The sequential test has decided.
    Decided,
    /// Somebody asked for it; the games in progress are dropped.
    Interrupted,
    /// An engine cannot be started any more.
    Failed(String),
}

/// What became of a run.
pub struct Finish {
    /// Why it ended.
    pub ended: Ended,
    /// All results.
    pub tally: Tally,
    /// What it cost.
    pub work: Work,
}

/// Where the time went.
#[derive(Clone, Copy, Debug, Default)]
pub struct Work {
    /// Games played now.
    pub games: u64,
    /// From the beginning to the end.
    pub wall: Duration,
    /// Workers.
    pub workers: usize,
    /// What engines took to think, in all.
    pub thinking: Duration,
    /// What engines took to get ready for a game, in all.
    pub preparing: Duration,
}

impl Work {
    /// The share of the workers' time that no engine used.
    pub fn overhead(&self) -> f64 {
        let all = self.wall.as_secs_f64() * self.workers as f64;
        let engines = (self.thinking + self.preparing).as_secs_f64();
        if all > 0.0 { (1.0 - engines / all).max(0.0) } else { 0.0 }
    }
}

/// A word from a worker.
enum Word<G: Playable> {
    Game(Box<(Assignment, Entry, Record<G>)>),
    Failed(String),
    Done { thinking: Duration, preparing: Duration },
}

/// What the workers share.
struct Floor<'a, G: Playable> {
    contest: &'a Contest<G>,
    conditions: Conditions<'a, G>,
    interrupt: &'a Arc<AtomicBool>,
    done: HashSet<u64>,
    next: Mutex<u64>,
}

/// Plays what is not played yet. `team` are engines that run already; `done` what was played
/// before. `watch` is shown the results after each game. Once `interrupt` is raised it ends soon.
pub fn run<G: Playable>(
    contest: &Contest<G>,
    folder: &mut Folder,
    done: &[Entry],
    team: Team,
    interrupt: &Arc<AtomicBool>,
    watch: &mut dyn FnMut(&Tally),
) -> anyhow::Result<Finish> {
    let mut tally = Tally::new(&contest.plan, contest.participants.len());
    for entry in done {
        if let Some(assignment) = contest.plan.assignment(entry.game) {
            tally.add(&assignment, entry);
        }
    }
    let configuration = &contest.configuration;
    let mut work = Work { workers: configuration.concurrency.max(1), ..Work::default() };
    if is_decided(contest, &tally) {
        return Ok(Finish { ended: Ended::Decided, tally, work });
    }
    let conditions = Conditions {
        rules: configuration.adjudication,
        margin: contest.margin(),
        patience: Duration::from_secs(configuration.patience),
        known: contest.known.as_ref(),
    };
    let done = done.iter().map(|entry| entry.game).collect();
    let floor = Floor { contest, conditions, interrupt, done, next: Mutex::new(1) };
    let (mut decided, mut failed, mut broken) = (false, None, None);
    let begun = Instant::now();
    let mut teams = vec![team];
    teams.resize_with(work.workers, Team::default);
    thread::scope(|scope| -> anyhow::Result<()> {
        let (sender, receiver) = channel();
        for team in teams {
            let (floor, sender) = (&floor, sender.clone());
            // Our own engine searches on this thread.
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            let started = builder.spawn_scoped(scope, move || floor.work(team, &sender));
            if let Err(error) = started {
                interrupt.store(true, Ordering::Relaxed);
                return Err(error).context("a thread cannot be started");
            }
        }
        drop(sender);
        for word in receiver {
            match word {
                Word::Game(game) => {
                    let (assignment, entry, record) = *game;
                    if let Err(error) = folder.add(&entry, &record) {
                        broken.get_or_insert(error);
                        interrupt.store(true, Ordering::Relaxed);
                        continue;
                    }
                    work.games += 1;
                    tally.add(&assignment, &entry);
                    watch(&tally);
                    if !decided && is_decided(contest, &tally) {
                        decided = true;
                        interrupt.store(true, Ordering::Relaxed);
                    }
                }
                Word::Failed(what) => {
                    failed.get_or_insert(what);
                    interrupt.store(true, Ordering::Relaxed);
                }
                Word::Done { thinking, preparing } => {
                    work.thinking += thinking;
                    work.preparing += preparing;
                }
            }
        }
        Ok(())
    })?;
    work.wall = begun.elapsed();
    folder.sync()?;
    if let Some(error) = broken {
        return Err(error);
    }
    let ended = match failed {
        _ if decided => Ended::Decided,
        Some(what) => Ended::Failed(what),
        None if contest.plan.games() == Some(tally.games()) => Ended::Played,
        None => Ended::Interrupted,
    };
    Ok(Finish { ended, tally, work })
}

/// Every complete pair counts as soon as it is complete, whether or not earlier ones are.
fn is_decided<G: Playable>(contest: &Contest<G>, tally: &Tally) -> bool {
    contest.test.is_some_and(|test| {
        let llr = test.llr(&tally.first_score().pairs);
        test.verdict(llr) != Verdict::Continue
    })
}

impl<G: Playable> Floor<'_, G> {
    /// The next game that is not played yet.
    fn next(&self) -> Option<Assignment> {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        while self.done.contains(&next) {
            *next += 1;
        }
        let assignment = self.contest.plan.assignment(*next)?;
        *next += 1;
        Some(assignment)
    }

    fn work(&self, mut team: Team, sender: &Sender<Word<G>>) {
        let (mut thinking, mut preparing) = (Duration::ZERO, Duration::ZERO);
        // Nobody listens only if the collector has ended, and then nothing is worth saying.
        let say = |word| drop(sender.send(word));
        while !self.interrupt.load(Ordering::Relaxed)
            && let Some(assignment) = self.next()
        {
            let begun = Instant::now();
            let ready = assignment
                .engines
                .iter()
                .try_for_each(|engine| team.ensure(self.contest, *engine, self.interrupt));
            match ready {
                Ok(()) => {}
                Err(NotStarted::Interrupted) => break,
                Err(error) => {
                    say(Word::Failed(error.to_string()));
                    break;
                }
            }
            preparing += begun.elapsed();
            let Some(players) = team.pair(assignment.engines) else { break };
            let (began, begun) = (date::now(), Instant::now());
            let opening = &self.contest.openings[assignment.opening];
            let limits = assignment.engines.map(|engine| self.contest.participants[engine].limit);
            let Ok(played) = play(&opening.record, players, limits, &self.conditions) else {
                break;
            };
            thinking += played.thinking;
            preparing += played.preparing;
            let seconds = begun.elapsed().as_secs_f64();
            let names = &self.contest.names;
            let entry = Entry::new(&assignment, names, &opening.name, &played, began, seconds);
            let failed = played.fault.as_ref().map(|(player, _)| *player as usize);
            say(Word::Game(Box::new((assignment, entry, played.record))));
            if let Some(player) = failed {
                team.dismiss(assignment.engines[player]);
            }
        }
        say(Word::Done { thinking, preparing });
    }
}
