//! What a learned evaluation counts. A game states it once; the evaluator in the tree adds weight
//! times count, the trainer collects the same indices and counts, so the two cannot differ.
//!
//! The value of a position is a sum over features, with one weight for each feature and stage of
//! the game: the sums of one or two stages, blended, and then a part of that where an ending
//! cannot be won. Integers only, so that a value is the same on every processor.

use crate::Game;
use crate::weights::Weights;

/// Features that belong together, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// What it is called: `term: detail`. Tables for people add up what has the same term.
    pub name: &'static str,
    /// What is counted, and what the place in the group means.
    pub doc: &'static str,
    /// How many features it has.
    pub length: usize,
    /// Whether training leaves its weights alone: those that own games cannot teach.
    pub set_by_hand: bool,
}

impl Group {
    /// The name up to the colon.
    pub fn term(&self) -> &'static str {
        self.name.split(':').next().unwrap_or(self.name)
    }
}

/// The number of all features before the group with this number.
pub const fn start_of(groups: &[Group], number: usize) -> usize {
    let (mut sum, mut i) = (0, 0);
    while i < number {
        sum += groups[i].length;
        i += 1;
    }
    sum
}

/// Which stages of the game a position belongs to: at most two, each with a share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blend {
    /// The stages; the second does not matter where its share is 0.
    pub stages: [usize; 2],
    /// Their shares, not negative and not both 0. The sum of the weights is divided by their sum.
    pub shares: [i32; 2],
}

impl Blend {
    /// One stage alone.
    pub const fn only(stage: usize) -> Blend {
        Blend { stages: [stage; 2], shares: [1, 0] }
    }

    /// The blended value of the sums of the two stages, rounded towards zero.
    #[inline(always)]
    pub const fn of(self, sums: [i32; 2]) -> i32 {
        let [first, second] = self.shares;
        (sums[0] * first + sums[1] * second) / (first + second)
    }
}

/// A full part of [`Featured::keep`].
pub const WHOLE: i32 = 64;

/// A game whose evaluation can be learned.
pub trait Featured: Game {
    /// The name of the game in weight files.
    const GAME: &'static str;
    /// All features; an index runs through all groups in order.
    const GROUPS: &'static [Group];
    /// How many weights each feature has.
    const WEIGHT_STAGES: usize;
    /// No value is larger than this, or smaller than its negative.
    const LIMIT: i32;

    /// Which stages count how much.
    fn blend(&self) -> Blend;

    /// Hands out what there is to count from the view of the side to move: its own things less
    /// the opponent's. An index may come more than once; the counts add up. A position that is
    /// over need not be asked.
    fn each_feature(&self, sink: impl FnMut(usize, i32));

    /// What remains of a lead, in parts of [`WHOLE`]: of one of the side to move, and of one of
    /// the other side.
    fn keep(&self) -> [i32; 2];

    /// The number of all features.
    fn feature_count() -> usize {
        start_of(Self::GROUPS, Self::GROUPS.len())
    }
}

/// The group of a feature and its place in it; `None` beyond the last.
pub fn group_of(groups: &'static [Group], mut index: usize) -> Option<(&'static Group, usize)> {
    for group in groups {
        if index < group.length {
            return Some((group, index));
        }
        index -= group.length;
    }
    None
}

/// The places of all weights that training leaves alone, in the order of weight files.
pub fn set_by_hand<G: Featured>() -> Vec<usize> {
    let flags =
        G::GROUPS.iter().flat_map(|group| std::iter::repeat_n(group.set_by_hand, group.length));
    let fixed = flags.enumerate().filter_map(|(index, fixed)| fixed.then_some(index));
    let stages = 0..G::WEIGHT_STAGES;
    let count = G::feature_count();
    fixed.flat_map(|index| stages.clone().map(move |stage| stage * count + index)).collect()
}

/// The value of a position by definition: slow, and what evaluators are tested against.
pub fn value<G: Featured>(position: &G, weights: &Weights<G>) -> i32 {
    let blend = position.blend();
    let mut sums = [0; 2];
    position.each_feature(|index, count| {
        for (sum, stage) in sums.iter_mut().zip(blend.stages) {
            *sum += count * i32::from(weights.get(stage, index));
        }
    });
    let value = blend.of(sums);
    let [ahead, behind] = position.keep();
    let value = value * if value >= 0 { ahead } else { behind } / WHOLE;
    value.clamp(-G::LIMIT, G::LIMIT)
}

/// Declares feature groups: for each a constant with the index of its first feature, then
/// `GROUPS`, and `COUNT`, the number of all features. After a length may follow `set by hand`.
///
/// ```
/// secateur_search::features! {
///     /// The discs of a side.
///     DISCS "discs" 1;
///     /// Moves, by their number.
///     MOBILITY "mobility: moves" 20, set by hand;
/// }
/// assert_eq!((DISCS, MOBILITY, COUNT), (0, 1, 21));
/// assert_eq!(GROUPS[1].term(), "mobility");
/// assert_eq!(GROUPS[1].set_by_hand, true);
/// ```
#[macro_export]
macro_rules! features {
    ($($(#[doc = $doc:literal])+ $constant:ident $name:literal $length:expr $(, $($by:ident)+)?;)+) => {
        /// All groups, in order.
        pub const GROUPS: &[$crate::features::Group] = &[
            $($crate::features::Group {
                name: $name,
                doc: concat!($($doc),+),
                length: $length,
                set_by_hand: $crate::features!(@by $($($by)+)?),
            }),+
        ];
        $crate::features!(@starts 0usize; $($(#[doc = $doc])+ $constant)+);
        /// How many features there are.
        pub const COUNT: usize = $crate::features::start_of(GROUPS, GROUPS.len());
    };
    (@by) => { false };
    (@by set by hand) => { true };
    (@starts $number:expr;) => {};
    (@starts $number:expr; $(#[doc = $doc:literal])+ $constant:ident $($rest:tt)*) => {
        $(#[doc = $doc])+
        pub const $constant: usize = $crate::features::start_of(GROUPS, $number);
        $crate::features!(@starts $number + 1usize; $($rest)*);
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Here because what the macro declares is public.
    #[allow(unreachable_pub)]
    mod table {
        crate::features! {
            /// First.
            FIRST "a" 2;
            /// Second.
            SECOND "b: one" 3;
            /// Third.
            THIRD "b: two" 1;
        }
    }
    use table::{COUNT, FIRST, GROUPS, SECOND, THIRD};

    #[test]
    fn groups_follow_one_another() {
        assert_eq!((FIRST, SECOND, THIRD, COUNT), (0, 2, 5, 6));
        let name = |index| group_of(GROUPS, index).map(|(group, place)| (group.name, place));
        assert_eq!(name(1), Some(("a", 1)));
        assert_eq!(name(4), Some(("b: one", 2)));
        assert_eq!(name(5), Some(("b: two", 0)));
        assert_eq!(name(6), None);
        assert_eq!((GROUPS[2].term(), GROUPS[0].term()), ("b", "a"));
    }

    #[test]
    fn a_blend_rounds_towards_zero_for_both_sides() {
        let blend = Blend { stages: [0, 1], shares: [1, 23] };
        assert_eq!((blend.of([100, -5]), blend.of([-100, 5])), (0, 0));
        assert_eq!(Blend::only(3).of([7, 99]), 7);
    }
}
