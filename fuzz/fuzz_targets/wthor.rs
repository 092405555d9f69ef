//! A WThor file whose games are all whole is written and read back as the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use secateur_games::othello::WthorFile;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(file) = WthorFile::read(bytes)
        && let Ok(games) = file.games.iter().cloned().collect::<Result<Vec<_>, _>>()
    {
        let written = WthorFile::write(&file.header, &games);
        assert_eq!(WthorFile::read(&written), Ok(file));
    }
});
