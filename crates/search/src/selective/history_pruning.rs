//! History pruning: a quiet move that has failed nearly everywhere is not tried at little depth.
//!
//! Claims that what failed in like places fails here.

crate::params! {
    /// Leaves out quiet moves with a bad history at little depth.
    pub struct HistoryPruning in "history_pruning" {
        switch HistoryPruningForm = On {
            /// Never.
            Off = "off",
            /// Below a threshold that falls with the depth.
            On = "on",
        }
        /// Not with more plies left after the reduction.
        depth = 4, in 1..=10, step 1;
        /// The threshold for each ply of depth.
        margin = 3500, in 500..=12000, step 250;
    }
}

/// Whether a move with this history may be left out; `None` if that is not asked here.
#[inline]
pub fn prunes(how: &HistoryPruning, reduced_depth: i32, depth: i32, history: i32) -> Option<bool> {
    let applies = how.form == HistoryPruningForm::On && reduced_depth <= how.depth;
    applies.then_some(history < -how.margin * depth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deeper_the_worse_a_history_must_be() {
        let how = HistoryPruning { margin: 1_000, ..HistoryPruning::default() };
        assert_eq!(prunes(&how, 2, 3, -3_001), Some(true));
        assert_eq!(prunes(&how, 2, 3, -3_000), Some(false));
        assert_eq!(prunes(&how, 5, 5, -60_000), None);
    }
}
