//! A plain evaluation: ten counts of things on the board, weighted by the stage of the game.

use secateur_search::{Evaluator, Score, Tactics};

use super::board::placements;
use super::position::hash;
use super::solver::EdgeTable;
use super::{Othello, OthelloMove};

const CORNERS: u64 = 0x8100_0000_0000_0081;
/// The squares of the edges two and three steps from a corner.
const MIDDLE_EDGES: u64 = 0x3c00_8181_8181_003c;
const COLUMN_A: u64 = 0x0101_0101_0101_0101;
const COLUMN_H: u64 = COLUMN_A << 7;

/// How many counts there are.
const COUNTS: usize = 10;

/// The names of the terms, in the order of [`counts`] and of [`WEIGHTS`]; the last one is what
/// [`LIMIT`] takes away.
const NAMES: [&str; COUNTS + 1] = [
    "corners",
    "x squares",
    "c squares",
    "middle edges",
    "stable edges",
    "mobility",
    "potential mobility",
    "discs",
    "parity",
    "turn",
    "limit",
];

/// The largest guess, in hundredths of a disc: no game is won by more than 64 discs.
const LIMIT: i32 = 6_400;

/// Hundredths of a disc for one of each count, by stage.
///
/// Fitted by least squares to the theoretical score of 19,527 WThor games (1998, 2004, 2018), all
/// positions of each, a stage with a share of its neighbours; rounded to fives; in the first five
/// stages, where games say little about corners, and for corners at the very end, set by hand (the
/// worth of a late corner is in its stable discs). They stand in until weights are learned.
// Nodes of the endgame solver on FFO 20 to 34 with all weights 1: 1.68, with these 1.00.
static WEIGHTS: [[i16; COUNTS]; Othello::STAGES] = [
    // corners, x, c, middle, stable, mobility, potential, discs, parity, turn
    [150, -150, -60, 20, 200, 40, 20, -20, 0, 0],
    [150, -150, -60, 20, 200, 45, 30, -30, 0, -60],
    [150, -160, -60, 60, 200, 70, 55, -55, 60, -215],
    [150, -180, -60, 70, 200, 80, 70, -75, 60, -310],
    [150, -215, -70, 55, 240, 110, 60, -90, 60, -315],
    [150, -340, -75, 50, 350, 130, 55, -90, 50, -320],
    [165, -355, -75, 45, 335, 145, 45, -85, 45, -320],
    [155, -360, -75, 35, 285, 155, 35, -80, 45, -310],
    [165, -355, -90, 25, 245, 175, 20, -65, 55, -290],
    [180, -330, -110, 10, 200, 205, 10, -50, 55, -260],
    [160, -285, -110, -15, 160, 225, -5, -25, 50, -195],
    [105, -225, -100, -40, 130, 240, -10, 0, 45, -115],
    [40, -150, -85, -60, 105, 255, -15, 25, 50, -35],
    [0, -95, -60, -80, 85, 275, -15, 45, 60, 20],
    [0, -65, -30, -85, 75, 280, -10, 50, 70, 55],
];

/// Guesses the final margin for the side to move, in hundredths of a disc.
///
/// Everything is counted anew in every position, so there is no state and the updates are empty.
#[derive(Clone, Copy)]
pub struct OthelloEvaluator {
    edges: &'static EdgeTable,
}

impl OthelloEvaluator {
    /// The evaluator with the built-in weights.
    pub fn new() -> OthelloEvaluator {
        OthelloEvaluator { edges: EdgeTable::get() }
    }

    /// The value of a position in hundredths of a disc for the side to move.
    #[inline]
    pub(super) fn value(&self, position: &Othello) -> i32 {
        if let Some(value) = wiped_out(position) {
            return value;
        }
        let weights = &WEIGHTS[position.stage()];
        let counts = self.counts(position.own(), position.other());
        let sum: i32 = weights.iter().zip(counts).map(|(w, count)| i32::from(*w) * count).sum();
        sum.clamp(-LIMIT, LIMIT)
    }

