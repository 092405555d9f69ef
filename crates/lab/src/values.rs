//! Scores, counts and times as people and programs read them.

use std::time::Duration;

use secateur_search::{Band, Score};
use serde_json::{Value, json};

use crate::engine::ScoreValue;

/// The score unless it is none: a search that is stopped at once has no value for its move.
pub fn known(score: Score) -> Option<Score> {
    (score.value().abs() <= Score::MATE.value()).then_some(score)
}

/// `+0.31`, `mate 3` or `mate -2` in moves, `final +12` in points.
pub fn score_text(score: Score) -> String {
    match score.band() {
        Band::Mate { .. } => ScoreValue::of(score).to_string(),
        _ => score.to_string(),
    }
}

/// `{"cp": 31}`, `{"mate": 3}` in moves, `{"final": 12}` in points, `{"tablebase": 14}` in plies.
pub fn score_json(score: Score) -> Value {
    match (score.band(), ScoreValue::of(score)) {
        (Band::Final(points), _) => json!({ "final": points }),
        (Band::Tablebase(plies), _) => json!({ "tablebase": plies }),
        (_, ScoreValue::Mate(moves)) => json!({ "mate": moves }),
        (_, ScoreValue::Centipawns(value)) => json!({ "cp": value }),
    }
}

/// With so many digits after the point, and never a zero below zero.
pub fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    // Adding zero turns -0 into 0; what has no such digits stays as it is.
    if value.is_finite() { (value * scale).round() / scale + 0.0 } else { value }
}

/// Three digits and a letter: `999`, `12.3k`, `4.56M`.
pub fn short(number: u64) -> String {
    let mut value = number as f64;
    let mut unit = "";
    for larger in ["k", "M", "G", "T", "P"] {
        // What would be shown as four digits belongs to the next unit.
        if value < 999.5 {
            break;
        }
        (value, unit) = (value / 1_000.0, larger);
    }
    match unit {
        "" => number.to_string(),
        _ if value < 9.995 => format!("{value:.2}{unit}"),
        _ if value < 99.95 => format!("{value:.1}{unit}"),
        _ => format!("{value:.0}{unit}"),
    }
}

/// `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Nodes in a second.
pub fn per_second(nodes: u64, elapsed: Duration) -> u64 {
    let rate = u128::from(nodes) * 1_000_000 / elapsed.as_micros().max(1);
    rate.try_into().unwrap_or(u64::MAX)
}

/// The value in the middle, or the mean of the two there; 0 for none.
pub fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => 0.0,
        length if length.is_multiple_of(2) => (values[length / 2 - 1] + values[length / 2]) / 2.0,
        length => values[length / 2],
    }
}

/// `50 ms`, `2.50 s`, `12.3 s`, `2:05`.
pub fn time(elapsed: Duration) -> String {
    let seconds = elapsed.as_secs();
    match seconds {
        0 => format!("{} ms", elapsed.as_millis()),
        1..10 => format!("{:.2} s", elapsed.as_secs_f64()),
        10..100 => format!("{:.1} s", elapsed.as_secs_f64()),
        100..3600 => format!("{}:{:02}", seconds / 60, seconds % 60),
        _ => format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_little_below_zero_is_zero() {
        assert_eq!(format!("{:.1} {:+.2}", rounded(-0.04, 1), rounded(-0.001, 2)), "0.0 +0.00");
        assert_eq!(format!("{:.1}", rounded(-0.06, 1)), "-0.1");
        assert_eq!(rounded(f64::NEG_INFINITY, 1), f64::NEG_INFINITY);
    }

    #[test]
    fn mates_are_counted_in_moves_and_the_rest_reads_like_scores() {
        let cases = [
            (Score::heuristic(31), "+0.31", json!({ "cp": 31 })),
            (Score::counted(-12), "final -12", json!({ "final": -12 })),
            (Score::mate_in(1), "mate 1", json!({ "mate": 1 })),
            (Score::mate_in(5), "mate 3", json!({ "mate": 3 })),
            (Score::mated_in(4), "mate -2", json!({ "mate": -2 })),
            (Score::mated_in(0), "mate 0", json!({ "mate": 0 })),
            (Score::tablebase_win_in(14), "tablebase +14", json!({ "tablebase": 14 })),
        ];
        for (score, text, value) in cases {
            assert_eq!((score_text(score).as_str(), score_json(score)), (text, value));
        }
        assert_eq!(known(-Score::INFINITE), None);
        assert_eq!(known(Score::mated_in(0)), Some(Score::mated_in(0)));
    }

    #[test]
    fn numbers_are_short_where_room_is_and_whole_where_it_counts() {
        let numbers = [0, 999, 1_000, 9_994, 9_996, 99_960, 999_499, 999_500, 4_560_000, u64::MAX];
        let texts = numbers.map(short);
        let expected =
            ["0", "999", "1.00k", "9.99k", "10.0k", "100k", "999k", "1.00M", "4.56M", "18447P"];
        assert_eq!(texts, expected);
        assert_eq!([7, 1_000, 1_234_567].map(grouped), ["7", "1,000", "1,234,567"]);
    }

    #[test]
    fn half_of_the_values_are_on_each_side_of_the_median() {
        assert_eq!(median(&[3.0, 9.0, 1.0]), 3.0);
        assert_eq!(median(&[3.0, 9.0, 1.0, 4.0]), 3.5);
        assert_eq!(median(&[]), 0.0);
    }

    #[test]
    fn times_grow_with_their_units() {
        let texts = [50, 2_500, 12_345, 125_000, 3_725_000]
            .map(|milliseconds| time(Duration::from_millis(milliseconds)));
        assert_eq!(texts, ["50 ms", "2.50 s", "12.3 s", "2:05", "1:02:05"]);
        assert_eq!(per_second(500, Duration::from_millis(250)), 2_000);
        assert_eq!(per_second(u64::MAX, Duration::ZERO), u64::MAX);
    }
}
