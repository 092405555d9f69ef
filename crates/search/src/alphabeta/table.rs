//! The transposition table: what is known of positions met before, shared by all threads without
//! a lock.
//!
//! An entry is two words. The second is the content; the first is the key combined with it by
//! exclusive or (Hyatt and Mann, 2002), so that an entry torn by two threads writing at once no
//! longer matches any key and is simply not found.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use crate::{Depth, Score};

/// On which side of the true value a stored value lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Nothing is known of the value; the entry holds a static evaluation or a move.
    None = 0,
    /// The true value is at least this.
    Lower = 1,
    /// The true value is at most this.
    Upper = 2,
    /// It is the value.
    Exact = 3,
}

impl Bound {
    const ALL: [Bound; 4] = [Bound::None, Bound::Lower, Bound::Upper, Bound::Exact];

    /// The bound that a search with this window has found.
    #[inline]
    pub fn of(value: Score, alpha: Score, beta: Score) -> Bound {
        if value >= beta {
            Bound::Lower
        } else if value > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// Whether a stored value on this side decides a null window at `beta`.
    #[inline]
    pub fn decides(self, value: Score, beta: Score) -> bool {
        self as u8 & if value >= beta { Bound::Lower } else { Bound::Upper } as u8 != 0
    }
}

/// What is known of a position. Values are as seen from the position, not from the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move in packed form; 0 if none is known.
    pub packed_move: u16,
    /// The value found.
    pub value: Score,
    /// What the evaluator said, if it was asked.
    pub evaluation: Option<Score>,
    /// How deep the value was searched.
    pub draft: Depth,
    /// The side on which the value bounds the truth.
    pub bound: Bound,
    /// Whether the position once was on a principal variation.
    pub was_principal: bool,
    /// How sure the searches below were: 0 is certain, 1 to 7 are levels of forward pruning. A
    /// value found at one level must not answer a stricter question.
    pub confidence: u8,
}

/// The search that keeps an entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keeper {
    /// It looks at less depth into a tree that another will go on with.
    pub(super) yields: bool,
    /// As sure as this an entry must be to answer it. What it finds itself may be surer: no probabilistic cut is
    /// made beyond the horizon.
    pub(super) confidence: u8,
}

/// Stands for "no evaluation" in the 16 bits of a score.
const NO_EVALUATION: i16 = i16::MIN;

impl Entry {
    #[inline]
    fn to_word(self) -> u64 {
        let evaluation = self.evaluation.map_or(NO_EVALUATION, Score::to_bits);
        u64::from(self.packed_move)
            | u64::from(self.value.to_bits() as u16) << 16
            | u64::from(evaluation as u16) << 32
            | (self.draft.plies() as u64) << 48
            | (self.bound as u64) << 56
            | u64::from(self.was_principal) << 58
            | u64::from(self.confidence & 7) << 59
    }

    #[inline]
    fn from_word(word: u64) -> Entry {
        let evaluation = (word >> 32) as u16 as i16;
        Entry {
            packed_move: word as u16,
            value: Score::from_bits((word >> 16) as u16 as i16),
            evaluation: (evaluation != NO_EVALUATION).then(|| Score::from_bits(evaluation)),
            draft: Depth::new((word >> 48) as u8 as i32),
            bound: Bound::ALL[(word >> 56 & 3) as usize],
            was_principal: word >> 58 & 1 == 1,
            confidence: (word >> 59 & 7) as u8,
        }
    }
}

/// A key whose every bit depends on every bit of the game's own. The bucket is chosen by the high
/// bits and the low ones are not kept, so a game that simply counts its positions would collide.
#[derive(Clone, Copy)]
struct Mixed(u64);

