//! Chess against the contract of every game and against published leaf counts.

#![cfg(feature = "chess")]

use secateur_games::chess::Chess;
use secateur_search::perft::{Perft, perft};
use secateur_search::testkit::contract::{self, Effort};
use secateur_search::{Game, Notation, Tactics};

/// Positions with all the oddities: castling both ways, promotions, pins, captures in passing,
/// few pieces, long repetition.
const STARTS: [&str; 9] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/8/8/3k4/8/3K4/3R4/8 w - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "1rk1r2r/pppppppp/8/8/8/8/PPPPPPPP/1RK1R2R w EBeb - 0 1",
    "2rkr3/8/8/8/8/8/8/2RKR3 b ECec - 0 1",
];

fn starts() -> Vec<Chess> {
    STARTS.iter().map(|fen| Chess::read_position(fen).unwrap()).collect()
}

#[test]
fn chess_keeps_the_contract_of_every_game() {
    let effort = Effort { games: 20, plies: 200, seed: 1 };
    contract::rules(&starts(), &effort).unwrap();
}

#[test]
fn the_engine_view_of_chess_keeps_its_contract() {
    let effort = Effort { games: 12, plies: 150, seed: 2 };
    contract::tactics(&starts(), &effort).unwrap();
}

#[test]
fn chess_notation_keeps_its_contract() {
    let effort = Effort { games: 4, plies: 120, seed: 3 };
    contract::notation(&starts(), &effort).unwrap();
}

/// Leaf counts from depth 1 on.
fn check(fen: &str, counts: &[u64]) {
    let position = Chess::read_position(fen).unwrap();
    for (index, &count) in counts.iter().enumerate() {
        let depth = index as u32 + 1;
        assert_eq!(perft(&position, depth), count, "{fen} at depth {depth}");
    }
}

#[test]
fn the_start_position_has_the_published_leaves() {
    check(STARTS[0], &[20, 400, 8_902, 197_281, 4_865_609, 119_060_324]);
}

#[test]
fn the_standard_positions_have_the_published_leaves() {
    check(STARTS[1], &[48, 2_039, 97_862, 4_085_603, 193_690_690]);
    check(STARTS[2], &[14, 191, 2_812, 43_238, 674_624]);
    check(STARTS[3], &[6, 264, 9_467, 422_333, 15_833_292]);
    check(
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        &[44, 1_486, 62_379, 2_103_487, 89_941_194],
    );
    check(
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[46, 2_079, 89_890, 3_894_594, 164_075_551],
    );
    check(STARTS[4], &[24, 496, 9_483, 182_838, 3_605_103]);
}

#[test]
fn node_by_node_gives_the_same_leaves_as_in_bulk() {
    let slow = Perft { bulk: false, finished_is_leaf: false, stop: None };
    for position in starts() {
        assert_eq!(slow.count(&position, 3), Ok(perft(&position, 3)), "{}", position.board());
    }
}

#[test]
fn a_position_and_its_null_move_have_the_same_facets() {
    for position in starts() {
        if let Some(passed) = position.null_move() {
            for facet in 0..Chess::FACETS {
                assert_eq!(passed.facet_key(facet), position.facet_key(facet));
            }
            assert_ne!(passed.turn(), position.turn());
        }
    }
}

