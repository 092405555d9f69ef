//! Games of the engine against itself, watched by a sampler. A game is one piece of work: its samples are
//! written when it is over, so that a run that was killed goes on with the games that are missing.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, Mutex};

use anyhow::bail;
use secateur_games::playable::Playable;
use secateur_search::alphabeta::Control;

use super::Order;
use super::rows::{self, Sampled};
use super::sampler::{Collected, Sampler};
use crate::ranks::each_game;
use crate::ranks::host::Host;

/// Checks an order before anything is written.
pub fn prepare<G: Playable>(order: &Order) -> anyhow::Result<Host<G>> {
    let host: Host<G> = Host::prepare(&order.each, &order.evaluation)?;
    if host.settings().wants_reductions() || host.settings().wants_ranks() {
        bail!(
            "--each: reductions are learned from a host without such a table: leave out what needs one"
        );
    }
    if !host.settings().is_selective() {
        bail!(
            "--each: a host without any selective technique knows nothing of its moves to learn from"
        );
    }
    Ok(host)
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

/// Plays a game and writes its samples; not if it was stopped.
fn game<G: Playable>(
    order: &Order,
    host: &Host<G>,
    folder: &Path,
    number: u64,
    control: &Control,
) -> anyhow::Result<bool> {
    let collected: Arc<Mutex<Collected>> = Arc::default();
    let (into, every) = (Arc::clone(&collected), order.every);
    let seed = order.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut engine = host.engine(move || Sampler::new(every, seed, Arc::clone(&into)))?;
    let played = host.game(&mut engine, order.seed, number, order.thinks, control);
    let Some([moves, plies]) = played else { return Ok(false) };
    drop(engine);
    let found = std::mem::take(&mut *collected.lock().unwrap_or_else(|held| held.into_inner()));
    let Collected { rows, cuts } = found;
    rows::write(folder, number, &Sampled { moves, plies, cuts, rows })?;
    Ok(true)
}

#[cfg(all(test, feature = "chess"))]
mod tests {
    use super::super::rows::Row;
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
            every: 64,
            seed: 3,
            thinks: Thinks::Nodes(2_000),
        }
    }

    #[test]
    fn samples_leave_no_trace_in_the_game_and_come_out_the_same_again() {
        let folder = std::env::temp_dir().join(format!("secateur-reduce-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let rare = Order { every: 1 << 40, ..order("") };
        let often = order("");
        let moves = |order: &Order| {
            let _ = std::fs::remove_dir_all(&folder);
            order.begin(&folder).unwrap();
            let host = prepare::<Chess>(order).unwrap();
            assert!(!play(order, &host, &folder, NonZeroUsize::MIN).unwrap());
            let games = rows::load(&folder, order.games).unwrap();
            games.into_iter().map(|(_, sampled)| sampled).collect::<Vec<_>>()
        };
        let (few, many) = (moves(&rare), moves(&often));
        assert_eq!(many, moves(&often));
        // The same games: the same moves and depths, whatever was sampled on the way.
        for (few, many) in few.iter().zip(&many) {
            assert_eq!((few.moves, few.plies), (many.moves, many.plies));
            assert!(many.rows.len() > 50 && few.rows.len() < many.rows.len());
        }
        let full = many.iter().flat_map(|sampled| &sampled.rows);
        assert!(
            full.clone().all(|row| row.sample.searches[0].is_some() && row.sample.late.number > 1)
        );
        assert!(full.clone().any(|row| row.sample.usual > 0), "the host reduces");
        let (rest, better) = full.fold((0, 0), |(rest, better), row| {
            let own = row.sample.searches[0].is_some_and(|(better, _)| better);
            assert!(row.rest || !own, "one of them is the move itself");
            (rest + usize::from(row.rest), better + usize::from(own))
        });
        assert!(rest > better && better > 0, "{rest} {better}");
        std::fs::remove_dir_all(&folder).unwrap();
        let refused =
            |each: &str| prepare::<Chess>(&order(each)).map(|_| ()).unwrap_err().to_string();
        assert!(refused("late_moves=learned").contains("without such a table"));
        assert!(refused("preset=bare").contains("without any selective technique"));
    }

    #[test]
    fn hindsight_looks_at_the_reductions_of_samples_as_it_does_at_those_of_the_search() {
        // Without reductions of its own the search has no hindsight, but samples do.
        let rows = |hindsight: &str| {
            let name = format!("secateur-hindsight-{hindsight}-{}", std::process::id());
            let folder = std::env::temp_dir().join(name);
            let _ = std::fs::remove_dir_all(&folder);
            let order =
                Order { games: 1, ..order(&format!("late_moves=off hindsight={hindsight}")) };
            order.begin(&folder).unwrap();
            let host = prepare::<Chess>(&order).unwrap();
            play(&order, &host, &folder, NonZeroUsize::MIN).unwrap();
            let mut games = rows::load(&folder, 1).unwrap();
            std::fs::remove_dir_all(&folder).unwrap();
            games.remove(0).1.rows
        };
        let (off, on) = (rows("off"), rows("on"));
        assert_eq!(off.len(), on.len());
        let at = |rows: &[Row], less: usize| -> Vec<_> {
            rows.iter().map(|row| row.sample.searches[less]).collect()
        };
        assert_eq!(at(&off, 0), at(&on, 0));
        assert!((1..=3).any(|less| at(&off, less) != at(&on, less)), "it never fires");
    }
}
