//! Games that are ended before their end, because both engines say the same of it for long, or
//! because it is long.

use secateur_games::record::Verdict;
use secateur_search::Player;
use serde::{Deserialize, Serialize};

use crate::engine::ScoreValue;

/// When a game is ended early. A move is one of each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rules {
    /// A draw, if both engines say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// A win, if both engines say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// A draw after so many moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_moves: Option<u32>,
}

/// When a game counts as drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// Not before so many moves have been made.
    pub after: u32,
    /// Every score is at most so many hundredths away from zero,
    pub score: i32,
    /// for so many moves of both sides in a row.
    pub moves: u32,
}

/// When a game counts as won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    /// Both engines see the same side ahead by so many hundredths or more,
    pub score: i32,
    /// for so many moves in a row.
    pub moves: u32,
}

/// Counts what the engines of one game say.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: Rules,
    /// Plies in a row that look drawn.
    level: u32,
    /// Plies in a row in which this side looked lost.
    lost: (Option<Player>, u32),
}

impl Adjudicator {
    /// Before the first move.
    pub fn new(rules: Rules) -> Adjudicator {
        Adjudicator { rules, level: 0, lost: (None, 0) }
    }

    /// The verdict and its reason, if the game is to end after this move. `plies` have been played
    /// in all, and `mover`, who made the last, says that it is worth `score` to him.
    pub fn after_move(
        &mut self,
        mover: Player,
        score: Option<ScoreValue>,
        plies: usize,
    ) -> Option<(Verdict, &'static str)> {
        let value = score.map(|score| match score {
            ScoreValue::Centipawns(value) => value,
            // Zero is a mate that has happened to who is to move.
            ScoreValue::Mate(1..) => i32::MAX,
            ScoreValue::Mate(_) => -i32::MAX,
        });
        if let Some(rule) = self.rules.resign {
            let loser = value.filter(|value| value.saturating_abs() >= rule.score);
            let loser = loser.map(|value| if value < 0 { mover } else { mover.other() });
            self.lost = match loser {
                None => (None, 0),
                Some(_) if self.lost.0 == loser => (loser, self.lost.1 + 1),
                Some(_) => (loser, 1),
            };
            if let (Some(loser), count) = self.lost
                && count >= rule.moves.saturating_mul(2)
            {
                return Some((Verdict::Won(loser.other()), "both engines see it decided"));
            }
        }
        if let Some(rule) = self.rules.draw {
            let level = value.is_some_and(|value| value.saturating_abs() <= rule.score);
            self.level = if level { self.level + 1 } else { 0 };
            let late = plies as u64 >= 2 * u64::from(rule.after);
            if late && self.level >= rule.moves.saturating_mul(2) {
                return Some((Verdict::Draw, "both engines see it level"));
            }
        }
        let long = self.rules.max_moves.is_some_and(|most| plies as u64 >= 2 * u64::from(most));
        long.then_some((Verdict::Draw, "the most moves allowed"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ScoreValue::{Centipawns, Mate};

    /// After which ply the game ends, if the sides in turn say these scores.
    fn ends(rules: Rules, scores: &[Option<ScoreValue>]) -> Option<(usize, Verdict)> {
        let mut adjudicator = Adjudicator::new(rules);
        let mut mover = Player::First;
        for (index, score) in scores.iter().enumerate() {
            if let Some((verdict, _)) = adjudicator.after_move(mover, *score, index + 1) {
                return Some((index + 1, verdict));
            }
            mover = mover.other();
        }
        None
    }

    fn cp(values: &[i32]) -> Vec<Option<ScoreValue>> {
        values.iter().map(|value| Some(Centipawns(*value))).collect()
    }

    #[test]
    fn a_draw_needs_both_sides_in_a_row_and_late_enough() {
        let draw = DrawRule { after: 3, score: 10, moves: 2 };
        let rules = Rules { draw: Some(draw), ..Rules::default() };
        assert_eq!(ends(rules, &cp(&[10; 5])), None);
        assert_eq!(ends(rules, &cp(&[-10; 6])), Some((6, Verdict::Draw)));
        assert_eq!(ends(rules, &cp(&[0, 0, 0, 11, 0, 0, 0])), None);
        assert_eq!(ends(rules, &cp(&[0, 0, 0, 11, 0, 0, 0, 0])), Some((8, Verdict::Draw)));
        let mut silent = cp(&[0; 7]);
        silent[4] = None;
        assert_eq!(ends(rules, &silent), None, "who says nothing agrees to nothing");
        let mut mate = cp(&[0; 8]);
        mate[7] = Some(Mate(3));
        assert_eq!(ends(Rules { draw: Some(DrawRule { after: 4, ..draw }), ..rules }, &mate), None);
    }

    #[test]
    fn resigning_needs_both_sides_to_agree_who_is_lost() {
        let rules = Rules { resign: Some(ResignRule { score: 400, moves: 2 }), ..Rules::default() };
        let won = |player| Some((4, Verdict::Won(player)));
        assert_eq!(ends(rules, &cp(&[400, -400, 400, -900])), won(Player::First));
        assert_eq!(ends(rules, &cp(&[-400, 400, -400, 900])), won(Player::Second));
        assert_eq!(ends(rules, &cp(&[400, -399, 400, -900])), None);
        assert_eq!(ends(rules, &cp(&[400, 400, 400, 400])), None, "both see themselves ahead");
        let mates = [Some(Mate(5)), Some(Mate(-4)), Some(Mate(4)), Some(Mate(0))];
        assert_eq!(ends(rules, &mates), won(Player::First));
    }

    #[test]
    fn a_game_without_rules_is_never_ended_and_a_long_one_at_its_limit() {
        assert_eq!(ends(Rules::default(), &cp(&[0; 900])), None);
        let rules = Rules { max_moves: Some(3), ..Rules::default() };
        assert_eq!(ends(rules, &[None; 9]), Some((6, Verdict::Draw)));
    }
}
