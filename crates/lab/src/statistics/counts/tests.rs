use super::GameResult::{Draw, Loss, Win};
use super::*;
use proptest::prelude::*;

#[test]
fn a_pair_falls_into_the_cell_of_its_points() {
    let pairs = [(Loss, Loss), (Loss, Draw), (Draw, Draw), (Win, Loss), (Win, Draw), (Win, Win)];
    let counts: Pentanomial = pairs.into_iter().collect();
    assert_eq!(counts.0, [1, 1, 2, 1, 1]);
    assert_eq!((counts.samples(), counts.games()), (6, 12));
    assert_eq!(counts.score(), Some(0.5));
    assert_eq!(counts.draw_ratio(), Some(2.0 / 6.0));
    assert_eq!(counts.pairs_ratio(), Some(1.0));
}

#[test]
fn games_are_counted_one_by_one() {
    let mut counts = Trinomial::default();
    assert_eq!((counts.score(), counts.draw_ratio(), counts.moments()), (None, None, None));
    [Win, Win, Draw, Loss].into_iter().for_each(|result| counts.add(result));
    assert_eq!(counts, Trinomial { wins: 2, draws: 1, losses: 1 });
    assert_eq!(counts.half_points(), 5);
    assert_eq!(counts.score(), Some(0.625));
    assert_eq!(counts.draw_ratio(), Some(0.25));
}

#[test]
fn one_kind_of_result_has_no_spread() {
    let counts = Pentanomial([0, 0, 0, 49, 0]);
    assert_eq!(counts.moments(), Some((0.75, 0.0)));
}

#[test]
fn counts_are_read_as_people_and_result_blocks_write_them() {
    let counts = Pentanomial([10, 40, 120, 45, 12]);
    for text in ["10,40,120,45,12", " 10, 40 ,120,45, 12 ", "[10, 40, 120, 45, 12]"] {
        assert_eq!(text.parse(), Ok(counts), "{text}");
    }
    assert_eq!("880,1863,759".parse(), Ok(Trinomial { wins: 880, draws: 1863, losses: 759 }));
}

#[test]
fn bad_counts_are_named() {
    let said = |text: &str| text.parse::<Pentanomial>().unwrap_err().to_string();
    assert_eq!(said("1,2,3"), "expected 5 counts (LL,LD,DD+WL,WD,WW), found 3");
    assert_eq!(said(""), "expected 5 counts (LL,LD,DD+WL,WD,WW), found 1");
    assert_eq!(said("1,2,x,4,5"), "count 3, \"x\", is not a whole number from 0 to 1000000000000");
    for bad in
        ["-1,0,0,0,0", "1.5,0,0,0,0", "99999999999999999999,0,0,0,0", "1000000000001,0,0,0,0"]
    {
        assert!(said(bad).starts_with("count 1, "), "{bad}");
    }
    let said = "1,2,3,4".parse::<Trinomial>().unwrap_err().to_string();
    assert_eq!(said, "expected 3 counts (wins,draws,losses), found 4");
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(cells: [u32; 5]) {
        let counts = Pentanomial(cells.map(u64::from));
        prop_assert_eq!(counts.to_string().parse(), Ok(counts));
    }

    #[test]
    fn from_the_other_side_the_score_is_the_rest(cells in prop::array::uniform5(0_u64..1_000)) {
        let counts = Pentanomial(cells);
        prop_assert_eq!(counts.swapped().swapped(), counts);
        if let (Some(ours), Some(theirs)) = (counts.score(), counts.swapped().score()) {
            prop_assert!((ours + theirs - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text: String) {
        let _ = text.parse::<Pentanomial>();
        let _ = text.parse::<Trinomial>();
    }
}
