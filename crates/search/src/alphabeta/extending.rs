//! Which moves of a node are searched deeper for what they are.
//!
//! Extensions are counted in hundredths of a ply. What does not make a whole one is carried down the
//! line as a credit on the stack, so that depths, and drafts in the table, stay whole. For what it is a
//! move gains a ply at most, and no line grows beyond twice its iteration ([`Node::room`]).

#[cfg(doc)]
use super::node::Node;
use super::searcher::Searcher;
use crate::observe::{Observer, Rule};
use crate::params::Group;
use crate::selective::check_extension::{self, CheckExtension, CheckExtensionForm};
use crate::selective::evasive_extension::{self, EvasiveExtension, EvasiveExtensionForm};
use crate::selective::forced_extension::{self, ForcedExtensionForm};
use crate::selective::late_moves::MoveFacts;
use crate::selective::passed_extension::{self, PassedExtension, PassedExtensionForm};
use crate::selective::recapture_extension::{self, RecaptureExtension, RecaptureExtensionForm};
use crate::selective::threat_extension::{self, ThreatExtension, ThreatExtensionForm};
use crate::{Depth, Evaluator, Score, Solver, Tactics};

/// A ply.
pub(super) const WHOLE: i32 = 100;

impl<G: Tactics, E: Evaluator<G>, S: Solver<G>, O: Observer> Searcher<'_, G, E, S, O> {
    /// What every move of a node gains, in hundredths of a ply.
    #[inline]
    pub(super) fn extension_of_all(&mut self, position: &G, depth: i32, ply: usize) -> i32 {
        let settings = self.settings;
        let mut more = 0;
        let how = &settings.forced_extension;
        if how.form != ForcedExtensionForm::Off {
            let amount = forced_extension::amount(how, depth, position.count_moves());
            self.tell(Rule::ForcedExtension, amount > 0, Depth::new(depth), ply, 0);
            more += amount;
        }
        let how = &settings.threat_extension;
        if G::ABILITIES.serves(<ThreatExtension as Group>::NEEDS)
            && how.form != ThreatExtensionForm::Off
            && let Some(value) = self.worker.stack[ply].after_pass
        {
            let mated = value.is_proven() && value < Score::DRAW;
            let amount = threat_extension::amount(how, depth, mated);
            self.tell(Rule::ThreatExtension, amount > 0, Depth::new(depth), ply, 0);
            more += amount;
        }
        more
    }

    /// What a move gains beside that, in hundredths of a ply. The cheapest questions come first, and
    /// none after a whole ply.
    #[inline]
    pub(super) fn extension(
        &mut self,
        position: &G,
        m: G::Move,
        facts: &MoveFacts,
        ply: usize,
        gained: i32,
    ) -> i32 {
        let settings = self.settings;
        let depth = Depth::new(facts.depth);
        let mut more = gained;
        let how = &settings.check_extension;
        if G::ABILITIES.serves(<CheckExtension as Group>::NEEDS)
            && how.form != CheckExtensionForm::Off
            && more < WHOLE
            && facts.checks
        {
            let safe = how.form == CheckExtensionForm::All || position.exchange_at_least(m, 0);
            let facts = check_extension::MoveFacts { checks: true, safe, depth: facts.depth };
            let amount = check_extension::amount(how, facts);
            self.tell(Rule::CheckExtension, amount > 0, depth, ply, G::pack(m));
            more += amount;
        }
        let how = &settings.recapture_extension;
        if G::ABILITIES.serves(<RecaptureExtension as Group>::NEEDS)
            && how.form != RecaptureExtensionForm::Off
            && more < WHOLE
            && facts.noisy
            && self.takes_back(position, m, ply)
        {
            let safe = position.exchange_at_least(m, 0);
            let amount = recapture_extension::amount(how, facts.depth, facts.principal, safe);
            self.tell(Rule::RecaptureExtension, amount > 0, depth, ply, G::pack(m));
            more += amount;
        }
        let how = &settings.passed_extension;
        if G::ABILITIES.serves(<PassedExtension as Group>::NEEDS)
            && how.form != PassedExtensionForm::Off
            && more < WHOLE
            && position.about_to_promote(m)
        {
            let safe = position.exchange_at_least(m, 0);
            let amount = passed_extension::amount(how, facts.depth, safe);
            self.tell(Rule::PassedExtension, amount > 0, depth, ply, G::pack(m));
            more += amount;
        }
        let how = &settings.evasive_extension;
        if G::ABILITIES.serves(<EvasiveExtension as Group>::NEEDS)
            && how.form != EvasiveExtensionForm::Off
            && more < WHOLE
            && let Some(threat) = self.threat(position, ply)
        {
            let meets = position.meets(m, threat);
            let amount = evasive_extension::amount(how, facts.depth, facts.noisy, meets);
            self.tell(Rule::EvasiveExtension, amount > 0, depth, ply, G::pack(m));
            more += amount;
        }
        more.min(WHOLE)
    }

    /// What the opponent would do after a pass here, if one has failed.
    fn threat(&self, position: &G, ply: usize) -> Option<G::Move> {
        match self.worker.stack[ply].threat {
            0 => None,
            packed => position.pass()?.unpack(packed),
        }
    }

    /// Whether the move takes what has just taken.
    pub(super) fn takes_back(&self, position: &G, m: G::Move, ply: usize) -> bool {
        let Some(last) = ply.checked_sub(1).map(|above| self.worker.stack[above]) else {
            return false;
        };
        last.noisy && last.place.is_some_and(|place| position.takes_back(m, place))
    }
}
