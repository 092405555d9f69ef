//! Which moves other threads are searching right now, so that a thread can take another first.
//!
//! Simplified ABDADA (Kerrigan, 2016, after Weill, 1996): a thread notes each move it is at work on
//! in a small table that all share; who comes to the same move of the same position leaves it for
//! later, and finds its value in the transposition table then. A note that is lost or overwritten
//! costs some work twice, never a wrong value.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Moves with less depth left than this are not worth the talk.
pub(super) const LEAST_DEPTH: i32 = 3;

/// A power of two: every thread has at most a note for each ply in it.
const SLOTS: usize = 1 << 13;

/// The notes of all threads. 0 stands for none.
#[derive(Debug)]
pub(crate) struct Busy(Box<[AtomicU64]>);

impl Busy {
    pub(super) fn new() -> Busy {
        Busy((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    /// A stopped search leaves its notes behind.
    pub(super) fn clear(&self) {
        self.0.iter().for_each(|note| note.store(0, Relaxed));
    }

    /// The note for a move of the position with this key, to a depth: other depths are other work.
    #[inline]
    pub(super) fn note(key: u64, packed_move: u16, depth: i32) -> u64 {
        key ^ (u64::from(packed_move) | (depth as u64) << 16 | 1 << 40)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    #[inline]
    fn slot(&self, note: u64) -> &AtomicU64 {
        &self.0[note as usize % SLOTS]
    }

    /// Whether some thread is at it.
    #[inline]
    pub(super) fn has(&self, note: u64) -> bool {
        self.slot(note).load(Relaxed) == note
    }

    #[inline]
    pub(super) fn begin(&self, note: u64) {
        self.slot(note).store(note, Relaxed);
    }

    #[inline]
    pub(super) fn end(&self, note: u64) {
        // Not if another has overwritten it.
        let _ = self.slot(note).compare_exchange(note, 0, Relaxed, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_there_from_begin_to_end_and_tells_position_move_and_depth_apart() {
        let busy = Busy::new();
        let note = Busy::note(17, 3, 5);
        assert!(!busy.has(note));
        busy.begin(note);
        assert!(busy.has(note));
        for other in [Busy::note(18, 3, 5), Busy::note(17, 4, 5), Busy::note(17, 3, 6)] {
            assert!(!busy.has(other));
            busy.end(other);
        }
        assert!(busy.has(note));
        busy.end(note);
        assert!(!busy.has(note));
        busy.begin(note);
        busy.clear();
        assert!(!busy.has(note));
    }
}
