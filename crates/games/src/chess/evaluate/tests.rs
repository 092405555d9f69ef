//! What must be true of the whole evaluation.

use cozy_chess::{BoardBuilder, Color, Square};
use secateur_search::random::SplitMix;
use secateur_search::testkit::{contract, reference::moves as legal};
use secateur_search::weights::{Origin, WeightsError};
use secateur_search::{Evaluator, Featured, Game, Notation, Weights, features};

use super::{Classical, Tapered, embedded, plain};
use crate::chess::Chess;

const STARTS: [&str; 9] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "1rkr4/pppppppp/8/8/8/8/PPPPPPPP/R2K3R w HAdb - 0 1",
    "4k3/pppppppp/8/PPPPPPPP/8/8/8/4K3 b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/8/8/3b4/8/2B5/3PP3/4K3 w - - 0 1",
    "8/8/3k4/8/8/8/2BN4/4K3 w - - 0 1",
    "QQQQQQQQ/QQQQQQQ1/8/8/8/K5pp/6pk/6rb w - - 0 1",
];

fn read(fen: &str) -> Chess {
    Chess::read_position(fen).unwrap()
}

/// The value for the side to move.
fn value(fen: &str) -> i32 {
    afresh(&read(fen))
}

/// The value by definition: nothing kept, nothing cached.
fn afresh(position: &Chess) -> i32 {
    features::value(position, embedded())
}

/// Shows all positions of random games.
fn random_games(mut see: impl FnMut(&Chess)) {
    let mut random = SplitMix::new(11);
    for start in STARTS {
        for _ in 0..20 {
            let mut position = read(start);
            for _ in 0..150 {
                see(&position);
                let moves = legal(&position);
                if moves.is_empty() || position.ended().is_some() {
                    break;
                }
                position.play(moves[random.below(moves.len())]);
            }
        }
    }
}

/// The same position with every square moved, and the colours exchanged if asked.
fn rebuilt(position: &Chess, swap: bool, place: impl Fn(Square) -> Square) -> Chess {
    let board = position.board();
    let color = |color: Color| if swap { !color } else { color };
    let mut builder = BoardBuilder::empty();
    for square in board.occupied() {
        let piece = board.piece_on(square).zip(board.color_on(square));
        *builder.square_mut(place(square)) = piece.map(|(piece, c)| (piece, color(c)));
    }
    builder.side_to_move = color(board.side_to_move());
    for c in Color::ALL {
        *builder.castle_rights_mut(color(c)) = *board.castle_rights(c);
    }
    Chess::new(builder.build().unwrap(), true)
}

#[test]
fn kept_move_by_move_it_equals_from_scratch() {
    let effort = contract::Effort { games: 30, ..Default::default() };
    contract::evaluator(&STARTS.map(read), &effort, Classical::default).unwrap();
}

#[test]
fn exchanging_the_colours_changes_nothing_for_the_side_to_move() {
    let evaluator = Classical::default();
    random_games(|position| {
        let mirror = rebuilt(position, true, Square::flip_rank);
        let (a, b) = (afresh(position), afresh(&mirror));
        assert_eq!(a, b, "{}\n{}", position.board(), evaluator.explain(position));
    });
}

#[test]
fn without_castling_left_and_right_are_the_same_by_hand() {
    let weights = plain::weights();
    let afresh = |position: &Chess| features::value(position, &weights);
    let mut seen = 0;
    random_games(|position| {
        let board = position.board();
        let rights = Color::ALL.map(|color| *board.castle_rights(color));
        if rights.iter().any(|rights| rights.short.or(rights.long).is_some()) {
            return;
        }
        let mirror = rebuilt(position, false, Square::flip_file);
        assert_eq!(afresh(position), afresh(&mirror), "{board}");
        seen += 1;
    });
    assert!(seen > 1_000, "{seen}");
}

#[test]
fn the_value_is_the_weighted_sum_of_the_features() {
    let mut used = Classical::default();
    random_games(|position| {
        used.start(position);
        let value = used.evaluate(0, position);
        assert_eq!(value.value(), afresh(position), "{}", position.board());
        assert!(!value.is_proven());
    });
}

