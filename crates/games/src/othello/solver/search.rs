//! The search with more than a few empty squares: alpha-beta and all that makes its tree small.

use secateur_search::Stopped;

use super::super::board::placements;
use super::last_squares::final_margin;
use super::order::{Candidate, each_candidate};
use super::{EndgameSolver, Guide, NO_SQUARE};

/// With so many empty squares or fewer, [`LastSquares`](super::last_squares::LastSquares) answers.
// FFO 20 to 34, nodes and time: 5 squares 0.88 and 1.0, 7 squares 1.18 and 1.1.
const LAST_SQUARES: u32 = 6;

/// With so many empty squares or more, every candidate is looked up before any is searched.
// Nodes: from 9 on 0.99, from 11 on 1.01, from 13 on 1.03. Not at all: see `Techniques`.
const ENHANCED_FROM: u32 = 10;

/// The most nodes between two calls of the tick; fewer if the search has fewer left.
const TICK: u64 = 4_096;

/// Below every margin: no move was searched yet.
const NONE: i32 = -100;

/// One call of the solver.
pub(super) struct Search<'a> {
    pub(super) solver: &'a mut EndgameSolver,
    pub(super) tick: &'a mut dyn FnMut(u64) -> Result<(), Stopped>,
    /// Who may cut, and how many deviations beyond the window, in hundredths.
    pub(super) guide: Option<(&'a Guide, i32)>,
    /// The nodes of which the tick knows.
    reported: u64,
    /// The nodes at which it is called again.
    due: u64,
    /// Those that the search has left for this call.
    left: u64,
}

