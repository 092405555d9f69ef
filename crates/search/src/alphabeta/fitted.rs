//! The tables an engine goes by that were fitted beforehand, of cuts, ranks, reductions and odds: the
//! game's own or others, and whether they fit.

use std::sync::Arc;

use super::engine::Engine;
use crate::bstar::how::{BstarModel, BstarOddsTableForm};
use crate::bstar::{OddsError, OddsTable};
use crate::calibrate::cuts::{Cuts, CutsError};
use crate::calibrate::rank_plan::RankPlan;
use crate::calibrate::ranks::{Bound, Fails, Ranks, RanksError};
use crate::calibrate::reductions::{Reductions, ReductionsError};
use crate::calibrate::unrest;
use crate::observe::Observer;
use crate::selective::draft_cut::DraftCutForm;
use crate::selective::late_moves::LateMovesTableForm;
use crate::selective::levels::LevelsForm;
use crate::selective::probcut::{ProbCutHost, ProbCutTableForm};
use crate::selective::rank_cut::{self, RankCutTableForm};
use crate::{Evaluator, Solver, Tactics};

impl<G: Tactics, E: Evaluator<G>, S: Solver<G>, O: Observer> Engine<G, E, S, O> {
    /// Takes the game's own of the tables that the settings ask for and nobody has given.
    pub(super) fn take_own_tables(&mut self) {
        let host = &self.settings.probcut_host;
        let is_given = self.cuts.is_some() && self.own_cuts.is_none();
        if self.settings.wants_cuts().any() && !is_given && self.own_cuts.as_ref() != Some(host) {
            self.own_cuts = Some(host.clone());
            self.cuts = own_cuts::<G>(host).map(|own| own.plan());
        }
        if self.settings.wants_ranks() {
            self.plan_ranks();
        }
        if self.settings.wants_reductions() && self.reductions.is_none() {
            self.reductions = Reductions::parse(G::REDUCTIONS).ok().map(Arc::new);
        }
        if self.settings.wants_odds() && self.odds.is_none() {
            self.odds = OddsTable::parse(G::ODDS).ok().map(Arc::new);
        }
    }

    /// Sees to it that the chances of the ranks are those that the settings ask for.
    fn plan_ranks(&mut self) {
        let terms = rank_cut::terms(&self.settings);
        if self.rank_plan.as_ref().is_some_and(|(planned, _)| *planned == terms) {
            return;
        }
        if self.ranks.is_none() {
            self.ranks = Ranks::parse(G::RANKS).ok().map(Arc::new);
        }
        self.rank_plan = self.ranks.as_ref().map(|ranks| (terms, RankPlan::new(ranks, terms)));
    }

    /// Uses this table of cuts instead of the game's own.
    pub fn set_cuts(&mut self, cuts: &Cuts) {
        (self.cuts, self.own_cuts) = (Some(cuts.plan()), None);
    }

    /// Uses the game's own table of cuts.
    pub fn forget_cuts(&mut self) {
        (self.cuts, self.own_cuts) = (None, None);
        self.set_settings(self.settings.clone());
    }

    /// Uses this table of ranks instead of the game's own.
    pub fn set_ranks(&mut self, ranks: Arc<Ranks>) {
        self.ranks = Some(ranks);
        self.rank_plan = None;
        self.set_settings(self.settings.clone());
    }

    /// Uses the game's own table of ranks.
    pub fn forget_ranks(&mut self) {
        self.ranks = None;
        self.rank_plan = None;
        self.set_settings(self.settings.clone());
    }

    /// Whether there is a table of ranks that fits the evaluation, if settings ask for one.
    pub fn check_ranks(&self) -> Result<(), RanksError> {
        if !self.settings.wants_ranks() {
            return Ok(());
        }
        let terms = rank_cut::terms(&self.settings);
        if terms.bound == Bound::Margin && terms.fails == Fails::Hard {
            return Err(RanksError::MarginFailsHard);
        }
        let fitted = self.settings.rank_cut_table.form == RankCutTableForm::Fitted;
        let evaluation = fitted.then(|| self.evaluator().identity());
        let (_, plan) = self.rank_plan.as_ref().ok_or(RanksError::Missing)?;
        plan.check_for(evaluation)
    }

