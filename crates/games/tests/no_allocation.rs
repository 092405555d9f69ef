//! No heap allocation in the tree: generating, playing, keys, tactics and the line, counted by
//! the allocator itself.

#![cfg(all(feature = "chess", feature = "othello"))]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use secateur_games::chess::Chess;
use secateur_games::chess::evaluate::Classical;
use secateur_games::othello::{EndgameSolver, Othello, OthelloEvaluator};
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::{Engine, Limits};
use secateur_search::bstar::Prober;
use secateur_search::observe::Silent;
use secateur_search::optimism::Hopeful;
use secateur_search::perft::Perft;
use secateur_search::solve::NoSolver;
use secateur_search::{Depth, Evaluator, Gen, Line, Notation, Solver, Tactics};

/// Of every thread: a search has its own.
static ALL_THREADS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, counting per thread.
struct Counting;

#[allow(unsafe_code, reason = "an allocator is unsafe by nature; this one only counts")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        ALL_THREADS.fetch_add(1, Relaxed);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(run: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    run();
    ALLOCATIONS.get() - before
}

/// Asks everything a search asks at every node.
fn visit<G: Tactics>(position: &G, line: &mut Line<G::Mark>, ply: usize, depth: u32) -> u64 {
    let mut sum = position.key() ^ position.stage() as u64;
    for facet in 0..G::FACETS {
        sum ^= position.facet_key(facet);
    }
    sum ^= u64::from(position.ended().is_some()) ^ u64::from(position.recurrence(line).is_some());
    sum ^= position.pass().map_or(0, |passed| passed.key());
    position.each(Gen::Noisy, |m| sum ^= u64::from(position.exchange_at_least(m, 0)));
    if depth > 0 {
        position.each(Gen::All, |m| {
            sum ^= position.place(m) as u64 ^ u64::from(position.gives_check(m));
            sum ^= u64::from(position.unpack(G::pack(m)).is_some());
            let child = position.after(m);
            line.enter(ply, position, m, &child);
            sum ^= visit(&child, line, ply + 1, depth - 1);
        });
    }
    sum
}

fn check<G: Tactics + Notation>(position: &G, depth: u32) {
    let mut line = Line::starting_at(position);
    let visiting = allocations(|| {
        std::hint::black_box(visit(position, &mut line, 0, depth));
    });
    assert_eq!(visiting, 0, "{}: allocations while visiting", position.write_position());
    for bulk in [true, false] {
        let perft = Perft { bulk, finished_is_leaf: true, stop: None };
        let counting = allocations(|| {
            std::hint::black_box(perft.count(position, depth)).unwrap();
        });
        assert_eq!(counting, 0, "{}: allocations in perft", position.write_position());
    }
}

#[test]
fn no_node_of_chess_allocates() {
    let _alone = ALONE.lock().unwrap();
    check(&Chess::start(), 4);
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    check(&Chess::read_position(fen).unwrap(), 3);
}

#[test]
fn no_node_of_othello_allocates() {
    let _alone = ALONE.lock().unwrap();
    check(&Othello::start(), 6);
}

/// The tests of this file, which run at the same time, would count each other's allocations.
static ALONE: Mutex<()> = Mutex::new(());

/// A search may allocate to begin and to end, but not for its nodes.
fn check_search<G: Hopeful, E: Evaluator<G> + 'static, S: Solver<G> + 'static>(
    position: &G,
    depth: i32,
    make: impl Fn() -> (E, S, Silent) + Send + 'static,
) {
    let mut engine = Engine::new(position.clone(), make);
    let line = Line::starting_at(position);
    let (limits, control) = (Limits::depth(depth), Control::default());
    let before = ALL_THREADS.load(Relaxed);
    let answer = engine.search(position, &line, &limits, Instant::now(), &control, &mut |_| {});
    let allocations = ALL_THREADS.load(Relaxed) - before;
    assert!(answer.nodes > 50_000, "{} nodes are too few to tell", answer.nodes);
    assert!(allocations < 1_000, "{allocations} allocations in {} nodes", answer.nodes);
}

#[test]
fn a_search_does_not_allocate_for_its_nodes() {
    let _alone = ALONE.lock().unwrap();
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let position = Chess::read_position(fen).unwrap();
    check_search(&position, 14, || (Classical::default(), NoSolver, Silent));
    let text = "-----O--X-OOOO--XXXXXO-XXXXXXXO-XXXOXXO-XXOOXOO-X-XOOO----OOOO-- X";
    let position = Othello::read_position(text).unwrap();
    let solver = || EndgameSolver::new(12, 1 << 20);
    check_search(&position, 14, move || (OthelloEvaluator::new(), solver(), Silent));
}

#[test]
fn a_probe_does_not_allocate_for_its_nodes() {
    let _alone = ALONE.lock().unwrap();
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let position = Chess::read_position(fen).unwrap();
    let mut engine = Engine::new(position.clone(), || (Classical::default(), NoSolver, Silent));
    let control = Control::default();
    let (mut nodes, mut made) = (0, 0);
    engine.probing_here(&Limits::default(), Instant::now(), &control, |probes| {
        made = allocations(|| {
            let found = probes.probe_all(&position, 0, Depth::new(6), true);
            assert!(found.is_ok_and(|found| found.len() == 48));
        });
        nodes = probes.nodes();
    });
    assert!(nodes > 50_000, "{nodes} nodes are too few to tell");
    // Two lines a move, and the list of them.
    assert!(made < 300, "{made} allocations in {nodes} nodes");
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![1u8; 100]))), 1);
}
