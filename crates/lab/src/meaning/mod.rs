//! What scores mean, learned from self-play: who won from where, and what the search had said.
//!
//! | file | idea |
//! |---|---|
//! | `mod` | the rows of a run as samples, told apart by game |
//! | [`fit`](mod@fit) | the likeliest model |
//! | [`quality`](mod@quality) | how true its forecasts are on games that it has not seen |

pub mod fit;
pub mod quality;

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::{Context, bail};
use secateur_games::packed::Packed;
use secateur_games::playable::Playable;
use secateur_search::meaning::MeaningOrigin;
use secateur_search::{Meaning, Player, Settings};

use crate::contest::date;
use crate::progress::Progress;
use crate::selfplay::rows::{GameRows, Reader};
use crate::selfplay::run::{RunFile, read_run, rows_file};
use quality::Quality;

/// One game in so many is kept back, to judge the model by.
const KEPT_BACK: u32 = 5;

/// A position: what the search said in its own units, and what came of it, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// What was left of the game.
    pub left: i32,
    /// The score of the search.
    pub score: i32,
    /// 0 won, 1 drawn, 2 lost.
    pub result: usize,
}

/// The samples of games, game by game.
pub type Games = Vec<Vec<Sample>>;

/// A model, and how good it is.
pub struct Fitted {
    /// Fitted to four games of five.
    pub meaning: Meaning,
    /// On the others.
    pub quality: Quality,
}

/// Fits a model to the games in a folder of `secateur selfplay`.
pub fn learn<G: Playable + Packed>(folder: &Path) -> anyhow::Result<Fitted> {
    let run = read_run(folder)?;
    if run.game != G::NAME {
        bail!("{} is a run of {}, not of {}", folder.display(), run.game, G::NAME);
    }
    let [train, held_out] = read::<G>(folder)?;
    let range = [G::LEFT.least, G::LEFT.most];
    let named = || format!("{}", folder.display());
    let (half, width) = fit::fit(&train, range).with_context(named)?;
    let count = |games: &Games| games.iter().map(|game| game.len() as u64).sum::<u64>();
    let meaning = Meaning {
        game: G::NAME.to_string(),
        range,
        half,
        width,
        origin: MeaningOrigin {
            command: command(&run, train.len() + held_out.len()),
            games: train.len() as u64,
            positions: count(&train),
            evaluator: run.evaluator,
            date: date::moment(date::now()).date('-'),
        },
    };
    let quality = quality::judge(&meaning, &train, &held_out).with_context(named)?;
    Ok(Fitted { meaning, quality })
}

/// The commands that make such a model again.
fn command(run: &RunFile, games: usize) -> String {
    let game = &run.game;
    let mut text = format!(
        "secateur selfplay --game {game} --games {games} --nodes {} --random-plies {} --seed {}",
        run.recipe.nodes, run.recipe.random_plies, run.recipe.seed
    );
    if run.recipe.astray > 0 {
        text += &format!(" --astray {}", run.recipe.astray);
    }
    if Settings::preset(&run.preset).is_ok_and(|preset| preset != Settings::default()) {
        text += &format!(" --preset {}", run.preset);
    }
    run.settings.iter().for_each(|setting| text += &format!(" --set {setting}"));
    format!("{text} --out DIR; secateur wdl --game {game} --data DIR")
}

/// The games to fit to and those that are kept back.
fn read<G: Playable + Packed>(folder: &Path) -> anyhow::Result<[Games; 2]> {
    let path = rows_file(folder);
    let named = || format!("{}", path.display());
    let file = File::open(&path).with_context(named)?;
    let progress = Progress::talking(None, "games");
    let mut sets = [Games::new(), Games::new()];
    for game in Reader::<G, _>::new(BufReader::new(file)).with_context(named)? {
        let game = game.with_context(named)?;
        sets[usize::from(game.number % KEPT_BACK == KEPT_BACK - 1)].push(samples(&game));
        progress.advance();
    }
    progress.finish();
    Ok(sets)
}

/// What a game teaches. Where less is left than the model covers, the result is known or nearly.
fn samples<G: Playable>(game: &GameRows<G>) -> Vec<Sample> {
    let sample = |position: &G, score: i16| {
        let points = game.points.signum();
        let own = if position.turn() == Player::First { points } else { -points };
        Sample { left: position.left(), score: score.into(), result: (1 - own) as usize }
    };
    game.rows
        .iter()
        .filter(|row| !row.astray)
        .map(|row| sample(&row.position, row.score))
        .filter(|sample| sample.left >= G::LEFT.least)
        .collect()
}

#[cfg(all(test, feature = "chess"))]
mod tests {
    use super::*;
    use crate::selfplay::rows::Row;
    use secateur_games::chess::Chess;
    use secateur_search::{Game, Notation};

    #[test]
    fn results_are_those_of_the_side_to_move() {
        let start = Chess::start();
        let next = start.after(start.read_move("e4").unwrap());
        let row = |position: &Chess, score| Row {
            position: position.clone(),
            score,
            ply: 0,
            astray: false,
        };
        let rows = vec![row(&start, 30), row(&next, -20)];
        let results = |points| -> Vec<usize> {
            let game = GameRows { number: 0, points, rows: rows.clone() };
            samples(&game).iter().map(|sample| sample.result).collect()
        };
        assert_eq!((results(1), results(0), results(-1)), (vec![0, 2], vec![1, 1], vec![2, 0]));
        let beside = Row { astray: true, ..row(&next, -20) };
        let game = GameRows { number: 0, points: 1, rows: vec![row(&start, 30), beside] };
        assert_eq!(samples(&game).len(), 1, "no game was played from a position astray");
        let bare = Chess::read_position("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1").unwrap();
        let game = GameRows { number: 0, points: 1, rows: vec![row(&bare, 300), row(&start, 0)] };
        let known: Vec<_> = samples(&game).iter().map(|s| (s.left, s.score)).collect();
        assert_eq!(known, [(78, 0)]);
    }
}
