//! Whether an answer is right, and what it earns.

use secateur_games::problem::{Problem, ProblemFiles};

use crate::engine::ScoreValue;

/// What a right answer earns where the file gives no points: as many as the best move of the
/// Strategic Test Suite.
pub const RIGHT: u32 = 10;

/// Whether the move, or the mate that is announced, is what the problem asks for.
pub fn is_right<G: ProblemFiles>(
    problem: &Problem<G>,
    m: G::Move,
    score: Option<ScoreValue>,
) -> bool {
    let announced = match (score, problem.mate) {
        (Some(ScoreValue::Mate(moves)), Some(known)) => moves > 0 && moves.unsigned_abs() <= known,
        _ => false,
    };
    let found = problem.best.contains(&m);
    let avoided = !problem.avoid.is_empty() && !problem.avoid.contains(&m);
    announced || found || avoided
}

/// What the move earns.
pub fn points<G: ProblemFiles>(problem: &Problem<G>, m: G::Move, right: bool) -> u32 {
    match problem.points.as_slice() {
        [] if right => RIGHT,
        known => known.iter().find(|(known, _)| *known == m).map_or(0, |(_, points)| *points),
    }
}

/// What can be earned.
pub fn most<G: ProblemFiles>(problem: &Problem<G>) -> u32 {
    problem.points.iter().map(|(_, points)| *points).max().unwrap_or(RIGHT)
}

/// What is right, in words.
pub fn wanted<G: ProblemFiles>(problem: &Problem<G>) -> String {
    let names = |moves: &[G::Move]| {
        let names: Vec<String> = moves.iter().map(|m| problem.position.describe_move(*m)).collect();
        names.join(" or ")
    };
    let moves = match (problem.best.as_slice(), problem.avoid.as_slice()) {
        ([], []) => None,
        ([], avoid) => Some(format!("not {}", names(avoid))),
        (best, _) => Some(names(best)),
    };
    let mate = problem.mate.map(|moves| format!("mate {moves}"));
    moves.into_iter().chain(mate).collect::<Vec<_>>().join(" or ")
}

#[cfg(all(test, feature = "chess"))]
mod tests {
    use super::*;
    use secateur_games::chess::Chess;
    use secateur_search::Notation;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn problem(operations: &str) -> Problem<Chess> {
        Chess::read_problems(&format!("{START} {operations}")).remove(0).unwrap()
    }

    fn judged(operations: &str, m: &str, score: Option<ScoreValue>) -> (bool, u32) {
        let problem = problem(operations);
        let m = problem.position.read_move(m).unwrap();
        let right = is_right(&problem, m, score);
        (right, points(&problem, m, right))
    }

    #[test]
    fn best_moves_are_found_and_others_avoided() {
        assert_eq!(judged("bm e4 d4;", "d2d4", None), (true, 10));
        assert_eq!(judged("bm e4;", "d2d4", None), (false, 0));
        assert_eq!(judged("am e4;", "d2d4", None), (true, 10));
        assert_eq!(judged("am e4;", "e2e4", None), (false, 0));
        // Both: only the best moves count.
        assert_eq!(judged("bm e4; am d4;", "c2c4", None), (false, 0));
    }

    #[test]
    fn points_are_those_of_the_file() {
        let operations = "bm e4; c0 \"e4=10, d4=7\";";
        assert_eq!(judged(operations, "e4", None), (true, 10));
        assert_eq!(judged(operations, "d4", None), (false, 7));
        assert_eq!(judged(operations, "c4", None), (false, 0));
        assert_eq!((most(&problem(operations)), most(&problem("bm e4;"))), (10, 10));
    }

    #[test]
    fn a_mate_is_solved_by_announcing_it_or_a_shorter_one() {
        let score = |moves| Some(ScoreValue::Mate(moves));
        assert!(judged("dm 3;", "e4", score(3)).0 && judged("dm 3;", "e4", score(1)).0);
        assert!(!judged("dm 3;", "e4", score(4)).0 && !judged("dm 3;", "e4", score(-2)).0);
        assert!(!judged("dm 3;", "e4", Some(ScoreValue::Centipawns(3))).0);
        assert!(judged("bm e4; dm 3;", "e4", None).0);
        assert!(judged("bm e4; dm 3;", "d4", score(2)).0);
        assert!(!judged("bm e4;", "d4", score(2)).0, "no mate was asked for");
    }

    #[test]
    fn what_is_wanted_is_said_in_words() {
        let said = |operations| wanted(&problem(operations));
        assert_eq!(said("bm e4 Nf3;"), "e4 or Nf3");
        assert_eq!(said("am e4;"), "not e4");
        assert_eq!(said("bm e4; dm 5;"), "e4 or mate 5");
        assert_eq!(said("dm 5;"), "mate 5");
    }
}
