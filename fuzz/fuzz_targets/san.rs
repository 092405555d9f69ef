//! A move that is accepted is legal, and written so that it is read back as the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use secateur_games::chess::{Chess, san};
use secateur_search::Notation;

const POSITIONS: [&str; 3] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "1rk1r2r/8/8/8/3pP3/8/8/1RK1R2R b EQeq e3 0 1",
];

fuzz_target!(|text: &str| {
    for fen in POSITIONS {
        let position = Chess::read_position(fen).expect("a legal FEN");
        if let Ok(m) = san::read(&position, text) {
            assert!(position.board().is_legal(m));
            assert_eq!(san::read(&position, &san::write(&position, m)), Ok(m));
        }
    }
});
