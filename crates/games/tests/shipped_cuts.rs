//! The tables of cuts that come with the program: fitted to the weights that come with it, and complete.

#![cfg(all(feature = "chess", feature = "othello"))]

use secateur_games::chess::Chess;
use secateur_games::othello::{Guide, Othello};
use secateur_games::playable::{Playable, new_engine};
use secateur_search::calibrate::cuts::{Cuts, evaluation_name};
use secateur_search::{Evaluator, Overlay};

fn tables<G: Playable>() -> Vec<Cuts> {
    let evaluation = evaluation_name(G::evaluator(G::embedded_weights()).identity());
    let read = |text: &&str| Cuts::parse_for(text, G::NAME).unwrap();
    let tables: Vec<Cuts> = G::CUTS.iter().map(read).collect();
    for table in &tables {
        assert_eq!(
            table.evaluation,
            evaluation,
            "{} was trained anew: {} makes its table of cuts",
            G::NAME,
            table.made_by
        );
        assert!(table.made_by.starts_with("secateur calibrate probcut "), "{}", table.made_by);
    }
    tables
}

#[test]
fn chess_has_one_for_the_strongest_settings_and_one_for_the_papers_host() {
    let tables = tables::<Chess>();
    let presets: Vec<&str> = tables.iter().map(Cuts::preset).collect();
    assert_eq!(presets, ["modern", "classic"]);
    let [modern, classic] = &tables[..] else { panic!("{presets:?}") };
    assert!(modern.function.is_some() && modern.guess.is_some() && modern.unrest.is_some());
    for stage in 0..2 {
        let here = classic.pairs.iter().filter(|pair| pair.stage == stage);
        let pairs: Vec<[i32; 2]> = here.map(|pair| [pair.shallow, pair.deep]).collect();
        assert_eq!(pairs, [[2, 6], [3, 7], [4, 8], [3, 9], [4, 10]], "those of the paper");
    }
    let measured: u64 = [0, 1]
        .map(|stage| classic.pairs.iter().filter(|p| p.stage == stage).map(|p| p.n).max().unwrap())
        .iter()
        .sum();
    assert!(measured > 2_000, "{measured} positions, mates and lost positions not counted");
}

#[test]
fn othello_has_one_that_knows_of_the_end() {
    let tables = tables::<Othello>();
    assert_eq!(tables.len(), 1);
    assert!(tables[0].guess.is_some() && tables[0].unrest.is_some());
    assert!(Guide::embedded().is_ok());
}

/// Every technique that goes by a table has what it needs without a file.
fn serves<G: Playable>(preset: &str, settings: &[&str]) {
    for setting in settings {
        let mut overlay = Overlay::default();
        overlay.choose(preset).unwrap();
        for part in setting.split(' ') {
            let (name, value) = part.split_once('=').unwrap();
            overlay.set(name, value).unwrap();
        }
        let mut engine = new_engine::<G>();
        engine.set_settings(overlay.served_by::<G>().unwrap());
        assert_eq!(engine.check_cuts(), Ok(()), "{} {preset} {setting}", G::NAME);
    }
}

#[test]
fn without_a_file_every_technique_has_what_it_goes_by() {
    let all = [
        "probcut=single",
        "probcut=multi",
        "probcut=multi probcut_model=function",
        "probcut=multi probcut_model=unrest",
        "probcut=multi probcut.growth=200",
        "probcut=multi levels=on",
        "draft_cut=on",
        "reverse_futility=fitted",
        "razoring=fitted",
    ];
    serves::<Chess>("modern", &all);
    serves::<Othello>("modern", &all);
    serves::<Chess>("classic", &["probcut=multi", "draft_cut=on", "reverse_futility=fitted"]);
}
