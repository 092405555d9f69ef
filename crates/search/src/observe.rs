//! What happened at a node, for counters, audits and viewers. Observing nothing costs nothing:
//! the searcher is compiled for its observer.

use crate::calibrate::ranks::Rank;
use crate::calibrate::reductions::{Late, MOST};
use crate::calibrate::unrest::Amounts;
use crate::{Depth, Score};

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

/// A selective technique, as counters and verdicts name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// `selective/reverse_futility`.
    ReverseFutility,
    /// `selective/razoring`.
    Razoring,
    /// `selective/null_move`.
    NullMove,
    /// `selective/draft_cut`.
    DraftCut,
    /// `selective/probcut`.
    ProbCut,
    /// `selective/capture_cut`.
    CaptureCut,
    /// `selective/singular`: a cut is the end of the node by several good moves, or another depth for the
    /// move of the table; where brothers are compared, a move that is better than all of them.
    Singular,
    /// `selective/late_pruning`: a cut is the end of the quiet moves of a node.
    LatePruning,
    /// `selective/history_pruning`: a cut is a move that was not tried; so below.
    HistoryPruning,
    /// `selective/futility`.
    Futility,
    /// `selective/exchange`.
    ExchangePruning,
    /// `selective/late_moves`: a cut is a reduced move that was not searched again.
    LateMoves,
    /// `selective/delta`.
    Delta,
    /// `selective/internal_reduction`: a cut is a ply taken off; only those are counted.
    InternalReduction,
    /// `selective/hindsight`: a cut is a ply added or taken off.
    Hindsight,
    /// `selective/check_extension`: a cut is depth added; so in the other extensions.
    CheckExtension,
    /// `selective/recapture_extension`.
    RecaptureExtension,
    /// `selective/passed_extension`.
    PassedExtension,
    /// `selective/forced_extension`.
    ForcedExtension,
    /// `selective/threat_extension`.
    ThreatExtension,
    /// `selective/evasive_extension`.
    EvasiveExtension,
    /// `selective/limited_razoring`: a cut is a ply taken off.
    LimitedRazoring,
    /// `selective/frontier_futility`: a cut is a move that was not tried.
    FrontierFutility,
    /// `selective/material_cut`.
    MaterialCut,
    /// `selective/multi_cut`.
    MultiCut,
    /// `selective/internal_deepening`: a cut is a move found.
    InternalDeepening,
    /// `selective/plausible`: a cut is the end of the moves of a node; only those are counted.
    Plausible,
    /// `selective/rank_cut`: a cut is a move searched less deep.
    RankCut,
    /// `selective/correction`: a cut is a guess that was changed.
    Correction,
    /// `alphabeta/quiesce`: a cut is a position whose side to move was content with its guess, or, tapered, a
    /// capture that does not take back where only those are tried; nodes are those of passes in Beal's form.
    Quiescence,
    /// `aspiration` at the root: a cut is a window that held; nodes are those of windows that did not.
    Aspiration,
    /// `endings` at the root: a cut is an iteration beyond the depth that was asked for.
    Endings,
}

impl Rule {
    /// All of them.
    pub const ALL: [Rule; 32] = [
        Rule::ReverseFutility,
        Rule::Razoring,
        Rule::NullMove,
        Rule::DraftCut,
        Rule::ProbCut,
        Rule::CaptureCut,
        Rule::Singular,
        Rule::LatePruning,
        Rule::HistoryPruning,
        Rule::Futility,
        Rule::ExchangePruning,
        Rule::LateMoves,
        Rule::Delta,
        Rule::InternalReduction,
        Rule::Hindsight,
        Rule::CheckExtension,
        Rule::RecaptureExtension,
        Rule::PassedExtension,
        Rule::ForcedExtension,
        Rule::ThreatExtension,
        Rule::EvasiveExtension,
        Rule::LimitedRazoring,
        Rule::FrontierFutility,
        Rule::MaterialCut,
        Rule::MultiCut,
        Rule::InternalDeepening,
        Rule::Plausible,
        Rule::RankCut,
        Rule::Correction,
        Rule::Quiescence,
        Rule::Aspiration,
        Rule::Endings,
    ];

