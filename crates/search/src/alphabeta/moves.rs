//! The moves of a node, one by one: which are left out, how deep the others are searched.

use super::extending::WHOLE;
use super::here::{At, Here};
use super::node::{Expected, Found, Node};
use super::order::Picker;
use super::pruning::{Candidate, Fate};
use super::searcher::Searcher;
use crate::observe::{Observer, Rule};
use crate::params::Group;
use crate::selective::frontier_futility::{self, FrontierFutility};
use crate::selective::late_moves::LateMovesForm;
use crate::selective::late_pruning::{self, LatePruningForm};
use crate::selective::rank_cut::{self, Course, RankCutAgainForm, RankCutForm};
use crate::selective::{Facts, late_moves, plausible};
use crate::{Ability, Depth, Evaluator, Score, Solver, Stopped, Tactics};

impl<G: Tactics, E: Evaluator<G>, S: Solver<G>, O: Observer> Searcher<'_, G, E, S, O> {
    /// Searches the moves of a node.
    #[inline(always)]
    pub(super) fn moves<const PV: bool>(
        &mut self,
        at: At<'_, G>,
        node: &Node,
    ) -> Result<Found<G::Move>, Stopped> {
        let At { position, ply, expected } = at;
        let &Node { depth, guess, room, for_all, table_extension, excluded, .. } = node;
        let Facts { mut alpha, beta, in_check, improving, table, .. } = node.facts;
        let key = node.key();
        // 22. The moves, the likeliest first.
        let settings = self.settings;
        let order = &settings.order;
        let table_move = node.table_move();
        let was_principal = node.was_principal();
        let noisy_best = table.is_some_and(|table| table.noisy);
        let mut picker = Picker::new(self.worker.hints(ply, table_move), order);
        // Off the books the killers of the plies below stay as they are.
        self.worker.begin_tries(ply, !O::AUDITS || self.books.are_open());
        let ceiling = if G::ABILITIES.serves(<FrontierFutility as Group>::NEEDS) {
            let here = Here { searcher: self, at };
            frontier_futility::ceiling(&settings.frontier_futility, &node.facts, &here)
        } else {
            None
        };
        let share = self.share_of_margins(position);
        let child_expected = if PV { Expected::Cut } else { expected.other() };
        let below = At { expected: child_expected, ..at };
        let Found { mut best, mut best_move, mut count } = Found::nothing();
        let is_ranked = O::RANKS || settings.rank_cut.form != RankCutForm::Off;
        let mut course = Course::new(alpha);
        if O::RANKS {
            self.worker.observer.began_moves(ply);
        }
        loop {
            // A quiet move that has earned a ply, until it is known which move it is.
            let usual = late_moves::MoveFacts {
                depth: depth.plies(),
                number: count + 1,
                principal: PV,
                was_principal,
                expected_cut: node.facts.expected_cut,
                improving,
                noisy_best,
                noisy: false,
                refutation: false,
                checks: false,
                history: settings.late_moves.history,
            };

            // 23. Would no quiet move be worth trying?
            if self.selective
                && !in_check
                && count > 0
                && !is_lost(best)
                && picker.will_make_quiets()
                && let Some(hope) =
                    self.hope_of_all_quiets(&usual, guess, alpha, ceiling, share, ply)
            {
                best = best.max(hope);
                picker.only_sharp();
            }

            // 24. Are enough plausible moves tried?
            let iteration = self.iteration.plies();
            if plausible::is_enough(&settings.plausible, ply, iteration, in_check, count) {
                self.tell(Rule::Plausible, true, depth, ply, 0);
                break;
            }

            let fresh = self.worker.next_move(&mut picker, position, ply, order);
            let Some(m) = fresh.or_else(|| self.worker.next_deferred(ply)) else { break };
            let packed = G::pack(m);
            if packed == excluded {
                continue;
            }
            // What only selective techniques ask for is not found out without them.
            let selective = self.selective;
            let noisy = selective && position.is_noisy(m);
            let checks =
                selective && G::ABILITIES.serves(Ability::CHECK) && position.gives_check(m);
            let history =
                if selective { self.worker.history_of(position, m, noisy, &picker) } else { 0 };
            let refutation = picker.is_refutation(packed);
            let move_facts = late_moves::MoveFacts { noisy, refutation, checks, history, ..usual };

            // 25. Is it worth trying at all?
            // What was left for another thread was worth it when its turn came.
            if selective && fresh.is_some() && count > 0 && !is_lost(best) {
                if settings.late_pruning.form == LatePruningForm::Learned
                    && depth.plies() <= settings.late_pruning.depth
                    && late_pruning::is_learned(depth.plies())
                    && !noisy
                    && !checks
                    && !in_check
                    && let Some(table) = self.reductions
                    && table.advice(&self.late(at, &node.facts, m, &move_facts, &course)).out
                {
                    let rule = Rule::LatePruning;
                    self.tell(rule, true, depth, ply, packed);
                    self.audit_move(rule, m, None, alpha, depth - 1, below, NOTHING)?;
                    continue;
                }
                let facts = move_facts;
                let candidate = Candidate { m, facts, guess, alpha, in_check, ceiling, share, ply };
                match self.fate(position, &candidate) {
                    Fate::Tried => {}
                    Fate::LeftOut(rule) => {
                        self.audit_move(rule, m, None, alpha, depth - 1, below, NOTHING)?;
                        continue;
                    }
                    Fate::LeftOutWithHope(rule, hope) => {
                        self.audit_move(rule, m, Some(hope), alpha, depth - 1, below, NOTHING)?;
                        best = best.max(hope);
                        continue;
                    }
                    Fate::LastOfQuiets(rule, hope) => {
                        let claimed = (hope > -Score::INFINITE).then_some(hope);
                        self.audit_move(rule, m, claimed, alpha, depth - 1, below, NOTHING)?;
                        best = best.max(hope);
                        picker.only_checks();
                        continue;
                    }
                }
            }

            let note = self.note(key, m, depth);
            if let Some(note) = note {
                if fresh.is_some() && count > 0 && self.shared.busy.has(note) {
                    self.worker.defer(m, ply);
                    continue;
                }
                self.shared.busy.begin(note);
            }
            count += 1;

            // 26. How deep?
            let mut more = 0;
            let mut credit = self.worker.stack[ply].credit;
            if packed == table_move && table_extension != 0 {
                more = table_extension;
            } else if room > 0 {
                credit += self.extension(position, m, &move_facts, ply, for_all);
                more = credit / WHOLE;
                credit %= WHOLE;
            }
            self.worker.stack[ply].extended = more > 0;
            self.worker.stack[ply + 1].credit = credit;
            let full = depth - 1 + more;
            // Counts tell how seldom a move is better than a guess. Than a proven loss nearly every move is,
            // than a proven win still fewer.
            let doubted = !is_lost(best) && !is_lost(alpha);
            let asks = is_ranked && fresh.is_some() && count > 1 && doubted;
            let phase = if asks { picker.phase() } else { None };
            let lead = settings.rank_cut_lead.form;
            let rank = phase.map(|phase| course.rank(lead, depth.plies(), in_check, count, phase));
            if O::RANKS
                && excluded == 0
                && let Some(rank) = &rank
            {
                self.worker.observer.ranked(ply, rank, best, alpha);
            }
            // Is it, or one after it, still likely to be better than those before?
            let how = &settings.rank_cut;
            let unlikely = rank.and_then(|rank| rank_cut::ask(how, self.ranks, &rank, &mut course));
            // What is searched deeper for what it is is not searched less deep for where it stands.
            let cut = unlikely == Some(true) && more <= 0;
            let mut rest =
                if cut { (full - how.reduction).max(Depth::new(1)).min(full) } else { full };
            let since_move = self.since(Rule::RankCut);
            let reduced = late_moves::applies(&settings.late_moves, &move_facts);
            // What a table goes by takes time to find out: only where it is asked.
            let table = self.reductions.filter(|_| {
                reduced && count > 1 && settings.late_moves.form == LateMovesForm::Learned
            });
            let late = ((O::SAMPLES && count > 1) || table.is_some())
                .then(|| self.late(at, &node.facts, m, &move_facts, &course));
            let less = match late.zip(table) {
                _ if !reduced => 0,
                Some((late, table)) => {
                    let plies = table.advice(&late).less;
                    late_moves::learned(&settings.late_moves, &move_facts, plies)
                }
                None => late_moves::reduction(&settings.late_moves, &move_facts),
            };
            let bound = if PV { alpha } else { beta - 1 };
            if O::SAMPLES
                && let Some(late) = late
                && self.books.are_open()
                && !bound.is_proven()
                && rest > Depth::ZERO
                && self.worker.observer.wants_sample(depth.plies())
            {
                let usual = (less / 1024).clamp(0, rest.plies() - 1);
                self.sample(m, late, usual, bound, rest, below)?;
            }

            let child = position.after(m);
            self.enter(ply, position, m, &child);
            let mut score = Score::DRAW;
            let mut closed = !PV || count > 1;
            if closed && PV {
                // A closed window leaves no line, and that of a brother is not ours.
                self.worker.clear_principal(ply + 1);
            }
            // At first less deep, and expected to fail.
            let shallow = Depth::new((rest.plies() - less / 1024).clamp(1, rest.plies().max(1)));
            if reduced && shallow < rest {
                self.worker.stack[ply].reduced = rest - shallow;
                let since = self.since(Rule::LateMoves);
                score = -self.node::<false>(
                    &child,
                    -bound - 1,
                    -bound,
                    shallow,
                    ply + 1,
                    Expected::Cut,
                )?;
                self.worker.stack[ply].reduced = 0;
                closed = score > bound;
                self.found_by_search(since, !closed, depth, ply, packed);
                if !closed {
                    let (rule, nodes) = (Rule::LateMoves, self.spent(since));
                    self.audit_move(rule, m, Some(score), bound, rest, below, nodes)?;
                }
                if closed {
                    let deeper = late_moves::again(&settings.late_moves, score - bound);
                    rest = rest + deeper.min(room - more);
                    closed = rest > shallow;
                    if closed && PV {
                        self.worker.clear_principal(ply + 1);
                    }
                }
            }
            if closed {
                score = -self.node::<false>(
                    &child,
                    -bound - 1,
                    -bound,
                    rest,
                    ply + 1,
                    child_expected,
                )?;
            }
            if cut && score > bound && settings.rank_cut_again.form == RankCutAgainForm::On {
                rest = full;
                score = -self.node::<false>(
                    &child,
                    -bound - 1,
                    -bound,
                    rest,
                    ply + 1,
                    child_expected,
                )?;
            }
            if unlikely.is_some() {
                // Only what is searched less deep is searched because of it.
                match cut {
                    true => self.found_by_search(since_move, true, depth, ply, packed),
                    false => self.tell(Rule::RankCut, false, depth, ply, packed),
                }
                if cut && score <= bound {
                    let (rule, nodes) = (Rule::RankCut, self.spent(since_move));
                    self.audit_move(rule, m, Some(score), bound, full, below, nodes)?;
                }
            }
            if PV && (count == 1 || (score > alpha && score < beta)) {
                // The first, or better than what was best: what is it worth?
                score = -self.node::<true>(&child, -beta, -alpha, rest, ply + 1, Expected::Cut)?;
            }
            if let Some(note) = note {
                self.shared.busy.end(note);
            }
            course.took(score, alpha);
            if O::RANKS {
                self.worker.observer.valued(ply, score);
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(m);
                    if PV {
                        self.worker.set_principal(ply, m);
                        alpha = score;
                    }
                    if score >= beta {
                        self.reward(position, m, ply, depth);
                        break;
                    }
                }
            }
            self.worker.remember_try(m, ply);
        }
        if O::RANKS {
            self.worker.observer.ended_moves(ply);
        }
        Ok(Found { best, best_move, count })
    }

    /// A move cut: the histories learn from it, unless it was found off the books.
    #[inline]
    pub(super) fn reward(&mut self, position: &G, m: G::Move, ply: usize, depth: Depth) {
        if !O::AUDITS || self.books.are_open() {
            let bonus = self.settings.order.bonus(depth.plies());
            self.worker.reward(position, m, ply, bonus);
        }
    }
}

/// What a technique that makes no search of its own has spent.
const NOTHING: u64 = 0;

/// Whether the best so far is certain to lose.
pub(super) fn is_lost(best: Score) -> bool {
    best.is_proven() && best < Score::DRAW
}
