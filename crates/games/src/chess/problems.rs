//! Test suites of chess: EPD lines with a move to be found.

use cozy_chess::Color;
use secateur_search::{Game, ParseError};

use super::epd::{self, Epd};
use super::{Chess, san};
use crate::problem::{Judgement, Problem, ProblemFiles, most_valued};

impl ProblemFiles for Chess {
    const ENDINGS: &'static [&'static str] = &["epd", "fen"];
    const JUDGEMENT: Judgement =
        Judgement { unit: "pawns", tolerance: 50, decided: Some(300), exact: false };

    fn read_problems(text: &str) -> Vec<Result<Problem<Chess>, ParseError>> {
        let mut problems: Vec<_> = epd::read_all(text).map(|read| read.and_then(problem)).collect();
        put_slips_right(problems.iter_mut().flatten());
        problems
    }
}

/// A file is one of Chess960 or it is not. In one of plain chess a castling right whose rook is
/// not in the corner is a slip, for which no engine need know Chess960; old files have them.
fn put_slips_right<'a>(problems: impl Iterator<Item = &'a mut Problem<Chess>>) {
    let castles = |problem: &&mut Problem<Chess>| {
        let board = problem.position.board();
        let has_rights = |color| {
            let rights = board.castle_rights(color);
            rights.short.is_some() || rights.long.is_some()
        };
        has_rights(Color::White) || has_rights(Color::Black)
    };
    let (odd, usual): (Vec<_>, Vec<_>) =
        problems.filter(castles).partition(|problem| problem.chess960);
    if odd.len() < usual.len() {
        for problem in odd {
            problem.chess960 = false;
            let note = "the rook that may castle is not in its corner; engines are asked as in \
                        plain chess";
            problem.notes.push(note.to_string());
        }
    }
}

fn problem(epd: Epd) -> Result<Problem<Chess>, ParseError> {
    let mut problem = Problem::new(epd.position.clone(), epd.line.unwrap_or(0));
    problem.chess960 = epd.position.is_chess960();
    problem.id = epd.id().filter(|id| !id.is_empty());
    problem.notes.clone_from(&epd.notes);
    problem.points = epd.points().to_vec();
    problem.best = match epd.best_moves() {
        [] => most_valued(epd.points()),
        moves => moves.to_vec(),
    };
    if problem.best.is_empty() {
        problem.avoid = epd.avoid_moves().to_vec();
    }
    problem.mate = epd.mate_in().filter(|moves| *moves > 0);
    problem.value = epd.evaluation();
    problem.line_of_play = line_of_play(&epd);
    problem.demand_a_question("nothing to be found: no bm, am, dm or points")
}

/// The moves of `pv` as far as they can be read: analysis may end in odd ways.
fn line_of_play(epd: &Epd) -> Vec<<Chess as Game>::Move> {
    let mut position = epd.position.clone();
    let mut moves = Vec::new();
    let text = epd.operation("pv").map(|operation| operation.text()).unwrap_or_default();
    for word in text.split_whitespace() {
        let Ok(m) = san::read(&position, word) else { break };
        moves.push(m);
        position.play(m);
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn read(operations: &str) -> Result<Problem<Chess>, ParseError> {
        Chess::read_problems(&format!("# one\n{START} {operations}\n")).remove(0)
    }

    fn names(problem: &Problem<Chess>, moves: &[<Chess as Game>::Move]) -> Vec<String> {
        moves.iter().map(|m| san::write(&problem.position, *m)).collect()
    }

    #[test]
    fn where_there_are_best_moves_those_to_be_avoided_do_not_count() {
        let problem = read("bm e4 d2d4; am Nf3; id \"A\"; ce 31; pv e4 e5 Nf3 nonsense;").unwrap();
        assert_eq!(names(&problem, &problem.best), ["e4", "d4"]);
        assert!(problem.avoid.is_empty() && problem.line == 2);
        assert_eq!((problem.id.as_deref(), problem.value), (Some("A"), Some(31)));
        assert_eq!(problem.line_of_play.len(), 3);
        let problem = read("am Nf3;").unwrap();
        assert_eq!((names(&problem, &problem.avoid), problem.best.len()), (vec!["Nf3".into()], 0));
    }

    #[test]
    fn points_name_the_best_moves_where_nothing_else_does() {
        let problem = read("c0 \"e4=10, d4=7, c4=10\";").unwrap();
        assert_eq!(names(&problem, &problem.best), ["e4", "c4"]);
        let problem = read("bm d4; c0 \"e4=10, d4=7\";").unwrap();
        assert_eq!((names(&problem, &problem.best), problem.points.len()), (vec!["d4".into()], 2));
    }

    #[test]
    fn one_odd_castling_right_does_not_make_a_file_of_chess960() {
        let odd = "2r1k2r/8/8/8/8/8/8/6K1 w q - bm Kf1;";
        let plain = format!("{START} bm e4;");
        let told = |text: &str| -> Vec<bool> {
            let problems = Chess::read_problems(text);
            problems.into_iter().map(|problem| problem.unwrap().chess960).collect()
        };
        assert_eq!(told(odd), [true]);
        assert_eq!(told(&format!("{odd}\n{odd}\n{plain}")), [true, true, false]);
        assert_eq!(told(&format!("{plain}\n{odd}\n{plain}")), [false, false, false]);
    }

    #[test]
    fn a_position_without_a_question_is_no_problem() {
        assert_eq!(read("dm 3;").unwrap().mate, Some(3));
        let error = read("id \"B\"; c0 \"a comment\";").unwrap_err().to_string();
        assert_eq!(error, "line 2: nothing to be found: no bm, am, dm or points");
        assert!(read("bm e5;").unwrap_err().to_string().starts_with("line 2, column "));
    }
}
