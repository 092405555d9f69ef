//! From values to places on the paper, and where the ticks are.

/// How values are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::report) enum Kind {
    /// Evenly.
    Linear,
    /// By their logarithm; values at or below 0 are moved up to the low end.
    Log,
}

/// A scale from `low` to `high`, which differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::report) struct Scale {
    kind: Kind,
    low: f64,
    high: f64,
}

impl Scale {
    /// A scale that holds both ends; ends that are no numbers or the same are pulled apart.
    pub(in crate::report) fn new(kind: Kind, low: f64, high: f64) -> Scale {
        let sound = |value: f64, other: f64| if value.is_finite() { value } else { other };
        let (mut low, mut high) = (sound(low, 0.0), sound(high, 1.0));
        if low > high {
            (low, high) = (high, low);
        }
        if kind == Kind::Log {
            low = low.max(1e-9);
            high = high.max(low);
            if high / low < 1.01 {
                (low, high) = (low / 2.0, high * 2.0);
            }
        } else if high - low <= 1e-9 * high.abs().max(1e-3) {
            let pull = (0.5 * high.abs()).max(0.5);
            (low, high) = (low - pull, high + pull);
        }
        Scale { kind, low, high }
    }

    /// The low end.
    pub(in crate::report) fn low(&self) -> f64 {
        self.low
    }

    /// The high end.
    pub(in crate::report) fn high(&self) -> f64 {
        self.high
    }

    /// Where a value lies: 0 at the low end, 1 at the high one; beyond them a little at most, so
    /// that a drawing has no huge coordinates.
    pub(in crate::report) fn place(&self, value: f64) -> f64 {
        let part = match self.kind {
            Kind::Linear => (value - self.low) / (self.high - self.low),
            Kind::Log => (value.max(self.low) / self.low).ln() / (self.high / self.low).ln(),
        };
        if part.is_nan() { 0.0 } else { part.clamp(-1.0, 2.0) }
    }

    /// About `wish` round values within the scale.
    pub(in crate::report) fn ticks(&self, wish: usize) -> Vec<f64> {
        match self.kind {
            Kind::Linear => linear_ticks(self.low, self.high, wish),
            Kind::Log => log_ticks(self.low, self.high, wish),
        }
    }
}

/// 1, 2 or 5 times a power of ten apart.
fn linear_ticks(low: f64, high: f64, wish: usize) -> Vec<f64> {
    let rough = (high - low) / wish.max(1) as f64;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .map(|factor| factor * power)
        .into_iter()
        .find(|&step| step >= rough * 0.999)
        .unwrap_or(10.0 * power);
    let (from, to) = ((low / step - 1e-9).ceil() as i64, (high / step + 1e-9).floor() as i64);
    (from..=to).map(|index| index as f64 * step).collect()
}

/// Powers of ten, with 2 and 5 between them where there is room, or fewer where there is none.
fn log_ticks(low: f64, high: f64, wish: usize) -> Vec<f64> {
    let (from, to) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let within = |value: &f64| *value >= low * 0.999 && *value <= high * 1.001;
    let all = |factors: &'static [f64], every: usize| -> Vec<f64> {
        (from..=to)
            .step_by(every)
            .flat_map(|power| factors.iter().map(move |factor| factor * 10_f64.powi(power)))
            .filter(within)
            .collect()
    };
    let fine = all(&[1.0, 2.0, 5.0], 1);
    if fine.len() <= wish + 2 {
        if fine.len() >= 2 { fine } else { linear_ticks(low, high, wish) }
    } else {
        let decades = all(&[1.0], 1).len();
        if decades <= wish + 2 {
            all(&[1.0], 1)
        } else {
            all(&[1.0], decades.div_ceil(wish.max(1)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!(Scale::new(Kind::Linear, 0.0, 97.0).ticks(5), [0.0, 20.0, 40.0, 60.0, 80.0]);
        let near: Vec<String> = Scale::new(Kind::Linear, 0.43, 0.61)
            .ticks(5)
            .iter()
            .map(|t| format!("{t:.2}"))
            .collect();
        assert_eq!(near, ["0.45", "0.50", "0.55", "0.60"]);
        assert_eq!(Scale::new(Kind::Log, 1.0, 1e6).ticks(4), [1.0, 100.0, 10_000.0, 1e6]);
        assert_eq!(Scale::new(Kind::Log, 300.0, 2e6).ticks(5), [1e3, 1e4, 1e5, 1e6]);
        assert_eq!(Scale::new(Kind::Log, 3.0, 60.0).ticks(6), [5.0, 10.0, 20.0, 50.0]);
    }

    #[test]
    fn a_scale_without_extent_is_pulled_apart() {
        assert_eq!(Scale::new(Kind::Linear, 5.0, 5.0).place(5.0), 0.5);
        assert_eq!(Scale::new(Kind::Log, 7.0, 7.0).place(7.0), 0.5);
        assert_eq!(Scale::new(Kind::Linear, f64::NAN, f64::INFINITY).place(0.25), 0.25);
        assert_eq!(Scale::new(Kind::Log, 1.0, 10.0).place(0.0), 0.0);
    }

    proptest! {
        #[test]
        fn there_are_some_ticks_but_not_many(low in -1e6..1e6, extent in 1e-3..1e7, log: bool) {
            let kind = if log { Kind::Log } else { Kind::Linear };
            let scale = Scale::new(kind, low, low + extent);
            let ticks = scale.ticks(5);
            prop_assert!(ticks.len() <= 9, "{:?} {:?}", scale, ticks);
            prop_assert!(ticks.iter().all(|&t| (-0.01..=1.01).contains(&scale.place(t))));
        }
    }
}
