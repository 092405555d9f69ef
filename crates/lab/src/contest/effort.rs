//! What an engine's moves cost it: how deep, how many nodes, how long.

use std::ops::AddAssign;

use secateur_search::Player;
use serde::{Deserialize, Serialize};

use super::game::Ply;

/// Beyond so many plies there was nothing left to look at: a forced result repeated to the last iteration,
/// or an ending that was solved. Such depths say nothing of the search and are left out of the mean.
const DECIDED: u32 = 60;

/// Sums over the moves of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Effort {
    /// Moves.
    pub moves: u64,
    /// Positions searched.
    pub nodes: u64,
    /// Milliseconds, as the clock counts them.
    pub time_ms: u64,
    /// Moves that told a depth, without those that were decided.
    pub deep_moves: u64,
    /// Plies of all these.
    pub plies: u64,
}

impl Effort {
    /// What the moves of one side took.
    pub fn of(plies: &[Ply], side: Player) -> Effort {
        let mut sum = Effort::default();
        for ply in plies.iter().filter(|ply| ply.mover == side) {
            sum.moves += 1;
            sum.nodes += ply.nodes.unwrap_or(0);
            sum.time_ms += ply.time.as_millis() as u64;
            if let Some(depth) = ply.depth.filter(|depth| *depth <= DECIDED) {
                sum.deep_moves += 1;
                sum.plies += u64::from(depth);
            }
        }
        sum
    }

    /// Plies of a move, on average; nothing if no depth was told.
    pub fn depth(&self) -> Option<f64> {
        (self.deep_moves > 0).then(|| self.plies as f64 / self.deep_moves as f64)
    }

    /// Positions of a move, on average.
    pub fn nodes_per_move(&self) -> Option<f64> {
        (self.nodes > 0).then(|| self.nodes as f64 / self.moves as f64)
    }

    /// Milliseconds of a move, on average.
    pub fn time_per_move(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.time_ms as f64 / self.moves as f64)
    }
}

impl AddAssign for Effort {
    fn add_assign(&mut self, other: Effort) {
        self.moves += other.moves;
        self.nodes += other.nodes;
        self.time_ms += other.time_ms;
        self.deep_moves += other.deep_moves;
        self.plies += other.plies;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_mean_depth_is_of_a_sides_own_moves_that_were_not_decided() {
        let ply = |mover, depth, nodes| Ply {
            score: None,
            depth,
            time: Duration::from_millis(7),
            nodes,
            mover,
            bstar: None,
        };
        let (first, second) = (Player::First, Player::Second);
        let plies = [
            ply(first, Some(8), Some(100)),
            ply(second, Some(30), Some(5)),
            ply(first, Some(11), Some(200)),
            ply(second, None, None),
            ply(first, Some(200), Some(0)),
        ];
        let mut sum = Effort::of(&plies, first);
        assert_eq!(
            (sum.depth(), sum.nodes_per_move(), sum.time_per_move()),
            (Some(9.5), Some(100.0), Some(7.0))
        );
        sum += Effort::of(&plies, second);
        assert_eq!((sum.moves, sum.deep_moves, sum.plies, sum.nodes), (5, 3, 49, 305));
        let silent = Effort::of(&plies[3..4], second);
        assert_eq!((silent.depth(), silent.nodes_per_move()), (None, None));
    }
}
