//! The live line: one line at the foot of the terminal that shows a search at work.
//!
//! Not a bar of `indicatif`: that keeps the cursor at the right edge, where the `^C` that a terminal
//! echoes begins a new line, and the old one is never cleared.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use secateur_lab::values::{per_second, short, time};

use crate::lines::error_width;

/// How often the line is drawn; searches that are done before are not disturbed.
const TICK: Duration = Duration::from_millis(100);

/// To the first column, then clear to the end.
const CLEAR: &str = "\r\u{1b}[K";

/// The live line, on the standard error if that is a terminal; nothing otherwise.
pub struct Live {
    shared: Arc<Shared>,
    painter: Option<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    done: Condvar,
}

struct State {
    depth: i32,
    drawn: bool,
    done: bool,
}

impl Live {
    /// A line about the search that counts its nodes in these counters.
    pub fn new(counters: Vec<Arc<AtomicU64>>) -> Live {
        let state = Mutex::new(State { depth: 1, drawn: false, done: false });
        let shared = Arc::new(Shared { state, done: Condvar::new() });
        let able = std::env::var_os("TERM").is_none_or(|terminal| terminal != "dumb");
        let painter = (able && io::stderr().is_terminal()).then(|| {
            let shared = Arc::clone(&shared);
            // Where no thread can be had there is no live line.
            thread::Builder::new().spawn(move || shared.paint(&counters)).ok()
        });
        Live { shared, painter: painter.flatten() }
    }

    /// This depth is being searched.
    pub fn reach(&self, depth: i32) {
        self.shared.lock().depth = depth;
    }

    /// Runs `print` with the line out of the way.
    pub fn around<T>(&self, print: impl FnOnce() -> T) -> T {
        // Held while printing, so that nothing is drawn in between.
        let mut state = self.shared.lock();
        state.clear();
        print()
    }
}

/// The line goes with the search.
impl Drop for Live {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.done = true;
        state.clear();
        drop(state);
        self.shared.done.notify_all();
        if let Some(painter) = self.painter.take() {
            // It has nothing to say that could matter here.
            let _ = painter.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn paint(&self, counters: &[Arc<AtomicU64>]) {
        let begun = Instant::now();
        let mut state = self.lock();
        loop {
            let waited = self.done.wait_timeout_while(state, TICK, |state| !state.done);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            if state.done {
                return;
            }
            let (nodes, elapsed) = (nodes(counters), begun.elapsed());
            let text = format!(
                "depth {}, {} nodes, {} a second, {}  (Ctrl-C stops)",
                state.depth,
                short(nodes),
                short(per_second(nodes, elapsed)),
                time(elapsed)
            );
            // A line that wraps could not be cleared, and a terminal may echo `^C` behind it.
            let text: String = text.chars().take(error_width() - 3).collect();
            state.drawn = true;
            // A standard error that cannot be written leaves nowhere to complain.
            let _ = write!(io::stderr(), "{CLEAR}{text}");
        }
    }
}

impl State {
    fn clear(&mut self) {
        if std::mem::take(&mut self.drawn) {
            // As above.
            let _ = write!(io::stderr(), "{CLEAR}");
        }
    }
}

/// The nodes of all threads.
pub fn nodes(counters: &[Arc<AtomicU64>]) -> u64 {
    counters.iter().map(|counter| counter.load(Ordering::Relaxed)).sum()
}
