//! Independent tasks on several threads. Each writes to a place of its own, so that what comes out
//! does not depend on how many threads there are.

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Does `work` on every task.
pub(super) fn for_each<T: Send>(
    threads: NonZeroUsize,
    tasks: impl IntoIterator<Item = T, IntoIter: Send>,
    work: impl Fn(T) + Sync,
) {
    let tasks = Mutex::new(tasks.into_iter());
    let next = || tasks.lock().unwrap_or_else(PoisonError::into_inner).next();
    let take_part = || {
        while let Some(task) = next() {
            work(task);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.get() {
            // Where no thread can be had, those that run do all of it.
            let _ = thread::Builder::new().spawn_scoped(scope, take_part);
        }
        take_part();
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_is_done_once_whoever_does_it() {
        for threads in [1, 3, 8] {
            let mut done = vec![0; 100];
            let threads = NonZeroUsize::new(threads).unwrap();
            for_each(threads, done.iter_mut().enumerate(), |(task, place)| *place += task);
            assert!(done.into_iter().eq(0..100));
        }
    }
}
