//! Beyond the horizon: only moves that change the balance at once, until the position is quiet.
//!
//! Standing pat is a pass of no depth (Beal, 1989): the side to move may always be content with
//! the static evaluation, except in check, where every reply is tried. A capture that loses in
//! the exchange is not. In the first plies quiet moves that give check may be tried too.

use super::order::Picker;
use super::searcher::Searcher;
use super::table::{Bound, Entry};
use crate::observe::{Observer, Rule};
use crate::score::MAX_PLY;
use crate::selective::delta;
use crate::{Ability, Depth, Evaluator, Score, Solver, Stopped, Tactics};

crate::params! {
    /// What stands at the horizon; in a game without noisy moves the static evaluation does.
    pub struct Quiescence in "quiescence" {
        switch QuiescenceForm = Captures {
            /// The static evaluation.
            Off = "off",
            /// Noisy moves and replies to check.
            Captures = "captures",
            /// The same, fewer of them the further beyond the horizon, at last only those that take
            /// back.
            Tapered = "tapered",
            /// As captures, but who stands pat must bear the opponent's captures (Beal, 1989).
            Beal = "beal",
        }
        /// Replies to check are tried up to this many times the depth of the iteration.
        check_factor = 3, in 1..=8, step 1;
        /// In so many plies beyond the horizon quiet moves that give check are tried.
        checks = 0, in 0..=4, step 1;
        /// The same after a pass and where razoring asks: a quiet mate refutes what they claim.
        checks_asked = 1, in 0..=4, step 1;
        /// Tapered: in so many plies a capture must lose nothing in the exchange, then it must win.
        wide = 2, in 0..=8, step 1;
        /// Tapered: after so many it must take back.
        narrow = 6, in 1..=16, step 1;
        /// Beal: in so many plies who stands pat must bear the opponent's captures.
        passes = 2, in 1..=8, step 1;
    }
}

/// How far beyond the horizon.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Beyond {
    /// Plies since.
    pub(super) plies: i32,
    /// Plies in which quiet checks are tried.
    pub(super) checks: i32,
}

impl Beyond {
    fn next(self) -> Beyond {
        Beyond { plies: self.plies + 1, checks: self.checks - 1 }
    }
}

/// Which captures are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Width {
    /// Those that win so much at least in the exchange.
    Winning(i32),
    /// Those that take back and lose nothing.
    TakingBack,
}

impl Quiescence {
    fn width(&self, plies: i32) -> Width {
        match self.form {
            QuiescenceForm::Tapered if plies >= self.narrow => Width::TakingBack,
            QuiescenceForm::Tapered if plies >= self.wide => Width::Winning(1),
            _ => Width::Winning(0),
        }
    }
}

