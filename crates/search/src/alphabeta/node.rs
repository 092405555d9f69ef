//! One node of the tree, as numbered questions: the first that has an answer gives the value.
//!
//! Principal variation search (Marsland and Campbell, 1982), fail-soft: the first move of an open
//! window is searched with it, the others are only asked whether they are better. `PV` tells the
//! two procedures apart; a closed window carries what it expects to be, [`Expected`].

use super::here::Here;
use super::order::Picker;
use super::pruning::{Candidate, Fate};
use super::searcher::Searcher;
use super::table::{Bound, Entry};
use crate::observe::{NodeKind, Observer, Rule};
use crate::params::Group;
use crate::score::MAX_PLY;
use crate::selective::capture_cut::CaptureCut;
use crate::selective::null_move::NullMove;
use crate::selective::{
    Facts, TableFacts, capture_cut, internal_reduction, late_moves, null_move, razoring,
    reverse_futility, singular,
};
use crate::{Ability, Depth, Evaluator, Score, Solver, Stopped, Tactics};

crate::params! {
    /// Whether a repeated position is a draw inside the tree.
    pub struct Draws in "draws" {
        switch DrawsForm = On {
            /// Repetition is not looked at.
            Off = "off",
            /// As the rules of the game say.
            On = "on",
        }
        /// How much of a guess is gone when the move rule is about to end the game, in percent.
        fade = 50, in 0..=100, step 5;
    }
}

crate::params! {
    /// Which entries of the transposition table may answer for a node.
    pub struct TableUse in "table" {
        switch TableForm = Deeper {
            /// None; it only orders moves.
            Off = "off",
            /// Those of exactly the depth asked for, so that the value is that of plain minimax.
            Equal = "equal",
            /// Those of at least the depth asked for.
            Deeper = "deeper",
        }
    }
}

/// What a node with a closed window is expected to become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    /// Some move is too good for the opponent.
    Cut,
    /// No move is good enough.
    All,
}

impl Expected {
    pub(super) fn other(self) -> Expected {
        match self {
            Expected::Cut => Expected::All,
            Expected::All => Expected::Cut,
        }
    }
}

