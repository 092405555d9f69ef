//! The tables against python-chess, against our own retrograde analysis, and in the search.

#![cfg(feature = "chess")]

mod test_tables;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use cozy_chess::{Color, Piece};
use secateur_games::chess::Chess;
use secateur_games::chess::evaluate::Classical;
use secateur_games::chess::tablebase::{Tablebases, Tables, Wdl};
use secateur_games::playable::{Playable, TablesWanted};
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::{Answer, Engine, Limits};
use secateur_search::observe::Silent;
use secateur_search::solve::RootVerdict;
use secateur_search::testkit::reference::moves;
use secateur_search::{Band, Game, Line, Notation, Outcome, Score, Solver};
use test_tables::tables;

fn read(fen: &str) -> Chess {
    Chess::read_position(fen).expect(fen)
}

/// A position from squares of men, if it is legal with this side to move.
fn place(men: &[(char, usize)], turn: char) -> Option<Chess> {
    let mut squares = ['1'; 64];
    for &(letter, square) in men {
        if squares[square] != '1' || ("Pp".contains(letter) && !(8..56).contains(&square)) {
            return None;
        }
        squares[square] = letter;
    }
    let ranks: Vec<String> = squares.chunks(8).rev().map(|rank| rank.iter().collect()).collect();
    Chess::read_position(&format!("{} {turn} - - 0 1", ranks.join("/"))).ok()
}

/// The position with the colours exchanged.
fn mirrored(position: &Chess) -> Chess {
    let fen = position.write_position();
    let fields: Vec<&str> = fen.split(' ').collect();
    let board: Vec<&str> = fields[0].split('/').rev().collect();
    let swap = |c: char| {
        if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
    };
    let board: String = board.join("/").chars().map(swap).collect();
    let turn = if fields[1] == "w" { "b" } else { "w" };
    let ep = fields[3].replace('3', "?").replace('6', "3").replace('?', "6");
    read(&format!("{board} {turn} - {ep} {} 1", fields[4]))
}

/// The distance of a position by those of its moves.
fn distance(tables: &Tables, position: &Chess) -> i32 {
    let all = tables.distances(position).expect("distances");
    assert_eq!(all.len(), position.count_moves());
    let wins = all.iter().map(|(_, distance)| *distance).filter(|distance| *distance > 0).min();
    let best = if all.iter().any(|(_, distance)| *distance == 0) { 0 } else { i32::MIN };
    wins.unwrap_or(if best == 0 { 0 } else { all.iter().map(|(_, d)| *d).min().unwrap_or(0) })
}

#[test]
fn results_and_distances_are_those_of_python_chess() {
    let Some(tables) = tables() else { return };
    let mut count = 0;
    for fact in include_str!("test_tables/facts.txt").lines() {
        let [fen, result, plies] = fact.split("; ").collect::<Vec<_>>().try_into().unwrap();
        let expected = match result {
            "-2" => Wdl::Loss,
            "0" => Wdl::Draw,
            "2" => Wdl::Win,
            other => panic!("{other}"),
        };
        for position in [read(fen), mirrored(&read(fen))] {
            assert_eq!(tables.result(&position), Some(expected), "{fen}");
            let plies: i32 = plies.parse().unwrap();
            let found = distance(&tables, &position);
            // Long distances are kept in moves, not plies.
            let near = found.signum() == plies.signum() && (found - plies).abs() <= 1;
            assert!(near, "{fen}: {found} instead of {plies}");
        }
        count += 1;
    }
    assert!(count > 140);
}

#[test]
fn a_queen_wins_unless_it_is_taken_or_stalemates() {
    let Some(tables) = tables() else { return };
    let mut drawn = 0;
    for king in 0..64 {
        for queen in 0..64 {
            for other in 0..64 {
                let men = [('K', king), ('Q', queen), ('k', other)];
                if let Some(position) = place(&men, 'w') {
                    assert_eq!(tables.result(&position), Some(Wdl::Win), "{position:?}");
                }
                if let Some(position) = place(&men, 'b') {
                    let stalemate =
                        position.count_moves() == 0 && position.board().checkers().is_empty();
                    let taken = moves(&position)
                        .into_iter()
                        .any(|m| position.after(m).board().pieces(Piece::Queen).is_empty());
                    let expected = if stalemate || taken { Wdl::Draw } else { Wdl::Loss };
                    assert_eq!(tables.result(&position), Some(expected), "{position:?}");
                    drawn += usize::from(expected == Wdl::Draw);
                }
            }
        }
    }
    assert!(drawn > 1_000, "{drawn}");
}

