//! Othello, as the program speaks of it.

use secateur_games::othello::{EndgameSolver, Othello, OthelloEvaluator, Transcript};
use secateur_search::{Notation, ParseError, Player};

use super::{GameEngine, Playable, TablesWanted};
use crate::record::{How, Record, Verdict};

/// Positions with so few empty squares are solved instead of searched.
const SOLVED_FROM: u32 = 12;

/// What each thread's solver remembers, in bytes.
const SOLVER_TABLE: usize = 4 << 20;

impl Playable for Othello {
    type Evaluator = OthelloEvaluator;
    type Solver = EndgameSolver;

    const BENCH_DEPTH: i32 = 12;
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

    const POSITION_LABEL: &'static str = "Board";
    const HAS_CHESS960: bool = false;
    const HAS_TABLEBASES: bool = false;

    fn open_tables(
        _: &mut GameEngine<Othello>,
        _: &TablesWanted,
    ) -> anyhow::Result<Option<String>> {
        anyhow::bail!("there are no tablebases of Othello")
    }

    fn read_with_notes(text: &str) -> Result<(Othello, Vec<String>), ParseError> {
        Othello::read_position(text).map(|position| (position, Vec::new()))
    }

    fn writing_chess960(self, _wanted: bool) -> Othello {
        self
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

    /// The squares in a line; who played them, and who resigned, has no place there.
    fn write_game(
        game: &Record<Othello>,
        _players: [&str; 2],
        _verdict: Verdict,
    ) -> anyhow::Result<String> {
        if *game.start() != Othello::START {
            anyhow::bail!("a transcript begins at the usual start, and this game did not");
        }
        let mut transcript = Transcript::new(*game.start());
        for m in game.moves() {
            transcript.push(*m)?;
        }
        Ok(transcript.write() + "\n")
    }
}