#[test]
fn the_explained_terms_make_the_value() {
    let evaluator = Classical::default();
    random_games(|position| {
        let why = evaluator.explain(position);
        assert_eq!(why.value.value(), afresh(position));
        let total: Tapered = why.terms.iter().map(|term| term.white - term.black).sum();
        assert_eq!(why.total, total);
        let sign = if position.color() == Color::White { 1 } else { -1 };
        assert_eq!(sign * why.blended, why.value.value(), "{why}");
    });
    let text = evaluator.explain(&Chess::start()).to_string();
    assert!(text.contains("material") && text.contains("king danger"), "{text}");
}

/// The embedded weights with one changed.
fn changed(place: usize) -> Weights<Chess> {
    let mut values = embedded().values().to_vec();
    values[place] += 1;
    Weights::new(values, Origin::default()).unwrap()
}

#[test]
fn other_weights_have_another_identity() {
    let identity = |weights: &Weights<Chess>| Classical::with_weights(weights).identity();
    let ours = Classical::default().identity();
    assert_eq!(identity(embedded()), ours);
    for place in [0, 700, embedded().values().len() - 1] {
        assert_ne!(identity(&changed(place)), ours);
    }
}

#[test]
fn a_weight_file_is_read_back_and_a_wrong_one_is_refused_in_one_line() {
    let origin = Origin {
        command: "train --game chess\n--epochs 3".to_string(),
        seed: 7,
        positions: 1_000_000,
        loss: Some(0.123456789),
        date: "2026-01-31".to_string(),
    };
    let weights = Weights::<Chess>::new(changed(5).values().to_vec(), origin).unwrap();
    let file = weights.write();
    let again = Weights::<Chess>::read(&file).unwrap();
    assert_eq!(again.values(), weights.values());
    assert_eq!(again.origin().command, "train --game chess --epochs 3");
    assert_eq!(again.origin().loss, Some(0.123456789));

    let refused = |file: &[u8]| Weights::<Chess>::read(file).unwrap_err();
    let head_end = file.windows(2).position(|pair| pair == b"\n\n").unwrap();
    let with = |from: &str, to: &str| {
        let head = String::from_utf8(file[..head_end].to_vec()).unwrap().replace(from, to);
        [head.as_bytes(), &file[head_end..]].concat()
    };
    assert_eq!(refused(b"[Event]"), WeightsError::Foreign);
    assert_eq!(refused(&with("weights 1", "weights 2")), WeightsError::Version("2".to_string()));
    let game = refused(&with("game: chess", "game: othello"));
    assert_eq!(game.to_string(), "weights for othello, not for chess");
    assert!(matches!(refused(&with("features: ", "features: 0")), WeightsError::Features { .. }));
    assert_eq!(refused(&with("seed: 7", "seed: x")), WeightsError::Head("seed"));
    assert!(matches!(refused(&with("seed: 7", "seed: 8")), WeightsError::Damaged(_)));
    assert_eq!(
        Weights::<Chess>::new(vec![0; 3], Origin::default()).unwrap_err().to_string(),
        format!("3 weights where {} are needed", 2 * Chess::feature_count())
    );
    // Any damage is seen, and none is fatal.
    for place in 0..file.len() {
        let mut damaged = file.clone();
        damaged[place] ^= 1;
        assert!(Weights::<Chess>::read(&damaged).is_err_and(|e| !e.to_string().contains('\n')));
        assert!(Weights::<Chess>::read(&file[..place]).is_err());
    }
}

/// The long form, some seconds.
#[test]
fn kept_along_a_million_moves_it_equals_from_scratch() {
    let effort = contract::Effort { games: 1_000, ..Default::default() };
    contract::evaluator(&STARTS.map(read), &effort, Classical::default).unwrap();
}

#[test]
fn the_start_is_a_little_better_for_the_side_to_move() {
    assert!((1..=50).contains(&value(STARTS[0])), "{}", value(STARTS[0]));
}

