//! Games, and positions drawn from them: at most a few of each, since neighbours say the same.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, bail};
use secateur_games::playable::{GameEngine, Playable};
use secateur_games::record::Record;
use secateur_games::source;
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::Limits;
use secateur_search::random::SplitMix;
use secateur_search::testkit::reference::moves as legal_moves;

/// Plies of random moves before the engine plays against itself; every other game has one more.
const RANDOM_PLIES: usize = 8;
/// No game of the engine is longer.
const LONGEST: usize = 240;

/// Where games come from.
pub enum Games<G: Playable> {
    /// Of files, in a random order.
    Written(Vec<Record<G>>),
    /// The engine against itself, so many nodes for each move.
    Played(u64),
}

impl<G: Playable> Games<G> {
    /// The games of files, which may be over; positions are games without moves. Without files the
    /// engine plays.
    pub fn open(files: &[impl AsRef<Path>], nodes: u64, seed: u64) -> anyhow::Result<Games<G>> {
        if files.is_empty() {
            return Ok(Games::Played(nodes));
        }
        let mut all = Vec::new();
        for path in files {
            let path = path.as_ref();
            let text = source::read_text(path)?;
            let before = all.len();
            for written in G::read_openings(&text) {
                all.push(written.with_context(|| path.display().to_string())?.record);
            }
            if all.len() == before {
                bail!("{} holds no game and no position", path.display());
            }
        }
        SplitMix::new(seed).shuffle(&mut all);
        Ok(Games::Written(all))
    }

    /// How many there are; `None` if as many as anyone wants.
    pub fn count(&self) -> Option<usize> {
        match self {
            Games::Written(games) => Some(games.len()),
            Games::Played(_) => None,
        }
    }

    /// A game. `None` if it was stopped.
    pub fn game(
        &self,
        number: usize,
        engine: &mut GameEngine<G>,
        random: &mut SplitMix,
        control: &Control,
    ) -> Option<Record<G>> {
        match self {
            Games::Written(games) => games.get(number).cloned(),
            Games::Played(nodes) => {
                play(engine, *nodes, RANDOM_PLIES + number % 2, random, control)
            }
        }
    }
}

fn play<G: Playable>(
    engine: &mut GameEngine<G>,
    nodes: u64,
    random_plies: usize,
    random: &mut SplitMix,
    control: &Control,
) -> Option<Record<G>> {
    engine.new_game();
    let mut record = Record::starting_at(G::start());
    while record.ending().is_none() && record.moves().len() < LONGEST {
        let next = if record.moves().len() < random_plies {
            let moves = legal_moves(record.position());
            moves[random.below(moves.len())]
        } else {
            let (position, line) = (record.position(), record.line());
            let limits = Limits::nodes(nodes);
            engine.search_here(position, line, &limits, Instant::now(), control, &mut |_| {}).best?
        };
        if control.is_stopped() {
            return None;
        }
        record.play(next);
    }
    Some(record)
}

/// Positions of the game, no more than `most`, none of them over or in check: there no cut is asked
/// about. The random moves at its beginning are left out if the engine played it.
pub fn draw<G: Playable>(
    games: &Games<G>,
    record: &Record<G>,
    most: usize,
    random: &mut SplitMix,
) -> Vec<Record<G>> {
    let first = match games {
        Games::Written(_) => 0,
        Games::Played(_) => RANDOM_PLIES + 1,
    };
    let mut plies: Vec<usize> = (first.min(record.moves().len())..=record.moves().len()).collect();
    let mut found: Vec<(usize, Record<G>)> = Vec::new();
    while found.len() < most && !plies.is_empty() {
        let ply = plies.swap_remove(random.below(plies.len()));
        let game = record.after_plies(ply);
        if game.ending().is_none() && !game.position().in_check() {
            found.push((ply, game));
        }
    }
    found.sort_by_key(|(ply, _)| *ply);
    found.into_iter().map(|(_, game)| game).collect()
}

#[cfg(all(test, feature = "chess"))]
mod tests {
    use super::*;
    use secateur_games::chess::Chess;
    use secateur_games::playable::new_engine;
    use secateur_search::{Game, Tactics};

    #[test]
    fn positions_are_drawn_from_a_game_once_each_and_none_is_in_check() {
        let games = Games::<Chess>::Played(200);
        let mut engine = new_engine::<Chess>();
        let draw_all = |engine: &mut _, most| {
            let mut random = SplitMix::new(5);
            let record = games.game(3, engine, &mut random, &Control::default()).unwrap();
            let drawn = draw(&games, &record, most, &mut random);
            drawn.iter().map(|game| (game.moves().len(), game.position().key())).collect::<Vec<_>>()
        };
        let some = draw_all(&mut engine, 4);
        assert_eq!(some, draw_all(&mut engine, 4), "the same by the same seed");
        assert_eq!(some.len(), 4);
        let all = draw_all(&mut engine, usize::MAX);
        assert!(all.len() > 10 && all.windows(2).all(|two| two[0].0 < two[1].0));
        assert!(all[0].0 > RANDOM_PLIES);
        let mut random = SplitMix::new(5);
        let record = games.game(3, &mut engine, &mut random, &Control::default()).unwrap();
        assert!(draw(&games, &record, 999, &mut random).iter().all(|g| !g.position().in_check()));
    }

    #[test]
    fn the_games_of_a_file_come_in_a_random_order_and_finished_ones_are_read_too() {
        let path = std::env::temp_dir().join(format!("secateur-games-{}.pgn", std::process::id()));
        let mates = "[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n".repeat(3);
        std::fs::write(&path, format!("{mates}1. e4 e5 *\n")).unwrap();
        let games = Games::<Chess>::open(&[&path], 0, 9).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(games.count(), Some(4));
        let mut engine = new_engine::<Chess>();
        let mut random = SplitMix::new(1);
        for number in 0..4 {
            let record = games.game(number, &mut engine, &mut random, &Control::default()).unwrap();
            let drawn = draw(&games, &record, 99, &mut random);
            // The start and every move but the mate.
            assert!(matches!(drawn.len(), 3 | 4), "{}", drawn.len());
        }
        assert!(games.game(4, &mut engine, &mut random, &Control::default()).is_none());
        assert!(Games::<Chess>::open(&["no such file"], 0, 9).is_err());
    }
}
