//! What must be true of the evaluation of Othello.

use std::collections::{BTreeMap, BTreeSet};

use secateur_search::features;
use secateur_search::random::SplitMix;
use secateur_search::testkit::contract::{self, Effort};
use secateur_search::testkit::reference::moves;
use secateur_search::weights::Origin;
use secateur_search::{Game, Notation, Player};

use super::*;

fn value(position: &Othello) -> i32 {
    OthelloEvaluator::new().evaluate(0, position).value()
}

fn random_positions() -> Vec<Othello> {
    let mut random = SplitMix::new(3);
    let mut positions = Vec::new();
    for _ in 0..100 {
        let mut position = Othello::START;
        while let legal @ [_, ..] = &moves(&position)[..] {
            positions.push(position);
            position.play(legal[random.below(legal.len())]);
        }
        positions.push(position);
    }
    positions
}

fn turned_over(discs: u64) -> u64 {
    (0..64).fold(0, |all, square| all | (discs >> square & 1) << (square % 8 * 8 + square / 8))
}

/// Every weight a random number, so that no two fillings are worth the same.
fn random_weights() -> Weights<Othello> {
    let mut random = SplitMix::new(5);
    Weights::from_fn(Origin::default(), |_, _| random.below(101) as i16 - 50)
}

#[test]
fn all_eight_views_of_a_board_have_the_same_value() {
    let mut evaluator = OthelloEvaluator::with_weights(&random_weights());
    let mut value = |position: &Othello| evaluator.evaluate(0, position).value();
    for position in random_positions() {
        let (mut black, mut white) =
            (position.discs_of(Player::First), position.discs_of(Player::Second));
        for view in 0..8 {
            let seen = Othello::new(black, white, position.turn()).unwrap();
            let (a, b) = (value(&seen), value(&position));
            assert_eq!(a, b, "view {view} of {position:?}");
            [black, white] = [black, white].map(turned_over);
            if view % 2 == 1 {
                [black, white] = [black, white].map(u64::swap_bytes);
            }
        }
    }
}

#[test]
fn exchanged_colours_have_the_same_value_for_the_side_to_move() {
    for position in random_positions() {
        let [black, white] =
            [Player::First, Player::Second].map(|player| position.discs_of(player));
        let exchanged = Othello::new(white, black, position.turn().other()).unwrap();
        assert_eq!(value(&exchanged), value(&position), "{position:?}");
    }
}

#[test]
fn the_evaluator_keeps_its_contract() {
    let effort = Effort::default();
    contract::evaluator(&[Othello::START], &effort, OthelloEvaluator::new).unwrap();
}

#[test]
fn the_terms_sum_to_the_value() {
    let mut limited = 0;
    let evaluator = OthelloEvaluator::new();
    let wiped_out = Othello::new(7, 0, Player::Second).unwrap();
    for position in random_positions().iter().chain([&wiped_out]) {
        let terms = evaluator.explain(position);
        let sum: i32 = terms.iter().map(|(_, value)| value).sum();
        assert_eq!(sum, value(position), "{position:?}: {terms:?}");
        limited += usize::from(*terms.last().unwrap() != ("limit", 0));
    }
    assert!(limited > 0);
}

/// The value of one term in a position given as text.
fn term(name: &str, text: &str) -> i32 {
    let position = Othello::read_position(text).unwrap();
    let terms = OthelloEvaluator::new().explain(&position);
    terms.iter().find(|term| term.0 == name).unwrap().1
}

/// The middle of a game with a1, b1, a2 and b2 as given.
fn with_corner(squares: [char; 4], side: char) -> String {
    let [a1, b1, a2, b2] = squares;
    let rows = ["--XO--", "-XOX--", "--XXXO--", "-XOOXO--", "-XXOOX--", "--OXOX--", "--------"];
    format!("{a1}{b1}{}{a2}{b2}{}{}-------- {side}", rows[0], rows[1], rows[2..].concat())
}

#[test]
fn a_corner_is_good_for_its_owner() {
    for (side, opponent) in [('X', 'O'), ('O', 'X')] {
        let [own, empty, other] = [side, '-', opponent].map(|corner| {
            let text = with_corner([corner, '-', '-', '-'], side);
            value(&Othello::read_position(&text).unwrap())
        });
        assert!(own > empty && empty > other, "{side}: {own} {empty} {other}");
    }
}

#[test]
fn an_x_or_c_square_is_bad_only_beside_an_empty_corner() {
    for (name, x, c) in [("x squares", 'X', '-'), ("c squares", '-', 'X')] {
        let with = |corner| [corner, c, '-', x];
        assert!(term(name, &with_corner(with('-'), 'X')) < 0);
        assert!(term(name, &with_corner(with('-'), 'O')) > 0);
        assert_eq!(term(name, &with_corner(with('O'), 'X')), 0);
        assert_eq!(term(name, &with_corner(['-'; 4], 'X')), 0);
    }
}

#[test]
fn more_moves_are_better() {
    for position in random_positions() {
        let moves = position.placements().count_ones() as i32;
        let replies = position.placements_of_other().count_ones() as i32;
        let terms = OthelloEvaluator::new().explain(&position);
        if terms.last().unwrap().1 == 0 {
            assert_eq!(terms[5].1.signum(), (moves - replies).signum(), "{position:?}");
        }
    }
}

