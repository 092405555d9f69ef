//! Games of the engine against itself from openings drawn at random, watched by a gatherer. A game is one
//! piece of work: its counts are written when it is over, so that a run that was killed goes on with the
//! games that are missing.
//!
//! The edges of intervals come from two games before the first, which are played alike and not counted.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, Mutex};

use anyhow::{Context, bail};
use secateur_games::playable::Playable;
use secateur_search::Settings;
use secateur_search::alphabeta::Control;
use secateur_search::calibrate::ranks::{Edges, FORMAT, Head, Ranks, Tally, USUAL_PULL};
use serde::{Deserialize, Serialize};

use super::Order;
use super::each_game;
use super::findings::{Change, Sums, change};
use super::game_file::{self, Counted};
use super::gatherer::{Collected, Gatherer, edges};
use super::host::{Host, Watched};
use super::pull::{likeliest, likelihoods};
use crate::{interrupt, toml_text, whole_file};

/// Games before the first, from which the edges come.
const PILOTS: u64 = 2;
const EDGES: &str = "edges.toml";

/// Edges as the folder of a run keeps them.
#[derive(Serialize, Deserialize)]
struct Kept {
    lead: Edges,
    fall: Edges,
}

/// The engine of an order, counting into `collected`; by a table, with RankCut.
fn engine<G: Playable>(
    host: &Host<G>,
    order: &Order,
    collected: &Arc<Mutex<Collected>>,
    ranks: Option<&Arc<Ranks>>,
) -> anyhow::Result<Watched<G, Gatherer>> {
    let collected = Arc::clone(collected);
    let (depth, margin) = (order.least_depth, order.margin);
    let mut engine = host.engine(move || Gatherer::new(depth, margin, Arc::clone(&collected)))?;
    let mut settings = order.as_counted(host.settings());
    if let Some(ranks) = ranks {
        settings.set("rank_cut", "on")?;
        engine.set_ranks(Arc::clone(ranks));
    }
    engine.set_settings(settings);
    Ok(engine)
}

/// Checks an order before anything is written.
pub fn prepare<G: Playable>(order: &Order) -> anyhow::Result<Host<G>> {
    let host = Host::prepare(&order.each, &order.evaluation)?;
    if host.settings().wants_ranks() {
        bail!(
            "--each: ranks are counted without cuts by rank: leave out rank_cut=on (--rounds counts again \
             with it)"
        );
    }
    Ok(host)
}

/// The edges of a run, found if they are not there yet. `None` if it was stopped.
fn found_edges<G: Playable>(
    host: &Host<G>,
    order: &Order,
    folder: &Path,
    control: &Control,
) -> anyhow::Result<Option<[Edges; 2]>> {
    let path = folder.join(EDGES);
    if path.is_file() {
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let kept: Kept = toml_text::parse(&text).with_context(|| path.display().to_string())?;
        return Ok(Some([kept.lead, kept.fall]));
    }
    let collected = Arc::new(Mutex::new(Collected::default()));
    let mut engine = engine(host, order, &collected, None)?;
    for pilot in 0..PILOTS {
        // Other games than those that are counted.
        if host.game(&mut engine, !order.seed, pilot, order.thinks, control).is_none() {
            return Ok(None);
        }
    }
    drop(engine);
    let found = std::mem::take(&mut *collected.lock().unwrap_or_else(|held| held.into_inner()));
    if found.differences.is_empty() {
        bail!(
            "no node of depth {} or more was met: let it think longer (--nodes), or look at \
             shallower ones (--least-depth)",
            order.least_depth
        );
    }
    let of = |index: usize| {
        edges(found.differences.iter().map(|difference| difference[index]).collect())
    };
    let kept = Kept { lead: of(0), fall: of(1) };
    let text = toml::to_string(&kept).context(EDGES)?;
    whole_file::write(&path, |out| Ok(out.write_all(text.as_bytes())?))?;
    Ok(Some([kept.lead, kept.fall]))
}

/// What was counted in a round, and how it changed what would be cut.
#[derive(Clone, Debug)]
pub struct Round {
    /// By game.
    pub games: Vec<(u64, Counted)>,
    /// From the round before.
    pub change: Option<Change>,
}

/// Everything that a run has counted.
#[derive(Clone, Debug)]
pub struct Run {
    /// The rounds, at least one.
    pub rounds: Vec<Round>,
    /// Edges of lead and fall.
    pub edges: [Edges; 2],
    /// How likely games of the last round are by how much shares are drawn.
    pub pulls: Vec<(u64, f64)>,
    /// Whether it was stopped before it was done.
    pub stopped: bool,
}

impl Run {
    /// All counts of the last round.
    pub fn tally(&self) -> Tally {
        self.rounds.last().map(|round| Sums::of(&round.games).tally).unwrap_or_default()
    }

