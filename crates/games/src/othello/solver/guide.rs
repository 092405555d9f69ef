//! What a shallow search tells of the end of the game: ProbCut (Buro, 1995) in the endgame solver, as the
//! strong programs have it (Delorme, Edax; Yamana, Egaroucid).
//!
//! The margin at the end is the value of a shallow search and an error, whose deviation was measured by the
//! number of empty squares and the depth of the search. Where that value lies far enough beyond a closed
//! window, the end is taken to lie beyond it too. What is found so is never taken for certain: entries of
//! the table know how sure they are.

use secateur_search::calibrate::cuts::{Cuts, CutsError};
use secateur_search::calibrate::plan::{Plan, Wanted};
use secateur_search::{Evaluator, Player, Stopped, Tactics};

use super::super::board::{flips, placements};
use super::super::{Othello, OthelloEvaluator};
use super::last_squares::final_margin;
use super::search::Search;

/// With fewer empty squares solving costs little more than asking.
const LEAST_EMPTY: u32 = 13;

/// An evaluation, and how far its searches lie from the end of the game.
pub struct Guide {
    evaluator: OthelloEvaluator,
    plan: Plan,
}

/// Why there is no guide.
pub type GuideError = CutsError;

impl Guide {
    /// By this table of cuts, which must have been fitted to the end of the game with this evaluation.
    pub fn new(evaluator: OthelloEvaluator, cuts: &Cuts) -> Result<Guide, GuideError> {
        let plan = cuts.plan();
        let divided = [Othello::STAGES, Othello::CATEGORIES];
        plan.check_for(divided, Some(evaluator.identity()), Wanted::default())?;
        if cuts.end.is_none() {
            return Err(CutsError::NoEnd);
        }
        Ok(Guide { evaluator, plan })
    }

    /// With the weights and the table that come with the program.
    pub fn embedded() -> Result<Guide, GuideError> {
        let text = Othello::CUTS.first().ok_or(CutsError::Missing)?;
        Guide::new(OthelloEvaluator::new(), &Cuts::parse(text)?)
    }

    /// How deep the search is with so many empty squares: of the same parity, since who places the last disc
    /// has an advantage, and the cheaper the more there is to save (as in Egaroucid).
    fn depth(empties: u32) -> u32 {
        2 * (empties / 8) + empties % 2
    }
}

impl Search<'_> {
    /// The end of a closed window that the margin is taken to reach; `None` if nothing is known well enough.
    pub(super) fn told(
        &mut self,
        own: u64,
        other: u64,
        alpha: i32,
        beta: i32,
    ) -> Result<Option<i32>, Stopped> {
        let empties = (!(own | other)).count_ones();
        let Some((guide, threshold)) = self.guide else { return Ok(None) };
        if beta - alpha != 2 || empties < LEAST_EMPTY {
            return Ok(None);
        }
        let depth = Guide::depth(empties);
        let reach = |depth: u32, above: bool| {
            guide.plan.reach_to_end(depth as i32, empties as i32, threshold, above)
        };
        let (Some(below), Some(above)) = (reach(depth, false), reach(depth, true)) else {
            return Ok(None);
        };
        let (high, low) = (100 * beta + below, 100 * alpha - above);
        // Where the evaluation is further away than it and the search are likely to differ, nobody need ask.
        let guess = self.valued(guide, own, other);
        let slack = (above + below) / 2;
        self.solver.counters.guide.tried += 1;
        let mut found = None;
        if guess + slack >= high && self.shallow(guide, own, other, depth, high - 1, high) >= high {
            found = Some(beta);
        } else if guess - slack <= low
            && self.shallow(guide, own, other, depth, low, low + 1) <= low
        {
            found = Some(alpha);
        }
        self.solver.counters.guide.cut += u64::from(found.is_some());
        self.report_if_due()?;
        Ok(found)
    }

    fn valued(&self, guide: &Guide, own: u64, other: u64) -> i32 {
        let position = Othello::new(own, other, Player::First);
        position.map_or(0, |position| guide.evaluator.value(&position))
    }

    /// The value by the evaluation after so many plies, in hundredths of a disc. The moves that leave the
    /// opponent fewest come first.
    fn shallow(
        &mut self,
        guide: &Guide,
        own: u64,
        other: u64,
        plies: u32,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        self.solver.last.nodes += 1;
        if plies == 0 {
            return self.valued(guide, own, other);
        }
        let squares = placements(own, other);
        if squares == 0 {
            return match placements(other, own) {
                0 => 100 * final_margin(own, other),
                _ => -self.shallow(guide, other, own, plies, -beta, -alpha),
            };
        }
        let mut moves = [(0, 0, 0); 32];
        let mut count = 0;
        let mut rest = squares;
        while rest != 0 && count < moves.len() {
            let square = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            let turned = flips(own, other, square);
            let (mover, waiter) = (other ^ turned, own ^ turned ^ 1 << square);
            moves[count] = (placements(mover, waiter).count_ones(), mover, waiter);
            count += 1;
        }
        if plies > 1 {
            moves[..count].sort_unstable();
        }
        let mut best = i32::MIN;
        for &(_, mover, waiter) in &moves[..count] {
            best = best.max(-self.shallow(guide, mover, waiter, plies - 1, -beta, -alpha));
            if best >= beta {
                break;
            }
            alpha = alpha.max(best);
        }
        best
    }
}
