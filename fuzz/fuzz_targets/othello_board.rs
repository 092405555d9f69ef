//! A board string that is accepted is written and read back as the same position.
#![no_main]

use libfuzzer_sys::fuzz_target;
use secateur_games::othello::Othello;
use secateur_search::{Game, Notation};

fuzz_target!(|text: &str| {
    if let Ok(position) = Othello::read_position(text) {
        assert_eq!(Othello::read_position(&position.write_position()), Ok(position));
        position.each_move(|m| assert!(position.unpack(Othello::pack(m)) == Some(m)));
    }
});
