use super::Model::{Logistic, Normalized};
use super::*;
use crate::statistics::counts::{Pentanomial, Trinomial};
use proptest::prelude::*;
use secateur_search::random::SplitMix;

fn test(elo0: f64, elo1: f64, model: Model) -> Sprt {
    Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap()
}

fn games(wins: u64, losses: u64, draws: u64) -> Trinomial {
    Trinomial { wins, draws, losses }
}

/// Equal as far as two printed decimals go.
fn prints(value: f64, published: f64) -> bool {
    (value - published).abs() < 0.005 + 1e-9
}

#[test]
fn the_worked_example_comes_out() {
    let counts = Pentanomial([10, 40, 120, 45, 12]);
    for (model, llr) in [(Logistic, 0.217), (Normalized, 0.163)] {
        let test = test(0.0, 5.0, model);
        assert!((test.llr(&counts) - llr).abs() < 0.0005, "{}", test.llr(&counts));
        assert!((test.llr_approximate(&counts) - llr).abs() < 0.0005);
    }
}

#[test]
fn published_ratios_of_pairs_come_out_to_the_printed_digits() {
    let published = [
        // Pull requests with the result blocks of fastchess: Serendipity 55 and 54, Potential 12,
        // cinder 727.
        ([283, 1151, 2214, 1221, 281], -5.0, 3.0, 2.95),
        ([84, 240, 451, 274, 119], 0.0, 10.0, 3.01),
        ([50, 287, 610, 387, 73], 0.0, 5.0, 2.97),
        // Pull requests with those of OpenBench: viridithas 240, PlentyChess 95 and 213, Clockwork
        // 98, hobbes 123 and 152, Stormphrax 89 (a lead of 345 Elo).
        ([119, 8306, 19310, 8624, 123], 0.0, 3.0, 2.96),
        ([46, 936, 2083, 1043, 63], 0.0, 5.0, 2.91),
        ([44, 241, 590, 413, 71], 0.0, 3.0, 2.91),
        ([144, 334, 672, 417, 193], 0.0, 5.0, 3.01),
        ([27, 321, 753, 439, 40], 0.0, 4.0, 2.69),
        ([1, 187, 528, 290, 8], 0.0, 4.0, 2.56),
        ([0, 1, 12, 14, 58], 0.0, 10.0, 2.95),
        // Tests of Stockfish by their number on fishtest: 69675ab9d5a3b5895b50fb44,
        // 6983867b473df9d1d24a9148, 6984bb68473df9d1d24a9378, 6983946d473df9d1d24a916d,
        // 697f19db5f56030af97b5b01.
        ([19, 4020, 10316, 4215, 24], -1.75, 0.25, 2.94),
        ([291, 10353, 21899, 10175, 306], 0.0, 2.0, -3.08),
        ([2, 40, 72, 14, 0], 0.0, 2.0, -0.36),
        ([45, 8506, 25934, 8883, 57], 0.5, 2.5, 2.94),
        ([105, 19880, 51075, 20005, 108], 0.5, 2.5, -2.94),
        // Expectations of the tests in the repositories of fastchess and ShogiHome.
        ([365, 16618, 36229, 16974, 390], 0.0, 2.0, 2.25),
        ([127, 4883, 10712, 5150, 104], -1.75, 0.25, 3.01),
        ([0, 0, 0, 0, 10], -1.75, 0.25, 0.08),
        ([10, 6, 4, 2, 0], -1.75, 0.25, -0.13),
    ];
    for (cells, elo0, elo1, llr) in published {
        let found = test(elo0, elo1, Normalized).llr(&Pentanomial(cells));
        assert!(prints(found, llr), "{cells:?}: {found}, published {llr}");
    }
    // The logistic model, from the tests of fastchess.
    for (cells, elo0, elo1, llr) in [
        ([223, 9863, 21279, 10037, 246], 0.5, 2.5, -3.07),
        ([871, 26175, 55983, 26678, 821], 0.0, 2.0, -4.98),
    ] {
        let found = test(elo0, elo1, Logistic).llr(&Pentanomial(cells));
        assert!(prints(found, llr), "{cells:?}: {found}, published {llr}");
    }
}

