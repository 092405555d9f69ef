//! RankCut (Lim and Lee, 2006): once it is unlikely that any move still to come is better than those
//! before, by what was counted in games, all that remain are searched less deep until one of them is.
//!
//! Claims that a node like this one, at this point of its moves, has hardly ever had a better one to come:
//! [`calibrate::ranks`](crate::calibrate::ranks). Unsound where the order knows nothing of the position;
//! so early phases of the order, and moves that are searched deeper for what they are, are left alone. It
//! keeps away from proven values.
//! The shallow score stands, as in the paper, unless `rank_cut_again` asks for a second search.
//!
//! The paper's host fails hard: there no score lies below alpha, so that to beat the best so far and to
//! beat alpha is the same. Here scores are bounds on either side, and `rank_cut_bound` says which is meant.
//! What is known before a move differs as well: how far below alpha all moves were is nothing that the
//! paper's host could see, and to go by it cuts soonest where the node looks lost, which is where the
//! solution of a problem hides. `rank_cut_lead=hard` sees what the paper's host does.

use crate::Score;
use crate::calibrate::rank_plan::{Estimate, RankPlan, Terms};
use crate::calibrate::ranks::{Bound, Fails, Phase, Rank, Test};
use crate::preset::Settings;

crate::params! {
    /// Searches the rest of the moves less deep where no better one is likely to come.
    pub struct RankCut in "rank_cut" {
        switch RankCutForm = Off {
            /// Never.
            Off = "off",
            /// By a table of ranks.
            On = "on",
        }
        /// Where the chance of a better move is below this, in ten-thousandths.
        threshold = 75, in 0..=5000, step 25;
        /// Plies taken off.
        reduction = 1, in 1..=4, step 1;
        /// Not with fewer plies left.
        depth = 7, in 2..=30, step 1;
        /// How often a state must have been counted.
        instances = 1000, in 1..=100000, step 250;
        /// In how many of the last phases of the order: 2 for moves with a good history and what remains,
        /// 1 for what remains.
        phases = 2, in 1..=2, step 1;
        /// 1: once a move is cut so are all after it, until one is better than alpha; 0: each is asked about.
        stays = 1, in 0..=1, step 1;
        /// 1: moves of the root too: the paper's procedure knows no root, but its host orders the moves there by other
        /// means; 0: only below it.
        root = 0, in 0..=1, step 1;
    }
}

crate::params! {
    /// Whose score must be unlikely to be better.
    pub struct RankCutTest in "rank_cut_test" {
        switch RankCutTestForm = Rest {
            /// That of the move itself.
            Each = "each",
            /// That of any move from it on.
            Rest = "rest",
        }
    }
}

crate::params! {
    /// Better than what.
    pub struct RankCutBound in "rank_cut_bound" {
        switch RankCutBoundForm = Alpha {
            /// The best score so far.
            Best = "best",
            /// Alpha: the same in a search that fails hard, as the paper's does.
            Alpha = "alpha",
            /// Alpha less the margin of the table.
            Margin = "margin",
        }
    }
}

crate::params! {
    /// What a score below the alpha that its node was given counts as: in the lead, the fall and the changes
    /// of the best move, when ranks are counted and when they are looked up.
    pub struct RankCutLead in "rank_cut_lead" {
        switch RankCutLeadForm = Hard {
            /// As that alpha, as in the paper's host, which fails hard.
            Hard = "hard",
            /// As what it is.
            Soft = "soft",
        }
    }
}

impl RankCutLeadForm {
    /// The same, as tables call it.
    pub fn fails(self) -> Fails {
        match self {
            RankCutLeadForm::Hard => Fails::Hard,
            RankCutLeadForm::Soft => Fails::Soft,
        }
    }

    /// The form by which such a table was counted.
    pub fn of(fails: Fails) -> RankCutLeadForm {
        match fails {
            Fails::Hard => RankCutLeadForm::Hard,
            Fails::Soft => RankCutLeadForm::Soft,
        }
    }
}

crate::params! {
    /// How a chance comes from what was counted.
    pub struct RankCutEstimate in "rank_cut_estimate" {
        switch RankCutEstimateForm = Shrunk {
            /// The share, of states that were seen often enough, as in the paper.
            Counted = "counted",
            /// The share drawn towards that of coarser states, as much as the table says.
            Shrunk = "shrunk",
            /// The upper end of the 95 % interval of the share.
            Upper = "upper",
        }
    }
}

crate::params! {
    /// Whether a move that is better than alpha at less depth is searched again at full depth.
    pub struct RankCutAgain in "rank_cut_again" {
        switch RankCutAgainForm = Off {
            /// No, as in the paper: the shallow score stands.
            Off = "off",
            /// Yes, as late-move reductions have it.
            On = "on",
        }
    }
}

