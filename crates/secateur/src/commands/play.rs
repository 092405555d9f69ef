//! `secateur play`: a game against the engine.

use std::io::{self, IsTerminal};

use clap::{Args, ValueEnum};
use secateur_games::playable::Playable;
use secateur_games::strength::{Strength, range};
use secateur_search::Player;

use crate::games::with_game;
use crate::options::PositionArguments;
use crate::play::Session;
use crate::thinking::{EngineArguments, LimitArguments, seed};

/// Milliseconds a move, where no limit is given.
const DEFAULT_TIME: i64 = 1_000;

/// Arguments of `play`.
#[derive(Debug, Args)]
#[command(mut_arg("movetime", |limit| limit.help("Think for so many milliseconds [default without another limit: 1000]")))]
#[command(after_help = "\
Examples:
  secateur play
  secateur play --side black --movetime 3000 --threads 2
  secateur play --game othello --depth 4
  secateur play --elo 1500
  secateur play --fen \"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\"

Type a move, or `help` for what else can be typed: hint, undo, moves, save FILE and more.")]
pub(super) struct Arguments {
    #[command(flatten)]
    position: PositionArguments,
    /// Your side; the one to move unless given
    #[arg(long, value_enum, value_name = "SIDE")]
    side: Option<Side>,
    #[command(flatten)]
    limits: LimitArguments,
    /// Hold the engine back to this strength, on a scale of its own that ends at 2500; hints are
    /// not held back
    #[arg(long, value_name = "N")]
    elo: Option<i32>,
    #[command(flatten)]
    engine: EngineArguments,
}

/// A side by its colour, or by its place in the order from the usual start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Side {
    White,
    Black,
    First,
    Second,
}

impl Side {
    fn player<G: Playable>(self) -> Player {
        let second_is = |colour| G::player_name(Player::Second) == colour;
        let second = match self {
            Side::First => false,
            Side::Second => true,
            Side::White => second_is("White"),
            Side::Black => second_is("Black"),
        };
        if second { Player::Second } else { Player::First }
    }
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    with_game!(arguments.position.game.game, G => play::<G>(arguments))
}

fn play<G: Playable>(arguments: &Arguments) -> anyhow::Result<()> {
    let (weakest, strongest) = range(G::STRENGTHS);
    if let Some(elo) = arguments.elo
        && !(weakest..=strongest).contains(&elo)
    {
        anyhow::bail!("--elo is a whole number from {weakest} to {strongest}, not {elo}");
    }
    let given = arguments.position.read::<G>()?;
    let engine = arguments.engine.build::<G>()?;
    let limits = arguments.limits.read(Some(DEFAULT_TIME));
    let turn = given.record.position().turn();
    let person = arguments.side.map_or(turn, Side::player::<G>);
    let prompts = io::stdin().is_terminal() && io::stdout().is_terminal();
    let mut session = Session::new(given.record, person, engine, limits, io::stdout(), prompts);
    if let Some(elo) = arguments.elo {
        session.hold_back(Strength::of::<G>(elo), seed());
    }
    for note in &given.notes {
        session.say(&format!("note: {note}"))?;
    }
    session.run(io::stdin().lock())
}
