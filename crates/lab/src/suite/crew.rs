//! Several threads that take one job after another, and what they report.

use std::iter;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{self, Sender};
use std::thread::{self, Builder};

use anyhow::Context;
use secateur_search::alphabeta::engine::STACK_BYTES;

/// Where a thread of the crew reports what happens. If nobody listens the work is over anyway.
pub type Reports<E> = Sender<anyhow::Result<E>>;

/// Shares out the jobs in their order. Each thread runs `work` once, on the jobs that fall to it,
/// and every report is handed to `each` on this thread. No job is begun once `interrupt` is set;
/// an error that is reported, or one of `each`, sets it and is what comes out.
pub fn share_out<'a, J: Sync, E: Send>(
    jobs: &'a [J],
    threads: usize,
    interrupt: &AtomicBool,
    work: impl Fn(&mut dyn Iterator<Item = &'a J>, &Reports<E>) + Sync,
    mut each: impl FnMut(E) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (sender, reports) = mpsc::channel();
        for _ in 0..threads.min(jobs.len()) {
            let sender = sender.clone();
            let (next, work) = (&next, &work);
            let take = move || {
                let job = jobs.get(next.fetch_add(1, Relaxed))?;
                (!interrupt.load(Relaxed)).then_some(job)
            };
            let run = move || work(&mut iter::from_fn(take), &sender);
            let worker = Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, run);
            worker.context("no thread can be had")?;
        }
        drop(sender);
        let mut outcome = Ok(());
        for report in reports {
            let handled = report.and_then(&mut each);
            if outcome.is_ok() && handled.is_err() {
                interrupt.store(true, Relaxed);
                outcome = handled;
            }
        }
        outcome
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;

    #[test]
    fn every_job_is_done_once() {
        let jobs: Vec<usize> = (0..100).collect();
        for threads in [1, 3, 200] {
            let mut done = Vec::new();
            let work = |jobs: &mut dyn Iterator<Item = &usize>, reports: &Reports<usize>| {
                jobs.for_each(|job| reports.send(Ok(*job)).unwrap());
            };
            let take = |job| {
                done.push(job);
                Ok(())
            };
            share_out(&jobs, threads, &AtomicBool::new(false), work, take).unwrap();
            done.sort_unstable();
            assert_eq!(done, jobs, "{threads} threads");
        }
    }

    #[test]
    fn an_error_ends_the_work() {
        let jobs: Vec<usize> = (0..1_000_000).collect();
        let interrupt = AtomicBool::new(false);
        let work = |jobs: &mut dyn Iterator<Item = &usize>, reports: &Reports<usize>| {
            for job in jobs {
                let _ = reports.send(if *job == 5 { Err(anyhow::anyhow!("no")) } else { Ok(*job) });
            }
        };
        let error = share_out(&jobs, 2, &interrupt, work, |_| Ok(())).unwrap_err();
        assert!(error.to_string() == "no" && interrupt.load(Relaxed));
        let error = share_out(&jobs, 2, &AtomicBool::new(false), work, |_| bail!("full"));
        assert_eq!(error.unwrap_err().to_string(), "full");
        let mut begun = 0;
        let count = |_| {
            begun += 1;
            Ok(())
        };
        share_out(&jobs, 2, &AtomicBool::new(true), work, count).unwrap();
        assert_eq!(begun, 0, "it was interrupted before");
    }
}
