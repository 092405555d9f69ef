//! Selective search: where to look less, and where to look deeper.
//!
//! A technique is one file: what it claims, when it is unsound, its parameters, one function, its
//! tests. It sees the [`Facts`] of a node, and those that search see a [`Probe`]; none sees the
//! searcher. `alphabeta/node.rs` asks each of them one question, in this order:
//!
//! | file | question |
//! |---|---|
//! | [`correction`] | what does the search make of guesses in positions like this? |
//! | [`hindsight`] | was the reduction that led here too much, or too little? |
//! | [`reverse_futility`] | is the guess so far above the window that no reply brings it down? |
//! | [`razoring`] | is it so far below that only captures could help, and do they? |
//! | [`limited_razoring`] | is material so far below that a ply less will do? |
//! | [`material_cut`] | is material lost, for nothing, and does half the depth not win it back? |
//! | [`draft_cut`] | is what the table knows from less depth far beyond the window? |
//! | [`probcut`] | would a shallow search already decide this window? (before or after the next) |
//! | [`null_move`] | is even a free move for the opponent not enough for him? |
//! | [`internal_reduction`] | is a node without a known move worth its depth? |
//! | [`internal_deepening`] | or worth a search to less depth first? |
//! | [`capture_cut`] | does a good capture already decide, by a margin, at less depth? |
//! | [`multi_cut`] | do several moves hold the window at less depth already? |
//! | [`singular`] | is the known move the only good one, or one of many? |
//! | [`check_extension`], [`recapture_extension`], [`passed_extension`], [`forced_extension`], [`threat_extension`], [`evasive_extension`] | is a move worth a ply more, or a part of one? |
//! | [`plausible`] | is it one of the few moves that are tried here? |
//! | [`late_pruning`] | have enough quiet moves been tried at this depth? |
//! | [`history_pruning`] | has this move failed nearly everywhere? |
//! | [`futility`] | could this move lift the guess into the window at all? |
//! | [`frontier_futility`] | could what it takes bring material into the window, so near the horizon? |
//! | [`exchange`] | does it give away more than its depth could win back? |
//! | [`rank_cut`] | is it unlikely that this move, or one after it, is better than those before? |
//! | [`late_moves`] | how much less deep for a late move? |
//! | [`delta`] | beyond the horizon: could what is captured lift the guess into the window? |

pub mod capture_cut;
pub mod check_extension;
pub mod correction;
pub mod delta;
pub mod draft_cut;
pub mod evasive_extension;
pub mod exchange;
pub mod forced_extension;
pub mod frontier_futility;
pub mod futility;
pub mod hindsight;
pub mod history_pruning;
pub mod internal_deepening;
pub mod internal_reduction;
pub mod late_moves;
pub mod late_pruning;
pub mod levels;
pub mod limited_razoring;
pub mod material_cut;
pub mod multi_cut;
pub mod null_move;
pub mod passed_extension;
pub mod plausible;
pub mod probcut;
pub mod rank_cut;
pub mod razoring;
pub mod recapture_extension;
pub mod reverse_futility;
pub mod singular;
pub mod threat_extension;

use crate::alphabeta::table::Bound;
use crate::calibrate::unrest::Amounts;
use crate::{Depth, Score, Stopped};

/// What is known of a node before its moves are looked at.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Plies to search.
    pub depth: i32,
    /// The window.
    pub alpha: Score,
    /// The window.
    pub beta: Score,
    /// Whether the window is open.
    pub principal: bool,
    /// Whether a closed window is expected to fail high.
    pub expected_cut: bool,
    /// Whether the side to move is in check; then there is no guess.
    pub in_check: bool,
    /// The static evaluation, corrected, and by the table where that knows better.
    pub guess: Score,
    /// Whether the guess is better than it was at our last turn.
    pub improving: bool,
    /// What the table knows.
    pub table: Option<TableFacts>,
    /// Whether a move is left out here to see what the others are worth.
    pub without_a_move: bool,
    /// Whether the move that led here was searched deeper for what it is.
    pub after_extension: bool,
    /// The stage of the game, if a technique goes by it.
    pub stage: usize,
}

/// What the transposition table knows of a node.
#[derive(Clone, Copy, Debug)]
pub struct TableFacts {
    /// The best move, packed; 0 for none.
    pub packed_move: u16,
    /// Whether that is a noisy one.
    pub noisy: bool,
    /// Its value.
    pub value: Score,
    /// The side on which that bounds the truth.
    pub bound: Bound,
    /// How deep it was searched.
    pub draft: i32,
}

impl Facts {
    /// Whether a closed window is looked at, without check and with all moves.
    #[inline]
    pub(crate) fn is_closed(&self) -> bool {
        !self.principal && !self.in_check && !self.without_a_move
    }

    /// Whether a closed window of guesses is looked at, as all cuts of whole nodes need.
    #[inline]
    pub(crate) fn can_cut(&self) -> bool {
        self.is_closed() && !self.beta.is_proven()
    }
}

/// What a technique says of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It does not apply here.
    Silent,
    /// It was asked in vain.
    No,
    /// The value of the node.
    Cut(Score),
}

/// Searches that a technique may ask for, all of the same node.
pub trait Probe {
    /// The value after a pass, against `beta`; `None` where there is no pass.
    fn after_pass(&mut self, beta: Score, depth: Depth) -> Result<Option<Score>, Stopped>;

    /// The value against `beta` without passes by the side to move in the next `plies`.
    fn without_passing(&mut self, beta: Score, depth: Depth, plies: i32) -> Result<Score, Stopped>;

