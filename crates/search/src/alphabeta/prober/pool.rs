//! Jobs for the threads that help, and what came of them.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::bench::Job;
use crate::Stopped;
use crate::bstar::Probed;
use crate::optimism::Hopeful;

/// Jobs for the threads that help, and what came of them.
pub(super) struct Pool<G: Hopeful> {
    board: Mutex<Board<G>>,
    changed: Condvar,
}

struct Board<G: Hopeful> {
    jobs: Vec<Job<G>>,
    /// The next to be taken.
    next: usize,
    answers: Vec<Option<Result<Probed<G::Move>, Stopped>>>,
    /// How many are there.
    answered: usize,
    closed: bool,
}

impl<G: Hopeful> Pool<G> {
    pub(super) fn new() -> Pool<G> {
        let board =
            Board { jobs: Vec::new(), next: 0, answers: Vec::new(), answered: 0, closed: false };
        Pool { board: Mutex::new(board), changed: Condvar::new() }
    }

    fn board(&self) -> MutexGuard<'_, Board<G>> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands out jobs; those before must be done.
    pub(super) fn offer(&self, jobs: Vec<Job<G>>) {
        let mut board = self.board();
        board.answers = jobs.iter().map(|_| None).collect();
        (board.next, board.answered) = (0, 0);
        board.jobs = jobs;
        drop(board);
        self.changed.notify_all();
    }

    /// The next job, at once; `None` if there is none.
    pub(super) fn take(&self) -> Option<(usize, Job<G>)> {
        self.board().take()
    }

    /// The next job, waited for; `None` if no more will come.
    pub(super) fn wait(&self) -> Option<(usize, Job<G>)> {
        let mut board = self.board();
        loop {
            if board.closed {
                return None;
            }
            if let Some(job) = board.take() {
                return Some(job);
            }
            board = self.changed.wait(board).unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(super) fn answer(&self, index: usize, answer: Result<Probed<G::Move>, Stopped>) {
        let mut board = self.board();
        board.answers[index] = Some(answer);
        board.answered += 1;
        drop(board);
        self.changed.notify_all();
    }

    /// Everything, once it is there.
    pub(super) fn collect(&self) -> Result<Vec<Probed<G::Move>>, Stopped> {
        let mut board = self.board();
        while board.answered < board.answers.len() {
            board = self.changed.wait(board).unwrap_or_else(PoisonError::into_inner);
        }
        let answers = std::mem::take(&mut board.answers);
        answers.into_iter().map(|answer| answer.unwrap_or(Err(Stopped))).collect()
    }

    pub(super) fn close(&self) {
        self.board().closed = true;
        self.changed.notify_all();
    }
}

impl<G: Hopeful> Board<G> {
    fn take(&mut self) -> Option<(usize, Job<G>)> {
        let index = self.next;
        let Job { position, m, from_root, depth, hope } = self.jobs.get(index)?;
        let (m, from_root, depth, hope) = (*m, *from_root, *depth, *hope);
        let job = Job { position: position.clone(), m, from_root, depth, hope };
        self.next += 1;
        Some((index, job))
    }
}

/// Sends the threads home when it goes, even by a panic: they would wait for ever.
pub(super) struct Closes<'a, G: Hopeful>(pub(super) &'a Pool<G>);

impl<G: Hopeful> Drop for Closes<'_, G> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Answers a job that was taken, even if its thread dies of it.
pub(super) struct Owes<'a, G: Hopeful> {
    pub(super) pool: &'a Pool<G>,
    pub(super) index: usize,
    pub(super) answer: Option<Result<Probed<G::Move>, Stopped>>,
}

impl<G: Hopeful> Drop for Owes<'_, G> {
    fn drop(&mut self) {
        self.pool.answer(self.index, self.answer.take().unwrap_or(Err(Stopped)));
    }
}
