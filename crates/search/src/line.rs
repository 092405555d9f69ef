//! The line of positions that led here: the game so far and the path of the search.
//!
//! Repetition rules look back along it. It holds keys and marks beside the positions, not inside
//! them, so that a position stays small. The path is indexed by ply: entering a ply forgets
//! whatever a stopped search left below it, so nothing ever has to be popped.

use crate::Game;

/// One position of a [`Line`].
#[derive(Clone, Copy, Debug)]
pub struct Link<M> {
    /// [`Game::key`] of the position.
    pub key: u64,
    /// [`Game::mark`] of the move that led to it.
    pub mark: M,
    /// How many moves before it were reversible, one after the other: no position further back
    /// can be the same.
    pub reversible: u32,
}

/// Keys and marks of type `M` ([`Game::Mark`]) from the first position of the game to the current
/// one.
#[derive(Clone, Debug)]
pub struct Line<M> {
    links: Vec<Link<M>>,
    root: usize,
}

/// How often the current position stood on the line before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Occurrences {
    /// Times in the game, up to and including the root of the search.
    pub in_game: usize,
    /// Times strictly below the root.
    pub in_search: usize,
}

impl<M: Copy + Default> Line<M> {
    /// A line that begins, and for now ends, at `position`, which is also the root.
    pub fn starting_at<G: Game<Mark = M>>(position: &G) -> Line<M> {
        let mut links = Vec::with_capacity(crate::score::MAX_PLY + 64);
        links.push(Link { key: position.key(), mark: M::default(), reversible: 0 });
        Line { links, root: 0 }
    }

    /// Forgets everything: the line begins at `position`.
    pub fn restart_at<G: Game<Mark = M>>(&mut self, position: &G) {
        self.links.clear();
        self.links.push(Link { key: position.key(), mark: M::default(), reversible: 0 });
        self.root = 0;
    }

    /// A move of the game itself: `m` led from `before` to `after`, which becomes the root.
    pub fn play<G: Game<Mark = M>>(&mut self, before: &G, m: G::Move, after: &G) {
        self.links.truncate(self.root + 1);
        self.append(before, m, after);
        self.root += 1;
        // Keep room for a whole search below the root, so that it never allocates.
        self.links.reserve(crate::score::MAX_PLY + 1);
    }

    /// A move of the search: `m` led from `before` at `ply` to `after` at `ply + 1`. Everything
    /// deeper is forgotten.
    #[inline]
    pub fn enter<G>(&mut self, ply: usize, before: &G, m: G::Move, after: &G)
    where
        G: Game<Mark = M>,
    {
        debug_assert!(self.root + ply < self.links.len(), "entered ply {ply} without its parents");
        self.links.truncate(self.root + ply + 1);
        self.append(before, m, after);
    }

    /// A pass of the search at `ply`. No position before it counts as the same as one after it.
    #[inline]
    pub fn enter_pass<G: Game<Mark = M>>(&mut self, ply: usize, after: &G) {
        self.links.truncate(self.root + ply + 1);
        self.links.push(Link { key: after.key(), mark: M::default(), reversible: 0 });
    }

    /// Forgets what lies below `ply`: the position there is searched once more.
    #[inline]
    pub fn back_to(&mut self, ply: usize) {
        self.links.truncate(self.root + ply + 1);
    }

    fn append<G: Game<Mark = M>>(&mut self, before: &G, m: G::Move, after: &G) {
        let reversible = if before.irreversible(m) { 0 } else { self.current().reversible + 1 };
        self.links.push(Link { key: after.key(), mark: after.mark(before, m), reversible });
    }

    /// The last position.
    #[inline]
    pub fn current(&self) -> &Link<M> {
        self.links.last().expect("a line is never empty")
    }

    /// Plies from the root to the last position.
    #[inline]
    pub fn ply(&self) -> usize {
        self.links.len() - 1 - self.root
    }

    /// Moves of the game up to the root.
    #[inline]
    pub fn played(&self) -> usize {
        self.root
    }

    /// The line before the last move of the game; `None` if there was none.
    pub fn before(&self) -> Option<Line<M>> {
        let root = self.root.checked_sub(1)?;
        Some(Line { links: self.links[..=root].to_vec(), root })
    }

    /// The earlier positions that could be the same as the last one, nearest first, each with its
    /// distance in plies.
    #[inline]
    pub fn back(&self) -> impl Iterator<Item = (usize, &Link<M>)> {
        let last = self.links.len() - 1;
        let reach = self.current().reversible as usize;
        (1..=reach.min(last)).map(move |distance| (distance, &self.links[last - distance]))
    }

    /// Whether some position that can still come again, the last one among them, has stood twice: once
    /// more may end the game.
    pub fn has_repeated(&self) -> bool {
        let keys: Vec<u64> = std::iter::once(self.current().key)
            .chain(self.back().map(|(_, link)| link.key))
            .collect();
        (0..keys.len()).any(|at| keys[..at].contains(&keys[at]))
    }

    /// How often the last position occurred before. Sides take turns, so only every other position
    /// can be the same.
    #[inline]
    pub fn occurrences(&self) -> Occurrences {
        self.count(self.current().key, 2)
    }

    /// How often the position `distance` plies back, an odd number, will have occurred before if
    /// the next move brings it back.
    #[inline]
    pub fn occurrences_on_return(&self, distance: usize) -> Occurrences {
        let Some(index) = (self.links.len() - 1).checked_sub(distance) else {
            return Occurrences::default();
        };
        self.count(self.links[index].key, 1)
    }

