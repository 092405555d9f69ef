//! Damaged FENs: refused with one clear line, or read as a position that can be written again.

#![cfg(feature = "chess")]

mod chess_mutate;

use chess_mutate::{cases, check_error, damaged};
use proptest::prelude::*;
use secateur_games::chess::fen::{self, Rights};
use secateur_search::Game;

const FENS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
    "1rk1r2r/8/8/8/8/8/8/1RK1R2R w EBeb - 12 40",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3",
    "4k3/8/8/8/8/8/8/4K2R b K -",
];

proptest! {
    #![proptest_config(cases(100_000))]

    #[test]
    fn a_damaged_fen_is_refused_or_reads_back_the_same(text in damaged(FENS)) {
        match fen::read(&text) {
            Err(error) => check_error(&error),
            Ok(reading) => {
                for note in &reading.notes {
                    check_error(note);
                }
                for style in [Rights::Letters, Rights::Files] {
                    let written = fen::write(&reading.position, style);
                    let again = fen::read(&written).expect(&written);
                    prop_assert_eq!(fen::write(&again.position, style), written);
                    prop_assert_eq!(again.position.key(), reading.position.key());
                    prop_assert_eq!(again.position.is_chess960(), reading.position.is_chess960());
                    prop_assert!(again.notes.is_empty(), "{:?}", again.notes);
                }
                // Every position that is accepted can be played on.
                let count = reading.position.count_moves();
                let mut seen = 0;
                reading.position.each_move(|m| {
                    seen += 1;
                    reading.position.after(m).count_moves();
                });
                prop_assert_eq!(seen, count);
            }
        }
    }
}
