//! Playing below full strength, by a measured scale: `UCI_LimitStrength`, `UCI_Elo`, `play --elo`.
//!
//! Two things make the engine weaker. It searches fewer nodes, and among its best few lines it does
//! not always take the best: a line is chosen by a draw in which one that is worse by `temperature`
//! hundredths has 1/e of the chance. The draw depends on the position and on a seed, so that the
//! same seed gives the same move and another seed another game. The clock is obeyed as ever:
//! whichever limit comes first counts.
//!
//! The scale is our own: 2500 is the unlimited engine at 10,000 nodes a move, and a difference means
//! what it means everywhere (500 more score 94.7 %). It says nothing about ratings of people. Each
//! ladder was measured rung against rung, from the top down, by
//!
//! ```text
//! secateur match --game G --nodes 1000000 --games 400 \
//!   --engine "secateur option.UCI_LimitStrength=true option.UCI_Elo=HIGHER" \
//!   --engine "secateur option.UCI_LimitStrength=true option.UCI_Elo=LOWER"
//! ```
//!
//! and its top rung against `secateur nodes=10000`. Between two rungs the logarithm of the nodes and
//! the temperature are interpolated, and the number of lines is that of the lower. Another evaluation or search calls for another measurement.

use secateur_search::alphabeta::engine::{Limits, Report};
use secateur_search::alphabeta::table::Bound;
use secateur_search::random::SplitMix;
use secateur_search::{Band, Depth, Score};

use crate::playable::Playable;
use crate::told::told;

/// A point of the measured scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rung {
    /// On our own scale.
    pub elo: i32,
    /// For each move.
    pub nodes: u64,
    /// In hundredths as they are told.
    pub temperature: u32,
    /// How many lines there are to choose from.
    pub lines: usize,
}

const fn rung(elo: i32, nodes: u64, temperature: u32, lines: usize) -> Rung {
    Rung { elo, nodes, temperature, lines }
}

/// The ladder of chess, from the weakest up.
pub const CHESS: &[Rung] = &[
    rung(1_000, 930, 33, 5),
    rung(1_250, 1_780, 17, 5),
    rung(1_500, 3_040, 11, 5),
    rung(1_750, 4_980, 7, 5),
    rung(2_000, 8_490, 5, 5),
    rung(2_250, 15_000, 2, 5),
    rung(2_500, 27_000, 0, 5),
];

/// The ladder of Othello, where even the fifth best move is often a good one. Its foot is near
/// random play.
pub const OTHELLO: &[Rung] = &[
    rung(1_200, 250, 3_500, 20),
    rung(1_500, 310, 960, 5),
    rung(1_750, 700, 380, 5),
    rung(2_000, 2_000, 150, 5),
    rung(2_250, 5_800, 70, 5),
    rung(2_500, 27_000, 0, 5),
];

/// How an engine of a certain strength plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Nodes for each move.
    pub nodes: u64,
    /// In hundredths as they are told.
    pub temperature: f64,
    /// How many lines there are to choose from.
    pub lines: usize,
}

/// The weakest and the strongest of a ladder.
pub fn range(ladder: &[Rung]) -> (i32, i32) {
    let elo = |rung: Option<&Rung>| rung.map_or(0, |rung| rung.elo);
    (elo(ladder.first()), elo(ladder.last()))
}

impl Strength {
    /// The strength of a game's ladder; beyond its ends that of the end.
    pub fn of<G: Playable>(elo: i32) -> Strength {
        Strength::on(G::STRENGTHS, elo)
    }

    fn on(ladder: &[Rung], elo: i32) -> Strength {
        let above = ladder.iter().position(|rung| rung.elo >= elo).unwrap_or(ladder.len() - 1);
        let (low, high) = (ladder[above.saturating_sub(1)], ladder[above]);
        let share = match high.elo - low.elo {
            0 => 1.0,
            step => (f64::from(elo - low.elo) / f64::from(step)).clamp(0.0, 1.0),
        };
        let between = |low: f64, high: f64| low + share * (high - low);
        Strength {
            nodes: between((low.nodes as f64).ln(), (high.nodes as f64).ln()).exp().round() as u64,
            temperature: between(low.temperature.into(), high.temperature.into()),
            lines: if share < 1.0 { low.lines } else { high.lines },
        }
    }

