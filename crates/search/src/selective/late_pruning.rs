//! Late-move pruning: at little depth the quiet moves beyond the first few are not tried.
//!
//! Claims that ordering puts a good quiet move among the first. Unsound where history knows
//! nothing of the position.

use crate::calibrate::reductions::DEPTHS;

crate::params! {
    /// Leaves out late quiet moves at little depth.
    pub struct LatePruning in "late_pruning" {
        switch LatePruningForm = On {
            /// Never.
            Off = "off",
            /// By their number.
            On = "on",
            /// By a table of reductions: those that it finds not worth a search. By their number at one ply, of which a
            /// table knows nothing.
            Learned = "learned",
        }
        /// Not with more plies left.
        depth = 8, in 1..=16, step 1;
        /// Moves tried in any case.
        base = 15, in 1..=20, step 1;
        /// More of them for the square of the depth, in hundredths.
        slope = 100, in 20..=400, step 10;
        /// The share of that where the guess does not improve, in percent.
        worsening = 50, in 20..=100, step 5;
    }
}

/// Whether enough moves have been tried; `None` if that is not asked here.
#[inline]
pub fn is_enough(how: &LatePruning, depth: i32, improving: bool, count: usize) -> Option<bool> {
    let by_number = match how.form {
        LatePruningForm::Off => false,
        LatePruningForm::On => true,
        LatePruningForm::Learned => !is_learned(depth),
    };
    if !by_number || depth > how.depth {
        return None;
    }
    let most = how.base * 100 + how.slope * depth * depth;
    let most = if improving { most } else { most * how.worsening / 100 };
    Some(count as i32 * 100 >= most)
}

/// Whether a table of reductions can tell of moves at this depth: where none could be taken off none were
/// sampled.
#[inline]
pub fn is_learned(depth: i32) -> bool {
    depth >= DEPTHS[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_moves_are_tried_at_more_depth_and_when_things_improve() {
        let how =
            LatePruning { depth: 8, base: 4, slope: 100, worsening: 50, ..LatePruning::default() };
        assert_eq!(is_enough(&how, 2, true, 7), Some(false));
        assert_eq!(is_enough(&how, 2, true, 8), Some(true));
        assert_eq!(is_enough(&how, 2, false, 3), Some(false));
        assert_eq!(is_enough(&how, 2, false, 4), Some(true));
        assert_eq!(is_enough(&how, 9, false, 200), None, "beyond its depth");
        let learned = LatePruning { form: LatePruningForm::Learned, ..how.clone() };
        assert_eq!(is_enough(&learned, 2, true, 200), None, "the table tells");
        assert_eq!(is_enough(&learned, 1, true, 200), Some(true), "it does not tell of this depth");
        let off = LatePruning { form: LatePruningForm::Off, ..how };
        assert_eq!(is_enough(&off, 1, true, 200), None);
    }
}
