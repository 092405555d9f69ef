//! `secateur audit`: how often pruning is wrong, and what it saves.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;
use secateur_games::playable::Playable;
use secateur_games::problem::ProblemFiles;
use secateur_lab::audit::Auditor;
use secateur_lab::progress::Progress;
use secateur_lab::statistics::bootstrap::Interval;
use secateur_lab::suite::files;
use secateur_lab::values::grouped;
use secateur_lab::{interrupt, whole_file};
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::{DEFAULT_TABLE, Engine, Limits};
use secateur_search::{Line, Settings};
use serde_json::{Value, json};

use crate::failure::Interrupted;
use crate::games::with_game;
use crate::options::{CutsArguments, GameArguments, SettingsArguments};

/// Arguments of `audit`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur audit --depth 12
  secateur audit wac.epd --depth 10 --preset classic --csv audits.csv
  secateur audit --game othello --depth 10 --every 32 --json

At some of the nodes where a technique prunes, one in --every, drawn from the position, the search that
it saved is made all the same, without it and off the books: nothing that is found is kept, so the
search is the same as without an audit. A cut is wrong if that search lies on the other side of the
window; a reduction is wrong if the full search would have been a surprise. What is saved is the search
that was not made, in full depth, less what the technique's own searches cost: those that led to the
answer (`saved by one`), and in the last column also those of all questions that pruned nothing (`in
vain`). Below zero it costs more than it saves.

Not all that is pruned is audited. `out of reach` are answers that leave out all quiet moves of a node
before any is made, and reductions of moves at the root; the techniques of the closing lines are not
audited at all. No rate says anything of these.

Audits of one tree are not independent: intervals (95 %) are those of clusters, which are the positions
searched, or the nodes where there is one position. A few positions tell little, however many audits.

Positions are those of a file, or those of `secateur bench`.")]
pub(super) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Files of positions, as for `secateur suite`
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Search each so many plies deep
    #[arg(long, value_name = "PLIES", default_value_t = 10, value_parser = clap::value_parser!(u8).range(1..=60))]
    depth: u8,
    /// Audit one node in so many
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Which ones
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Only so many positions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    positions: Option<u64>,
    /// Size of the transposition table in mebibytes
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_TABLE as u32, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    #[command(flatten)]
    settings: SettingsArguments,
    #[command(flatten)]
    cuts: CutsArguments,
    /// Write a line for each audit to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Print one JSON object, totals first
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    with_game!(arguments.game.game, G => audit::<G>(arguments))
}

fn audit<G: ProblemFiles>(arguments: &Arguments) -> anyhow::Result<()> {
    let settings = arguments.settings.read()?.served_by::<G>()?;
    if !settings.is_selective() {
        bail!("nothing is pruned: every technique is off");
    }
    if let Some(path) = &arguments.csv {
        whole_file::check(path).context("--csv")?;
    }
    let mut positions = positions::<G>(arguments)?;
    positions.truncate(arguments.positions.map_or(usize::MAX, |count| count as usize));
    let control = Arc::new(Control::default());
    interrupt::stops(&control);
    let progress = Progress::new(positions.len(), "positions");
    let (mut all, mut nodes, mut searched) = (Auditor::new(arguments.every, arguments.seed), 0, 0);
    for position in &positions {
        let (found, made) = search::<G>(position, arguments, &settings, &control)?;
        if control.is_stopped() {
            break;
        }
        all.join(searched + 1, &found);
        (nodes, searched) = (nodes + made, searched + 1);
        progress.advance();
    }
    progress.finish();
    interrupt::ends();
    if let Some(path) = &arguments.csv {
        whole_file::write(path, |out| Ok(all.write_csv(out)?))?;
    }
    let text = match arguments.json {
        true => format!("{:#}\n", as_json(&all, searched, nodes)),
        false => as_text(&all, searched, nodes),
    };
    io::stdout().write_all(text.as_bytes())?;
    match searched == positions.len() {
        true => Ok(()),
        false => Err(Interrupted(format!("interrupted after {searched} positions")).into()),
    }
}

fn positions<G: ProblemFiles>(arguments: &Arguments) -> anyhow::Result<Vec<G>> {
    if arguments.files.is_empty() {
        let read = G::BENCH_POSITIONS.iter().map(|text| Ok(G::read_with_notes(text)?.0));
        return read.collect();
    }
    let mut note = |what: String| {
        // A standard error that cannot be written leaves nowhere to complain.
        let _ = writeln!(io::stderr(), "note: {what}");
    };
    let suites = files::read::<G>(&arguments.files, false, &mut note)?;
    let problems = suites.into_iter().flat_map(|suite| suite.problems);
    Ok(problems.map(|problem| problem.position).collect())
}

