//! Positions with something to be found in them: what a file of problems says, in any game.

use secateur_search::{Game, ParseError};

use crate::playable::Playable;

/// A position and what is known about its best move. At least one of `best`, `avoid`, `points`
/// and `mate` says something.
#[derive(Clone, Debug)]
pub struct Problem<G: Game> {
    /// The position.
    pub position: G,
    /// The line of the file, from 1.
    pub line: usize,
    /// What it is called, if it has a name.
    pub id: Option<String>,
    /// What had to be mended in the position, a sentence each.
    pub notes: Vec<String>,
    /// Moves to be found. Where points are given instead, those with the most.
    pub best: Vec<G::Move>,
    /// Moves to be avoided; none where there are moves to be found, by custom.
    pub avoid: Vec<G::Move>,
    /// Moves and their points; any other move earns none.
    pub points: Vec<(G::Move, u32)>,
    /// The value for the side to move, in hundredths of a pawn or of a disc.
    pub value: Option<i32>,
    /// In how many moves the side to move mates.
    pub mate: Option<u32>,
    /// The line that shows the idea, from the first move on.
    pub line_of_play: Vec<G::Move>,
    /// Whether engines must be told that castling is written as king takes rook.
    pub chess960: bool,
}

impl<G: Game> Problem<G> {
    /// A position of which nothing is known.
    pub fn new(position: G, line: usize) -> Problem<G> {
        Problem {
            position,
            line,
            id: None,
            notes: Vec::new(),
            best: Vec::new(),
            avoid: Vec::new(),
            points: Vec::new(),
            value: None,
            mate: None,
            line_of_play: Vec::new(),
            chess960: false,
        }
    }

    /// The problem, unless there is nothing to be found.
    pub(crate) fn demand_a_question(self, missing: &str) -> Result<Problem<G>, ParseError> {
        let nothing = self.best.is_empty() && self.avoid.is_empty() && self.mate.is_none();
        match nothing {
            true => Err(ParseError::new(missing).on_line(self.line)),
            false => Ok(self),
        }
    }
}

/// The moves with the most points.
#[cfg(any(feature = "chess", test))]
pub(crate) fn most_valued<M: Copy>(points: &[(M, u32)]) -> Vec<M> {
    let most = points.iter().map(|(_, points)| *points).max();
    points.iter().filter(|(_, points)| Some(*points) == most).map(|(m, _)| *m).collect()
}

/// What a value is, and when two of them say the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// What a hundred of it are called: `pawns`.
    pub unit: &'static str,
    /// Values that differ by no more say the same.
    pub tolerance: i32,
    /// Values that both lie beyond this say the same: won is won. `None` where the amount counts.
    pub decided: Option<i32>,
    /// Whether the values of files are exact, so that an average error has a meaning.
    pub exact: bool,
}

impl Judgement {
    /// Whether `value` says the same as `wanted`.
    pub fn agrees(&self, value: i32, wanted: i32) -> bool {
        let beyond = |bound: i32| value.min(wanted) >= bound || value.max(wanted) <= -bound;
        value.abs_diff(wanted) <= self.tolerance.unsigned_abs() || self.decided.is_some_and(beyond)
    }
}

/// A game that has files of problems.
pub trait ProblemFiles: Playable {
    /// How such files end, the usual one first.
    const ENDINGS: &'static [&'static str];
    /// What the values in them mean.
    const JUDGEMENT: Judgement;

    /// Every problem of a file. A broken line, or one that asks nothing, is an error that names
    /// it; the lines after it are read all the same.
    fn read_problems(text: &str) -> Vec<Result<Problem<Self>, ParseError>>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_agrees_within_its_tolerance_and_won_is_won() {
        let chess = Judgement { unit: "pawns", tolerance: 50, decided: Some(300), exact: false };
        assert!(chess.agrees(0, 50) && !chess.agrees(0, 51));
        assert!(chess.agrees(300, 2_000) && !chess.agrees(299, 2_000));
        assert!(chess.agrees(-2_000, -300) && !chess.agrees(-2_000, 300));
        let othello = Judgement { unit: "discs", tolerance: 200, decided: None, exact: true };
        assert!(othello.agrees(6_400, 6_200) && !othello.agrees(6_400, 6_100));
    }

    #[test]
    fn the_best_by_points_are_all_with_the_most() {
        assert_eq!(most_valued(&[('a', 10), ('b', 3), ('c', 10)]), ['a', 'c']);
        assert_eq!(most_valued::<char>(&[]), []);
    }
}
