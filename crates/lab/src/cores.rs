//! Whether the machine has a processor for every thread that is to think at once.
//!
//! Engines that share a processor lose time that nobody sees, and a measurement of theirs
//! measures the scheduler.

use std::thread;

/// More threads than processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{jobs} at once with {threads} threads each need {} processors, and this machine has {cores}: \
     lower --concurrency, or give --force",
    .jobs * .threads
)]
pub struct TooFewCores {
    /// Jobs at once.
    pub jobs: usize,
    /// Search threads of each.
    pub threads: usize,
    /// Processors there are.
    pub cores: usize,
}

/// How many processors this process may use; one where nobody can tell.
pub fn count() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Refuses more threads than processors unless `force`.
pub fn demand(jobs: usize, threads: usize, force: bool) -> Result<(), TooFewCores> {
    demand_of(count(), jobs, threads, force)
}

fn demand_of(cores: usize, jobs: usize, threads: usize, force: bool) -> Result<(), TooFewCores> {
    let fits = jobs.saturating_mul(threads) <= cores;
    if fits || force { Ok(()) } else { Err(TooFewCores { jobs, threads, cores }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_processor_for_each_thread_is_enough_and_less_must_be_forced() {
        assert_eq!(demand_of(4, 2, 2, false), Ok(()));
        assert_eq!(demand_of(4, 5, 1, true), Ok(()));
        let refused = demand_of(4, 3, 2, false).unwrap_err().to_string();
        assert!(refused.starts_with("3 at once with 2 threads each need 6 processors, and "));
        assert!(demand(1, 1, false).is_ok());
    }
}
