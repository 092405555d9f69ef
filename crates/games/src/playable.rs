//! What a program wants to know of a game beyond its rules and notation: what plays it, what its
//! sides and endings are called, how its games are written down.

use secateur_search::alphabeta::engine::Engine;
use secateur_search::observe::Silent;
use secateur_search::optimism::Hopeful;
use secateur_search::{
    Evaluator, Featured, Meaning, Notation, Outcome, ParseError, Player, Solver, Weights,
};

use crate::opening::{Form, WrittenOpenings};
use crate::record::{How, Record, Verdict};
use crate::strength::Rung;
use crate::terms::TermTable;
use crate::told::Left;

/// What the program wants to say about a game beyond its rules and notation.
pub trait Playable: Notation + Hopeful + Featured {
    /// What guesses the value of its positions.
    type Evaluator: Evaluator<Self> + Clone + 'static;
    /// What knows the value of some.
    type Solver: Solver<Self> + 'static;

    /// Quiet and sharp, early and late: what `bench` searches.
    const BENCH_POSITIONS: &'static [&'static str];
    /// How deep it does; a few seconds in all.
    const BENCH_DEPTH: i32;

    /// An evaluator and a solver for one thread.
    fn equip() -> (Self::Evaluator, Self::Solver);

    /// The weights that [`equip`](Playable::equip) plays with: a file within the program.
    fn embedded_weights() -> &'static Weights<Self>;

    /// The weights that were set by hand, to compare with.
    fn plain_weights() -> Weights<Self>;

    /// An evaluator with these weights.
    fn evaluator(weights: &Weights<Self>) -> Self::Evaluator;

    /// The terms of the value of this position.
    fn explain(&self, evaluator: &Self::Evaluator) -> TermTable;

    /// What its scores mean: a model within the program, fitted to games with the embedded
    /// weights.
    fn meaning() -> &'static Meaning;

    /// How that model counts what is left of a game.
    const LEFT: Left;

    /// What is left of this one.
    fn left(&self) -> i32;

    /// How strong it plays when it is held back, from the weakest up.
    const STRENGTHS: &'static [Rung];

    /// What a written position is called: `Fen` in chess.
    const POSITION_LABEL: &'static str;
    /// Whether a game ends with a margin that matters, so that nobody should stop early.
    const COUNTS_POINTS: bool;
    /// Whether castling can be written in two ways, so that the protocol must ask.
    const HAS_CHESS960: bool;

    /// Whether there are endgame tables to be had.
    const HAS_TABLEBASES: bool;

    /// Gives the threads of the engine these tables instead of their own and says what they are;
    /// on an error they keep what they have.
    fn open_tables(
        engine: &mut GameEngine<Self>,
        wanted: &TablesWanted,
    ) -> Result<Option<String>, TablesRefused>;

    /// The results of positions by endgame tables, for who judges games; `None` where the tables
    /// cannot tell for certain.
    fn known_results(wanted: &TablesWanted) -> Result<KnownResults<Self>, TablesRefused>;

    /// Reads a position; one sentence for each thing that had to be mended.
    fn read_with_notes(text: &str) -> Result<(Self, Vec<String>), ParseError>;

    /// The same position with castling written as king takes rook if `wanted`, else in whichever
    /// way is clear in this position.
    fn writing_chess960(self, wanted: bool) -> Self;

    /// Whether castling is written as king takes rook, so that an engine must be told.
    fn writes_chess960(&self) -> bool;

    /// What the side is called.
    fn player_name(player: Player) -> &'static str;

    /// What people call this way to end; asked only if the game ended that way here.
    fn ending_name(&self, how: How) -> &'static str;

    /// The number of the next move on a score sheet that counts moves in pairs, as in chess;
    /// `None` where lines are written without numbers.
    fn move_number(&self) -> Option<u32>;

    /// The name of a file of finished games.
    const GAMES_FILE: &'static str;

    /// The game as people exchange it (PGN, a transcript), or why it cannot be written like that.
    fn write_game(sheet: &ScoreSheet<Self>) -> Result<String, Unwritable>;

    /// The openings of a text in any of the forms in which they are passed round.
    fn read_openings(text: &str) -> WrittenOpenings<'_, Self>;

    /// One line that [`read_openings`](Playable::read_openings) reads, with the name and the score
    /// for the side to move (in hundredths) where the form has a place for them; or why there is
    /// none.
    fn write_opening(
        game: &Record<Self>,
        form: Form,
        name: &str,
        score: i32,
    ) -> Result<String, Unwritable>;

    /// The form in which its openings are mostly passed round.
    const OPENINGS_FORM: Form;

    /// A lead, in hundredths, that leaves everything open: what `openings` calls balanced.
    const BALANCED_WITHIN: i32;

    /// The position, without counters, written so that it reads the same in every mirror image of
    /// the game. It never changes: the three sets of openings are told apart by it.
    fn canonical_text(&self) -> String;
}

/// A game and what is written down about it.
pub struct ScoreSheet<'a, G: Playable> {
    /// The game.
    pub game: &'a Record<G>,
    /// Who plays, in the order in which they move from the usual start.
    pub players: [&'a str; 2],
    /// Who has won.
    pub verdict: Verdict,
    /// More facts, each with its name.
    pub tags: Vec<(&'a str, String)>,
    /// What is said about each move; nothing about those beyond its end.
    pub comments: &'a [String],
}

/// Tells the result of some positions for their side to move.
pub type KnownResults<G> = Box<dyn Fn(&G) -> Option<Outcome> + Send + Sync>;

/// Endgame tables that cannot be used, in one sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TablesRefused(pub String);

/// A game that its format has no words for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unwritable(pub &'static str);

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

/// The search of a game, with what this crate gives it.
pub type GameEngine<G> = Engine<G, <G as Playable>::Evaluator, <G as Playable>::Solver, Silent>;

/// An engine with nothing learned yet.
pub fn new_engine<G: Playable>() -> GameEngine<G> {
    Engine::new(G::start(), || {
        let (evaluator, solver) = G::equip();
        (evaluator, solver, Silent)
    })
}

/// Gives the threads of the engine these weights instead of their own. What was learned with the
/// others is forgotten.
pub fn use_weights<G: Playable>(engine: &mut GameEngine<G>, weights: &Weights<G>) {
    let evaluator = G::evaluator(weights);
    engine.set_evaluators(move || evaluator.clone());
}