    /// The table of the last round.
    pub fn table(&self, order: &Order, made_by: &str) -> Ranks {
        let games = self.rounds.last().map_or(0, |round| round.games.len()) as u64;
        let pull = likeliest(&self.pulls);
        Ranks::of(head(order, self.edges, games, pull, made_by), &self.tally())
    }
}

/// How likely games are by how much shares are drawn. The settings say which chances are meant.
fn pulls(
    order: &Order,
    edges: [Edges; 2],
    games: &[(u64, Counted)],
    settings: &Settings,
) -> Vec<(u64, f64)> {
    let head = head(order, edges, games.len() as u64, USUAL_PULL, "");
    likelihoods(&head, games, &order.as_counted(settings))
}

/// The table of games.
fn table(order: &Order, edges: [Edges; 2], games: &[(u64, Counted)], settings: &Settings) -> Ranks {
    let pull = likeliest(&pulls(order, edges, games, settings));
    Ranks::of(head(order, edges, games.len() as u64, pull, ""), &Sums::of(games).tally)
}

fn head(order: &Order, [lead, fall]: [Edges; 2], games: u64, pull: u64, made_by: &str) -> Head {
    Head {
        format: FORMAT,
        game: order.game.clone(),
        evaluation: order.evaluation.clone(),
        host: order.host.clone(),
        made_by: made_by.to_string(),
        games,
        least_depth: order.least_depth,
        least_seen: order.least_seen,
        margin: order.margin,
        lead,
        fall,
        fails: order.fails,
        pull,
    }
}

/// What the folder of a run holds, as far as it goes.
pub fn load(order: &Order, folder: &Path, settings: &Settings) -> anyhow::Result<Run> {
    let path = folder.join(EDGES);
    let text = fs::read_to_string(&path).context("there is nothing to show yet")?;
    let kept: Kept = toml_text::parse(&text).with_context(|| path.display().to_string())?;
    let edges = [kept.lead, kept.fall];
    let settings = &order.as_counted(settings);
    let mut rounds: Vec<Round> = Vec::new();
    for number in 0..order.rounds {
        let games = game_file::load(folder, number, order.games)?;
        if games.is_empty() {
            break;
        }
        let change = rounds.last().map(|before| {
            let [before, after] =
                [&before.games, &games].map(|games| table(order, edges, games, settings));
            change(&before, &after, &Sums::of(&games).tally, settings)
        });
        rounds.push(Round { games, change });
    }
    let stopped = rounds.iter().any(|round| (round.games.len() as u64) < order.games);
    // The first games of another round know less than all of the one before.
    if rounds.len() > 1 && rounds.last().is_some_and(|last| (last.games.len() as u64) < order.games)
    {
        rounds.pop();
    }
    let Some(last) = rounds.last() else { bail!("no game is done yet") };
    let pulls = pulls(order, edges, &last.games, settings);
    Ok(Run { rounds, edges, pulls, stopped })
}

/// Goes on until all games are played, or it is stopped.
pub fn play<G: Playable>(
    order: &Order,
    host: &Host<G>,
    folder: &Path,
    threads: NonZeroUsize,
) -> anyhow::Result<Run> {
    let control = Arc::new(Control::default());
    interrupt::stops(&control);
    let found = found_edges(host, order, folder, &control);
    let Some(edges) = found? else {
        interrupt::ends();
        bail!("interrupted before the first game was done");
    };
    let settings = order.as_counted(host.settings());
    let mut ranks = None;
    let mut before = None;
    for number in 0..order.rounds {
        round(order, host, folder, number, edges, ranks.as_ref(), threads, &control)?;
        // What would come of the last round nobody asks here.
        if control.is_stopped() || number + 1 == order.rounds {
            break;
        }
        let games = game_file::load(folder, number, order.games)?;
        let table = Arc::new(table(order, edges, &games, &settings));
        if let Some(before) = before.replace(Arc::clone(&table)) {
            let change = change(&before, &table, &Sums::of(&games).tally, &settings);
            if 100.0 * change.decisions < order.stable {
                break;
            }
        }
        ranks = Some(table);
    }
    interrupt::ends();
    let run = load(order, folder, host.settings())?;
    Ok(Run { stopped: control.is_stopped(), ..run })
}

