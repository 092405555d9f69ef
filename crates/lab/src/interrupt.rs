//! What Ctrl-C does: it ends a search early, so that what is known can be shown, and outside a
//! search it ends the program politely.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

use secateur_search::alphabeta::Control;

/// What the next Ctrl-C is to do.
enum Reaction {
    /// End the program as usual.
    End,
    /// The same, unless it is the echo of a signal that was sent at this moment: who asks a whole
    /// group of processes to end may ask one of them twice.
    EndSince(Instant),
    /// Say this, then end the program as if it were done.
    Leave(String),
    /// Stop the search.
    Stop(Arc<Control>),
    /// Raise a flag that a long job looks at.
    Raise(Arc<AtomicBool>),
}

/// Nobody presses Ctrl-C twice so fast.
const ECHO: Duration = Duration::from_millis(300);

static REACTION: Mutex<Reaction> = Mutex::new(Reaction::End);
static INSTALLED: Once = Once::new();

/// The exit status of a program that was interrupted, by convention.
pub const INTERRUPTED: u8 = 130;

/// Ctrl-C stops this search; pressed again before it has stopped, it ends the program.
pub fn stops(control: &Arc<Control>) {
    react(Reaction::Stop(Arc::clone(control)));
}

/// Ctrl-C says `last_words` and ends the program.
pub fn leaves(last_words: String) {
    react(Reaction::Leave(last_words));
}

/// Ctrl-C, or being asked to end, raises this flag; asked again, it ends the program.
pub fn raises(flag: &Arc<AtomicBool>) {
    react(Reaction::Raise(Arc::clone(flag)));
}

/// Ctrl-C ends the program as it does everywhere.
pub fn ends() {
    react(Reaction::End);
}

fn react(reaction: Reaction) {
    expect_next(reaction);
    // Where no handler can be had, Ctrl-C ends the program.
    INSTALLED.call_once(|| drop(ctrlc::set_handler(interrupted)));
}

fn expect_next(reaction: Reaction) {
    *REACTION.lock().unwrap_or_else(PoisonError::into_inner) = reaction;
}

fn interrupted() {
    let reaction = {
        let mut reaction = REACTION.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *reaction, Reaction::End)
    };
    match reaction {
        Reaction::Stop(control) => control.stop(),
        Reaction::Raise(flag) => {
            flag.store(true, Ordering::Relaxed);
            expect_next(Reaction::EndSince(Instant::now()));
        }
        Reaction::EndSince(first) if first.elapsed() < ECHO => {
            expect_next(Reaction::EndSince(first))
        }
        Reaction::End | Reaction::EndSince(_) => std::process::exit(INTERRUPTED.into()),
        Reaction::Leave(last_words) => {
            // Nobody may be there to read it.
            let _ = write!(io::stdout(), "\n{last_words}");
            let _ = io::stdout().flush();
            std::process::exit(0);
        }
    }
}
