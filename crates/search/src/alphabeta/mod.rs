//! Alpha-beta: principal variation search with iterative deepening, for any game.
//!
//! | file | idea |
//! |---|---|
//! | [`engine`] | the search as a library: its memory, its settings, a search |
//! | `limits` | what a search is asked for, and what it answers |
//! | `fitted` | the tables it goes by that were fitted beforehand |
//! | `threads` | one search by one or more threads |
//! | `root` | iterative deepening, aspiration windows, several best lines |
//! | `node` | one node as numbered questions |
//! | `moves` | its moves, one by one |
//! | `singular_moves` | the same where single good moves are looked for as the papers have it |
//! | `pruning` | which moves of a node are left out |
//! | `extending` | which moves are searched deeper for what they are |
//! | `here` | the searches that a technique may ask for |
//! | `shallow` | nodes that a shallow search decides |
//! | `audit` | what is pruned, searched all the same |
//! | `measure` | nodes measured where they stand, for calibration |
//! | [`prober`] | single moves searched for B\* |
//! | `sample` | late moves, searched at every reduction |
//! | `searcher` | a thread at work: what every node needs |
//! | `quiesce` | beyond the horizon |
//! | [`list`] | moves with what they promise, best first |
//! | [`order`], [`history`] | the order of moves and what it learns from |
//! | [`table`] | the transposition table |
//! | [`clock`] | how long to think |
//! | [`choice`] | which search decides |
//! | `worker` | what one thread remembers |
//! | `busy` | which moves other threads are at |

mod audit;
mod busy;
pub mod choice;
pub mod clock;
pub mod engine;
mod extending;
mod fitted;
mod here;
pub mod history;
mod limits;
pub mod list;
mod measure;
mod moves;
pub(crate) mod node;
pub mod order;
pub mod prober;
mod pruning;
pub(crate) mod quiesce;
pub(crate) mod root;
mod sample;
mod searcher;
mod shallow;
mod singular_moves;
pub mod table;
mod threads;
pub mod worker;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use busy::Busy;
use table::Table;

/// What the outside tells a running search. Shared by reference; every method may be called from
/// any thread at any time.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
    pondered: AtomicBool,
}

impl Control {
    /// For a search on the opponent's time.
    pub fn pondering() -> Control {
        let yes = || AtomicBool::new(true);
        Control { stop: AtomicBool::new(false), pondering: yes(), pondered: yes() }
    }

    /// Asks for the answer at once.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// The move that was pondered on was played: our clock runs.
    pub fn ponderhit(&self) {
        self.pondering.store(false, Relaxed);
    }

    /// The flag behind [`stop`](Control::stop).
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// Whether the answer is wanted at once.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Whether the opponent's clock is running.
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }

    /// Whether the search began on the opponent's time.
    pub fn has_pondered(&self) -> bool {
        self.pondered.load(Relaxed)
    }
}

/// What the threads of one search share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) table: Table,
    pub(crate) busy: Busy,
    stop: AtomicBool,
}

impl Shared {
    fn new(table: Table) -> Shared {
        Shared { table, busy: Busy::new(), stop: AtomicBool::new(false) }
    }

    fn begin(&self) {
        self.stop.store(false, Relaxed);
        self.busy.clear();
        self.table.grow_older();
    }

    fn stop_all(&self) {
        self.stop.store(true, Relaxed);
    }

    /// What has ended was a part of the search: the rest begins.
    fn go_on(&self) {
        self.stop.store(false, Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }
}
