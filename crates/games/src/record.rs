//! A game so far: where it began, its moves, the position reached and the line that led to it.

use secateur_search::{Game, Line, Outcome, ParseError, Player};

use crate::playable::Playable;

/// A position together with what happened before it, which repetition rules ask for.
#[derive(Clone)]
pub struct Record<G: Game> {
    start: G,
    moves: Vec<G::Move>,
    position: G,
    line: Line<G::Mark>,
}

/// A move of a list that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {number}: {why}")]
pub struct MoveRefused {
    /// Its place in the list, from 1.
    pub number: usize,
    /// What is wrong with it; names the move.
    pub why: ParseError,
}

/// What ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// The side to move has no legal move.
    NoMoves,
    /// A rule that counts moves or pieces.
    Rule,
    /// The position came too often.
    Repetition,
}

/// Who has won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The game is not over.
    Open,
    /// Nobody.
    Draw,
    /// This side.
    Won(Player),
}

/// How a game ended and with what result for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The reason.
    pub how: How,
    /// The result.
    pub outcome: Outcome,
}

impl<G: Playable> Record<G> {
    /// A game that begins here.
    pub fn starting_at(position: G) -> Record<G> {
        let line = Line::starting_at(&position);
        Record { start: position.clone(), moves: Vec::new(), position, line }
    }

    /// The first position.
    pub fn start(&self) -> &G {
        &self.start
    }

    /// The moves from the first position to the one reached.
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// The position reached.
    pub fn position(&self) -> &G {
        &self.position
    }

    /// Keys and marks from the first position to this one.
    pub fn line(&self) -> &Line<G::Mark> {
        &self.line
    }

    /// The same game with its last position replaced by one that differs only in how it is
    /// written.
    pub fn with_position(mut self, position: G) -> Record<G> {
        debug_assert_eq!(position.key(), self.position.key());
        self.position = position;
        self
    }

    /// Plays moves given as text, in the order given. If one is refused, those before it have
    /// been played.
    pub fn play_all<'a>(
        &mut self,
        moves: impl IntoIterator<Item = &'a str>,
    ) -> Result<(), MoveRefused> {
        for (index, text) in moves.into_iter().enumerate() {
            let m = self
                .position
                .read_move(text)
                .map_err(|why| MoveRefused { number: index + 1, why })?;
            self.play(m);
        }
        Ok(())
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: G::Move) {
        let after = self.position.after(m);
        self.line.play(&self.position, m, &after);
        self.moves.push(m);
        self.position = after;
    }

    /// The game as it was after its first `plies` moves, or the whole if it has no more.
    pub fn after_plies(&self, plies: usize) -> Record<G> {
        let mut game = Record::starting_at(self.start.clone());
        self.moves.iter().take(plies).for_each(|m| game.play(*m));
        game
    }

    /// How the game ended, if it is over.
    pub fn ending(&self) -> Option<Ending> {
        let position = &self.position;
        // Mate comes first: it counts even on the move that would be the hundredth without one.
        if position.count_moves() == 0 {
            return Some(Ending { how: How::NoMoves, outcome: position.without_moves() });
        }
        let by_rule = position.ended().map(|outcome| Ending { how: How::Rule, outcome });
        by_rule.or_else(|| {
            let outcome = position.recurrence(&self.line)?;
            Some(Ending { how: How::Repetition, outcome })
        })
    }

    /// Who has won by the rules.
    pub fn verdict(&self) -> Verdict {
        match self.ending().map(|ending| ending.outcome.winner(self.position.turn())) {
            None => Verdict::Open,
            Some(None) => Verdict::Draw,
            Some(Some(winner)) => Verdict::Won(winner),
        }
    }

    /// The result and its reason as people say it: `White wins: checkmate`.
    pub fn describe_ending(&self) -> Option<String> {
        let Ending { how, outcome } = self.ending()?;
        let result = match (outcome.winner(self.position.turn()), outcome) {
            (None, _) => "draw".to_string(),
            (Some(winner), Outcome::Margin(points)) => {
                format!("{} wins by {}", G::player_name(winner), points.unsigned_abs())
            }
            (Some(winner), _) => format!("{} wins", G::player_name(winner)),
        };
        Some(format!("{result}: {}", self.position.ending_name(how)))
    }
}

#[cfg(all(test, feature = "chess"))]
mod tests {
    use super::*;
    use crate::chess::Chess;
    use secateur_search::Notation;

    fn after(fen: Option<&str>, moves: &str) -> Record<Chess> {
        let position = fen.map_or_else(Chess::start, |fen| Chess::read_position(fen).unwrap());
        let mut record = Record::starting_at(position);
        record.play_all(moves.split_whitespace()).unwrap();
        record
    }

    #[test]
    fn every_way_to_end_has_its_name() {
        let shuffle = "Nf3 Nf6 Ng1 Ng8 ";
        let cases = [
            (None, "f3 e5 g4 Qh4", Some("Black wins: checkmate")),
            (None, &shuffle.repeat(2), Some("draw: threefold repetition")),
            (None, shuffle, None),
            (Some("7k/5Q2/8/8/8/8/8/K7 b - - 0 1"), "", Some("draw: stalemate")),
            (Some("7k/8/8/8/8/8/8/K6N b - - 0 1"), "", Some("draw: insufficient material")),
            (Some("7k/8/8/8/8/8/6q1/K6Q b - - 99 80"), "", None),
            (Some("7k/8/8/8/8/8/8/K5Q1 b - - 100 80"), "", Some("draw: fifty-move rule")),
        ];
        for (fen, moves, ending) in cases {
            assert_eq!(after(fen, moves).describe_ending().as_deref(), ending, "{moves}");
        }
    }

    #[test]
    fn a_game_can_be_taken_back_to_any_ply() {
        let game = after(None, "f3 e5 g4 Qh4");
        assert_eq!((game.moves().len(), game.verdict()), (4, Verdict::Won(Player::Second)));
        let back = game.after_plies(2);
        assert_eq!((back.moves().len(), back.verdict()), (2, Verdict::Open));
        assert_eq!(
            back.position().write_position(),
            after(None, "f3 e5").position().write_position()
        );
        assert_eq!(game.after_plies(9).position().key(), game.position().key());
        assert_eq!(back.start().key(), Chess::start().key());
    }

    #[test]
    fn a_refused_move_is_named_with_its_number_and_the_reason() {
        let mut record = Record::starting_at(Chess::start());
        let refused = record.play_all(["e4", "e5", "e4e5"]).unwrap_err();
        assert_eq!(refused.to_string(), "move 3: 'e4e5' is not legal here");
    }
}
