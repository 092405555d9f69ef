//! The same program under other settings: what a technique costs where it changes nothing, or does not
//! yet. Both search every position right after each other, so that a busy machine slows both alike.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use anyhow::anyhow;
use secateur_games::playable::{GameEngine, Playable};
use secateur_lab::values::median;
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::Limits;
use secateur_search::{Line, Overlay, ParseError};

/// An overlay with these settings on top.
pub fn overlaid(overlay: &Overlay, settings: &str) -> anyhow::Result<Overlay> {
    let mut other = overlay.clone();
    for setting in settings.split_whitespace() {
        let (name, value) =
            setting.split_once('=').ok_or_else(|| anyhow!("'{setting}' is no name=value"))?;
        other.set(name, value)?;
    }
    Ok(other)
}

/// Nodes of a built-in position, and how long they took.
pub fn searched<G: Playable>(
    engine: &mut GameEngine<G>,
    text: &str,
    depth: i32,
) -> anyhow::Result<(u64, Duration)> {
    let position = G::read_position(text)
        .map_err(|error: ParseError| anyhow!("the built-in position {text}: {error}"))?;
    // Every position alone, so that the order of the list does not matter.
    engine.new_game();
    let begun = Instant::now();
    let line = Line::starting_at(&position);
    let limits = Limits::depth(depth);
    let answer = engine.search(&position, &line, &limits, begun, &Control::default(), &mut |_| {});
    Ok((answer.nodes, begun.elapsed()))
}

/// Prints the speed of the second as a multiple of that of the first: the median of rounds, and the least
/// and the most of them.
pub fn run<G: Playable>(
    first: &mut GameEngine<G>,
    second: &mut GameEngine<G>,
    depth: i32,
    rounds: usize,
) -> anyhow::Result<()> {
    let mut output = io::stdout();
    let mut ratios = Vec::new();
    let mut sums = [0; 2];
    // The first round warms up.
    for round in 0..=rounds.max(1) {
        let (mut nodes, mut times) = ([0; 2], [Duration::ZERO; 2]);
        for (index, text) in G::BENCH_POSITIONS.iter().enumerate() {
            // Who is first changes, in case the second profits or suffers from it.
            for turn in 0..2 {
                let side = (round + index + turn) % 2;
                let engine = if side == 0 { &mut *first } else { &mut *second };
                let (searched, elapsed) = searched(engine, text, depth)?;
                nodes[side] += searched;
                times[side] += elapsed;
            }
        }
        let speeds = [0, 1].map(|side| nodes[side] as f64 / times[side].as_secs_f64().max(1e-9));
        let ratio = speeds[1] / speeds[0];
        writeln!(
            output,
            "round {round}: {} nodes at {:.0} nps without, {} at {:.0} with, ratio {ratio:.3}",
            nodes[0], speeds[0], nodes[1], speeds[1]
        )?;
        if round > 0 {
            ratios.push(ratio);
        }
        sums = nodes;
    }
    let end = |of: fn(f64, f64) -> f64| ratios.iter().copied().reduce(of).unwrap_or_default();
    writeln!(
        output,
        "{} nodes; median ratio {:.3} of {} rounds ({:.3} to {:.3})",
        if sums[0] == sums[1] { "the same" } else { "other" },
        median(&ratios),
        ratios.len(),
        end(f64::min),
        end(f64::max)
    )?;
    Ok(())
}
