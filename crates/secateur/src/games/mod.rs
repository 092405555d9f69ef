//! Which games are compiled in, and the one dispatch from a game's name to its type.
//!
//! A game is a cargo feature, a variant of [`GameName`], an arm of `with_game!` and a file here
//! that implements [`Playable`].

#[cfg(feature = "chess")]
mod chess;
#[cfg(feature = "othello")]
mod othello;

use clap::ValueEnum;
use secateur_search::alphabeta::engine::Engine;
use secateur_search::observe::Silent;
use secateur_search::{Evaluator, Notation, ParseError, Player, Solver, Tactics};

use crate::record::{How, Record, Verdict};

#[cfg(not(any(feature = "chess", feature = "othello")))]
compile_error!("switch on at least one game: --features chess or othello");

/// What the program wants to say about a game beyond its rules and notation.
pub trait Playable: Notation + Tactics {
    /// What guesses the value of its positions.
    type Evaluator: Evaluator<Self> + 'static;
    /// What knows the value of some.
    type Solver: Solver<Self> + 'static;

    /// Quiet and sharp, early and late: what `bench` searches.
    const BENCH_POSITIONS: &'static [&'static str];
    /// How deep it does; a few seconds in all.
    const BENCH_DEPTH: i32;

    /// An evaluator and a solver for one thread.
    fn equip() -> (Self::Evaluator, Self::Solver);

    /// What a written position is called: `Fen` in chess.
    const POSITION_LABEL: &'static str;
    /// Whether castling can be written in two ways, so that the protocol must ask.
    const HAS_CHESS960: bool;

    /// Whether there are endgame tables to be had.
    const HAS_TABLEBASES: bool;

    /// Gives the threads of the engine these tables instead of their own and says what they are;
    /// on an error they keep what they have.
    fn open_tables(
        engine: &mut GameEngine<Self>,
        wanted: &TablesWanted,
    ) -> anyhow::Result<Option<String>>;

    /// Reads a position; one sentence for each thing that had to be mended.
    fn read_with_notes(text: &str) -> Result<(Self, Vec<String>), ParseError>;

    /// The same position with castling written as king takes rook if `wanted`, else in whichever
    /// way is clear in this position.
    fn writing_chess960(self, wanted: bool) -> Self;

    /// What the side is called.
    fn player_name(player: Player) -> &'static str;

    /// What people call this way to end; asked only if the game ended that way here.
    fn ending_name(&self, how: How) -> &'static str;

    /// The number of the next move on a score sheet that counts moves in pairs, as in chess;
    /// `None` where lines are written without numbers.
    fn move_number(&self) -> Option<u32>;

    /// The game as people exchange it (PGN, a transcript), or why it cannot be written like that.
    /// The players are named in the order in which they move from the usual start.
    fn write_game(
        game: &Record<Self>,
        players: [&str; 2],
        verdict: Verdict,
    ) -> anyhow::Result<String>;
}

/// Which endgame tables to use, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TablesWanted {
    /// The folders, joined as the system joins them; none if empty or `<empty>`.
    pub path: String,
    /// Positions with more men are not looked up.
    pub men: u32,
    /// Whether the fifty-move rule counts.
    pub fifty_moves: bool,
}

impl TablesWanted {
    /// The most men that any tables have.
    pub const MOST_MEN: u32 = 7;

    /// Whatever is there, with all rules.
    pub fn all_in(path: &str) -> TablesWanted {
        TablesWanted { path: path.to_string(), men: TablesWanted::MOST_MEN, fifty_moves: true }
    }
}

/// The search of a game, as this program uses it.
pub type GameEngine<G> = Engine<G, <G as Playable>::Evaluator, <G as Playable>::Solver, Silent>;

/// An engine with nothing learned yet.
pub fn new_engine<G: Playable>() -> GameEngine<G> {
    Engine::new(G::start(), || {
        let (evaluator, solver) = G::equip();
        (evaluator, solver, Silent)
    })
}

/// The games that this program was built with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "lower")]
pub enum GameName {
    /// Chess and Chess960
    #[cfg(feature = "chess")]
    #[default]
    Chess,
    /// Othello (Reversi)
    #[cfg(feature = "othello")]
    #[cfg_attr(not(feature = "chess"), default)]
    Othello,
}

/// Evaluates `$body` with `$Game` standing for the type of the game called `$name`.
macro_rules! with_game {
    ($name:expr, $Game:ident => $body:expr) => {
        match $name {
            #[cfg(feature = "chess")]
            $crate::games::GameName::Chess => {
                type $Game = secateur_games::chess::Chess;
                $body
            }
            #[cfg(feature = "othello")]
            $crate::games::GameName::Othello => {
                type $Game = secateur_games::othello::Othello;
                $body
            }
        }
    };
}

pub(crate) use with_game;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_on_the_command_line_is_the_name_of_the_game() {
        for name in GameName::value_variants() {
            let typed = name.to_possible_value().unwrap().get_name().to_string();
            assert_eq!(typed, with_game!(*name, G => <G as Notation>::NAME));
        }
    }
}
