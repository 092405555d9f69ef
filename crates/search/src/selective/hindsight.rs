//! Hindsight on a reduction (2024): a move that was reduced on suspicion is looked at again when
//! the guess after it is known. If the opponent's prospects have not improved by it, the reduction
//! was too much; if both sides agree that it gave something away, too little.

crate::params! {
    /// Corrects the reduction of the move that led here by the guess found here.
    pub struct Hindsight in "hindsight" {
        switch HindsightForm = On {
            /// Never.
            Off = "off",
            /// Both ways.
            On = "on",
        }
        /// Reductions of so many plies or more are corrected upwards.
        deeper = 3, in 1..=6, step 1;
        /// Those of so many or more downwards, if the two guesses add up to a lead.
        shallower = 2, in 1..=6, step 1;
        /// That lead, in hundredths.
        lead = 200, in 0..=600, step 20;
    }
}

/// Plies to add: `reduced` is what the move before lost, `before` and `now` the guesses of the two
/// nodes, each for its own side.
#[inline]
pub fn plies(how: &Hindsight, depth: i32, reduced: i32, before: i32, now: i32) -> i32 {
    if how.form == HindsightForm::Off || reduced == 0 {
        return 0;
    }
    let sum = before + now;
    if reduced >= how.deeper && sum <= 0 {
        // Not better for us than the mover thought before he moved: his move was not bad.
        return 1;
    }
    if reduced >= how.shallower && depth >= 2 && sum > how.lead {
        return -1;
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_reduction_is_taken_back_or_enlarged_by_what_the_two_guesses_say() {
        let how = Hindsight::default();
        assert_eq!(plies(&how, 5, 3, 30, -30), 1);
        assert_eq!(plies(&how, 5, 3, 30, -29), 0);
        assert_eq!(plies(&how, 5, 2, 150, 51), -1);
        assert_eq!(plies(&how, 5, 2, 150, 50), 0);
        assert_eq!(plies(&how, 1, 2, 150, 51), 0);
        assert_eq!(plies(&how, 5, 0, 30, -30), 0);
    }
}
