//! Remaining depth in whole plies.

use std::fmt;
use std::ops::{Add, Sub};

/// Plies still to search, from 0 (the horizon) to [`Depth::MAX`]. Sums and differences stay
/// inside, so that a reduction can never make a negative draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Depth(u8);

impl Depth {
    /// The horizon.
    pub const ZERO: Depth = Depth(0);
    /// The deepest iteration. Extensions may still lengthen a line up to
    /// [`MAX_PLY`](crate::score::MAX_PLY).
    pub const MAX: Depth = Depth(200);

    /// A depth of `plies`, pulled into the range.
    #[inline]
    pub const fn new(plies: i32) -> Depth {
        if plies <= 0 {
            Depth::ZERO
        } else if plies >= Depth::MAX.0 as i32 {
            Depth::MAX
        } else {
            Depth(plies as u8)
        }
    }

    /// The number of plies.
    #[inline]
    pub const fn plies(self) -> i32 {
        self.0 as i32
    }
}

impl Add<i32> for Depth {
    type Output = Depth;
    #[inline]
    fn add(self, plies: i32) -> Depth {
        Depth::new(self.plies().saturating_add(plies))
    }
}

impl Sub<i32> for Depth {
    type Output = Depth;
    #[inline]
    fn sub(self, plies: i32) -> Depth {
        Depth::new(self.plies().saturating_sub(plies))
    }
}

impl Sub for Depth {
    type Output = i32;
    #[inline]
    fn sub(self, other: Depth) -> i32 {
        self.plies() - other.plies()
    }
}

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reduction_stops_at_the_horizon_and_an_extension_at_the_top() {
        assert_eq!(Depth::new(3) - 5, Depth::ZERO);
        assert_eq!(Depth::new(-9), Depth::ZERO);
        assert_eq!(Depth::MAX + 1, Depth::MAX);
        assert_eq!(Depth::new(1) + i32::MAX, Depth::MAX);
        assert_eq!(Depth::new(7) - Depth::new(9), -2);
    }
}