#[test]
fn more_material_is_worth_about_what_beginners_learn() {
    let without = |squares: &str, low: i32, high: i32| {
        let value = value(&format!("{squares} w KQ - 0 1"));
        assert!((low..=high).contains(&value), "{squares}: {value}");
    };
    without("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 900, 1300);
    without("1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 430, 620);
    without("r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 280, 420);
    without("rnbqk1nr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 300, 460);
    without("rnbqkbnr/1ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 60, 200);
}

#[test]
fn a_passed_pawn_gains_as_it_advances() {
    let values = ["P7/8/8/8/8", "8/P7/8/8/8", "8/8/P7/8/8", "8/8/8/P7/8", "8/8/8/8/P7"]
        .map(|middle| value(&format!("4r1k1/{middle}/8/1R4K1 w - - 0 1")));
    assert!(values.windows(2).all(|pair| pair[0] > pair[1]), "{values:?}");
    assert!(values[0] > values[4] + 150, "{values:?}");
}

#[test]
fn a_pawn_that_the_king_cannot_catch_is_as_good_as_a_queen() {
    assert!(value("8/8/7k/P7/8/8/8/K7 w - - 0 1") > 600);
    // With the move it enters the square.
    assert!(-value("8/8/4k3/P7/8/8/8/K7 b - - 0 1") < 400);
}

#[test]
fn a_stripped_king_is_bad_while_there_are_queens() {
    // Three pawns are missing: before the king, or on the other wing.
    let stripped = |queen: &str| {
        let of = |pawns: &str| {
            value(&format!(
                "r4rk1/ppp2ppp/2n{q}4/8/8/2N{Q}4/{pawns}/R4RK1 w - - 0 1",
                q = queen,
                Q = queen.to_uppercase()
            ))
        };
        of("5PPP") - of("PPP5")
    };
    let (with, without) = (stripped("q"), stripped("1"));
    assert!(with > 50 && with > without + 20, "{with} {without}");
    assert!(value("r4rk1/ppp2ppp/2nq4/8/8/2NQ4/PPP5/R4RK1 w - - 0 1") < -250);
}

#[test]
fn attackers_together_are_worth_more_than_one_by_one() {
    let danger = |board: &str| {
        let why = Classical::default().explain(&read(&format!("{board} w - - 0 1")));
        let term = why.terms.iter().find(|term| term.name == "king danger").unwrap();
        -term.black.middle()
    };
    let queen = danger("5rk1/5ppp/8/6Q1/8/8/5PPP/6K1");
    let knight = danger("5rk1/5ppp/8/5N2/8/8/5PPP/6K1");
    let both = danger("5rk1/5ppp/8/5NQ1/8/8/5PPP/6K1");
    assert!(both > 2 * (queen + knight) && both > 20, "{queen} {knight} {both}");
}

#[test]
fn what_cannot_be_won_is_nearly_a_draw() {
    let drawn = [
        "8/8/4k3/8/8/3KNN2/8/8", // two knights
        "8/8/4kb2/8/8/2RK4/8/8", // rook against bishop
        "k7/8/8/8/P7/3KB3/8/8",  // a dark bishop and the light corner
    ];
    for board in drawn {
        assert!(value(&format!("{board} w - - 0 1")) < 60, "{board}");
    }
    assert!(value("k7/8/8/8/P7/3K4/4B3/8 w - - 0 1") > 300, "the right corner");
    let opposite = value("4k3/8/1b3p2/8/3PP3/5B2/5K2/8 w - - 0 1");
    let same = value("4k3/8/b4p2/8/3PP3/5B2/5K2/8 w - - 0 1");
    assert!(opposite > 0 && opposite < same * 2 / 3, "{opposite} {same}");
}

#[test]
fn a_won_ending_makes_progress() {
    for won in ["1Q6", "1R6", "4BB2"] {
        let centre = value(&format!("8/8/8/4k3/8/8/K7/{won} w - - 0 1"));
        let edge = value(&format!("8/8/8/7k/8/8/K7/{won} w - - 0 1"));
        let near = value(&format!("8/8/8/5K1k/8/8/8/{won} w - - 0 1"));
        assert!(centre > 300 && edge > centre + 10 && near > edge + 10, "{centre} {edge} {near}");
    }
    let right = value("k7/8/1K6/8/8/8/8/5BN1 w - - 0 1");
    let wrong = value("7k/8/6K1/8/8/8/8/5BN1 w - - 0 1");
    assert!(right > wrong + 50, "the bishop is light, so is a8: {right} {wrong}");
}

#[test]
fn after_a_pass_it_equals_from_scratch_too() {
    let mut evaluator = Classical::default();
    random_games(|position| {
        if let Some(passed) = position.null_move() {
            evaluator.start(position);
            // Something else was here before.
            let other = legal(position).first().copied();
            if let Some(m) = other {
                evaluator.advance(0, position, m, &position.after(m));
            }
            evaluator.advance_pass(0, &passed);
            assert_eq!(evaluator.evaluate(1, &passed).value(), afresh(&passed));
        }
    });
}