    /// The named terms of the value, which is their sum, in hundredths of a disc for the side to
    /// move.
    pub fn explain(&self, position: &Othello) -> [(&'static str, i32); COUNTS + 1] {
        let mut terms = NAMES.map(|name| (name, 0));
        if wiped_out(position).is_none() {
            let weights = &WEIGHTS[position.stage()];
            let counts = self.counts(position.own(), position.other());
            for (term, (weight, count)) in terms.iter_mut().zip(weights.iter().zip(counts)) {
                term.1 = i32::from(*weight) * count;
            }
        }
        let sum: i32 = terms.iter().map(|term| term.1).sum();
        terms[COUNTS].1 = self.value(position) - sum;
        terms
    }

    /// What is counted: own things less the opponent's, except for the last two.
    #[inline(always)]
    fn counts(&self, own: u64, other: u64) -> [i32; COUNTS] {
        let empty = !(own | other);
        let open = empty & CORNERS;
        // Next to an empty corner, diagonally and along the edge.
        let beside = (open & COLUMN_A) << 1 | (open & COLUMN_H) >> 1;
        let x_squares = beside << 8 | beside >> 8;
        let c_squares = beside | open << 8 | open >> 8;
        let more = |own: u64, other: u64| own.count_ones() as i32 - other.count_ones() as i32;
        let squares = |which: u64| more(own & which, other & which);
        let stable = more(self.edges.on_edges(own, other), self.edges.on_edges(other, own));
        [
            squares(CORNERS),
            squares(x_squares),
            squares(c_squares),
            squares(MIDDLE_EDGES),
            stable,
            more(placements(own, other), placements(other, own)),
            more(next_to(other) & empty, next_to(own) & empty),
            more(own, other),
            // With an odd number of squares left the side to move makes the last move.
            if empty.count_ones() % 2 == 1 { 1 } else { -1 },
            1,
        ]
    }
}

/// The value where a side has no disc left: nothing more can happen.
#[inline(always)]
fn wiped_out(position: &Othello) -> Option<i32> {
    if position.own() == 0 || position.other() == 0 {
        Some(i32::from(position.margin()) * LIMIT / 64)
    } else {
        None
    }
}

/// The squares next to a disc, in all eight directions.
#[inline(always)]
const fn next_to(discs: u64) -> u64 {
    let rows = discs | (discs & !COLUMN_H) << 1 | (discs & !COLUMN_A) >> 1;
    rows | rows << 8 | rows >> 8
}

impl Default for OthelloEvaluator {
    fn default() -> OthelloEvaluator {
        OthelloEvaluator::new()
    }
}

impl Evaluator<Othello> for OthelloEvaluator {
    fn start(&mut self, _root: &Othello) {}

    fn advance(&mut self, _ply: usize, _before: &Othello, _m: OthelloMove, _after: &Othello) {}

    fn advance_pass(&mut self, _ply: usize, _after: &Othello) {}

    #[inline]
    fn evaluate(&mut self, _ply: usize, position: &Othello) -> Score {
        Score::heuristic(self.value(position))
    }

