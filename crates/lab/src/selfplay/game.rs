//! One game of the engine against itself.

use std::time::Instant;

use secateur_games::playable::{GameEngine, Playable};
use secateur_games::record::Record;
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::Limits;
use secateur_search::random::SplitMix;
use secateur_search::testkit::reference::moves as legal_moves;
use secateur_search::{Outcome, Player, Score};

use super::Recipe;
use super::rows::{GameRows, Row};
use crate::engine::ScoreValue;

/// A side must be hopelessly behind for so many plies in a row before it gives up.
const GIVES_UP_AFTER: usize = 4;

/// Plays game `number` of the recipe. `None` if `control` was stopped meanwhile.
pub fn play<G: Playable>(
    engine: &mut GameEngine<G>,
    recipe: &Recipe,
    number: u32,
    control: &Control,
) -> Option<GameRows<G>> {
    let mut random = SplitMix::new(SplitMix::new(recipe.seed ^ u64::from(number) << 20).next_u64());
    loop {
        engine.new_game();
        let plies = recipe.random_plies + number as usize % 2;
        let Some(record) = random_opening(plies, &mut random) else { continue };
        if control.is_stopped() {
            return None;
        }
        let (points, rows) = play_on(engine, recipe, record, &mut random, control)?;
        // An opening that was decided at once says nothing.
        if let Some(points) = points {
            return Some(GameRows { number, points, rows });
        }
    }
}

/// Random moves; `None` if the game ended on the way.
fn random_opening<G: Playable>(plies: usize, random: &mut SplitMix) -> Option<Record<G>> {
    let mut record = Record::starting_at(G::start());
    for _ in 0..plies {
        let moves = legal_moves(record.position());
        record.play(*moves.get(random.below(moves.len()))?);
    }
    record.ending().is_none().then_some(record)
}

/// The points and rows of the game from here; no points if the opening was too one-sided. `None`
/// if it was stopped.
#[allow(clippy::type_complexity)]
fn play_on<G: Playable>(
    engine: &mut GameEngine<G>,
    recipe: &Recipe,
    mut record: Record<G>,
    random: &mut SplitMix,
    control: &Control,
) -> Option<(Option<i16>, Vec<Row<G>>)> {
    let limits = Limits::nodes(recipe.nodes);
    let opening = record.moves().len();
    let mut rows = Vec::new();
    let mut hopeless = 0;
    while record.ending().is_none() {
        let ply = record.moves().len();
        if ply >= recipe.longest {
            return Some((Some(0), rows));
        }
        let position = record.position();
        let answer = engine.search_here(
            position,
            record.line(),
            &limits,
            Instant::now(),
            control,
            &mut |_| {},
        );
        if control.is_stopped() {
            return None;
        }
        let best = answer.best?;
        let score = units(answer.score);
        if ply == opening && score.abs() > recipe.widest_start {
            return Some((None, rows));
        }
        let quiet = !position.in_check() && !position.is_noisy(best);
        if quiet && score.abs() <= recipe.widest_row {
            let (score, ply) = (score as i16, ply as u16);
            rows.push(Row { position: position.clone(), score, ply, astray: false });
        }
        if random.below(100) < recipe.astray as usize {
            rows.extend(beside(engine, recipe, &record, best, random, control));
            if control.is_stopped() {
                return None;
            }
        }
        hopeless = if score.abs() >= recipe.resign { hopeless + 1 } else { 0 };
        if !G::COUNTS_POINTS && recipe.resign > 0 && hopeless >= GIVES_UP_AFTER {
            let first_leads = (score > 0) == (position.turn() == Player::First);
            return Some((Some(if first_leads { 1 } else { -1 }), rows));
        }
        record.play(best);
    }
    Some((Some(points(&record)), rows))
}

/// What a random move in place of the best one would have led to: the first quiet position of the
/// best play after it, with the value of that play.
fn beside<G: Playable>(
    engine: &mut GameEngine<G>,
    recipe: &Recipe,
    record: &Record<G>,
    best: G::Move,
    random: &mut SplitMix,
    control: &Control,
) -> Option<Row<G>> {
    let mut astray = record.clone();
    let mut others = legal_moves(astray.position());
    others.retain(|m| *m != best);
    astray.play(*others.get(random.below(others.len().max(1)))?);
    if astray.ending().is_some() {
        return None;
    }
    let (mut position, mut ply) = (astray.position().clone(), astray.moves().len());
    let limits = Limits::nodes(recipe.nodes);
    let (line, now) = (astray.line(), Instant::now());
    let answer = engine.search_here(&position, line, &limits, now, control, &mut |_| {});
    let mut score = units(answer.score);
    let mut best_play = answer.line.into_iter();
    let mut next = best_play.next()?;
    while position.in_check() || position.is_noisy(next) {
        position.play(next);
        (score, ply) = (-score, ply + 1);
        next = best_play.next()?;
    }
    (score.abs() <= recipe.widest_row && !control.is_stopped()).then(|| Row {
        position,
        score: score as i16,
        ply: ply as u16,
        astray: true,
    })
}

/// A score in the units of the evaluation, the largest there are for a mate.
fn units(score: Score) -> i32 {
    match ScoreValue::of(score) {
        ScoreValue::Centipawns(score) => score,
        ScoreValue::Mate(moves) if moves > 0 => i32::from(i16::MAX),
        ScoreValue::Mate(_) => i32::from(i16::MIN),
    }
}

/// The result for the side that begins.
fn points<G: Playable>(record: &Record<G>) -> i16 {
    let own = match record.ending().map(|ending| ending.outcome) {
        Some(Outcome::Win) => 1,
        Some(Outcome::Loss) => -1,
        Some(Outcome::Margin(points)) => points,
        Some(Outcome::Draw) | None => 0,
    };
    if record.position().turn() == Player::First { own } else { -own }
}

#[cfg(all(test, feature = "chess"))]
mod tests {
    use super::*;
    use secateur_games::chess::Chess;
    use secateur_games::playable::new_engine;
    use secateur_search::{Game, Tactics};

    #[test]
    fn positions_astray_are_quiet_are_none_of_the_game_and_come_again_by_the_same_seed() {
        let recipe = Recipe { nodes: 200, astray: 100, ..Recipe::default() };
        let play = |number| {
            let game = play::<Chess>(&mut new_engine(), &recipe, number, &Control::default());
            game.unwrap().rows
        };
        let facts = |rows: &[Row<Chess>]| -> Vec<(u64, i16, u16, bool)> {
            rows.iter().map(|row| (row.position.key(), row.score, row.ply, row.astray)).collect()
        };
        for number in 0..3 {
            let rows = play(number);
            assert_eq!(facts(&rows), facts(&play(number)));
            let (beside, of_game): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.astray);
            assert!(beside.len() > 10, "{} positions", beside.len());
            for row in beside {
                assert!(!row.position.in_check());
                let same = of_game.iter().find(|other| {
                    other.ply == row.ply && other.position.key() == row.position.key()
                });
                assert!(same.is_none(), "{}", row.position.board());
            }
        }
    }
}
