//! What the solver remembers: bounds on the margin of positions, and their best moves.

use super::super::position::hash;

/// What is known of a position.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    own: u64,
    other: u64,
    /// The margin for the side to move is at least this.
    pub(super) lower: i8,
    /// ... and at most this.
    pub(super) upper: i8,
    /// The square that was best or cut, 64 if none is known.
    pub(super) best: u8,
    empties: u8,
    /// How sure the bounds are: 0 is certain, more is less.
    pub(super) confidence: u8,
    /// The call of the solver that wrote or used it last.
    age: u8,
}

const VACANT: Entry =
    Entry { own: 0, other: 0, lower: -64, upper: 64, best: 64, empties: 0, confidence: 0, age: 0 };

/// Pairs of entries: the first keeps what cost most, the second what came last.
///
/// Boards are kept whole, so an answer is never that of another position, and it stays true for
/// ever: entries of earlier calls answer too, but give way first.
pub(super) struct Table {
    pairs: Vec<[Entry; 2]>,
    age: u8,
}

impl Table {
    /// A table of about this many bytes, at least one pair.
    pub(super) fn new(bytes: usize) -> Table {
        let pairs = (bytes / size_of::<[Entry; 2]>()).max(1);
        // A power of two, so that a mask finds the place.
        let pairs = 1 << pairs.ilog2();
        Table { pairs: vec![[VACANT; 2]; pairs], age: 0 }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.pairs.fill([VACANT; 2]);
        self.age = 0;
    }

    /// A new call: what is there now gives way to what comes.
    pub(super) fn grow_old(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    #[inline(always)]
    fn place(&self, own: u64, other: u64) -> usize {
        hash(own, other) as usize & (self.pairs.len() - 1)
    }

    /// What is known of the position with these discs, the owner of `own` to move.
    #[inline]
    pub(super) fn get(&self, own: u64, other: u64) -> Option<Entry> {
        let pair = &self.pairs[self.place(own, other)];
        pair.iter().find(|entry| entry.own == own && entry.other == other).copied()
    }

    /// Remembers that the margin is between `lower` and `upper`.
    pub(super) fn put(
        &mut self,
        own: u64,
        other: u64,
        bounds: (i32, i32),
        best: u8,
        confidence: u8,
    ) {
        let place = self.place(own, other);
        let pair = &mut self.pairs[place];
        let (lower, upper) = bounds;
        let entry = Entry {
            own,
            other,
            lower: lower.max(-64) as i8,
            upper: upper.min(64) as i8,
            best,
            empties: (!(own | other)).count_ones() as u8,
            confidence,
            age: self.age,
        };
        let same = |old: &Entry| old.own == own && old.other == other;
        let first = &pair[0];
        let slot = if same(first) {
            0
        } else if same(&pair[1]) {
            1
        } else {
            usize::from(first.age == self.age && first.empties > entry.empties)
        };
        pair[slot] = entry;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All in one pair.
    fn one_pair() -> Table {
        Table::new(0)
    }

    /// A position with so many discs, all own.
    fn discs(count: u32) -> u64 {
        u64::MAX >> (64 - count)
    }

    #[test]
    fn what_was_put_is_found_again_and_nothing_else() {
        let mut table = Table::new(1 << 12);
        table.put(discs(50), 0, (-4, 64), 60, 0);
        let entry = table.get(discs(50), 0).unwrap();
        assert_eq!((entry.lower, entry.upper, entry.best), (-4, 64, 60));
        assert!(table.get(0, discs(50)).is_none());
        table.put(discs(50), 0, (2, 2), 61, 0);
        assert_eq!(table.get(discs(50), 0).unwrap().best, 61);
        table.clear();
        assert!(table.get(discs(50), 0).is_none());
    }

    #[test]
    fn the_position_with_more_empty_squares_stays_until_the_next_call() {
        let mut table = one_pair();
        for count in [50, 40, 52, 53] {
            table.put(discs(count), 0, (0, 0), 64, 0);
        }
        let kept = |table: &Table| [40, 50, 52, 53].map(|n| table.get(discs(n), 0).is_some());
        assert_eq!(kept(&table), [true, false, false, true]);
        table.grow_old();
        table.put(discs(52), 0, (0, 0), 64, 0);
        assert_eq!(kept(&table), [false, false, true, true]);
    }
}
