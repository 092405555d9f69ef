//! `secateur calibrate reductions`: learn how much less deep late moves are best searched.

use std::path::Path;

use clap::{Args, ValueEnum};
use secateur_games::playable::Playable;
use secateur_lab::ranks::Thinks;
use secateur_lab::ranks::host::described;
use secateur_lab::reductions::learn::{Account, Findings, Leaves, learn};
use secateur_lab::reductions::play::{play, prepare};
use secateur_lab::reductions::{KIND, Order, rows};
use secateur_lab::values::grouped;
use secateur_search::Notation;
use secateur_search::calibrate::reductions::{Class, FORMAT, Head, Kind, Late, Reductions};
use serde_json::{Value, json};

use super::calibration_run::RunArguments;
use crate::games::{GameName, with_game};
use crate::options::GameArguments;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur calibrate reductions --games 40 --nodes 20000 --out reductions
  secateur calibrate reductions --resume reductions --price 20000
  secateur match --engine \"secateur late_moves=learned reductions=reductions/reductions.toml\" --engine secateur --nodes 20000
  secateur match --engine \"secateur late_moves=learned late_pruning=learned reductions=reductions/reductions.toml\" --engine secateur --nodes 20000

The engine plays against itself; some late moves are searched at every reduction as well, and nothing of that
is kept. What a reduction misses and what it costs is fitted to what was known of the move: depth, number,
check, lead, fall and changes of the best move as RankCut has them, and history, exchange, the side, and what
the node is expected to be. An error matters only if every node above that is expected to cut turns out not
to. The best reduction is that with the fewest nodes and errors together; the price of an error at the root,
in nodes, is such that nodes are as many as with the formula of the host, or as given.

reductions.toml is the table for the engine: --reductions-file, reductions= in an engine's description, or the
UCI option ReductionsFile; late_moves=learned goes by it, and late_pruning=learned leaves out what it finds not
worth a search: with --leave-out rest the quiet moves at which the chance that they or any later one are better
lies below a threshold for the depth, with each those that are worth less by themselves than their search. A run that was ended goes on with --resume; one that is done is only learned from anew.")]
pub(super) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Games
    #[arg(long, value_name = "N", default_value_t = 40, conflicts_with = "resume", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// What the engine that plays is told
    #[arg(long, value_name = "SETTINGS", default_value = "", conflicts_with = "resume")]
    each: String,
    /// Nodes for each move
    #[arg(long, value_name = "N", default_value_t = 20_000, conflicts_with = "resume", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Of the late moves of shallow nodes one in so many is sampled; of deeper ones more
    #[arg(long, value_name = "N", default_value_t = 4_096, conflicts_with = "resume", value_parser = clap::value_parser!(u64).range(4..))]
    every: u64,
    /// Where draws come from
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "resume")]
    seed: u64,
    /// What an error at the root is worth, in nodes [default: such that nodes are as many as with the host]
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    price: Option<u64>,
    /// The chance that a node which is expected to cut does not, in percent [default: as it was seen]
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(1..=100))]
    flip: Option<u32>,
    /// By which chance quiet moves are left out: of any later one, or of each
    #[arg(long, value_enum, value_name = "WHICH", default_value_t)]
    leave_out: LeaveOut,
    #[command(flatten)]
    run: RunArguments,
}

/// By which chance moves are left out.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum LeaveOut {
    /// That it or a later one is better
    #[default]
    Rest,
    /// That it is
    Each,
}

impl LeaveOut {
    fn leaves(self) -> Leaves {
        match self {
            LeaveOut::Rest => Leaves::Rest,
            LeaveOut::Each => Leaves::Each,
        }
    }
}

/// The table in the folder of a run.
const TABLE: &str = "reductions.toml";

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let game = with_game!(arguments.game.game, G => G::NAME);
    let (order, folder) =
        arguments.run.order(["reductions", game], Order::read, || order(arguments))?;
    let game = GameName::called(&order.game)?;
    with_game!(game, G => go::<G>(arguments, &order, &folder))
}

fn order(arguments: &Arguments) -> anyhow::Result<Order> {
    let (host, evaluation) = with_game!(arguments.game.game, G => described::<G>(&arguments.each)?);
    Ok(Order {
        kind: KIND.to_string(),
        game: with_game!(arguments.game.game, G => G::NAME).to_string(),
        games: arguments.games,
        each: arguments.each.clone(),
        host,
        evaluation,
        every: arguments.every,
        seed: arguments.seed,
        thinks: Thinks::Nodes(arguments.nodes),
    })
}

