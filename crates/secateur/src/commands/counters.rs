//! `secateur counters`: what each selective technique did in the search of a position.

use std::io::{self, Write};
use std::time::Instant;

use clap::Args;
use secateur_games::playable::Playable;
use secateur_lab::values::grouped;
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::choice::SearchForm;
use secateur_search::alphabeta::engine::{DEFAULT_TABLE, Engine, Limits};
use secateur_search::observe::{Counters, NodeKind, Rule};
use secateur_search::params::Value as Form;
use secateur_search::{Ability, Settings};
use serde_json::{Value, json};

use crate::games::with_game;
use crate::lines::{screen_width, wrapped};
use crate::options::{CutsArguments, PositionArguments, SettingsArguments};
use crate::thinking::LimitArguments;

/// Milliseconds, where no limit is given.
const DEFAULT_TIME: i64 = 2_000;

/// Arguments of `counters`.
#[derive(Debug, Args)]
#[command(mut_arg("movetime", |limit| limit.help("Think for so many milliseconds [default without another limit: 2000]")))]
#[command(after_help = "\
Examples:
  secateur counters --moves \"e4 e5 Nf3\" --depth 14
  secateur counters \"r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N1PN2/PP2BPPP/R1BQ1RK1 w - -\" --set null_move=off
  secateur counters --game othello --depth 12 --json

Techniques that are off are named below the table. A technique is tried where it applies, and cuts where it does what it is there for: it ends the node,
leaves a move out, or leaves a reduced move as it is. Its nodes are those of its own searches. The
branching factor is the root of the nodes, of the order of the depth; the growth is by how much a ply
multiplied the nodes in the last two iterations.")]
pub(super) struct Arguments {
    #[command(flatten)]
    position: PositionArguments,
    /// The position, as an alternative to --fen; quotes are not needed
    #[arg(value_name = "POSITION", conflicts_with = "fen")]
    words: Vec<String>,
    #[command(flatten)]
    limits: LimitArguments,
    /// Size of the transposition table in mebibytes
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_TABLE as u32, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    #[command(flatten)]
    settings: SettingsArguments,
    #[command(flatten)]
    cuts: CutsArguments,
    /// Print one JSON object, totals first
    #[arg(long)]
    json: bool,
}

pub(super) fn run(mut arguments: Arguments) -> anyhow::Result<()> {
    if !arguments.words.is_empty() {
        arguments.position.fen = Some(arguments.words.join(" "));
    }
    with_game!(arguments.position.game.game, G => count::<G>(&arguments))
}

/// What was counted.
struct Counted {
    counters: Counters,
    /// The techniques that are on.
    on: Vec<Rule>,
    /// Those that are off.
    off: Vec<Rule>,
    /// Those that the game does not serve, with what it lacks.
    unserved: Vec<(Rule, Ability)>,
    game: &'static str,
    /// Whether B* decided: then depth is not that of one tree.
    by_bstar: bool,
    nodes: u64,
    depth: i32,
    /// Nodes up to the end of each iteration.
    iterations: Vec<u64>,
}

impl Counted {
    /// The number of moves that one ply multiplies the nodes by, on average.
    fn branching(&self) -> Option<f64> {
        let nodes = self.iterations.last().copied().unwrap_or(self.nodes);
        let factor = (nodes.max(1) as f64).powf(1.0 / f64::from(self.depth.max(1)));
        (!self.by_bstar).then_some(factor)
    }

    /// By how much the last two iterations were larger than the ones before, for each.
    fn growth(&self) -> Option<f64> {
        let [.., before, _, last] = self.iterations[..] else { return None };
        (before > 0 && !self.by_bstar).then(|| (last as f64 / before as f64).sqrt())
    }
}

