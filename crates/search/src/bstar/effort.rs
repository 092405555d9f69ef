//! How much each phase may spend: time or expansions, in the paper's proportions.

use super::how::Bstar;

/// What the paper counted for a move; numbers of expansions in the settings are for this budget.
const PAPER: f64 = 225.0;

/// What may be spent on a move, counted in expansions.
#[derive(Clone, Debug, PartialEq)]
pub struct Effort {
    total: f64,
    spent: f64,
    /// The shares of time or nodes between which it is spent, in ten-thousandths.
    between: (u32, u32),
    selects: u32,
    verifies: u32,
}

impl Effort {
    /// For `total` expansions, of which a kept tree with `saved` has done some already.
    pub fn new(how: &Bstar, total: u32, saved: u32) -> Effort {
        let total = f64::from(total.max(1));
        let counted = f64::from(saved) * f64::from(how.saved) / 10_000.0;
        let total = (total - counted.min(total / 2.0)).max(1.0);
        Effort { total, spent: 0.0, between: (0, 10_000), selects: 0, verifies: 0 }
    }

    /// The same where so much is gone before it begins, and all of it when so much is.
    pub fn between(self, gone: u32, end: u32) -> Effort {
        Effort { between: (gone, end), ..self }
    }

    /// So much is gone by now: expansions, or a share of time in ten-thousandths, whichever is more.
    pub fn note(&mut self, expansions: u32, share: u32) {
        let (gone, end) = self.between;
        let part = match end > gone {
            true => f64::from(share.saturating_sub(gone)) / f64::from(end - gone),
            // Nothing is left.
            false => 1.0,
        };
        self.spent = f64::from(expansions).max(self.total * part);
    }

    /// What is gone, in expansions.
    pub fn spent(&self) -> f64 {
        self.spent
    }

    /// The share that is gone, 1 at most.
    pub fn share(&self) -> f64 {
        (self.spent / self.total).min(1.0)
    }

    /// Whether even what a VERIFY may have beyond everything is gone.
    pub fn is_gone(&self) -> bool {
        self.spent >= 2.0 * self.total
    }

    fn rest(&self, how: &Bstar) -> f64 {
        (self.total - self.spent).max(0.0) * f64::from(how.later) / 10_000.0
    }

    /// Where a SELECT that begins now must end.
    pub fn select(&mut self, how: &Bstar) -> f64 {
        self.selects += 1;
        let allotted = match self.selects {
            1 => self.total * f64::from(how.first_select) / 10_000.0,
            _ => self.rest(how),
        };
        self.spent + allotted
    }

    /// Where a VERIFY that begins now must end.
    pub fn verify(&mut self, how: &Bstar) -> f64 {
        self.verifies += 1;
        let scale = self.total / PAPER;
        let allotted = match self.verifies {
            1 => f64::from(how.first_verify) * scale,
            _ => self.rest(how),
        };
        self.spent + allotted.max(f64::from(how.least_verify) * scale).max(1.0)
    }

    /// The least probability that is looked at now.
    pub fn min_act(&self, how: &Bstar) -> f64 {
        let (begin, end) = (f64::from(how.min_act), f64::from(how.min_act_end));
        (begin + (end - begin).max(0.0) * self.share()) / 10_000.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_budget_gives_the_papers_limits() {
        let how = Bstar::default();
        let mut effort = Effort::new(&how, 225, 0);
        assert_eq!(effort.select(&how), 90.0);
        effort.note(90, 0);
        assert_eq!(effort.verify(&how), 140.0);
        effort.note(140, 0);
        assert_eq!(effort.select(&how), 140.0 + 42.5);
        effort.note(220, 0);
        assert_eq!(effort.verify(&how), 235.0, "never under fifteen, even beyond the budget");
    }

    #[test]
    fn limits_scale_and_a_kept_tree_counts_for_half_at_most() {
        let how = Bstar::default();
        let mut effort = Effort::new(&how, 450, 0);
        effort.note(180, 0);
        assert_eq!(effort.verify(&how), 280.0);
        assert_eq!(Effort::new(&how, 200, 100).total, 150.0);
        assert_eq!(Effort::new(&how, 200, 10_000).total, 100.0);
    }

    #[test]
    fn what_was_gone_before_is_not_counted() {
        let how = Bstar::default();
        let mut effort = Effort::new(&how, 1_000, 0).between(7_000, 9_000);
        effort.note(0, 7_000);
        assert_eq!((effort.spent(), effort.min_act(&how)), (0.0, 0.15));
        effort.note(3, 8_000);
        assert_eq!(effort.share(), 0.5);
        effort.note(3, 9_500);
        assert_eq!(effort.share(), 1.0);
        let mut late = Effort::new(&how, 1_000, 0).between(10_000, 10_000);
        late.note(0, 10_000);
        assert_eq!(late.share(), 1.0);
    }

    #[test]
    fn the_least_probability_rises_with_what_is_spent() {
        let how = Bstar::default();
        let mut effort = Effort::new(&how, 100, 0);
        assert_eq!(effort.min_act(&how), 0.15);
        effort.note(10, 5_000);
        assert!((effort.min_act(&how) - 0.225).abs() < 1e-12, "time counts where it is more");
        effort.note(500, 0);
        assert_eq!(effort.min_act(&how), 0.30);
    }
}
