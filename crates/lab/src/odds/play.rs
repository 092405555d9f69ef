//! Games of B\* against itself. Of each search some leaves are searched deeper, by an engine of their own,
//! so that the game goes on as if nobody had looked. A game is one piece of work: its rows are written
//! when it is over, so that a run that was killed goes on with the games that are missing.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use anyhow::bail;
use secateur_games::playable::Playable;
use secateur_search::Settings;
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::choice::SearchForm;
use secateur_search::alphabeta::engine::Limits;
use secateur_search::bstar::Prober;
use secateur_search::bstar::how::{BstarModel, BstarOddsForm};
use secateur_search::observe::Silent;
use secateur_search::random::SplitMix;
use secateur_search::{Depth, Stopped};

use super::Order;
use super::questions::draw;
use super::rows::{self, Game, Row};
use crate::ranks::each_game;
use crate::ranks::host::{Host, Watched};

/// Checks an order before anything is written.
pub fn prepare<G: Playable>(order: &Order) -> anyhow::Result<Host<G>> {
    let host: Host<G> = Host::prepare(&order.each, &order.evaluation)?;
    let settings = host.settings();
    if settings.search.form != SearchForm::Bstar || settings.bstar.form != BstarModel::Target {
        bail!("--each: only B* with a target has such leaves: preset=bstar, or search=bstar");
    }
    if settings.bstar_odds.form != BstarOddsForm::Linear {
        bail!("--each: what is learned is compared with bstar_odds=linear: leave out bstar_odds");
    }
    Ok(host)
}

/// The settings of a game: what is handed over for want of time or nodes has no leaves.
fn settings<G: Playable>(order: &Order, host: &Host<G>, number: u64) -> Settings {
    let mut settings = host.settings().clone();
    (settings.hand_over.time, settings.hand_over.nodes) = (0, 0);
    let probes = &order.probes;
    if !probes.is_empty() {
        settings.bstar.probe = probes[(number % probes.len() as u64) as usize];
    }
    settings
}

/// Plays the games that are not done yet. Whether it was stopped.
pub fn play<G: Playable>(
    order: &Order,
    host: &Host<G>,
    folder: &Path,
    threads: NonZeroUsize,
) -> anyhow::Result<bool> {
    let is_done = |number| rows::is_done(folder, number);
    each_game::run(order.games, threads, is_done, |number, control| {
        game(order, host, folder, number, control)
    })
}

/// Plays a game and writes its rows; not if it was stopped.
fn game<G: Playable>(
    order: &Order,
    host: &Host<G>,
    folder: &Path,
    number: u64,
    control: &Control,
) -> anyhow::Result<bool> {
    let mut engine = host.engine(|| Silent)?;
    engine.set_settings(settings(order, host, number));
    let mut judge = host.engine(|| Silent)?;
    let mut random = SplitMix::new(order.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut rows = Vec::new();
    let look = |engine: &Watched<G, Silent>| {
        let Some(thoughts) = engine.thoughts() else { return ControlFlow::Continue(()) };
        for asked in draw(&thoughts.search, order.leaves, &mut random) {
            let depth = Depth::new(asked.row.depth + order.deeper);
            let now = Instant::now();
            let found = judge.probing_here(&Limits::default(), now, control, |probes| {
                probes.best(&asked.position, depth)
            });
            match found {
                Ok((deep, _)) => rows.push(asked.answered(deep)),
                Err(Stopped) => return ControlFlow::Break(()),
            }
        }
        ControlFlow::Continue(())
    };
    let played = host.game_watched(&mut engine, order.seed, number, order.thinks, control, look);
    let Some([moves, _]) = played else { return Ok(false) };
    rows::write(folder, number, &Game { moves, rows })?;
    Ok(true)
}

/// Every row of these games.
pub fn all_rows(games: &[(u64, Game)]) -> impl Iterator<Item = &Row> {
    games.iter().flat_map(|(_, game)| &game.rows)
}

#[cfg(all(test, feature = "chess"))]
mod tests {
    use super::super::rows::{Phase, Which};
    use super::*;
    use crate::ranks::Thinks;
    use crate::ranks::host::described;
    use secateur_games::chess::Chess;

    fn order(each: &str) -> Order {
        let (host, evaluation) = described::<Chess>(each).unwrap();
        Order {
            kind: super::super::KIND.to_string(),
            game: "chess".to_string(),
            games: 2,
            each: each.to_string(),
            host,
            evaluation,
            probes: vec![1, 2],
            leaves: 4,
            deeper: 2,
            seed: 3,
            thinks: Thinks::Nodes(6_000),
        }
    }

    const QUICK: &str = "search=bstar bstar_expand=narrow";

    #[test]
    fn a_run_goes_on_with_the_games_that_are_missing_and_comes_to_the_same() {
        let folder = std::env::temp_dir().join(format!("secateur-oddsplay-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let order = order(QUICK);
        order.begin(&folder).unwrap();
        let host = prepare::<Chess>(&order).unwrap();
        assert!(!play(&order, &host, &folder, NonZeroUsize::MIN).unwrap());
        let games = rows::load(&folder, order.games).unwrap();
        assert_eq!(games.len(), 2);
        assert!(games.iter().all(|(_, game)| game.moves > 10 && game.rows.len() > 10));
        let count =
            |wanted: &dyn Fn(&Row) -> bool| all_rows(&games).filter(|row| wanted(row)).count();
        let depths = games.iter().map(|(_, game)| game.rows[0].depth);
        assert_eq!(depths.collect::<Vec<_>>(), [1, 2], "in turn");
        assert!(count(&|row| row.phase == Phase::Verify) > 0);
        assert!(count(&|row| row.which == Which::Other) > 0);
        assert!(count(&|row| row.deep != row.real) > 0 && count(&|row| row.kind > 0) > 0);
        std::fs::remove_file(folder.join("games/game-0002.csv")).unwrap();
        play(&order, &host, &folder, NonZeroUsize::MIN).unwrap();
        assert_eq!(rows::load(&folder, order.games).unwrap(), games);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn who_has_no_such_leaves_is_refused() {
        let refused =
            |each: &str| prepare::<Chess>(&order(each)).map(|_| ()).unwrap_err().to_string();
        assert!(refused("").contains("only B* with a target"));
        assert!(refused("search=bstar bstar=palay").contains("only B* with a target"));
        assert!(refused("preset=bstar bstar_odds=learned").contains("leave out bstar_odds"));
    }
}
