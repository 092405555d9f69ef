//! Files of positions and games: damaged ones never do harm, and what is accepted is written so
//! that it reads back the same.

#![cfg(feature = "chess")]

mod chess_mutate;

use chess_mutate::{cases, check_error, damaged};
use proptest::prelude::*;
use secateur_games::chess::epd::{self, Epd, Operation};
use secateur_games::chess::fen::{self, Rights};
use secateur_games::chess::pgn::{self, GameResult, Pgn, PgnMove, Variation};
use secateur_games::chess::{Chess, perft_suite};
use secateur_search::random::SplitMix;
use secateur_search::{Game, Notation};

const EPDS: &[&str] = &[
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id \"BK.01\";",
    "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1 bm Rf1; id \"zug; zwang\";",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e2e4, Nf3; am h4; c0 \"e4=10, Nf3=5\"; hmvc 3;",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400",
    "4k3/8/8/3pP3/8/8/8/4K2R w K d6 fmvn 30; bm exd6 O-O; c8 \"10 5\"; c9 \"e5d6 e1g1\"; ce -12;",
];

const PGNS: &[&str] = &[
    "[Event \"a \\\"b\\\"\"]\n[Site \"?\"]\n\n1. e4 {good [x]} e5 (1... c5 2. Nf3 (2. c3)) 2. Nf3! $14 1/2-1/2\n",
    "[White \"W\"]\n\n1.d4 d5 ; rest\n% escape\n2.c4 dxc4?! *\n\n[White \"X\"]\n\n1. c4 0-1\n",
    "[SetUp \"1\"]\n[FEN \"4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 9\"]\n\n9. exd6 e.p. Kd7 10. O-O {open\nlines} 1-0",
    "[Variant \"Chess960\"]\n[FEN \"1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w GBgb - 0 1\"]\n\n1. O-O O-O-O *",
];

fn same_position(one: &Chess, other: &Chess) {
    let text = |position: &Chess| fen::write(position, Rights::Files);
    assert_eq!(text(one), text(other));
    assert_eq!(one.is_chess960(), other.is_chess960());
}

/// The operations that are not clocks: those are part of the position.
fn said(epd: &Epd) -> Vec<&Operation> {
    let is_clock = |operation: &Operation| matches!(operation.opcode.as_str(), "hmvc" | "fmvn");
    epd.operations().iter().filter(|operation| !is_clock(operation)).collect()
}

fn check_epd(epd: &Epd) {
    let written = epd.write();
    let again = Epd::read(&written).unwrap_or_else(|error| panic!("{error}: {written}"));
    same_position(&epd.position, &again.position);
    assert_eq!(said(epd), said(&again), "{written}");
    assert_eq!(epd.best_moves(), again.best_moves());
    assert_eq!(epd.avoid_moves(), again.avoid_moves());
    assert_eq!(epd.points(), again.points());
    assert_eq!(epd.perft(), again.perft());
    assert_eq!(again.write(), written);
}

fn check_pgn(game: &Pgn) {
    let written = game.write();
    let mut again = pgn::read_all(&written);
    assert_eq!(again.len(), 1, "{written}");
    let again = again.remove(0).unwrap_or_else(|error| panic!("{error}: {written}"));
    same_position(&game.start, &again.start);
    assert_eq!(game.comments, again.comments, "{written}");
    assert_eq!(game.moves, again.moves, "{written}");
    assert_eq!(game.result, again.result);
    for (name, value) in &game.tags {
        if !matches!(name.as_str(), "Result" | "SetUp" | "FEN" | "Variant") {
            let first = game.tag(name);
            assert_eq!(first, again.tag(name), "{value} in {written}");
        }
    }
    assert_eq!(again.write(), written);
    // Only a comment that needs a line of its own may be longer.
    let fits = |line: &str| line.starts_with(['[', ';']) || line.chars().count() < 80;
    assert!(written.contains("; ") || written.lines().all(fits), "{written}");
}

proptest! {
    #![proptest_config(cases(100_000))]

    #[test]
    fn a_damaged_epd_line_is_refused_or_reads_back_the_same(text in damaged(EPDS)) {
        for read in epd::read_all(&text) {
            match read {
                Ok(epd) => check_epd(&epd),
                Err(error) => check_error(&error),
            }
        }
        for case in perft_suite::read_perft_file(&text) {
            if let Err(error) = case {
                check_error(&error);
            }
        }
    }

    #[test]
    fn a_damaged_game_is_refused_or_reads_back_the_same(text in damaged(PGNS)) {
        for read in pgn::read_all(&text) {
            match read {
                Ok(game) => check_pgn(&game),
                Err(error) => {
                    check_error(&error);
                    prop_assert!(error.line().is_some() && error.column().is_some(), "{}", error);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(10_000))]

    #[test]
    fn bytes_of_any_kind_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..200), at in 0..200usize) {
        let mut text = PGNS[0].as_bytes().to_vec();
        text.splice(at.min(text.len())..at.min(text.len()), bytes);
        for game in pgn::Reader::new(text.as_slice()) {
            match game {
                Ok(game) => check_pgn(&game),
                Err(error) => check_error(&error),
            }
        }
    }
}