impl<G: Tactics, E: Evaluator<G>, S: Solver<G>, O: Observer> Searcher<'_, G, E, S, O> {
    /// The value of `position`, `depth` plies deep.
    pub(super) fn node<const PV: bool>(
        &mut self,
        position: &G,
        mut alpha: Score,
        mut beta: Score,
        mut depth: Depth,
        ply: usize,
        expected: Expected,
    ) -> Result<Score, Stopped> {
        debug_assert!(alpha < beta && (PV || beta - alpha == 1));
        // 1. Is this the horizon?
        if depth == Depth::ZERO || ply >= MAX_PLY - 1 {
            let passed = ply > 0 && self.worker.stack[ply - 1].place.is_none();
            let how = &self.settings.quiescence;
            let checks = if passed { how.checks_asked } else { how.checks };
            return self.quiesce::<PV>(position, alpha, beta, ply, checks);
        }
        self.look_up()?;
        // A search of this position with a closed window may have left its line.
        self.worker.line.back_to(ply);
        if PV {
            self.worker.clear_principal(ply);
        }

        // 2. Is the game over?
        if let Some(outcome) = self.over(position) {
            return Ok(outcome.score(ply));
        }

        // 3. Can the side to move bring an earlier position back, and so have a draw at least?
        if !PV
            && alpha < Score::DRAW
            && self.settings.draws.form == DrawsForm::On
            && self.worker.stack[ply].excluded == 0
            && position.can_recur(&self.worker.line)
        {
            return Ok(Score::DRAW);
        }

        // 4. Has a quicker mate been found elsewhere?
        alpha = alpha.max(Score::mated_in(ply));
        beta = beta.min(Score::mate_in(ply + 1));
        if alpha >= beta {
            return Ok(alpha);
        }

        // 5. Does the table know?
        let key = self.worker.line.current().key;
        let known = self.shared.table.probe(key);
        let excluded = self.worker.stack[ply].excluded;
        if let Some(entry) = known
            && !PV
            && excluded == 0
            && self.may_answer(entry, depth)
        {
            let value = entry.value.relative_to_root(ply);
            if entry.bound.decides(value, beta) {
                self.worker.observer.answered_by_table(depth, ply);
                return Ok(value);
            }
        }

        // 6. Can it be solved without searching?
        if self.root.ask_below
            && excluded == 0
            && self.worker.solver.takes(position)
            && let Some(value) = self.solve(position, alpha, beta, ply)?
        {
            return Ok(value);
        }

        // 7. What is it worth at a glance?
        let settings = self.settings;
        let in_check = G::ABILITIES.serves(Ability::CHECK) && position.in_check();
        let (evaluation, guess) = self.glance(position, known, in_check, ply);
        let improving = !in_check && self.is_improving(ply);
        let table_form = settings.table.form;
        let better = |entry: &Entry| {
            let value = entry.value.relative_to_root(ply);
            let is_better = table_form == TableForm::Deeper && entry.bound.decides(value, guess);
            (is_better && !value.is_proven()).then_some(value)
        };
        let table = known.map(|entry| TableFacts {
            packed_move: entry.packed_move,
            noisy: self.selective
                && position.unpack(entry.packed_move).is_some_and(|m| position.is_noisy(m)),
            value: entry.value.relative_to_root(ply),
            bound: entry.bound,
            draft: entry.draft.plies(),
        });
        let mut facts = Facts {
            depth: depth.plies(),
            alpha,
            beta,
            principal: PV,
            expected_cut: !PV && expected == Expected::Cut,
            in_check,
            guess: known.as_ref().and_then(better).unwrap_or(guess),
            improving,
            table,
            without_a_move: excluded != 0,
        };

        // 8. Was the reduction that led here right, now that the guess is known?
        if !PV && !in_check && excluded == 0 {
            let more = self.hindsight(guess, depth, ply);
            depth = depth + more;
            facts.depth = depth.plies();
        }

        // 9. Is the guess so far above the window that nothing brings it down?
        let asked = reverse_futility::ask(&settings.reverse_futility, &facts);
        if let Some(score) = self.heed(Rule::ReverseFutility, asked, depth, self.worker.nodes) {
            return Ok(score);
        }

        // 10. Is it so far below that only captures could help, and do they?
        let before = self.worker.nodes;
        let asked = razoring::ask(
            &settings.razoring,
            &facts,
            &mut Here { searcher: self, position, ply, expected },
        )?;
        if let Some(score) = self.heed(Rule::Razoring, asked, depth, before) {
            return Ok(score);
        }

        // 11. Is even a free move for the opponent not enough for him?
        if G::ABILITIES.serves(<NullMove as Group>::NEEDS) {
            let before = self.worker.nodes;
            let may_pass = self.may_pass(position, ply);
            let asked = null_move::ask(
                &settings.null_move,
                &facts,
                may_pass,
                &mut Here { searcher: self, position, ply, expected },
            )?;
            if let Some(score) = self.heed(Rule::NullMove, asked, depth, before) {
                return Ok(score);
            }
        }

        // 12. Is a node that nobody has left a move for worth its depth?
        let less = internal_reduction::plies(&settings.internal_reduction, &facts);
        if less > 0 {
            self.worker.observer.asked(Rule::InternalReduction, true, depth, 0);
            depth = depth - less;
            facts.depth = depth.plies();
        }

        // 13. Does a good capture decide already, by a margin, at less depth?
        if G::ABILITIES.serves(<CaptureCut as Group>::NEEDS) {
            let before = self.worker.nodes;
            let (asked, packed) = capture_cut::ask(
                &settings.capture_cut,
                &facts,
                &mut Here { searcher: self, position, ply, expected },
            )?;
            if let Some(score) = self.heed(Rule::CaptureCut, asked, depth, before) {
                if packed != 0 {
                    let entry = Entry {
                        packed_move: packed,
                        value: score.relative_to_node(ply),
                        evaluation,
                        draft: depth - settings.capture_cut.reduction + 1,
                        bound: Bound::Lower,
                        was_principal: known.is_some_and(|entry| entry.was_principal),
                        confidence: 0,
                    };
                    self.shared.table.store(key, entry);
                }
                return Ok(score);
            }
        }

        // 14. Is the move of the table the only good one, or one of many?
        let before = self.worker.nodes;
        let room = ply < 2 * self.iteration.plies() as usize;
        let verdict = singular::ask(
            &settings.singular,
            &facts,
            room && table.is_some_and(|table| position.unpack(table.packed_move).is_some()),
            &mut Here { searcher: self, position, ply, expected },
        )?;
        let mut table_extension = 0;
        if verdict != singular::Verdict::Silent {
            let cut = matches!(verdict, singular::Verdict::MultiCut(_));
            let spent = self.worker.nodes - before;
            self.worker.observer.asked(Rule::Singular, cut, depth, spent);
        }
        match verdict {
            singular::Verdict::Silent => {}
            singular::Verdict::Extend(plies) => table_extension = plies,
            singular::Verdict::MultiCut(value) => return Ok(value),
        }

        // 15. The moves, the likeliest first.
        let first_alpha = alpha;
        let order = &settings.order;
        let table_move = known.map_or(0, |entry| entry.packed_move);
        let was_principal = PV || known.is_some_and(|entry| entry.was_principal);
        let noisy_best = table.is_some_and(|table| table.noisy);
        let mut picker = Picker::new(self.worker.hints(ply, table_move), order);
        self.worker.begin_tries(ply);
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut count = 0;
        loop {
            // A quiet move that has earned a ply, until it is known which move it is.
            let usual = late_moves::MoveFacts {
                depth: depth.plies(),
                number: count + 1,
                principal: PV,
                was_principal,
                expected_cut: facts.expected_cut,
                improving,
                noisy_best,
                noisy: false,
                refutation: false,
                checks: false,
                history: settings.late_moves.history,
            };

            // 16. Would no quiet move be worth trying?
            if self.selective
                && !in_check
                && count > 0
                && !is_lost(best)
                && picker.will_make_quiets()
                && let Some(hope) = self.hope_of_all_quiets(&usual, guess, alpha)
            {
                best = best.max(hope);
                picker.only_sharp();
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

            // 17. Is it worth trying at all?
            // What was left for another thread was worth it when its turn came.
            if selective && fresh.is_some() && count > 0 && !is_lost(best) {
                let candidate = Candidate { m, guess, alpha, in_check, facts: move_facts };
                match self.fate(position, &candidate) {
                    Fate::Tried => {}
                    Fate::LeftOut => continue,
                    Fate::LeftOutWithHope(hope) => {
                        best = best.max(hope);
                        continue;
                    }
                    Fate::LastOfQuiets(hope) => {
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

            // 18. How deep?
            let mut more = 0;
            if room {
                more = if packed == table_move && table_extension != 0 {
                    table_extension
                } else {
                    self.extension(position, m, &move_facts, ply)
                };
            }
            let mut rest = depth - 1 + more;
            let reduced = late_moves::applies(&settings.late_moves, &move_facts);
            let less =
                if reduced { late_moves::reduction(&settings.late_moves, &move_facts) } else { 0 };

            let child = position.after(m);
            self.enter(ply, position, m, &child);
            let bound = if PV { alpha } else { beta - 1 };
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
                let before = self.worker.nodes;
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
                let spent = self.worker.nodes - before;
                self.worker.observer.asked(Rule::LateMoves, !closed, depth, spent);
                if closed {
                    let more = late_moves::again(&settings.late_moves, score - bound);
                    rest = rest + more;
                    closed = rest > shallow;
                    if closed && PV {
                        self.worker.clear_principal(ply + 1);
                    }
                }
            }
            if closed {
                let child_expected = if PV { Expected::Cut } else { expected.other() };
                score = -self.node::<false>(
                    &child,
                    -bound - 1,
                    -bound,
                    rest,
                    ply + 1,
                    child_expected,
                )?;
            }
            if PV && (count == 1 || (score > alpha && score < beta)) {
                // The first, or better than what was best: what is it worth?
                score = -self.node::<true>(&child, -beta, -alpha, rest, ply + 1, Expected::Cut)?;
            }
            if let Some(note) = note {
                self.shared.busy.end(note);
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
                        self.worker.reward(position, m, ply, order.bonus(depth.plies()));
                        break;
                    }
                }
            }
            self.worker.remember_try(m, ply);
        }

        // 19. No move at all: mate, stalemate, a board that is full.
        if count == 0 {
            // Without the excluded move nothing holds.
            return Ok(if excluded != 0 { alpha } else { position.without_moves().score(ply) });
        }

        // 20. Keep what was found.
        self.worker.observer.left_node(kind::<PV>(best >= beta, expected), depth, ply, count);
        if excluded == 0 {
            let bound = Bound::of(best, first_alpha, beta);
            self.shared.table.store(
                key,
                Entry {
                    packed_move: best_move.map_or(0, G::pack),
                    value: best.relative_to_node(ply),
                    evaluation,
                    draft: depth,
                    bound,
                    was_principal,
                    confidence: 0,
                },
            );
            let quiet_best = best_move.is_none_or(|m| !position.is_noisy(m));
            if !in_check && quiet_best && !best.is_proven() {
                self.correct(position, evaluation, best, bound, depth, ply);
            }
        }
        Ok(best)
    }
}

/// Whether the best so far is certain to lose.
fn is_lost(best: Score) -> bool {
    best.is_proven() && best < Score::DRAW
}

fn kind<const PV: bool>(cut: bool, expected: Expected) -> NodeKind {
    match (PV, expected, cut) {
        (true, ..) => NodeKind::Principal,
        (_, Expected::Cut, true) => NodeKind::Cut,
        (_, Expected::Cut, false) => NodeKind::CutTurnedAll,
        (_, Expected::All, false) => NodeKind::All,
        (_, Expected::All, true) => NodeKind::AllTurnedCut,
    }
}
