//! No heap allocation in the tree: generating, playing, keys, tactics and the line, counted by
//! the allocator itself.

#![cfg(all(feature = "chess", feature = "othello"))]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use secateur_games::chess::Chess;
use secateur_games::othello::Othello;
use secateur_search::perft::Perft;
use secateur_search::{Gen, Line, Notation, Tactics};

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, counting per thread.
struct Counting;

#[allow(unsafe_code, reason = "an allocator is unsafe by nature; this one only counts")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
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
    check(&Chess::start(), 4);
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    check(&Chess::read_position(fen).unwrap(), 3);
}

#[test]
fn no_node_of_othello_allocates() {
    check(&Othello::start(), 6);
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![1u8; 100]))), 1);
}