/// Random games with everything a game can have.
struct Author {
    random: SplitMix,
}

impl Author {
    fn happens(&mut self, one_in: usize) -> bool {
        self.random.below(one_in) == 0
    }

    fn comments(&mut self) -> Vec<String> {
        let words = [
            "good",
            "[%clk 0:01]",
            "{",
            "}",
            "%odd",
            ";",
            "(",
            ")",
            "1-0",
            "Zürich",
            "\\\"",
            "[Event",
            "-",
        ];
        let mut comments = Vec::new();
        while self.happens(6) {
            let length = 1 + self.random.below(25);
            let drawn: Vec<&str> =
                (0..length).map(|_| words[self.random.below(words.len())]).collect();
            comments.push(drawn.join(" "));
        }
        comments
    }

    fn moves(&mut self, start: &Chess, plies: usize, deeper: usize) -> Vec<PgnMove> {
        let mut position = start.clone();
        let mut moves = Vec::new();
        for _ in 0..plies {
            let mut legal = Vec::new();
            position.each_move(|m| legal.push(m));
            if legal.is_empty() {
                break;
            }
            let mut played = PgnMove::new(legal[self.random.below(legal.len())]);
            while self.happens(5) {
                played.nags.push(self.random.below(256) as u8);
            }
            played.comments = self.comments();
            while deeper > 0 && self.happens(8) {
                let before = self.comments();
                let length = 1 + self.random.below(6);
                let moves = self.moves(&position, length, deeper - 1);
                played.variations.push(Variation { before, moves, after: self.comments() });
            }
            position.play(played.m);
            moves.push(played);
        }
        moves
    }

    fn game(&mut self) -> Pgn {
        let starts = [
            Chess::start(),
            Chess::start().with_chess960(true),
            Chess::read_position(
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 7 33",
            )
            .unwrap(),
            Chess::read_position(
                "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            )
            .unwrap(),
            Chess::read_position("6nr/PPPP4/k7/8/8/7K/4pppp/1N6 w - - 0 1").unwrap(),
        ];
        let mut game = Pgn::new(starts[self.random.below(starts.len())].clone());
        game.comments = self.comments();
        let plies = self.random.below(80);
        let start = game.start.clone();
        game.moves = self.moves(&start, plies, 3);
        let results =
            [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown];
        game.result = results[self.random.below(4)];
        for name in ["Annotator", "White", "Date", "ECO"] {
            if self.happens(2) {
                game.set_tag(
                    name,
                    ["", "x \"y\" ]", "a\\", "\\\"]", "Müller {"][self.random.below(5)],
                );
            }
        }
        game
    }
}

proptest! {
    #![proptest_config(cases(2_000))]

    #[test]
    fn a_written_game_reads_back_the_same(seed in any::<u64>()) {
        check_pgn(&Author { random: SplitMix::new(seed) }.game());
    }

    #[test]
    fn games_in_one_file_stay_apart(seed in any::<u64>()) {
        let mut author = Author { random: SplitMix::new(seed) };
        let games: Vec<Pgn> = (0..3).map(|_| author.game()).collect();
        let file: String = games.iter().map(Pgn::write).collect();
        let read = pgn::read_all(&file);
        prop_assert_eq!(read.len(), games.len());
        for (read, written) in read.into_iter().zip(&games) {
            prop_assert_eq!(&read.unwrap().moves, &written.moves);
        }
    }

    #[test]
    fn a_position_of_a_random_game_is_written_as_epd_and_read_back(seed in any::<u64>()) {
        let mut author = Author { random: SplitMix::new(seed) };
        let game = author.game();
        let mut epd = Epd::new(game.end());
        let mut moves = Vec::new();
        epd.position.each_move(|m| moves.push(epd.position.write_move(m)));
        if !moves.is_empty() {
            let best: Vec<&str> = moves.iter().map(String::as_str).collect();
            epd.set("bm", &best).unwrap();
            prop_assert_eq!(epd.best_moves().len(), best.len());
        }
        epd.set("id", &[&author.comments().join(" ")]).unwrap();
        // EPD cannot say Chess960 when nobody can castle any more.
        epd.position = fen::read(&fen::write(&epd.position, Rights::Letters)).unwrap().position;
        check_epd(&epd);
    }
}
