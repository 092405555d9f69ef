//! The table of probabilities that comes with the program: fitted to the weights that come with it, and better
//! than the straight line in games that it was not fitted to.

#![cfg(feature = "chess")]

use secateur_games::chess::Chess;
use secateur_games::playable::{Playable, new_engine};
use secateur_search::bstar::OddsTable;
use secateur_search::calibrate::cuts::evaluation_name;
use secateur_search::{Evaluator, Notation, Overlay, Tactics};

#[test]
fn chess_has_one_that_tells_more_than_the_straight_line() {
    let table = OddsTable::parse_for(Chess::ODDS, Chess::NAME).unwrap();
    let evaluation = evaluation_name(Chess::evaluator(Chess::embedded_weights()).identity());
    let made_by = &table.head.made_by;
    assert_eq!(table.head.evaluation, evaluation, "chess was trained anew: {made_by}");
    assert!(made_by.starts_with("secateur calibrate bstar "), "{made_by}");
    assert!(table.head.better && table.head.losses[0] < table.head.losses[1]);
    // The straight line promises 0.9 where a tenth of what is hoped for is wanted.
    assert!(table.odds(20.0, 200.0, 4, 0) < 0.6);
}

#[test]
fn what_is_learned_is_served_without_a_file_where_it_is_asked_for() {
    let mut overlay = Overlay::default();
    overlay.choose("bstar").unwrap();
    overlay.set("bstar_odds", "learned").unwrap();
    let mut engine = new_engine::<Chess>();
    engine.set_settings(overlay.served_by::<Chess>().unwrap());
    assert_eq!(engine.check_odds(), Ok(()));
    overlay.set("bstar", "palay").unwrap();
    engine.set_settings(overlay.served_by::<Chess>().unwrap());
    assert!(engine.check_odds().is_err());
}
