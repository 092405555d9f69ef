//! What is known of a position, and how it is backed up.
//!
//! Values are for the side that began the game, whoever moves, so that a kept tree needs no change
//! when the other side is to think. Distances to a mate count from the node and grow by a ply on
//! the way up.

use std::sync::Arc;

use super::aim::Aim;
use super::curve::Curve;
use crate::{Player, Score};

/// What is known of a position: the whole set that a condition may change.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    /// The best estimate.
    pub real: Score,
    /// What each side can hope for, where somebody asked: the first side's is the greatest value,
    /// the second's the least.
    pub hopes: [Option<Score>; 2],
    /// The probability that the forcer reaches the target here.
    pub odds: f64,
    /// The same for every value, where whole distributions are kept.
    pub curve: Option<Arc<Curve>>,
    /// Whether something below can still be expanded.
    pub open: bool,
}

/// The value `score` for `side`, as the graph keeps it; and back.
#[inline]
pub fn absolute(side: Player, score: Score) -> Score {
    match side {
        Player::First => score,
        Player::Second => -score,
    }
}

/// The better of two values for `side`.
#[inline]
pub fn better(side: Player, a: Score, b: Score) -> Score {
    match side {
        Player::First => a.max(b),
        Player::Second => a.min(b),
    }
}

/// How much better `a` is than `b` for `side`.
#[inline]
pub fn gain(side: Player, a: Score, b: Score) -> i32 {
    match side {
        Player::First => a - b,
        Player::Second => b - a,
    }
}

impl Values {
    /// What a side can hope for; what is real if nobody asked.
    pub fn hope(&self, side: Player) -> Score {
        self.hopes[side as usize].unwrap_or(self.real)
    }

    /// A position whose value is settled.
    pub fn settled(score: Score, aim: &Aim) -> Values {
        let reached = aim.reached(score);
        Values {
            real: score,
            hopes: [Some(score), Some(score)],
            odds: if reached { 1.0 } else { 0.0 },
            curve: aim.keeps_curves().then(|| Arc::new(Curve::step(aim.forcer, score))),
            open: false,
        }
    }

    /// The same seen one ply further up.
    fn raised(&self) -> Values {
        let raise = |score: Score| score.relative_to_root(1);
        Values {
            real: raise(self.real),
            hopes: self.hopes.map(|hope| hope.map(raise)),
            ..self.clone()
        }
    }
}

/// What the children of a node make of it. `reply` is the best answer to the move into each child;
/// 0 if unknown.
pub struct Combined<'a> {
    aim: &'a Aim,
    turn: Player,
    so_far: Option<Values>,
    groups: Vec<(u16, f64)>,
}

impl<'a> Combined<'a> {
    /// Nothing yet, with `turn` to move.
    pub fn new(aim: &'a Aim, turn: Player) -> Combined<'a> {
        Combined { aim, turn, so_far: None, groups: Vec::new() }
    }

    /// One child more.
    pub fn add(&mut self, child: &Values, reply: u16) {
        let child = child.raised();
        let forces = self.turn == self.aim.forcer;
        if !forces {
            self.aim.count_reply(&mut self.groups, reply, child.odds);
        }
        self.so_far = Some(match self.so_far.take() {
            None => child,
            Some(so_far) => {
                let turn = self.turn;
                let hope = |side: usize| match (so_far.hopes[side], child.hopes[side]) {
                    (Some(a), Some(b)) => Some(better(turn, a, b)),
                    (a, b) => a.or(b),
                };
                let curve = match (&so_far.curve, &child.curve) {
                    (Some(a), Some(b)) if forces => Some(Curve::best(a, b)),
                    (Some(a), Some(b)) => Some(Arc::new(a.times(b))),
                    (a, b) => a.clone().or_else(|| b.clone()),
                };
                Values {
                    real: better(turn, so_far.real, child.real),
                    hopes: [hope(0), hope(1)],
                    odds: so_far.odds.max(child.odds),
                    curve,
                    open: so_far.open || child.open,
                }
            }
        });
    }

    /// What came out; `None` without children.
    pub fn done(self) -> Option<Values> {
        let mut values = self.so_far?;
        if self.turn != self.aim.forcer {
            values.odds = self.groups.iter().map(|(_, odds)| odds).product();
        }
        if let Some(curve) = &values.curve {
            values.odds = curve.at(self.aim.forcer, self.aim.target);
        }
        Some(values)
    }
}
