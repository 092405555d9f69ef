//! Our nodes per second, depth and growth of the tree beside those of other UCI engines: the same positions, one thread, the
//! same table, all in turn.

use std::io::{self, Write};

use secateur_lab::values::median;

use crate::options::SettingsArguments;
use crate::uci_peer::{Peer, Resources};

/// What every engine gets.
const RESOURCES: Resources = Resources { hash: 64, threads: 1 };

/// Runs ourselves and each peer on every position in turn and prints the ratios of the speeds.
pub fn run(
    game: &str,
    settings: &SettingsArguments,
    commands: &[String],
    positions: &[&str],
    milliseconds: u64,
) -> anyhow::Result<()> {
    let mut peers = vec![Peer::ourselves(game, settings, RESOURCES)?];
    for command in commands {
        peers.push(Peer::of_command(command, RESOURCES)?);
    }
    let mut output = io::stdout();
    let mut speeds: Vec<Vec<f64>> = vec![Vec::new(); peers.len()];
    let mut depths = vec![Vec::new(); peers.len()];
    let mut growths = vec![Vec::new(); peers.len()];
    for (index, peer) in peers.iter().enumerate() {
        writeln!(output, "engine {}: {}", index + 1, peer.name())?;
    }
    write!(output, "knps")?;
    for number in 1..=peers.len() {
        write!(output, " {number:>7}")?;
    }
    writeln!(output, "  position")?;
    for position in positions {
        write!(output, "    ")?;
        for (index, peer) in peers.iter_mut().enumerate() {
            peer.prepare(position)?;
            let found = peer.go(&format!("movetime {milliseconds}"))?.finish()?;
            speeds[index].push(found.speed());
            depths[index].push(found.depth as f64);
            growths[index].extend(found.growth().map(f64::ln));
            write!(output, " {:>7.0}", found.speed())?;
        }
        writeln!(output, "  {position}")?;
        output.flush()?;
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    for (index, peer) in peers.iter().enumerate() {
        let growth = match growths[index].is_empty() {
            true => String::new(),
            // The geometric mean, as factors have it.
            false => format!(", each ply {:.2} times the nodes", mean(&growths[index]).exp()),
        };
        writeln!(output, "depth {:.1}{growth}: {}", mean(&depths[index]), peer.name())?;
    }
    for (peer, theirs) in peers.iter().zip(&speeds).skip(1) {
        let ratios: Vec<f64> = speeds[0].iter().zip(theirs).map(|(a, b)| a / b).collect();
        writeln!(
            output,
            "{:.2} times the speed of {} (median of {} positions; {:.0} knps to {:.0})",
            median(&ratios),
            peer.name(),
            ratios.len(),
            mean(&speeds[0]),
            mean(theirs)
        )?;
    }
    Ok(())
}