#[test]
fn published_ratios_of_games_come_out_to_the_printed_digits() {
    // cutechess issue 543, confirmed there by a second program; the rest from the tests of
    // fastchess.
    for (counts, elo0, elo1, model, llr) in [
        (games(880, 759, 1863), 0.0, 5.0, Logistic, 2.95),
        (games(21404, 21184, 40708), 0.5, 2.5, Logistic, -1.57),
        (games(57433, 57030, 106593), 0.0, 2.0, Logistic, -2.59),
        (games(36433, 36027, 68692), 0.0, 2.0, Normalized, 0.92),
        (games(10871, 10650, 20431), -1.75, 0.25, Normalized, 2.30),
    ] {
        let found = test(elo0, elo1, model).llr(&counts);
        assert!(prints(found, llr), "{counts}: {found}, published {llr}");
    }
    // All games won. fastchess has 120.56; every unseen thousandth of a game costs something.
    let found = test(0.0, 10.0, Normalized).llr(&games(4250, 0, 0));
    assert!((found - 120.56).abs() < 0.02, "{found}");
}

#[test]
fn the_exact_form_and_the_approximation_part_ways_for_a_large_lead() {
    let counts = Pentanomial([44, 241, 590, 413, 71]);
    let test = test(0.0, 3.0, Normalized);
    assert!(prints(test.llr(&counts), 2.91) && prints(test.llr_approximate(&counts), 3.00));
}

#[test]
fn hugely_unequal_results_are_answered_at_once() {
    // fastchess issue 877: everything lost, hypotheses far out.
    for model in [Normalized, Logistic] {
        for (elo0, elo1) in [(-1500.0, -500.0), (-4000.0, 4000.0), (500.0, 1500.0), (0.0, 0.01)] {
            for cells in [[20, 0, 0, 0, 0], [0, 0, 0, 0, 20], [0, 0, 9, 0, 0], [1, 0, 0, 0, 0]] {
                let test = test(elo0, elo1, model);
                let standing = test.standing(&Pentanomial(cells));
                assert!(standing.llr.is_finite(), "{model:?} {elo0} {cells:?} {standing:?}");
                let outlook = standing.outlook.unwrap();
                assert!(outlook.games >= 0.0 && (0.0..=1.0).contains(&outlook.accept_h1));
                assert!(!test.llr_approximate(&Pentanomial(cells)).is_nan());
            }
        }
    }
    let lost = test(-1500.0, -500.0, Normalized).standing(&Pentanomial([500, 0, 0, 0, 0]));
    assert_eq!(lost.verdict, Verdict::AcceptH0);
}

#[test]
fn nothing_is_known_before_the_first_game() {
    let standing = test(0.0, 5.0, Normalized).standing(&Pentanomial::default());
    assert_eq!(standing, Standing { llr: 0.0, verdict: Verdict::Continue, outlook: None });
}

#[test]
fn the_bounds_decide_exactly_where_they_lie() {
    let test = Sprt::new(0.0, 5.0, 0.05, 0.10, Normalized).unwrap();
    let (lower, upper) = test.bounds();
    // As OpenBench prints them: (-2.25, 2.89).
    assert!(prints(lower, -2.25) && prints(upper, 2.89));
    assert_eq!(test.verdict(upper), Verdict::AcceptH1);
    assert_eq!(test.verdict(upper - 1e-9), Verdict::Continue);
    assert_eq!(test.verdict(lower), Verdict::AcceptH0);
    assert_eq!(test.verdict(lower + 1e-9), Verdict::Continue);
}

