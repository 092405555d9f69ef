//! A toy game given as a graph, cycles and all, and a prober that answers from what is written
//! there: B\* with every number known.

use std::sync::Arc;

use crate::bstar::{Hope, Probed, Prober, Why};
use crate::random::SplitMix;
use crate::{Depth, Game, Line, Outcome, Player, Score, Stopped};

/// A room of a maze. Values are for the side that begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Room {
    /// Whether the other side moves here.
    pub second: bool,
    /// What a probe finds.
    pub real: i32,
    /// What a probe finds that each side can hope for.
    pub hopes: [i32; 2],
    /// Where the moves lead.
    pub ways: Vec<usize>,
    /// How the game ended here.
    pub outcome: Option<Outcome>,
}

/// A position: the maze, shared, and the room.
#[derive(Clone, Debug)]
pub struct Maze {
    rooms: Arc<[Room]>,
    at: usize,
}

impl Maze {
    /// The first room.
    pub fn new(rooms: Vec<Room>) -> Maze {
        Maze { rooms: rooms.into(), at: 0 }
    }

    /// A random maze of so many rooms in which no line ends, since some ways lead back. The same seed
    /// gives the same one everywhere.
    pub fn random(seed: u64, rooms: usize, ways: usize, spread: i32) -> Maze {
        let mut random = SplitMix::new(seed);
        let mut draw = |bound: i32| random.below(bound as usize) as i32;
        let made = (0..rooms).map(|at| {
            let real = draw(2 * spread) - spread;
            let hopes = [real + draw(spread), real - draw(spread)];
            let count = 1 + draw(ways as i32);
            // Sides take turns: from even rooms to odd ones and back.
            let ways = (0..count)
                .map(|_| {
                    let near = (at + 1 + 2 * draw(3) as usize) % (rooms & !1);
                    let far = (draw(rooms as i32 / 2) as usize) * 2 + 1 - at % 2;
                    if draw(4) == 0 { far } else { near }
                })
                .collect();
            Room { second: at % 2 == 1, real, hopes, ways, outcome: None }
        });
        Maze::new(made.collect())
    }

    /// The number of the room.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Where the token stands.
    pub fn room(&self) -> &Room {
        &self.rooms[self.at]
    }
}

impl Game for Maze {
    type Move = u16;
    type Mark = ();

    fn turn(&self) -> Player {
        if self.room().second { Player::Second } else { Player::First }
    }
    fn play(&mut self, m: u16) {
        self.at = self.room().ways[m as usize];
    }
    fn each_move(&self, mut sink: impl FnMut(u16)) {
        let ways = &self.room().ways;
        // Two ways to the same room are one move.
        (0..ways.len()).filter(|m| !ways[..*m].contains(&ways[*m])).for_each(|m| sink(m as u16));
    }
    fn count_moves(&self) -> usize {
        let mut count = 0;
        self.each_move(|_| count += 1);
        count
    }
    fn pack(m: u16) -> u16 {
        m + 1
    }
    fn unpack(&self, bits: u16) -> Option<u16> {
        let mut found = None;
        self.each_move(|m| found = found.or((m + 1 == bits).then_some(m)));
        found
    }
    fn key(&self) -> u64 {
        SplitMix::new(self.at as u64).next_u64()
    }
    fn mark(&self, _: &Maze, _: u16) {}
    fn irreversible(&self, _: u16) -> bool {
        false
    }
    fn ended(&self) -> Option<Outcome> {
        self.room().outcome
    }
    fn without_moves(&self) -> Outcome {
        Outcome::Draw
    }
    fn recurrence(&self, line: &Line<()>) -> Option<Outcome> {
        let found = line.occurrences();
        (found.in_search > 0 || found.in_game > 1).then_some(Outcome::Draw)
    }
}

/// Answers from what is written in the rooms.
#[derive(Clone, Copy, Debug, Default)]
pub struct Guide {
    /// Questions answered.
    pub asked: u64,
    /// Questions that may be asked.
    pub limit: Option<u64>,
    /// Whether the best answer to each move is told too.
    pub answers: bool,
    /// Whether a question with a bound is answered with a bound, as a search does, and not with the value.
    pub bounds: bool,
}

impl Guide {
    fn answer(&mut self) -> Result<(), Stopped> {
        if self.limit.is_some_and(|limit| self.asked >= limit) {
            return Err(Stopped);
        }
        self.asked += 1;
        Ok(())
    }

    /// The answer to a question with a bound: on the right side of it, and no more.
    fn against(&self, value: Score, bound: Score) -> Score {
        match (self.bounds && !value.is_proven(), value >= bound) {
            (false, _) => value,
            (true, true) => bound,
            (true, false) => bound - 1,
        }
    }
}

fn for_mover(position: &Maze, value: i32) -> Score {
    let score = Score::heuristic(value);
    if position.turn() == Player::First { score } else { -score }
}

fn real(position: &Maze, m: u16) -> Score {
    let after = position.after(m);
    match after.ended() {
        Some(outcome) => -outcome.score(1),
        None => for_mover(position, after.room().real),
    }
}

fn hope(position: &Maze, m: u16) -> Score {
    let hopes = position.after(m).room().hopes;
    for_mover(position, hopes[position.turn() as usize]).max(real(position, m))
}

/// The first of the best moves, with its value.
fn best(position: &Maze) -> Option<(Score, u16)> {
    let mut best: Option<(Score, u16)> = None;
    position.each_move(|m| {
        let value = real(position, m);
        if best.is_none_or(|(so_far, _)| value > so_far) {
            best = Some((value, m));
        }
    });
    best
}

impl Prober<Maze> for Guide {
    fn probe_some(
        &mut self,
        position: &Maze,
        moves: &[u16],
        _: usize,
        _: Depth,
        hopes: bool,
    ) -> Result<Vec<Probed<u16>>, Stopped> {
        self.answer()?;
        let probe = |m: &u16| {
            let hope = Hope { value: hope(position, *m), why: Why::ExtraMove };
            let hope = hopes.then_some(hope);
            let answer = if self.answers { best(&position.after(*m)) } else { None };
            let line = answer.map(|(_, m)| m).into_iter().collect();
            Probed { m: *m, real: real(position, *m), line, hope }
        };
        Ok(moves.iter().map(probe).collect())
    }

    fn hope(
        &mut self,
        position: &Maze,
        probed: &Probed<u16>,
        _: usize,
        _: Depth,
    ) -> Result<Hope, Stopped> {
        self.answer()?;
        Ok(Hope { value: hope(position, probed.m), why: Why::ExtraMove })
    }

    fn best(&mut self, position: &Maze, _: Depth) -> Result<(Score, Vec<u16>), Stopped> {
        self.answer()?;
        let Some((value, m)) = best(position) else { return Ok((Score::DRAW, Vec::new())) };
        let answer = if self.answers { best(&position.after(m)) } else { None };
        Ok((value, std::iter::once(m).chain(answer.map(|(_, m)| m)).collect()))
    }

    fn at_least(
        &mut self,
        position: &Maze,
        m: u16,
        bound: Score,
        _: Depth,
    ) -> Result<Score, Stopped> {
        self.answer()?;
        Ok(self.against(real(position, m), bound))
    }

    fn hope_at_least(
        &mut self,
        position: &Maze,
        m: u16,
        bound: Score,
        _: usize,
        _: Depth,
    ) -> Result<Score, Stopped> {
        self.answer()?;
        Ok(self.against(hope(position, m), bound))
    }

    fn nodes(&self) -> u64 {
        self.asked
    }
}