impl<'a> Search<'a> {
    /// A call that begins now, with so many nodes left.
    pub(super) fn new(
        solver: &'a mut EndgameSolver,
        left: u64,
        tick: &'a mut dyn FnMut(u64) -> Result<(), Stopped>,
    ) -> Search<'a> {
        // A call that was stopped left its candidates behind.
        solver.stack.clear();
        solver.table.grow_old();
        solver.last.nodes = 0;
        Search { solver, tick, guide: None, reported: 0, due: left.min(TICK), left }
    }

    /// Tells of the nodes made since the last time.
    pub(super) fn report(&mut self) -> Result<(), Stopped> {
        let nodes = self.solver.last.nodes;
        let made = nodes - self.reported;
        self.reported = nodes;
        self.due = nodes + self.left.saturating_sub(nodes).clamp(1, TICK);
        (self.tick)(made)
    }

    /// The same, if enough of them have come together.
    #[inline]
    pub(super) fn report_if_due(&mut self) -> Result<(), Stopped> {
        if self.solver.last.nodes < self.due { Ok(()) } else { self.report() }
    }

    /// The margin for the owner of `own`, to move, exact inside the window, fail-soft outside.
    /// The ends of the window are even, as all margins are.
    pub(super) fn margin(
        &mut self,
        own: u64,
        other: u64,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        if (!(own | other)).count_ones() <= LAST_SQUARES {
            return Ok(self.solver.last.solve(own, other, alpha, beta));
        }
        self.node(own, other, alpha, beta).map(|(margin, _)| margin)
    }

    /// The same with any number of empty squares, and the square that reaches the margin if it is
    /// above alpha.
    pub(super) fn node(
        &mut self,
        own: u64,
        other: u64,
        mut alpha: i32,
        beta: i32,
    ) -> Result<(i32, u8), Stopped> {
        self.solver.last.nodes += 1;
        self.report_if_due()?;
        let on = self.solver.techniques;
        let empty = !(own | other);
        let empties = empty.count_ones();

        // Step 1. Does the opponent keep too many discs, whatever happens?
        if on.stability && alpha >= stability_from(empties) {
            self.solver.counters.stability.tried += 1;
            let stable = self.solver.edges.on_board(other, own).count_ones() as i32;
            let bound = 64 - 2 * stable;
            if bound <= alpha {
                self.solver.counters.stability.cut += 1;
                return Ok((bound, NO_SQUARE));
            }
        }

        // Step 2. Is it known already?
        let (mut lower, mut upper, mut known_best) = (-64, 64, NO_SQUARE);
        if on.table {
            self.solver.counters.table.tried += 1;
            if let Some(entry) = self.solver.table.get(own, other) {
                known_best = entry.best;
                // Of what was found by bolder cuts only the move is of use.
                if entry.confidence <= self.solver.confidence {
                    (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
                }
                if lower >= beta || upper <= alpha || lower == upper {
                    self.solver.counters.table.cut += 1;
                    return Ok((if upper <= alpha { upper } else { lower }, known_best));
                }
                alpha = alpha.max(lower);
            }
        }

        // Step 3. Is there a move? If not, it is a pass or the end.
        let squares = placements(own, other);
        if squares == 0 {
            if placements(other, own) == 0 {
                return Ok((final_margin(own, other), NO_SQUARE));
            }
            let (margin, _) = self.node(other, own, -beta, -alpha)?;
            return Ok((-margin, NO_SQUARE));
        }

        // Step 4. Does a shallow search tell, as surely as is asked for?
        if let Some(margin) = self.told(own, other, alpha, beta)? {
            let bounds =
                if margin >= beta { (beta.max(lower), upper) } else { (lower, alpha.min(upper)) };
            let confidence = self.solver.confidence;
            self.solver.table.put(own, other, bounds, known_best, confidence);
            return Ok((margin, known_best));
        }
        let base = self.solver.stack.len();
        let stack = &mut self.solver.stack;
        each_candidate(own, other, squares, |candidate| stack.push(candidate));

        // Step 5. Does a move lead to something known to be good enough? (Enhanced transposition
        // cut-off; Plaat, Schaeffer, Pijls and de Bruin 1996.)
        if on.table && on.enhanced_cutoff && empties >= ENHANCED_FROM {
            self.solver.counters.enhanced_cutoff.tried += 1;
            if let Some(found) = self.known_cut(base, beta) {
                self.solver.counters.enhanced_cutoff.cut += 1;
                self.solver.stack.truncate(base);
                return Ok(found);
            }
        }

        // Step 6. Search the moves, the most promising first.
        if squares & (squares - 1) != 0 {
            self.weigh(base, empty, known_best)?;
        }
        let (best, best_square) = self.best_candidate(base, alpha, beta)?;
        self.solver.stack.truncate(base);

        // Step 7. Remember. A move that did not reach alpha has shown nothing: the one that has
        // proved the lower bound stays the best known.
        if on.table {
            if best < beta {
                upper = upper.min(best);
            }
            let keep = best <= alpha && known_best != NO_SQUARE;
            let remembered = if keep { known_best } else { best_square };
            if best > alpha {
                lower = lower.max(best);
            }
            let confidence = self.solver.confidence;
            self.solver.table.put(own, other, (lower, upper), remembered, confidence);
            return Ok((best, remembered));
        }
        Ok((best, best_square))
    }

    /// A candidate from `base` on whose table entry reaches beta.
    fn known_cut(&self, base: usize, beta: i32) -> Option<(i32, u8)> {
        self.solver.stack[base..].iter().find_map(|candidate| {
            let entry = self.solver.table.get(candidate.mover, candidate.waiter)?;
            if entry.confidence > self.solver.confidence {
                return None;
            }
            let margin = -i32::from(entry.upper);
            (margin >= beta).then_some((margin, candidate.square))
        })
    }

    /// The best margin of the candidates from `base` on, and the first square that has it.
    fn best_candidate(
        &mut self,
        base: usize,
        mut alpha: i32,
        beta: i32,
    ) -> Result<(i32, u8), Stopped> {
        let end = self.solver.stack.len();
        let (mut best, mut best_square) = (NONE, NO_SQUARE);
        for place in base..end {
            // Most nodes are cut after one or two moves: sort no further than needed.
            let stack = &mut self.solver.stack;
            for later in place + 1..end {
                if stack[later].weight > stack[place].weight {
                    stack.swap(later, place);
                }
            }
            let Candidate { mover, waiter, square, .. } = stack[place];
            // Principal variation search (Marsland and Campbell 1982): after the first move,
            // first ask only whether another is better.
            let ask_first = self.solver.techniques.null_window && place > base;
            let asked = if ask_first { alpha + 2 } else { beta };
            let mut margin = -self.margin(mover, waiter, -asked, -alpha)?;
            if asked < beta && margin >= asked && margin < beta {
                // It is at least that good. If it is not better, the answer is that it is at most
                // that good, so it is exact either way.
                margin = -self.margin(mover, waiter, -beta, -margin)?;
            }
            if margin > best {
                (best, best_square) = (margin, square);
                if margin >= beta {
                    break;
                }
                alpha = alpha.max(margin);
            }
        }
        Ok((best, best_square))
    }
}

/// The smallest alpha for which stable discs are counted. A cut needs `(64 - alpha) / 2` of them,
/// and with many empty squares there are few.
fn stability_from(empties: u32) -> i32 {
    match empties as i32 {
        ..8 => 0,
        some @ 8..20 => 2 * some - 8,
        _ => 32,
    }
}
