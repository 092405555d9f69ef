//! An EPD line that is accepted is written and read back as the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use secateur_games::chess::epd::{self, Epd};

fuzz_target!(|text: &str| {
    for epd in epd::read_all(text).flatten() {
        let written = epd.write();
        let again = Epd::read(&written).expect("its own line");
        assert_eq!(again.write(), written);
    }
});