    /// The limits of a search by this strength, within those that are given.
    pub fn limit<M: Clone>(&self, given: &Limits<M>) -> Limits<M> {
        let nodes = given.nodes.map_or(self.nodes, |nodes| nodes.min(self.nodes));
        Limits { nodes: Some(nodes), lines: given.lines.max(self.lines), ..given.clone() }
    }
}

/// The lines of the last finished iteration of a search, to choose from.
#[derive(Clone, Debug)]
pub struct Candidates<M> {
    lines: Vec<Candidate<M>>,
}

/// A line as it was reported.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate<M> {
    /// Its value in the units of the search.
    pub score: Score,
    /// The moves, at least one.
    pub moves: Vec<M>,
    depth: Depth,
    selective_depth: usize,
    fullness: usize,
    table_hits: u64,
}

impl<M: Copy> Candidate<M> {
    /// The report again, as one of the best line.
    pub fn report(&self) -> Report<'_, M> {
        Report {
            depth: self.depth,
            selective_depth: self.selective_depth,
            line_number: 1,
            score: self.score,
            bound: Bound::Exact,
            line: &self.moves,
            percent: None,
            fullness: self.fullness,
            table_hits: self.table_hits,
            expansions: None,
        }
    }
}

impl<M> Default for Candidates<M> {
    fn default() -> Candidates<M> {
        Candidates { lines: Vec::new() }
    }
}

impl<M: Copy> Candidates<M> {
    /// Takes in a report.
    pub fn take(&mut self, report: &Report<'_, M>) {
        if report.bound != Bound::Exact || report.line.is_empty() {
            return;
        }
        // All lines of an iteration are reported together, the best first.
        if report.line_number == 1 {
            self.lines.clear();
        }
        self.lines.push(Candidate {
            score: report.score,
            moves: report.line.to_vec(),
            depth: report.depth,
            selective_depth: report.selective_depth,
            fullness: report.fullness,
            table_hits: report.table_hits,
        });
    }

    /// The line to play, and whether it is not the first; `None` if no iteration was finished.
    pub fn choose<G: Playable<Move = M>>(
        &self,
        position: &G,
        strength: Strength,
        seed: u64,
    ) -> Option<(&Candidate<M>, bool)> {
        let lines = &self.lines[..self.lines.len().min(strength.lines)];
        let values: Vec<f64> = lines.iter().map(|line| hundredths(position, line.score)).collect();
        let mut random = SplitMix::new(seed ^ position.key());
        let index = drawn(&values, strength.temperature, random.next_u64());
        Some((lines.get(index)?, index > 0))
    }
}

/// What is proven by points is as far apart as its points; a win is beyond everything else.
fn hundredths<G: Playable>(position: &G, score: Score) -> f64 {
    match told(position, score).band() {
        Band::Heuristic(value) => value.into(),
        Band::Final(points) => f64::from(points) * 100.0,
        Band::Tablebase(_) | Band::Mate { .. } => f64::from(score.value().signum()) * 20_000.0,
    }
}

