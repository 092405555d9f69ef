//! Any text is a perft suite or an error.
#![no_main]

use libfuzzer_sys::fuzz_target;
use secateur_games::chess::perft_suite::read_perft_file;

fuzz_target!(|text: &str| {
    for case in read_perft_file(text) {
        if let Err(error) = case {
            assert!(!error.to_string().contains('\n'));
        }
    }
});
