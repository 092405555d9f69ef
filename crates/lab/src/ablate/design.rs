//! Who is without what in which pair: drawn from the seed and the number of the pair, so that a run
//! that goes on draws the same.

use std::collections::HashMap;

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
    let mut random = SplitMix::new(order.seed ^ SplitMix::new(number).next_u64());
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

/// A pair to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// Its number.
    pub pair: u64,
    /// Who is without what.
    pub draw: Draw,
    /// The opening, by its index.
    pub opening: usize,
}

/// The pairs of the order, from so many openings. At fixed nodes the same sides play the same games
/// from the same opening, so each opening is given to two sides but once; what is left over then is
/// not played: it would be counted as evidence and be none.
pub fn plan(order: &Order, openings: usize) -> Vec<Planned> {
    let mut met: HashMap<(Vec<usize>, Vec<usize>), usize> = HashMap::new();
    let mut planned = Vec::new();
    for pair in 0..order.pairs() {
        let draw = draw(order, pair);
        let Draw { first, second } = &draw;
        let sides = if first < second { (first, second) } else { (second, first) };
        let times = met.entry((sides.0.clone(), sides.1.clone())).or_default();
        if *times < openings {
            // Other sides begin elsewhere in the list.
            let all = sides.0.iter().chain([&usize::MAX]).chain(sides.1);
            let begin = all.fold(order.seed, |sum, &technique| {
                SplitMix::new(sum ^ technique as u64).next_u64()
            });
            let opening = (begin % openings as u64) as usize + *times;
            planned.push(Planned { pair, draw: draw.clone(), opening: opening % openings });
            *times += 1;
        }
    }
    planned
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
    fn no_two_sides_meet_twice_in_the_same_opening() {
        let order = Order { games: 2_000, ..order_of(&["a", "b"]) };
        let planned = plan(&order, 40);
        // Six ways to pair four different sides, forty openings each.
        assert!(planned.len() <= 240 && planned.len() > 200, "{}", planned.len());
        let mut met = std::collections::HashSet::new();
        for Planned { draw, opening, .. } in &planned {
            let mut sides = [draw.first.clone(), draw.second.clone()];
            sides.sort();
            assert!(met.insert((sides, *opening)), "{draw:?} from {opening} again");
        }
        assert_eq!(planned, plan(&order, 40));
        let longer = plan(&Order { games: 3_000, ..order }, 40);
        assert_eq!(longer[..planned.len()], planned[..], "a longer run begins the same");
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
