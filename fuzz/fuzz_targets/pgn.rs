//! A game that is accepted is written and read back as the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use secateur_games::chess::pgn::{Reader, read_all};

fuzz_target!(|bytes: &[u8]| {
    for game in Reader::new(bytes).flatten() {
        let written = game.write();
        let again = read_all(&written);
        assert_eq!(again.len(), 1, "{written}");
        assert_eq!(again[0].as_ref().expect("its own game").write(), written);
    }
});
