//! What techniques did along one line of a search: an observer that knows where the search is and looks
//! only while it is on the line.

use secateur_search::observe::{Asked, Observer, Rule};

/// What one technique did at one node of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The technique.
    pub rule: Rule,
    /// The node: so many moves of the line were made.
    pub ply: usize,
    /// Whether it was about moves, not about the node as a whole. A technique that is about either, as
    /// `singular`, which ends a node or changes the depth of a move, has two uses.
    pub of_moves: bool,
    /// How often it was asked there, about either.
    pub asked: u64,
    /// How often it did what it is there for.
    pub held: u64,
    /// The moves it was about, packed, each once, that of the line first; none for the node as a whole.
    pub moves: Vec<u16>,
}

/// No more moves than this are remembered of a technique at a node.
const MOVES: usize = 64;

/// Watches a line.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    line: Vec<u16>,
    /// How many moves of the line have been made where the search is now.
    on_line: usize,
    reached: usize,
    uses: Vec<Use>,
}

impl Trail {
    /// Watches the line of these moves, packed.
    pub fn along(line: Vec<u16>) -> Trail {
        Trail { line, ..Trail::default() }
    }

    /// The most plies that the search was below the root while following the first move.
    pub fn reached(&self) -> usize {
        self.reached
    }

    /// What was done where, nodes nearest to the root first.
    pub fn uses(&self) -> Vec<Use> {
        let mut uses: Vec<Use> = self.uses.iter().filter(|found| found.held > 0).cloned().collect();
        for found in &mut uses {
            let same = |other: &&Use| (other.rule, other.ply) == (found.rule, found.ply);
            found.asked = self.uses.iter().filter(same).map(|other| other.asked).sum();
            let of_line = self.line.get(found.ply).copied();
            found.moves.sort_by_key(|packed| Some(*packed) != of_line);
        }
        uses.sort_by_key(|found| (found.ply, std::cmp::Reverse(found.held)));
        uses
    }
}

impl Observer for Trail {
    fn entered(&mut self, ply: usize, packed_move: u16) {
        // A move made at a node of the line leads along it or away from it.
        let above = ply - 1;
        if self.on_line >= above {
            let follows = self.line.get(above) == Some(&packed_move);
            self.on_line = if follows { ply } else { above };
        }
        if self.on_line >= 1 {
            self.reached = self.reached.max(ply);
        }
    }

    fn asked(&mut self, asked: &Asked) {
        // The node that is asked about: the search may come back to it from further below.
        if asked.ply > self.on_line || !asked.rule.shapes_the_tree() {
            return;
        }
        let Asked { rule, ply, held, packed_move, .. } = *asked;
        let of_moves = packed_move != 0;
        // The question is what became of one move of the root, not of its brothers.
        if ply == 0 && of_moves && self.line.first() != Some(&packed_move) {
            return;
        }
        let same = |found: &Use| (found.rule, found.ply, found.of_moves) == (rule, ply, of_moves);
        let place = self.uses.iter().position(same).unwrap_or_else(|| {
            self.uses.push(Use { rule, ply, of_moves, asked: 0, held: 0, moves: Vec::new() });
            self.uses.len() - 1
        });
        let found = &mut self.uses[place];
        found.asked += 1;
        found.held += u64::from(held);
        let news = held && of_moves && !found.moves.contains(&packed_move);
        if news && found.moves.len() < MOVES {
            found.moves.push(packed_move);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_search::Depth;

    fn asked(rule: Rule, ply: usize, packed_move: u16) -> Asked {
        Asked { rule, held: true, depth: Depth::new(3), ply, packed_move, nodes: 0, told: 0 }
    }

    #[test]
    fn only_what_happens_on_the_line_is_kept() {
        let mut trail = Trail::along(vec![5, 6, 7]);
        trail.entered(1, 4);
        trail.asked(&asked(Rule::NullMove, 1, 0));
        trail.entered(1, 5);
        trail.asked(&asked(Rule::Futility, 1, 9));
        trail.entered(2, 8);
        trail.asked(&asked(Rule::Razoring, 2, 0));
        trail.entered(3, 7);
        trail.asked(&asked(Rule::Razoring, 3, 0));
        // Back at the node after the first move.
        trail.asked(&asked(Rule::Futility, 1, 6));
        trail.entered(2, 6);
        trail.asked(&asked(Rule::LateMoves, 2, 1));
        let uses = trail.uses();
        assert_eq!(uses.len(), 2, "{uses:?}");
        assert_eq!((uses[0].rule, uses[0].ply, uses[0].held), (Rule::Futility, 1, 2));
        assert_eq!(uses[0].moves, [6, 9], "the move of the line first");
        assert_eq!((uses[1].rule, uses[1].ply), (Rule::LateMoves, 2));
        assert_eq!(trail.reached(), 3);
    }

    #[test]
    fn at_the_root_only_the_first_move_of_the_line_is_counted() {
        let mut trail = Trail::along(vec![5, 6]);
        for packed_move in [3, 4, 5, 7, 5] {
            trail.asked(&asked(Rule::LateMoves, 0, packed_move));
        }
        trail.asked(&Asked { held: false, ..asked(Rule::LateMoves, 0, 5) });
        let uses = trail.uses();
        assert_eq!((uses.len(), uses[0].held, uses[0].asked), (1, 2, 3), "{uses:?}");
        assert_eq!(uses[0].moves, [5]);
    }

    #[test]
    fn a_node_is_left_when_a_brother_of_its_parent_is_entered() {
        let mut trail = Trail::along(vec![5, 6]);
        trail.entered(1, 5);
        trail.entered(2, 6);
        trail.entered(1, 3);
        trail.asked(&asked(Rule::NullMove, 1, 0));
        assert!(trail.uses().is_empty());
    }

    #[test]
    fn a_move_searched_deeper_and_a_node_that_is_ended_are_two_uses_of_one_technique() {
        let mut trail = Trail::along(vec![5, 6]);
        trail.entered(1, 5);
        trail.asked(&asked(Rule::Singular, 1, 6));
        trail.asked(&asked(Rule::Singular, 1, 6));
        trail.asked(&asked(Rule::Singular, 1, 0));
        trail.asked(&Asked { held: false, ..asked(Rule::Singular, 1, 9) });
        let uses = trail.uses();
        assert_eq!(uses.len(), 2, "{uses:?}");
        assert_eq!((uses[0].of_moves, uses[0].held, uses[0].asked), (true, 2, 4));
        assert_eq!(uses[0].moves, [6]);
        assert_eq!((uses[1].of_moves, uses[1].held, uses[1].asked), (false, 1, 4));
        assert!(uses[1].moves.is_empty());
    }
}
