//! `secateur calibrate bstar`: learn how likely leaves of B* reach their targets.

use std::path::Path;

use clap::Args;
use secateur_games::playable::Playable;
use secateur_lab::odds::findings::findings;
use secateur_lab::odds::play::{play, prepare};
use secateur_lab::odds::{KIND, Order, rows};
use secateur_lab::ranks::Thinks;
use secateur_lab::ranks::host::described;
use secateur_search::Notation;

use super::calibration_run::RunArguments;
use crate::games::{GameName, with_game};
use crate::odds_calibration::{as_json, as_text};
use crate::options::GameArguments;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur calibrate bstar --games 40 --out odds
  secateur calibrate bstar --games 120 --probes 3,4,6 --nodes 100000 --out odds
  secateur calibrate bstar --game othello --each \"search=bstar bstar.probe=4\" --nodes 40000 --out odds
  secateur calibrate bstar --resume odds
  secateur match --engine \"secateur preset=bstar bstar_odds=learned odds=odds/odds.toml\" --engine \"secateur preset=bstar\" --nodes 200000

B* plays against itself from openings drawn at random. Of each search some leaves are drawn, at moments drawn
too: the one that was expanded then, and one of the others. Each has what its probe found, what was hoped for,
and the target of the moment; a search --deeper plies deeper tells whether the target is reached. The share
that is, by the distances of target and hope, the depth of the probe, the stage of the game and whether the
move was a check or a capture, is what bstar_odds=learned goes by in place of the straight line.

Every game is judged by a table of the others. The table is marked better only if it then loses less than the
straight line (logarithmic loss, 95 % interval by games); otherwise it is refused unless bstar_odds_table=any.
odds.toml is the table for the engine: --odds-file, odds= in an engine's description, or the UCI option
OddsFile. It serves the evaluation that was played with, and no other. A run that was ended goes on with
--resume; one that is done is only fitted anew.")]
pub(super) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Games
    #[arg(long, value_name = "N", default_value_t = 40, conflicts_with = "resume", value_parser = clap::value_parser!(u64).range(2..))]
    games: u64,
    /// What the engine that plays is told
    #[arg(
        long,
        value_name = "SETTINGS",
        default_value = "preset=bstar",
        conflicts_with = "resume"
    )]
    each: String,
    /// Nodes for each move
    #[arg(long, value_name = "N", default_value_t = 50_000, conflicts_with = "resume", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Plies of the probes, of each game the next of these in turn [default: as the engine is told]
    #[arg(long, value_name = "PLIES,...", value_delimiter = ',', conflicts_with = "resume", value_parser = clap::value_parser!(i32).range(1..=20))]
    probes: Vec<i32>,
    /// Leaves of each search, at most
    #[arg(long, value_name = "N", default_value_t = 6, conflicts_with = "resume", value_parser = clap::value_parser!(u16).range(1..))]
    leaves: u16,
    /// So many plies deeper than its probe a leaf is searched
    #[arg(long, value_name = "PLIES", default_value_t = 4, conflicts_with = "resume", value_parser = clap::value_parser!(i32).range(1..=20))]
    deeper: i32,
    /// Where draws come from
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "resume")]
    seed: u64,
    #[command(flatten)]
    run: RunArguments,
}

/// The table in the folder of a run.
const TABLE: &str = "odds.toml";

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let game = with_game!(arguments.game.game, G => G::NAME);
    let (order, folder) = arguments.run.order(["bstar", game], Order::read, || order(arguments))?;
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
        probes: arguments.probes.clone(),
        leaves: arguments.leaves.into(),
        deeper: arguments.deeper,
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
    match findings(&games) {
        None if stopped => {}
        None => anyhow::bail!(
            "too few leaves to judge any game by others: more games, or more nodes for each move"
        ),
        Some(found) => {
            let path = folder.join(TABLE);
            let text = found.table(order, &command(order)).write();
            arguments.run.keep(&path, &text)?;
            let run = &arguments.run;
            run.tell(Some(&path), || as_json(order, &found), || as_text(order, &found, &path))?;
        }
    }
    arguments.run.end(stopped, "bstar", folder)
}

/// The command that makes the same table.
fn command(order: &Order) -> String {
    let Order { game, games, each, leaves, deeper, seed, .. } = order;
    let mut words = format!("secateur calibrate bstar --game {game} --games {games}");
    words += &format!(" --each \"{each}\"");
    if let Thinks::Nodes(nodes) = order.thinks {
        words += &format!(" --nodes {nodes}");
    }
    if !order.probes.is_empty() {
        let probes: Vec<String> = order.probes.iter().map(i32::to_string).collect();
        words += &format!(" --probes {}", probes.join(","));
    }
    words + &format!(" --leaves {leaves} --deeper {deeper} --seed {seed}")
}
