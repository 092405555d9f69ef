//! Delta pruning (Kaindl, 1982): beyond the horizon a capture is not tried if the guess, what it
//! takes and a margin together stay below alpha.
//!
//! Claims the same as futility, where it is safest: nothing but captures follows.

use crate::Ability;

crate::params! {
    /// Leaves out captures beyond the horizon that cannot lift the guess into the window.
    pub struct Delta in "delta" needs Ability::NOISY {
        switch DeltaForm = On {
            /// Never.
            Off = "off",
            /// By a margin.
            On = "on",
        }
        /// The margin, in hundredths.
        margin = 197, in 20..=600, step 10;
    }
}

/// The most that is hoped for from a capture; `None` if it is tried in any case.
#[inline]
pub fn hope(how: &Delta, guess: i32, gain: i32) -> Option<i32> {
    (how.form == DeltaForm::On).then_some(guess + gain + how.margin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hope_is_the_guess_what_is_taken_and_the_margin() {
        let how = Delta { margin: 200, ..Delta::default() };
        assert_eq!(hope(&how, -300, 100), Some(0));
        assert_eq!(hope(&Delta { form: DeltaForm::Off, ..how }, -300, 100), None);
    }
}
