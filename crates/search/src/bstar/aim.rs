//! What is being tried: who forces, which value, and how likely a leaf reaches it.

use std::sync::Arc;

use super::curve::{Curve, linear};
use super::how::{BstarGroupsForm, BstarModel, How};
use super::odds_table::OddsTable;
use super::values::{Values, better};
use crate::{Player, Score};

/// What is being tried.
#[derive(Clone, Debug)]
pub struct Aim {
    /// The side that tries to reach the target. The other obstructs.
    pub forcer: Player,
    /// The value to reach, for the first side: at least for one forcer, at most for the other.
    pub target: f64,
    /// The model.
    pub model: BstarModel,
    /// Replies with the same answer.
    pub groups: BstarGroupsForm,
    /// Fitted probabilities, if those are in force.
    pub table: Option<Arc<OddsTable>>,
}

/// A leaf as its probability sees it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Leaf {
    /// What is real.
    pub real: Score,
    /// What each side can hope for, where somebody asked.
    pub hopes: [Option<Score>; 2],
    /// Plies of the probe behind it.
    pub depth: i32,
    /// What kind of position and move it is.
    pub kind: u8,
}

impl Leaf {
    /// A deeper probe has found another value. No side can hope for less than it has.
    pub fn deepened(&mut self, real: Score, depth: i32) {
        (self.real, self.depth) = (real, depth);
        for side in [Player::First, Player::Second] {
            let hope = &mut self.hopes[side as usize];
            *hope = hope.map(|hope| better(side, hope, real));
        }
    }
}

impl Aim {
    /// Nothing aimed at yet.
    pub fn new(how: &How, table: Option<Arc<OddsTable>>) -> Aim {
        let (model, groups) = (how.main.form, how.groups.form);
        Aim { forcer: Player::First, target: 0.0, model, groups, table }
    }

    /// Whether whole distributions are backed up.
    pub fn keeps_curves(&self) -> bool {
        self.model == BstarModel::Palay
    }

    /// Whether a settled value reaches the target.
    pub fn reached(&self, score: Score) -> bool {
        let value = f64::from(score.value());
        match self.forcer {
            Player::First => value >= self.target,
            Player::Second => value <= self.target,
        }
    }

    /// How far the target lies beyond a value, for the forcer.
    pub fn beyond(&self, score: Score) -> f64 {
        let distance = self.target - f64::from(score.value());
        if self.forcer == Player::First { distance } else { -distance }
    }

    /// What the forcer can hope for at a leaf.
    fn hope(&self, leaf: &Leaf) -> Score {
        leaf.hopes[self.forcer as usize].unwrap_or(leaf.real)
    }

    /// How far the target and the hope lie above what is real at a leaf.
    fn distances(&self, leaf: &Leaf) -> (f64, f64) {
        let short = self.beyond(leaf.real);
        (short, short - self.beyond(self.hope(leaf)))
    }

    /// The same if it is a question whether the target is reached there: it is not yet, and there is hope.
    pub fn question(&self, leaf: &Leaf) -> Option<(f64, f64)> {
        Some(self.distances(leaf)).filter(|(short, reach)| *short > 0.0 && reach > short)
    }

    /// What an unexpanded position is worth.
    pub fn leaf(&self, leaf: &Leaf) -> Values {
        let hope = self.hope(leaf);
        let odds = match (&self.table, self.model, self.question(leaf)) {
            (Some(table), BstarModel::Target, Some((short, reach))) => {
                table.odds(short, reach, leaf.depth, leaf.kind)
            }
            _ => {
                let (short, reach) = self.distances(leaf);
                linear(short, 0.0, reach)
            }
        };
        let curve = self.keeps_curves().then(|| Curve::between(self.forcer, leaf.real, hope));
        Values {
            real: leaf.real,
            hopes: leaf.hopes,
            odds: curve.as_ref().map_or(odds, |curve| curve.at(self.forcer, self.target)),
            curve: curve.map(Arc::new),
            open: true,
        }
    }

    /// A reply of the obstructor: all must fail for the target to be reached, but those answered by
    /// the same move stand and fall together.
    pub fn count_reply(&self, groups: &mut Vec<(u16, f64)>, reply: u16, odds: f64) {
        let grouped = reply != 0 && self.groups != BstarGroupsForm::Off;
        match groups.iter_mut().find(|(of, _)| grouped && *of == reply) {
            Some((_, so_far)) if self.groups == BstarGroupsForm::Most => {
                *so_far = so_far.max(odds);
            }
            Some((_, so_far)) => *so_far = so_far.min(odds),
            None => groups.push((if grouped { reply } else { 0 }, odds)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fitted_table_answers_open_questions_of_the_model_with_a_target_only() {
        let table = Some(Arc::new(super::super::odds_table::tests::table()));
        let score = Score::heuristic;
        let leaf = |hope: i32| {
            let hopes = [Some(score(hope)), Some(score(20 - (hope - 20)))];
            Leaf { real: score(20), hopes, depth: 3, kind: 0 }
        };
        let mut how = How::default();
        let mut aim = Aim::new(&how, table.clone());
        aim.target = 30.0;
        assert_eq!(aim.question(&leaf(60)), Some((10.0, 40.0)));
        assert_eq!(aim.leaf(&leaf(60)).odds, 0.9, "the line says 0.75");
        // The other side forces in the other direction.
        (aim.forcer, aim.target) = (Player::Second, 10.0);
        assert_eq!((aim.question(&leaf(60)), aim.leaf(&leaf(60)).odds), (Some((10.0, 40.0)), 0.9));
        // Reached already, or out of reach.
        aim.forcer = Player::First;
        assert_eq!((aim.question(&leaf(60)), aim.leaf(&leaf(60)).odds), (None, 1.0));
        aim.target = 60.0;
        assert_eq!((aim.question(&leaf(60)), aim.leaf(&leaf(60)).odds), (None, 0.0));
        how.main.form = BstarModel::Bounds;
        let other = Aim { target: 30.0, ..Aim::new(&how, table) };
        assert_eq!(other.leaf(&leaf(60)).odds, 0.75);
    }

    #[test]
    fn a_deeper_value_raises_the_hopes_that_it_has_passed() {
        let hopes = [Some(Score::heuristic(40)), Some(Score::heuristic(-10))];
        let mut leaf = Leaf { real: Score::heuristic(20), hopes, depth: 3, kind: 0 };
        leaf.deepened(Score::heuristic(70), 4);
        assert_eq!(leaf.hopes, [Some(Score::heuristic(70)), Some(Score::heuristic(-10))]);
        leaf.deepened(Score::heuristic(-30), 5);
        assert_eq!(leaf.hopes, [Some(Score::heuristic(70)), Some(Score::heuristic(-30))]);
        assert_eq!((leaf.real, leaf.depth), (Score::heuristic(-30), 5));
    }
}