/// What a move leads to: another of the positions, or a game without a pawn, won or not.
enum Next {
    Among(usize),
    Beyond(bool),
}

/// White's wins with a pawn, by going over all positions until nothing changes.
fn pawn_wins() -> Vec<(Chess, bool)> {
    let mut all = Vec::new();
    for king in 0..64 {
        for pawn in 8..56 {
            for other in 0..64 {
                let men = [('K', king), ('P', pawn), ('k', other)];
                all.extend(['w', 'b'].into_iter().filter_map(|turn| place(&men, turn)));
            }
        }
    }
    let numbers: HashMap<u64, usize> =
        all.iter().enumerate().map(|(number, position)| (position.key(), number)).collect();
    let next = |position: &Chess| -> Vec<Next> {
        let after = moves(position).into_iter().map(|m| position.after(m));
        let known = |after: Chess| match numbers.get(&after.key()) {
            Some(number) => Next::Among(*number),
            None => Next::Beyond(promoted_wins(&after)),
        };
        after.map(known).collect()
    };
    let nexts: Vec<Vec<Next>> = all.iter().map(next).collect();
    let mut won = vec![false; all.len()];
    loop {
        let mut news = false;
        for (number, (position, next)) in all.iter().zip(&nexts).enumerate() {
            if won[number] {
                continue;
            }
            let mut after = next.iter().map(|next| match next {
                Next::Among(number) => won[*number],
                Next::Beyond(won) => *won,
            });
            let wins = match position.color() {
                Color::White => after.any(|won| won),
                Color::Black if after.len() > 0 => after.all(|won| won),
                Color::Black => !position.board().checkers().is_empty(),
            };
            won[number] = wins;
            news |= wins;
        }
        if !news {
            return all.into_iter().zip(won).collect();
        }
    }
}

/// The pawn is gone: a queen or rook wins unless it is taken at once or stalemates.
fn promoted_wins(position: &Chess) -> bool {
    let board = position.board();
    let heavy = board.pieces(Piece::Queen) | board.pieces(Piece::Rook);
    let taken =
        || moves(position).into_iter().any(|m| position.after(m).board().occupied().len() == 2);
    let stalemate = || position.count_moves() == 0 && board.checkers().is_empty();
    !heavy.is_empty() && !taken() && !stalemate()
}

#[test]
fn a_pawn_wins_where_retrograde_analysis_says_so() {
    let Some(tables) = tables() else { return };
    let all = pawn_wins();
    let mut wins = 0;
    for (position, won) in &all {
        let expected = match (won, position.color()) {
            (false, _) => Wdl::Draw,
            (true, Color::White) => Wdl::Win,
            (true, Color::Black) => Wdl::Loss,
        };
        assert_eq!(tables.result(position), Some(expected), "{position:?}");
        wins += usize::from(*won);
    }
    for (position, won) in all.iter().step_by(60) {
        let drawn = tables.result(&mirrored(position)) == Some(Wdl::Draw);
        assert_eq!(drawn, !won, "the mirror image of {position:?}");
    }
    assert!(all.len() > 300_000 && wins > 100_000, "{} {wins}", all.len());
}

