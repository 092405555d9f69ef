//! What can be hoped for in chess: checks, pieces that only run away, kings far from home, pins
//! (Berliner and McConnell, 1996, name them; what they are worth is in the search).

use cozy_chess::{Move, Piece};
use secateur_search::Game;
use secateur_search::Tactics;
use secateur_search::optimism::{Forcing, Hopeful, Illusion, Prospects};

use super::{Chess, moves};

/// A king is hunted while the other side has so much, counted as [`Chess::weighted_material`] does.
const HUNTERS: u32 = 15;

impl Hopeful for Chess {
    /// A check, for the side that gives it cannot move again before it is answered.
    fn forcing(&self, _m: Move, after: &Chess) -> Option<Forcing> {
        let board = after.board();
        let checkers = board.checkers();
        if checkers.is_empty() {
            return None;
        }
        let king = board.king(board.side_to_move());
        let mut forcing = Forcing { replies: 0, safe: true, king_moves: true };
        after.each_move(|reply| {
            forcing.replies += 1;
            forcing.king_moves &= reply.from == king;
            let takes = checkers.has(reply.to)
                || moves::taken_in_passing(board, reply).is_some_and(|pawn| checkers.has(pawn));
            forcing.safe &= !(takes && after.exchange_at_least(reply, 0));
        });
        // Of mate nobody asks: it is proven.
        forcing.king_moves &= forcing.replies > 0;
        Some(forcing)
    }

    /// The piece that moved moves again, and in the other line is taken before it could.
    fn illusion(&self, m: Move, extra: &[Move], real: &[Move]) -> Option<Illusion> {
        let board = self.board();
        if moves::castling(board, m).is_some() || extra.first()?.from != m.to {
            return None;
        }
        let mut position = self.after(m);
        for (ply, &next) in real.iter().enumerate() {
            let theirs = ply % 2 == 0;
            let taken =
                next.to == m.to || moves::taken_in_passing(position.board(), next) == Some(m.to);
            if theirs && taken {
                let hits = moves::victim(board, m).is_some();
                return Some(if hits { Illusion::HitAndRun } else { Illusion::TwiceMoved });
            }
            if !theirs && next.from == m.to {
                return None;
            }
            position.play(next);
        }
        None
    }

    fn prospects(&self) -> Prospects {
        let board = self.board();
        let hunted = self.color();
        // On its first two ranks a king is at home.
        let out = board.king(hunted).rank().relative_to(hunted) as i32 - 1;
        let hunting = self.weighted_material(!hunted) >= HUNTERS;
        let pawns = board.pieces(Piece::Pawn);
        Prospects {
            exposed: if hunting { out.max(0) } else { 0 },
            pins: ((board.pinned() & board.colors(hunted)) - pawns).len() as i32,
        }
    }