    fn identity(&self) -> u64 {
        WEIGHTS.iter().flatten().fold(LIMIT as u64, |sum, weight| hash(sum, *weight as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_search::random::SplitMix;
    use secateur_search::testkit::contract::{self, Effort};
    use secateur_search::testkit::reference::moves;
    use secateur_search::{Game, Notation, Player};

    fn value(position: &Othello) -> i32 {
        OthelloEvaluator::new().evaluate(0, position).value()
    }

    fn random_positions() -> Vec<Othello> {
        let mut random = SplitMix::new(3);
        let mut positions = Vec::new();
        for _ in 0..100 {
            let mut position = Othello::START;
            while let legal @ [_, ..] = &moves(&position)[..] {
                positions.push(position);
                position.play(legal[random.below(legal.len())]);
            }
            positions.push(position);
        }
        positions
    }

    fn turned_over(discs: u64) -> u64 {
        (0..64).fold(0, |all, square| all | (discs >> square & 1) << (square % 8 * 8 + square / 8))
    }

    #[test]
    fn all_eight_views_of_a_board_have_the_same_value() {
        for position in random_positions() {
            let (mut black, mut white) =
                (position.discs_of(Player::First), position.discs_of(Player::Second));
            for view in 0..8 {
                let seen = Othello::new(black, white, position.turn()).unwrap();
                assert_eq!(value(&seen), value(&position), "view {view} of {position:?}");
                [black, white] = [black, white].map(turned_over);
                if view % 2 == 1 {
                    [black, white] = [black, white].map(u64::swap_bytes);
                }
            }
        }
    }

    #[test]
    fn exchanged_colours_have_the_same_value_for_the_side_to_move() {
        for position in random_positions() {
            let [black, white] =
                [Player::First, Player::Second].map(|player| position.discs_of(player));
            let exchanged = Othello::new(white, black, position.turn().other()).unwrap();
            assert_eq!(value(&exchanged), value(&position), "{position:?}");
        }
    }

    #[test]
    fn the_evaluator_keeps_its_contract() {
        let effort = Effort::default();
        contract::evaluator(&[Othello::START], &effort, OthelloEvaluator::new).unwrap();
    }

    #[test]
    fn the_terms_sum_to_the_value() {
        let mut limited = 0;
        let evaluator = OthelloEvaluator::new();
        let wiped_out = Othello::new(7, 0, Player::Second).unwrap();
        for position in random_positions().iter().chain([&wiped_out]) {
            let terms = evaluator.explain(position);
            let sum: i32 = terms.iter().map(|(_, value)| value).sum();
            assert_eq!(sum, value(position), "{position:?}: {terms:?}");
            limited += usize::from(terms[COUNTS] != ("limit", 0));
        }
        assert!(limited > 0);
    }

    /// The value of one term in a position given as text.
    fn term(name: &str, text: &str) -> i32 {
        let position = Othello::read_position(text).unwrap();
        let terms = OthelloEvaluator::new().explain(&position);
        terms.iter().find(|term| term.0 == name).unwrap().1
    }

    /// The middle of a game with a1, b1, a2 and b2 as given.
    fn with_corner(squares: [char; 4], side: char) -> String {
        let [a1, b1, a2, b2] = squares;
        let rows = ["--XO--", "-XOX--", "--XXXO--", "-XOOXO--", "-XXOOX--", "--OXOX--", "--------"];
        format!("{a1}{b1}{}{a2}{b2}{}{}-------- {side}", rows[0], rows[1], rows[2..].concat())
    }

    #[test]
    fn a_corner_is_good_for_its_owner() {
        for (side, opponent) in [('X', 'O'), ('O', 'X')] {
            let [own, empty, other] = [side, '-', opponent].map(|corner| {
                let text = with_corner([corner, '-', '-', '-'], side);
                value(&Othello::read_position(&text).unwrap())
            });
            assert!(own > empty && empty > other, "{side}: {own} {empty} {other}");
        }
    }

    #[test]
    fn an_x_or_c_square_is_bad_only_beside_an_empty_corner() {
        for (name, x, c) in [("x squares", 'X', '-'), ("c squares", '-', 'X')] {
            let with = |corner| [corner, c, '-', x];
            assert!(term(name, &with_corner(with('-'), 'X')) < 0);
            assert!(term(name, &with_corner(with('-'), 'O')) > 0);
            assert_eq!(term(name, &with_corner(with('O'), 'X')), 0);
            assert_eq!(term(name, &with_corner(['-'; 4], 'X')), 0);
        }
    }

    #[test]
    fn more_moves_are_better() {
        for position in random_positions() {
            let moves = position.placements().count_ones() as i32;
            let replies = position.placements_of_other().count_ones() as i32;
            let terms = OthelloEvaluator::new().explain(&position);
            if terms[COUNTS].1 == 0 {
                assert_eq!(terms[5].1.signum(), (moves - replies).signum(), "{position:?}");
            }
        }
    }

    #[test]
    fn a_wiped_out_side_has_lost_by_sixty_four_discs_and_no_guess_is_larger() {
        let won = Othello::new(0xff, 0, Player::First).unwrap();
        let lost = Othello::new(0xff, 0, Player::Second).unwrap();
        let nothing = Othello::new(0, 0, Player::First).unwrap();
        assert_eq!([won, lost, nothing].map(|position| value(&position)), [6_400, -6_400, 0]);
        let all = random_positions();
        assert!(all.iter().all(|position| (-6_400..=6_400).contains(&value(position))));
        // The values are those of a game: most within a decided one.
        let moderate = all.iter().filter(|position| value(position).abs() < 3_000).count();
        assert!(moderate * 10 > all.len() * 8, "{moderate} of {}", all.len());
    }
}
