//! The root: deeper and deeper, each iteration in a narrow window around the last value.

use std::collections::VecDeque;
use std::time::Duration;

use super::engine::{Limits, Report};
use super::extending::WHOLE;
use super::moves::is_lost;
use super::node::Expected;
use super::order::Picker;
use super::searcher::{Searcher, is_last};
use super::table::Bound;
use crate::calibrate::ranks::Phase;
use crate::observe::{Observer, Rule};
use crate::selective::draft_cut::DraftCutForm;
use crate::selective::late_moves::{self, MoveFacts};
use crate::selective::levels::Level;
use crate::selective::probcut::ProbCutForm;
use crate::selective::rank_cut::{self, Course, RankCutAgainForm, RankCutForm};
use crate::{Ability, Band, Depth, Evaluator, Score, Solver, Stopped, Tactics};

crate::params! {
    /// The window in which an iteration is begun.
    pub struct Aspiration in "aspiration" {
        switch AspirationForm = On {
            /// The whole range.
            Off = "off",
            /// Around the value of the iteration before.
            On = "on",
        }
        /// From this depth on.
        depth = 5, in 2..=12, step 1;
        /// Half the width at first.
        width = 18, in 4..=100, step 2;
        /// How much wider it gets after a failure, in percent.
        growth = 60, in 10..=300, step 10;
        /// Plies less deep after each failure above the window, which the next iteration makes up.
        less = 1, in 0..=3, step 1;
    }
}

crate::params! {
    /// Whether a search that is limited by depth goes on in endings, where a node has few moves and
    /// long forced lines decide (Marsland and Bjornsson, 2000).
    pub struct Endings in "endings" {
        switch EndingsForm = Off {
            /// It does not.
            Off = "off",
            /// Iterations go on, beyond the depth, until so many nodes are made.
            Nodes = "nodes",
        }
        /// Nodes, in thousands.
        nodes = 100, in 1..=100000, step 50;
    }
}

/// Failures of the window are reported once a search has taken this long.
const REPORT_BOUNDS_AFTER: Duration = Duration::from_millis(1_500);

/// A move at the root and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove<M> {
    pub(super) m: M,
    /// What a table says that it wins, whatever a search of no mate finds.
    pub(super) known: Option<Score>,
    /// In this iteration; minus infinity if not searched or not better than others.
    pub(super) score: Score,
    /// In the iteration before.
    pub(super) previous: Score,
    /// The line that begins with it.
    pub(super) line: Vec<M>,
    /// Made below it in this iteration.
    pub(super) nodes: u64,
}

impl<M: Copy> RootMove<M> {
    pub(super) fn new(m: M, known: Option<Score>) -> RootMove<M> {
        let unknown = -Score::INFINITE;
        RootMove { m, known, score: unknown, previous: unknown, line: vec![m], nodes: 0 }
    }

    /// The value to report: what the solver knew of the root, unless the search has found that the
    /// same comes sooner.
    pub(super) fn shown(&self, root: Option<Score>) -> Score {
        match self.known.or(root) {
            Some(known) if !known.is_proven() => known,
            Some(known) if known > Score::DRAW => self.score.max(known),
            Some(known) => self.score.min(known),
            None => self.score,
        }
    }
}

/// What a thread has found.
#[derive(Clone, Debug)]
pub(super) struct Found<M> {
    /// The moves, the best first.
    pub(super) moves: Vec<RootMove<M>>,
    /// The deepest iteration that was finished.
    pub(super) depth: Depth,
}

