//! A progress bar on the standard error, for jobs that turn out to be long.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// A job that is done before this needs no bar.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often the sign turns that a long step goes on.
const TURN: Duration = Duration::from_millis(120);

/// Counts what is done, and shows it once the job has taken long and if anyone is looking.
pub struct Progress {
    bar: ProgressBar,
    begun: Instant,
    shown: Mutex<bool>,
}

impl Progress {
    /// A job of `total` parts, called `what` in the plural.
    pub fn new(total: usize, what: &'static str) -> Progress {
        let template = format!("{{wide_bar}} {{pos}}/{{len}} {what}{{msg}}, {{eta}} left");
        Progress::with(Some(total as u64), &template)
    }

    /// A job of `total` parts, or of nobody knows how many, that has something to say with each:
    /// with rate, time left and the [words](Progress::say) of the moment.
    pub fn talking(total: Option<u64>, what: &'static str) -> Progress {
        let template = match total {
            Some(_) => {
                format!(
                    "{{bar:20}} {{pos}}/{{len}} {what}, {{per_sec}}, {{eta}} left; {{wide_msg}}"
                )
            }
            None => format!("{{spinner}} {{pos}} {what}, {{per_sec}}; {{wide_msg}}"),
        };
        Progress::with(total, &template)
    }

    /// A job of a few long steps, each told by its [words](Progress::say), from the first moment on.
    pub fn of_steps() -> Progress {
        let progress = Progress::with(None, "{spinner} {wide_msg}");
        if let Ok(mut shown) = progress.shown.lock()
            && !*shown
        {
            *shown = true;
            progress.bar.set_draw_target(ProgressDrawTarget::stderr());
            progress.bar.enable_steady_tick(TURN);
        }
        progress
    }

    fn with(total: Option<u64>, template: &str) -> Progress {
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template(template);
        bar.set_style(style.unwrap_or(ProgressStyle::default_bar()).with_key(
            "per_sec",
            |state: &ProgressState, text: &mut dyn fmt::Write| {
                // Nobody can be told if this fails.
                let _ = match state.per_sec() {
                    slow if slow < 1.0 => write!(text, "{:.1} a minute", 60.0 * slow),
                    fast => write!(text, "{fast:.1} a second"),
                };
            },
        ));
        Progress { bar, begun: Instant::now(), shown: Mutex::new(!io::stderr().is_terminal()) }
    }

    /// So many parts were done before this began.
    pub fn resume(&self, done: u64) {
        self.bar.set_position(done);
        self.bar.reset_eta();
    }

    /// What there is to say at the moment.
    pub fn say(&self, words: impl Into<Cow<'static, str>>) {
        self.bar.set_message(words);
    }

    /// Whether anybody sees it.
    pub fn is_hidden(&self) -> bool {
        self.bar.is_hidden()
    }

    /// One part more is done.
    pub fn advance(&self) {
        self.show_if_long();
        self.bar.inc(1);
    }

    /// So many parts are done by now.
    pub fn reach(&self, done: u64) {
        self.show_if_long();
        self.bar.set_position(done);
    }

    fn show_if_long(&self) {
        if let Ok(mut shown) = self.shown.lock()
            && !*shown
            && self.begun.elapsed() >= PATIENCE
        {
            *shown = true;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
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