fn count<G: Playable>(arguments: &Arguments) -> anyhow::Result<()> {
    let given = arguments.position.read::<G>()?;
    let overlay = arguments.settings.read()?;
    if let Some(ending) = given.record.describe_ending() {
        let text = match arguments.json {
            true => format!("{:#}\n", json!({ "nodes": 0, "over": ending.to_string() })),
            false => format!("over: {ending}\n"),
        };
        io::stdout().write_all(text.as_bytes())?;
        return Ok(());
    }
    let mut engine = Engine::new(G::start(), || {
        let (evaluator, solver) = G::equip();
        (evaluator, solver, Counters::default())
    });
    let settings = overlay.served_by::<G>()?;
    engine.set_settings(settings.clone());
    arguments.cuts.give(&mut engine)?;
    if arguments.hash as usize != DEFAULT_TABLE {
        engine.set_table(arguments.hash as usize)?;
    }
    let limits: Limits<G::Move> = arguments.limits.read(Some(DEFAULT_TIME));
    let counter = engine.node_counters()[0].clone();
    let mut iterations = Vec::new();
    let answer = engine.search(
        given.record.position(),
        given.record.line(),
        &limits,
        Instant::now(),
        &Control::default(),
        &mut |report| {
            let depth = report.depth.plies() as usize;
            if iterations.len() < depth {
                iterations.resize(depth, 0);
            }
            iterations[depth - 1] = counter.load(std::sync::atomic::Ordering::Relaxed);
        },
    );
    let counters = engine.observers().next().cloned().unwrap_or_default();
    let (nodes, depth) = (answer.nodes, answer.depth.plies());
    iterations.truncate(depth.max(0) as usize);
    let lacking = |rule: &Rule| Settings::lacking(rule.name(), G::ABILITIES);
    let is_on = |rule: &Rule| settings.get(rule.name()) != Some(Form::Form("off"));
    let (served, unserved): (Vec<Rule>, Vec<Rule>) =
        Rule::ALL.iter().partition(|rule| lacking(rule) == Ability::NONE);
    let (on, off) = served.into_iter().partition(is_on);
    let unserved = unserved.into_iter().map(|rule| (rule, lacking(&rule))).collect();
    let by_bstar = settings.search.form == SearchForm::Bstar;
    let game = G::NAME;
    let counted = Counted { counters, on, off, unserved, game, by_bstar, nodes, depth, iterations };
    let text = if arguments.json { as_json(&counted) } else { as_text(&counted) };
    io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

const KIND_NAMES: [&str; 5] = ["principal", "cut", "cut turned all", "all", "all turned cut"];

fn as_text(counted: &Counted) -> String {
    let Counted { counters, nodes, depth, .. } = counted;
    let growth = counted.growth().map_or(String::new(), |growth| format!(", growth {growth:.2}"));
    let branching = counted
        .branching()
        .map_or(String::new(), |factor| format!(", branching factor {factor:.2}"));
    let mut text = format!("depth {depth}, {} nodes{branching}{growth}\n\n", grouped(*nodes));
    text += &format!(
        "{:<20}{:>14}{:>14}{:>8}{:>14}{:>8}\n",
        "technique", "tried", "cut", "", "own nodes", ""
    );
    let percent = |part: u64, whole: u64| match whole {
        0 => String::new(),
        whole => format!("{:.1} %", 100.0 * part as f64 / whole as f64),
    };
    for (rule, count) in Rule::ALL.iter().zip(counters.rules) {
        if !counted.on.contains(rule) {
            continue;
        }
        text += &format!(
            "{:<20}{:>14}{:>14}{:>8}{:>14}{:>8}\n",
            rule.name(),
            grouped(count.tried),
            grouped(count.cut),
            percent(count.cut, count.tried),
            grouped(count.nodes),
            percent(count.nodes, *nodes),
        );
    }
    let inner: u64 = counters.kinds.iter().sum();
    text += &format!("\n{:<20}{:>14}\n", "nodes", "");
    for (name, count) in KIND_NAMES.iter().zip(counters.kinds) {
        text += &format!("{name:<20}{:>14}{:>8}\n", grouped(count), percent(count, inner));
    }
    text += &format!(
        "{:<20}{:>14}\n{:<20}{:>14}\n",
        "from the table",
        grouped(counters.answered_by_table),
        "beyond the horizon",
        grouped(counters.beyond_horizon)
    );
    let cuts =
        counters.kinds[NodeKind::Cut as usize] + counters.kinds[NodeKind::AllTurnedCut as usize];
    text += &format!(
        "{:<20}{:>14}{:>8} of all cuts\n",
        "cut by first move",
        grouped(counters.first_move_cuts),
        percent(counters.first_move_cuts, cuts)
    );
    text + &left_out(counted)
}

/// The techniques that have no row, in closing.
fn left_out(counted: &Counted) -> String {
    let width = screen_width();
    let mut text = String::new();
    if !counted.off.is_empty() {
        let names: Vec<String> = counted.off.iter().map(|rule| rule.name().to_string()).collect();
        text += &format!("\noff: {}", wrapped(&names, 5, width));
    }
    if !counted.unserved.is_empty() {
        let names =
            counted.unserved.iter().map(|(rule, needs)| format!("{} ({needs})", rule.name()));
        text += &format!("\nnot in {}, which lacks what they need:\n  ", counted.game);
        text += &wrapped(&names.collect::<Vec<_>>(), 2, width);
    }
    text
}

fn as_json(counted: &Counted) -> String {
    let Counted { counters, nodes, depth, iterations, .. } = counted;
    let rules: Value = Rule::ALL
        .iter()
        .zip(counters.rules)
        .filter(|(rule, _)| counted.on.contains(rule))
        .map(|(rule, count)| {
            let count = json!({ "tried": count.tried, "cut": count.cut, "nodes": count.nodes });
            (rule.name().to_string(), count)
        })
        .collect::<serde_json::Map<_, _>>()
        .into();
    let kinds: Value = KIND_NAMES
        .iter()
        .zip(counters.kinds)
        .map(|(name, count)| (name.to_string(), json!(count)))
        .collect::<serde_json::Map<_, _>>()
        .into();
    let all = json!({
        "nodes": nodes,
        "depth": depth,
        "branching_factor": counted.branching(),
        "growth": counted.growth(),
        "techniques": rules,
        "off": counted.off.iter().map(|rule| rule.name()).collect::<Vec<_>>(),
        "unserved": counted.unserved.iter().map(|(rule, _)| rule.name()).collect::<Vec<_>>(),
        "node_kinds": kinds,
        "answered_by_table": counters.answered_by_table,
        "beyond_horizon": counters.beyond_horizon,
        "first_move_cuts": counters.first_move_cuts,
        "iterations": iterations,
    });
    format!("{all:#}\n")
}
