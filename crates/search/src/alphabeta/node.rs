//! One node of the tree, as numbered questions: the first that has an answer gives the value.
//!
//! Questions about the node as a whole stand here, those about its moves in `moves`.
//!
//! Principal variation search (Marsland and Campbell, 1982), fail-soft: the first move of an open
//! window is searched with it, the others are only asked whether they are better. `PV` tells the
//! two procedures apart; a closed window carries what it expects to be, [`Expected`].

use super::here::{At, Here};
use super::quiesce::Beyond;
use super::searcher::{Searcher, Since};
use super::table::{Bound, Entry};
use crate::observe::{NodeKind, Observer, Rule};
use crate::params::Group;
use crate::score::MAX_PLY;
use crate::selective::capture_cut::CaptureCut;
use crate::selective::evasive_extension::EvasiveExtensionForm;
use crate::selective::null_move::NullMove;
use crate::selective::probcut::ProbCutPlaceForm;
use crate::selective::{
    Answer, Facts, TableFacts, capture_cut, draft_cut, internal_deepening, internal_reduction,
    limited_razoring, material_cut, multi_cut, null_move, razoring, reverse_futility, singular,
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

/// A node that no question has answered: what its moves are searched with.
pub(super) struct Node {
    key: u64,
    pub(super) depth: Depth,
    pub(super) facts: Facts,
    known: Option<Entry>,
    /// As the table keeps it.
    evaluation: Option<Score>,
    /// The evaluation, corrected.
    pub(super) guess: Score,
    /// Plies by which the line may still grow: never beyond twice its iteration, so that extensions add no
    /// more than the iteration has.
    pub(super) room: i32,
    /// What every move gains, in hundredths of a ply.
    pub(super) for_all: i32,
    /// Plies more for the move of the table.
    pub(super) table_extension: i32,
    /// A move that is left out, packed; 0 for none.
    pub(super) excluded: u16,
}

impl Node {
    /// The move of the table, packed; 0 for none.
    #[inline]
    pub(super) fn table_move(&self) -> u16 {
        self.known.map_or(0, |entry| entry.packed_move)
    }

    /// Whether the position is or once was on a principal variation.
    #[inline]
    pub(super) fn was_principal(&self) -> bool {
        self.facts.principal || self.known.is_some_and(|entry| entry.was_principal)
    }

    #[inline]
    pub(super) fn key(&self) -> u64 {
        self.key
    }
}

/// What the questions about a node came to.
enum Opened {
    /// Its value.
    Known(Score),
    /// Its moves must tell.
    Moves(Node),
}

/// What the moves of a node came to.
pub(super) struct Found<M> {
    pub(super) best: Score,
    /// The move that is better than alpha, if one is.
    pub(super) best_move: Option<M>,
    /// How many were searched.
    pub(super) count: usize,
}

impl<M> Found<M> {
    pub(super) fn nothing() -> Found<M> {
        Found { best: -Score::INFINITE, best_move: None, count: 0 }
    }
}

impl<G: Tactics, E: Evaluator<G>, S: Solver<G>, O: Observer> Searcher<'_, G, E, S, O> {
    /// The value of `position`, `depth` plies deep.
    pub(super) fn node<const PV: bool>(
        &mut self,
        position: &G,
        alpha: Score,
        beta: Score,
        depth: Depth,
        ply: usize,
        expected: Expected,
    ) -> Result<Score, Stopped> {
        debug_assert!(alpha < beta && (PV || beta - alpha == 1));
        let at = At { position, ply, expected };
        if O::SAMPLES {
            let above =
                ply.checked_sub(1).map_or(0, |above| self.worker.stack[above].inherited.cuts);
            let cuts = above + u32::from(!PV && expected == Expected::Cut);
            self.worker.stack[ply].inherited.cuts = cuts;
        }
        let node = match self.open::<PV>(at, alpha, beta, depth)? {
            Opened::Known(score) => return Ok(score),
            Opened::Moves(node) => node,
        };
        let found = if self.settings.singular.drives(PV) && self.may_compare(&node, ply) {
            self.singular_moves::<PV>(at, &node)?
        } else {
            self.moves::<PV>(at, &node)?
        };
        Ok(self.close::<PV>(at, &node, &found))
    }

    /// The questions about the node as a whole.
    #[inline(always)]
    fn open<const PV: bool>(
        &mut self,
        at: At<'_, G>,
        mut alpha: Score,
        mut beta: Score,
        mut depth: Depth,
    ) -> Result<Opened, Stopped> {
        let At { position, ply, expected } = at;
        // 1. Is this the horizon?
        if depth == Depth::ZERO || ply >= MAX_PLY - 1 {
            let passed = ply > 0 && self.worker.stack[ply - 1].place.is_none();
            let how = &self.settings.quiescence;
            let checks = if passed { how.checks_asked } else { how.checks };
            let beyond = Beyond { plies: 0, checks };
            let value = self.quiesce::<PV>(position, alpha, beta, ply, beyond)?;
            return Ok(Opened::Known(value));
        }
        self.look_up()?;
        // A search of this position with a closed window may have left its line.
        self.worker.line.back_to(ply);
        if PV {
            self.worker.clear_principal(ply);
        }

        // 2. Is the game over?
        if let Some(outcome) = self.over(position) {
            return Ok(Opened::Known(outcome.score(ply)));
        }

        // 3. Can the side to move bring an earlier position back, and so have a draw at least?
        if !PV
            && alpha < Score::DRAW
            && self.settings.draws.form == DrawsForm::On
            && self.worker.stack[ply].excluded == 0
            && position.can_recur(&self.worker.line)
        {
            return Ok(Opened::Known(Score::DRAW));
        }

        // 4. Has a quicker mate been found elsewhere?
        alpha = alpha.max(Score::mated_in(ply));
        beta = beta.min(Score::mate_in(ply + 1));
        if alpha >= beta {
            return Ok(Opened::Known(alpha));
        }

        // 5. Does the table know?
        let key = self.worker.line.current().key;
        let mut known = self.shared.table.probe(key);
        let excluded = self.worker.stack[ply].excluded;
        if let Some(entry) = known
            && !PV
            && excluded == 0
            && self.may_answer(entry, depth)
        {
            let value = entry.value.relative_to_root(ply);
            // To have won by a point is more than any guess: it says nothing of how far the guess will be off.
            let of_points = value.is_proven() && !value.is_distance() && !beta.is_proven();
            let about_guesses = self.worker.stack[ply].inherited.probing > 0;
            if entry.bound.decides(value, beta) && !(of_points && about_guesses) {
                self.worker.observer.answered_by_table(depth, ply);
                return Ok(Opened::Known(value));
            }
        }

        // 6. Can it be solved without searching?
        if self.root.ask_below
            && excluded == 0
            // The end of the game would decide a question about guesses by winning or losing alone.
            && self.worker.stack[ply].inherited.probing == 0
            && self.worker.solver.takes(position)
            && let Some(value) = self.solve(position, alpha, beta, ply)?
        {
            return Ok(Opened::Known(value));
        }

        // 7. What is it worth at a glance?
        let settings = self.settings;
        let in_check = G::ABILITIES.serves(Ability::CHECK) && position.in_check();
        let (evaluation, guess) = self.glance(position, known, in_check, depth, ply);
        let improving = !in_check && self.is_improving(ply);
        let table_form = settings.table.form;
        let better = |entry: &Entry| {
            let value = entry.value.relative_to_root(ply);
            let is_better = table_form == TableForm::Deeper
                && self.is_sure(*entry)
                && entry.bound.decides(value, guess);
            (is_better && !value.is_proven()).then_some(value)
        };
        let mut facts = Facts {
            depth: depth.plies(),
            alpha,
            beta,
            principal: PV,
            expected_cut: !PV && expected == Expected::Cut,
            in_check,
            guess: known.as_ref().and_then(better).unwrap_or(guess),
            improving,
            table: self.table_facts(position, known, ply),
            without_a_move: excluded != 0,
            after_extension: ply > 0 && self.worker.stack[ply - 1].extended,
            stage: if self.fitted { position.stage() } else { 0 },
        };

        // 8. Was the reduction that led here right, now that the guess is known?
        let again = self.worker.stack[ply].again;
        if !PV && !in_check && excluded == 0 && !again {
            let more = self.hindsight(guess, depth, ply);
            depth = depth + more;
            facts.depth = depth.plies();
        }

        if O::MEASURES && facts.can_cut() && self.worker.observer.glanced(depth, ply, beta) {
            self.measure(&facts, at, false)?;
        }

        let plan = self.cuts;
        if !(O::MEASURES && self.worker.stack[ply].guess_on_trial) {
            // 9. Is the guess so far above the window that nothing brings it down?
            let asked = reverse_futility::ask(&settings.reverse_futility, &facts, plan);
            let since = self.since(Rule::ReverseFutility);
            if let Some(score) = self.heed(asked, &facts, at, since)? {
                return Ok(Opened::Known(score));
            }

            // 10. Is it so far below that only captures could help, and do they?
            let since = self.since(Rule::Razoring);
            let asked =
                razoring::ask(&settings.razoring, &facts, plan, &mut Here { searcher: self, at })?;
            if let Some(score) = self.heed(asked, &facts, at, since)? {
                return Ok(Opened::Known(score));
            }
        }

        if G::ABILITIES.serves(Ability::MATERIAL) {
            // 11. Is material so far below that a ply less will do?
            let here = Here { searcher: self, at };
            if let Some(less) = limited_razoring::plies(&settings.limited_razoring, &facts, &here) {
                self.tell(Rule::LimitedRazoring, less > 0, depth, ply, 0);
                depth = depth - less;
                facts.depth = depth.plies();
            }

            // 12. Is material lost for nothing, and does half the depth not win it back?
            if !again {
                let since = self.since(Rule::MaterialCut);
                let asked = material_cut::ask(
                    &settings.material_cut,
                    &facts,
                    &mut Here { searcher: self, at },
                )?;
                if let Some(score) = self.heed(asked, &facts, at, since)? {
                    return Ok(Opened::Known(score));
                }
            }
        }

        // 13. Is what the table knows from less depth far beyond the window?
        let asked = draft_cut::ask(&settings.draft_cut, self.level, &facts, plan);
        let since = self.since(Rule::DraftCut);
        if let Some(score) = self.heed(asked, &facts, at, since)? {
            return Ok(Opened::Known(score));
        }

        // 14. Would a shallow search already decide this window?
        let place = settings.probcut_place.form;
        if place == ProbCutPlaceForm::Before {
            let kept = (key, evaluation);
            if let Some(score) = self.probcut(&mut facts, &mut known, at, kept)? {
                return Ok(Opened::Known(score));
            }
            depth = Depth::new(facts.depth);
        }

        // What a pass that failed has shown; other searches of this node forget it.
        let (mut shown, mut refused) = ((None, 0), true);

        // 15. Is even a free move for the opponent not enough for him?
        if G::ABILITIES.serves(<NullMove as Group>::NEEDS) {
            let since = self.since(Rule::NullMove);
            let passing = self.passing(position, ply);
            self.worker.stack[ply].after_pass = None;
            let asked = null_move::ask(
                &settings.null_move,
                &facts,
                passing,
                &mut Here { searcher: self, at },
            )?;
            refused = null_move::is_refused(&settings.null_move, passing, asked);
            if let Some(score) = self.heed(asked, &facts, at, since)? {
                return Ok(Opened::Known(score));
            }
            let wanted = settings.order.threat > 0
                || settings.evasive_extension.form != EvasiveExtensionForm::Off;
            let after = self.worker.stack[ply].after_pass;
            let failed = wanted && after.is_some_and(|value| value < beta);
            shown = (after, if failed { self.reply_to_pass(position) } else { 0 });
        }

        // 16. Or would it now?
        let now = match place {
            ProbCutPlaceForm::Before => false,
            ProbCutPlaceForm::After => true,
            ProbCutPlaceForm::Refused => refused,
        };
        if now {
            let kept = (key, evaluation);
            if let Some(score) = self.probcut(&mut facts, &mut known, at, kept)? {
                return Ok(Opened::Known(score));
            }
            depth = Depth::new(facts.depth);
        }

        // 17. Is a node that nobody has left a move for worth its depth?
        let less = internal_reduction::plies(&settings.internal_reduction, &facts);
        // What is asked later was asked at the depth that this has left.
        let taken = O::AUDITS
            && matches!(
                self.worker.stack[ply].audited,
                Some(Rule::CaptureCut | Rule::MultiCut | Rule::Singular)
            );
        if less > 0 && !taken {
            self.tell(Rule::InternalReduction, true, depth, ply, 0);
            depth = depth - less;
            facts.depth = depth.plies();
        }

        // 18. Or worth a search to less depth first, to have a move to begin with?
        let less = internal_deepening::plies(&settings.internal_deepening, &facts);
        if less > 0 {
            let since = self.since(Rule::InternalDeepening);
            self.worker.stack[ply].again = true;
            self.node::<PV>(position, alpha, beta, depth - less, ply, expected)?;
            self.worker.stack[ply].again = again;
            known = self.shared.table.probe(key);
            facts.table = self.table_facts(position, known, ply);
            let held = facts.table.is_some_and(|table| table.packed_move != 0);
            self.found_by_search(since, held, depth, ply, 0);
            self.worker.line.back_to(ply);
            if PV {
                self.worker.clear_principal(ply);
            }
        }

        // Searches for the questions below order their moves by it too.
        (self.worker.stack[ply].after_pass, self.worker.stack[ply].threat) = shown;

        // 19. Does a good capture decide already, by a margin, at less depth?
        if G::ABILITIES.serves(<CaptureCut as Group>::NEEDS) {
            let since = self.since(Rule::CaptureCut);
            let (asked, packed) =
                capture_cut::ask(&settings.capture_cut, &facts, &mut Here { searcher: self, at })?;
            if let Some(score) = self.heed(asked, &facts, at, since)? {
                if packed != 0 {
                    let entry = Entry {
                        packed_move: packed,
                        value: score.relative_to_node(ply),
                        evaluation,
                        draft: depth - settings.capture_cut.less(improving) + 1,
                        bound: Bound::Lower,
                        was_principal: known.is_some_and(|entry| entry.was_principal),
                        confidence: self.confidence,
                    };
                    self.store(key, entry);
                }
                return Ok(Opened::Known(score));
            }
        }

        // 20. Do several moves hold the window at less depth already?
        let since = self.since(Rule::MultiCut);
        let asked = multi_cut::ask(&settings.multi_cut, &facts, &mut Here { searcher: self, at })?;
        if let Some(score) = self.heed(asked, &facts, at, since)? {
            return Ok(Opened::Known(score));
        }

        // 21. Is the move of the table the only good one, or one of many?
        let since = self.since(Rule::Singular);
        let room = 2 * self.iteration.plies() - ply as i32 - depth.plies();
        let verdict = singular::ask(
            &settings.singular,
            &facts,
            room > 0
                && facts.table.is_some_and(|table| position.unpack(table.packed_move).is_some()),
            &mut Here { searcher: self, at },
        )?;
        let mut table_extension = 0;
        if verdict != singular::Verdict::Silent {
            // A cut is about the node, another depth about the move of the table.
            let (held, packed_move) = match verdict {
                singular::Verdict::MultiCut(_) => (true, 0),
                singular::Verdict::Extend(plies) => {
                    (plies != 0, facts.table.map_or(0, |table| table.packed_move))
                }
                singular::Verdict::Silent => (false, 0),
            };
            self.found_by_search(since, held, depth, ply, packed_move);
        }
        match verdict {
            singular::Verdict::Silent => {}
            singular::Verdict::Extend(plies) => table_extension = plies.min(room),
            // On trial, so not believed.
            singular::Verdict::MultiCut(_)
                if O::AUDITS && self.worker.stack[ply].audited == Some(Rule::Singular) => {}
            singular::Verdict::MultiCut(value) => {
                self.audit_cut(Rule::Singular, value, &facts, at, self.spent(since))?;
                return Ok(Opened::Known(value));
            }
        }

        (self.worker.stack[ply].after_pass, self.worker.stack[ply].threat) = shown;
        let for_all = if room > 0 { self.extension_of_all(position, facts.depth, ply) } else { 0 };
        Ok(Opened::Moves(Node {
            key,
            depth,
            facts,
            known,
            evaluation,
            guess,
            room,
            for_all,
            table_extension,
            excluded,
        }))
    }

    /// What the table knows, as techniques see it.
    #[inline]
    pub(super) fn table_facts(
        &self,
        position: &G,
        known: Option<Entry>,
        ply: usize,
    ) -> Option<TableFacts> {
        known.map(|entry| TableFacts {
            packed_move: entry.packed_move,
            noisy: self.selective
                && position.unpack(entry.packed_move).is_some_and(|m| position.is_noisy(m)),
            value: entry.value.relative_to_root(ply),
            // Of a value found by bolder cuts only the move is of use.
            bound: if self.is_sure(entry) { entry.bound } else { Bound::None },
            draft: entry.draft.plies(),
        })
    }

    /// Tells the observer of an answer; the value if it is one.
    #[inline]
    pub(super) fn heed(
        &mut self,
        answer: Answer,
        facts: &Facts,
        at: At<'_, G>,
        since: Since,
    ) -> Result<Option<Score>, Stopped> {
        let cut = match answer {
            Answer::Silent => return Ok(None),
            Answer::No => None,
            Answer::Cut(score) => Some(score),
        };
        self.found_by_search(since, cut.is_some(), Depth::new(facts.depth), at.ply, 0);
        if O::AUDITS
            && let Some(score) = cut
        {
            if self.worker.stack[at.ply].audited == Some(since.rule) {
                return Ok(None);
            }
            self.audit_cut(since.rule, score, facts, at, self.spent(since))?;
        }
        Ok(cut)
    }

    /// Keeps what was found; the value of the node.
    #[inline(always)]
    fn close<const PV: bool>(
        &mut self,
        at: At<'_, G>,
        node: &Node,
        found: &Found<G::Move>,
    ) -> Score {
        let At { position, ply, expected } = at;
        let &Node { key, depth, evaluation, excluded, .. } = node;
        let &Found { best, best_move, count } = found;
        let Facts { alpha, beta, in_check, .. } = node.facts;
        // 27. No move at all: mate, stalemate, a board that is full.
        if count == 0 {
            // Without the excluded move nothing holds.
            return if excluded != 0 { alpha } else { position.without_moves().score(ply) };
        }

        // 28. Keep what was found.
        if !O::AUDITS || self.books.are_open() {
            let kind = kind::<PV>(best >= beta, expected);
            self.worker.observer.left_node(kind, depth, ply, count);
        }
        if excluded == 0 {
            let bound = Bound::of(best, alpha, beta);
            self.store(
                key,
                Entry {
                    packed_move: best_move.map_or(0, G::pack),
                    value: best.relative_to_node(ply),
                    evaluation,
                    draft: depth,
                    bound,
                    was_principal: node.was_principal(),
                    confidence: self.confidence,
                },
            );
            let quiet_best = best_move.is_none_or(|m| !position.is_noisy(m));
            if !in_check && quiet_best && !best.is_proven() {
                self.correct(position, evaluation, best, bound, depth, ply);
            }
        }
        best
    }
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