    /// Uses this table of reductions instead of the game's own.
    pub fn set_reductions(&mut self, reductions: Arc<Reductions>) {
        self.reductions = Some(reductions);
    }

    /// Uses the game's own table of reductions.
    pub fn forget_reductions(&mut self) {
        self.reductions = None;
        self.set_settings(self.settings.clone());
    }

    /// Whether there is a table of reductions that fits the evaluation, if settings ask for one.
    pub fn check_reductions(&self) -> Result<(), ReductionsError> {
        if !self.settings.wants_reductions() {
            return Ok(());
        }
        let fitted = self.settings.late_moves_table.form == LateMovesTableForm::Fitted;
        let evaluation = fitted.then(|| self.evaluator().identity());
        self.reductions.as_ref().ok_or(ReductionsError::Missing)?.check_for(evaluation)
    }

    /// Uses this table of probabilities of B\*'s leaves instead of the game's own.
    pub fn set_odds(&mut self, odds: Arc<OddsTable>) {
        self.odds = Some(odds);
        // What was thought by another table is of no use.
        self.thoughts = None;
    }

    /// Uses the game's own table of probabilities.
    pub fn forget_odds(&mut self) {
        (self.odds, self.thoughts) = (None, None);
        self.set_settings(self.settings.clone());
    }

    /// The table of probabilities that B\* goes by, if it goes by one.
    pub(super) fn odds_in_force(&self) -> Option<Arc<OddsTable>> {
        self.odds.clone().filter(|_| self.settings.wants_odds())
    }

    /// Whether there is a table of probabilities that fits the evaluation and is better than the straight
    /// line, if settings ask for one.
    pub fn check_odds(&self) -> Result<(), OddsError> {
        if !self.settings.wants_odds() {
            return Ok(());
        }
        if self.settings.bstar.form != BstarModel::Target {
            return Err(OddsError::OtherModel);
        }
        let fitted = self.settings.bstar_odds_table.form == BstarOddsTableForm::Fitted;
        let evaluation = fitted.then(|| self.evaluator().identity());
        self.odds.as_ref().ok_or(OddsError::Missing)?.check_for(evaluation)
    }

    /// Whether there is a table of cuts that fits the game and the evaluation, if settings ask for one.
    /// Without [`probcut`](crate::selective::probcut) and those like it would be silent, or wrong.
    pub fn check_cuts(&self) -> Result<(), CutsError> {
        let settings = &self.settings;
        let wanted = settings.wants_cuts();
        let makes_cuts = wanted.pairs || settings.draft_cut.form != DraftCutForm::Off;
        if settings.levels.form == LevelsForm::On && !makes_cuts {
            return Err(CutsError::LevelsAlone);
        }
        if !wanted.any() {
            return Ok(());
        }
        let fitted = settings.probcut_table.form == ProbCutTableForm::Fitted;
        let evaluation = fitted.then(|| self.evaluator().identity());
        let plan = self.cuts.as_ref().ok_or(CutsError::Missing)?;
        plan.check_for([G::STAGES, G::CATEGORIES], evaluation, wanted)?;
        if wanted.unrest { plan.check_unrest(&unrest::names::<G>()) } else { Ok(()) }
    }
}

/// The table of a game's own that was fitted to this host, or else its first.
fn own_cuts<G: Tactics>(host: &ProbCutHost) -> Option<Cuts> {
    // The contract of games sees to it that they can be read.
    let own = || G::CUTS.iter().filter_map(|text| Cuts::parse(text).ok());
    own().find(|cuts| cuts.preset() == host.preset()).or_else(|| own().next())
}
