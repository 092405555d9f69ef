//! How often something happens, with an interval that holds for rare events, and where what is counted
//! comes in clusters.

use super::bootstrap::Interval;
use super::normal::{Z95, student};

/// What was counted together: those to which it happened, and all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cluster {
    /// To which it happened.
    pub part: f64,
    /// All.
    pub whole: f64,
}

/// The share `part / whole` with Wilson's interval (1927); `whole` may be an effective number, which need
/// not be a whole one.
pub fn wilson(share: f64, whole: f64) -> Interval {
    let z = Z95 * Z95;
    let middle = (share + z / (2.0 * whole)) / (1.0 + z / whole);
    let reach = Z95 * (share * (1.0 - share) / whole + z / (4.0 * whole * whole)).sqrt()
        / (1.0 + z / whole);
    // What rounding leaves at the ends is nothing.
    let low = if share <= 0.0 { 0.0 } else { (middle - reach).max(0.0) };
    let high = if share >= 1.0 { 1.0 } else { (middle + reach).min(1.0) };
    Interval { value: share, low, high }
}

/// How many independent ones would tell as much about the share (Korn and Graubard, 1998): fewer than there
/// are if it differs from cluster to cluster more than by chance, and fewer still where few clusters say so.
/// `None` where clusters cannot tell: there are not two, or it happened to all or to none.
pub fn effective(clusters: &[Cluster]) -> Option<f64> {
    let (part, whole) =
        clusters.iter().fold((0.0, 0.0), |sum, next| (sum.0 + next.part, sum.1 + next.whole));
    let many = clusters.len() as f64;
    if clusters.len() < 2 || part <= 0.0 || part >= whole {
        return None;
    }
    let share = part / whole;
    let squares: f64 = clusters.iter().map(|next| (next.part - share * next.whole).powi(2)).sum();
    let variance = many / (many - 1.0) * squares / (whole * whole);
    let careful = (Z95 / student(many - 1.0)).powi(2);
    Some((careful * share * (1.0 - share) / variance).min(whole))
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_search::random::SplitMix;

    #[test]
    fn wilsons_interval_is_that_of_his_paper() {
        let half = wilson(0.5, 2.0);
        assert!((half.low - 0.0945).abs() < 5e-4 && (half.high - 0.9055).abs() < 5e-4, "{half:?}");
        let never = wilson(0.0, 1.0);
        assert!(never.low == 0.0 && (never.high - 0.793).abs() < 5e-4, "{never:?}");
        for many in 1..200 {
            assert_eq!((wilson(0.0, many.into()).low, wilson(1.0, many.into()).high), (0.0, 1.0));
        }
    }

    #[test]
    fn the_same_ones_counted_again_and_again_tell_no_more() {
        let once: Vec<Cluster> =
            (0..400).map(|n| Cluster { part: f64::from(n % 4 / 3), whole: 1.0 }).collect();
        let tenfold: Vec<Cluster> =
            once.iter().map(|one| Cluster { part: 10.0 * one.part, whole: 10.0 }).collect();
        let (once, tenfold) = (effective(&once).unwrap(), effective(&tenfold).unwrap());
        assert!((once - tenfold).abs() < 1e-9 && (390.0..=400.0).contains(&once), "{once}");
        assert_eq!(effective(&[Cluster { part: 3.0, whole: 9.0 }]), None);
        assert_eq!(effective(&[Cluster { part: 0.0, whole: 9.0 }; 5]), None);
        assert_eq!(effective(&[Cluster { part: 9.0, whole: 9.0 }; 5]), None);
    }

    #[test]
    fn intervals_hold_the_truth_where_clusters_differ_and_wilsons_alone_do_not() {
        let mut random = SplitMix::new(8);
        let mut chance = |share: f64| (random.below(1 << 20) as f64) < share * f64::from(1 << 20);
        let (mut careful, mut bold) = (0, 0);
        for _ in 0..400 {
            let clusters: Vec<Cluster> = (0..40)
                .map(|_| {
                    // One position in four is difficult.
                    let rate = if chance(0.25) { 0.17 } else { 0.01 };
                    let part = (0..100).filter(|_| chance(rate)).count();
                    Cluster { part: part as f64, whole: 100.0 }
                })
                .collect();
            let share = clusters.iter().map(|one| one.part).sum::<f64>() / 4_000.0;
            careful += i32::from(!wilson(share, effective(&clusters).unwrap()).excludes(0.05));
            bold += i32::from(!wilson(share, 4_000.0).excludes(0.05));
        }
        assert!(careful >= 360, "{careful} of 400 hold");
        assert!(bold < 260, "{bold} of 400 hold if all are taken for independent");
    }
}