impl<G: Tactics, E: Evaluator<G>, S: Solver<G>, O: Observer> Searcher<'_, G, E, S, O> {
    /// The value of a position at or beyond the horizon.
    pub(super) fn quiesce<const PV: bool>(
        &mut self,
        position: &G,
        mut alpha: Score,
        beta: Score,
        ply: usize,
        beyond: Beyond,
    ) -> Result<Score, Stopped> {
        self.look_up()?;
        self.worker.line.back_to(ply);
        self.worker.observer.beyond_horizon(ply);
        if PV {
            self.worker.clear_principal(ply);
        }
        // 1. Is the game over?
        if let Some(outcome) = self.over(position) {
            return Ok(outcome.score(ply));
        }
        let still = !G::ABILITIES.serves(Ability::NOISY)
            || self.settings.quiescence.form == QuiescenceForm::Off;
        if still || ply >= MAX_PLY - 1 {
            return Ok(self.horizon(position, ply));
        }

        // 2. Does the table know?
        let key = self.worker.line.current().key;
        let known = self.shared.table.probe(key);
        // What was found without checks does not answer for a search with them.
        let checks = beyond.checks;
        let draft = Depth::new(i32::from(checks > 0));
        if let Some(entry) = known
            && !PV
            // An open window asks for the value itself, and bounds tell only a side.
            && alpha + 1 >= beta
            && self.may_answer(entry, draft)
        {
            let value = entry.value.relative_to_root(ply);
            if entry.bound.decides(value, beta) {
                self.worker.observer.answered_by_table(Depth::ZERO, ply);
                return Ok(value);
            }
        }

        // 3. Stand pat, unless in check.
        let in_check = G::ABILITIES.serves(Ability::CHECK) && position.in_check();
        let limit = self.iteration.plies() * self.settings.quiescence.check_factor;
        let deep = ply as i32 > limit;
        let evasions = in_check && !deep;
        let mut evaluation = None;
        let mut best = Score::mated_in(ply);
        // What captures are hoped to add to: in Beal's form the floor is what a threat leaves, and a capture
        // may meet the threat.
        let mut standing = best;
        if !evasions {
            let guess = known
                .and_then(|entry| entry.evaluation)
                .unwrap_or_else(|| self.worker.evaluator.evaluate(ply, position));
            evaluation = Some(guess);
            best = self.guess(position, guess, ply);
            if let Some(entry) = known
                && self.may_answer(entry, Depth::ZERO)
            {
                // What the table says is a better guess on its side.
                let value = entry.value.relative_to_root(ply);
                if entry.bound.decides(value, best) && !value.is_distance() {
                    best = value;
                }
            }
            let since = self.since(Rule::Quiescence);
            standing = best;
            let (floor, tested) = self.floor(position, best, (alpha, beta), ply, beyond)?;
            best = floor;
            self.found_by_search(since, best >= beta, Depth::ZERO, ply, 0);
            if best >= beta {
                // What was not tested does not answer where it would have been.
                if known.is_none() && tested {
                    self.store(
                        key,
                        Entry {
                            packed_move: 0,
                            value: best.relative_to_node(ply),
                            evaluation,
                            draft: Depth::ZERO,
                            bound: Bound::Lower,
                            was_principal: PV,
                            confidence: 0,
                        },
                    );
                }
                return Ok(best);
            }
            alpha = alpha.max(best);
        }

        // 4. Moves that change the balance.
        let first_alpha = alpha;
        let order = &self.settings.order;
        let table_move = known.map_or(0, |entry| entry.packed_move);
        let width = self.settings.quiescence.width(beyond.plies);
        let mut picker = if evasions {
            Picker::new(self.worker.hints(ply, table_move), order)
        } else {
            let least = if let Width::Winning(least) = width { least } else { 0 };
            Picker::noisy(table_move, least, order)
        };
        let mut best_move = 0;
        let mut count = 0;
        let mut quiet_checks =
            G::ABILITIES.serves(Ability::CHECK) && checks > 0 && !evasions && !deep;
        let mut noisy = true;
        loop {
            let mut next = if noisy {
                self.worker.next_move(&mut picker, position, ply, order)
            } else {
                self.worker.next_safe(position, ply)
            };
            if next.is_none() && quiet_checks {
                (noisy, quiet_checks) = (false, false);
                self.worker.make_checks(position, ply);
                next = self.worker.next_safe(position, ply);
            }
            let Some(m) = next else { break };
            if width == Width::TakingBack && !evasions && !self.takes_back(position, m, ply) {
                self.tell(Rule::Quiescence, true, Depth::ZERO, ply, G::pack(m));
                continue;
            }
            count += 1;
            if !evasions
                && noisy
                && !standing.is_proven()
                && !alpha.is_proven()
                && let how = &self.settings.delta
                && let Some(hope) = delta::hope(how, standing.value(), position.gain(m))
            {
                let vain = hope <= alpha.value() && !position.gives_check(m);
                self.tell(Rule::Delta, vain, Depth::ZERO, ply, G::pack(m));
                if vain {
                    best = best.max(Score::heuristic(hope));
                    continue;
                }
            }
            let child = position.after(m);
            self.enter(ply, position, m, &child);
            let score = -self.quiesce::<PV>(&child, -beta, -alpha, ply + 1, beyond.next())?;
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = G::pack(m);
                    if PV {
                        self.worker.set_principal(ply, m);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        if evasions && count == 0 {
            return Ok(position.without_moves().score(ply));
        }
        let bound = Bound::of(best, first_alpha, beta);
        // What few captures could not do more of them might: no bound for who tries those.
        if width != Width::Winning(0) && !evasions && bound != Bound::Lower {
            return Ok(best);
        }
        self.store(
            key,
            Entry {
                packed_move: best_move,
                value: best.relative_to_node(ply),
                evaluation,
                draft: Depth::ZERO,
                // Only some moves were tried: the value is no upper bound on theirs, but it is one
                // on what this search will find again.
                bound: if bound == Bound::Exact { Bound::Upper } else { bound },
                was_principal: PV || known.is_some_and(|entry| entry.was_principal),
                confidence: 0,
            },
        );
        Ok(best)
    }

    /// What the side to move has if it is content with that: its guess, but in Beal's form no more than
    /// the opponent's captures after a pass leave of it. And whether that is what the form promises,
    /// for it does not ask far beyond the horizon.
    #[inline]
    fn floor(
        &mut self,
        position: &G,
        value: Score,
        (alpha, beta): (Score, Score),
        ply: usize,
        beyond: Beyond,
    ) -> Result<(Score, bool), Stopped> {
        let how = &self.settings.quiescence;
        if how.form != QuiescenceForm::Beal {
            return Ok((value, true));
        }
        // Below the window it decides nothing.
        if value <= alpha || value.is_proven() {
            return Ok((value, true));
        }
        let passed = ply > 0 && self.worker.stack[ply - 1].place.is_none();
        if passed || beyond.plies >= how.passes || ply == 0 {
            return Ok((value, false));
        }
        let Some(child) = position.pass() else { return Ok((value, true)) };
        let bound = value.min(beta);
        self.enter_pass(ply, &child);
        let next = Beyond { plies: beyond.plies + 1, checks: 0 };
        let reply = self.quiesce::<false>(&child, -bound, -bound + 1, ply + 1, next)?;
        self.worker.line.back_to(ply);
        Ok((if -reply >= bound { value } else { -reply }, true))
    }

    /// The static evaluation where the search ends, or the end of the game.
    fn horizon(&mut self, position: &G, ply: usize) -> Score {
        if position.count_moves() == 0 {
            return position.without_moves().score(ply);
        }
        let evaluation = self.worker.evaluator.evaluate(ply, position);
        self.guess(position, evaluation, ply)
    }
}
