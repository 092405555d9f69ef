//! The terms of one position by name, for people to read.

use std::fmt;

use cozy_chess::Color;
use secateur_search::Score;
use secateur_search::features::group_of;

use super::features::{self, GROUPS};
use super::{Classical, FULL_PHASE, Tapered, blend};
use crate::chess::Chess;
use crate::terms::TermTable;

/// One term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// What it is called.
    pub name: &'static str,
    /// What it is worth to White.
    pub white: Tapered,
    /// What it is worth to Black.
    pub black: Tapered,
}

/// Why a position has its value.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// All terms. White's less Black's, summed and blended, make the value.
    pub terms: Vec<Term>,
    /// How much of the middle game is left, from 0 to 24.
    pub phase: i32,
    /// White's less Black's, summed.
    pub total: Tapered,
    /// The total between middle game and endgame, for White: less than it looks if the ending
    /// cannot be won.
    pub blended: i32,
    /// The value for the side to move.
    pub value: Score,
}

impl Classical {
    /// The terms of a position. Nothing that was kept or cached is used.
    pub fn explain(&self, position: &Chess) -> Explanation {
        let mut terms: Vec<Term> = Vec::new();
        for name in GROUPS.iter().map(|group| group.term()) {
            if terms.iter().all(|term| term.name != name) {
                terms.push(Term { name, white: Tapered::ZERO, black: Tapered::ZERO });
            }
        }
        features::each(position, |color, feature, count| {
            let name = group_of(GROUPS, feature).map(|(group, _)| group.term());
            if let Some(term) = terms.iter_mut().find(|term| Some(term.name) == name) {
                let value = self.table[feature] * count;
                match color {
                    Color::White => term.white += value,
                    Color::Black => term.black += value,
                }
            }
        });
        let total = terms.iter().map(|term| term.white - term.black).sum();
        let phase = features::phase(position);
        let blended = blend(position, total, phase);
        let sign = if position.color() == Color::White { 1 } else { -1 };
        Explanation { terms, phase, total, blended, value: Score::heuristic(sign * blended) }
    }
}

impl Explanation {
    /// Middle game and endgame, for White, for Black and together.
    pub fn table(&self) -> TermTable {
        let row = |term: &Term| {
            let values = [term.white, term.black, term.white - term.black];
            (term.name, values.iter().flat_map(|value| [value.middle(), value.end()]).collect())
        };
        TermTable {
            columns: &["White", "Black", "together"],
            parts: &["middle", "end"],
            rows: self.terms.iter().map(row).collect(),
            remark: format!("phase {} of {FULL_PHASE}: {:+} for White", self.phase, self.blended),
            value: self.value,
        }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.table().fmt(f)
    }
}
