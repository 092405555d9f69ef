//! Which moves of a node are left out.

use super::searcher::Searcher;
use crate::observe::{Observer, Rule};
use crate::params::Group;
use crate::selective::exchange::{self, ExchangePruning};
use crate::selective::late_moves::{self, MoveFacts};
use crate::selective::{futility, history_pruning, late_pruning};
use crate::{Depth, Evaluator, Score, Solver, Tactics};

/// A move that might be left out.
pub(super) struct Candidate<M> {
    pub(super) m: M,
    pub(super) facts: MoveFacts,
    /// The guess of the node; none in check.
    pub(super) guess: Score,
    pub(super) alpha: Score,
    pub(super) in_check: bool,
    /// What a move that takes nothing could come to at most, by material, if that counts here.
    pub(super) ceiling: Option<i32>,
    /// What the stage of the game leaves of margins of futility, in percent.
    pub(super) share: i32,
    pub(super) ply: usize,
}

/// What becomes of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is searched.
    Tried,
    /// It is not, by this rule.
    LeftOut(Rule),
    /// It is not, and would be worth this at most.
    LeftOutWithHope(Rule, Score),
    /// Neither it nor any later quiet move is, but for checks: they come later for a worse history,
    /// so what speaks against it speaks against them. They would be worth this at most.
    LastOfQuiets(Rule, Score),
}

impl<G: Tactics, E: Evaluator<G>, S: Solver<G>, O: Observer> Searcher<'_, G, E, S, O> {
    /// What the stage of the game leaves of margins of futility, in percent.
    #[inline]
    pub(super) fn share_of_margins(&self, position: &G) -> i32 {
        let how = &self.settings.futility;
        if how.is_staged() { how.share(position.stage(), G::STAGES) } else { 100 }
    }

    /// Whether a quiet move with a good history would be left out, and with it all that come after
    /// it, before any is made: making and ordering them is most of the work at such a node. The hope
    /// that is left with them, if so. `facts` are those of such a move.
    ///
    /// Checks are made all the same. A move with a better history still might have been tried:
    /// measured when checks went too, that costs 7 +- 19 Elo at 3,000 nodes a move, for a fourteenth
    /// less work for each node.
    #[inline]
    pub(super) fn hope_of_all_quiets(
        &mut self,
        facts: &MoveFacts,
        guess: Score,
        alpha: Score,
        ceiling: Option<i32>,
        share: i32,
        ply: usize,
    ) -> Option<Score> {
        let settings = self.settings;
        let node_depth = Depth::new(facts.depth);
        let tried = facts.number - 1;
        let how = &settings.late_pruning;
        if late_pruning::is_enough(how, facts.depth, facts.improving, tried) == Some(true) {
            self.tell(Rule::LatePruning, true, node_depth, ply, 0);
            return Some(-Score::INFINITE);
        }
        if alpha.is_proven() {
            return None;
        }
        if let Some(hope) = ceiling.filter(|&hope| hope <= alpha.value()) {
            self.tell(Rule::FrontierFutility, true, node_depth, ply, 0);
            return Some(Score::heuristic(hope));
        }
        let less = late_moves::by_order(&settings.late_moves, facts);
        let plies = (facts.depth - 1 - less / 1024).max(0);
        let hope = futility::hope_of_quiet(&settings.futility, plies, guess.value(), share)?;
        if hope > alpha.value() {
            return None;
        }
        self.tell(Rule::Futility, true, node_depth, ply, 0);
        Some(Score::heuristic(hope))
    }

    /// Asks the techniques that leave out single moves, the cheapest first.
    #[inline]
    pub(super) fn fate(&mut self, position: &G, candidate: &Candidate<G::Move>) -> Fate {
        let settings = self.settings;
        let Candidate { m, facts, guess, alpha, in_check, ceiling, share, ply } = *candidate;
        let packed = G::pack(m);
        let MoveFacts { depth, noisy, checks, history, improving, .. } = facts;
        let less = late_moves::by_order(&settings.late_moves, &facts);
        let plies = (depth - 1 - less / 1024).max(0);
        let node_depth = Depth::new(depth);
        if !noisy && !checks {
            let tried = facts.number - 1;
            let how = &settings.late_pruning;
            if let Some(enough) = late_pruning::is_enough(how, depth, improving, tried) {
                self.tell(Rule::LatePruning, enough, node_depth, ply, packed);
                if enough {
                    return Fate::LastOfQuiets(Rule::LatePruning, -Score::INFINITE);
                }
            }
            let how = &settings.history_pruning;
            if let Some(bad) = history_pruning::prunes(how, plies, depth, history) {
                self.tell(Rule::HistoryPruning, bad, node_depth, ply, packed);
                if bad {
                    // A killer does not come by its history and says nothing of the others.
                    return if facts.refutation {
                        Fate::LeftOut(Rule::HistoryPruning)
                    } else {
                        Fate::LastOfQuiets(Rule::HistoryPruning, -Score::INFINITE)
                    };
                }
            }
        }
        if !in_check && !checks && !alpha.is_proven() {
            let how = &settings.futility;
            let (guess, alpha) = (guess.value(), alpha.value());
            let hope = if noisy {
                futility::hope_of_noisy(how, plies, guess, share, position.gain(m))
            } else {
                futility::hope_of_quiet(how, plies, guess, share)
            };
            if let Some(hope) = hope {
                self.tell(Rule::Futility, hope <= alpha, node_depth, ply, packed);
                if hope <= alpha {
                    let hope = Score::heuristic(hope);
                    // A killer does not come by its history, by which its hope goes.
                    return if noisy || facts.refutation {
                        Fate::LeftOutWithHope(Rule::Futility, hope)
                    } else {
                        Fate::LastOfQuiets(Rule::Futility, hope)
                    };
                }
            }
        }
        if let Some(ceiling) = ceiling
            && !checks
        {
            let hope = ceiling + position.gain(m);
            let futile = hope <= alpha.value();
            self.tell(Rule::FrontierFutility, futile, node_depth, ply, packed);
            if futile {
                let hope = Score::heuristic(hope);
                let rule = Rule::FrontierFutility;
                return if noisy {
                    Fate::LeftOutWithHope(rule, hope)
                } else {
                    Fate::LastOfQuiets(rule, hope)
                };
            }
        }
        if G::ABILITIES.serves(<ExchangePruning as Group>::NEEDS)
            && let Some(least) = exchange::least(&settings.exchange_pruning, noisy, depth, plies)
        {
            let loses = !position.exchange_at_least(m, least);
            self.tell(Rule::ExchangePruning, loses, node_depth, ply, packed);
            if loses {
                return Fate::LeftOut(Rule::ExchangePruning);
            }
        }
        Fate::Tried
    }
}
