//! Points for judging the value, for the first move and for the follow-up, as *The Best Move*
//! (Hort and Jansa) gives them and Berliner and McConnell (1996) used them to compare searches.
//!
//! The book gives each example points of its own, about five on the average; a file says nothing
//! of that, so here each has the same: one for the value if it is known, two for the move, and one
//! for each of up to two later moves of the line that the file shows. The opponent's replies are
//! those of the line: an engine that expects another reply has its idea tested all the same. Where
//! the file gives several best moves and the engine plays one without a line, there is no idea to
//! be missed, and the follow-up counts as found.

use secateur_games::problem::{Problem, ProblemFiles};

use super::judge;

/// For judging the value.
pub const VALUE: u32 = 1;
/// For the first move.
pub const MOVE: u32 = 2;
/// Later moves that are asked for, one point each.
pub const FOLLOW_UPS: u32 = 2;

/// The value to be judged, in hundredths.
fn value<G: ProblemFiles>(problem: &Problem<G>) -> Option<i32> {
    /// A mate is beyond whatever counts as decided.
    const MATE: i32 = 30_000;
    problem.mate.map(|_| MATE).or(problem.value)
}

/// How many later moves the line gives to be asked for.
pub fn follow_ups<G: ProblemFiles>(problem: &Problem<G>) -> u32 {
    let belongs = problem.line_of_play.first().is_some_and(|first| {
        judge::is_right(problem, *first, None)
            || (problem.best.is_empty() && problem.mate.is_some())
    });
    let later = (problem.line_of_play.len().saturating_sub(1) / 2) as u32;
    if belongs { later.min(FOLLOW_UPS) } else { 0 }
}

/// What can be earned.
pub fn most<G: ProblemFiles>(problem: &Problem<G>) -> u32 {
    let judged = if value(problem).is_some() { VALUE } else { 0 };
    judged + MOVE + follow_ups(problem)
}

/// What the value told earns.
pub fn for_value<G: ProblemFiles>(problem: &Problem<G>, told: Option<i32>) -> u32 {
    match (value(problem), told) {
        (Some(wanted), Some(told)) if G::JUDGEMENT.agrees(told, wanted) => VALUE,
        _ => 0,
    }
}

/// What the first move earns; a second-best move with points of its own earns its share.
pub fn for_move<G: ProblemFiles>(problem: &Problem<G>, m: G::Move, right: bool) -> u32 {
    let (points, most) = (judge::points(problem, m, right), judge::most(problem));
    match right {
        true => MOVE,
        false => MOVE * points / most.max(1),
    }
}

#[cfg(all(test, feature = "chess"))]
mod tests {
    use super::*;
    use secateur_games::chess::Chess;
    use secateur_search::Notation;

    fn problem(operations: &str) -> Problem<Chess> {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        Chess::read_problems(&format!("{start} {operations}")).remove(0).unwrap()
    }

    #[test]
    fn only_what_the_file_knows_can_be_earned() {
        assert_eq!(most(&problem("bm e4;")), 2);
        assert_eq!(most(&problem("bm e4; ce 30;")), 3);
        assert_eq!(most(&problem("bm e4; ce 30; pv e4 e5;")), 3, "nothing follows");
        assert_eq!(most(&problem("bm e4; ce 30; pv e4 e5 Nf3;")), 4);
        assert_eq!(most(&problem("bm e4; ce 30; pv e4 e5 Nf3 Nc6 Bb5 a6 Ba4;")), 5);
        assert_eq!(most(&problem("bm e4; pv d4 d5 c4;")), 2, "the line of another move");
        assert_eq!(most(&problem("dm 3; pv e4 e5 Nf3;")), 4);
    }

    #[test]
    fn the_value_is_judged_and_the_move_earns_its_share() {
        let known = problem("bm e4; ce 30; c0 \"e4=10, d4=5, c4=4\";");
        assert_eq!([Some(80), Some(81), None].map(|told| for_value(&known, told)), [1, 0, 0]);
        assert_eq!(for_value(&problem("bm e4;"), Some(0)), 0, "no value is known");
        assert_eq!(for_value(&problem("dm 3;"), Some(350)), 1, "won is won");
        let earned = |m: &str| {
            let m = known.position.read_move(m).unwrap();
            for_move(&known, m, judge::is_right(&known, m, None))
        };
        assert_eq!([earned("e4"), earned("d4"), earned("c4"), earned("a3")], [2, 1, 0, 0]);
    }
}