    /// The weighted material of both sides: queen 9, rook 5, bishop and knight 3.
    fn forces(&self) -> i32 {
        let color = self.color();
        (self.weighted_material(color) + self.weighted_material(!color)) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_search::Notation;

    fn read(fen: &str) -> Chess {
        Chess::read_position(fen).unwrap()
    }

    fn forcing(fen: &str, text: &str) -> Option<Forcing> {
        let position = read(fen);
        let m = position.read_move(text).unwrap();
        position.forcing(m, &position.after(m))
    }

    #[test]
    fn a_quiet_move_forces_nothing() {
        assert_eq!(forcing("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "Ra2"), None);
    }

    #[test]
    fn a_check_is_told_by_its_replies_its_safety_and_the_king() {
        // The king has some squares, and nothing takes or comes between.
        let safely = |replies| Some(Forcing { replies, safe: true, king_moves: true });
        assert_eq!(forcing("4k3/8/8/8/8/8/8/R5K1 w - - 0 1", "Re1+"), safely(4));
        assert_eq!(forcing("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "Ra8+"), safely(3));
        // A knight or a bishop comes between; then a knight takes the rook for nothing.
        let guarded = forcing("4k1n1/8/8/7b/8/8/8/R5K1 w - - 0 1", "Re1+").unwrap();
        assert!(guarded.safe && !guarded.king_moves, "{guarded:?}");
        let lost = forcing("4k3/8/8/8/8/8/6n1/R5K1 w - - 0 1", "Re1+").unwrap();
        assert!(!lost.safe, "{lost:?}");
    }

    #[test]
    fn who_takes_a_protected_checker_at_a_loss_does_not_count() {
        // A queen may take the bishop, which a pawn protects, or does not.
        let protected = forcing("4k3/8/8/q7/P7/8/8/5BK1 w - - 0 1", "Bb5+").unwrap();
        assert!(protected.safe, "{protected:?}");
        let alone = forcing("4k3/8/8/q7/8/8/8/5BK1 w - - 0 1", "Bb5+").unwrap();
        assert!(!alone.safe, "{alone:?}");
    }

    #[test]
    fn a_double_check_forces_the_king() {
        let double = forcing("4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1", "Nd6+").unwrap();
        assert!(double.king_moves && double.replies > 0, "{double:?}");
        let double = forcing("3rkr2/3p1p2/8/4N3/8/8/8/K3R3 w - - 0 1", "Nf3+").unwrap();
        assert_eq!((double.replies, double.king_moves), (0, false), "mate");
    }

    fn illusion(fen: &str, text: &str, extra: &str, real: &str) -> Option<Illusion> {
        let position = read(fen);
        let m = position.read_move(text).unwrap();
        let after = position.after(m);
        let line = |mut position: Chess, text: &str| -> Vec<Move> {
            text.split_whitespace()
                .map(|text| {
                    let m = position.read_move(text).unwrap();
                    position.play(m);
                    m
                })
                .collect()
        };
        let extra = line(after.pass().unwrap(), extra);
        position.illusion(m, &extra, &line(after, real))
    }

    #[test]
    fn who_takes_and_runs_away_would_have_been_taken() {
        // The knight takes a guarded pawn and goes home with it.
        let fen = "4k3/3p4/2p5/8/3N4/8/8/4K3 w - - 0 1";
        assert_eq!(illusion(fen, "Nxc6", "Nd4", "dxc6"), Some(Illusion::HitAndRun));
        // Where nobody takes it the gain is real.
        assert_eq!(illusion(fen, "Nxc6", "Nd4", "Kf8"), None);
        // Where another piece moves the threat is real.
        assert_eq!(illusion(fen, "Nxc6", "Ke2", "dxc6"), None);
    }

    #[test]
    fn who_moves_twice_would_have_been_taken_before() {
        let fen = "4k3/3p4/8/8/3N4/8/8/4K3 w - - 0 1";
        assert_eq!(illusion(fen, "Nc6", "Nb8", "dxc6"), Some(Illusion::TwiceMoved));
        // Taken later, after it has moved, it was not taken where it went.
        assert_eq!(illusion(fen, "Nf5", "Ng7+", "Kf8 Ng3 Ke8"), None);
        // Taken two moves later, where it still stands, it would have been.
        assert_eq!(illusion(fen, "Nc6", "Nb8", "Kf8 Ke2 dxc6"), Some(Illusion::TwiceMoved));
    }

    #[test]
    fn a_king_that_is_out_gives_hope_to_who_has_pieces_to_hunt_it() {
        let exposed = |fen: &str| read(fen).prospects().exposed;
        assert_eq!(exposed("8/8/8/8/3k4/8/8/RR1QK3 b - - 0 1"), 3);
        assert_eq!(exposed("8/3k4/8/8/8/8/8/RR1QK3 b - - 0 1"), 0, "at home");
        assert_eq!(exposed("8/8/8/3k4/8/8/8/RR2K3 b - - 0 1"), 0, "two rooks are too little");
        assert_eq!(exposed("rr1qk3/8/8/3K4/8/8/8/8 w - - 0 1"), 3, "White's king the same way");
    }

    #[test]
    fn a_pinned_officer_gives_hope_and_a_pinned_pawn_does_not() {
        let pins = |fen: &str| read(fen).prospects().pins;
        assert_eq!(pins("4k3/8/2n5/1B6/8/8/8/4K3 b - - 0 1"), 1);
        assert_eq!(pins("4k3/3p4/8/1B6/8/8/8/4K3 b - - 0 1"), 0);
        assert_eq!(pins("4k3/8/2N5/1b6/8/8/8/4K3 b - - 0 1"), 0, "their own line");
    }

    #[test]
    fn forces_are_those_of_both_sides() {
        assert_eq!(Chess::start().forces(), 62);
        assert_eq!(read("8/5r1k/3P2p1/7p/8/3R1P2/6PP/7K b - - 0 47").forces(), 10);
    }
}
