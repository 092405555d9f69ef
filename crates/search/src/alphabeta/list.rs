//! The moves of a node with what they promise, handed out best first.
//!
//! Promise and place stand together in one number, so that finding the best is finding the largest,
//! eight numbers at a time and without a branch: most nodes take few of their moves, and sorting
//! all would be work in vain.

/// Bits for the place of a move: no game here has more moves in a position.
const PLACE_BITS: u32 = 10;
/// The longest list.
pub(super) const LONGEST: usize = 1 << PLACE_BITS;
/// A promise lies within plus and minus this.
const LARGEST: i32 = 1 << (31 - PLACE_BITS);
/// Numbers looked at in one go.
const LANES: usize = 8;
/// In place of a move that has been handed out, or of none.
const GONE: i32 = i32::MIN;

/// Moves with what they promise.
#[derive(Clone, Debug)]
pub struct List<M> {
    moves: Vec<M>,
    /// Of each move, and beyond the last some that are [`GONE`].
    ranks: Vec<i32>,
    /// Moves put aside, in their order.
    aside: Vec<M>,
    /// The ranks of moves that stay while others are dropped.
    kept: Vec<i32>,
}

impl<M: Copy + Eq> List<M> {
    /// An empty list, with room for many moves.
    pub fn new(room: usize) -> List<M> {
        List {
            moves: Vec::with_capacity(room),
            ranks: Vec::with_capacity(room + LANES),
            aside: Vec::with_capacity(room),
            kept: Vec::with_capacity(room),
        }
    }

    /// Forgets all moves, those put aside too.
    #[inline]
    pub fn clear(&mut self) {
        self.aside.clear();
        self.clear_but_aside();
    }

    /// Forgets all moves but those put aside.
    #[inline]
    pub fn clear_but_aside(&mut self) {
        self.moves.clear();
        self.ranks.clear();
    }

    /// Replaces all moves but those put aside by the ones that `make` pushes.
    #[inline]
    pub fn refill(&mut self, make: impl FnOnce(&mut Filling<'_, M>)) {
        self.clear_but_aside();
        make(&mut Filling { list: self });
        assert!(self.moves.len() <= LONGEST, "a position has more moves than a list can hold");
        while !self.ranks.len().is_multiple_of(LANES) {
            self.ranks.push(GONE);
        }
    }

    /// Takes the most promising move, of equals the first, with its promise.
    #[inline]
    pub fn take_best(&mut self) -> Option<(M, i32)> {
        let mut lanes = [GONE; LANES];
        for ranks in self.ranks.chunks_exact(LANES) {
            for (lane, rank) in lanes.iter_mut().zip(ranks) {
                *lane = (*lane).max(*rank);
            }
        }
        let best = lanes.into_iter().fold(GONE, i32::max);
        if best == GONE {
            return None;
        }
        let place = place(best);
        self.ranks[place] = GONE;
        Some((self.moves[place], best >> PLACE_BITS))
    }

    /// Drops all moves that are left but those that `choose` names; what it names and has been
    /// handed out stays gone.
    pub fn keep(&mut self, choose: impl FnOnce(&mut Keeping<'_, M>)) {
        self.kept.clear();
        choose(&mut Keeping { list: self });
        self.ranks.fill(GONE);
        for &rank in &self.kept {
            self.ranks[place(rank)] = rank;
        }
    }

    /// Keeps a move for later.
    #[inline]
    pub fn put_aside(&mut self, m: M) {
        self.aside.push(m);
    }

    /// One of the moves put aside.
    #[inline]
    pub fn aside(&self, number: usize) -> Option<M> {
        self.aside.get(number).copied()
    }
}

/// A list that is being made.
pub struct Filling<'a, M> {
    list: &'a mut List<M>,
}

impl<M> Filling<'_, M> {
    /// One more move.
    #[inline]
    pub fn push(&mut self, m: M, promise: i32) {
        let place = self.list.moves.len();
        debug_assert!(place < LONGEST && promise.abs() < LARGEST);
        self.list.moves.push(m);
        self.list.ranks.push(promise << PLACE_BITS | (!place & (LONGEST - 1)) as i32);
    }
}

/// A list of which moves are being chosen.
pub struct Keeping<'a, M> {
    list: &'a mut List<M>,
}

impl<M: Copy + Eq> Keeping<'_, M> {
    /// This one stays.
    pub fn keep(&mut self, m: M) {
        let List { moves, ranks, kept, .. } = &mut *self.list;
        if let Some(place) = moves.iter().position(|other| *other == m)
            && ranks[place] != GONE
        {
            kept.push(ranks[place]);
        }
    }
}

/// The place that stands in a rank.
#[inline]
fn place(rank: i32) -> usize {
    !rank as usize & (LONGEST - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix;

    #[test]
    fn moves_come_by_promise_and_of_equals_the_first() {
        let mut random = SplitMix::new(5);
        for length in (0..70).chain([200, 593]) {
            let promises: Vec<i32> = (0..length).map(|_| random.below(41) as i32 - 20).collect();
            let mut list = List::new(length);
            list.refill(|list| {
                promises.iter().enumerate().for_each(|(m, promise)| list.push(m, *promise));
            });
            let mut expected: Vec<(usize, i32)> = promises.iter().copied().enumerate().collect();
            expected.sort_by_key(|(_, promise)| -promise);
            let taken: Vec<(usize, i32)> = std::iter::from_fn(|| list.take_best()).collect();
            assert_eq!(taken, expected);
        }
    }

    #[test]
    fn the_largest_promises_are_kept() {
        let mut list = List::new(2);
        let most = LARGEST - 1;
        list.refill(|list| [-most, most].into_iter().for_each(|promise| list.push((), promise)));
        assert_eq!([list.take_best(), list.take_best()], [Some(((), most)), Some(((), -most))]);
        assert_eq!(list.take_best(), None);
    }

    #[test]
    fn what_is_kept_stays_in_its_order_and_what_was_taken_stays_gone() {
        let mut list = List::new(12);
        list.refill(|list| (0..12).for_each(|m| list.push(m, m % 5)));
        assert_eq!(list.take_best(), Some((4, 4)));
        list.keep(|keep| [1, 4, 9, 7, 30].into_iter().for_each(|m| keep.keep(m)));
        let left: Vec<_> = std::iter::from_fn(|| list.take_best()).collect();
        assert_eq!(left, [(9, 4), (7, 2), (1, 1)]);
    }

    #[test]
    fn what_is_put_aside_outlives_a_refill() {
        let mut list = List::new(4);
        list.refill(|list| list.push(1, 7));
        list.put_aside(1);
        list.refill(|list| list.push(2, 0));
        assert_eq!((list.aside(0), list.aside(1), list.take_best()), (Some(1), None, Some((2, 0))));
        list.clear();
        assert_eq!((list.aside(0), list.take_best()), (None, None));
    }
}
