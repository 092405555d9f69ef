//! Exchange pruning: a move that loses material on its target square is not tried at little depth.
//!
//! Claims that what is given away is not won back within the depth. Unsound for sacrifices.

use crate::Ability;

crate::params! {
    /// Leaves out moves that lose too much in the exchange.
    pub struct ExchangePruning in "exchange_pruning" needs Ability::EXCHANGE {
        switch ExchangePruningForm = On {
            /// Never.
            Off = "off",
            /// Quiet moves by the square of their reduced depth, captures by the depth.
            On = "on",
        }
        /// What a quiet move may lose, for the square of the reduced depth, in hundredths.
        quiet = 36, in 5..=100, step 5;
        /// What a noisy move may lose, for each ply, in hundredths.
        noisy = 150, in 10..=300, step 10;
        /// Not with more plies left.
        depth = 9, in 1..=16, step 1;
    }
}

/// The least that the exchange must bring for the move to be tried; `None` if anything goes.
#[inline]
pub fn least(how: &ExchangePruning, noisy: bool, depth: i32, reduced_depth: i32) -> Option<i32> {
    if how.form == ExchangePruningForm::Off || depth > how.depth {
        return None;
    }
    Some(if noisy { -how.noisy * depth } else { -how.quiet * reduced_depth * reduced_depth })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deeper_the_more_may_be_given_away() {
        let how = ExchangePruning { quiet: 25, noisy: 100, depth: 9, ..ExchangePruning::default() };
        assert_eq!(least(&how, false, 5, 3), Some(-225));
        assert_eq!(least(&how, true, 5, 3), Some(-500));
        assert_eq!(least(&how, true, 10, 3), None);
    }
}
