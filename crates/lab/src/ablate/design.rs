//! Who is without what in which pair: drawn from the seed and the number of the pair, so that a run
//! that goes on draws the same.

use secateur_search::random::SplitMix;

use super::Order;

/// What each side of a pair is without: numbers of techniques, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    /// The first side.
    pub first: Vec<usize>,
    /// The second side.
    pub second: Vec<usize>,
}

/// The draw of the pair with this number. Two sides that would be the same are drawn again: their
/// games would say nothing.
pub fn draw(order: &Order, number: u64) -> Draw {
    let mut random =
        SplitMix::new(order.seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    let count = order.techniques.len();
    loop {
        let mut side = || -> Vec<usize> {
            (0..count).filter(|_| random.below(100) < usize::from(order.off)).collect()
        };
        let (first, second) = (side(), side());
        if first != second {
            return Draw { first, second };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::order_of;
    use super::*;

    #[test]
    fn a_draw_depends_on_seed_and_number_alone_and_never_pairs_equals() {
        let order = order_of(&["a", "b", "c", "d"]);
        for number in 0..200 {
            let drawn = draw(&order, number);
            assert_eq!(drawn, draw(&order, number));
            assert_ne!(drawn.first, drawn.second);
        }
        let other = Order { seed: 4, ..order.clone() };
        let same = (0..200).filter(|&n| draw(&order, n) == draw(&other, n)).count();
        assert!(same < 40, "{same} draws of two seeds are the same");
    }

    #[test]
    fn each_technique_is_off_as_often_as_was_asked_for() {
        let order = order_of(&["a", "b", "c", "d", "e", "f", "g", "h"]);
        let mut off = [0; 8];
        for number in 0..4_000 {
            let Draw { first, second } = draw(&order, number);
            first.iter().chain(&second).for_each(|&index| off[index] += 1);
        }
        // A quarter of 8,000 sides, and a little more since equal sides are drawn again.
        assert!(off.iter().all(|&count| (1_880..2_200).contains(&count)), "{off:?}");
    }
}
