//! One engine, one position.

use std::ops::ControlFlow;
use std::time::Duration;

use secateur_games::problem::{Problem, ProblemFiles};

use super::contestant::Contestant;
use super::files::Suite;
use super::folder::Scoring;
use super::row::{Row, Told};
use super::settle::{Moment, Settling};
use super::{graded, judge};
use crate::engine::{Fault, FaultKind, GoLimit, Info, Opponent, PositionText};

/// What one engine is asked.
pub struct Question<'a, G: ProblemFiles> {
    /// The suite.
    pub suite: &'a Suite<G>,
    /// Which of its problems, from 0.
    pub index: usize,
    /// Who is asked.
    pub contestant: &'a Contestant,
    /// How points are given.
    pub scoring: Scoring,
    /// A search ends when its answer has been right for so many plies.
    pub stop_when_solved: Option<u32>,
}

impl<G: ProblemFiles> Question<'_, G> {
    fn problem(&self) -> &Problem<G> {
        &self.suite.problems[self.index]
    }

    /// The row of a position without an answer.
    pub fn failed(&self, why: String) -> Row {
        Row { fault: Some(why), ..self.unanswered() }
    }

    fn unanswered(&self) -> Row {
        let problem = self.problem();
        Row {
            engine: self.contestant.name.clone(),
            suite: self.suite.name.clone(),
            number: self.index + 1,
            id: self.suite.id(self.index),
            position: problem.position.write_position(),
            solved: false,
            points: 0,
            most: match self.scoring {
                Scoring::Plain => judge::most(problem),
                Scoring::Graded => graded::most(problem),
            },
            chosen: String::new(),
            wanted: judge::wanted(problem),
            score: None,
            depth: 0,
            nodes: 0,
            time_ms: 0,
            solution_ms: None,
            solution_depth: None,
            solution_nodes: None,
            fault: None,
        }
    }

    /// Lets the engine answer. What it answered before has no part in it.
    pub fn ask(&self, engine: &mut dyn Opponent) -> Result<Row, Fault> {
        let problem = self.problem();
        let position = &problem.position;
        engine.new_game(problem.chess960)?;
        let go = self.contestant.go();
        let mut settling = Settling::default();
        let mut depth = 0;
        let mut watch = |info: &Info, elapsed: Duration| {
            let best_line = info.multi_pv.is_none_or(|rank| rank <= 1);
            if let (true, Some(first)) = (best_line, info.line.first())
                && let Ok(m) = position.read_move(first)
            {
                depth = info.depth.unwrap_or(depth);
                let right = judge::is_right(problem, m, info.score.map(|score| score.value));
                let nodes = info.nodes.unwrap_or(0);
                settling.see(right, Moment { time: elapsed, depth, nodes });
            }
            let settled = matches!((self.stop_when_solved, settling.held(depth)),
                (Some(wanted), Some(held)) if held >= wanted);
            if settled || is_over(&go, info) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let start = PositionText { start: Some(position.write_position()), moves: Vec::new() };
        let thought = engine.think(&start, &go, &mut watch)?;
        let m = read_move(position, &thought.best_move, engine)?;
        let score = thought.score.map(|score| score.value);
        let right = judge::is_right(problem, m, score);
        let end = Moment {
            time: thought.time_spent,
            depth: thought.depth.unwrap_or(0),
            nodes: thought.nodes.unwrap_or(0),
        };
        let solution = settling.solution(right, end);
        let told = score.map(Told::from);
        let points = match self.scoring {
            Scoring::Plain => judge::points(problem, m, right),
            Scoring::Graded => {
                graded::for_value(problem, told.as_ref().map(Told::hundredths))
                    + graded::for_move(problem, m, right)
                    + self.follow_up(engine, &go, m, right)?
            }
        };
        Ok(Row {
            solved: right,
            points,
            chosen: position.describe_move(m),
            score: told,
            depth: end.depth,
            nodes: end.nodes,
            time_ms: milliseconds(end.time),
            solution_ms: solution.map(|moment| milliseconds(moment.time)),
            solution_depth: solution.map(|moment| moment.depth),
            solution_nodes: solution.map(|moment| moment.nodes),
            ..self.unanswered()
        })
    }

    /// How many of the later moves of the line it finds, the replies being those of the line.
    fn follow_up(
        &self,
        engine: &mut dyn Opponent,
        go: &GoLimit,
        first: G::Move,
        right: bool,
    ) -> Result<u32, Fault> {
        let problem = self.problem();
        let wanted = graded::follow_ups(problem);
        let line = &problem.line_of_play;
        if !right || wanted == 0 || line.first() != Some(&first) {
            return Ok(if right { wanted } else { 0 });
        }
        let mut position = problem.position.clone();
        let start = Some(position.write_position());
        let mut text = PositionText { start, moves: Vec::new() };
        let mut rest = line.iter();
        for found in 0..wanted {
            for m in rest.by_ref().take(2) {
                text.moves.push(position.write_move(*m));
                position.play(*m);
            }
            let stop_late = &mut |info: &Info, _: Duration| match is_over(go, info) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            };
            let thought = engine.think(&text, go, stop_late)?;
            let m = read_move(&position, &thought.best_move, engine)?;
            if rest.as_slice().first() != Some(&m) {
                return Ok(found);
            }
        }
        Ok(wanted)
    }
}

/// Some engines take no notice of a number of nodes; they are told.
pub(super) fn is_over(go: &GoLimit, info: &Info) -> bool {
    matches!((go.nodes, info.nodes), (Some(limit), Some(nodes)) if nodes > limit)
}

fn read_move<G: ProblemFiles>(
    position: &G,
    text: &str,
    engine: &dyn Opponent,
) -> Result<G::Move, Fault> {
    let illegal = |_| engine.blame(FaultKind::IllegalMove(text.to_string()));
    position.read_move(text).map_err(illegal)
}

fn milliseconds(time: Duration) -> u64 {
    time.as_millis().try_into().unwrap_or(u64::MAX)
}
