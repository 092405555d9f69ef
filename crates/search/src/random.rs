//! A small generator whose sequence is part of our contract: the same seed gives the same trees,
//! openings and picks on every machine and in every version.

/// SplitMix64 (Steele, Lea and Flood, 2014): one 64-bit state, one output a step.
#[derive(Clone, Debug)]
pub struct SplitMix(u64);

impl SplitMix {
    /// A generator that starts at `seed`.
    pub const fn new(seed: u64) -> SplitMix {
        SplitMix(seed)
    }

    /// The next 64 bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `bound - 1`; 0 if `bound` is 0.
    pub const fn below(&mut self, bound: usize) -> usize {
        ((self.next_u64() as u128 * bound as u128) >> 64) as usize
    }

    /// Puts things into any order, each as likely as any other (Fisher and Yates).
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_the_published_one() {
        let mut random = SplitMix::new(1_234_567);
        let drawn: Vec<u64> = (0..3).map(|_| random.next_u64()).collect();
        assert_eq!(drawn, [6457827717110365317, 3203168211198807973, 9817491932198370423]);
    }

    #[test]
    fn a_bounded_draw_reaches_every_number_and_no_other() {
        let mut random = SplitMix::new(1);
        let mut seen = [0; 7];
        for _ in 0..7_000 {
            seen[random.below(7)] += 1;
        }
        assert!(seen.iter().all(|&count| (800..1200).contains(&count)), "{seen:?}");
        assert_eq!(random.below(0), 0);
    }

    #[test]
    fn every_order_comes_about_equally_often() {
        let mut random = SplitMix::new(2);
        let mut seen = std::collections::HashMap::new();
        for _ in 0..6_000 {
            let mut things = [1, 2, 3];
            random.shuffle(&mut things);
            *seen.entry(things).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 6);
        assert!(seen.values().all(|count| (800..1200).contains(count)), "{seen:?}");
    }
}
