//! Threads for probes: how an engine becomes a prober, on a thread of its own with helpers or on the
//! caller's.

use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Instant;

use super::bench::{Bench, Desk};
use super::pool::{Closes, Owes, Pool};
use super::{Probes, SentWatch, Watch};
use crate::alphabeta::Control;
use crate::alphabeta::clock::Clock;
use crate::alphabeta::engine::{Engine, Limits, STACK_BYTES, confidence};
use crate::alphabeta::worker::Worker;
use crate::calibrate::plan::Plan;
use crate::calibrate::rank_plan::RankPlan;
use crate::observe::Observer;
use crate::optimism::Hopeful;
use crate::{Evaluator, Solver};

impl<G: Hopeful, E: Evaluator<G>, S: Solver<G>, O: Observer> Engine<G, E, S, O> {
    /// Lets `work` probe with all threads of the engine, on a thread of its own with room for the
    /// deepest line. Probes end with [`Stopped`](crate::Stopped) when the nodes or the time of `limits` are used up or
    /// `control` says so. `None` if no thread could be started or `work` died.
    pub fn probing<R: Send>(
        &mut self,
        limits: &Limits<G::Move>,
        begun: Instant,
        control: &Control,
        work: impl FnOnce(&mut Probes<'_, G, E, S, O>) -> R + Send,
    ) -> Option<R> {
        self.probing_watched(limits, begun, control, None, work)
    }

    pub(in crate::alphabeta) fn probing_watched<R: Send>(
        &mut self,
        limits: &Limits<G::Move>,
        begun: Instant,
        control: &Control,
        watch: Option<&mut SentWatch<'_, G>>,
        work: impl FnOnce(&mut Probes<'_, G, E, S, O>) -> R + Send,
    ) -> Option<R> {
        let parts = self.begin_probes(limits, control, usize::MAX);
        let (desk, budget) = (&parts.desk, limits.time.budget(&parts.desk.settings.clock));
        let pool = Pool::new();
        let mut workers = parts.workers.iter_mut();
        let first = workers.next()?;
        thread::scope(|scope| {
            for (index, worker) in workers.enumerate() {
                let (pool, mut bench) = (&pool, Bench { desk, worker, clock: None });
                let help = move || {
                    while let Some((index, job)) = pool.wait() {
                        let mut owes = Owes { pool, index, answer: None };
                        owes.answer = Some(bench.probe(&job));
                    }
                };
                let name = format!("probe {}", index + 1);
                // Where one cannot be started the others do its work.
                let builder = thread::Builder::new().name(name).stack_size(STACK_BYTES);
                drop(builder.spawn_scoped(scope, help));
            }
            let pool = &pool;
            let lead = move || {
                let _ends = Closes(pool);
                let bench = Bench { desk, worker: first, clock: Some(Clock::new(begun, budget)) };
                let pool = (desk.threads > 1).then_some(pool);
                work(&mut Probes::new(bench, pool, watch.map(|watch| watch as _)))
            };
            let builder = thread::Builder::new().name("probe 0".into()).stack_size(STACK_BYTES);
            match builder.spawn_scoped(scope, lead) {
                Ok(thread) => thread.join().ok(),
                Err(_) => {
                    pool.close();
                    None
                }
            }
        })
    }

    /// The same on the thread of the caller and by one worker only. The caller's stack should have
    /// [`STACK_BYTES`].
    pub fn probing_here<R>(
        &mut self,
        limits: &Limits<G::Move>,
        begun: Instant,
        control: &Control,
        work: impl FnOnce(&mut Probes<'_, G, E, S, O>) -> R,
    ) -> R {
        self.probing_here_watched(limits, begun, control, None, work)
    }

    pub(in crate::alphabeta) fn probing_here_watched<R>(
        &mut self,
        limits: &Limits<G::Move>,
        begun: Instant,
        control: &Control,
        watch: Option<&mut Watch<'_, G>>,
        work: impl FnOnce(&mut Probes<'_, G, E, S, O>) -> R,
    ) -> R {
        let parts = self.begin_probes(limits, control, 1);
        let budget = limits.time.budget(&parts.desk.settings.clock);
        let (worker, others) = parts.workers.split_first_mut().expect("an engine has a worker");
        others.iter().for_each(|worker| worker.reset_nodes());
        let clock = Some(Clock::new(begun, budget));
        let bench = Bench { desk: &parts.desk, worker, clock };
        work(&mut Probes::new(bench, None, watch.map(|watch| watch as _)))
    }

    /// What probes need, by as many threads as there are but no more than `most`.
    fn begin_probes<'a>(
        &'a mut self,
        limits: &Limits<G::Move>,
        control: &'a Control,
        most: usize,
    ) -> Parts<'a, G, E, S, O> {
        self.forget_history();
        self.shared.begin();
        for worker in &mut self.workers {
            worker.nodes = 0;
            worker.publish_nodes();
        }
        let threads = self.workers.len().min(most);
        let cuts = self.cuts.as_ref().unwrap_or(Plan::NONE);
        let confidence = confidence::<G>(&self.settings, cuts);
        let desk = Desk {
            shared: &self.shared,
            settings: &self.settings,
            cuts,
            ranks: self.rank_plan.as_ref().map_or(RankPlan::NONE, |(_, plan)| plan),
            reductions: self.reductions.as_deref().filter(|_| self.settings.wants_reductions()),
            control,
            confidence,
            nodes: limits.nodes,
            counters: &self.counters,
            threads,
            ahead: AtomicBool::new(false),
        };
        Parts { desk, workers: &mut self.workers }
    }
}

/// An engine, taken apart for probes.
struct Parts<'a, G: Hopeful, E, S, O> {
    desk: Desk<'a>,
    workers: &'a mut [Worker<G, E, S, O>],
}
