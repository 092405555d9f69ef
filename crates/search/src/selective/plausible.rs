//! Plausible moves: only the first moves of a good order are tried at all, as in the programs of the
//! seventies (Greenblatt, 1967), everywhere or in the middle layer of a staged search (Slate and Atkin,
//! 1977): so many plies of full width from the root, then the likeliest moves, then captures.
//!
//! Claims that the order is never wrong by more than the width. It is: a baseline to measure others by,
//! and the static special case of RankCut (Lim and Lee, 2006).

crate::params! {
    /// Tries only the first moves.
    pub struct Plausible in "plausible" {
        switch PlausibleForm = Off {
            /// All moves.
            Off = "off",
            /// Only so many at every node below the root.
            Everywhere = "everywhere",
            /// Only so many beyond the first plies.
            Staged = "staged",
        }
        /// So many moves are tried.
        moves = 10, in 1..=64, step 1;
        /// Staged: plies of full width, in percent of the depth of the iteration.
        full = 50, in 0..=100, step 5;
    }
}

/// Whether no more moves are tried at a node `ply` plies from the root, in an iteration of this depth,
/// when `tried` have been. Every reply to check is.
#[inline]
pub fn is_enough(
    how: &Plausible,
    ply: usize,
    iteration: i32,
    in_check: bool,
    tried: usize,
) -> bool {
    let narrow = match how.form {
        PlausibleForm::Off => return false,
        PlausibleForm::Everywhere => true,
        PlausibleForm::Staged => ply as i32 * 100 >= iteration * how.full,
    };
    narrow && !in_check && tried >= how.moves as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_width_is_kept_from_the_ply_where_it_begins() {
        let everywhere = Plausible { form: PlausibleForm::Everywhere, moves: 3, full: 50 };
        assert!(is_enough(&everywhere, 1, 8, false, 3));
        assert!(!is_enough(&everywhere, 1, 8, false, 2));
        assert!(!is_enough(&everywhere, 1, 8, true, 30), "every reply to check");
        let staged = Plausible { form: PlausibleForm::Staged, ..everywhere };
        assert!(!is_enough(&staged, 3, 8, false, 30), "full width");
        assert!(is_enough(&staged, 4, 8, false, 3));
        assert!(!is_enough(&Plausible::default(), 4, 8, false, 99));
    }
}
