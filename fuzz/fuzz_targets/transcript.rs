//! A transcript that is accepted is written and read back as the same game.
#![no_main]

use libfuzzer_sys::fuzz_target;
use secateur_games::othello::Transcript;

fuzz_target!(|text: &str| {
    for game in Transcript::read_all(text).into_iter().flatten() {
        assert_eq!(Transcript::read(&game.write()), Ok(game));
    }
});
