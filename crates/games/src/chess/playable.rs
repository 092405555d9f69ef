//! Chess, as programs play and speak of it.

use std::sync::LazyLock;

use cozy_chess::{Color, Piece};
use secateur_search::{Meaning, Notation, Outcome, ParseError, Player, Tactics, Weights};

use super::evaluate::{self, Classical};
use super::pgn::{GameResult, Pgn, PgnMove};
use super::tablebase::{TableError, TableFiles, Tablebases, Tables, Wdl};
use super::{Chess, fen, openings};
use crate::opening::{Form, WrittenOpenings};
use crate::playable::{
    GameEngine, KnownResults, Playable, ScoreSheet, TablesRefused, TablesWanted, Unwritable,
};
use crate::record::{How, Record, Verdict};
use crate::strength::{self, Rung};
use crate::terms::TermTable;
use crate::told::Left;

fn refused(error: TableError) -> TablesRefused {
    TablesRefused(error.to_string())
}

impl Playable for Chess {
    type Evaluator = Classical;
    type Solver = Tablebases;

    const BENCH_DEPTH: i32 = 15;
    const BENCH_POSITIONS: &'static [&'static str] = &[
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 0 9",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "r2q1rk1/1b2bppp/p2p1n2/1pn1p3/3NP3/1BN1B3/PPP1QPPP/2KR3R w - - 2 13",
        "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
        "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1",
        "3r1rk1/p3qp1p/2bb2p1/2p5/3P4/1P6/PBQN1PPP/2R2RK1 b - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "6k1/5ppp/3r4/8/3R4/1P4P1/P4P1P/6K1 w - - 0 30",
        "8/5pk1/4p1p1/3pP2p/3P1P1P/5KP1/8/2B2n2 w - - 5 44",
        "8/8/1p1k4/p1p2p2/P1P2P2/1P1K4/8/8 w - - 0 50",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 7 19",
    ];

    fn equip() -> (Classical, Tablebases) {
        (Classical::default(), Tablebases::none())
    }

    fn embedded_weights() -> &'static Weights<Chess> {
        evaluate::embedded()
    }

    fn plain_weights() -> Weights<Chess> {
        evaluate::plain::weights()
    }

    fn evaluator(weights: &Weights<Chess>) -> Classical {
        Classical::with_weights(weights)
    }

    fn explain(&self, evaluator: &Classical) -> TermTable {
        evaluator.explain(self).table()
    }

    fn meaning() -> &'static Meaning {
        static MEANING: LazyLock<Meaning> = LazyLock::new(|| {
            Meaning::read(include_str!("../../models/chess.toml"), Chess::NAME)
                .expect("a test reads the embedded model")
        });
        &MEANING
    }

    /// With less, it is a matter of technique or of tables, not of scores.
    const LEFT: Left = Left {
        what: "material (queen 9, rook 5, piece 3, pawn 1)",
        least: 12,
        most: 78,
        usual: 58,
    };

    fn left(&self) -> i32 {
        let pieces: u32 = Color::ALL.iter().map(|color| self.weighted_material(*color)).sum();
        (pieces + self.board().pieces(Piece::Pawn).len()) as i32
    }

    const STRENGTHS: &'static [Rung] = strength::CHESS;

    const POSITION_LABEL: &'static str = "Fen";
    const COUNTS_POINTS: bool = false;
    const HAS_CHESS960: bool = true;
    const HAS_TABLEBASES: bool = true;

    fn open_tables(
        engine: &mut GameEngine<Chess>,
        wanted: &TablesWanted,
    ) -> Result<Option<String>, TablesRefused> {
        let files = TableFiles::find(&wanted.path).map_err(refused)?;
        let mut former = engine.solver().clone();
        let former_files = former.close().map(|tables| tables.files().clone());
        // One set can be open in a process, so ours is closed before another is opened.
        engine.set_solvers(Tablebases::none);
        let Some(files) = files else { return Ok(None) };
        let note = format!("{} tablebases, of up to {} men", files.count(), files.largest());
        let (solver, done) = match Tables::open(files) {
            Ok(tables) => (Tablebases::new(tables, wanted.men, wanted.fifty_moves), Ok(Some(note))),
            Err(error) => match former_files.map(Tables::open) {
                Some(Ok(tables)) => (former.with(tables), Err(refused(error))),
                _ => (Tablebases::none(), Err(refused(error))),
            },
        };
        engine.set_solvers(move || solver.clone());
        done
    }

    fn known_results(wanted: &TablesWanted) -> Result<KnownResults<Chess>, TablesRefused> {
        let Some(files) = TableFiles::find(&wanted.path).map_err(refused)? else {
            return Err(TablesRefused("no folder of tablebases is given".to_string()));
        };
        let tables = Tables::open(files).map_err(refused)?;
        let TablesWanted { men, fifty_moves, .. } = *wanted;
        Ok(Box::new(move |position: &Chess| {
            let board = position.board();
            // Results are those of a clock that begins anew: a win may come too late from here.
            let begins = !fifty_moves || board.halfmove_clock() == 0;
            let known = (begins && board.occupied().len() <= men).then(|| tables.result(position));
            Some(match known.flatten()? {
                Wdl::Win => Outcome::Win,
                Wdl::Loss => Outcome::Loss,
                Wdl::CursedWin if !fifty_moves => Outcome::Win,
                Wdl::BlessedLoss if !fifty_moves => Outcome::Loss,
                Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => Outcome::Draw,
            })
        }))
    }

    fn read_with_notes(text: &str) -> Result<(Chess, Vec<String>), ParseError> {
        fen::read(text).map(|reading| (reading.position, reading.notes))
    }

    fn writing_chess960(self, wanted: bool) -> Chess {
        // A position that only Chess960 can have was recognised when it was read. The king's two
        // steps could be a plain king move there, so it keeps king takes rook in any case.
        if wanted { self.with_chess960(true) } else { self }
    }

    fn writes_chess960(&self) -> bool {
        self.is_chess960()
    }

    fn player_name(player: Player) -> &'static str {
        match player {
            Player::First => "White",
            Player::Second => "Black",
        }
    }

    fn ending_name(&self, how: How) -> &'static str {
        match how {
            How::NoMoves if self.in_check() => "checkmate",
            How::NoMoves => "stalemate",
            How::Rule if self.is_dead() => "insufficient material",
            How::Rule => "fifty-move rule",
            How::Repetition => "threefold repetition",
        }
    }

    fn move_number(&self) -> Option<u32> {
        Some(self.board().fullmove_number().into())
    }

    const GAMES_FILE: &'static str = "games.pgn";

    fn write_game(sheet: &ScoreSheet<Chess>) -> Result<String, Unwritable> {
        let mut pgn = Pgn::new(sheet.game.start().clone());
        let [white, black] = sheet.players;
        pgn.set_tag("White", white);
        pgn.set_tag("Black", black);
        for (name, value) in &sheet.tags {
            pgn.set_tag(name, value);
        }
        pgn.moves = sheet.game.moves().iter().map(|m| PgnMove::new(*m)).collect();
        for (m, comment) in pgn.moves.iter_mut().zip(sheet.comments) {
            m.comments.extend((!comment.is_empty()).then(|| comment.clone()));
        }
        pgn.result = match sheet.verdict {
            Verdict::Open => GameResult::Unknown,
            Verdict::Draw => GameResult::Draw,
            Verdict::Won(Player::First) => GameResult::WhiteWins,
            Verdict::Won(Player::Second) => GameResult::BlackWins,
        };
        Ok(pgn.write())
    }

    fn read_openings(text: &str) -> WrittenOpenings<'_, Chess> {
        openings::read(text)
    }

    const OPENINGS_FORM: Form = Form::Positions;
    const BALANCED_WITHIN: i32 = 40;

    fn write_opening(
        game: &Record<Chess>,
        form: Form,
        name: &str,
        score: i32,
    ) -> Result<String, Unwritable> {
        match form {
            Form::Moves => openings::write_moves(game),
            Form::Positions => Ok(openings::write_position(game.position(), name, score)),
        }
    }

    fn canonical_text(&self) -> String {
        openings::canonical_text(self)
    }
}
