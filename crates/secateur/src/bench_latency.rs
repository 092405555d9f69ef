//! How soon `stop` is obeyed: from sending it to the answer, over pipes, as a board program sees it.

use std::io::{self, Write};
use std::thread;
use std::time::Duration;

use secateur_lab::values::median;

use crate::options::SettingsArguments;
use crate::uci_peer::{Peer, Resources};

/// How often.
const STOPS: u32 = 50;

/// Milliseconds that were promised.
const PROMISED: u32 = 10;

/// Searches without end and stops them; prints the median and the worst.
pub fn run(
    game: &str,
    settings: &SettingsArguments,
    resources: Resources,
    positions: &[&str],
) -> anyhow::Result<()> {
    let mut peer = Peer::ourselves(game, settings, resources)?;
    let mut latencies = Vec::new();
    for (number, position) in (0..STOPS).zip(positions.iter().cycle()) {
        peer.prepare(position)?;
        let search = peer.go("infinite")?;
        // At different points of the search, not always at the same.
        thread::sleep(Duration::from_millis(u64::from(20 + number * 37 % 100)));
        latencies.push(search.stop()?.as_secs_f64() * 1_000.0);
    }
    let worst = latencies.iter().copied().fold(0.0, f64::max);
    writeln!(
        io::stdout(),
        "stop is obeyed in {:.2} ms (median of {STOPS}; worst {worst:.2} ms; promised {PROMISED} ms)",
        median(&latencies)
    )?;
    Ok(())
}