#[test]
fn what_the_tables_do_not_know_is_none() {
    let Some(tables) = tables() else { return };
    assert_eq!(tables.files().largest(), 4);
    assert_eq!(tables.files().count(), 70);
    let castling = read("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert_eq!((tables.result(&castling), tables.distances(&castling)), (None, None));
    let five = read("4k3/8/8/8/8/8/3PP3/R3K3 w - - 0 1");
    assert_eq!((tables.result(&five), tables.distances(&five)), (None, None));
    assert_eq!(tables.result(&read("4k3/8/8/8/8/8/8/4K3 w - - 0 1")), Some(Wdl::Draw));
}

type ChessEngine = Engine<Chess, Classical, Tablebases>;

fn engine(solver: Tablebases) -> ChessEngine {
    Engine::new(Chess::start(), move || (Classical::default(), solver.clone(), Silent))
}

fn search(
    engine: &mut ChessEngine,
    position: &Chess,
    depth: i32,
) -> (Answer<cozy_chess::Move>, u64) {
    let line = Line::starting_at(position);
    let mut hits = 0;
    let answer = engine.search(
        position,
        &line,
        &Limits::depth(depth),
        Instant::now(),
        &Control::default(),
        &mut |report| hits = report.table_hits,
    );
    (answer, hits)
}

#[test]
fn the_search_finds_a_win_that_no_such_depth_could_see() {
    let Some(tables) = tables() else { return };
    // Taking the pawn leaves bishop and knight, a win of some thirty moves.
    let position = read("8/8/8/7p/4k3/8/8/1NKB4 w - - 0 1");
    let mut with = engine(Tablebases::new(Arc::clone(&tables), 7, true));
    let (answer, hits) = search(&mut with, &position, 4);
    assert!(matches!(answer.score.band(), Band::Tablebase(1..)), "{}", answer.score);
    assert!(hits > 0);
    let (answer, hits) = search(&mut engine(Tablebases::none()), &position, 4);
    assert!(matches!(answer.score.band(), Band::Heuristic(_)), "{}", answer.score);
    assert_eq!(hits, 0);
    // With a limit below, nothing is looked up. (The hits are counted for all who share the tables,
    // so that they say nothing while other tests look up theirs.)
    let (answer, _) = search(&mut engine(Tablebases::new(tables, 3, true)), &position, 4);
    assert!(matches!(answer.score.band(), Band::Heuristic(_)), "{}", answer.score);
}

#[test]
fn a_mate_stays_a_mate() {
    let Some(tables) = tables() else { return };
    let solver = Tablebases::new(tables, 7, true);
    // By a capture, into the tables, and by a promotion, inside them.
    for (fen, plies) in [
        ("k7/1p6/1K6/6N1/8/8/6Q1/8 w - - 0 1", 1),
        ("k7/2P5/1K6/8/8/8/8/8 w - - 0 1", 1),
        ("8/8/8/8/8/1K6/7Q/k7 w - - 0 1", 1),
        ("8/8/8/8/8/2K5/7R/k7 w - - 0 1", 3),
    ] {
        let (answer, _) = search(&mut engine(solver.clone()), &read(fen), 5);
        assert_eq!(answer.score, Score::mate_in(plies), "{fen}");
    }
}

fn verdict(tables: &Arc<Tables>, fen: &str, fifty_moves: bool) -> RootVerdict<cozy_chess::Move> {
    let position = read(fen);
    let line = Line::starting_at(&position);
    let mut solver = Tablebases::new(Arc::clone(tables), 7, fifty_moves);
    solver.at_root(&position, &line, &moves(&position)).expect(fen)
}

#[test]
fn the_fifty_move_rule_decides_at_the_root() {
    let Some(tables) = tables() else { return };
    let board = "8/8/8/3k4/8/8/8/BNK5 w - -";
    let plies = distance(&tables, &read(&format!("{board} 0 1")));
    assert!(plies > 40, "{plies}");
    let in_time = verdict(&tables, &format!("{board} {} 90", 100 - plies), true);
    assert_eq!(in_time.value, Score::tablebase_win_in(plies as usize));
    assert!(in_time.moves.iter().all(|(_, value)| *value == Some(in_time.value)));
    let earlier = verdict(&tables, &format!("{board} 0 90"), true);
    assert!(earlier.moves.len() > in_time.moves.len(), "there is time for other ways");
    let late = verdict(&tables, &format!("{board} {} 90", 101 - plies), true);
    assert_eq!(late.value, Score::heuristic(1));
    let without = verdict(&tables, &format!("{board} {} 90", 101 - plies), false);
    assert_eq!(without.value, Score::tablebase_win_in(plies as usize));
    // The other side to move holds out until the rule saves it.
    let lost = "8/8/8/3k4/8/8/8/BNK5 b - -";
    let plies = -distance(&tables, &read(&format!("{lost} 0 1")));
    let saved = verdict(&tables, &format!("{lost} {} 90", 101 - plies), true);
    assert_eq!(saved.value, Score::heuristic(-1));
    let not_yet = verdict(&tables, &format!("{lost} 10 90"), true);
    assert_eq!(not_yet.value, -Score::tablebase_win_in(plies as usize));
}

#[test]
fn of_a_drawn_root_only_the_moves_that_draw_are_kept() {
    let Some(tables) = tables() else { return };
    // Elsewhere it loses the opposition.
    let drawn = verdict(&tables, "8/3k4/3P4/3K4/8/8/8/8 b - - 0 1", true);
    assert_eq!(drawn.value, Score::DRAW);
    let kept: Vec<String> = drawn.moves.iter().map(|(m, _)| m.to_string()).collect();
    assert_eq!(kept, ["d7d8"]);
}

/// Plays on until the game is over: the engine against the most stubborn defence.
fn play_out(tables: &Arc<Tables>, fen: &str) -> (Chess, usize) {
    let mut position = read(fen);
    let mut line = Line::starting_at(&position);
    let mut engine = engine(Tablebases::new(Arc::clone(tables), 7, true));
    let strong = position.color();
    let mut plies = 0;
    while position.count_moves() > 0 && position.ended().is_none() {
        assert_eq!(position.recurrence(&line), None, "{fen}");
        let m = if position.color() == strong {
            let limits = Limits::depth(3);
            let control = Control::default();
            let answer =
                engine.search(&position, &line, &limits, Instant::now(), &control, &mut |_| {});
            assert!(answer.score.is_distance() && answer.score > Score::DRAW, "{}", answer.score);
            answer.best.unwrap()
        } else {
            let all = tables.distances(&position).unwrap();
            all.into_iter().min_by_key(|(_, distance)| *distance).unwrap().0
        };
        let after = position.after(m);
        line.play(&position, m, &after);
        position = after;
        plies += 1;
    }
    (position, plies)
}

#[test]
fn a_won_position_is_won_even_with_the_last_ply() {
    let Some(tables) = tables() else { return };
    for board in [
        "8/8/8/3k4/8/8/8/BNK5 w - -",
        "8/8/8/3k4/8/8/8/B1KB4 w - -",
        "8/3kr3/8/8/8/8/8/Q1K5 w - -",
        "8/8/8/4k3/8/8/P7/K6N w - -",
        "8/8/8/3k4/8/8/8/R1K5 w - -",
    ] {
        let plies = distance(&tables, &read(&format!("{board} 0 1")));
        assert!(plies > 0, "{board}");
        // Distances may be kept in moves: one ply is left to be sure.
        for clock in [0, 99 - plies] {
            let (end, played) = play_out(&tables, &format!("{board} {clock} 90"));
            let mated = end.count_moves() == 0 && !end.board().checkers().is_empty();
            // A capture or pawn move on the way is a won table of its own.
            assert!(mated, "{board} {clock}: {played} plies, {end:?}");
        }
    }
}

#[test]
fn who_judges_games_is_told_results_only_where_the_clock_begins_anew() {
    let Some(tables) = tables() else { return };
    let folders: Vec<_> = tables.files().folders().to_vec();
    let path = std::env::join_paths(folders).unwrap().into_string().unwrap();
    let known = Chess::known_results(&TablesWanted::all_in(&path)).unwrap();
    let result = |fen: &str| known(&read(fen));
    assert_eq!(result("8/8/8/4k3/8/8/K7/1Q6 w - - 0 1"), Some(Outcome::Win));
    assert_eq!(result("8/8/8/4k3/8/8/K7/1Q6 b - - 0 1"), Some(Outcome::Loss));
    assert_eq!(result("8/8/8/4k3/8/8/K7/8 w - - 0 1"), Some(Outcome::Draw));
    assert_eq!(result("8/8/8/4k3/8/8/K7/1Q6 w - - 7 9"), None);
    assert_eq!(result("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), None);
    assert!(Chess::known_results(&TablesWanted::all_in("")).is_err());
}