#[test]
fn a_test_that_makes_no_sense_is_refused() {
    for (elo0, elo1) in [(5.0, 0.0), (1.0, 1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
        assert!(Sprt::new(elo0, elo1, 0.05, 0.05, Normalized).is_err(), "{elo0} {elo1}");
    }
    for (alpha, beta) in [(0.0, 0.05), (0.05, 0.5), (f64::NAN, 0.05), (-0.1, 0.1)] {
        assert!(Sprt::new(0.0, 5.0, alpha, beta, Normalized).is_err(), "{alpha} {beta}");
    }
    let test = test(0.0, 5.0, Normalized);
    assert!(test.plan(0.0, 1.0).is_ok() && test.plan(0.0, 1.1).is_err());
    assert!(test.plan(400.0, 0.5).is_err() && test.plan(f64::NAN, 0.3).is_err());
}

/// The share of simulated tests that accept H1, and their mean length in games.
fn simulate(test: &Sprt, pairs: [usize; 5], rounds: u32, seed: u64) -> (f64, f64) {
    let mut random = SplitMix::new(seed);
    let total = pairs.iter().sum();
    let (mut accepted, mut played) = (0, 0);
    for _ in 0..rounds {
        let mut counts = Pentanomial::default();
        loop {
            let mut pick = random.below(total);
            let cell = pairs.iter().position(|&count| {
                let here = pick < count;
                pick = pick.wrapping_sub(count);
                here
            });
            counts.0[cell.unwrap()] += 1;
            match test.verdict(test.llr(&counts)) {
                Verdict::Continue => {}
                Verdict::AcceptH0 => break,
                Verdict::AcceptH1 => {
                    accepted += 1;
                    break;
                }
            }
        }
        played += counts.games();
    }
    (f64::from(accepted) / f64::from(rounds), played as f64 / f64::from(rounds))
}

#[test]
fn simulated_tests_err_no_more_often_than_promised_and_last_as_long_as_foretold() {
    // Pairs at exactly 0 and at exactly the normalised Elo of H1, by symmetry and by construction.
    let level = [50, 200, 500, 200, 50];
    let better = [40, 180, 500, 220, 60];
    let (mean, variance) = Pentanomial(better.map(|count| count as u64)).moments().unwrap();
    let lead = (mean - 0.5) / (2.0 * variance).sqrt() * NORMALISED_SCALE;
    let test = test(0.0, lead, Normalized);
    let rounds = 400;
    // Three standard errors of a share of 0.05 are 0.033.
    let (false_alarms, _) = simulate(&test, level, rounds, 11);
    assert!(false_alarms < 0.05 + 0.033, "{false_alarms}");
    let (power, length) = simulate(&test, better, rounds, 12);
    assert!(power > 0.95 - 0.033, "{power}");
    let shares = better.map(|count| count as f64 / 1000.0);
    let foretold = test.outlook(0.0, &[0.0, 0.25, 0.5, 0.75, 1.0], &shares, 2);
    assert!((foretold.accept_h1 - 0.95).abs() < 0.01, "{foretold:?}");
    assert!((length / foretold.games - 1.0).abs() < 0.15, "{length} {foretold:?}");
}

#[test]
fn the_plan_is_longest_between_the_hypotheses_and_does_not_depend_on_draws_when_normalised() {
    let test = test(0.0, 5.0, Normalized);
    let length = |elo: f64| test.plan(elo, 0.0).unwrap().games;
    assert!(length(2.5) > length(0.0) && length(2.5) > length(5.0));
    assert!(
        (test.plan(0.0, 0.0).unwrap().games / test.plan(0.0, 0.6).unwrap().games - 1.0).abs()
            < 0.01
    );
    // Wald (1945): with equal rates of 5 % and a lead of t = elo1 / scale deviations, the length
    // under either hypothesis is 2 (0.9 ln 19) / t².
    let wald = 2.0 * 0.9 * 19_f64.ln() / (5.0 / NORMALISED_SCALE).powi(2);
    assert!((length(0.0) / wald - 1.0).abs() < 0.01, "{} {wald}", length(0.0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn from_the_other_side_the_ratio_changes_its_sign(
        cells in prop::array::uniform5(0_u64..300), elo0 in -50.0..50.0, width in 0.1..50.0,
        logistic: bool,
    ) {
        let model = if logistic { Logistic } else { Normalized };
        let counts = Pentanomial(cells);
        let ours = test(elo0, elo0 + width, model).llr(&counts);
        let theirs = test(-elo0 - width, -elo0, model).llr(&counts.swapped());
        prop_assert!(ours.is_finite());
        prop_assert!((ours + theirs).abs() < 1e-6 * (1.0 + ours.abs()), "{} {}", ours, theirs);
    }

    #[test]
    fn twice_the_games_are_twice_the_evidence(cells in prop::array::uniform5(1_u64..300)) {
        let test = test(0.0, 5.0, Normalized);
        let once = test.llr(&Pentanomial(cells));
        let twice = test.llr(&Pentanomial(cells.map(|count| 2 * count)));
        prop_assert!((2.0 * once - twice).abs() < 1e-7 * (1.0 + twice.abs()));
    }
}
