//! A problem that is accepted is written and read back as the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use secateur_games::othello::Problem;

fuzz_target!(|text: &str| {
    for problem in Problem::read_all(text).into_iter().flatten() {
        assert_eq!(Problem::read(&problem.write()), Ok(problem));
    }
});