/// Searches one position with an empty table.
fn search<G: Playable>(
    position: &G,
    arguments: &Arguments,
    settings: &Settings,
    control: &Control,
) -> anyhow::Result<(Auditor, u64)> {
    let (every, seed) = (arguments.every, arguments.seed);
    let mut engine = Engine::new(G::start(), move || {
        let (evaluator, solver) = G::equip();
        (evaluator, solver, Auditor::new(every, seed))
    });
    engine.set_settings(settings.clone());
    arguments.cuts.give(&mut engine)?;
    engine.set_table(arguments.hash as usize)?;
    let limits = Limits::depth(arguments.depth.into());
    let line = Line::starting_at(position);
    let answer = engine.search(position, &line, &limits, Instant::now(), control, &mut |_| {});
    let found = engine.observers().next().cloned();
    Ok((found.unwrap_or_else(|| Auditor::new(every, seed)), answer.nodes))
}

fn as_text(all: &Auditor, positions: usize, nodes: u64) -> String {
    let mut text = format!(
        "{positions} positions, {} nodes, {} audits\n\n",
        grouped(nodes),
        grouped(all.audits().len() as u64)
    );
    text += &format!(
        "{:<20}{:>14}{:>14}{:>10}{:>22}{:>14}{:>16}{:>16}\n",
        "technique",
        "held",
        "out of reach",
        "audited",
        "wrong in 1000",
        "saved by one",
        "nodes in vain",
        "of nodes made"
    );
    for finding in all.findings() {
        let Interval { value, low, high } = finding.wrong_per_thousand();
        let wrong = format!("{value:.1} ({low:.1}-{high:.1})");
        let share = finding.saved_in_all() / nodes.max(1) as f64;
        text += &format!(
            "{:<20}{:>14}{:>14}{:>10}{wrong:>22}{:>14.1}{:>16}{share:>15.1}x\n",
            finding.rule.name(),
            grouped(finding.held),
            grouped(finding.out_of_reach),
            grouped(finding.audited),
            finding.saved_by_one(),
            grouped(finding.lost),
        );
    }
    text += "\nWhat techniques save below one another is counted for each: the last column does not add up.\n";
    if all.findings().iter().any(|finding| finding.out_of_reach > 0) {
        text += "Out of reach: quiet moves left out at once without being made (each a node), and moves of the root.\n";
    }
    for (never, words) in [(true, "Not audited at all"), (false, "Pruned, but at no chosen node")] {
        let named: Vec<String> = all
            .not_audited()
            .iter()
            .filter(|none| none.never == never)
            .map(|none| format!("{} ({})", none.rule.name(), grouped(none.held)))
            .collect();
        if !named.is_empty() {
            text += &format!("{words}: {}.\n", named.join(", "));
        }
    }
    text
}

fn as_json(all: &Auditor, positions: usize, nodes: u64) -> Value {
    let techniques: Vec<Value> = all
        .findings()
        .iter()
        .map(|finding| {
            let Interval { value, low, high } = finding.wrong_per_thousand();
            json!({
                "technique": finding.rule.name(),
                "held": finding.held,
                "out_of_reach": finding.out_of_reach,
                "audited": finding.audited,
                "wrong": finding.wrong,
                "wrong_per_thousand": value,
                "wrong_interval": [low, high],
                "effective_audits": finding.effective,
                "spent": finding.spent,
                "saved": finding.saved,
                "saved_by_one": finding.saved_by_one(),
                "in_vain": finding.in_vain,
                "nodes_in_vain": finding.lost,
                "saved_in_all": finding.saved_in_all(),
                "saved_of_nodes_made": finding.saved_in_all() / nodes.max(1) as f64,
            })
        })
        .collect();
    let not_audited: Vec<Value> = all
        .not_audited()
        .iter()
        .map(|none| {
            json!({"technique": none.rule.name(), "held": none.held, "never_audited": none.never})
        })
        .collect();
    json!({
        "positions": positions,
        "nodes": nodes,
        "audits": all.audits().len(),
        "techniques": techniques,
        "not_audited": not_audited,
    })
}
