use super::*;
use crate::statistics::counts::{Pentanomial, Trinomial};
use proptest::prelude::*;
use secateur_search::random::SplitMix;

/// Equal as far as two printed decimals go.
fn prints(value: f64, published: f64) -> bool {
    (value - published).abs() < 0.005 + 1e-9
}

fn games(wins: u64, losses: u64, draws: u64) -> Trinomial {
    Trinomial { wins, draws, losses }
}

#[test]
fn the_worked_example_comes_out() {
    let counts = Pentanomial([10, 40, 120, 45, 12]);
    let (elo, normalised) = (logistic(&counts).unwrap(), normalised(&counts).unwrap());
    assert!(prints(elo.value, 6.89) && (elo.error - 19.7).abs() < 0.05, "{elo:?}");
    assert!(prints(normalised.value, 11.17) && prints(normalised.error, 31.96), "{normalised:?}");
}

#[test]
fn published_results_come_out_to_the_printed_digits() {
    // Pairs: (counts, Elo, error, nElo, error, LOS in per cent), as fastchess printed them in the
    // pull requests Serendipity 55, 54 and 59, Potential 12 and cinder 727.
    let published = [
        ([283, 1151, 2214, 1221, 281], 2.23, 4.50, 3.32, 6.71, 83.40),
        ([275, 1381, 2577, 1389, 380], 6.31, 4.16, 9.42, 6.22, 99.85),
        ([64, 406, 794, 466, 71], 7.14, 7.10, 11.41, 11.35, 97.57),
        ([84, 240, 451, 274, 119], 15.48, 10.60, 20.60, 14.09, 99.79),
        ([50, 287, 610, 387, 73], 18.04, 8.23, 28.19, 12.84, 100.00),
    ];
    for (cells, value, error, normal, normal_error, los) in published {
        let counts = Pentanomial(cells);
        let (elo, nelo) = (logistic(&counts).unwrap(), normalised(&counts).unwrap());
        assert!(prints(elo.value, value) && prints(elo.error, error), "{cells:?}: {elo:?}");
        assert!(prints(nelo.value, normal) && prints(nelo.error, normal_error), "{nelo:?}");
        assert!(prints(100.0 * superiority(&counts), los), "{cells:?}");
    }
    // Games: cutechess issue 543 (880 - 759 - 1863: 12.0 +/- 7.9, LOS 99.9 %), and the
    // expectations of the test of the Elo models in the repository of fastchess.
    let elo = logistic(&games(880, 759, 1863)).unwrap();
    assert!((elo.value - 12.0).abs() < 0.05 && (elo.error - 7.9).abs() < 0.05, "{elo:?}");
    assert!((superiority(&games(880, 759, 1863)) - 0.999).abs() < 0.0005);
    let elo = logistic(&games(136, 96, 111)).unwrap();
    assert!(prints(elo.value, 40.70) && prints(elo.error, 30.43), "{elo:?}");
    let nelo = normalised(&games(136, 96, 111)).unwrap();
    assert!(prints(nelo.value, 49.77) && prints(nelo.error, 36.77), "{nelo:?}");
    assert!(prints(100.0 * superiority(&games(136, 96, 111)), 99.60));
    assert!(prints(100.0 * superiority(&games(76, 89, 123)), 15.53));
    assert!(prints(100.0 * superiority(&Pentanomial([332, 433, 498, 333, 334])), 5.05));
}

#[test]
fn without_games_there_is_no_estimate() {
    let nothing = Pentanomial::default();
    assert_eq!((logistic(&nothing), normalised(&nothing)), (None, None));
    assert_eq!(superiority(&nothing), 0.5);
}

#[test]
fn an_error_that_cannot_be_told_is_infinite_and_never_a_number_that_misleads() {
    let lone = Pentanomial([0, 0, 0, 1, 0]);
    let elo = logistic(&lone).unwrap();
    assert!(prints(elo.value, 190.85) && elo.error == f64::INFINITY, "{elo:?}");
    assert_eq!(superiority(&lone), 0.75);
    let won = logistic(&games(10, 0, 0)).unwrap();
    assert_eq!((won.value, won.error), (f64::INFINITY, f64::INFINITY));
    let drawn = normalised(&games(0, 0, 7)).unwrap();
    assert_eq!((drawn.value, drawn.error), (0.0, f64::INFINITY));
    assert_eq!(superiority(&games(0, 3, 0)), 0.0625);
}

#[test]
fn superiority_is_the_share_of_resampled_matches_that_are_won() {
    // A second way: draw matches from the measured shares and look who leads.
    let counts = Pentanomial([60, 300, 700, 340, 66]);
    let mut random = SplitMix::new(2024);
    let pairs: Vec<usize> =
        (0..5).flat_map(|cell| std::iter::repeat_n(cell, counts.0[cell] as usize)).collect();
    let (mut won, rounds) = (0.0, 20_000);
    for _ in 0..rounds {
        let points: usize = (0..pairs.len()).map(|_| pairs[random.below(pairs.len())]).sum();
        let level = 2 * pairs.len();
        won += if points > level {
            1.0
        } else if points == level {
            0.5
        } else {
            0.0
        };
    }
    let share = won / f64::from(rounds);
    assert!((share - superiority(&counts)).abs() < 0.008, "{share} {}", superiority(&counts));
}

proptest! {
    #[test]
    fn a_score_and_its_elo_say_the_same(elo in -1_500.0..1_500.0) {
        prop_assert!((from_score(expected_score(elo)) - elo).abs() < 1e-6);
    }

    #[test]
    fn from_the_other_side_the_lead_is_a_deficit(cells in prop::array::uniform5(0_u64..500)) {
        let (ours, theirs) = (Pentanomial(cells), Pentanomial(cells).swapped());
        prop_assert!((superiority(&ours) + superiority(&theirs) - 1.0).abs() < 1e-12);
        for (a, b) in [
            (logistic(&ours), logistic(&theirs)),
            (normalised(&ours), normalised(&theirs)),
        ] {
            prop_assert_eq!(a.is_some(), b.is_some());
            let (Some(a), Some(b)) = (a, b) else { continue };
            prop_assert!(!a.value.is_nan() && !a.error.is_nan());
            prop_assert!(a.value == -b.value || (a.value + b.value).abs() < 1e-6);
            prop_assert!(a.error == b.error || (a.error - b.error).abs() < 1e-6);
        }
    }
}
