//! A progress bar on the standard error, for jobs that turn out to be long.

use std::io::{self, IsTerminal};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A job that is done before this needs no bar.
const PATIENCE: Duration = Duration::from_secs(2);

/// Counts what is done, and shows it once the job has taken long and if anyone is looking.
pub struct Progress {
    bar: ProgressBar,
    begun: Instant,
    shown: Mutex<bool>,
}

impl Progress {
    /// A job of `total` parts, called `what` in the plural.
    pub fn new(total: usize, what: &'static str) -> Progress {
        let bar = ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::hidden());
        let template = format!("{{wide_bar}} {{pos}}/{{len}} {what}{{msg}}, {{eta}} left");
        bar.set_style(
            ProgressStyle::with_template(&template).unwrap_or(ProgressStyle::default_bar()),
        );
        Progress { bar, begun: Instant::now(), shown: Mutex::new(!io::stderr().is_terminal()) }
    }

    /// One part more is done.
    pub fn advance(&self) {
        if let Ok(mut shown) = self.shown.lock()
            && !*shown
            && self.begun.elapsed() >= PATIENCE
        {
            *shown = true;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(1);
    }

    /// What is shown behind the count from now on.
    pub fn note(&self, running: String) {
        self.bar.set_message(running);
    }

    /// Runs `print` with the bar out of the way.
    pub fn around<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Removes the bar; the time since the job began.
    pub fn finish(&self) -> Duration {
        self.bar.finish_and_clear();
        self.begun.elapsed()
    }
}
