//! One `go`: what it asks for, its thread, the signals it obeys, and its one answer.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Instant;

use secateur_games::playable::{GameEngine, Playable};
use secateur_games::record::Record;
use secateur_games::strength::Strength;
use secateur_search::Settings;
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::Limits;

use super::output::Output;
use super::think::think;

/// Everything a search needs to know, owned by its thread.
pub struct Task<G: Playable> {
    /// The engine, held by this task while it thinks.
    pub engine: Arc<Mutex<GameEngine<G>>>,
    /// The game so far, with moves to be written as the protocol wants them.
    pub record: Record<G>,
    /// When to stop.
    pub limits: Limits<G::Move>,
    /// Whether only `stop` ends it.
    pub infinite: bool,
    /// What is in force.
    pub settings: Settings,
    /// Whether to name the reply to ponder on.
    pub name_reply: bool,
    /// Whether scores are told as chances too.
    pub show_wdl: bool,
    /// How strong to play, if not as strong as it can, and where the draws come from.
    pub held_back: Option<(Strength, u64)>,
    /// When the command came.
    pub begun: Instant,
}

/// The result of thinking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer<M> {
    /// The move; `None` if there is none to make.
    pub best: Option<M>,
    /// The reply it expects.
    pub reply: Option<M>,
}

/// What the reading thread tells the thinking one.
#[derive(Debug)]
pub struct Signals {
    control: Control,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Signals {
    /// Nothing signalled yet.
    pub fn new(pondering: bool) -> Signals {
        let control = if pondering { Control::pondering() } else { Control::default() };
        Signals { control, lock: Mutex::new(()), changed: Condvar::new() }
    }

    /// What the search looks at.
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// Asks for the answer at once.
    pub fn stop(&self) {
        self.change(|| self.control.stop());
    }

    /// The move that was pondered on was played.
    pub fn ponderhit(&self) {
        self.change(|| self.control.ponderhit());
    }

    /// Sleeps until an answer may be sent: after `stop`, or, unless the search is to go on for
    /// ever, as soon as it is not pondering.
    pub fn wait_for_leave(&self, infinite: bool) {
        let may_not =
            |_: &mut ()| !self.control.is_stopped() && (infinite || self.control.is_pondering());
        let guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.changed.wait_while(guard, may_not));
    }

    /// Under the lock, so that a thread between looking and sleeping cannot miss it.
    fn change(&self, set: impl FnOnce()) {
        let guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        set();
        drop(guard);
        self.changed.notify_all();
    }
}

/// A thread at work. Dropping it stops the work and waits for its answer.
pub struct Running {
    /// Whether it waits for a signal that only a further line can bring.
    endless: bool,
    signals: Arc<Signals>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    /// Begins `work` in a thread of its own.
    pub fn start(
        pondering: bool,
        infinite: bool,
        work: impl FnOnce(&Signals) + Send + 'static,
    ) -> io::Result<Running> {
        let signals = Arc::new(Signals::new(pondering));
        let theirs = Arc::clone(&signals);
        let thread = Builder::new().name("think".to_string()).spawn(move || work(&theirs))?;
        Ok(Running { endless: pondering || infinite, signals, thread: Some(thread) })
    }

    /// No further line will come: waits for the answer, which is asked for if nothing else could
    /// bring it about.
    pub fn finish(mut self) {
        if self.endless {
            self.signals.stop();
        }
        self.join();
    }

    fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            // A panic there has already been reported, and there is nothing to add here.
            let _ = thread.join();
        }
    }

    /// What can be told to it.
    pub fn signals(&self) -> &Signals {
        &self.signals
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.signals.stop();
        self.join();
    }
}

impl<G: Playable> Task<G> {
    /// Thinks, then answers when an answer is allowed. The work of a thread.
    pub fn run(&self, signals: &Signals, output: &Output) {
        // Somebody waits for an answer, whatever happens.
        let thought = catch_unwind(AssertUnwindSafe(|| think(self, signals, output)));
        let answer = thought.unwrap_or_else(|_| {
            output.info("error: the search failed; this is any legal move");
            let mut moves = Vec::new();
            self.record.position().each_move(|m| moves.push(m));
            Answer { best: moves.first().copied(), reply: None }
        });
        signals.wait_for_leave(self.infinite);
        output.line(self.written(answer));
    }

    fn written(&self, answer: Answer<G::Move>) -> String {
        let position = self.record.position();
        match answer {
            Answer { best: None, .. } => "bestmove (none)".to_string(),
            Answer { best: Some(best), reply: Some(reply) } if self.name_reply => {
                let after = position.after(best);
                let (best, reply) = (position.write_move(best), after.write_move(reply));
                format!("bestmove {best} ponder {reply}")
            }
            Answer { best: Some(best), .. } => format!("bestmove {}", position.write_move(best)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    /// Whether a thread that waits for leave gets it after `signal`, and not before.
    fn gets_leave(signals: &Signals, infinite: bool, signal: impl FnOnce(&Signals)) -> bool {
        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| signals.wait_for_leave(infinite));
            std::thread::sleep(Duration::from_millis(20));
            assert!(!waiter.is_finished(), "left without leave");
            signal(signals);
            let begun = Instant::now();
            while !waiter.is_finished() && begun.elapsed() < Duration::from_millis(200) {
                std::thread::sleep(Duration::from_millis(1));
            }
            let left = waiter.is_finished();
            // Otherwise a failure would be a test that never ends.
            signals.stop();
            left
        })
    }

    #[test]
    fn leave_comes_from_stop_or_from_the_end_of_pondering() {
        Signals::new(false).wait_for_leave(false);
        assert!(gets_leave(&Signals::new(true), false, Signals::ponderhit));
        assert!(gets_leave(&Signals::new(true), false, Signals::stop));
        assert!(gets_leave(&Signals::new(false), true, Signals::stop));
        assert!(!gets_leave(&Signals::new(true), true, Signals::ponderhit));
    }

    #[test]
    fn work_that_ends_by_itself_is_waited_for_and_other_work_is_stopped() {
        for (pondering, infinite, stopped) in
            [(false, false, false), (true, false, true), (false, true, true)]
        {
            let told = Arc::new(AtomicBool::new(false));
            let seen = Arc::clone(&told);
            let running = Running::start(pondering, infinite, move |signals| {
                if !(pondering || infinite) {
                    std::thread::sleep(Duration::from_millis(30));
                }
                signals.wait_for_leave(infinite);
                seen.store(signals.control().is_stopped(), Ordering::Relaxed);
            });
            running.unwrap().finish();
            assert_eq!(told.load(Ordering::Relaxed), stopped, "{pondering} {infinite}");
        }
    }

    #[test]
    fn a_dropped_thread_has_answered() {
        let output = Arc::new(AtomicBool::new(false));
        let answered = Arc::clone(&output);
        let running = Running::start(true, false, move |signals| {
            signals.wait_for_leave(true);
            answered.store(true, Ordering::Relaxed);
        });
        drop(running.unwrap());
        assert!(output.load(Ordering::Relaxed));
    }
}
