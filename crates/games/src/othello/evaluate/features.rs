//! The table of everything that is counted in Othello.

use secateur_search::features::{Blend, Featured, Group, WHOLE};
use secateur_search::{Score, Tactics};

use super::LIMIT;
use super::counts::Counts;
use super::patterns::{self, KINDS};
use crate::othello::Othello;

secateur_search::features! {
    /// Corners.
    CORNERS "corners" 1;
    /// Squares diagonally next to an empty corner.
    X_SQUARES "x squares" 1;
    /// Squares next to an empty corner along the edge.
    C_SQUARES "c squares" 1;
    /// The squares of the edges two and three steps from a corner.
    MIDDLE_EDGES "middle edges" 1;
    /// Discs on the edges that can never be turned over.
    STABLE_EDGES "stable edges" 1;
    /// Moves.
    MOBILITY "mobility" 1;
    /// Empty squares next to a disc of the opponent.
    POTENTIAL_MOBILITY "potential mobility" 1;
    /// Discs.
    DISCS "discs" 1;
    /// Who makes the last move if nobody passes: 1 or -1.
    PARITY "parity" 1;
    /// Having the move.
    TURN "turn" 1;
    /// An edge and the two X squares beside it, by filling.
    EDGE "patterns: edge" KINDS[0].distinct();
    /// A corner of three by three squares, by filling.
    CORNER "patterns: corner" KINDS[1].distinct();
    /// A line one step from the edge, by filling.
    LINE_2 "patterns: second line" KINDS[2].distinct();
    /// A line two steps from the edge, by filling.
    LINE_3 "patterns: third line" KINDS[3].distinct();
    /// A line three steps from the edge, by filling.
    LINE_4 "patterns: fourth line" KINDS[4].distinct();
    /// A long diagonal, by filling.
    DIAGONAL_8 "patterns: diagonal of 8" KINDS[5].distinct();
    /// A diagonal of seven squares, by filling.
    DIAGONAL_7 "patterns: diagonal of 7" KINDS[6].distinct();
    /// A diagonal of six squares, by filling.
    DIAGONAL_6 "patterns: diagonal of 6" KINDS[7].distinct();
    /// A diagonal of five squares, by filling.
    DIAGONAL_5 "patterns: diagonal of 5" KINDS[8].distinct();
    /// A diagonal of four squares, by filling.
    DIAGONAL_4 "patterns: diagonal of 4" KINDS[9].distinct();
}

/// Where the patterns begin.
pub(super) const PATTERNS: usize = EDGE;

impl Featured for Othello {
    const GAME: &'static str = "othello";
    const GROUPS: &'static [Group] = GROUPS;
    /// By discs on the board, four to a stage. The first hold few different positions and the
    /// last are left to the endgame solver, so a dozen have to be learned.
    const WEIGHT_STAGES: usize = <Othello as Tactics>::STAGES;
    const LIMIT: i32 = LIMIT;

    fn blend(&self) -> Blend {
        Blend::only(self.stage())
    }

    fn each_feature(&self, mut sink: impl FnMut(usize, i32)) {
        let counts = Counts::new().counts(self.own(), self.other());
        counts.into_iter().enumerate().for_each(|(feature, count)| sink(feature, count));
        let classes = &patterns::CLASSES;
        patterns::each(self.own(), self.other(), |filling| {
            sink(PATTERNS + classes[filling] as usize, 1);
        });
    }

    /// Nothing is drawn by nature.
    fn keep(&self) -> [i32; 2] {
        [WHOLE; 2]
    }
}

const _: () = assert!(LIMIT <= Score::HEURISTIC_MAX.value());