impl<G: Tactics, E: Evaluator<G>, S: Solver<G>, O: Observer> Searcher<'_, G, E, S, O> {
    /// Searches deeper and deeper until a limit is reached, beginning beyond the depth `ahead`.
    /// There is at least one move.
    pub(super) fn iterate(
        &mut self,
        root: &G,
        mut moves: Vec<RootMove<G::Move>>,
        limits: &Limits<G::Move>,
        ahead: Depth,
        report: &mut dyn FnMut(&Report<'_, G::Move>),
    ) -> Found<G::Move> {
        let lines = limits.lines.clamp(1, moves.len());
        let deepest = limits.depth.unwrap_or(Depth::MAX);
        let how = &self.settings.endings;
        let is_ending = is_last::<G>(root.stage());
        let budget = match how.form {
            EndingsForm::Nodes if is_ending => how.nodes as u64 * 1_000,
            _ => 0,
        };
        let mut finished = ahead.min(deepest - 1);
        let mut steady = 0;
        let cuts = self.settings.probcut.form != ProbCutForm::Off
            || self.settings.draft_cut.form != DraftCutForm::Off;
        let mut level = Level::first(&self.settings.levels, cuts);
        // Deeper there is nothing.
        let full = self.worker.solver.plies_to(root, self.node_limit);
        let full = full.map_or(deepest, |plies| Depth::new(plies).min(deepest));
        loop {
            let more = finished < deepest || (self.worker.nodes < budget && finished < Depth::MAX);
            match level {
                // As deep as can be: the same again, and surer.
                Some(here) if finished >= full => match here.next() {
                    Some(next) => level = Some(next),
                    None => break,
                },
                _ if more => self.iteration = finished + 1,
                _ => break,
            }
            if let Some(level) = level {
                (self.level, self.confidence) = (Some(level), level.confidence());
            }
            if budget > 0 {
                self.tell(Rule::Endings, self.iteration > deepest, self.iteration, 0, 0);
            }
            self.worker.deepest = 0;
            let best_before = moves[0].m;
            for root_move in &mut moves {
                root_move.previous = root_move.score;
            }
            for root_move in &mut moves {
                root_move.nodes = 0;
            }
            for index in 0..lines {
                let searched = self.aspire(root, &mut moves, index, report);
                // A stable sort: equal scores keep the order of the last iteration, and moves that
                // were not reached stay behind.
                moves[..=index].sort_by_key(|root_move| std::cmp::Reverse(root_move.score));
                if searched.is_err() {
                    for root_move in &mut moves {
                        if root_move.score == -Score::INFINITE {
                            root_move.score = root_move.previous;
                        }
                    }
                    return Found { moves, depth: finished };
                }
            }
            finished = self.iteration;
            for (index, root_move) in moves[..lines].iter().enumerate() {
                self.report(report, index, root_move, Bound::Exact);
            }

            steady = if moves[0].m == best_before { steady + 1 } else { 0 };
            let nodes: u64 = moves.iter().map(|root_move| root_move.nodes).sum();
            let share = moves[0].nodes * 100 / nodes.max(1);
            if self.is_done(&moves, limits, steady, share as i64) {
                break;
            }
        }
        Found { moves, depth: finished }
    }

    /// Whether what was found is enough.
    fn is_done(
        &self,
        moves: &[RootMove<G::Move>],
        limits: &Limits<G::Move>,
        steady: i64,
        best_share: i64,
    ) -> bool {
        if let (Some(wanted), Band::Mate { plies, wins: true }) =
            (limits.mate, moves[0].score.band())
            && plies <= 2 * wanted as i32
        {
            return true;
        }
        let Some(clock) = self.clock else { return false };
        let how = &self.settings.clock;
        let calm = if steady == 0 {
            100 + i64::from(how.unstable)
        } else {
            (100 - steady * i64::from(how.stable)).max(i64::from(how.calmest))
        };
        // Where nearly all nodes went into the best move, the others were refuted at once.
        let lead = best_share - i64::from(how.usual_share);
        let percent = calm * (100 - i64::from(how.share) * lead / 100) / 100;
        let percent =
            if moves.len() == 1 { percent * i64::from(how.forced) / 100 } else { percent };
        // A mate that lies within the iteration is the shortest there is: more thought is vain.
        let settled = match moves[0].score.band() {
            Band::Mate { plies, .. } => plies <= self.iteration.plies(),
            _ => false,
        };
        clock.is_enough(self.control, if settled && limits.lines <= 1 { 0 } else { percent })
    }

    /// One line of one iteration: in a window around the last value, widened until it holds.
    fn aspire(
        &mut self,
        root: &G,
        moves: &mut [RootMove<G::Move>],
        index: usize,
        report: &mut dyn FnMut(&Report<'_, G::Move>),
    ) -> Result<(), Stopped> {
        let how = &self.settings.aspiration;
        let middle = moves[index].previous;
        let narrow = how.form == AspirationForm::On
            && self.iteration.plies() >= how.depth
            && !middle.is_proven();
        let (mut below, mut above) = (how.width, how.width);
        let mut depth = self.iteration;
        let (mut alpha, mut beta) = if narrow {
            (middle - below, middle + above)
        } else {
            (-Score::INFINITE, Score::INFINITE)
        };
        loop {
            for root_move in &mut moves[index..] {
                root_move.score = -Score::INFINITE;
            }
            let since = self.since(Rule::Aspiration);
            let value = self.root_moves(root, &mut moves[index..], alpha, beta, depth);
            moves[index..].sort_by_key(|root_move| std::cmp::Reverse(root_move.score));
            let value = value?;
            match value > alpha && value < beta {
                _ if !narrow => {}
                true => self.tell(Rule::Aspiration, true, depth, 0, 0),
                false => self.found_by_search(since, false, depth, 0, 0),
            }
            let late = self.clock.is_some_and(|clock| clock.elapsed() >= REPORT_BOUNDS_AFTER);
            if value <= alpha && alpha > -Score::INFINITE {
                if late {
                    self.report(report, index, &moves[index], Bound::Upper);
                }
                below += below * how.growth / 100 + 1;
                depth = self.iteration;
                alpha = if below > 1_000 { -Score::INFINITE } else { value - below };
            } else if value >= beta && beta < Score::INFINITE {
                if late {
                    self.report(report, index, &moves[index], Bound::Lower);
                }
                above += above * how.growth / 100 + 1;
                // If the search is stopped before it is known better, at least this is.
                moves[index].previous = value;
                depth = (depth - how.less).max(Depth::new(1)).max(self.iteration - 3 * how.less);
                beta = if above > 1_000 { Score::INFINITE } else { value + above };
            } else {
                return Ok(());
            }
        }
    }

    /// The value of the root by the moves given, in their order.
    fn root_moves(
        &mut self,
        root: &G,
        moves: &mut [RootMove<G::Move>],
        mut alpha: Score,
        beta: Score,
        depth: Depth,
    ) -> Result<Score, Stopped> {
        let in_check = G::ABILITIES.serves(Ability::CHECK) && root.in_check();
        self.glance(root, None, in_check, self.iteration, 0);
        let for_all = self.extension_of_all(root, depth.plies(), 0);
        let mut best = -Score::INFINITE;
        let mut course = Course::new(alpha);
        let key = root.key();
        // Moves that another thread is at come once more, after all others.
        let mut deferred = VecDeque::new();
        let mut fresh = 0..moves.len();
        let mut place = 0;
        loop {
            let (index, comes_again) = match fresh.next() {
                Some(index) => {
                    let busy = self.note(key, moves[index].m, depth);
                    if index > 0 && busy.is_some_and(|note| self.shared.busy.has(note)) {
                        deferred.push_back(index);
                        continue;
                    }
                    (index, false)
                }
                None => match deferred.pop_front() {
                    Some(index) => (index, true),
                    None => break,
                },
            };
            let root_move = &mut moves[index];
            let (m, known) = (root_move.m, root_move.known);
            let note = self.note(key, m, depth);
            if let Some(note) = note {
                self.shared.busy.begin(note);
            }
            let nodes_before = self.worker.nodes;
            let facts = Self::facts_at_root(root, m, depth, place);
            let more = self.extension_at_root(root, m, &facts, for_all);
            let full = depth - 1 + more;
            let doubted = !is_lost(best) && !is_lost(alpha);
            // The place of a move that comes again tells nothing of it.
            let unlikely = (place > 0 && doubted && !comes_again)
                .then(|| self.unlikely_at_root(root, m, &facts, in_check, &mut course))
                .flatten();
            let cut = unlikely == Some(true) && more <= 0;
            let how = &self.settings.rank_cut;
            let rest = if cut { (full - how.reduction).max(Depth::new(1)).min(full) } else { full };
            let since_move = self.since(Rule::RankCut);
            let child = root.after(m);
            self.enter(0, root, m, &child);
            let open = |searcher: &mut Self, depth: Depth| -> Result<Score, Stopped> {
                Ok(-searcher.node::<true>(&child, -beta, -alpha, depth, 1, Expected::Cut)?)
            };
            let score = if index == 0 {
                open(self, full)
            } else {
                self.worker.clear_principal(1);
                let how = &self.settings.late_moves;
                let reduced = late_moves::applies_at_root(how, &facts);
                let less = if reduced { late_moves::reduction(how, &facts) / 1024 } else { 0 };
                let shallow = (rest - less).max(Depth::new(1)).min(rest);
                let closed = |searcher: &mut Self, depth: Depth| {
                    searcher.worker.clear_principal(1);
                    searcher.node::<false>(&child, -alpha - 1, -alpha, depth, 1, Expected::Cut)
                };
                let mut depth_of_reply = shallow;
                let mut reply = closed(self, shallow);
                let is_better = |reply: Result<Score, Stopped>| reply.is_ok_and(|r| -r > alpha);
                if shallow < rest {
                    self.tell(Rule::LateMoves, !is_better(reply), depth, 0, G::pack(m));
                }
                let again = self.settings.rank_cut_again.form == RankCutAgainForm::On;
                for deeper in [rest, if again { full } else { rest }] {
                    if depth_of_reply < deeper && is_better(reply) {
                        depth_of_reply = deeper;
                        reply = closed(self, deeper);
                    }
                }
                match (unlikely, cut) {
                    (Some(_), true) => {
                        self.found_by_search(since_move, true, depth, 0, G::pack(m));
                    }
                    (Some(_), false) => self.tell(Rule::RankCut, false, depth, 0, G::pack(m)),
                    (None, _) => {}
                }
                match reply {
                    Ok(reply) if -reply > alpha && -reply < beta => open(self, depth_of_reply),
                    other => other.map(|reply| -reply),
                }
            };
            root_move.nodes += self.worker.nodes - nodes_before;
            if let Some(note) = note {
                self.shared.busy.end(note);
            }
            // Only a mate is better than what a table knows, and nothing makes it worse.
            let score = score?.max(known.unwrap_or(-Score::INFINITE));
            if index == 0 || score > alpha {
                root_move.score = score;
                root_move.line.clear();
                root_move.line.push(m);
                root_move.line.extend_from_slice(self.worker.principal(1));
            }
            place += 1;
            course.took(score, alpha);
            best = best.max(score);
            alpha = alpha.max(score);
            if score >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// What is known of a move of the root; `place` counts from 0.
    fn facts_at_root(root: &G, m: G::Move, depth: Depth, place: usize) -> MoveFacts {
        MoveFacts {
            depth: depth.plies(),
            number: place + 1,
            principal: true,
            was_principal: true,
            expected_cut: false,
            improving: true,
            noisy_best: false,
            noisy: root.is_noisy(m),
            refutation: false,
            checks: G::ABILITIES.serves(Ability::CHECK) && root.gives_check(m),
            history: 0,
        }
    }

    /// Whether it is unlikely that a move of the root or one after it is better than those before it, by
    /// RankCut; `None` where that is not asked.
    fn unlikely_at_root(
        &self,
        root: &G,
        m: G::Move,
        facts: &MoveFacts,
        in_check: bool,
        course: &mut Course,
    ) -> Option<bool> {
        let how = &self.settings.rank_cut;
        if how.form == RankCutForm::Off || how.root == 0 {
            return None;
        }
        let phase = self.phase_at_root(root, m, facts.noisy)?;
        let lead = self.settings.rank_cut_lead.form;
        let rank = course.rank(lead, facts.depth, in_check, facts.number, phase);
        rank_cut::ask(how, self.ranks, &rank, course)
    }

    /// In which of the last phases of the order a move would come at a node below: the moves of the root have an
    /// order of their own.
    fn phase_at_root(&self, root: &G, m: G::Move, noisy: bool) -> Option<Phase> {
        let order = &self.settings.order;
        let picker = Picker::new(self.worker.hints(0, 0), order);
        if noisy {
            let loses = !root.exchange_at_least(m, -order.bad_exchange);
            return loses.then_some(Phase::Remaining);
        }
        if picker.is_refutation(G::pack(m)) {
            return None;
        }
        let history = self.worker.history_of(root, m, noisy, &picker);
        Some(if history > 0 { Phase::History } else { Phase::Remaining })
    }

    /// Plies that a move of the root is searched deeper for what it is; what does not make a whole one
    /// is left to the plies below.
    fn extension_at_root(&mut self, root: &G, m: G::Move, facts: &MoveFacts, for_all: i32) -> i32 {
        let credit = self.extension(root, m, facts, 0, for_all);
        self.worker.stack[0].extended = credit >= WHOLE;
        self.worker.stack[1].credit = credit % WHOLE;
        credit / WHOLE
    }

    fn report(
        &self,
        report: &mut dyn FnMut(&Report<'_, G::Move>),
        index: usize,
        root_move: &RootMove<G::Move>,
        bound: Bound,
    ) {
        self.worker.publish_nodes();
        let score = root_move.shown(self.root.value);
        let bound = if score == root_move.score { bound } else { Bound::Exact };
        report(&Report {
            depth: self.iteration,
            selective_depth: self.worker.deepest.max(root_move.line.len()),
            line_number: index + 1,
            score,
            bound,
            line: &root_move.line,
            percent: self.level.map(Level::percent),
            fullness: self.shared.table.fullness(),
            table_hits: self.worker.solver.table_hits() - self.root.hits_before,
            expansions: None,
        });
    }
}
