//! Correction history (Caissa, 2023): the guess is moved by what searches have lately made of
//! guesses in positions that share a facet with this one: its pawns, the pieces of a side,
//! the last moves.
//!
//! Claims that an evaluation errs alike in positions that are alike.

use crate::alphabeta::history::Back;
use crate::{Player, Tactics};

crate::params! {
    /// Corrects guesses by what searches have made of like ones.
    pub struct CorrectionUse in "correction" {
        switch CorrectionForm = On {
            /// Never.
            Off = "off",
            /// By every facet that the game has.
            On = "on",
        }
        /// How much of what was learned is believed, in percent of the sum of all facets.
        weight = 31, in 5..=100, step 5;
        /// How fast it is learned: the share for each ply of depth, in 256ths.
        rate = 12, in 2..=64, step 2;
    }
}

/// Entries for each facet and side: a power of two.
const ENTRIES: usize = 1 << 14;

/// What is learned is kept in 256ths and never beyond so many hundredths.
const SCALE: i32 = 256;
const MOST: i32 = 100;

/// The memory of one thread.
#[derive(Clone, Debug)]
pub struct Correction {
    /// By facet, side and key.
    facets: Box<[i16]>,
    /// By side and the place of the last move but one.
    moves: Box<[i16]>,
    places: usize,
}

impl Correction {
    /// An empty memory for a game.
    pub fn new<G: Tactics>() -> Correction {
        Correction {
            facets: vec![0; G::FACETS * 2 * ENTRIES].into_boxed_slice(),
            moves: vec![0; 2 * G::PLACES].into_boxed_slice(),
            places: G::PLACES,
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.facets.fill(0);
        self.moves.fill(0);
    }

    #[inline]
    fn slot<G: Tactics>(position: &G, facet: usize) -> usize {
        let key = position.facet_key(facet).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let side = position.turn() == Player::Second;
        (2 * facet + usize::from(side)) * ENTRIES + key as usize % ENTRIES
    }

    #[inline]
    fn move_slot(&self, side: Player, back: Back) -> Option<usize> {
        back.map(|place| side as usize * self.places + place)
    }

    /// What to add to a guess, in hundredths.
    #[inline]
    pub fn get<G: Tactics>(&self, how: &CorrectionUse, position: &G, back: Back) -> i32 {
        if how.form == CorrectionForm::Off {
            return 0;
        }
        let mut sum = 0;
        for facet in 0..G::FACETS {
            sum += i32::from(self.facets[Correction::slot(position, facet)]);
        }
        if let Some(slot) = self.move_slot(position.turn(), back) {
            sum += i32::from(self.moves[slot]);
        }
        sum * how.weight / (100 * SCALE)
    }

    /// A search `depth` plies deep has found `error` hundredths more than the guess.
    pub fn learn<G: Tactics>(
        &mut self,
        how: &CorrectionUse,
        position: &G,
        back: Back,
        depth: i32,
        error: i32,
    ) {
        if how.form == CorrectionForm::Off {
            return;
        }
        let share = (how.rate * depth).min(128);
        let target = error.clamp(-MOST, MOST) * SCALE;
        let pull = |entry: &mut i16| {
            let now = i32::from(*entry);
            // Within plus and minus MOST * SCALE, which fits.
            *entry = (now + (target - now) * share / 256) as i16;
        };
        for facet in 0..G::FACETS {
            pull(&mut self.facets[Correction::slot(position, facet)]);
        }
        if let Some(slot) = self.move_slot(position.turn(), back) {
            pull(&mut self.moves[slot]);
        }
    }
}

const _: () = assert!(MOST * SCALE <= i16::MAX as i32);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tactics;
    use crate::plain::Plain;
    use crate::testkit::tree::Tree;

    #[test]
    fn what_is_learned_is_believed_in_part_and_forgotten_on_demand() {
        let how = CorrectionUse { weight: 100, rate: 64, ..CorrectionUse::default() };
        let position = Plain(Tree::parse("L").unwrap());
        let mut correction = Correction::new::<Plain<Tree>>();
        let empty = correction.get(&how, &position, Some(0));
        for _ in 0..50 {
            correction.learn(&how, &position, Some(0), 4, 500);
        }
        let learned = correction.get(&how, &position, Some(0));
        assert_eq!(empty, 0);
        assert!(learned > 90 && learned <= MOST * (Plain::<Tree>::FACETS as i32 + 1), "{learned}");
        let off = CorrectionUse { form: CorrectionForm::Off, ..how };
        assert_eq!(correction.get(&off, &position, Some(0)), 0);
        correction.clear();
        assert_eq!(correction.get(&how, &position, Some(0)), 0);
    }
}
