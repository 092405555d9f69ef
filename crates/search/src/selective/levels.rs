//! Levels of confidence: a search whose probabilistic cuts are bold first and ever safer then, as the
//! strong programs of Othello have it (Delorme, Edax).
//!
//! Deeper is worth more than surer until there is nothing deeper: iterations go to the full depth (the one
//! asked for, or the end of the game) at the boldest level, then the same depth is searched again level
//! by level, at last without such cuts. What one level has found orders the moves of the next.

crate::params! {
    /// Whether probabilistic cuts go through levels of confidence.
    pub struct Levels in "levels" {
        switch LevelsForm = Off {
            /// One threshold for all.
            Off = "off",
            /// From the boldest to none.
            On = "on",
        }
    }
}

/// A level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(usize);

/// The percent of cuts that are right if errors are normal, and the threshold in hundredths.
const LEVELS: [(u32, i32); 6] =
    [(73, 110), (87, 150), (95, 200), (98, 260), (99, 330), (100, i32::MAX)];

impl Level {
    /// Where a search begins; `None` if it goes through no levels.
    pub fn first(how: &Levels, cuts: bool) -> Option<Level> {
        (how.form == LevelsForm::On && cuts).then_some(Level(0))
    }

    /// Every level, the boldest first.
    pub fn all() -> impl Iterator<Item = Level> {
        (0..LEVELS.len()).map(Level)
    }

    /// The one that is so sure, in percent.
    pub fn of_percent(percent: u32) -> Option<Level> {
        Level::all().find(|level| level.percent() == percent)
    }

    /// The next safer one.
    pub fn next(self) -> Option<Level> {
        (self.0 + 1 < LEVELS.len()).then_some(Level(self.0 + 1))
    }

    /// How sure its cuts are, in percent.
    pub fn percent(self) -> u32 {
        LEVELS[self.0].0
    }

    /// How many deviations beyond the window they lie, in hundredths; `None` where there are none.
    #[inline]
    pub fn threshold(self) -> Option<i32> {
        let (_, threshold) = LEVELS[self.0];
        (threshold < i32::MAX).then_some(threshold)
    }

    /// As entries of the table count it: 0 is certain.
    pub fn confidence(self) -> u8 {
        (LEVELS.len() - 1 - self.0) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selective::probcut::confidence_of;

    #[test]
    fn levels_rise_to_certainty_and_count_as_entries_do() {
        let on = Levels { form: LevelsForm::On };
        assert_eq!(Level::first(&Levels::default(), true), None);
        assert_eq!(Level::first(&on, false), None, "without cuts there is nothing to be sure of");
        let mut level = Level::first(&on, true);
        let mut percents = Vec::new();
        while let Some(here) = level {
            percents.push(here.percent());
            let by_threshold = here.threshold().map_or(0, confidence_of);
            assert_eq!(here.confidence(), by_threshold, "{here:?}");
            level = here.next();
        }
        assert_eq!(percents, [73, 87, 95, 98, 99, 100]);
        assert_eq!(Level::all().map(Level::percent).collect::<Vec<_>>(), percents);
        assert_eq!(Level::of_percent(95).and_then(Level::threshold), Some(200));
        assert_eq!(Level::of_percent(90), None);
    }
}