/// The index that this lot draws from values of which the first is the best.
fn drawn(values: &[f64], temperature: f64, lot: u64) -> usize {
    if temperature <= 0.0 {
        return 0;
    }
    let best = values.iter().copied().fold(f64::MIN, f64::max);
    let weights: Vec<f64> =
        values.iter().map(|value| ((value - best) / temperature).exp()).collect();
    let mut rest = (lot >> 11) as f64 / (1u64 << 53) as f64 * weights.iter().sum::<f64>();
    for (index, weight) in weights.iter().enumerate() {
        rest -= weight;
        if rest < 0.0 {
            return index;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    const LADDER: &[Rung] =
        &[rung(1_000, 100, 300, 9), rung(1_500, 10_000, 100, 5), rung(2_000, 20_000, 0, 5)];

    #[test]
    fn between_two_rungs_everything_is_between() {
        let strength = |elo| Strength::on(LADDER, elo);
        assert_eq!(strength(1_250), Strength { nodes: 1_000, temperature: 200.0, lines: 9 });
        assert_eq!(strength(1_500), Strength { nodes: 10_000, temperature: 100.0, lines: 5 });
        assert_eq!(strength(500), strength(1_000));
        assert_eq!(strength(3_000), Strength { nodes: 20_000, temperature: 0.0, lines: 5 });
        assert_eq!(range(LADDER), (1_000, 2_000));
    }

    #[test]
    fn ladders_rise() {
        for ladder in [CHESS, OTHELLO] {
            for pair in ladder.windows(2) {
                assert!(pair[0].elo < pair[1].elo && pair[0].nodes <= pair[1].nodes);
                assert!(
                    pair[0].temperature >= pair[1].temperature && pair[0].lines >= pair[1].lines
                );
            }
            let (weakest, strongest) = range(ladder);
            assert!(weakest <= 1_200 && strongest >= 2_500);
        }
    }

    #[test]
    fn the_limit_that_comes_first_counts() {
        let strength = Strength::on(LADDER, 1_500);
        let limit = |nodes| strength.limit(&Limits::<()> { nodes, lines: 7, ..Limits::default() });
        assert_eq!((limit(None).nodes, limit(None).lines), (Some(10_000), 7));
        assert_eq!(limit(Some(300)).nodes, Some(300));
        assert_eq!(limit(Some(30_000)).nodes, Some(10_000));
        let timed = strength.limit(&Limits::<()>::move_time(50));
        assert_eq!((timed.time.move_time, timed.lines), (Some(50), 5));
    }

    /// How often each of these values is drawn in a thousand.
    fn shares(values: &[f64], temperature: f64) -> Vec<usize> {
        let mut random = SplitMix::new(5);
        let mut counts = vec![0; values.len()];
        (0..1_000).for_each(|_| counts[drawn(values, temperature, random.next_u64())] += 1);
        counts
    }

    #[test]
    fn the_hotter_the_more_often_worse_lines_are_drawn() {
        let values = [50.0, 0.0, -50.0, -20_000.0];
        assert_eq!(shares(&values, 0.0), [1_000, 0, 0, 0]);
        let (cool, hot) = (shares(&values, 10.0), shares(&values, 100.0));
        assert!(cool[0] > 980 && hot[0] < 600, "{cool:?} {hot:?}");
        assert!(hot[0] > hot[1] && hot[1] > hot[2] && hot[2] > 100, "{hot:?}");
        assert_eq!(hot[3], 0, "nobody walks into a mate that is seen");
        assert!(shares(&[0.0, 0.0], 1.0)[0].abs_diff(500) < 60);
        assert_eq!(drawn(&[], 10.0, 7), 0);
    }

    #[test]
    fn the_ends_of_the_draw_are_lines_too() {
        for lot in [0, u64::MAX] {
            assert!(drawn(&[3.0, 1.0, 0.0], 50.0, lot) < 3);
        }
    }

    #[cfg(feature = "chess")]
    #[test]
    fn the_same_seed_gives_the_same_move_and_seeds_give_several() {
        use crate::chess::Chess;
        use crate::playable::new_engine;
        use secateur_search::alphabeta::Control;
        use secateur_search::{Line, Notation};
        use std::collections::HashSet;
        use std::time::Instant;

        let position = Chess::start();
        let strength = Strength::of::<Chess>(1_000);
        let mut candidates = Candidates::default();
        new_engine::<Chess>().search(
            &position,
            &Line::starting_at(&position),
            &strength.limit(&Limits::default()),
            Instant::now(),
            &Control::default(),
            &mut |report| candidates.take(report),
        );
        let play = |seed| {
            let (line, other) = candidates.choose(&position, strength, seed).unwrap();
            assert_eq!(other, line.moves[0] != candidates.lines[0].moves[0]);
            position.write_move(line.moves[0])
        };
        assert_eq!(play(3), play(3));
        assert!((0..50).map(play).collect::<HashSet<_>>().len() > 1);
        assert_eq!(Candidates::default().choose(&position, strength, 1), None);
    }
}
