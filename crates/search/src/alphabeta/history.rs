//! What moves have done elsewhere in the tree: the memory that orders them here.
//!
//! Every counter is pulled back towards zero in proportion to its size when it is updated
//! ("gravity"), so it never leaves its range and forgets at a steady pace.

use crate::{Player, Tactics};

/// The counters stay within plus and minus this.
pub const LARGEST: i32 = 16_384;

/// A counter from minus [`LARGEST`] to [`LARGEST`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counter(i16);

impl Counter {
    /// Its value.
    #[inline]
    pub fn get(self) -> i32 {
        self.0.into()
    }

    /// Adds a bonus, or a malus if negative.
    #[inline]
    pub fn add(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-LARGEST, LARGEST);
        let now = i32::from(self.0);
        self.0 = (now + bonus - now * bonus.abs() / LARGEST) as i16;
    }
}

/// A move of the line, as later moves refer back to it: its place, or nothing for a pass.
pub type Back = Option<usize>;

/// How many moves back continuation history looks: our opponent's last, our last, our last but
/// one.
pub const CONTINUATIONS: [usize; 3] = [1, 2, 4];

/// The memory of one thread.
#[derive(Clone, Debug)]
pub struct History {
    places: usize,
    victims: usize,
    /// By side and place.
    butterfly: Box<[Counter]>,
    /// By place of an earlier move and place.
    continuation: Box<[Counter]>,
    /// A row of zeros, for a move before that was a pass.
    nothing: Box<[Counter]>,
    /// By place and victim.
    capture: Box<[Counter]>,
    /// The quiet move that refuted a move, by the place of that move; packed.
    counter_moves: Box<[u16]>,
}

/// What is known of quiet moves at one node, by place.
#[derive(Clone, Copy, Debug)]
pub struct Quiets<'a> {
    butterfly: &'a [Counter],
    continuations: [&'a [Counter]; 3],
}

impl Quiets<'_> {
    /// How good the move of this place has been.
    #[inline]
    pub fn get(&self, place: usize) -> i32 {
        let [first, second, third] = self.continuations.map(|row| row[place].get());
        self.butterfly[place].get() + first + second + third
    }
}

impl History {
    /// An empty memory for a game.
    pub fn new<G: Tactics>() -> History {
        let counters = |count: usize| vec![Counter::default(); count].into_boxed_slice();
        History {
            places: G::PLACES,
            victims: G::VICTIMS,
            butterfly: counters(2 * G::PLACES),
            continuation: counters(G::PLACES * G::PLACES),
            nothing: counters(G::PLACES),
            capture: counters(G::PLACES * G::VICTIMS),
            counter_moves: vec![0; G::PLACES].into_boxed_slice(),
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.butterfly.fill(Counter::default());
        self.continuation.fill(Counter::default());
        self.capture.fill(Counter::default());
        self.counter_moves.fill(0);
    }

    /// What is known of the quiet moves of a side after the moves before, to ask for many.
    #[inline]
    pub fn quiets(&self, side: Player, back: &[Back; 3]) -> Quiets<'_> {
        Quiets {
            butterfly: self.row(&self.butterfly, side as usize),
            continuations: back.map(|earlier| match earlier {
                Some(place) => self.row(&self.continuation, place),
                // Nothing is known after a pass.
                None => &self.nothing,
            }),
        }
    }

    /// How good a quiet move has been, here and after the moves before it.
    #[inline]
    pub fn quiet(&self, side: Player, place: usize, back: &[Back; 3]) -> i32 {
        self.quiets(side, back).get(place)
    }

    #[inline]
    fn row<'a>(&self, table: &'a [Counter], number: usize) -> &'a [Counter] {
        &table[number * self.places..][..self.places]
    }

    /// Rewards or punishes a quiet move.
    #[inline]
    pub fn add_quiet(&mut self, side: Player, place: usize, back: &[Back; 3], bonus: i32) {
        self.butterfly[side as usize * self.places + place].add(bonus);
        for earlier in back.iter().flatten() {
            self.continuation[earlier * self.places + place].add(bonus);
        }
    }

    /// How good a noisy move has been.
    #[inline]
    pub fn noisy(&self, place: usize, victim: usize) -> i32 {
        self.capture[place * self.victims + victim].get()
    }

    /// Rewards or punishes a noisy move.
    #[inline]
    pub fn add_noisy(&mut self, place: usize, victim: usize, bonus: i32) {
        self.capture[place * self.victims + victim].add(bonus);
    }

    /// The quiet move that last refuted the move before this one, packed; 0 if none has.
    #[inline]
    pub fn counter_move(&self, last: Back) -> u16 {
        last.map_or(0, |place| self.counter_moves[place])
    }

    /// Remembers what refuted the move before this one.
    #[inline]
    pub fn set_counter_move(&mut self, last: Back, packed: u16) {
        if let Some(place) = last {
            self.counter_moves[place] = packed;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_never_leaves_its_range_and_forgets() {
        let mut counter = Counter::default();
        for _ in 0..1_000 {
            counter.add(5_000);
        }
        assert!(counter.get() <= LARGEST && counter.get() > LARGEST - 100, "{counter:?}");
        counter.add(-5_000);
        assert!(counter.get() < LARGEST - 5_000, "a large counter falls faster than it rose");
        for _ in 0..1_000 {
            counter.add(i32::MIN);
        }
        assert_eq!(counter.get(), -LARGEST);
    }
}
