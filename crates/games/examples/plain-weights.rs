//! Writes the weights that were set by hand, one file a game, into a folder:
//! `cargo run -p secateur-games --example plain-weights -- FOLDER`

use std::path::{Path, PathBuf};

use secateur_games::chess::Chess;
use secateur_games::othello::Othello;
use secateur_games::playable::Playable;

fn write<G: Playable>(folder: &Path) -> std::io::Result<()> {
    std::fs::write(folder.join(format!("{}.weights", G::GAME)), G::plain_weights().write())
}

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args_os().nth(1).unwrap_or_else(|| ".".into()));
    write::<Chess>(&folder)?;
    write::<Othello>(&folder)
}