crate::params! {
    /// Which tables of ranks are used.
    pub struct RankCutTable in "rank_cut_table" {
        switch RankCutTableForm = Fitted {
            /// Only one that was counted with the evaluation at hand.
            Fitted = "fitted",
            /// Any for the game, though what it counts is another.
            Any = "any",
        }
    }
}

/// What is asked of the table.
pub fn terms(settings: &Settings) -> Terms {
    Terms {
        test: match settings.rank_cut_test.form {
            RankCutTestForm::Each => Test::Each,
            RankCutTestForm::Rest => Test::Rest,
        },
        bound: match settings.rank_cut_bound.form {
            RankCutBoundForm::Best => Bound::Best,
            RankCutBoundForm::Alpha => Bound::Alpha,
            RankCutBoundForm::Margin => Bound::Margin,
        },
        estimate: match settings.rank_cut_estimate.form {
            RankCutEstimateForm::Counted => Estimate::Counted,
            RankCutEstimateForm::Shrunk => Estimate::Shrunk,
            RankCutEstimateForm::Upper => Estimate::Upper,
        },
        instances: settings.rank_cut.instances as u64,
        fails: settings.rank_cut_lead.form.fails(),
    }
}

/// Scores that differ by more differ by so much: beyond it lie windows without an end, and proven values.
const FARTHEST: i32 = 2_000;

/// What the moves of a node have come to so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    /// The alpha that the node was given.
    given: Score,
    best: Score,
    last: Score,
    changes: usize,
    /// How often it has changed to one above the given alpha.
    rises: usize,
    /// Whether the rest is cut.
    resting: bool,
}

impl Course {
    /// Before the first move.
    #[inline]
    pub fn new(alpha: Score) -> Course {
        let nothing = -Score::INFINITE;
        Course { given: alpha, best: nothing, last: nothing, changes: 0, rises: 0, resting: false }
    }

    /// The lead of the best over the given alpha, the fall of the last below it, and how often the best move
    /// has changed.
    #[inline]
    pub fn so_far(&self) -> (i32, i32, usize) {
        let lead = (self.best - self.given).clamp(-FARTHEST, FARTHEST);
        let fall = (self.last - self.best).max(-FARTHEST);
        (lead, fall, self.changes)
    }

    /// The same where a score below the given alpha counts as that.
    #[inline]
    fn above_alpha(&self) -> (i32, i32, usize) {
        let best = self.best.max(self.given);
        let lead = (best - self.given).min(FARTHEST);
        let fall = (self.last.max(self.given) - best).max(-FARTHEST);
        (lead, fall, self.rises)
    }

    /// What is known before a move with this number, which is not the first.
    #[inline]
    pub fn rank(
        &self,
        lead: RankCutLeadForm,
        depth: i32,
        in_check: bool,
        number: usize,
        phase: Phase,
    ) -> Rank {
        let (lead, fall, changes) = match lead {
            RankCutLeadForm::Hard => self.above_alpha(),
            RankCutLeadForm::Soft => self.so_far(),
        };
        Rank { depth, in_check, number, changes, lead, fall, phase }
    }

    /// A move came to this score.
    #[inline]
    pub fn took(&mut self, score: Score, alpha: Score) {
        if score > self.best {
            let is_first = self.best == -Score::INFINITE;
            self.changes += usize::from(!is_first);
            self.rises += usize::from(!is_first && score > self.given);
            self.best = score;
        }
        self.last = score;
        self.resting &= score <= alpha;
    }
}

