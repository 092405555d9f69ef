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
        /// What is left of all margins in the last stage of the game, in percent; before that in equal
        /// steps from 100.
        last = 100, in 20..=400, step 20;
    }
}

impl Futility {
    /// What is left of the margins at a stage of the game, in percent.
    #[inline]
    pub fn share(&self, stage: usize, stages: usize) -> i32 {
        100 + (self.last - 100) * stage as i32 / (stages as i32 - 1).max(1)
    }

    /// Whether that depends on the stage.
    #[inline]
    pub fn is_staged(&self) -> bool {
        self.form == FutilityForm::On && self.last != 100
    }
}

/// The most that is hoped for from a quiet move; `None` if it is tried in any case. `share` is what is left
/// of the margin, in percent.
#[inline]
pub fn hope_of_quiet(how: &Futility, reduced_depth: i32, guess: i32, share: i32) -> Option<i32> {
    let margin = how.base + how.slope * reduced_depth;
    hope(how, reduced_depth, guess, margin * share)
}

/// The same for a move that takes something at once.
#[inline]
pub fn hope_of_noisy(
    how: &Futility,
    reduced_depth: i32,
    guess: i32,
    share: i32,
    gain: i32,
) -> Option<i32> {
    let margin = how.noisy_base + how.noisy_slope * reduced_depth;
    hope(how, reduced_depth, guess + gain, margin * share)
}

#[inline]
fn hope(how: &Futility, reduced_depth: i32, guess: i32, hundredfold: i32) -> Option<i32> {
    let is_asked = how.form == FutilityForm::On && reduced_depth <= how.depth;
    is_asked.then_some(guess + hundredfold / 100)
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
            last: 100,
        };
        assert_eq!(hope_of_quiet(&how, 2, -300, 100), Some(0));
        assert_eq!(hope_of_noisy(&how, 1, -700, 100, 320), Some(0));
        assert_eq!(hope_of_quiet(&how, 9, -3_000, 100), None, "beyond its depth");
        assert_eq!(hope_of_quiet(&how, 2, -300, 50), Some(-150), "half of the margin");
        assert_eq!(hope_of_noisy(&how, 1, -700, 50, 320), Some(-190));
    }

    #[test]
    fn margins_change_in_equal_steps_from_the_first_stage_to_the_last() {
        let how = Futility { last: 40, ..Futility::default() };
        assert_eq!([0, 1, 2, 3, 4].map(|stage| how.share(stage, 5)), [100, 85, 70, 55, 40]);
        assert_eq!(how.share(0, 1), 100, "a game of one stage has no last one");
        assert!(how.is_staged() && !Futility::default().is_staged());
    }
}
