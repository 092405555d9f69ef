//! Othello, as programs play and speak of it.

use secateur_search::{Notation, ParseError, Player};

use super::{EndgameSolver, Othello, OthelloEvaluator, Transcript, openings};
use crate::opening::WrittenOpenings;
use crate::playable::{Playable, ScoreSheet, Unwritable};
use crate::record::How;

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
        const LATE: &str = "a transcript begins at the usual start, and this game did not";
        if *sheet.game.start() != Othello::START {
            return Err(Unwritable(LATE));
        }
        let mut transcript = Transcript::new(*sheet.game.start());
        for m in sheet.game.moves() {
            // Every move was legal when it was recorded.
            transcript.push(*m).map_err(|_| Unwritable("a move of the game is not legal"))?;
        }
        Ok(transcript.write() + "\n")
    }

    fn read_openings(text: &str) -> WrittenOpenings<'_, Othello> {
        openings::read(text)
    }
}
