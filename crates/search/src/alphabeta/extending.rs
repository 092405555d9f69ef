//! Which moves of a node are searched deeper for what they are. Every extension is bounded by the room
//! that the line has: no line grows beyond twice its iteration.

use super::searcher::Searcher;
use crate::observe::{Observer, Rule};
use crate::params::Group;
use crate::selective::check_extension::{self, CheckExtension};
use crate::selective::late_moves::MoveFacts;
use crate::selective::passed_extension::{self, PassedExtension, PassedExtensionForm};
use crate::selective::recapture_extension::{self, RecaptureExtension, RecaptureExtensionForm};
use crate::{Depth, Evaluator, Solver, Tactics};

impl<G: Tactics, E: Evaluator<G>, S: Solver<G>, O: Observer> Searcher<'_, G, E, S, O> {
    /// Plies to add to the search of a move: one, however many reasons there are.
    #[inline]
    pub(super) fn extension(
        &mut self,
        position: &G,
        m: G::Move,
        facts: &MoveFacts,
        ply: usize,
    ) -> i32 {
        let settings = self.settings;
        let mut asked = false;
        let mut more = 0;
        if G::ABILITIES.serves(<CheckExtension as Group>::NEEDS) && facts.checks {
            asked = true;
            let safe = position.exchange_at_least(m, 0);
            let facts = check_extension::MoveFacts { checks: true, safe, depth: facts.depth };
            more = check_extension::plies(&settings.check_extension, facts);
        }
        let how = &settings.recapture_extension;
        if G::ABILITIES.serves(<RecaptureExtension as Group>::NEEDS)
            && how.form != RecaptureExtensionForm::Off
            && more == 0
            && facts.noisy
            && self.takes_back(position, m, ply)
        {
            asked = true;
            more = recapture_extension::plies(how, facts.depth, facts.principal);
        }
        let how = &settings.passed_extension;
        if G::ABILITIES.serves(<PassedExtension as Group>::NEEDS)
            && how.form != PassedExtensionForm::Off
            && more == 0
            && position.about_to_promote(m)
        {
            asked = true;
            let safe = position.exchange_at_least(m, 0);
            more = passed_extension::plies(how, facts.depth, safe);
        }
        if asked {
            self.worker.observer.asked(Rule::Extension, more > 0, Depth::new(facts.depth), 0);
        }
        more
    }

    /// Whether the move takes what has just taken.
    fn takes_back(&self, position: &G, m: G::Move, ply: usize) -> bool {
        let Some(last) = ply.checked_sub(1).map(|above| self.worker.stack[above]) else {
            return false;
        };
        last.noisy && last.place.is_some_and(|place| position.takes_back(m, place))
    }
}
