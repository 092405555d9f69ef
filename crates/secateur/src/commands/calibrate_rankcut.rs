//! `secateur calibrate rankcut`: count how often a late move turns out better.

use std::path::Path;

use clap::Args;
use secateur_games::playable::Playable;
use secateur_lab::ranks::findings::findings;
use secateur_lab::ranks::host::{described, settings_of};
use secateur_lab::ranks::play::{play, prepare};
use secateur_lab::ranks::{KIND, Order, Thinks};
use secateur_search::Notation;

use super::calibration_run::RunArguments;
use crate::games::{GameName, with_game};
use crate::options::GameArguments;
use crate::rank_calibration::{as_json, as_text};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur calibrate rankcut --game chess --each preset=classic --games 50 --out ranks
  secateur calibrate rankcut --each preset=classic --rounds 4 --out ranks     again with RankCut, until stable
  secateur calibrate rankcut --game othello --nodes 50000 --least-depth 5 --out ranks
  secateur calibrate rankcut --resume ranks
  secateur match --engine \"secateur preset=classic rank_cut=on ranks=ranks/ranks.toml\" --engine \"secateur preset=classic\" --nodes 100000

The engine plays against itself from openings drawn at random. At every late move of a deep node it is
counted whether the move, or any after it, turned out better than the best so far, than alpha, and than
alpha less a margin, by seven features: depth, check, number of the move, changes of the best move, lead of
the best over alpha, fall of the last below the best, phase of the order. ranks.toml is the table for the
engine: --ranks-file, ranks= in an engine's description, or the UCI option RanksFile. It serves the
evaluation that was played with, and no other.

Let it think as long as it will in play, or longer: states of deep nodes are met too rarely otherwise. What
the text shows goes by the settings of RankCut in --each (rank_cut_test, rank_cut_bound, ...); the table holds
all of them but rank_cut_lead: whether scores below alpha are told apart is settled when they are counted. How much
the share of a rare state is drawn towards that of coarser ones is fitted to games not counted. A run that was
ended goes on with --resume.")]
pub(super) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Games, of each round
    #[arg(long, value_name = "N", default_value_t = 50, conflicts_with = "resume", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Rounds at most: the first without RankCut, the others with it by the table of the one before
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "resume", value_parser = clap::value_parser!(u32).range(1..=20))]
    rounds: u32,
    /// No more rounds once a smaller share of decisions turns, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 1.0, conflicts_with = "resume")]
    stable: f64,
    /// What the engine that plays is told
    #[arg(long, value_name = "SETTINGS", default_value = "", conflicts_with = "resume")]
    each: String,
    /// Nodes for each move [default: 100000]
    #[arg(long, value_name = "N", conflicts_with_all = ["resume", "movetime"], value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds for each move instead; such a run cannot be repeated exactly
    #[arg(long, value_name = "MS", conflicts_with = "resume", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Nodes of less depth are not looked at
    #[arg(long, value_name = "PLIES", default_value_t = 7, conflicts_with = "resume", value_parser = clap::value_parser!(i32).range(2..=30))]
    least_depth: i32,
    /// States that were met less often do not come into the table
    #[arg(long, value_name = "N", default_value_t = 250, conflicts_with = "resume", value_parser = clap::value_parser!(u64).range(1..))]
    least_seen: u64,
    /// What rank_cut_bound=margin takes off alpha, in score units
    #[arg(long, value_name = "N", default_value_t = 50, conflicts_with = "resume", value_parser = clap::value_parser!(i32).range(0..=10_000))]
    margin: i32,
    /// Where draws come from
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "resume")]
    seed: u64,
    #[command(flatten)]
    run: RunArguments,
}

/// The table in the folder of a run.
const TABLE: &str = "ranks.toml";

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let game = with_game!(arguments.game.game, G => G::NAME);
    let (order, folder) =
        arguments.run.order(["rankcut", game], Order::read, || order(arguments))?;
    let game = GameName::called(&order.game)?;
    with_game!(game, G => go::<G>(arguments, &order, &folder))
}

fn order(arguments: &Arguments) -> anyhow::Result<Order> {
    let (host, evaluation) = with_game!(arguments.game.game, G => described::<G>(&arguments.each)?);
    if !(0.0..=100.0).contains(&arguments.stable) {
        anyhow::bail!("--stable is a number of percent from 0 to 100, not {}", arguments.stable);
    }
    Ok(Order {
        kind: KIND.to_string(),
        game: with_game!(arguments.game.game, G => G::NAME).to_string(),
        games: arguments.games,
        rounds: arguments.rounds,
        stable: arguments.stable,
        each: arguments.each.clone(),
        host,
        evaluation,
        thinks: match arguments.movetime {
            Some(milliseconds) => Thinks::Movetime(milliseconds),
            None => Thinks::Nodes(arguments.nodes.unwrap_or(100_000)),
        },
        least_depth: arguments.least_depth,
        least_seen: arguments.least_seen,
        margin: arguments.margin,
        seed: arguments.seed,
        fails: settings_of(&arguments.each)?.rank_cut_lead.form.fails(),
    })
}

fn go<G: Playable>(arguments: &Arguments, order: &Order, folder: &Path) -> anyhow::Result<()> {
    let host = prepare::<G>(order)?;
    if !arguments.run.goes_on() {
        order.begin(folder)?;
    }
    let counted = play(order, &host, folder, arguments.run.threads())?;
    let text = counted.table(order, &command(order)).write();
    let path = folder.join(TABLE);
    arguments.run.keep(&path, &text)?;
    let found = findings(order, &counted, host.settings());
    arguments.run.tell(
        Some(&path),
        || as_json(order, &found, host.settings()),
        || as_text(order, &found, host.settings(), &path),
    )?;
    arguments.run.end(counted.stopped, "rankcut", folder)
}

/// The command that makes the same table.
fn command(order: &Order) -> String {
    let Order { games, rounds, stable, least_depth, least_seen, margin, seed, .. } = order;
    let mut words = format!("secateur calibrate rankcut --game {} --games {games}", order.game);
    if !order.each.is_empty() {
        words += &format!(" --each \"{}\"", order.each);
    }
    if *rounds > 1 {
        words += &format!(" --rounds {rounds} --stable {stable}");
    }
    words += &match order.thinks {
        Thinks::Nodes(nodes) => format!(" --nodes {nodes}"),
        Thinks::Movetime(milliseconds) => format!(" --movetime {milliseconds}"),
    };
    words
        + &format!(
            " --least-depth {least_depth} --least-seen {least_seen} --margin {margin} --seed {seed}"
        )
}