    /// The name of its switch.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::ReverseFutility => "reverse_futility",
            Rule::Razoring => "razoring",
            Rule::NullMove => "null_move",
            Rule::DraftCut => "draft_cut",
            Rule::ProbCut => "probcut",
            Rule::CaptureCut => "capture_cut",
            Rule::Singular => "singular",
            Rule::LatePruning => "late_pruning",
            Rule::HistoryPruning => "history_pruning",
            Rule::Futility => "futility",
            Rule::ExchangePruning => "exchange_pruning",
            Rule::LateMoves => "late_moves",
            Rule::Delta => "delta",
            Rule::InternalReduction => "internal_reduction",
            Rule::Hindsight => "hindsight",
            Rule::CheckExtension => "check_extension",
            Rule::RecaptureExtension => "recapture_extension",
            Rule::PassedExtension => "passed_extension",
            Rule::ForcedExtension => "forced_extension",
            Rule::ThreatExtension => "threat_extension",
            Rule::EvasiveExtension => "evasive_extension",
            Rule::LimitedRazoring => "limited_razoring",
            Rule::FrontierFutility => "frontier_futility",
            Rule::MaterialCut => "material_cut",
            Rule::MultiCut => "multi_cut",
            Rule::InternalDeepening => "internal_deepening",
            Rule::Plausible => "plausible",
            Rule::RankCut => "rank_cut",
            Rule::Correction => "correction",
            Rule::Quiescence => "quiescence",
            Rule::Aspiration => "aspiration",
            Rule::Endings => "endings",
        }
    }

    /// Whether it leaves out, reduces or extends part of a tree, so that the value of one move may hang on
    /// it. The others say what a guess is worth, or how far all moves are searched.
    pub const fn shapes_the_tree(self) -> bool {
        !matches!(self, Rule::Correction | Rule::Quiescence | Rule::Aspiration | Rule::Endings)
    }
}

/// Is told what happens. The methods do nothing unless an observer cares.
pub trait Observer: Send {
    /// Whether some of what is pruned is searched all the same, to see whether that was right.
    const AUDITS: bool = false;
    /// Whether it is told of every move of a node what it came to, and of late ones what was known before.
    const RANKS: bool = false;

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

    /// A technique was asked.
    #[inline]
    fn asked(&mut self, asked: &Asked) {
        let _ = asked;
    }

    /// Nodes of a technique's own searches that this observer has counted so far. A technique asks again
    /// within its own searches: whoever adds up `told + nodes` of the outer question, in place of what the
    /// inner ones came to, counts no node twice.
    #[inline]
    fn nodes_told(&self, rule: Rule) -> u64 {
        let _ = rule;
        0
    }

    /// A move was made, and its node is `ply` plies below the root.
    #[inline]
    fn entered(&mut self, ply: usize, packed_move: u16) {
        let _ = (ply, packed_move);
    }

    /// Whether some nodes are measured where they stand: searched to several depths, with nothing of that
    /// kept. Without nobody asks or tells the next three.
    const MEASURES: bool = false;

    /// A node with a closed window at `beta` has its guess, and nothing has gone by that yet. Whether it is to
    /// be measured.
    #[inline]
    fn glanced(&mut self, depth: Depth, ply: usize, beta: Score) -> bool {
        let _ = (depth, ply, beta);
        false
    }

    /// A node with a closed window at `beta` has come to where
    /// [`probcut`](crate::selective::probcut) is asked, whether that is on or off: nothing before has
    /// answered it. Whether it is to be measured.
    #[inline]
    fn survived(&mut self, depth: Depth, ply: usize, beta: Score) -> bool {
        let _ = (depth, ply, beta);
        false
    }

    /// A node was measured.
    #[inline]
    fn measured(&mut self, measured: &Measured) {
        let _ = measured;
    }

    /// The moves of a node begin. Without [`RANKS`](Observer::RANKS) nobody tells; so the next three.
    #[inline]
    fn began_moves(&mut self, ply: usize) {
        let _ = ply;
    }

    /// A late move is about to be searched, with the best score so far and alpha.
    #[inline]
    fn ranked(&mut self, ply: usize, rank: &Rank, best: Score, alpha: Score) {
        let _ = (ply, rank, best, alpha);
    }

    /// A move came to this score.
    #[inline]
    fn valued(&mut self, ply: usize, score: Score) {
        let _ = (ply, score);
    }

