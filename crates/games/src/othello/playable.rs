//! Othello, as programs play and speak of it.

use std::sync::LazyLock;

use secateur_search::{Meaning, Notation, ParseError, Player, Score, Weights};

use super::{EndgameSolver, Othello, OthelloEvaluator, Transcript, evaluate, openings};
use crate::opening::{Form, WrittenOpenings};
use crate::playable::{
    GameEngine, KnownResults, Playable, ScoreSheet, TablesRefused, TablesWanted, Unwritable,
};
use crate::record::{How, Record};
use crate::strength::{self, Rung};
use crate::terms::TermTable;
use crate::told::Left;

/// Positions with so few empty squares are solved instead of searched.
const SOLVED_FROM: u32 = 12;

/// What each thread's solver remembers, in bytes.
const SOLVER_TABLE: usize = 4 << 20;

impl Playable for Othello {
    type Evaluator = OthelloEvaluator;
    type Solver = EndgameSolver;

    const BENCH_DEPTH: i32 = 16;
    const BENCH_POSITIONS: &'static [&'static str] = &[
        "---------------------------OX------XO--------------------------- X",
        "------------------XXX-----XXXO----XXOO---OXOO-----OO------------ X",
        "--O--------O--X--OOOOXX---OXXX---OXXOX--OOXXX---O---X----------- O",
        "--XXXX----XXXX--OOXXOX--OXOXXX--OOXOXX--OXXXXX----XO------X----- O",
        "-----O--X-OOOO--XXXXXO-XXXXXXXO-XXXOXXO-XXOOXOO-X-XOOO----OOOO-- X",
        "--OXXO--XOXXXX--XOOOXXXXXOOXXXXXXOOOOXXX-XXXXXXX--XXOOO----XXOO- X",
    ];

    fn equip() -> (OthelloEvaluator, EndgameSolver) {
        (OthelloEvaluator::new(), EndgameSolver::new(SOLVED_FROM, SOLVER_TABLE))
    }

    fn embedded_weights() -> &'static Weights<Othello> {
        evaluate::embedded()
    }

    fn plain_weights() -> Weights<Othello> {
        evaluate::plain_weights()
    }

    fn evaluator(weights: &Weights<Othello>) -> OthelloEvaluator {
        OthelloEvaluator::with_weights(weights)
    }

    fn explain(&self, evaluator: &OthelloEvaluator) -> TermTable {
        let terms = evaluator.explain(self);
        let value = terms.iter().map(|term| term.1).sum();
        TermTable {
            columns: &["side to move"],
            parts: &["hundredths of a disc"],
            rows: terms.into_iter().map(|(name, value)| (name, vec![value])).collect(),
            remark: format!("{} empty squares: {value:+} for the side to move", self.left()),
            value: Score::heuristic(value),
        }
    }

    fn meaning() -> &'static Meaning {
        static MEANING: LazyLock<Meaning> = LazyLock::new(|| {
            Meaning::read(include_str!("../../models/othello.toml"), Othello::NAME)
                .expect("a test reads the embedded model")
        });
        &MEANING
    }

    /// With fewer the solver knows, and the games that the model is fitted to begin with eight
    /// random discs.
    const LEFT: Left =
        Left { what: "empty squares", least: SOLVED_FROM as i32 + 1, most: 52, usual: 30 };

    fn left(&self) -> i32 {
        64 - self.discs() as i32
    }

    const STRENGTHS: &'static [Rung] = strength::OTHELLO;

    const POSITION_LABEL: &'static str = "Board";
    const COUNTS_POINTS: bool = true;
    const HAS_CHESS960: bool = false;
    const HAS_TABLEBASES: bool = false;

    fn open_tables(
        _: &mut GameEngine<Othello>,
        _: &TablesWanted,
    ) -> Result<Option<String>, TablesRefused> {
        Err(no_tables())
    }

    fn known_results(_: &TablesWanted) -> Result<KnownResults<Othello>, TablesRefused> {
        Err(no_tables())
    }

    fn read_with_notes(text: &str) -> Result<(Othello, Vec<String>), ParseError> {
        Othello::read_position(text).map(|position| (position, Vec::new()))
    }

    fn writing_chess960(self, _wanted: bool) -> Othello {
        self
    }

    fn writes_chess960(&self) -> bool {
        false
    }

    fn player_name(player: Player) -> &'static str {
        match player {
            Player::First => "Black",
            Player::Second => "White",
        }
    }

    fn ending_name(&self, how: How) -> &'static str {
        match how {
            How::NoMoves => "neither side can move",
            How::Rule => "no disc is left to turn",
            How::Repetition => "repetition",
        }
    }

    fn move_number(&self) -> Option<u32> {
        None
    }

    const GAMES_FILE: &'static str = "games.txt";

    /// The squares in a line; who played them, and who resigned, has no place there.
    fn write_game(sheet: &ScoreSheet<Othello>) -> Result<String, Unwritable> {
        transcript(sheet.game).map(|transcript| transcript.write() + "\n")
    }

    fn read_openings(text: &str) -> WrittenOpenings<'_, Othello> {
        openings::read(text)
    }

    const OPENINGS_FORM: Form = Form::Moves;
    /// What our evaluation thinks of well-balanced openings of eight plies spreads by three discs.
    const BALANCED_WITHIN: i32 = 400;

    /// Neither form has a place for a name or a guess.
    fn write_opening(
        game: &Record<Othello>,
        form: Form,
        _name: &str,
        _score: i32,
    ) -> Result<String, Unwritable> {
        match form {
            Form::Moves => transcript(game).map(|transcript| transcript.write()),
            Form::Positions => Ok(game.position().write_position()),
        }
    }

    fn canonical_text(&self) -> String {
        openings::canonical_text(self)
    }
}

fn transcript(game: &Record<Othello>) -> Result<Transcript, Unwritable> {
    const LATE: &str = "a transcript begins at the usual start, and this game did not";
    if *game.start() != Othello::START {
        return Err(Unwritable(LATE));
    }
    let mut transcript = Transcript::new(*game.start());
    for m in game.moves() {
        // Every move was legal when it was recorded.
        transcript.push(*m).map_err(|_| Unwritable("a move of the game is not legal"))?;
    }
    Ok(transcript)
}

fn no_tables() -> TablesRefused {
    TablesRefused("there are no tablebases of Othello".to_string())
}
