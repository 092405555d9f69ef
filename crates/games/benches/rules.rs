//! What the `Game` trait costs: our perft against the loops one would write by hand on
//! `cozy-chess` and on `magpie`.
//!
//! ```text
//! cargo bench -p secateur-games --bench rules
//! ```
//!
//! Both sides of a pair run in turn, so that a busy machine slows both; the figure is the median
//! over the rounds of (their time / our time): above 1 we are faster. The exit status is 1 if a
//! figure is below what the project promises.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use cozy_chess::Board;
use magpie::othello::{Board as MagpieBoard, Stone};
use secateur_games::chess::Chess;
use secateur_games::othello::Othello;
use secateur_search::perft::Perft;
use secateur_search::{Game, Notation};

const ROUNDS: usize = 31;

const CHESS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
];

/// Every node played and its key read, through the trait.
fn keys<G: Game>(position: &G, depth: u32) -> u64 {
    if depth == 0 {
        black_box(position.key());
        return 1;
    }
    let mut sum = 0;
    position.each_move(|m| sum += keys(&position.after(m), depth - 1));
    sum
}

/// The same by hand on `cozy-chess`.
fn cozy_keys(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        black_box(board.hash());
        return 1;
    }
    let mut sum = 0;
    board.generate_moves(|moves| {
        for m in moves {
            let mut child = board.clone();
            child.play_unchecked(m);
            sum += cozy_keys(&child, depth - 1);
        }
        false
    });
    sum
}

/// Leaves by hand on `cozy-chess`, the last ply counted in sets.
fn cozy_bulk(board: &Board, depth: u32) -> u64 {
    let mut leaves = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            leaves += moves.len() as u64;
        } else {
            for m in moves {
                let mut child = board.clone();
                child.play_unchecked(m);
                leaves += cozy_bulk(&child, depth - 1);
            }
        }
        false
    });
    leaves
}

/// Leaves by hand on `magpie`, the last ply counted in sets; a finished game is one leaf.
fn magpie_bulk(board: &MagpieBoard, stone: Stone, depth: u32) -> u64 {
    let moves = board.moves_for(stone);
    if moves.is_empty() {
        return match board.moves_for(stone.flip()).is_empty() {
            true => 1,
            false if depth == 1 => 1,
            false => magpie_bulk(board, stone.flip(), depth - 1),
        };
    }
    if depth == 1 {
        return moves.count_set().into();
    }
    moves
        .hot_bits()
        .map(|place| {
            let mut child = board.clone();
            child.play(stone, place);
            magpie_bulk(&child, stone.flip(), depth - 1)
        })
        .sum()
}

fn bulk<G: Notation>(position: &G, depth: u32) -> u64 {
    let finished_is_leaf = G::FINISHED_GAMES_ARE_LEAVES;
    let perft = Perft { bulk: true, finished_is_leaf, stop: None };
    perft.count(position, depth).unwrap_or_default()
}

fn timed(run: impl Fn() -> u64) -> (Duration, u64) {
    let start = Instant::now();
    let result = black_box(run());
    (start.elapsed(), result)
}

/// Runs both in turn and prints the median ratio. False if it misses the promise.
fn compare(
    name: &str,
    peer: &str,
    promise: f64,
    ours: impl Fn() -> u64,
    theirs: impl Fn() -> u64,
) -> bool {
    let mut ratios = Vec::new();
    for round in 0..=ROUNDS {
        let (our_time, our_result) = timed(&ours);
        let (their_time, their_result) = timed(&theirs);
        assert_eq!(our_result, their_result, "{name}: the two do not do the same work");
        // The first round warms up.
        if round > 0 {
            ratios.push(their_time.as_secs_f64() / our_time.as_secs_f64());
        }
    }
    ratios.sort_by(f64::total_cmp);
    let (low, median, high) = (ratios[1], ratios[ROUNDS / 2], ratios[ROUNDS - 2]);
    let kept = median >= promise;
    let verdict = if kept { "kept" } else { "MISSED" };
    println!(
        "{name:<24} {median:>6.2} of {peer:<12} ({low:.2} to {high:.2})   promised {promise:.2}: {verdict}"
    );
    kept
}

fn main() -> ExitCode {
    // `cargo test --benches` passes --test: building is all it asks for.
    if std::env::args().any(|argument| argument == "--test") {
        return ExitCode::SUCCESS;
    }
    let boards: Vec<Board> = CHESS.iter().map(|fen| fen.parse().expect("a legal FEN")).collect();
    let positions: Vec<Chess> =
        CHESS.iter().map(|fen| Chess::read_position(fen).expect("a legal FEN")).collect();
    println!("median of {ROUNDS} interleaved rounds: their time / our time\n");
    let kept = [
        compare(
            "chess node by node",
            "cozy-chess",
            0.8,
            || positions.iter().map(|p| keys(p, 4)).sum(),
            || boards.iter().map(|b| cozy_keys(b, 4)).sum(),
        ),
        compare(
            "chess in bulk",
            "cozy-chess",
            0.9,
            || positions.iter().map(|p| bulk(p, 4)).sum(),
            || boards.iter().map(|b| cozy_bulk(b, 4)).sum(),
        ),
        compare(
            "othello in bulk",
            "magpie",
            1.3,
            || bulk(&Othello::start(), 9),
            || magpie_bulk(&MagpieBoard::standard(), Stone::Black, 9),
        ),
    ];
    if kept.iter().all(|kept| *kept) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
