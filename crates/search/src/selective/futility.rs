//! Futility of single moves (Schaeffer, 1986; Heinz, 1998): at little depth a move is not tried if
//! even the guess, what it takes and a margin together stay below alpha.
//!
//! Claims that a move changes the guess by no more than what it takes and a margin for each ply.
//! Unsound for moves that threaten much: checks are tried in any case.

crate::params! {
    /// Leaves out moves that cannot lift the guess into the window.
    pub struct Futility in "futility" {
        switch FutilityForm = On {
            /// Never.
            Off = "off",
            /// Quiet moves and captures.
            On = "on",
        }
        /// Not with more plies left after the reduction.
        depth = 8, in 1..=14, step 1;
        /// Margin at the horizon, in hundredths.
        base = 0, in 0..=400, step 10;
        /// More of it for each ply.
        slope = 113, in 10..=300, step 10;
        /// The same for captures, on top of what they take.
        noisy_base = 225, in 0..=600, step 10;
        /// More of it for each ply.
        noisy_slope = 160, in 10..=500, step 10;
    }
}

/// The most that is hoped for from a quiet move; `None` if it is tried in any case.
#[inline]
pub fn hope_of_quiet(how: &Futility, reduced_depth: i32, guess: i32) -> Option<i32> {
    hope(how, reduced_depth, guess + how.base + how.slope * reduced_depth)
}

/// The same for a move that takes something at once.
#[inline]
pub fn hope_of_noisy(how: &Futility, reduced_depth: i32, guess: i32, gain: i32) -> Option<i32> {
    let margin = how.noisy_base + how.noisy_slope * reduced_depth;
    hope(how, reduced_depth, guess + gain + margin)
}

#[inline]
fn hope(how: &Futility, reduced_depth: i32, hope: i32) -> Option<i32> {
    (how.form == FutilityForm::On && reduced_depth <= how.depth).then_some(hope)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hope_is_the_guess_what_is_taken_and_a_margin_for_each_ply() {
        let how = Futility {
            form: FutilityForm::On,
            depth: 8,
            base: 120,
            slope: 90,
            noisy_base: 200,
            noisy_slope: 180,
        };
        assert_eq!(hope_of_quiet(&how, 2, -300), Some(0));
        assert_eq!(hope_of_noisy(&how, 1, -700, 320), Some(0));
        assert_eq!(hope_of_quiet(&how, 9, -3_000), None, "beyond its depth");
    }
}
