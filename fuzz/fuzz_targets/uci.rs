//! Whatever is typed at the engine, it answers `isready` afterwards.
#![no_main]

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use libfuzzer_sys::fuzz_target;
use secateur_search::Overlay;
use secateur::uci;
use secateur_games::chess::Chess;

/// Output that is kept.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panics with the lock").extend(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fuzz_target!(|bytes: &[u8]| {
    // Ending the conversation, or counting for hours, is not what is being looked for.
    let text = String::from_utf8_lossy(bytes);
    if text.contains("quit") || text.contains("perft") {
        return;
    }
    let input = [bytes, b"\nstop\nisready\n"].concat();
    let kept = Kept::default();
    uci::run::<Chess>(&input[..], kept.clone(), Overlay::default()).expect("memory has no errors");
    let output = kept.0.lock().expect("nobody panics with the lock");
    assert!(String::from_utf8_lossy(&output).contains("readyok"));
});
