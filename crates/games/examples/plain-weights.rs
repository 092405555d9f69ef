//! Writes the weights that were set by hand, one file a game, into a folder:
//! `cargo run -p secateur-games --example plain-weights -- FOLDER`

use std::path::PathBuf;

use secateur_games::chess::evaluate::plain;
use secateur_games::othello::evaluate::plain_weights;

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args_os().nth(1).unwrap_or_else(|| ".".into()));
    std::fs::write(folder.join("chess.weights"), plain::weights().write())?;
    std::fs::write(folder.join("othello.weights"), plain_weights().write())
}
