//! Numbered tasks on several threads, their results handed over in the order of the numbers: what
//! comes out does not depend on how many threads there are.

use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;

use secateur_search::alphabeta::engine::STACK_BYTES;

/// Runs `task` on 0, 1, 2, ... below `count`, or until `take` breaks off. Each thread has a state of its own, made
/// by `equip`, and the stack that a search needs.
pub fn run<S, T: Send>(
    threads: NonZeroUsize,
    count: usize,
    equip: impl Fn() -> S + Sync,
    task: impl Fn(&mut S, usize) -> T + Sync,
    mut take: impl FnMut(T) -> ControlFlow<()>,
) -> io::Result<()> {
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        for _ in 0..threads.get() {
            let (sender, next, stop, equip, task) = (sender.clone(), &next, &stop, &equip, &task);
            let work = move || {
                let mut state = equip();
                while !stop.load(Relaxed) {
                    let number = next.fetch_add(1, Relaxed);
                    // A thread that ran ahead of the others would heap up results of no use.
                    if number >= count {
                        break;
                    }
                    if sender.send((number, task(&mut state, number))).is_err() {
                        break;
                    }
                }
            };
            let started = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
            if let Err(error) = started {
                stop.store(true, Relaxed);
                return Err(error);
            }
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut wanted = 0;
        for (number, result) in results {
            early.insert(number, result);
            while let Some(result) = early.remove(&wanted) {
                wanted += 1;
                if take(result).is_break() {
                    stop.store(true, Relaxed);
                    return Ok(());
                }
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn results_come_in_order_however_long_each_takes() {
        for threads in [1, 3] {
            let mut taken = Vec::new();
            let task = |_: &mut (), number: usize| {
                thread::sleep(Duration::from_micros(if number.is_multiple_of(3) {
                    900
                } else {
                    10
                }));
                number
            };
            run(
                NonZeroUsize::new(threads).unwrap(),
                usize::MAX,
                || (),
                task,
                |number| {
                    taken.push(number);
                    if number == 40 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                },
            )
            .unwrap();
            assert_eq!(taken, (0..=40).collect::<Vec<_>>(), "{threads} threads");
        }
    }

    #[test]
    fn no_task_beyond_the_last_is_begun_while_the_others_are_waited_for() {
        let begun = AtomicUsize::new(0);
        let task = |_: &mut (), number: usize| {
            begun.fetch_add(1, Relaxed);
            thread::sleep(Duration::from_millis(if number == 0 { 30 } else { 0 }));
            number
        };
        let mut taken = Vec::new();
        run(
            NonZeroUsize::new(3).unwrap(),
            5,
            || (),
            task,
            |number| {
                taken.push(number);
                ControlFlow::Continue(())
            },
        )
        .unwrap();
        assert_eq!((taken, begun.into_inner()), (vec![0, 1, 2, 3, 4], 5));
    }
}
