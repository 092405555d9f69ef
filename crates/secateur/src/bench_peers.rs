//! Our nodes per second beside those of other UCI engines: the same positions, one thread, the
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
    for position in positions {
        write!(output, "knps")?;
        for (peer, speeds) in peers.iter_mut().zip(&mut speeds) {
            peer.prepare(position)?;
            let speed = peer.go(&format!("movetime {milliseconds}"))?.finish()?.speed();
            speeds.push(speed);
            write!(output, " {speed:>7.0}")?;
        }
        writeln!(output, "  {position}")?;
        output.flush()?;
    }
    for (peer, theirs) in peers.iter().zip(&speeds).skip(1) {
        let ratios: Vec<f64> = speeds[0].iter().zip(theirs).map(|(a, b)| a / b).collect();
        let mean = |speeds: &[f64]| speeds.iter().sum::<f64>() / speeds.len() as f64;
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
