//! Days of the calendar, in universal time.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Seconds since the beginning of 1970.
pub fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs_f64()
}

/// A moment by the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Year, month and day.
    pub day: (i64, u32, u32),
    /// Hour, minute and second.
    pub time: (u32, u32, u32),
}

/// Seconds since the beginning of 1970 by the calendar (after Hinnant, `days_from_civil`, 2013:
/// years begin in March, so that the odd day is the last).
pub fn moment(seconds: f64) -> Moment {
    let seconds = seconds.max(0.0) as i64;
    let (days, rest) = (seconds / 86_400 + 719_468, (seconds % 86_400) as u32);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = (day_of_year - (153 * month + 2) / 5 + 1) as u32;
    let month = if month < 10 { month + 3 } else { month - 9 } as u32;
    let year = year + era * 400 + i64::from(month <= 2);
    Moment { day: (year, month, day), time: (rest / 3600, rest / 60 % 60, rest % 60) }
}

impl Moment {
    /// `2026-11-05`, with another sign between the parts.
    pub fn date(&self, between: char) -> String {
        let (year, month, day) = self.day;
        format!("{year:04}{between}{month:02}{between}{day:02}")
    }

    /// `2026-11-05T12:30:59Z`.
    pub fn stamp(&self) -> String {
        let (hour, minute, second) = self.time;
        format!("{}T{hour:02}:{minute:02}:{second:02}Z", self.date('-'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moments_have_their_dates() {
        let cases = [
            (0.0, "1970-01-01T00:00:00Z"),
            (951_782_400.0, "2000-02-29T00:00:00Z"),
            (1_000_000_000.9, "2001-09-09T01:46:40Z"),
            (4_102_444_799.0, "2099-12-31T23:59:59Z"),
        ];
        for (seconds, stamp) in cases {
            assert_eq!(moment(seconds).stamp(), stamp);
        }
    }
}
