//! From when on the right answer was never left again.

use std::time::Duration;

/// How far a search was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// Since its beginning.
    pub time: Duration,
    /// Plies.
    pub depth: u32,
    /// Nodes.
    pub nodes: u64,
}

/// Watches a search come to its answer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settling {
    since: Option<Moment>,
}

impl Settling {
    /// At this moment the best move was right, or was not.
    pub fn see(&mut self, right: bool, moment: Moment) {
        self.since = if right { self.since.or(Some(moment)) } else { None };
    }

    /// For how many plies more than at first it has been right.
    pub fn held(&self, depth: u32) -> Option<u32> {
        self.since.map(|since| depth.saturating_sub(since.depth))
    }

    /// When the final answer was found for good. An answer that was never announced before was
    /// found at the end.
    pub fn solution(&self, right: bool, end: Moment) -> Option<Moment> {
        right.then(|| self.since.unwrap_or(end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(depth: u32) -> Moment {
        Moment {
            time: Duration::from_millis(10 * u64::from(depth)),
            depth,
            nodes: u64::from(depth),
        }
    }

    fn solution(seen: &[bool], right: bool) -> Option<u32> {
        let mut settling = Settling::default();
        for (depth, right) in (1..).zip(seen) {
            settling.see(*right, at(depth));
        }
        settling.solution(right, at(99)).map(|moment| moment.depth)
    }

    #[test]
    fn what_counts_is_the_last_time_it_settles_on_the_move() {
        assert_eq!(solution(&[false, true, true], true), Some(2));
        assert_eq!(solution(&[true, false, true, true], true), Some(3));
        assert_eq!(solution(&[true, true, false], false), None);
        assert_eq!(solution(&[true, true], false), None, "changed its mind at the very end");
        assert_eq!(solution(&[false], true), Some(99), "changed its mind at the very end");
        assert_eq!(solution(&[], true), Some(99));
    }

    #[test]
    fn how_long_it_has_been_right_is_counted_in_plies() {
        let mut settling = Settling::default();
        assert_eq!(settling.held(5), None);
        settling.see(true, at(3));
        settling.see(true, at(4));
        assert_eq!(settling.held(5), Some(2));
    }
}
