//! The tables of probabilities that come with the program: fitted to the weights that come with it, and better
//! than the straight line in games that they were not fitted to.

#![cfg(all(feature = "chess", feature = "othello"))]

use secateur_games::chess::Chess;
use secateur_games::othello::Othello;
use secateur_games::playable::{Playable, new_engine};
use secateur_search::bstar::OddsTable;
use secateur_search::calibrate::cuts::evaluation_name;
use secateur_search::{Evaluator, Overlay};

fn tells_more_than_the_straight_line<G: Playable>() {
    let table = OddsTable::parse_for(G::ODDS, G::NAME).unwrap();
    let evaluation = evaluation_name(G::evaluator(G::embedded_weights()).identity());
    let made_by = &table.head.made_by;
    assert_eq!(table.head.evaluation, evaluation, "{} was trained anew: {made_by}", G::NAME);
    assert!(made_by.starts_with("secateur calibrate bstar "), "{made_by}");
    assert!(table.head.better && table.head.losses[0] < table.head.losses[1]);
    // The straight line promises 0.75 where a quarter of what is hoped for is wanted.
    assert!(table.odds(250.0, 1_000.0, 4, 0) < 0.5);
}

#[test]
fn both_games_have_one_that_tells_more_than_the_straight_line() {
    tells_more_than_the_straight_line::<Chess>();
    tells_more_than_the_straight_line::<Othello>();
}

fn is_served_without_a_file<G: Playable>() {
    let mut overlay = Overlay::default();
    overlay.choose("bstar").unwrap();
    let mut engine = new_engine::<G>();
    for (name, form, served) in [("bstar_odds", "learned", true), ("bstar", "palay", false)] {
        overlay.set(name, form).unwrap();
        engine.set_settings(overlay.served_by::<G>().unwrap());
        assert_eq!(engine.check_odds().is_ok(), served, "{name}={form}");
    }
}

#[test]
fn what_is_learned_is_served_without_a_file_where_it_is_asked_for() {
    is_served_without_a_file::<Chess>();
    is_served_without_a_file::<Othello>();
}
