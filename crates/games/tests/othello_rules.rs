//! Othello's rules against the contract of every game, the published leaf counts, a slow
//! implementation that is obviously right, and another library.

#![cfg(feature = "othello")]

use std::collections::HashMap;

use magpie::othello::{Board, Position, Stone};
use proptest::prelude::*;
use secateur_games::othello::board::{flips, placements};
use secateur_games::othello::{Othello, OthelloMove};
use secateur_search::perft::Perft;
use secateur_search::random::SplitMix;
use secateur_search::testkit::contract::{self, Effort};
use secateur_search::testkit::reference::moves;
use secateur_search::{Game, Notation, Player};

/// Every position of a game of random moves.
fn random_game(seed: u64) -> Vec<Othello> {
    let mut random = SplitMix::new(seed);
    let mut positions = vec![Othello::START];
    loop {
        let position = positions[positions.len() - 1];
        match &moves(&position)[..] {
            [] => return positions,
            legal => positions.push(position.after(legal[random.below(legal.len())])),
        }
    }
}

/// The start, an endgame problem, positions in which a pass is forced, full and nearly full
/// boards, boards that no game reaches.
fn starts() -> Vec<Othello> {
    let texts = [
        "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X",
        "OX-------------------------------------------------------------- X",
        "X-O------------------------------------------------------------- O",
        "---------------------------------------------------------------- X",
        "XXXXXXXXOOOOOOOOXXXXXXXXOOOOOOOOXXXXXXXXOOOOOOOOXXXXXXXXOOOOOOOO O",
    ];
    let mut starts = vec![Othello::START];
    starts.extend(texts.map(|text| Othello::read_position(text).unwrap()));
    for position in (0..200).flat_map(random_game) {
        if moves(&position) == [OthelloMove::PASS] || position.empty().count_ones() == 3 {
            starts.push(position);
        }
    }
    starts
}

#[test]
fn othello_keeps_the_contract_of_every_game() {
    let starts = starts();
    let passes = starts.iter().filter(|start| moves(*start) == [OthelloMove::PASS]).count();
    assert!(passes > 20, "only {passes} starts with a forced pass");
    let effort = Effort { games: 3, ..Effort::default() };
    contract::rules(&starts, &effort).unwrap();
    contract::tactics(&starts, &effort).unwrap();
    contract::notation(&starts, &effort).unwrap();
    let effort = Effort::default();
    contract::rules(&[Othello::START], &effort).unwrap();
    contract::tactics(&[Othello::START], &effort).unwrap();
    contract::notation(&[Othello::START], &effort).unwrap();
}

/// The leaves below the start (Bik, <http://www.aartbik.com/MISC/reversi.html>): a pass is a ply, a
/// finished game one leaf.
const LEAVES: [u64; 12] = [
    1,
    4,
    12,
    56,
    244,
    1_396,
    8_200,
    55_092,
    390_216,
    3_005_288,
    24_571_284,
    // The first depth that games reach which ended before: 228 of them.
    212_258_800,
];

#[test]
fn the_leaves_are_the_published_ones() {
    let finished_is_leaf = Othello::FINISHED_GAMES_ARE_LEAVES;
    for (depth, leaves) in LEAVES.into_iter().enumerate() {
        let perft = Perft { bulk: true, finished_is_leaf, stop: None };
        assert_eq!(perft.count(&Othello::START, depth as u32), Ok(leaves), "depth {depth}");
        if depth <= 8 {
            let perft = Perft { bulk: false, ..perft };
            assert_eq!(perft.count(&Othello::START, depth as u32), Ok(leaves), "depth {depth}");
        }
    }
}

#[test]
fn different_positions_have_different_keys() {
    fn walk(position: &Othello, depth: u32, seen: &mut HashMap<u64, (u64, u64)>) {
        let boards = (position.own(), position.other());
        assert_eq!(*seen.entry(position.key()).or_insert(boards), boards);
        if depth > 0 {
            position.each_move(|m| walk(&position.after(m), depth - 1, seen));
        }
    }
    let mut seen = HashMap::new();
    walk(&Othello::START, 7, &mut seen);
    assert!(seen.len() > 30_000, "{}", seen.len());
    // Low bits choose the place in a table: they must spread as well as the others.
    let places = seen.keys().map(|key| key & 0xf_ffff).collect::<std::collections::HashSet<_>>();
    assert!(places.len() as f64 > 0.97 * seen.len() as f64, "{} of {}", places.len(), seen.len());
}

