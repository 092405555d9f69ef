//! A FEN that is accepted is written and read back as the same position.
#![no_main]

use libfuzzer_sys::fuzz_target;
use secateur_games::chess::fen::{self, Rights};

fuzz_target!(|text: &str| {
    if let Ok(reading) = fen::read(text) {
        for rights in [Rights::Letters, Rights::Files] {
            let written = fen::write(&reading.position, rights);
            let again = fen::read(&written).expect("its own text");
            assert_eq!(fen::write(&again.position, rights), written);
        }
    }
});
