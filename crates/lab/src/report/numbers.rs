//! Numbers as short as a reader needs them.

use crate::statistics::elo::Estimate;
use crate::values;

/// With so many digits after the point, and never `-0`; infinity as a sign.
pub(super) fn fixed(value: f64, digits: usize) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "∞" } else { "−∞" }.to_string();
    }
    let text = format!("{value:.digits$}");
    match text.strip_prefix('-') {
        Some(bare) if bare.chars().all(|c| matches!(c, '0' | '.')) => bare.to_string(),
        Some(bare) => format!("−{bare}"),
        None => text,
    }
}

/// The same with its sign, also above 0.
pub(super) fn signed(value: f64, digits: usize) -> String {
    let text = fixed(value, digits);
    if value > 0.0 && text.chars().any(|c| matches!(c, '1'..='9' | '∞')) {
        format!("+{text}")
    } else {
        text
    }
}

/// `51.3 %` of a share.
pub(super) fn percent(share: f64) -> String {
    format!("{} %", fixed(100.0 * share, 1))
}

/// `+23.4 ± 12.1`; an error that cannot be told is left out.
pub(super) fn estimate(estimate: Estimate) -> String {
    let digits = if estimate.value.abs() < 100.0 { 1 } else { 0 };
    let value = signed(estimate.value, digits);
    if estimate.error.is_finite() {
        format!("{value} ± {}", fixed(estimate.error, digits))
    } else {
        format!("{value}, error unknown")
    }
}

/// A p-value: three digits, or that it is smaller.
pub(super) fn chance(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_string() } else { fixed(p, 3) }
}

/// A coordinate of a drawing: a tenth of a unit is finer than any screen.
pub(super) fn coordinate(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_string() } else { text.to_string() }
}

/// Three digits and a letter, for counts that came as numbers.
pub(super) fn short(value: f64) -> String {
    if value >= 10.0 { values::short(value.round() as u64) } else { trimmed(value, 2) }
}

/// A round number on an axis: `1k`, `20M`.
pub(super) fn round(value: f64) -> String {
    let units = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    match units.iter().find(|unit| value >= 0.999 * unit.0) {
        Some((size, unit)) => format!("{}{unit}", trimmed(value / size, 2)),
        None => trimmed(value, 2),
    }
}

/// A round time on an axis, of milliseconds: `20 ms`, `5 s`.
pub(super) fn round_time(value: f64) -> String {
    if value < 999.0 {
        format!("{} ms", trimmed(value, 2))
    } else {
        format!("{} s", round(value / 1e3))
    }
}

/// At most so many digits after the point, none of them idle.
pub(super) fn trimmed(value: f64, digits: usize) -> String {
    let text = fixed(value, digits);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text,
    }
}

/// `45 ms`, `1.2 s`, `2:05`.
pub(super) fn milliseconds(value: f64) -> String {
    if value < 10.0 {
        return format!("{} ms", trimmed(value, 1));
    }
    values::time(std::time::Duration::from_secs_f64((value / 1e3).clamp(0.0, 1e12)))
}

/// `1 game`, `2 games`.
pub(super) fn many(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {what}{plural}", values::grouped(count as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_zero_has_no_sign() {
        assert_eq!(fixed(-0.04, 1), "0.0");
        assert_eq!([signed(0.04, 1), signed(3.0, 0), signed(-3.26, 1)], ["0.0", "+3", "−3.3"]);
        assert_eq!(signed(f64::INFINITY, 1), "+∞");
        assert_eq!([coordinate(3.04), coordinate(-0.01), coordinate(2.25)], ["3", "0", "2.2"]);
        assert_eq!([trimmed(1.50, 2), trimmed(10.0, 0), short(0.5)], ["1.5", "10", "0.5"]);
        assert_eq!([round(1e3), round(2e7), round(50.0)], ["1k", "20M", "50"]);
        assert_eq!([round_time(20.0), round_time(5e3)], ["20 ms", "5 s"]);
        assert_eq!(chance(0.000_4), "< 0.001");
        assert_eq!([many(1, "game"), many(1_200, "game")], ["1 game", "1,200 games"]);
    }

    #[test]
    fn an_unknown_error_is_called_so() {
        assert_eq!(estimate(Estimate { value: 23.44, error: 12.06 }), "+23.4 ± 12.1");
        let won_all = Estimate { value: f64::INFINITY, error: f64::INFINITY };
        assert_eq!(estimate(won_all), "+∞, error unknown");
    }
}
