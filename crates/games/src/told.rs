//! A score as people and programs are told it.
//!
//! The search, its settings and the rows of self-play reckon in the units of the evaluation, which
//! change whenever it is trained anew. Whatever leaves the program (`info` lines, `analyse`, `play`,
//! `eval`, openings, the engine of the laboratory) goes through [`told`], so that a hundred means
//! the same everywhere and always: in chess half of all games won against an equal opponent, in a
//! game that counts points one point.

use std::fmt;

use secateur_search::{Chances, Score};

use crate::playable::Playable;

/// How much of a game is left, as its model of scores counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    /// What is counted.
    pub what: &'static str,
    /// With less, scores say nothing about chances, or nothing that is not known.
    pub least: i32,
    /// At the beginning.
    pub most: i32,
    /// Somewhere in the middle, for reports.
    pub usual: i32,
}

/// The score of a search of this position, in the units in which it is told.
pub fn told<G: Playable>(position: &G, score: Score) -> Score {
    // A guess of the margin is a guess of the margin.
    if G::COUNTS_POINTS { score } else { G::meaning().normalised(score, position.left()) }
}

/// The chances of the side to move with a score of the search, in its own units.
pub fn chances<G: Playable>(position: &G, score: Score) -> Chances {
    G::meaning().chances(score, position.left())
}

/// Chances for people: `win 45.1 %, draw 40.0 %, loss 14.9 %`.
pub struct InPercent(pub Chances);

impl fmt::Display for InPercent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Chances { win, draw, loss } = self.0;
        let percent = |thousandths: u32| format!("{}.{} %", thousandths / 10, thousandths % 10);
        write!(f, "win {}, draw {}, loss {}", percent(win), percent(draw), percent(loss))
    }
}

#[cfg(all(test, feature = "chess", feature = "othello"))]
mod tests {
    use super::*;
    use crate::chess::Chess;
    use crate::othello::Othello;
    use secateur_search::Notation;

    fn embedded<G: Playable>() {
        let meaning = G::meaning();
        assert!(meaning.is_reasonable());
        assert_eq!(meaning.game, G::NAME);
        assert_eq!(meaning.range, [G::LEFT.least, G::LEFT.most]);
        assert!((G::LEFT.least..=G::LEFT.most).contains(&G::LEFT.usual));
        assert!(meaning.origin.games > 0 && !meaning.origin.command.is_empty());
        assert_eq!(chances(&G::start(), Score::DRAW).win, chances(&G::start(), Score::DRAW).loss);
    }

    #[test]
    fn the_embedded_models_are_of_their_games() {
        embedded::<Chess>();
        embedded::<Othello>();
    }

    #[test]
    fn a_hundred_is_told_in_chess_where_half_of_all_games_are_won() {
        for text in ["startpos", "8/5pk1/4p1p1/3pP2p/3P1P1P/5KP1/8/2B2n2 w - - 5 44"] {
            let position = match text {
                "startpos" => Chess::start(),
                text => Chess::read_position(text).unwrap(),
            };
            let half = Chess::meaning().at(position.left()).half.round() as i32;
            let value = told(&position, Score::heuristic(half)).value();
            assert!((98..=102).contains(&value), "{text}: {value}");
            let win = chances(&position, Score::heuristic(half)).win;
            assert!((490..=510).contains(&win), "{text}: {win}");
        }
    }

    #[test]
    fn discs_are_told_as_discs() {
        let start = Othello::start();
        assert_eq!(told(&start, Score::heuristic(-317)), Score::heuristic(-317));
    }

    #[test]
    fn chances_are_read_in_percent() {
        let text = InPercent(Chances { win: 451, draw: 400, loss: 149 }).to_string();
        assert_eq!(text, "win 45.1 %, draw 40.0 %, loss 14.9 %");
    }
}
