//! Extension of strictly forced replies (Ye and Marsland, 1992): where there is exactly one legal move,
//! the line is followed deeper; it costs one node a ply.
//!
//! Claims that what is forced decides nothing, so that it should not use up depth.

crate::params! {
    /// More depth for the only legal move.
    pub struct ForcedExtension in "forced_extension" {
        switch ForcedExtensionForm = Off {
            /// Never.
            Off = "off",
            /// Where there is one legal move.
            On = "on",
        }
        /// From this depth on.
        depth = 1, in 1..=12, step 1;
        /// How much, in hundredths of a ply.
        amount = 100, in 10..=100, step 10;
    }
}

/// Hundredths of a ply to add to the moves of a node that has so many.
#[inline]
pub fn amount(how: &ForcedExtension, depth: i32, moves: usize) -> i32 {
    let applies = how.form == ForcedExtensionForm::On && depth >= how.depth && moves == 1;
    if applies { how.amount } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_only_legal_move_is_extended() {
        let how = ForcedExtension { form: ForcedExtensionForm::On, depth: 2, amount: 70 };
        assert_eq!([1, 2].map(|moves| amount(&how, 2, moves)), [70, 0]);
        assert_eq!(amount(&how, 1, 1), 0);
        assert_eq!(amount(&ForcedExtension::default(), 2, 1), 0);
    }
}