    /// The moves of a node are done with.
    #[inline]
    fn ended_moves(&mut self, ply: usize) {
        let _ = ply;
    }

    /// Whether some late moves are searched at every reduction, off the books. It asks for
    /// [`AUDITS`](Observer::AUDITS) too.
    const SAMPLES: bool = false;

    /// Whether a late move of a node of this depth is to be searched at every reduction. Without
    /// [`SAMPLES`](Observer::SAMPLES) nobody asks.
    #[inline]
    fn wants_sample(&mut self, depth: i32) -> bool {
        let _ = depth;
        false
    }

    /// A late move of the node at `ply` was searched at every reduction, against `bound`. What becomes of it
    /// and of those after it is told to who has [`RANKS`](Observer::RANKS) too.
    #[inline]
    fn sampled(&mut self, ply: usize, bound: Score, sample: &Sample) {
        let _ = (ply, bound, sample);
    }

    /// Whether what was pruned at the node with this key is to be searched all the same. Without
    /// [`AUDITS`](Observer::AUDITS) nobody asks.
    #[inline]
    fn wants_audit(&mut self, key: u64) -> bool {
        let _ = key;
        false
    }

    /// What was pruned was searched all the same.
    #[inline]
    fn audited(&mut self, audit: &Audit) {
        let _ = audit;
    }
}

/// What a technique was asked, and what it said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The technique.
    pub rule: Rule,
    /// Whether it did what it is there for.
    pub held: bool,
    /// The depth of the node.
    pub depth: Depth,
    /// How far that is from the root.
    pub ply: usize,
    /// The move it was asked about, packed; 0 for the node as a whole.
    pub packed_move: u16,
    /// Nodes that its own searches made.
    pub nodes: u64,
    /// What [`Observer::nodes_told`] said before those searches.
    pub told: u64,
}

/// A node that was searched to several depths where it stands, and nothing of that kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// The guess, as techniques see it.
    pub guess: Score,
    /// What searches to some depths said, the shallowest first.
    pub searches: Vec<Searched>,
    /// How uneasy it is; nothing where that was not asked.
    pub unrest: Amounts,
}

/// What a search of a node to a depth said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Searched {
    /// How deep.
    pub depth: i32,
    /// The value, on the right side of the window.
    pub value: Score,
    /// Nodes that it took to find out that side.
    pub nodes: u64,
}

/// A late move that was searched at every reduction, off the books.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// What was known of it.
    pub late: Late,
    /// Nodes at or above its own that are expected to cut: what is missed here matters only if none of them
    /// has another move that does.
    pub cuts: u32,
    /// By how much it would be reduced by the settings in force, in plies.
    pub usual: i32,
    /// By reduction, from none on: whether it was better than the bound, and nodes; as far as there is depth.
    pub searches: [Option<(bool, u64)>; MOST + 1],
}

/// What became of something pruned that was searched all the same, off the books.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Audit {
    /// The technique that pruned.
    pub rule: Rule,
    /// The key of the node: what is pruned there again is no other case.
    pub key: u64,
    /// The depth of the node.
    pub depth: Depth,
    /// By how much the value that it claimed lay beyond the window, in hundredths; `None` where it
    /// claims none.
    pub margin: Option<i32>,
    /// Whether the search lies on the other side of the window.
    pub wrong: bool,
    /// Nodes that the technique itself had spent on its answer.
    pub spent: u64,
    /// Nodes that the search took which it saved.
    pub saved: u64,
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
    /// What each technique did, in the order of [`Rule::ALL`].
    pub rules: [RuleCount; Rule::ALL.len()],
}

/// What a technique did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleCount {
    /// How often it was asked where it applies.
    pub tried: u64,
    /// How often it did what it is there for.
    pub cut: u64,
    /// Nodes that its own searches made, those of a search within a search counted once.
    pub nodes: u64,
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

    fn asked(&mut self, asked: &Asked) {
        let count = &mut self.rules[asked.rule as usize];
        count.tried += 1;
        count.cut += u64::from(asked.held);
        if asked.nodes > 0 {
            count.nodes = asked.told + asked.nodes;
        }
    }

    fn nodes_told(&self, rule: Rule) -> u64 {
        self.rules[rule as usize].nodes
    }
}