    /// The value against `beta` without a pass here, where a pass below that fails high is believed.
    fn trusting_passes(&mut self, beta: Score, depth: Depth) -> Result<Score, Stopped>;

    /// The value of noisy moves alone, against `beta`.
    fn beyond_horizon(&mut self, beta: Score) -> Result<Score, Stopped>;

    /// The value against `beta` if this move may not be played.
    fn without_move(&mut self, packed: u16, beta: Score, depth: Depth) -> Result<Score, Stopped>;

    /// The first noisy move that wins `exchange` at least and then holds `beta`, beyond the horizon
    /// and at `depth`: its value and itself, packed.
    fn by_capture(
        &mut self,
        beta: Score,
        exchange: i32,
        depth: Depth,
    ) -> Result<Option<(Score, u16)>, Stopped>;

    /// How many of the first `moves` moves hold `beta` when searched to `depth`, counted up to
    /// `enough`.
    fn count_cuts(
        &mut self,
        beta: Score,
        depth: Depth,
        moves: usize,
        enough: usize,
    ) -> Result<usize, Stopped>;

    /// The value against `beta` at less depth, where nobody asks for the same again.
    fn less_deep(&mut self, beta: Score, depth: Depth) -> Result<Score, Stopped>;

    /// The value against `beta` at less depth, with the hope that it lies above it or below; whoever
    /// asks this is known to everything below.
    fn to_depth(&mut self, beta: Score, depth: Depth, above: bool) -> Result<Score, Stopped>;

    /// How uneasy the position is, by kind.
    fn unrest(&mut self) -> Result<Amounts, Stopped>;

    /// What the side to move has on the board beyond what the other has, in hundredths.
    fn material(&self) -> i32;

    /// The same for this side at the root.
    fn material_at_root(&self) -> i32;

    /// How many pieces that are neither pawns nor kings each side has, the side to move first.
    fn officers(&self) -> [usize; 2];
}

#[cfg(test)]
pub(crate) mod script {
    //! A probe that answers as it is told and remembers what it was asked.

    use super::*;

    #[derive(Debug, Default)]
    pub(crate) struct Script {
        pub(crate) answers: Vec<i32>,
        pub(crate) asked: Vec<String>,
        pub(crate) officers: [usize; 2],
        pub(crate) material: i32,
        pub(crate) material_at_root: i32,
        pub(crate) unrest: Amounts,
    }

    impl Script {
        pub(crate) fn new(answers: &[i32]) -> Script {
            Script { answers: answers.to_vec(), officers: [7; 2], ..Script::default() }
        }

        fn answer(&mut self, question: String) -> Score {
            self.asked.push(question);
            Score::heuristic(self.answers.remove(0))
        }
    }

    impl Probe for Script {
        fn after_pass(&mut self, beta: Score, depth: Depth) -> Result<Option<Score>, Stopped> {
            Ok(Some(self.answer(format!("pass {} {depth}", beta.value()))))
        }

        fn without_passing(
            &mut self,
            beta: Score,
            depth: Depth,
            plies: i32,
        ) -> Result<Score, Stopped> {
            Ok(self.answer(format!("verify {} {depth} {plies}", beta.value())))
        }

        fn trusting_passes(&mut self, beta: Score, depth: Depth) -> Result<Score, Stopped> {
            Ok(self.answer(format!("trust {} {depth}", beta.value())))
        }

        fn beyond_horizon(&mut self, beta: Score) -> Result<Score, Stopped> {
            Ok(self.answer(format!("quiesce {}", beta.value())))
        }

        fn without_move(
            &mut self,
            packed: u16,
            beta: Score,
            depth: Depth,
        ) -> Result<Score, Stopped> {
            Ok(self.answer(format!("without {packed} {} {depth}", beta.value())))
        }

        fn by_capture(
            &mut self,
            beta: Score,
            exchange: i32,
            depth: Depth,
        ) -> Result<Option<(Score, u16)>, Stopped> {
            let value = self.answer(format!("capture {} {exchange} {depth}", beta.value()));
            Ok((value >= beta).then_some((value, 77)))
        }

        fn count_cuts(
            &mut self,
            beta: Score,
            depth: Depth,
            moves: usize,
            enough: usize,
        ) -> Result<usize, Stopped> {
            let question = format!("cuts {} {depth} {moves} {enough}", beta.value());
            Ok(self.answer(question).value() as usize)
        }

        fn less_deep(&mut self, beta: Score, depth: Depth) -> Result<Score, Stopped> {
            Ok(self.answer(format!("shallow {} {depth}", beta.value())))
        }

        fn to_depth(&mut self, beta: Score, depth: Depth, above: bool) -> Result<Score, Stopped> {
            let side = if above { "above" } else { "below" };
            Ok(self.answer(format!("deep {} {depth} {side}", beta.value())))
        }

        fn unrest(&mut self) -> Result<Amounts, Stopped> {
            self.asked.push("unrest".to_string());
            Ok(self.unrest)
        }

        fn material(&self) -> i32 {
            self.material
        }

        fn material_at_root(&self) -> i32 {
            self.material_at_root
        }

        fn officers(&self) -> [usize; 2] {
            self.officers
        }
    }

    /// A quiet node with a closed window at `beta`.
    pub(crate) fn facts(depth: i32, beta: i32, guess: i32) -> Facts {
        let beta = Score::heuristic(beta);
        Facts {
            depth,
            alpha: beta - 1,
            beta,
            principal: false,
            expected_cut: true,
            in_check: false,
            guess: Score::heuristic(guess),
            improving: false,
            table: None,
            without_a_move: false,
            after_extension: false,
            stage: 0,
        }
    }
}
