//! How well several threads use as many processors.
//!
//! Two questions, for each position in turn: how many nodes the threads of one process make beside
//! as many processes that share nothing, and how much sooner they reach a depth than one thread
//! does. Both sides of a ratio run right after each other, so that a busy machine slows both alike.

use std::io::{self, Write};

use secateur_lab::values::median;

use crate::options::SettingsArguments;
use crate::uci_peer::{Peer, Resources};

/// What to measure.
pub struct Job<'a> {
    /// The name of the game.
    pub game: &'a str,
    /// What is in force in every process.
    pub settings: &'a SettingsArguments,
    /// How many threads, and how many processes.
    pub threads: usize,
    /// Mebibytes of each process's table.
    pub hash: usize,
    /// What is searched.
    pub positions: &'a [&'a str],
    /// How long, for the nodes.
    pub milliseconds: u64,
    /// How deep, for the time; if not given, as deep as one thread gets in twice that time.
    pub depth: Option<i32>,
    /// How often each; the median counts.
    pub rounds: usize,
}

/// One process with all the threads, and as many with one each.
struct Sides {
    together: Peer,
    apart: Vec<Peer>,
}

impl Sides {
    fn start(job: &Job) -> anyhow::Result<Sides> {
        let peer = |threads| {
            Peer::ourselves(job.game, job.settings, Resources { hash: job.hash, threads })
        };
        Ok(Sides {
            together: peer(job.threads)?,
            apart: (0..job.threads).map(|_| peer(1)).collect::<anyhow::Result<_>>()?,
        })
    }

    /// Thousands of nodes in a second of the threads together.
    fn speed_together(&mut self, job: &Job, position: &str) -> anyhow::Result<f64> {
        self.together.prepare(position)?;
        Ok(self.together.go(&format!("movetime {}", job.milliseconds))?.finish()?.speed())
    }

    /// The sum of those of the processes, all at the same time.
    fn speed_apart(&mut self, job: &Job, position: &str) -> anyhow::Result<f64> {
        for peer in &mut self.apart {
            peer.prepare(position)?;
        }
        let go = format!("movetime {}", job.milliseconds);
        let searches: Vec<_> =
            self.apart.iter_mut().map(|peer| peer.go(&go)).collect::<anyhow::Result<_>>()?;
        let mut sum = 0.0;
        for search in searches {
            sum += search.finish()?.speed();
        }
        Ok(sum)
    }
}

/// Seconds to the depth.
fn time_to_depth(peer: &mut Peer, depth: u64, position: &str) -> anyhow::Result<f64> {
    peer.prepare(position)?;
    let found = peer.go(&format!("depth {depth}"))?.finish()?;
    Ok(found.elapsed.as_secs_f64().max(1e-6))
}

/// A depth that takes one thread long enough for the others to matter.
fn suitable_depth(peer: &mut Peer, job: &Job, position: &str) -> anyhow::Result<u64> {
    if let Some(depth) = job.depth {
        return Ok(depth as u64);
    }
    peer.prepare(position)?;
    Ok(peer.go(&format!("movetime {}", 2 * job.milliseconds))?.finish()?.depth.max(1))
}

/// Both answers in turn, the second first in every other round, in case that matters.
fn in_turn<S>(
    round: usize,
    sides: &mut S,
    first: impl FnOnce(&mut S) -> anyhow::Result<f64>,
    second: impl FnOnce(&mut S) -> anyhow::Result<f64>,
) -> anyhow::Result<(f64, f64)> {
    if round.is_multiple_of(2) {
        let first = first(sides)?;
        Ok((first, second(sides)?))
    } else {
        let second = second(sides)?;
        Ok((first(sides)?, second))
    }
}

/// Measures and prints a row for each position and what they give together.
pub fn run(job: &Job) -> anyhow::Result<()> {
    let mut output = io::stdout();
    let mut sides = Sides::start(job)?;
    let (mut all_nodes, mut all_times) = (Vec::new(), Vec::new());
    writeln!(
        output,
        "nodes: of {} threads / of {} processes, {} ms each; time: of 1 thread / of {0} threads to \
         the depth; median of {} rounds",
        job.threads, job.threads, job.milliseconds, job.rounds
    )?;
    for position in job.positions {
        let (mut nodes, mut times) = (Vec::new(), Vec::new());
        let depth = suitable_depth(&mut sides.apart[0], job, position)?;
        for round in 0..job.rounds {
            let (together, apart) = in_turn(
                round,
                &mut sides,
                |sides| sides.speed_together(job, position),
                |sides| sides.speed_apart(job, position),
            )?;
            nodes.push(together / apart);
            let (one, all) = in_turn(
                round,
                &mut sides,
                |sides| time_to_depth(&mut sides.apart[0], depth, position),
                |sides| time_to_depth(&mut sides.together, depth, position),
            )?;
            times.push(one / all);
        }
        let (node_ratio, time_ratio) = (median(&nodes), median(&times));
        writeln!(
            output,
            "nodes {node_ratio:.2}  time {time_ratio:.2}  depth {depth:>2}  {position}"
        )?;
        output.flush()?;
        all_times.push(median(&times));
        all_nodes.extend(nodes);
    }
    writeln!(
        output,
        "{} threads: {:.2} of the nodes of {} processes; time to depth {:.2} times as good",
        job.threads,
        median(&all_nodes),
        job.threads,
        geometric_mean(&all_times)
    )?;
    Ok(())
}

/// A ratio and its reciprocal count alike.
fn geometric_mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len().max(1) as f64).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_and_its_reciprocal_cancel() {
        assert!((geometric_mean(&[4.0, 0.25]) - 1.0).abs() < 1e-12);
        assert!((geometric_mean(&[2.0, 8.0]) - 4.0).abs() < 1e-12);
    }

    #[test]
    fn who_runs_first_changes_but_not_who_is_who() {
        let mut order = Vec::new();
        for round in 0..2 {
            let answers = in_turn(
                round,
                &mut order,
                |order| {
                    order.push("first");
                    Ok(1.0)
                },
                |order| {
                    order.push("second");
                    Ok(2.0)
                },
            );
            assert_eq!(answers.unwrap(), (1.0, 2.0));
        }
        assert_eq!(order, ["first", "second", "second", "first"]);
    }
}
