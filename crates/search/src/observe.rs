//! What happened at a node, for counters, audits and viewers. Observing nothing costs nothing:
//! the searcher is compiled for its observer.

use crate::Depth;

/// What a node was expected to be and what it became (Reinefeld and Marsland, 1987).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// Searched with an open window.
    Principal,
    /// Expected to fail high, and did.
    Cut,
    /// Expected to fail high, but every move was tried in vain.
    CutTurnedAll,
    /// Expected to fail low, and did.
    All,
    /// Expected to fail low, but one move was too good.
    AllTurnedCut,
}

impl NodeKind {
    /// Every kind.
    pub const KINDS: [NodeKind; 5] = [
        NodeKind::Principal,
        NodeKind::Cut,
        NodeKind::CutTurnedAll,
        NodeKind::All,
        NodeKind::AllTurnedCut,
    ];
}

/// Is told what happens. The methods do nothing unless an observer cares.
pub trait Observer: Send {
    /// A node was searched to the end of its moves or to a cut, at the `count`th move.
    #[inline]
    fn left_node(&mut self, kind: NodeKind, depth: Depth, ply: usize, count: usize) {
        let _ = (kind, depth, ply, count);
    }

    /// A node was answered by the transposition table.
    #[inline]
    fn answered_by_table(&mut self, depth: Depth, ply: usize) {
        let _ = (depth, ply);
    }

    /// A position was looked at beyond the horizon.
    #[inline]
    fn beyond_horizon(&mut self, ply: usize) {
        let _ = ply;
    }
}

/// Observes nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}

/// Counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Nodes by kind, in the order of [`NodeKind::KINDS`].
    pub kinds: [u64; 5],
    /// Cuts at the first move, out of all cuts.
    pub first_move_cuts: u64,
    /// Nodes answered by the table.
    pub answered_by_table: u64,
    /// Nodes beyond the horizon.
    pub beyond_horizon: u64,
}

impl Observer for Counters {
    fn left_node(&mut self, kind: NodeKind, _depth: Depth, _ply: usize, count: usize) {
        self.kinds[kind as usize] += 1;
        let cut = matches!(kind, NodeKind::Cut | NodeKind::AllTurnedCut);
        self.first_move_cuts += u64::from(cut && count == 1);
    }

    fn answered_by_table(&mut self, _depth: Depth, _ply: usize) {
        self.answered_by_table += 1;
    }

    fn beyond_horizon(&mut self, _ply: usize) {
        self.beyond_horizon += 1;
    }
}