/// Chess960 positions, and their leaves at depths 1 to 4.
const CHESS960: [(&str, [u64; 4]); 20] = [
    (
        "rnkqrbbn/1pppp1p1/8/p2N1p1p/2P4P/8/PP1PPPP1/R1KQRBBN w EAea - 0 9",
        [29, 585, 17_571, 393_221],
    ),
    (
        "nrbkn2r/pppp1pqp/4p1p1/8/3P2P1/P3B3/P1P1PP1P/NR1KNBQR w HBhb - 1 9",
        [32, 808, 25_578, 676_525],
    ),
    (
        "rbknb1rq/ppp1p1p1/3pnp1p/8/6PP/2PP4/PP2PP2/RBKNBNRQ w GAga - 0 9",
        [31, 838, 26_800, 736_910],
    ),
    (
        "bbnrkrnq/1pp1p2p/6p1/p2p1p2/8/1P2P3/P1PP1PPP/BBNRKRNQ w FDfd - 0 9",
        [27, 805, 21_915, 688_224],
    ),
    ("rkqnrnbb/pp1pp3/2p5/5ppp/8/PP4NP/2PPPPP1/RKQNR1BB w EAea - 0 9", [23, 727, 18_228, 566_572]),
    (
        "rbbkq1nr/1p2pppp/p1p3nB/3p4/1Q1P4/6N1/PPP1PPPP/RB1K2NR w HAha - 0 9",
        [40, 1_132, 43_404, 1_260_470],
    ),
    (
        "rknrn1b1/ppppppqp/8/6p1/2P5/2P1BP2/PP2P1PP/RKNRNB1Q w DAda - 1 9",
        [31, 807, 24_360, 672_973],
    ),
    (
        "rk2nbrq/p1ppppp1/bpn5/7p/6P1/2N2P2/PPPPP1QP/RKB1NBR1 w GAga - 2 9",
        [24, 687, 18_206, 544_627],
    ),
    (
        "rbnkrnbq/ppp1pp2/3p2p1/2N5/P6p/2P5/1P1PPPPP/RB1KRNBQ w EAea - 0 9",
        [32, 790, 25_107, 661_207],
    ),
    (
        "brkbrnn1/pp1pppp1/7q/2p5/6Pp/4P1NP/PPPP1P2/BRKBR1NQ w EBeb - 2 9",
        [30, 978, 29_593, 942_398],
    ),
    ("rnkqnr1b/ppppp1pp/5p2/8/Q1P2P2/8/PP1P2PP/RbK1NRBB w FAfa - 0 9", [36, 876, 31_987, 788_580]),
    (
        "nq1rkb1r/pp1pp1pp/1n2bp1B/2p5/8/5P1P/PPPPP1P1/NQNRKB1R w HDhd - 2 9",
        [24, 809, 20_090, 673_811],
    ),
    (
        "rknbrnb1/p1pppp1p/1p6/3N2p1/P3q1P1/8/1PPPPP1P/RKNBR1BQ w EAea - 1 9",
        [28, 948, 27_343, 864_588],
    ),
    (
        "rn1bkrb1/1ppppp1p/pn4p1/8/P2q3P/3P4/NPP1PPP1/RN1BKRBQ w FAfa - 1 9",
        [22, 803, 18_322, 632_920],
    ),
    (
        "rqknbrnb/1pp3pp/5p2/p2pp3/P7/3PPN2/1PP2PPP/RQKNBR1B w FAfa - 0 9",
        [26, 731, 19_509, 550_395],
    ),
    ("b2rknqr/pp1ppppp/8/2P5/n7/P7/1PPNPPPb/BBNRK1QR w HDhd - 2 9", [24, 699, 19_523, 575_172]),
    (
        "rnk1brnq/pp1ppppp/2p5/b7/8/1P2P2P/P1PP1PPQ/RNKBBRN1 w FAfa - 3 9",
        [29, 648, 19_043, 449_637],
    ),
    (
        "nnbrqbkr/2p1p1pp/p4p2/1p1p4/8/NP6/P1PPPPPP/N1BRQBKR w HDhd - 0 9",
        [17, 496, 10_220, 303_310],
    ),
    (
        "rkrqbn1b/pppp2pp/8/4pp2/1P1P2n1/5N2/P1P1PP1P/RKRQBN1B w CAca - 0 9",
        [25, 718, 19_654, 587_666],
    ),
    ("bnrbk1qr/1ppp1ppp/p2np3/8/P7/2N2P2/1PPPP1PP/B1RBNKQR w HC - 0 9", [26, 621, 17_569, 451_452]),
];

#[test]
fn twenty_chess960_positions_have_the_published_leaves() {
    for (fen, counts) in CHESS960 {
        check(fen, &counts);
    }
}