    /// Counts a key `nearest` plies back and every two plies before that.
    #[inline]
    fn count(&self, key: u64, nearest: usize) -> Occurrences {
        let ply = self.ply();
        let mut found = Occurrences::default();
        for (distance, link) in self.back().skip(nearest - 1).step_by(2) {
            if link.key == key {
                if distance < ply {
                    found.in_search += 1;
                } else {
                    found.in_game += 1;
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Outcome, Player};

    /// A walk round a ring of `size` places; stepping onto place 0 is irreversible.
    #[derive(Clone)]
    struct Ring {
        size: u64,
        place: u64,
    }

    impl Game for Ring {
        type Move = i8;
        type Mark = ();
        fn turn(&self) -> Player {
            Player::First
        }
        fn play(&mut self, step: i8) {
            self.place = (self.place + self.size).wrapping_add_signed(step.into()) % self.size;
        }
        fn each_move(&self, mut sink: impl FnMut(i8)) {
            sink(1);
            sink(-1);
        }
        fn count_moves(&self) -> usize {
            2
        }
        fn pack(step: i8) -> u16 {
            (step + 2) as u16
        }
        fn unpack(&self, bits: u16) -> Option<i8> {
            matches!(bits, 1 | 3).then(|| bits as i8 - 2)
        }
        fn key(&self) -> u64 {
            self.place
        }
        fn mark(&self, _: &Ring, _: i8) {}
        fn irreversible(&self, step: i8) -> bool {
            self.after(step).place == 0
        }
        fn ended(&self) -> Option<Outcome> {
            None
        }
        fn without_moves(&self) -> Outcome {
            Outcome::Draw
        }
        fn recurrence(&self, line: &Line<()>) -> Option<Outcome> {
            (line.occurrences().in_search > 0).then_some(Outcome::Draw)
        }
    }

    #[test]
    fn the_line_before_is_that_without_the_last_move() {
        let start = Ring { size: 7, place: 3 };
        let mut line = Line::starting_at(&start);
        assert!(line.before().is_none());
        let next = start.after(1);
        line.play(&start, 1, &next);
        let before = line.before().unwrap();
        assert_eq!((before.current().key, before.played(), before.ply()), (3, 0, 0));
        // What a search has left behind the root is no part of it.
        line.enter(0, &next, 1, &next.after(1));
        assert_eq!(line.before().unwrap().current().key, 3);
    }

    fn enter_all(line: &mut Line<()>, at: &mut Ring, ply: usize, steps: &[i8]) {
        for (offset, &step) in steps.iter().enumerate() {
            let after = at.after(step);
            line.enter(ply + offset, at, step, &after);
            *at = after;
        }
    }

    #[test]
    fn a_position_seen_in_the_game_and_one_seen_in_the_search_are_told_apart() {
        let mut at = Ring { size: 9, place: 4 };
        let mut line = Line::starting_at(&at);
        for step in [1, -1, 1] {
            let after = at.after(step);
            line.play(&at, step, &after);
            at = after;
        }
        enter_all(&mut line, &mut at, 0, &[-1]);
        assert_eq!(line.occurrences(), Occurrences { in_game: 2, in_search: 0 });
        enter_all(&mut line, &mut at, 1, &[-1, 1]);
        assert_eq!(line.occurrences(), Occurrences { in_game: 2, in_search: 1 });
        assert_eq!(at.recurrence(&line), Some(Outcome::Draw));
    }

    #[test]
    fn the_root_counts_as_played_not_as_searched() {
        let mut at = Ring { size: 9, place: 4 };
        let mut line = Line::starting_at(&at);
        enter_all(&mut line, &mut at, 0, &[1, -1]);
        assert_eq!(line.occurrences(), Occurrences { in_game: 1, in_search: 0 });
    }

    #[test]
    fn nothing_before_an_irreversible_move_is_seen() {
        let mut at = Ring { size: 3, place: 2 };
        let mut line = Line::starting_at(&at);
        enter_all(&mut line, &mut at, 0, &[1, -1]);
        assert_eq!(line.occurrences(), Occurrences::default());
        assert_eq!(line.back().count(), 1);
    }

    #[test]
    fn a_pass_cuts_the_line() {
        let mut at = Ring { size: 9, place: 4 };
        let mut line = Line::starting_at(&at);
        enter_all(&mut line, &mut at, 0, &[1]);
        line.enter_pass(1, &at);
        assert_eq!(line.occurrences(), Occurrences::default());
    }

    #[test]
    fn entering_a_ply_forgets_what_a_stopped_search_left_below() {
        let mut at = Ring { size: 9, place: 4 };
        let mut line = Line::starting_at(&at);
        enter_all(&mut line, &mut at, 0, &[1, 1, 1, 1]);
        line.back_to(1);
        assert_eq!((line.ply(), line.current().key), (1, 5));
        let mut at = Ring { size: 9, place: 4 };
        enter_all(&mut line, &mut at, 0, &[-1, 1]);
        assert_eq!(line.ply(), 2);
        assert_eq!(line.occurrences(), Occurrences { in_game: 1, in_search: 0 });
    }

    #[test]
    fn a_move_of_the_game_forgets_what_a_search_left() {
        let root = Ring { size: 9, place: 4 };
        let mut line = Line::starting_at(&root);
        enter_all(&mut line, &mut root.clone(), 0, &[1, 1, 1]);
        let after = root.after(-1);
        line.play(&root, -1, &after);
        assert_eq!((line.played(), line.ply(), line.current().key), (1, 0, 3));
        assert_eq!(line.back().count(), 1);
    }
}