impl Mixed {
    /// One to one: different keys stay different.
    #[inline]
    fn of(key: u64) -> Mixed {
        let key = (key ^ key >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let key = (key ^ key >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        Mixed(key ^ key >> 32)
    }

    /// What an entry keeps of it.
    #[inline]
    fn kept(self) -> u64 {
        self.0 & !AGE_MASK
    }
}

/// The key keeps 56 bits in an entry; the other 8 hold its age.
const AGE_MASK: u64 = 0xff;

#[derive(Debug, Default)]
struct Slot {
    check: AtomicU64,
    content: AtomicU64,
}

impl Slot {
    /// The key without its low bits, the age, and the content.
    #[inline]
    fn load(&self) -> (u64, u8, u64) {
        let content = self.content.load(Relaxed);
        let check = self.check.load(Relaxed) ^ content;
        (check & !AGE_MASK, (check & AGE_MASK) as u8, content)
    }

    #[inline]
    fn store(&self, key: Mixed, age: u8, content: u64) {
        self.check.store((key.kept() | u64::from(age)) ^ content, Relaxed);
        self.content.store(content, Relaxed);
    }
}

/// One line of the processor's cache: a position may stand in any of four slots.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

/// Asks the system to back the room that `memory` has reserved by pages of megabytes. A probe goes
/// anywhere in the table, and with small pages most of them miss the processor's cache of page
/// addresses as well: 1.3 times the nodes per second at 64 MiB in a virtual machine.
fn wish_for_huge_pages(memory: &mut Vec<Bucket>) {
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 4096;
        let room = memory.spare_capacity_mut();
        let begin = room.as_mut_ptr().cast::<u8>();
        let skip = begin.align_offset(PAGE);
        let length = size_of_val(room).saturating_sub(skip) / PAGE * PAGE;
        if length == 0 {
            return;
        }
        #[allow(unsafe_code, reason = "advice on pages that lie wholly inside memory we own")]
        unsafe {
            // Where the system knows no such pages it says so, and small ones serve as well.
            let _ = libc::madvise(begin.add(skip).cast(), length, libc::MADV_HUGEPAGE);
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}

/// A table of entries, shared by reference.
#[derive(Debug)]
pub struct Table {
    buckets: Box<[Bucket]>,
    age: AtomicU8,
}

impl Table {
    /// A table of about so many mebibytes; the smallest holds a few buckets. `None` if the memory
    /// cannot be had.
    pub fn with_mebibytes(mebibytes: usize) -> Option<Table> {
        let count = mebibytes.checked_mul(1 << 20)? / size_of::<Bucket>();
        Table::with_buckets(count.max(16))
    }

    /// The smallest table: a few buckets.
    pub(super) fn smallest() -> Table {
        let buckets = (0..16).map(|_| Bucket::default()).collect();
        Table { buckets, age: AtomicU8::new(1) }
    }

    fn with_buckets(count: usize) -> Option<Table> {
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).ok()?;
        wish_for_huge_pages(&mut buckets);
        buckets.resize_with(count, Bucket::default);
        // Age 0 is left to slots that were never written.
        Some(Table { buckets: buckets.into_boxed_slice(), age: AtomicU8::new(1) })
    }

    /// The same once more, as it stands. `None` if the memory cannot be had.
    pub(super) fn copied(&self) -> Option<Table> {
        let copy = Table::with_buckets(self.buckets.len())?;
        copy.age.store(self.age.load(Relaxed), Relaxed);
        for (own, known) in copy.buckets.iter().zip(self.buckets.iter()) {
            for (own, known) in own.0.iter().zip(&known.0) {
                own.check.store(known.check.load(Relaxed), Relaxed);
                own.content.store(known.content.load(Relaxed), Relaxed);
            }
        }
        Some(copy)
    }

    /// Its size in mebibytes, rounded down.
    pub fn mebibytes(&self) -> usize {
        (self.buckets.len() * size_of::<Bucket>()) >> 20
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            slot.check.store(0, Relaxed);
            slot.content.store(0, Relaxed);
        }
        self.age.store(1, Relaxed);
    }

    /// A new search begins: what is stored from now on is younger.
    pub fn grow_older(&self) {
        let next = self.age.load(Relaxed).checked_add(1).unwrap_or(1);
        self.age.store(next, Relaxed);
    }

    #[inline]
    fn bucket(&self, mixed: Mixed) -> &Bucket {
        let Mixed(key) = mixed;
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// Asks the processor to fetch the bucket of `key`, which will be looked up soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        #[allow(unsafe_code, reason = "a hint to the processor; it reads nothing")]
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(self.bucket(Mixed::of(key))).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let key = Mixed::of(key);
        self.bucket(key).0.iter().find_map(|slot| {
            let (stored, age, content) = slot.load();
            (stored == key.kept() && age != 0).then(|| Entry::from_word(content))
        })
    }

    /// Keeps what is known of the position with this key, in place of what is worth least: old
    /// before young, shallow before deep.
    #[inline]
    pub fn store(&self, key: u64, entry: Entry) {
        self.keep(key, entry, Keeper { yields: false, confidence: entry.confidence });
    }

    /// The same by a certain search.
    #[inline]
    pub(super) fn keep(&self, key: u64, mut entry: Entry, by: Keeper) {
        let now = self.age.load(Relaxed);
        let key = Mixed::of(key);
        let bucket = self.bucket(key);
        let mut worst = &bucket.0[0];
        let mut least = i32::MAX;
        for slot in &bucket.0 {
            let (stored, age, content) = slot.load();
            if age != 0 && stored == key.kept() {
                let known = Entry::from_word(content);
                if entry.packed_move == 0 {
                    entry.packed_move = known.packed_move;
                }
                // A much deeper value of the same search is worth more than a fresh shallow one, if it is sure
                // enough to answer.
                let keep = age == now
                    && (by.yields || entry.bound != Bound::Exact)
                    && known.draft.plies() > entry.draft.plies() + 4
                    && known.bound != Bound::None
                    && known.confidence <= by.confidence;
                if !keep {
                    slot.store(key, now, entry.to_word());
                }
                return;
            }
            let generations = i32::from(now.wrapping_sub(age));
            let worth = if age == 0 {
                i32::MIN
            } else {
                Entry::from_word(content).draft.plies() - 8 * generations
            };
            if worth < least {
                least = worth;
                worst = slot;
            }
        }
        worst.store(key, now, entry.to_word());
    }

    /// How full the table is with entries of this search, in thousandths, by a sample.
    pub fn fullness(&self) -> usize {
        let now = self.age.load(Relaxed);
        let sample = self.buckets.len().min(250);
        let slots = self.buckets[..sample].iter().flat_map(|bucket| &bucket.0);
        slots.filter(|slot| slot.load().1 == now).count() * 250 / sample
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix;

    fn entry(packed_move: u16, draft: i32) -> Entry {
        Entry {
            packed_move,
            value: Score::heuristic(-31),
            evaluation: Some(Score::heuristic(12)),
            draft: Depth::new(draft),
            bound: Bound::Lower,
            was_principal: true,
            confidence: 5,
        }
    }

    #[test]
    fn an_entry_survives_the_word() {
        for entry in [
            entry(0xffff, 200),
            Entry { value: -Score::MATE, evaluation: None, ..entry(0, 0) },
            Entry { bound: Bound::Exact, was_principal: false, confidence: 0, ..entry(1, 127) },
            Entry { evaluation: Some(-Score::HEURISTIC_MAX), bound: Bound::None, ..entry(9, 1) },
        ] {
            assert_eq!(Entry::from_word(entry.to_word()), entry);
        }
    }

    #[test]
    fn what_is_stored_is_found_and_nothing_else() {
        let table = Table::with_buckets(64).unwrap();
        assert_eq!(table.probe(0), None, "an empty slot is no entry for key 0");
        let keys: Vec<u64> = (0..100).map(|seed| SplitMix::new(seed).next_u64()).collect();
        for (index, &key) in keys.iter().enumerate() {
            table.store(key, entry(index as u16 + 1, 5));
        }
        let found = keys
            .iter()
            .zip(1..)
            .filter(|(key, m)| table.probe(**key).is_some_and(|entry| entry.packed_move == *m));
        assert!(found.count() > 95);
        assert_eq!(table.probe(SplitMix::new(1_000).next_u64()), None);
        table.clear();
        assert!(keys.iter().all(|key| table.probe(*key).is_none()));
    }

    #[test]
    fn a_torn_entry_is_not_found() {
        let table = Table::with_buckets(16).unwrap();
        let key = 0x1234_5678_9abc_def0;
        table.store(key, entry(7, 5));
        let slot = table.bucket(Mixed::of(key)).0.iter().find(|slot| slot.load().1 != 0).unwrap();
        slot.content.store(entry(8, 6).to_word(), Relaxed);
        assert_eq!(table.probe(key), None);
    }

    #[test]
    fn a_known_move_is_not_forgotten_by_an_entry_without_one() {
        let table = Table::with_buckets(16).unwrap();
        table.store(99 << 40, entry(7, 5));
        table.store(99 << 40, entry(0, 6));
        let found = table.probe(99 << 40).unwrap();
        assert_eq!((found.packed_move, found.draft), (7, Depth::new(6)));
    }

    #[test]
    fn a_search_that_yields_leaves_what_is_much_deeper() {
        let table = Table::with_buckets(16).unwrap();
        let exact = |m, draft| Entry { bound: Bound::Exact, ..entry(m, draft) };
        let key = 99 << 40;
        let by = Keeper { yields: true, confidence: 5 };
        table.store(key, exact(1, 12));
        table.keep(key, exact(2, 7), by);
        assert_eq!(table.probe(key).unwrap().packed_move, 1);
        table.keep(key, exact(3, 8), by);
        assert_eq!(table.probe(key).unwrap().packed_move, 3, "not much deeper");
        // What it has searched itself is more than what an older search left, and any other search says its own.
        table.store(key, exact(1, 12));
        table.store(key, exact(2, 1));
        assert_eq!(table.probe(key).unwrap().packed_move, 2);
        table.store(key, exact(1, 12));
        table.grow_older();
        table.keep(key, exact(2, 1), by);
        assert_eq!(table.probe(key).unwrap().packed_move, 2);
    }

    #[test]
    fn what_is_much_deeper_stays_where_it_is_sure_enough_for_the_search() {
        let table = Table::with_buckets(16).unwrap();
        let key = 99 << 40;
        let fresh = Entry { confidence: 0, ..entry(2, 1) };
        table.store(key, entry(1, 12));
        table.keep(key, fresh, Keeper { yields: false, confidence: 5 });
        assert_eq!(table.probe(key).unwrap().packed_move, 1, "though the fresh one is surer");
        table.keep(key, fresh, Keeper { yields: false, confidence: 4 });
        assert_eq!(table.probe(key).unwrap().packed_move, 2, "of no use to this search");
    }

    #[test]
    fn old_and_shallow_entries_give_way_first() {
        let table = Table::with_buckets(16).unwrap();
        // Five keys of one bucket.
        let first = |key: u64| std::ptr::eq(table.bucket(Mixed::of(key)), &table.buckets[0]);
        let keys: Vec<u64> = (1..).filter(|key| first(*key)).take(5).collect();
        table.store(keys[0], entry(1, 3));
        table.grow_older();
        table.store(keys[1], entry(2, 9));
        table.store(keys[2], entry(3, 2));
        table.store(keys[3], entry(4, 9));
        table.store(keys[4], entry(5, 1));
        assert_eq!(table.probe(keys[0]), None, "the old one went");
        table.store(keys[0], entry(1, 3));
        assert_eq!(table.probe(keys[4]), None, "then the shallow one");
        assert!(table.probe(keys[1]).is_some() && table.probe(keys[3]).is_some());
    }

    #[test]
    fn a_bound_decides_only_on_its_side() {
        let (low, beta, high) = (Score::heuristic(-1), Score::heuristic(0), Score::heuristic(1));
        assert!(Bound::Lower.decides(high, beta) && !Bound::Lower.decides(low, beta));
        assert!(Bound::Upper.decides(low, beta) && !Bound::Upper.decides(high, beta));
        assert!(Bound::Exact.decides(low, beta) && Bound::Exact.decides(beta, beta));
        assert!(!Bound::None.decides(high, beta));
    }

    #[test]
    fn fullness_counts_this_search_only() {
        let table = Table::with_buckets(250).unwrap();
        assert_eq!(table.fullness(), 0);
        for seed in 0..4_000 {
            table.store(SplitMix::new(seed).next_u64(), entry(1, 1));
        }
        assert!(table.fullness() > 900, "{}", table.fullness());
        table.grow_older();
        assert_eq!(table.fullness(), 0);
    }

    #[test]
    fn keys_that_only_count_are_told_apart() {
        let table = Table::with_buckets(4_096).unwrap();
        for key in 0..5_000u64 {
            table.store(key, entry(key as u16, 5));
        }
        for key in 0..5_000u64 {
            if let Some(found) = table.probe(key) {
                assert_eq!(found.packed_move, key as u16);
            }
        }
        let spread = (0..5_000).filter(|key| table.probe(*key).is_some()).count();
        assert!(spread > 4_900, "{spread}");
    }
}