/// Whether a move is searched less deep; `None` where that is not asked.
#[inline]
pub fn ask(how: &RankCut, plan: &RankPlan, rank: &Rank, course: &mut Course) -> Option<bool> {
    let early = how.phases == 1 && rank.phase == Phase::History;
    if how.form == RankCutForm::Off || rank.depth < how.depth || early {
        return None;
    }
    let unlikely = course.resting || i32::from(plan.chance(rank)) < 10 * how.threshold;
    course.resting = unlikely && how.stays == 1;
    Some(unlikely)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibrate::ranks::tests::{RANK, counts, head, state};
    use crate::calibrate::ranks::{Ranks, Tally};

    /// Knows of one state that 7 in 1,000 were followed by a better move.
    fn plan() -> RankPlan {
        let tally = Tally::from([(state(&RANK), counts(1_000, 0, 7))]);
        let mut settings = Settings::default();
        settings.set("rank_cut_estimate", "counted").unwrap();
        settings.set("rank_cut_lead", "soft").unwrap();
        RankPlan::new(&Ranks::of(head(), &tally), terms(&settings))
    }

    fn on() -> RankCut {
        RankCut { form: RankCutForm::On, ..RankCut::default() }
    }

    fn score(value: i32) -> Score {
        Score::heuristic(value)
    }

    fn asked(how: &RankCut, rank: &Rank) -> Option<bool> {
        ask(how, &plan(), rank, &mut Course::new(score(0)))
    }

    #[test]
    fn a_chance_below_the_threshold_cuts_and_one_at_it_does_not() {
        assert_eq!(asked(&RankCut { threshold: 71, ..on() }, &RANK), Some(true));
        assert_eq!(asked(&RankCut { threshold: 70, ..on() }, &RANK), Some(false));
        assert_eq!(asked(&RankCut { threshold: 0, ..on() }, &RANK), Some(false));
    }

    #[test]
    fn it_is_asked_only_where_the_paper_asks() {
        assert_eq!(asked(&RankCut::default(), &RANK), None, "off");
        assert_eq!(asked(&RankCut { depth: 9, ..on() }, &RANK), None, "not deep enough");
        assert_eq!(asked(&RankCut { depth: 8, ..on() }, &RANK), Some(true));
        assert_eq!(asked(&RankCut { phases: 1, ..on() }, &RANK), None, "a move with a history");
        let unknown = Rank { number: 13, ..RANK };
        assert_eq!(asked(&on(), &unknown), Some(false), "a state that was never counted");
    }

    #[test]
    fn once_cut_the_rest_is_cut_until_a_move_is_better() {
        let unknown = Rank { number: 13, ..RANK };
        let (plan, how, alpha) = (plan(), on(), score(0));
        let mut course = Course::new(alpha);
        assert_eq!(ask(&how, &plan, &unknown, &mut course), Some(false));
        assert_eq!(ask(&how, &plan, &RANK, &mut course), Some(true));
        course.took(score(0), alpha);
        assert_eq!(ask(&how, &plan, &unknown, &mut course), Some(true));
        course.took(score(1), alpha);
        assert_eq!(ask(&how, &plan, &unknown, &mut course), Some(false), "one was better");
        let each = RankCut { stays: 0, ..on() };
        assert_eq!(ask(&each, &plan, &RANK, &mut course), Some(true));
        assert_eq!(ask(&each, &plan, &unknown, &mut course), Some(false));
    }

    #[test]
    fn the_course_of_a_node_is_told_as_the_paper_has_it() {
        let mut course = Course::new(score(100));
        for value in [20, 30, 10, 30, 25] {
            course.took(score(value), score(100));
        }
        let rank = |lead| course.rank(lead, 9, true, 6, Phase::Remaining);
        let wanted = Rank {
            depth: 9,
            in_check: true,
            number: 6,
            changes: 1,
            lead: -70,
            fall: -5,
            phase: Phase::Remaining,
        };
        assert_eq!(rank(RankCutLeadForm::Soft), wanted);
        // All below alpha: a search that fails hard has seen nothing of it.
        let nothing = Rank { changes: 0, lead: 0, fall: 0, ..wanted };
        assert_eq!(rank(RankCutLeadForm::Hard), nothing);
    }

    #[test]
    fn above_alpha_a_search_that_fails_hard_knows_leads_falls_and_changes() {
        let hard = |values: &[i32]| {
            let mut course = Course::new(score(100));
            values.iter().for_each(|value| course.took(score(*value), score(100)));
            let rank = course.rank(RankCutLeadForm::Hard, 9, true, 6, Phase::Remaining);
            (rank.lead, rank.fall, rank.changes)
        };
        assert_eq!(hard(&[100]), (0, 0, 0), "alpha itself is not above it");
        assert_eq!(hard(&[20, 30, 130]), (30, 0, 1), "of three changes one is above alpha");
        assert_eq!(hard(&[130, 120]), (30, -10, 0), "the first is no change");
        assert_eq!(hard(&[130, 20]), (30, -30, 0), "no fall goes below alpha");
        assert_eq!(hard(&[110, 120, 150, 20]), (50, -50, 2));
    }

    #[test]
    fn the_forms_are_asked_of_the_table() {
        let mut settings = Settings::default();
        for (name, value) in [
            ("rank_cut_test", "each"),
            ("rank_cut_bound", "margin"),
            ("rank_cut_estimate", "upper"),
            ("rank_cut.instances", "50"),
            ("rank_cut_lead", "soft"),
        ] {
            settings.set(name, value).unwrap();
        }
        let wanted = Terms {
            test: Test::Each,
            bound: Bound::Margin,
            estimate: Estimate::Upper,
            instances: 50,
            fails: Fails::Soft,
        };
        assert_eq!(terms(&settings), wanted);
        assert_eq!(terms(&Settings::default()).fails, Fails::Hard);
    }
}
