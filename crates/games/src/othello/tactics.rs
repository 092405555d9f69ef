//! What the engine asks of Othello beyond its rules.

use secateur_search::{Ability, Game, Gen, Line, Tactics};

use super::board::placements;
use super::position::hash;
use super::{Othello, OthelloMove};

/// The squares along the four edges, corners included.
const EDGES: u64 = 0xff81_8181_8181_81ff;

/// The four corners with the eight squares nearest to each.
const CORNER_BLOCKS: u64 = 0xe7e7_e700_00e7_e7e7;

/// The four corners.
const CORNERS: u64 = 0x8100_0000_0000_0081;

/// Discs on the board at the start.
const FIRST_DISCS: u32 = 4;

/// Discs, and so placements, to a stage.
const DISCS_PER_STAGE: u32 = 4;

/// There are no captures, checks or exchanges. A pass can be made, but having to move is often a
/// burden, so its value is no bound.
impl Tactics for Othello {
    const ABILITIES: Ability = Ability::PASS;
    /// All discs are alike: the square says it all, and a pass is one more.
    const PLACES: usize = OthelloMove::COUNT;
    const VICTIMS: usize = 1;
    /// By discs on the board: 4 to 7 is stage 0, 8 to 11 stage 1, ... 60 to 64 stage 14.
    const STAGES: usize = 15;
    const CATEGORIES: usize = 1;
    /// The edges, and the corners with the squares round them: what stays on the board longest and
    /// what an evaluation misjudges together.
    const FACETS: usize = 2;
    const RANKS: &'static str = include_str!("../../ranks/othello.toml");
    const ODDS: &'static str = include_str!("../../odds/othello.toml");
    const TUNED: &'static [(&'static str, &'static str)] =
        &[("modern", include_str!("modern.toml"))];
    const CUTS: &'static [&'static str] = &[include_str!("../../cuts/othello-modern.toml")];
    /// Corners that either side could take now, and squares on which the side to move could place.
    const UNREST: &'static [&'static str] = &["corners", "moves"];

    #[inline]
    fn each(&self, which: Gen, sink: impl FnMut(OthelloMove)) {
        match which {
            Gen::All | Gen::Quiet => self.each_move(sink),
            Gen::Noisy => {}
        }
    }

    #[inline]
    fn is_noisy(&self, _m: OthelloMove) -> bool {
        false
    }

    #[inline]
    fn place(&self, m: OthelloMove) -> usize {
        m.index()
    }

    #[inline]
    fn victim(&self, _m: OthelloMove) -> usize {
        0
    }

    /// Discs change sides all the time: turning some over wins nothing yet.
    #[inline]
    fn gain(&self, _m: OthelloMove) -> i32 {
        0
    }

    /// Discs change sides all the time: a lead in them is worth nothing before the end.
    #[inline]
    fn material(&self) -> i32 {
        0
    }

    #[inline]
    fn officers(&self) -> [usize; 2] {
        [0; 2]
    }

    /// A pass bounds nothing, so that no threat is found by one.
    #[inline]
    fn meets(&self, _m: OthelloMove, _threat: OthelloMove) -> bool {
        false
    }

    #[inline]
    fn in_check(&self) -> bool {
        false
    }

    #[inline]
    fn gives_check(&self, _m: OthelloMove) -> bool {
        false
    }

    #[inline]
    fn exchange_at_least(&self, _m: OthelloMove, bound: i32) -> bool {
        bound <= 0
    }

    #[inline]
    fn pass(&self) -> Option<Othello> {
        (!self.is_over()).then(|| self.turned())
    }

    #[inline]
    fn pass_is_bound(&self) -> bool {
        false
    }

    /// There is no such rule: every placement brings the end nearer.
    #[inline]
    fn move_rule_spent(&self) -> i32 {
        0
    }

    /// Every move adds a disc.
    #[inline]
    fn can_recur(&self, _line: &Line<()>) -> bool {
        false
    }

    #[inline]
    fn stage(&self) -> usize {
        let placed = self.discs().saturating_sub(FIRST_DISCS);
        ((placed / DISCS_PER_STAGE) as usize).min(Self::STAGES - 1)
    }

    #[inline]
    fn category(&self) -> usize {
        0
    }

    fn unrest(&self, which: usize) -> i32 {
        let (own, other) =
            (placements(self.own(), self.other()), placements(self.other(), self.own()));
        let counted = if which == 0 { (own | other) & CORNERS } else { own };
        counted.count_ones() as i32
    }

    #[inline]
    fn facet_key(&self, facet: usize) -> u64 {
        let squares = if facet == 0 { EDGES } else { CORNER_BLOCKS };
        hash(self.own() & squares, self.other() & squares)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_search::{Notation, Player};

    #[test]
    fn the_stages_run_from_the_first_disc_to_the_last() {
        let with_discs = |count: u32| {
            let discs = u64::MAX.checked_shr(64 - count).unwrap_or(0);
            Othello::new(discs, 0, Player::First).unwrap().stage()
        };
        assert_eq!([0, 3, 4, 7, 8, 11].map(with_discs), [0, 0, 0, 0, 1, 1]);
        assert_eq!([59, 60, 63, 64].map(with_discs), [13, 14, 14, 14]);
    }

    #[test]
    fn a_facet_sees_its_own_squares_only() {
        let after = |m: &str| Othello::START.after(Othello::START.read_move(m).unwrap());
        let (one, two) = (after("f5"), after("d3"));
        assert_ne!(one.key(), two.key());
        for facet in 0..Othello::FACETS {
            assert_eq!(one.facet_key(facet), two.facet_key(facet), "facet {facet}");
        }
        // A disc on b2 is in a corner block, but not on an edge; one on d1 the other way round.
        let start = Othello::START;
        let with = |square: u32| {
            let changed = Othello::new(start.own() | 1 << square, start.other(), Player::First);
            [0, 1].map(|facet| changed.unwrap().facet_key(facet) != start.facet_key(facet))
        };
        assert_eq!((with(9), with(3), with(0)), ([false, true], [true, false], [true, true]));
    }

    #[test]
    fn unrest_is_corners_in_reach_and_moves() {
        assert_eq!([0, 1].map(|which| Othello::START.unrest(which)), [0, 4]);
        // Black takes a1 over b1 from c1; White takes nothing.
        let text = format!("-OX{} X", "-".repeat(61));
        let position = Othello::read_position(&text).unwrap();
        assert_eq!([0, 1].map(|which| position.unrest(which)), [1, 1]);
    }

    #[test]
    fn one_can_pass_until_the_game_is_over() {
        let passed = Othello::START.pass().unwrap();
        assert_eq!((passed.own(), passed.turn()), (Othello::START.other(), Player::Second));
        let over = Othello::read_position(&format!("X-O{} X", "-".repeat(61))).unwrap();
        assert!(over.pass().is_none());
    }
}