fn go<G: Playable>(arguments: &Arguments, order: &Order, folder: &Path) -> anyhow::Result<()> {
    let host = prepare::<G>(order)?;
    if !arguments.run.goes_on() {
        order.begin(folder)?;
    }
    let stopped = play(order, &host, folder, arguments.run.threads())?;
    let games = rows::load(folder, order.games)?;
    let price = arguments.price.map(|price| price as f64);
    let flip = arguments.flip.map(|percent| f64::from(percent) / 100.0);
    let path = folder.join(TABLE);
    match learn(&games, price, flip) {
        None if stopped => {}
        None => {
            anyhow::bail!("no late move was sampled: more games, longer ones, or a smaller --every")
        }
        Some(found) => {
            let learned = &found.learned;
            let head = Head {
                format: FORMAT,
                game: order.game.clone(),
                evaluation: order.evaluation.clone(),
                host: order.host.clone(),
                made_by: command(arguments, order, &found),
                samples: found.samples as u64,
                price: learned.price as u64,
                parts: learned.parts(),
            };
            let leaves = arguments.leave_out.leaves();
            let table = Reductions::new(head, |levels| learned.advice(levels, Some(leaves)));
            let text = table.write();
            arguments.run.keep(&path, &text)?;
            arguments.run.tell(
                Some(&path),
                || as_json(order, &found),
                || as_text(order, &found, leaves, &path),
            )?;
        }
    }
    arguments.run.end(stopped, "reductions", folder)
}

/// The command that makes the same table.
fn command(arguments: &Arguments, order: &Order, found: &Findings) -> String {
    let Order { games, every, seed, .. } = order;
    let mut words = format!("secateur calibrate reductions --game {} --games {games}", order.game);
    if !order.each.is_empty() {
        words += &format!(" --each \"{}\"", order.each);
    }
    if let Thinks::Nodes(nodes) = order.thinks {
        words += &format!(" --nodes {nodes}");
    }
    let price = found.learned.price;
    words += &format!(" --every {every} --seed {seed} --price {price:.0}");
    if let Some(flip) = arguments.flip {
        words += &format!(" --flip {flip}");
    }
    match arguments.leave_out {
        LeaveOut::Rest => words,
        LeaveOut::Each => words + " --leave-out each",
    }
}

/// A late quiet move of a node that is expected to fail low, as an example.
fn example(depth: i32, number: usize, kind: Kind) -> Late {
    Late {
        depth,
        number,
        kind,
        even: false,
        history: -1,
        class: Class::Quiet,
        loses: false,
        in_check: false,
        lead: -50,
        changes: 0,
        fall: -10,
    }
}

fn accounts(found: &Findings) -> [(&'static str, Account); 4] {
    let [each, rest] = found.leaving_out;
    [
        ("as the host reduces", found.usual),
        ("learned from other games", found.learned_elsewhere),
        ("the same, leaving out each", each),
        ("the same, leaving out rest", rest),
    ]
}

fn as_text(order: &Order, found: &Findings, leaves: Leaves, path: &Path) -> String {
    let mut text = format!(
        "{} late moves of {} games of {}, {:.1} plies deep on average, searched at every reduction\n",
        grouped(found.samples as u64),
        found.games,
        order.game,
        found.depth
    );
    text += &format!(
        "a node that is expected to cut does not in {:.1} %; an error at the root is worth {} nodes\n\n",
        100.0 * found.flip,
        grouped(found.learned.price as u64)
    );
    text += &format!(
        "{:<26} {:>18} {:>20} {:>24}\n",
        "policy", "nodes, of full", "misses in 1000", "at the root in 1000000"
    );
    for (name, account) in accounts(found) {
        let Account { nodes, errors, misses } = account;
        text += &format!("{name:<26} {:>16.1} % {misses:>20.2} {errors:>24.2}\n", 100.0 * nodes);
    }
    text += "\nPlies less for a quiet move without a good history, by its number (x: not worth a search):\n";
    let numbers = [2, 3, 5, 8, 12, 18, 25, 40];
    text += &format!("{:>5} {:>5}", "depth", "node");
    numbers.iter().for_each(|number| text += &format!(" {number:>4}"));
    text += "\n";
    for depth in [3, 5, 7, 9, 12] {
        for (kind, name) in [(Kind::Cut, "cut"), (Kind::All, "all")] {
            text += &format!("{depth:>5} {name:>5}");
            for number in numbers {
                let advice = found.learned.advice_for(&example(depth, number, kind), Some(leaves));
                let out = if advice.out { "x" } else { "" };
                text += &format!(" {:>4}", format!("{}{out}", advice.less));
            }
            text += "\n";
        }
    }
    if leaves == Leaves::Rest {
        text += "\nLeft out where a better move, it or a later one, is less likely than, in percent by depth:\n";
        for (depth, threshold) in found.learned.thresholds() {
            text += &format!(" {depth}: {:.2}", 100.0 * threshold.min(1.0));
        }
        text += "\n";
    }
    text + &format!("\nThe table is {}.\n", path.display())
}

fn as_json(order: &Order, found: &Findings) -> Value {
    let account = |(name, account): (&str, Account)| {
        json!({"policy": name, "nodes": account.nodes, "misses_in_1000": account.misses,
            "errors_in_1000000": account.errors})
    };
    json!({
        "samples": found.samples,
        "games": found.games,
        "depth": found.depth,
        "flip": found.flip,
        "price": found.learned.price,
        "rest_thresholds": found.learned.thresholds(),
        "game": order.game,
        "host": order.host,
        "evaluation": order.evaluation,
        "policies": accounts(found).map(account),
    })
}