/// Plays the games of a round that are not done yet.
#[allow(clippy::too_many_arguments, reason = "all of it is what a round is played with")]
fn round<G: Playable>(
    order: &Order,
    host: &Host<G>,
    folder: &Path,
    number: u32,
    edges: [Edges; 2],
    ranks: Option<&Arc<Ranks>>,
    threads: NonZeroUsize,
    control: &Control,
) -> anyhow::Result<()> {
    let path = game_file::folder_of(folder, number);
    fs::create_dir_all(&path).with_context(|| path.display().to_string())?;
    let is_done = |game| game_file::is_done(folder, number, game);
    each_game::play_missing(order.games, threads, control, is_done, |game, control| {
        let collected = Arc::new(Mutex::new(Collected::default()));
        collected.lock().unwrap_or_else(|held| held.into_inner()).edges = Some(edges);
        let mut engine = engine(host, order, &collected, ranks)?;
        let played = host.game(&mut engine, order.seed, game, order.thinks, control);
        let Some([moves, plies]) = played else { return Ok(false) };
        drop(engine);
        let mut found = collected.lock().unwrap_or_else(|held| held.into_inner());
        let tally: Tally = found.tally.drain().collect();
        game_file::write(folder, number, game, &Counted { moves, plies, tally })?;
        Ok(true)
    })
}

#[cfg(all(test, feature = "chess"))]
mod tests {
    use super::super::Thinks;
    use super::super::host::described;
    use super::*;
    use secateur_games::chess::Chess;
    use secateur_search::calibrate::ranks::Fails;

    fn order(rounds: u32) -> Order {
        let (host, evaluation) = described::<Chess>("preset=classic").unwrap();
        Order {
            kind: super::super::KIND.to_string(),
            game: "chess".to_string(),
            games: 2,
            rounds,
            stable: 0.0,
            each: "preset=classic".to_string(),
            host,
            evaluation,
            thinks: Thinks::Nodes(300),
            least_depth: 2,
            least_seen: 1,
            margin: 50,
            seed: 3,
            fails: Fails::Hard,
        }
    }

    #[test]
    fn a_run_goes_on_with_the_games_that_are_missing_and_comes_to_the_same() {
        let folder = std::env::temp_dir().join(format!("secateur-rankplay-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let order = order(2);
        order.begin(&folder).unwrap();
        let host = prepare::<Chess>(&order).unwrap();
        let run = play(&order, &host, &folder, NonZeroUsize::MIN).unwrap();
        assert_eq!(run.rounds.len(), 2);
        let change = run.rounds[1].change.unwrap();
        assert!((0.0..=1.0).contains(&change.decisions));
        let table = run.table(&order, "test");
        assert!(table.states.len() > 50 && table.head.games == 2);
        assert_eq!(Order::read(&folder).unwrap(), order);
        fs::remove_file(folder.join("round-2/game-0001.csv")).unwrap();
        let again = play(&order, &host, &folder, NonZeroUsize::new(2).unwrap()).unwrap();
        assert_eq!(again.table(&order, "test"), table);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_lies_below_alpha_is_told_apart_only_where_that_is_asked() {
        let states = |fails: Fails| {
            let name = format!("secateur-rankfails-{fails:?}-{}", std::process::id());
            let folder = std::env::temp_dir().join(name);
            let _ = fs::remove_dir_all(&folder);
            let order = Order { fails, ..order(1) };
            order.begin(&folder).unwrap();
            let host = prepare::<Chess>(&order).unwrap();
            let run = play(&order, &host, &folder, NonZeroUsize::MIN).unwrap();
            fs::remove_dir_all(&folder).unwrap();
            let table = run.table(&order, "test");
            assert_eq!(table.head.fails, fails);
            (run.tally(), table.head.lead)
        };
        let (hard, edges) = states(Fails::Hard);
        assert!(edges[0] > 0, "no lead is below alpha: {edges:?}");
        // At alpha, where nearly every node is, nothing else is known.
        let closed = hard.keys().filter(|state| state.lead == 0);
        assert!(closed.clone().all(|state| state.changes == 0), "{edges:?}");
        let (soft, edges) = states(Fails::Soft);
        assert!(edges[0] < 0, "{edges:?}");
        assert!(soft.len() > hard.len(), "{} {}", soft.len(), hard.len());
        // The same late moves, told apart otherwise.
        let seen = |tally: &Tally| tally.values().map(|counts| counts.seen).sum::<u64>();
        assert_eq!(seen(&soft), seen(&hard));
    }

    #[test]
    fn what_would_count_its_own_cuts_is_refused() {
        let refused = |each: &str| {
            let order = Order { each: each.to_string(), ..order(1) };
            prepare::<Chess>(&order).map(|_| ()).unwrap_err().to_string()
        };
        assert!(refused("preset=classic rank_cut=on").contains("leave out rank_cut=on"));
        assert!(refused("ranks=x").contains("leave out ranks="));
        let other = Order { evaluation: "x".to_string(), ..order(1) };
        assert!(prepare::<Chess>(&other).is_err_and(|error| error.to_string().contains('x')));
    }
}
