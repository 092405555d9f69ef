//! Two values in one number: what a thing is worth in the middle game and in the endgame.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middle-game and an endgame value, in hundredths of a pawn. Both halves of one machine word
/// are added at once: the borrow of a negative lower half is undone on reading the upper one.
/// Each half must stay within an `i16`; sixteen queens do.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Tapered(i32);

impl Tapered {
    /// Worth nothing.
    pub const ZERO: Tapered = Tapered(0);

    /// A value of each half.
    #[inline]
    pub const fn new(middle: i32, end: i32) -> Tapered {
        Tapered((end << 16) + middle)
    }

    /// The value in the middle game.
    #[inline]
    pub const fn middle(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The value in the endgame.
    #[inline]
    pub const fn end(self) -> i32 {
        (self.0 + 0x8000) >> 16
    }
}

impl Add for Tapered {
    type Output = Tapered;
    #[inline]
    fn add(self, other: Tapered) -> Tapered {
        Tapered(self.0.wrapping_add(other.0))
    }
}

impl Sub for Tapered {
    type Output = Tapered;
    #[inline]
    fn sub(self, other: Tapered) -> Tapered {
        Tapered(self.0.wrapping_sub(other.0))
    }
}

impl Neg for Tapered {
    type Output = Tapered;
    #[inline]
    fn neg(self) -> Tapered {
        Tapered::ZERO - self
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;
    #[inline]
    fn mul(self, times: i32) -> Tapered {
        Tapered(self.0.wrapping_mul(times))
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}

impl SubAssign for Tapered {
    #[inline]
    fn sub_assign(&mut self, other: Tapered) {
        *self = *self - other;
    }
}

impl Sum for Tapered {
    fn sum<I: Iterator<Item = Tapered>>(values: I) -> Tapered {
        values.fold(Tapered::ZERO, Add::add)
    }
}

/// `12/-7`.
impl fmt::Debug for Tapered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.middle(), self.end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_halves_do_not_disturb_each_other() {
        let numbers = [-16_000, -301, -1, 0, 1, 47, 16_000];
        for (a, b) in numbers.into_iter().flat_map(|a| numbers.map(|b| (a, b))) {
            let value = Tapered::new(a, b);
            assert_eq!((value.middle(), value.end()), (a, b));
            assert_eq!(-value, Tapered::new(-a, -b));
            assert_eq!(value - Tapered::new(7, -9), Tapered::new(a - 7, b + 9));
            assert_eq!(Tapered::new(a / 4, b / 4) * -3, Tapered::new(a / 4 * -3, b / 4 * -3));
        }
    }
}