/// What a disc on `square` turns over, one square and one direction at a time.
fn slow_flips(own: u64, other: u64, square: u8) -> u64 {
    let has = |discs: u64, row: i32, column: i32| discs >> (row * 8 + column) & 1 == 1;
    let mut turned = 0;
    for (down, right) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
        let (mut row, mut column) = (i32::from(square) / 8, i32::from(square) % 8);
        let mut passed = 0;
        loop {
            (row, column) = (row + down, column + right);
            if !(0..8).contains(&row) || !(0..8).contains(&column) {
                break;
            } else if has(other, row, column) {
                passed |= 1 << (row * 8 + column);
            } else {
                if has(own, row, column) {
                    turned |= passed;
                }
                break;
            }
        }
    }
    turned
}

/// Compares placements and flips with the slow ones and with `magpie`, whose boards have a1 in
/// the highest bit.
fn same_as_the_oracles(own: u64, other: u64) -> Result<(), TestCaseError> {
    let board = Board::try_from((own.reverse_bits(), other.reverse_bits())).unwrap();
    let fast = placements(own, other);
    prop_assert_eq!(fast, board.moves_for(Stone::Black).raw().reverse_bits());
    for square in (0..64).filter(|square| (own | other) >> square & 1 == 0) {
        let turned = flips(own, other, square);
        prop_assert_eq!(turned, slow_flips(own, other, square), "square {}", square);
        prop_assert_eq!(fast >> square & 1 == 1, turned != 0, "square {}", square);
        if turned != 0 {
            let mut board = board.clone();
            board.play(Stone::Black, Position::try_from(1 << (63 - square)).unwrap());
            prop_assert_eq!(board.bits_for(Stone::White).raw().reverse_bits(), other ^ turned);
        }
    }
    Ok(())
}

/// Random fillings: from nearly empty to full boards, few and many discs of either side.
fn boards() -> impl Strategy<Value = (u64, u64)> {
    let filled = (any::<[u64; 3]>(), 0..6).prop_map(|([a, b, c], density)| match density {
        0 => u64::MAX,
        1 => a | b | c,
        2 => a | b,
        3 => a,
        4 => a & b,
        _ => a & b & c,
    });
    let share = (any::<[u64; 2]>(), 0..5).prop_map(|([a, b], share)| match share {
        0 => a,
        1 => a | b,
        2 => a & b,
        // A single disc against all the others: the longest runs.
        3 => 1 << (a % 64),
        _ => !(1 << (a % 64)),
    });
    (filled, share).prop_map(|(filled, share)| (filled & share, filled & !share))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 8_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_filling_has_the_placements_and_flips_of_the_oracles((own, other) in boards()) {
        same_as_the_oracles(own, other)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_position_of_a_game_has_the_placements_and_flips_of_the_oracles(seed in any::<u64>()) {
        for position in random_game(seed) {
            same_as_the_oracles(position.own(), position.other())?;
        }
    }

    #[test]
    fn a_whole_game_is_played_as_magpie_plays_it(seed in any::<u64>()) {
        let mut board = Board::standard();
        let positions = random_game(seed);
        for pair in positions.windows(2) {
            let (before, after) = (pair[0], pair[1]);
            let stone = match before.turn() {
                Player::First => Stone::Black,
                Player::Second => Stone::White,
            };
            prop_assert_eq!(after.turn(), before.turn().other());
            prop_assert_eq!(before.ended(), None, "{:?} has a move", before);
            let placed = (before.empty() & !after.empty()).reverse_bits();
            if placed == 0 {
                prop_assert_eq!(board.moves_for(stone).count_set(), 0);
            } else {
                board.play(stone, Position::try_from(placed).unwrap());
            }
            let black = board.bits_for(Stone::Black).raw().reverse_bits();
            let white = board.bits_for(Stone::White).raw().reverse_bits();
            prop_assert_eq!(black, after.discs_of(Player::First));
            prop_assert_eq!(white, after.discs_of(Player::Second));
        }
        let moves_left = [Stone::Black, Stone::White].map(|stone| board.moves_for(stone).count_set());
        prop_assert_eq!(moves_left, [0, 0]);
        prop_assert!(positions[positions.len() - 1].is_over());
    }
}