#[test]
fn a_wiped_out_side_has_lost_by_sixty_four_discs_and_no_guess_is_larger() {
    let won = Othello::new(0xff, 0, Player::First).unwrap();
    let lost = Othello::new(0xff, 0, Player::Second).unwrap();
    let nothing = Othello::new(0, 0, Player::First).unwrap();
    assert_eq!([won, lost, nothing].map(|position| value(&position)), [6_400, -6_400, 0]);
    let all = random_positions();
    assert!(all.iter().all(|position| (-6_400..=6_400).contains(&value(position))));
    // The values are those of a game: most within a decided one.
    let moderate = all.iter().filter(|position| value(position).abs() < 3_000).count();
    assert!(moderate * 10 > all.len() * 8, "{moderate} of {}", all.len());
}

#[test]
fn the_value_is_the_weighted_sum_of_the_features() {
    for weights in [embedded(), &plain_weights(), &random_weights()] {
        let mut evaluator = OthelloEvaluator::with_weights(weights);
        for position in random_positions() {
            if wiped_out(&position).is_none() {
                let value = evaluator.evaluate(0, &position).value();
                assert_eq!(value, features::value(&position, weights), "{position:?}");
            }
        }
    }
}

/// The squares of one place of each kind of pattern, in order, as column and row.
fn shapes() -> Vec<Vec<(i32, i32)>> {
    let line = |row: i32| (0..8).map(|column| (column, row)).collect::<Vec<_>>();
    let mut edge = line(0);
    edge.extend([(1, 1), (6, 1)]);
    let corner = (0..9).map(|square| (square % 3, square / 3)).collect();
    let diagonal = |length: i32| (0..length).map(|step| (8 - length + step, step)).collect();
    let mut shapes = vec![edge, corner, line(1), line(2), line(3)];
    shapes.extend([8, 7, 6, 5, 4].map(diagonal));
    shapes
}

#[test]
fn the_fillings_are_those_read_off_square_by_square() {
    let digit = |position: &Othello, (column, row): (i32, i32)| {
        let bit = 1u64 << (8 * row + column);
        usize::from(position.own() & bit != 0) + 2 * usize::from(position.other() & bit != 0)
    };
    // What is seen of each kind, mirror images as one, against the number of the feature.
    let mut features_of = BTreeMap::new();
    for position in random_positions() {
        let mut expected = Vec::new();
        for (kind, shape) in shapes().into_iter().enumerate() {
            let mut places: BTreeMap<BTreeSet<(i32, i32)>, Vec<usize>> = BTreeMap::new();
            for view in 0..8 {
                let moved = shape.iter().map(|(column, row)| {
                    let (column, row) =
                        if view & 1 == 0 { (*column, *row) } else { (*row, *column) };
                    let column = if view & 2 == 0 { column } else { 7 - column };
                    (column, if view & 4 == 0 { row } else { 7 - row })
                });
                let squares: Vec<_> = moved.collect();
                let seen =
                    squares.iter().fold(0, |sum, square| 3 * sum + digit(&position, *square));
                places.entry(squares.into_iter().collect()).or_default().push(seen);
            }
            // Each place is seen from two sides: the smaller number stands for both.
            expected.extend(places.values().map(|seen| {
                assert_eq!(seen.len() * places.len(), 8);
                (kind, *seen.iter().min().unwrap())
            }));
        }
        let mut found = Vec::new();
        position.each_feature(|feature, count| {
            let (group, _) = group_of(GROUPS, feature).unwrap();
            if feature >= PATTERNS {
                assert_eq!(count, 1);
                let kind = GROUPS.iter().position(|other| other == group).unwrap() - COUNTS;
                found.push((kind, feature));
            }
        });
        let kinds = |list: &[(usize, usize)]| {
            let mut kinds: Vec<_> = list.iter().map(|(kind, _)| *kind).collect();
            kinds.sort_unstable();
            kinds
        };
        assert_eq!(kinds(&found), kinds(&expected));
        features_of.insert(position.key(), (found, expected));
    }
    // One filling, one feature: as often here as there, in every position.
    let (mut there, mut back) = (BTreeMap::new(), BTreeMap::new());
    for (place, (found, expected)) in features_of.values().enumerate() {
        for (_, feature) in found {
            *there.entry(*feature).or_insert_with(BTreeMap::new).entry(place).or_insert(0) += 1;
        }
        for filling in expected {
            *back.entry(*filling).or_insert_with(BTreeMap::new).entry(place).or_insert(0) += 1;
        }
    }
    assert_eq!(there.len(), back.len());
    let sorted = |mut all: Vec<BTreeMap<usize, i32>>| {
        all.sort_unstable();
        all
    };
    assert_eq!(sorted(there.into_values().collect()), sorted(back.into_values().collect()));
}

#[test]
fn no_two_fillings_but_mirror_images_share_a_weight() {
    let classes = &patterns::CLASSES;
    assert_eq!(classes.len(), patterns::FILLINGS);
    let mut members = vec![0; features::start_of(GROUPS, GROUPS.len()) - PATTERNS];
    classes.iter().for_each(|class| members[*class as usize] += 1);
    assert!(members.iter().all(|members| (1..=2).contains(members)));
}

#[test]
fn the_counts_alone_play_as_before() {
    let evaluator = OthelloEvaluator::with_weights(&plain_weights());
    for position in random_positions() {
        assert_eq!(evaluator.value(&position), Counts::new().value(&position));
    }
}

#[test]
fn random_weights_survive_the_file_and_zeros_take_no_room() {
    let weights = random_weights();
    let read = Weights::<Othello>::read(&weights.write()).unwrap();
    assert_eq!(read.values(), weights.values());
    assert_ne!(weights.identity(), embedded().identity());
    assert!(plain_weights().write().len() < 1_000);
}
