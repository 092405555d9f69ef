use super::*;
use secateur_search::random::SplitMix;

fn likelihood(shares: &[f64], q: &[f64]) -> f64 {
    shares.iter().zip(q).map(|(p, q)| p * q.ln()).sum()
}

fn lead(scores: &[f64], q: &[f64]) -> f64 {
    let (mean, variance) = moments(scores, q);
    (mean - 0.5) / variance.sqrt()
}

/// A number from 0 to 1.
fn unit(random: &mut SplitMix) -> f64 {
    (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

#[test]
fn the_hypothesis_holds_exactly_in_the_answer() {
    for cells in [[10, 40, 120, 45, 12], [0, 0, 0, 0, 104], [1, 0, 0, 0, 0], [3, 0, 900, 0, 0]] {
        let (scores, shares, _) = shares(&cells);
        for wanted in [0.001, 0.2, 0.5, 0.7, 0.999] {
            let q = with_mean(&scores, &shares, wanted);
            assert!((moments(&scores, &q).0 - wanted).abs() < 1e-9, "{cells:?} {wanted}");
            assert!((q.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{cells:?} {wanted}");
        }
        for wanted in [-5.0, -0.3, -0.01, 0.0, 0.02, 0.4, 5.0] {
            let q = with_lead(&scores, &shares, 0.5, wanted);
            assert!((lead(&scores, &q) - wanted).abs() < 1e-6, "{cells:?} {wanted}");
            assert!((q.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{cells:?} {wanted}");
        }
    }
}

#[test]
fn three_scores_leave_one_freedom_and_a_scan_of_it_finds_nothing_likelier() {
    // The wins are tried in small steps; given them, the losses follow from the hypothesis.
    for cells in [[30, 50, 40], [5, 0, 60], [200, 3, 100]] {
        let (scores, shares, _) = shares(&cells);
        for wanted in [-0.4, -0.02, 0.05, 0.3, 1.5] {
            let found = likelihood(&shares, &with_lead(&scores, &shares, 0.5, wanted));
            let mut best = f64::NEG_INFINITY;
            for step in 1..20_000 {
                let wins = f64::from(step) / 20_000.0;
                // (wins - losses)/2 = t σ with σ² = (wins + losses)/4 - (wins - losses)²/4.
                let at = |losses: f64| lead(&scores, &[losses, 1.0 - wins - losses, wins]) - wanted;
                let (mut low, mut high) = (1e-15, 1.0 - wins - 1e-15);
                if !(at(low) > 0.0 && at(high) < 0.0) {
                    continue;
                }
                for _ in 0..60 {
                    let middle = 0.5 * (low + high);
                    if at(middle) > 0.0 { low = middle } else { high = middle }
                }
                best = best.max(likelihood(&shares, &[low, 1.0 - wins - low, wins]));
            }
            // The scan has steps, so it falls a little short.
            assert!(
                found > best - 1e-9 && found < best + 2e-5,
                "{cells:?} {wanted}: {found} {best}"
            );
        }
    }
}

#[test]
fn no_distribution_nearby_that_keeps_the_hypothesis_is_likelier() {
    let mut random = SplitMix::new(7);
    for cells in [[10, 40, 120, 45, 12], [84, 240, 451, 274, 119], [0, 1, 12, 14, 58]] {
        let (scores, shares, _) = shares(&cells);
        for wanted in [-0.3, 0.02, 0.25] {
            let q = with_lead(&scores, &shares, 0.5, wanted);
            let best = likelihood(&shares, &q);
            let mut tried = 0;
            for round in 0..3_000 {
                let width = [0.5, 0.05, 0.005][round % 3];
                let mut other: Vec<f64> =
                    q.iter().map(|q| q * (width * (2.0 * unit(&mut random) - 1.0)).exp()).collect();
                let sum: f64 = other.iter().sum();
                other.iter_mut().for_each(|share| *share /= sum);
                // Tilted until the hypothesis holds again.
                let tilted = |x: f64| {
                    let raw: Vec<f64> =
                        other.iter().zip(&scores).map(|(q, a)| q * (x * a).exp()).collect();
                    let sum: f64 = raw.iter().sum();
                    raw.iter().map(|share| share / sum).collect::<Vec<f64>>()
                };
                let (mut low, mut high) = (-3.0, 3.0);
                for _ in 0..80 {
                    let x = 0.5 * (low + high);
                    if lead(&scores, &tilted(x)) < wanted { low = x } else { high = x }
                }
                let other = tilted(low);
                if (lead(&scores, &other) - wanted).abs() < 1e-9 {
                    tried += 1;
                    assert!(likelihood(&shares, &other) <= best + 1e-9, "{cells:?} {wanted}");
                }
            }
            assert!(tried > 2_000, "{tried}");
        }
    }
}
